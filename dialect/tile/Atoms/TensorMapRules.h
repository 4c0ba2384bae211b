// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensors a tensor map can describe: the rules, for the compiler and the
// runtime alike. Needs nothing but the standard library.
#ifndef TILE_ATOMS_TENSORMAPRULES_H
#define TILE_ATOMS_TENSORMAPRULES_H

#include <cstdint>
#include <optional>

namespace tile {

/// Numbers that cuTensorMapEncodeTiled documents, without interleaving: what
/// bases, strides and rows of boxes are multiples of, in bytes; the largest
/// extents; what strides are less than, in bytes.
struct TensorMapLimits {
  static constexpr int64_t kAlignment = 16;
  static constexpr int64_t kMaxBox = 256;
  static constexpr int64_t kMaxExtent = int64_t(1) << 32;
  static constexpr int64_t kStrideEnd = int64_t(1) << 40;
};

/// What is known of a tensor and of the box that a copy moves. Dimension 0 is
/// the contiguous one.
struct TensorMapShape {
  int64_t elementBytes = 2, swizzleBytes = 0;
  /// Up to 5.
  int rank = 2;
  int64_t box[5] = {1, 1, 1, 1, 1};
  /// What is not known breaks no rule.
  std::optional<int64_t> base, extents[5];
  /// Of dimensions 1 to rank - 1, in bytes.
  std::optional<int64_t> strides[4];
};

/// The rules, in the order in which they are looked at.
enum class TensorMapRule {
  None,
  /// Elements of 1, 2, 4 or 8 bytes; a swizzle of 0, 32, 64 or 128 bytes.
  ElementBytes,
  SwizzleBytes,
  /// A box of 1 to 256 elements along each dimension, whose rows are a multiple
  /// of 16 bytes, and no longer than the swizzle if there is one.
  BoxExtent,
  BoxRowMultiple,
  BoxRowSwizzle,
  /// A base at a multiple of 16; extents of 1 to 2^32; strides above 0, below
  /// 2^40, and multiples of 16. The stride of a single element does not matter.
  Base,
  Extent,
  StrideRange,
  StrideMultiple
};

/// The first rule that is broken, by which dimension and number.
struct TensorMapBreach {
  TensorMapRule rule = TensorMapRule::None;
  int dim = 0;
  int64_t value = 0;
  explicit operator bool() const { return rule != TensorMapRule::None; }
};

inline TensorMapBreach findTensorMapBreach(const TensorMapShape &shape) {
  using Limits = TensorMapLimits;
  using Rule = TensorMapRule;
  int64_t bytes = shape.elementBytes, swizzle = shape.swizzleBytes;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return {Rule::ElementBytes, 0, bytes};
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return {Rule::SwizzleBytes, 0, swizzle};
  for (int dim = 0; dim < shape.rank; ++dim)
    if (shape.box[dim] < 1 || shape.box[dim] > Limits::kMaxBox)
      return {Rule::BoxExtent, dim, shape.box[dim]};
  int64_t row = shape.box[0] * bytes;
  if (row % Limits::kAlignment != 0)
    return {Rule::BoxRowMultiple, 0, row};
  if (swizzle != 0 && row > swizzle)
    return {Rule::BoxRowSwizzle, 0, row};
  if (shape.base && *shape.base % Limits::kAlignment != 0)
    return {Rule::Base, 0, *shape.base};
  for (int dim = 0; dim < shape.rank; ++dim)
    if (const auto &extent = shape.extents[dim];
        extent && (*extent < 1 || *extent > Limits::kMaxExtent))
      return {Rule::Extent, dim, *extent};
  for (int dim = 1; dim < shape.rank; ++dim) {
    const std::optional<int64_t> &stride = shape.strides[dim - 1];
    if (!stride || shape.extents[dim] == 1)
      continue;
    if (*stride <= 0 || *stride >= Limits::kStrideEnd)
      return {Rule::StrideRange, dim, *stride};
    if (*stride % Limits::kAlignment != 0)
      return {Rule::StrideMultiple, dim, *stride};
  }
  return {};
}

} // namespace tile

#endif // TILE_ATOMS_TENSORMAPRULES_H
