// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of operands in the workspace, which a kernel reads instead.
#ifndef TILE_RT_LIB_PREPARE_H
#define TILE_RT_LIB_PREPARE_H

#include "Gemm.h"

namespace tile::rt {

/// A copy that is made before the kernel runs.
struct PackStep {
  /// Index into Artifact::kernels.
  int kernel;
  /// What the pack kernel sees: X, its copy, and how many matrices.
  GemmProblem problem;
};

/// A problem whose operands have been replaced by copies.
struct PreparedProblem {
  /// What the gemm kernel sees.
  GemmProblem problem;
  std::vector<PackStep> packs;
  /// Bytes of the workspace that the copies take.
  int64_t workspaceBytes = 0;
};

/// Lays the copies out that `choice` asks for, one after the other from
/// `workspace` on, each on a multiple of 1024 bytes from there. The copy of an
/// operand has stride 1 along the contiguous dimension, as pitch the extent of
/// that one rounded up to the multiple, and matrices that follow one another. A
/// matrix that all batches share is copied once, unless the kernel's tensor map
/// needs one for each. What is not used is not copied. Returns the reason when
/// a copy is too large.
///
/// Example: A of 100 x 60 f16, contiguous along columns, in multiples of 64: a
/// pitch of 64 elements, and 100 * 64 * 2 = 12800 bytes, which take 13312.
std::string prepareProblem(const Artifact &artifact, const Choice &choice,
                           const GemmProblem &problem, void *workspace,
                           PreparedProblem &prepared);

} // namespace tile::rt

#endif // TILE_RT_LIB_PREPARE_H
