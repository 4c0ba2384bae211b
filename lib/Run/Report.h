// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of tile-run: one labelled line for each fact, and JSON.
#ifndef TILE_LIB_RUN_REPORT_H
#define TILE_LIB_RUN_REPORT_H

#include "Check.h"
#include "Compile.h"
#include "Launch.h"
#include "llvm/Support/JSON.h"

namespace tile {

/// Prints lines of a label, aligned text, and continuation lines without label,
/// each as it comes; and collects the same facts as JSON (docs/Tools.md).
class Report {
public:
  /// A null stream prints nothing.
  explicit Report(llvm::raw_ostream *stream) : stream(stream) {}

  /// Prints a fact. The label is printed once for equal ones in a row.
  void add(llvm::StringRef label, const llvm::Twine &text);

  /// The facts so far. Texts are copied in: a JSON value keeps no more than a
  /// reference of a StringRef.
  llvm::json::Object facts;

private:
  llvm::raw_ostream *stream;
  std::string last;
};

/// Device and chip, entry and arguments.
void reportSetup(Report &report, TileRtDevice device, llvm::StringRef chip,
                 llvm::StringRef file, const BoundEntry &bound);

/// What each step launched, and why this kernel with this schedule.
void reportLaunch(Report &report, const BoundEntry &bound,
                  const DeviceEntry &entry);

/// Sectors and bank conflicts of each access, which the simulator counted.
void reportAccesses(Report &report, TileRtModule module);

/// The time of one run of the entry.
void reportTiming(Report &report, const Timing &timing,
                  const DeviceEntry &entry);

/// A result that was written to a file.
void reportWritten(Report &report, const BoundArgument &argument,
                   llvm::StringRef path);

/// The outcome of a check.
void reportCheck(Report &report, const BoundEntry &bound,
                 const EntryCheck &check);

/// The sentence that says how a check failed.
std::string describeFailure(const BoundEntry &bound, const EntryCheck &check);

} // namespace tile

#endif // TILE_LIB_RUN_REPORT_H
