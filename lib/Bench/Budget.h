// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many rounds each point gets of a limited time.
#ifndef TILE_LIB_BENCH_BUDGET_H
#define TILE_LIB_BENCH_BUDGET_H

#include <cstddef>
#include <vector>

namespace tile::bench {

/// Shares the time of a suite among its points, so that each gets as many
/// rounds as the others: what is left, less what points take beside their
/// rounds, over the time of a round of every point that is left.
class Budget {
public:
  /// `seconds` for everything, 0 for no bound; from `least` to `most` rounds a
  /// point; `roundSeconds` estimates the time of a round of each point.
  Budget(double seconds, int least, int most, std::vector<double> roundSeconds);

  /// Rounds of a point when `elapsed` seconds are over: from `least` to `most`,
  /// or 0 when nothing is left. 60 s for two points of 2 s a round, of which
  /// each takes 10 s beside: 10 rounds.
  int rounds(size_t point, double elapsed) const;

  /// Learns from a point that was run: the time of its rounds, and what it took
  /// beside them.
  void record(size_t point, int rounds, double inRounds, double beside);

private:
  double seconds;
  int least, most;
  std::vector<double> roundSeconds;
  /// Sums over the recorded points: of the rounds' time, of what it was
  /// estimated to be, and of the time beside.
  double measured = 0, estimated = 0, beside = 0;
  size_t recorded = 0;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_BUDGET_H
