// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers views and tile iterators to strip-mined loops over memory accesses.
#include "ControlFlow.h"
#include "IndexArith.h"
#include "IteratorState.h"

#include "tile/IR/MixedTuple.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERITERATORS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

/// A marked loop over [lower, upper) that carries `init`, or its iterations one
/// after the other.
SmallVector<Value> stripMinedLoop(
    Arith arith, int64_t lower, int64_t upper, ValueRange init,
    function_ref<SmallVector<Value>(Arith, Value, ValueRange)> body) {
  if (arith.unroll) {
    SmallVector<Value> carried(init);
    for (int64_t i = lower; i < upper; ++i)
      carried = body(arith, arith.constant(i), carried);
    return carried;
  }
  auto loop = scf::ForOp::create(
      arith.builder, arith.loc, arith.constant(lower), arith.constant(upper),
      arith.constant(1), init,
      [&](OpBuilder &builder, Location loc, Value index, ValueRange carried) {
        scf::YieldOp::create(builder, loc,
                             body(Arith{builder, loc}, index, carried));
      });
  loop->setAttr(kStripMined, arith.builder.getUnitAttr());
  return SmallVector<Value>(loop.getResults());
}

/// A pattern that may write strip-mined loops.
template <typename OpT>
struct IteratorPattern : OpConversionPattern<OpT> {
  IteratorPattern(const TypeConverter &converter, MLIRContext *context,
                  bool unroll)
      : OpConversionPattern<OpT>(converter, context), unroll(unroll) {}
  bool unroll;
};

/// How an iterator's type splits the fragment of a thread into accesses.
struct AccessPlan {
  explicit AccessPlan(IteratorType type)
      : type(type), pattern(getAccessPattern(type.getMap())),
        width(type.getAccessWidth()), parts(pattern.vector / width) {}

  IteratorType type;
  AccessPattern pattern;
  /// Elements of one memory access; memory accesses of one access of the map.
  int64_t width, parts;

  Type getElementType() const { return type.getView().getElementType(); }
  Layout getLayout() const { return type.getView().getLayout(); }
};

//===----------------------------------------------------------------------===//
// Making iterators
//===----------------------------------------------------------------------===//

/// Packs the predicates of all accesses: element `first` of the thread plus the
/// access's offset must lie below `limit` in every dimension that has one. Of a
/// map that reaches beyond its tile, the element `inTile` must lie in it.
SmallVector<Value> buildMask(Arith arith, const AccessPlan &plan,
                             ArrayRef<Value> first, ArrayRef<Value> limit,
                             ArrayRef<Value> inTile) {
  SmallVector<Value> words;
  ThreadMapAttrInterface map = plan.type.getMap();
  bool leavesTile = mayLeaveTile(map);
  int64_t count = plan.type.getNumPredicates();
  for (int64_t begin = 0; begin < count; begin += 32) {
    Value zero = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32);
    SmallVector<Value> word = stripMinedLoop(
        arith, begin, std::min(count, begin + 32), zero,
        [&](Arith arith, Value index,
            ValueRange carried) -> SmallVector<Value> {
          Value access =
              arith.fold<arith::DivUIOp>(index, arith.constant(plan.parts));
          std::array<Value, 2> offset =
              arith.decode(plan.pattern.iterations, access);
          Value part =
              arith.fold<arith::RemUIOp>(index, arith.constant(plan.parts));
          int64_t dim = plan.pattern.vectorDim;
          offset[dim] = arith.add(offset[dim], arith.mul(part, plan.width));
          Value inside =
              arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
          for (int64_t d : {0, 1}) {
            if (!limit[d])
              continue;
            Value below = arith.less(arith.add(first[d], offset[d]), limit[d]);
            inside = arith.fold<arith::AndIOp>(inside, below);
          }
          for (int64_t d : {0, 1}) {
            if (!leavesTile)
              continue;
            Value below = arith.less(arith.add(inTile[d], offset[d]),
                                     arith.constant(map.getTileShape()[d]));
            inside = arith.fold<arith::AndIOp>(inside, below);
          }
          Type i32 = arith.builder.getI32Type();
          Value position =
              arith.fold<arith::SubIOp>(index, arith.constant(begin));
          Value shift = arith.fold<arith::IndexCastOp>(i32, position);
          Value bit = arith.fold<arith::ExtUIOp>(i32, inside);
          bit = arith.fold<arith::ShLIOp>(bit, shift);
          return {arith.fold<arith::OrIOp>(carried[0], bit)};
        });
    words.push_back(word[0]);
  }
  return words;
}

