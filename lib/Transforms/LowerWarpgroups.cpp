// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the operations of a warpgroup to wgmma and stmatrix.
#include "ControlFlow.h"

#include "tile/Atoms/GmmaDescriptor.h"
#include "tile/Atoms/WgmmaInstruction.h"
#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERWARPGROUPS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// The registers of one atom.
LLVM::LLVMStructType getRegisters(WgmmaAttr atom) {
  SmallVector<Type> types(atom.getRegisters(), atom.getAcc());
  return LLVM::LLVMStructType::getLiteral(atom.getContext(), types);
}

int64_t countAtoms(AccumulatorType type) {
  return type.getCount()[0] * type.getCount()[1];
}

struct LowerZeroAccumulator : OpConversionPattern<ZeroAccumulatorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ZeroAccumulatorOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccumulatorType type = op.getResult().getType();
    Value zero = LLVM::ZeroOp::create(rewriter, op.getLoc(),
                                      getRegisters(type.getAtom()));
    rewriter.replaceOpWithMultiple(
        op, {SmallVector<Value>(countAtoms(type), zero)});
    return success();
  }
};

/// An operand of a matrix multiply: the descriptor of its first instruction,
/// and what to add for the others.
class SharedOperand {
public:
  /// The operand `name` of `view`, read by instructions of `mn` by `k`
  /// elements; the reason for a layout that no descriptor expresses.
  static Result<SharedOperand> get(StringRef name, ViewType view, int64_t mn,
                                   int64_t k) {
    ComposedLayout layout = view.getComposed();
    int64_t bits = view.getElementBytes() * 8;
    Result<GmmaOperand> gmma =
        getGmmaOperand(layout, bits, mn, k, view.getBaseAlignment());
    if (!gmma)
      return Reason("expected a layout of " + Twine(name) +
                    " that a descriptor expresses: " + gmma.getReason());
    SharedOperand operand;
    operand.gmma = *gmma;
    operand.steps = view.getLayout()[1].size().getValue() / k;
    int64_t tiles = view.getLayout()[0].size().getValue() / mn;
    for (int64_t i = 0; i < tiles; ++i)
      for (int64_t step = 0; step < operand.steps; ++step) {
        Result<int64_t> offset =
            getGmmaOffset(layout, *gmma, bits, mn, k, i, step);
        if (!offset)
          return Reason("expected sub-tiles of " + Twine(name) +
                        " that lie alike: " + offset.getReason());
        operand.offsets.push_back(*offset);
      }
    return operand;
  }

  /// Builds the descriptor of the first instruction.
  void build(OpBuilder &builder, Location loc, TypedValue<ViewType> view) {
    Value pointer = ViewPointerOp::create(builder, loc, view);
    Type i64 = builder.getI64Type();
    auto constant = [&](uint64_t number) -> Value {
      return arith::ConstantOp::create(
          builder, loc, IntegerAttr::get(i64, static_cast<int64_t>(number)));
    };
    // Bits 0..13 hold bits 4..17 of the address.
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointer);
    address =
        builder.createOrFold<arith::AndIOp>(loc, address, constant(0x3FFFF));
    address = builder.createOrFold<arith::ShRUIOp>(loc, address, constant(4));
    descriptor = builder.createOrFold<arith::OrIOp>(loc, address,
                                                    constant(gmma.getBits()));
  }

  /// The descriptor of sub-tile `i` at step `step` along K.
  Value at(OpBuilder &builder, Location loc, int64_t i, int64_t step) const {
    int64_t offset = offsets[i * steps + step];
    if (offset == 0)
      return descriptor;
    Value added = arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(offset >> 4));
    return builder.createOrFold<arith::AddIOp>(loc, descriptor, added);
  }

  int64_t getSteps() const { return steps; }
  /// Which way the operand is contiguous, as wgmma counts it for A.
  NVVM::MMALayout getLayoutA() const {
    return gmma.major == Major::K ? NVVM::MMALayout::row : NVVM::MMALayout::col;
  }
  NVVM::MMALayout getLayoutB() const {
    return gmma.major == Major::K ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  }

private:
  GmmaOperand gmma;
  int64_t steps = 0;
  /// Bytes from the first instruction's start address, by sub-tile and step.
  SmallVector<int64_t> offsets;
  Value descriptor;
};

