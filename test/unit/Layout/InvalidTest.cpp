// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every reason that the layout algebra gives, in its exact words.
#include "tile/Layout/ComposedAlgebra.h"
#include "tile/Layout/ConvCoordinates.h"
#include "gtest/gtest.h"
#include <limits>

using namespace tile;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Layout layout(llvm::StringRef text) {
  Result<Layout> result = Layout::parse(text);
  EXPECT_TRUE(result) << text.str() << ": " << result.getReason();
  return result ? *result : Layout();
}

IntTuple tuple(llvm::StringRef text) { return *IntTuple::parse(text); }
Tiler tiler(llvm::StringRef text) { return *Tiler::parse(text); }
ComposedLayout composed(llvm::StringRef text) {
  return *ComposedLayout::parse(text);
}

/// The reason of a failed operation; a succeeded one shows its result.
template <class T>
std::string why(const Result<T> &result) {
  if (!result)
    return result.getReason();
  return "accepted";
}

TEST(LayoutInvalid, Text) {
  EXPECT_EQ(why(IntTuple::parse("(4, 8")),
            "expected ',' or ')' at column 5, but got the end of the text");
  EXPECT_EQ(why(IntTuple::parse("(4, x)")),
            "expected an integer at column 4, but got 'x'");
  EXPECT_EQ(why(IntTuple::parse("4 8")),
            "expected the end of the tuple at column 2, but got '8'");
  EXPECT_EQ(why(IntTuple::parse("?{8}")),
            "expected 'div =' at column 2, but got '8'");
  EXPECT_EQ(why(IntTuple::parse("?{div = 0}")),
            "expected a positive divisor, but got 0");
  EXPECT_EQ(why(IntTuple::parse("?{div = 8")),
            "expected '}' at column 9, but got the end of the text");
  EXPECT_EQ(why(IntTuple::parse("?{div = }")),
            "expected an integer at column 8, but got '}'");
  EXPECT_EQ(why(IntTuple::parse("1@-1")),
            "expected a non-negative mode after '@', but got -1");
  EXPECT_EQ(why(IntTuple::parse("1@")),
            "expected an integer at column 2, but got the end of the text");
  EXPECT_EQ(why(IntTuple::parse("99999999999999999999")),
            "expected an integer of 64 bits at column 0, but got "
            "99999999999999999999");
  EXPECT_EQ(why(IntTuple::parse(std::string(70, '('))),
            "expected at most 64 levels of nesting, but got more");
  EXPECT_EQ(why(Layout::parse("(4, 8)")),
            "expected ':' at column 6, but got the end of the text");
  EXPECT_EQ(why(Layout::parse("4 : 1 2")),
            "expected the end of the layout at column 6, but got '2'");
  EXPECT_EQ(why(Tiler::parse("<4, 8")),
            "expected ',' or '>' at column 5, but got the end of the text");
  EXPECT_EQ(why(Tiler::parse("<4> 8")),
            "expected the end of the tiler at column 4, but got '8'");
  EXPECT_EQ(why(Tiler::parse(std::string(20, '<'))),
            "expected at most 16 levels of nesting, but got more");
  EXPECT_EQ(why(Tiler::parse("<0>")), "expected a positive extent, but got 0");
  EXPECT_EQ(why(Tiler::parse("<4 : _>")),
            "expected an integer or basis stride, but got _");
  EXPECT_EQ(why(ComposedLayout::parse("S[1]")),
            "expected '<' at column 1, but got '['");
  EXPECT_EQ(why(ComposedLayout::parse("S<1 2>")),
            "expected ',' at column 4, but got '2'");
  EXPECT_EQ(why(ComposedLayout::parse("S<1, 2, 3")),
            "expected '>' at column 9, but got the end of the text");
  EXPECT_EQ(why(ComposedLayout::parse("S<1, 2, 3> 4 : 1")),
            "expected 'o' at column 11, but got '4'");
  EXPECT_EQ(why(ComposedLayout::parse("S<1, 2, 3> o 0 4 : 1")),
            "expected 'o' at column 15, but got '4'");
  EXPECT_EQ(why(ComposedLayout::parse("S<1, 2, 3> o _ o 4 : 1")),
            "expected an integer offset, but got _");
  EXPECT_EQ(why(ComposedLayout::parse("S<1, 2, 3> o 0 o 4 : 1 x")),
            "expected the end of the layout at column 23, but got 'x'");
}

