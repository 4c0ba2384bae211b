// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of layouts: tables, SVG, LaTeX, and what is refused.
#include "tile/Layout/Print.h"
#include "tile/Layout/Algebra.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tile;

namespace {

ComposedLayout layout(llvm::StringRef text) {
  Result<ComposedLayout> result = ComposedLayout::parse(text);
  EXPECT_TRUE(result) << text.str() << ": " << result.getReason();
  return result ? *result : ComposedLayout();
}

Layout plain(llvm::StringRef text) {
  Result<Layout> result = Layout::parse(text);
  EXPECT_TRUE(result) << text.str() << ": " << result.getReason();
  return result ? *result : Layout();
}

std::string text(const Result<Picture> &picture) {
  if (!picture)
    return picture.getReason();
  std::string result;
  llvm::raw_string_ostream os(result);
  printText(*picture, os);
  return result;
}

std::string svg(const Result<Picture> &picture) {
  if (!picture)
    return picture.getReason();
  std::string result;
  llvm::raw_string_ostream os(result);
  printSVG(*picture, os);
  return result;
}

std::string latex(const Result<Picture> &picture) {
  if (!picture)
    return picture.getReason();
  std::string result;
  llvm::raw_string_ostream os(result);
  printLatex(*picture, os);
  return result;
}

int64_t count(llvm::StringRef text, llvm::StringRef part) {
  return text.count(part);
}

const char *const kSwizzled = "S<2, 0, 2> o 0 o (4, 4) : (4, 1)";
const char *const kThreadValue =
    "((2, 2), 2) : ((2@0, 1@1), 1@0)"; // threads 2 by 2, values down

TEST(LayoutPrint, TableOfAPlainLayout) {
  EXPECT_EQ(text(makePicture(layout("(2, 4) : (4, 1)"))),
            "(2, 4) : (4, 1)\n"
            "    0   1   2   3\n"
            "  +---+---+---+---+\n"
            "0 | 0 | 1 | 2 | 3 |\n"
            "1 | 4 | 5 | 6 | 7 |\n"
            "  +---+---+---+---+\n");
}

TEST(LayoutPrint, ColumnsAreAsWideAsTheWidestCell) {
  EXPECT_EQ(text(makePicture(layout("(2, 2) : (-5, 100)"))),
            "(2, 2) : (-5, 100)\n"
            "      0     1\n"
            "  +-----+-----+\n"
            "0 |   0 | 100 |\n"
            "1 |  -5 |  95 |\n"
            "  +-----+-----+\n");
}

TEST(LayoutPrint, OneModeIsARow) {
  for (const char *spelling : {"3 : 5", "(3) : (5)"})
    EXPECT_EQ(text(makePicture(layout(spelling))), std::string(spelling) +
                                                       "\n"
                                                       "     0    1    2\n"
                                                       "  +----+----+----+\n"
                                                       "0 |  0 |  5 | 10 |\n"
                                                       "  +----+----+----+\n");
}

TEST(LayoutPrint, FurtherModesFollowInsideTheColumns) {
  EXPECT_EQ(text(makePicture(layout("(2, 2, 2) : (1, 4, 2)"))),
            "(2, 2, 2) : (1, 4, 2)\n"
            "    0   1   2   3\n"
            "  +---+---+---+---+\n"
            "0 | 0 | 4 | 2 | 6 |\n"
            "1 | 1 | 5 | 3 | 7 |\n"
            "  +---+---+---+---+\n");
}

TEST(LayoutPrint, TableOfASwizzledLayout) {
  EXPECT_EQ(text(makePicture(layout(kSwizzled))),
            "S<2, 0, 2> o 0 o (4, 4) : (4, 1)\n"
            "     0    1    2    3\n"
            "  +----+----+----+----+\n"
            "0 |  0 |  1 |  2 |  3 |\n"
            "1 |  5 |  4 |  7 |  6 |\n"
            "2 | 10 | 11 |  8 |  9 |\n"
            "3 | 15 | 14 | 13 | 12 |\n"
            "  +----+----+----+----+\n");
}

TEST(LayoutPrint, CoordinatesOfAnIdentityLayout) {
  EXPECT_EQ(text(makePicture(*makeIdentityLayout(IntTuple::constants({2, 2})))),
            "(2, 2) : (1@0, 1@1)\n"
            "        0       1\n"
            "  +-------+-------+\n"
            "0 | (0,0) | (0,1) |\n"
            "1 | (1,0) | (1,1) |\n"
            "  +-------+-------+\n");
}

TEST(LayoutPrint, BanksAndAHighlightedOffset) {
  PictureOptions options;
  options.banks = true;
  options.elementBytes = 16;
  options.highlightValue = 9;
  EXPECT_EQ(text(makePicture(layout("(2, 2) : (1, 8)"), options)),
            "(2, 2) : (1, 8)\n"
            "       0      1\n"
            "  +------+------+\n"
            "0 | 0 b0 | 8 b0 |\n"
            "1 | 1 b4 |[9 b4]|\n"
            "  +------+------+\n");
}

TEST(LayoutPrint, BankOfAnOffset) {
  EXPECT_EQ(getBank(33, 4), 1);
  EXPECT_EQ(getBank(3, 2), 1);
  EXPECT_EQ(getBank(-1, 4), 31);
  EXPECT_EQ(getBank(-1, 1), 31);
  // 2^62 + 1 elements of 128 bytes: beyond 64 bits, a multiple of 128.
  EXPECT_EQ(getBank((int64_t(1) << 62) + 1, 128), 0);
}

TEST(LayoutPrint, TableOfAThreadValueLayout) {
  EXPECT_EQ(text(makeThreadValuePicture(plain(kThreadValue))),
            "((2, 2), 2) : ((2@0, 1@1), 1@0)\n"
            "       0      1\n"
            "  +------+------+\n"
            "0 | T0V0 | T2V0 |\n"
            "1 | T0V1 | T2V1 |\n"
            "2 | T1V0 | T3V0 |\n"
            "3 | T1V1 | T3V1 |\n"
            "  +------+------+\n");
}

TEST(LayoutPrint, IntegerStridesCountDownTheColumns) {
  // The same map in the form that CuTe prints: 4 rows by 2 columns.
  std::string byNumber = text(makeThreadValuePicture(
      plain("((2, 2), 2) : ((2, 4), 1)"), TileExtents{4, 2}));
  std::string byCoordinate = text(makeThreadValuePicture(plain(kThreadValue)));
  auto body = [](llvm::StringRef table) { return table.split('\n').second; };
  EXPECT_EQ(body(byNumber).str(), body(byCoordinate).str());
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2) : (1, 2)"))),
            "(2, 2) : (1, 2)\n"
            "       0      1      2      3\n"
            "  +------+------+------+------+\n"
            "0 | T0V0 | T1V0 | T0V1 | T1V1 |\n"
            "  +------+------+------+------+\n");
}

