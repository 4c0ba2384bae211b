// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers iterators over mapped matrices to loops over memory accesses.
#include "IteratorLowering.h"
#include "MappedIteratorState.h"

#include "tile/IR/MixedTuple.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

//===----------------------------------------------------------------------===//
// Where an element of the matrix is
//===----------------------------------------------------------------------===//

/// The leaf modes of `coords` along one dimension, as values.
struct Leaf {
  Value extent, stride;
  /// Mode of the view along which it moves; -1: none.
  int64_t mode = -1;
};

/// An iterator at one place of the code.
struct Matrix {
  Matrix(Arith arith, MappedIteratorType type, const MappedState &state)
      : type(type), state(state), pattern(getAccessPattern(type.getMap())),
        width(type.getAccessWidth()), leavesTile(mayLeaveTile(type.getMap())),
        fixed(getFixedDim(type)) {
    Layout coords = type.getCoordinateLayout();
    ValueRange shape = type.isIdentity() ? state.view.shape : state.coordShape;
    unsigned nextExtent = 0, nextStride = 0;
    auto get = [&](const Int &leaf, ValueRange values, unsigned &next) {
      return leaf.isStatic() ? arith.constant(leaf.getValue()) : values[next++];
    };
    for (int64_t dim : {0, 1})
      for (const LeafMode &mode : coords[dim].getLeafModes()) {
        Leaf leaf;
        leaf.extent = get(mode.extent, shape, nextExtent);
        leaf.stride = get(mode.stride.getInt(), state.coordStride, nextStride);
        if (mode.stride.isBasis())
          leaf.mode = mode.stride.getPath()[0];
        leaves[dim].push_back(leaf);
      }
  }

  MappedIteratorType type;
  const MappedState &state;
  AccessPattern pattern;
  /// Elements of one memory access.
  int64_t width;
  bool leavesTile;
  std::optional<FixedDim> fixed;
  SmallVector<Leaf> leaves[2];

  int64_t getParts() const { return pattern.vector / width; }
};

/// A place in the view, and whether the element exists (null: it does).
struct Place {
  Value pointer, exists;
};

/// Adds the digits of `number` in the leaves [first, last) to the coordinates.
/// The last of the leaves takes the whole rest; if it is the last one of the
/// dimension it bounds the rest, too.
void addDigits(Arith arith, const Matrix &matrix, int64_t dim, Value number,
               unsigned first, unsigned last, MutableArrayRef<Value> coordinate,
               Value &exists) {
  ArrayRef<Leaf> leaves = matrix.leaves[dim];
  for (unsigned i = first; i < last; ++i) {
    const Leaf &leaf = leaves[i];
    Value digit = number;
    if (i + 1 < last) {
      // An empty tensor must not divide by zero; its last extent masks it.
      Value extent = arith.fold<arith::MaxUIOp>(leaf.extent, arith.constant(1));
      digit = arith.fold<arith::RemUIOp>(number, extent);
      number = arith.fold<arith::DivUIOp>(number, extent);
    } else if (last == leaves.size()) {
      exists =
          arith.fold<arith::AndIOp>(exists, arith.less(digit, leaf.extent));
    }
    if (leaf.mode >= 0)
      coordinate[leaf.mode] =
          arith.add(coordinate[leaf.mode], arith.mul(digit, leaf.stride));
  }
}

/// The row that is looked up in place of `row`; -1 where there is none.
Value lookUp(Arith arith, const Matrix &matrix, Value row, Value &exists) {
  OpBuilder &builder = arith.builder;
  exists = arith.fold<arith::AndIOp>(exists,
                                     arith.less(row, matrix.state.numIndices));
  auto type = VectorType::get({1}, builder.getI32Type());
  Value pointer = arith.move(matrix.state.indices, builder.getI32Type(), row);
  Value mask = vector::BroadcastOp::create(
      builder, arith.loc, VectorType::get({1}, builder.getI1Type()), exists);
  Value none = arith::ConstantOp::create(
      builder, arith.loc,
      DenseElementsAttr::get(type, builder.getI32IntegerAttr(-1)));
  Value loaded = LLVM::MaskedLoadOp::create(builder, arith.loc, type, pointer,
                                            mask, none, 4);
  Value found =
      vector::ExtractOp::create(builder, arith.loc, loaded, int64_t(0));
  return arith.fold<arith::IndexCastOp>(builder.getIndexType(), found);
}

