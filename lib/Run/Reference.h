// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a GEMM against a reference of higher precision on the host.
#ifndef TILE_LIB_RUN_REFERENCE_H
#define TILE_LIB_RUN_REFERENCE_H

#include "Npy.h"
#include <array>
#include <cstdint>

namespace tile {

/// Matrices in host memory: element (batch, row, column) is at index
/// batch * strides[0] + row * strides[1] + column * strides[2].
struct HostMatrix {
  const void *data = nullptr;
  int64_t strides[3] = {0, 0, 0};
};

/// D = alpha * A * B + beta * C as a device computed it.
struct ReferenceProblem {
  ElementType type = ElementType::F32;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  /// A and B are not read when alpha is 0, C is not when beta is 0.
  HostMatrix a, b, c;
  HostMatrix d;
  double alpha = 1, beta = 0;
  /// Units in the last place allowed, see `checkGemm`. K + 2 can never be
  /// exceeded by a correct kernel.
  double ulps = 0;
  /// Multiply-adds up to which every element is checked.
  int64_t fullCheckLimit = int64_t(1) << 31;
  /// Chooses the sample.
  uint64_t seed = 0;
};

/// An element of D: batch, row, column.
using ElementIndex = std::array<int64_t, 3>;

/// What a check found.
struct CheckResult {
  /// Elements compared with the reference, and elements of D.
  int64_t checked = 0, total = 0;
  /// Elements whose intermediate results may overflow, so that nothing can be
  /// said of them. They count as checked.
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
/// An element passes when
///
///   |error| <= ulps * u * (|alpha| * sum over k of |a| * |b| + |beta * c|),
///
/// plus the smallest subnormal number for each operation. u is the unit
/// roundoff of the element type, 2^-24 or 2^-53. With ulps = K + 2 this is the
/// a-priori bound of a sum of K fused multiply-adds in any order, scaled and
/// added to beta * c (Higham, Accuracy and Stability of Numerical
/// Algorithms, 3.1), so a correct kernel always passes. For random data of mean
/// 0 the error is about 0.6 of these units whatever K is, and a smaller number
/// of ulps finds what the bound would hide, such as one term that is missing
/// from a long sum.
///
/// When A * B takes more than `fullCheckLimit` multiply-adds, a random sample
/// of at least 2^16 elements is checked: the crossing of random rows and
/// columns of random batches, one from each of equal parts, and always the
/// first and the last.
CheckResult checkGemm(const ReferenceProblem &problem);

} // namespace tile

#endif // TILE_LIB_RUN_REFERENCE_H
