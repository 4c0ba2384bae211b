// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared layouts: every one serves wgmma, and TMA fills it.
#include "tile/Atoms/SharedLayouts.h"
#include "tile/Atoms/TmaBox.h"
#include "gtest/gtest.h"

using namespace tile;

namespace {

std::string describe(Major major, int swizzleBytes, int64_t bits, int64_t mn,
                     int64_t k) {
  Result<ComposedLayout> layout =
      getSharedLayout(major, swizzleBytes, bits, mn, k);
  return layout ? layout->str() : layout.getReason();
}

TEST(SharedLayouts, Tiles) {
  EXPECT_EQ(describe(Major::K, 128, 16, 128, 128),
            "S<3, 3, 3> o 0 o ((8, 16), (64, 2)) : ((64, 512), (1, 8192))");
  // 64-wide chunks of 8 KB.
  EXPECT_EQ(describe(Major::MN, 128, 16, 128, 64),
            "S<3, 3, 3> o 0 o ((64, 2), (8, 8)) : ((1, 4096), (64, 512))");
  EXPECT_EQ(describe(Major::K, 0, 8, 64, 32),
            "((8, 8), (16, 2)) : ((16, 128), (1, 1024))");
}

TEST(SharedLayouts, Refusals) {
  EXPECT_EQ(
      describe(Major::K, 128, 16, 128, 96),
      "expected a tile of a multiple of 8 x 64 elements (mn x k), but got "
      "128 x 96");
  EXPECT_EQ(
      describe(Major::MN, 64, 16, 16, 64),
      "expected a tile of a multiple of 32 x 8 elements (mn x k), but got "
      "16 x 64");
  EXPECT_EQ(describe(Major::K, 96, 16, 128, 64),
            "expected a swizzle of 0, 32, 64 or 128 bytes, but got 96");
  EXPECT_EQ(describe(Major::K, 128, 4, 128, 64),
            "expected elements of 8, 16, 32 or 64 bits, but got 4");
}

TEST(SharedLayouts, WidestSwizzle) {
  EXPECT_EQ(getWidestSwizzle(16, 64), 128);
  EXPECT_EQ(getWidestSwizzle(16, 96), 64);
  EXPECT_EQ(getWidestSwizzle(16, 16), 32);
  EXPECT_EQ(getWidestSwizzle(16, 8), 0);
  EXPECT_EQ(getWidestSwizzle(8, 128), 128);
  EXPECT_EQ(getWidestSwizzle(16, 0), 0);
}

// For every type, major, swizzle and extent: wgmma reads all instructions of
// the tile, and the boxes of TMA fill it.
TEST(SharedLayouts, ServeWgmmaAndTma) {
  unsigned tiles = 0;
  for (Major major : {Major::K, Major::MN})
    for (int64_t bits : {8, 16, 32})
      for (int swizzle : {0, 32, 64, 128})
        for (int64_t n = 8; n <= 256; n += 8) {
          if (major == Major::MN && bits != 16)
            continue;
          int64_t row = std::max(swizzle, 16) * 8 / bits;
          // A tile of two spans along k, or of 32 bytes at least.
          int64_t k = major == Major::K ? 2 * std::max(row, 256 / bits) : 32;
          if (major == Major::MN && n % row != 0)
            continue;
          Result<ComposedLayout> tile =
              getSharedLayout(major, swizzle, bits, n, k);
          ASSERT_TRUE(bool(tile)) << tile.getReason();
          int64_t depth = 256 / bits;
          Result<GmmaOperand> operand =
              getGmmaOperand(*tile, bits, n, depth, 1024);
          ASSERT_TRUE(bool(operand)) << tile->str() << operand.getReason();
          EXPECT_EQ(operand->major, major) << tile->str();
          EXPECT_EQ(operand->swizzleBytes, swizzle) << tile->str();
          for (int64_t j = 0; j < k / depth; ++j) {
            Result<int64_t> start =
                getGmmaOffset(*tile, *operand, bits, n, depth, 0, j);
            EXPECT_TRUE(bool(start)) << tile->str() << start.getReason();
          }
          Result<TmaBoxes> boxes =
              getTmaBoxes(*tile, bits, major == Major::K, 1024);
          ASSERT_TRUE(bool(boxes)) << tile->str() << boxes.getReason();
          EXPECT_EQ(boxes->inner * boxes->outer * int64_t(boxes->boxes.size()),
                    n * k);
          ++tiles;
        }
  EXPECT_EQ(tiles, 3u * 4 * 32 + 32 + 16 + 8 + 4);
}

} // namespace
