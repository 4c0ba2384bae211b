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
/// As many as a stream takes without holding the host up, two kernels each.
static constexpr int maxStreamLaunches = 128;
/// No card writes its memory faster, in bytes a microsecond.
static constexpr double fastestWrite = 1e7;
static constexpr int maxCovers = 256;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

static double microsecondsSince(Clock::time_point begin) {
  return secondsSince(begin) * 1e6;
}

const char *tile::bench::describe(Context context) {
  switch (context) {
  case Context::Chain:
    return "chain";
  case Context::Behind:
    return "behind";
  case Context::Elementwise:
    return "elementwise";
  }
  return "";
}

const char *tile::bench::describe(Submission submission) {
  return submission == Submission::Graph ? "graph" : "stream";
}

int tile::bench::restOf(Regime regime) {
  return regime == Regime::Burst ? 50 : 0;
}

void tile::bench::subtractFromSamples(Contestant &contestant, double device,
                                      double host) {
  for (double &sample : contestant.samples)
    sample -= device;
  for (double &sample : contestant.hostSamples)
    sample -= host;
}

Stopwatch::Stopwatch(const CudaApi &cuda, Regime regime, Submission submission,
                     CuAddress scratch, int64_t scratchBytes)
    : cuda(cuda), regime(regime), submission(submission), scratch(scratch),
      scratchBytes(scratchBytes) {}

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
  Clock::time_point begin = Clock::now();
  if (!failure)
    failure = timeLaunches(contestant, sets, probes, elapsed);
  // With the wait for the card: an upper bound of what the host takes.
  double hostEach = microsecondsSince(begin) / probes;
  if (!failure) {
    double each = std::max<double>(elapsed / probes, 1e-4);
    int most = submission == Submission::Graph ? maxLaunches : maxStreamLaunches;
    int wanted = static_cast<int>(
        std::min<double>(std::ceil(milliseconds / each), most));
    wanted = std::max(wanted, least);
    // Whole turns of the operand sets, so that each set counts the same, where
    // that does not make the batch much longer.
    if (sets <= wanted * 2)
      wanted = static_cast<int>(llvm::alignTo(wanted, sets));
    contestant.launches = wanted;
    contestant.sets = sets;
    if (submission == Submission::Graph)
      failure = capture(contestant, sets);
    else
      contestant.covers = static_cast<int>(std::clamp<double>(
          std::ceil(wanted * hostEach * fastestWrite / scratchBytes), 1,
          maxCovers));
  }
  if (failure)
    contestant.failure = *failure;
}

void Stopwatch::release(Contestant &contestant) const {
  if (contestant.graph)
    cuda.GraphExecDestroy(contestant.graph);
  contestant.graph = nullptr;
  contestant.launches = 0;
}

std::optional<std::string>
Stopwatch::submit(const Contestant &contestant) const {
  if (contestant.graph)
    return cuda.check(cuda.GraphLaunch(contestant.graph, cuda.stream),
                      "cuGraphLaunch");
  for (int i = 0; i < contestant.launches; ++i)
    if (auto reason = contestant.launch(i % contestant.sets))
      return reason;
  return std::nullopt;
}

std::optional<std::string>
Stopwatch::timeBatch(const Contestant &contestant, float &milliseconds,
                     double &hostMicroseconds) const {
  // While the card writes the scratch memory, the host submits the rest.
  for (int i = 0; i < contestant.covers; ++i)
    if (auto reason = cuda.check(
            cuda.MemsetD8Async(scratch, 0x55, scratchBytes, cuda.stream),
            "cuMemsetD8Async"))
      return reason;
  if (auto reason =
          cuda.check(cuda.EventRecord(start, cuda.stream), "cuEventRecord"))
    return reason;
  Clock::time_point begin = Clock::now();
  if (auto reason = submit(contestant))
    return reason;
  hostMicroseconds = microsecondsSince(begin);
  if (auto reason =
          cuda.check(cuda.EventRecord(stop, cuda.stream), "cuEventRecord"))
    return reason;
  if (auto reason =
          cuda.check(cuda.EventSynchronize(stop), "cuEventSynchronize"))
    return reason;
  return cuda.check(cuda.EventElapsedTime(&milliseconds, start, stop),
                    "cuEventElapsedTime");
}

void Stopwatch::warmUp(llvm::ArrayRef<Contestant *> contestants,
                       double milliseconds) const {
  Clock::time_point begin = Clock::now();
  bool ran = true;
  while (ran && secondsSince(begin) * 1e3 < milliseconds) {
    ran = false;
    for (Contestant *contestant : contestants) {
      float ignored;
      double host;
      if (!isReady(*contestant))
        continue;
      if (auto reason = timeBatch(*contestant, ignored, host))
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
      if (!isReady(*contestant))
        continue;
      if (rest > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(rest));
      float milliseconds = 0;
      double host = 0;
      if (auto reason = timeBatch(*contestant, milliseconds, host)) {
        contestant->failure = *reason;
        continue;
      }
      contestant->samples.push_back(milliseconds * 1e3 / contestant->launches);
      if (!contestant->graph)
        contestant->hostSamples.push_back(host / contestant->launches);
    }
  }
  return rounds;
}
