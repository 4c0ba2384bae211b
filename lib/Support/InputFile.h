// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading whole files, pipes and standard input into memory.
#ifndef TILE_LIB_SUPPORT_INPUTFILE_H
#define TILE_LIB_SUPPORT_INPUTFILE_H

#include "tile/Layout/Result.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tile {

/// A file that is read from its beginning to its end. It is never mapped: a
/// mapped file that another process cuts ends this one by SIGBUS.
class InputFile {
public:
  /// Opens a file, or standard input for "-". The reason does not repeat the
  /// path.
  static Result<InputFile> open(llvm::StringRef path);

  InputFile(InputFile &&other)
      : descriptor(other.descriptor), size(other.size) {
    other.descriptor = -1;
  }
  InputFile &operator=(InputFile &&) = delete;
  ~InputFile();

  /// Bytes of a regular file; nothing of a pipe or a device.
  std::optional<int64_t> getSize() const { return size; }

  /// Reads up to `bytes`, fewer only at the end. Returns how many.
  Result<int64_t> read(char *target, int64_t bytes);

private:
  InputFile() = default;
  int descriptor = -1;
  std::optional<int64_t> size;
};

/// Reads all of a file, a pipe, or standard input for "-", with a null byte
/// behind it. The reason does not repeat the path.
Result<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, int64_t mostBytes = int64_t(1) << 30);

} // namespace tile

#endif // TILE_LIB_SUPPORT_INPUTFILE_H
