// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that were measured to be the fastest, by problem.
#ifndef TILE_SCHEDULES_TUNINGTABLE_H
#define TILE_SCHEDULES_TUNINGTABLE_H

#include "tile/IR/Tile.h"
#include "tile/Layout/Result.h"

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tile {

/// What of a problem decides which schedule is the fastest: types, extents, and
/// how the operands lie in memory. Factors and C do not.
struct TuningKey {
  /// Element types of A, B and D, as MLIR prints them.
  std::string a, b, d;
  /// A letter for A and one for B: n is row-major, t column-major.
  std::string layout = "nn";
  int64_t m = 0, n = 0, k = 0, batch = 1;
  /// Distances of the lines of A, B and D in elements.
  int64_t pitchA = 0, pitchB = 0, pitchD = 0;

  bool operator==(const TuningKey &other) const {
    auto tie = [](const TuningKey &key) {
      return std::tie(key.a, key.b, key.d, key.layout, key.m, key.n, key.k,
                      key.batch, key.pitchA, key.pitchB, key.pitchD);
    };
    return tie(*this) == tie(other);
  }
};

/// The key of a problem whose extents and strides are all static; nothing for
/// another, and for a D that is not row-major.
std::optional<TuningKey> getTuningKey(GemmOp gemm);

/// What was measured for one problem.
struct TuningRecord {
  TuningKey key;
  /// The fastest schedule, as text; empty when no schedule ran.
  std::string schedule;
  /// Its time, and that of the schedule that the compiler selects by itself; 0
  /// where unknown.
  double microseconds = 0, selectedMicroseconds = 0;
  /// How many schedules ran.
  int candidates = 0;
  std::string card, regime, date;
  /// Why no schedule ran; "" when one did.
  std::string failure;
};

/// Records, one a line of JSON. The file may be put together with `cat`: of two
/// records of a problem the later one counts.
class TuningTable {
public:
  /// Parses a table. `//` starts a comment line. The reason names the line.
  static Result<TuningTable> parse(llvm::StringRef text);
  /// Reads a file. The reason names it.
  static Result<TuningTable> read(llvm::StringRef path);

  /// The record of a problem with a schedule; null if there is none.
  const TuningRecord *find(const TuningKey &key) const;
  /// Whether there is a record of a problem from that card, also one that says
  /// that nothing ran.
  bool holds(const TuningKey &key, llvm::StringRef card) const;
  void add(TuningRecord record) { records.push_back(std::move(record)); }

  llvm::ArrayRef<TuningRecord> getRecords() const { return records; }
  /// The table as text, without comments.
  std::string format() const;

private:
  std::vector<TuningRecord> records;
};

} // namespace tile

#endif // TILE_SCHEDULES_TUNINGTABLE_H
