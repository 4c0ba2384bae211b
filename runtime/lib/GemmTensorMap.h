// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensor map of a gemm's operand, and whether it can be.
#ifndef TILE_RT_LIB_GEMMTENSORMAP_H
#define TILE_RT_LIB_GEMMTENSORMAP_H

#include "Gemm.h"
#include "TensorMap.h"

namespace tile::rt {

/// Returns why the operand cannot be described by the tensor map `spec`, "" if
/// it can: the same rules on every device. Example: "row stride of A is 1022
/// bytes, and a tensor map needs a multiple of 16". An operand that is not used
/// always can.
std::string whyNoTensorMap(const TensorMapSpec &spec,
                           const GemmProblem &problem);

/// The facts of a tensor map for which whyNoTensorMap() is "". The stride of a
/// dimension with one element, which no address depends on, becomes a legal
/// one. An operand that is not used, and may be null, becomes one element of D,
/// from which the kernel loads nothing; so does one whose map is optional and
/// cannot be.
TensorMapFacts describeTensorMap(const TensorMapSpec &spec,
                                 const GemmProblem &problem);

} // namespace tile::rt

#endif // TILE_RT_LIB_GEMMTENSORMAP_H
