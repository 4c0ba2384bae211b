// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of one operand: random logical elements, NaN or a canary everywhere
// else.
#ifndef TILE_TEST_UNIT_SWEEP_IMAGE_H
#define TILE_TEST_UNIT_SWEEP_IMAGE_H

#include "Problem.h"

#include <vector>

namespace tile::sweep {

/// Numbers that depend on a seed only.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// In (-0.5, 1), never 0, all bits of a double in use.
  double number();

private:
  uint64_t state;
};

/// The host's copy of one operand's allocation, as bits of elements.
///
/// An input begins with `guard` NaNs and ends with its last logical element, so
/// that the simulator reports a read past it; D has `guard` canaries on either
/// side. Whatever lies between logical elements is NaN in an input and a canary
/// in D.
class Image {
public:
  /// Elements before the base (a multiple of 256 bytes), and after D.
  static constexpr int64_t guard = 64;

  Image(const Problem &problem, char name);

  const Geometry &getGeometry() const { return geometry; }
  /// Position in the allocation of element (0, 0, 0).
  int64_t getBase() const { return base; }
  int64_t getBytes() const { return static_cast<int64_t>(bytes.size()); }
  uint8_t *data() { return bytes.data(); }
  const uint8_t *data() const { return bytes.data(); }

  /// The element at a position of the allocation.
  template <typename T>
  const T &element(int64_t position) const {
    return reinterpret_cast<const T *>(bytes.data())[position];
  }
  /// The logical element.
  template <typename T>
  const T &at(int64_t batch, int64_t row, int64_t column) const {
    return element<T>(base + geometry.at(batch, row, column));
  }

  /// Copies the logical elements of `other`, which has the same extents.
  void copyLogical(const Image &other);
  /// The first position outside the logical elements whose bits differ from
  /// those of `before`, or -1.
  int64_t findForeignWrite(const Image &before) const;

private:
  Geometry geometry;
  int64_t base = 0, elementBytes = 4;
  std::vector<uint8_t> bytes;
};

} // namespace tile::sweep

#endif // TILE_TEST_UNIT_SWEEP_IMAGE_H
