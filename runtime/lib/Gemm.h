// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gemm step: its problem, the checks, the choice of kernel, the arguments.
#ifndef TILE_RT_LIB_GEMM_H
#define TILE_RT_LIB_GEMM_H

#include "Artifact.h"
#include "Device.h"

namespace tile::rt {

/// One operand as (batch, rows, columns). A shared operand of a batched problem
/// has extent `batch` and stride 0 there.
struct GemmOperand {
  void *data = nullptr;
  int64_t extents[3] = {0, 0, 0};
  /// In elements.
  int64_t strides[3] = {0, 0, 0};
  bool present = false;
  /// Whether the kernel reads or writes it for these scalars and extents.
  bool used = false;
};

/// D = alpha * A * B + beta * C with every number known.
struct GemmProblem {
  int64_t m = 0, n = 0, k = 0, batch = 0;
  double alpha = 0, beta = 0;
  int64_t elementBytes = 0;
  GemmOperand operands[NumOperands];

  bool empty() const { return m == 0 || n == 0 || batch == 0; }
};

/// Checks that the arguments are what the entry declares: number, kind, type,
/// rank, static extents and strides. Returns the reason, "" when they are.
std::string checkArguments(const Entry &entry, const TileRtArgument *args,
                           int32_t count);

/// Builds the problem of `step` and checks it: ranks, extents that must agree,
/// null pointers, element alignment, spans, overlap. `args` passed
/// checkArguments. Returns the reason, "" when the problem is sound; m, n, k
/// and batch are set whenever the shapes agree.
std::string buildProblem(const Entry &entry, const GemmStep &step,
                         const TileRtArgument *args, GemmProblem &problem);

/// Returns why `kernel` cannot run `problem` on a device with
/// `sharedMemoryLimit` bytes of shared memory a block, "" if it can. Example:
/// "base of A is 4 bytes past a 16-byte boundary".
std::string whyNot(const KernelFacts &kernel, const GemmProblem &problem,
                   int64_t sharedMemoryLimit);

/// Computes grid, block and shared bytes. Returns the reason when the grid is
/// too large.
std::string computeShape(const KernelFacts &kernel, const GemmProblem &problem,
                         LaunchShape &shape);

/// The kernel's arguments: 8 bytes of storage and a pointer to them for each.
struct PackedArguments {
  std::vector<uint64_t> storage;
  std::vector<void *> pointers;
};

/// Packs the arguments of `kernel`, for which whyNot() is "".
void packArguments(const KernelFacts &kernel, const GemmProblem &problem,
                   PackedArguments &packed);

} // namespace tile::rt

#endif // TILE_RT_LIB_GEMM_H