/// Adds what the element at `inTile` of the current tile has along one
/// dimension to the coordinate.
void addAlong(Arith arith, const Matrix &matrix, int64_t dim, Value inTile,
              MutableArrayRef<Value> coordinate, Value &exists) {
  const MappedState &state = matrix.state;
  MappedIteratorType type = matrix.type;
  unsigned count = matrix.leaves[dim].size();
  // Leaves that hold whole tiles: the other digits do not depend on the place
  // in the tile.
  if (unsigned split = type.getTileLeaves(dim)) {
    SmallVector<LeafMode, 4> leafModes = type.getCoords()[dim].getLeafModes();
    int64_t block = 1, tile = type.getMap().getTileShape()[dim];
    for (const LeafMode &leaf : ArrayRef<LeafMode>(leafModes).take_front(split))
      block *= leaf.extent.getValue();
    // Tiles start at multiples of their extent.
    Value low = arith.constant(0);
    if (block != tile)
      low = arith.fold<arith::RemUIOp>(state.tile[dim], arith.constant(block));
    Value high =
        arith.fold<arith::DivUIOp>(state.tile[dim], arith.constant(block));
    addDigits(arith, matrix, dim, arith.add(low, inTile), 0, split, coordinate,
              exists);
    addDigits(arith, matrix, dim, high, split, count, coordinate, exists);
    return;
  }
  Value number = arith.add(state.tile[dim], inTile);
  if (dim == 0 && type.getIndexed())
    number = lookUp(arith, matrix, number, exists);
  addDigits(arith, matrix, dim, number, 0, count, coordinate, exists);
}

/// The same from what the iterator keeps of a fixed dimension; false if it does
/// not keep that offset, or the offset is a loop's.
bool addFixed(Arith arith, const Matrix &matrix, int64_t dim, Value offset,
              MutableArrayRef<Value> coordinate, Value &exists) {
  const std::optional<FixedDim> &fixed = matrix.fixed;
  std::optional<int64_t> number = getConstantIntValue(offset);
  if (!fixed || fixed->dim != dim || !number)
    return false;
  const int64_t *found = llvm::find(fixed->offsets, *number);
  if (found == fixed->offsets.end())
    return false;
  size_t perOffset = fixed->modes.size() + 1;
  ArrayRef<Value> kept =
      ArrayRef<Value>(matrix.state.fixed)
          .slice((found - fixed->offsets.begin()) * perOffset, perOffset);
  for (auto [mode, value] : llvm::zip(fixed->modes, kept))
    coordinate[mode] = arith.add(coordinate[mode], value);
  exists = arith.fold<arith::AndIOp>(exists, kept.back());
  return true;
}

/// The coordinate along the last mode, swizzled.
Value swizzle(Arith arith, ArrayRef<int64_t> numbers,
              ArrayRef<Value> coordinate) {
  Value swizzled = coordinate.back();
  for (; !numbers.empty(); numbers = numbers.drop_front(4)) {
    int64_t bits = numbers[0], into = numbers[1], from = numbers[3];
    int64_t mask = ((int64_t(1) << bits) - 1) << from;
    Value moved =
        arith.fold<arith::AndIOp>(coordinate[numbers[2]], arith.constant(mask));
    if (from > into)
      moved = arith.fold<arith::ShRUIOp>(moved, arith.constant(from - into));
    else if (from < into)
      moved = arith.fold<arith::ShLIOp>(moved, arith.constant(into - from));
    swizzled = arith.fold<arith::XOrIOp>(swizzled, moved);
  }
  return swizzled;
}

