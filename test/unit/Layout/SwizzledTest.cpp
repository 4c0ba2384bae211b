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
} // namespace

TEST(Swizzled, Products) {
  Random random(71);
  int64_t accepted = 0, refused = 0;
  for (int64_t i = 0, e = Random::cases(4000); i < e && !HasFailure(); ++i) {
    ComposedLayout block = makeBlock(random, 8 * random.number(0, 1));
    Layout grid = random.regularLayout(12, 2);
    Result<ComposedLayout> product = logicalProduct(block, Tiler(grid));
    if (!product) {
      refused += product.getReason().find("period") != std::string::npos;
      continue;
    }
    ++accepted;
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
  EXPECT_GT(accepted, Random::cases(4000) / 10);
  EXPECT_GT(refused, Random::cases(4000) / 10);
}

TEST(Swizzled, Complement) {
  Random random(72);
  int64_t accepted = 0, refused = 0;
  for (int64_t i = 0, e = Random::cases(4000); i < e && !HasFailure(); ++i) {
    ComposedLayout block = makeBlock(random, 0);
    int64_t cotarget = random.number(1, 8) * block.getSwizzle().getPeriod();
    Result<Layout> rest = complement(block, IntTuple(cotarget));
    if (!rest) {
      refused += rest.getReason().find("period") != std::string::npos;
      continue;
    }
    ++accepted;
    std::set<int64_t> once;
    for (int64_t j = 0, n = rest->size().getValue(); j < n; ++j) {
      std::set<int64_t> copy;
      for (int64_t k = 0, m = block.size().getValue(); k < m; ++k)
        copy.insert(block.at(k) + rest->at(j));
      for (int64_t value : copy)
        ASSERT_TRUE(once.insert(value).second)
            << SHOW(block) << SHOW(*rest) << value;
    }
  }
  EXPECT_GT(accepted, Random::cases(4000) / 10);
  EXPECT_GT(refused, 0);
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
