// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random layouts and brute-force oracles that know nothing of the algebra.
#ifndef TILE_TEST_UNIT_LAYOUT_RANDOM_H
#define TILE_TEST_UNIT_LAYOUT_RANDOM_H

#include "tile/Layout/ComposedAlgebra.h"
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace tile::test {

/// A seeded source of layouts. The seed is printed, so that a failure can be
/// repeated: TILE_PROPERTY_SEED sets it, TILE_PROPERTY_SCALE multiplies the
/// number of cases.
class Random {
public:
  explicit Random(uint64_t salt);

  /// Uniform in [low, high].
  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
  bool chance(int percent) { return number(1, 100) <= percent; }

  /// A shape of at most maxSize elements and the given depth.
  IntTuple shape(int64_t maxSize, unsigned maxDepth);
  /// A layout: bijective, with gaps, arbitrary, or with zero and negative
  /// strides.
  Layout layout(int64_t maxSize, unsigned maxDepth, bool allowNegative = true);
  /// A bijective layout.
  Layout regularLayout(int64_t maxSize, unsigned maxDepth) {
    return makeLayout(maxSize, maxDepth, 0, false);
  }
  /// A layout tiler or a by-mode tiler that mostly fits `layout`.
  Tiler tiler(const Layout &layout);
  /// A coordinate of the shape with wildcards.
  IntTuple coordinate(const IntTuple &shape, int wildcardPercent);
  Swizzle swizzle();

  static uint64_t seed();
  /// `base` cases, scaled by TILE_PROPERTY_SCALE.
  static int64_t cases(int64_t base);

private:
  Layout makeLayout(int64_t maxSize, unsigned maxDepth, int64_t kind,
                    bool allowNegative);
  IntTuple nest(llvm::ArrayRef<IntTuple> leaves, unsigned depth);

  std::mt19937_64 engine;
};

/// A layout as its leaf modes, for fast evaluation.
class Flat {
public:
  explicit Flat(const Layout &layout);
  /// The value at an index; the last leaf is open.
  int64_t operator()(int64_t index) const;

private:
  llvm::SmallVector<std::pair<int64_t, int64_t>, 6> modes;
};

/// The value at an index from the leaf modes alone; the last leaf is open.
int64_t evaluate(const Layout &layout, int64_t index);
/// The value at an index through swizzle and offset.
int64_t evaluate(const ComposedLayout &layout, int64_t index);
std::vector<int64_t> values(const Layout &layout);
int64_t sizeOf(const Layout &layout);

/// Whether f(0..size-1) is the value table of any layout: tries every
/// factorisation of the size.
bool isLayoutFunction(const std::function<int64_t(int64_t)> &function,
                      int64_t size);
/// Whether any layout with the profile of `inner` is outer o inner.
bool hasComposition(const Layout &outer, const Layout &inner);

/// Turns some of the integers into symbols with a true divisor. `values`
/// receives what they stand for.
class Symbolizer {
public:
  Symbolizer(Random &random, int percent) : random(random), percent(percent) {}
  Layout operator()(const Layout &layout);
  IntTuple operator()(const IntTuple &tuple);
  llvm::SmallVector<Int> values;

private:
  Random &random;
  int percent;
};

} // namespace tile::test

#endif // TILE_TEST_UNIT_LAYOUT_RANDOM_H
