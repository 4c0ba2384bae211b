// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of the SIMT schedule, in the embedded language.
#include "Kernel.h"
#include "Simt.h"

#include "tile/DSL/Mainloop.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

namespace {

/// Positions of one operand's parameters; -1 where there is none.
struct OperandParameters {
  int data = -1, stride[2] = {-1, -1}, batchStride = -1;
};

} // namespace

static OperandParameters addOperand(KernelParameters &parameters,
                                    const OperandAssumption &operand,
                                    bool batched, MLIRContext *context) {
  OperandParameters result;
  std::string name(1, operand.name);
  Type i64 = IntegerType::get(context, 64);
  result.data =
      parameters.add(LLVM::LLVMPointerType::get(context, 1), name + ".data");
  for (int64_t dim : {0, 1})
    if (dim != operand.unitDim)
      result.stride[dim] = parameters.add(
          i64, name + ".stride[" + Twine(operand.toProblem(dim)) + "]");
  if (batched)
    result.batchStride = parameters.add(i64, name + ".batch_stride");
  return result;
}

/// The view of one operand for the current batch.
static View makeOperandView(Scope &scope, ValueRange arguments,
                            const OperandAssumption &operand,
                            const OperandParameters &parameters,
                            Type elementType, std::array<Val, 2> extents,
                            Val batch) {
  Type index = scope.builder.getIndexType();
  auto argument = [&](int position) {
    return Val(scope, arguments[position]).cast(index);
  };
  Val pointer(scope, arguments[parameters.data]);
  if (batch) {
    Val offset = (batch * argument(parameters.batchStride))
                     .cast(scope.builder.getI64Type());
    pointer =
        Val(scope, LLVM::GEPOp::create(
                       scope.builder, scope.loc, pointer.getType(), elementType,
                       pointer.get(), ArrayRef<LLVM::GEPArg>{offset.get()}));
  }
  SmallVector<Leaf> shape, stride;
  for (int64_t dim : {0, 1}) {
    shape.push_back(
        Leaf(extents[dim], dim == operand.unitDim ? operand.vector : 1));
    stride.push_back(
        dim == operand.unitDim
            ? Leaf(1)
            : Leaf(argument(parameters.stride[dim]), operand.vector));
  }
  return makeView(scope, pointer, elementType, shape, stride,
                  operand.vector * elementType.getIntOrFloatBitWidth() / 8);
}

/// D = alpha * acc + beta * C for the elements that a thread owns.
static void epilogue(Scope &scope, const SimtParts &parts, View c, View d,
                     Leaf row, Leaf column, Val thread, Val alpha, Val beta,
                     Val acc, ArrayRef<int64_t> tile) {
  auto atom = cast<MmaAtomAttrInterface>(parts.mma);
  auto map = TVMapAttr::get(scope.builder.getContext(), {tile[0], tile[1]},
                            atom.getCLayout());
  Walk walk{IteratorType::kNoAdvance, /*predicated=*/true};
  Iterator storeD = d.iterate(row, column, thread, map, walk);
  Iterator loadC;
  if (c.get()) {
    Val zero = floatConstant(scope, beta.getType(), 0.0);
    loadC =
        c.iterate(row, column, thread, map, walk).clearMask(equal(beta, zero));
  }
  Type sumType = alpha.getType(), elementTypeD = d.getType().getElementType();
  int64_t columns = parts.mma.getThread()[1],
          accesses = columns / parts.mma.getVector();
  for (int64_t i = 0, e = parts.mma.getThread()[0]; i < e; ++i) {
    Val result =
        mulf(splat(alpha, columns), extractSlice(acc, i * columns, columns));
    if (c.get())
      result = fma(splat(beta, columns),
                   extend(loadC.load(i * accesses, accesses), sumType), result);
    storeD.store(truncate(result, elementTypeD), i * accesses, accesses);
  }
}