TEST(LayoutInvalid, Integers) {
  EXPECT_EQ((Int(kMax) + Int(1)).getInvalidReason(),
            "expected a sum of 9223372036854775807 and 1 that fits in 64 bits, "
            "but it overflows");
  EXPECT_EQ((Int(kMax) * Int(2)).getInvalidReason(),
            "expected a product of 9223372036854775807 and 2 that fits in 64 "
            "bits, but it overflows");
  EXPECT_EQ((Int(-kMax) - Int(2)).getInvalidReason(),
            "expected a difference of -9223372036854775807 and 2 that fits in "
            "64 bits, but it overflows");
  EXPECT_EQ(floorDiv(Int(-kMax - 1), Int(-1)).getInvalidReason(),
            "expected a quotient of -9223372036854775808 and -1 that fits in "
            "64 bits, but it overflows");
  EXPECT_EQ(floorDiv(Int(4), Int(0)).getInvalidReason(),
            "expected a non-zero divisor of 4, but got 0");
  EXPECT_TRUE(ceilDiv(Int::symbol(0), Int(0)).isInvalid());
  EXPECT_TRUE(mod(Int(4), Int(0)).isInvalid());
  // Sticky, through every operation and into the checked factories.
  Int bad = Int(kMax) * Int(2);
  for (const Int &result :
       {bad + Int(1), Int(1) - bad, -bad, bad * Int(0), floorDiv(bad, Int(2)),
        ceilDiv(Int(2), bad), mod(bad, Int(2)), min(bad, Int(1)),
        max(Int(1), bad), bitXor(bad, Int(1)), bad + Int::symbol(0)})
    EXPECT_TRUE(result.isInvalid());
  EXPECT_EQ(why(Layout::get(IntTuple::tuple({Int(2), bad}), tuple("(1, 2)"))),
            "expected a product of 9223372036854775807 and 2 that fits in 64 "
            "bits, but it overflows at mode [1]");
}

TEST(LayoutInvalid, Construction) {
  EXPECT_EQ(why(Layout::get(tuple("(4, 8)"), 1)),
            "expected shape and stride of the same nesting, but got (4, 8) "
            "and 1");
  EXPECT_EQ(why(Layout::get(tuple("(4, (2, 0))"), tuple("(1, (4, 8))"))),
            "expected a positive extent at mode [1, 1], but got 0");
  EXPECT_EQ(why(Layout::get(-3, 1)), "expected a positive extent, but got -3");
  EXPECT_EQ(why(Layout::get(tuple("(4, _)"), tuple("(1, 4)"))),
            "expected an integer extent at mode [1], but got _");
  EXPECT_EQ(why(Layout::get(4, tuple("1@64"))),
            "expected basis modes from 0 to 63, but got 1@64");
  EXPECT_EQ(
      why(Layout::get(tuple("(4294967296, 4294967296)"), tuple("(1, 1)"))),
      "expected a product of 4294967296 and 4294967296 that fits in 64 "
      "bits, but it overflows");
  EXPECT_EQ(why(makeOrderedLayout(tuple("(4, 8)"), tuple("(0, 1, 2)"))),
            "expected an order that fits the shape (4, 8), but got (0, 1, 2)");
  EXPECT_EQ(why(makeOrderedLayout(tuple("(4, 8)"), tuple("(0, ?)"))),
            "expected a constant order, but got ?");
  EXPECT_EQ(why(makeLayoutLike(layout("(4, 8) : (1@0, 1@1)"))),
            "expected constant integer strides to order by, but got "
            "(1@0, 1@1)");
  EXPECT_EQ(why(domainDistribute(tuple("(4, 8)"), 0)),
            "expected a constant shape and a positive constant count, but got "
            "(4, 8) and 0");
}

