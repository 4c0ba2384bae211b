// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of the warp-specialised kernel: a tile scheduler, a producer and
// consumers with their main loop and epilogue, put together.
#include "EpilogueOperands.h"
#include "WarpSpecializedKernel.h"

#include "tile/DSL/Epilogue.h"
#include "tile/DSL/SplitK.h"
#include "tile/DSL/TmaProducer.h"
#include "tile/DSL/WgmmaMainloop.h"

using namespace tile;
using namespace tile::warp_specialized;

/// A coordinate along K at which no tensor has elements.
static constexpr int64_t kOutside = 0x7FFF0000;

//===----------------------------------------------------------------------===//
// What the threads of a block share
//===----------------------------------------------------------------------===//

namespace {

/// Null where the kernel has none.
struct SharedParts {
  View left, right, staging, partial;
  Pipeline pipeline, order, exchange, loads;
};

} // namespace

static void allocateMemory(const KernelContext &context, SharedParts &shared) {
  Scope &scope = context.scope;
  const WarpSpecializedVariant &variant = context.variant;
  const WarpSpecializedParts &parts = context.parts;
  constexpr int64_t kTileAlign = 1024;
  Location loc = scope.loc;
  auto name = [&](const Twine &name) {
    scope.loc = NameLoc::get(scope.builder.getStringAttr(name), loc);
  };
  name("shared " + Twine(variant.left.name));
  shared.left =
      allocShared(scope, variant.left.elementType, parts.left.ring, kTileAlign);
  name("shared " + Twine(variant.right.name));
  shared.right = allocShared(scope, variant.right.elementType, parts.right.ring,
                             kTileAlign);
  if (variant.tensorStore) {
    name("shared D");
    shared.staging =
        allocShared(scope, variant.elementTypeD, parts.staging, kTileAlign);
  }
  if (context.schedule.getSplitK() > 1) {
    name("shared partial sums");
    shared.partial =
        allocPartialSums(scope, variant.getSumType(),
                         parts.accumulator.getFragmentType().getNumElements(),
                         context.schedule.getConsumers() * WgmmaAttr::kThreads);
  }
  scope.loc = loc;
}

static SharedParts allocate(const KernelContext &context) {
  Scope &scope = context.scope;
  WarpSpecializedScheduleAttr schedule = context.schedule;
  SharedParts shared;
  allocateMemory(context, shared);
  // A stage is let go by all consumers that read it, in all blocks of the
  // cluster: each of these may have brought it a part.
  int64_t sharing = schedule.getClusterM() * schedule.getClusterN();
  int64_t consumers = schedule.getConsumers();
  int64_t readers = context.isPingPong() ? 1 : consumers;
  shared.pipeline =
      Pipeline(scope, schedule.getStages(), /*producers=*/1, sharing * readers);
  // The consumers take turns in the main loop.
  if (context.isPingPong())
    shared.order = Pipeline(scope, 2, WgmmaAttr::kThreads, /*consumers=*/1);
  if (schedule.getSplitK() > 1)
    shared.exchange =
        makeExchangePipeline(scope, schedule.getSplitK(), consumers);
  // The chunks of the source of each consumer, in turns.
  if (context.variant.loadedSource)
    shared.loads = Pipeline(scope, context.parts.getStagingSlots() * consumers,
                            /*producers=*/1, /*consumers=*/1);
  return shared;
}

//===----------------------------------------------------------------------===//
// The order of tiles, and the part of K
//===----------------------------------------------------------------------===//

static TileScheduler makeScheduler(const KernelContext &context) {
  WarpSpecializedScheduleAttr schedule = context.schedule;
  TileOrder order;
  order.tileM = schedule.getTile()[0];
  order.tileN = schedule.getTile()[1];
  order.clusterM = schedule.getClusterM();
  order.clusterN = schedule.getClusterN();
  order.splitK = schedule.getSplitK();
  order.swizzleSize = schedule.getSwizzleSize();
  order.alongM = schedule.getRasterOrder() == RasterOrder::M;
  order.persistent = true;
  return TileScheduler(context.scope, order, context.getM(), context.getN(),
                       context.variant.batched, context.arguments["batch"]);
}

