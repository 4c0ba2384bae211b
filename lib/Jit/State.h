// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What handles of `tile::jit` share: a device, a context, and loaded kernels.
#ifndef TILE_LIB_JIT_STATE_H
#define TILE_LIB_JIT_STATE_H

#include "tile-rt/tile-rt.h"
#include "tile/Jit/Jit.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"

namespace tile::jit {

/// A kernel in its module.
class CompiledKernel {
public:
  CompiledKernel() = default;
  CompiledKernel(const CompiledKernel &) = delete;
  CompiledKernel &operator=(const CompiledKernel &) = delete;
  ~CompiledKernel() { tileRtModuleUnload(module); }

  TileRtModule module = nullptr;
  TileRtKernel kernel = nullptr;
  std::vector<Parameter> parameters;
  int64_t threads = 0, dynamicSharedBytes = 0;
};

struct JitState {
  explicit JitState(const mlir::DialectRegistry &registry)
      : context(registry, mlir::MLIRContext::Threading::DISABLED) {
    // What a lambda stages is made at once, not parsed.
    context.loadAllAvailableDialects();
  }
  ~JitState() { tileRtDeviceClose(device); }

  mlir::MLIRContext context;
  TileRtDevice device = nullptr;
  TileRtDeviceInfo info = {};
  Options options;
  /// By the text of their operations.
  llvm::StringMap<std::shared_ptr<CompiledKernel>> kernels;
};

} // namespace tile::jit

#endif // TILE_LIB_JIT_STATE_H
