// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop over a ring of stages that asynchronous copies fill.
#include "MainloopSteps.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Starts the copy of the current tiles to a stage, and closes its group.
static void copyTiles(Scope &scope, const Mainloop &loop,
                      const GlobalWalk &global, Val stage) {
  global.a.copyAsyncTo(
      loop.a.sharedStore.addPointerOffset(stage * loop.a.stageStride));
  global.b.copyAsyncTo(
      loop.b.sharedStore.addPointerOffset(stage * loop.b.stageStride));
  commitCopies(scope);
}

FailureOr<Val> dsl::mmaMultistage(Scope &scope, const Mainloop &loop,
                                  int64_t stages, Val acc, CallSite site) {
  Call call(scope, site);
  if (failed(verifyMainloop(scope, loop, stages)))
    return failure();
  Val tiles = loop.tiles;
  GlobalWalk global{loop.a.global, loop.b.global};
  for (int64_t stage = 0; stage + 1 < stages; ++stage) {
    copyTiles(scope, loop, global, indexConstant(scope, stage));
    global.advance(tiles <= stage + 1);
  }
  waitCopies(scope, stages - 2);
  barrier(scope);

  Val stage = indexConstant(scope, 0);
  Fragments fragments{loadStep(loop.a, stage, 0), loadStep(loop.b, stage, 0)};
  forLoop(scope, tiles, carry(acc, global, stage, fragments), [&](Val tile) {
    Val isFirst = equal(stage, stage.constant(0));
    Val before =
        select(isFirst, stage.constant(stages - 1), stage - int64_t(1));
    copyTiles(scope, loop, global, before);
    global.advance((tile + stages) >= tiles);

    for (int64_t step = 0; step < loop.steps; ++step) {
      if (step + 1 == loop.steps) {
        Val isLast = equal(stage, stage.constant(stages - 1));
        stage = select(isLast, stage.constant(0), stage + int64_t(1));
        waitCopies(scope, stages - 2);
        barrier(scope);
      }
      int64_t nextStep = (step + 1) % loop.steps;
      Fragments next{loadStep(loop.a, stage * loop.a.stageStride, nextStep),
                     loadStep(loop.b, stage * loop.b.stageStride, nextStep)};
      acc = multiplyStep(loop, fragments, acc);
      fragments = next;
    }
  });
  // Copies past the last tile may still be in flight; wait for them, since
  // they write to shared memory.
  waitCopies(scope, 0);
  return acc;
}
