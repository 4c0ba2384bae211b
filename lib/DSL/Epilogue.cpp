// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of the sums of a tile.
#include "EpilogueChunks.h"
#include "Staging.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

EpilogueBody dsl::linearCombination(Val alpha, Val beta, Type elementType,
                                    CallSite site) {
  return [=](Val sums, ArrayRef<Val> sources) {
    Call call(sums.getScope(), site);
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

EpilogueBody dsl::regionBody(Region &region, Val alpha, CallSite site) {
  return [&region, alpha, site](Val sums, ArrayRef<Val> sources) {
    Scope &scope = sums.getScope();
    Call call(scope, site);
    OpBuilder &builder = scope.builder;
    int64_t count = cast<VectorType>(sums.getType()).getNumElements();
    if (alpha)
      sums = mulf(splat(alpha, count), sums);
    Block &block = region.front();
    Value element = cast<YieldOp>(block.back()).getElement();
    Type type = element.getType();
    // Elements are rounded to D's type together, which packs them.
    auto last = element.getDefiningOp<arith::TruncFOp>();
    if (last && last->hasOneUse())
      element = last.getIn();
    else
      last = nullptr;
    SmallVector<Val> arguments{sums};
    arguments.append(sources.begin(), sources.end());
    SmallVector<Value> elements;
    for (int64_t i = 0; i < count; ++i) {
      IRMapping map;
      for (auto [argument, vector] :
           llvm::zip_equal(block.getArguments(), arguments))
        map.map(argument,
                vector::ExtractOp::create(builder, scope.loc, vector.get(), i)
                    .getResult());
      for (Operation &op : block.without_terminator())
        if (&op != last)
          builder.clone(op, map);
      elements.push_back(map.lookup(element));
    }
    Val result(scope, vector::FromElementsOp::create(
                          builder, scope.loc,
                          VectorType::get({count}, element.getType()), elements)
                          .getResult());
    return last ? truncate(result, type) : result;
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

Val dsl::callBody(const Epilogue &epilogue, Val sums, ArrayRef<Val> sources) {
  if (!sums)
    return Val();
  Body lines(sums.getScope());
  return epilogue.body(sums, sources);
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

OpenSource::OpenSource(const EpilogueSource &source, const Iterator &iterator)
    : repeated(source.repeated), iterator(iterator),
      pattern(getAccessPattern(iterator.getMap())) {
  if (!repeated[1])
    return;
  int64_t accesses = pattern.getNumAccesses();
  for (int64_t i = 0; i < accesses; ++i)
    if (findSame(i, 0, accesses) == i)
      loaded[i] = iterator.load(i, 1);
}

int64_t OpenSource::findSame(int64_t number, int64_t first, int64_t end) const {
  // The one that lies first: where another is inside of the matrix, it is, too.
  auto [row, column] = pattern.getAccessOffset(number);
  int64_t found = number;
  for (int64_t i = first; i < end; ++i) {
    auto [otherRow, otherColumn] = pattern.getAccessOffset(i);
    auto [foundRow, foundColumn] = pattern.getAccessOffset(found);
    if ((repeated[0] ? otherRow <= foundRow : otherRow == row) &&
        (repeated[1] ? otherColumn <= foundColumn : otherColumn == column))
      found = i;
  }
  return found;
}

Val OpenSource::load(int64_t first, int64_t count) const {
  int64_t begin = first / pattern.vector, size = count / pattern.vector;
  if (!repeated[0] && !repeated[1])
    return iterator.load(begin, size);
  bool isLoaded = repeated[1];
  int64_t accesses = pattern.getNumAccesses();
  llvm::DenseMap<int64_t, Val> own;
  SmallVector<Val> elements;
  for (int64_t i = begin; i < begin + size; ++i) {
    if (isLoaded) {
      elements.push_back(loaded.lookup(findSame(i, 0, accesses)));
      continue;
    }
    int64_t same = findSame(i, begin, begin + size);
    auto [place, isNew] = own.try_emplace(same);
    if (isNew)
      place->second = iterator.load(same, 1);
    elements.push_back(place->second);
  }
  return concatenate(elements);
}

std::vector<OpenSource> dsl::openSources(Scope &scope, const Epilogue &epilogue,
                                         const OutputTile &tile, size_t first) {
  std::vector<OpenSource> sources;
  for (const EpilogueSource &source :
       ArrayRef(epilogue.sources).drop_front(first)) {
    View view = source.view(tile.batch);
    Val unread = source.isUnread();
    Iterator iterator = iterate(scope, epilogue, view, tile);
    sources.emplace_back(source,
                         unread ? iterator.clearMask(unread) : iterator);
  }
  return sources;
}

/// The results of the body, with the sources read where they lie.
static EpilogueElements finish(Scope &scope, const Epilogue &epilogue, Val sums,
                               const OutputTile &tile) {
  std::vector<OpenSource> sources = openSources(scope, epilogue, tile, 0);
  return [&epilogue, sources, sums](int64_t first, int64_t count) {
    SmallVector<Val> elements;
    for (const OpenSource &source : sources)
      elements.push_back(source.load(first, count));
    return callBody(epilogue, extractSlice(sums, first, count), elements);
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
      return callBody(epilogue, extractSlice(sums, first, count), {});
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
                       const OutputTile &tile, const StagedSource &source,
                       CallSite site) {
  Staging stage(&scope, site, {sums, tile.row, tile.column, epilogue.thread});
  if (stage && (!epilogue.map || !epilogue.body || !epilogue.target))
    stage.fail("expected a map, a body and a target of an epilogue, but got "
               "one that was never set");
  if (!stage)
    return;
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
                    const OutputTile &tile, CallSite site) {
  Call call(scope, site);
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
                    const OutputTile &tile, CallSite site) {
  Call call(scope, site);
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
