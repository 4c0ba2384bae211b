// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers views to pointers, extents and strides.
#include "IndexArith.h"
#include "IteratorState.h"

#include "tile/IR/MixedTuple.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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

struct LowerSlice : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    ViewType type = op.getView().getType();
    ViewState state = ViewState::unpack(type, adaptor.getView());
    SmallVector<Value> coords = flatten(adaptor.getCoordOperands());
    ViewState result{state.pointer, {}, {}};
    Value offset = arith.constant(0);
    const Layout &layout = type.getLayout();
    // Run-time leaves of the modes before the current one.
    unsigned extents = 0, strides = 0;
    for (unsigned i = 0, e = layout.rank(); i < e; ++i) {
      unsigned extentLeaves = getNumDynamicLeaves(layout.getShape()[i]);
      unsigned strideLeaves = getNumDynamicLeaves(layout.getStride()[i]);
      if (!op.getCoord()[i].isWildcard()) {
        Value coord = arith.get(getLeaf(rewriter, op.getCoord(), i, coords));
        Value stride =
            arith.get(getLeaf(rewriter, layout.getStride(), i, state.stride));
        offset = arith.add(offset, arith.mul(coord, stride));
      } else {
        llvm::append_range(
            result.shape, ValueRange(state.shape).slice(extents, extentLeaves));
        llvm::append_range(
            result.stride,
            ValueRange(state.stride).slice(strides, strideLeaves));
      }
      extents += extentLeaves;
      strides += strideLeaves;
    }
    result.pointer = arith.move(state.pointer, type.getElementType(), offset);
    rewriter.replaceOpWithMultiple(op, {result.pack()});
    return success();
  }
};

struct LowerViewTranspose : OpConversionPattern<ViewTransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ViewTransposeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ViewType type = op.getView().getType();
    ViewState state = ViewState::unpack(type, adaptor.getView());
    // The run-time leaves of mode 1 come first now.
    auto swap = [](const IntTuple &tuple, SmallVector<Value> &leaves) {
      std::rotate(leaves.begin(),
                  leaves.begin() + getNumDynamicLeaves(tuple[0]), leaves.end());
    };
    swap(type.getLayout().getShape(), state.shape);
    swap(type.getLayout().getStride(), state.stride);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

/// The offset, in elements, of a coordinate with one integer a mode, each
/// counted in steps of `steps`.
Value offsetOf(Arith arith, const Layout &layout, ValueRange strides,
               const IntTuple &coord, ValueRange coords,
               ArrayRef<int64_t> steps) {
  Value offset = arith.constant(0);
  for (unsigned i = 0, e = coord.rank(); i < e; ++i) {
    Value position = arith.get(getLeaf(arith.builder, coord, i, coords));
    if (!steps.empty())
      position = arith.mul(position, steps[i]);
    Value stride =
        arith.get(getLeaf(arith.builder, layout.getStride(), i, strides));
    offset = arith.add(offset, arith.mul(position, stride));
  }
  return offset;
}

struct LowerLocalTile : OpConversionPattern<LocalTileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LocalTileOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    ViewType type = op.getView().getType();
    ViewState state = ViewState::unpack(type, adaptor.getView());
    Value offset =
        offsetOf(arith, type.getLayout(), state.stride, op.getCoord(),
                 flatten(adaptor.getCoordOperands()), op.getTile());
    ViewState result{arith.move(state.pointer, type.getElementType(), offset),
                     {},
                     state.stride};
    rewriter.replaceOpWithMultiple(op, {result.pack()});
    return success();
  }
};

/// The pointer to the element that a load or store of a view names.
template <typename OpT, typename AdaptorT>
Value elementPointer(Arith arith, OpT op, AdaptorT adaptor) {
  ViewType type = op.getView().getType();
  ViewState state = ViewState::unpack(type, adaptor.getView());
  Value offset = offsetOf(arith, type.getLayout(), state.stride, op.getCoord(),
                          flatten(adaptor.getCoordOperands()), {});
  return arith.move(state.pointer, type.getElementType(), offset);
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
    Value pointer = elementPointer(Arith{rewriter, op.getLoc()}, op, adaptor);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op.getType(), pointer,
                                              accessBytes(op.getType()));
    return success();
  }
};

struct LowerViewStore : OpConversionPattern<ViewStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ViewStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer = elementPointer(Arith{rewriter, op.getLoc()}, op, adaptor);
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, adaptor.getValue().front(), pointer,
        accessBytes(op.getValue().getType()));
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
  patterns.add<LowerMakeView, LowerAllocShared, LowerClusterView, LowerSlice,
               LowerViewTranspose, LowerLocalTile, LowerViewLoad,
               LowerViewStore, LowerViewReshape, LowerViewPointer>(
      converter, patterns.getContext());
}
