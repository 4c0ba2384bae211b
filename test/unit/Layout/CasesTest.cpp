// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout cases from public bug reports, and the rest of their kind.
#include "tile/Layout/ComposedAlgebra.h"
#include "tile/Layout/StreamK.h"
#include "gtest/gtest.h"

using namespace tile;

namespace {

Layout layout(llvm::StringRef text) {
  Result<Layout> result = Layout::parse(text);
  EXPECT_TRUE(result) << text.str() << ": " << result.getReason();
  return result ? *result : Layout();
}

IntTuple tuple(llvm::StringRef text) {
  Result<IntTuple> result = IntTuple::parse(text);
  EXPECT_TRUE(result) << text.str() << ": " << result.getReason();
  return result ? *result : IntTuple();
}

Tiler tiler(llvm::StringRef text) {
  Result<Tiler> result = Tiler::parse(text);
  EXPECT_TRUE(result) << text.str() << ": " << result.getReason();
  return result ? *result : Tiler::wildcard();
}

template <class T>
std::string str(const Result<T> &result) {
  return result ? result->str() : result.getReason();
}

std::string compose(llvm::StringRef lhs, llvm::StringRef rhs) {
  return str(composition(layout(lhs), layout(rhs)));
}

TEST(LayoutCases, TutorialOfTheHeader) {
  Layout hierarchical = layout("((2, 2), 8) : ((1, 16), 2)");
  for (const char *coordinate : {"((1, 1), 3)", "(3, 3)", "15"})
    EXPECT_EQ(str(hierarchical(tuple(coordinate))), "23");
  EXPECT_EQ(str(layout("(4, 8) : (8, 1)")(33)), "16");
  EXPECT_EQ(compose("(6, 2) : (8, 2)", "(4, 3) : (3, 1)"),
            "((2, 2), 3) : ((24, 2), 8)");
}

TEST(LayoutCases, L01CoalesceTheLeftSideFirst) {
  EXPECT_EQ(compose("(2, 3) : (1, 2)", "(2, 3) : (3, 1)"), "(2, 3) : (3, 1)");
}

TEST(LayoutCases, L02WellDefinedWithoutDivisibility) {
  Result<Layout> result =
      composition(layout("(10, 2) : (16, 4)"), layout("(3, 4) : (1, 5)"));
  EXPECT_EQ(str(result), "(3, (2, 2)) : (16, (80, 4))");
  int64_t expected[] = {0, 16, 32, 80, 96, 112, 4, 20, 36, 84, 100, 116};
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ(result->at(i), expected[i]);
}

TEST(LayoutCases, L04ModesThatCarry) {
  EXPECT_EQ(compose("(6, 2) : (1, 7)", "(3, 2) : (2, 3)"),
            "modes 0 and 1 of the right-hand side carry into each other at "
            "index 5: expected 8, but got 7");
  // The same steps within the first mode are fine.
  EXPECT_EQ(compose("(6, 2) : (1, 7)", "(2, 2) : (2, 3)"), "(2, 2) : (2, 3)");
}

TEST(LayoutCases, L05StaticAndDynamicAgree) {
  EXPECT_EQ(compose("(32, 128) : (128, 1)", "(30, 128) : (1, 32)"),
            "(30, 128) : (128, 1)");
  Int rows = Int::symbol(0, 32), columns = Int::symbol(1);
  Layout matrix = *Layout::get(IntTuple::tuple({rows, columns}),
                               IntTuple::tuple({columns, Int(1)}));
  Layout part = *Layout::get(IntTuple::tuple({Int(30), columns}),
                             IntTuple::tuple({Int(1), rows}));
  Result<Layout> result = composition(matrix, part);
  ASSERT_TRUE(result) << result.getReason();
  EXPECT_EQ(result->substitute({32, 128}).str(), "(30, 128) : (128, 1)");
}

TEST(LayoutCases, L07StrideDividing) {
  const char *a = "(3, 6, 2, 8) : (1, 10, 100, 1000)";
  EXPECT_EQ(compose(a, "96 : 3"), "(6, 2, 8) : (10, 100, 1000)");
  EXPECT_EQ(compose(a, "48 : 6"), "(3, 2, 8) : (20, 100, 1000)");
  EXPECT_EQ(compose(a, "32 : 9"), "(2, 2, 8) : (30, 100, 1000)");
  EXPECT_EQ(compose(a, "4 : 72"), "4 : 2000");
}

TEST(LayoutCases, L08DivideKeepsTheSize) {
  Layout matrix = layout("(12, 32) : (1, 12)");
  EXPECT_EQ(str(logicalDivide(matrix, tiler("(4, 8) : (1, 4)"))),
            "((4, 8), 12) : ((1, 4), 32)");
  EXPECT_EQ(str(zippedDivide(matrix, tiler("<4, 8>"))),
            "((4, 8), (3, 4)) : ((1, 12), (4, 96))");
}

TEST(LayoutCases, L10RightInverseOfABlockedProduct) {
  Result<Layout> tiled =
      blockedProduct(layout("(2, 3) : (1, 2)"), layout("(4, 2) : (1, 4)"));
  EXPECT_EQ(str(tiled), "((2, 4), (3, 2)) : ((1, 6), (2, 24))");
  EXPECT_EQ(str(rightInverse(*tiled)), "(2, 3, 4, 2) : (1, 8, 2, 24)");
  // Dynamic extents of the tiler: the same map.
  Int m = Int::symbol(0), n = Int::symbol(1);
  Result<Layout> dynamic = blockedProduct(
      layout("(2, 3) : (1, 2)"), *Layout::compact(IntTuple::tuple({m, n})));
  ASSERT_TRUE(dynamic) << dynamic.getReason();
  Result<Layout> inverse = rightInverse(*dynamic);
  ASSERT_TRUE(inverse) << inverse.getReason();
  Layout known = inverse->substitute({4, 2});
  for (int64_t i = 0; i < 48; ++i)
    EXPECT_EQ(known.at(i), rightInverse(*tiled)->at(i));
}

TEST(LayoutCases, L11Complement) {
  Layout block = layout("(2, 2) : (1, 6)");
  Result<Layout> rest = complement(block, 24);
  EXPECT_EQ(str(rest), "(3, 2) : (2, 12)");
  std::vector<bool> seen(24);
  for (int64_t i = 0; i < 24; ++i) {
    int64_t value = Layout::concat({block, *rest}).at(i);
    ASSERT_LT(value, 24);
    EXPECT_FALSE(seen[value]);
    seen[value] = true;
  }
}

TEST(LayoutCases, L13WildcardIsTheWholeMode) {
  Layout matrix = layout("(64, 50) : (100, 1)");
  EXPECT_EQ(str(zippedDivide(matrix, tiler("<32, _>"))),
            "((32, 50), (2, 1)) : ((100, 1), (3200, 0))");
  EXPECT_EQ(str(zippedDivide(matrix, tiler("<32, 50>"))),
            "((32, 50), (2, 1)) : ((100, 1), (3200, 0))");
  EXPECT_EQ(str(logicalDivide(matrix, tiler("<32, _>"))),
            "((32, 2), 50) : ((100, 3200), 1)");
}

TEST(LayoutCases, L14GetSelectCoalesce) {
  Layout matrix = layout("(128, 64) : (1, 128)");
  EXPECT_EQ(str(getMode(matrix, {0})), "128 : 1");
  EXPECT_EQ(str(select(matrix, {1, 0})), "(64, 128) : (128, 1)");
  EXPECT_EQ(coalesce(matrix).str(), "8192 : 1");
}

TEST(LayoutCases, L16CoalesceKeepsTheSize) {
  EXPECT_EQ(coalesce(layout("(1, 8) : (5, 1)")).str(), "8 : 1");
  EXPECT_EQ(coalesce(layout("1 : 7")).str(), "1 : 0");
  EXPECT_EQ(coalesce(layout("(1, 1) : (3, 7)")).str(), "1 : 0");
}

TEST(LayoutCases, L17NonCongruentAndOverhang) {
  EXPECT_EQ(Layout::get(tuple("(4, 8)"), tuple("(1, (4, 8))")).getReason(),
            "expected shape and stride of the same nesting at mode [1], but "
            "got 8 and (4, 8)");
  std::optional<Reason> reason = findOverhang(layout("8 : 1"), tiler("3 : 1"));
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->str(), "expected a tile that divides extent 8, but got 3");
  reason = findOverhang(layout("(8, 9) : (1, 8)"), tiler("<4, 2>"));
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->str(),
            "expected a tile that divides extent 9 of mode [1], but got 2");
  EXPECT_FALSE(findOverhang(layout("(8, 9) : (1, 8)"), tiler("<4, 3>")));
}

