// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the points of a class come to together.
#ifndef TILE_LIB_BENCH_SUMMARY_H
#define TILE_LIB_BENCH_SUMMARY_H

#include "Results.h"

#include <array>

namespace tile::bench {

/// Ratios to cuBLASLt's best below which points are counted. Both sides are the
/// fastest of several, so half a percent is a tie.
inline constexpr std::array<double, 4> thresholds = {0.995, 0.97, 0.95, 0.90};

/// The points of a class. Ratios are of those that have them.
struct ClassSummary {
  std::string name;
  /// Of all points: how many, how many failed, were left out, and have nothing
  /// to compare with.
  int points = 0, failed = 0, skipped = 0, alone = 0;
  /// How many were compared; geometric means of their ratios.
  int compared = 0;
  double toDefault = 0, toBest = 0;
  /// Index of the point with the lowest ratio to the best; -1 without any.
  int worst = -1;
  /// How many of them are below each of the thresholds.
  std::array<int, thresholds.size()> below = {};
};

/// All points under the name "all", then each class in the order in which they
/// first occur. A point may be in several.
std::vector<ClassSummary> summarizeClasses(llvm::ArrayRef<PointResult> points);

/// The summaries as a table; only the line of all points if there are no
/// classes.
std::string formatClasses(llvm::ArrayRef<ClassSummary> classes,
                          llvm::ArrayRef<PointResult> points);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_SUMMARY_H
