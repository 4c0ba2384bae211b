// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gemm step: its problem, the checks, a kernel's grid and arguments.
#ifndef TILE_RT_LIB_GEMM_H
#define TILE_RT_LIB_GEMM_H

#include "Artifact.h"
#include "Device.h"

namespace tile::rt {

/// One operand as (batch, rows, columns). A shared operand of a batched problem
/// has extent `batch` and stride 0 there.
struct GemmOperand {
  void *data = nullptr;
  TileRtType type = TILE_RT_F32;
  int64_t extents[3] = {0, 0, 0};
  /// In elements.
  int64_t strides[3] = {0, 0, 0};
  bool present = false;
  /// Whether the kernel reads or writes it for these scalars and extents.
  bool used = false;
  /// Of a copy: elements of a row with the zeros behind them; else 0.
  int64_t filled = 0;
  /// The tensor whose im2col the matrices are: they lie nowhere, and what reads
  /// them knows the tensor. Null for matrices in memory.
  const TileRtTensor *tensor = nullptr;

  int64_t elementBytes() const { return tileRtTypeSize(type); }
  /// The stride in elements; 0 where no address depends on it.
  int64_t stride(int dim) const { return extents[dim] > 1 ? strides[dim] : 0; }
  /// Elements at different addresses, in floating point because they may not
  /// fit.
  double countElements() const;
};

/// D = alpha * A * B + beta * C with every number known; or a copy of X.
struct GemmProblem {
  int64_t m = 0, n = 0, k = 0, batch = 0;
  double alpha = 0, beta = 0;
  GemmOperand operands[NumAllOperands];
  /// The copy of X.
  GemmOperand packed;

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
std::string buildProblem(const GemmStep &step, const TileRtArgument *args,
                         GemmProblem &problem);

/// Returns why matrices of these types cannot be multiplied, "" if they can.
/// The types of C and D count as equal when there is no C.
std::string checkTypes(TileRtType a, TileRtType b, TileRtType c, TileRtType d);

/// Returns why `kernel` cannot run `problem` on a device of these limits, "" if
/// it can. Example: "base of A is 4 bytes past a 16-byte boundary".
std::string whyNot(const KernelFacts &kernel, const GemmProblem &problem,
                   const DeviceLimits &limits);

/// Blocks that cover the problem, in whole clusters, before those of a
/// persistent kernel are reduced to what runs at a time. In floating point
/// because they may not fit.
double countBlocks(const KernelFacts &kernel, const GemmProblem &problem);

/// Computes grid, block, cluster and shared bytes. Returns the reason when the
/// grid is too large. `activeClusters` is how many clusters run at a time, 0 if
/// only the multiprocessors are known.
///
/// Example: 132 multiprocessors and 300 tiles in clusters of 2 are 150 clusters
/// in 66 slots, so 3 waves; 50 clusters, 100 blocks, need as many.
std::string computeShape(const KernelFacts &kernel, const GemmProblem &problem,
                         const DeviceLimits &limits, int64_t activeClusters,
                         LaunchShape &shape);

/// The kernel's arguments: storage and a pointer into it for each.
struct PackedArguments {
  struct alignas(64) Map {
    unsigned char bytes[128];
  };
  std::vector<uint64_t> storage;
  std::vector<Map> maps;
  std::vector<void *> pointers;
};

/// Packs the arguments of `kernel`, for which whyNot() is "". Returns the
/// reason when the device refuses a tensor map.
std::string packArguments(const KernelFacts &kernel, const GemmProblem &problem,
                          const Device &device, PackedArguments &packed);

} // namespace tile::rt

#endif // TILE_RT_LIB_GEMM_H
