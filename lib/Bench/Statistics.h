// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians, spreads and geometric means of measurements.
#ifndef TILE_LIB_BENCH_STATISTICS_H
#define TILE_LIB_BENCH_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

namespace tile::bench {

/// What a list of samples comes to; all 0 for an empty list.
struct Summary {
  double median = 0, min = 0, max = 0;
  /// Distance between the first and the third quartile, over the median.
  double spread = 0;
  int count = 0;
};

/// Summarises samples. The median of an even number is the mean of the middle
/// two; a quartile lies a quarter of the way along the sorted samples, between
/// two of them linearly. {4, 1, 3, 2}: median 2.5, quartiles 1.75 and 3.25,
/// spread 0.6.
Summary summarize(llvm::ArrayRef<double> samples);

/// The geometric mean; 0 for an empty list. All values must be positive.
double geometricMean(llvm::ArrayRef<double> values);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_STATISTICS_H
