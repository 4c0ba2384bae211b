// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the warp-specialised kernel stores its output tiles.
#include "WarpSpecializedKernel.h"

using namespace tile;
using namespace tile::warp_specialized;

View KernelBuilder::globalView(char name, int data, const int *strides,
                               int batchStride, int64_t contiguous, Val batch,
                               int64_t vector) {
  Scope &own = name == 'C' ? scopeC : scopeD;
  own.loc =
      NameLoc::get(builder.getStringAttr(StringRef(&name, 1)), gemm.getLoc());
  Val pointer(own, arguments[data]);
  if (batch) {
    Val offset = batch.cast(builder.getI64Type()) * argument(batchStride);
    pointer =
        Val(own, LLVM::GEPOp::create(builder, own.loc, pointer.getType(),
                                     variant.elementTypeD, pointer.get(),
                                     ArrayRef<LLVM::GEPArg>{offset.get()}));
  }
  SmallVector<Leaf> shape{Leaf(toIndex(m), contiguous == 0 ? vector : 1),
                          Leaf(toIndex(n), contiguous == 1 ? vector : 1)},
      stride;
  for (int64_t dim : {0, 1})
    stride.push_back(dim == contiguous
                         ? Leaf(1)
                         : Leaf(toIndex(argument(strides[dim])), vector));
  int64_t bytes = variant.elementTypeD.getIntOrFloatBitWidth() / 8;
  return makeView(own, pointer, variant.elementTypeD, shape, stride,
                  vector * bytes);
}

/// The iterator over a thread's elements of a tile of C or D.
Iterator KernelBuilder::iterate(View view, const OutputTile &tile) {
  Val row = tile.row;
  if (!pingPong)
    row = row + warpgroup * parts.consumerRows;
  return view.iterate(Leaf(toIndex(row), parts.consumerRows),
                      Leaf(toIndex(tile.column), 8), toIndex(thread),
                      parts.stored.getMap(),
                      Walk{IteratorType::kNoAdvance, /*predicated=*/true});
}

KernelBuilder::Finish KernelBuilder::finishing(Val fragment,
                                               const OutputTile &tile) {
  Iterator loadC;
  Val beta;
  if (variant.hasC) {
    int64_t contiguous =
        variant.contiguousC < 0 ? -1 : variant.toProblem(variant.contiguousC);
    View c = globalView('C', at.dataC, at.strideC, at.batchC, contiguous,
                        tile.batch, variant.vectorC);
    beta = argument(at.beta);
    Val unread = equal(beta, floatConstant(scope, beta.getType(), 0.0));
    loadC = iterate(c, tile).clearMask(unread);
  }
  return [=](int64_t first, int64_t count) {
    Val part = extractSlice(fragment, first, count);
    if (gemm.getAlpha())
      part = mulf(splat(argument(at.alpha), count), part);
    if (variant.hasC)
      part = fma(splat(beta, count),
                 extend(loadC.load(first / kPair, count / kPair),
                        builder.getF32Type()),
                 part);
    return truncate(part, variant.elementTypeD);
  };
}

/// Sums of a thread that are finished at a time, so that C needs few registers.
static constexpr int64_t kPart = 32;

Val KernelBuilder::finishAll(Val fragment, const OutputTile &tile) {
  Finish finish = finishing(fragment, tile);
  int64_t size = parts.stored.getFragmentType().getNumElements();
  if (!variant.hasC)
    return finish(0, size);
  SmallVector<Val> finished;
  for (int64_t first = 0; first < size; first += kPart)
    finished.push_back(finish(first, std::min(kPart, size - first)));
  return concatenate(finished);
}

