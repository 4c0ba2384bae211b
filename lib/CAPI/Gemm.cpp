// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: a module with one GEMM, from a descriptor.
#include "Handles.h"

#include "tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tile::capi;

TileStatus tileGemmDescriptorInit(TileGemmDescriptor *descriptor) {
  if (!descriptor)
    return failNull("tileGemmDescriptorInit", "a descriptor");
  TileOperand operand = {TILE_F32, TILE_DYNAMIC, 1, TILE_DYNAMIC, 0};
  *descriptor = {};
  descriptor->name = "gemm";
  descriptor->m = descriptor->n = descriptor->k = TILE_DYNAMIC;
  descriptor->batch = TILE_DYNAMIC;
  descriptor->a = descriptor->b = descriptor->c = descriptor->d = operand;
  return TILE_SUCCESS;
}

namespace {

/// Makes the types and values that a descriptor stands for. What cannot be one
/// sets `reason`, of which the first counts.
struct GemmReader {
  const TileGemmDescriptor &descriptor;
  MLIRContext &context;
  std::string reason;

  void refuse(const Twine &sentence) {
    if (reason.empty())
      reason = ("tileModuleCreateGemm: " + sentence).str();
  }

  /// An extent or a stride, as MLIR has them.
  int64_t readNumber(const Twine &what, int64_t number) {
    if (number == TILE_DYNAMIC)
      return ShapedType::kDynamic;
    if (number < 0)
      refuse("expected " + what + " of 0 or more or TILE_DYNAMIC, but got " +
             Twine(number));
    return number;
  }

  Type readElementType(const Twine &what, TileType type) {
    switch (type) {
    case TILE_F32:
      return Float32Type::get(&context);
    case TILE_F64:
      return Float64Type::get(&context);
    case TILE_F16:
      return Float16Type::get(&context);
    case TILE_BF16:
      return BFloat16Type::get(&context);
    case TILE_I8:
      return IntegerType::get(&context, 8);
    case TILE_I32:
      return IntegerType::get(&context, 32);
    case TILE_F8E4M3FN:
      return Float8E4M3FNType::get(&context);
    case TILE_F8E5M2:
      return Float8E5M2Type::get(&context);
    case TILE_TYPE_MAX:
      break;
    }
    refuse("expected a TileType for " + what + ", but got " +
           Twine(static_cast<int64_t>(type)));
    return Float32Type::get(&context);
  }

  Type readMatrix(const Twine &name, const TileOperand &operand, int64_t rows,
                  int64_t columns) {
    Type element = readElementType(name, operand.type);
    SmallVector<int64_t> shape, strides;
    if (descriptor.batched && !operand.shared) {
      shape.push_back(readNumber("batch", descriptor.batch));
      strides.push_back(
          readNumber("batchStride of " + name, operand.batchStride));
    }
    shape.append({rows, columns});
    strides.push_back(readNumber("rowStride of " + name, operand.rowStride));
    strides.push_back(
        readNumber("columnStride of " + name, operand.columnStride));
    auto layout =
        StridedLayoutAttr::get(&context, ShapedType::kDynamic, strides);
    if (!reason.empty())
      return {};
    return MemRefType::get(shape, element, layout);
  }

  void checkScalar(const Twine &name, const TileScalar &scalar) {
    if (scalar.kind != TILE_SCALAR_DEFAULT &&
        scalar.kind != TILE_SCALAR_ARGUMENT &&
        scalar.kind != TILE_SCALAR_CONSTANT)
      refuse("expected a TileScalarKind for " + name + ", but got " +
             Twine(static_cast<int64_t>(scalar.kind)));
  }

  /// The types of A, B, C if there is one, and D.
  SmallVector<Type> readMatrices() {
    int64_t m = readNumber("m", descriptor.m),
            n = readNumber("n", descriptor.n),
            k = readNumber("k", descriptor.k);
    SmallVector<Type> types{readMatrix("A", descriptor.a, m, k),
                            readMatrix("B", descriptor.b, k, n)};
    TileOperand c = descriptor.c;
    c.type = descriptor.d.type;
    if (descriptor.hasC)
      types.push_back(readMatrix("C", c, m, n));
    types.push_back(readMatrix("D", descriptor.d, m, n));
    checkScalar("alpha", descriptor.alpha);
    checkScalar("beta", descriptor.beta);
    return types;
  }

