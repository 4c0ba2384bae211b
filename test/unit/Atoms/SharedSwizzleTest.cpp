// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of shared memory without bank conflicts: counts, and what is found.
#include "tile/Atoms/SharedSwizzle.h"
#include "gtest/gtest.h"
#include <set>

using namespace tile;

namespace {

ComposedLayout parse(const char *text) {
  Result<ComposedLayout> layout = ComposedLayout::parse(text);
  EXPECT_TRUE(bool(layout)) << text;
  return layout ? *layout : ComposedLayout();
}

/// Eight rows of 16 bytes at columns from `column` on.
SharedPhase matrixRows(int64_t column, int64_t elementBytes) {
  SharedPhase phase;
  phase.elements = 16 / elementBytes;
  for (int64_t row = 0; row < 8; ++row)
    phase.lanes.push_back({row, column});
  return phase;
}

TEST(SharedSwizzle, CountsConflicts) {
  ComposedLayout plain = parse("(64, 64) : (64, 1)");
  ComposedLayout swizzled = parse("S<3, 3, 3> o 0 o (64, 64) : (64, 1)");
  EXPECT_EQ(countBankConflicts(plain, matrixRows(16, 2), 2), 7);
  EXPECT_EQ(countBankConflicts(swizzled, matrixRows(16, 2), 2), 0);
  // Of rows of 64 bytes two lie in a line.
  EXPECT_EQ(
      countBankConflicts(parse("(64, 32) : (32, 1)"), matrixRows(8, 2), 2), 3);
  // One word for all lanes is no conflict.
  SharedPhase same;
  same.lanes.assign(32, {3, 5});
  EXPECT_EQ(countBankConflicts(plain, same, 2), 0);
}

TEST(SharedSwizzle, FindsTheSwizzle) {
  auto find = [](std::array<int64_t, 2> extents, int64_t contiguous,
                 int64_t bytes) {
    llvm::SmallVector<SharedPhase> phases;
    for (int64_t along = 0; along < extents[contiguous]; along += 16 / bytes) {
      SharedPhase &phase = phases.emplace_back();
      phase.elements = 16 / bytes;
      for (int64_t row = 0; row < 8; ++row) {
        std::array<int64_t, 2> &lane = phase.lanes.emplace_back();
        lane[contiguous] = along;
        lane[1 - contiguous] = row;
      }
    }
    ComposedLayout layout = findSharedLayout(extents, contiguous, bytes, phases,
                                             BankSpread::Swizzle);
    for (const SharedPhase &phase : phases)
      EXPECT_EQ(countBankConflicts(layout, phase, bytes), 0) << layout.str();
    // Each element has a place of its own, and none is left over.
    std::set<int64_t> places;
    int64_t size = extents[0] * extents[1];
    for (int64_t i = 0; i < size; ++i)
      places.insert(layout.at(i));
    EXPECT_EQ(static_cast<int64_t>(places.size()), size) << layout.str();
    EXPECT_EQ(*places.rbegin(), size - 1) << layout.str();
    return layout.str();
  };
  EXPECT_EQ(find({128, 64}, 1, 2), "S<3, 3, 3> o 0 o (128, 64) : (64, 1)");
  EXPECT_EQ(find({128, 32}, 1, 2), "S<2, 3, 3> o 0 o (128, 32) : (32, 1)");
  EXPECT_EQ(find({64, 128}, 1, 1), "S<3, 4, 3> o 0 o (64, 128) : (128, 1)");
  // More than a line lies in sections.
  EXPECT_EQ(find({256, 32}, 0, 2),
            "S<3, 3, 3> o 0 o ((64, 4), 32) : ((1, 2048), 64)");
  EXPECT_EQ(find({64, 128}, 1, 2),
            "S<3, 3, 3> o 0 o (64, (64, 2)) : (64, (1, 4096))");
}

TEST(SharedSwizzle, FindsThePad) {
  // Half a warp reads 4 rows by 4 columns of doubles.
  SharedPhase phase;
  for (int64_t row = 0; row < 4; ++row)
    for (int64_t column = 0; column < 4; ++column)
      phase.lanes.push_back({row, column});
  EXPECT_EQ(findSharedLayout({128, 16}, 1, 8, phase, BankSpread::Padding).str(),
            "(128, 16) : (20, 1)");
  EXPECT_EQ(findSharedLayout({128, 16}, 0, 8, phase, BankSpread::Padding).str(),
            "(128, 16) : (1, 132)");
}

} // namespace
