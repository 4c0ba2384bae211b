// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of the SIMT schedule, in the embedded language.
#include "EpilogueOperands.h"
#include "Simt.h"

#include "tile/DSL/Epilogue.h"
#include "tile/DSL/Mainloop.h"
#include "tile/DSL/Warpgroup.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

static MatrixParameters getMatrix(const OperandAssumption &operand,
                                  bool batched) {
  return {std::string(1, operand.name), operand.transposed, operand.unitDim,
          batched};
}

static KernelParameters declare(GemmOp gemm, const SimtVariant &variant,
                                Type sumType) {
  MLIRContext *context = sumType.getContext();
  KernelParameters parameters;
  SmallVector<OperandAssumption> operands{variant.a, variant.b};
  if (variant.hasC)
    operands.push_back(variant.c);
  operands.push_back(variant.d);
  for (const OperandAssumption &operand : operands)
    getMatrix(operand, variant.batched).declare(context, parameters);
  declareEpilogueOperands(gemm, variant.swapped, parameters);
  Type i64 = IntegerType::get(context, 64);
  parameters.add(i64, variant.swapped ? "N" : "M");
  parameters.add(i64, variant.swapped ? "M" : "N");
  parameters.add(i64, "K");
  parameters.add(sumType, "alpha");
  parameters.add(sumType, "beta");
  return parameters;
}

/// The launch facts that the artifact and the runtime need.
static LaunchFacts makeFacts(SimtScheduleAttr schedule,
                             const SimtVariant &variant, const Chip &chip,
                             const KernelParameters &parameters,
                             Type elementType, Type elementTypeD) {
  LaunchFacts facts;
  facts.schedule = getScheduleText(schedule);
  ArrayRef<int64_t> tile = schedule.getTile();
  GridFacts &grid = facts.grid.emplace();
  grid.tile = {tile[0], tile[1]};
  if (variant.swapped)
    std::swap(grid.tile[0], grid.tile[1]);
  grid.split = facts.cluster[0] = schedule.getSplitK();
  facts.parameters = parameters.parameters;
  SmallVector<OperandAssumption> operands{variant.a, variant.b, variant.d};
  if (variant.hasC)
    operands.push_back(variant.c);
  for (const OperandAssumption &operand : operands) {
    if (operand.unitDim < 0)
      continue;
    bool isFactor = operand.name == 'A' || operand.name == 'B';
    int64_t bits =
        (isFactor ? elementType : elementTypeD).getIntOrFloatBitWidth();
    OperandRequirement &requirement = facts.requirements.emplace_back();
    requirement.operand.name = std::string(1, operand.name);
    requirement.unitStride = operand.toProblem(operand.unitDim);
    requirement.alignment = operand.vector * bits / 8;
    requirement.strideMultiple = requirement.extentMultiple = operand.vector;
  }
  // Kernels for the tensor cores state one too, with which it is compared.
  if (elementType.getIntOrFloatBitWidth() == 16)
    facts.cost = makeCostFacts(getSimtCost(schedule, variant, chip));
  return facts;
}

