// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases of iterators from public reports, and the example of the introductions.
#include "Walk.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

class IteratorCases : public ::testing::Test {
protected:
  IteratorCases() { loadDialects(context); }

  ThreadMapAttrInterface parseMap(const std::string &text) {
    return dyn_cast_or_null<ThreadMapAttrInterface>(
        parseAttribute(text, &context));
  }

  MLIRContext context;
};

// I03 (cutlass#931, #3487): moves along the rank that does not advance were not
// scaled by the element size. 128 by 128, tiles of 32 by 8.
TEST_F(IteratorCases, I03_TileOffsetsAlongBothRanks) {
  // Views have elements of whole bytes; two elements of 4 bits are one of 8.
  for (const char *type : {"i8", "f16", "f32", "f64", "i128"})
    for (int64_t contiguous : {0, 1})
      for (int64_t advance : {0, 1})
        for (int64_t extent : {128, 125, 70})
          for (std::array<int64_t, 2> offset :
               {std::array<int64_t, 2>{2, 0}, {0, 3}, {1, 1}})
            for (bool before : {true, false}) {
              Walk walk;
              walk.map = "#tile.strip_mined<tile = [32, 8], contiguous = " +
                         std::to_string(contiguous) +
                         ", threads = 32, elements = 1>";
              walk.elementType = type;
              walk.extent = {extent, extent};
              walk.stride = contiguous == 1 ? std::array<int64_t, 2>{136, 1}
                                            : std::array<int64_t, 2>{1, 136};
              walk.unitDim = contiguous;
              walk.advance = advance;
              walk.random = true;
              ThreadMapAttrInterface map = parseMap(walk.map);
              ASSERT_TRUE(map);
              Oracle oracle(walk, {32, 8});
              std::string it = "%it0", from = "!iter";
              if (!before) {
                walk.body = "  %it1 = tile.iterator_advance %it0 : !iter\n";
                it = "%it1";
                from = "!steady";
                oracle.advance();
              }
              std::string to =
                  before && offset[advance] == 0 ? "!iter" : "!steady";
              walk.body += "  %there = tile.iterator_add_tile_offset " + it +
                           "(" + std::to_string(offset[0]) + ", " +
                           std::to_string(offset[1]) + ") : " + from +
                           "\n  %f = tile.iterator_load %there : " + to +
                           " -> vector<8x" + type + ">\n";
              oracle.addTileOffset(offset);
              std::string error;
              LoweredWalk lowered(context, walk, error);
              ASSERT_TRUE(bool(lowered)) << error << walk.write();
              for (int64_t t : {0, 1, 17, 31}) {
                std::vector<WalkTile> tiles = lowered.run(t, 8, error);
                ASSERT_TRUE(error.empty()) << error;
                ASSERT_EQ(tiles.size(), 1u);
                EXPECT_TRUE(tiles[0] ==
                            Oracle::getTile(walk, map, t, oracle.getWindow()))
                    << type << ", thread " << t << "\n"
                    << walk.write();
              }
            }
}

// I05 (cutlass#1058): the pitch says how wide accesses may be, the extent only
// what is masked. f16, 33 columns with a pitch of 40.
TEST_F(IteratorCases, I05_PitchAlignedExtentOdd) {
  Walk walk;
  walk.map = "#tile.strip_mined<tile = [64, 64], contiguous = 1, threads = "
             "128, elements = 8>";
  walk.elementType = "f16";
  walk.extent = {64, 33};
  walk.stride = {40, 1};
  walk.advance = 0;
  walk.body = "  %f = tile.iterator_load %it0 : !iter -> vector<32xf16>\n";
  ThreadMapAttrInterface map = parseMap(walk.map);
  std::string error;
  LoweredWalk lowered(context, walk, error);
  ASSERT_TRUE(bool(lowered)) << error;
  Oracle oracle(walk, {64, 64});
  for (int64_t t = 0; t < 128; ++t) {
    std::vector<WalkTile> tiles = lowered.run(t, 32, error);
    ASSERT_EQ(tiles.size(), 1u) << error;
    EXPECT_TRUE(tiles[0] == Oracle::getTile(walk, map, t, oracle.getWindow()));
  }
}