/// The registers of each instruction that a fragment of A holds.
SmallVector<SmallVector<Value, 4>> splitFragment(OpBuilder &builder,
                                                 Location loc, Value fragment) {
  constexpr int64_t kRegisters = WgmmaInstruction::kRegistersA;
  auto type = cast<VectorType>(fragment.getType());
  int64_t count = type.getNumElements() * type.getElementTypeBitWidth() / 32;
  Value words = vector::BitCastOp::create(
      builder, loc, VectorType::get({count}, builder.getI32Type()), fragment);
  SmallVector<SmallVector<Value, 4>> result(count / kRegisters);
  for (int64_t i = 0; i < count; ++i)
    result[i / kRegisters].push_back(
        vector::ExtractOp::create(builder, loc, words, i));
  return result;
}

/// The operands of a matrix multiply; A only if it is in shared memory.
struct SharedOperands {
  std::optional<SharedOperand> a;
  SharedOperand b;
};

/// The operands in shared memory, or the reason why one cannot be read.
Result<SharedOperands> getOperands(WarpgroupMmaOp op) {
  WgmmaAttr atom = op.getResult().getType().getAtom();
  SharedOperands operands;
  if (auto view = dyn_cast<ViewType>(op.getA().getType())) {
    Result<SharedOperand> a =
        SharedOperand::get("A", view, WgmmaAttr::kM, atom.getK());
    if (!a)
      return a.takeReason();
    operands.a = *a;
  }
  Result<SharedOperand> b =
      SharedOperand::get("B", op.getB().getType(), atom.getN(), atom.getK());
  if (!b)
    return b.takeReason();
  operands.b = *b;
  return operands;
}

NVVM::WGMMATypes getWgmmaType(Type type) {
  if (type.isF16())
    return NVVM::WGMMATypes::f16;
  if (type.isBF16())
    return NVVM::WGMMATypes::bf16;
  if (type.isTF32())
    return NVVM::WGMMATypes::tf32;
  if (isa<Float8E4M3FNType>(type))
    return NVVM::WGMMATypes::e4m3;
  if (isa<Float8E5M2Type>(type))
    return NVVM::WGMMATypes::e5m2;
  if (type.isUnsignedInteger(8))
    return NVVM::WGMMATypes::u8;
  if (type.isInteger(8))
    return NVVM::WGMMATypes::s8;
  return type.isInteger(32) ? NVVM::WGMMATypes::s32 : NVVM::WGMMATypes::f32;
}

/// Builds the instructions of one multiply.
class MultiplyBuilder {
public:
  MultiplyBuilder(OpBuilder &builder, Location loc, WgmmaAttr atom)
      : builder(builder), loc(loc), atom(atom), k(atom.getK()),
        typeA(getWgmmaType(atom.getA())), typeB(getWgmmaType(atom.getB())),
        typeD(getWgmmaType(atom.getAcc())) {}

  /// Both operands in shared memory.
  Value multiply(Value sums, Value a, Value b, bool add,
                 NVVM::MMALayout layoutA, NVVM::MMALayout layoutB) {
    auto shape = NVVM::MMAShapeAttr::get(builder.getContext(), WgmmaAttr::kM,
                                         atom.getN(), k);
    return NVVM::WgmmaMmaAsyncOp::create(
        builder, loc, sums.getType(), sums, a, b, shape, typeA, typeB, typeD,
        add ? NVVM::WGMMAScaleOut::one : NVVM::WGMMAScaleOut::zero,
        NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one, layoutA, layoutB,
        /*satfinite=*/nullptr);
  }

