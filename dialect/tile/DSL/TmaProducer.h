// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A producer: one thread that fills a ring of stages by tensor copies.
#ifndef TILE_DSL_TMAPRODUCER_H
#define TILE_DSL_TMAPRODUCER_H

#include "tile/DSL/TileScheduler.h"
#include "tile/DSL/Warpgroup.h"
#include "tile/Facts/MatrixMap.h"

namespace tile::dsl {

/// How tensor copies read an operand whose matrices are those of a map, such as
/// the im2col of an image. A block along K has one value of all digits of K but
/// the last, of which it has `tileK`; rows are of one digit, or the pixels of
/// an im2col copy. Or pixels run along K, and rows have one value of all digits
/// but the last, in chunks of neighbours.
struct TensorWalk {
  MatrixMap map;
  /// The dimension of the matrix that is K: 0 rows, 1 columns.
  int64_t dimK = 1;
  int64_t tileK = 0;
  bool pixelsAlongK = false;
  /// The tensor's dimensions, innermost first.
  llvm::SmallVector<unsigned> order;
  /// Of an im2col copy: for each dimension between the innermost and the
  /// outermost, where boxes of pixels start at the least, where they end, and
  /// how far their pixels are apart. Empty where rows are of one digit.
  std::vector<int64_t> lower, upper, traversal;

  bool isIm2col() const { return !traversal.empty(); }
  /// The digits of the map, 1 rows or 2 columns, that are pixels or the one
  /// digit of a tile, and those of which all but the last have one value.
  int getPixelKind() const {
    return static_cast<int>(pixelsAlongK ? 1 + dimK : 2 - dimK);
  }
  int getFilterKind() const { return 3 - getPixelKind(); }
  /// Blocks of the last digit of K, and those of all of K; of walks without
  /// pixels along K.
  int64_t getChunks() const;
  int64_t getBlocks() const;
};

/// An operand that tensor copies bring: (rows, K), where rows are M of A or N
/// of B.
struct TmaOperand {
  Val map;
  /// The ring of tiles in shared memory, and the same as (rows, k, parts,
  /// stages): a block loads one of `parts` equal parts of each tile, and has
  /// the others from its peers in the cluster.
  View ring;
  Layout byPart;
  int64_t parts = 1;
  /// The block's part, i32, and the blocks that it is multicast to, i16; null
  /// if that is this one alone.
  Val part, multicast;
  /// K is the contiguous dimension of the tensor; else rows are.
  bool kMajor = true;
  /// Each batch has a matrix of its own.
  bool batched = false;
  /// Where the tensor is not that matrix, how it is read; null otherwise.
  const TensorWalk *walk = nullptr;
  /// The ring as (rows of a chunk, k, parts, chunks, stages), where chunks lie
  /// apart in the tensor, and how many these are; else 1.
  Layout byChunk;
  int64_t chunks = 1;
};

/// Fills the stages of a pipeline with blocks of both operands, `tileK` wide.
struct TmaProducer {
  Pipeline pipeline;
  int64_t stages = 0;
  /// Bytes that a stage receives, from all blocks of the cluster.
  int64_t stageBytes = 0;
  int64_t tileK = 0;
  TmaOperand a, b;
};

/// The blocks along K that a kernel sums up, i32: how many, and where the first
/// of them starts.
struct KRange {
  Val blocks, origin;
};

/// Loads all blocks of a tile, each to the next stage.
void loadTile(Scope &scope, const TmaProducer &producer, const OutputTile &tile,
              const KRange &range, PipelineState &state,
              CallSite site = CallSite::here());

/// Fetches to L2 what `loadTile` of one operand loads first, as many blocks as
/// there are stages; `first` is the first of the operand's rows in the tile.
void prefetchTile(Scope &scope, const TmaProducer &producer,
                  const TmaOperand &operand, Val first, const OutputTile &tile,
                  const KRange &range, CallSite site = CallSite::here());

/// Waits until every stage has been let go. A block whose peers in the cluster
/// arrive at its barriers must not leave before.
void drain(Scope &scope, const TmaProducer &producer, PipelineState state,
           CallSite site = CallSite::here());

} // namespace tile::dsl

#endif // TILE_DSL_TMAPRODUCER_H
