// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tile-tune makes of points and of what was measured.
#ifndef TILE_LIB_BENCH_TUNE_H
#define TILE_LIB_BENCH_TUNE_H

#include "Results.h"
#include "tile/Schedules/TuningTable.h"

namespace tile::bench {

/// The key of a point in a tuning table, the same as that of its problem.
TuningKey tuningKeyOf(const Point &point);

/// The points, each problem once, that a table does not hold from a card; all
/// of them if `again`.
std::vector<Point> listMissing(llvm::ArrayRef<Point> points,
                               const TuningTable &table, llvm::StringRef card,
                               bool again);

/// The record of a point that was measured. The candidate "default" stands for
/// the schedule that the compiler selects.
TuningRecord makeRecord(const PointResult &result, llvm::StringRef card,
                        llvm::StringRef regime, llvm::StringRef date);

/// Adds a record to a table that other runs may be adding to as well, or only
/// makes the table. Returns why not.
std::optional<std::string> addToTable(const std::string &path,
                                      std::optional<TuningRecord> record);

/// A record in a line, for example "12.52 us, 1.043 of the selected one's
/// speed, of 24: #tile.simt<…>".
std::string describeRecord(const TuningRecord &record);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_TUNE_H