  /// A in registers, for which the nvvm dialect has no operation.
  Value multiply(Value sums, ArrayRef<Value> a, Value b, bool add,
                 NVVM::MMALayout layoutB) {
    WgmmaInstruction instruction;
    instruction.n = atom.getN();
    instruction.k = k;
    instruction.d = NVVM::stringifyWGMMATypes(typeD).str();
    instruction.a = NVVM::stringifyWGMMATypes(typeA).str();
    instruction.b = NVVM::stringifyWGMMATypes(typeB).str();
    instruction.accumulate = add;
    instruction.registerA = true;
    instruction.transposeB = layoutB == NVVM::MMALayout::row;
    unsigned count = atom.getRegisters(), end = count + a.size();
    std::string text =
        instruction.print(WgmmaInstruction::placeholders(0, count),
                          WgmmaInstruction::placeholders(count, a.size()),
                          "$" + std::to_string(end));
    SmallVector<Value> operands(a);
    operands.push_back(b);
    for (int64_t i = 0; i < atom.getRegisters(); ++i)
      operands.push_back(LLVM::ExtractValueOp::create(builder, loc, sums, i));
    return LLVM::InlineAsmOp::create(
               builder, loc, TypeRange(sums.getType()), operands, text,
               instruction.getConstraints(), /*has_side_effects=*/true,
               /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
               LLVM::AsmDialectAttr::get(builder.getContext(),
                                         LLVM::AsmDialect::AD_ATT),
               /*operand_attrs=*/ArrayAttr())
        .getRes();
  }

private:
  OpBuilder &builder;
  Location loc;
  WgmmaAttr atom;
  int64_t k;
  NVVM::WGMMATypes typeA, typeB, typeD;
};

struct LowerWarpgroupMma : OpConversionPattern<WarpgroupMmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WarpgroupMmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    AccumulatorType type = op.getResult().getType();
    WgmmaAttr atom = type.getAtom();
    Result<SharedOperands> operands = getOperands(op);
    if (!operands)
      return failure();
    auto &[a, b] = *operands;
    if (a)
      a->build(rewriter, loc, cast<TypedValue<ViewType>>(op.getA()));
    b.build(rewriter, loc, op.getB());
    SmallVector<Value> acc(adaptor.getAcc());
    if (!op.getAcc())
      acc.assign(countAtoms(type),
                 LLVM::UndefOp::create(rewriter, loc, getRegisters(atom)));
    int64_t steps = b.getSteps();
    SmallVector<SmallVector<Value, 4>> fragments;
    if (!a)
      fragments = splitFragment(rewriter, loc, adaptor.getA().front());
    MultiplyBuilder builder(rewriter, loc, atom);
    NVVM::WgmmaFenceAlignedOp::create(rewriter, loc);
    for (int64_t i = 0; i < type.getCount()[0]; ++i)
      for (int64_t j = 0; j < type.getCount()[1]; ++j)
        for (int64_t step = 0; step < steps; ++step) {
          Value &sums = acc[i * type.getCount()[1] + j];
          bool add = op.getAcc() || step > 0;
          if (a)
            sums = builder.multiply(sums, a->at(rewriter, loc, i, step),
                                    b.at(rewriter, loc, j, step), add,
                                    a->getLayoutA(), b.getLayoutB());
          else
            sums = builder.multiply(sums, fragments[i * steps + step],
                                    b.at(rewriter, loc, j, step), add,
                                    b.getLayoutB());
        }
    NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, loc);
    rewriter.replaceOpWithMultiple(op, {acc});
    return success();
  }
};

struct LowerWarpgroupWait : OpConversionPattern<WarpgroupWaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WarpgroupWaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVM::WgmmaWaitGroupSyncOp::create(rewriter, op.getLoc(), op.getPending());
    rewriter.replaceOpWithMultiple(op, {adaptor.getAcc()});
    return success();
  }
};

struct LowerAccumulatorFragment : OpConversionPattern<AccumulatorFragmentOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AccumulatorFragmentOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccumulatorType type = op.getAcc().getType();
    SmallVector<Value> elements;
    for (Value registers : adaptor.getAcc())
      for (int64_t i = 0; i < type.getAtom().getRegisters(); ++i)
        elements.push_back(
            LLVM::ExtractValueOp::create(rewriter, op.getLoc(), registers, i));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
        op, cast<VectorType>(op.getResult().getType()), elements);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// stmatrix
//===----------------------------------------------------------------------===//

/// Which unit of 8 elements each lane of a warp addresses for stmatrix: lanes
/// come in groups of 8, one for each 8 by 8 matrix; matrices go down the 16
/// rows of a warp first.
struct MatrixUnits {
  explicit MatrixUnits(ViewType view) : layout(view.getLayout()) {
    transposed = layout[0].getStride().getLeaves()[0].isStatic(1) &&
                 layout[0].getShape().getLeaves()[0].getInt().getValue() >= 8;
  }

