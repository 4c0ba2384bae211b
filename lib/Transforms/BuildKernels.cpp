// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the kernels of each problem and replaces it by their launch.
#include "tile/IR/Epilogue.h"
#include "tile/Schedules/Schedules.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tile {
#define GEN_PASS_DEF_TILEBUILDKERNELS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

struct TileBuildKernelsPass
    : tile::impl::TileBuildKernelsBase<TileBuildKernelsPass> {
  using TileBuildKernelsBase::TileBuildKernelsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TileBuildKernelsBase::getDependentDialects(registry);
    registerScheduleInterfaces(registry);
  }

  void runOnOperation() override {
    SmallVector<GemmOp> problems;
    getOperation().walk([&](GemmOp gemm) { problems.push_back(gemm); });
    for (GemmOp gemm : problems)
      if (failed(build(gemm)))
        return signalPassFailure();
  }

private:
  LogicalResult build(GemmOp gemm) {
    Attribute schedule = gemm.getScheduleAttr();
    if (!schedule)
      return gemm.emitOpError(
          "expected a schedule; run tile-select-schedule first");
    Result<SmallVector<SchedulePlan>> plans =
        planSchedule(gemm, schedule, getChip(chip));
    if (!plans)
      return gemm.emitOpError("cannot use the schedule ")
             << schedule << ": " << plans.getReason();
    ModuleOp top = getOperation();
    Operation *table = SymbolTable::getNearestSymbolTable(gemm);
    if (table != top)
      return gemm.emitOpError("expected a problem in host code of the module, "
                              "but got one inside ")
             << table->getName();
    std::string name;
    for (unsigned i = 0; name.empty() || top.lookupSymbol(name); ++i)
      name = "gemm_" + std::to_string(i);
    OpBuilder builder = OpBuilder::atBlockEnd(top.getBody());
    auto module = gpu::GPUModuleOp::create(builder, gemm.getLoc(), name);
    top->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                 builder.getUnitAttr());
    SmallVector<Attribute> kernels, prepare;
    bool prepares = false;
    SmallVector<KernelChoice> choices;
    for (const SchedulePlan &plan : *plans)
      llvm::append_range(choices, plan.build(module));
    for (const KernelChoice &choice : choices) {
      gpu::GPUFuncOp kernel = choice.kernel;
      if (!kernel)
        return failure();
      kernels.push_back(
          SymbolRefAttr::get(builder.getStringAttr(name),
                             {FlatSymbolRefAttr::get(kernel.getNameAttr())}));
      prepare.push_back(builder.getArrayAttr(SmallVector<Attribute>(
          choice.prepare.begin(), choice.prepare.end())));
      prepares |= !choice.prepare.empty();
    }
    builder.setInsertionPoint(gemm);
    StringAttr epilogue;
    if (gemm.hasEpilogue())
      epilogue = builder.getStringAttr(getExpression(gemm).str());
    LaunchOp::create(builder, gemm.getLoc(), gemm.getA(), gemm.getB(),
                     gemm.getC(), gemm.getD(), gemm.getAlpha(), gemm.getBeta(),
                     gemm.getEpilogueOperands(), gemm.getEpilogueIndicesAttr(),
                     epilogue, builder.getArrayAttr(kernels),
                     prepares ? builder.getArrayAttr(prepare) : ArrayAttr(),
                     gemm.getReasonAttr());
    gemm.erase();
    return success();
  }
};

} // namespace
