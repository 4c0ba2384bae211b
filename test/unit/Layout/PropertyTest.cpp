// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Property tests: random layouts, every operation against enumeration.
#include "Random.h"
#include "gtest/gtest.h"
#include <numeric>
#include <set>

using namespace tile;
using namespace tile::test;

namespace {

/// Counts cases over all tests of this file and checks the total at the end.
class Property : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    std::printf("property seed: %llu\n", (unsigned long long)Random::seed());
  }
  static void TearDownTestSuite() {
    std::printf("property cases: %lld\n", (long long)total);
    if (!::testing::GTEST_FLAG(filter).compare("*")) {
      EXPECT_GE(total, 100000);
    }
  }
  /// Runs `body` until its share of cases is done or it failed.
  template <class F>
  void repeat(int64_t base, uint64_t salt, F body) {
    Random random(salt);
    for (int64_t i = 0, e = Random::cases(base); i < e && !HasFailure(); ++i) {
      body(random);
      ++total;
    }
  }
  static int64_t total;
};
int64_t Property::total = 0;

#define SHOW(x) #x " = " + (x).str() + "\n"

std::vector<int64_t> sorted(std::vector<int64_t> list) {
  std::sort(list.begin(), list.end());
  return list;
}

TEST_F(Property, PrintParse) {
  repeat(6000, 1, [](Random &random) {
    Layout layout = random.layout(256, 3);
    Result<Layout> again = Layout::parse(layout.str());
    ASSERT_TRUE(again) << layout.str() << again.getReason();
    ASSERT_EQ(*again, layout);
    ASSERT_EQ(hash_value(*again), hash_value(layout));
    Result<ComposedLayout> composed =
        ComposedLayout::get(random.swizzle(), random.number(0, 9), layout);
    ASSERT_EQ(*ComposedLayout::parse(composed->str()), *composed);
    Tiler tiler = random.tiler(layout);
    ASSERT_EQ(*Tiler::parse(tiler.str()), tiler) << tiler.str();
  });
}

TEST_F(Property, Evaluate) {
  repeat(6000, 2, [](Random &random) {
    Layout layout = random.layout(256, 3);
    std::vector<int64_t> table = values(layout);
    int64_t low = *std::min_element(table.begin(), table.end());
    int64_t high = *std::max_element(table.begin(), table.end());
    ASSERT_EQ(layout.cosize().getValue(), high - low + 1) << layout.str();
    Flat flat(layout);
    for (int64_t i = 0, e = sizeOf(layout) + 5; i < e; ++i) {
      ASSERT_EQ(layout.at(i), flat(i)) << layout.str();
      Result<IntTuple> value = layout(IntTuple(i));
      ASSERT_TRUE(value && value->isStatic(flat(i)));
    }
    int64_t i = random.number(0, sizeOf(layout) - 1);
    Result<IntTuple> coordinate = idx2crd(IntTuple(i), layout.getShape());
    ASSERT_TRUE(coordinate && isCongruent(*coordinate, layout.getShape()));
    ASSERT_TRUE(layout(*coordinate)->isStatic(table[i]));
    ASSERT_TRUE(crd2idx(*coordinate, layout.getShape())->isStatic(i));
    ASSERT_TRUE(*elemLess(*coordinate, layout.getShape()));
  });
}

TEST_F(Property, CoalesceAndFilter) {
  repeat(6000, 3, [](Random &random) {
    Layout layout = random.layout(256, 3), result = coalesce(layout);
    ASSERT_EQ(values(result), values(layout)) << SHOW(layout) << SHOW(result);
    ASSERT_LE(result.depth(), 1u);
    ASSERT_EQ(coalesce(result), result);
    llvm::SmallVector<LeafMode, 4> modes = result.getLeafModes();
    for (unsigned i = 0; i + 1 < modes.size(); ++i)
      ASSERT_NE(modes[i].extent.getValue() *
                    modes[i].stride.getInt().getValue(),
                modes[i + 1].stride.getInt().getValue())
          << SHOW(layout) << SHOW(result);

    Layout filtered = filter(layout);
    std::vector<int64_t> before = values(layout), after = values(filtered);
    ASSERT_EQ(std::set<int64_t>(before.begin(), before.end()),
              std::set<int64_t>(after.begin(), after.end()));
    ASSERT_EQ(coalesce(filterZeros(layout)), filtered);
    if (!layout.isLeaf()) {
      Result<Layout> byMode =
          coalesce(layout, IntTuple::tuple(llvm::SmallVector<IntTuple>(
                               layout.rank(), IntTuple(1))));
      ASSERT_TRUE(byMode && byMode->rank() == layout.rank());
      for (unsigned k = 0; k < layout.rank(); ++k)
        ASSERT_EQ(values((*byMode)[k]), values(layout[k]));
    }
  });
}

