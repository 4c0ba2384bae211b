// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses a schedule for each problem and says why.
#include "tile/Schedules/Schedules.h"
#include "tile/Schedules/TuningTable.h"
#include "tile/Transforms/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"

namespace tile {
#define GEN_PASS_DEF_TILESELECTSCHEDULE
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

struct TileSelectSchedulePass
    : tile::impl::TileSelectScheduleBase<TileSelectSchedulePass> {
  using TileSelectScheduleBase::TileSelectScheduleBase;

  void runOnOperation() override {
    Attribute forced;
    if (!schedule.empty() &&
        !(forced = parseAttribute(schedule, &getContext())))
      return signalPassFailure();
    if (!tuningTable.empty()) {
      Result<TuningTable> read = TuningTable::read(tuningTable);
      if (!read) {
        emitError(getOperation()->getLoc()) << read.getReason();
        return signalPassFailure();
      }
      table = std::move(*read);
    }
    getOperation()->walk([&](GemmOp gemm) {
      if (failed(select(gemm, forced)))
        signalPassFailure();
    });
  }

private:
  /// The measured schedule, where there is a legal one, else the selected one.
  ScheduleChoice choose(GemmOp gemm) {
    std::optional<TuningKey> key = getTuningKey(gemm);
    const TuningRecord *record = key ? table.find(*key) : nullptr;
    if (!record)
      return selectSchedule(gemm, hasWgmma(chip));
    // A table outlives the compiler that it was made with: what it names may
    // not parse, or not be legal, any more.
    std::optional<std::string> reason;
    Attribute tuned;
    {
      ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &error) {
        if (!reason)
          reason = error.str();
        return success();
      });
      tuned = parseAttribute(record->schedule, &getContext());
    }
    if (tuned)
      reason = checkSchedule(gemm, tuned, chip);
    else if (!reason)
      reason = "expected an attribute, but got " + record->schedule;
    if (!reason)
      return {tuned,
              llvm::formatv("the tuning table measured it at {0:f1} us "
                            "on {1}, {2}",
                            record->microseconds, record->card, record->date)};
    ScheduleChoice choice = selectSchedule(gemm, hasWgmma(chip));
    choice.reason += "; the one in the tuning table is not legal: " + *reason;
    return choice;
  }

  LogicalResult select(GemmOp gemm, Attribute forced) {
    ScheduleChoice choice{gemm.getScheduleAttr(), "as the operation asks"};
    if (forced)
      choice = {forced, "as the option asks"};
    bool chosen = !choice.schedule;
    if (chosen)
      choice = choose(gemm);
    if (std::optional<std::string> reason =
            checkSchedule(gemm, choice.schedule, chip)) {
      if (chosen)
        return gemm.emitOpError("has no schedule: ") << *reason;
      return gemm.emitOpError("cannot use the schedule ")
             << choice.schedule << ": " << *reason;
    }
    gemm.setScheduleAttr(choice.schedule);
    gemm.setReason(choice.reason);
    if (remarks)
      gemm.emitRemark("schedule ") << choice.schedule << ": " << choice.reason;
    return success();
  }

  TuningTable table;
};

} // namespace
