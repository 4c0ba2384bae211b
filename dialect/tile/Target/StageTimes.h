// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU time per compiler stage, for whoever asks.

#ifndef TILE_TARGET_STAGETIMES_H
#define TILE_TARGET_STAGETIMES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace tile {

/// The CPU milliseconds of the calling thread that each named stage took, in
/// the order in which the stages ran first.
struct StageTimes {
  std::vector<std::pair<std::string, double>> stages;

  /// Adds `milliseconds` to the stage `name`.
  void add(llvm::StringRef name, double milliseconds);
  /// The sum over all stages.
  double total() const;
};

/// Measures from construction to destruction. Does nothing when `times` is
/// null.
class StageTimer {
public:
  StageTimer(StageTimes *times, llvm::StringRef name);
  ~StageTimer();
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;
  /// Ends the measurement early.
  void stop();

private:
  StageTimes *times;
  std::string name;
  double start = 0;
};

} // namespace tile

#endif // TILE_TARGET_STAGETIMES_H
