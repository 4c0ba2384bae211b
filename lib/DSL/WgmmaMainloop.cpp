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

/// Lets a stage go in each block that brought it a part, by one thread each.
static void release(Scope &scope, const WgmmaMainloop &loop,
                    PipelineState stage) {
  ifThen(scope, loop.thread < i32Constant(scope, loop.peers), [&] {
    loop.pipeline.release(stage, loop.peers > 1 ? loop.thread : Val());
  });
}

/// The loop with sums of each block from zero on. A block is waited for before
/// its sums are added, while the tensor cores work for the other consumer.
static Val promoteSums(Scope &scope, const WgmmaMainloop &loop, Val blocks,
                       PipelineState &state, const Interleaved &interleaved,
                       function_ref<void()> issued) {
  Operand a = getOperand(scope, loop.a), b = getOperand(scope, loop.b);
  auto start = [&] {
    loop.pipeline.wait(state);
    return warpgroupMma(a.at(state), b.at(state), loop.accumulator);
  };
  auto finish = [&](Val acc) {
    Val sums = accumulatorFragment(warpgroupWait(acc, /*pending=*/0));
    release(scope, loop, state);
    state = state.advance();
    return sums;
  };
  Val acc = start();
  if (!interleaved.empty())
    interleaved.front()();
  Val sums = finish(acc), done = i32Constant(scope, 1);
  auto add = [&](Val last) {
    forRange(scope, done, last, i32Constant(scope, 1), carry(sums, state),
             [&](Val) { sums = addf(sums, finish(start())); });
    done = last;
  };
  for (size_t i = 1; i < interleaved.size(); ++i) {
    add(min(i32Constant(scope, i + 1), blocks));
    interleaved[i]();
  }
  add(blocks);
  if (issued)
    issued();
  return sums;
}

Val dsl::wgmmaMainloop(Scope &scope, const WgmmaMainloop &loop, Val blocks,
                       PipelineState &state, const Interleaved &interleaved,
                       function_ref<void()> issued, CallSite site) {
  Call call(scope, site);
  if (loop.promotesSums)
    return promoteSums(scope, loop, blocks, state, interleaved, issued);
  auto i32 = [&](int64_t number) { return i32Constant(scope, number); };
  Operand a = getOperand(scope, loop.a), b = getOperand(scope, loop.b);
  auto releaseStage = [&](PipelineState stage) { release(scope, loop, stage); };
  bool single = loop.stages == 1;

  // The first block starts the sums, so that nothing has to set them to zero.
  loop.pipeline.wait(state);
  Val acc = warpgroupMma(a.at(state), b.at(state), loop.accumulator);
  if (single) {
    // The producer needs this stage to go on.
    acc = warpgroupWait(acc, /*pending=*/0);
    releaseStage(state);
  }
  PipelineState previous = state;
  state = state.advance();
  auto multiply = [&](Val first, Val last) {
    forRange(scope, first, last, i32(1), carry(acc, state, previous), [&](Val) {
      loop.pipeline.wait(state);
      acc = warpgroupMma(a.at(state), b.at(state), acc);
      // With one multiply running, the one before is over: its stage is free.
      acc = warpgroupWait(acc, /*pending=*/single ? 0 : 1);
      releaseStage(single ? state : previous);
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
    releaseStage(previous);
  return fragment;
}
