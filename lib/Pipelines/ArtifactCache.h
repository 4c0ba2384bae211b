// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Artifacts on disk that need not be compiled again.
#ifndef TILE_LIB_PIPELINES_ARTIFACTCACHE_H
#define TILE_LIB_PIPELINES_ARTIFACTCACHE_H

#include "tile/Layout/Result.h"
#include "tile/Pipelines/Pipelines.h"

#include <optional>
#include <string>

namespace tile {

/// A folder with a file for each artifact, named by all that decides its bytes.
/// A file appears whole, by renaming, and is never changed: any number of
/// processes may use a folder without a lock.
class ArtifactCache {
public:
  /// The place of what `options` make of a module that was not lowered yet. The
  /// reason says why there can be none.
  static Result<ArtifactCache> find(mlir::ModuleOp module,
                                    const CompileOptions &options);

  /// Reads the artifact. Nothing if it is not there, is damaged, or belongs to
  /// another user: it holds code that will run as this one's.
  std::optional<std::string> read() const;

  /// Writes the artifact, and removes the files that were not used for longest
  /// until the folder is as small as the options say. Returns the reason when
  /// it cannot be written.
  std::optional<std::string> write(llvm::StringRef bytes) const;

  const std::string &getPath() const { return path; }

private:
  std::string directory, path;
  int64_t mostBytes = 0;
};

} // namespace tile

#endif // TILE_LIB_PIPELINES_ARTIFACTCACHE_H
