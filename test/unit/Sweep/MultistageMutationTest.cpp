// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes one synchronisation after the other out of a multistage kernel: the
// simulator must say what is missing, and not just give a wrong number.
#include "Setting.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tile::sweep;

namespace {

using Select = std::function<bool(mlir::Operation *)>;
using Change = std::function<void(mlir::Operation *)>;

class MultistageMutations : public testing::Test {
protected:
  void SetUp() override {
    if (!Setting::get().isSimulator())
      GTEST_SKIP() << "broken kernels run on the simulator only";
    problem.element = Element::BF16;
    problem.hasC = false;
    problem.b.columnMajor = true;
    problem.schedule =
        "#tile.multistage<tile = [32, 32, 32], warps = [2, 1], stages = 3>";
    problem.m = problem.n = 32;
    problem.k = 160;
  }

  /// What becomes of the problem if the `index`-th op of its kernel that
  /// `select` takes is changed; `last` after the last op.
  std::string mutate(size_t index, const Select &select, const Change &change,
                     bool &last) {
    last = true;
    Compiled compiled = compileChanged(
        programOf(problem), MutationPoint::Kernels, [&](mlir::ModuleOp module) {
          llvm::SmallVector<mlir::Operation *> found;
          module.walk([&](mlir::gpu::GPUFuncOp kernel) {
            // Of all variants, the one that runs.
            if (kernel.getName().ends_with("_v8_d2"))
              kernel.walk([&](mlir::Operation *op) {
                if (select(op))
                  found.push_back(op);
              });
          });
          last = index >= found.size();
          if (!last)
            change(found[index]);
          return !last;
        });
    if (last)
      return "";
    if (!compiled.error.empty())
      return "compiler: " + compiled.error;
    std::string error;
    TileRtModule module = Setting::get().loadArtifact(compiled.artifact, error);
    if (!module)
      return error;
    testing::AssertionResult result =
        Setting::get().solve(problem, nullptr, module);
    tileRtModuleUnload(module);
    return result ? "" : result.message();
  }

  /// Expects each of `number` mutants to be found by a sentence that has
  /// `part`.
  void expectEachFound(size_t number, const std::string &part,
                       const Select &select, const Change &change) {
    size_t i = 0;
    for (bool last = false;; ++i) {
      std::string text = mutate(i, select, change, last);
      if (last)
        break;
      EXPECT_NE(text.find(part), std::string::npos) << i << ": " << text;
    }
    EXPECT_EQ(i, number);
  }

  Problem problem;
};

void eraseOp(mlir::Operation *op) { op->erase(); }

} // namespace

TEST_F(MultistageMutations, UnchangedIsGreen) {
  EXPECT_TRUE(Setting::get().solve(problem));
}

// Before the first fragments, and in each tile.
TEST_F(MultistageMutations, EachBarrier) {
  expectEachFound(
      2, "shared load",
      [](mlir::Operation *op) { return mlir::isa<mlir::gpu::BarrierOp>(op); },
      eraseOp);
}

// At the same places; the wait behind the loop is for who comes after.
TEST_F(MultistageMutations, EachWait) {
  expectEachFound(
      2, "no wait for its group",
      [](mlir::Operation *op) {
        auto wait = mlir::dyn_cast<tile::AsyncWaitGroupOp>(op);
        return wait && wait.getPending() > 0;
      },
      [](mlir::Operation *op) {
        auto wait = mlir::cast<tile::AsyncWaitGroupOp>(op);
        wait.setPending(wait.getPending() + 1);
      });
}

// Two groups before the loop and one in it.
TEST_F(MultistageMutations, EachGroup) {
  expectEachFound(
      3, "shared load",
      [](mlir::Operation *op) {
        return mlir::isa<tile::AsyncCommitGroupOp>(op);
      },
      eraseOp);
}

// Of A and of B: copies past the last tile read past the operands.
TEST_F(MultistageMutations, MasksLeftInTheLoop) {
  expectEachFound(
      2, "past the end",
      [](mlir::Operation *op) {
        return mlir::isa<tile::IteratorClearMaskOp>(op) &&
               mlir::isa<mlir::scf::ForOp>(op->getParentOp());
      },
      [](mlir::Operation *op) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      });
}
