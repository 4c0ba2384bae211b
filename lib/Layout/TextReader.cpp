// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader for tuples in the house syntax and in CuTe's printed form.
#include "TextReader.h"
#include "llvm/ADT/StringExtras.h"

using namespace tile;
using namespace tile::detail;

/// Nesting beyond this is refused, so that hostile text cannot end the stack.
static constexpr unsigned kMaxDepth = 64;

void TextReader::skipBlanks() {
  while (position < text.size() && llvm::isSpace(text[position]))
    ++position;
}

bool TextReader::consume(llvm::StringRef token) {
  skipBlanks();
  if (!text.substr(position).starts_with(token))
    return false;
  position += token.size();
  return true;
}

bool TextReader::atEnd() {
  skipBlanks();
  return position >= text.size();
}

Reason TextReader::unexpected(const llvm::Twine &wanted) {
  skipBlanks();
  std::string actual = position < text.size()
                           ? "'" + std::string(1, text[position]) + "'"
                           : std::string("the end of the text");
  return Reason("expected " + wanted + " at column " + llvm::Twine(position) +
                ", but got " + actual);
}

Result<int64_t> TextReader::readNumber() {
  skipBlanks();
  size_t end = position;
  if (end < text.size() && text[end] == '-')
    ++end;
  while (end < text.size() && llvm::isDigit(text[end]))
    ++end;
  llvm::StringRef digits = text.slice(position, end);
  if (digits.empty() || digits == "-")
    return unexpected("an integer");
  int64_t value;
  if (digits.getAsInteger(10, value))
    return Reason("expected an integer of 64 bits at column " +
                  llvm::Twine(position) + ", but got " + digits);
  position = end;
  return value;
}

Result<Int> TextReader::readInt() {
  if (consume("?")) {
    if (!consume("{"))
      return Int::dynamic();
    if (!consume("div") || !consume("="))
      return unexpected("'div ='");
    Result<int64_t> div = readNumber();
    if (!div)
      return div.takeReason();
    if (*div < 1)
      return Reason("expected a positive divisor, but got " +
                    llvm::Twine(*div));
    if (!consume("}"))
      return unexpected("'}'");
    return Int::dynamic(*div);
  }
  bool compileTime = consume("_");
  Result<int64_t> value = readNumber();
  if (!value)
    return value.takeReason();
  if (!compileTime && runTime)
    return runTime(*value);
  return Int(*value);
}

Result<IntTuple> TextReader::readTuple(unsigned depth) {
  if (depth > kMaxDepth)
    return Reason("expected at most " + llvm::Twine(kMaxDepth) +
                  " levels of nesting, but got more");
  if (consume("(")) {
    llvm::SmallVector<IntTuple> modes;
    if (consume(")"))
      return IntTuple::tuple(modes);
    do {
      Result<IntTuple> mode = readTuple(depth + 1);
      if (!mode)
        return mode;
      modes.push_back(*mode);
    } while (consume(","));
    if (!consume(")"))
      return unexpected("',' or ')'");
    return IntTuple::tuple(modes);
  }
  skipBlanks();
  if (peek() == '_' && !llvm::isDigit(peek(1)) && peek(1) != '-') {
    ++position;
    return IntTuple::wildcard();
  }
  Result<Int> integer = readInt();
  if (!integer)
    return integer.takeReason();
  llvm::SmallVector<int64_t> path;
  while (consume("@")) {
    Result<int64_t> index = readNumber();
    if (!index)
      return index.takeReason();
    if (*index < 0)
      return Reason("expected a non-negative mode after '@', but got " +
                    llvm::Twine(*index));
    path.insert(path.begin(), *index);
  }
  return IntTuple::basis(*integer, path);
}