  /// (row, column) of a lane's unit in the 16 by 16 block of warp 0.
  std::pair<int64_t, int64_t> at(int64_t lane) const {
    int64_t inMatrix = lane % 8, down = lane / 8 % 2 * 8, right = lane / 16 * 8;
    if (transposed)
      return {down, right + inMatrix};
    return {down + inMatrix, right};
  }
  /// Offset in elements, without the swizzle, of an element.
  int64_t offset(int64_t row, int64_t column) const {
    int64_t rows = layout[0].size().getValue();
    return layout.at(row + column * rows);
  }
  /// Offset of the unit of a thread of the warpgroup, at column block 0.
  int64_t offset(int64_t thread) const {
    auto [row, column] = at(thread % 32);
    return offset(thread / 32 * 16 + row, column);
  }

  Layout layout;
  bool transposed;
};

/// What each bit of a thread's number in the warpgroup adds to the offset of
/// its unit.
using ThreadSteps = std::array<int64_t, 7>;

/// The steps for a view of `columns` columns, if the offsets are such a sum.
std::optional<ThreadSteps> getThreadSteps(const MatrixUnits &units,
                                          int64_t columns) {
  ThreadSteps steps;
  bool wide = columns >= 16;
  auto known = [&](int64_t t) {
    // Lanes 16..31 address nothing where there are 8 columns only.
    return units.offset(wide ? t : (t & ~16));
  };
  for (auto [bit, step] : llvm::enumerate(steps))
    step = known(int64_t(1) << bit) - known(0);
  for (int64_t t = 0; t < WgmmaAttr::kThreads; ++t) {
    int64_t sum = known(0);
    for (auto [bit, step] : llvm::enumerate(steps))
      sum += (t >> bit & 1) * step;
    if (sum != known(t))
      return std::nullopt;
  }
  return steps;
}

