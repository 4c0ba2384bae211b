// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of wgmma: real tiles, brute force against the canonical layouts,
// refusals word for word.
#include "tile/Atoms/GmmaDescriptor.h"
#include "tile/Layout/ComposedAlgebra.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <chrono>
#include <random>

using namespace tile;

namespace {

ComposedLayout read(llvm::StringRef text) {
  Result<ComposedLayout> layout = ComposedLayout::parse(text);
  EXPECT_TRUE(bool(layout)) << text.str() << ": " << layout.getReason();
  return layout ? *layout : ComposedLayout();
}

/// Reads a layout, derives the operand, and compares the fields.
GmmaOperand expectOperand(llvm::StringRef text, int64_t bits, int64_t mn,
                          int64_t k, Major major, int swizzle, int64_t leading,
                          int64_t stride) {
  Result<GmmaOperand> operand = getGmmaOperand(read(text), bits, mn, k, 1024);
  EXPECT_TRUE(bool(operand)) << text.str() << ": " << operand.getReason();
  if (!operand)
    return {};
  EXPECT_EQ(operand->major, major) << text.str();
  EXPECT_EQ(operand->swizzleBytes, swizzle) << text.str();
  EXPECT_EQ(operand->leadingBytes, leading) << text.str();
  EXPECT_EQ(operand->strideBytes, stride) << text.str();
  return *operand;
}

std::string refuse(llvm::StringRef text, int64_t bits, int64_t mn, int64_t k,
                   int64_t baseAlign = 1024) {
  return getGmmaOperand(read(text), bits, mn, k, baseAlign).getReason();
}

std::string describeOffset(llvm::StringRef text, const GmmaOperand &operand,
                           int64_t bits, int64_t mn, int64_t k, int64_t i,
                           int64_t j) {
  Result<int64_t> offset =
      getGmmaOffset(read(text), operand, bits, mn, k, i, j);
  return offset ? std::to_string(*offset) : offset.getReason();
}

TEST(GmmaDescriptor, KMajor) {
  llvm::StringRef bf16 = "S<3, 3, 3> o 0 o (128, 64) : (64, 1)";
  GmmaOperand a = expectOperand(bf16, 16, 64, 16, Major::K, 128, 16, 1024);
  EXPECT_EQ(a.getBits(), uint64_t(1) << 62 | uint64_t(64) << 32 | 1 << 16);
  EXPECT_EQ(describeOffset(bf16, a, 16, 64, 16, 0, 0), "0");
  EXPECT_EQ(describeOffset(bf16, a, 16, 64, 16, 0, 3), "96");
  EXPECT_EQ(describeOffset(bf16, a, 16, 64, 16, 1, 0), "8192");
  EXPECT_EQ(describeOffset(bf16, a, 16, 64, 16, 1, 2), "8256");

  llvm::StringRef fp8 = "S<3, 4, 3> o 0 o (128, 128) : (128, 1)";
  GmmaOperand b = expectOperand(fp8, 8, 64, 32, Major::K, 128, 16, 1024);
  EXPECT_EQ(describeOffset(fp8, b, 8, 64, 32, 1, 3), "8288");

  llvm::StringRef tf32 = "S<3, 2, 3> o 0 o (256, 32) : (32, 1)";
  GmmaOperand c = expectOperand(tf32, 32, 256, 8, Major::K, 128, 16, 1024);
  EXPECT_EQ(describeOffset(tf32, c, 32, 256, 8, 0, 1), "32");

  expectOperand("S<2, 3, 3> o 0 o (64, 32) : (32, 1)", 16, 64, 16, Major::K, 64,
                16, 512);
  expectOperand("S<1, 3, 3> o 0 o (64, 16) : (16, 1)", 16, 64, 16, Major::K, 32,
                16, 256);
  // Two 64-element chunks along k; the second one is 16 KB further.
  llvm::StringRef chunks = "S<3, 3, 3> o 0 o (128, (64, 2)) : (64, (1, 8192))";
  GmmaOperand d = expectOperand(chunks, 16, 128, 16, Major::K, 128, 16, 1024);
  EXPECT_EQ(describeOffset(chunks, d, 16, 128, 16, 0, 5), "16416");
}

TEST(GmmaDescriptor, MNMajor) {
  llvm::StringRef text = "S<3, 3, 3> o 0 o ((64, 2), 64) : ((1, 4096), 64)";
  GmmaOperand a = expectOperand(text, 16, 128, 16, Major::MN, 128, 8192, 1024);
  EXPECT_EQ(a.getBits(), uint64_t(1) << 62 | uint64_t(64) << 32 | 512 << 16);
  EXPECT_EQ(describeOffset(text, a, 16, 128, 16, 0, 3), "6144");
  GmmaOperand b = expectOperand(text, 16, 64, 16, Major::MN, 128, 16, 1024);
  EXPECT_EQ(describeOffset(text, b, 16, 64, 16, 1, 1), "10240");
  // Part of a chunk: the start moves inside the row.
  EXPECT_EQ(describeOffset(text, b, 16, 32, 16, 1, 0), "64");
  // An instruction that would begin in one chunk and end in the next.
  llvm::StringRef wide = "S<3, 3, 3> o 0 o ((64, 3), 64) : ((1, 4096), 64)";
  GmmaOperand c = expectOperand(wide, 16, 96, 16, Major::MN, 128, 8192, 1024);
  EXPECT_EQ(describeOffset(wide, c, 16, 96, 16, 1, 0),
            "expected element (128, 0) at byte 8336, where wgmma reads it, but "
            "got byte 16384");
  expectOperand("S<2, 3, 3> o 0 o ((32, 2), 32) : ((1, 1024), 32)", 16, 64, 16,
                Major::MN, 64, 2048, 512);
  expectOperand("S<1, 3, 3> o 0 o ((16, 4), 32) : ((1, 512), 16)", 16, 64, 16,
                Major::MN, 32, 1024, 256);
}

TEST(GmmaDescriptor, Interleaved) {
  // Core matrices of 8 rows of 16 bytes; the next 8 rows follow at once.
  llvm::StringRef k = "((8, 8), (8, 4)) : ((8, 64), (1, 512))";
  GmmaOperand a = expectOperand(k, 16, 64, 16, Major::K, 0, 1024, 128);
  EXPECT_EQ(a.getBits(), uint64_t(8) << 32 | 64 << 16);
  EXPECT_EQ(describeOffset(k, a, 16, 64, 16, 0, 1), "2048");
  expectOperand("((8, 8), (16, 4)) : ((16, 512), (1, 128))", 8, 64, 32,
                Major::K, 0, 128, 512);
  llvm::StringRef mn = "((8, 8), (8, 4)) : ((1, 64), (8, 512))";
  GmmaOperand b = expectOperand(mn, 16, 64, 16, Major::MN, 0, 1024, 128);
  EXPECT_EQ(describeOffset(mn, b, 16, 64, 16, 0, 1), "2048");
}

TEST(GmmaDescriptor, SmallExtents) {
  for (int64_t n = 8; n <= 256; n += 8) {
    std::string rows = std::to_string(n);
    expectOperand("S<3, 3, 3> o 0 o (" + rows + ", 64) : (64, 1)", 16, n, 16,
                  Major::K, 128, 16, 1024);
    expectOperand("S<1, 2, 3> o 0 o (" + rows + ", 8) : (8, 1)", 32, n, 8,
                  Major::K, 32, 16, 256);
  }
}

/// The canonical layouts in the form of the CUTLASS documentation, in units of
/// elements, before the swizzle.
std::string getCanonical(const GmmaOperand &operand, int64_t bits, int64_t mn) {
  int64_t t = 128 / bits, w = std::max(operand.swizzleBytes / 16, 1);
  int64_t sbo = operand.strideBytes * 8 / bits;
  int64_t lbo = operand.leadingBytes * 8 / bits;
  auto s = [](int64_t value) { return std::to_string(value); };
  if (operand.major == Major::K)
    return "((8, " + s(mn / 8) + "), (" + s(t) + ", 2)) : ((" + s(w * t) +
           ", " + s(sbo) + "), (1, " + s(operand.swizzleBytes ? t : lbo) + "))";
  if (operand.swizzleBytes == 0)
    std::swap(sbo, lbo);
  return "((" + s(t) + ", " + s(w) + ", " + s(mn / (t * w)) +
         "), (8, 2)) : ((1, " + s(t) + ", " + s(lbo) + "), (" + s(w * t) +
         ", " + s(sbo) + "))";
}

// Whatever the fields are: the layout that CUTLASS documents for them is
// accepted with exactly those fields, and any one element moved is refused.
TEST(GmmaDescriptor, CanonicalLayoutsProperty) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  unsigned checked = 0;
  for (int round = 0; round < 400; ++round) {
    GmmaOperand operand;
    operand.major = pick(0, 1) ? Major::K : Major::MN;
    int64_t bits = operand.major == Major::MN ? 16 : 8 << pick(0, 2);
    int64_t b = pick(0, 3);
    operand.swizzleBytes = b == 0 ? 0 : 16 << b;
    int64_t unit = b == 0 ? 16 : 8 * operand.swizzleBytes;
    int64_t rows = operand.major == Major::MN
                       ? std::max<int64_t>(operand.swizzleBytes, 16) / 2
                       : 8;
    int64_t mn = rows * pick(2, std::min<int64_t>(256 / rows, 6));
    operand.strideBytes = unit * pick(1, 16000 / unit * 16 / 16);
    operand.leadingBytes = unit * pick(1, 16000 / unit);
    if (operand.major == Major::K && b != 0)
      operand.leadingBytes = 16;
    Result<ComposedLayout> layout = ComposedLayout::get(
        *Swizzle::get(b,
                      b == 0 ? 0
                             : 4 - (bits == 8    ? 0
                                    : bits == 16 ? 1
                                                 : 2),
                      b == 0 ? 0 : 3),
        0, read(getCanonical(operand, bits, mn)).getLayout());
    ASSERT_TRUE(bool(layout));
    Result<GmmaOperand> ours =
        getGmmaOperand(*layout, bits, mn, 256 / bits, 1024);
    ASSERT_TRUE(bool(ours)) << layout->str() << ": " << ours.getReason();
    EXPECT_EQ(ours->getBits(), operand.getBits()) << layout->str();
    EXPECT_EQ(ours->major, operand.major);
    for (int64_t i = 0; i < layout->size().getValue(); ++i, ++checked)
      ASSERT_EQ(ours->getAddress(0, bits, i % mn, i / mn),
                layout->at(i) * bits / 8)
          << layout->str() << " at " << i;
  }
  EXPECT_GT(checked, 100000u);
}

