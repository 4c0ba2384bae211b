// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A producer that fills a ring of stages by tensor copies.
#include "tile/DSL/TmaProducer.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

namespace {

/// What one tensor copy moves: to where, and from which coordinates.
struct Part {
  View view;
  SmallVector<Val> coords;
  /// Of the filter, where rows are pixels.
  SmallVector<Val> offsets = {};
};

} // namespace

int64_t TensorWalk::getChunks() const {
  const std::vector<int64_t> &digits = map.digits[1 + dimK];
  return digits.empty() ? 1 : llvm::divideCeil(digits.back(), tileK);
}

int64_t TensorWalk::getBlocks() const {
  int64_t blocks = getChunks();
  const std::vector<int64_t> &digits = map.digits[1 + dimK];
  for (size_t i = 0; i + 1 < digits.size(); ++i)
    blocks *= digits[i];
  return blocks;
}

/// Writes the digits of a number, the last one runs fastest.
static void split(Val number, ArrayRef<int64_t> extents,
                  MutableArrayRef<Val> digits) {
  for (size_t i = extents.size(); i-- > 0;) {
    digits[i] = i == 0 ? number : number % extents[i];
    if (i > 0)
      number = number / extents[i];
  }
}

/// The product of all extents but the last.
static int64_t countOuter(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents.drop_back())
    count *= extent;
  return count;
}

/// The digits of the element at (first, k) of a batch, where k is the first of
/// a block along K, and `inside` counts elements from there.
static SmallVector<Val> getDigits(Scope &scope, const TensorWalk &walk,
                                  Val first, Val k, Val inside, Val batch) {
  const MatrixMap &map = walk.map;
  SmallVector<Val> digits(map.countDigits());
  auto of = [&](int which) {
    return MutableArrayRef(digits).slice(map.getFirstDigit(which),
                                         map.digits[which].size());
  };
  if (batch)
    split(batch, map.digits[0], of(0));
  int pixel = walk.getPixelKind(), filter = walk.getFilterKind();
  split(walk.pixelsAlongK ? k + inside : first, map.digits[pixel], of(pixel));
  ArrayRef<int64_t> extents = map.digits[filter];
  // What is past the last one is past the last digit's extent: it reads as
  // zeros, or is not used.
  Val last = i32Constant(scope, countOuter(extents) - 1), number, rest;
  if (walk.pixelsAlongK) {
    number = min(first / extents.back(), last);
    rest = first - number * extents.back();
  } else {
    Val block = k / walk.tileK;
    number = min(block / walk.getChunks(), last);
    rest = (block - number * walk.getChunks()) * walk.tileK + inside;
  }
  split(number, extents.drop_back(), of(filter).drop_back());
  of(filter).back() = rest;
  return digits;
}

/// Adds up the terms of an index that are of some digits.
static Val addTerms(Val sum, const MatrixMap &map, const MatrixMapDim &dim,
                    ArrayRef<Val> digits, ArrayRef<int> kinds) {
  for (int which : kinds) {
    size_t first = map.getFirstDigit(which);
    for (size_t i = 0; i < map.digits[which].size(); ++i)
      if (int64_t coefficient = dim.coefficients[first + i];
          coefficient != 0 && map.digits[which][i] > 1)
        sum = sum + digits[first + i] * coefficient;
  }
  return sum;
}

/// The block's part of a tile of a tensor that is not a matrix.
static Part locateInTensor(Scope &scope, const TmaOperand &operand, View view,
                           Val first, Val k, Val inside, Val batch) {
  const TensorWalk &walk = *operand.walk;
  SmallVector<Val> digits = getDigits(scope, walk, first, k, inside, batch);
  int pixel = walk.getPixelKind(), filter = walk.getFilterKind();
  Part part{view, {}};
  for (auto [position, number] : llvm::enumerate(walk.order)) {
    const MatrixMapDim &dim = walk.map.dims[number];
    Val index = addTerms(i32Constant(scope, dim.constant), walk.map, dim,
                         digits, {0, pixel});
    bool between = position > 0 && position + 1 < walk.order.size();
    if (walk.isIm2col() && between) {
      Val offset =
          addTerms(i32Constant(scope, 0), walk.map, dim, digits, {filter});
      part.offsets.push_back(
          Val(scope, arith::TruncIOp::create(scope.builder, scope.loc,
                                             scope.builder.getI16Type(),
                                             offset.get())));
    } else {
      index = addTerms(index, walk.map, dim, digits, {filter});
    }
    part.coords.push_back(index);
  }
  return part;
}

/// The block's part of chunk `chunk` of a tile that starts at (first, k), in
/// stage `stage`.
static Part locatePart(Scope &scope, const TmaOperand &operand, Val first,
                       Val k, Val batch, Leaf stage, int64_t chunk) {
  Val part = operand.part;
  Leaf own(part.cast(scope.builder.getIndexType()));
  View view =
      operand.chunks > 1
          ? operand.ring.reshape(operand.byChunk).at({own, Leaf(chunk), stage})
          : operand.ring.reshape(operand.byPart).at({own, stage});
  const Layout &layout = view.getType().getLayout();
  if (chunk > 0)
    first = first + chunk * layout[0].size().getValue();
  Val inside = i32Constant(scope, 0);
  if (operand.parts > 1) {
    // Parts divide rows, or K where the rows are contiguous.
    if (operand.kMajor)
      first = first + part * layout[0].size().getValue();
    else
      inside = part * layout[1].size().getValue();
  }
  if (operand.walk)
    return locateInTensor(scope, operand, view, first, k, inside, batch);
  if (operand.parts > 1 && !operand.kMajor)
    k = k + inside;
  return {view, operand.kMajor
                    ? tensorCoordinates(k, first, batch, operand.batched)
                    : tensorCoordinates(first, k, batch, operand.batched)};
}

static void load(Scope &scope, const TmaProducer &producer,
                 const TmaOperand &operand, Val first, Val k, Val batch,
                 PipelineState state) {
  for (int64_t chunk = 0; chunk < operand.chunks; ++chunk) {
    Part part =
        locatePart(scope, operand, first, k, batch, Leaf(state.stage()), chunk);
    tmaLoad(operand.map, part.coords, part.view, producer.pipeline, state,
            operand.kMajor ? 1 : 0, operand.multicast, part.offsets);
  }
}

void dsl::loadTile(Scope &scope, const TmaProducer &producer,
                   const OutputTile &tile, const KRange &range,
                   PipelineState &state, CallSite site) {
  Call call(scope, site);
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
                       const OutputTile &tile, const KRange &range,
                       CallSite site) {
  Call call(scope, site);
  for (int64_t block = 0; block < producer.stages; ++block)
    ifThen(scope, i32Constant(scope, block) < range.blocks, [&] {
      for (int64_t chunk = 0; chunk < operand.chunks; ++chunk) {
        Part part = locatePart(scope, operand, first,
                               range.origin + block * producer.tileK,
                               tile.batch, Leaf(0), chunk);
        tmaPrefetch(operand.map, part.coords, part.view, operand.kMajor ? 1 : 0,
                    part.offsets);
      }
    });
}

void dsl::drain(Scope &scope, const TmaProducer &producer, PipelineState state,
                CallSite site) {
  Call call(scope, site);
  Val none = i32Constant(scope, 0), one = i32Constant(scope, 1);
  forRange(scope, none, i32Constant(scope, producer.stages), one, carry(state),
           [&](Val) {
             producer.pipeline.acquire(state);
             state = state.advance();
           });
}
