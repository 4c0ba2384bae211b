// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a kernel is expected to take, by the facts that it states.
#ifndef TILE_RT_LIB_COST_H
#define TILE_RT_LIB_COST_H

#include "Gemm.h"

namespace tile::rt {

/// The nanoseconds that a gemm kernel with a cost is expected to take:
///
///   fixed + (tiled^4 + memory^4)^(1/4),
///   tiled = waves * (tile + K * k), memory = bytes * (bytes of A, B and D),
///   waves = ceil(blocks / (slots * multiprocessors)).
///
/// Example: fixed = 2000, tile = 500, k = 10, slots = 1, bytes = 0; 300 blocks
/// on 132 multiprocessors are 3 waves, so K = 64 takes
/// 2000 + 3 * (500 + 640) = 5420.
double estimateGemm(const KernelFacts &kernel, const GemmProblem &problem,
                    const DeviceLimits &limits);

/// The nanoseconds that a pack kernel with a cost is expected to take to read
/// and to write X: fixed + bytes * 2 * (bytes of X).
double estimatePack(const KernelFacts &kernel, const GemmProblem &problem);

} // namespace tile::rt

#endif // TILE_RT_LIB_COST_H
