// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of the multistage schedule, in the embedded language.
#include "EpilogueOperands.h"
#include "Multistage.h"

#include "tile/DSL/Epilogue.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Sums that are finished at a time: of single elements, which have addresses
/// and predicates each, fewer.
static constexpr int64_t kEpiloguePiece = 32, kScalarPiece = 4;
/// What a tile is aligned to, so that its rows begin in bank 0; where it is
/// swizzled, also to what the swizzle repeats after.
static constexpr int64_t kSharedAlignment = 128;

namespace {

/// What a kernel is made for, and of.
struct KernelContext {
  GemmOp gemm;
  MultistageScheduleAttr schedule;
  const MultistageVariant &variant;
  const MultistageParts &parts;

  Type getElementType(const OperandAssumption &operand) const {
    GemmOp gemm = this->gemm;
    Value value = operand.name == 'A'   ? gemm.getA()
                  : operand.name == 'B' ? gemm.getB()
                                        : gemm.getD();
    return cast<MemRefType>(value.getType()).getElementType();
  }
  /// Alpha and beta are floats, also where sums are integers.
  Type getScalarType() const {
    Type sum = parts.atom.getAcc();
    return sum.isF64() ? sum : Float32Type::get(sum.getContext());
  }
  SmallVector<OperandAssumption> getOperands() const {
    SmallVector<OperandAssumption> operands{variant.a, variant.b};
    if (variant.hasC)
      operands.push_back(variant.c);
    operands.push_back(variant.d);
    return operands;
  }
  MatrixParameters getMatrix(const OperandAssumption &operand) const {
    return {std::string(1, operand.name), operand.transposed, operand.unitDim,
            variant.batched};
  }
  /// The parameter that says how much of K an operand along K has.
  std::string getDepth(const OperandAssumption &operand) const {
    return llvm::formatv("{0}.extent[{1}]", operand.name,
                         operand.toProblem(operand.unitDim))
        .str();
  }
  int64_t getTile(int64_t side) const { return schedule.getTile()[side]; }
  /// Extents of a warp's part of the tile.
  int64_t getWarpTile(int64_t side) const {
    return getTile(side) / schedule.getWarps()[side];
  }
};

} // namespace

static KernelParameters declare(const KernelContext &context) {
  MLIRContext *mlirContext = context.schedule.getContext();
  KernelParameters parameters;
  for (const OperandAssumption &operand : context.getOperands())
    context.getMatrix(operand).declare(mlirContext, parameters);
  declareEpilogueOperands(context.gemm, context.variant.swapped, parameters);
  Type i64 = IntegerType::get(mlirContext, 64);
  bool isSwapped = context.variant.swapped;
  parameters.add(i64, isSwapped ? "N" : "M");
  parameters.add(i64, isSwapped ? "M" : "N");
  if (context.variant.takesCopies) {
    parameters.add(i64, context.getDepth(context.variant.a));
    parameters.add(i64, context.getDepth(context.variant.b));
  } else {
    parameters.add(i64, "K");
  }
  parameters.add(context.getScalarType(), "alpha");
  parameters.add(context.getScalarType(), "beta");
  return parameters;
}

/// The launch facts that the artifact and the runtime need.
static LaunchFacts makeFacts(const KernelContext &context,
                             const KernelParameters &parameters) {
  LaunchFacts facts;
  facts.schedule = getScheduleText(context.schedule);
  GridFacts &grid = facts.grid.emplace();
  grid.tile = {context.getTile(0), context.getTile(1)};
  if (context.variant.swapped)
    std::swap(grid.tile[0], grid.tile[1]);
  facts.parameters = parameters.parameters;
  if (context.schedule.getTf32())
    facts.factors = "tf32";
  for (const OperandAssumption &operand : context.getOperands()) {
    if (operand.unitDim < 0)
      continue;
    int64_t bits = context.getElementType(operand).getIntOrFloatBitWidth();
    OperandRequirement &requirement = facts.requirements.emplace_back();
    requirement.operand.name = std::string(1, operand.name);
    requirement.unitStride = operand.toProblem(operand.unitDim);
    requirement.alignment = operand.vector * bits / 8;
    requirement.strideMultiple = requirement.extentMultiple = operand.vector;
  }
  facts.cost = makeCostFacts(getMultistageCost(
      context.schedule, context.getElementType(context.variant.a),
      context.variant, *context.parts.chip));
  return facts;
}

