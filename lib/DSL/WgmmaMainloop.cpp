// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop of a consumer warpgroup.
#include "tile/DSL/WgmmaMainloop.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

namespace {

/// The warpgroup's part of an operand.
struct Operand {
  View ring;
  Leaf part;

  View at(PipelineState state) const {
    return ring.at({part, Leaf(state.stage())});
  }
};

} // namespace

static Operand getOperand(Scope &scope, const WgmmaOperand &operand) {
  return {operand.ring.reshape(operand.byPart),
          operand.part ? Leaf(operand.part.cast(scope.builder.getIndexType()))
                       : Leaf(0)};
}

Val dsl::wgmmaMainloop(Scope &scope, const WgmmaMainloop &loop, Val blocks,
                       PipelineState &state, const Interleaved &interleaved,
                       function_ref<void()> issued) {
  auto i32 = [&](int64_t number) { return i32Constant(scope, number); };
  Operand a = getOperand(scope, loop.a), b = getOperand(scope, loop.b);
  // One thread lets a stage go in each block that brought it a part.
  Val releases = loop.thread < i32(loop.peers);
  auto release = [&](PipelineState stage) {
    ifThen(scope, releases, [&] {
      loop.pipeline.release(stage, loop.peers > 1 ? loop.thread : Val());
    });
  };
  bool single = loop.stages == 1;

  // The first block starts the sums, so that nothing has to set them to zero.
  loop.pipeline.wait(state);
  Val acc = warpgroupMma(a.at(state), b.at(state), loop.accumulator);
  if (single) {
    // The producer needs this stage to go on.
    acc = warpgroupWait(acc, /*pending=*/0);
    release(state);
  }
  PipelineState previous = state;
  state = state.advance();
  auto multiply = [&](Val first, Val last) {
    forRange(scope, first, last, i32(1), carry(acc, state, previous), [&](Val) {
      loop.pipeline.wait(state);
      acc = warpgroupMma(a.at(state), b.at(state), acc);
      // With one multiply running, the one before is over: its stage is free.
      acc = warpgroupWait(acc, /*pending=*/single ? 0 : 1);
      release(single ? state : previous);
      previous = state;
      state = state.advance();
    });
  };
  // The tensor cores work on the block just started.
  Val done = i32(1);
  for (const auto &[i, work] : llvm::enumerate(interleaved)) {
    if (i > 0) {
      Val next = min(i32(i + 1), blocks);
      multiply(done, next);
      done = next;
    }
    work();
  }
  multiply(done, blocks);
  if (issued)
    issued();
  Val fragment = accumulatorFragment(warpgroupWait(acc, /*pending=*/0));
  if (!single)
    release(previous);
  return fragment;
}
