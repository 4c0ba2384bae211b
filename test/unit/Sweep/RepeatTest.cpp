// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same input gives the same bits: again and again, and however many host
// threads the simulator has.
#include "Setting.h"

#include <cstdlib>
#include <cstring>

using namespace tile::sweep;

static bool sameBytes(const Image &a, const Image &b) {
  return a.getBytes() == b.getBytes() &&
         !std::memcmp(a.data(), b.data(), a.getBytes());
}

TEST(Repeats, HundredTimes) {
  for (auto [m, n, k] : {std::array<int64_t, 3>{16, 16, 16}, {129, 130, 17}}) {
    Problem problem;
    problem.m = m;
    problem.n = n;
    problem.k = k;
    problem.beta = 0.5;
    Outcome first;
    ASSERT_TRUE(solve(problem, &first));
    for (int i = 1; i < 100; ++i) {
      Outcome again = Setting::get().run(problem);
      ASSERT_EQ(again.status, TILE_RT_SUCCESS) << again.error;
      ASSERT_TRUE(sameBytes(*first.d, *again.d))
          << "run " << i << " of " << problem.describe();
    }
  }
}

TEST(Repeats, AnyNumberOfHostThreads) {
  if (!Setting::get().isSimulator())
    GTEST_SKIP() << "a property of the simulator";
  const char *before = std::getenv("TILE_SIM_THREADS");
  std::string saved = before ? before : "";
  Problem problem;
  problem.batch = 3;
  problem.m = 150;
  problem.n = 140;
  problem.k = 19;
  problem.beta = 0.5;
  Outcome first;
  ASSERT_TRUE(solve(problem, &first));
  for (const char *threads : {"1", "2", "3", "8"}) {
    setenv("TILE_SIM_THREADS", threads, 1);
    Setting other;
    ASSERT_EQ(other.open("sim", false), "");
    for (int i = 0; i < 3; ++i) {
      Outcome again;
      ASSERT_TRUE(other.solve(problem, &again));
      EXPECT_TRUE(sameBytes(*first.d, *again.d)) << threads << " threads";
    }
  }
  if (before)
    setenv("TILE_SIM_THREADS", saved.c_str(), 1);
  else
    unsetenv("TILE_SIM_THREADS");
}

// Blocks that hand their sums to each other, over and over: with several tiles
// for each cluster a buffer is written again while others may still read it. A
// missing order shows in a few launches of a hundred, and on a GPU only.
TEST(Repeats, PartsOfKWithSeveralTilesEach) {
  bool isSimulator = Setting::get().isSimulator();
  int launches = isSimulator ? 1 : Setting::get().isFull() ? 6000 : 3000;
  for (int split : {2, 4, 8})
    for (const char *consumers : {"64, 64, 64], stages = 4, consumers = 1",
                                  "128, 64, 64], stages = 4, consumers = 2"}) {
      Problem problem;
      problem.element = Element::BF16;
      problem.hasC = false;
      problem.b.columnMajor = true;
      problem.schedule = std::string("#tile.warp_specialized<tile = [") +
                         consumers + ", split_k = " + std::to_string(split) + ">";
      // Tiles: 6 or 12 on the simulator, 256 or 512 on the GPU, whose clusters
      // are at most 66.
      problem.m = isSimulator ? 256 : 1024;
      problem.n = isSimulator ? 192 : 2048;
      problem.k = isSimulator ? 64 * split : 1024;
      EXPECT_TRUE(Setting::get().repeat(problem, launches));
    }
}
