// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of the schedules: what no problem and no chip could use.
#include "tile/Atoms/Chips.h"
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Tiles visited together; more than a grid has along one dimension is none.
static constexpr int64_t kMaxSwizzleSize = 65536;

/// Checks that `list` has `count` integers from `least` to `most`.
static LogicalResult verifyList(EmitError emitError, StringRef name,
                                ArrayRef<int64_t> list, size_t count,
                                int64_t least, int64_t most) {
  if (list.size() != count)
    return emitError() << "expected " << count << " integers for '" << name
                       << "', but got " << list.size();
  for (int64_t each : list)
    if (each < least || each > most)
      return emitError() << "expected " << name << " between " << least
                         << " and " << most << ", but got " << each;
  return success();
}

static LogicalResult verifySwizzleSize(EmitError emitError, int64_t size) {
  if (size >= 1 && size <= kMaxSwizzleSize)
    return success();
  return emitError() << "expected swizzle_size between 1 and "
                     << kMaxSwizzleSize << ", but got " << size;
}

LogicalResult SimtScheduleAttr::verifyParams(EmitError emitError,
                                             const Params &params) {
  const auto &[tile, warps, thread, minBlocks, swizzleSize, stages, splitK] =
      params;
  if (failed(verifyList(emitError, "tile extents", tile, 3, 1, 1024)) ||
      failed(verifyList(emitError, "warps", warps, 2, 1, 1024)) ||
      failed(verifyList(emitError, "thread", thread, 2, 1, 1024)))
    return failure();
  if (warps[0] * warps[1] > 32)
    return emitError() << "expected at most 32 warps, but got "
                       << warps[0] * warps[1];
  if (minBlocks < 1 || minBlocks > 32)
    return emitError() << "expected min_blocks between 1 and 32, but got "
                       << minBlocks;
  if (failed(verifySwizzleSize(emitError, swizzleSize)))
    return failure();
  if (stages != 0 && (stages < 2 || stages > 64))
    return emitError() << "expected stages between 2 and 64, or 0 for tiles "
                          "staged in registers, but got "
                       << stages;
  if (splitK < 1 || splitK > Chip::kClusterBlocks)
    return emitError() << "expected split_k between 1 and "
                       << Chip::kClusterBlocks << ", but got " << splitK;
  if (tile[0] % splitK != 0)
    return emitError() << "expected split_k to divide the " << tile[0]
                       << " rows of the tile, but got " << splitK;
  int64_t elements = tile[0] * tile[1];
  int64_t covered = warps[0] * warps[1] * 32 * thread[0] * thread[1];
  if (covered != elements)
    return emitError() << "expected the threads to cover the tile, but got "
                       << warps[0] * warps[1] << " warps × 32 lanes × "
                       << thread[0] << " × " << thread[1]
                       << " elements = " << covered << ", and the tile has "
                       << tile[0] << " × " << tile[1] << " = " << elements;
  for (int side : {0, 1})
    if (tile[side] % (warps[side] * thread[side]) != 0)
      return emitError()
             << "expected warps × thread elements to divide the tile along "
             << (side ? "N" : "M") << ", but got " << warps[side] << " × "
             << thread[side] << " for " << tile[side];
  return success();
}

/// Checks the tile of a warp-specialised schedule and who computes it.
static LogicalResult
verifyTile(EmitError emitError,
           const WarpSpecializedScheduleAttr::Params &params) {
  ArrayRef<int64_t> tile = params.tile;
  if (tile.size() != 3)
    return emitError() << "expected 3 integers for 'tile', but got "
                       << tile.size();
  bool pingPong = params.mode == ConsumerMode::PingPong;
  if (params.consumers != 1 && params.consumers != 2)
    return emitError() << "expected 1 or 2 consumers, but got "
                       << params.consumers;
  if (pingPong && params.consumers != 2)
    return emitError() << "expected 2 consumers for pingpong, but got "
                       << params.consumers;
  int64_t sharing = pingPong ? 1 : params.consumers;
  int64_t rows = WgmmaAttr::kM * sharing;
  if (tile[0] < rows || tile[0] % rows != 0 || tile[0] > 256)
    return emitError() << "expected M of the tile to be a multiple of " << rows
                       << " up to 256, 64 rows for each consumer, but got "
                       << tile[0];
  if (tile[1] < 8 || tile[1] > 256 || tile[1] % 8 != 0)
    return emitError() << "expected N of the tile to be a multiple of 8 up to "
                          "256, but got "
                       << tile[1];
  if (tile[2] < 0 || tile[2] > 256 || tile[2] % 16 != 0)
    return emitError() << "expected K of the tile to be a multiple of 16 up to "
                          "256, or 0 for 128 bytes, but got "
                       << tile[2];
  int64_t registers = tile[0] / rows * tile[1] / 2;
  if (registers > 192)
    return emitError() << "expected at most 192 accumulator registers of a "
                          "thread, but "
                       << tile[0] << " × " << tile[1] << " elements over "
                       << sharing * WgmmaAttr::kThreads << " threads need "
                       << registers;
  return success();
}

