// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epilogues through chunks of shared memory.
#include "EpilogueChunks.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

namespace {

/// A chunk in shared memory, and where it lies in the warpgroup's part of a
/// tile.
struct Chunk {
  View view;
  int64_t row, column;
};

} // namespace

static Type getElementType(const EpilogueChunks &chunks) {
  return chunks.ring.getType().getElementType();
}

/// stmatrix moves elements of 16 bits.
static bool usesStoreMatrix(const EpilogueChunks &chunks) {
  return getElementType(chunks).getIntOrFloatBitWidth() == 16;
}

static int64_t getNumChunks(const Epilogue &epilogue) {
  SmallVector<int64_t, 2> shape = epilogue.map.getTileShape();
  return shape[0] / WgmmaAttr::kM *
         llvm::divideCeil(shape[1], epilogue.chunks->columns);
}

int64_t dsl::getNumChunkGroups(const Epilogue &epilogue) {
  return llvm::divideCeil(getNumChunks(epilogue), epilogue.chunks->together);
}

static SmallVector<Chunk> getChunks(Scope &scope, const Epilogue &epilogue,
                                    int64_t group) {
  const EpilogueChunks &staging = *epilogue.chunks;
  int64_t columns = epilogue.map.getTileShape()[1], width = staging.columns;
  int64_t chunksOfRow = llvm::divideCeil(columns, width);
  int64_t begin = group * staging.together;
  int64_t end = std::min(getNumChunks(epilogue), begin + staging.together);
  int64_t first = group % staging.getSlots() * staging.together;
  Type index = scope.builder.getIndexType();
  SmallVector<Chunk> chunks;
  for (int64_t i = begin; i < end; ++i) {
    // A last chunk that would be narrower starts further left and stores some
    // columns twice, with the same values.
    int64_t column = std::min(i % chunksOfRow * width, columns - width);
    View view = staging.ring.at(
        {Leaf(first + (i - begin)), Leaf(epilogue.warpgroup.cast(index))});
    chunks.push_back({view, i / chunksOfRow * WgmmaAttr::kM, column});
  }
  return chunks;
}

/// The thread's elements of a chunk.
static Iterator iterateChunk(Scope &scope, const Epilogue &epilogue,
                             const Chunk &chunk, ThreadMapAttrInterface map) {
  Type index = scope.builder.getIndexType();
  return chunk.view.iterate(Leaf(0), Leaf(0), epilogue.thread.cast(index), map,
                            Walk{});
}

/// Where a chunk lies in D or in a source.
static SmallVector<Val> getCoordinates(const Epilogue &epilogue,
                                       const Chunk &chunk,
                                       const OutputTile &tile, bool batched) {
  Val row = getFirstRow(epilogue, tile) + chunk.row,
      column = tile.column + chunk.column;
  return epilogue.chunks->contiguous == 1
             ? tensorCoordinates(column, row, tile.batch, batched)
             : tensorCoordinates(row, column, tile.batch, batched);
}

static Val isFirstThread(Scope &scope, const Epilogue &epilogue) {
  return equal(epilogue.thread, i32Constant(scope, 0));
}

/// The barrier of the warpgroup's threads; barrier 0 is that of the block.
static void synchronize(const Epilogue &epilogue) {
  namedBarrier(epilogue.warpgroup + 1, WgmmaAttr::kThreads);
}

//===----------------------------------------------------------------------===//
// D
//===----------------------------------------------------------------------===//

Val dsl::isTensorStoreLegal(Scope &scope, const Epilogue &epilogue,
                            const OutputTile &tile) {
  // Tensor copies clip at 16 bytes: they must not be what reaches the end of a
  // row that ends between.
  const EpilogueChunks &chunks = *epilogue.chunks;
  bool byRow = chunks.contiguous == 1;
  int64_t unit = 128 / getElementType(chunks).getIntOrFloatBitWidth();
  Val extent = byRow ? chunks.n : chunks.m;
  Val end = byRow ? tile.column + epilogue.map.getTileShape()[1]
                  : tile.row + chunks.tileRows;
  Val inside =
      either(extent >= end, equal(extent % unit, i32Constant(scope, 0)));
  return both(equal(chunks.storeLegal, i32Constant(scope, 1)), inside);
}

