// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products, complements and common layouts of swizzled layouts against
// enumeration.
#include "Random.h"
#include "tile/Layout/ComposedAlgebra.h"
#include "gtest/gtest.h"
#include <set>

using namespace tile;
using namespace tile::test;

#define SHOW(x) #x " = " + (x).str() + "\n"

namespace {
/// A swizzled layout, small or as large as some periods of its swizzle.
ComposedLayout makeBlock(Random &random, int64_t offset) {
  while (true) {
    Swizzle swizzle = random.swizzle();
    if (swizzle.getPeriod() > 512)
      continue;
    Layout layout = random.chance(70) ? random.regularLayout(256, 2)
                                      : random.layout(64, 2, false);
    if (random.chance(50))
      if (Result<Layout> whole =
              Layout::get(IntTuple::constants({swizzle.getPeriod() / 2, 2}),
                          IntTuple::constants({2, 1}));
          whole && swizzle.getPeriod() > 1)
        layout = *whole;
    if (Result<ComposedLayout> block =
            ComposedLayout::get(swizzle, offset, layout))
      return *block;
  }
}

/// Copies of the block, one for each repetition, all of them the block moved.
void expectCopies(const ComposedLayout &block, const ComposedLayout &result,
                  const std::string &what) {
  int64_t size = block.size().getValue(), all = result.size().getValue();
  for (int64_t i = 0; i < all; ++i)
    ASSERT_EQ(result.at(i) - result.at(i / size * size),
              block.at(i % size) - block.at(0))
        << what << SHOW(block) << SHOW(result) << i;
  for (int64_t i = 0; i < size; ++i)
    ASSERT_EQ(result.at(i), block.at(i)) << what << SHOW(block) << SHOW(result);
}

/// Every swizzle of bits below 2^9.
const std::vector<Swizzle> &allSwizzles() {
  static const std::vector<Swizzle> swizzles = [] {
    std::vector<Swizzle> all{Swizzle()};
    for (int64_t bits = 1; bits <= 4; ++bits)
      for (int64_t base = 0; base + bits <= 9; ++base)
        for (int64_t shift = -8; shift <= 8; ++shift)
          if (base + bits + std::abs(shift) <= 9)
            if (Result<Swizzle> swizzle = Swizzle::get(bits, base, shift))
              all.push_back(*swizzle);
    return all;
  }();
  return swizzles;
}

/// The layout under `swizzle` with the values of a block, if there is one: what
/// is left when the swizzle is undone, mode by mode.
std::optional<Layout> undo(const ComposedLayout &block,
                           const Swizzle &swizzle) {
  int64_t origin = swizzle.at(block.at(0)), unit = 1;
  llvm::SmallVector<Layout> modes;
  auto inside = [&](int64_t i) { return swizzle.at(block.at(i)) - origin; };
  for (const LeafMode &leaf : block.getLayout().getLeafModes()) {
    int64_t extent = leaf.extent.getValue();
    llvm::SmallVector<IntTuple> shape, stride;
    for (int64_t step = 1, run; step < extent; step *= run) {
      int64_t first = inside(unit * step);
      for (run = 2; run * step < extent && extent % (run * step) != 0;)
        ++run;
      while (run * step < extent && inside(unit * step * run) == first * run)
        for (++run; run * step < extent && extent % (run * step) != 0;)
          ++run;
      shape.push_back(run);
      stride.push_back(first);
    }
    if (shape.empty()) {
      shape.push_back(1);
      stride.push_back(0);
    }
    modes.push_back(
        *Layout::get(IntTuple::tuple(shape), IntTuple::tuple(stride)));
    unit *= extent;
  }
  Layout flat = Layout::concat(modes);
  for (int64_t i = 0; i < unit; ++i)
    if (flat.at(i) != inside(i))
      return std::nullopt;
  return flat;
}

/// Whether all copies are the block moved.
bool areCopies(const ComposedLayout &block, const ComposedLayout &all) {
  int64_t size = block.size().getValue();
  for (int64_t i = 0, e = all.size().getValue(); i < e; ++i)
    if (all.at(i) - all.at(i / size * size) != block.at(i % size) - block.at(0))
      return false;
  return true;
}

/// The power of two above all values.
int64_t getBits(const ComposedLayout &block) {
  int64_t bits = 1;
  for (int64_t i = 0, e = block.size().getValue(); i < e; ++i)
    while (bits <= block.at(i))
      bits *= 2;
  return bits;
}

/// Whether copies of the block moved by `rest` reach no value twice.
bool areDisjoint(const ComposedLayout &block, const Layout &rest) {
  std::set<int64_t> image, once;
  for (int64_t k = 0, m = block.size().getValue(); k < m; ++k)
    image.insert(block.at(k));
  for (int64_t j = 0, n = rest.size().getValue(); j < n; ++j)
    for (int64_t value : image)
      if (!once.insert(value + rest.at(j)).second)
        return false;
  return true;
}

/// A swizzle under which the block has a product by the grid, of those that
/// move bits of its values.
std::optional<Swizzle> findProduct(const ComposedLayout &block,
                                   const Layout &grid) {
  int64_t bits = getBits(block);
  for (const Swizzle &swizzle : allSwizzles()) {
    if (!swizzle.isIdentity() && swizzle.getPeriod() > bits)
      continue;
    std::optional<Layout> inside = undo(block, swizzle);
    if (!inside)
      continue;
    if (Result<Layout> product = logicalProduct(*inside, Tiler(grid)))
      if (areCopies(block, *ComposedLayout::get(
                               swizzle, swizzle.at(block.at(0)), *product)))
        return swizzle;
  }
  return std::nullopt;
}
} // namespace

