// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a benchmark found, and the forms in which it is written down.
#ifndef TILE_LIB_BENCH_RESULTS_H
#define TILE_LIB_BENCH_RESULTS_H

#include "Nvml.h"
#include "Statistics.h"
#include "Suite.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace tile::bench {

/// One implementation of a point.
struct Entry {
  /// The schedule's text as it was asked for, or an algorithm of cuBLASLt.
  std::string name;
  /// Microseconds of one launch, less those of the kernel in front.
  Summary time;
  /// Likewise the host's; 0 where it was not measured.
  double hostMicroseconds = 0;
  /// Whether it got to the final rounds; else `time` is from the screening.
  bool finalist = false;
  /// Launches in a batch.
  int launches = 0;
  /// Why it was not measured: illegal, failed or wrong; "" if it was.
  std::string failure;
  /// Whether it computed a wrong result.
  bool wrong = false;
  /// Whether the result was compared with float64, with what errors.
  bool checked = false;
  double maxError = 0, relativeError = 0;
  /// The largest error over the one that is tolerated.
  double toleranceUsed = 0;

  // Of ours only. `prepare` names the copies that are made first, `reason` says
  // why the compiler chose the schedule.
  std::string kernel, prepare, schedule, reason;
  int registers = -1;
  int64_t localBytes = -1, sharedBytes = 0;
  double compileMilliseconds = 0, loadMilliseconds = 0;
};

/// A point and its implementations.
struct PointResult {
  Point point;
  /// Number of operand sets that the launches rotate among.
  int sets = 0;
  std::vector<Entry> ours, cublas;
  /// Indices of the fastest of ours, of cuBLASLt's first answer, and of the
  /// fastest of its algorithms; -1 if there is none.
  int best = -1, cublasDefault = -1, cublasBest = -1;
  /// The time of the kernel in front of each launch; 0 without one.
  double frontMicroseconds = 0;
  CardState before, after;
  /// Why the point counts as failed; "" if it does not.
  std::string failure;
  /// Why there is nothing to compare with although cuBLASLt is used, and why
  /// the point was left out; both no failures, "" if it is not so.
  std::string noReference, skipped;
  /// Seconds of the final rounds, how many there were, and seconds of all else.
  double roundSeconds = 0, otherSeconds = 0;
  int rounds = 0;

  /// Speed over that of cuBLASLt's first answer, above 1 when ours is faster;
  /// 0 when one of the two is missing.
  double ratioToDefault() const;
  /// Likewise over its fastest algorithm.
  double ratioToBest() const;
  /// Tera floating-point operations per second of an implementation.
  double teraflops(const Entry &entry) const;
};

/// Everything that is written down.
struct Report {
  std::string date, card, driver, toolchain, code, cublas, regime, context,
      launch;
  int rounds = 0;
  std::vector<PointResult> points;
};

/// The report as a JSON document.
llvm::json::Value toJSON(const Report &report);
/// The report as comma-separated values, a line for each point.
std::string toCSV(const Report &report);
/// The report as a picture: a bar for each point under the first of its
/// classes, a line at cuBLASLt's speed.
std::string toSVG(const Report &report);

/// The table's head, for labels of up to `width` characters.
std::string formatTableHead(size_t width);
/// A point's line of the table.
std::string formatTableRow(const PointResult &result, size_t width);
/// The line that says why a point failed, was left out or has no reference; ""
/// if there is nothing to say.
std::string formatTableNote(const PointResult &result);
/// The implementations of a point that are ours, fastest first, a line each.
std::string formatCandidates(const PointResult &result);
/// The lines under the table.
std::string formatTableFoot(const Report &report);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_RESULTS_H
