// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of the warp-specialised schedule, in the embedded language.
#include "WarpSpecialized.h"
#include "WarpSpecializedModel.h"

#include "tile/DSL/Warpgroup.h"

#include "llvm/Support/FormatVariadic.h"

#include <functional>

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

namespace {

/// Positions of the kernel's parameters; -1 for what it does not have.
struct Positions {
  int left = -1, right = -1, storeMap = -1, storeLegal = -1;
  int dataC = -1, strideC[2] = {-1, -1}, batchC = -1;
  int dataD = -1, strideD[2] = {-1, -1}, batchD = -1;
  int m = -1, n = -1, k = -1, batch = -1, alpha = -1, beta = -1;
};

/// An output tile: its first row and column, i32, and its batch (null if there
/// is only one).
struct OutputTile {
  Val row, column, batch;
};

/// Neighbouring sums of a row that a thread has; one access of its map.
constexpr int64_t kPair = 2;

/// Builds one kernel. All of its pieces share the values below.
class KernelBuilder {
public:
  KernelBuilder(GemmOp gemm, WarpSpecializedScheduleAttr schedule,
                const WarpSpecializedVariant &variant,
                const WarpSpecializedParts &parts)
      : builder(gemm.getContext()), scope{builder, gemm.getLoc()}, gemm(gemm),
        schedule(schedule), variant(variant), parts(parts),
        pingPong(schedule.getMode() == ConsumerMode::PingPong) {}

  gpu::GPUFuncOp build(gpu::GPUModuleOp module);

private:
  void declare();
  std::string getName() const;
  DictionaryAttr getFacts();
  void setUp(ValueRange arguments);
  void producer();
  void consumer();
  void load(const TensorOperand &operand, const OperandRing &tile, View ring,
            Val map, Val first, Val k, Val batch, PipelineState state, Val part,
            int64_t blocks, Val mask);
  Val mainLoop(PipelineState &state, Val warpgroup, Val thread);
  void epilogue(Val fragment, const OutputTile &tile, Val warpgroup,
                Val thread);
  Iterator iterate(View view, const OutputTile &tile, Val warpgroup,
                   Val thread);
  void storeDirect(Val fragment, const OutputTile &tile, Val warpgroup,
                   Val thread);
  /// What D gets for `count` of the thread's sums from `first` on.
  using Finish = std::function<Val(int64_t first, int64_t count)>;
  Finish finishing(Val fragment, const OutputTile &tile, Val warpgroup,
                   Val thread);
  void storeTensor(Val fragment, const OutputTile &tile, Val warpgroup,
                   Val thread);
  OutputTile locate(Val id);
  View globalView(char name, int data, const int *strides, int batchStride,
                  int64_t contiguous, Val batch, int64_t vector);

  Val argument(int position) { return Val(scope, arguments[position]); }
  Val i32(int64_t number) { return i32Constant(scope, number); }
  Val toIndex(Val value) { return value.cast(builder.getIndexType()); }
  /// The letters of the operands that a parameter is named by.
  std::string nameOf(const TensorOperand &operand) const {
    return std::string(1, operand.name);
  }
  /// Coordinates of a tensor, the contiguous dimension first.
  SmallVector<Val> coordinates(Val contiguous, Val other, Val batch,
                               bool batched) {
    SmallVector<Val> coords{contiguous, other};
    if (batched)
      coords.push_back(batch ? batch : i32(0));
    return coords;
  }

  OpBuilder builder;
  Scope scope;
  /// Scopes that name an operand in the locations of its accesses.
  Scope scopeC{builder, scope.loc}, scopeD{builder, scope.loc};
  GemmOp gemm;
  WarpSpecializedScheduleAttr schedule;
  const WarpSpecializedVariant &variant;
  const WarpSpecializedParts &parts;
  bool pingPong;

