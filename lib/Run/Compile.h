// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the file that tile-run is given to the bytes of an artifact.
#ifndef TILE_LIB_RUN_COMPILE_H
#define TILE_LIB_RUN_COMPILE_H

#include "Options.h"
#include "tile/Target/Artifact.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tile {

/// An artifact and what is known of its making.
struct CompiledFile {
  std::string artifact;
  /// Why each problem has its schedule, in the order of the file; empty when
  /// the file was an artifact already.
  std::vector<std::string> scheduleReasons;
};

/// Whether the bytes are those of an artifact file.
bool isArtifact(llvm::StringRef bytes);

/// Says that no chip of this name exists; nothing when it does.
std::optional<std::string> checkChip(llvm::StringRef chip);

/// Compiles MLIR text for `chip`, with simulator code if `simulator`. Errors go
/// to stderr as located diagnostics.
mlir::FailureOr<CompiledFile>
compileText(std::unique_ptr<llvm::MemoryBuffer> text, const RunOptions &options,
            llvm::StringRef chip, bool simulator);

/// Reads the entries of a manifest. The runtime has checked the manifest
/// before; what it does not know of is left out.
std::vector<ArtifactEntry> readEntries(const llvm::json::Object &manifest);

/// The registers that a manifest gives for a kernel, as "168 (sm_90)".
std::optional<std::string> findRegisters(const llvm::json::Object &manifest,
                                         llvm::StringRef kernel);

/// Whether a kernel multiplies f32 factors as tf32: what its launch facts say
/// with `factors = "tf32"`.
bool multipliesAsTF32(const llvm::json::Object &manifest,
                      llvm::StringRef kernel);

} // namespace tile

#endif // TILE_LIB_RUN_COMPILE_H
