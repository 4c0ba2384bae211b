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

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<TileDialect>();
    registerScheduleInterfaces(registry);
  }

  void runOnOperation() override {
    target = &getChip(chip);
    Attribute forced;
    if (!schedule.empty()) {
      Result<Attribute> parsed = parseSchedule(schedule);
      if (!parsed) {
        emitError(getOperation()->getLoc())
            << "option 'schedule': " << parsed.getReason();
        return signalPassFailure();
      }
      forced = *parsed;
    }
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
  /// The schedule or list that a text says, or what is wrong with it.
  Result<Attribute> parseSchedule(StringRef text) {
    std::string error;
    ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
      if (error.empty())
        error = diagnostic.str();
      return success();
    });
    Attribute parsed = parseAttribute(text, &getContext());
    if (parsed && isSchedule(parsed))
      return parsed;
    // What the parser says helps where it looks like a schedule.
    if (!parsed && text.contains('<') && !error.empty())
      return Reason(error);
    return Reason("expected a schedule such as #tile.simt<…> or "
                  "#tile.warp_specialized<…>, or a list of these, but got '" +
                  text + "'");
  }

  /// The measured schedule, where there is a legal one, else the selected one.
  Result<ScheduleChoice> choose(GemmOp gemm) {
    std::optional<TuningKey> key = getTuningKey(gemm);
    const TuningRecord *record = key ? table.find(*key) : nullptr;
    if (!record)
      return selectSchedule(gemm, *target);
    // A table outlives the compiler that it was made with: what it names may
    // not parse, or not be legal, any more.
    Result<Attribute> tuned = parseSchedule(record->schedule);
    std::optional<std::string> reason =
        tuned ? checkSchedule(gemm, *tuned, *target) : tuned.getReason();
    if (!reason)
      return ScheduleChoice{
          *tuned,
          llvm::formatv("the tuning table measured it at {0:f1} us "
                        "on {1}, {2}",
                        record->microseconds, record->card, record->date)};
    Result<ScheduleChoice> choice = selectSchedule(gemm, *target);
    if (choice)
      choice->reason +=
          "; the one in the tuning table is not legal: " + *reason;
    return choice;
  }

  LogicalResult select(GemmOp gemm, Attribute forced) {
    ScheduleChoice choice{gemm.getScheduleAttr(), "as the operation asks"};
    if (forced)
      choice = {forced, "as the option asks"};
    if (!choice.schedule) {
      Result<ScheduleChoice> chosen = choose(gemm);
      if (!chosen)
        return gemm.emitOpError("has no schedule: ") << chosen.getReason();
      choice = *chosen;
    } else if (std::optional<std::string> reason =
                   checkSchedule(gemm, choice.schedule, *target)) {
      return gemm.emitOpError("cannot use the schedule ")
             << choice.schedule << ": " << *reason;
    }
    gemm.setScheduleAttr(choice.schedule);
    gemm.setReason(choice.reason);
    warnOfChip(gemm);
    if (remarks)
      gemm.emitRemark("schedule ") << choice.schedule << ": " << choice.reason;
    return success();
  }

  /// Says what a problem loses by how the chip is named.
  void warnOfChip(GemmOp gemm) {
    auto a = cast<MemRefType>(gemm.getA().getType());
    const Chip &full = getDefaultChip();
    if (target->sm == full.sm && !target->hasWgmma() &&
        a.getElementTypeBitWidth() <= 16)
      gemm.emitWarning("chip ")
          << target->architecture << " leaves out wgmma, which only "
          << full.architecture << " has; compile for " << full.architecture
          << " unless the code is to run on newer GPUs, too";
    if (remarks && !chip.empty() && !findChip(chip.c_str()))
      gemm.emitRemark("the table of chips has no ")
          << chip << "; its numbers are taken to be those of " << target->name;
  }

  TuningTable table;
  const Chip *target = nullptr;
};

} // namespace