// Any layout that is accepted is read right, for all instructions of the tile:
// layouts with one wrong number among them.
TEST(GmmaDescriptor, AcceptedIsRightProperty) {
  std::mt19937 random(11);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  unsigned accepted = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    int64_t b = pick(0, 3), w = 8 << b;
    bool isK = pick(0, 1);
    // (row in pattern, patterns, chunks) in some order of memory.
    int64_t numbers[] = {w, 8 * w, w * 64, 1};
    if (pick(0, 2) == 0)
      numbers[pick(0, 3)] += pick(-8, 8) * (pick(0, 1) ? 8 : 1);
    auto s = [](int64_t value) { return std::to_string(value); };
    std::string text =
        isK ? "((8, 8), (" + s(w) + ", " +
                  s(16 / std::min<int64_t>(w, 16) + 1) + ")) : ((" +
                  s(numbers[0]) + ", " + s(numbers[1]) + "), (" +
                  s(numbers[3]) + ", " + s(numbers[2]) + "))"
            : "((" + s(w) + ", " + s(128 / w) + "), (8, 8)) : ((" +
                  s(numbers[3]) + ", " + s(numbers[2]) + "), (" +
                  s(numbers[0]) + ", " + s(numbers[1]) + "))";
    Result<ComposedLayout> tile = ComposedLayout::get(
        *Swizzle::get(b, pick(0, 20) == 0 ? 2 : 3, pick(0, 20) == 0 ? 4 : 3),
        pick(0, 9) == 0 ? 8 * pick(0, 100) : 0, read(text).getLayout());
    ASSERT_TRUE(bool(tile));
    int64_t mn = 8 * pick(1, 8);
    Result<GmmaOperand> operand = getGmmaOperand(*tile, 16, mn, 16, 1024);
    if (!operand) {
      EXPECT_FALSE(operand.getReason().empty());
      ++refused;
      continue;
    }
    int64_t rows = tile->getLayout()[0].size().getValue();
    int64_t columns = tile->getLayout()[1].size().getValue();
    for (int64_t i = 0; i < rows / mn; ++i)
      for (int64_t j = 0; j < columns / 16; ++j) {
        Result<int64_t> start =
            getGmmaOffset(*tile, *operand, 16, mn, 16, i, j);
        if (!start)
          continue;
        ++accepted;
        for (int64_t r = 0; r < mn; ++r)
          for (int64_t c = 0; c < 16; ++c)
            ASSERT_EQ(operand->getAddress(*start, 16, r, c),
                      2 * tile->at(i * mn + r + rows * (j * 16 + c)))
                << tile->str();
      }
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 300u);
}

