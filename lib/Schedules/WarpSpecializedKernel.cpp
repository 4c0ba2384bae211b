// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of the warp-specialised schedule, in the embedded language.
#include "WarpSpecializedKernel.h"

using namespace tile;
using namespace tile::warp_specialized;

//===----------------------------------------------------------------------===//
// Common values
//===----------------------------------------------------------------------===//

/// A coordinate along K at which no tensor has elements.
static constexpr int64_t kOutside = 0x7FFF0000;

void KernelBuilder::setUp(ValueRange kernelArguments) {
  arguments.assign(kernelArguments.begin(), kernelArguments.end());
  ArrayRef<int64_t> tile = schedule.getTile();
  m = argument(at.m);
  n = argument(at.n);
  // alpha = 0 reads neither A nor B: the sum is empty.
  Val none = equal(argument(at.alpha),
                   floatConstant(scope, builder.getF32Type(), 0.0));
  // It is computed as one block outside of the tensors, which reads as zeros.
  none = either(none, equal(argument(at.k), i32(0)));
  kBlocks = select(none, i32(1), ceilDiv(argument(at.k), parts.tileK));
  kOrigin = select(none, i32(kOutside), i32(0));
  int64_t split = schedule.getSplit();
  if (split > 1)
    kBlocks = ceilDiv(kBlocks, split);
  clustersM = ceilDiv(m, tile[0] * schedule.getClusterM());
  clustersN = ceilDiv(n, tile[1] * schedule.getClusterN());
  clusters = clustersM * clustersN;
  if (variant.batched)
    clusters = clusters * argument(at.batch);

  Type type = builder.getI32Type();
  Val block = blockId(scope).cast(type), blocks = gridSize(scope).cast(type);
  cluster = block / parts.clusterSize;
  rank = block % parts.clusterSize;
  clusterCount = blocks / parts.clusterSize;
  if (split > 1) {
    // All parts have as many blocks; those past the end of K read zeros.
    kOrigin = kOrigin + rank * kBlocks * parts.tileK;
    rankM = rankN = i32(0);
  } else {
    rankM = rank / schedule.getClusterN();
    rankN = rank % schedule.getClusterN();
  }

  constexpr int64_t kTileAlign = 1024;
  auto named = [&](const Twine &name) {
    return NameLoc::get(builder.getStringAttr(name), gemm.getLoc());
  };
  Location loc = scope.loc;
  scope.loc = named("shared " + nameOf(variant.left));
  ringLeft =
      allocShared(scope, variant.left.elementType, parts.left.ring, kTileAlign);
  scope.loc = named("shared " + nameOf(variant.right));
  ringRight = allocShared(scope, variant.right.elementType, parts.right.ring,
                          kTileAlign);
  if (variant.tensorStore) {
    scope.loc = named("shared D");
    staging =
        allocShared(scope, variant.elementTypeD, parts.staging, kTileAlign);
  }
  if (split > 1) {
    scope.loc = named("shared partial sums");
    int64_t threads = schedule.getConsumers() * WgmmaAttr::kThreads;
    int64_t sums = parts.accumulator.getFragmentType().getNumElements();
    partial = allocShared(scope, variant.getSumType(),
                          {kPartialVector, sums / kPartialVector, threads},
                          {1, kPartialVector * threads, kPartialVector});
  }
  scope.loc = loc;
  // A stage is let go by all consumers that read it, in all blocks of the
  // cluster: each of these may have brought it a part.
  int64_t sharing = schedule.getClusterM() * schedule.getClusterN();
  int64_t readers = pingPong ? 1 : schedule.getConsumers();
  pipeline =
      Pipeline(scope, schedule.getStages(), /*producers=*/1, sharing * readers);
  // The consumers take turns in the main loop.
  if (pingPong)
    order = Pipeline(scope, 2, WgmmaAttr::kThreads, /*consumers=*/1);
  // Every consumer of every part hands its sums to, and has them from, all.
  if (split > 1) {
    int64_t all = split * schedule.getConsumers();
    exchange = Pipeline(scope, 1, /*producers=*/all, /*consumers=*/all);
  }
  // The chunks of C of each consumer, in turns.
  if (variant.tensorLoadC)
    loads = Pipeline(scope, parts.getStagingSlots() * schedule.getConsumers(),
                     /*producers=*/1, /*consumers=*/1);
}