/// Stores each thread's elements from registers, where they lie in D.
void KernelBuilder::storeDirect(const Finish &finish, const OutputTile &tile) {
  View d = globalView('D', at.dataD, at.strideD, at.batchD, variant.contiguousD,
                      tile.batch, variant.vectorD);
  Iterator store = iterate(d, tile);
  int64_t size = parts.stored.getFragmentType().getNumElements();
  for (int64_t first = 0; first < size; first += kPart) {
    int64_t count = std::min(kPart, size - first);
    store.store(finish(first, count), first / kPair, count / kPair);
  }
}

int64_t KernelBuilder::getNumChunks() const {
  SmallVector<int64_t, 2> shape = parts.stored.getTileShape();
  return shape[0] / WgmmaAttr::kM *
         llvm::divideCeil(shape[1], parts.chunkColumns);
}

/// Stores a chunk from shared memory, each warp along rows of D.
void KernelBuilder::storeRows(View chunk, Val row, Val column, Val batch) {
  SmallVector<int64_t> shape{WgmmaAttr::kM, parts.chunkColumns};
  auto map = cast<ThreadMapAttrInterface>(Attribute(StripMinedMapAttr::get(
      builder.getContext(), shape, variant.contiguousD, WgmmaAttr::kThreads,
      variant.vectorD)));
  View d = globalView('D', at.dataD, at.strideD, at.batchD, variant.contiguousD,
                      batch, variant.vectorD);
  Val id = toIndex(thread);
  Iterator target =
      d.iterate(Leaf(toIndex(row), shape[0]), Leaf(toIndex(column), 8), id, map,
                Walk{IteratorType::kNoAdvance, /*predicated=*/true});
  chunk.iterate(Leaf(0), Leaf(0), id, map, Walk{}).copyTo(target);
}

/// Stages a group of chunks in shared memory and stores them: as tensor copies
/// if those are legal.
void KernelBuilder::storeChunks(const Finish &finish, const OutputTile &tile,
                                int64_t group) {
  Val leader = equal(thread, i32(0)), legal = isTensorStoreLegal(tile);
  // Barrier 0 is that of the block.
  Val barrierId = warpgroup + 1;
  Val row = tile.row;
  if (!pingPong)
    row = row + warpgroup * parts.consumerRows;
  int64_t columns = parts.stored.getTileShape()[1], width = parts.chunkColumns;
  int64_t chunksOfRow = llvm::divideCeil(columns, width);
  int64_t begin = group * parts.stagingGroup;
  int64_t end = std::min(getNumChunks(), begin + parts.stagingGroup);
  int64_t slots = parts.stagingBuffers / parts.stagingGroup;
  // Only the copies from other buffers may still be reading. The first group
  // waits for all of the tile before.
  ifThen(scope, leader,
         [&] { waitStores(scope, group == 0 ? 0 : slots - 1, /*read=*/true); });
  namedBarrier(barrierId, WgmmaAttr::kThreads);
  struct Chunk {
    View view;
    int64_t row, column;
  };
  SmallVector<Chunk> chunks;
  for (int64_t i = begin; i < end; ++i) {
    int64_t atom = i / chunksOfRow;
    // A last chunk that would be narrower starts further left and stores some
    // columns twice, with the same values.
    int64_t column = std::min(i % chunksOfRow * width, columns - width);
    View view =
        staging.at({Leaf(group % slots * parts.stagingGroup + (i - begin)),
                    Leaf(toIndex(warpgroup))});
    chunks.push_back({view, atom * WgmmaAttr::kM, column});
    int64_t first = atom * columns / 2 + column / 2;
    storeMatrix(finish(first, width / 2), view, toIndex(thread));
  }
  fenceAsyncShared(scope);
  namedBarrier(barrierId, WgmmaAttr::kThreads);
  auto store = [&](const Chunk &chunk, bool asTensor) {
    Val chunkRow = row + chunk.row, chunkColumn = tile.column + chunk.column;
    if (!asTensor)
      return storeRows(chunk.view, chunkRow, chunkColumn, tile.batch);
    SmallVector<Val> coords =
        variant.contiguousD == 1
            ? coordinates(chunkColumn, chunkRow, tile.batch, variant.batched)
            : coordinates(chunkRow, chunkColumn, tile.batch, variant.batched);
    tmaStore(chunk.view, argument(at.storeMap), coords, variant.contiguousD);
  };
  ifThen(
      scope, legal,
      [&] {
        ifThen(scope, leader, [&] {
          for (const Chunk &chunk : chunks)
            store(chunk, /*asTensor=*/true);
          commitStores(scope);
        });
      },
      [&] {
        for (const Chunk &chunk : chunks)
          store(chunk, /*asTensor=*/false);
      });
}