TEST_F(Property, Composition) {
  int64_t accepted = 0;
  repeat(24000, 4, [&](Random &random) {
    Layout outer = random.layout(256, 3), inner = random.layout(64, 3);
    Result<Layout> result = composition(outer, inner);
    ASSERT_EQ(bool(result), hasComposition(outer, inner))
        << SHOW(outer) << SHOW(inner) << result.getReason();
    if (!result) {
      ASSERT_FALSE(result.getReason().empty());
      return;
    }
    ++accepted;
    ASSERT_EQ(sizeOf(*result), sizeOf(inner));
    ASSERT_TRUE(isCompatible(inner.getShape(), result->getShape()))
        << SHOW(outer) << SHOW(inner) << SHOW(*result);
    Flat resultAt(*result), outerAt(outer), innerAt(inner);
    for (int64_t i = 0, e = sizeOf(inner); i < e; ++i)
      ASSERT_EQ(resultAt(i), outerAt(innerAt(i)))
          << SHOW(outer) << SHOW(inner) << SHOW(*result);
  });
  // Both outcomes must occur often for the test to mean something.
  EXPECT_GT(accepted, Random::cases(24000) / 5);
  EXPECT_LT(accepted, Random::cases(24000) * 4 / 5);
}

TEST_F(Property, CompositionByMode) {
  repeat(8000, 5, [](Random &random) {
    Layout outer = random.layout(256, 3);
    Tiler tiler = random.tiler(outer);
    Result<Layout> result = composition(outer, tiler);
    if (tiler.isLayout())
      return;
    bool defined = true;
    for (unsigned k = 0; k < tiler.rank(); ++k)
      if (tiler.getModes()[k].isLayout())
        defined &= hasComposition(outer[k], tiler.getModes()[k].getLayout());
    ASSERT_EQ(bool(result), defined) << SHOW(outer) << SHOW(tiler);
    if (!result)
      return;
    for (unsigned k = 0; k < tiler.rank(); ++k) {
      if (tiler.getModes()[k].isWildcard()) {
        ASSERT_EQ((*result)[k], outer[k]);
        continue;
      }
      Layout inner = tiler.getModes()[k].getLayout();
      for (int64_t i = 0; i < sizeOf(inner); ++i)
        ASSERT_EQ(evaluate((*result)[k], i),
                  evaluate(outer[k], evaluate(inner, i)));
    }
  });
}

TEST_F(Property, Complement) {
  int64_t accepted = 0;
  repeat(12000, 6, [&](Random &random) {
    Layout layout = random.layout(64, 3);
    int64_t target = random.number(1, 300);
    Result<Layout> result = complement(layout, target);
    // The rule: by increasing stride, each stride clears the span so far.
    std::vector<std::pair<int64_t, int64_t>> modes;
    bool negative = false;
    for (const LeafMode &mode : layout.getLeafModes()) {
      int64_t stride = mode.stride.getInt().getValue();
      if (stride == 0 || mode.extent.getValue() == 1)
        continue;
      negative |= stride < 0;
      modes.push_back({stride, mode.extent.getValue()});
    }
    std::sort(modes.begin(), modes.end());
    int64_t span = 1;
    bool clear = !negative;
    for (auto [stride, extent] : modes) {
      clear &= stride >= span;
      span = stride * extent;
    }
    ASSERT_EQ(bool(result), clear) << SHOW(layout) << result.getReason();
    if (!result)
      return;
    ++accepted;
    std::vector<int64_t> base = values(layout), rest = values(*result);
    ASSERT_TRUE(std::is_sorted(rest.begin(), rest.end())) << SHOW(*result);
    std::set<int64_t> image(base.begin(), base.end()), sums;
    for (int64_t a : image)
      for (int64_t b : rest)
        sums.insert(a + b);
    ASSERT_EQ(sums.size(), image.size() * rest.size())
        << SHOW(layout) << SHOW(*result);
    // Where every stride continues the span, nothing is left out.
    int64_t running = 1;
    bool exact = true;
    for (auto [stride, extent] : modes) {
      exact &= stride % running == 0;
      running = stride * extent;
    }
    if (exact) {
      ASSERT_EQ(*sums.rbegin() + 1, int64_t(sums.size())) << SHOW(layout);
      ASSERT_GE(int64_t(sums.size()), target) << SHOW(layout);
    }
  });
  EXPECT_GT(accepted, Random::cases(12000) / 5);
}