TEST(LayoutPrint, SharedAndUnownedElements) {
  EXPECT_EQ(
      text(makeThreadValuePicture(plain("(4, 1) : (0, 0)"), TileExtents{1, 2})),
      "(4, 1) : (0, 0)\n"
      "         0        1\n"
      "  +--------+--------+\n"
      "0 | T0V0+3 |        |\n"
      "  +--------+--------+\n");
}

TEST(LayoutPrint, HighlightOfAThreadAndAValue) {
  PictureOptions options;
  auto highlighted = [&] {
    std::string result;
    Result<Picture> picture = makeThreadValuePicture(
        plain(kThreadValue), std::nullopt, std::nullopt, options);
    for (const PictureCell &cell : picture->cells)
      if (cell.highlighted)
        result += cell.label + " ";
    return result;
  };
  options.highlightThread = 1;
  EXPECT_EQ(highlighted(), "T1V0 T1V1 ");
  options.highlightValue = 1;
  EXPECT_EQ(highlighted(), "T1V1 ");
  options.highlightThread = std::nullopt;
  EXPECT_EQ(highlighted(), "T0V1 T2V1 T1V1 T3V1 ");
}

TEST(LayoutPrint, AHighlightedThreadIsFoundBehindTheFirstOwner) {
  PictureOptions options;
  options.highlightThread = 3;
  EXPECT_EQ(text(makeThreadValuePicture(plain("(4, 1) : (0, 0)"), std::nullopt,
                                        std::nullopt, options)),
            "(4, 1) : (0, 0)\n"
            "         0\n"
            "  +--------+\n"
            "0 |[T0V0+3]|\n"
            "  +--------+\n");
}

