// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register-staged, double-buffered main loop.
#include "MainloopSteps.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

FailureOr<Val> dsl::mmaPipelined(Scope &scope, const Mainloop &loop, Val acc) {
  if (failed(verifyMainloop(scope, loop, /*stages=*/2)))
    return failure();
  const MainloopOperand &a = loop.a, &b = loop.b;
  Val tiles = loop.tiles;
  // Prologue: the residue tile goes to stage 0.
  a.global.copyTo(a.sharedStore);
  b.global.copyTo(b.sharedStore);
  Val lastLoad = tiles <= 1;
  Iterator globalA = a.global.advance().clearMask(lastLoad);
  Iterator globalB = b.global.advance().clearMask(lastLoad);
  barrier(scope);
  Val stage = indexConstant(scope, 0);

  SmallVector<Val> init{
      acc,   globalA.get(),         globalB.get(),        stage,
      stage, loadStep(a, stage, 0), loadStep(b, stage, 0)};
  SmallVector<Val> last =
      forLoop(scope, tiles, init,
              [&](Val tile, ArrayRef<Val> carried) -> SmallVector<Val> {
                Val acc = carried[0];
                // The operand's own scope names it in the locations of its
                // accesses.
                Iterator globalA(Val(a.global.get().getScope(), carried[1]));
                Iterator globalB(Val(b.global.get().getScope(), carried[2]));
                Val stageA = carried[3], stageB = carried[4];
                Val fragmentA = carried[5], fragmentB = carried[6];

                Val stagedA = globalA.load(), stagedB = globalB.load();
                Val lastLoad = (tile + 2) >= tiles;
                globalA = globalA.advance().clearMask(lastLoad);
                globalB = globalB.advance().clearMask(lastLoad);

                for (int64_t step = 0; step < loop.steps; ++step) {
                  bool lastStep = step + 1 == loop.steps;
                  if (lastStep) {
                    stageA = indexConstant(scope, a.stageStride) - stageA;
                    stageB = indexConstant(scope, b.stageStride) - stageB;
                    a.sharedStore.addPointerOffset(stageA).store(stagedA);
                    b.sharedStore.addPointerOffset(stageB).store(stagedB);
                    barrier(scope);
                  }
                  Val nextA = loadStep(a, stageA, (step + 1) % loop.steps);
                  Val nextB = loadStep(b, stageB, (step + 1) % loop.steps);
                  acc = multiplyStep(loop, fragmentA, fragmentB, acc);
                  fragmentA = nextA;
                  fragmentB = nextB;
                }
                return {acc,    globalA.get(), globalB.get(), stageA,
                        stageB, fragmentA,     fragmentB};
              });
  return last[0];
}