/// A name that tells the variants of a schedule apart.
static std::string getName(const KernelContext &context) {
  const MultistageVariant &variant = context.variant;
  auto letter = [](const OperandAssumption &operand) {
    return operand.unitDim < 0                       ? 'x'
           : operand.toProblem(operand.unitDim) == 1 ? 'r'
                                                     : 'c';
  };
  const OperandAssumption &a = variant.swapped ? variant.b : variant.a,
                          &b = variant.swapped ? variant.a : variant.b;
  std::string types;
  llvm::raw_string_ostream stream(types);
  stream << getMultistageFactorType(context.getElementType(a));
  if (context.getElementType(b) != context.getElementType(a))
    stream << getMultistageFactorType(context.getElementType(b));
  stream << '_' << context.getElementType(variant.d);
  ArrayRef<int64_t> tile = context.schedule.getTile();
  return llvm::formatv("multistage_{0}x{1}x{2}_s{3}_{4}_{5}{6}{7}_v{8}_d{9}",
                       tile[0], tile[1], context.parts.tileK,
                       context.schedule.getStages(), types, letter(a),
                       letter(b), letter(variant.d), variant.a.vector,
                       variant.d.vector)
             .str() +
         (variant.copy == TileCopy::Registers ? "_registers" : "");
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// The layout of all stages, as (rows, columns, stages).
static ComposedLayout addStages(const MultistageOperand &operand,
                                int64_t stages, bool isTransposed) {
  const Layout &layout = operand.layout.getLayout();
  auto mode = [&](int64_t dim) { return layout[isTransposed ? 1 - dim : dim]; };
  Result<Layout> all =
      Layout::get(IntTuple::tuple({mode(0).getShape(), mode(1).getShape(),
                                   IntTuple(stages)}),
                  IntTuple::tuple({mode(0).getStride(), mode(1).getStride(),
                                   IntTuple(operand.stageElements)}));
  Result<ComposedLayout> composed =
      all ? ComposedLayout::get(operand.layout.getSwizzle(), Int(0), *all)
          : Result<ComposedLayout>(all.takeReason());
  return composed ? *composed : ComposedLayout();
}

static WarpOperand makeOperand(const KernelContext &context, Scope &scope,
                               const OperandAssumption &operand,
                               const MultistageOperand &shared, Iterator global,
                               Val warp, int64_t side) {
  int64_t stages = context.schedule.getStages();
  Type type = context.getElementType(operand);
  int64_t period = shared.layout.getSwizzle().getPeriod() *
                   (type.getIntOrFloatBitWidth() / 8);
  View ring = allocShared(scope, type, addStages(shared, stages, false),
                          std::max(kSharedAlignment, period));
  View stores = side == 0
                    ? ring
                    : ring.reshape(addStages(shared, stages, true).getLayout());
  int64_t rows = context.getWarpTile(side);
  return {global, ring, stores, warp * rows, rows};
}

/// The map of the sums: thread of the block, value -> (m, n).
static TVMapAttr getSumsMap(const KernelContext &context) {
  MmaSyncAttr atom = context.parts.atom;
  Layout layout = atom.getCLayout();
  ArrayRef<int64_t> shape = atom.getShape();
  auto append = [](IntTuple tuple, ArrayRef<IntTuple> more) {
    SmallVector<IntTuple> leaves(tuple.getLeaves());
    leaves.append(more.begin(), more.end());
    return IntTuple::tuple(leaves);
  };
  auto along = [](int64_t elements, int64_t dim) {
    return IntTuple::basis(Int(elements), {dim});
  };
  int64_t rows = context.getWarpTile(0), columns = context.getWarpTile(1);
  ArrayRef<int64_t> warps = context.schedule.getWarps();
  IntTuple threads = append(layout[0].getShape(),
                            {IntTuple(warps[0]), IntTuple(warps[1])}),
           values = append(layout[1].getShape(), {IntTuple(columns / shape[1]),
                                                  IntTuple(rows / shape[0])});
  IntTuple threadStrides = append(layout[0].getStride(),
                                  {along(rows, 0), along(columns, 1)}),
           valueStrides = append(layout[1].getStride(),
                                 {along(shape[1], 1), along(shape[0], 0)});
  Result<Layout> all =
      Layout::get(IntTuple::tuple({threads, values}),
                  IntTuple::tuple({threadStrides, valueStrides}));
  return TVMapAttr::get(atom.getContext(),
                        {context.getTile(0), context.getTile(1)},
                        all ? *all : Layout());
}

/// The sums of a tile. An empty sum reads neither A nor B, so that nobody has
/// asked how these are aligned: not even a copy of no bytes may start.
static Val multiply(Scope &scope, const WarpMainloop &loop, Type type,
                    int64_t size) {
  OpBuilder &builder = scope.builder;
  Val isAny = indexConstant(scope, 0) < loop.tiles;
  auto branch = scf::IfOp::create(builder, scope.loc,
                                  TypeRange{VectorType::get({size}, type)},
                                  isAny.get(), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, scope.loc, warpMultistage(scope, loop).get());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, scope.loc, zeros(scope, type, size).get());
  return Val(scope, branch.getResult(0));
}

