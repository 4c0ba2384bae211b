// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of TMA: real tiles, every element written once, refusals word for word.
#include "tile/Atoms/TmaBox.h"
#include "gtest/gtest.h"
#include <set>

using namespace tile;

namespace {

ComposedLayout read(llvm::StringRef text) {
  Result<ComposedLayout> layout = ComposedLayout::parse(text);
  EXPECT_TRUE(bool(layout)) << text.str() << ": " << layout.getReason();
  return layout ? *layout : ComposedLayout();
}

/// `64 x 128, 128 B: 0 (0, 0), 16384 (0, 64)`, or the reason.
std::string describe(llvm::StringRef text, int64_t bits, int64_t contiguous,
                     int64_t baseAlign = 1024) {
  Result<TmaBoxes> boxes = getTmaBoxes(read(text), bits, contiguous, baseAlign);
  if (!boxes)
    return boxes.getReason();
  std::string result = std::to_string(boxes->inner) + " x " +
                       std::to_string(boxes->outer) + ", " +
                       std::to_string(boxes->swizzleBytes) + " B:";
  for (const TmaBoxes::Box &box : boxes->boxes)
    result += (&box == boxes->boxes.begin() ? " " : ", ") +
              std::to_string(box.sharedBytes) + " (" + std::to_string(box.row) +
              ", " + std::to_string(box.column) + ")";
  return result;
}

TEST(TmaBox, Swizzled) {
  EXPECT_EQ(describe("S<3, 3, 3> o 0 o (128, 64) : (64, 1)", 16, 1),
            "64 x 128, 128 B: 0 (0, 0)");
  EXPECT_EQ(describe("S<3, 4, 3> o 0 o (128, 128) : (128, 1)", 8, 1),
            "128 x 128, 128 B: 0 (0, 0)");
  EXPECT_EQ(
      describe("S<3, 3, 3> o 0 o (128, (64, 2)) : (64, (1, 8192))", 16, 1),
      "64 x 128, 128 B: 0 (0, 0), 16384 (0, 64)");
  // Contiguous along the rows of the matrix: 64-wide chunks of 8 KB.
  EXPECT_EQ(describe("S<3, 3, 3> o 0 o ((64, 2), 64) : ((1, 4096), 64)", 16, 0),
            "64 x 64, 128 B: 0 (0, 0), 8192 (64, 0)");
  EXPECT_EQ(describe("S<2, 3, 3> o 0 o (64, 32) : (32, 1)", 16, 1),
            "32 x 64, 64 B: 0 (0, 0)");
  EXPECT_EQ(describe("S<1, 2, 3> o 0 o (64, 8) : (8, 1)", 32, 1),
            "8 x 64, 32 B: 0 (0, 0)");
  EXPECT_EQ(describe("S<3, 1, 3> o 0 o (32, 16) : (16, 1)", 64, 1),
            "16 x 32, 128 B: 0 (0, 0)");
  // 384 rows are two boxes of 192.
  EXPECT_EQ(describe("S<3, 3, 3> o 0 o (384, 64) : (64, 1)", 16, 1),
            "64 x 192, 128 B: 0 (0, 0), 24576 (192, 0)");
}

TEST(TmaBox, Plain) {
  EXPECT_EQ(describe("(64, 64) : (64, 1)", 16, 1, 128),
            "64 x 64, 0 B: 0 (0, 0)");
  EXPECT_EQ(describe("(64, 128) : (1, 64)", 16, 0, 128),
            "64 x 128, 0 B: 0 (0, 0)");
  // Boxes end where the pitch changes.
  EXPECT_EQ(describe("((384, 2), 64) : ((64, 32768), 1)", 16, 1),
            "64 x 192, 0 B: 0 (0, 0), 24576 (192, 0), 65536 (384, 0), "
            "90112 (576, 0)");
  // Core matrices: 16 bytes of all rows a box.
  EXPECT_EQ(describe("((8, 8), (8, 2)) : ((8, 64), (1, 512))", 16, 1, 128),
            "8 x 64, 0 B: 0 (0, 0), 1024 (0, 8)");
  // The columns first: each core matrix is a box of its own.
  EXPECT_EQ(describe("((8, 2), (8, 2)) : ((8, 128), (1, 64))", 16, 1, 128),
            "8 x 8, 0 B: 0 (0, 0), 256 (8, 0), 128 (0, 8), 384 (8, 8)");
  EXPECT_EQ(describe("(1, 512) : (0, 1)", 16, 1, 128),
            "256 x 1, 0 B: 0 (0, 0), 512 (0, 256)");
}

TEST(TmaBox, EveryElementOnceAndWhereItBelongs) {
  struct Case {
    const char *text;
    int64_t bits, contiguous;
  };
  for (const Case &entry : std::initializer_list<Case>{
           {"S<3, 3, 3> o 0 o (128, (64, 2)) : (64, (1, 8192))", 16, 1},
           {"S<3, 3, 3> o 0 o ((64, 2), 64) : ((1, 4096), 64)", 16, 0},
           {"S<2, 4, 3> o 0 o (320, (64, 2)) : (64, (1, 20480))", 8, 1},
           {"((8, 2), (8, 2)) : ((8, 128), (1, 64))", 16, 1}}) {
    ComposedLayout tile = read(entry.text);
    Result<TmaBoxes> boxes =
        getTmaBoxes(tile, entry.bits, entry.contiguous, 1024);
    ASSERT_TRUE(bool(boxes)) << entry.text << boxes.getReason();
    int64_t bytes = entry.bits / 8;
    int64_t rows = tile.getLayout()[0].size().getValue();
    std::set<int64_t> seen;
    for (const TmaBoxes::Box &box : boxes->boxes)
      for (int64_t y = 0; y < boxes->outer; ++y)
        for (int64_t x = 0; x < boxes->inner; ++x) {
          int64_t row = box.row + (entry.contiguous == 1 ? y : x);
          int64_t column = box.column + (entry.contiguous == 1 ? x : y);
          int64_t address = box.sharedBytes + (y * boxes->inner + x) * bytes;
          if (int64_t span = boxes->swizzleBytes)
            address ^= (address / 128) % (span / 16) * 16;
          EXPECT_EQ(address, bytes * tile.at(row + rows * column));
          EXPECT_TRUE(seen.insert(row + rows * column).second);
        }
    EXPECT_EQ(int64_t(seen.size()), tile.size().getValue());
  }
}

TEST(TmaBox, Refusals) {
  llvm::StringRef good = "S<3, 3, 3> o 0 o (128, 64) : (64, 1)";
  EXPECT_EQ(describe(good, 16, 1, 128),
            "expected a base aligned to 1024 bytes for the 128-byte swizzle, "
            "but got 128");
  EXPECT_EQ(describe("(64, 64) : (64, 1)", 16, 1, 64),
            "expected a base aligned to 128 bytes, but got 64");
  EXPECT_EQ(describe(good, 16, 0),
            "expected rows that are contiguous in shared memory as in global "
            "memory, but got a step of 128 bytes");
  EXPECT_EQ(describe(good, 16, 2),
            "expected 0 (rows) or 1 (columns) as the contiguous dimension, but "
            "got 2");
  EXPECT_EQ(describe(good, 4, 1),
            "expected elements of 8, 16, 32 or 64 bits, but got 4");
  EXPECT_EQ(describe("(128, 64) : (72, 1)", 16, 1),
            "expected rows of 128 bytes without padding, but got a pitch of "
            "144 bytes");
  EXPECT_EQ(describe("(64, 128) : (1, 72)", 16, 0),
            "expected columns of 128 bytes without padding, but got a pitch of "
            "144 bytes");
  EXPECT_EQ(describe("(128, 20) : (20, 1)", 16, 1),
            "expected box rows of a multiple of 16 bytes, but got 40");
  EXPECT_EQ(describe("S<3, 3, 3> o 0 o (64, 128) : (128, 1)", 16, 1),
            "expected box rows of 128 bytes (the swizzle span), but got a "
            "pitch of 256 bytes between rows");
  EXPECT_EQ(describe("S<3, 3, 3> o 0 o (64, 32) : (64, 1)", 16, 1),
            "expected a multiple of 64 elements along the contiguous dimension "
            "(the 128-byte swizzle span), but got a run of 32");
  EXPECT_EQ(describe("S<3, 3, 3> o 0 o (64, 96) : (64, 1)", 16, 1),
            "expected box rows that divide the tile's 96 columns, but got rows "
            "of 64 elements");
  EXPECT_EQ(describe("(64, 512) : (512, 1)", 16, 1),
            "expected box rows of at most 256 elements, but got 512");
  // Four rows fit between two chunks: the second box starts inside a pattern.
  EXPECT_EQ(
      describe("S<3, 3, 3> o 0 o (4, (64, 2)) : (64, (1, 256))", 16, 1),
      "expected the box at (0, 64) to start at a multiple of 1024 bytes in "
      "shared memory, but got byte 512");
  EXPECT_EQ(describe("((4, 2), 64) : ((64, 288), 1)", 16, 1),
            "expected the box at (4, 0) to start at a multiple of 128 bytes in "
            "shared memory, but got byte 576");
  EXPECT_EQ(describe("(8, (8, 2)) : (8, (1, 24))", 16, 1),
            "expected the box at (0, 8) to start at a multiple of 128 bytes in "
            "shared memory, but got byte 48");
  // Columns that overlap, so that a box runs into the next chunk.
  EXPECT_EQ(describe("((96, 2), 8) : ((1, 1024), 64)", 16, 0),
            "expected element (96, 0) at byte 192, where TMA writes it, but "
            "got byte 2048");
}

std::string check(const TensorMapFacts &facts) {
  return checkTensorMap(facts).value_or("");
}

TEST(TmaBox, TensorMaps) {
  TensorMapFacts facts;
  facts.extents = {1024, 511};
  facts.strideBytes = {2048};
  facts.box = {64, 128};
  facts.swizzleBytes = 128;
  EXPECT_EQ(check(facts), "");

  TensorMapFacts pitch = facts;
  pitch.strideBytes = {1022};
  EXPECT_EQ(check(pitch),
            "row pitch 1022 B is not a multiple of 16: TMA not possible");
  pitch.contiguousDim = 0;
  EXPECT_EQ(check(pitch),
            "column pitch 1022 B is not a multiple of 16: TMA not possible");
  pitch.extents[1] = 1;
  EXPECT_EQ(check(pitch), "");
  pitch.extents = {1024, Int::dynamic()};
  pitch.strideBytes = {Int::dynamic()};
  EXPECT_EQ(check(pitch), "");
  pitch.strideBytes = {int64_t(1) << 40};
  EXPECT_EQ(check(pitch), "column pitch 1099511627776 B is not between 16 and "
                          "2^40 - 16: TMA not possible");

  TensorMapFacts batch = facts;
  batch.extents.push_back(3);
  batch.strideBytes.push_back(0);
  EXPECT_EQ(check(batch), "batch stride 0 B is not between 16 and 2^40 - 16: "
                          "TMA not possible");
  batch.extents[2] = 1;
  EXPECT_EQ(check(batch), "");

  TensorMapFacts other = facts;
  other.baseBytes = 8;
  EXPECT_EQ(check(other), "base 8 is not a multiple of 16: TMA not possible");
  other = facts;
  other.extents[0] = 0;
  EXPECT_EQ(check(other),
            "extent 0 is not between 1 and 2^32: TMA not possible");
  other = facts;
  other.box = {64, 257};
  EXPECT_EQ(check(other),
            "box extent 257 is not between 1 and 256: TMA not possible");
  other.box = {12, 64};
  EXPECT_EQ(check(other),
            "box row of 24 B is not a multiple of 16: TMA not possible");
  other.box = {128, 64};
  EXPECT_EQ(check(other),
            "box row of 256 B exceeds the 128-byte swizzle: TMA not possible");
  other.swizzleBytes = 96;
  EXPECT_EQ(check(other),
            "swizzle of 96 B is not 0, 32, 64 or 128: TMA not possible");
  other = facts;
  other.elementBits = 4;
  EXPECT_EQ(check(other),
            "element of 4 bits is not 8, 16, 32 or 64: TMA not possible");
}

} // namespace
