// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a GEMM against a reference of higher precision on the host.
#ifndef TILE_LIB_SUPPORT_REFERENCE_H
#define TILE_LIB_SUPPORT_REFERENCE_H

#include "Support/ElementType.h"
#include "tile/Facts/Expression.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace tile {

/// Matrices on the host: element (batch, row, column) is at index
/// batch * strides[0] + row * strides[1] + column * strides[2] of `data`.
struct HostMatrix {
  const void *data = nullptr;
  int64_t strides[3] = {0, 0, 0};
  ElementType type = ElementType::F32;
  /// Where set, gives the elements instead of memory: numbers by index, or an
  /// access map into an operand of another shape. Called from several threads.
  std::function<double(int64_t batch, int64_t row, int64_t column)> at = {};
};

/// An element of a matrix: batch, row, column.
using ElementIndex = std::array<int64_t, 3>;

/// The number that a matrix holds.
double loadElement(const HostMatrix &matrix, const ElementIndex &at);

/// How far a result may be from the reference:
///
///   product * |alpha| * (sum over k of |a| * |b|) + added * |beta * c|
///     + result * |d|,
///
/// plus the smallest subnormal number for each operation.
struct Tolerance {
  double product = 0, added = 0, result = 0;
};

/// The tolerance for operands of these types and sums of `k` terms. With
/// `independent`, for random operands of mean 0, it is smaller where K is
/// large.
///
/// f32 and f64: (K + 2) * u for product and added, where u is the unit roundoff
/// of the type, 2^-24 or 2^-53. This is the a-priori bound of a sum of K fused
/// multiply-adds in any order, scaled and added to beta * c (Higham, Accuracy
/// and Stability of Numerical Algorithms, 3.1), so a correct kernel always
/// passes. For random data of mean 0 the error is about 0.6 u whatever K is,
/// and 16 u find what the bound would hide, such as one term that is missing
/// from a long sum.
///
/// 16-bit factors are multiplied exactly and summed in f32, where a tensor core
/// may cut instead of round: 2 * (K + 2) * 2^-24, and 64 * 2^-24 for random
/// data. The result is rounded to the type of D, and may be off by twice that.
///
/// f32 factors that are cut to `tf32` are multiplied exactly and summed like
/// these. Integers are exact.
///
/// 8-bit floats: a tensor core of sm_90 keeps about 13 bits of the largest
/// partial sum: 2^-11 whatever K is.
Tolerance findTolerance(ElementType factors, ElementType result, int64_t k,
                        bool independent, bool tf32 = false);

/// What becomes of a sum: an expression over it, the element of C if there is
/// one, and elements of further operands.
struct ReferenceEpilogue {
  Expression expression;
  bool hasC = false;
  /// As matrices of D's extents.
  std::vector<HostMatrix> operands;
};

/// D = alpha * A * B + beta * C as a device computed it.
struct ReferenceProblem {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  /// A and B are not read when alpha is 0, C is not when beta is 0. C and D are
  /// of one type.
  HostMatrix a, b, c;
  HostMatrix d;
  double alpha = 1, beta = 0;
  /// The factors, of f32, are what tf32 keeps of them: the kernel says so.
  bool tf32 = false;
  Tolerance tolerance;
  /// Where set, D is this of alpha * A * B, and beta means nothing.
  std::optional<ReferenceEpilogue> epilogue;
  /// Where set, D is compared with these numbers, which someone else computed
  /// and rounded to their type, within the same tolerance.
  std::optional<HostMatrix> expected;
  /// Multiply-adds up to which every element is checked.
  int64_t fullCheckLimit = int64_t(1) << 31;
  /// Chooses the sample.
  uint64_t seed = 0;
  /// Where set, called with the part that is done, from several threads.
  std::function<void(double)> progress = {};
};

/// What a check found.
struct CheckResult {
  /// Elements compared with the reference, and elements of D.
  int64_t checked = 0, total = 0;
  /// Elements that were looked at and not compared, because one order of the
  /// sum overflows and another one does not. They do not count as checked.
  int64_t overflowing = 0;
  /// Elements that differ by more than the tolerance.
  int64_t failures = 0;

  /// One element and what was expected of it.
  struct Element {
    ElementIndex index = {-1, -1, -1};
    double got = 0, expected = 0, error = 0, tolerance = 0;
  };
  /// The element with the largest error; index -1 when none was compared. A
  /// finite number where the reference is not finite, or the other way round,
  /// counts as an infinite error.
  Element worst;
  /// The first failing element in row-major order.
  Element firstFailure;
};

/// Compares D with a reference that is accumulated in float64 (in extended
/// precision for float64 problems).
///
/// An element passes when it is within the tolerance. Where the exact result is
/// beyond the largest number of D's type by more than the tolerance, only what
/// the type has for that passes: the infinity of its sign, and among integers
/// the sum modulo 2^32. Left out is the band around the limit, and a sum that
/// may overflow on the way in the direction in which its result does not lie.
///
/// When A * B takes more than `fullCheckLimit` multiply-adds, a random sample
/// of at least 2^16 elements is checked: the crossing of random rows and
/// columns of random batches, one from each of equal parts, and always the
/// first and the last.
CheckResult checkGemm(const ReferenceProblem &problem);

} // namespace tile

#endif // TILE_LIB_SUPPORT_REFERENCE_H