TEST(LayoutCases, L19OnePrintedForm) {
  for (const char *text : {"S<3, 4, 3> o 0 o (8, 64) : (64, 1)",
                           "S<3, 3, 3> o 16 o (8, 64) : (64, 1)"}) {
    Result<ComposedLayout> read = ComposedLayout::parse(text);
    ASSERT_TRUE(read) << read.getReason();
    EXPECT_EQ(read->str(), text);
  }
  EXPECT_EQ(str(ComposedLayout::parse("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)")),
            "S<3, 4, 3> o 0 o (8, 64) : (64, 1)");
}

TEST(LayoutCases, L20SwizzleOfOddRatio) {
  ComposedLayout atom =
      *ComposedLayout::parse("S<3, 4, 3> o 0 o (8, 128) : (128, 1)");
  EXPECT_EQ(str(recastLayout(atom, 8, 6)),
            "expected element sizes whose ratio is a power of two under a "
            "swizzle, but got 8 and 6 bits");
  EXPECT_EQ(str(recastSwizzle(atom.getSwizzle(), 8, 6)),
            "expected element sizes whose ratio is a power of two under a "
            "swizzle, but got 8 and 6 bits");
  EXPECT_EQ(str(recastLayout(atom, 8, 16)),
            "S<3, 3, 3> o 0 o (8, 64) : (64, 1)");
}