// Accepted: every copy is the block moved. Refused: it is not, under whatever
// swizzle and layout the block is written with.
TEST(Swizzled, Products) {
  Random random(71);
  int64_t accepted = 0, odd = 0, refused = 0, possible = 0;
  for (int64_t i = 0, e = Random::cases(2500); i < e && !HasFailure(); ++i) {
    ComposedLayout block = makeBlock(random, 8 * random.number(0, 1));
    Layout grid = random.regularLayout(12, 2);
    Result<Layout> inside = logicalProduct(block.getLayout(), Tiler(grid));
    Result<ComposedLayout> product = logicalProduct(block, Tiler(grid));
    if (!inside) {
      ASSERT_FALSE(product) << SHOW(block) << SHOW(grid);
      continue;
    }
    if (!product) {
      ++refused;
      EXPECT_NE(product.getReason().find("period"), std::string::npos);
      if (std::optional<Swizzle> form = findProduct(block, grid)) {
        ++possible;
        ADD_FAILURE() << "possible with " << form->str() << "\n"
                      << SHOW(block) << SHOW(grid);
      }
      continue;
    }
    ++accepted;
    for (const LeafMode &mode : (*inside)[1].getLeafModes())
      odd += !mode.extent.isStatic(1) &&
             !mode.stride.getInt().isMultipleOf(block.getSwizzle().getPeriod());
    expectCopies(block, *product, "logical ");
    // The other products have the same values in another order.
    auto sorted = [](const ComposedLayout &layout) {
      std::multiset<int64_t> values;
      for (int64_t k = 0, n = layout.size().getValue(); k < n; ++k)
        values.insert(layout.at(k));
      return values;
    };
    for (auto function :
         {static_cast<Result<ComposedLayout> (*)(const ComposedLayout &,
                                                 const Tiler &)>(zippedProduct),
          static_cast<Result<ComposedLayout> (*)(const ComposedLayout &,
                                                 const Tiler &)>(tiledProduct),
          static_cast<Result<ComposedLayout> (*)(
              const ComposedLayout &, const Tiler &)>(flatProduct)}) {
      Result<ComposedLayout> other = function(block, Tiler(grid));
      ASSERT_TRUE(other) << SHOW(block) << SHOW(grid);
      ASSERT_EQ(sorted(*other), sorted(*product)) << SHOW(block) << SHOW(grid);
    }
    Result<ComposedLayout> blocked = blockedProduct(block, grid);
    Result<ComposedLayout> raked = rakedProduct(block, grid);
    ASSERT_EQ(bool(blocked), bool(raked));
    if (blocked) {
      ASSERT_EQ(sorted(*blocked), sorted(*raked));
    }
  }
  std::printf("products: %lld accepted, %lld of them off the period, %lld "
              "refused, %lld of them possible\n",
              (long long)accepted, (long long)odd, (long long)refused,
              (long long)possible);
  EXPECT_GT(odd, Random::cases(2500) / 10);
  EXPECT_GT(refused, Random::cases(2500) / 20);
}

TEST(Swizzled, Complement) {
  Random random(72);
  int64_t accepted = 0, odd = 0, refused = 0;
  for (int64_t i = 0, e = Random::cases(4000); i < e && !HasFailure(); ++i) {
    ComposedLayout block = makeBlock(random, 0);
    int64_t cotarget = random.number(1, 8) * block.getSwizzle().getPeriod();
    Result<Layout> rest = complement(block, IntTuple(cotarget));
    if (!rest) {
      refused += rest.getReason().find("period") != std::string::npos;
      if (!complement(block.getLayout(), IntTuple(cotarget)))
        continue;
      // However the block is written, copies of it meet.
      for (const Swizzle &swizzle : allSwizzles())
        if (std::optional<Layout> inside = undo(block, swizzle);
            inside && swizzle.getPeriod() <= getBits(block))
          if (Result<Layout> other = complement(*inside, IntTuple(cotarget))) {
            ASSERT_FALSE(areDisjoint(block, *other))
                << SHOW(block) << SHOW(swizzle) << SHOW(*other);
          }
      continue;
    }
    ++accepted;
    for (const LeafMode &mode : rest->getLeafModes())
      odd += !mode.extent.isStatic(1) &&
             !mode.stride.getInt().isMultipleOf(block.getSwizzle().getPeriod());
    ASSERT_TRUE(areDisjoint(block, *rest)) << SHOW(block) << SHOW(*rest);
  }
  std::printf("complements: %lld accepted, %lld off the period, %lld refused\n",
              (long long)accepted, (long long)odd, (long long)refused);
  EXPECT_GT(accepted, Random::cases(4000) / 10);
  EXPECT_GT(odd, Random::cases(4000) / 20);
  EXPECT_GT(refused, 0);
}