TEST(LayoutPrint, BanksOfAThreadValueLayout) {
  PictureOptions options;
  options.banks = true;
  EXPECT_EQ(
      text(makeThreadValuePicture(plain("(2, 2) : (1@0, 1@1)"), std::nullopt,
                                  layout("(2, 2) : (33, 1)"), options)),
      "(2, 2) : (1@0, 1@1)\n"
      "          0         1\n"
      "  +---------+---------+\n"
      "0 | T0V0 b0 | T0V1 b1 |\n"
      "1 | T1V0 b1 | T1V1 b2 |\n"
      "  +---------+---------+\n");
}

TEST(LayoutPrint, SvgSaysWhatTheCellsSay) {
  PictureOptions options;
  options.banks = true;
  options.highlightValue = 10;
  std::string document = svg(makePicture(layout(kSwizzled), options));
  EXPECT_TRUE(llvm::StringRef(document).starts_with(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width="));
  EXPECT_EQ(count(document, "<g class=\"c"), 16);
  EXPECT_EQ(count(document, " h\">"), 1);
  EXPECT_EQ(count(document, " f\">"), 15);
  EXPECT_EQ(count(document, ">S&lt;2, 0, 2&gt; o 0 o (4, 4) : (4, 1)<"), 1);
  EXPECT_EQ(count(document, "row 2, column 0: offset 10, bank 10<"), 1);
  EXPECT_EQ(count(document, ">b10</text>"), 1);
  EXPECT_EQ(count(document, "<g"), count(document, "</g>"));
}

TEST(LayoutPrint, SvgCellsHoldTheirText) {
  Result<Picture> picture =
      makePicture(layout("S<3, 3, 3> o 0 o (128, 64) : (64, 1)"));
  std::string document = svg(picture);
  // Four digits of 12 pixel type, and edges numbered on all four sides.
  EXPECT_EQ(count(document, "width=\"36\" height=\"20\""), 8192);
  EXPECT_EQ(count(document, ">127</text>"), 3);
}

TEST(LayoutPrint, LatexSaysWhatTheCellsSay) {
  PictureOptions options;
  options.banks = true;
  options.highlightValue = 10;
  std::string document = latex(makePicture(layout(kSwizzled), options));
  EXPECT_EQ(count(document, "\\hit{0}{2}{c10}{10\\bank{10}}\n"), 1);
  EXPECT_EQ(count(document, "\n\\faded{"), 15);
  EXPECT_EQ(count(document, "\\begin{"), count(document, "\\end{"));
  Result<Picture> picture = makePicture(layout("2 : 1"));
  picture->title = "50% of #a_b\\{}~^";
  EXPECT_EQ(count(latex(picture), "50\\% of \\#a\\_b\\textbackslash{}\\{\\}"
                                  "\\textasciitilde{}\\textasciicircum{}"),
            1);
}

TEST(LayoutPrint, RefusedLayouts) {
  EXPECT_EQ(text(makePicture(layout("(?, 4) : (4, 1)"))),
            "expected a layout of constants, but got (?, 4) : (4, 1)");
  EXPECT_EQ(text(makePicture(layout("(256, 257) : (1, 256)"))),
            "expected at most 65536 cells in a picture, but got 65792");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(256, 257) : (1, 256)"))),
            "expected at most 65536 cells in a picture, but got 65792");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2) : (70000, 1)"))),
            "expected rows and columns below 65536 in a picture, but got (0, "
            "70000) for thread 1, value 0");
  EXPECT_EQ(text(makeThreadValuePicture(
                plain("(2, 2) : (1@0, 9223372036854775807@1)"))),
            "expected rows and columns below 65536 in a picture, but got (0, "
            "9223372036854775807) for thread 0, value 1");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2) : (1000@0, 500@1)"))),
            "expected at most 65536 cells in a picture, but got 1001 by 501");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(1, 1) : (0, 0)"),
                                        TileExtents{INT64_MAX, INT64_MAX})),
            "expected at most 65536 cells in a picture, but got "
            "9223372036854775807 by 9223372036854775807");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(?, 2) : (1, 1)"))),
            "expected a layout of constants, but got (?, 2) : (1, 1)");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2, 2) : (1, 2, 4)"))),
            "expected a layout of two modes, (threads, values), but got "
            "(2, 2, 2) : (1, 2, 4)");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2) : (1@2, 1@0)"))),
            "expected strides n@e0 (rows), n@e1 (columns) or integers, but got "
            "(1@2, 1@0)");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2) : (-1, 1)"))),
            "expected elements of a tile, but got -1 for thread 1, value 0");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2) : (1@0, 1@1)"),
                                        TileExtents{1, 2})),
            "expected elements of a 1 by 2 tile, but got (1, 0) for thread 1, "
            "value 0");
  EXPECT_EQ(text(makeThreadValuePicture(plain("(2, 2) : (1@0, 1@1)"),
                                        TileExtents{0, 2})),
            "expected positive tile extents, but got 0 by 2");
}