OutputTile KernelBuilder::locate(Val id) {
  OutputTile tile;
  if (variant.batched) {
    Val perBatch = clustersM * clustersN;
    tile.batch = id / perBatch;
    id = id % perBatch;
  }
  Val row, column;
  if (schedule.getRaster() == Raster::M)
    std::tie(row, column) =
        getTileCoordinate(id, clustersM, clustersN, schedule.getGroup());
  else
    std::tie(column, row) =
        getTileCoordinate(id, clustersN, clustersM, schedule.getGroup());
  if (schedule.getClusterM() > 1)
    row = row * schedule.getClusterM() + rankM;
  if (schedule.getClusterN() > 1)
    column = column * schedule.getClusterN() + rankN;
  tile.row = row * schedule.getTile()[0];
  tile.column = column * schedule.getTile()[1];
  return tile;
}

//===----------------------------------------------------------------------===//
// Producer
//===----------------------------------------------------------------------===//

/// The view of stage `stage` that part `part` of `blocks` of a tile goes to,
/// and the part's coordinates in the tensor, if the tile starts at row `first`.
std::pair<View, SmallVector<Val>>
KernelBuilder::locatePart(const TensorOperand &operand, const OperandRing &tile,
                          View ring, Val first, Val k, Val batch, Leaf stage,
                          Val part, int64_t blocks) {
  View view = ring.reshape(tile.byBlock).at({Leaf(toIndex(part)), stage});
  const Layout &layout = view.getType().getLayout();
  if (blocks > 1) {
    // Parts divide rows, or K where the rows are contiguous.
    if (operand.kMajor)
      first = first + part * layout[0].size().getValue();
    else
      k = k + part * layout[1].size().getValue();
  }
  return {view, operand.kMajor ? coordinates(k, first, batch, operand.batched)
                               : coordinates(first, k, batch, operand.batched)};
}

/// Loads part `part` of `blocks` of the tile whose rows start at `first`.
void KernelBuilder::load(const TensorOperand &operand, const OperandRing &tile,
                         View ring, Val map, Val first, Val k, Val batch,
                         PipelineState state, Val part, int64_t blocks,
                         Val mask) {
  auto [view, coords] = locatePart(operand, tile, ring, first, k, batch,
                                   Leaf(state.stage()), part, blocks);
  tmaLoad(map, coords, view, pipeline, state, operand.kMajor ? 1 : 0, mask);
}

/// Fetches what the block loads first to L2, while grids in front still run.
/// Only of an operand of which it shares nothing: fetching what others fetch,
/// too, costs more than it brings.
void KernelBuilder::prefetch() {
  OutputTile tile = locate(cluster);
  auto fetch = [&](const TensorOperand &operand, const OperandRing &ring,
                   View stages, Val map, Val first, Val part, int64_t blocks,
                   Val tilesOfOther) {
    if (variant.batched && !operand.batched)
      return;
    // Fetching what is outside of the tensor takes time, too.
    ifThen(scope, equal(tilesOfOther, i32(1)), [&] {
      for (int64_t block = 0; block < schedule.getStages(); ++block)
        ifThen(scope, i32(block) < kBlocks, [&] {
          auto [view, coords] = locatePart(operand, ring, stages, first,
                                           kOrigin + block * parts.tileK,
                                           tile.batch, Leaf(0), part, blocks);
          tmaPrefetch(map, coords, view, operand.kMajor ? 1 : 0);
        });
    });
  };
  fetch(variant.left, parts.left, ringLeft, argument(at.left), tile.row, rankN,
        schedule.getClusterN(), clustersN);
  fetch(variant.right, parts.right, ringRight, argument(at.right), tile.column,
        rankM, schedule.getClusterM(), clustersM);
}

