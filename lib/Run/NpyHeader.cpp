// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of .npy files: a Python dictionary literal, parsed and written.
#include "Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kMagic("\x93NUMPY", 6);
/// Magic, version, and the length of the header in version 1.0.
static constexpr size_t kPrefixBytes = 10;
static constexpr int64_t kAlignment = 64;
/// NumPy itself refuses longer headers unless told to trust the file.
static constexpr uint64_t kMaxHeaderBytes = 1 << 20;

static std::string quote(StringRef text) {
  std::string shown;
  for (char c : text.take_front(24))
    shown += llvm::isPrint(c) ? c : '?';
  return "'" + shown + (text.size() > 24 ? "…'" : "'");
}

namespace {

/// Reads the three entries of the dictionary in any order.
class DictionaryReader {
public:
  DictionaryReader(StringRef text) : all(text), rest(text) {}

  Result<NpyHeader> read();

private:
  Reason unexpected(const Twine &requirement) const {
    std::string got = rest.empty() ? "its end" : quote(rest);
    return Reason("expected " + requirement + " in the header, but got " + got +
                  " at character " + Twine(all.size() - rest.size()));
  }
  void skipSpace() { rest = rest.ltrim(" \t\r\n"); }
  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  std::optional<StringRef> readString();
  std::optional<Reason> readValue(StringRef key);
  std::optional<Reason> readType();
  std::optional<Reason> readShape();

  StringRef all, rest;
  NpyHeader header;
};

} // namespace

std::optional<StringRef> DictionaryReader::readString() {
  skipSpace();
  if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
    return std::nullopt;
  size_t end = rest.find(rest[0], 1);
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef text = rest.slice(1, end);
  rest = rest.drop_front(end + 1);
  return text;
}

/// NumPy's name of a type: `kind` as in a descriptor, and bytes.
static std::string nameType(StringRef descriptor, char kind, int64_t bytes) {
  StringRef name = llvm::StringSwitch<StringRef>(StringRef(&kind, 1))
                       .Case("f", "float")
                       .Case("i", "int")
                       .Case("u", "uint")
                       .Case("c", "complex")
                       .Default("");
  if (kind == 'b')
    return "bool";
  if (name.empty())
    return "'" + descriptor.str() + "'";
  return (name + Twine(bytes * 8)).str();
}

std::optional<Reason> DictionaryReader::readType() {
  skipSpace();
  if (rest.starts_with("["))
    return Reason("expected an array of numbers, but got one of records");
  std::optional<StringRef> descriptor = readString();
  if (!descriptor)
    return unexpected("a type such as '<f4'");
  StringRef size = *descriptor;
  char order = size.empty() ? '\0' : size.front();
  if (order == '<' || order == '>' || order == '|' || order == '=')
    size = size.drop_front();
  char kind = size.empty() ? '\0' : size.front();
  if (!llvm::isAlpha(kind) && kind != '?')
    return Reason("expected a type such as '<f4' in the header, but got " +
                  quote(*descriptor));
  if (kind == 'O')
    return Reason(
        "expected an array of numbers, but got one of Python objects");
  size = size.drop_front();
  // What follows the number is the unit of a time.
  if (size.consumeInteger(10, header.itemBytes) || header.itemBytes < 0 ||
      header.itemBytes > (1 << 20))
    return Reason("expected a type such as '<f4' in the header, but got " +
                  quote(*descriptor));
  if (kind == 'U')
    header.itemBytes *= 4;
  header.littleEndian = order != '>' || header.itemBytes == 1;
  header.typeName = nameType(*descriptor, kind, header.itemBytes);
  return std::nullopt;
}

std::optional<Reason> DictionaryReader::readShape() {
  if (!consume("("))
    return unexpected("a shape such as (3, 4)");
  while (!consume(")")) {
    uint64_t extent;
    skipSpace();
    if (rest.consumeInteger(10, extent) || extent > uint64_t(INT64_MAX))
      return unexpected("an extent");
    // Python 2 marked long integers.
    rest.consume_front("L");
    header.shape.push_back(static_cast<int64_t>(extent));
    if (consume(","))
      continue;
    if (!consume(")"))
      return unexpected("',' or ')' after an extent");
    break;
  }
  if (header.shape.size() > 64)
    return Reason("expected at most 64 dimensions, but got " +
                  Twine(header.shape.size()));
  return std::nullopt;
}

std::optional<Reason> DictionaryReader::readValue(StringRef key) {
  if (key == "descr")
    return readType();
  if (key == "shape")
    return readShape();
  if (key != "fortran_order")
    return Reason("expected the keys descr, fortran_order and shape in the "
                  "header, but got " +
                  quote(key));
  header.fortranOrder = consume("True");
  if (!header.fortranOrder && !consume("False"))
    return unexpected("True or False");
  return std::nullopt;
}