/// Counts the coordinates of a divided identity layout inside a shape.
int64_t countInside(llvm::StringRef shape, llvm::StringRef tile) {
  Result<Layout> identity = makeIdentityLayout(tuple(shape));
  Result<Layout> divided = zippedDivide(*identity, tiler(tile));
  EXPECT_TRUE(divided) << divided.getReason();
  int64_t inside = 0;
  for (int64_t i = 0; i < divided->size().getValue(); ++i) {
    Result<bool> less = elemLess(*(*divided)(IntTuple(i)), tuple(shape));
    EXPECT_TRUE(less);
    inside += less && *less;
  }
  return inside;
}

TEST(LayoutCases, L22PredicatedOverhang) {
  Result<Layout> identity = makeIdentityLayout(tuple("(3, 8)"));
  EXPECT_EQ(str(zippedDivide(*identity, tiler("<2, 3>"))),
            "((2, 3), (2, 3)) : ((1@0, 1@1), (2@0, 3@1))");
  EXPECT_EQ(countInside("(3, 8)", "<2, 3>"), 24);
  EXPECT_EQ(countInside("(10)", "<16>"), 10);
}

// A stride of unknown sign spans as much in either direction.
TEST(LayoutCases, CosizeOfADynamicStride) {
  Layout symbolic = *Layout::get(4, Int::symbol(0));
  for (int64_t stride : {2, -2, 0, 5, -5})
    EXPECT_EQ(symbolic.cosize().substitute({Int(stride)}),
              Int(3 * std::abs(stride) + 1))
        << stride;
}

// Of two numbers of blocks that save as much CUTLASS takes the larger one: here
// 2 and 3 blocks of one tile's 12 iterations save nothing each.
TEST(StreamKCases, TheMoreBlocksOfEqualSavings) {
  StreamKProblem problem;
  for (int i = 0; i < 3; ++i)
    problem.tile[i] = problem.extent[i] = 16;
  problem.extent[2] = 12 * 16;
  problem.multiprocessors = problem.available = 3;
  problem.occupancy = 1;
  problem.split = 1;
  Result<StreamKPlan> plan = planStreamK(problem);
  ASSERT_TRUE(plan) << plan.getReason();
  EXPECT_EQ(plan->streamTiles, 1);
  EXPECT_EQ(plan->regions * plan->blocksPerRegion, 3);
}

