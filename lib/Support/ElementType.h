// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of matrices on the host: a table row each.
#ifndef TILE_LIB_SUPPORT_ELEMENTTYPE_H
#define TILE_LIB_SUPPORT_ELEMENTTYPE_H

#include "tile-rt/tile-rt.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tile {

/// The element types that the tools compute with.
enum class ElementType { F32, F64, F16, BF16, F8E4M3FN, F8E5M2, I8, I32 };

/// What is to know of a type on the host.
struct ElementTypeInfo {
  ElementType type;
  /// As MLIR and manifests spell it: f16.
  llvm::StringLiteral name;
  /// The runtime's number.
  TileRtType runtimeType;
  /// What an array of NumPy has that holds it: float16, and an unsigned integer
  /// with the bits of a type that NumPy does not know.
  llvm::StringLiteral numPyName;
  /// The same in the header of a .npy file: <f2.
  llvm::StringLiteral descriptor;
  int64_t bytes;
  /// Whether `numPyName` is an integer with the bits of the number.
  bool rawInNumPy;
  /// Half of the distance from 1 to the next number; 0 of integers, which are
  /// exact.
  double roundoff;
  /// The largest finite number, and the smallest one above 0; for integers 0,
  /// as none is lost below it.
  double largest, smallest;
  /// Reads a number; the address need not be aligned.
  double (*decode)(const void *from);
  /// Writes the nearest number, to even when two are; a number that is too
  /// large becomes infinite, or NaN where there is no infinity. Among integers
  /// it becomes the last one, and NaN becomes 0.
  void (*encode)(double value, void *to);

  bool isInteger() const { return roundoff == 0; }
  /// Products of such numbers are summed in a wider type.
  bool isNarrow() const { return bytes < 4; }

  /// NumPy's name where that is the type's own, else MLIR's: float16, bf16.
  llvm::StringRef getLabel() const { return rawInNumPy ? name : numPyName; }
};

/// The row of a type.
const ElementTypeInfo &getInfo(ElementType type);

/// The type that MLIR calls `name`, if there is one.
std::optional<ElementType> findElementType(llvm::StringRef name);

/// All names as MLIR spells them, separated by ", ".
std::string listElementTypes();

/// Bytes of one element.
inline int64_t getElementBytes(ElementType type) { return getInfo(type).bytes; }

/// What a tensor core takes of an f32 factor that it multiplies as tf32: all
/// but the low 13 bits.
double cutToTF32(double value);

/// The value of an IEEE 754 half, exactly.
float halfToFloat(uint16_t half);

} // namespace tile

#endif // TILE_LIB_SUPPORT_ELEMENTTYPE_H