/// Where the element is that lies `offset` from this thread's first one.
Place findElement(Arith arith, const Matrix &matrix,
                  const std::array<Value, 2> &offset) {
  const MappedState &state = matrix.state;
  MappedIteratorType type = matrix.type;
  const Layout &layout = type.getView().getLayout();
  OpBuilder &builder = arith.builder;
  Value exists = state.enabled;
  std::array<Value, 2> inTile;
  for (int64_t dim : {0, 1})
    inTile[dim] = arith.add(state.inTile[dim], offset[dim]);
  auto require = [&](Value condition) {
    exists = arith.fold<arith::AndIOp>(exists, condition);
  };
  for (int64_t dim : {0, 1})
    if (matrix.leavesTile)
      require(arith.less(inTile[dim],
                         arith.constant(type.getMap().getTileShape()[dim])));
  if (type.getFill() != FillMode::Full) {
    Value row = arith.add(state.tile[0], inTile[0]);
    Value column = arith.add(state.tile[1], inTile[1]);
    if (type.getFill() == FillMode::Upper)
      std::swap(row, column);
    require(arith.fold<arith::CmpIOp>(arith::CmpIPredicate::uge, row, column));
  }
  SmallVector<Value> coordinate(state.origin);
  if (type.isIdentity())
    coordinate.assign(2, arith.constant(0));
  for (int64_t dim : {0, 1}) {
    if (!addFixed(arith, matrix, dim, offset[dim], coordinate, exists))
      addAlong(arith, matrix, dim, inTile[dim], coordinate, exists);
  }
  Value address = arith.constant(0);
  for (unsigned mode = 0; mode < layout.rank(); ++mode) {
    Value c = coordinate[mode];
    // The coordinates of the identity are bounded as rows and columns are.
    if (!type.isIdentity()) {
      if (type.isDivided() && !type.getDivide()[mode].isStatic(1)) {
        Value divisor =
            arith.get(getLeaf(builder, type.getDivide(), mode, state.divide));
        Value rest = arith.fold<arith::RemSIOp>(c, divisor);
        require(arith.fold<arith::CmpIOp>(arith::CmpIPredicate::eq, rest,
                                          arith.constant(0)));
        c = arith.fold<arith::DivSIOp>(c, divisor);
      }
      Value extent = arith.get(
          getLeaf(builder, layout.getShape(), mode, state.view.shape));
      require(arith.less(c, extent));
    }
    coordinate[mode] = c;
    if (mode + 1 == layout.rank())
      c = swizzle(arith, type.getXorBits(), coordinate);
    Value stride = arith.get(
        getLeaf(builder, layout.getStride(), mode, state.view.stride));
    address = arith.add(address, arith.mul(c, stride));
  }
  return {
      arith.move(state.view.pointer, type.getView().getElementType(), address),
      type.getWhole() ? Value() : exists};
}

//===----------------------------------------------------------------------===//
// Making and moving iterators
//===----------------------------------------------------------------------===//

/// Computes what an iterator keeps of a dimension along which it stays.
void keepFixed(Arith arith, MappedIteratorType type, MappedState &state) {
  Matrix matrix(arith, type, state);
  if (!matrix.fixed)
    return;
  int64_t dim = matrix.fixed->dim;
  SmallVector<Value> kept;
  for (int64_t offset : matrix.fixed->offsets) {
    SmallVector<Value> coordinate(type.getView().getLayout().rank(),
                                  arith.constant(0));
    Value exists = arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
    addAlong(arith, matrix, dim,
             arith.add(state.inTile[dim], arith.constant(offset)), coordinate,
             exists);
    for (int64_t mode : matrix.fixed->modes)
      kept.push_back(coordinate[mode]);
    kept.push_back(exists);
  }
  state.fixed = kept;
}