void KernelBuilder::producer() {
  if (schedule.getOverlap() == 2)
    prefetch();
  waitForGrids(scope);
  Type i16 = builder.getIntegerType(16);
  int64_t clusterM = schedule.getClusterM(), clusterN = schedule.getClusterN();
  // Blocks that share rows get A from each other, those that share columns B.
  Val maskLeft, maskRight;
  if (clusterN > 1) {
    Val mask = i32((1 << clusterN) - 1);
    maskLeft = Val(scope, arith::ShLIOp::create(builder, scope.loc, mask.get(),
                                                (rankM * clusterN).get()))
                   .cast(i16);
  }
  if (clusterM > 1) {
    int64_t bits = 0;
    for (int64_t i = 0; i < clusterM; ++i)
      bits |= int64_t(1) << (i * clusterN);
    maskRight = Val(scope, arith::ShLIOp::create(builder, scope.loc,
                                                 i32(bits).get(), rankN.get()))
                    .cast(i16);
  }
  int64_t bytes = parts.left.stageBytes + parts.right.stageBytes;
  PipelineState start = pipeline.start(i32(0));
  SmallVector<Val> last = forRange(
      scope, cluster, clusters, clusterCount, {start.get()},
      [&](Val id, ArrayRef<Val> carried) -> SmallVector<Val> {
        OutputTile tile = locate(id);
        return forLoop(
            scope, kBlocks, carried,
            [&](Val block, ArrayRef<Val> carried) -> SmallVector<Val> {
              PipelineState state(carried[0]);
              pipeline.acquire(state, bytes);
              Val k = block * parts.tileK + kOrigin;
              load(variant.left, parts.left, ringLeft, argument(at.left),
                   tile.row, k, tile.batch, state, rankN, clusterN, maskLeft);
              load(variant.right, parts.right, ringRight, argument(at.right),
                   tile.column, k, tile.batch, state, rankM, clusterM,
                   maskRight);
              return {state.advance().get()};
            });
      });
  // The next grid may be set up while the last tiles are computed; not before,
  // as its blocks would then be spread over the multiprocessors as these come
  // free, and blocks that share operands no longer be neighbours.
  launchDependents(scope);
  // The others of the cluster let go of its stages, so it must still be there:
  // cheaper than a barrier of all threads of the cluster.
  if (clusterM * clusterN > 1)
    forRange(scope, i32(0), i32(schedule.getStages()), i32(1), last,
             [&](Val, ArrayRef<Val> carried) -> SmallVector<Val> {
               PipelineState state(carried[0]);
               pipeline.acquire(state);
               return {state.advance().get()};
             });
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// The sum over K of one output tile, as the thread's fragment.
Val KernelBuilder::mainLoop(PipelineState &state,
                            const Interleaved &interleaved) {
  View left = ringLeft.reshape(parts.left.byConsumer),
       right = ringRight.reshape(parts.right.byConsumer);
  Val part = pingPong ? i32(0) : warpgroup;
  int64_t sharing = schedule.getClusterM() * schedule.getClusterN();
  // One thread lets a stage go in each block of the cluster.
  Val releases = thread < i32(sharing);
  auto release = [&](PipelineState state, Val condition) {
    ifThen(scope, condition,
           [&] { pipeline.release(state, sharing > 1 ? thread : Val()); });
  };
  auto stage = [&](View ring, Leaf part, PipelineState state) {
    return ring.at({part, Leaf(state.stage())});
  };
  Leaf mine(toIndex(part));
  bool single = schedule.getStages() == 1;

  // The first block starts the sums, so that nothing has to set them to zero.
  pipeline.wait(state);
  Val acc = warpgroupMma(stage(left, mine, state), stage(right, 0, state),
                         parts.accumulator);
  if (single) {
    // The producer needs this stage to go on.
    acc = warpgroupWait(acc, /*pending=*/0);
    release(state, releases);
  }
  SmallVector<Val> carried{acc, state.advance().get(), state.get()};
  auto multiply = [&](Val first, Val last) {
    carried = forRange(scope, first, last, i32(1), carried,
                       [&](Val, ArrayRef<Val> carried) -> SmallVector<Val> {
                         PipelineState state(carried[1]), previous(carried[2]);
                         pipeline.wait(state);
                         Val acc =
                             warpgroupMma(stage(left, mine, state),
                                          stage(right, 0, state), carried[0]);
                         // With one multiply running, the one before is over:
                         // its stage is free.
                         acc = warpgroupWait(acc, /*pending=*/single ? 0 : 1);
                         release(single ? state : previous, releases);
                         return {acc, state.advance().get(), state.get()};
                       });
  };
  // The tensor cores work on the block just started.
  Val done = i32(1);
  for (const auto &[i, work] : llvm::enumerate(interleaved)) {
    if (i > 0) {
      Val next = min(i32(i + 1), kBlocks);
      multiply(done, next);
      done = next;
    }
    work();
  }
  multiply(done, kBlocks);
  if (pingPong) {
    // The other consumer may start as soon as this one has issued.
    Val other = i32(1) - warpgroup;
    order.commit(order.start(other));
  }
  Val fragment = accumulatorFragment(warpgroupWait(carried[0], /*pending=*/0));
  if (!single)
    release(PipelineState(carried[2]), releases);
  state = PipelineState(carried[1]);
  return fragment;
}

void KernelBuilder::consumer() {
  waitForGrids(scope);
  Type type = builder.getI32Type();
  thread = threadId(scope).cast(type);
  warpgroup = broadcastFirst(thread / WgmmaAttr::kThreads) - 1;
  thread = thread % WgmmaAttr::kThreads;
  if (schedule.getDefer())
    deferredTiles();
  else
    tiles();
  if (variant.tensorStore)
    ifThen(scope, equal(thread, i32(0)),
           [&] { waitStores(scope, 0, /*read=*/false); });
}

/// Computes and stores the consumer's tiles, one after the other.
void KernelBuilder::tiles() {
  Val first = cluster, step = clusterCount, skipped = i32(0);
  Val turn = i32(0);
  if (pingPong) {
    // Consumers take every other tile; the stages of the tiles between are the
    // other one's. The first turn of consumer 0 passes at once: it is the
    // second round, whose barrier counts the round before as complete.
    first = cluster + warpgroup * clusterCount;
    step = clusterCount * 2;
    skipped = kBlocks;
    turn = i32(2) - warpgroup;
  }
  SmallVector<Val> init{pipeline.start(warpgroup * skipped).get()};
  if (pingPong)
    init.push_back(turn);
  bool split = schedule.getSplit() > 1;
  if (split)
    init.push_back(exchange.start(i32(0)).get());
  if (variant.tensorLoadC)
    init.push_back(loads.start(warpgroup).get());
  forRange(scope, first, clusters, step, init,
           [&](Val id, ArrayRef<Val> carried) -> SmallVector<Val> {
             PipelineState state(carried[0]);
             SmallVector<Val> next(carried);
             OutputTile tile = locate(id);
             // What is stored of a tile whose sums others have parts of.
             OutputTile stored = tile;
             if (split)
               stored.column =
                   tile.column + rank * parts.stored.getTileShape()[1];
             ChunksOfC c;
             if (variant.tensorLoadC) {
               c = startC(stored, PipelineState(carried.back()));
               int64_t groups = getNumChunkGroups() * schedule.getConsumers();
               next.back() =
                   c.state.advance(select(c.staged, i32(groups), i32(0))).get();
             }
             if (pingPong) {
               order.wait(order.start(carried[1]));
               next[1] = carried[1] + 2;
             }
             Val fragment = mainLoop(state, {});
             if (pingPong)
               state = state.advance(kBlocks);
             if (split) {
               PipelineState exchanged(carried[1]);
               fragment = addParts(fragment, exchanged);
               next[1] = exchanged.advance().get();
             }
             if (variant.tensorLoadC)
               epilogueWithC(fragment, stored, c);
             else
               epilogue([&] { return finishing(fragment, stored); }, stored);
             next[0] = state.get();
             return next;
           });
}

/// Computes the block's tiles, and stores each while the next one is computed.
void KernelBuilder::deferredTiles() {
  auto kept = [](Val elements) {
    return [=](int64_t first, int64_t count) {
      return extractSlice(elements, first, count);
    };
  };
  // State of the pipeline; the tile before: elements of D and place. LLVM keeps
  // vectors in whole registers from block to block only if they have a power of
  // two of elements.
  int64_t size =
      llvm::PowerOf2Ceil(parts.stored.getFragmentType().getNumElements());
  SmallVector<Val> init{pipeline.start(i32(0)).get(),
                        zeros(scope, variant.elementTypeD, size), i32(0),
                        i32(0)};
  if (variant.batched)
    init.push_back(i32(0));
  auto tileOf = [](ArrayRef<Val> carried) {
    return OutputTile{carried[2], carried[3],
                      carried.size() > 4 ? carried[4] : Val()};
  };
  SmallVector<Val> last = forRange(
      scope, cluster, clusters, clusterCount, init,
      [&](Val id, ArrayRef<Val> carried) -> SmallVector<Val> {
        PipelineState state(carried[0]);
        Val fragment = mainLoop(
            state, storing(kept(carried[1]), tileOf(carried), cluster < id));
        OutputTile tile = locate(id);
        SmallVector<Val> next{state.get(),
                              widen(finishAll(fragment, tile), size), tile.row,
                              tile.column};
        if (variant.batched)
          next.push_back(tile.batch);
        return next;
      });
  ifThen(scope, cluster < clusters, [&] {
    epilogue([&]() -> Finish { return kept(last[1]); }, tileOf(last));
  });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

gpu::GPUFuncOp KernelBuilder::build(gpu::GPUModuleOp module) {
  declare();
  gpu::GPUFuncOp kernel =
      createKernel(module, gemm.getLoc(), getName(), parameters, parts.threads);
  kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
  if (parts.clusterSize > 1)
    kernel->setAttr("nvvm.cluster_dim",
                    builder.getDenseI32ArrayAttr(
                        {static_cast<int32_t>(parts.clusterSize), 1, 1}));
  kernel->setAttr(kLaunchFacts, getFacts());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  setUp(kernel.getBody().front().getArguments());

  Type type = builder.getI32Type();
  Val thread = threadId(scope).cast(type);
  ifThen(scope, equal(thread, i32(0)), [&] {
    prefetchTensorMap(argument(at.left));
    prefetchTensorMap(argument(at.right));
    if (variant.tensorStore)
      prefetchTensorMap(argument(at.storeMap));
    if (variant.tensorLoadC)
      prefetchTensorMap(argument(at.loadMap));
  });
  // Barriers are initialised before anyone, also in the cluster, uses them.
  if (parts.clusterSize > 1)
    clusterBarrier(scope);
  else
    barrier(scope);

  // The first warpgroup is the producer, by one thread of its first warp.
  Val warp = broadcastFirst(thread / 32);
  ifThen(
      scope, warp < i32(WgmmaAttr::kThreads / 32),
      [&] {
        if (parts.producerRegisters)
          setMaxRegisters(scope, parts.producerRegisters, /*increase=*/false);
        ifThen(scope, equal(warp, i32(0)),
               [&] { ifThen(scope, electThread(scope), [&] { producer(); }); });
      },
      [&] {
        if (parts.consumerRegisters)
          setMaxRegisters(scope, parts.consumerRegisters, /*increase=*/true);
        consumer();
      });
  // Nobody leaves while others still read its partial sums.
  if (schedule.getSplit() > 1)
    clusterBarrier(scope);
  gpu::ReturnOp::create(builder, gemm.getLoc());
  return kernel;
}

gpu::GPUFuncOp tile::buildWarpSpecializedKernel(
    GemmOp gemm, WarpSpecializedScheduleAttr schedule,
    const WarpSpecializedVariant &variant, const WarpSpecializedParts &parts,
    gpu::GPUModuleOp module) {
  return KernelBuilder(gemm, schedule, variant, parts).build(module);
}
