// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses a schedule for each problem and says why.
#include "tile/Schedules/Schedules.h"
#include "tile/Transforms/Passes.h"

#include "mlir/AsmParser/AsmParser.h"

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
    getOperation()->walk([&](GemmOp gemm) {
      if (failed(select(gemm, forced)))
        signalPassFailure();
    });
  }

private:
  LogicalResult select(GemmOp gemm, Attribute forced) {
    ScheduleChoice choice{gemm.getScheduleAttr(), "as the operation asks"};
    if (forced)
      choice = {forced, "as the option asks"};
    else if (!choice.schedule)
      choice = selectSchedule(gemm);
    if (std::optional<std::string> reason =
            checkSchedule(gemm, choice.schedule))
      return gemm.emitOpError("cannot use the schedule ")
             << choice.schedule << ": " << *reason;
    gemm.setScheduleAttr(choice.schedule);
    if (remarks)
      gemm.emitRemark("schedule ") << choice.schedule << ": " << choice.reason;
    return success();
  }
};

} // namespace
