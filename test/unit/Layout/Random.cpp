// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random layouts and brute-force oracles.
#include "Random.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace tile;
using namespace tile::test;

uint64_t Random::seed() {
  const char *text = std::getenv("TILE_PROPERTY_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 20250131;
}

int64_t Random::cases(int64_t base) {
  const char *text = std::getenv("TILE_PROPERTY_SCALE");
  return base * (text ? std::strtoll(text, nullptr, 10) : 1);
}

Random::Random(uint64_t salt) : engine(seed() * 1000003 + salt) {}

IntTuple Random::nest(llvm::ArrayRef<IntTuple> leaves, unsigned depth) {
  if (leaves.size() == 1 && !chance(10))
    return leaves.front();
  if (depth <= 1 || leaves.size() == 1)
    return IntTuple::tuple(leaves);
  llvm::SmallVector<IntTuple> modes;
  while (!leaves.empty()) {
    size_t count = number(1, std::min<int64_t>(leaves.size(), 3));
    modes.push_back(count == 1 && !chance(10)
                        ? leaves.front()
                        : nest(leaves.take_front(count), depth - 1));
    leaves = leaves.drop_front(count);
  }
  return IntTuple::tuple(modes);
}

IntTuple Random::shape(int64_t maxSize, unsigned maxDepth) {
  static const int64_t extents[] = {1, 2, 2, 2, 3,  4,  4,
                                    5, 6, 8, 8, 10, 12, 16};
  llvm::SmallVector<IntTuple> leaves;
  int64_t room = maxSize, count = number(1, 5);
  for (int64_t i = 0; i < count; ++i) {
    int64_t extent = extents[number(0, std::size(extents) - 1)];
    if (extent > room)
      extent = 1;
    room /= extent;
    leaves.push_back(extent);
  }
  unsigned depth = number(leaves.size() > 1 ? 1 : 0, maxDepth);
  return depth == 0 ? leaves.front() : nest(leaves, depth);
}

Layout Random::layout(int64_t maxSize, unsigned maxDepth, bool allowNegative) {
  return makeLayout(maxSize, maxDepth, number(0, 9), allowNegative);
}

Layout Random::makeLayout(int64_t maxSize, unsigned maxDepth, int64_t kind,
                          bool allowNegative) {
  IntTuple shape = this->shape(maxSize, maxDepth);
  llvm::SmallVector<IntTuple> extents(shape.getLeaves());
  llvm::SmallVector<int64_t> strides(extents.size());
  llvm::SmallVector<unsigned> order(extents.size());
  std::iota(order.begin(), order.end(), 0);
  if (!chance(35))
    std::shuffle(order.begin(), order.end(), engine);
  int64_t running = 1;
  for (unsigned leaf : order) {
    if (kind >= 4 && chance(25))
      running *= number(2, 3);
    if (kind >= 4 && kind < 7 && chance(15))
      running += number(1, 3);
    strides[leaf] = kind >= 7 && chance(60) ? number(0, 24) : running;
    running *= extents[leaf].getInt().getValue();
    if (kind == 6 && chance(30))
      strides[leaf] = 0;
    if (kind == 9 && allowNegative && chance(40))
      strides[leaf] = -strides[leaf];
  }
  unsigned next = 0;
  IntTuple stride = shape.mapLeaves(
      [&](const IntTuple &) -> IntTuple { return strides[next++]; });
  return *Layout::get(shape, stride);
}

Tiler Random::tiler(const Layout &layout) {
  if (layout.isLeaf() || chance(40))
    return Tiler(this->layout(16, 2, /*allowNegative=*/false));
  std::vector<Tiler> modes;
  unsigned count = number(1, layout.rank());
  for (unsigned i = 0; i < count; ++i) {
    if (chance(10)) {
      modes.push_back(Tiler::wildcard());
      continue;
    }
    int64_t size = sizeOf(layout[i]), tile = number(1, size);
    while (size % tile != 0 && !chance(10))
      tile = number(1, size);
    int64_t stride = chance(75) ? 1 : number(1, 4);
    modes.push_back(Tiler(*Layout::get(tile, stride)));
  }
  return Tiler::byMode(std::move(modes));
}

IntTuple Random::coordinate(const IntTuple &shape, int wildcardPercent) {
  if (chance(wildcardPercent))
    return IntTuple::wildcard();
  if (shape.isLeaf() || chance(20))
    return number(0, product(shape)->getValue() - 1);
  llvm::SmallVector<IntTuple> modes;
  for (const IntTuple &mode : shape)
    modes.push_back(coordinate(mode, wildcardPercent));
  return IntTuple::tuple(modes);
}

Swizzle Random::swizzle() {
  int64_t bits = number(0, 3), shift = number(bits, 4);
  return *Swizzle::get(bits, number(0, 3), chance(20) ? -shift : shift);
}

Flat::Flat(const Layout &layout) {
  for (const LeafMode &mode : layout.getLeafModes())
    modes.push_back({mode.extent.getValue(), mode.stride.getInt().getValue()});
}

int64_t Flat::operator()(int64_t index) const {
  int64_t sum = 0;
  for (unsigned i = 0; i < modes.size(); ++i) {
    int64_t digit = i + 1 < modes.size() ? index % modes[i].first : index;
    index /= modes[i].first;
    sum += digit * modes[i].second;
  }
  return sum;
}

int64_t tile::test::evaluate(const Layout &layout, int64_t index) {
  return Flat(layout)(index);
}

int64_t tile::test::evaluate(const ComposedLayout &layout, int64_t index) {
  int64_t value =
      layout.getOffset().getValue() + evaluate(layout.getLayout(), index);
  const Swizzle &swizzle = layout.getSwizzle();
  for (int64_t bit = 0; bit < swizzle.getBits(); ++bit) {
    int64_t shift = swizzle.getShift(), base = swizzle.getBase() + bit;
    int64_t from = shift >= 0 ? base + shift : base;
    int64_t to = shift >= 0 ? base : base - shift;
    // Source bits are never changed, so bit by bit is the same as all at once.
    value ^= (value >> from & 1) << to;
  }
  return value;
}

int64_t tile::test::sizeOf(const Layout &layout) {
  return layout.size().getValue();
}

std::vector<int64_t> tile::test::values(const Layout &layout) {
  std::vector<int64_t> result;
  Flat flat(layout);
  for (int64_t i = 0, e = sizeOf(layout); i < e; ++i)
    result.push_back(flat(i));
  return result;
}

bool tile::test::isLayoutFunction(
    const std::function<int64_t(int64_t)> &function, int64_t size) {
  if (size == 1)
    return function(0) == 0;
  for (int64_t first = 2; first <= size; ++first) {
    if (size % first != 0)
      continue;
    bool linear = true;
    for (int64_t i = 0; i < first && linear; ++i)
      linear = function(i) == i * function(1);
    if (!linear)
      return false; // Longer first modes are not linear either.
    bool separable = true;
    for (int64_t i = 0; i < size && separable; ++i)
      separable =
          function(i) == function(i % first) + function(i / first * first);
    auto rest = [&](int64_t i) { return function(i * first); };
    if (separable && isLayoutFunction(rest, size / first))
      return true;
  }
  return false;
}

bool tile::test::hasComposition(const Layout &outer, const Layout &inner) {
  Flat outerAt(outer), innerAt(inner);
  std::vector<std::pair<int64_t, int64_t>> modes;
  for (const LeafMode &mode : inner.getLeafModes())
    modes.push_back({mode.extent.getValue(), mode.stride.getInt().getValue()});
  for (auto [extent, stride] : modes) {
    int64_t step = stride;
    auto function = [&](int64_t i) { return outerAt(i * step); };
    if (!isLayoutFunction(function, extent))
      return false;
  }
  for (int64_t i = 0, e = sizeOf(inner); i < e; ++i) {
    int64_t rest = i, sum = 0;
    for (auto [extent, stride] : modes) {
      sum += outerAt(rest % extent * stride);
      rest /= extent;
    }
    if (sum != outerAt(innerAt(i)))
      return false;
  }
  return true;
}

IntTuple Symbolizer::operator()(const IntTuple &tuple) {
  return tuple.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (!leaf.isInt() || !random.chance(percent))
      return leaf;
    int64_t value = leaf.getInt().getValue();
    // Known to be dynamic, and to be some divisor's multiple.
    int64_t div = 1;
    if (value > 0)
      for (int64_t attempt = 0; attempt < 3; ++attempt) {
        int64_t candidate = random.number(1, value);
        if (value % candidate == 0)
          div = std::max(div, candidate);
      }
    if (value <= 0)
      return leaf;
    if (random.chance(40))
      div = value;
    values.push_back(value);
    return Int::symbol(values.size() - 1, div);
  });
}

Layout Symbolizer::operator()(const Layout &layout) {
  IntTuple shape = (*this)(layout.getShape());
  IntTuple stride = (*this)(layout.getStride());
  return *Layout::get(shape, stride);
}
