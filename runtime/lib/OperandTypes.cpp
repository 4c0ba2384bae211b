// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element types a gemm may mix.
#include "Error.h"
#include "Gemm.h"

using namespace tile::rt;

static bool isFloat8(TileRtType type) {
  return type == TILE_RT_F8E4M3FN || type == TILE_RT_F8E5M2;
}

/// "expected `what`, but got `type`".
static std::string expectedType(const std::string &what, TileRtType type) {
  const char *name = tileRtTypeName(type);
  return format("expected %s, but got %s", what.c_str(),
                name ? name : "an unknown one");
}

std::string tile::rt::checkTypes(TileRtType a, TileRtType b, TileRtType c,
                                 TileRtType d) {
  if (d == TILE_RT_I32) {
    if (c != d)
      return expectedType("C to have the element type of D, i32", c);
    for (auto [name, type] : {std::pair("A", a), std::pair("B", b)})
      if (type != TILE_RT_I8)
        return expectedType(
            format("%s of type i8, of which sums are i32", name), type);
    return "";
  }
  bool wide = d == TILE_RT_F32 || d == TILE_RT_F64;
  bool narrow = d == TILE_RT_F16 || d == TILE_RT_BF16;
  if (!wide && !narrow)
    return expectedType("D of an element type from f16 to f64, or i32", d);
  if (c != d)
    return expectedType(
        format("C to have the element type of D, %s", tileRtTypeName(d)), c);
  if (isFloat8(a) || isFloat8(b)) {
    if (d == TILE_RT_F64)
      return expectedType("D of type bf16, f16 or f32 where A and B are 8-bit",
                          d);
    for (auto [name, type] : {std::pair("A", a), std::pair("B", b)})
      if (!isFloat8(type))
        return expectedType(
            format("%s of type f8E4M3FN or f8E5M2 as the other factor", name),
            type);
    return "";
  }
  // Sums of 16-bit products are f32, whatever D is.
  bool widens = d == TILE_RT_F32 && (a == TILE_RT_F16 || a == TILE_RT_BF16);
  TileRtType factor = widens ? a : d;
  for (auto [name, type] : {std::pair("A", a), std::pair("B", b)})
    if (type != factor)
      return expectedType(format("%s to have the element type of %s, %s", name,
                                 widens ? "A" : "D", tileRtTypeName(factor)),
                          type);
  return "";
}
