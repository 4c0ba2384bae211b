// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordinary kernel to launch in front of what is timed.
#ifndef TILE_LIB_BENCH_FRONT_H
#define TILE_LIB_BENCH_FRONT_H

#include "CudaApi.h"

namespace tile::bench {

/// A kernel as other programs have them in front of a GEMM: it reads and
/// rewrites memory without changing it, and ends without letting the next
/// kernel start early.
class FrontKernel {
public:
  explicit FrontKernel(const CudaApi &cuda) : cuda(cuda) {}
  ~FrontKernel();
  FrontKernel(const FrontKernel &) = delete;
  FrontKernel &operator=(const FrontKernel &) = delete;

  /// Has the driver compile it. Returns why not.
  std::optional<std::string> load();
  /// Queues a launch over the whole 16-byte words of the `bytes` at `address`,
  /// which lies on a 16-byte boundary. Returns why not.
  std::optional<std::string> launch(const void *address, int64_t bytes) const;

private:
  const CudaApi &cuda;
  CuModule module = nullptr;
  CuFunction function = nullptr;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_FRONT_H
