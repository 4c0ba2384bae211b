// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breaks the kernels on purpose: what the sweep runs must then go red.
#include "Setting.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace tile::sweep;

namespace {

/// Problems that take the vector path, and such that take the scalar one, in
/// several tiles along each dimension of a small schedule.
std::vector<Problem> makeProblems() {
  std::vector<Problem> problems;
  for (auto [m, n, k] :
       {std::array<int64_t, 3>{20, 36, 20}, {4, 4, 4}, {19, 37, 21}, {3, 5, 3}})
    for (bool padded : {false, true})
      for (double beta : {0.5, 0.0}) {
        Problem problem;
        problem.m = m;
        problem.n = n;
        problem.k = k;
        problem.beta = beta;
        if (beta == 0)
          problem.c.content = Content::NaN;
        int64_t padding = padded ? m % 4 ? 3 : 4 : 0;
        for (Operand *operand :
             {&problem.a, &problem.b, &problem.c, &problem.d})
          operand->padding = padding;
        problem.schedule =
            "#tile.simt<tile = [16, 32, 8], warps = [1, 1], thread = [4, 4]>";
        problems.push_back(problem);
      }
  // alpha is 0, on either path.
  for (size_t i : {size_t(0), problems.size() / 2}) {
    Problem silent = problems[i];
    silent.alpha = 0;
    silent.a.content = silent.b.content = Content::NaN;
    problems.push_back(silent);
  }
  return problems;
}

/// Runs all problems on a changed program. Counts those that fail.
int countFailures(const Compiled &compiled, std::string &first) {
  Setting &setting = Setting::get();
  std::string error;
  TileRtModule module = setting.loadArtifact(compiled.artifact, error);
  if (!module) {
    ADD_FAILURE() << error;
    return 0;
  }
  int failures = 0;
  for (const Problem &problem : makeProblems()) {
    testing::AssertionResult result = setting.solve(problem, nullptr, module);
    if (!result && failures++ == 0)
      first = result.message();
  }
  tileRtModuleUnload(module);
  return failures;
}

using Change = std::function<bool(mlir::ModuleOp)>;

/// Expects `change` to turn at least one problem red.
void expectRed(MutationPoint point, const std::string &what,
               const Change &change) {
  Compiled compiled =
      compileChanged(programOf(makeProblems().front()), point, change);
  ASSERT_EQ(compiled.error, "") << what;
  std::string first;
  EXPECT_GT(countFailures(compiled, first), 0)
      << what << ": no problem of the sweep notices";
  testing::Test::RecordProperty(what, first);
}

/// The operations of type `OpT` that `filter` accepts, in order.
template <typename OpT, typename Filter>
std::vector<OpT> find(mlir::ModuleOp module, Filter filter) {
  std::vector<OpT> found;
  module.walk([&](OpT op) {
    if (filter(op))
      found.push_back(op);
  });
  return found;
}

/// How many operations a mutation can be applied to.
template <typename OpT, typename Filter>
size_t count(MutationPoint point, Filter filter) {
  size_t number = 0;
  Compiled compiled = compileChanged(
      programOf(makeProblems().front()), point, [&](mlir::ModuleOp module) {
        number = find<OpT>(module, filter).size();
        return true;
      });
  EXPECT_EQ(compiled.error, "");
  return number;
}

/// Applies `apply` to each of the operations in turn, one mutant each.
template <typename OpT, typename Filter, typename Apply>
void expectEachRed(MutationPoint point, const std::string &what, size_t atLeast,
                   Filter filter, Apply apply) {
  size_t number = count<OpT>(point, filter);
  EXPECT_GE(number, atLeast) << what;
  for (size_t i = 0; i < number; ++i)
    expectRed(point, what + "_" + std::to_string(i),
              [&](mlir::ModuleOp module) {
                return apply(find<OpT>(module, filter)[i]);
              });
}

class Mutations : public testing::Test {
protected:
  void SetUp() override {
    if (!Setting::get().isSimulator())
      GTEST_SKIP() << "broken kernels run on the simulator only";
  }
};

/// The comparisons that build the masks, in strip-mined loops or, where a
/// thread has one access, outside. A comparison with a constant is another one:
/// whether a walk along K starts past its end.
bool isMaskComparison(mlir::arith::CmpIOp op) {
  return op.getPredicate() == mlir::arith::CmpIPredicate::ult &&
         !mlir::getConstantIntValue(op.getRhs());
}

bool isGlobal(tile::MakeViewOp) { return true; }

} // namespace

TEST_F(Mutations, UnchangedIsGreen) {
  for (MutationPoint point :
       {MutationPoint::Kernels, MutationPoint::Iterators}) {
    Compiled compiled = compileChanged(programOf(makeProblems().front()), point,
                                       [](mlir::ModuleOp) { return true; });
    ASSERT_EQ(compiled.error, "");
    std::string first;
    EXPECT_EQ(countFailures(compiled, first), 0) << first;
  }
}

TEST_F(Mutations, MaskBuiltWithLessOrEqual) {
  // A: rows and columns of the residue tile, rows of the others; B likewise;
  // C and D: rows and columns. On the vector and on the scalar path.
  expectEachRed<mlir::arith::CmpIOp>(
      MutationPoint::Iterators, "mask_le", 12, isMaskComparison,
      [](mlir::arith::CmpIOp op) {
        op.setPredicate(mlir::arith::CmpIPredicate::ule);
        return true;
      });
}

