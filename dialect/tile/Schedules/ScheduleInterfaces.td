// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an attribute must do to be the schedule of a problem.
#ifndef TILE_SCHEDULES_SCHEDULEINTERFACES_TD
#define TILE_SCHEDULES_SCHEDULEINTERFACES_TD

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
        Why a chip, such as "sm_90a", cannot run the kernels; nothing if it can,
        or if the chip is not known, "".
      }], "std::optional<std::string>", "checkChip",
      (ins "::llvm::StringRef":$chip)>,
    InterfaceMethod<[{
        Why the schedule cannot build kernels for a problem; nothing if it can.
      }], "std::optional<std::string>", "checkProblem",
      (ins "::tile::GemmOp":$gemm)>,
    InterfaceMethod<[{
        Appends the kernels of a problem that `checkProblem` accepted to a
        gpu.module, in order of preference; the last one requires nothing beyond
        the operands' types. Each carries its launch facts as the attribute
        `tile.launch_facts`.
      }], "::llvm::SmallVector<::tile::KernelChoice>", "buildKernels",
      (ins "::tile::GemmOp":$gemm, "::mlir::gpu::GPUModuleOp":$module)>
  ];
}

#endif // TILE_SCHEDULES_SCHEDULEINTERFACES_TD