TEST(GmmaDescriptor, RefusesShapes) {
  llvm::StringRef good = "S<3, 3, 3> o 0 o (128, 64) : (64, 1)";
  EXPECT_EQ(refuse(good, 16, 64, 8),
            "expected an instruction of 16 elements along k (32 bytes of "
            "16-bit elements), but got 8");
  EXPECT_EQ(refuse(good, 16, 12, 16),
            "expected an instruction of a multiple of 8 elements from 8 to 256 "
            "along mn, but got 12");
  EXPECT_EQ(refuse(good, 16, 264, 16),
            "expected an instruction of a multiple of 8 elements from 8 to 256 "
            "along mn, but got 264");
  EXPECT_EQ(refuse(good, 16, 256, 16),
            "expected a tile of at least 256 x 16 elements, but got 128 x 64");
  EXPECT_EQ(refuse(good, 64, 64, 4),
            "expected elements of 8, 16 or 32 bits, but got 64");
  EXPECT_EQ(refuse("(?, 64) : (64, 1)", 16, 64, 16),
            "expected a static layout of rank 2, but got (?, 64) : (64, 1)");
  EXPECT_EQ(refuse("(8, 8, 16) : (128, 16, 1)", 16, 64, 16),
            "expected a static layout of rank 2, but got (8, 8, 16) : (128, "
            "16, 1)");
  Result<GmmaOperand> operand = getGmmaOperand(read(good), 16, 64, 16, 1024);
  EXPECT_EQ(describeOffset(good, *operand, 16, 64, 16, 2, 0),
            "expected one of 2 x 4 sub-tiles of 64 x 16 elements, but got "
            "(2, 0)");
}