TEST_F(Property, Inverses) {
  repeat(12000, 7, [](Random &random) {
    Layout layout = random.layout(256, 3);
    std::vector<int64_t> table = values(layout);
    Result<Layout> right = rightInverse(layout);
    ASSERT_TRUE(right);
    for (int64_t i = 0; i < sizeOf(*right); ++i)
      ASSERT_EQ(evaluate(layout, evaluate(*right, i)), i)
          << SHOW(layout) << SHOW(*right);
    // Maximal: no mode continues where the inverse ends.
    for (const LeafMode &mode : layout.getLeafModes())
      ASSERT_FALSE(mode.extent.getValue() > 1 &&
                   mode.stride.isStatic(sizeOf(*right)))
          << SHOW(layout) << SHOW(*right);

    Result<Layout> left = leftInverse(layout);
    bool injective =
        std::set<int64_t>(table.begin(), table.end()).size() == table.size();
    std::vector<int64_t> strides;
    bool nonNegative = true;
    for (const LeafMode &mode : layout.getLeafModes())
      if (mode.extent.getValue() > 1) {
        strides.push_back(mode.stride.getInt().getValue());
        nonNegative &= strides.back() >= 0;
      }
    std::sort(strides.begin(), strides.end());
    bool divide = true;
    for (size_t k = 0; k + 1 < strides.size(); ++k)
      divide &= strides[k] != 0 && strides[k + 1] % strides[k] == 0;
    ASSERT_EQ(bool(left), injective && divide && nonNegative)
        << SHOW(layout) << left.getReason();
    if (left) {
      Flat back(*left);
      for (size_t i = 0; i < table.size(); ++i)
        ASSERT_EQ(back(table[i]), int64_t(i)) << SHOW(layout) << SHOW(*left);
    }

    Result<Layout> null = nullspace(layout);
    ASSERT_TRUE(null);
    std::set<int64_t> seen;
    for (int64_t i = 0; i < sizeOf(*null); ++i) {
      ASSERT_EQ(evaluate(layout, evaluate(*null, i)), 0);
      seen.insert(evaluate(*null, i));
    }
    ASSERT_EQ(int64_t(seen.size()), sizeOf(*null)) << SHOW(layout);
  });
}

