// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp-specialised schedule: variants of a problem, the parts of a kernel,
// and the kernel of one variant.
#ifndef TILE_LIB_SCHEDULES_WARPSPECIALIZED_H
#define TILE_LIB_SCHEDULES_WARPSPECIALIZED_H

#include "Kernel.h"
#include "WarpSpecializedModel.h"

#include "tile/Atoms/TmaBox.h"
#include "tile/DSL/TmaProducer.h"

#include <memory>

namespace tile {

/// An operand that TMA copies: A or B of the problem.
struct TensorOperand {
  /// The operand's name in the problem.
  char name = 'A';
  mlir::Type elementType;
  /// Dimension of the problem's matrix with stride 1 (0 rows, 1 columns).
  int64_t contiguous = 1;
  /// That dimension is K.
  bool kMajor = true;
  /// Each batch has a matrix of its own.
  bool batched = false;
  /// Where tensor copies read it from a tensor that is not that matrix, how.
  std::shared_ptr<const dsl::TensorWalk> walk;

  /// What the tensor cores multiply: tf32 of f32, else the elements.
  mlir::Type getFactorType() const {
    return elementType.isF32()
               ? mlir::Type(mlir::FloatTF32Type::get(elementType.getContext()))
               : elementType;
  }
};

/// What a kernel takes for granted. The kernel's rows are the problem's columns
/// if `swapped`.
struct WarpSpecializedVariant {
  bool swapped = false;
  /// The operand along the kernel's rows, and that along its columns.
  TensorOperand left, right;
  mlir::Type elementTypeD;
  /// The kernel's dimension along which D has stride 1: 0 rows, 1 columns.
  int64_t contiguousD = 1;
  /// Elements of one direct access to D and to C.
  int64_t vectorD = 1, vectorC = 1;
  /// The epilogue's operands are loaded in pairs where they have them.
  bool pairsOfEpilogue = false;
  bool hasC = false, batched = false;
  /// Partial sums of a block of K are added up in registers.
  bool promotedSums = false;
  /// C's dimension of stride 1 in the problem, or -1.
  int64_t contiguousC = -1;
  /// Whether tiles of D are stored as tensor copies where that is legal.
  bool tensorStore = false;
  /// What the epilogue loads as tensor copies where that is legal, the number
  /// of its source: C, or an operand of the region; nothing if it is not there.
  std::optional<unsigned> loadedSource;
  /// Its name, and whether each batch has one of its own.
  std::string loadedName;
  bool batchedLoad = false;

  /// Whether A and B are read from tensors of other shapes.
  bool readsTensors() const { return left.walk || right.walk; }
  /// Whether the kernel asks nothing of C, D and the epilogue's operands
  /// beyond their types.
  bool requiresOperandsOnly() const {
    return vectorD == 1 && vectorC == 1 && !pairsOfEpilogue;
  }
  /// The type of the accumulators.
  mlir::Type getSumType() const {
    if (left.elementType.isInteger())
      return elementTypeD;
    return mlir::Float32Type::get(elementTypeD.getContext());
  }
  /// A dimension of the kernel as dimension of the problem's D.
  int64_t toProblem(int64_t dim) const { return swapped ? 1 - dim : dim; }
};

/// K of the tile, in elements.
int64_t getTileK(GemmOp gemm, WarpSpecializedScheduleAttr schedule);

/// The variants of a problem, in order of preference.
llvm::SmallVector<WarpSpecializedVariant>
getWarpSpecializedVariants(GemmOp gemm, WarpSpecializedScheduleAttr schedule);

/// A ring of tiles of one operand in shared memory.
struct OperandRing {
  /// (rows, k, stages), behind the swizzle.
  ComposedLayout ring;
  /// (rows, k, parts, stages): the same, divided among consumers or among the
  /// thread blocks of a cluster.
  Layout byConsumer, byBlock;
  /// (rows of a chunk, k, parts, chunks, stages): the part of a thread block in
  /// chunks of rows that neighbour each other in memory, where rows do.
  Layout byChunk;
  int64_t chunks = 1;
  /// The boxes in which one thread block loads its part.
  TmaBoxes boxes;
  int64_t stageBytes = 0;
};

/// The derived parts of a schedule for one variant.
struct WarpSpecializedParts {
  AccumulatorType accumulator;
  /// What a consumer stores of a tile: all of it, or the columns that are the
  /// block's where K is split.
  AccumulatorType stored;
  OperandRing left, right;
  int64_t tileK = 0;
  /// Thread blocks of a cluster.
  int64_t clusterSize = 1;
  /// Rows of the tile that one consumer has.
  int64_t consumerRows = 0;
  int64_t threads = 0;
  /// D is staged in `stagingBuffers` chunks of 64 by `chunkColumns` elements
  /// for each consumer.
  ComposedLayout staging;
  TmaBoxes stagingBoxes;
  int64_t stagingBuffers = 0, chunkColumns = 0;
  /// Chunks that are copied out together; a slot holds as many.
  int64_t stagingGroup = 1;
  int64_t getStagingSlots() const { return stagingBuffers / stagingGroup; }
  /// What a thread has of a chunk.
  AccumulatorType chunk;
  int64_t producerRegisters = 0, consumerRegisters = 0;
  const Chip *chip = nullptr;
};

/// Why a chip or the operands of a problem are not for the schedule, whatever
/// its fields; nothing if they are.
std::optional<Reason> checkWarpSpecializedProblem(GemmOp gemm,
                                                  const Chip &chip);

/// The parts for one variant on a chip, or the reason why there are none.
Result<WarpSpecializedParts>
getWarpSpecializedParts(WarpSpecializedScheduleAttr schedule,
                        const WarpSpecializedVariant &variant,
                        const Chip &chip);

/// Builds the kernel of one variant.
mlir::gpu::GPUFuncOp
buildWarpSpecializedKernel(GemmOp gemm, WarpSpecializedScheduleAttr schedule,
                           const WarpSpecializedVariant &variant,
                           const WarpSpecializedParts &parts,
                           mlir::gpu::GPUModuleOp module);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_WARPSPECIALIZED_H
