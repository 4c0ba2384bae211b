// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the CPU time of the calling thread per compiler stage.

#include "tile/Target/StageTimes.h"

#include <ctime>

using namespace tile;

static double threadMilliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

void StageTimes::add(llvm::StringRef name, double milliseconds) {
  for (auto &stage : stages)
    if (stage.first == name) {
      stage.second += milliseconds;
      return;
    }
  stages.emplace_back(name.str(), milliseconds);
}

double StageTimes::total() const {
  double sum = 0;
  for (const auto &stage : stages)
    sum += stage.second;
  return sum;
}

StageTimer::StageTimer(StageTimes *times, llvm::StringRef name)
    : times(times), name(times ? name.str() : std::string()) {
  if (times)
    start = threadMilliseconds();
}

StageTimer::~StageTimer() { stop(); }

void StageTimer::stop() {
  if (times)
    times->add(name, threadMilliseconds() - start);
  times = nullptr;
}
