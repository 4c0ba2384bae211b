// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes one synchronisation after the other out of warp-specialised kernels:
// the simulator must say what is missing, and not just give a wrong number.
#include "Setting.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <cstdlib>
#include <set>

using namespace tile::sweep;

namespace {

/// A kernel that several tiles go through on one multiprocessor.
Problem problemOf(const std::string &schedule) {
  Problem problem;
  problem.element = Element::BF16;
  problem.hasC = false;
  problem.b.columnMajor = true;
  problem.schedule = "#tile.warp_specialized<" + schedule + ">";
  problem.m = 256;
  problem.n = 128;
  problem.k = 640;
  return problem;
}

const char *kSplit =
    "tile = [64, 64, 64], stages = 2, consumers = 1, split_k = 2";
const char *kCluster =
    "tile = [64, 64, 64], stages = 2, consumers = 1, cluster = [2, 1]";
const char *kPingPong =
    "tile = [64, 64, 64], stages = 2, consumers = 2, mode = pingpong";

using Select = std::function<bool(mlir::Operation *)>;
using Change = std::function<void(mlir::Operation *)>;

void eraseOp(mlir::Operation *op) { op->erase(); }

class HopperMutations : public testing::Test {
protected:
  void SetUp() override {
    if (!Setting::get().isSimulator())
      GTEST_SKIP() << "broken kernels run on the simulator only";
    setenv("TILE_SIM_THREADS", "1", 1);
    ASSERT_EQ(setting.open("sim", false), "");
    unsetenv("TILE_SIM_THREADS");
  }

  /// What becomes of the problem if the `index`-th op that `select` takes is
  /// changed; "" if nothing is found, and `last` after the last op.
  std::string mutate(const Problem &problem, size_t index, const Select &select,
                     const Change &change, MutationPoint point, bool &last) {
    // Without kernels to change there is nothing more to try.
    last = true;
    Target target;
    target.chip = "sm_90a";
    Compiled compiled = compileChanged(
        programOf(problem), point,
        [&](mlir::ModuleOp module) {
          llvm::SmallVector<mlir::Operation *> found;
          module.walk([&](mlir::Operation *op) {
            if (select(op))
              found.push_back(op);
          });
          last = index >= found.size();
          if (!last)
            change(found[index]);
          return !last;
        },
        target);
    if (last)
      return compiled.error;
    // A fault that the compiler finds is found, too.
    if (!compiled.error.empty())
      return "compiler: " + compiled.error;
    std::string error;
    TileRtModule module = setting.loadArtifact(compiled.artifact, error);
    if (!module)
      return error;
    testing::AssertionResult result = setting.solve(problem, nullptr, module);
    tileRtModuleUnload(module);
    return result ? "" : result.message();
  }

  /// Expects each mutant to be found by a sentence of the simulator, but those
  /// whose numbers are in `harmless`.
  void expectEachFound(const std::string &schedule, const std::string &what,
                       size_t number, const std::set<size_t> &harmless,
                       const Select &select, const Change &change = eraseOp,
                       MutationPoint point = MutationPoint::Kernels) {
    Problem problem = problemOf(schedule);
    size_t i = 0;
    for (bool last = false;; ++i) {
      std::string text = mutate(problem, i, select, change, point, last);
      if (last) {
        EXPECT_EQ(text, "nothing to change") << what << " of " << schedule;
        break;
      }
      bool isFound = text.find("simulator: ") != std::string::npos ||
                     text.rfind("compiler: ", 0) == 0;
      EXPECT_EQ(isFound, !harmless.count(i))
          << what << " " << i << " of " << schedule << ": " << text;
      if (!isFound)
        EXPECT_EQ(text, "") << what << " " << i << " of " << schedule;
      if (std::getenv("TILE_SHOW_MUTANTS"))
        std::printf("%s %zu: %s\n", what.c_str(), i, text.c_str());
    }
    EXPECT_EQ(i, number) << what << " of " << schedule;
  }

  Setting setting;
};

template <typename... OpT>
Select isA() {
  return [](mlir::Operation *op) { return mlir::isa<OpT...>(op); };
}

} // namespace

// Split-K kernels once let their exchange go at the block's scope.
TEST_F(HopperMutations, ScopesOfTheExchange) {
  auto setScope = [](mlir::Operation *op, mlir::NVVM::MemScopeKind scope) {
    if (auto arrive = mlir::dyn_cast<mlir::NVVM::MBarrierArriveOp>(op))
      arrive.setScope(scope);
    else
      mlir::cast<mlir::NVVM::MBarrierTryWaitOp>(op).setScope(scope);
  };
  auto hasScope = [](mlir::Operation *op) {
    constexpr auto kCluster = mlir::NVVM::MemScopeKind::CLUSTER;
    if (auto arrive = mlir::dyn_cast<mlir::NVVM::MBarrierArriveOp>(op))
      return arrive.getScope() == kCluster;
    auto wait = mlir::dyn_cast<mlir::NVVM::MBarrierTryWaitOp>(op);
    return wait && wait.getScope() == kCluster;
  };
  expectEachFound(
      kSplit, "scope", 4, {}, hasScope,
      [&](mlir::Operation *op) {
        setScope(op, mlir::NVVM::MemScopeKind::CTA);
      },
      MutationPoint::Iterators);
}

TEST_F(HopperMutations, WaitsAndArrivals) {
  for (const char *schedule : {kSplit, kCluster, kPingPong}) {
    bool isSplit = schedule == kSplit, isCluster = schedule == kCluster;
    bool isPingPong = schedule == kPingPong;
    expectEachFound(schedule, "pipeline_wait", isSplit || isPingPong ? 3 : 2,
                    {}, isA<tile::PipelineWaitOp>());
    expectEachFound(schedule, "pipeline_release", isSplit ? 3 : 2, {},
                    isA<tile::PipelineReleaseOp>());
    expectEachFound(schedule, "pipeline_acquire",
                    isSplit || isCluster ? 2 : 1, {},
                    isA<tile::PipelineAcquireOp>());
    expectEachFound(schedule, "cluster", isSplit ? 4 : isCluster ? 2 : 0, {},
                    isA<mlir::NVVM::ClusterArriveOp,
                        mlir::NVVM::ClusterWaitOp>());
    expectEachFound(schedule, "barrier", isSplit ? 3 : 2, {},
                    isA<mlir::NVVM::BarrierOp>());
    expectEachFound(schedule, "proxy", 1, {}, isA<mlir::NVVM::FenceProxyOp>());
    expectEachFound(schedule, "wait_group", 2, {},
                    isA<mlir::NVVM::CpAsyncBulkWaitGroupOp>());
    expectEachFound(schedule, "warpgroup_wait", 2, {},
                    isA<tile::WarpgroupWaitOp>(), [](mlir::Operation *op) {
                      auto wait = mlir::cast<tile::WarpgroupWaitOp>(op);
                      wait.getResult().replaceAllUsesWith(wait.getAcc());
                      wait.erase();
                    });
  }
}