TEST_F(Property, Divide) {
  int64_t accepted = 0;
  repeat(10000, 8, [&](Random &random) {
    Layout layout = random.layout(256, 3);
    Tiler tiler = random.tiler(layout);
    Result<Layout> logical = logicalDivide(layout, tiler);
    Result<Layout> zipped = zippedDivide(layout, tiler);
    Result<Layout> tiled = tiledDivide(layout, tiler);
    Result<Layout> flat = flatDivide(layout, tiler);
    ASSERT_EQ(bool(logical), bool(zipped)) << SHOW(layout) << SHOW(tiler);
    ASSERT_EQ(bool(tiled), bool(zipped));
    ASSERT_EQ(bool(flat), bool(zipped));
    // Accepted exactly if mode and divisor compose.
    bool defined = true;
    auto check = [&](const Layout &mode, const Tiler &part,
                     const Layout *result) {
      if (!part.isLayout())
        return;
      Result<Layout> rest = complement(part.getLayout(), sizeOf(mode));
      defined &= bool(rest);
      if (!rest)
        return;
      Layout divisor = Layout::concat({part.getLayout(), *rest});
      defined &= hasComposition(mode, divisor);
      if (!result)
        return;
      Flat resultAt(*result), modeAt(mode), divisorAt(divisor);
      for (int64_t i = 0, e = sizeOf(divisor); i < e; ++i)
        ASSERT_EQ(resultAt(i), modeAt(divisorAt(i)))
            << SHOW(layout) << SHOW(tiler) << SHOW(*result);
    };
    if (tiler.isLayout()) {
      check(layout, tiler, logical ? &*logical : nullptr);
    } else {
      for (unsigned k = 0; k < tiler.rank(); ++k) {
        std::optional<Layout> part;
        if (logical)
          part = (*logical)[k];
        check(layout[k], tiler.getModes()[k], part ? &*part : nullptr);
      }
    }
    ASSERT_EQ(bool(logical), defined)
        << SHOW(layout) << SHOW(tiler) << logical.getReason();
    if (!logical)
      return;
    ++accepted;
    // The arrangements hold the same elements; zipped keeps (tile, rest).
    std::vector<int64_t> elements = sorted(values(*logical));
    ASSERT_EQ(sorted(values(*zipped)), elements);
    ASSERT_EQ(values(*tiled), values(*zipped));
    ASSERT_EQ(values(*flat), values(*zipped));
    ASSERT_EQ((*tiled)[0], (*zipped)[0]);
    if (!tiler.isLayout())
      for (unsigned k = 0; k < tiler.rank(); ++k)
        if (tiler.getModes()[k].isLayout()) {
          ASSERT_EQ((*zipped)[0][k], (*logical)[k][0]);
          ASSERT_EQ((*zipped)[1][k], (*logical)[k][1]);
        }
  });
  EXPECT_GT(accepted, Random::cases(10000) / 5);
}

TEST_F(Property, Product) {
  int64_t accepted = 0;
  repeat(10000, 9, [&](Random &random) {
    Layout block =
        random.chance(30) ? random.layout(32, 2) : random.regularLayout(32, 2);
    Layout tiler = random.chance(30) ? random.layout(16, 2, false)
                                     : random.regularLayout(16, 2);
    Result<Layout> logical = logicalProduct(block, Tiler(tiler));
    // Room for all copies, however many gaps the block has.
    Result<Layout> room =
        complement(block, 10000000 * tiler.cosize().getValue());
    bool defined = room && hasComposition(*room, tiler);
    ASSERT_EQ(bool(logical), defined)
        << SHOW(block) << SHOW(tiler) << logical.getReason();
    if (!logical)
      return;
    ++accepted;
    ASSERT_EQ((*logical)[0], block);
    Layout copies = (*logical)[1];
    std::set<int64_t> image, starts, all;
    for (int64_t i = 0; i < sizeOf(block); ++i)
      image.insert(evaluate(block, i));
    for (int64_t t = 0; t < sizeOf(tiler); ++t) {
      ASSERT_EQ(evaluate(copies, t), evaluate(*room, evaluate(tiler, t)));
      starts.insert(evaluate(copies, t));
    }
    for (int64_t a : image)
      for (int64_t b : starts)
        all.insert(a + b);
    ASSERT_EQ(all.size(), image.size() * starts.size())
        << SHOW(block) << SHOW(tiler);
    ASSERT_EQ(*zippedProduct(block, Tiler(tiler)), *logical);
    ASSERT_EQ(values(*tiledProduct(block, Tiler(tiler))), values(*logical));
    ASSERT_EQ(values(*flatProduct(block, Tiler(tiler))), values(*logical));
  });
  EXPECT_GT(accepted, Random::cases(10000) / 5);
}