TEST_F(Mutations, PitchTakenForExtent) {
  // The extent along the unit stride becomes the operand's other stride.
  expectEachRed<tile::MakeViewOp>(MutationPoint::Kernels, "pitch_for_extent", 8,
                                  isGlobal, [](tile::MakeViewOp view) {
                                    // Row-major: (rows, columns) : (pitch, 1).
                                    if (view.getShapeOperands().size() != 2 ||
                                        view.getStrideOperands().size() != 1)
                                      return false;
                                    view.getShapeOperandsMutable()[1].set(
                                        view.getStrideOperands()[0]);
                                    return true;
                                  });
}

TEST_F(Mutations, ExtentTakenForPitch) {
  expectEachRed<tile::MakeViewOp>(MutationPoint::Kernels, "extent_for_pitch", 8,
                                  isGlobal, [](tile::MakeViewOp view) {
                                    if (view.getShapeOperands().size() != 2 ||
                                        view.getStrideOperands().size() != 1)
                                      return false;
                                    view.getStrideOperandsMutable()[0].set(
                                        view.getShapeOperands()[1]);
                                    return true;
                                  });
}

TEST_F(Mutations, MissingBarrier) {
  expectEachRed<mlir::gpu::BarrierOp>(
      MutationPoint::Kernels, "barrier", 4,
      [](mlir::gpu::BarrierOp) { return true; },
      [](mlir::gpu::BarrierOp barrier) {
        barrier.erase();
        return true;
      });
}

TEST_F(Mutations, ResidueVisitedLast) {
  // The first tile is taken as a whole one and the loop's tiles by the
  // residue's mask: the state (mask, mask of the whole tiles, residue) of each
  // iterator over global memory is read the other way round.
  auto isResidue = [](tile::IteratorAdvanceOp op) {
    return op.getIterator().getType().getPhase() ==
           tile::IteratorPhase::Residue;
  };
  expectEachRed<tile::IteratorAdvanceOp>(
      MutationPoint::Kernels, "residue_last", 4, isResidue,
      [](tile::IteratorAdvanceOp advance) {
        auto make = advance.getIterator().getDefiningOp<tile::MakeIteratorOp>();
        if (!make)
          return false;
        // An iterator that starts with a whole tile.
        mlir::OpBuilder builder(make);
        auto whole = llvm::cast<tile::MakeIteratorOp>(builder.clone(*make));
        whole.getResult().setType(
            llvm::cast<tile::IteratorType>(advance.getResult().getType()));
        // The residue's mask, for all that follow.
        builder.setInsertionPoint(advance);
        mlir::Type words = mlir::VectorType::get(
            {make.getResult().getType().getNumMaskWords()},
            builder.getI32Type());
        auto mask = tile::IteratorGetMaskOp::create(builder, make.getLoc(),
                                                    words, make.getResult());
        auto next = tile::IteratorAdvanceOp::create(builder, make.getLoc(),
                                                    whole.getResult().getType(),
                                                    whole.getResult());
        auto masked = tile::IteratorSetMaskOp::create(
            builder, make.getLoc(), next.getResult().getType(),
            next.getResult(), mask);
        advance.getResult().replaceAllUsesWith(masked.getResult());
        advance.erase();
        for (mlir::Operation *user :
             llvm::make_early_inc_range(make.getResult().getUsers()))
          if (auto load = llvm::dyn_cast<tile::IteratorLoadOp>(user))
            load.getIteratorMutable().set(whole.getResult());
        return true;
      });
}

TEST_F(Mutations, LastLoadsNotCleared) {
  // Loads past the last tile, and of C when beta is 0.
  expectEachRed<tile::IteratorClearMaskOp>(
      MutationPoint::Kernels, "clear_mask", 8,
      [](tile::IteratorClearMaskOp) { return true; },
      [](tile::IteratorClearMaskOp clear) {
        clear.getResult().replaceAllUsesWith(clear.getIterator());
        clear.erase();
        return true;
      });
}

TEST_F(Mutations, AlphaZeroReads) {
  // K is no longer 0 when alpha is.
  auto isChoice = [](mlir::arith::SelectOp op) {
    return op.getType().isIndex();
  };
  expectEachRed<mlir::arith::SelectOp>(MutationPoint::Kernels, "alpha_zero", 2,
                                       isChoice, [](mlir::arith::SelectOp op) {
                                         op.getResult().replaceAllUsesWith(
                                             op.getFalseValue());
                                         op.erase();
                                         return true;
                                       });
}

TEST_F(Mutations, OneStageOfSharedMemory) {
  // Both stages at the same place.
  auto isFlip = [](mlir::arith::SubIOp op) {
    return op->getParentOfType<mlir::scf::ForOp>() && op.getType().isIndex();
  };
  expectEachRed<mlir::arith::SubIOp>(MutationPoint::Kernels, "one_stage", 4,
                                     isFlip, [](mlir::arith::SubIOp op) {
                                       op.getResult().replaceAllUsesWith(
                                           op.getRhs());
                                       op.erase();
                                       return true;
                                     });
}
