// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register-staged, double-buffered main loop.
#include "MainloopSteps.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

FailureOr<Val> dsl::mmaPipelined(Scope &scope, const Mainloop &loop, Val acc,
                                 CallSite site) {
  Call call(scope, site);
  if (failed(verifyMainloop(scope, loop, /*stages=*/2)))
    return failure();
  const MainloopOperand &a = loop.a, &b = loop.b;
  Val tiles = loop.tiles;
  // Prologue: the residue tile goes to stage 0.
  a.global.copyTo(a.sharedStore);
  b.global.copyTo(b.sharedStore);
  GlobalWalk global{a.global, b.global};
  global.advance(tiles <= 1);
  barrier(scope);

  // Where the current stage of each operand starts, in elements.
  Val stageA = indexConstant(scope, 0), stageB = stageA;
  Fragments fragments{loadStep(a, stageA, 0), loadStep(b, stageB, 0)};
  forLoop(scope, tiles, carry(acc, global, stageA, stageB, fragments),
          [&](Val tile) {
            Fragments staged{global.a.load(), global.b.load()};
            global.advance((tile + 2) >= tiles);

            for (int64_t step = 0; step < loop.steps; ++step) {
              if (step + 1 == loop.steps) {
                stageA = indexConstant(scope, a.stageStride) - stageA;
                stageB = indexConstant(scope, b.stageStride) - stageB;
                a.sharedStore.addPointerOffset(stageA).store(staged.a);
                b.sharedStore.addPointerOffset(stageB).store(staged.b);
                barrier(scope);
              }
              int64_t nextStep = (step + 1) % loop.steps;
              Fragments next{loadStep(a, stageA, nextStep),
                             loadStep(b, stageB, nextStep)};
              acc = multiplyStep(loop, fragments, acc);
              fragments = next;
            }
          });
  return acc;
}