static Epilogue makeEpilogue(const KernelContext &context, Scope &scope,
                             const KernelArguments &arguments, View c, View d,
                             Val thread, Val m, Val n) {
  Val alpha = arguments["alpha"], beta = arguments["beta"];
  Epilogue epilogue;
  epilogue.map = getSumsMap(context);
  epilogue.thread = thread;
  epilogue.rowDivisor = context.getTile(0);
  epilogue.columnDivisor = context.getTile(1);
  epilogue.piece =
      context.variant.d.vector == 1 ? kScalarPiece : kEpiloguePiece;
  bool isInteger = context.parts.atom.getAcc().isInteger();
  GemmOp gemm = context.gemm;
  epilogue.body =
      gemm.hasEpilogue()
          ? regionBody(gemm.getEpilogue(), alpha)
          : linearCombination(isInteger ? Val() : alpha, beta,
                              context.getElementType(context.variant.d));
  epilogue.target = [d](Val) { return d; };
  if (context.variant.hasC)
    epilogue.sources.push_back(
        {[c](Val) { return c; }, gemm.hasEpilogue() ? Val() : beta});
  addEpilogueOperands(scope, gemm, context.variant.swapped, arguments, m, n,
                      /*pairs=*/false, epilogue);
  return epilogue;
}

static TileScheduler makeScheduler(const KernelContext &context, Scope &scope,
                                   Val m, Val n) {
  TileOrder order;
  order.tileM = context.getTile(0);
  order.tileN = context.getTile(1);
  order.swizzleSize = context.schedule.getSwizzleSize();
  order.alongM = context.schedule.getRasterOrder() == RasterOrder::M;
  return TileScheduler(scope, order, m, n, context.variant.batched);
}