// I06 (cutlass#1924): what is known of alignments changes the width of accesses
// and nothing else. A row of 3584 elements, and one of 48.
TEST_F(IteratorCases, I06_SingleElementsEqualVectors) {
  for (int64_t columns : {3584, 48}) {
    Walk walk;
    walk.map = "#tile.warp_raked<tile = [32, 64], contiguous = 1, threads = "
               "128, warp = [8, 4], elements = 8>";
    walk.elementType = "f16";
    walk.extent = {77, columns};
    walk.stride = {columns, 1};
    walk.start = {64, 0};
    walk.advance = 1;
    walk.body = "  %f0 = tile.iterator_load %it0 : !iter -> vector<16xf16>\n"
                "  %it1 = tile.iterator_advance %it0 : !iter\n"
                "  %f1 = tile.iterator_load %it1 : !steady -> vector<16xf16>\n";
    std::string error;
    LoweredWalk vectors(context, walk, error);
    walk.divisors = false;
    LoweredWalk elements(context, walk, error);
    ASSERT_TRUE(vectors && elements) << error;
    for (int64_t t = 0; t < 128; ++t) {
      std::vector<WalkTile> wide = vectors.run(t, 16, error);
      ASSERT_EQ(wide.size(), 2u) << error;
      EXPECT_TRUE(wide == elements.run(t, 16, error)) << "thread " << t;
    }
  }
}

// I08 (cutlass#2937): accesses wider than the output is left. 8 columns of a
// tile of 64, 16-byte stores; nothing beyond the 8 columns is written.
TEST_F(IteratorCases, I08_StoresEndWithTheOutput) {
  for (int64_t columns : {8, 5}) {
    Walk walk;
    walk.map = "#tile.strip_mined<tile = [16, 64], contiguous = 1, threads = "
               "32, elements = 8>";
    walk.elementType = "f16";
    walk.extent = {16, columns};
    walk.stride = {24, 1};
    walk.fragment = 32;
    walk.body = "  tile.iterator_store %frag, %it0 : !frag, !iter\n";
    std::string error;
    LoweredWalk lowered(context, walk, error);
    ASSERT_TRUE(bool(lowered)) << error;
    std::vector<int64_t> written(16 * 24, 0);
    for (int64_t t = 0; t < 32; ++t)
      for (const WalkTile &tile : lowered.run(t, 32, error))
        for (const WalkElement &element : tile)
          if (element.valid)
            ++written.at(element.offset);
    ASSERT_TRUE(error.empty()) << error;
    for (int64_t i = 0; i < 16 * 24; ++i)
      EXPECT_EQ(written[i], i % 24 < columns) << "element " << i;
  }
}

// I09 (tilelang#2963): two threads would share a byte; there are no views of
// elements that are no whole bytes.
TEST_F(IteratorCases, I09_NoElementsBelowAByte) {
  Walk walk;
  walk.map = "#tile.strip_mined<tile = [1, 128], contiguous = 1, threads = "
             "128, elements = 1>";
  walk.elementType = "i4";
  walk.extent = {1, 128};
  walk.stride = {128, 1};
  std::string error;
  EXPECT_FALSE(LoweredWalk(context, walk, error));
  EXPECT_NE(error.find("expected an element type of 1, 2, 4, 8 or 16 bytes, "
                       "but got 'i4'"),
            std::string::npos)
      << error;
}