struct LowerMakeIterator : IteratorPattern<MakeIteratorOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(MakeIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    IteratorType type = op.getResult().getType();
    AccessPlan plan(type);
    const Layout &layout = plan.getLayout();
    ViewState view = ViewState::unpack(type.getView(), adaptor.getView());
    SmallVector<Value> coords = flatten(adaptor.getCoordOperands());
    Value thread = adaptor.getThread().front();

    std::array<Value, 2> inTile = arith.decode(plan.pattern.threads, thread);
    SmallVector<Value> coord, first, extent;
    Value offset = arith.constant(0);
    for (unsigned dim : {0u, 1u}) {
      coord.push_back(arith.get(getLeaf(rewriter, op.getCoord(), dim, coords)));
      first.push_back(arith.add(coord[dim], inTile[dim]));
      extent.push_back(
          arith.get(getLeaf(rewriter, layout.getShape(), dim, view.shape)));
      Value stride =
          arith.get(getLeaf(rewriter, layout.getStride(), dim, view.stride));
      offset = arith.add(offset, arith.mul(first[dim], stride));
    }
    IteratorState state;
    state.pointer = arith.move(view.pointer, plan.getElementType(), offset);
    state.stride = view.stride;
    if (type.getPredicated()) {
      int64_t advance = type.getAdvance();
      SmallVector<Value> limit = extent;
      if (type.getPhase() == IteratorPhase::Residue) {
        // What is left of the extent, and how much of it the first tile takes.
        Value tile = arith.constant(type.getMap().getTileShape()[advance]);
        Value zero = arith.constant(0);
        Value past = arith.less(extent[advance], coord[advance]);
        Value left = arith.select(
            past, zero,
            arith.fold<arith::SubIOp>(extent[advance], coord[advance]));
        Value rest = arith.fold<arith::RemUIOp>(left, tile);
        Value whole =
            arith.fold<arith::CmpIOp>(arith::CmpIPredicate::eq, rest, zero);
        state.residue = arith.select(whole, tile, rest);
        Value valid = arith.fold<arith::MinUIOp>(state.residue, left);
        limit[advance] = arith.add(coord[advance], valid);
      }
      if (type.getPhase() == IteratorPhase::Steady &&
          advance != IteratorType::kNoAdvance)
        limit[advance] = Value();
      state.mask = buildMask(arith, plan, first, limit, inTile);
      if (type.getPhase() == IteratorPhase::Residue) {
        limit[advance] = Value();
        state.steadyMask = buildMask(arith, plan, first, limit, inTile);
      }
    }
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The one memory access of a loop iteration.
struct Access {
  Value pointer;
  /// Position in the fragment of its first element.
  Value position;
  /// Null when the iterator is not predicated.
  Value predicate;
};

/// Emits loops over `count` accesses from `first` on; `body` makes one memory
/// access and returns the next value of what it carries (or null).
Value forEachAccess(Arith arith, const AccessPlan &plan,
                    const IteratorState &state, int64_t first, int64_t count,
                    Value init,
                    function_ref<Value(Arith, Access, Value)> body) {
  const Layout &layout = plan.getLayout();
  auto stride = [&](Arith arith, int64_t dim) {
    return arith.get(
        getLeaf(arith.builder, layout.getStride(), dim, state.stride));
  };
  auto offsetOf = [&](Arith arith, Value access) {
    std::array<Value, 2> offset = arith.decode(plan.pattern.iterations, access);
    return arith.add(arith.mul(offset[0], stride(arith, 0)),
                     arith.mul(offset[1], stride(arith, 1)));
  };
  // With one mode of iterations the pointer moves by addition.
  const MapMode *only = nullptr;
  unsigned modes = 0;
  for (const MapMode &mode : plan.pattern.iterations)
    if (mode.size > 1) {
      only = &mode;
      ++modes;
    }
  bool increments = modes <= 1;
  Value increment;
  if (modes == 1)
    increment = arith.mul(stride(arith, only->dim), only->stride);

  Type elementType = plan.getElementType();
  // One loop for the accesses whose predicates share a word. Where the bits of
  // one access straddle words, each access has a loop of its own.
  int64_t perLoop = count;
  if (!state.mask.empty())
    perLoop = 32 % plan.parts == 0 ? 32 / plan.parts : 1;
  Value carried = init;
  Value pointer = state.pointer;
  if (increments && first > 0)
    pointer = arith.move(pointer, elementType,
                         offsetOf(arith, arith.constant(first)));
  for (int64_t begin = first, end = first + count; begin < end;) {
    int64_t next = std::min(end, (begin / perLoop + 1) * perLoop);
    if (state.mask.empty())
      next = end;
    SmallVector<Value> values;
    if (increments)
      values.push_back(pointer);
    if (carried)
      values.push_back(carried);
    values = stripMinedLoop(
        arith, begin, next, values,
        [&](Arith arith, Value index, ValueRange values) -> SmallVector<Value> {
          Value base = increments ? values[0]
                                  : arith.move(state.pointer, elementType,
                                               offsetOf(arith, index));
          Value carried = init ? values.back() : Value();
          Value position =
              arith.mul(arith.fold<arith::SubIOp>(index, arith.constant(first)),
                        plan.pattern.vector);
          for (int64_t part = 0; part < plan.parts; ++part) {
            Access access;
            access.pointer =
                arith.move(base, elementType,
                           arith.mul(stride(arith, plan.pattern.vectorDim),
                                     part * plan.width));
            access.position =
                arith.add(position, arith.constant(part * plan.width));
            if (!state.mask.empty()) {
              Type i32 = arith.builder.getI32Type();
              int64_t number = (begin * plan.parts + part) / 32;
              Value bit =
                  arith.add(arith.mul(index, plan.parts), arith.constant(part));
              bit = arith.fold<arith::SubIOp>(bit, arith.constant(number * 32));
              Value word = arith.fold<arith::ShRUIOp>(
                  state.mask[number], arith.fold<arith::IndexCastOp>(i32, bit));
              access.predicate =
                  arith.fold<arith::TruncIOp>(arith.builder.getI1Type(), word);
            }
            carried = body(arith, access, carried);
          }
          SmallVector<Value> results;
          if (increments)
            results.push_back(
                increment ? arith.move(base, elementType, increment) : base);
          if (carried)
            results.push_back(carried);
          return results;
        });
    if (increments)
      pointer = values[0];
    if (carried)
      carried = values.back();
    begin = next;
  }
  return carried;
}

/// The accesses that an operation transfers.
std::pair<int64_t, int64_t>
getRange(const AccessPlan &plan, std::optional<ArrayRef<int64_t>> accesses) {
  if (accesses)
    return {(*accesses)[0], (*accesses)[1]};
  return {0, plan.pattern.getNumAccesses()};
}

struct LowerIteratorLoad : IteratorPattern<IteratorLoadOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(IteratorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccessPlan plan(op.getIterator().getType());
    IteratorState state =
        IteratorState::unpack(plan.type, adaptor.getIterator());
    auto [first, count] = getRange(plan, op.getAccesses());
    auto fragmentType = cast<VectorType>(op.getFragment().getType());
    auto accessType = VectorType::get({plan.width}, plan.getElementType());
    unsigned alignment = plan.width * plan.type.getView().getElementBytes();
    Arith arith{rewriter, op.getLoc(), unroll};
    Value init = arith::ConstantOp::create(rewriter, op.getLoc(),
                                           rewriter.getZeroAttr(fragmentType));
    Value fragment = forEachAccess(
        arith, plan, state, first, count, init,
        [&](Arith arith, Access access, Value fragment) -> Value {
          OpBuilder &builder = arith.builder;
          Value loaded;
          if (access.predicate) {
            auto maskType = VectorType::get({plan.width}, builder.getI1Type());
            Value mask = vector::BroadcastOp::create(
                builder, arith.loc, maskType, access.predicate);
            Value zero = arith::ConstantOp::create(
                builder, arith.loc, builder.getZeroAttr(accessType));
            loaded = LLVM::MaskedLoadOp::create(builder, arith.loc, accessType,
                                                access.pointer, mask, zero,
                                                alignment);
          } else {
            loaded = LLVM::LoadOp::create(builder, arith.loc, accessType,
                                          access.pointer, alignment);
          }
          for (int64_t e = 0; e < plan.width; ++e) {
            Value element =
                vector::ExtractOp::create(builder, arith.loc, loaded, e);
            Value position = arith.add(access.position, arith.constant(e));
            fragment =
                vector::InsertOp::create(builder, arith.loc, element, fragment,
                                         getAsOpFoldResult(position));
          }
          return fragment;
        });
    rewriter.replaceOp(op, fragment);
    return success();
  }
};

