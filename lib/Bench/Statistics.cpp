// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians, spreads and geometric means of measurements.
#include "Statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tile::bench;

/// The value `fraction` of the way along sorted samples.
static double quantile(llvm::ArrayRef<double> sorted, double fraction) {
  double position = fraction * (sorted.size() - 1);
  size_t below = static_cast<size_t>(position);
  size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

Summary tile::bench::summarize(llvm::ArrayRef<double> samples) {
  Summary result;
  if (samples.empty())
    return result;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  result.count = static_cast<int>(sorted.size());
  result.min = sorted.front();
  result.max = sorted.back();
  result.median = quantile(sorted, 0.5);
  if (result.median > 0)
    result.spread =
        (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / result.median;
  return result;
}

double tile::bench::geometricMean(llvm::ArrayRef<double> values) {
  if (values.empty())
    return 0;
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / values.size());
}
