// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and symbols agree: operations on symbols, evaluated afterwards,
// against the same operations on constants; and the arithmetic underneath.
#include "Random.h"
#include "gtest/gtest.h"

using namespace tile;
using namespace tile::test;

namespace {

/// The function of a composed layout, as a table.
std::vector<int64_t> table(const ComposedLayout &layout) {
  std::vector<int64_t> result;
  for (int64_t i = 0; i < layout.size().getValue(); ++i)
    result.push_back(evaluate(layout, i));
  return result;
}

struct Tally {
  int64_t attempts = 0, accepted = 0;
};

/// Whatever symbols accept, constants accept, with the same function.
void compare(const char *name, Tally &tally, const Result<Layout> &symbolic,
             const Result<Layout> &constant, llvm::ArrayRef<Int> values,
             const std::string &inputs) {
  ++tally.attempts;
  if (!symbolic) {
    ASSERT_FALSE(symbolic.getReason().empty());
    return;
  }
  ++tally.accepted;
  Layout result = symbolic->substitute(values);
  ASSERT_TRUE(result.isStatic()) << name << "\n"
                                 << inputs << symbolic->str(true);
  ASSERT_TRUE(constant) << name << "\n"
                        << inputs << constant.getReason() << "\nsymbols gave "
                        << symbolic->str(true) << " = " << result.str();
  ASSERT_EQ(tile::test::values(result), tile::test::values(*constant))
      << name << "\n"
      << inputs << result.str() << "\n"
      << constant->str();
  // What the divisors claim is true.
  llvm::SmallVector<LeafMode, 4> modes = symbolic->getLeafModes();
  llvm::SmallVector<LeafMode, 4> known = result.getLeafModes();
  for (unsigned i = 0; i < modes.size(); ++i) {
    ASSERT_EQ(known[i].extent.getValue() % modes[i].extent.getDivisor(), 0);
    if (!modes[i].stride.isStatic(0)) {
      ASSERT_EQ(known[i].stride.getInt().getValue() %
                    modes[i].stride.getInt().getDivisor(),
                0);
    }
  }
}

TEST(LayoutSymbolic, OperationsAgree) {
  Random random(100);
  std::map<std::string, Tally> tallies;
  for (int64_t n = 0, e = Random::cases(6000); n < e && !HasFailure(); ++n) {
    Layout a = random.chance(60) ? random.regularLayout(256, 3)
                                 : random.layout(256, 3, false);
    Layout b = random.chance(60) ? random.regularLayout(32, 2)
                                 : random.layout(32, 2, false);
    Symbolizer symbolize(random, 30);
    Layout sa = symbolize(a), sb = random.chance(50) ? symbolize(b) : b;
    llvm::ArrayRef<Int> values = symbolize.values;
    std::string inputs = "a = " + a.str() + ", " + sa.str(true) +
                         "\nb = " + b.str() + ", " + sb.str(true) +
                         "\nseed = " + std::to_string(Random::seed()) + "\n";
    auto check = [&](const char *name, const Result<Layout> &symbolic,
                     const Result<Layout> &constant) {
      compare(name, tallies[name], symbolic, constant, values, inputs);
    };
    check("coalesce", coalesce(sa), coalesce(a));
    check("filter", filter(sa), filter(a));
    check("composition", composition(sa, sb), composition(a, b));
    int64_t target = random.number(1, 300);
    check("complement", complement(sa, target), complement(a, target));
    check("logical_divide", logicalDivide(sa, Tiler(sb)),
          logicalDivide(a, Tiler(b)));
    check("logical_product", logicalProduct(sa, Tiler(sb)),
          logicalProduct(a, Tiler(b)));
    check("blocked_product", blockedProduct(sa, sb), blockedProduct(a, b));
    int64_t count = int64_t(1) << random.number(0, 3);
    check("upcast", upcast(sa, count), upcast(a, count));
    check("nullspace", nullspace(sa), nullspace(a));
    IntTuple coordinate = random.coordinate(a.getShape(), 40);
    check("slice", slice(coordinate, sa), slice(coordinate, a));
    // A right inverse of symbols may be shorter, but never wrong.
    Result<Layout> right = rightInverse(sa);
    ASSERT_TRUE(right);
    Layout inverse = right->substitute(values);
    for (int64_t i = 0; i < sizeOf(inverse); ++i)
      ASSERT_EQ(evaluate(a, evaluate(inverse, i)), i) << inputs;
    // A left inverse is only determined on the image.
    Tally &left = tallies["left_inverse"];
    ++left.attempts;
    if (Result<Layout> result = leftInverse(sa)) {
      ++left.accepted;
      ASSERT_TRUE(leftInverse(a)) << inputs;
      Layout back = result->substitute(values);
      for (int64_t i = 0; i < sizeOf(a); ++i)
        ASSERT_EQ(evaluate(back, evaluate(a, i)), i) << inputs << back.str();
    }
    // Values at symbolic coordinates.
    int64_t at = random.number(0, sizeOf(a) - 1);
    llvm::SmallVector<Int> all(values.begin(), values.end());
    all.push_back(at);
    Result<IntTuple> value = sa(Int::symbol(all.size() - 1, 1, 0, 255));
    ASSERT_TRUE(value);
    ASSERT_EQ(value->substitute(all).getInt(), Int(evaluate(a, at))) << inputs;
  }
  for (const auto &[name, tally] : tallies) {
    std::printf("%s: symbols accept %lld of %lld\n", name.c_str(),
                (long long)tally.accepted, (long long)tally.attempts);
    EXPECT_GT(tally.accepted, tally.attempts / 20) << name;
  }
}

TEST(LayoutSymbolic, KnownResults) {
  // A row-major matrix of 128-multiples, tiled 128 x 64.
  Int m = Int::symbol(0, 128), k = Int::symbol(1, 64);
  Layout matrix =
      *Layout::get(IntTuple::tuple({m, k}), IntTuple::tuple({k, 1}));
  Result<Layout> tiled = zippedDivide(matrix, *Tiler::parse("<128, 64>"));
  ASSERT_TRUE(tiled) << tiled.getReason();
  EXPECT_EQ(tiled->str(true), "((128, 64), ((#0 floordiv 128), (#1 floordiv "
                              "64))) : ((#1, 1), ((128 * #1), 64))");
  EXPECT_EQ(tiled->str(), "((128, 64), (?, ?)) : ((?{div = 64}, 1), "
                          "(?{div = 8192}, 64))");
  // Without the divisor the tile cannot be proved to fit.
  Int odd = Int::symbol(0);
  Result<Layout> refused =
      composition(*Layout::get(IntTuple::tuple({odd, 8}),
                               IntTuple::tuple({Int(8), Int(1)})),
                  *Layout::parse("4 : 1"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.getReason(),
            "expected extent of the right-hand side to be a multiple of ?, "
            "after which its steps of 1 carry into the next mode of the "
            "left-hand side, but got 4");
  // Divisibility proves it: 4 steps fit into any multiple of 8.
  Int eight = Int::symbol(0, 8);
  Result<Layout> fits =
      composition(*Layout::get(IntTuple::tuple({eight, 8}),
                               IntTuple::tuple({Int(8), Int(1)})),
                  *Layout::parse("4 : 2"));
  ASSERT_TRUE(fits) << fits.getReason();
  EXPECT_EQ(fits->str(), "4 : 16");
}

TEST(LayoutSymbolic, Swizzles) {
  Random random(101);
  for (int64_t n = 0, e = Random::cases(6000); n < e && !HasFailure(); ++n) {
    Layout layout = random.layout(256, 2, false);
    Swizzle swizzle = random.swizzle();
    int64_t offset = random.number(0, 40);
    ComposedLayout composed = *ComposedLayout::get(swizzle, offset, layout);
    Symbolizer symbolize(random, 40);
    Layout symbolic = symbolize(layout);
    llvm::SmallVector<Int> values(symbolize.values);
    int64_t at = random.number(0, sizeOf(layout) - 1);
    values.push_back(at);
    values.push_back(offset);
    ComposedLayout symbols =
        *ComposedLayout::get(swizzle, Int::symbol(values.size() - 1), symbolic);
    Result<IntTuple> value = symbols(Int::symbol(values.size() - 2, 1, 0, 255));
    ASSERT_TRUE(value);
    ASSERT_EQ(value->substitute(values).getInt(), Int(evaluate(composed, at)))
        << composed.str() << " at " << at;
    ASSERT_EQ(composed.at(at), evaluate(composed, at));
  }
}

TEST(LayoutSymbolic, ComposedOperations) {
  Random random(102);
  int64_t inverses = 0, plainSlices = 0;
  for (int64_t n = 0, e = Random::cases(6000); n < e && !HasFailure(); ++n) {
    Layout layout = random.regularLayout(256, 2);
    ComposedLayout composed = *ComposedLayout::get(
        random.swizzle(), random.chance(80) ? 0 : random.number(0, 20), layout);
    std::vector<int64_t> before = table(composed);
    ASSERT_EQ(composed.cosize()->getValue(),
              *std::max_element(before.begin(), before.end()) -
                  *std::min_element(before.begin(), before.end()) + 1)
        << composed.str();

    Tiler tiler = random.tiler(layout);
    Result<ComposedLayout> zipped = zippedDivide(composed, tiler);
    Result<Layout> inner = zippedDivide(layout, tiler);
    ASSERT_EQ(bool(zipped), bool(inner));
    if (zipped)
      for (int64_t i = 0; i < sizeOf(*inner); ++i) {
        ComposedLayout plain = *ComposedLayout::get(
            composed.getSwizzle(),
            composed.getOffset() + Int(evaluate(*inner, i)), Layout());
        ASSERT_EQ(evaluate(*zipped, i), evaluate(plain, 0));
      }

    IntTuple coordinate = random.coordinate(layout.getShape(), 40);
    Result<ComposedAndOffset> sliced = sliceAndOffset(coordinate, composed);
    ASSERT_TRUE(sliced) << sliced.getReason();
    Result<LayoutAndOffset> bare = sliceAndOffset(coordinate, layout);
    for (int64_t i = 0; i < sizeOf(bare->layout); ++i) {
      int64_t index = bare->offset.getInt().getValue() +
                      evaluate(bare->layout, i) +
                      composed.getOffset().getValue();
      ASSERT_EQ(sliced->offset.getValue() + evaluate(sliced->layout, i),
                composed.getSwizzle().at(index))
          << composed.str() << " at " << coordinate.str();
    }
    plainSlices += sliced->layout.isPlain();

    for (int64_t count : {2, 4}) {
      Result<ComposedLayout> fine = downcast(composed, count);
      if (!fine)
        continue;
      Result<ComposedLayout> again = upcast(*fine, count);
      ASSERT_TRUE(again) << fine->str() << again.getReason();
      ASSERT_EQ(table(*again), before) << composed.str();
    }
    Result<ComposedLayout> right = rightInverse(composed);
    if (right) {
      for (int64_t i = 0; i < right->size().getValue(); ++i)
        ASSERT_EQ(evaluate(composed, evaluate(*right, i)), i);
    }
    Result<ComposedLayout> left = leftInverse(composed);
    if (left) {
      for (size_t i = 0; i < before.size(); ++i)
        ASSERT_EQ(evaluate(*left, before[i]), int64_t(i));
    }
    inverses += bool(right) + bool(left);
    Result<int64_t> alignment = maxAlignment(composed);
    ASSERT_TRUE(alignment);
  }
  EXPECT_GT(inverses, Random::cases(6000) / 5);
  EXPECT_GT(plainSlices, Random::cases(6000) / 5);
}

/// A random expression over three symbols, and its value.
struct Expression {
  Int symbolic;
  __int128 value;
};

TEST(LayoutSymbolic, Arithmetic) {
  Random random(103);
  for (int64_t n = 0, e = Random::cases(20000); n < e && !HasFailure(); ++n) {
    llvm::SmallVector<Int> values;
    std::vector<Expression> pool;
    for (unsigned i = 0; i < 3; ++i) {
      int64_t div = random.number(1, 6), value = div * random.number(1, 20);
      values.push_back(value);
      pool.push_back({Int::symbol(i, div, 1, 200), value});
      int64_t constant = random.number(1, 24);
      pool.push_back({constant, constant});
    }
    for (unsigned step = 0; step < 6; ++step) {
      const Expression a = pool[random.number(0, pool.size() - 1)];
      const Expression b = pool[random.number(0, pool.size() - 1)];
      Expression c;
      switch (random.number(0, 7)) {
      case 0:
        c = {a.symbolic + b.symbolic, a.value + b.value};
        break;
      case 1:
        c = {a.symbolic * b.symbolic, a.value * b.value};
        break;
      case 2:
        c = {floorDiv(a.symbolic, b.symbolic), a.value / b.value};
        break;
      case 3:
        c = {ceilDiv(a.symbolic, b.symbolic),
             (a.value + b.value - 1) / b.value};
        break;
      case 4:
        c = {mod(a.symbolic, b.symbolic), a.value % b.value};
        break;
      case 5:
        c = {min(a.symbolic, b.symbolic), std::min(a.value, b.value)};
        break;
      case 6:
        c = {max(a.symbolic, b.symbolic), std::max(a.value, b.value)};
        break;
      case 7:
        c = {bitXor(a.symbolic, b.symbolic), a.value ^ b.value};
        break;
      }
      if (c.value > (int64_t(1) << 40))
        continue;
      Int result = c.symbolic.substitute(values);
      ASSERT_TRUE(result.isStatic()) << c.symbolic.str(true);
      ASSERT_EQ(result.getValue(), int64_t(c.value)) << c.symbolic.str(true);
      ASSERT_LE(c.symbolic.getLower(), int64_t(c.value))
          << c.symbolic.str(true);
      ASSERT_GE(c.symbolic.getUpper(), int64_t(c.value))
          << c.symbolic.str(true);
      if (c.value != 0 || !c.symbolic.isStatic()) {
        ASSERT_EQ(int64_t(c.value) % c.symbolic.getDivisor(), 0)
            << c.symbolic.str(true);
      }
      // Positive values only, so that any can divide.
      if (c.value > 0)
        pool.push_back(c);
    }
  }
}

} // namespace
