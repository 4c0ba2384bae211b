// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many rounds each point gets of a limited time.
#include "Budget.h"

#include <algorithm>

using namespace tile::bench;

/// Seconds that a point takes beside its rounds, before any was run.
static constexpr double guessedBeside = 1;

Budget::Budget(double seconds, int least, int most,
               std::vector<double> roundSeconds)
    : seconds(seconds), least(std::min(least, most)), most(most),
      roundSeconds(std::move(roundSeconds)) {}

int Budget::rounds(size_t point, double elapsed) const {
  if (seconds <= 0)
    return most;
  if (elapsed >= seconds)
    return 0;
  double each = recorded ? beside / recorded : guessedBeside;
  double correction = estimated > 0 ? measured / estimated : 1;
  double round = 0;
  for (size_t i = point; i < roundSeconds.size(); ++i)
    round += roundSeconds[i] * correction;
  double left = seconds - elapsed - each * (roundSeconds.size() - point);
  if (round <= 0 || left >= round * most)
    return most;
  return std::max(least, static_cast<int>(left / round));
}

void Budget::record(size_t point, int rounds, double inRounds,
                    double besideRounds) {
  measured += inRounds;
  estimated += rounds * roundSeconds[point];
  beside += besideRounds;
  ++recorded;
}
