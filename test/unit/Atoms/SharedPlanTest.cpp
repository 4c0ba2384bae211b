// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of shared memory: alignment after any sizes, no overlap, limits.
#include "tile/Atoms/SharedPlan.h"
#include "gtest/gtest.h"
#include <random>

using namespace tile;

namespace {

TEST(SharedPlan, TilesBeforeBarriers) {
  Result<SharedPlan> plan = planSharedMemory(
      {{"barriers", 24, 8}, {"A", 16384, 1024}, {"B", 1000, 1024}}, 232448);
  ASSERT_TRUE(bool(plan)) << plan.getReason();
  EXPECT_EQ(plan->offsets, (llvm::SmallVector<int64_t>{17384, 0, 16384}));
  EXPECT_EQ(plan->totalBytes, 17408);
  EXPECT_EQ(plan->alignment, 1024);

  Result<SharedPlan> empty = planSharedMemory({}, 0);
  ASSERT_TRUE(bool(empty));
  EXPECT_EQ(empty->totalBytes, 0);
}

// Whatever the sizes: every buffer at its alignment (mbarriers at 8, swizzled
// tiles at 1024), none over another, no more padding than alignment asks for.
TEST(SharedPlan, AlignmentProperty) {
  std::mt19937 random(3);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 2000; ++round) {
    llvm::SmallVector<SharedBuffer> buffers;
    int64_t bytes = 0, padding = 0;
    for (int64_t i = 0, e = pick(1, 9); i < e; ++i) {
      SharedBuffer buffer;
      buffer.alignment = int64_t(1) << pick(0, 10);
      buffer.bytes = pick(0, 3) == 0 ? pick(0, 5) : pick(0, 30000) | 1;
      if (pick(0, 3) == 0)
        buffer = {"barriers", 8 * pick(1, 12), 8};
      bytes += buffer.bytes;
      padding += buffer.alignment;
      buffers.push_back(buffer);
    }
    Result<SharedPlan> plan = planSharedMemory(buffers, int64_t(1) << 30);
    ASSERT_TRUE(bool(plan)) << plan.getReason();
    EXPECT_GE(plan->totalBytes, bytes);
    EXPECT_LE(plan->totalBytes, bytes + padding);
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(plan->offsets[i] % buffers[i].alignment, 0);
      EXPECT_EQ(plan->alignment % buffers[i].alignment, 0);
      EXPECT_GE(plan->offsets[i], 0);
      EXPECT_LE(plan->offsets[i] + buffers[i].bytes, plan->totalBytes);
      for (size_t k = 0; k < i; ++k)
        EXPECT_TRUE(plan->offsets[i] + buffers[i].bytes <= plan->offsets[k] ||
                    plan->offsets[k] + buffers[k].bytes <= plan->offsets[i]);
    }
  }
}

TEST(SharedPlan, Refusals) {
  EXPECT_EQ(planSharedMemory({{"A", 131072, 1024}, {"B", 131072, 1024}}, 232448)
                .getReason(),
            "expected at most 232448 bytes of shared memory, but got 262144 (A "
            "131072, B 131072)");
  EXPECT_EQ(planSharedMemory({{"A", -1, 1}}, 232448).getReason(),
            "expected a size of at least 0 bytes for A, but got -1");
  EXPECT_EQ(planSharedMemory({{"A", 8, 12}}, 232448).getReason(),
            "expected a power of two from 1 to 1024 as alignment of A, but got "
            "12");
  int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(planSharedMemory({{"A", huge, 8}, {"B", huge, 8}}, 48).getReason(),
            "expected at most 48 bytes of shared memory, but got A of "
            "9223372036854775807 bytes");
}

} // namespace
