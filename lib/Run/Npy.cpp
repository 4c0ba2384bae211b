// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of .npy files: reading, conversion, transposition.
#include "Npy.h"

#include "Support/InputFile.h"
#include "Support/Process.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>
#include <new>

using namespace tile;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

/// Takes the elements: `prefix` is the beginning of the file, `input` the rest.
static std::optional<Reason> readElements(InputFile &input, StringRef prefix,
                                          NpyFile &file) {
  const NpyHeader &header = file.header;
  auto wrongLength = [&](const Twine &got) {
    return Reason("expected " + Twine(header.dataBytes) +
                  " bytes of elements for shape " + formatShape(header.shape) +
                  " of " + header.typeName + ", but got " + got);
  };
  if (input.getSize() && *input.getSize() != header.dataOffset + header.dataBytes)
    return wrongLength(Twine(*input.getSize() - header.dataOffset));
  int64_t free = findFreeMemory().value_or(header.dataBytes);
  if (header.dataBytes <= free)
    file.data.reset(new (std::nothrow) char[header.dataBytes + 1]);
  if (!file.data)
    return Reason("expected " + formatBytes(double(header.dataBytes)) +
                  " of memory for its elements, but " +
                  formatBytes(double(free)) + " are free");
  StringRef begun = prefix.drop_front(header.dataOffset);
  int64_t done = std::min<int64_t>(begun.size(), header.dataBytes + 1);
  std::memcpy(file.data.get(), begun.data(), done);
  Result<int64_t> more =
      input.read(file.data.get() + done, header.dataBytes + 1 - done);
  if (!more)
    return more.takeReason();
  // The file may have been cut since it was opened.
  if (done + *more < header.dataBytes)
    return wrongLength(Twine(done + *more));
  if (done + *more > header.dataBytes)
    return wrongLength("more");
  return std::nullopt;
}

Result<NpyFile> tile::openNpy(StringRef path) {
  Result<InputFile> input = InputFile::open(path);
  if (!input)
    return input.takeReason();
  // The header is in there, or it is too long.
  std::string prefix((1 << 20) + 16, 0);
  Result<int64_t> count = input->read(prefix.data(), prefix.size());
  if (!count)
    return count.takeReason();
  prefix.resize(*count);
  Result<NpyHeader> header = parseNpyHeader(prefix);
  if (!header)
    return header.takeReason();
  NpyFile file{path.str(), std::move(*header), nullptr};
  if (std::optional<Reason> reason = readElements(*input, prefix, file))
    return std::move(*reason);
  return file;
}

std::optional<ElementType> tile::findFileType(const NpyHeader &header,
                                              ElementType wanted) {
  if (!header.littleEndian)
    return std::nullopt;
  for (ElementType type :
       {ElementType::F32, ElementType::F64, ElementType::F16, ElementType::I8,
        ElementType::I32})
    if (header.typeName == getInfo(type).numPyName)
      return type;
  if (canReadAs(header, wanted))
    return wanted;
  return std::nullopt;
}

bool tile::canReadAs(const NpyHeader &header, ElementType type) {
  const ElementTypeInfo &info = getInfo(type);
  if (!header.littleEndian)
    return false;
  std::string bytes = std::to_string(info.bytes);
  if (info.rawInNumPy && (header.typeName == "'|V" + bytes + "'" ||
                          header.typeName == "'<V" + bytes + "'"))
    return true;
  return header.typeName == info.numPyName ||
         (type == ElementType::F32 && header.typeName == "float16");
}

namespace {

/// Extents and strides, in elements, of the two sides of a copy; missing
/// dimensions have extent 1.
struct Copy {
  int64_t extents[3] = {1, 1, 1};
  int64_t from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
};

} // namespace

static Copy makeCopy(ArrayRef<int64_t> shape, ArrayRef<int64_t> from,
                     ArrayRef<int64_t> to) {
  Copy copy;
  size_t lead = 3 - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    copy.extents[lead + i] = shape[i];
    copy.from[lead + i] = from[i];
    copy.to[lead + i] = to[i];
  }
  return copy;
}