struct LowerMakeMappedIterator : OpConversionPattern<MakeMappedIteratorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MakeMappedIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedIteratorType type = op.getResult().getType();
    MappedState state;
    state.view = ViewState::unpack(type.getView(), adaptor.getView());
    state.coordShape = flatten(adaptor.getShapeOperands());
    state.coordStride = flatten(adaptor.getStrideOperands());
    state.divide = flatten(adaptor.getDivideOperands());
    unsigned modes = type.isIdentity() ? 0 : type.getView().getLayout().rank();
    SmallVector<Value> origin = flatten(adaptor.getOriginOperands());
    for (unsigned mode = 0; mode < modes; ++mode)
      state.origin.push_back(
          op.getOrigin()
              ? arith.get(getLeaf(rewriter, *op.getOrigin(), mode, origin))
              : arith.constant(0));
    SmallVector<Value> coord = flatten(adaptor.getCoordOperands());
    AccessPattern pattern = getAccessPattern(type.getMap());
    std::array<Value, 2> inTile =
        arith.decode(pattern.threads, adaptor.getThread().front());
    for (unsigned dim : {0u, 1u}) {
      state.tile.push_back(
          arith.get(getLeaf(rewriter, op.getCoord(), dim, coord)));
      state.inTile.push_back(inTile[dim]);
    }
    if (type.getSteps() != 1)
      state.step = arith.constant(0);
    state.enabled = arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1);
    if (type.getIndexed()) {
      ViewType indices = op.getIndices().getType();
      ViewState view = ViewState::unpack(indices, adaptor.getIndices());
      state.indices = view.pointer;
      state.numIndices = arith.get(
          getLeaf(rewriter, indices.getLayout().getShape(), 0, view.shape));
    }
    keepFixed(arith, type, state);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerMappedAdvance : OpConversionPattern<MappedAdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedAdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedIteratorType type = op.getIterator().getType();
    MappedState state = MappedState::unpack(type, adaptor.getIterator());
    Value tiles =
        op.getSteps() ? adaptor.getSteps().front() : arith.constant(1);
    if (type.getSteps() != 1) {
      Value count = arith.constant(type.getSteps());
      Value next = arith.add(state.step, tiles);
      state.step = arith.fold<arith::RemUIOp>(next, count);
      tiles = arith.fold<arith::DivUIOp>(next, count);
    }
    int64_t dim = type.getAdvance();
    state.tile[dim] = arith.add(
        state.tile[dim], arith.mul(tiles, type.getMap().getTileShape()[dim]));
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerMappedAddPointerOffset
    : OpConversionPattern<MappedAddPointerOffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedAddPointerOffsetOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedIteratorType type = op.getIterator().getType();
    MappedState state = MappedState::unpack(type, adaptor.getIterator());
    state.view.pointer =
        arith.move(state.view.pointer, type.getView().getElementType(),
                   adaptor.getOffset().front());
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerMappedClearMask : OpConversionPattern<MappedClearMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedClearMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedState state =
        MappedState::unpack(op.getIterator().getType(), adaptor.getIterator());
    Value never = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 1);
    state.enabled =
        arith.select(adaptor.getCondition().front(), never, state.enabled);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerMappedEnableMask : OpConversionPattern<MappedEnableMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedEnableMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedState state =
        MappedState::unpack(op.getIterator().getType(), adaptor.getIterator());
    state.enabled = arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Emits a loop over the accesses of the current step; `body` makes one memory
/// access of the elements from `position` of the fragment on, and returns the
/// next value of what it carries (or null).
Value forEachAccess(
    Arith arith, MappedIteratorType type, const MappedState &state, Value init,
    function_ref<Value(Arith, Place, Value position, Value carried)> body) {
  int64_t count = type.getStepAccesses();
  SmallVector<Value> values = stripMinedLoop(
      arith, 0, count, init ? ValueRange(init) : ValueRange(),
      [&](Arith arith, Value index, ValueRange values) -> SmallVector<Value> {
        Matrix matrix(arith, type, state);
        Value access = index;
        if (state.step)
          access = arith.add(arith.mul(state.step, count), index);
        std::array<Value, 2> offset =
            arith.decode(matrix.pattern.iterations, access);
        Value carried = init ? values.front() : Value();
        for (int64_t part = 0; part < matrix.getParts(); ++part) {
          std::array<Value, 2> at = offset;
          int64_t first = part * matrix.width;
          int64_t dim = matrix.pattern.vectorDim;
          at[dim] = arith.add(at[dim], arith.constant(first));
          Value position = arith.add(arith.mul(index, matrix.pattern.vector),
                                     arith.constant(first));
          carried =
              body(arith, findElement(arith, matrix, at), position, carried);
        }
        return carried ? SmallVector<Value>{carried} : SmallVector<Value>();
      });
  return values.empty() ? Value() : values.front();
}

Value broadcastMask(Arith arith, Value predicate, int64_t width) {
  return vector::BroadcastOp::create(
      arith.builder, arith.loc,
      VectorType::get({width}, arith.builder.getI1Type()), predicate);
}

