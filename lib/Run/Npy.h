// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in NumPy's .npy format: reading with conversion, and writing.
#ifndef TILE_LIB_RUN_NPY_H
#define TILE_LIB_RUN_NPY_H

#include "Support/ElementType.h"
#include "tile/Layout/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// What the header of a .npy file says.
struct NpyHeader {
  /// NumPy's name of the element type, such as float32 or int64; the
  /// descriptor itself where NumPy has no short name for it.
  std::string typeName;
  /// Bytes of one element.
  int64_t itemBytes = 0;
  /// Whether the elements' bytes are in the order of this machine.
  bool littleEndian = true;
  /// First dimension fastest; otherwise the last one.
  bool fortranOrder = false;
  /// Extents, outermost dimension first.
  std::vector<int64_t> shape;
  /// Offset of the first element in the file.
  int64_t dataOffset = 0;
  /// Number of elements and of their bytes; the product fits 63 bits.
  int64_t elements = 0, dataBytes = 0;
};

/// Parses the header of a .npy file, versions 1.0, 2.0 and 3.0, from the bytes
/// of the file. Any input is safe; the reason says what was expected.
Result<NpyHeader> parseNpyHeader(llvm::StringRef bytes);

/// A .npy file that was read; its length agrees with its header.
struct NpyFile {
  std::string path;
  NpyHeader header;
  /// The bytes of the elements. A copy: a mapped file can change and shrink.
  std::unique_ptr<char[]> data;

  llvm::StringRef getData() const {
    return llvm::StringRef(data.get(), header.dataBytes);
  }
};

/// Reads a file, or standard input for "-", and checks its header and length.
/// The reason does not repeat the path.
Result<NpyFile> openNpy(llvm::StringRef path);

/// The type with which the file's elements can be decoded: what NumPy calls it,
/// or `wanted` where the file holds the bits of that.
std::optional<ElementType> findFileType(const NpyHeader &header,
                                        ElementType wanted);

/// Whether elements of the file can be read as `type`: the same type, or
/// float16, which float32 holds exactly. Of a type that NumPy does not know the
/// file holds the bits, as unsigned integers or as the raw bytes that packages
/// with such types write (|V2).
bool canReadAs(const NpyHeader &header, ElementType type);

/// Copies all elements to `target`, element (i, j, ...) to the index
/// i * strides[0] + j * strides[1] + ...; at most three dimensions. `canReadAs`
/// must hold for `type`.
void readNpyElements(const NpyFile &file, ElementType type, void *target,
                     llvm::ArrayRef<int64_t> strides);

/// The header of a .npy file, version 1.0, padded so that the elements start on
/// a multiple of 64 bytes, as NumPy writes it. `descriptor` is such as `<f4`.
std::string formatNpyHeader(llvm::StringRef descriptor, bool fortranOrder,
                            llvm::ArrayRef<int64_t> shape);

/// The strides of a dense array.
llvm::SmallVector<int64_t, 3> denseStrides(llvm::ArrayRef<int64_t> shape,
                                           bool fortranOrder);

/// Hands the .npy file of a strided array, of at most three dimensions in C or
/// Fortran order, to `write`, piece by piece. Stops at the first piece for which
/// it gives a reason, and returns that.
std::optional<std::string>
writeNpy(ElementType type, const void *data, llvm::ArrayRef<int64_t> shape,
         llvm::ArrayRef<int64_t> strides, bool fortranOrder,
         llvm::function_ref<std::optional<std::string>(llvm::StringRef)> write);

/// The same as one string.
std::string formatNpy(ElementType type, const void *data,
                      llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> strides, bool fortranOrder);

/// A shape as Python writes it: (), (3,) or (3, 4).
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace tile

#endif // TILE_LIB_RUN_NPY_H
