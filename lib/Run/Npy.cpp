// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of .npy files: mapping, conversion, transposition.
#include "Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using namespace tile;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

Result<NpyFile> tile::openNpy(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    std::string why = buffer.getError().message();
    why[0] = llvm::toLower(why[0]);
    return Reason("cannot be read: " + why);
  }
  Result<NpyHeader> header = parseNpyHeader((*buffer)->getBuffer());
  if (!header)
    return header.takeReason();
  int64_t got = (*buffer)->getBufferSize() - header->dataOffset;
  if (got != header->dataBytes)
    return Reason("expected " + Twine(header->dataBytes) +
                  " bytes of elements for shape " + formatShape(header->shape) +
                  " of " + header->typeName + ", but got " + Twine(got));
  return NpyFile{path.str(), std::move(*header), std::move(*buffer)};
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

/// The strides of a dense array.
static llvm::SmallVector<int64_t, 3> denseStrides(ArrayRef<int64_t> shape,
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

std::string tile::formatNpy(ElementType type, const void *data,
                            ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                            bool fortranOrder) {
  std::string bytes =
      formatNpyHeader(getInfo(type).descriptor, fortranOrder, shape);
  size_t start = bytes.size();
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  bytes.resize(start + elements * getElementBytes(type));
  Copy copy = makeCopy(shape, strides, denseStrides(shape, fortranOrder));
  // The header is a multiple of 64 bytes, but a string's start is aligned only
  // as far as operator new goes, which is enough for every type.
  copyBits(getElementBytes(type), copy, static_cast<const char *>(data),
           bytes.data() + start);
  return bytes;
}