/// The launch facts that the artifact and the runtime need.
static DictionaryAttr makeFacts(Builder &builder, SimtScheduleAttr schedule,
                                const SimtVariant &variant,
                                const SimtParts &parts,
                                const KernelParameters &parameters,
                                Type elementType, Type elementTypeD) {
  auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  SmallVector<Attribute> requirements;
  SmallVector<OperandAssumption> operands{variant.a, variant.b, variant.d};
  if (variant.hasC)
    operands.push_back(variant.c);
  for (const OperandAssumption &operand : operands) {
    if (operand.unitDim < 0)
      continue;
    bool isFactor = operand.name == 'A' || operand.name == 'B';
    int64_t bits =
        (isFactor ? elementType : elementTypeD).getIntOrFloatBitWidth();
    requirements.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             "operand", builder.getStringAttr(StringRef(&operand.name, 1))),
         builder.getNamedAttr("unit_stride",
                              number(operand.toProblem(operand.unitDim))),
         builder.getNamedAttr("alignment", number(operand.vector * bits / 8)),
         builder.getNamedAttr("stride_multiple", number(operand.vector)),
         builder.getNamedAttr("extent_multiple", number(operand.vector))}));
  }
  std::string name;
  llvm::raw_string_ostream(name) << schedule;
  ArrayRef<int64_t> tile = schedule.getTile();
  SmallVector<int64_t> gridTile{tile[0], tile[1]};
  if (variant.swapped)
    std::swap(gridTile[0], gridTile[1]);
  SmallVector<NamedAttribute> facts{
      builder.getNamedAttr("schedule", builder.getStringAttr(name)),
      builder.getNamedAttr("block",
                           builder.getI64ArrayAttr({parts.threads, 1, 1})),
      builder.getNamedAttr("grid",
                           builder.getDictionaryAttr({builder.getNamedAttr(
                               "tile", builder.getI64ArrayAttr(gridTile))})),
      builder.getNamedAttr("requires", builder.getArrayAttr(requirements)),
      builder.getNamedAttr("shared_bytes", number(parts.sharedBytes))};
  // Kernels for the tensor cores state one too, with which it is compared.
  if (elementType.getIntOrFloatBitWidth() == 16) {
    KernelCost cost = getSimtCost(schedule, variant);
    auto time = [&](StringRef name, double ns) {
      return builder.getNamedAttr(name, builder.getF64FloatAttr(ns));
    };
    facts.push_back(builder.getNamedAttr(
        "cost", builder.getDictionaryAttr(
                    {time("fixed_ns", cost.fixed), time("tile_ns", cost.tile),
                     time("k_ns", cost.k), time("bytes_ns", cost.bytes)})));
  }
  parameters.appendFacts(builder, facts);
  return builder.getDictionaryAttr(facts);
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