TEST(LayoutInvalid, Coordinates) {
  Layout matrix = layout("(4, (2, 3)) : (1, (4, 8))");
  EXPECT_EQ(why(matrix(tuple("(1, 2, 3)"))),
            "expected a coordinate that fits (4, (2, 3)), but got (1, 2, 3)");
  EXPECT_EQ(why(matrix(tuple("((1, 2), 3)"))),
            "expected a coordinate that fits 4 at mode [0], but got (1, 2)");
  EXPECT_EQ(why(matrix(tuple("(1, (_, 2))"))),
            "expected an integer coordinate at mode [1, 0], but got _");
  EXPECT_EQ(why(layout("(4, 8) : (1, 400)")(kMax)),
            "expected a product of 400 and 2305843009213693951 that fits in 64 "
            "bits, but it overflows");
  EXPECT_EQ(why(idx2crd(tuple("(1, 2, 3)"), tuple("(4, 8)"))),
            "expected an index that fits (4, 8), but got (1, 2, 3)");
  EXPECT_EQ(why(idx2crd(tuple("(1, _)"), tuple("(4, 8)"))),
            "expected an integer index at mode [1], but got _");
  EXPECT_EQ(why(layout("(2, 2) : (1@0, 3)")(tuple("(1, 1)"))),
            "expected values that are all indices or all coordinates, but got "
            "(1) and 3");
}

TEST(LayoutInvalid, Modes) {
  Layout matrix = layout("(4, (2, 3)) : (1, (4, 8))");
  EXPECT_EQ(why(getMode(matrix, {1, 2})),
            "expected a mode below the rank 2 of (2, 3), but got 2");
  EXPECT_EQ(why(take(matrix, 1, 3)),
            "expected modes within the rank 2 of (4, (2, 3)), but got 1 to 3");
  EXPECT_EQ(why(groupModes(matrix, 2, 1)),
            "expected modes within the rank 2 of (4, (2, 3)), but got 2 to 1");
  EXPECT_EQ(why(select(matrix, {2})),
            "expected a mode below the rank 2 of (4, (2, 3)), but got 2");
  EXPECT_EQ(why(replaceMode(matrix, -1, layout("2 : 1"))),
            "expected a mode below the rank 2 of (4, (2, 3)), but got -1");
  EXPECT_EQ(why(transpose(layout("4 : 1"))),
            "expected a layout of rank 2 to transpose, but got rank 1");
  EXPECT_EQ(why(zip(layout("4 : 1"))),
            "expected a tuple of tuples to zip, but got 4");
  EXPECT_EQ(why(zip(matrix)),
            "expected modes of the same rank to zip, but got (4, (2, 3))");
  EXPECT_EQ(why(unflatten(layout("(2, 3) : (1, 2)"), tuple("(1, (1, 1))"))),
            "expected 3 modes for the profile (1, (1, 1)), but got 2");
  EXPECT_EQ(why(coalesce(matrix, tuple("(1, 1, 1)"))),
            "expected a profile of at most the rank 2 of (4, (2, 3)) : "
            "(1, (4, 8)), but got (1, 1, 1)");
  EXPECT_EQ(why(slice(tuple("(1, _, _)"), matrix)),
            "expected a coordinate that fits (4, (2, 3)), but got (1, _, _)");
  EXPECT_EQ(why(reshape(matrix, tuple("(5, 5)"))),
            "expected a shape of size 24, but got (5, 5) of size 25");
}