struct LowerIteratorStore : IteratorPattern<IteratorStoreOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(IteratorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccessPlan plan(op.getIterator().getType());
    IteratorState state =
        IteratorState::unpack(plan.type, adaptor.getIterator());
    auto [first, count] = getRange(plan, op.getAccesses());
    auto accessType = VectorType::get({plan.width}, plan.getElementType());
    unsigned alignment = plan.width * plan.type.getView().getElementBytes();
    Value fragment = adaptor.getFragment().front();
    forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, plan, state, first, count,
        Value(), [&](Arith arith, Access access, Value) -> Value {
          OpBuilder &builder = arith.builder;
          SmallVector<Value> elements;
          for (int64_t e = 0; e < plan.width; ++e) {
            Value position = arith.add(access.position, arith.constant(e));
            elements.push_back(vector::ExtractOp::create(
                builder, arith.loc, fragment, getAsOpFoldResult(position)));
          }
          Value stored = vector::FromElementsOp::create(builder, arith.loc,
                                                        accessType, elements);
          if (access.predicate) {
            auto maskType = VectorType::get({plan.width}, builder.getI1Type());
            Value mask = vector::BroadcastOp::create(
                builder, arith.loc, maskType, access.predicate);
            LLVM::MaskedStoreOp::create(builder, arith.loc, stored,
                                        access.pointer, mask, alignment);
          } else {
            LLVM::StoreOp::create(builder, arith.loc, stored, access.pointer,
                                  alignment);
          }
          return Value();
        });
    rewriter.eraseOp(op);
    return success();
  }
};