/// Checks the clusters of a warp-specialised schedule.
static LogicalResult
verifyCluster(EmitError emitError,
              const WarpSpecializedScheduleAttr::Params &params) {
  if (params.cluster.size() != 2)
    return emitError() << "expected 2 integers for 'cluster', but got "
                       << params.cluster.size();
  int64_t m = params.cluster[0], n = params.cluster[1];
  for (int64_t blocks : params.cluster)
    if (blocks != 1 && blocks != 2 && blocks != 4)
      return emitError() << "expected a cluster of 1, 2 or 4 thread blocks "
                            "along M and N, but got ["
                         << m << ", " << n << "]";
  if (m * n > 8)
    return emitError() << "expected at most 8 thread blocks in a cluster, but "
                          "got "
                       << m << " × " << n;
  if (m > 1 && params.tile[1] / m % 8 != 0)
    return emitError() << "expected each of " << m
                       << " thread blocks to load a multiple of 8 columns of "
                          "B, but got "
                       << params.tile[1] << " columns";
  return success();
}

/// Checks how the end of a tile and the sums over K are divided.
static LogicalResult
verifySplit(EmitError emitError,
            const WarpSpecializedScheduleAttr::Params &params) {
  int64_t split = params.splitK;
  if (split != 1 && split != 2 && split != 4 && split != 8)
    return emitError() << "expected split_k to be 1, 2, 4 or 8, but got "
                       << split;
  if (params.mode == ConsumerMode::PingPong &&
      (params.overlapEpilogue || split > 1))
    return emitError() << "expected cooperative consumers with "
                       << (params.overlapEpilogue ? "overlap_epilogue"
                                                  : "split_k")
                       << ", but got pingpong";
  if (params.overlapEpilogue && split > 1)
    return emitError()
           << "expected either overlap_epilogue or split_k, but got both";
  if (split == 1)
    return success();
  if (params.cluster != WarpSpecializedScheduleAttr::Params().cluster)
    return emitError() << "expected no clusters along M and N with split_k, "
                          "but got "
                       << params.cluster[0] << " × " << params.cluster[1]
                       << " thread blocks";
  if (params.tile[0] != WgmmaAttr::kM * params.consumers ||
      params.tile[1] % (8 * split) != 0)
    return emitError() << "expected 64 rows for each consumer and a multiple "
                          "of 8 columns for each of "
                       << split << " parts, but got " << params.tile[0] << " × "
                       << params.tile[1];
  return success();
}

LogicalResult WarpSpecializedScheduleAttr::verifyParams(EmitError emitError,
                                                        const Params &params) {
  if (failed(verifyTile(emitError, params)))
    return failure();
  if (params.stages < 1 || params.stages > 32)
    return emitError() << "expected between 1 and 32 stages, but got "
                       << params.stages;
  if (failed(verifyCluster(emitError, params)) ||
      failed(verifySwizzleSize(emitError, params.swizzleSize)))
    return failure();
  return verifySplit(emitError, params);
}

LogicalResult MultistageScheduleAttr::verifyParams(EmitError emitError,
                                                   const Params &params) {
  ArrayRef<int64_t> tile = params.tile, warps = params.warps;
  if (failed(verifyList(emitError, "tile extents", tile, 3, 0, 512)) ||
      failed(verifyList(emitError, "warps", warps, 2, 1, 16)))
    return failure();
  if (warps[0] * warps[1] > 16)
    return emitError() << "expected at most 16 warps, but got "
                       << warps[0] * warps[1];
  for (int side : {0, 1})
    if (tile[side] == 0 || tile[side] % (16 * warps[side]) != 0)
      return emitError() << "expected " << (side ? "N" : "M")
                         << " of the tile to be a multiple of "
                         << 16 * warps[side] << ", 16 for each of "
                         << warps[side] << " warps, but got " << tile[side];
  // The bytes of this must fill vectors; the type of the operands decides.
  if (tile[2] % 4 != 0 || tile[2] > 256)
    return emitError() << "expected K of the tile to be a multiple of 4 up to "
                          "256, or 0 for 128 bytes, but got "
                       << tile[2];
  int64_t sums = tile[0] * tile[1] / (warps[0] * warps[1] * 32);
  if (sums > 192)
    return emitError() << "expected at most 192 sums of a thread, but "
                       << tile[0] << " × " << tile[1] << " elements over "
                       << warps[0] * warps[1] * 32 << " threads need " << sums;
  if (params.stages < 2 || params.stages > 8)
    return emitError() << "expected between 2 and 8 stages, but got "
                       << params.stages;
  if (params.instructionK < 0 || params.instructionK > 64)
    return emitError() << "expected instruction_k between 1 and 64, or 0 for "
                          "the best, but got "
                       << params.instructionK;
  if (params.minBlocks < 1 || params.minBlocks > 32)
    return emitError() << "expected min_blocks between 1 and 32, but got "
                       << params.minBlocks;
  return verifySwizzleSize(emitError, params.swizzleSize);
}
