// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop over a ring of stages that asynchronous copies fill.
#include "MainloopSteps.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Starts the copy of the current tiles to a stage, and closes its group.
static void copyTiles(Scope &scope, const Mainloop &loop, Iterator globalA,
                      Iterator globalB, Val stage) {
  globalA.copyAsyncTo(
      loop.a.sharedStore.addPointerOffset(stage * loop.a.stageStride));
  globalB.copyAsyncTo(
      loop.b.sharedStore.addPointerOffset(stage * loop.b.stageStride));
  commitCopies(scope);
}

FailureOr<Val> dsl::mmaMultistage(Scope &scope, const Mainloop &loop,
                                  int64_t stages, Val acc) {
  if (failed(verifyMainloop(scope, loop, stages)))
    return failure();
  const MainloopOperand &a = loop.a, &b = loop.b;
  Val tiles = loop.tiles;
  // The next tile; past the last one nothing is read, and zeros are stored.
  auto next = [&](Iterator iterator, Val isPast) {
    return iterator.advance().clearMask(isPast);
  };

  Iterator globalA = a.global, globalB = b.global;
  for (int64_t stage = 0; stage + 1 < stages; ++stage) {
    copyTiles(scope, loop, globalA, globalB, indexConstant(scope, stage));
    Val isPast = tiles <= stage + 1;
    globalA = next(globalA, isPast);
    globalB = next(globalB, isPast);
  }
  waitCopies(scope, stages - 2);
  barrier(scope);
  Val first = indexConstant(scope, 0);

  SmallVector<Val> init{acc,   globalA.get(),         globalB.get(),
                        first, loadStep(a, first, 0), loadStep(b, first, 0)};
  SmallVector<Val> last = forLoop(
      scope, tiles, init,
      [&](Val tile, ArrayRef<Val> carried) -> SmallVector<Val> {
        Val acc = carried[0], stage = carried[3];
        // The operand's own scope names it in the locations of its accesses.
        Iterator globalA(Val(a.global.get().getScope(), carried[1]));
        Iterator globalB(Val(b.global.get().getScope(), carried[2]));
        Val fragmentA = carried[4], fragmentB = carried[5];

        Val isFirst = equal(stage, stage.constant(0));
        Val before =
            select(isFirst, stage.constant(stages - 1), stage - int64_t(1));
        copyTiles(scope, loop, globalA, globalB, before);
        Val isPast = (tile + stages) >= tiles;
        globalA = next(globalA, isPast);
        globalB = next(globalB, isPast);

        for (int64_t step = 0; step < loop.steps; ++step) {
          if (step + 1 == loop.steps) {
            Val isLast = equal(stage, stage.constant(stages - 1));
            stage = select(isLast, stage.constant(0), stage + int64_t(1));
            waitCopies(scope, stages - 2);
            barrier(scope);
          }
          int64_t nextStep = (step + 1) % loop.steps;
          Val nextA = loadStep(a, stage * a.stageStride, nextStep);
          Val nextB = loadStep(b, stage * b.stageStride, nextStep);
          acc = multiplyStep(loop, fragmentA, fragmentB, acc);
          fragmentA = nextA;
          fragmentB = nextB;
        }
        return {acc, globalA.get(), globalB.get(), stage, fragmentA, fragmentB};
      });
  // What was copied past the last tile is of no use, but on its way.
  waitCopies(scope, 0);
  return last[0];
}
