// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked global accesses with one predicate become predicated inline PTX.

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "tile/Target/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERMASKEDMEMORY
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace tile;
using namespace mlir;

/// A PTX instruction moves at most this many bytes on every chip.
static constexpr unsigned kMaxBytes = 16;
/// More registers than this in one asm would only slow ptxas down.
static constexpr unsigned kMaxUnits = 32;

namespace {
/// How a vector travels: as `count` registers of `unitBytes` bytes each.
struct AccessPlan {
  unsigned unitBytes = 0;
  unsigned count = 0;
  Type unitType;        ///< type in memory of one unit
  Type registerType;    ///< type of the register that holds it
  StringRef suffix;     ///< PTX type, as f32
  StringRef constraint; ///< inline asm register class
};

/// An address as a value and a constant number of bytes.
struct Address {
  Value base;
  int64_t offset = 0;
};
} // namespace

/// The scalar that is broadcast to all lanes of `mask`, unless it is constant.
static Value getPredicate(Value mask) {
  auto broadcast = mask.getDefiningOp<vector::BroadcastOp>();
  if (!broadcast)
    return {};
  Value source = broadcast.getSource();
  if (!source.getType().isInteger(1) || matchPattern(source, m_Constant()))
    return {};
  return source;
}

static AccessPlan makeUnit(MLIRContext *context, unsigned bytes) {
  Builder builder(context);
  AccessPlan plan;
  plan.unitBytes = bytes;
  plan.unitType = builder.getIntegerType(bytes * 8);
  // PTX has no 8-bit registers.
  plan.registerType = bytes == 1 ? builder.getI16Type() : plan.unitType;
  switch (bytes) {
  case 1:
    plan.suffix = "b8";
    plan.constraint = "h";
    break;
  case 2:
    plan.suffix = "b16";
    plan.constraint = "h";
    break;
  case 4:
    plan.suffix = "b32";
    plan.constraint = "r";
    break;
  default:
    plan.suffix = "b64";
    plan.constraint = "l";
    break;
  }
  return plan;
}

/// Chooses registers for a vector of `type` aligned to `alignment` bytes.
/// Narrow elements are packed as far as the alignment allows.
static std::optional<AccessPlan> planAccess(Type type, unsigned alignment) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable())
    return std::nullopt;
  Type element = vector.getElementType();
  if (!element.isIntOrFloat() || !llvm::isPowerOf2_32(alignment))
    return std::nullopt;
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return std::nullopt;
  unsigned bytes = bits / 8;
  unsigned total = bytes * vector.getNumElements();

  AccessPlan plan;
  if (bytes >= 4) {
    plan = makeUnit(type.getContext(), bytes);
    if (element.isF32() || element.isF64()) {
      plan.unitType = plan.registerType = element;
      plan.suffix = element.isF32() ? "f32" : "f64";
      plan.constraint = element.isF32() ? "f" : "d";
    }
  } else {
    unsigned unit = 4;
    while (unit > bytes && (total % unit != 0 || alignment < unit))
      unit /= 2;
    plan = makeUnit(type.getContext(), unit);
  }
  plan.count = total / plan.unitBytes;
  if (alignment < plan.unitBytes || plan.count > kMaxUnits)
    return std::nullopt;
  return plan;
}

/// Splits a constant offset off an address, where it is plain to see.
static Address splitAddress(Value pointer) {
  Address address{pointer, 0};
  auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
  if (!gep || !gep.getDynamicIndices().empty() ||
      gep.getRawConstantIndices().size() != 1 ||
      !gep.getElemType().isIntOrFloat())
    return address;
  unsigned bits = gep.getElemType().getIntOrFloatBitWidth();
  int64_t index = gep.getRawConstantIndices().front();
  if (bits % 8 != 0 || !llvm::isPowerOf2_32(bits))
    return address;
  int64_t offset = index * static_cast<int64_t>(bits / 8);
  if (!llvm::isInt<24>(offset))
    return address;
  return {gep.getBase(), offset};
}