/// Whether the tile may be stored as tensor copies. They clip at 16 bytes: they
/// must not be what reaches the end of a row that ends between.
Val KernelBuilder::isTensorStoreLegal(const OutputTile &tile) {
  bool byRow = variant.contiguousD == 1;
  SmallVector<int64_t, 2> shape = parts.stored.getTileShape();
  Val extent = byRow ? n : m;
  Val end = byRow ? tile.column + shape[1] : tile.row + schedule.getTile()[0];
  Val inside = either(extent >= end, equal(extent % 8, i32(0)));
  return both(equal(argument(at.storeLegal), i32(1)), inside);
}

void KernelBuilder::epilogue(llvm::function_ref<Finish()> finishing,
                             const OutputTile &tile) {
  if (!variant.tensorStore)
    return storeDirect(finishing(), tile);
  Finish finish = finishing();
  for (int64_t group = 0; group < getNumChunkGroups(); ++group)
    storeChunks(finish, tile, group);
}

/// The epilogue of a tile in parts, each of which stores if `ready` holds.
KernelBuilder::Interleaved KernelBuilder::storing(const Finish &finish,
                                                  const OutputTile &tile,
                                                  Val ready) {
  Interleaved result;
  if (!variant.tensorStore) {
    result.push_back(
        [=] { ifThen(scope, ready, [&] { storeDirect(finish, tile); }); });
    return result;
  }
  for (int64_t group = 0; group < getNumChunkGroups(); ++group)
    result.push_back([=] {
      ifThen(scope, ready, [&] { storeChunks(finish, tile, group); });
    });
  return result;
}

/// The sums of all parts of K, of the columns that are this block's.
Val KernelBuilder::addParts(Val fragment, PipelineState state) {
  int64_t split = schedule.getSplit();
  int64_t vectors = parts.accumulator.getFragmentType().getNumElements() /
                    kPartialVector,
          own = vectors / split;
  Val signals = thread < i32(split);
  Leaf slot(toIndex(warpgroup * WgmmaAttr::kThreads + thread));
  Val barrierId = warpgroup + 1;
  auto signal = [&](llvm::function_ref<void()> arrive) {
    namedBarrier(barrierId, WgmmaAttr::kThreads);
    ifThen(scope, signals, arrive);
  };
  // The blocks have read what this one wrote for the tile before.
  exchange.acquire(state);
  for (int64_t i = 0; i < vectors; ++i)
    partial.store(extractSlice(fragment, i * kPartialVector, kPartialVector),
                  {Leaf(0), Leaf(i), slot});
  signal([&] { exchange.commit(state, thread); });
  exchange.wait(state);
  fenceCluster(scope);
  // Its own part first, then those of the blocks after it, in a ring.
  SmallVector<Val> sums;
  for (int64_t i = 0; i < own; ++i)
    sums.push_back(partial.load({Leaf(0), Leaf(toIndex(rank * own + i)), slot},
                                kPartialVector));
  for (int64_t next = 1; next < split; ++next) {
    View theirs = clusterView(partial, (rank + next) % split);
    for (int64_t i = 0; i < own; ++i)
      sums[i] = addf(sums[i],
                     theirs.load({Leaf(0), Leaf(toIndex(rank * own + i)), slot},
                                 kPartialVector));
  }
  signal([&] { exchange.release(state, thread); });
  return concatenate(sums);
}