  KernelParameters parameters;
  Positions at;
  SmallVector<Value> arguments;
  /// i32: extents, blocks along K, clusters of tiles along M and N, of all
  /// batches; the block's cluster, its rank there, the number of clusters.
  Val m, n, kBlocks, kOrigin, clustersM, clustersN, clusters;
  Val cluster, rank, rankM, rankN, clusterCount;
  View ringLeft, ringRight, staging;
  Pipeline pipeline, order;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parameters and launch facts
//===----------------------------------------------------------------------===//

void KernelBuilder::declare() {
  MLIRContext *context = builder.getContext();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type(),
       f32 = builder.getF32Type();
  Type pointer = LLVM::LLVMPointerType::get(context, 1);
  at.left = parameters.addTensorMap(context, nameOf(variant.left));
  at.right = parameters.addTensorMap(context, nameOf(variant.right));
  if (variant.tensorStore) {
    at.storeMap = parameters.addTensorMap(context, "D");
    at.storeLegal = parameters.add(i32, "D.tensor_map_legal");
  }
  // Dimensions of C and D are the kernel's.
  auto addMatrix = [&](StringRef name, int64_t contiguous, int &data,
                       int *strides, int &batchStride) {
    data = parameters.add(pointer, name + ".data");
    for (int64_t dim : {0, 1})
      if (dim != contiguous)
        strides[dim] = parameters.add(
            i64, name + ".stride[" + Twine(variant.toProblem(dim)) + "]");
    if (variant.batched)
      batchStride = parameters.add(i64, name + ".batch_stride");
  };
  if (variant.hasC)
    addMatrix("C",
              variant.contiguousC < 0 ? -1
                                      : variant.toProblem(variant.contiguousC),
              at.dataC, at.strideC, at.batchC);
  addMatrix("D", variant.contiguousD, at.dataD, at.strideD, at.batchD);
  at.m = parameters.add(i32, variant.swapped ? "N" : "M");
  at.n = parameters.add(i32, variant.swapped ? "M" : "N");
  at.k = parameters.add(i32, "K");
  if (variant.batched)
    at.batch = parameters.add(i32, "batch");
  at.alpha = parameters.add(f32, "alpha");
  if (variant.hasC)
    at.beta = parameters.add(f32, "beta");
}

std::string KernelBuilder::getName() const {
  ArrayRef<int64_t> tile = schedule.getTile();
  auto letter = [](const TensorOperand &operand) {
    return operand.contiguous == 1 ? 'r' : 'c';
  };
  const TensorOperand &a =
      variant.left.name == 'A' ? variant.left : variant.right;
  const TensorOperand &b =
      variant.left.name == 'A' ? variant.right : variant.left;
  return llvm::formatv("ws_{0}x{1}x{2}_{3}{4}_{5}{6}{7}_v{8}{9}", tile[0],
                       tile[1], parts.tileK, a.elementType, b.elementType,
                       letter(a), letter(b),
                       variant.toProblem(variant.contiguousD) == 1 ? 'r' : 'c',
                       variant.vectorD,
                       variant.hasC ? "_c" + std::to_string(variant.vectorC)
                                    : std::string())
      .str();
}

DictionaryAttr KernelBuilder::getFacts() {
  SmallVector<NamedAttribute> facts;
  auto add = [&](StringRef name, Attribute value) {
    facts.push_back(builder.getNamedAttr(name, value));
  };
  auto number = [&](int64_t value) -> Attribute {
    return builder.getI64IntegerAttr(value);
  };
  auto dictionary =
      [&](ArrayRef<std::pair<StringRef, Attribute>> list) -> Attribute {
    SmallVector<NamedAttribute> named;
    for (const auto &[name, value] : list)
      named.push_back(builder.getNamedAttr(name, value));
    return builder.getDictionaryAttr(named);
  };
  // Pairs along (rows, columns) of D.
  auto pair = [&](int64_t rows, int64_t columns) -> Attribute {
    if (variant.swapped)
      std::swap(rows, columns);
    return builder.getI64ArrayAttr({rows, columns});
  };
  std::string name;
  llvm::raw_string_ostream(name) << schedule;
  add("schedule", builder.getStringAttr(name));
  add("block", builder.getI64ArrayAttr({parts.threads, 1, 1}));
  if (parts.clusterSize > 1)
    add("cluster", builder.getI64ArrayAttr({parts.clusterSize, 1, 1}));
  ArrayRef<int64_t> tile = schedule.getTile();
  add("grid", dictionary({{"tile", pair(tile[0], tile[1])},
                          {"cluster_tile", pair(schedule.getClusterM(),
                                                schedule.getClusterN())},
                          {"persistent", builder.getBoolAttr(true)}}));

  SmallVector<Attribute> requirements, maps;
  for (const TensorOperand *operand : {&variant.left, &variant.right}) {
    int64_t bytes = operand->elementType.getIntOrFloatBitWidth() / 8;
    StringAttr letter = builder.getStringAttr(nameOf(*operand));
    const TmaBoxes &boxes =
        (operand == &variant.left ? parts.left : parts.right).boxes;
    requirements.push_back(
        dictionary({{"operand", letter},
                    {"unit_stride", number(operand->contiguous)},
                    {"alignment", number(16)},
                    {"stride_multiple", number(16 / bytes)},
                    {"extent_multiple", number(1)}}));
    maps.push_back(dictionary(
        {{"operand", letter},
         {"contiguous", number(operand->contiguous)},
         {"box", builder.getI64ArrayAttr({boxes.inner, boxes.outer})},
         {"swizzle", number(boxes.swizzleBytes)},
         {"batched", builder.getBoolAttr(operand->batched)}}));
  }
  int64_t contiguousD = variant.toProblem(variant.contiguousD);
  int64_t bytesD = variant.elementTypeD.getIntOrFloatBitWidth() / 8;
  requirements.push_back(
      dictionary({{"operand", builder.getStringAttr("D")},
                  {"unit_stride", number(contiguousD)},
                  {"alignment", number(bytesD * variant.vectorD)},
                  {"stride_multiple", number(variant.vectorD)},
                  {"extent_multiple", number(variant.vectorD)}}));
  if (variant.vectorC > 1)
    requirements.push_back(
        dictionary({{"operand", builder.getStringAttr("C")},
                    {"unit_stride", number(variant.contiguousC)},
                    {"alignment", number(bytesD * variant.vectorC)},
                    {"stride_multiple", number(variant.vectorC)},
                    {"extent_multiple", number(variant.vectorC)}}));
  if (variant.tensorStore)
    maps.push_back(dictionary(
        {{"operand", builder.getStringAttr("D")},
         {"contiguous", number(contiguousD)},
         {"box", builder.getI64ArrayAttr(
                     {parts.stagingBoxes.inner, parts.stagingBoxes.outer})},
         {"swizzle", number(parts.stagingBoxes.swizzleBytes)},
         {"batched", builder.getBoolAttr(variant.batched)},
         {"optional", builder.getBoolAttr(true)}}));
  add("requires", builder.getArrayAttr(requirements));
  add("tensor_maps", builder.getArrayAttr(maps));
  add("shared_bytes", number(0));
  add("programmatic_launch", builder.getBoolAttr(schedule.getOverlap() == 1));
  KernelCost cost =
      getCost(schedule, variant.left.elementType.getIntOrFloatBitWidth() / 8,
              /*alignedPitch=*/true);
  add("cost", dictionary({{"fixed_ns", builder.getF64FloatAttr(cost.fixed)},
                          {"tile_ns", builder.getF64FloatAttr(cost.tile)},
                          {"k_ns", builder.getF64FloatAttr(cost.k)},
                          {"bytes_ns", builder.getF64FloatAttr(cost.bytes)}}));
  parameters.appendFacts(builder, facts);
  return builder.getDictionaryAttr(facts);
}

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
  rankM = rank / schedule.getClusterN();
  rankN = rank % schedule.getClusterN();

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

/// Loads part `part` of `blocks` of the tile whose rows start at `first`.
void KernelBuilder::load(const TensorOperand &operand, const OperandRing &tile,
                         View ring, Val map, Val first, Val k, Val batch,
                         PipelineState state, Val part, int64_t blocks,
                         Val mask) {
  View stage =
      ring.reshape(tile.byBlock).at({Leaf(toIndex(part)), Leaf(state.stage())});
  const Layout &layout = stage.getType().getLayout();
  if (blocks > 1) {
    // Parts divide rows, or K where the rows are contiguous.
    if (operand.kMajor)
      first = first + part * layout[0].size().getValue();
    else
      k = k + part * layout[1].size().getValue();
  }
  SmallVector<Val> coords = operand.kMajor
                                ? coordinates(k, first, batch, operand.batched)
                                : coordinates(first, k, batch, operand.batched);
  tmaLoad(map, coords, stage, pipeline, state, operand.kMajor ? 1 : 0, mask);
}

void KernelBuilder::producer() {
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
  forRange(scope, cluster, clusters, clusterCount, {start.get()},
           [&](Val id, ArrayRef<Val> carried) -> SmallVector<Val> {
             OutputTile tile = locate(id);
             return forLoop(
                 scope, kBlocks, carried,
                 [&](Val block, ArrayRef<Val> carried) -> SmallVector<Val> {
                   PipelineState state(carried[0]);
                   pipeline.acquire(state, bytes);
                   Val k = block * parts.tileK + kOrigin;
                   load(variant.left, parts.left, ringLeft, argument(at.left),
                        tile.row, k, tile.batch, state, rankN, clusterN,
                        maskLeft);
                   load(variant.right, parts.right, ringRight,
                        argument(at.right), tile.column, k, tile.batch, state,
                        rankM, clusterM, maskRight);
                   return {state.advance().get()};
                 });
           });
  // The next grid may be set up while the last tiles are computed; not before,
  // as its blocks would then be spread over the multiprocessors as these come
  // free, and blocks that share operands no longer be neighbours.
  launchDependents(scope);
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// The sum over K of one output tile, as the thread's fragment.
Val KernelBuilder::mainLoop(PipelineState &state, Val warpgroup, Val thread) {
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
  SmallVector<Val> last = forRange(
      scope, i32(1), kBlocks, i32(1), {acc, state.advance().get(), state.get()},
      [&](Val, ArrayRef<Val> carried) -> SmallVector<Val> {
        PipelineState state(carried[1]), previous(carried[2]);
        pipeline.wait(state);
        Val acc = warpgroupMma(stage(left, mine, state), stage(right, 0, state),
                               carried[0]);
        // With one multiply running, the one before is over: its stage is free.
        acc = warpgroupWait(acc, /*pending=*/single ? 0 : 1);
        release(single ? state : previous, releases);
        return {acc, state.advance().get(), state.get()};
      });
  if (pingPong) {
    // The other consumer may start as soon as this one has issued.
    Val other = i32(1) - warpgroup;
    order.commit(order.start(other));
  }
  Val fragment = accumulatorFragment(warpgroupWait(last[0], /*pending=*/0));
  if (!single)
    release(PipelineState(last[2]), releases);
  state = PipelineState(last[1]);
  return fragment;
}

void KernelBuilder::consumer() {
  waitForGrids(scope);
  Type type = builder.getI32Type();
  Val thread = threadId(scope).cast(type);
  Val warpgroup = broadcastFirst(thread / WgmmaAttr::kThreads) - 1;
  thread = thread % WgmmaAttr::kThreads;
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
  PipelineState start = pipeline.start(warpgroup * skipped);
  forRange(scope, first, clusters, step, {start.get(), turn},
           [&](Val id, ArrayRef<Val> carried) -> SmallVector<Val> {
             PipelineState state(carried[0]);
             Val turn = carried[1];
             OutputTile tile = locate(id);
             if (pingPong) {
               order.wait(order.start(turn));
               turn = turn + 2;
             }
             Val fragment = mainLoop(state, warpgroup, thread);
             if (pingPong)
               state = state.advance(kBlocks);
             epilogue(fragment, tile, warpgroup, thread);
             return {state.get(), turn};
           });
  if (variant.tensorStore)
    ifThen(scope, equal(thread, i32(0)),
           [&] { waitStores(scope, 0, /*read=*/false); });
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

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
Iterator KernelBuilder::iterate(View view, const OutputTile &tile,
                                Val warpgroup, Val thread) {
  Val row = tile.row;
  if (!pingPong)
    row = row + warpgroup * parts.consumerRows;
  return view.iterate(Leaf(toIndex(row), parts.consumerRows),
                      Leaf(toIndex(tile.column), 8), toIndex(thread),
                      parts.accumulator.getMap(),
                      Walk{IteratorType::kNoAdvance, /*predicated=*/true});
}

KernelBuilder::Finish KernelBuilder::finishing(Val fragment,
                                               const OutputTile &tile,
                                               Val warpgroup, Val thread) {
  Iterator loadC;
  Val beta;
  if (variant.hasC) {
    int64_t contiguous =
        variant.contiguousC < 0 ? -1 : variant.toProblem(variant.contiguousC);
    View c = globalView('C', at.dataC, at.strideC, at.batchC, contiguous,
                        tile.batch, variant.vectorC);
    beta = argument(at.beta);
    Val unread = equal(beta, floatConstant(scope, beta.getType(), 0.0));
    loadC = iterate(c, tile, warpgroup, thread).clearMask(unread);
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

/// Stores each thread's elements from registers, where they lie in D.
void KernelBuilder::storeDirect(Val fragment, const OutputTile &tile,
                                Val warpgroup, Val thread) {
  View d = globalView('D', at.dataD, at.strideD, at.batchD, variant.contiguousD,
                      tile.batch, variant.vectorD);
  Iterator store = iterate(d, tile, warpgroup, thread);
  Finish finish = finishing(fragment, tile, warpgroup, thread);
  int64_t size = parts.accumulator.getFragmentType().getNumElements();
  // In parts, so that C needs few registers at a time.
  constexpr int64_t kPart = 32;
  for (int64_t first = 0; first < size; first += kPart) {
    int64_t count = std::min(kPart, size - first);
    store.store(finish(first, count), first / kPair, count / kPair);
  }
}

/// Stages chunks in shared memory and stores them as tensor copies.
void KernelBuilder::storeTensor(Val fragment, const OutputTile &tile,
                                Val warpgroup, Val thread) {
  Finish finish = finishing(fragment, tile, warpgroup, thread);
  Val leader = equal(thread, i32(0));
  // Barrier 0 is that of the block.
  Val barrierId = warpgroup + 1;
  Val row = tile.row;
  if (!pingPong)
    row = row + warpgroup * parts.consumerRows;
  int64_t columns = schedule.getTile()[1], width = parts.chunkColumns;
  int64_t atoms = parts.accumulator.getCount()[0];
  struct Chunk {
    int64_t atom, column;
  };
  // A last chunk that would be narrower starts further left and stores some
  // columns twice, with the same values.
  SmallVector<Chunk> chunks;
  for (int64_t atom = 0; atom < atoms; ++atom)
    for (int64_t column = 0; column < columns; column += width)
      chunks.push_back({atom, std::min(column, columns - width)});
  size_t group = parts.stagingGroup;
  int64_t slots = parts.stagingBuffers / parts.stagingGroup;
  for (size_t begin = 0; begin < chunks.size(); begin += group) {
    size_t end = std::min(chunks.size(), begin + group);
    // Only the copies from other buffers may still be reading. The first group
    // waits for all of the tile before.
    int64_t slot = static_cast<int64_t>(begin / group) % slots;
    ifThen(scope, leader, [&] {
      waitStores(scope, begin == 0 ? 0 : slots - 1, /*read=*/true);
    });
    namedBarrier(barrierId, WgmmaAttr::kThreads);
    SmallVector<View> views;
    for (size_t i = begin; i < end; ++i) {
      View view = staging.at(
          {Leaf(slot * parts.stagingGroup + static_cast<int64_t>(i - begin)),
           Leaf(toIndex(warpgroup))});
      views.push_back(view);
      int64_t first = chunks[i].atom * columns / 2 + chunks[i].column / 2;
      storeMatrix(finish(first, width / 2), view, toIndex(thread));
    }
    fenceAsyncShared(scope);
    namedBarrier(barrierId, WgmmaAttr::kThreads);
    ifThen(scope, leader, [&] {
      for (size_t i = begin; i < end; ++i) {
        Val chunkRow = row + chunks[i].atom * WgmmaAttr::kM;
        Val chunkColumn = tile.column + chunks[i].column;
        SmallVector<Val> coords =
            variant.contiguousD == 1 ? coordinates(chunkColumn, chunkRow,
                                                   tile.batch, variant.batched)
                                     : coordinates(chunkRow, chunkColumn,
                                                   tile.batch, variant.batched);
        tmaStore(views[i - begin], argument(at.storeMap), coords,
                 variant.contiguousD);
      }
      commitStores(scope);
    });
  }
}

void KernelBuilder::epilogue(Val fragment, const OutputTile &tile,
                             Val warpgroup, Val thread) {

  if (!variant.tensorStore)
    return storeDirect(fragment, tile, warpgroup, thread);
  // A tensor copy clips at 16 bytes: it must not be the one that reaches the
  // end of a row that ends between.
  bool byRow = variant.contiguousD == 1;
  Val extent = byRow ? n : m;
  Val end = byRow ? tile.column + schedule.getTile()[1]
                  : tile.row + schedule.getTile()[0];
  Val inside = either(extent >= end, equal(extent % 8, i32(0)));
  Val legal = equal(argument(at.storeLegal), i32(1));
  ifThen(
      scope, both(legal, inside),
      [&] { storeTensor(fragment, tile, warpgroup, thread); },
      [&] { storeDirect(fragment, tile, warpgroup, thread); });
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
  // Nobody leaves while others still write into its shared memory.
  if (parts.clusterSize > 1)
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
