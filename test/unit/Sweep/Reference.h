// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's answer to a problem, and how far from it a result may lie.
#ifndef TILE_TEST_UNIT_SWEEP_REFERENCE_H
#define TILE_TEST_UNIT_SWEEP_REFERENCE_H

#include "Image.h"

namespace tile::sweep {

/// Compares D with the reference. Returns "" or what is wrong with the first
/// wrong element, and how many are.
///
/// Two oracles look at every element:
///
///  * the number: alpha * sum a*b + beta*c in float64 for f32 and in the x87's
///    64-bit significand for f64. The kernel adds K products by fused
///    multiply-add (K roundings), multiplies by alpha (1) and adds beta*c by
///    fused multiply-add (1), each with relative error u = 2^-24 or 2^-53, so
///
///      |got - want| <= 1.01 (K + 2) u (|alpha| sum |a*b| + |beta*c|) + tiny
///
///    holds for every input; 1.01 covers terms of order u^2 and the
///    reference's own error, tiny is the smallest subnormal times K + 2.
///
///  * the bits: the same operations in the same order, in the element type, on
///    the host: acc = fma(a(i,k), b(k,j), acc) for k = 0 ... K-1 from +0, then
///    alpha * acc, then fma(beta, c, that). Where it is a NaN any NaN will do.
///    Where K is split, acc is so found for each part, and the parts are added
///    in a ring from the one on that `Problem::split` names. Not looked at
///    where `inOrder` is false, as for the tensor cores of a GPU, which add the
///    products of one instruction in an order of their own.
std::string compare(const Problem &problem, const Image &a, const Image &b,
                    const Image &c, const Image &d, bool inOrder = true);

/// The same for factors of 16 or 8 bits, whose sums a tensor core makes in f32
/// in an order of its own and may cut. Only the number is looked at:
///
///   |got - want| <= 2 u |want| + 2 (K + 2) 2^-24 |alpha| sum |a*b|
///                   + 2 2^-24 |beta*c| + tiny
///
/// where u is half a unit in the last place of D's type, and 2^-11 is in place
/// of 2 (K + 2) 2^-24 for factors of 8 bits (docs/GemmContract.md).
std::string compareNarrow(const Problem &problem, const Image &a,
                          const Image &b, const Image &c, const Image &d);

} // namespace tile::sweep

#endif // TILE_TEST_UNIT_SWEEP_REFERENCE_H