TEST(GmmaDescriptor, RefusesSwizzles) {
  llvm::StringRef good = "S<3, 3, 3> o 0 o (128, 64) : (64, 1)";
  EXPECT_EQ(refuse(good, 16, 64, 16, 128),
            "expected a base aligned to 1024 bytes for the 128-byte swizzle, "
            "but got 128");
  EXPECT_EQ(refuse("((8, 8), (8, 2)) : ((8, 64), (1, 512))", 16, 64, 16, 8),
            "expected a base aligned to 16 bytes, but got 8");
  EXPECT_EQ(refuse("S<3, 4, 3> o 0 o (64, 64) : (64, 1)", 16, 64, 16),
            "expected a swizzle S<b, 3, 3> with b from 1 to 3 for 16-bit "
            "elements, but got S<3, 4, 3>");
  // The right swizzle on the wrong pitch, and none where there has to be one.
  EXPECT_EQ(refuse("S<2, 3, 3> o 0 o (64, 64) : (64, 1)", 16, 64, 16),
            "expected element (1, 0) at byte 64, where wgmma reads it, but got "
            "byte 144");
  EXPECT_EQ(refuse("(64, 64) : (64, 1)", 16, 64, 16),
            "expected element (1, 0) at byte 16, where wgmma reads it, but got "
            "byte 128");
  EXPECT_EQ(refuse("S<3, 3, 3> o 256 o (64, 64) : (64, 1)", 16, 64, 16),
            "expected the sub-tile at (0, 0) to start in row 0 of the "
            "1024-byte swizzle pattern, but got row 4 (byte 512)");
}