TEST(LayoutInvalid, Composition) {
  auto compose = [](llvm::StringRef lhs, llvm::StringRef rhs) {
    return why(composition(layout(lhs), tiler(rhs)));
  };
  EXPECT_EQ(compose("(6, 2) : (8, 2)", "(5, 4) : (4, 1)"),
            "expected extent of mode [0] of the right-hand side to be a "
            "multiple of 2, after which its steps of 4 carry into the next "
            "mode of the left-hand side, but got 5");
  EXPECT_EQ(compose("(4, 8) : (8, 1)", "4 : 3"),
            "the right-hand side carries into itself at index 3: expected 10, "
            "but got 41");
  EXPECT_EQ(compose("(4, 8) : (8, 1)", "(4, 3) : (3, 1)"),
            "mode 0 of the right-hand side carries into itself at index 3: "
            "expected 10, but got 41");
  EXPECT_EQ(compose("(10, 2) : (16, 4)", "((2, 2), 2) : ((1, 8), 4)"),
            "modes [0, 1] and 1 of the right-hand side carry into each other "
            "at index 6: expected 36, but got 192");
  EXPECT_EQ(compose("(4, 8) : (8, 1)", "<2, 2, 2>"),
            "expected a tiler of at most the rank 2 of (4, 8) : (8, 1), but "
            "got <2, 2, 2>");
  EXPECT_EQ(compose("(4, 8) : (1@0, 1@1)", "2 : 5"),
            "expected a step within one mode of the coordinate, but got "
            "strides 1@0 and 1@1");
  EXPECT_EQ(compose("(4, (2, 3)) : (1, (4, 8))", "(2, 2) : (1@1, 1@0@1)"),
            "expected strides of which none walks inside another's mode, but "
            "got (1@1, 1@0@1)");
  EXPECT_EQ(compose("(4, 8) : (8, 1)", "2 : 1@2"),
            "expected a mode below the rank 2 of (4, 8), but got 2");
  EXPECT_EQ(compose("(?{div = 4}, 8) : (8, 1)", "4 : 3"),
            "expected extent of the right-hand side to be a multiple of ?, "
            "after which its steps of 3 carry into the next mode of the "
            "left-hand side, but got 4");
  EXPECT_EQ(compose("(?{div = 4}, 8) : (8, 1)", "4 : 6"),
            "expected a step that is known to divide extent ?{div = 4} of the "
            "left-hand side or to be a multiple of it, but got 6");
  EXPECT_EQ(compose("(4, ?{div = 4}, 8) : (8, 100, 1)", "2 : 5"),
            "expected constant extents where a step has several digits, but "
            "got ?{div = 4}");
  EXPECT_EQ(compose("(?{div = 4}, 8) : (8, 1)", "(2, 2) : (1, 1)"), "accepted");
  EXPECT_EQ(compose("(?{div = 4}, 8) : (8, 1)", "(4, 2) : (1, 1)"),
            "expected modes of the right-hand side that are known not to carry "
            "into each other, but got 4 : 1, 2 : 1");
  // Too large to enumerate, but the carry shows near the start.
  EXPECT_EQ(compose("(6, 200000) : (1, 7)", "(3, 2, 100000) : (2, 3, 6)"),
            "modes 0 and 1 of the right-hand side carry into each other at "
            "index 5: expected 8, but got 7");
}

TEST(LayoutInvalid, ComplementAndInverses) {
  EXPECT_EQ(why(complement(layout("(4, 8) : (1, 2)"), 64)),
            "expected a stride of at least 4, the span of the faster modes of "
            "(4, 8) : (1, 2), but got 2");
  EXPECT_EQ(why(complement(layout("4 : -1"), 8)),
            "expected non-negative strides, but got -1");
  EXPECT_EQ(why(complement(layout("4 : 1@0"), 8)),
            "expected integer strides, but got 1@0");
  EXPECT_EQ(why(complement(layout("4 : 1"), tuple("(4, 0)"))),
            "expected a positive extent at mode [1], but got 0");
  EXPECT_EQ(why(complement(layout("(2, 2) : (?, ?)"), 8)),
            "expected strides whose order is known, but got (?, ?)");
  EXPECT_EQ(why(complement(layout("? : 2"), 8)),
            "expected an extent that is known to be at least 2 at stride 2, "
            "which leaves a gap, but got ?");
  EXPECT_EQ(why(rightInverse(layout("4 : 1@0"))),
            "expected integer strides, but got 1@0");
  EXPECT_EQ(why(leftInverse(layout("(4, 8) : (0, 1)"))),
            "expected an injective layout, but got stride 0 at extent 4");
  EXPECT_EQ(why(leftInverse(layout("(8, 4) : (59, 13)"))),
            "expected every stride to be a multiple of the next smaller one, "
            "but got 59 after 13");
  EXPECT_EQ(why(leftInverse(layout("(8, 2) : (4, 16)"))),
            "expected an injective layout, but got extent 8 at stride 4 below "
            "stride 16");
  EXPECT_EQ(why(leftInverse(layout("4 : -1"))),
            "expected non-negative strides, but got -1");
  EXPECT_EQ(why(nullspace(layout("4 : 1@0"))),
            "expected integer strides, but got 1@0");
}

