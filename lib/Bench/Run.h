// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tools that measure have in common.
#ifndef TILE_LIB_BENCH_RUN_H
#define TILE_LIB_BENCH_RUN_H

#include "Setting.h"
#include "WorkQueue.h"

#include <chrono>

namespace tile::bench {

/// Seconds since a moment.
double secondsSince(std::chrono::steady_clock::time_point begin);

/// The moment as in 2026-01-02T03:04:05Z.
std::string currentDate();

/// Has a kernel that hangs end the process, with the exit code 3 and a sentence
/// of the tool `tool`. `first` is called before, with that sentence.
void watchForHangs(Setting &setting, const char *tool,
                   std::function<void(const std::string &reason)> first = {});

/// The kernels of points, compiled on host threads.
class KernelQueue {
public:
  /// Compiles the candidates of each point, up to `ahead` points before they
  /// are taken. `load`: puts them on the device as well, on which nothing else
  /// may then be measured.
  KernelQueue(Setting &setting, std::vector<Point> points,
              std::vector<std::vector<Candidate>> candidates, int ahead,
              bool load);

  /// Waits until the candidates of a point are compiled.
  void wait(int index) { queue->wait(index); }
  /// The candidates of a point, loaded. Once for each point.
  std::vector<Candidate> take(int index);

private:
  Setting &setting;
  const std::vector<Point> points;
  const bool load;
  std::vector<std::vector<Candidate>> candidates;
  /// The last member: its threads end before the others go.
  std::unique_ptr<WorkQueue> queue;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_RUN_H
