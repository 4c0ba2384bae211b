// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watchdog barks once when it has to, and never else.
#include "Watchdog.h"

#include "gtest/gtest.h"
#include <atomic>

using namespace tile::bench;
using std::chrono::milliseconds;

TEST(WatchdogTest, BarksOnceAtWhatTakesTooLong) {
  std::atomic<int> barks = 0;
  std::string name;
  {
    Watchdog dog(milliseconds(20), [&](const std::string &what) {
      name = what;
      ++barks;
    });
    Watchdog::Guard guard(&dog, "slow");
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_EQ(barks, 1);
  EXPECT_EQ(name, "slow");
}

TEST(WatchdogTest, IsQuietWhenThingsEnd) {
  std::atomic<int> barks = 0;
  {
    Watchdog dog(milliseconds(2000), [&](const std::string &) { ++barks; });
    for (int i = 0; i < 100; ++i)
      Watchdog::Guard guard(&dog, "quick");
  }
  EXPECT_EQ(barks, 0);
  // Nobody needs to watch.
  Watchdog::Guard guard(nullptr, "unwatched");
}