  Attribute readSchedule() {
    if (!descriptor.schedule)
      return {};
    // It says what is wrong itself, among the diagnostics.
    Attribute schedule = parseAttribute(descriptor.schedule, &context);
    if (schedule && tile::isSchedule(schedule))
      return schedule;
    refuse("expected a schedule such as #tile.simt<…>, but got '" +
           Twine(descriptor.schedule) + "'");
    return {};
  }
};

} // namespace

/// A factor as a value in the entry, or none where it has its default.
static Value createScalar(OpBuilder &builder, func::FuncOp function,
                          const TileScalar &scalar, Type type,
                          unsigned &argument) {
  Location loc = function.getLoc();
  if (scalar.kind == TILE_SCALAR_ARGUMENT)
    return function.getArgument(argument++);
  if (scalar.kind == TILE_SCALAR_CONSTANT)
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, scalar.value));
  return {};
}

/// Makes the entry with its one problem.
static void createEntry(ModuleOp module, const TileGemmDescriptor &descriptor,
                        SmallVector<Type> types, Attribute schedule) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  unsigned matrices = types.size();
  Type scalar = builder.getF32Type();
  if (cast<MemRefType>(types.back()).getElementType().isF64())
    scalar = builder.getF64Type();
  for (const TileScalar *factor : {&descriptor.alpha, &descriptor.beta})
    if (factor->kind == TILE_SCALAR_ARGUMENT)
      types.push_back(scalar);
  auto function = func::FuncOp::create(builder, loc, descriptor.name,
                                       builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  unsigned argument = matrices;
  Value alpha =
      createScalar(builder, function, descriptor.alpha, scalar, argument);
  Value beta =
      createScalar(builder, function, descriptor.beta, scalar, argument);
  Value c = descriptor.hasC ? function.getArgument(2) : Value();
  auto gemm = tile::GemmOp::create(
      builder, loc, function.getArgument(0), function.getArgument(1), c,
      function.getArgument(matrices - 1), alpha, beta, schedule);
  gemm.setPromotedSums(descriptor.promotedSums);
  func::ReturnOp::create(builder, loc);
}

TileStatus tileModuleCreateGemm(TileContext context,
                                const TileGemmDescriptor *descriptor,
                                TileModule *module) {
  if (!context)
    return failNull("tileModuleCreateGemm", "a context");
  if (!descriptor)
    return failNull("tileModuleCreateGemm", "a descriptor");
  if (!module)
    return failNull("tileModuleCreateGemm", "a place for the module");
  if (!descriptor->name || !*descriptor->name)
    return fail(TILE_INVALID_ARGUMENT, "tileModuleCreateGemm: expected a name "
                                       "for the entry, but got none");
  std::shared_ptr<Context> owner = context->context;
  OwningOpRef<ModuleOp> created;
  {
    std::lock_guard<std::mutex> lock(owner->mutex);
    size_t begin = owner->diagnostics.size();
    owner->mlir.loadDialect<tile::TileDialect, func::FuncDialect,
                            arith::ArithDialect>();
    GemmReader reader{*descriptor, owner->mlir, {}};
    SmallVector<Type> types = reader.readMatrices();
    Attribute schedule = reader.readSchedule();
    if (!reader.reason.empty())
      return fail(TILE_INVALID_ARGUMENT, std::move(reader.reason));
    created = ModuleOp::create(UnknownLoc::get(&owner->mlir));
    createEntry(*created, *descriptor, std::move(types), schedule);
    if (failed(verify(*created))) {
      // While the lock is held.
      created = nullptr;
      return failWithDiagnostic(TILE_COMPILE_ERROR, *owner, begin,
                                "the descriptor makes no problem");
    }
  }
  *module = new TileModuleImpl{std::move(owner), std::move(created), {}};
  return TILE_SUCCESS;
}
