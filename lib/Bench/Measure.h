// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times implementations against each other: graph batches, shuffled rounds.
#ifndef TILE_LIB_BENCH_MEASURE_H
#define TILE_LIB_BENCH_MEASURE_H

#include "CudaApi.h"

#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tile::bench {

/// In which state the card is when a batch begins.
enum class Regime {
  Hot,  ///< batches back to back, at the power limit if the work reaches it
  Burst ///< 50 ms of rest before each batch
};
/// The rest before a batch, in milliseconds: 0 or 50.
int restOf(Regime regime);

/// What stands in front of each launch.
enum class Context {
  Chain,      ///< another launch of the same kernel
  Behind,     ///< an ordinary kernel that writes the first 64 KiB of A
  Elementwise ///< an ordinary kernel that rewrites all of D
};
/// How a batch gets to the card.
enum class Submission {
  Graph, ///< captured once in a CUDA graph
  Stream ///< launch by launch
};

/// The names of the command line: "behind", "graph".
const char *describe(Context context);
const char *describe(Submission submission);

/// Queues one launch on operand set `set`. Returns why not.
using Launch = std::function<std::optional<std::string>(int set)>;

/// One thing to time. Times are microseconds of one launch.
struct Contestant {
  Launch launch;
  /// Why it cannot be timed; "" if it can.
  std::string failure;
  /// One for each round, the mean over the launches of a batch.
  std::vector<double> samples;
  /// Likewise the microseconds of the host for a launch; none of a graph's.
  std::vector<double> hostSamples;

  CuGraphExec graph = nullptr;
  /// Launches of a batch, 0 until it is prepared, and the operand sets that
  /// they rotate among.
  int launches = 0, sets = 1;
  /// How many times the scratch memory is written while the host submits them.
  int covers = 1;
};

/// Subtracts a time from each sample of a contestant: of what stood in front of
/// its launches.
void subtractFromSamples(Contestant &contestant, double device, double host);

/// Times contestants. A batch is several launches on rotating operand sets, a
/// CUDA graph or one by one; the card is kept busy while the host submits it,
/// so that the time between its events is the card's alone.
class Stopwatch {
public:
  /// `scratch` is device memory that nobody needs.
  Stopwatch(const CudaApi &cuda, Regime regime, Submission submission,
            CuAddress scratch, int64_t scratchBytes);
  ~Stopwatch();
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

  /// Creates the events. Returns why not.
  std::optional<std::string> open();

  /// Captures a batch that takes about `milliseconds`, of at least `least`
  /// launches that rotate among `sets` operand sets. A failure is the
  /// contestant's.
  void prepare(Contestant &contestant, int sets, double milliseconds,
               int least) const;
  /// Frees a contestant's graph.
  void release(Contestant &contestant) const;

  /// Runs the prepared contestants in turn for `milliseconds` without timing,
  /// to reach the state that the regime asks for.
  void warmUp(llvm::ArrayRef<Contestant *> contestants,
              double milliseconds) const;

  /// Runs up to `rounds` rounds: in each, every contestant once in a new random
  /// order. Stops after `least` rounds when `seconds` are over. Returns how
  /// many rounds it ran.
  /// `rest` are milliseconds before each batch; -1: as the regime has it.
  int runRounds(llvm::ArrayRef<Contestant *> contestants, int rounds, int least,
                double seconds, int rest = -1);

private:
  /// Times one batch: the card's milliseconds, and the host's time to submit
  /// it. Returns why not.
  std::optional<std::string> timeBatch(const Contestant &contestant,
                                       float &milliseconds,
                                       double &hostMicroseconds) const;
  std::optional<std::string> submit(const Contestant &contestant) const;
  bool isReady(const Contestant &contestant) const {
    return contestant.launches > 0 && contestant.failure.empty();
  }
  std::optional<std::string> timeLaunches(const Contestant &contestant,
                                          int sets, int count,
                                          float &milliseconds) const;
  std::optional<std::string> capture(Contestant &contestant, int sets) const;

  const CudaApi &cuda;
  Regime regime;
  Submission submission;
  CuAddress scratch;
  int64_t scratchBytes;
  CuEvent start = nullptr, stop = nullptr;
  std::mt19937_64 random{12345};
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_MEASURE_H