llvm::SmallVector<int64_t, 3> tile::denseStrides(ArrayRef<int64_t> shape,
                                                 bool fortranOrder) {
  llvm::SmallVector<int64_t, 3> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t dim = fortranOrder ? i : shape.size() - 1 - i;
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

/// Copies in square blocks, so that neither side leaves the cache when the two
/// orders differ. `load` reads the element at an index of the source.
template <class Target, class Load>
static void copyElements(const Copy &copy, Target *target, Load load) {
  constexpr int64_t block = 64;
  const int64_t *extents = copy.extents;
  for (int64_t b = 0; b < extents[0]; ++b)
    for (int64_t i0 = 0; i0 < extents[1]; i0 += block)
      for (int64_t j0 = 0; j0 < extents[2]; j0 += block) {
        int64_t i1 = std::min(i0 + block, extents[1]);
        int64_t j1 = std::min(j0 + block, extents[2]);
        for (int64_t i = i0; i < i1; ++i)
          for (int64_t j = j0; j < j1; ++j)
            target[b * copy.to[0] + i * copy.to[1] + j * copy.to[2]] =
                load(b * copy.from[0] + i * copy.from[1] + j * copy.from[2]);
      }
}

template <class T>
static T loadUnaligned(const char *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * int64_t(sizeof(T)), sizeof(T));
  return value;
}

/// Copies elements of 1, 2, 4 or 8 bytes as they are.
static void copyBits(int64_t bytes, const Copy &copy, const char *source,
                     void *target) {
  auto copyAs = [&](auto zero) {
    using Bits = decltype(zero);
    copyElements(copy, static_cast<Bits *>(target), [=](int64_t index) {
      return loadUnaligned<Bits>(source, index);
    });
  };
  switch (bytes) {
  case 1:
    return copyAs(uint8_t());
  case 2:
    return copyAs(uint16_t());
  case 4:
    return copyAs(uint32_t());
  default:
    return copyAs(uint64_t());
  }
}

void tile::readNpyElements(const NpyFile &file, ElementType type, void *target,
                           ArrayRef<int64_t> strides) {
  const NpyHeader &header = file.header;
  Copy copy = makeCopy(
      header.shape, denseStrides(header.shape, header.fortranOrder), strides);
  const char *data = file.getData().data();
  if (type == ElementType::F32 && header.itemBytes == 2)
    return copyElements(copy, static_cast<float *>(target), [=](int64_t index) {
      return halfToFloat(loadUnaligned<uint16_t>(data, index));
    });
  copyBits(getElementBytes(type), copy, data, target);
}

std::optional<std::string> tile::writeNpy(
    ElementType type, const void *data, ArrayRef<int64_t> shape,
    ArrayRef<int64_t> strides, bool fortranOrder,
    llvm::function_ref<std::optional<std::string>(StringRef)> write) {
  if (auto reason =
          write(formatNpyHeader(getInfo(type).descriptor, fortranOrder, shape)))
    return reason;
  // Fortran order of a shape is C order of the reversed one.
  llvm::SmallVector<int64_t, 3> sizes(shape), from(strides);
  if (fortranOrder) {
    std::reverse(sizes.begin(), sizes.end());
    std::reverse(from.begin(), from.end());
  }
  sizes.insert(sizes.begin(), 3 - sizes.size(), 1);
  from.insert(from.begin(), 3 - from.size(), 0);
  int64_t bytes = getElementBytes(type), line = sizes[2] * bytes;
  if (line == 0)
    return std::nullopt;
  // A copy of all of it could take as much memory as there is.
  int64_t lines = std::max<int64_t>(1, (int64_t(1) << 24) / line);
  std::string piece;
  for (int64_t b = 0; b < sizes[0]; ++b)
    for (int64_t i = 0; i < sizes[1]; i += lines) {
      int64_t rows = std::min(lines, sizes[1] - i);
      piece.resize(rows * line);
      int64_t start = b * from[0] + i * from[1];
      copyBits(bytes,
               makeCopy({rows, sizes[2]}, {from[1], from[2]}, {sizes[2], 1}),
               static_cast<const char *>(data) + start * bytes, piece.data());
      if (auto reason = write(piece))
        return reason;
    }
  return std::nullopt;
}

std::string tile::formatNpy(ElementType type, const void *data,
                            ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                            bool fortranOrder) {
  std::string bytes;
  writeNpy(type, data, shape, strides, fortranOrder,
           [&](StringRef piece) -> std::optional<std::string> {
             bytes += piece;
             return std::nullopt;
           });
  return bytes;
}