/// The blocks along K that make up the sums.
static KRange getKRange(const KernelContext &context) {
  Scope &scope = context.scope;
  Val alpha = context.arguments["alpha"], k = context.arguments["K"];
  Val zero = i32Constant(scope, 0), one = i32Constant(scope, 1);
  // Blocks of a tensor end where a digit of K does.
  const auto &walk = context.variant.left.walk ? context.variant.left.walk
                                               : context.variant.right.walk;
  Val blocks = walk && !walk->pixelsAlongK
                   ? i32Constant(scope, walk->getBlocks())
                   : ceilDiv(k, context.parts.tileK);
  // alpha = 0 reads neither A nor B: the sum is empty.
  Val none = equal(alpha, floatConstant(scope, alpha.getType(), 0.0));
  // It is computed as one block outside of the tensors, which reads as zeros.
  none = either(none, equal(k, zero));
  return {select(none, one, blocks),
          select(none, i32Constant(scope, kOutside), zero)};
}

/// The part of them that block `rank` of `split` in a cluster sums up. All have
/// as many blocks; those past the end of K read zeros.
static KRange getPart(const KernelContext &context, const KRange &range,
                      int64_t split, Val rank) {
  if (split == 1)
    return range;
  Val blocks = ceilDiv(range.blocks, split);
  return {blocks, range.origin + rank * blocks * context.parts.tileK};
}

//===----------------------------------------------------------------------===//
// Producer
//===----------------------------------------------------------------------===//

static TmaProducer makeProducer(const KernelContext &context,
                                const SharedParts &shared,
                                const TileScheduler &tiles) {
  auto operand = [&](const TensorOperand &tensor, const OperandRing &ring,
                     View memory, int64_t parts, Val part) {
    TmaOperand result;
    result.map = context.getMap(tensor);
    result.ring = memory;
    result.byPart = ring.byBlock;
    result.parts = parts;
    result.part = part;
    result.kMajor = tensor.kMajor;
    result.batched = tensor.batched;
    result.walk = tensor.walk.get();
    result.byChunk = ring.byChunk;
    result.chunks = ring.chunks;
    return result;
  };
  const WarpSpecializedParts &parts = context.parts;
  const TileOrder &order = tiles.getOrder();
  TmaProducer producer;
  producer.pipeline = shared.pipeline;
  producer.stages = context.schedule.getStages();
  producer.stageBytes = parts.left.stageBytes + parts.right.stageBytes;
  producer.tileK = parts.tileK;
  producer.a = operand(context.variant.left, parts.left, shared.left,
                       order.clusterN, tiles.getRankN());
  producer.b = operand(context.variant.right, parts.right, shared.right,
                       order.clusterM, tiles.getRankM());
  return producer;
}

/// Fetches what the block loads first to L2, while grids in front still run.
/// Only of an operand of which it shares nothing: fetching what others fetch,
/// too, costs more than it brings.
static void prefetch(const KernelContext &context, const TmaProducer &producer,
                     const TileScheduler &tiles, const KRange &range) {
  OutputTile tile = tiles.locate(tiles.getFirst());
  auto fetch = [&](const TmaOperand &operand, Val first, Val tilesOfOther) {
    if (context.variant.batched && !operand.batched && !operand.walk)
      return;
    // Fetching what is outside of the tensor takes time, too.
    Scope &scope = context.scope;
    ifThen(scope, equal(tilesOfOther, i32Constant(scope, 1)),
           [&] { prefetchTile(scope, producer, operand, first, tile, range); });
  };
  fetch(producer.a, tile.row, tiles.getClustersN());
  fetch(producer.b, tile.column, tiles.getClustersM());
}

