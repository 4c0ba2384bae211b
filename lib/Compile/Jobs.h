// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tile-compile has to do: one artifact a job.
#ifndef TILE_LIB_COMPILE_JOBS_H
#define TILE_LIB_COMPILE_JOBS_H

#include "tile/Layout/Result.h"
#include "tile/Pipelines/Pipelines.h"

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace tile {

/// A module to compile.
struct Source {
  /// What its artifacts are called, "gemm"; no two sources have one name.
  std::string name;
  /// Where it comes from, for messages: a path, or a line of a suite.
  std::string origin;
  std::string text;
};

/// Adds a source whose name is `name`, or that with a number behind it.
void addSource(std::vector<Source> &sources, Source source);

/// Reads MLIR files. The reason begins with the path.
Result<std::vector<Source>> readSources(llvm::ArrayRef<std::string> paths);

/// Adds the points of a suite (see tile/Bench) as problems with static extents,
/// or with dynamic ones, of which points that differ in extents share one.
/// Returns why not.
std::optional<std::string> addSuite(std::vector<Source> &sources,
                                    llvm::StringRef path, bool dynamic);

/// What became of one compilation.
struct JobResult {
  /// The artifact; empty on failure.
  std::string artifact;
  /// The compiler's messages, one a line, each with its place.
  std::string messages;
};

/// Compiles a source. May be called from several threads at once.
JobResult compileSource(const Source &source, const CompileOptions &options);

} // namespace tile

#endif // TILE_LIB_COMPILE_JOBS_H
