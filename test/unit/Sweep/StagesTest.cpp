// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loops: each number of tiles along K, each number of stages, and
// rings of stages that are broken on purpose.
#include "Setting.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace tile::sweep;

namespace {

/// A small schedule with tiles of 8 along K; 0 stages: staged in registers.
std::string scheduleOf(int stages) {
  return "#tile.simt<tile = [16, 32, 8], warps = [1, 1], thread = [4, 4], "
         "stages = " +
         std::to_string(stages) + ">";
}

/// Two tiles of the result, `trips` along K, the first of which is not whole.
/// Odd numbers of trips take the kernel with vectors.
Problem problemOf(int stages, int64_t trips, int orders, Element element) {
  Problem problem;
  problem.element = element;
  problem.m = 20;
  problem.n = trips % 2 ? 28 : 29;
  problem.k = trips * 8 - (trips ? trips % 3 * 2 : 0);
  problem.beta = 0.5;
  problem.setOrders(orders);
  problem.setPadding(trips % 2 == 0);
  problem.schedule = scheduleOf(stages);
  return problem;
}

class Stages : public testing::TestWithParam<int> {};

} // namespace

TEST_P(Stages, EachTripCount) {
  int stages = std::max(GetParam(), 2);
  for (int64_t trips = 0; trips <= 2 * stages + 1; ++trips)
    for (int orders = 0; orders < 4; ++orders)
      for (Element element : {Element::F32, Element::F64}) {
        if (!Setting::get().isFull() && (trips + orders) % 2)
          continue;
        Problem problem = problemOf(GetParam(), trips, orders, element);
        Outcome outcome;
        ASSERT_TRUE(solve(problem, &outcome));
        // Stages and their order change no sum.
        problem.schedule = scheduleOf(0);
        Outcome expected;
        ASSERT_TRUE(solve(problem, &expected));
        ASSERT_EQ(std::string(outcome.d->data(),
                              outcome.d->data() + outcome.d->getBytes()),
                  std::string(expected.d->data(),
                              expected.d->data() + expected.d->getBytes()))
            << problem.describe();
      }
}

INSTANTIATE_TEST_SUITE_P(Gemm, Stages, testing::Values(0, 2, 3, 4, 7));

namespace {

/// Whether a program with a changed ring of three stages still gives the result
/// of problems of several trip counts.
bool isGreen(const std::function<bool(mlir::ModuleOp)> &change,
             std::string &error) {
  Problem problem = problemOf(3, 0, 1, Element::F32);
  Compiled compiled =
      compileChanged(programOf(problem), MutationPoint::Kernels, change);
  error = compiled.error;
  if (!error.empty())
    return false;
  Setting &setting = Setting::get();
  TileRtModule module = setting.loadArtifact(compiled.artifact, error);
  bool green = module != nullptr;
  for (int64_t trips : {1, 2, 3, 4, 6, 7}) {
    if (!green)
      break;
    problem = problemOf(3, trips, 1, Element::F32);
    testing::AssertionResult result = setting.solve(problem, nullptr, module);
    green = bool(result);
    error = result.message();
  }
  tileRtModuleUnload(module);
  return green;
}

/// Applies `change` to each operation of type `OpT` that `filter` accepts, one
/// at a time, and expects that each time a problem notices.
template <typename OpT>
void expectEachRed(size_t atLeast, const std::function<bool(OpT)> &filter,
                   const std::function<void(OpT)> &change) {
  size_t number = 0;
  std::string error;
  auto walk = [&](size_t wanted) {
    return [&, wanted](mlir::ModuleOp module) {
      number = 0;
      llvm::SmallVector<OpT> found;
      module.walk([&](OpT op) {
        if (filter(op) && number++ == wanted)
          found.push_back(op);
      });
      for (OpT op : found)
        change(op);
      return true;
    };
  };
  ASSERT_TRUE(isGreen(walk(~size_t(0)), error)) << error;
  size_t total = number;
  EXPECT_GE(total, atLeast);
  for (size_t i = 0; i < total; ++i) {
    EXPECT_FALSE(isGreen(walk(i), error)) << "mutant " << i;
    EXPECT_EQ(error.find("expected an op"), std::string::npos) << error;
  }
}

class BrokenStages : public testing::Test {
protected:
  void SetUp() override {
    if (!Setting::get().isSimulator())
      GTEST_SKIP() << "broken kernels run on the simulator only";
  }
};

} // namespace

TEST_F(BrokenStages, WaitForTooFewGroups) {
  // The last wait, behind the loop, is for tidiness.
  expectEachRed<tile::AsyncWaitGroupOp>(
      2, [](tile::AsyncWaitGroupOp op) { return op.getPending() != 0; },
      [](tile::AsyncWaitGroupOp op) { op.setPending(op.getPending() + 1); });
}

TEST_F(BrokenStages, NoBarrier) {
  expectEachRed<mlir::gpu::BarrierOp>(
      2, [](mlir::gpu::BarrierOp) { return true; },
      [](mlir::gpu::BarrierOp op) { op.erase(); });
}

TEST_F(BrokenStages, NoCommit) {
  expectEachRed<tile::AsyncCommitGroupOp>(
      3, [](tile::AsyncCommitGroupOp) { return true; },
      [](tile::AsyncCommitGroupOp op) { op.erase(); });
}

TEST_F(BrokenStages, NoCopy) {
  expectEachRed<tile::CopyAsyncOp>(
      6, [](tile::CopyAsyncOp) { return true; },
      [](tile::CopyAsyncOp op) { op.erase(); });
}
