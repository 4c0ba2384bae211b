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
  return view.iterate(Leaf(toIndex(getFirstRow(tile)), parts.consumerRows),
                      Leaf(toIndex(tile.column), 8), toIndex(thread),
                      parts.stored.getMap(),
                      Walk{IteratorType::kNoAdvance, /*predicated=*/true});
}

KernelBuilder::Finish KernelBuilder::finishing(Val fragment,
                                               const OutputTile &tile) {
  Iterator loadC;
  if (variant.hasC) {
    int64_t contiguous =
        variant.contiguousC < 0 ? -1 : variant.toProblem(variant.contiguousC);
    View c = globalView('C', at.dataC, at.strideC, at.batchC, contiguous,
                        tile.batch, variant.vectorC);
    Val beta = argument(at.beta);
    Val unread = equal(beta, floatConstant(scope, beta.getType(), 0.0));
    loadC = iterate(c, tile).clearMask(unread);
  }
  return [=](int64_t first, int64_t count) {
    return finish(extractSlice(fragment, first, count),
                  variant.hasC ? loadC.load(first / kPair, count / kPair)
                               : Val());
  };
}

/// What D gets for sums and elements of C, which may be null.
Val KernelBuilder::finish(Val sums, Val added) {
  int64_t count = cast<VectorType>(sums.getType()).getNumElements();
  if (gemm.getAlpha())
    sums = mulf(splat(argument(at.alpha), count), sums);
  if (added)
    sums = fma(splat(argument(at.beta), count),
               extend(added, builder.getF32Type()), sums);
  return truncate(sums, variant.elementTypeD);
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

/// The first row of the consumer's part of a tile.
Val KernelBuilder::getFirstRow(const OutputTile &tile) {
  return pingPong ? tile.row : tile.row + warpgroup * parts.consumerRows;
}

SmallVector<KernelBuilder::Chunk> KernelBuilder::getChunks(int64_t group) {
  int64_t columns = parts.stored.getTileShape()[1], width = parts.chunkColumns;
  int64_t chunksOfRow = llvm::divideCeil(columns, width);
  int64_t begin = group * parts.stagingGroup;
  int64_t end = std::min(getNumChunks(), begin + parts.stagingGroup);
  int64_t first = group % parts.getStagingSlots() * parts.stagingGroup;
  SmallVector<Chunk> chunks;
  for (int64_t i = begin; i < end; ++i) {
    // A last chunk that would be narrower starts further left and stores some
    // columns twice, with the same values.
    int64_t column = std::min(i % chunksOfRow * width, columns - width);
    View view =
        staging.at({Leaf(first + (i - begin)), Leaf(toIndex(warpgroup))});
    chunks.push_back({view, i / chunksOfRow * WgmmaAttr::kM, column});
  }
  return chunks;
}

/// The thread's elements of a chunk.
Iterator KernelBuilder::iterateChunk(const Chunk &chunk) {
  return chunk.view.iterate(Leaf(0), Leaf(0), toIndex(thread),
                            parts.chunk.getMap(), Walk{});
}

/// Where a chunk lies in C or D.
SmallVector<Val> KernelBuilder::coordinatesOf(const Chunk &chunk,
                                              const OutputTile &tile,
                                              bool batched) {
  Val row = getFirstRow(tile) + chunk.row, column = tile.column + chunk.column;
  return variant.contiguousD == 1
             ? coordinates(column, row, tile.batch, batched)
             : coordinates(row, column, tile.batch, batched);
}

/// Accesses that a thread moves from a chunk to D at a time.
static constexpr int64_t kRowAccesses = 8;

/// Stores a chunk that is in shared memory, each warp along rows of D.
void KernelBuilder::storeRows(const Chunk &chunk, const OutputTile &tile) {
  SmallVector<int64_t> shape{WgmmaAttr::kM, parts.chunkColumns};
  auto map = cast<ThreadMapAttrInterface>(Attribute(
      StripMinedMapAttr::get(builder.getContext(), shape, variant.contiguousD,
                             WgmmaAttr::kThreads, variant.vectorD)));
  View d = globalView('D', at.dataD, at.strideD, at.batchD, variant.contiguousD,
                      tile.batch, variant.vectorD);
  Val row = getFirstRow(tile) + chunk.row, column = tile.column + chunk.column;
  Iterator target =
      d.iterate(Leaf(toIndex(row), WgmmaAttr::kM), Leaf(toIndex(column), 8),
                toIndex(thread), map,
                Walk{IteratorType::kNoAdvance, /*predicated=*/true});
  Iterator source =
      chunk.view.iterate(Leaf(0), Leaf(0), toIndex(thread), map, Walk{});
  int64_t accesses =
      shape[0] * shape[1] / (WgmmaAttr::kThreads * variant.vectorD);
  for (int64_t first = 0; first < accesses; first += kRowAccesses) {
    int64_t count = std::min(kRowAccesses, accesses - first);
    target.store(source.load(first, count), first, count);
  }
}

/// Writes chunks of D to shared memory and stores them from there: as tensor
/// copies where `legal` holds, or if it is null.
void KernelBuilder::writeChunks(
    llvm::function_ref<Val(const Chunk &, int64_t, int64_t)> finish,
    ArrayRef<Chunk> chunks, const OutputTile &tile, Val legal) {
  int64_t columns = parts.stored.getTileShape()[1], width = parts.chunkColumns;
  for (const Chunk &chunk : chunks) {
    int64_t first = chunk.row / WgmmaAttr::kM * columns / 2 + chunk.column / 2;
    Val elements = finish(chunk, first, width / 2);
    if (usesStoreMatrix())
      storeMatrix(elements, chunk.view, toIndex(thread));
    else
      iterateChunk(chunk).store(elements);
  }
  fenceAsyncShared(scope);
  // Barrier 0 is that of the block.
  namedBarrier(warpgroup + 1, WgmmaAttr::kThreads);
  auto storeTensor = [&] {
    ifThen(scope, equal(thread, i32(0)), [&] {
      for (const Chunk &chunk : chunks)
        tmaStore(chunk.view, argument(at.storeMap),
                 coordinatesOf(chunk, tile, variant.batched),
                 variant.contiguousD);
      commitStores(scope);
    });
  };
  if (!legal)
    return storeTensor();
  ifThen(scope, legal, storeTensor, [&] {
    for (const Chunk &chunk : chunks)
      storeRows(chunk, tile);
  });
}

/// Stores a group of chunks through shared memory.
void KernelBuilder::storeChunks(const Finish &finish, const OutputTile &tile,
                                int64_t group, Val legal) {
  // Only the copies from other buffers may still be reading. The first group
  // waits for all of the tile before.
  int64_t pending = group == 0 ? 0 : parts.getStagingSlots() - 1;
  ifThen(scope, equal(thread, i32(0)),
         [&] { waitStores(scope, pending, /*read=*/true); });
  namedBarrier(warpgroup + 1, WgmmaAttr::kThreads);
  writeChunks([&](const Chunk &, int64_t first,
                  int64_t count) { return finish(first, count); },
              getChunks(group), tile, legal);
}

//===----------------------------------------------------------------------===//
// C in chunks
//===----------------------------------------------------------------------===//

/// The state of a tile's group: consumers take turns in the pipeline.
PipelineState KernelBuilder::stateOfGroup(PipelineState state, int64_t group) {
  return group == 0 ? state
                    : state.advance(i32(group * schedule.getConsumers()));
}

/// Starts to load a group of chunks of C; for one thread.
void KernelBuilder::loadChunks(const OutputTile &tile, PipelineState state,
                               int64_t group) {
  SmallVector<Chunk> chunks = getChunks(group);
  PipelineState own = stateOfGroup(state, group);
  int64_t bytes = variant.elementTypeD.getIntOrFloatBitWidth() / 8;
  int64_t count = chunks.size();
  loads.acquire(own, count * WgmmaAttr::kM * parts.chunkColumns * bytes);
  for (const Chunk &chunk : chunks)
    tmaLoad(argument(at.loadMap), coordinatesOf(chunk, tile, variant.batchedC),
            chunk.view, loads, own, variant.contiguousD, Val());
}

/// Whether the C of a tile comes in chunks, and if it does, the first of them:
/// they arrive while the tile is computed.
ChunksOfC KernelBuilder::startC(const OutputTile &tile, PipelineState state) {
  Val beta = argument(at.beta);
  Val unread = equal(beta, floatConstant(scope, beta.getType(), 0.0));
  // beta = 0 does not read C.
  Val legal = select(unread, i32(0), argument(at.loadLegal));
  Val staged = both(isTensorStoreLegal(tile), equal(legal, i32(1)));
  ifThen(scope, both(staged, equal(thread, i32(0))), [&] {
    waitStores(scope, 0, /*read=*/true);
    int64_t first = std::min(parts.getStagingSlots(), getNumChunkGroups());
    for (int64_t group = 0; group < first; ++group)
      loadChunks(tile, state, group);
  });
  return {staged, unread, state};
}

/// D takes the place of C, chunk by chunk; then the slot is free for a later
/// chunk of C.
void KernelBuilder::addChunks(Val fragment, const OutputTile &tile,
                              const ChunksOfC &c) {
  int64_t slots = parts.getStagingSlots(), groups = getNumChunkGroups();
  for (int64_t group = 0; group < groups; ++group) {
    PipelineState own = stateOfGroup(c.state, group);
    loads.wait(own);
    writeChunks(
        [&](const Chunk &chunk, int64_t first, int64_t count) {
          Val added = iterateChunk(chunk).load();
          // stmatrix writes what other threads of the warp have read.
          if (usesStoreMatrix())
            syncWarp(scope);
          return finish(extractSlice(fragment, first, count), added);
        },
        getChunks(group), tile, /*legal=*/Val());
    ifThen(scope, equal(thread, i32(0)), [&] {
      loads.release(own);
      if (group + slots >= groups)
        return;
      waitStores(scope, 0, /*read=*/true);
      loadChunks(tile, c.state, group + slots);
    });
  }
}

/// A tile is stored with the C that comes in chunks, without one, or with what
/// threads load where it lies. The last two in one would need more registers
/// than there are.
void KernelBuilder::epilogueWithC(Val fragment, const OutputTile &tile,
                                  const ChunksOfC &c) {
  auto storeSums = [&] {
    auto finish = [&](int64_t first, int64_t count) {
      return this->finish(extractSlice(fragment, first, count), Val());
    };
    Val legal = isTensorStoreLegal(tile);
    for (int64_t group = 0; group < getNumChunkGroups(); ++group)
      storeChunks(finish, tile, group, legal);
  };
  ifThen(
      scope, c.staged, [&] { addChunks(fragment, tile, c); },
      [&] {
        ifThen(scope, c.unread, storeSums,
               [&] { storeDirect(finishing(fragment, tile), tile); });
      });
}

/// Whether the tile may be stored as tensor copies. They clip at 16 bytes: they
/// must not be what reaches the end of a row that ends between.
Val KernelBuilder::isTensorStoreLegal(const OutputTile &tile) {
  bool byRow = variant.contiguousD == 1;
  int64_t unit = 128 / variant.elementTypeD.getIntOrFloatBitWidth();
  SmallVector<int64_t, 2> shape = parts.stored.getTileShape();
  Val extent = byRow ? n : m;
  Val end = byRow ? tile.column + shape[1] : tile.row + schedule.getTile()[0];
  Val inside = either(extent >= end, equal(extent % unit, i32(0)));
  return both(equal(argument(at.storeLegal), i32(1)), inside);
}

void KernelBuilder::epilogue(llvm::function_ref<Finish()> finishing,
                             const OutputTile &tile) {
  if (!variant.tensorStore)
    return storeDirect(finishing(), tile);
  auto storeAll = [&](Val legal) {
    Finish finish = finishing();
    for (int64_t group = 0; group < getNumChunkGroups(); ++group)
      storeChunks(finish, tile, group, legal);
  };
  Val legal = isTensorStoreLegal(tile);
  if (!variant.hasC)
    return storeAll(legal);
  // Addresses of C and of rows of D together are more than there are registers.
  ifThen(
      scope, legal, [&] { storeAll(Val()); },
      [&] { storeDirect(finishing(), tile); });
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
      ifThen(scope, ready, [&] {
        storeChunks(finish, tile, group, isTensorStoreLegal(tile));
      });
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
