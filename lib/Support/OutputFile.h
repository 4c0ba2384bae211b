// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that appears whole under its name, or not at all.
#ifndef TILE_LIB_SUPPORT_OUTPUTFILE_H
#define TILE_LIB_SUPPORT_OUTPUTFILE_H

#include "tile/Layout/Result.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tile {

/// An output file. The bytes go to a temporary file beside the path, which is
/// renamed into place by `commit`; a file that is never committed leaves
/// nothing behind, and what was there stays. The new file has the mode, and as
/// far as the user may, the owner of the old one. What is not a regular file,
/// such as /dev/null, is written directly, and "-" is standard output.
class OutputFile {
public:
  /// Makes sure that `path` can be written, without touching what is there. The
  /// reason does not repeat the path.
  static Result<OutputFile> create(llvm::StringRef path);

  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  const std::string &getPath() const { return path; }

  /// Appends bytes. Returns the reason when that fails, without the path.
  std::optional<std::string> append(llvm::StringRef bytes);
  /// Puts the file in place; call it once, after everything was appended.
  std::optional<std::string> commit();
  /// Appends `bytes` and commits.
  std::optional<std::string> write(llvm::StringRef bytes);

private:
  OutputFile() = default;
  std::optional<std::string> open();

  std::string path;
  /// Where the path leads when it is a symbolic link.
  std::string target;
  /// Empty when the target is written directly.
  std::string temporary;
  int descriptor = -1;
};

/// Writes a whole file. The reason begins with the path.
std::optional<std::string> writeFile(llvm::StringRef path,
                                     llvm::StringRef bytes);

/// Whether both paths lead to the same existing file.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

/// A lock on a file that several processes replace. Waits for it, and lets go
/// when destroyed or when the process ends.
class FileLock {
public:
  /// Makes the file if there is none. The reason does not repeat the path.
  static Result<FileLock> acquire(llvm::StringRef path);

  FileLock(FileLock &&other) : descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  FileLock &operator=(FileLock &&) = delete;
  ~FileLock();

private:
  explicit FileLock(int descriptor) : descriptor(descriptor) {}
  int descriptor;
};

} // namespace tile

#endif // TILE_LIB_SUPPORT_OUTPUTFILE_H