/// A name that tells the variants of a schedule apart.
static std::string kernelName(SimtScheduleAttr schedule,
                              const SimtVariant &variant, Type elementType,
                              Type elementTypeD) {
  auto letter = [](const OperandAssumption &operand) {
    return operand.unitDim < 0                       ? 'x'
           : operand.toProblem(operand.unitDim) == 1 ? 'r'
                                                     : 'c';
  };
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t vector = std::max(variant.a.vector, variant.b.vector);
  std::string stages;
  if (schedule.getStages() > 0) {
    vector = std::max(vector, variant.d.vector);
    stages = "_s" + std::to_string(schedule.getStages());
  }
  if (schedule.getSplitK() > 1)
    stages += "_k" + std::to_string(schedule.getSplitK());
  // Kernels of f32 and of f64 go without a type, as they have always done.
  std::string types;
  llvm::raw_string_ostream stream(types);
  if (elementType.getIntOrFloatBitWidth() == 16)
    stream << elementType << '_';
  if (elementTypeD != elementType)
    stream << elementTypeD << '_';
  return llvm::formatv("simt_{0}x{1}x{2}_{8}{3}{4}{5}_v{6}{7}", tile[0],
                       tile[1], tile[2],
                       letter(variant.swapped ? variant.b : variant.a),
                       letter(variant.swapped ? variant.a : variant.b),
                       letter(variant.d), vector, stages, types)
      .str();
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

namespace {

/// What the body of a kernel is made for, and of.
struct KernelContext {
  Scope &scope;
  GemmOp gemm;
  SimtScheduleAttr schedule;
  const SimtVariant &variant;
  const SimtParts &parts;
  const KernelArguments &arguments;
  /// Element types of A and B, and of C and D.
  Type elementType, elementTypeD;

  Val getExtent(StringRef name) const {
    return arguments[name].cast(scope.builder.getIndexType());
  }
};

} // namespace

static TileScheduler makeScheduler(const KernelContext &context, Val m, Val n) {
  TileOrder order;
  order.tileM = context.schedule.getTile()[0];
  order.tileN = context.schedule.getTile()[1];
  order.swizzleSize = context.schedule.getSwizzleSize();
  order.splitK = context.schedule.getSplitK();
  return TileScheduler(context.scope, order, m, n, context.variant.batched);
}

/// One operand of the main loop: its walk over `global`, and its tiles in
/// shared memory, with (M or N) contiguous, so that fragments are, too.
static MainloopOperand makeOperand(const OperandAssumption &operand,
                                   Iterator global, View shared,
                                   ThreadMapAttrInterface map,
                                   TVMapAttr fragment, Val thread,
                                   int64_t tileK, int64_t pitch) {
  return {StringRef(&operand.name, 1),
          global,
          shared.stage(0).iterate(0, 0, thread, map, Walk{}),
          shared.stage(0).iterate(0, 0, thread, fragment, Walk{}),
          /*stageStride=*/pitch * tileK,
          /*stepStride=*/pitch};
}

/// The sum where asynchronous copies fill stages. An empty one reads neither A
/// nor B, so that nobody has asked how these are aligned: not even a copy of no
/// bytes may start.
static FailureOr<Val> sumByStages(Scope &scope, const Mainloop &loop,
                                  int64_t stages, Val acc) {
  OpBuilder &builder = scope.builder;
  Val isAny = indexConstant(scope, 0) < loop.tiles;
  auto branch =
      scf::IfOp::create(builder, scope.loc, TypeRange{acc.get().getType()},
                        isAny.get(), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  FailureOr<Val> sum = mmaMultistage(scope, loop, stages, acc);
  if (failed(sum))
    return failure();
  scf::YieldOp::create(builder, scope.loc, sum->get());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, scope.loc, acc.get());
  return Val(scope, branch.getResult(0));
}

namespace {

/// The part of K that a block sums up: where it begins and ends, and the tiles
/// between.
struct PartOfK {
  Leaf begin;
  Val end, tiles;
};

} // namespace

/// The part of block `rank` of those that share a tile: whole tiles of K, as
/// many for each but the last, which may have fewer or none.
static PartOfK getPart(const KernelContext &context, Val k, Val rank) {
  int64_t tileK = context.schedule.getTile()[2],
          split = context.schedule.getSplitK();
  if (split == 1)
    return {0, k, ceilDiv(k, tileK)};
  Val size = ceilDiv(ceilDiv(k, tileK), split) * tileK;
  Val begin = rank.cast(k.getType()) * size;
  Val end = min(k, begin + size);
  Val tiles = select(begin < end, ceilDiv(end - begin, tileK), k.constant(0));
  return {Leaf(begin, tileK), end, tiles};
}

/// The sums of a tile over a part of K; fails after an error.
static FailureOr<Val> multiply(const KernelContext &context, View a, View b,
                               const OutputTile &tile, const PartOfK &part,
                               Val thread) {
  Scope &scope = context.scope;
  const SimtParts &parts = context.parts;
  ArrayRef<int64_t> extents = context.schedule.getTile();
  auto named = [&](StringRef name) {
    return Scope{scope.builder,
                 NameLoc::get(scope.builder.getStringAttr(name), scope.loc)};
  };
  Scope scopeSharedA = named("shared A"), scopeSharedB = named("shared B");
  View sharedA = allocShared(scopeSharedA, context.elementType,
                             {extents[0], extents[2], parts.stages},
                             {1, parts.pitchA, parts.pitchA * extents[2]});
  View sharedB = allocShared(scopeSharedB, context.elementType,
                             {extents[2], extents[1], parts.stages},
                             {parts.pitchB, 1, parts.pitchB * extents[2]});
  auto atom = cast<MmaAtomAttrInterface>(parts.mma);
  MLIRContext *mlirContext = scope.builder.getContext();
  auto fragmentA =
      TVMapAttr::get(mlirContext, {extents[0], 1}, atom.getALayout());
  auto fragmentB =
      TVMapAttr::get(mlirContext, {1, extents[1]}, atom.getBLayout());
  Mainloop loop{atom,
                makeOperand(context.variant.a,
                            a.iterate(Leaf(tile.row, extents[0]), part.begin,
                                      thread, parts.mapA, Walk{1, true}),
                            sharedA, parts.mapA, fragmentA, thread, extents[2],
                            parts.pitchA),
                makeOperand(context.variant.b,
                            b.iterate(part.begin, Leaf(tile.column, extents[1]),
                                      thread, parts.mapB, Walk{0, true}),
                            sharedB, parts.mapB, fragmentB, thread, extents[2],
                            parts.pitchB),
                /*steps=*/extents[2], part.tiles};
  Val acc = zeros(scope, getSimtSumType(context.elementType),
                  parts.mma.getThread()[0] * parts.mma.getThread()[1]);
  return context.schedule.getStages() > 0
             ? sumByStages(scope, loop, context.schedule.getStages(), acc)
             : mmaPipelined(scope, loop, acc);
}

/// The map of a thread's sums in the tile.
static TVMapAttr getSumsMap(const KernelContext &context) {
  ArrayRef<int64_t> tile = context.schedule.getTile();
  auto atom = cast<MmaAtomAttrInterface>(context.parts.mma);
  return TVMapAttr::get(context.scope.builder.getContext(), {tile[0], tile[1]},
                        atom.getCLayout());
}

/// Adds up the sums of the blocks that share a tile, each a part of its rows:
/// its own sums first, then those of the blocks after it, in a ring.
static Val addParts(const KernelContext &context, Val sums, Val rank,
                    Val thread) {
  Scope &scope = context.scope;
  ArrayRef<int64_t> tile = context.schedule.getTile();
  int64_t split = context.schedule.getSplitK();
  Scope named{
      scope.builder,
      NameLoc::get(scope.builder.getStringAttr("sums of a block"), scope.loc)};
  View all = allocShared(named, getSimtSumType(context.elementType),
                         {tile[0], tile[1]}, {tile[1], 1});
  all.iterate(0, 0, thread, getSumsMap(context), Walk{}).store(sums);
  clusterBarrier(scope);
  int64_t rows = tile[0] / split;
  Leaf firstRow(rank.cast(scope.builder.getIndexType()) * rows, rows);
  auto load = [&](View view) {
    return view.iterate(firstRow, 0, thread, context.parts.mapPart, Walk{})
        .load();
  };
  Val sum = load(all);
  for (int64_t next = 1; next < split; ++next)
    sum = addf(sum, load(clusterView(all, (rank + next) % split)));
  // No block may end while others read its memory.
  clusterBarrier(scope);
  return sum;
}

static Epilogue makeEpilogue(const KernelContext &context, View c, View d,
                             Val thread) {
  ArrayRef<int64_t> tile = context.schedule.getTile();
  Val alpha = context.arguments["alpha"], beta = context.arguments["beta"];
  Epilogue epilogue;
  bool isSplit = context.schedule.getSplitK() > 1;
  epilogue.map = isSplit ? context.parts.mapPart : getSumsMap(context);
  epilogue.thread = thread;
  epilogue.rowDivisor = tile[0] / context.schedule.getSplitK();
  epilogue.columnDivisor = tile[1];
  // A row of the thread's at a time.
  epilogue.piece = context.parts.mma.getThread()[1];
  GemmOp gemm = context.gemm;
  epilogue.body = gemm.hasEpilogue()
                      ? regionBody(gemm.getEpilogue(), alpha)
                      : linearCombination(alpha, beta, context.elementTypeD);
  epilogue.target = [d](Val) { return d; };
  if (context.variant.hasC)
    epilogue.sources.push_back(
        {[c](Val) { return c; }, gemm.hasEpilogue() ? Val() : beta});
  bool swapped = context.variant.swapped;
  Val m = context.getExtent(swapped ? "N" : "M"),
      n = context.getExtent(swapped ? "M" : "N");
  addEpilogueOperands(context.scope, gemm, swapped, context.arguments, m, n,
                      /*pairs=*/false, epilogue);
  return epilogue;
}

/// Stages the body; fails after an error.
static LogicalResult buildBody(const KernelContext &context) {
  Scope &scope = context.scope;
  const SimtVariant &variant = context.variant;
  Val m = context.getExtent(variant.swapped ? "N" : "M"),
      n = context.getExtent(variant.swapped ? "M" : "N");
  // alpha = 0 reads neither A nor B: the sum is empty.
  Val alpha = context.arguments["alpha"];
  Val none = equal(alpha, floatConstant(scope, alpha.getType(), 0.0));
  Val k = select(none, indexConstant(scope, 0), context.getExtent("K"));
  TileScheduler tiles = makeScheduler(context, m, n);
  OutputTile tile = tiles.locate(tiles.getFirst());
  Val thread = threadId(scope);

  // Accesses carry the operand's name in their location, for reports.
  auto named = [&](const OperandAssumption &operand) {
    return Scope{scope.builder, NameLoc::get(scope.builder.getStringAttr(
                                                 StringRef(&operand.name, 1)),
                                             scope.loc)};
  };
  auto view = [&](Scope &own, const OperandAssumption &operand,
                  Type elementType, Val rows, Val columns) {
    return context.arguments.makeView(own, getMatrix(operand, variant.batched),
                                      elementType, {rows, columns},
                                      operand.vector, tile.batch);
  };
  Scope scopeA = named(variant.a), scopeB = named(variant.b),
        scopeC = named(variant.c), scopeD = named(variant.d);
  PartOfK part = getPart(context, k, tiles.getRank());
  View a = view(scopeA, variant.a, context.elementType, m, part.end),
       b = view(scopeB, variant.b, context.elementType, part.end, n), c;
  if (variant.hasC)
    c = view(scopeC, variant.c, context.elementTypeD, m, n);
  View d = view(scopeD, variant.d, context.elementTypeD, m, n);

  FailureOr<Val> sums = multiply(context, a, b, tile, part, thread);
  if (failed(sums))
    return failure();
  if (int64_t split = context.schedule.getSplitK(); split > 1) {
    sums = addParts(context, *sums, tiles.getRank(), thread);
    tile.row = tile.row + tiles.getRank().cast(tile.row.getType()) *
                              (context.schedule.getTile()[0] / split);
  }
  emitEpilogue(scope, makeEpilogue(context, c, d, thread), *sums, tile);
  return success();
}

gpu::GPUFuncOp tile::buildSimtKernel(GemmOp gemm, SimtScheduleAttr schedule,
                                     const SimtVariant &variant,
                                     const SimtParts &parts,
                                     gpu::GPUModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type elementType = cast<MemRefType>(gemm.getA().getType()).getElementType();
  Type elementTypeD = cast<MemRefType>(gemm.getD().getType()).getElementType();
  KernelParameters parameters =
      declare(gemm, variant, getSimtSumType(elementType));
  gpu::GPUFuncOp kernel =
      createKernel(module, gemm.getLoc(),
                   kernelName(schedule, variant, elementType, elementTypeD),
                   parameters, parts.threads);
  if (int64_t split = schedule.getSplitK(); split > 1)
    kernel->setAttr(
        "nvvm.cluster_dim",
        builder.getDenseI32ArrayAttr({static_cast<int32_t>(split), 1, 1}));
  kernel->setAttr("nvvm.minctasm",
                  builder.getI32IntegerAttr(schedule.getMinBlocks()));
  setLaunchFacts(kernel, makeFacts(schedule, variant, *parts.chip, parameters,
                                   elementType, elementTypeD));
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Scope scope{builder, gemm.getLoc()};
  KernelArguments arguments(scope, parameters,
                            kernel.getBody().front().getArguments());
  if (failed(buildBody({scope, gemm, schedule, variant, parts, arguments,
                        elementType, elementTypeD})))
    return nullptr;
  gpu::ReturnOp::create(builder, gemm.getLoc());
  return kernel;
}
