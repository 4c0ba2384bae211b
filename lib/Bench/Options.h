// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of tile-bench.
#ifndef TILE_LIB_BENCH_OPTIONS_H
#define TILE_LIB_BENCH_OPTIONS_H

#include "Measure.h"
#include "Suite.h"

#include "llvm/ADT/ArrayRef.h"
#include "tile-rt/tile-rt.h"
#include <string>
#include <vector>

namespace tile::bench {

/// What the user asks for.
struct Options {
  std::vector<Point> points;
  /// Schedules to try for each point beside its own.
  std::vector<std::string> schedules;
  std::string device = "cuda";
  /// Paths of the files to write; empty: none.
  std::string json, csv, svg;
  /// Where cuBLASLt is; empty: the usual places.
  std::string cublasPath;
  /// Empty: the device's.
  std::string chip;
  Regime regime = Regime::Hot;
  Context context = Context::Chain;
  Submission submission = Submission::Graph;
  TileRtProgrammaticLaunch programmatic = TILE_RT_PROGRAMMATIC_WHERE_IT_GAINS;
  int rounds = 11;
  /// Bound on the rounds of a point.
  double seconds = 10;
  /// Bound on everything, which lowers the rounds of all points alike; 0: none.
  double budget = 0;
  /// How many of cuBLASLt's algorithms are tried.
  int algorithms = 12;
  /// How many of our schedules get to the final rounds.
  int finalists = 6;
  /// Compiler threads; 0: one for each core.
  unsigned jobs = 0;
  bool cublas = true, cubin = false, dynamic = false;
  bool help = false, version = false;
  /// Say what would be measured, and measure nothing.
  bool dryRun = false;
  /// Fewer rounds, shorter batches, and checks of the sampled rows alone.
  bool quick = false;
  /// Path of a table of measured schedules for the compiler; empty: none.
  std::string tuningTable;
  /// tile-tune's table; most schedules of a shape; measure what is there again.
  std::string table = "tile-tuning.jsonl";
  int candidates = 1000;
  bool again = false;
  /// Only points of one of these classes; empty: all.
  std::vector<std::string> classes;
};

/// What is spent on a point.
struct Effort {
  /// Milliseconds of a batch, and launches in it, at least.
  double screeningBatch = 2, finalBatch = 5;
  int screeningLaunches = 2, finalLaunches = 3;
  int screeningRounds = 3, rounds = 11;
  /// Milliseconds of work before the first round: the power limit acts after
  /// 100.
  double warmUp = 200;
  /// How many of cuBLASLt's algorithms get to the final rounds beside its
  /// default.
  int cublasFinalists = 3;
  /// Whether every row of our first result is checked.
  bool checkAll = true;
};
Effort getEffort(const Options &options);

/// The tools that measure.
enum class Tool { Bench = 1, Tune = 2 };

/// Parses the arguments after the program's name, and reads the files that they
/// name. The reason names the option.
Result<Options> parseOptions(llvm::ArrayRef<const char *> arguments,
                             Tool tool = Tool::Bench);

/// The text of --help.
std::string getHelpText(Tool tool = Tool::Bench);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_OPTIONS_H
