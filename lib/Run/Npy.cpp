// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of .npy files: reading, conversion, transposition.
#include "Npy.h"

#include "Support/InputFile.h"
#include "Support/Process.h"
#include "tile-rt/tile-rt.h"

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
  if (input.getSize() &&
      *input.getSize() != header.dataOffset + header.dataBytes)
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
  for (ElementType type : {ElementType::F32, ElementType::F64, ElementType::F16,
                           ElementType::I8, ElementType::I32})
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
  static constexpr size_t kRank = TILE_RT_MAX_RANK;
  int64_t extents[kRank] = {1, 1, 1, 1, 1};
  int64_t from[kRank] = {}, to[kRank] = {};
};

} // namespace

static Copy makeCopy(ArrayRef<int64_t> shape, ArrayRef<int64_t> from,
                     ArrayRef<int64_t> to) {
  Copy copy;
  size_t lead = Copy::kRank - shape.size();
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
  constexpr size_t lead = Copy::kRank - 2;
  int64_t rows = copy.extents[lead], columns = copy.extents[lead + 1];
  int64_t matrices = 1;
  for (size_t i = 0; i < lead; ++i)
    matrices *= copy.extents[i];
  for (int64_t b = 0; b < matrices; ++b) {
    int64_t from = 0, to = 0, rest = b;
    for (size_t i = lead; i-- > 0; rest /= copy.extents[i]) {
      from += rest % copy.extents[i] * copy.from[i];
      to += rest % copy.extents[i] * copy.to[i];
    }
    for (int64_t i0 = 0; i0 < rows; i0 += block)
      for (int64_t j0 = 0; j0 < columns; j0 += block) {
        int64_t i1 = std::min(i0 + block, rows);
        int64_t j1 = std::min(j0 + block, columns);
        for (int64_t i = i0; i < i1; ++i)
          for (int64_t j = j0; j < j1; ++j)
            target[to + i * copy.to[lead] + j * copy.to[lead + 1]] =
                load(from + i * copy.from[lead] + j * copy.from[lead + 1]);
      }
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
  if (sizes.size() < 2) {
    sizes.insert(sizes.begin(), 2 - sizes.size(), 1);
    from.insert(from.begin(), 2 - from.size(), 0);
  }
  size_t lead = sizes.size() - 2;
  int64_t all = sizes[lead], columns = sizes[lead + 1], matrices = 1;
  for (size_t i = 0; i < lead; ++i)
    matrices *= sizes[i];
  int64_t bytes = getElementBytes(type), line = columns * bytes;
  if (line == 0)
    return std::nullopt;
  // A copy of all of it could take as much memory as there is.
  int64_t lines = std::max<int64_t>(1, (int64_t(1) << 24) / line);
  std::string piece;
  for (int64_t b = 0; b < matrices; ++b) {
    int64_t first = 0, rest = b;
    for (size_t i = lead; i-- > 0; rest /= sizes[i])
      first += rest % sizes[i] * from[i];
    for (int64_t i = 0; i < all; i += lines) {
      int64_t rows = std::min(lines, all - i);
      piece.resize(rows * line);
      int64_t start = first + i * from[lead];
      copyBits(
          bytes,
          makeCopy({rows, columns}, {from[lead], from[lead + 1]}, {columns, 1}),
          static_cast<const char *>(data) + start * bytes, piece.data());
      if (auto reason = write(piece))
        return reason;
    }
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