/// Accesses that a thread moves from a chunk to D at a time.
static constexpr int64_t kRowAccesses = 8;

/// Stores a chunk that is in shared memory, each warp along rows of D.
static void storeRows(Scope &scope, const Epilogue &epilogue,
                      const Chunk &chunk, const OutputTile &tile) {
  const EpilogueChunks &chunks = *epilogue.chunks;
  Type index = scope.builder.getIndexType();
  SmallVector<int64_t> shape{WgmmaAttr::kM, chunks.columns};
  auto map = cast<ThreadMapAttrInterface>(Attribute(StripMinedMapAttr::get(
      scope.builder.getContext(), shape, chunks.contiguous, WgmmaAttr::kThreads,
      chunks.vector)));
  View d = epilogue.target(tile.batch);
  Val row = getFirstRow(epilogue, tile) + chunk.row,
      column = tile.column + chunk.column;
  Iterator target =
      d.iterate(Leaf(row.cast(index), WgmmaAttr::kM),
                Leaf(column.cast(index), epilogue.columnDivisor),
                epilogue.thread.cast(index), map,
                Walk{IteratorType::kNoAdvance, /*predicated=*/true});
  Iterator source = iterateChunk(scope, epilogue, chunk, map);
  int64_t accesses =
      shape[0] * shape[1] / (WgmmaAttr::kThreads * chunks.vector);
  for (int64_t first = 0; first < accesses; first += kRowAccesses) {
    int64_t count = std::min(kRowAccesses, accesses - first);
    target.store(source.load(first, count), first, count);
  }
}

/// Writes chunks of D to shared memory and stores them from there.
static void
writeChunks(Scope &scope, const Epilogue &epilogue,
            function_ref<Val(const Chunk &, int64_t, int64_t)> finish,
            ArrayRef<Chunk> chunks, const OutputTile &tile, Val legal) {
  const EpilogueChunks &staging = *epilogue.chunks;
  int64_t columns = epilogue.map.getTileShape()[1], width = staging.columns;
  for (const Chunk &chunk : chunks) {
    int64_t first = chunk.row / WgmmaAttr::kM * columns / 2 + chunk.column / 2;
    Val elements = finish(chunk, first, width / 2);
    if (usesStoreMatrix(staging))
      storeMatrix(elements, chunk.view,
                  epilogue.thread.cast(scope.builder.getIndexType()));
    else
      iterateChunk(scope, epilogue, chunk, staging.map).store(elements);
  }
  fenceAsyncShared(scope);
  synchronize(epilogue);
  auto storeTensor = [&] {
    ifThen(scope, isFirstThread(scope, epilogue), [&] {
      for (const Chunk &chunk : chunks)
        tmaStore(chunk.view, staging.storeMap,
                 getCoordinates(epilogue, chunk, tile, staging.batched),
                 staging.contiguous);
      commitStores(scope);
    });
  };
  if (!legal)
    return storeTensor();
  ifThen(scope, legal, storeTensor, [&] {
    for (const Chunk &chunk : chunks)
      storeRows(scope, epilogue, chunk, tile);
  });
}

void dsl::storeChunks(Scope &scope, const Epilogue &epilogue,
                      const EpilogueElements &elements, const OutputTile &tile,
                      int64_t group, Val legal) {
  // Only the copies from other buffers may still be reading. The first group
  // waits for all of the tile before.
  int64_t pending = group == 0 ? 0 : epilogue.chunks->getSlots() - 1;
  ifThen(scope, isFirstThread(scope, epilogue),
         [&] { waitStores(scope, pending, /*read=*/true); });
  synchronize(epilogue);
  writeChunks(
      scope, epilogue,
      [&](const Chunk &, int64_t first, int64_t count) {
        return elements(first, count);
      },
      getChunks(scope, epilogue, group), tile, legal);
}

