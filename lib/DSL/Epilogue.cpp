// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of the sums of a tile.
#include "EpilogueChunks.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

EpilogueBody dsl::linearCombination(Val alpha, Val beta, Type elementType) {
  return [=](Val sums, ArrayRef<Val> sources) {
    auto type = cast<VectorType>(sums.getType());
    int64_t count = type.getNumElements();
    if (alpha)
      sums = mulf(splat(alpha, count), sums);
    if (!sources.empty() && sources.front())
      sums = fma(splat(beta, count),
                 extend(sources.front(), type.getElementType()), sums);
    return truncate(sums, elementType);
  };
}

Val EpilogueSource::isUnread() const {
  if (!factor)
    return Val();
  return equal(factor, floatConstant(factor.getScope(), factor.getType(), 0.0));
}

int64_t Epilogue::getFragmentSize() const {
  SmallVector<int64_t, 2> shape = map.getTileShape();
  return shape[0] * shape[1] / map.getThreads();
}

//===----------------------------------------------------------------------===//
// Elements where they lie in memory
//===----------------------------------------------------------------------===//

Val dsl::getFirstRow(const Epilogue &epilogue, const OutputTile &tile) {
  if (epilogue.warpgroupRows == 0)
    return tile.row;
  return tile.row + epilogue.warpgroup * epilogue.warpgroupRows;
}

/// The iterator over a thread's elements of a tile of D or of a source.
static Iterator iterate(Scope &scope, const Epilogue &epilogue, View view,
                        const OutputTile &tile) {
  Type index = scope.builder.getIndexType();
  return view.iterate(
      Leaf(getFirstRow(epilogue, tile).cast(index), epilogue.rowDivisor),
      Leaf(tile.column.cast(index), epilogue.columnDivisor),
      epilogue.thread.cast(index), epilogue.map,
      Walk{IteratorType::kNoAdvance, /*predicated=*/true});
}

/// The results of the body, with the sources read where they lie.
static EpilogueElements finish(Scope &scope, const Epilogue &epilogue, Val sums,
                               const OutputTile &tile) {
  SmallVector<Iterator> sources;
  for (const EpilogueSource &source : epilogue.sources) {
    View view = source.view(tile.batch);
    Val unread = source.isUnread();
    Iterator iterator = iterate(scope, epilogue, view, tile);
    sources.push_back(unread ? iterator.clearMask(unread) : iterator);
  }
  int64_t access = epilogue.map.getElementsPerAccess();
  return [&epilogue, sources, sums, access](int64_t first, int64_t count) {
    SmallVector<Val> elements;
    for (const Iterator &source : sources)
      elements.push_back(source.load(first / access, count / access));
    return epilogue.body(extractSlice(sums, first, count), elements);
  };
}

/// Stores each thread's elements from registers, where they lie in D.
static void storeDirect(Scope &scope, const Epilogue &epilogue,
                        const EpilogueElements &elements,
                        const OutputTile &tile) {
  Iterator store = iterate(scope, epilogue, epilogue.target(tile.batch), tile);
  int64_t size = epilogue.getFragmentSize(),
          access = epilogue.map.getElementsPerAccess();
  for (int64_t first = 0; first < size; first += epilogue.piece) {
    int64_t count = std::min(epilogue.piece, size - first);
    store.store(elements(first, count), first / access, count / access);
  }
}

//===----------------------------------------------------------------------===//
// Ways to D
//===----------------------------------------------------------------------===//

/// Stores a tile. `finish` is called where the results are needed, so that
/// nothing is kept for them in registers up to there.
static void store(Scope &scope, const Epilogue &epilogue,
                  function_ref<EpilogueElements()> finish,
                  const OutputTile &tile) {
  if (!epilogue.chunks)
    return storeDirect(scope, epilogue, finish(), tile);
  auto storeAll = [&](Val legal) {
    EpilogueElements elements = finish();
    for (int64_t group = 0; group < getNumChunkGroups(epilogue); ++group)
      storeChunks(scope, epilogue, elements, tile, group, legal);
  };
  Val legal = isTensorStoreLegal(scope, epilogue, tile);
  if (epilogue.sources.empty())
    return storeAll(legal);
  // Addresses of C and of rows of D together are more than there are registers.
  ifThen(
      scope, legal, [&] { storeAll(Val()); },
      [&] { storeDirect(scope, epilogue, finish(), tile); });
}

/// Stores a tile with the source that comes in chunks, without one, or with
/// what threads load where it lies. The last two in one would need more
/// registers than there are.
static void storeWithSource(Scope &scope, const Epilogue &epilogue, Val sums,
                            const OutputTile &tile,
                            const StagedSource &source) {
  auto storeSums = [&] {
    auto elements = [&](int64_t first, int64_t count) {
      return epilogue.body(extractSlice(sums, first, count), {});
    };
    Val legal = isTensorStoreLegal(scope, epilogue, tile);
    for (int64_t group = 0; group < getNumChunkGroups(epilogue); ++group)
      storeChunks(scope, epilogue, elements, tile, group, legal);
  };
  auto storeRead = [&] {
    storeDirect(scope, epilogue, finish(scope, epilogue, sums, tile), tile);
  };
  ifThen(
      scope, source.staged,
      [&] { storeOverSource(scope, epilogue, sums, tile, source); },
      [&] {
        if (source.unread)
          ifThen(scope, source.unread, storeSums, storeRead);
        else
          storeRead();
      });
}

void dsl::emitEpilogue(Scope &scope, const Epilogue &epilogue, Val sums,
                       const OutputTile &tile, const StagedSource &source) {
  if (source.staged)
    return storeWithSource(scope, epilogue, sums, tile, source);
  store(
      scope, epilogue, [&] { return finish(scope, epilogue, sums, tile); },
      tile);
}

//===----------------------------------------------------------------------===//
// Tiles that are stored late
//===----------------------------------------------------------------------===//

Val dsl::finishTile(Scope &scope, const Epilogue &epilogue, Val sums,
                    const OutputTile &tile) {
  EpilogueElements elements = finish(scope, epilogue, sums, tile);
  int64_t size = epilogue.getFragmentSize();
  if (epilogue.sources.empty())
    return elements(0, size);
  SmallVector<Val> finished;
  for (int64_t first = 0; first < size; first += epilogue.piece)
    finished.push_back(elements(first, std::min(epilogue.piece, size - first)));
  return concatenate(finished);
}

static EpilogueElements kept(Val elements) {
  return [=](int64_t first, int64_t count) {
    return extractSlice(elements, first, count);
  };
}

void dsl::storeTile(Scope &scope, const Epilogue &epilogue, Val elements,
                    const OutputTile &tile) {
  store(scope, epilogue, [&] { return kept(elements); }, tile);
}

SmallVector<std::function<void()>>
dsl::storeTileInParts(Scope &scope, const Epilogue &epilogue, Val elements,
                      const OutputTile &tile, Val ready) {
  SmallVector<std::function<void()>> parts;
  if (!epilogue.chunks) {
    parts.push_back([=, &scope, &epilogue] {
      ifThen(scope, ready,
             [&] { storeDirect(scope, epilogue, kept(elements), tile); });
    });
    return parts;
  }
  for (int64_t group = 0; group < getNumChunkGroups(epilogue); ++group)
    parts.push_back([=, &scope, &epilogue] {
      ifThen(scope, ready, [&] {
        storeChunks(scope, epilogue, kept(elements), tile, group,
                    isTensorStoreLegal(scope, epilogue, tile));
      });
    });
  return parts;
}
