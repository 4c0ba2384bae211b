// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of all schedules have in common.
#include "Kernel.h"

#include "Im2col.h"
#include "WarpSpecializedModel.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

SmallVector<int64_t> tile::getUnitDims(Value operand) {
  auto type = cast<MemRefType>(operand.getType());
  // Kernels read a copy, which has the unit stride of its own.
  if (Im2colAttr im2col = getIm2col(operand))
    return {getUnitDim(im2col.getMatrixMap())};
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return {};
  int64_t row = strides[type.getRank() - 2],
          column = strides[type.getRank() - 1];
  if (column == 1)
    return {1};
  if (row == 1)
    return {0};
  SmallVector<int64_t> dims;
  if (ShapedType::isDynamic(column))
    dims.push_back(1);
  if (ShapedType::isDynamic(row))
    dims.push_back(0);
  return dims;
}

int64_t tile::getKnownUnitDim(Value operand) {
  SmallVector<int64_t> dims = getUnitDims(operand);
  auto type = cast<MemRefType>(operand.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (dims.size() != 1 || failed(type.getStridesAndOffset(strides, offset)))
    return -1;
  return strides[type.getRank() - 2 + dims[0]] == 1 ? dims[0] : -1;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

GemmExtents GemmExtents::get(GemmOp gemm) {
  auto a = cast<MemRefType>(gemm.getA().getType());
  auto d = cast<MemRefType>(gemm.getD().getType());
  unsigned rank = d.getRank();
  int64_t batch = rank == 3 ? d.getDimSize(0) : 1;
  int64_t k = a.getDimSize(a.getRank() - 1);
  return {d.getDimSize(rank - 2), d.getDimSize(rank - 1),
          ShapedType::isDynamic(k) ? kAssumed : k,
          ShapedType::isDynamic(batch) ? 1 : batch};
}

bool GemmExtents::isDynamic() const {
  return ShapedType::isDynamic(m) || ShapedType::isDynamic(n);
}

void GemmExtents::assume() {
  if (isDynamic())
    m = n = kAssumed;
}

double GemmExtents::getMemoryNs(GemmOp gemm, const Chip &chip,
                                double share) const {
  auto getBytes = [](Value operand) {
    return cast<MemRefType>(operand.getType()).getElementTypeBitWidth() / 8.0;
  };
  double rows = m, columns = n, depth = std::max<int64_t>(k, 1);
  double bytes = (rows + columns) * depth * getBytes(gemm.getA()) +
                 rows * columns * getBytes(gemm.getD()) * (gemm.getC() ? 2 : 1);
  return bytes * batch / (chip.memoryBytesPerNs * share);
}

unsigned KernelParameters::add(Type type, const Twine &name) {
  std::optional<KernelParameter> parameter = KernelParameter::parse(name.str());
  assert(parameter && "a schedule names parameters that exist");
  types.push_back(type);
  parameters.push_back(*parameter);
  return types.size() - 1;
}

unsigned KernelParameters::addTensorMap(MLIRContext *context,
                                        const Twine &name) {
  return add(LLVM::LLVMPointerType::get(context), name + ".tensor_map");
}

bool KernelParameters::isTensorMap(unsigned position) const {
  return parameters[position].source == KernelParameter::Source::TensorMap;
}

CostFacts tile::makeCostFacts(const KernelCost &cost) {
  CostFacts facts;
  facts.fixed = cost.fixed;
  facts.tile = cost.tile;
  facts.k = cost.k;
  facts.bytes = cost.bytes;
  return facts;
}

std::string tile::getScheduleText(Attribute schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text;
}

void tile::setLaunchFacts(gpu::GPUFuncOp kernel, const LaunchFacts &facts) {
  kernel->setAttr(kLaunchFacts,
                  LaunchFactsAttr::get(kernel.getContext(), facts));
}

/// The name with a number behind it where another problem of the file has it:
/// an artifact knows kernels by name alone.
static std::string uniqueName(gpu::GPUModuleOp module,
                              const std::string &name) {
  auto taken = [&](const std::string &candidate) {
    return llvm::any_of(
        module->getBlock()->getOps<gpu::GPUModuleOp>(),
        [&](gpu::GPUModuleOp other) { return other.lookupSymbol(candidate); });
  };
  std::string result = name;
  for (unsigned i = 1; taken(result); ++i)
    result = name + "_" + std::to_string(i);
  return result;
}

gpu::GPUFuncOp tile::createKernel(gpu::GPUModuleOp module, Location loc,
                                  const std::string &name,
                                  const KernelParameters &parameters,
                                  int64_t threads) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernel =
      gpu::GPUFuncOp::create(builder, loc, uniqueName(module, name),
                             builder.getFunctionType(parameters.types, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  for (unsigned i = 0, e = parameters.types.size(); i < e; ++i) {
    if (!parameters.isTensorMap(i))
      continue;
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 128);
    kernel.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(bytes));
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(64));
  }
  return kernel;
}
