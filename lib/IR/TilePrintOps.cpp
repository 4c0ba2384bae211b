// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing at run time: the format and its verifier.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// What the printf of a GPU takes beside its format.
static constexpr unsigned kMaxNumbers = 32;

Result<SmallVector<std::string>> PrintOp::getParts() {
  SmallVector<std::string> parts(1);
  StringRef text = getFormat();
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\0')
      return Reason("expected a format without a null character, but got one "
                    "at column " +
                    Twine(i));
    if (c != '{' && c != '}') {
      parts.back() += c;
      continue;
    }
    StringRef pair = text.substr(i++, 2);
    if (pair == "{}")
      parts.emplace_back();
    else if (pair == "{{" || pair == "}}")
      parts.back() += c;
    else
      return Reason("expected {}, {{ or }} at column " + Twine(i - 1) +
                    " of the format, but got '" + pair + "'");
  }
  return parts;
}

LogicalResult PrintOp::verify() {
  Result<SmallVector<std::string>> parts = getParts();
  if (!parts)
    return emitOpError(parts.getReason());
  if (parts->size() - 1 != getValues().size())
    return emitOpError("expected one value for each {} of the format, but got ")
           << getValues().size() << " for " << parts->size() - 1;
  unsigned numbers = 0;
  for (Value value : getValues()) {
    auto layout = dyn_cast<LayoutType>(value.getType());
    numbers += layout ? getNumDynamicLeaves(layout.getComposed()) : 1;
    if (auto integer = dyn_cast<IntegerType>(value.getType());
        integer && integer.getWidth() > 64)
      return emitOpError("expected integers of at most 64 bits, but got ")
             << integer;
  }
  if (numbers > kMaxNumbers)
    return emitOpError("expected at most ")
           << kMaxNumbers
           << " numbers that are known at run time only, but got " << numbers;
  return success();
}
