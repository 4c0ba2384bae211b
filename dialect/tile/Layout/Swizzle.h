// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Swizzles, and layouts whose values pass through one.
#ifndef TILE_LAYOUT_SWIZZLE_H
#define TILE_LAYOUT_SWIZZLE_H

#include "tile/Layout/Layout.h"

namespace tile {

/// The xor of some bits of an index into others, `S<b, m, s>`: `b` bits that
/// start at bit m + s (m for a negative s) are xored into the `b` bits |s|
/// below (above for a negative s). The unit is that of the index it acts on.
///
///   S<2, 0, 3>:  x = 0b11010  ->  bits 3..4 = 0b11 xored into bits 0..1
///                               = 0b11001
///
/// A swizzle is its own inverse.
class Swizzle {
public:
  /// The identity, S<0, 0, 0>.
  Swizzle() = default;
  /// Requires b >= 0, m >= 0, |s| >= b and the bits to lie in 0..62.
  static Result<Swizzle> get(int64_t b, int64_t m, int64_t s);

  int64_t getBits() const { return b; }
  int64_t getBase() const { return m; }
  int64_t getShift() const { return s; }
  bool isIdentity() const { return b == 0; }
  /// The bits that are read, and the bits that they change.
  int64_t getSourceMask() const;
  int64_t getTargetMask() const;
  /// Adding a multiple of this number commutes with the swizzle.
  int64_t getPeriod() const;

  /// The swizzled index; constants and symbols.
  Int operator()(const Int &index) const;
  int64_t at(int64_t index) const;

  bool operator==(const Swizzle &other) const {
    return b == other.b && m == other.m && s == other.s;
  }
  bool operator!=(const Swizzle &other) const { return !(*this == other); }

  /// Prints `S<2, 3, 3>`.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  int64_t b = 0, m = 0, s = 0;
};

/// A swizzle after an offset after a layout: i -> S(offset + L(i)).
class ComposedLayout {
public:
  ComposedLayout() = default;
  /// Any plain layout is a composed one.
  ComposedLayout(Layout layout) : layout(std::move(layout)) {}
  /// Requires integer strides and a valid offset.
  static Result<ComposedLayout> get(Swizzle swizzle, Int offset, Layout layout);

  const Swizzle &getSwizzle() const { return swizzle; }
  const Int &getOffset() const { return offset; }
  const Layout &getLayout() const { return layout; }
  /// Neither swizzle nor offset.
  bool isPlain() const { return swizzle.isIdentity() && offset.isStatic(0); }

  unsigned rank() const { return layout.rank(); }
  bool isStatic() const { return layout.isStatic() && offset.isStatic(); }
  Int size() const { return layout.size(); }
  /// Span of the image, max - min + 1, of a static layout (found by
  /// enumeration where a swizzle acts); otherwise a bound: the span of the
  /// layout, rounded up to what the swizzle can reach.
  Result<Int> cosize() const;

  Result<IntTuple> operator()(const IntTuple &coordinate) const;
  int64_t at(int64_t index) const {
    return swizzle.at(offset.getValue() + layout.at(index));
  }

  ComposedLayout substitute(llvm::ArrayRef<Int> values) const;

  bool operator==(const ComposedLayout &other) const {
    return swizzle == other.swizzle && offset == other.offset &&
           layout == other.layout;
  }
  bool operator!=(const ComposedLayout &other) const {
    return !(*this == other);
  }

  /// Prints `S<2, 3, 3> o 0 o (8, 8) : (8, 1)`, or the plain layout.
  void print(llvm::raw_ostream &os, bool symbols = false) const;
  std::string str(bool symbols = false) const;
  /// Reads the house syntax or CuTe's `Sw<2,3,3> o _0 o (_8,_8):(_8,_1)`.
  static Result<ComposedLayout>
  parse(llvm::StringRef text,
        llvm::function_ref<Int(int64_t)> runTime = nullptr);

private:
  Swizzle swizzle;
  Int offset = 0;
  Layout layout;
};

llvm::hash_code hash_value(const Swizzle &swizzle);
llvm::hash_code hash_value(const ComposedLayout &layout);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Swizzle &swizzle);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const ComposedLayout &layout);

} // namespace tile

#endif // TILE_LAYOUT_SWIZZLE_H
