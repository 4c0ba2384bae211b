// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times implementations against each other: graph batches, shuffled rounds.
#include "Measure.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using namespace tile::bench;
using Clock = std::chrono::steady_clock;

/// A graph of more nodes takes longer to submit than it gains.
static constexpr int maxLaunches = 1024;

int tile::bench::restOf(Regime regime) {
  return regime == Regime::Burst ? 50 : 0;
}

Stopwatch::Stopwatch(const CudaApi &cuda, Regime regime, CuAddress scratch,
                     int64_t scratchBytes)
    : cuda(cuda), regime(regime), scratch(scratch), scratchBytes(scratchBytes) {
}

Stopwatch::~Stopwatch() {
  for (CuEvent event : {start, stop})
    if (event)
      cuda.EventDestroy(event);
}

std::optional<std::string> Stopwatch::open() {
  if (auto reason = cuda.check(cuda.EventCreate(&start, 0), "cuEventCreate"))
    return reason;
  return cuda.check(cuda.EventCreate(&stop, 0), "cuEventCreate");
}

std::optional<std::string> Stopwatch::timeLaunches(const Contestant &contestant,
                                                   int sets, int count,
                                                   float &milliseconds) const {
  if (auto reason =
          cuda.check(cuda.EventRecord(start, cuda.stream), "cuEventRecord"))
    return reason;
  for (int i = 0; i < count; ++i)
    if (auto reason = contestant.launch(i % sets))
      return reason;
  if (auto reason =
          cuda.check(cuda.EventRecord(stop, cuda.stream), "cuEventRecord"))
    return reason;
  if (auto reason =
          cuda.check(cuda.EventSynchronize(stop), "cuEventSynchronize"))
    return reason;
  return cuda.check(cuda.EventElapsedTime(&milliseconds, start, stop),
                    "cuEventElapsedTime");
}

std::optional<std::string> Stopwatch::capture(Contestant &contestant,
                                              int sets) const {
  if (auto reason =
          cuda.check(cuda.StreamBeginCapture(cuda.stream, kCuCaptureRelaxed),
                     "cuStreamBeginCapture"))
    return reason;
  std::optional<std::string> failure;
  for (int i = 0; i < contestant.launches && !failure; ++i)
    failure = contestant.launch(i % sets);
  // The capture has to end also when a launch failed.
  CuGraph graph = nullptr;
  auto ended = cuda.check(cuda.StreamEndCapture(cuda.stream, &graph),
                          "cuStreamEndCapture");
  if (!failure)
    failure = ended;
  if (!failure)
    failure = cuda.check(cuda.GraphInstantiate(&contestant.graph, graph, 0),
                         "cuGraphInstantiate");
  if (graph)
    cuda.GraphDestroy(graph);
  if (!failure)
    failure = cuda.check(cuda.GraphUpload(contestant.graph, cuda.stream),
                         "cuGraphUpload");
  return failure;
}

void Stopwatch::prepare(Contestant &contestant, int sets, double milliseconds,
                        int least) const {
  release(contestant);
  if (!contestant.failure.empty())
    return;
  float elapsed = 0;
  // The first launches load code; they are not counted.
  auto failure = timeLaunches(contestant, sets, 1, elapsed);
  int probes = elapsed > 10 ? 1 : 3;
  if (!failure)
    failure = timeLaunches(contestant, sets, probes, elapsed);
  if (!failure) {
    double each = std::max<double>(elapsed / probes, 1e-4);
    int wanted = static_cast<int>(
        std::min<double>(std::ceil(milliseconds / each), maxLaunches));
    wanted = std::max(wanted, least);
    // Whole turns of the operand sets, so that each set counts the same, where
    // that does not make the batch much longer.
    if (sets <= wanted * 2)
      wanted = static_cast<int>(llvm::alignTo(wanted, sets));
    contestant.launches = wanted;
    failure = capture(contestant, sets);
  }
  if (failure)
    contestant.failure = *failure;
}

void Stopwatch::release(Contestant &contestant) const {
  if (contestant.graph)
    cuda.GraphExecDestroy(contestant.graph);
  contestant.graph = nullptr;
}

std::optional<std::string> Stopwatch::timeBatch(const Contestant &contestant,
                                                float &milliseconds) const {
  // While the card writes the scratch memory, the host submits the rest.
  if (auto reason = cuda.check(
          cuda.MemsetD8Async(scratch, 0x55, scratchBytes, cuda.stream),
          "cuMemsetD8Async"))
    return reason;
  if (auto reason =
          cuda.check(cuda.EventRecord(start, cuda.stream), "cuEventRecord"))
    return reason;
  if (auto reason = cuda.check(cuda.GraphLaunch(contestant.graph, cuda.stream),
                               "cuGraphLaunch"))
    return reason;
  if (auto reason =
          cuda.check(cuda.EventRecord(stop, cuda.stream), "cuEventRecord"))
    return reason;
  if (auto reason =
          cuda.check(cuda.EventSynchronize(stop), "cuEventSynchronize"))
    return reason;
  return cuda.check(cuda.EventElapsedTime(&milliseconds, start, stop),
                    "cuEventElapsedTime");
}

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void Stopwatch::warmUp(llvm::ArrayRef<Contestant *> contestants,
                       double milliseconds) const {
  Clock::time_point begin = Clock::now();
  bool ran = true;
  while (ran && secondsSince(begin) * 1e3 < milliseconds) {
    ran = false;
    for (Contestant *contestant : contestants) {
      float ignored;
      if (!contestant->graph || !contestant->failure.empty())
        continue;
      if (auto reason = timeBatch(*contestant, ignored))
        contestant->failure = *reason;
      ran = true;
    }
  }
}

int Stopwatch::runRounds(llvm::ArrayRef<Contestant *> contestants, int rounds,
                         int least, double seconds, int rest) {
  if (rest < 0)
    rest = restOf(regime);
  std::vector<Contestant *> order(contestants.begin(), contestants.end());
  Clock::time_point begin = Clock::now();
  for (int round = 0; round < rounds; ++round) {
    if (round >= least && secondsSince(begin) > seconds)
      return round;
    std::shuffle(order.begin(), order.end(), random);
    for (Contestant *contestant : order) {
      if (!contestant->graph || !contestant->failure.empty())
        continue;
      if (rest > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(rest));
      float milliseconds = 0;
      if (auto reason = timeBatch(*contestant, milliseconds))
        contestant->failure = *reason;
      else
        contestant->samples.push_back(milliseconds * 1e3 /
                                      contestant->launches);
    }
  }
  return rounds;
}
