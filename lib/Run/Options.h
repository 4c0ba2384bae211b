// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of tile-run.
#ifndef TILE_LIB_RUN_OPTIONS_H
#define TILE_LIB_RUN_OPTIONS_H

#include "tile/Layout/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// A value for one operand or argument, or for all of them.
template <class T>
struct Setting {
  /// A, B, C, D, alpha, beta or the number of an argument; empty for all.
  std::string name;
  T value;
};

/// Extents of a random problem.
struct RandomExtents {
  int64_t m = 0, n = 0, k = 0;
  std::optional<int64_t> batch;
  /// They are what the arguments' types say instead.
  bool fromTypes = false;
};

/// What the user asks for.
struct RunOptions {
  std::string file;
  std::string entry;
  std::string kernel;
  std::string schedule;
  /// Path of a table of measured schedules.
  std::string tuningTable;
  std::string device = "auto";
  /// Empty: that of the device.
  std::string chip;
  /// Paths of input and output arrays, in order.
  std::vector<std::string> inputs, outputs;
  /// Paths of arrays to compare the results with.
  std::vector<std::string> expected;
  /// Where the report goes as JSON: a path, "-" for standard output instead of
  /// the text; empty: nowhere.
  std::string json;
  std::optional<RandomExtents> random;
  std::vector<Setting<double>> scalars;
  /// Operands filled with a number instead of random ones; nothing: null.
  std::vector<Setting<std::optional<double>>> fills;
  /// Elements between the end of a row (or column) and the start of the next.
  std::vector<Setting<int64_t>> pitches;
  /// Elements between a 256-byte boundary and an operand's first element.
  std::vector<Setting<int64_t>> offsets;
  std::string saveArtifact;
  uint64_t seed = 0;
  bool check = false, time = false, printPTX = false, cubin = false;
  bool countAccesses = false;
  bool noWorkspace = false;
  /// Whether the simulator may run the code of an artifact file.
  bool trustArtifact = false;
  /// Timed launches; 0: as many as take about a second.
  int64_t repetitions = 0;
  bool help = false, version = false;

  /// Whether results are compared with anything.
  bool compares() const { return check || !expected.empty(); }

  /// Whether there is anything to launch with.
  bool runs() const { return random || !inputs.empty(); }
};

/// Parses the arguments after the program's name. The reason names the option.
Result<RunOptions> parseOptions(llvm::ArrayRef<const char *> arguments);

/// The text of --help.
std::string getHelpText();

} // namespace tile

#endif // TILE_LIB_RUN_OPTIONS_H
