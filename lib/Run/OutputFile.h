// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that appears whole under its name, or not at all.
#ifndef TILE_LIB_RUN_OUTPUTFILE_H
#define TILE_LIB_RUN_OUTPUTFILE_H

#include "tile/Layout/Result.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tile {

/// An output file. The bytes go to a temporary file beside the path, which is
/// renamed into place by `write`; a file that is never written leaves nothing
/// behind. What is not a regular file, such as /dev/null, is written directly.
class OutputFile {
public:
  /// Makes sure that `path` can be written, without touching what is there. The
  /// reason does not repeat the path.
  static Result<OutputFile> create(llvm::StringRef path);

  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  const std::string &getPath() const { return path; }

  /// Writes `bytes` and puts the file in place; call it once. Returns the
  /// reason when that fails, without the path.
  std::optional<std::string> write(llvm::StringRef bytes);

private:
  OutputFile() = default;

  std::string path;
  /// Where the path leads when it is a symbolic link.
  std::string target;
  /// Empty when the target is written directly.
  std::string temporary;
  int descriptor = -1;
};

} // namespace tile

#endif // TILE_LIB_RUN_OUTPUTFILE_H
