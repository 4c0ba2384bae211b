// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of the warp-specialised schedule.
#ifndef TILE_LIB_SCHEDULES_WARPSPECIALIZEDMODEL_H
#define TILE_LIB_SCHEDULES_WARPSPECIALIZEDMODEL_H

#include "tile/Schedules/Schedules.h"

namespace tile {

/// Nanoseconds that a kernel takes, as the runtime adds them up: fixed, plus
/// for each wave of thread blocks `tile` and `k` for each element along K, or
/// `bytes` for each byte of A, B and D where that is more.
struct KernelCost {
  double fixed = 0, tile = 0, k = 0, bytes = 0;
  /// `k` is the time of the tensor cores, not that of the operands' arrival.
  bool boundByFlops = true;
};

/// The cost of a schedule on a chip for operands of `elementBytes` bytes.
/// `rowAlignment`: what rows of the operands' tiles start at multiples of, in
/// bytes.
KernelCost getCost(WarpSpecializedScheduleAttr schedule, int64_t elementBytes,
                   int64_t rowAlignment, const Chip &chip);

/// What of a problem decides which schedule is best.
struct WarpSpecializedProblem {
  double m = 0, n = 0, k = 0, batch = 1;
  /// Of A and B together in memory.
  double elements = 0;
  int64_t bytes = 2, bytesD = 2;
  mlir::Type typeA, typeB, typeSum;
  /// What the pitches of A and B are multiples of, in bytes, up to 128.
  int64_t pitchAlignment = 128;
  /// A or B is copied by another kernel first.
  bool copied = false;
  /// Of A and B.
  bool kMajor[2] = {true, true};

  /// The problem of an operation whose extents are all known.
  static std::optional<WarpSpecializedProblem> get(GemmOp gemm);
  /// What the rows of the operands' tiles start at multiples of, in bytes, up
  /// to 128; tiles along a contiguous M or N start inside of rows.
  int64_t getRowAlignment(WarpSpecializedScheduleAttr schedule) const;
  /// Elements along K of a block of 128 bytes.
  int64_t getDepth() const { return 128 / bytes; }
};

/// What the model says of a schedule, with the programmatic launch that it
/// thinks best.
struct WarpSpecializedEstimate {
  WarpSpecializedScheduleAttr schedule;
  double ns = 0, waves = 0;
  /// The share of the multiprocessors that work.
  double used = 0;
};
WarpSpecializedEstimate estimate(const WarpSpecializedProblem &problem,
                                 WarpSpecializedScheduleAttr schedule,
                                 const Chip &chip);

/// Sorts what has a member `ns`, and keeps equal ones in their order.
template <typename T>
void sortByTime(llvm::SmallVectorImpl<T> &list) {
  llvm::SmallVector<std::pair<double, size_t>, 0> order;
  for (const T &each : list)
    order.push_back({each.ns, order.size()});
  llvm::sort(order);
  llvm::SmallVector<T, 0> sorted;
  for (auto [ns, i] : order)
    sorted.push_back(std::move(list[i]));
  list.assign(std::make_move_iterator(sorted.begin()),
              std::make_move_iterator(sorted.end()));
}

/// The schedule of these fields, or null if they make none.
WarpSpecializedScheduleAttr
getScheduleOrNull(mlir::MLIRContext *context,
                  const WarpSpecializedScheduleAttr::Params &params);

/// Nanoseconds of a launch on a chip; nothing where the extents are not known.
std::optional<double>
estimateWarpSpecialized(GemmOp gemm, WarpSpecializedScheduleAttr schedule,
                        const Chip &chip);

/// What selection asks about the schedule.
ScheduleFamily getWarpSpecializedFamily();

} // namespace tile

#endif // TILE_LIB_SCHEDULES_WARPSPECIALIZEDMODEL_H
