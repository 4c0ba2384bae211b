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