/// A copy goes through registers.
struct LowerCopy : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value fragment =
        IteratorLoadOp::create(rewriter, op.getSource().getLoc(),
                               op.getSource().getType().getFragmentType(),
                               op.getSource(), DenseI64ArrayAttr());
    IteratorStoreOp::create(rewriter, op.getDestination().getLoc(), fragment,
                            op.getDestination(), DenseI64ArrayAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Moving iterators, masks
//===----------------------------------------------------------------------===//

struct LowerAdvance : OpConversionPattern<IteratorAdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorAdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    int64_t dim = type.getAdvance();
    Value stride = arith.get(getLeaf(
        rewriter, type.getView().getLayout().getStride(), dim, state.stride));
    Value tiles = state.residue
                      ? state.residue
                      : arith.constant(type.getMap().getTileShape()[dim]);
    state.pointer = arith.move(state.pointer, type.getView().getElementType(),
                               arith.mul(tiles, stride));
    if (state.residue) {
      state.mask = state.steadyMask;
      state.steadyMask.clear();
      state.residue = Value();
    }
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerAddPointerOffset : OpConversionPattern<IteratorAddPointerOffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorAddPointerOffsetOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    state.pointer = arith.move(state.pointer, type.getView().getElementType(),
                               adaptor.getOffset().front());
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerClearMask : OpConversionPattern<IteratorClearMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorClearMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorState state = IteratorState::unpack(op.getIterator().getType(),
                                                adaptor.getIterator());
    Value zero = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 32);
    for (auto *words : {&state.mask, &state.steadyMask})
      for (Value &word : *words)
        word = arith.select(adaptor.getCondition().front(), zero, word);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerGetMask : OpConversionPattern<IteratorGetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorGetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    IteratorState state = IteratorState::unpack(op.getIterator().getType(),
                                                adaptor.getIterator());
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
        op, cast<VectorType>(op.getMask().getType()), state.mask);
    return success();
  }
};

