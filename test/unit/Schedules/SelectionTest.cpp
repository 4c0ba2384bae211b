// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selection proposes nothing that cannot be built: random problems of every
// type and layout on every chip.
#include "tile/InitAll.h"
#include "tile/Schedules/Schedules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tile;

namespace {

/// Types of A and B, and of D.
struct Types {
  const char *a, *d;
};
constexpr Types kTypes[] = {
    {"f64", "f64"},      {"f32", "f32"},     {"f16", "f16"},
    {"f16", "f32"},      {"bf16", "bf16"},   {"bf16", "f32"},
    {"f8E4M3FN", "f32"}, {"f8E5M2", "bf16"}, {"f8E4M3FN", "f16"},
    {"i8", "i32"},
};

/// Extents that people have: powers of two, multiples of 8, and any.
int64_t drawExtent(std::mt19937 &random) {
  auto draw = [&](int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  };
  switch (draw(0, 3)) {
  case 0:
    return int64_t(1) << draw(0, 14);
  case 1:
    return 8 * draw(1, 2048);
  case 2:
    return 1024 * draw(1, 16);
  default:
    return draw(1, 5000);
  }
}

class SelectionTest : public testing::Test {
protected:
  SelectionTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  std::string matrix(int64_t rows, int64_t columns, const char *type,
                     bool transposed, int64_t padding) {
    std::string strides = transposed
                              ? "1, " + std::to_string(rows + padding)
                              : std::to_string(columns + padding) + ", 1";
    return "memref<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + type + ", strided<[" + strides + "]>>";
  }

  /// Parses one problem.
  OwningOpRef<ModuleOp> parse(const std::string &a, const std::string &b,
                              const std::string &c, const std::string &d,
                              bool hasC) {
    std::string arguments = "%A: " + a + ", %B: " + b + ", %D: " + d;
    std::string ins = "%A, %B", types = a + ", " + b;
    if (hasC) {
      arguments += ", %C: " + c;
      ins += ", %C";
      types += ", " + c;
    }
    return parseSourceString<ModuleOp>(
        "func.func @gemm(" + arguments + ") {\n  tile.gemm ins(" + ins + " : " +
            types + ") outs(%D : " + d + ")\n  return\n}\n",
        &context);
  }

  MLIRContext context;
};

} // namespace

/// Whether the kernels of a choice can be built.
static bool isBuilt(GemmOp gemm, Attribute schedule, const Chip &chip) {
  Result<SmallVector<SchedulePlan>> plans = planSchedule(gemm, schedule, chip);
  if (!plans)
    return false;
  OpBuilder builder(gemm.getContext());
  OwningOpRef<ModuleOp> top = ModuleOp::create(gemm.getLoc());
  builder.setInsertionPointToEnd(top->getBody());
  auto module = gpu::GPUModuleOp::create(builder, gemm.getLoc(), "kernels");
  for (const SchedulePlan &plan : *plans) {
    SmallVector<KernelChoice> choices = plan.build(module);
    if (choices.empty() || llvm::any_of(choices, [](const KernelChoice &each) {
          return !each.kernel;
        }))
      return false;
  }
  return true;
}

/// Every wgmma that a choice needs is in the table of atoms.
static void expectAtoms(GemmOp gemm, Attribute schedule) {
  SmallVector<Attribute> schedules{schedule};
  if (auto list = dyn_cast<ArrayAttr>(schedule))
    schedules.assign(list.begin(), list.end());
  auto element = [](Value value) {
    return cast<MemRefType>(value.getType()).getElementType();
  };
  Type a = element(gemm.getA()), b = element(gemm.getB());
  Type sums = a.isInteger() ? element(gemm.getD())
                            : Type(Float32Type::get(gemm.getContext()));
  for (Attribute each : schedules)
    if (auto special = dyn_cast<WarpSpecializedScheduleAttr>(each))
      EXPECT_EQ(WgmmaAttr::check(special.getTile()[1], a, b, sums),
                std::nullopt);
}

