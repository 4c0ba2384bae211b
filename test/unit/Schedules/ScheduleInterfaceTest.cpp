// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of other dialects: an attribute that the compiler knows nothing of
// but that it implements ScheduleAttrInterface.
#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Schedules/Schedules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;

namespace {

/// A string as schedule: that of #tile.simt with small tiles, for f32 and chips
/// from sm_90 on.
struct StringSchedule
    : ScheduleAttrInterface::ExternalModel<StringSchedule, StringAttr> {
  Result<SchedulePlan> plan(Attribute attr, GemmOp gemm,
                            const Chip &chip) const {
    if (chip.sm < 90)
      return Reason("expected sm_90 for " + cast<StringAttr>(attr).getValue() +
                    ", but got " + chip.architecture);
    if (!cast<MemRefType>(gemm.getA().getType()).getElementType().isF32())
      return Reason("expected f32");
    SimtScheduleAttr::Params params;
    params.tile = {32, 64, 16};
    params.warps = {1, 2};
    params.thread = {8, 4};
    auto simt = SimtScheduleAttr::get(attr.getContext(), params);
    return cast<ScheduleAttrInterface>(Attribute(simt)).plan(gemm, chip);
  }
};

class ScheduleInterfaceTest : public testing::Test {
protected:
  ScheduleInterfaceTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registry.addExtension(+[](MLIRContext *context, TileDialect *) {
      StringAttr::attachInterface<StringSchedule>(*context);
    });
    context.appendDialectRegistry(registry);
  }

  /// The artifact, or the error.
  std::string compile(StringRef type, StringRef schedule, StringRef chip) {
    std::string result;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      result += diagnostic.str() + "\n";
      return success();
    });
    std::string matrix =
        ("memref<?x?x" + type + ", strided<[?, 1], offset: ?>>").str();
    std::string text = "func.func @gemm(%A: " + matrix + ", %B: " + matrix +
                       ", %D: " + matrix +
                       ") {\n  tile.gemm ins(%A, %B : " + matrix + ", " +
                       matrix + ") outs(%D : " + matrix + ") schedule " +
                       schedule.str() + "\n  return\n}\n";
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return result;
    CompileOptions options;
    options.chip = chip.str();
    FailureOr<std::string> artifact = compileToArtifact(*module, options);
    return failed(artifact) ? result : *artifact;
  }

  MLIRContext context;
};

} // namespace

TEST_F(ScheduleInterfaceTest, BuildsTheKernels) {
  std::string artifact = compile("f32", "\"small\"", "sm_90");
  EXPECT_NE(artifact.find(".entry simt_32x64x16_rrr"), std::string::npos)
      << artifact.substr(0, 400);
}

TEST_F(ScheduleInterfaceTest, StandsInLists) {
  std::string artifact =
      compile("f32",
              "[\"small\", #tile.simt<tile = [64, 64, 32], warps = [2, 2], "
              "thread = [8, 4]>]",
              "sm_90");
  EXPECT_NE(artifact.find("simt_32x64x16_rrr"), std::string::npos)
      << artifact.substr(0, 400);
  EXPECT_NE(artifact.find("simt_64x64x32_rrr"), std::string::npos);
}

TEST_F(ScheduleInterfaceTest, ReasonsAreShown) {
  EXPECT_EQ(compile("f64", "\"small\"", "sm_90"),
            "'tile.gemm' op cannot use the schedule \"small\": expected f32\n");
  EXPECT_EQ(compile("f32", "\"small\"", "sm_80"),
            "'tile.gemm' op cannot use the schedule \"small\": expected sm_90 "
            "for small, but got sm_80\n");
}

TEST_F(ScheduleInterfaceTest, OthersAreRefused) {
  EXPECT_EQ(
      compile("f32", "7 : i32", "sm_90"),
      "custom op 'tile.gemm' expected a schedule such as #tile.simt<…> or "
      "#tile.warp_specialized<…>, or a list of these, but got 7 : i32\n");
  EXPECT_EQ(
      compile("f32", "[]", "sm_90"),
      "custom op 'tile.gemm' expected a schedule such as #tile.simt<…> or "
      "#tile.warp_specialized<…>, or a list of these, but got []\n");
}

// Who loads the dialect and runs the passes needs to register nothing else.
TEST(ScheduleInterface, PassesRegisterIt) {
  MLIRContext plain;
  plain.loadDialect<TileDialect, func::FuncDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "func.func @f(%a: memref<8x8xf32>) {\n"
      "  tile.gemm ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>)\n"
      "    outs(%a : memref<8x8xf32>)\n"
      "    schedule #tile.simt<tile = [64, 64, 32], warps = [2, 2], "
      "thread = [8, 4]>\n  return\n}\n",
      &plain);
  ASSERT_TRUE(module);
  PassManager manager(&plain);
  ToPTXOptions options;
  options.stopAfter = Stage::Kernels;
  buildToPTXPipeline(manager, options);
  EXPECT_TRUE(succeeded(manager.run(*module)));
}
