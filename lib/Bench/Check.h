// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results against float64: exact samples, and a checksum of every row.
#ifndef TILE_LIB_BENCH_CHECK_H
#define TILE_LIB_BENCH_CHECK_H

#include "Operands.h"

#include <string>
#include <vector>

namespace tile::bench {

/// What a result was found to be.
struct Verdict {
  /// The largest |d - reference| / sum |a b| over the samples.
  double maxError = 0;
  /// ||d - reference|| / ||reference|| over the samples.
  double relativeError = 0;
  /// Number of elements compared one by one.
  int64_t samples = 0;
  /// What is wrong, as a sentence; "" when the result is right.
  std::string wrong;
};

/// What D of one operand set must be.
///
/// At least 4096 elements (all of a smaller D), among them the corners, are
/// computed in float64 and compared one by one. An error of up to 16 roundings
/// of the accumulator, relative to sum |a b|, is right: the random walk of a
/// sum in sequence stays below 4, while TF32 would be at 80 for K = 4096. All
/// other elements are covered by a checksum: with a random vector x, D x must
/// be A (B x), row by row, so that one wrong element shows. Padding of D must
/// be as it was poisoned.
class Reference {
public:
  Reference(const Point &point, const Noise &noise, const OperandSet &set);

  /// Judges D as it was read from the device.
  Verdict check(const std::vector<char> &d) const;

private:
  struct Sample {
    int64_t row, column;
    double value;
    /// sum |a b|.
    double magnitude;
  };
  void computeSamples(const Noise &noise, const OperandSet &set);
  void computeChecksums(const Noise &noise, const OperandSet &set);
  std::string checkPadding(const std::vector<char> &d) const;
  std::string checkRows(const std::vector<char> &d) const;

  const Point point;
  std::vector<Sample> samples;
  /// The vector x, and A (B x).
  std::vector<double> weights, checksums;
  /// Error of a checksum that is still right.
  double checksumTolerance = 0;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_CHECK_H