TEST_F(Property, BlockedAndRaked) {
  repeat(6000, 10, [](Random &random) {
    Layout block = random.regularLayout(32, 2);
    Layout tiler = random.regularLayout(16, 2);
    Result<Layout> blocked = blockedProduct(block, tiler);
    Result<Layout> raked = rakedProduct(block, tiler);
    ASSERT_EQ(bool(blocked), bool(raked));
    if (!blocked)
      return;
    unsigned rank = std::max(block.rank(), tiler.rank());
    ASSERT_EQ(blocked->rank(), rank);
    Layout left = appendRank(block, rank), right = appendRank(tiler, rank);
    Layout product = *logicalProduct(left, Tiler(right));
    // Element (b, t) of every mode, at random.
    llvm::SmallVector<IntTuple> b, t, blockedAt, rakedAt;
    for (unsigned k = 0; k < rank; ++k) {
      b.push_back(random.number(0, sizeOf(left[k]) - 1));
      t.push_back(random.number(0, sizeOf(right[k]) - 1));
      blockedAt.push_back(IntTuple::tuple({b[k], t[k]}));
      rakedAt.push_back(IntTuple::tuple({t[k], b[k]}));
    }
    auto pack = [&](llvm::ArrayRef<IntTuple> list) {
      return rank == 1 ? list.front() : IntTuple::tuple(list);
    };
    IntTuple expected = *product(IntTuple::tuple({pack(b), pack(t)}));
    ASSERT_EQ(*(*blocked)(IntTuple::tuple(blockedAt)), expected)
        << SHOW(block) << SHOW(tiler) << SHOW(*blocked);
    ASSERT_EQ(*(*raked)(IntTuple::tuple(rakedAt)), expected);
  });
}

TEST_F(Property, TileToShape) {
  repeat(4000, 11, [](Random &random) {
    Layout block = random.layout(32, 2, false);
    llvm::SmallVector<IntTuple> shape, order;
    bool divides = true;
    for (unsigned k = 0; k < block.rank(); ++k) {
      int64_t extent = sizeOf(block[k]) * random.number(1, 4);
      if (random.chance(10))
        extent += random.number(0, 2);
      divides &= extent % sizeOf(block[k]) == 0;
      shape.push_back(extent);
      order.push_back(int64_t(k));
    }
    std::shuffle(order.begin(), order.end(),
                 std::mt19937(random.number(0, 99)));
    IntTuple target = IntTuple::tuple(shape);
    Result<Layout> result = tileToShape(block, target, IntTuple::tuple(order));
    Result<Layout> room = complement(block, 1);
    if (!divides || !room) {
      ASSERT_FALSE(result);
      return;
    }
    // A gap inside the block may not take the copies.
    if (!result)
      return;
    ASSERT_EQ(sizeOf(*result), product(target)->getValue());
    llvm::SmallVector<IntTuple> coordinate, inside;
    for (unsigned k = 0; k < block.rank(); ++k) {
      ASSERT_EQ(sizeOf((*result)[k]), shape[k].getInt().getValue());
      inside.push_back(random.number(0, sizeOf(block[k]) - 1));
    }
    IntTuple at = IntTuple::tuple(inside);
    IntTuple value = block.isLeaf() ? *block(inside[0]) : *block(at);
    ASSERT_EQ(*(*result)(at), value) << SHOW(block) << SHOW(*result);
  });
}