TEST(LayoutPrint, RefusedOptions) {
  PictureOptions options;
  options.elementBytes = 0;
  EXPECT_EQ(text(makePicture(layout("2 : 1"), options)),
            "expected elements of 1 to 128 bytes, but got 0");
  options = {};
  options.highlightThread = 1;
  EXPECT_EQ(text(makePicture(layout("2 : 1"), options)),
            "expected a thread-value layout to highlight a thread in, but got "
            "2 : 1");
  options.highlightThread = 4;
  EXPECT_EQ(text(makeThreadValuePicture(plain(kThreadValue), std::nullopt,
                                        std::nullopt, options)),
            "expected a thread from 0 to 3 to highlight, but got 4");
  options = {};
  options.highlightValue = 2;
  EXPECT_EQ(text(makeThreadValuePicture(plain(kThreadValue), std::nullopt,
                                        std::nullopt, options)),
            "expected a value from 0 to 1 to highlight, but got 2");
  EXPECT_EQ(text(makePicture(layout("2 : 1"), options)),
            "expected an offset of 2 : 1 to highlight, but got 2");
  EXPECT_EQ(text(makePicture(layout("(2) : (1@0)"), options)),
            "expected integer strides to highlight an offset, but got "
            "(2) : (1@0)");
  options = {};
  options.banks = true;
  EXPECT_EQ(text(makePicture(layout("(2) : (1@0)"), options)),
            "expected integer strides to find banks, but got (2) : (1@0)");
  EXPECT_EQ(text(makeThreadValuePicture(plain(kThreadValue), std::nullopt,
                                        std::nullopt, options)),
            "expected a layout of the tile in memory to find banks, but got "
            "none");
  for (const char *memory : {"(2, 4) : (4, 1)", "(4, 4) : (4, 1)", "? : 1"})
    EXPECT_EQ(text(makeThreadValuePicture(plain(kThreadValue), std::nullopt,
                                          layout(memory), options)),
              std::string("expected a layout of constants with 4 by 2 elements "
                          "to find banks, but got ") +
                  memory);
}

} // namespace