// The example of every introduction: with 63 rows exactly the accesses to row
// 63 are masked, the last iteration of threads 112 to 127.
TEST_F(IteratorCases, WorkedExampleWith63Rows) {
  for (bool padded : {false, true}) {
    Walk walk;
    walk.map = std::string("#tile.strip_mined<tile = [") +
               (padded ? "63" : "64") +
               ", 64], contiguous = 1, threads = 128, elements = 4" +
               (padded ? ", coverage = padded>" : ">");
    // The matrix ends there, or the tile does.
    walk.extent = {padded ? 200 : 63, 64};
    walk.stride = {64, 1};
    walk.body = "  %f = tile.iterator_load %it0 : !iter -> vector<32xf32>\n";
    std::string error;
    LoweredWalk lowered(context, walk, error);
    ASSERT_TRUE(bool(lowered)) << error;
    for (int64_t t = 0; t < 128; ++t) {
      std::vector<WalkTile> tiles = lowered.run(t, 32, error);
      ASSERT_EQ(tiles.size(), 1u) << error;
      for (int64_t e = 0; e < 32; ++e) {
        int64_t row = t / 16 + e / 4 * 8, column = t % 16 * 4 + e % 4;
        EXPECT_EQ(tiles[0][e].offset, row * 64 + column);
        EXPECT_EQ(tiles[0][e].valid, row != 63) << "thread " << t;
      }
    }
  }
}

// Thread 50 touches columns 8 to 11 of rows 3, 11, 19 … 59.
TEST_F(IteratorCases, WorkedExampleThread50) {
  AccessPattern pattern = getAccessPattern(
      parseMap("#tile.strip_mined<tile = [64, 64], contiguous = 1, threads = "
               "128, elements = 4, iterations = 8>"));
  EXPECT_EQ(pattern.getNumAccesses(), 8);
  auto [row0, column0] = pattern.getThreadOffset(50);
  for (int64_t i = 0; i < 8; ++i) {
    auto [rows, columns] = pattern.getAccessOffset(i);
    EXPECT_EQ(row0 + rows, 3 + 8 * i);
    EXPECT_EQ(column0 + columns, 8);
  }
}

// I11 (cutlass#125, #122): deltas are in elements, for each of these maps: the
// address of an access is the layout function of its coordinate.
TEST_F(IteratorCases, I11_DeltasAreElements) {
  for (const char *text :
       {"#tile.strip_mined<tile = [4, 256], contiguous = 1, threads = 32, "
        "elements = 2>",
        "#tile.thread_contiguous<tile = [4, 256], contiguous = 1, threads = "
        "32, elements = 2>",
        "#tile.thread_strided<tile = [64, 16], contiguous = 1, threads = 32, "
        "elements = 4>",
        "#tile.warp_raked<tile = [64, 64], contiguous = 1, threads = 128, warp "
        "= [8, 4], elements = 4>"}) {
    ThreadMapAttrInterface map = parseMap(text);
    ASSERT_TRUE(map);
    AccessPattern pattern = getAccessPattern(map);
    int64_t perTile = pattern.vector * pattern.getNumAccesses();
    Walk walk;
    walk.map = text;
    SmallVector<int64_t, 2> tile = map.getTileShape();
    walk.extent = {tile[0], tile[1]};
    walk.stride = {tile[1] + 4, 1};
    walk.body = "  %f = tile.iterator_load %it0 : !iter -> vector<" +
                std::to_string(perTile) + "xf32>\n";
    std::string error;
    LoweredWalk lowered(context, walk, error);
    ASSERT_TRUE(bool(lowered)) << error;
    for (int64_t t = 0; t < map.getThreads(); ++t) {
      std::vector<WalkTile> tiles = lowered.run(t, perTile, error);
      ASSERT_EQ(tiles.size(), 1u) << error;
      auto [row0, column0] = pattern.getThreadOffset(t);
      for (int64_t e = 0; e < perTile; ++e) {
        auto [rows, columns] = pattern.getAccessOffset(e / pattern.vector);
        EXPECT_EQ(tiles[0][e].offset, (row0 + rows) * walk.stride[0] + column0 +
                                          columns + e % pattern.vector);
      }
    }
  }
}

