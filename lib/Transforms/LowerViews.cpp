// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers views to pointers, extents and strides.
#include "IteratorLowering.h"

#include "tile/IR/LayoutValues.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

struct LowerMakeView : OpConversionPattern<MakeViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MakeViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ViewState state{adaptor.getBase(),
                    SmallVector<Value>(adaptor.getShapeOperands()),
                    SmallVector<Value>(adaptor.getStrideOperands())};
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

/// Bytes that every shared allocation is aligned to, for the widest access.
constexpr int64_t kSharedAlignment = 16;

LLVM::GlobalOp getDynamicShared(Operation *table, OpBuilder &builder) {
  if (Operation *found = SymbolTable::lookupSymbolIn(table, kDynamicShared))
    return dyn_cast<LLVM::GlobalOp>(found);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&table->getRegion(0).front());
  auto array = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  return LLVM::GlobalOp::create(builder, table->getLoc(), array,
                                /*isConstant=*/false, LLVM::Linkage::External,
                                kDynamicShared, Attribute(),
                                /*alignment=*/1024, /*addrSpace=*/3);
}

struct LowerAllocShared : OpConversionPattern<AllocSharedOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AllocSharedOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Operation *table = SymbolTable::getNearestSymbolTable(op);
    ViewType type = op.getResult().getType();
    if (auto offset = op->getAttrOfType<IntegerAttr>(kSharedOffset)) {
      LLVM::GlobalOp global = getDynamicShared(table, rewriter);
      if (!global)
        return failure();
      Value base = LLVM::AddressOfOp::create(rewriter, op.getLoc(), global);
      rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
          op, base.getType(), rewriter.getI8Type(), base,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset.getInt())});
      return success();
    }
    int64_t bytes = type.getSpanBytes().getValue();
    auto array = LLVM::LLVMArrayType::get(rewriter.getI8Type(), bytes);
    unsigned number = 0;
    std::string name;
    do
      name = "tile_shared_" + std::to_string(number++);
    while (SymbolTable::lookupSymbolIn(table, name));
    LLVM::GlobalOp global;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&table->getRegion(0).front());
      global = LLVM::GlobalOp::create(
          rewriter, op.getLoc(), array, /*isConstant=*/false,
          LLVM::Linkage::Internal, name, Attribute(),
          std::max<int64_t>(kSharedAlignment, type.getAlign()),
          /*addrSpace=*/3);
    }
    rewriter.replaceOp(
        op,
        LLVM::AddressOfOp::create(rewriter, op.getLoc(), global).getResult());
    return success();
  }
};

struct LowerClusterView : OpConversionPattern<ClusterViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ClusterViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ViewState state =
        ViewState::unpack(op.getView().getType(), adaptor.getView());
    state.pointer = NVVM::MapaOp::create(
        rewriter, op.getLoc(), op.getResult().getType().getPointerType(),
        state.pointer, adaptor.getBlock().front());
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Storage on the stack, made where the function starts: LLVM turns it into
/// registers where all of its accesses are at constant places.
template <typename OpT>
struct LowerAllocRegisters : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpConversionPattern<OpT>::OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto function = op->template getParentOfType<FunctionOpInterface>();
    if (!function)
      return op.emitOpError("expected to be inside of a function");
    ViewType type = op.getResult().getType();
    Location loc = op.getLoc();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
    auto array = LLVM::LLVMArrayType::get(rewriter.getI8Type(),
                                          type.getSpanBytes().getValue());
    Value one = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(),
                                         rewriter.getI32IntegerAttr(1));
    Value storage = LLVM::AllocaOp::create(rewriter, loc, type.getPointerType(),
                                           array, one, kRegisterAlignment);
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{storage}});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Parts and elements
//===----------------------------------------------------------------------===//

/// The values that the symbols of an operation on a view stand for: the
/// run-time leaves of its layout, then the indices.
SmallVector<Value> getSymbols(ValueRange view, ArrayRef<ValueRange> indices) {
  SmallVector<Value> symbols(view.drop_front());
  llvm::append_range(symbols, flatten(indices));
  return symbols;
}

