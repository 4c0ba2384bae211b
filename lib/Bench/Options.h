// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of tile-bench.
#ifndef TILE_LIB_BENCH_OPTIONS_H
#define TILE_LIB_BENCH_OPTIONS_H

#include "Measure.h"
#include "Suite.h"

#include "llvm/ADT/ArrayRef.h"
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
  int rounds = 11;
  /// Bound on the rounds of a point.
  double seconds = 20;
  /// How many of cuBLASLt's algorithms are tried.
  int algorithms = 12;
  /// How many of our schedules get to the final rounds.
  int finalists = 6;
  /// Compiler threads; 0: one for each core.
  unsigned jobs = 0;
  bool cublas = true, cubin = false, dynamic = false, help = false;
};

/// Parses the arguments after the program's name, and reads the files that they
/// name. The reason names the option.
Result<Options> parseOptions(llvm::ArrayRef<const char *> arguments);

/// The text of --help.
std::string getHelpText();

} // namespace tile::bench

#endif // TILE_LIB_BENCH_OPTIONS_H