TEST(GmmaDescriptor, RefusesStrides) {
  EXPECT_EQ(refuse("(64, 64) : (128, 2)", 16, 64, 16),
            "expected elements of 2 bytes contiguous along mn or k, but got "
            "steps of 256 and 4 bytes");
  EXPECT_EQ(refuse("S<3, 4, 3> o 0 o (128, 64) : (1, 128)", 8, 64, 32),
            "expected 16-bit elements in an operand that is contiguous along "
            "mn, but got 8-bit ones");
  EXPECT_EQ(refuse("((8, 8), (8, 2)) : ((8, 68), (1, 512))", 16, 64, 16),
            "expected a stride byte offset that is a multiple of 16, but got "
            "136");
  EXPECT_EQ(refuse("((8, 8), (8, 2)) : ((8, 64), (1, 513))", 16, 64, 16),
            "expected a leading byte offset that is a multiple of 16, but got "
            "1026");
  EXPECT_EQ(refuse("((8, 8), (8, 2)) : ((8, 64), (1, 131072))", 16, 64, 16),
            "expected a leading byte offset from 0 to 262128 (14 bits of 16 "
            "bytes), but got 262144");
  EXPECT_EQ(refuse("((8, 8), (8, 2)) : ((8, -64), (1, 512))", 16, 64, 16),
            "expected a stride byte offset from 0 to 262128 (14 bits of 16 "
            "bytes), but got -128");
  EXPECT_EQ(
      refuse("S<3, 3, 3> o 0 o ((8, 8), 64) : ((64, 520), 1)", 16, 64, 16),
      "expected a stride byte offset that is a multiple of 1024 bytes "
      "for the 128-byte swizzle, but got 1040");
  EXPECT_EQ(refuse("((8, 8), (8, 2)) : ((8, 64), (1, 512))", 8, 64, 32),
            "expected a tile of at least 64 x 32 elements, but got 64 x 16");
  EXPECT_EQ(refuse("S<0, 3, 3> o 4 o ((8, 8), (8, 2)) : ((8, 64), (1, 512))",
                   16, 64, 16),
            "expected the sub-tile at (0, 0) to start at a multiple of 16 from "
            "0 to 262128 bytes, but got 8");
}

TEST(GmmaDescriptor, FastEnoughToCompileWith) {
  ComposedLayout tile = read("S<3, 3, 3> o 0 o (256, 64) : (64, 1)");
  auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 100; ++round) {
    Result<GmmaOperand> operand = getGmmaOperand(tile, 16, 256, 16, 1024);
    ASSERT_TRUE(bool(operand));
    for (int64_t j = 0; j < 4; ++j)
      ASSERT_TRUE(bool(getGmmaOffset(tile, *operand, 16, 256, 16, 0, j)));
  }
  double us = std::chrono::duration<double, std::micro>(
                  std::chrono::steady_clock::now() - begin)
                  .count() /
              100;
  RecordProperty("microseconds", std::to_string(us));
  llvm::errs() << "all instructions of a 256 x 64 tile: " << us << " us\n";
  // A loaded machine may be ten times slower than an idle one.
  EXPECT_LT(us, 5000);
}

} // namespace
