// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the file that tile-run is given to the bytes of an artifact.
#ifndef TILE_LIB_RUN_COMPILE_H
#define TILE_LIB_RUN_COMPILE_H

#include "Options.h"
#include "Support/Progress.h"
#include "tile-rt/tile-rt.h"
#include "tile/Target/Artifact.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tile {

/// Whether the bytes are those of an artifact file.
bool isArtifact(llvm::StringRef bytes);

/// Says that no chip of this name exists; nothing when it does.
std::optional<std::string> checkChip(llvm::StringRef chip);

/// Compiles MLIR text for `chip`, with simulator code if `simulator`, to an
/// artifact. Errors go to stderr as located diagnostics.
mlir::FailureOr<std::string>
compileText(std::unique_ptr<llvm::MemoryBuffer> text, const RunOptions &options,
            llvm::StringRef chip, bool simulator, Progress &progress);

/// The entries of an artifact that the runtime has loaded.
std::vector<ArtifactEntry> readEntries(TileRtModule module);

/// What the runtime knows of a kernel.
TileRtKernelInfo getKernelInfo(TileRtModule module, const char *kernel);

} // namespace tile

#endif // TILE_LIB_RUN_COMPILE_H
