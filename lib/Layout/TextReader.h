// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads tuples in the house syntax and in CuTe's printed form.
#ifndef TILE_LIB_LAYOUT_TEXTREADER_H
#define TILE_LIB_LAYOUT_TEXTREADER_H

#include "tile/Layout/Layout.h"

namespace tile::detail {

/// A cursor over a text. Every failure names the column and what stands there.
class TextReader {
public:
  TextReader(llvm::StringRef text, llvm::function_ref<Int(int64_t)> runTime)
      : text(text), runTime(runTime) {}

  /// Reads a leaf or a parenthesised tuple.
  Result<IntTuple> readTuple(unsigned depth = 0);
  /// Reads `shape : stride`.
  Result<Layout> readLayout();
  /// Reads a decimal number with an optional sign.
  Result<int64_t> readNumber();
  /// Skips blanks, then `token` if it comes next.
  bool consume(llvm::StringRef token);
  bool atEnd();
  /// The reason for a text that has something else than `wanted` here.
  Reason unexpected(const llvm::Twine &wanted);

private:
  Result<Int> readInt();
  void skipBlanks();
  char peek(size_t offset = 0) const {
    return position + offset < text.size() ? text[position + offset] : '\0';
  }

  llvm::StringRef text;
  llvm::function_ref<Int(int64_t)> runTime;
  size_t position = 0;
};

} // namespace tile::detail

#endif // TILE_LIB_LAYOUT_TEXTREADER_H
