// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies what a kernel carries as attributes of this dialect.
#include "tile/Atoms/Chips.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tile;

ParameterType tile::getParameterType(gpu::GPUFuncOp kernel, unsigned number) {
  Type type = kernel.getArgumentTypes()[number];
  if (isa<LLVM::LLVMPointerType>(type))
    return kernel.getArgAttr(number, LLVM::LLVMDialect::getByValAttrName())
               ? ParameterType::TensorMap
               : ParameterType::Pointer;
  // An index has 64 bits on every target.
  if (type.isIndex() || type.isInteger(64))
    return ParameterType::I64;
  if (type.isInteger(32))
    return ParameterType::I32;
  if (type.isF32())
    return ParameterType::F32;
  if (type.isF64())
    return ParameterType::F64;
  return ParameterType::Other;
}

/// The types that an argument can have, in words.
static StringRef listTypes(KernelParameter::Source source) {
  if (canHaveType(source, ParameterType::Pointer))
    return "a pointer";
  if (canHaveType(source, ParameterType::TensorMap))
    return "a pointer with llvm.byval";
  if (canHaveType(source, ParameterType::F32))
    return "f32 or f64";
  return "i32, i64 or index";
}

static LogicalResult verifyFacts(gpu::GPUFuncOp kernel,
                                 const LaunchFacts &facts) {
  unsigned arguments = kernel.getNumArguments();
  // A kernel that is launched by hand need not say what it takes.
  bool byHand = !facts.grid && facts.parameters.empty();
  if (!byHand && facts.parameters.size() != arguments)
    return kernel.emitOpError("expected 'parameters' to name each of the ")
           << arguments << " arguments, but got " << facts.parameters.size();
  for (auto [i, parameter] : llvm::enumerate(facts.parameters)) {
    ParameterType type = getParameterType(kernel, i);
    if (!canHaveType(parameter.source, type))
      return kernel.emitOpError("expected argument ")
             << i << ", which takes " << parameter.str() << ", to be "
             << listTypes(parameter.source) << ", but got "
             << kernel.getArgumentTypes()[i]
             << (type == ParameterType::TensorMap ? " with llvm.byval" : "");
  }
  auto cluster = kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.cluster_dim");
  if (cluster && !cluster.empty() && cluster[0] != facts.cluster[0])
    return kernel.emitOpError("expected the cluster of the launch facts to be "
                              "that of 'nvvm.cluster_dim', ")
           << cluster[0] << ", but got " << facts.cluster[0];
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kLaunchFacts && name != kDynamicSharedBytes) {
    // Names of marks are free, but one that is nearly these is a typo.
    std::string nearest = findNearest(
        name.str(), {kLaunchFacts.str(), kDynamicSharedBytes.str()});
    bool close = !nearest.empty() && name.edit_distance(nearest) <= 3;
    if (!close)
      return success();
    return op->emitOpError("expected an attribute such as '")
           << nearest << "', but got '" << name << "'";
  }
  // On the way to its target the kernel becomes another kind of function.
  auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
  if (!kernel)
    return isa<FunctionOpInterface>(op)
               ? success()
               : op->emitOpError("expected '")
                     << name << "' on a gpu.func, but got it here";
  if (name == kDynamicSharedBytes) {
    auto bytes = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!bytes || !bytes.getType().isInteger(64) || bytes.getInt() < 0 ||
        bytes.getInt() > kMaxSharedBytes)
      return op->emitOpError("expected an integer from 0 to ")
             << kMaxSharedBytes << " of type i64 for '" << name << "', but got "
             << attribute.getValue();
    return success();
  }
  auto facts = dyn_cast<LaunchFactsAttr>(attribute.getValue());
  if (!facts)
    return op->emitOpError("expected #tile.launch_facts<…> for '")
           << name << "', but got " << attribute.getValue();
  return verifyFacts(kernel, facts.getFacts());
}
