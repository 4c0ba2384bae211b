// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects behind the handles of the C API, and how its functions fail.
#ifndef TILE_LIB_CAPI_HANDLES_H
#define TILE_LIB_CAPI_HANDLES_H

#include "tile-c/tile-c.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tile::capi {

/// A diagnostic with the texts that a TileDiagnostic points to.
struct Diagnostic {
  TileSeverity severity;
  std::string file, message;
  int32_t line = 0, column = 0, parent = -1;

  /// "gemm.mlir:3:5: message", or the message alone where there is no place.
  std::string describe() const;
};

/// What the handles of one context share. MLIR's own threads are off: a
/// caller's thread that compiles is one that the caller has asked for.
struct Context {
  Context();

  /// Calls on a context take turns.
  std::mutex mutex;
  mlir::MLIRContext mlir;
  /// A deque: what a caller holds of a diagnostic stays where it is.
  std::deque<Diagnostic> diagnostics;

private:
  void collect(mlir::Diagnostic &diagnostic, int32_t parent);
};

/// Makes `message` the calling thread's last error and returns `status`.
TileStatus fail(TileStatus status, std::string message);

/// As `fail`, with the first error among the diagnostics from `begin` on; with
/// `otherwise` where none of them is one.
TileStatus failWithDiagnostic(TileStatus status, const Context &context,
                              size_t begin, llvm::StringRef otherwise);

/// Refuses a null pointer: "tileCompile: expected a module, but got NULL".
TileStatus failNull(llvm::StringRef function, llvm::StringRef what);

/// Makes an artifact's handle from the bytes of its file.
TileStatus createArtifact(std::string bytes, TileArtifact *artifact);

} // namespace tile::capi

struct TileContextImpl {
  std::shared_ptr<tile::capi::Context> context;
};

struct TileModuleImpl {
  // A module dies before its context, and while no one else works there.
  ~TileModuleImpl() {
    std::lock_guard<std::mutex> lock(context->mutex);
    module = nullptr;
  }

  std::shared_ptr<tile::capi::Context> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string text;
};

/// Needs no context: artifacts are bytes.
struct TileArtifactImpl {
  std::string bytes;
  std::string ptx;
  std::vector<std::string> kernels;
  std::mutex mutex;
  /// PTX with one kernel each, made when asked for.
  llvm::StringMap<std::string> kernelPTX;
};

#endif // TILE_LIB_CAPI_HANDLES_H