Result<NpyHeader> DictionaryReader::read() {
  if (!consume("{"))
    return unexpected("'{'");
  llvm::SmallVector<StringRef, 3> keys;
  while (!consume("}")) {
    std::optional<StringRef> key = readString();
    if (!key)
      return unexpected("a key such as 'shape'");
    if (llvm::is_contained(keys, *key))
      return Reason("expected each key once in the header, but got " +
                    quote(*key) + " twice");
    keys.push_back(*key);
    if (!consume(":"))
      return unexpected("':' after a key");
    if (std::optional<Reason> reason = readValue(*key))
      return std::move(*reason);
    if (consume(","))
      continue;
    if (!consume("}"))
      return unexpected("',' or '}' after a value");
    break;
  }
  skipSpace();
  if (!rest.empty())
    return unexpected("nothing after '}'");
  if (keys.size() != 3)
    return Reason("expected the keys descr, fortran_order and shape in the "
                  "header, but got " +
                  Twine(keys.size()) + " of them");
  return header;
}

/// Sets the number of elements and bytes; false when they do not fit 63 bits.
static bool countElements(NpyHeader &header) {
  header.elements = 1;
  // An extent of 0 makes the array empty however large the others are.
  if (llvm::is_contained(header.shape, 0))
    header.elements = 0;
  else
    for (int64_t extent : header.shape)
      if (llvm::MulOverflow(header.elements, extent, header.elements))
        return false;
  return !llvm::MulOverflow(header.elements, header.itemBytes,
                            header.dataBytes);
}

Result<NpyHeader> tile::parseNpyHeader(StringRef bytes) {
  if (bytes.empty())
    return Reason("expected a .npy file, but got an empty file");
  if (!bytes.starts_with(kMagic))
    return Reason(kMagic.starts_with(bytes)
                      ? "expected a .npy file, but it ends within the first " +
                            Twine(kMagic.size()) + " bytes"
                      : Twine("expected a .npy file, which starts with "
                              "\\x93NUMPY, but got other bytes"));
  if (bytes.size() < kPrefixBytes)
    return Reason("expected a header of at least " + Twine(kPrefixBytes) +
                  " bytes, but got a file of " + Twine(bytes.size()));
  int major = uint8_t(bytes[6]), minor = uint8_t(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    return Reason("expected .npy version 1.0, 2.0 or 3.0, but got " +
                  Twine(major) + "." + Twine(minor));
  uint64_t start = major == 1 ? kPrefixBytes : kPrefixBytes + 2;
  if (bytes.size() < start)
    return Reason("expected a header of at least " + Twine(start) +
                  " bytes, but got a file of " + Twine(bytes.size()));
  uint64_t length = major == 1
                        ? llvm::support::endian::read16le(bytes.data() + 8)
                        : llvm::support::endian::read32le(bytes.data() + 8);
  if (length > kMaxHeaderBytes)
    return Reason("expected a header of at most " + Twine(kMaxHeaderBytes) +
                  " bytes, but got " + Twine(length));
  if (length > bytes.size() - start)
    return Reason("expected a header of " + Twine(length) +
                  " bytes, but got a file that ends after " +
                  Twine(bytes.size() - start) + " of them");
  Result<NpyHeader> header =
      DictionaryReader(bytes.substr(start, length)).read();
  if (!header)
    return header;
  header->dataOffset = static_cast<int64_t>(start + length);
  if (!countElements(*header))
    return Reason("expected an array of less than 2^63 bytes, but got shape " +
                  formatShape(header->shape));
  return header;
}

std::string tile::formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (auto [i, extent] : llvm::enumerate(shape))
    text += (i ? ", " : "") + std::to_string(extent);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string tile::formatNpyHeader(StringRef descriptor, bool fortranOrder,
                                  llvm::ArrayRef<int64_t> shape) {
  std::string text = "{'descr': '" + descriptor.str() + "', 'fortran_order': " +
                     (fortranOrder ? "True" : "False") +
                     ", 'shape': " + formatShape(shape) + ", }";
  size_t total = llvm::alignTo(kPrefixBytes + text.size() + 1, kAlignment);
  text.resize(total - kPrefixBytes - 1, ' ');
  text += '\n';
  char length[2];
  llvm::support::endian::write16le(length, static_cast<uint16_t>(text.size()));
  return kMagic.str() + std::string("\1\0", 2) + std::string(length, 2) + text;
}