struct LowerStoreMatrix : OpConversionPattern<StoreMatrixOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreMatrixOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ViewType view = op.getView().getType();
    MatrixUnits units(view);
    int64_t columns = view.getLayout()[1].size().getValue();
    Value pointer = ViewPointerOp::create(rewriter, loc, op.getView());
    Value thread = adaptor.getThread().front();
    std::optional<ThreadSteps> steps = getThreadSteps(units, columns);
    if (!steps)
      return failure();
    Value unit = threadOffset(rewriter, loc, units, *steps, thread);
    Value fragment = adaptor.getFragment().front();
    auto shape = NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8);
    for (int64_t column = 0; column < columns; column += 16) {
      int64_t matrices = columns - column >= 16 ? 4 : 2;
      SmallVector<Value> words;
      for (int64_t matrix = 0; matrix < matrices; ++matrix)
        words.push_back(
            packPair(rewriter, loc, fragment, column / 2 + 2 * matrix));
      Value offset =
          swizzled(rewriter, loc, view, unit, units.offset(0, column), units);
      Value address = LLVM::GEPOp::create(
          rewriter, loc, pointer.getType(), view.getElementType(), pointer,
          ArrayRef<LLVM::GEPArg>{toI64(rewriter, loc, offset)});
      NVVM::StMatrixOp::create(rewriter, loc, address, words,
                               units.transposed ? NVVM::MMALayout::col
                                                : NVVM::MMALayout::row,
                               shape, NVVM::LdStMatrixEltType::B16);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static Value constant(OpBuilder &builder, Location loc, int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  static Value toI64(OpBuilder &builder, Location loc, Value index) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(),
                                                    index);
  }

  /// The offset of a thread's unit, as a sum over the bits of its number.
  static Value threadOffset(OpBuilder &builder, Location loc,
                            const MatrixUnits &units, const ThreadSteps &steps,
                            Value thread) {
    constexpr unsigned kBits = std::tuple_size_v<ThreadSteps>;
    Value offset = constant(builder, loc, 0);
    for (unsigned bit = 0; bit < kBits;) {
      // A run of bits whose steps double is one field times the first step.
      unsigned end = bit + 1;
      while (end < kBits && steps[end] == 2 * steps[end - 1])
        ++end;
      if (steps[bit] != 0) {
        Value field = builder.createOrFold<arith::ShRUIOp>(
            loc, thread, constant(builder, loc, bit));
        field = builder.createOrFold<arith::AndIOp>(
            loc, field, constant(builder, loc, (1 << (end - bit)) - 1));
        field = builder.createOrFold<arith::MulIOp>(
            loc, field, constant(builder, loc, steps[bit]));
        offset = builder.createOrFold<arith::AddIOp>(loc, offset, field);
      }
      bit = end;
    }
    return offset;
  }

  /// Where the swizzle puts the element `block` after the thread's unit.
  static Value swizzled(OpBuilder &builder, Location loc, ViewType view,
                        Value unit, int64_t block, const MatrixUnits &units) {
    const Swizzle &swizzle = view.getSwizzle();
    auto apply = [&](Value offset) {
      if (swizzle.isIdentity())
        return offset;
      Value bits = builder.createOrFold<arith::AndIOp>(
          loc, offset, constant(builder, loc, swizzle.getSourceMask()));
      bits = builder.createOrFold<arith::ShRUIOp>(
          loc, bits, constant(builder, loc, swizzle.getShift()));
      return builder.createOrFold<arith::XOrIOp>(loc, offset, bits);
    };
    // Without carries the swizzle of a sum is the xor of the swizzles, and that
    // of the unit is the same for all blocks.
    int64_t used = 0;
    for (int64_t thread = 0; thread < 128; ++thread)
      used |= units.offset(thread);
    if ((used & block) == 0)
      return builder.createOrFold<arith::XOrIOp>(
          loc, apply(unit), constant(builder, loc, swizzle.at(block)));
    return apply(builder.createOrFold<arith::AddIOp>(
        loc, unit, constant(builder, loc, block)));
  }

  /// Two neighbouring 16-bit elements of the fragment as one register. Two
  /// floats are rounded by one instruction.
  static Value packPair(OpBuilder &builder, Location loc, Value fragment,
                        int64_t first) {
    auto rounded = fragment.getDefiningOp<arith::TruncFOp>();
    Value source = rounded ? rounded.getIn() : fragment;
    Value pair = vector::ShuffleOp::create(builder, loc, source, source,
                                           ArrayRef<int64_t>{first, first + 1});
    if (rounded) {
      Type element = cast<VectorType>(fragment.getType()).getElementType();
      pair = arith::TruncFOp::create(builder, loc,
                                     VectorType::get({2}, element), pair);
    }
    auto word = VectorType::get({1}, builder.getI32Type());
    pair = vector::BitCastOp::create(builder, loc, word, pair);
    return vector::ExtractOp::create(builder, loc, pair, int64_t(0));
  }
};

/// Reports operations whose layouts no instruction expresses. Ahead of the
/// conversion, which would add an error of its own.
LogicalResult checkLayouts(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (auto multiply = dyn_cast<WarpgroupMmaOp>(op)) {
      auto operands = getOperands(multiply);
      if (operands)
        return WalkResult::advance();
      multiply.emitOpError(operands.getReason());
      return WalkResult::interrupt();
    }
    auto store = dyn_cast<StoreMatrixOp>(op);
    if (!store)
      return WalkResult::advance();
    ViewType view = store.getView().getType();
    if (getThreadSteps(MatrixUnits(view),
                       view.getLayout()[1].size().getValue()))
      return WalkResult::advance();
    store.emitOpError("expected a layout that is linear in the bits of the "
                      "thread, but got ")
        << view;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct TileLowerWarpgroupsPass
    : tile::impl::TileLowerWarpgroupsBase<TileLowerWarpgroupsPass> {
  using TileLowerWarpgroupsBase::TileLowerWarpgroupsBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](AccumulatorType type,
           SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          types.append(countAtoms(type), getRegisters(type.getAtom()));
          return success();
        });
    RewritePatternSet patterns(context);
    patterns.add<LowerZeroAccumulator, LowerWarpgroupMma, LowerWarpgroupWait,
                 LowerAccumulatorFragment, LowerStoreMatrix>(converter,
                                                             context);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<ZeroAccumulatorOp, WarpgroupMmaOp, WarpgroupWaitOp,
                  AccumulatorFragmentOp, StoreMatrixOp>(op);
    });
    if (failed(checkLayouts(getOperation())) ||
        failed(convertWithControlFlow(getOperation(), converter, target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