static void produce(const KernelContext &context, const SharedParts &shared,
                    const TileScheduler &tiles, const KRange &range) {
  Scope &scope = context.scope;
  TmaProducer producer = makeProducer(context, shared, tiles);
  if (context.schedule.getProgrammaticLaunch() == ProgrammaticLaunch::Prefetch)
    prefetch(context, producer, tiles, range);
  waitForGrids(scope);
  // Blocks that share rows get A from each other, those that share columns B.
  producer.a.multicast = tiles.getRowPeers(scope);
  producer.b.multicast = tiles.getColumnPeers(scope);
  PipelineState state = shared.pipeline.start(i32Constant(scope, 0));
  forRange(scope, tiles.getFirst(), tiles.getEnd(), tiles.getStep(),
           carry(state), [&](Val id) {
             loadTile(scope, producer, tiles.locate(id), range, state);
           });
  // The next grid may be set up while the last tiles are computed; not before,
  // as its blocks would then be spread over the multiprocessors as these come
  // free, and blocks that share operands no longer be neighbours.
  launchDependents(scope);
  // The others of the cluster let go of its stages, so it must still be there:
  // cheaper than a barrier of all threads of the cluster.
  if (context.schedule.getClusterM() * context.schedule.getClusterN() > 1)
    drain(scope, producer, state);
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

namespace {

/// The pieces of a consumer, of which each warpgroup has its own.
struct Consumer {
  /// Its number, and the thread's number in it, i32.
  Val warpgroup, thread;
  WgmmaMainloop loop;
  SplitKExchange exchange;
  Epilogue epilogue;
};

} // namespace

static WgmmaMainloop makeMainloop(const KernelContext &context,
                                  const SharedParts &shared, Val warpgroup,
                                  Val thread) {
  WgmmaMainloop loop;
  loop.pipeline = shared.pipeline;
  loop.stages = context.schedule.getStages();
  // Each consumer multiplies its own rows, or else all rows of its own tiles.
  loop.a = {shared.left, context.parts.left.byConsumer,
            context.isPingPong() ? Val() : warpgroup};
  loop.b = {shared.right, context.parts.right.byConsumer, Val()};
  loop.accumulator = context.parts.accumulator;
  loop.promotesSums = context.variant.promotedSums;
  loop.thread = thread;
  loop.peers = context.schedule.getClusterM() * context.schedule.getClusterN();
  return loop;
}

static EpilogueChunks makeChunks(const KernelContext &context,
                                 const SharedParts &shared) {
  const KernelArguments &arguments = context.arguments;
  const WarpSpecializedVariant &variant = context.variant;
  const WarpSpecializedParts &parts = context.parts;
  EpilogueChunks chunks;
  chunks.ring = shared.staging;
  chunks.map = parts.chunk.getMap();
  chunks.columns = parts.chunkColumns;
  chunks.buffers = parts.stagingBuffers;
  chunks.together = parts.stagingGroup;
  chunks.contiguous = variant.contiguousD;
  chunks.vector = variant.vectorD;
  chunks.m = context.getM();
  chunks.n = context.getN();
  chunks.tileRows = context.schedule.getTile()[0];
  chunks.storeMap = arguments["D.tensor_map"];
  chunks.storeLegal = arguments["D.tensor_map_legal"];
  chunks.batched = variant.batched;
  chunks.loadMap = arguments[variant.loadedName + ".tensor_map"];
  chunks.loadLegal = arguments[variant.loadedName + ".tensor_map_legal"];
  chunks.batchedSource = variant.batchedLoad;
  chunks.loads = shared.loads;
  chunks.warpgroups = context.schedule.getConsumers();
  return chunks;
}

/// Makes a source the first one, which comes in chunks; the body has them in
/// order.
static void moveSourceToFront(Epilogue &epilogue, unsigned number) {
  if (number == 0)
    return;
  auto place = epilogue.sources.begin();
  std::rotate(place, place + number, place + number + 1);
  epilogue.body = [body = epilogue.body, number](Val sums,
                                                 ArrayRef<Val> sources) {
    SmallVector<Val> ordered(sources);
    std::rotate(ordered.begin(), ordered.begin() + 1,
                ordered.begin() + number + 1);
    return body(sums, ordered);
  };
}

static Epilogue makeEpilogue(const KernelContext &context,
                             const SharedParts &shared, Val warpgroup,
                             Val thread) {
  const WarpSpecializedVariant &variant = context.variant;
  const WarpSpecializedParts &parts = context.parts;
  auto view = [&context](Scope &scope, const MatrixParameters &matrix,
                         int64_t vector, Val batch) {
    return context.arguments.makeView(
        scope, matrix, context.variant.elementTypeD,
        {context.getM(), context.getN()}, vector, batch);
  };
  Epilogue epilogue;
  epilogue.map = parts.stored.getMap();
  epilogue.thread = thread;
  epilogue.warpgroup = warpgroup;
  epilogue.warpgroupRows = context.isPingPong() ? 0 : parts.consumerRows;
  epilogue.rowDivisor = parts.consumerRows;
  epilogue.columnDivisor = 8;
  GemmOp gemm = context.gemm;
  // Where operands lie, each element may take an address of its own, of two
  // registers.
  if (!gemm.getEpilogueOperands().empty())
    epilogue.piece = 8;
  Val alpha = context.hasAlpha ? context.arguments["alpha"] : Val();
  epilogue.body = gemm.hasEpilogue()
                      ? regionBody(gemm.getEpilogue(), alpha)
                      : linearCombination(alpha, context.arguments["beta"],
                                          variant.elementTypeD);
  epilogue.target = [&context, view](Val batch) {
    return view(context.scopeD, context.matrixD, context.variant.vectorD,
                batch);
  };
  if (variant.hasC)
    epilogue.sources.push_back(
        {[&context, view](Val batch) {
           return view(context.scopeC, context.matrixC, context.variant.vectorC,
                       batch);
         },
         gemm.hasEpilogue() ? Val() : context.arguments["beta"]});
  addEpilogueOperands(context.scope, gemm, variant.swapped, context.arguments,
                      context.getM(), context.getN(), variant.pairsOfEpilogue,
                      epilogue);
  if (variant.tensorStore)
    epilogue.chunks = makeChunks(context, shared);
  moveSourceToFront(epilogue, variant.loadedSource.value_or(0));
  return epilogue;
}

/// Computes and stores the consumer's tiles, one after the other.
static void computeTiles(const KernelContext &context,
                         const SharedParts &shared, const TileScheduler &tiles,
                         const KRange &range, const Consumer &consumer) {
  Scope &scope = context.scope;
  auto i32 = [&](int64_t number) { return i32Constant(scope, number); };
  bool pingPong = context.isPingPong(),
       split = context.schedule.getSplitK() > 1;
  Val warpgroup = consumer.warpgroup;
  Val first = tiles.getFirst(), step = tiles.getStep(), skipped = i32(0);
  // The consumer's next turn in the main loop.
  Val turn;
  if (pingPong) {
    // Consumers take every other tile; the stages of the tiles between are the
    // other one's. The first turn of consumer 0 passes at once: it is the
    // second round, whose barrier counts the round before as complete.
    first = first + warpgroup * step;
    step = step * 2;
    skipped = range.blocks;
    turn = i32(2) - warpgroup;
  }
  auto issued = [&] {
    // The other consumer may start as soon as this one has issued.
    if (pingPong)
      shared.order.commit(shared.order.start(i32(1) - warpgroup));
  };
  PipelineState state = shared.pipeline.start(warpgroup * skipped), exchanged,
                loaded;
  if (split)
    exchanged = shared.exchange.start(i32(0));
  if (context.variant.loadedSource)
    loaded = shared.loads.start(warpgroup);
  forRange(scope, first, tiles.getEnd(), step,
           carry(state, turn, exchanged, loaded), [&](Val id) {
             // What is stored of a tile whose sums others have parts of.
             OutputTile stored = tiles.locate(id);
             if (split)
               stored.column =
                   stored.column +
                   tiles.getRank() * context.parts.stored.getTileShape()[1];
             StagedSource source;
             if (context.variant.loadedSource)
               source = startSource(scope, consumer.epilogue, stored, loaded);
             if (pingPong) {
               shared.order.wait(shared.order.start(turn));
               turn = turn + 2;
             }
             Val sums = wgmmaMainloop(scope, consumer.loop, range.blocks, state,
                                      /*interleaved=*/{}, issued);
             if (pingPong)
               state = state.advance(range.blocks);
             if (split)
               sums = addParts(scope, consumer.exchange, sums, exchanged);
             emitEpilogue(scope, consumer.epilogue, sums, stored, source);
           });
}

/// Computes the block's tiles, and stores each while the next one is computed.
static void computeTilesAhead(const KernelContext &context,
                              const SharedParts &shared,
                              const TileScheduler &tiles, const KRange &range,
                              const Consumer &consumer) {
  Scope &scope = context.scope;
  const Epilogue &epilogue = consumer.epilogue;
  // LLVM keeps vectors in whole registers from block to block only if they have
  // a power of two of elements.
  int64_t size = llvm::PowerOf2Ceil(epilogue.getFragmentSize());
  Val zero = i32Constant(scope, 0);
  PipelineState state = shared.pipeline.start(zero);
  // The tile before: elements of D and place.
  Val elements = zeros(scope, context.variant.elementTypeD, size);
  OutputTile before{zero, zero, context.variant.batched ? zero : Val()};
  forRange(scope, tiles.getFirst(), tiles.getEnd(), tiles.getStep(),
           carry(state, elements, before), [&](Val id) {
             Val sums =
                 wgmmaMainloop(scope, consumer.loop, range.blocks, state,
                               storeTileInParts(scope, epilogue, elements,
                                                before, tiles.getFirst() < id),
                               /*issued=*/nullptr);
             before = tiles.locate(id);
             elements = widen(finishTile(scope, epilogue, sums, before), size);
           });
  ifThen(scope, tiles.getFirst() < tiles.getEnd(),
         [&] { storeTile(scope, epilogue, elements, before); });
}

static void consume(const KernelContext &context, const SharedParts &shared,
                    const TileScheduler &tiles, const KRange &range) {
  Scope &scope = context.scope;
  waitForGrids(scope);
  Consumer consumer;
  Val thread = threadId(scope).cast(scope.builder.getI32Type());
  consumer.warpgroup = broadcastFirst(thread / WgmmaAttr::kThreads) - 1;
  consumer.thread = thread % WgmmaAttr::kThreads;
  consumer.loop =
      makeMainloop(context, shared, consumer.warpgroup, consumer.thread);
  consumer.epilogue =
      makeEpilogue(context, shared, consumer.warpgroup, consumer.thread);
  consumer.exchange = {
      shared.exchange, shared.partial,     context.schedule.getSplitK(),
      tiles.getRank(), consumer.warpgroup, consumer.thread};
  if (context.schedule.getOverlapEpilogue())
    computeTilesAhead(context, shared, tiles, range, consumer);
  else
    computeTiles(context, shared, tiles, range, consumer);
  if (context.variant.tensorStore)
    ifThen(scope, equal(consumer.thread, i32Constant(scope, 0)),
           [&] { waitStores(scope, 0, /*read=*/false); });
}

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

void warp_specialized::buildBody(const KernelContext &context) {
  Scope &scope = context.scope;
  const WarpSpecializedParts &parts = context.parts;
  KRange all = getKRange(context);
  TileScheduler tiles = makeScheduler(context);
  KRange range =
      getPart(context, all, context.schedule.getSplitK(), tiles.getRank());
  SharedParts shared = allocate(context);

  Val thread = threadId(scope).cast(scope.builder.getI32Type());
  ifThen(scope, equal(thread, i32Constant(scope, 0)), [&] {
    prefetchTensorMap(context.getMap(context.variant.left));
    prefetchTensorMap(context.getMap(context.variant.right));
    for (StringRef name : {"D", context.variant.loadedName.c_str()})
      if (Val map = context.arguments[(name + ".tensor_map").str()])
        prefetchTensorMap(map);
  });
  // Barriers are initialised before anyone, also in the cluster, uses them.
  if (parts.clusterSize > 1)
    clusterBarrier(scope);
  else
    barrier(scope);

  // The first warpgroup is the producer, by one thread of its first warp.
  Val warp = broadcastFirst(thread / 32);
  ifThen(
      scope, warp < i32Constant(scope, WgmmaAttr::kThreads / 32),
      [&] {
        if (parts.producerRegisters)
          setMaxRegisters(scope, parts.producerRegisters, /*increase=*/false);
        ifThen(scope, equal(warp, i32Constant(scope, 0)), [&] {
          ifThen(scope, electThread(scope),
                 [&] { produce(context, shared, tiles, range); });
        });
      },
      [&] {
        if (parts.consumerRegisters)
          setMaxRegisters(scope, parts.consumerRegisters, /*increase=*/true);
        consume(context, shared, tiles, range);
      });
  // Nobody leaves while others still read its partial sums.
  if (context.schedule.getSplitK() > 1)
    clusterBarrier(scope);
}