TEST_F(Property, RecastAndVectors) {
  repeat(8000, 12, [](Random &random) {
    Layout layout = random.layout(128, 3);
    int64_t count = int64_t(1) << random.number(0, 3);
    Result<Layout> fine = downcast(layout, count);
    int64_t units = 0;
    for (const LeafMode &mode : layout.getLeafModes())
      units += mode.stride.isStatic(1) || mode.stride.isStatic(-1);
    ASSERT_EQ(bool(fine), units > 0 || count == 1) << SHOW(layout);
    if (fine && units == 1)
      for (int64_t i = 0; i < sizeOf(*fine); ++i) {
        Result<Layout> again = upcast(*fine, count);
        ASSERT_TRUE(again) << SHOW(*fine) << again.getReason();
        ASSERT_EQ(values(*again), values(layout)) << SHOW(layout);
        break;
      }
    Result<Layout> coarse = upcast(layout, count);
    if (coarse) {
      llvm::SmallVector<LeafMode, 4> before = layout.getLeafModes();
      llvm::SmallVector<LeafMode, 4> after = coarse->getLeafModes();
      for (unsigned k = 0; k < before.size(); ++k) {
        int64_t stride = before[k].stride.getInt().getValue();
        int64_t grouped = after[k].stride.getInt().getValue() * count;
        int64_t group = stride == 0 ? 1 : grouped / stride;
        if (before[k].extent.getValue() == 1)
          continue;
        ASSERT_EQ(group * stride, grouped) << SHOW(layout) << SHOW(*coarse);
        ASSERT_EQ(after[k].extent.getValue(),
                  (before[k].extent.getValue() + group - 1) / group);
      }
    }
    Layout other = random.layout(128, 3);
    Result<Layout> common = maxCommonLayout(layout, other);
    ASSERT_TRUE(common);
    for (int64_t i = 0; i < sizeOf(*common); ++i) {
      ASSERT_EQ(evaluate(layout, evaluate(*common, i)), i);
      ASSERT_EQ(evaluate(other, evaluate(*common, i)), i);
    }
    ASSERT_EQ(*maxCommonVector(layout, other), sizeOf(*common));
  });
}

TEST_F(Property, Slice) {
  repeat(10000, 13, [](Random &random) {
    Layout layout = random.layout(256, 3);
    IntTuple coordinate = random.coordinate(layout.getShape(), 40);
    Result<LayoutAndOffset> sliced = sliceAndOffset(coordinate, layout);
    ASSERT_TRUE(sliced) << sliced.getReason();
    ASSERT_EQ(sizeOf(sliced->layout) *
                  product(dice(coordinate, layout)->getShape())->getValue(),
              sizeOf(layout));
    // Fill the wildcards with the digits of an index of the slice.
    int64_t index = random.number(0, sizeOf(sliced->layout) - 1), rest = index;
    std::function<IntTuple(const IntTuple &, const IntTuple &)> fill =
        [&](const IntTuple &c, const IntTuple &s) -> IntTuple {
      if (c.isTuple()) {
        llvm::SmallVector<IntTuple> modes;
        for (unsigned k = 0; k < c.rank(); ++k)
          modes.push_back(fill(c[k], s[k]));
        return IntTuple::tuple(modes);
      }
      if (!c.isWildcard())
        return c;
      int64_t size = product(s)->getValue(), digit = rest % size;
      rest /= size;
      return digit;
    };
    IntTuple full = fill(coordinate, layout.getShape());
    ASSERT_EQ(layout(full)->getInt().getValue(),
              sliced->offset.getInt().getValue() +
                  evaluate(sliced->layout, index))
        << SHOW(layout) << SHOW(coordinate);
  });
}

TEST_F(Property, Modes) {
  repeat(6000, 14, [](Random &random) {
    Layout layout = random.layout(256, 3);
    int64_t begin = random.number(0, layout.rank());
    int64_t end = random.number(begin, layout.rank());
    Layout grouped = *groupModes(layout, begin, end);
    ASSERT_EQ(values(grouped), values(layout));
    ASSERT_EQ(values(flatten(layout)), values(layout));
    if (!layout.isLeaf()) {
      ASSERT_EQ(*unflatten(flatten(layout), layout.getShape()), layout);
      ASSERT_EQ(reverseModes(reverseModes(layout)), layout);
      ASSERT_EQ(*take(append(layout, grouped), 0, layout.rank()), layout);
      ASSERT_EQ(*take(prepend(layout, grouped), 1, layout.rank() + 1), layout);
    }
    Layout padded = appendRank(layout, layout.rank() + 2);
    ASSERT_EQ(values(padded), values(layout));
    ASSERT_EQ(values(prependRank(layout, layout.rank() + 2)), values(layout));
    if (layout.rank() == 2) {
      ASSERT_EQ(*transpose(*transpose(layout)), layout);
    }
    Result<Layout> like = makeLayoutLike(layout);
    ASSERT_TRUE(like);
    ASSERT_EQ(like->getShape(), layout.getShape());
    ASSERT_EQ(layout.cosize().getValue() == 1, like->cosize().getValue() == 1);
  });
}

} // namespace