TEST(LayoutCases, L23CosizeIsTheSpan) {
  EXPECT_EQ(layout("4 : -2").cosize(), Int(7));
  EXPECT_EQ(layout("(4, 8) : (-1, 4)").cosize(), Int(32));
  EXPECT_EQ(
      *ComposedLayout::parse("S<2, 0, 3> o 8 o (8, 4) : (8, 1)")->cosize(),
      Int(60));
  EXPECT_EQ(
      *ComposedLayout::parse("S<3, 3, 3> o 0 o (8, 64) : (64, 1)")->cosize(),
      Int(512));
  EXPECT_EQ(makeIdentityLayout(tuple("(4, 8)"))->cosize(), Int(32));
}

TEST(LayoutCases, L26NoCommonVector) {
  // Rows against columns: one element at a time.
  EXPECT_EQ(*maxCommonVector(layout("(64, 64) : (64, 1)"),
                             layout("(64, 64) : (1, 64)")),
            1);
  EXPECT_EQ(*maxCommonVector(layout("(64, 64) : (1, 128)"),
                             layout("(64, 64) : (1, 64)")),
            64);
  // The largest number that divides both runs.
  EXPECT_EQ(*maxCommonVector(layout("(4, 3) : (1, 100)"), layout("6 : 1")), 2);
}

TEST(LayoutCases, L28PartialLastWave) {
  EXPECT_EQ(countInside("(192)", "<128>"), 192);
  EXPECT_EQ(countInside("(229)", "<128>"), 229);
  EXPECT_EQ(countInside("(257)", "<128>"), 257);
  EXPECT_EQ(str(logicalDivide(layout("48 : 1"), tiler("16 : 1"))),
            "(16, 3) : (1, 16)");
}

TEST(LayoutCases, L29RecastMovesTheSwizzle) {
  ComposedLayout half =
      *ComposedLayout::parse("S<2, 3, 3> o 0 o (16, 64) : (64, 1)");
  Result<ComposedLayout> single = recastLayout(half, 16, 32);
  EXPECT_EQ(str(single), "S<2, 2, 3> o 0 o (16, 32) : (32, 1)");
  // Element (r, c) of 32 bits is where element (r, 2 c) of 16 bits is.
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t c = 0; c < 32; ++c) {
      IntTuple wide = *(*single)(IntTuple::constants({r, c}));
      IntTuple narrow = *half(IntTuple::constants({r, 2 * c}));
      ASSERT_EQ(wide.getInt() * Int(2), narrow.getInt());
    }
  // A swizzle of single elements cannot be seen in pairs.
  EXPECT_EQ(
      str(recastLayout(
          *ComposedLayout::parse("S<3, 0, 3> o 0 o (8, 8) : (8, 1)"), 16, 32)),
      "expected a swizzle that keeps 2 elements together, but got "
      "S<3, 0, 3>");
}

TEST(LayoutCases, DynamicTypes) {
  // Inference from types: symbols for every `?`, then forgotten again.
  unsigned next = 0;
  Layout type = layout("(?{div = 128}, ?{div = 64}) : (?{div = 64}, 1)");
  Result<Layout> divided =
      zippedDivide(type.withSymbols(next), tiler("<128, 64>"));
  ASSERT_TRUE(divided) << divided.getReason();
  EXPECT_EQ(next, 3u);
  EXPECT_EQ(divided->withoutExprs().str(),
            "((128, 64), (?, ?)) : ((?{div = 64}, 1), (?{div = 8192}, 64))");
}

TEST(LayoutCases, BasisStrides) {
  EXPECT_EQ(compose("(4, (2, 3)) : (6, (3, 1))", "(2, 4) : (1@1@1, 1@0)"),
            "(2, 4) : (1, 6)");
  Layout identity = *makeIdentityLayout(tuple("(4, (2, 3))"));
  EXPECT_EQ(identity.str(), "(4, (2, 3)) : (1@0, (1@0@1, 1@1@1))");
  EXPECT_EQ(str(identity(23)), "(3, (1, 2))");
  EXPECT_EQ(compose("(8, 6) : (1@0, 1@1)", "(2, 3) : (4, 16)"),
            "(2, 3) : (4@0, 2@1)");
}

} // namespace