TEST(LayoutInvalid, DivideAndProduct) {
  EXPECT_EQ(why(zippedDivide(layout("8 : 1"), tiler("<2, 2>"))),
            "expected a tiler of at most the rank 1 of 8 : 1, but got <2, 2>");
  EXPECT_EQ(why(logicalDivide(layout("8 : 1"), tiler("<2, 2>"))),
            "expected a tiler of at most the rank 1 of 8 : 1, but got <2, 2>");
  EXPECT_EQ(findOverhang(layout("8 : 1"), tiler("<2, 2>"))->str(),
            "expected a tiler of at most the rank 1 of 8 : 1, but got <2, 2>");
  EXPECT_EQ(why(logicalProduct(layout("4 : 2"), tiler("3 : 1"))),
            "expected extent of the right-hand side to be a multiple of 2, "
            "after which its steps of 1 carry into the next mode of the "
            "left-hand side, but got 3");
  EXPECT_EQ(why(tileToShape(layout("(2, 3) : (1, 2)"), tuple("(7, 9)"))),
            "expected extent of mode 0 of the shape to be a multiple of 2, the "
            "extent of the block, but got 7");
  EXPECT_EQ(why(tileToShape(layout("2 : 1"), tuple("_"))),
            "expected a tuple of integers, but got _");
  EXPECT_EQ(why(tileToShape(layout("(2, 3) : (1, 2)"), 6)),
            "expected a shape of at least the rank 2 of the block, but got 6");
}

TEST(LayoutInvalid, Recast) {
  EXPECT_EQ(why(upcast(layout("(2, 3, 4) : (1, 2, 6)"), 4)),
            "expected every stride to be a multiple of 4 or to divide it, but "
            "got 6");
  EXPECT_EQ(why(upcast(layout("4 : 1"), 0)),
            "expected a positive number of elements, but got 0");
  EXPECT_EQ(why(upcast(layout("4 : 1@0"), 2)),
            "expected integer strides, but got 1@0");
  EXPECT_EQ(why(downcast(layout("8 : 2"), 2)),
            "expected a mode of stride 1 or -1 to split, but got strides 2");
  EXPECT_EQ(why(downcast(layout("8 : 2"), -1)),
            "expected a positive number of elements, but got -1");
  EXPECT_EQ(why(recastLayout(layout("8 : 1"), 0, 8)),
            "expected positive element sizes, but got 0 and 8 bits");
  EXPECT_EQ(why(maxAlignment(layout("4 : 1@0"))),
            "expected integer strides, but got 1@0");
}

TEST(LayoutInvalid, Tuples) {
  EXPECT_EQ(why(product(tuple("(4, _)"))),
            "expected a tuple of integers, but got (4, _)");
  EXPECT_EQ(why(sum(tuple("(4, 1@0)"))),
            "expected a tuple of integers, but got (4, 1@0)");
  EXPECT_EQ(why(innerProduct(tuple("(1, 2)"), tuple("(1, 2, 3)"))),
            "expected tuples of matching nesting, but got (1, 2) and "
            "(1, 2, 3)");
  EXPECT_EQ(why(elemScale(tuple("(1, 2)"), 3)),
            "expected tuples of matching nesting, but got (1, 2) and 3");
  EXPECT_EQ(why(ceilDiv(tuple("(1, 2)"), tuple("(1, 2, 3)"))),
            "expected tuples of matching nesting, but got (1, 2) and "
            "(1, 2, 3)");
  EXPECT_EQ(why(shapeDiv(6, 4)),
            "expected extents of which one divides the other, but got 6 and 4");
  EXPECT_EQ(why(elemLess(tuple("(1, 2)"), 4)),
            "expected tuples of matching nesting, but got (1, 2) and 4");
  EXPECT_EQ(why(elemLess(tuple("(1, ?)"), tuple("(4, 8)"))),
            "expected constants to compare, but got ? and 8");
}

