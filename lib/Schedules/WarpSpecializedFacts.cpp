// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters and launch facts of the warp-specialised kernel.
#include "WarpSpecializedKernel.h"
#include "WarpSpecializedModel.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tile;
using namespace tile::warp_specialized;

MatrixParameters KernelBuilder::getMatrixC() const {
  // Dimensions of C and D are the kernel's.
  int64_t unitDim =
      variant.contiguousC < 0 ? -1 : variant.toProblem(variant.contiguousC);
  return {"C", variant.swapped, unitDim, variant.batched};
}

MatrixParameters KernelBuilder::getMatrixD() const {
  return {"D", variant.swapped, variant.contiguousD, variant.batched};
}

void KernelBuilder::declare() {
  MLIRContext *context = builder.getContext();
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  parameters.addTensorMap(context, nameOf(variant.left));
  parameters.addTensorMap(context, nameOf(variant.right));
  if (variant.tensorStore) {
    parameters.addTensorMap(context, "D");
    parameters.add(i32, "D.tensor_map_legal");
  }
  if (variant.tensorLoadC) {
    parameters.addTensorMap(context, "C");
    parameters.add(i32, "C.tensor_map_legal");
  }
  if (variant.hasC)
    getMatrixC().declare(context, parameters);
  getMatrixD().declare(context, parameters);
  parameters.add(i32, variant.swapped ? "N" : "M");
  parameters.add(i32, variant.swapped ? "M" : "N");
  parameters.add(i32, "K");
  if (variant.batched)
    parameters.add(i32, "batch");
  parameters.add(f32, "alpha");
  if (variant.hasC)
    parameters.add(f32, "beta");
}

std::string KernelBuilder::getName() const {
  ArrayRef<int64_t> tile = schedule.getTile();
  auto letter = [](const TensorOperand &operand) {
    return operand.contiguous == 1 ? 'r' : 'c';
  };
  const TensorOperand &a =
      variant.left.name == 'A' ? variant.left : variant.right;
  const TensorOperand &b =
      variant.left.name == 'A' ? variant.right : variant.left;
  return llvm::formatv("ws_{0}x{1}x{2}_{3}{4}_{5}{6}{7}_v{8}{9}", tile[0],
                       tile[1], parts.tileK, a.getFactorType(),
                       b.getFactorType(), letter(a), letter(b),
                       variant.toProblem(variant.contiguousD) == 1 ? 'r' : 'c',
                       variant.vectorD,
                       variant.hasC ? "_c" + std::to_string(variant.vectorC)
                                    : std::string())
             .str() +
         (schedule.getStaged() ? "_staged" : "");
}

DictionaryAttr KernelBuilder::getFacts() {
  SmallVector<NamedAttribute> facts;
  auto add = [&](StringRef name, Attribute value) {
    facts.push_back(builder.getNamedAttr(name, value));
  };
  auto number = [&](int64_t value) -> Attribute {
    return builder.getI64IntegerAttr(value);
  };
  auto dictionary =
      [&](ArrayRef<std::pair<StringRef, Attribute>> list) -> Attribute {
    SmallVector<NamedAttribute> named;
    for (const auto &[name, value] : list)
      named.push_back(builder.getNamedAttr(name, value));
    return builder.getDictionaryAttr(named);
  };
  // Pairs along (rows, columns) of D.
  auto pair = [&](int64_t rows, int64_t columns) -> Attribute {
    if (variant.swapped)
      std::swap(rows, columns);
    return builder.getI64ArrayAttr({rows, columns});
  };
  std::string name;
  llvm::raw_string_ostream(name) << schedule;
  add("schedule", builder.getStringAttr(name));
  add("block", builder.getI64ArrayAttr({parts.threads, 1, 1}));
  if (parts.clusterSize > 1)
    add("cluster", builder.getI64ArrayAttr({parts.clusterSize, 1, 1}));
  ArrayRef<int64_t> tile = schedule.getTile();
  add("grid", dictionary({{"tile", pair(tile[0], tile[1])},
                          {"cluster_tile", pair(schedule.getClusterM(),
                                                schedule.getClusterN())},
                          {"split", number(schedule.getSplit())},
                          {"persistent", builder.getBoolAttr(true)}}));

  SmallVector<Attribute> requirements, maps;
  for (const TensorOperand *operand : {&variant.left, &variant.right}) {
    int64_t bytes = operand->elementType.getIntOrFloatBitWidth() / 8;
    StringAttr letter = builder.getStringAttr(nameOf(*operand));
    const TmaBoxes &boxes =
        (operand == &variant.left ? parts.left : parts.right).boxes;
    requirements.push_back(
        dictionary({{"operand", letter},
                    {"unit_stride", number(operand->contiguous)},
                    {"alignment", number(16)},
                    {"stride_multiple", number(16 / bytes)},
                    {"extent_multiple", number(1)}}));
    maps.push_back(dictionary(
        {{"operand", letter},
         {"contiguous", number(operand->contiguous)},
         {"box", builder.getI64ArrayAttr({boxes.inner, boxes.outer})},
         {"swizzle", number(boxes.swizzleBytes)},
         {"batched", builder.getBoolAttr(operand->batched)}}));
  }
  int64_t contiguousD = variant.toProblem(variant.contiguousD);
  int64_t bytesD = variant.elementTypeD.getIntOrFloatBitWidth() / 8;
  requirements.push_back(
      dictionary({{"operand", builder.getStringAttr("D")},
                  {"unit_stride", number(contiguousD)},
                  {"alignment", number(bytesD * variant.vectorD)},
                  {"stride_multiple", number(variant.vectorD)},
                  {"extent_multiple", number(variant.vectorD)}}));
  if (variant.vectorC > 1)
    requirements.push_back(
        dictionary({{"operand", builder.getStringAttr("C")},
                    {"unit_stride", number(variant.contiguousC)},
                    {"alignment", number(bytesD * variant.vectorC)},
                    {"stride_multiple", number(variant.vectorC)},
                    {"extent_multiple", number(variant.vectorC)}}));
  auto addStaged = [&](StringRef name, bool batched) {
    maps.push_back(dictionary(
        {{"operand", builder.getStringAttr(name)},
         {"contiguous", number(contiguousD)},
         {"box", builder.getI64ArrayAttr(
                     {parts.stagingBoxes.inner, parts.stagingBoxes.outer})},
         {"swizzle", number(parts.stagingBoxes.swizzleBytes)},
         {"batched", builder.getBoolAttr(batched)},
         {"optional", builder.getBoolAttr(true)}}));
  };
  if (variant.tensorStore)
    addStaged("D", variant.batched);
  if (variant.tensorLoadC)
    addStaged("C", variant.batchedC);
  if (schedule.getTf32())
    add("factors", builder.getStringAttr("tf32"));
  add("requires", builder.getArrayAttr(requirements));
  add("tensor_maps", builder.getArrayAttr(maps));
  add("shared_bytes", number(0));
  add("programmatic_launch", builder.getBoolAttr(schedule.getOverlap() > 0));
  KernelCost cost =
      getCost(schedule, variant.left.elementType.getIntOrFloatBitWidth() / 8,
              /*rowAlignment=*/128);
  add("cost", dictionary({{"fixed_ns", builder.getF64FloatAttr(cost.fixed)},
                          {"tile_ns", builder.getF64FloatAttr(cost.tile)},
                          {"k_ns", builder.getF64FloatAttr(cost.k)},
                          {"bytes_ns", builder.getF64FloatAttr(cost.bytes)}}));
  parameters.appendFacts(builder, facts);
  return builder.getDictionaryAttr(facts);
}