/// A pattern that may write strip-mined loops.
template <typename OpT>
struct AccessPatternBase : OpConversionPattern<OpT> {
  AccessPatternBase(const TypeConverter &converter, MLIRContext *context,
                    bool unroll)
      : OpConversionPattern<OpT>(converter, context), unroll(unroll) {}
  bool unroll;
};

struct LowerMappedLoad : AccessPatternBase<MappedLoadOp> {
  using AccessPatternBase::AccessPatternBase;
  LogicalResult
  matchAndRewrite(MappedLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedIteratorType type = op.getIterator().getType();
    MappedState state = MappedState::unpack(type, adaptor.getIterator());
    int64_t width = type.getAccessWidth();
    auto accessType = VectorType::get({width}, type.getView().getElementType());
    VectorType memoryType =
        getMemoryType(type.getView().getElementType(), width);
    unsigned alignment = width * type.getView().getElementBytes();
    Value init = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getZeroAttr(type.getFragmentType()));
    Value fragment = forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, type, state, init,
        [&](Arith arith, Place place, Value position, Value fragment) {
          OpBuilder &builder = arith.builder;
          Value loaded;
          if (place.exists) {
            Value zero = arith::ConstantOp::create(
                builder, arith.loc, builder.getZeroAttr(memoryType));
            loaded = LLVM::MaskedLoadOp::create(
                builder, arith.loc, memoryType, place.pointer,
                broadcastMask(arith, place.exists, width), zero, alignment);
          } else {
            loaded = LLVM::LoadOp::create(builder, arith.loc, memoryType,
                                          place.pointer, alignment);
          }
          loaded = castElements(arith, loaded, accessType);
          for (int64_t e = 0; e < width; ++e) {
            Value element =
                vector::ExtractOp::create(builder, arith.loc, loaded, e);
            fragment = vector::InsertOp::create(
                builder, arith.loc, element, fragment,
                getAsOpFoldResult(arith.add(position, arith.constant(e))));
          }
          return fragment;
        });
    rewriter.replaceOp(op, fragment);
    return success();
  }
};

struct LowerMappedStore : AccessPatternBase<MappedStoreOp> {
  using AccessPatternBase::AccessPatternBase;
  LogicalResult
  matchAndRewrite(MappedStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedIteratorType type = op.getIterator().getType();
    MappedState state = MappedState::unpack(type, adaptor.getIterator());
    int64_t width = type.getAccessWidth();
    auto accessType = VectorType::get({width}, type.getView().getElementType());
    unsigned alignment = width * type.getView().getElementBytes();
    Value fragment = adaptor.getFragment().front();
    forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, type, state, Value(),
        [&](Arith arith, Place place, Value position, Value) {
          OpBuilder &builder = arith.builder;
          SmallVector<Value> elements;
          for (int64_t e = 0; e < width; ++e)
            elements.push_back(vector::ExtractOp::create(
                builder, arith.loc, fragment,
                getAsOpFoldResult(arith.add(position, arith.constant(e)))));
          Value stored = vector::FromElementsOp::create(builder, arith.loc,
                                                        accessType, elements);
          stored = castElements(
              arith, stored,
              getMemoryType(type.getView().getElementType(), width));
          if (place.exists)
            LLVM::MaskedStoreOp::create(
                builder, arith.loc, stored, place.pointer,
                broadcastMask(arith, place.exists, width), alignment);
          else
            LLVM::StoreOp::create(builder, arith.loc, stored, place.pointer,
                                  alignment);
          return Value();
        });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

bool tile::isMappedIteratorOp(Operation *op) {
  return isa<MakeMappedIteratorOp, MappedLoadOp, MappedStoreOp, MappedAdvanceOp,
             MappedAddPointerOffsetOp, MappedClearMaskOp, MappedEnableMaskOp>(
      op);
}

void tile::populateMappedIteratorTypeConversions(TypeConverter &converter) {
  converter.addConversion(
      [](MappedIteratorType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        types = MappedState::getTypes(type);
        return success();
      });
}

void tile::populateLowerMappedIteratorPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns,
                                               bool unroll) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerMakeMappedIterator, LowerMappedAdvance,
               LowerMappedAddPointerOffset, LowerMappedClearMask,
               LowerMappedEnableMask>(converter, context);
  patterns.add<LowerMappedLoad, LowerMappedStore>(converter, context, unroll);
}