TEST(LayoutInvalid, Swizzles) {
  EXPECT_EQ(why(Swizzle::get(-1, 0, 3)),
            "expected a non-negative number of swizzle bits, but got -1");
  EXPECT_EQ(why(Swizzle::get(1, -1, 3)),
            "expected a non-negative swizzle base, but got -1");
  EXPECT_EQ(why(Swizzle::get(3, 3, -2)),
            "expected a swizzle shift of at least the 3 swizzle bits, but got "
            "-2");
  EXPECT_EQ(why(Swizzle::get(3, 60, 3)),
            "expected swizzled bits within 0 to 61, but got S<3, 60, 3>");
  EXPECT_EQ(why(Swizzle::get(kMax, kMax, kMax)),
            "expected swizzled bits within 0 to 61, but got "
            "S<9223372036854775807, 9223372036854775807, "
            "9223372036854775807>");
  Swizzle swizzle = *Swizzle::get(3, 3, 3);
  EXPECT_EQ(why(ComposedLayout::get(swizzle, 0, layout("4 : 1@0"))),
            "expected integer strides under a swizzle, but got 1@0");
  EXPECT_EQ(why(ComposedLayout::get(swizzle, Int(kMax) * Int(2), Layout())),
            "expected a product of 9223372036854775807 and 2 that fits in 64 "
            "bits, but it overflows");
  EXPECT_EQ(why(upcast(swizzle, 3)),
            "expected a power of two of elements under a swizzle, but got 3");
  EXPECT_EQ(why(downcast(swizzle, 6)),
            "expected a power of two of elements under a swizzle, but got 6");
  EXPECT_EQ(why(upcast(composed("S<3, 3, 3> o 1 o (8, 64) : (64, 1)"), 2)),
            "expected an offset that is a multiple of 2, but got 1");
  EXPECT_EQ(why(tileToShape(composed("S<1, 0, -3> o 0 o (2, 4) : (1, 16)"),
                            tuple("(8, 8)"))),
            "expected repetitions that are swizzled as the block is, as at "
            "multiples of the swizzle's period 16, but in the one at 8 element "
            "1 is at -7 from the first instead of 9");
  EXPECT_EQ(why(rightInverse(composed("S<1, 0, 2> o 4 o (4, 4) : (4, 1)"))),
            "expected offset 0 to invert a layout, but got 4");
  EXPECT_EQ(why(rightInverse(composed("S<1, 0, 2> o 0 o (3, 4) : (4, 1)"))),
            "expected a swizzle whose bits the layout (4, 3) : (3, 1) keeps "
            "together, but got S<1, 0, 2>");
  EXPECT_EQ(why(leftInverse(composed("S<1, 0, 2> o 0 o (4, 3) : (3, 1)"))),
            "expected a swizzle whose bits the layout (3, 4) : (4, 1) keeps "
            "together, but got S<1, 0, 2>");
  EXPECT_EQ(why(composition(composed("S<1, 0, 2> o 0 o 16 : 1"),
                            composed("S<2, 0, 3> o 0 o 32 : 1"))),
            "expected at most one swizzle in the result, but got S<1, 0, 2> "
            "after S<2, 0, 3>");
  EXPECT_EQ(why(composition(ComposedLayout(layout("16 : 1@0")),
                            composed("S<2, 0, 3> o 1 o 32 : 1"))),
            "expected integer strides under a swizzle, but got 1@0");
}

TEST(LayoutInvalid, SlicesAndTilers) {
  EXPECT_EQ(why(sliceAndOffset(tuple("(1, _)"),
                               ComposedLayout(layout("(4, 8) : (1@0, 1@1)")))),
            "expected integer strides to slice with an offset, but got (1@0, "
            "1@1)");
  EXPECT_EQ(why(Tiler::fromShape(tuple("()"))),
            "expected at least one mode in a tiler, but got ()");
}

TEST(LayoutInvalid, Convolutions) {
  ConvProblem problem{2, 6, 8, {{5, 5, 3}, {5, 5, 3}}};
  problem.groups = 4;
  EXPECT_EQ(why(getFpropActivation(problem, {})),
            "expected blocks of channels for a convolution of groups, but got "
            "all channels at once");
  EXPECT_EQ(why(getFpropFilter(problem, {2})),
            "expected channels that are a multiple of the 4 groups, but got 6");
  EXPECT_EQ(why(getDepthwiseWindow(problem, {4})),
            "expected one extent of the output tile for each of the 2 spatial "
            "dimensions, but got 1");
}

} // namespace