gpu::GPUFuncOp tile::buildSimtKernel(GemmOp gemm, SimtScheduleAttr schedule,
                                     const SimtVariant &variant,
                                     const SimtParts &parts,
                                     gpu::GPUModuleOp module) {
  MLIRContext *context = gemm.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Scope scope{builder, gemm.getLoc()};
  Type elementType = cast<MemRefType>(gemm.getA().getType()).getElementType();
  Type elementTypeD = cast<MemRefType>(gemm.getD().getType()).getElementType();
  Type sumType = getSimtSumType(elementType);
  Type i64 = builder.getI64Type(), index = builder.getIndexType();
  ArrayRef<int64_t> tile = schedule.getTile();

  KernelParameters parameters;
  OperandParameters pa =
      addOperand(parameters, variant.a, variant.batched, context);
  OperandParameters pb =
      addOperand(parameters, variant.b, variant.batched, context);
  OperandParameters pc;
  if (variant.hasC)
    pc = addOperand(parameters, variant.c, variant.batched, context);
  OperandParameters pd =
      addOperand(parameters, variant.d, variant.batched, context);
  unsigned pm = parameters.add(i64, variant.swapped ? "N" : "M");
  unsigned pn = parameters.add(i64, variant.swapped ? "M" : "N");
  unsigned pk = parameters.add(i64, "K");
  unsigned palpha = parameters.add(sumType, "alpha");
  unsigned pbeta = parameters.add(sumType, "beta");

  gpu::GPUFuncOp kernel =
      createKernel(module, gemm.getLoc(),
                   kernelName(schedule, variant, elementType, elementTypeD),
                   parameters, parts.threads);
  kernel->setAttr("nvvm.minctasm",
                  builder.getI32IntegerAttr(schedule.getMinBlocks()));
  kernel->setAttr(kLaunchFacts,
                  makeFacts(builder, schedule, variant, parts, parameters,
                            elementType, elementTypeD));
  builder.setInsertionPointToStart(&kernel.getBody().front());
  ValueRange arguments = kernel.getBody().front().getArguments();
  auto argument = [&](unsigned position) {
    return Val(scope, arguments[position]);
  };

  Val m = argument(pm).cast(index), n = argument(pn).cast(index);
  Val alpha = argument(palpha), beta = argument(pbeta);
  // alpha = 0 reads neither A nor B: the sum is empty.
  Val none = equal(alpha, floatConstant(scope, sumType, 0.0));
  Val k = select(none, indexConstant(scope, 0), argument(pk).cast(index));

  // Output tile of this block; tiles are numbered along grid.x only.
  Type i32 = builder.getI32Type();
  Val tilesM = ceilDiv(m, tile[0]).cast(i32),
      tilesN = ceilDiv(n, tile[1]).cast(i32);
  Val id = blockId(scope).cast(i32), batch;
  if (variant.batched) {
    Val tiles = tilesM * tilesN;
    batch = (id / tiles).cast(index);
    id = id % tiles;
  }
  auto [tileM, tileN] =
      getTileCoordinate(id, tilesM, tilesN, schedule.getGroup());
  Val row = tileM.cast(index) * tile[0], column = tileN.cast(index) * tile[1];
  Val thread = threadId(scope);

  // Accesses carry the operand's name in their location, for reports.
  auto named = [&](StringRef name) {
    return Scope{builder,
                 NameLoc::get(builder.getStringAttr(name), gemm.getLoc())};
  };
  Scope scopeA = named(StringRef(&variant.a.name, 1)),
        scopeB = named(StringRef(&variant.b.name, 1));
  Scope scopeC = named("C"), scopeD = named("D");
  Scope scopeSharedA = named("shared A"), scopeSharedB = named("shared B");
  View a = makeOperandView(scopeA, arguments, variant.a, pa, elementType,
                           {m, k}, batch);
  View b = makeOperandView(scopeB, arguments, variant.b, pb, elementType,
                           {k, n}, batch);
  View c;
  if (variant.hasC)
    c = makeOperandView(scopeC, arguments, variant.c, pc, elementTypeD, {m, n},
                        batch);
  View d = makeOperandView(scopeD, arguments, variant.d, pd, elementTypeD,
                           {m, n}, batch);

  // Shared tiles run along M and N, so that fragments are contiguous.
  View sharedA =
      allocShared(scopeSharedA, elementType, {tile[0], tile[2], parts.stages},
                  {1, parts.pitchA, parts.pitchA * tile[2]});
  View sharedB =
      allocShared(scopeSharedB, elementType, {tile[2], tile[1], parts.stages},
                  {parts.pitchB, 1, parts.pitchB * tile[2]});
  auto atom = cast<MmaAtomAttrInterface>(parts.mma);
  auto mapFragmentA = TVMapAttr::get(context, {tile[0], 1}, atom.getALayout());
  auto mapFragmentB = TVMapAttr::get(context, {1, tile[1]}, atom.getBLayout());
  MainloopOperand operandA{
      StringRef(&variant.a.name, 1),
      a.iterate(Leaf(row, tile[0]), 0, thread, parts.mapA, Walk{1, true}),
      sharedA.stage(0).iterate(0, 0, thread, parts.mapA, Walk{}),
      sharedA.stage(0).iterate(0, 0, thread, mapFragmentA, Walk{}),
      parts.pitchA * tile[2],
      parts.pitchA};
  MainloopOperand operandB{
      StringRef(&variant.b.name, 1),
      b.iterate(0, Leaf(column, tile[1]), thread, parts.mapB, Walk{0, true}),
      sharedB.stage(0).iterate(0, 0, thread, parts.mapB, Walk{}),
      sharedB.stage(0).iterate(0, 0, thread, mapFragmentB, Walk{}),
      parts.pitchB * tile[2],
      parts.pitchB};

  Val acc = zeros(scope, sumType,
                  parts.mma.getThread()[0] * parts.mma.getThread()[1]);
  Mainloop loop{atom, operandA, operandB, /*steps=*/tile[2],
                ceilDiv(k, tile[2])};
  FailureOr<Val> sum =
      schedule.getStages() > 0
          ? mmaMultistage(scope, loop, schedule.getStages(), acc)
          : mmaPipelined(scope, loop, acc);
  if (failed(sum))
    return nullptr;
  acc = *sum;
  epilogue(scope, parts, c, d, Leaf(row, tile[0]), Leaf(column, tile[1]),
           thread, alpha, beta, acc, tile);
  gpu::ReturnOp::create(builder, gemm.getLoc());
  return kernel;
}