//===----------------------------------------------------------------------===//
// A source in chunks
//===----------------------------------------------------------------------===//

/// The state of a tile's group: warpgroups take turns in the pipeline.
static PipelineState getState(Scope &scope, const Epilogue &epilogue,
                              PipelineState state, int64_t group) {
  return group == 0 ? state
                    : state.advance(i32Constant(
                          scope, group * epilogue.chunks->warpgroups));
}

/// Starts to load a group of chunks of the source; for one thread.
static void loadChunks(Scope &scope, const Epilogue &epilogue,
                       const OutputTile &tile, PipelineState state,
                       int64_t group) {
  const EpilogueChunks &staging = *epilogue.chunks;
  SmallVector<Chunk> chunks = getChunks(scope, epilogue, group);
  PipelineState own = getState(scope, epilogue, state, group);
  int64_t bytes = getElementType(staging).getIntOrFloatBitWidth() / 8;
  int64_t count = chunks.size();
  staging.loads.acquire(own, count * WgmmaAttr::kM * staging.columns * bytes);
  for (const Chunk &chunk : chunks)
    tmaLoad(staging.loadMap,
            getCoordinates(epilogue, chunk, tile, staging.batchedSource),
            chunk.view, staging.loads, own, staging.contiguous, Val());
}

StagedSource dsl::startSource(Scope &scope, const Epilogue &epilogue,
                              const OutputTile &tile, PipelineState &state,
                              CallSite site) {
  Call call(scope, site);
  const EpilogueChunks &chunks = *epilogue.chunks;
  auto i32 = [&](int64_t number) { return i32Constant(scope, number); };
  int64_t groups = getNumChunkGroups(epilogue);
  StagedSource source;
  source.state = state;
  source.unread = epilogue.sources.front().isUnread();
  Val legal = source.unread ? select(source.unread, i32(0), chunks.loadLegal)
                            : chunks.loadLegal;
  source.staged =
      both(isTensorStoreLegal(scope, epilogue, tile), equal(legal, i32(1)));
  ifThen(scope, both(source.staged, isFirstThread(scope, epilogue)), [&] {
    waitStores(scope, 0, /*read=*/true);
    int64_t first = std::min(chunks.getSlots(), groups);
    for (int64_t group = 0; group < first; ++group)
      loadChunks(scope, epilogue, tile, state, group);
  });
  state = state.advance(
      select(source.staged, i32(groups * chunks.warpgroups), i32(0)));
  return source;
}

/// D takes the place of the source, chunk by chunk; then the slot is free for a
/// later chunk of the source.
void dsl::storeOverSource(Scope &scope, const Epilogue &epilogue, Val sums,
                          const OutputTile &tile, const StagedSource &source) {
  const EpilogueChunks &chunks = *epilogue.chunks;
  int64_t slots = chunks.getSlots(), groups = getNumChunkGroups(epilogue);
  std::vector<OpenSource> others = openSources(scope, epilogue, tile, 1);
  for (int64_t group = 0; group < groups; ++group) {
    PipelineState own = getState(scope, epilogue, source.state, group);
    chunks.loads.wait(own);
    writeChunks(
        scope, epilogue,
        [&](const Chunk &chunk, int64_t first, int64_t count) {
          Val added = iterateChunk(scope, epilogue, chunk, chunks.map).load();
          // stmatrix writes what other threads of the warp have read.
          if (usesStoreMatrix(chunks))
            syncWarp(scope);
          SmallVector<Val> elements{added};
          for (const OpenSource &other : others)
            elements.push_back(other.load(first, count));
          return callBody(epilogue, extractSlice(sums, first, count), elements);
        },
        getChunks(scope, epilogue, group), tile, /*legal=*/Val());
    ifThen(scope, isFirstThread(scope, epilogue), [&] {
      chunks.loads.release(own);
      if (group + slots >= groups)
        return;
      waitStores(scope, 0, /*read=*/true);
      loadChunks(scope, epilogue, tile, source.state, group + slots);
    });
  }
}
