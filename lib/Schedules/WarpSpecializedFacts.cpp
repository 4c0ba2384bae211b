// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters and launch facts of the warp-specialised kernel.
#include "EpilogueOperands.h"
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
  if (variant.loadedSource) {
    parameters.addTensorMap(context, variant.loadedName);
    parameters.add(i32, variant.loadedName + ".tensor_map_legal");
  }
  if (variant.hasC)
    getMatrixC().declare(context, parameters);
  getMatrixD().declare(context, parameters);
  declareEpilogueOperands(gemm, variant.swapped, parameters);
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
         (variant.pairsOfEpilogue ? "_e2" : "") +
         (schedule.getUseTmaStore() ? "_staged" : "") +
         (variant.readsTensors() ? "_tensors" : "");
}

static OperandRequirement require(StringRef operand, int64_t unitStride,
                                  int64_t alignment, int64_t multiple,
                                  int64_t extentMultiple) {
  OperandRequirement requirement;
  requirement.operand.name = operand.str();
  requirement.unitStride = unitStride;
  requirement.alignment = alignment;
  requirement.strideMultiple = multiple;
  requirement.extentMultiple = extentMultiple;
  return requirement;
}

static TensorMapSpec describeMap(StringRef operand, int64_t contiguous,
                                 const TmaBoxes &boxes, bool batched,
                                 bool optional) {
  TensorMapSpec map;
  map.operand.name = operand.str();
  map.contiguous = contiguous;
  map.box = {boxes.inner, boxes.outer};
  map.swizzle = boxes.swizzleBytes;
  map.batched = batched;
  map.optional = optional;
  return map;
}

/// The map of a tensor that a kernel reads in place.
static TensorMapSpec describeTensor(const TensorOperand &operand,
                                    const TmaBoxes &boxes) {
  TensorMapSpec map = describeMap(std::string(1, operand.name),
                                  operand.contiguous, boxes, /*batched=*/false,
                                  /*optional=*/false);
  const TensorWalk &walk = *operand.walk;
  for (auto [position, number] : llvm::enumerate(walk.order)) {
    const MatrixMapDim &dim = walk.map.dims[number];
    map.extents.push_back(dim.extent);
    if (position > 0)
      map.strides.push_back(dim.stride);
  }
  map.lower = walk.lower;
  map.upper = walk.upper;
  map.traversal = walk.traversal;
  return map;
}

void KernelBuilder::addOperandFacts(LaunchFacts &facts) {
  for (const TensorOperand *operand : {&variant.left, &variant.right}) {
    const TmaBoxes &boxes =
        (operand == &variant.left ? parts.left : parts.right).boxes;
    if (operand->walk) {
      facts.requirements.push_back(require(nameOf(*operand), /*unitStride=*/-1,
                                           /*alignment=*/16, /*multiple=*/1,
                                           /*extentMultiple=*/1));
      facts.tensorMaps.push_back(describeTensor(*operand, boxes));
      continue;
    }
    int64_t bytes = operand->elementType.getIntOrFloatBitWidth() / 8;
    facts.requirements.push_back(require(nameOf(*operand), operand->contiguous,
                                         /*alignment=*/16, 16 / bytes,
                                         /*extentMultiple=*/1));
    facts.tensorMaps.push_back(describeMap(
        nameOf(*operand), operand->contiguous, boxes, operand->batched,
        /*optional=*/false));
  }
  int64_t contiguousD = variant.toProblem(variant.contiguousD);
  int64_t bytesD = variant.elementTypeD.getIntOrFloatBitWidth() / 8;
  facts.requirements.push_back(require("D", contiguousD,
                                       bytesD * variant.vectorD,
                                       variant.vectorD, variant.vectorD));
  if (variant.vectorC > 1)
    facts.requirements.push_back(require("C", variant.contiguousC,
                                         bytesD * variant.vectorC,
                                         variant.vectorC, variant.vectorC));
  if (variant.pairsOfEpilogue)
    requireEpiloguePairs(gemm, variant.swapped, facts);
  if (variant.tensorStore)
    facts.tensorMaps.push_back(describeMap("D", contiguousD, parts.stagingBoxes,
                                           variant.batched,
                                           /*optional=*/true));
  if (variant.loadedSource)
    facts.tensorMaps.push_back(
        describeMap(variant.loadedName, contiguousD, parts.stagingBoxes,
                    variant.batchedLoad, /*optional=*/true));
}

LaunchFacts KernelBuilder::getFacts() {
  // Pairs along (rows, columns) of D.
  auto pair = [&](int64_t rows, int64_t columns) {
    if (variant.swapped)
      std::swap(rows, columns);
    return std::array<int64_t, 2>{rows, columns};
  };
  LaunchFacts facts;
  facts.schedule = getScheduleText(schedule);
  facts.cluster[0] = parts.clusterSize;
  ArrayRef<int64_t> tile = schedule.getTile();
  GridFacts &grid = facts.grid.emplace();
  grid.tile = pair(tile[0], tile[1]);
  grid.clusterTile = pair(schedule.getClusterM(), schedule.getClusterN());
  grid.split = schedule.getSplitK();
  grid.persistent = true;
  facts.programmatic =
      schedule.getProgrammaticLaunch() != ProgrammaticLaunch::None;
  if (schedule.getTf32())
    facts.factors = "tf32";
  facts.parameters = parameters.parameters;
  addOperandFacts(facts);
  facts.cost = makeCostFacts(
      getCost(schedule, variant.left.elementType.getIntOrFloatBitWidth() / 8,
              /*rowAlignment=*/128, *parts.chip));
  return facts;
}