struct LowerSetMask : OpConversionPattern<IteratorSetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorSetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    IteratorState state = IteratorState::unpack(op.getIterator().getType(),
                                                adaptor.getIterator());
    for (auto [i, word] : llvm::enumerate(state.mask))
      state.mask[i] = vector::ExtractOp::create(rewriter, op.getLoc(),
                                                adaptor.getMask().front(),
                                                static_cast<int64_t>(i));
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

/// A last warp that is not full costs as much as a full one.
void warnOfIdleLanes(MakeIteratorOp op) {
  int64_t threads = op.getResult().getType().getMap().getThreads();
  if (threads % 32 != 0)
    op.emitWarning("expected a thread map of whole warps of 32 threads, but "
                   "got ")
        << threads << ": " << 32 - threads % 32
        << " lanes of the last warp have nothing to do";
}

struct TileLowerIteratorsPass
    : tile::impl::TileLowerIteratorsBase<TileLowerIteratorsPass> {
  using TileLowerIteratorsBase::TileLowerIteratorsBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // Shared memory becomes a global of a symbol table that this pass may edit.
    WalkResult homeless = getOperation()->walk([&](AllocSharedOp op) {
      Operation *table = SymbolTable::getNearestSymbolTable(op);
      if (table && getOperation()->isAncestor(table))
        return WalkResult::advance();
      op.emitOpError("expected tile-lower-iterators to run on the module "
                     "around it, but got ")
          << getOperation()->getName();
      return WalkResult::interrupt();
    });
    if (homeless.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk(warnOfIdleLanes);
    if (failed(placeSharedMemory(getOperation())))
      return signalPassFailure();
    TypeConverter converter;
    populateIteratorTypeConversions(converter);
    RewritePatternSet patterns(context);
    populateLowerIteratorPatterns(converter, patterns, unroll);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      return !isa<MakeViewOp, AllocSharedOp, SliceOp, ViewTransposeOp,
                  LocalTileOp, ViewLoadOp, ViewStoreOp, ViewReshapeOp,
                  ViewPointerOp, MakeIteratorOp, IteratorLoadOp,
                  IteratorStoreOp, CopyOp, IteratorAdvanceOp,
                  IteratorAddPointerOffsetOp, IteratorClearMaskOp,
                  IteratorGetMaskOp, IteratorSetMaskOp>(op);
    });
    if (failed(convertWithControlFlow(getOperation(), converter, target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void tile::populateIteratorTypeConversions(TypeConverter &converter) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](ViewType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        types = ViewState::getTypes(type);
        return success();
      });
  converter.addConversion(
      [](IteratorType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        types = IteratorState::getTypes(type);
        return success();
      });
}

void tile::populateLowerIteratorPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns,
                                         bool unroll) {
  populateLowerViewPatterns(converter, patterns);
  patterns.add<LowerCopy, LowerAdvance, LowerAddPointerOffset, LowerClearMask,
               LowerGetMask, LowerSetMask>(converter, patterns.getContext());
  patterns.add<LowerMakeIterator, LowerIteratorLoad, LowerIteratorStore>(
      converter, patterns.getContext(), unroll);
}