/// Moves the pointer by the part's offset, and computes the run-time leaves of
/// its layout.
template <typename OpT>
struct LowerPart : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op,
                  typename OpConversionPattern<OpT>::OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Result<ViewPart> part = evaluateView(
        AlgebraOperands(op->getOperands()), [&](AlgebraOperands &operands) {
          return OpT::evaluate(typename OpT::Adaptor(op), operands);
        });
    if (!part)
      return op.emitOpError(part.getReason());
    Arith arith{rewriter, op.getLoc()};
    ValueRange view = adaptor.getView();
    SmallVector<Value> symbols =
        getSymbols(view, adaptor.getOperands().drop_front());
    FailureOr<SmallVector<Value>> leaves =
        materialize(rewriter, op.getLoc(), AlgebraValue(part->layout), symbols);
    Value offset =
        materializeOffset(rewriter, op.getLoc(), part->offset, symbols);
    if (failed(leaves) || !offset)
      return op.emitOpError(
          "expected a layout that can be computed at run time");
    Type elementType = part->elementType
                           ? part->elementType
                           : op.getView().getType().getElementType();
    SmallVector<Value> values{arith.move(view.front(), elementType, offset)};
    llvm::append_range(values, *leaves);
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

/// The pointer to the element that a load or store of a view names, or null.
template <typename OpT, typename AdaptorT>
Value elementPointer(Arith arith, OpT op, AdaptorT adaptor) {
  SmallVector<Value> operands{op.getView()};
  llvm::append_range(operands, op.getCoordOperands());
  AlgebraOperands values{ValueRange(operands)};
  ComposedLayout layout = values.layout();
  Result<Int> offset = getElementOffset(values.tuple(op.getCoord()), layout);
  if (!offset) {
    op.emitOpError(offset.getReason());
    return {};
  }
  ValueRange view = adaptor.getView();
  Value elements =
      materializeOffset(arith.builder, arith.loc, *offset,
                        getSymbols(view, adaptor.getCoordOperands()));
  if (!elements) {
    op.emitOpError("expected an offset that can be computed at run time");
    return {};
  }
  return arith.move(view.front(), op.getView().getType().getElementType(),
                    elements);
}

/// Bytes of the value that a load or store of a view moves.
unsigned accessBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * (vector.getElementTypeBitWidth() / 8);
  return type.getIntOrFloatBitWidth() / 8;
}

struct LowerViewLoad : OpConversionPattern<ViewLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ViewLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    Value pointer = elementPointer(arith, op, adaptor);
    if (!pointer)
      return failure();
    Value loaded =
        LLVM::LoadOp::create(rewriter, op.getLoc(), getMemoryType(op.getType()),
                             pointer, accessBytes(op.getType()));
    rewriter.replaceOp(op, castElements(arith, loaded, op.getType()));
    return success();
  }
};

struct LowerViewStore : OpConversionPattern<ViewStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ViewStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    Value pointer = elementPointer(arith, op, adaptor);
    if (!pointer)
      return failure();
    Type type = op.getValue().getType();
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op,
        castElements(arith, adaptor.getValue().front(), getMemoryType(type)),
        pointer, accessBytes(type));
    return success();
  }
};

/// The values stay, as the layouts are static.
struct LowerViewReshape : OpConversionPattern<ViewReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ViewReshapeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getView()});
    return success();
  }
};

struct LowerViewPointer : OpConversionPattern<ViewPointerOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ViewPointerOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getView().front());
    return success();
  }
};

} // namespace

void tile::populateLowerViewPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<LowerMakeView, LowerAllocShared, LowerClusterView,
               LowerAllocRegisters<AllocRegistersOp>,
               LowerAllocRegisters<AllocFragmentLikeOp>, LowerPart<SliceOp>,
               LowerPart<ViewTransposeOp>, LowerPart<LocalTileOp>,
               LowerPart<LocalPartitionOp>, LowerPart<ThreadPartitionOp>,
               LowerPart<ViewRecastOp>, LowerViewLoad, LowerViewStore,
               LowerViewReshape, LowerViewPointer>(converter,
                                                   patterns.getContext());
}
