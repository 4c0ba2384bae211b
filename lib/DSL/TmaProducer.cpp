// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A producer that fills a ring of stages by tensor copies.
#include "tile/DSL/TmaProducer.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

namespace {

/// What one tensor copy moves: to where, and from which coordinates.
struct Part {
  View view;
  SmallVector<Val> coords;
};

} // namespace

/// The block's part of a tile that starts at (first, k), in stage `stage`.
static Part locatePart(Scope &scope, const TmaOperand &operand, Val first,
                       Val k, Val batch, Leaf stage) {
  Val part = operand.part;
  View view = operand.ring.reshape(operand.byPart)
                  .at({Leaf(part.cast(scope.builder.getIndexType())), stage});
  const Layout &layout = view.getType().getLayout();
  if (operand.parts > 1) {
    // Parts divide rows, or K where the rows are contiguous.
    if (operand.kMajor)
      first = first + part * layout[0].size().getValue();
    else
      k = k + part * layout[1].size().getValue();
  }
  return {view, operand.kMajor
                    ? tensorCoordinates(k, first, batch, operand.batched)
                    : tensorCoordinates(first, k, batch, operand.batched)};
}

static void load(Scope &scope, const TmaProducer &producer,
                 const TmaOperand &operand, Val first, Val k, Val batch,
                 PipelineState state) {
  Part part = locatePart(scope, operand, first, k, batch, Leaf(state.stage()));
  tmaLoad(operand.map, part.coords, part.view, producer.pipeline, state,
          operand.kMajor ? 1 : 0, operand.multicast);
}

void dsl::loadTile(Scope &scope, const TmaProducer &producer,
                   const OutputTile &tile, const KRange &range,
                   PipelineState &state) {
  forLoop(scope, range.blocks, carry(state), [&](Val block) {
    producer.pipeline.acquire(state, producer.stageBytes);
    Val k = block * producer.tileK + range.origin;
    load(scope, producer, producer.a, tile.row, k, tile.batch, state);
    load(scope, producer, producer.b, tile.column, k, tile.batch, state);
    state = state.advance();
  });
}

void dsl::prefetchTile(Scope &scope, const TmaProducer &producer,
                       const TmaOperand &operand, Val first,
                       const OutputTile &tile, const KRange &range) {
  for (int64_t block = 0; block < producer.stages; ++block)
    ifThen(scope, i32Constant(scope, block) < range.blocks, [&] {
      Part part = locatePart(scope, operand, first,
                             range.origin + block * producer.tileK, tile.batch,
                             Leaf(0));
      tmaPrefetch(operand.map, part.coords, part.view, operand.kMajor ? 1 : 0);
    });
}

void dsl::drain(Scope &scope, const TmaProducer &producer,
                PipelineState state) {
  Val none = i32Constant(scope, 0), one = i32Constant(scope, 1);
  forRange(scope, none, i32Constant(scope, producer.stages), one, carry(state),
           [&](Val) {
             producer.pipeline.acquire(state);
             state = state.advance();
           });
}
