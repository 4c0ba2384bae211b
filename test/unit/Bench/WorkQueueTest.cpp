// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queue that compiles ahead.
#include "WorkQueue.h"

#include "gtest/gtest.h"
#include <atomic>
#include <chrono>

using namespace tile::bench;

TEST(WorkQueueTest, EveryItemRunsOnceBeforeItsGroupIsDone) {
  std::vector<int> sizes = {3, 0, 5, 1, 0};
  std::vector<std::vector<std::atomic<int>>> counts;
  for (int size : sizes)
    counts.emplace_back(size);
  WorkQueue queue(sizes, 4, 1, [&](int group, int item) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ++counts[group][item];
  });
  for (size_t i = 0; i < sizes.size(); ++i) {
    queue.wait(static_cast<int>(i));
    for (std::atomic<int> &count : counts[i])
      EXPECT_EQ(count, 1);
  }
}

TEST(WorkQueueTest, GoesOnlySoFarAhead) {
  std::vector<std::atomic<int>> counts(6);
  WorkQueue queue(std::vector<int>(6, 4), 3, 2,
                  [&](int group, int) { ++counts[group]; });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(counts[1], 4);
  EXPECT_EQ(counts[2], 0);
  queue.wait(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(counts[3], 4);
  EXPECT_EQ(counts[4], 0);
}

TEST(WorkQueueTest, AheadOfNothingStillServesTheGroupWaitedFor) {
  std::atomic<int> count = 0;
  WorkQueue queue({2, 2}, 2, 0, [&](int, int) { ++count; });
  queue.wait(0);
  EXPECT_EQ(count, 2);
  queue.wait(1);
  EXPECT_EQ(count, 4);
}

TEST(WorkQueueTest, DestructionStopsEarly) {
  std::atomic<int> count = 0;
  {
    WorkQueue queue(std::vector<int>(1000, 1), 1, 1000, [&](int, int) {
      ++count;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    queue.wait(0);
  }
  EXPECT_LT(count, 1000);
}
