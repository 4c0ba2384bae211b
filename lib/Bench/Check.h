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
  /// The largest |d - reference| over the error that is tolerated.
  double toleranceUsed = 0;
  /// Number of elements compared one by one.
  int64_t samples = 0;
  /// What is wrong, as a sentence; "" when the result is right.
  std::string wrong;
};

/// The error up to which an element of a result is right, as two factors: of
/// the sum of |alpha a b| + |beta c|, and of the result's magnitude.
///
/// f32, f64: 16 roundings of the accumulator, and one of the result; the random
/// walk of a sum in sequence stays below 4, while TF32 would be at 80 for K =
/// 4096. f16, bf16: 2 K roundings of float32, in which tensor cores truncate,
/// and two of the result, which cuBLASLt's split sums may take. 8 bits: 2^-11,
/// as Hopper keeps some 13 bits of a partial sum, and two of the result.
struct Tolerance {
  double ofMagnitude = 0, ofValue = 0;
  /// Bound on ||d - reference|| / ||reference||: the result's rounding, and a
  /// truncation of the accumulator at each step of 16 (32 at 8 bits) along K.
  /// It finds what the bounds of single elements are too wide for, such as a K
  /// that is one short. 0: none.
  double ofNorm = 0;
};
Tolerance toleranceOf(const Point &point);

/// What D of one operand set must be.
///
/// At least 4096 elements (all of a smaller D), among them the corners, are
/// computed in float64 and compared one by one. All other elements are covered
/// by a checksum: with a random vector x, D x must be alpha A (B x) + beta C x,
/// row by row. For f32 and f64 one wrong element shows; at fewer bits rounding
/// hides a single one, and patches show. Padding of D must be as it was
/// poisoned.
class Reference {
public:
  Reference(const Point &point, const Noises &noises, const OperandSet &set);

  /// Which rows a check looks at.
  enum class Extent { All, SampledRows };
  /// Judges D as it was read from the device. `strict` also bounds the norm of
  /// the error, which cuBLASLt's partial sums in a narrow type may exceed.
  Verdict check(const std::vector<char> &d, bool strict = true,
                Extent extent = Extent::All) const;

  /// The rows that hold samples, numbered through the batch, ascending.
  llvm::ArrayRef<int64_t> sampledRows() const { return rows; }

private:
  struct Sample {
    /// Row numbered through the batch.
    int64_t row, column;
    double value;
    /// sum |alpha a b| + |beta c|.
    double magnitude;
  };
  void computeSamples(const Noises &noises, const OperandSet &set);
  void computeChecksums(const Noises &noises, const OperandSet &set);
  void computeChecksumTolerance();
  std::string checkPadding(const std::vector<char> &d,
                           llvm::ArrayRef<int64_t> rows) const;
  std::string checkRows(const std::vector<char> &d,
                        llvm::ArrayRef<int64_t> rows) const;

  const Point point;
  const Tolerance tolerance;
  std::vector<Sample> samples;
  std::vector<int64_t> rows;
  /// The vector x, and alpha A (B x) + beta C x of every row of the batch.
  std::vector<double> weights, checksums;
  /// Error of a checksum that is still right.
  double checksumTolerance = 0;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_CHECK_H