// Masks: cleared, enabled, read and set.
TEST_F(IteratorCases, Masks) {
  Walk walk;
  walk.map = "#tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, "
             "elements = 1>";
  walk.extent = {6, 8};
  walk.stride = {8, 1};
  walk.body =
      "  %true = arith.constant true\n"
      "  %false = arith.constant false\n"
      "  %off = tile.iterator_clear_mask %it0, %true : !iter\n"
      "  %kept = tile.iterator_clear_mask %it0, %false : !iter\n"
      "  %on = tile.iterator_enable_mask %off : !iter\n"
      "  %mask = tile.iterator_get_mask %it0 : !iter -> vector<1xi32>\n"
      "  %set = tile.iterator_set_mask %off, %mask : !iter, vector<1xi32>\n"
      "  %f0 = tile.iterator_load %it0 : !iter -> vector<2xf32>\n"
      "  %f1 = tile.iterator_load %off : !iter -> vector<2xf32>\n"
      "  %f2 = tile.iterator_load %kept : !iter -> vector<2xf32>\n"
      "  %f3 = tile.iterator_load %on : !iter -> vector<2xf32>\n"
      "  %f4 = tile.iterator_load %set : !iter -> vector<2xf32>\n";
  std::string error;
  LoweredWalk lowered(context, walk, error);
  ASSERT_TRUE(bool(lowered)) << error;
  // Thread 20 has rows 2 and 6 of column 4.
  std::vector<WalkTile> tiles = lowered.run(20, 2, error);
  ASSERT_EQ(tiles.size(), 5u) << error;
  auto valid = [&](size_t k) {
    return std::pair(bool(tiles[k][0].valid), bool(tiles[k][1].valid));
  };
  EXPECT_EQ(valid(0), std::pair(true, false));
  EXPECT_EQ(valid(1), std::pair(false, false));
  EXPECT_EQ(valid(2), std::pair(true, false));
  EXPECT_EQ(valid(3), std::pair(true, true));
  EXPECT_EQ(valid(4), std::pair(true, false));
}

// Pointer offsets shift addresses and no predicates.
TEST_F(IteratorCases, PointerOffsets) {
  Walk walk;
  walk.map = "#tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, "
             "elements = 1>";
  walk.extent = {6, 8};
  walk.stride = {8, 1};
  walk.random = true;
  walk.fragment = 2;
  walk.body = "  %o = arith.constant 100 : index\n"
              "  tile.iterator_store_with_pointer_offset %frag, %it0, %o : "
              "!frag, !iter\n"
              "  tile.iterator_store_with_tile_offset %frag, %it0(1, 2), %o : "
              "!frag, !iter\n"
              "  %f0 = tile.iterator_load_with_pointer_offset %it0, %o : !iter "
              "-> !frag\n"
              "  %f1 = tile.iterator_load_with_tile_offset %it0(0, 1), %o : "
              "!iter -> !frag\n";
  std::string error;
  LoweredWalk lowered(context, walk, error);
  ASSERT_TRUE(bool(lowered)) << error;
  std::vector<WalkTile> tiles = lowered.run(20, 2, error);
  ASSERT_EQ(tiles.size(), 4u) << error;
  auto check = [&](size_t k, int64_t offset, bool first, bool second) {
    EXPECT_EQ(tiles[k][0].offset, offset) << k;
    EXPECT_EQ(tiles[k][1].offset, offset + 32) << k;
    EXPECT_EQ(tiles[k][0].valid, first) << k;
    EXPECT_EQ(tiles[k][1].valid, second) << k;
  };
  check(0, 2 * 8 + 4 + 100, true, false);
  check(1, 10 * 8 + 20 + 100, false, false);
  check(2, 2 * 8 + 4 + 100, true, false);
  check(3, 2 * 8 + 12 + 100, false, false);
}

} // namespace
