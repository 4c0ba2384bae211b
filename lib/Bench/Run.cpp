// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tools that measure have in common.
#include "Run.h"

#include "Support/Parallel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <ctime>

using namespace tile;
using namespace tile::bench;

/// No kernel of a legal problem takes as long.
static constexpr std::chrono::seconds patience(20);

double tile::bench::secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

std::string tile::bench::currentDate() {
  std::time_t now = std::time(nullptr);
  std::tm utc;
  char text[32];
  gmtime_r(&now, &utc);
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

void tile::bench::watchForHangs(
    Setting &setting, const char *tool,
    std::function<void(const std::string &)> first) {
  setting.watchdog = std::make_unique<Watchdog>(
      patience, [tool, first](const std::string &what) {
        std::string reason = llvm::formatv("{0} has not ended after {1} s",
                                           what, patience.count());
        if (first)
          first(reason);
        llvm::errs() << tool << ": " << reason << '\n';
        // Whatever waits for the device would wait for ever, also on exit.
        std::_Exit(3);
      });
}

KernelQueue::KernelQueue(Setting &setting, std::vector<Point> allPoints,
                         std::vector<std::vector<Candidate>> allCandidates,
                         int ahead, bool load)
    : setting(setting), points(std::move(allPoints)), load(load),
      candidates(std::move(allCandidates)) {
  std::vector<int> sizes;
  for (const std::vector<Candidate> &each : candidates)
    sizes.push_back(static_cast<int>(each.size()));
  queue = std::make_unique<WorkQueue>(
      sizes, setting.options.jobs, ahead, [this](int point, int item) {
        Candidate &candidate = candidates[point][item];
        candidate.compile(points[point], this->setting.compile);
        if (this->load)
          candidate.load(this->setting, points[point]);
      });
}

std::vector<Candidate> KernelQueue::take(int index) {
  queue->wait(index);
  std::vector<Candidate> taken = std::move(candidates[index]);
  if (!load)
    parallelFor(
        taken.size(),
        [&](int64_t i) { taken[i].load(setting, points[index]); },
        setting.options.jobs);
  return taken;
}