// A mode put into a layout has its values there, or those that the layout's
// swizzle gives to a plain one; the other modes keep theirs.
TEST(Swizzled, Insert) {
  Random random(75);
  int64_t swizzledModes = 0, refused = 0;
  for (int64_t i = 0, e = Random::cases(6000); i < e && !HasFailure(); ++i) {
    ComposedLayout block = makeBlock(random, 0);
    ComposedLayout mode = random.chance(40) ? makeBlock(random, 0) : block;
    if (random.chance(50))
      block = ComposedLayout(random.chance(50) ? random.layout(8, 2, false)
                                               : random.regularLayout(32, 2));
    if (block.size().getValue() * mode.size().getValue() > 4096)
      continue;
    Result<ComposedLayout> appended = append(block, mode);
    Result<ComposedLayout> prepended = prepend(block, mode);
    ASSERT_EQ(bool(appended), bool(prepended)) << SHOW(block) << SHOW(mode);
    Result<ComposedLayout> replaced = replaceMode(block, 0, mode);
    if (!appended) {
      ++refused;
      ASSERT_FALSE(mode.getSwizzle().isIdentity());
      continue;
    }
    bool isPlain = block.getSwizzle().isIdentity();
    swizzledModes += !appended->isPlain();
    int64_t size = block.size().getValue(), count = mode.size().getValue();
    for (int64_t k = 0, n = size * count; k < n; ++k) {
      // Alone each mode is what it was; where one of them is plain, together
      // they are the sum.
      int64_t a = block.at(k % size), b = mode.at(k / size);
      if (k < size) {
        ASSERT_EQ(appended->at(k), a) << SHOW(block) << SHOW(mode);
      }
      if (k % size == 0 &&
          (isPlain || mode.getSwizzle() == block.getSwizzle())) {
        ASSERT_EQ(appended->at(k), b + a) << SHOW(block) << SHOW(mode);
      }
      if (isPlain) {
        ASSERT_EQ(appended->at(k), a + b) << SHOW(block) << SHOW(mode);
        ASSERT_EQ(prepended->at(k / size + k % size * count), a + b);
      }
    }
    if (replaced && block.rank() > 0 && isPlain) {
      ASSERT_EQ(replaced->size().getValue() * sizeOf(block.getLayout()[0]),
                size * count);
      for (int64_t k = 0; k < count; ++k)
        ASSERT_EQ(replaced->at(k), mode.at(k)) << SHOW(block) << SHOW(mode);
    }
  }
  std::printf("modes: %lld swizzled, %lld refused\n", (long long)swizzledModes,
              (long long)refused);
  EXPECT_GT(swizzledModes, Random::cases(6000) / 10);
  EXPECT_GT(refused, Random::cases(6000) / 20);
}

TEST(Swizzled, Nullspace) {
  Random random(73);
  for (int64_t i = 0, e = Random::cases(1000); i < e && !HasFailure(); ++i) {
    ComposedLayout block = makeBlock(random, 0);
    Result<Layout> null = nullspace(block);
    ASSERT_TRUE(null) << SHOW(block);
    for (int64_t k = 0, n = null->size().getValue(); k < n; ++k)
      ASSERT_EQ(block.at(null->at(k)), 0) << SHOW(block) << SHOW(*null);
  }
}

TEST(Swizzled, MaxCommonLayout) {
  Random random(74);
  int64_t longRuns = 0;
  for (int64_t i = 0, e = Random::cases(4000); i < e && !HasFailure(); ++i) {
    ComposedLayout lhs = makeBlock(random, 0), rhs = lhs;
    if (random.chance(50))
      rhs = ComposedLayout(random.regularLayout(64, 2));
    Result<Layout> common = maxCommonLayout(lhs, rhs);
    Result<int64_t> count = maxCommonVector(lhs, rhs);
    ASSERT_EQ(bool(common), bool(count)) << SHOW(lhs) << SHOW(rhs);
    if (!common)
      continue;
    int64_t size = common->size().getValue();
    ASSERT_EQ(*count % size, 0) << SHOW(lhs) << SHOW(rhs);
    for (int64_t k = 0; k < size; ++k) {
      ASSERT_EQ(lhs.at(common->at(k)), k) << SHOW(lhs) << SHOW(*common);
      ASSERT_EQ(rhs.at(common->at(k)), k) << SHOW(rhs) << SHOW(*common);
    }
    longRuns += size > 1;
  }
  EXPECT_GT(longRuns, Random::cases(4000) / 20);
}