TEST_F(SelectionTest, EveryChoiceIsLegal) {
  std::mt19937 random(20260101);
  auto draw = [&](int64_t count) {
    return static_cast<int64_t>(random() % count);
  };
  int64_t chosen = 0;
  for (int i = 0; i < 3000; ++i) {
    const Types &types = kTypes[draw(std::size(kTypes))];
    // Half of them on the one chip with two families.
    const Chip &chip =
        draw(2) ? getDefaultChip() : kChips[draw(std::size(kChips))];
    int64_t m = drawExtent(random), n = drawExtent(random),
            k = drawExtent(random);
    bool hasC = draw(3) == 0 && StringRef(types.a) != "i8";
    int64_t padding = draw(3) ? 0 : draw(20);
    OwningOpRef<ModuleOp> module =
        parse(matrix(m, k, types.a, draw(2), padding),
              matrix(k, n, types.a, draw(2), padding),
              matrix(m, n, types.d, draw(4) == 0, padding),
              matrix(m, n, types.d, draw(4) == 0, padding), hasC);
    ASSERT_TRUE(module);
    GemmOp gemm;
    module->walk([&](GemmOp op) { gemm = op; });
    Result<ScheduleChoice> choice = selectSchedule(gemm, chip);
    // Operands of 8 bits are for the tensor cores alone: integers from sm_80,
    // floats from sm_89 on.
    StringRef a = types.a;
    bool isLegal = a == "i8"          ? chip.hasAsyncCopies()
                   : a.contains("f8") ? chip.hasMmaSync8Bits()
                                      : true;
    EXPECT_EQ(static_cast<bool>(choice), isLegal)
        << types.a << " on " << chip.name << ": " << choice.getReason();
    if (!choice)
      continue;
    ++chosen;
    EXPECT_EQ(checkSchedule(gemm, choice->schedule, chip), std::nullopt);
    expectAtoms(gemm, choice->schedule);
    if (i % 60 == 0)
      EXPECT_TRUE(isBuilt(gemm, choice->schedule, chip))
          << types.a << " " << m << " x " << n << " x " << k;
  }
  EXPECT_GT(chosen, 1500);
}

// The widths of tiles that integers have not are refused, with those nearest.
TEST_F(SelectionTest, ColumnsOfIntegers) {
  OwningOpRef<ModuleOp> module =
      parse(matrix(512, 512, "i8", false, 0), matrix(512, 512, "i8", true, 0),
            "", matrix(512, 512, "i32", false, 0), false);
  ASSERT_TRUE(module);
  GemmOp gemm;
  module->walk([&](GemmOp op) { gemm = op; });
  int refused = 0;
  for (int64_t split : {1, 2, 4})
    for (int64_t n = 8; n <= 256; n += 8) {
      WarpSpecializedScheduleAttr::Params params;
      params.tile = {64, n, 0};
      params.stages = 2;
      params.consumers = 1;
      params.splitK = split;
      ScopedDiagnosticHandler quiet(&context,
                                    [](Diagnostic &) { return success(); });
      auto schedule = WarpSpecializedScheduleAttr::getChecked(
          [&] { return emitError(UnknownLoc::get(&context)); }, &context,
          params);
      if (!schedule)
        continue;
      std::optional<std::string> reason =
          checkSchedule(gemm, schedule, getDefaultChip());
      auto has = [](int64_t n) { return n <= 32 || n % 16 == 0; };
      EXPECT_EQ(reason.has_value(), !has(n) || !has(n / split)) << n;
      refused += reason.has_value();
    }
  EXPECT_GE(refused, 14);
  WarpSpecializedScheduleAttr::Params params;
  params.tile = {64, 40, 0};
  params.stages = 4;
  params.consumers = 1;
  EXPECT_EQ(checkSchedule(gemm,
                          WarpSpecializedScheduleAttr::get(&context, params),
                          getDefaultChip())
                .value_or(""),
            "expected N of the tile to be one that wgmma of i8 has, the "
            "nearest are 32 and 48, but got 40");
}