/// Writes the instructions for all units. `first` is the operand number of the
/// first unit, `pointer` and `predicate` those of the others.
/// Example, two units of 4 bytes at offset 8:
///   @$3 ld.global.v2.f32 {$0, $1}, [$2+8];
static std::string writeInstructions(const AccessPlan &plan, bool isLoad,
                                     unsigned alignment, int64_t offset,
                                     unsigned first, unsigned pointer,
                                     unsigned predicate, unsigned &number) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  number = 0;
  for (unsigned unit = 0; unit < plan.count; ++number) {
    unsigned at = unit * plan.unitBytes;
    // Widths only fall, by halves: each instruction's offset is a multiple of
    // its bytes.
    unsigned width = 4;
    while (width > 1 &&
           (width > plan.count - unit ||
            width * plan.unitBytes > std::min(alignment, kMaxBytes)))
      width /= 2;
    std::string units;
    for (unsigned i = 0; i < width; ++i)
      units += (i ? ", $" : "$") + std::to_string(first + unit + i);
    if (width > 1)
      units = "{" + units + "}";
    std::string address = "[$" + std::to_string(pointer);
    if (int64_t bytes = offset + at)
      address += (bytes > 0 ? "+" : "") + std::to_string(bytes);
    address += "]";

    stream << (unit ? " " : "") << "@$" << predicate
           << (isLoad ? " ld.global." : " st.global.");
    if (width > 1)
      stream << "v" << width << ".";
    stream << plan.suffix << " ";
    if (isLoad)
      stream << units << ", " << address << ";";
    else
      stream << address << ", " << units << ";";
    unit += width;
  }
  return text;
}

/// Takes `vector` apart into the registers of `plan`.
static SmallVector<Value> unpack(OpBuilder &builder, Location loc, Value vector,
                                 const AccessPlan &plan) {
  auto packed = VectorType::get(plan.count, plan.unitType);
  SmallVector<Value> units;
  DenseElementsAttr constant;
  if (matchPattern(vector, m_Constant(&constant)) && constant.isSplat() &&
      constant.getElementType() == plan.unitType &&
      plan.unitType == plan.registerType) {
    Value unit = LLVM::ConstantOp::create(builder, loc, plan.unitType,
                                          constant.getSplatValue<TypedAttr>());
    units.assign(plan.count, unit);
    return units;
  }
  if (vector.getType() != packed)
    vector = LLVM::BitcastOp::create(builder, loc, packed, vector);
  for (unsigned i = 0; i < plan.count; ++i) {
    Value index = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                           builder.getI32IntegerAttr(i));
    Value unit = LLVM::ExtractElementOp::create(builder, loc, vector, index);
    if (plan.registerType != plan.unitType)
      unit = LLVM::ZExtOp::create(builder, loc, plan.registerType, unit);
    units.push_back(unit);
  }
  return units;
}

/// Puts registers together into a vector of `type`.
static Value pack(OpBuilder &builder, Location loc, ArrayRef<Value> units,
                  Type type, const AccessPlan &plan) {
  auto packed = VectorType::get(plan.count, plan.unitType);
  Value vector = LLVM::PoisonOp::create(builder, loc, packed);
  for (auto [i, unit] : llvm::enumerate(units)) {
    Value element = unit;
    if (plan.registerType != plan.unitType)
      element = LLVM::TruncOp::create(builder, loc, plan.unitType, element);
    Value index = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                           builder.getI32IntegerAttr(i));
    vector =
        LLVM::InsertElementOp::create(builder, loc, vector, element, index);
  }
  if (type == packed)
    return vector;
  return LLVM::BitcastOp::create(builder, loc, type, vector);
}

