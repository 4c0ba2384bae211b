// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the time of a suite is shared.
#include "Budget.h"

#include "gtest/gtest.h"

using namespace tile::bench;

TEST(BudgetTest, NoBoundGivesAllRounds) {
  Budget budget(0, 3, 11, {1, 1000});
  EXPECT_EQ(budget.rounds(0, 0), 11);
  EXPECT_EQ(budget.rounds(1, 1e9), 11);
}

TEST(BudgetTest, TheDocumentedExample) {
  Budget budget(60, 1, 100, {2, 2, 2});
  // A point that took 10 s beside its one round of 2 s, in 12 s.
  budget.record(0, 1, 2, 10);
  // 48 s less 20 s beside, over 4 s.
  EXPECT_EQ(budget.rounds(1, 12), 7);
  EXPECT_EQ(Budget(60, 1, 100, {2, 2}).rounds(0, 18), 10);
}

TEST(BudgetTest, EveryPointGetsAboutTheSame) {
  // Estimates are off by a factor of 3, and points take 0.5 s beside.
  std::vector<double> estimates(40, 0.1);
  Budget budget(60, 3, 50, estimates);
  double elapsed = 0;
  for (size_t i = 0; i < estimates.size(); ++i) {
    int rounds = budget.rounds(i, elapsed);
    if (i > 0) {
      EXPECT_GE(rounds, 3);
      EXPECT_LE(rounds, 4);
    }
    elapsed += rounds * 0.3 + 0.5;
    budget.record(i, rounds, rounds * 0.3, 0.5);
  }
  EXPECT_LE(elapsed, 62);
}

TEST(BudgetTest, NothingIsLeftAtTheEnd) {
  Budget budget(10, 3, 11, {1, 1});
  EXPECT_EQ(budget.rounds(1, 9.9), 3);
  EXPECT_EQ(budget.rounds(1, 10), 0);
}

TEST(BudgetTest, LeastIsAtMostTheRoundsAskedFor) {
  EXPECT_EQ(Budget(1, 3, 2, {100}).rounds(0, 0), 2);
}