static void buildBody(const KernelContext &context, Scope &scope,
                      const KernelArguments &arguments) {
  const MultistageVariant &variant = context.variant;
  const MultistageParts &parts = context.parts;
  Type index = scope.builder.getIndexType();
  auto getExtent = [&](StringRef name) { return arguments[name].cast(index); };
  Val m = getExtent(variant.swapped ? "N" : "M"),
      n = getExtent(variant.swapped ? "M" : "N");
  // alpha = 0 reads neither A nor B: the sum is empty.
  Val alpha = arguments["alpha"];
  Val none = equal(alpha, floatConstant(scope, alpha.getType(), 0.0));
  // Rows of copies end in zeros. With those of both, tiles begin at lines of
  // L2; one that is no copy ends at K.
  Val all = variant.takesCopies ? min(getExtent(context.getDepth(variant.a)),
                                      getExtent(context.getDepth(variant.b)))
                                : getExtent("K");
  Val k = select(none, indexConstant(scope, 0), all);
  TileScheduler tiles = makeScheduler(context, scope, m, n);
  OutputTile tile = tiles.locate(tiles.getFirst());
  Val thread = threadId(scope);

  // Accesses carry the operand's name in their location, for reports.
  auto named = [&](const OperandAssumption &operand, StringRef prefix = "") {
    std::string name = (prefix + StringRef(&operand.name, 1)).str();
    return Scope{scope.builder,
                 NameLoc::get(scope.builder.getStringAttr(name), scope.loc)};
  };
  auto view = [&](Scope &own, const OperandAssumption &operand, Val rows,
                  Val columns) {
    return arguments.makeView(own, context.getMatrix(operand),
                              context.getElementType(operand), {rows, columns},
                              operand.vector, tile.batch);
  };
  Scope scopeA = named(variant.a), scopeB = named(variant.b),
        scopeC = named(variant.c), scopeD = named(variant.d);
  Scope sharedA = named(variant.a, "shared "),
        sharedB = named(variant.b, "shared ");
  View a = view(scopeA, variant.a, m, k), b = view(scopeB, variant.b, k, n), c;
  if (variant.hasC)
    c = view(scopeC, variant.c, m, n);
  View d = view(scopeD, variant.d, m, n);

  int64_t tileM = context.getTile(0), tileN = context.getTile(1);
  Val warp = thread / MmaSyncAttr::kThreads;
  int64_t warpsM = context.schedule.getWarps()[0];
  WarpMainloop loop;
  loop.atom = parts.atom;
  loop.a = makeOperand(
      context, sharedA, variant.a, parts.a,
      a.iterate(Leaf(tile.row, tileM), 0, thread, parts.a.map, Walk{1, true}),
      warp % warpsM, 0);
  loop.b = makeOperand(context, sharedB, variant.b, parts.b,
                       b.iterate(0, Leaf(tile.column, tileN), thread,
                                 parts.b.map, Walk{0, true}),
                       warp / warpsM, 1);
  loop.copy = variant.copy;
  loop.stages = context.schedule.getStages();
  loop.steps = parts.tileK / parts.atom.getShape()[2];
  loop.tiles = ceilDiv(k, parts.tileK);
  loop.thread = thread;
  Val sums =
      multiply(scope, loop, parts.atom.getAcc(), tileM * tileN / parts.threads);
  emitEpilogue(scope,
               makeEpilogue(context, scope, arguments, c, d, thread, m, n),
               sums, tile);
}

gpu::GPUFuncOp tile::buildMultistageKernel(GemmOp gemm,
                                           MultistageScheduleAttr schedule,
                                           const MultistageVariant &variant,
                                           const MultistageParts &parts,
                                           gpu::GPUModuleOp module) {
  KernelContext context{gemm, schedule, variant, parts};
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  KernelParameters parameters = declare(context);
  gpu::GPUFuncOp kernel = createKernel(module, gemm.getLoc(), getName(context),
                                       parameters, parts.threads);
  kernel->setAttr("nvvm.minctasm",
                  builder.getI32IntegerAttr(schedule.getMinBlocks()));
  setLaunchFacts(kernel, makeFacts(context, parameters));
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Scope scope{builder, gemm.getLoc()};
  KernelArguments arguments(scope, parameters,
                            kernel.getBody().front().getArguments());
  buildBody(context, scope, arguments);
  gpu::ReturnOp::create(builder, gemm.getLoc());
  return kernel;
}