static LLVM::InlineAsmOp createAsm(OpBuilder &builder, Location loc,
                                   Type result, ValueRange operands,
                                   StringRef text, StringRef constraints) {
  // The side effect keeps LLVM from moving the access over a barrier or over
  // another access; ptxas sees what it is and schedules it freely.
  return LLVM::InlineAsmOp::create(
      builder, loc, result ? TypeRange(result) : TypeRange(), operands, text,
      constraints, /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
}

/// Whether the lanes that are off may hold anything.
static bool isUndefined(Value passThrough) {
  if (!passThrough)
    return true;
  Operation *op = passThrough.getDefiningOp();
  return isa_and_nonnull<LLVM::UndefOp, LLVM::PoisonOp, ub::PoisonOp>(op);
}

static bool rewriteLoad(LLVM::MaskedLoadOp op) {
  Value predicate = getPredicate(op.getMask());
  unsigned alignment = op.getAlignment();
  std::optional<AccessPlan> plan = planAccess(op.getType(), alignment);
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(op.getData().getType());
  if (!predicate || !plan || !pointer || pointer.getAddressSpace() != 1)
    return false;

  OpBuilder builder(op);
  Location loc = op.getLoc();
  Address address = splitAddress(op.getData());
  unsigned count = plan->count, instructions = 0;
  std::string text =
      writeInstructions(*plan, /*isLoad=*/true, alignment, address.offset,
                        /*first=*/0, count, count + 1, instructions);

  // A later instruction reads the address again, so no result may share its
  // register when there are several.
  std::string constraints;
  for (unsigned i = 0; i < count; ++i)
    constraints +=
        (instructions > 1 ? "=&" : "=") + plan->constraint.str() + ",";
  constraints += "l,b";
  SmallVector<Value> operands{address.base, predicate};
  if (!isUndefined(op.getPassThru()))
    for (auto [i, unit] :
         llvm::enumerate(unpack(builder, loc, op.getPassThru(), *plan))) {
      constraints += "," + std::to_string(i);
      operands.push_back(unit);
    }

  Type result = plan->registerType;
  if (count > 1)
    result = LLVM::LLVMStructType::getLiteral(
        op.getContext(), SmallVector<Type>(count, plan->registerType));
  Value loaded =
      createAsm(builder, loc, result, operands, text, constraints).getResult(0);
  SmallVector<Value> units{loaded};
  if (count > 1) {
    units.clear();
    for (unsigned i = 0; i < count; ++i)
      units.push_back(LLVM::ExtractValueOp::create(builder, loc, loaded, i));
  }
  op.getResult().replaceAllUsesWith(
      pack(builder, loc, units, op.getType(), *plan));
  op.erase();
  return true;
}

static bool rewriteStore(LLVM::MaskedStoreOp op) {
  Value predicate = getPredicate(op.getMask());
  unsigned alignment = op.getAlignment();
  std::optional<AccessPlan> plan =
      planAccess(op.getValue().getType(), alignment);
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(op.getData().getType());
  if (!predicate || !plan || !pointer || pointer.getAddressSpace() != 1)
    return false;

  OpBuilder builder(op);
  Address address = splitAddress(op.getData());
  unsigned instructions = 0;
  std::string text =
      writeInstructions(*plan, /*isLoad=*/false, alignment, address.offset,
                        /*first=*/2, 0, 1, instructions);
  std::string constraints = "l,b";
  SmallVector<Value> operands{address.base, predicate};
  for (Value unit : unpack(builder, op.getLoc(), op.getValue(), *plan)) {
    constraints += "," + plan->constraint.str();
    operands.push_back(unit);
  }
  createAsm(builder, op.getLoc(), Type(), operands, text, constraints);
  op.erase();
  return true;
}

unsigned tile::lowerMaskedMemory(Operation *root) {
  SmallVector<Operation *> accesses;
  root->walk([&](Operation *op) {
    if (isa<LLVM::MaskedLoadOp, LLVM::MaskedStoreOp>(op))
      accesses.push_back(op);
  });
  unsigned rewritten = 0;
  for (Operation *op : accesses) {
    Value pointer =
        isa<LLVM::MaskedLoadOp>(op) ? op->getOperand(0) : op->getOperand(1);
    Value mask =
        isa<LLVM::MaskedLoadOp>(op) ? op->getOperand(1) : op->getOperand(2);
    bool done = isa<LLVM::MaskedLoadOp>(op)
                    ? rewriteLoad(cast<LLVM::MaskedLoadOp>(op))
                    : rewriteStore(cast<LLVM::MaskedStoreOp>(op));
    if (!done)
      continue;
    ++rewritten;
    for (Value value : {pointer, mask})
      if (Operation *def = value.getDefiningOp();
          def && def->use_empty() && isPure(def))
        def->erase();
  }
  return rewritten;
}

namespace {
struct LowerMaskedMemoryPass
    : tile::impl::TileLowerMaskedMemoryBase<LowerMaskedMemoryPass> {
  void runOnOperation() override { lowerMaskedMemory(getOperation()); }
};
} // namespace
