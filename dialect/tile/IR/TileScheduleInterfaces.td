// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of attributes that are schedules of a problem.
#ifndef TILE_IR_TILESCHEDULEINTERFACES_TD
#define TILE_IR_TILESCHEDULEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_ScheduleAttrInterface : AttrInterface<"ScheduleAttrInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    How a problem becomes kernels. The attributes `#tile.simt` and
    `#tile.warp_specialized` implement it, and so may those of other dialects:
    any such attribute can be the `schedule` of a `tile.gemm`.

    Legality is a query with a reason, one sentence that says what was expected
    and what came, so that selection can go on to another schedule and who asked
    for this one reads why not.
  }];
  let methods = [
    InterfaceMethod<[{
        What the schedule makes of a problem on a chip, or the reason why it
        cannot: of the chip first, then of the problem.
      }], "::tile::Result<::tile::SchedulePlan>", "plan",
      (ins "::tile::GemmOp":$gemm, "const ::tile::Chip &":$chip)>,
    InterfaceMethod<[{
        Nanoseconds that a launch takes on a chip, by a model that ranks
        schedules; nothing where the extents are not known.
      }], "::std::optional<double>", "estimate",
      (ins "::tile::GemmOp":$gemm, "const ::tile::Chip &":$chip),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">
  ];
}

#endif // TILE_IR_TILESCHEDULEINTERFACES_TD
