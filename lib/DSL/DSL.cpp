// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language: C++ that stages tile operations as it runs.
#include "tile/DSL/DSL.h"

#include "tile/IR/MixedTuple.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

//===----------------------------------------------------------------------===//
// Val
//===----------------------------------------------------------------------===//

Val Val::cast(Type type) const {
  if (type == getType())
    return *this;
  OpBuilder &builder = scope->builder;
  if (type.isIndex() || getType().isIndex())
    return Val(*scope, builder.createOrFold<arith::IndexCastUIOp>(scope->loc,
                                                                  type, value));
  if (type.getIntOrFloatBitWidth() > getType().getIntOrFloatBitWidth())
    return Val(*scope,
               builder.createOrFold<arith::ExtUIOp>(scope->loc, type, value));
  return Val(*scope,
             builder.createOrFold<arith::TruncIOp>(scope->loc, type, value));
}

Val Val::constant(int64_t number) const {
  OpBuilder &builder = scope->builder;
  return Val(*scope, arith::ConstantOp::create(
                         builder, scope->loc,
                         builder.getIntegerAttr(getType(), number)));
}

template <typename IntOp, typename FloatOp = IntOp>
static Val binary(Val a, Val b) {
  Scope &scope = a.getScope();
  if (isa<FloatType>(getElementTypeOrSelf(a.getType())))
    return Val(scope, scope.builder.createOrFold<FloatOp>(scope.loc, a.get(),
                                                          b.get()));
  return Val(scope,
             scope.builder.createOrFold<IntOp>(scope.loc, a.get(), b.get()));
}

Val dsl::operator+(Val a, Val b) {
  return binary<arith::AddIOp, arith::AddFOp>(a, b);
}
Val dsl::operator-(Val a, Val b) {
  return binary<arith::SubIOp, arith::SubFOp>(a, b);
}
Val dsl::operator*(Val a, Val b) {
  return binary<arith::MulIOp, arith::MulFOp>(a, b);
}
Val dsl::operator/(Val a, Val b) {
  return binary<arith::DivUIOp, arith::DivFOp>(a, b);
}
Val dsl::operator%(Val a, Val b) { return binary<arith::RemUIOp>(a, b); }
Val dsl::operator+(Val a, int64_t b) { return a + a.constant(b); }
Val dsl::operator-(Val a, int64_t b) { return a - a.constant(b); }
Val dsl::operator*(Val a, int64_t b) { return a * a.constant(b); }
Val dsl::operator/(Val a, int64_t b) { return a / a.constant(b); }
Val dsl::operator%(Val a, int64_t b) { return a % a.constant(b); }

static Val compare(arith::CmpIPredicate predicate, Val a, Val b) {
  Scope &scope = a.getScope();
  return Val(scope, scope.builder.createOrFold<arith::CmpIOp>(
                        scope.loc, predicate, a.get(), b.get()));
}

Val dsl::operator<(Val a, Val b) {
  return compare(arith::CmpIPredicate::ult, a, b);
}
Val dsl::operator<=(Val a, int64_t b) {
  return compare(arith::CmpIPredicate::ule, a, a.constant(b));
}
Val dsl::operator>=(Val a, Val b) {
  return compare(arith::CmpIPredicate::uge, a, b);
}

Val dsl::equal(Val a, Val b) {
  Scope &scope = a.getScope();
  if (isa<FloatType>(a.getType()))
    return Val(scope,
               scope.builder.createOrFold<arith::CmpFOp>(
                   scope.loc, arith::CmpFPredicate::OEQ, a.get(), b.get()));
  return compare(arith::CmpIPredicate::eq, a, b);
}

Val dsl::min(Val a, Val b) { return binary<arith::MinUIOp>(a, b); }

Val dsl::ceilDiv(Val a, int64_t b) { return (a + (b - 1)) / b; }

Val dsl::select(Val condition, Val a, Val b) {
  Scope &scope = condition.getScope();
  return Val(scope, scope.builder.createOrFold<arith::SelectOp>(
                        scope.loc, condition.get(), a.get(), b.get()));
}

Val dsl::both(Val a, Val b) { return binary<arith::AndIOp>(a, b); }
Val dsl::either(Val a, Val b) { return binary<arith::OrIOp>(a, b); }

Val dsl::i32Constant(Scope &scope, int64_t number) {
  return Val(scope, arith::ConstantIntOp::create(scope.builder, scope.loc,
                                                 number, 32));
}

Val dsl::truncate(Val vector, Type elementType) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getElementType() == elementType)
    return vector;
  Scope &scope = vector.getScope();
  return Val(scope,
             arith::TruncFOp::create(scope.builder, scope.loc,
                                     type.clone(elementType), vector.get()));
}

Val dsl::extend(Val vector, Type elementType) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getElementType() == elementType)
    return vector;
  Scope &scope = vector.getScope();
  return Val(scope,
             arith::ExtFOp::create(scope.builder, scope.loc,
                                   type.clone(elementType), vector.get()));
}

Val dsl::indexConstant(Scope &scope, int64_t number) {
  return Val(scope,
             arith::ConstantIndexOp::create(scope.builder, scope.loc, number));
}

Val dsl::floatConstant(Scope &scope, Type type, double number) {
  return Val(scope, arith::ConstantOp::create(
                        scope.builder, scope.loc,
                        scope.builder.getFloatAttr(type, number)));
}

Val dsl::zeros(Scope &scope, Type elementType, int64_t size) {
  return Val(scope, arith::ConstantOp::create(
                        scope.builder, scope.loc,
                        scope.builder.getZeroAttr(
                            VectorType::get({size}, elementType))));
}

Val dsl::splat(Val scalar, int64_t size) {
  Scope &scope = scalar.getScope();
  return Val(scope,
             vector::BroadcastOp::create(
                 scope.builder, scope.loc,
                 VectorType::get({size}, scalar.getType()), scalar.get()));
}

Val dsl::extractSlice(Val vector, int64_t first, int64_t size) {
  Scope &scope = vector.getScope();
  return Val(scope, vector::ExtractStridedSliceOp::create(
                        scope.builder, scope.loc, vector.get(),
                        ArrayRef<int64_t>{first}, ArrayRef<int64_t>{size},
                        ArrayRef<int64_t>{1}));
}

Val dsl::concatenate(ArrayRef<Val> vectors) {
  Scope &scope = vectors.front().getScope();
  SmallVector<Value> elements;
  for (Val vector : vectors)
    for (int64_t i = 0, e = cast<VectorType>(vector.getType()).getNumElements();
         i < e; ++i)
      elements.push_back(
          vector::ExtractOp::create(scope.builder, scope.loc, vector.get(), i));
  auto type = VectorType::get({static_cast<int64_t>(elements.size())},
                              elements.front().getType());
  return Val(scope, vector::FromElementsOp::create(scope.builder, scope.loc,
                                                   type, elements));
}

Val dsl::widen(Val vector, int64_t size) {
  Scope &scope = vector.getScope();
  SmallVector<int64_t> mask(size, vector::ShuffleOp::kPoisonIndex);
  for (int64_t i = 0, e = cast<VectorType>(vector.getType()).getNumElements();
       i < e; ++i)
    mask[i] = i;
  return Val(scope,
             vector::ShuffleOp::create(scope.builder, scope.loc, vector.get(),
                                       vector.get(), mask));
}

Val dsl::addf(Val a, Val b) {
  return binary<arith::AddIOp, arith::AddFOp>(a, b);
}

Val dsl::fma(Val a, Val b, Val c) {
  Scope &scope = a.getScope();
  return Val(scope, LLVM::FMAOp::create(scope.builder, scope.loc, a.get(),
                                        b.get(), c.get()));
}

Val dsl::mulf(Val a, Val b) {
  return binary<arith::MulIOp, arith::MulFOp>(a, b);
}

//===----------------------------------------------------------------------===//
// Views and iterators
//===----------------------------------------------------------------------===//

/// Leaves as a tuple attribute with operands.
static MixedTuple mixed(ArrayRef<Leaf> leaves) {
  MixedTuple result;
  SmallVector<IntTuple> tuples;
  for (const Leaf &leaf : leaves) {
    if (!leaf.value) {
      tuples.push_back(IntTuple(leaf.constant));
      continue;
    }
    tuples.push_back(IntTuple(Int::dynamic(leaf.divisor)));
    result.operands.push_back(leaf.value.get());
  }
  result.tuple = IntTuple::tuple(tuples);
  return result;
}

View dsl::makeView(Scope &scope, Val pointer, Type elementType,
                   ArrayRef<Leaf> shape, ArrayRef<Leaf> stride, int64_t align) {
  MixedTuple extents = mixed(shape), strides = mixed(stride);
  MLIRContext *context = scope.builder.getContext();
  Result<Layout> layout = Layout::get(extents.tuple, strides.tuple);
  auto type = ViewType::get(context, elementType, MemorySpace::Global,
                            layout ? *layout : Layout(), align);
  return View(Val(
      scope, MakeViewOp::create(scope.builder, scope.loc, type, pointer.get(),
                                extents.operands, strides.operands,
                                IntTupleAttr::get(context, extents.tuple),
                                IntTupleAttr::get(context, strides.tuple))));
}

View dsl::allocShared(Scope &scope, Type elementType, ArrayRef<int64_t> shape,
                      ArrayRef<int64_t> stride) {
  Result<Layout> layout =
      Layout::get(IntTuple::constants(shape), IntTuple::constants(stride));
  auto type = ViewType::get(scope.builder.getContext(), elementType,
                            MemorySpace::Shared, layout ? *layout : Layout(),
                            /*align=*/16);
  return View(
      Val(scope, AllocSharedOp::create(scope.builder, scope.loc, type)));
}

View dsl::allocShared(Scope &scope, Type elementType,
                      const ComposedLayout &layout, int64_t align) {
  auto type = ViewType::get(scope.builder.getContext(), elementType,
                            MemorySpace::Shared, layout.getLayout(), align,
                            layout.getSwizzle());
  return View(
      Val(scope, AllocSharedOp::create(scope.builder, scope.loc, type)));
}

Iterator View::iterate(Leaf row, Leaf column, Val thread,
                       ThreadMapAttrInterface map, Walk walk) const {
  Scope &scope = value.getScope();
  MLIRContext *context = scope.builder.getContext();
  bool residue = walk.predicated && walk.advance != IteratorType::kNoAdvance;
  auto type = IteratorType::get(
      context, getType(), map, walk.advance, walk.predicated,
      residue ? IteratorPhase::Residue : IteratorPhase::Steady);
  MixedTuple coord = mixed({row, column});
  return Iterator(Val(
      scope, MakeIteratorOp::create(
                 scope.builder, scope.loc, type, value.get(), coord.operands,
                 IntTupleAttr::get(context, coord.tuple), thread.get())));
}

Val View::load(ArrayRef<Leaf> coord, int64_t size) const {
  Scope &scope = value.getScope();
  MixedTuple place = mixed(coord);
  auto type = VectorType::get({size}, getType().getElementType());
  return Val(scope,
             ViewLoadOp::create(
                 scope.builder, scope.loc, type, value.get(), place.operands,
                 IntTupleAttr::get(scope.builder.getContext(), place.tuple)));
}

void View::store(Val vector, ArrayRef<Leaf> coord) const {
  Scope &scope = value.getScope();
  MixedTuple place = mixed(coord);
  ViewStoreOp::create(
      scope.builder, scope.loc, vector.get(), value.get(), place.operands,
      IntTupleAttr::get(scope.builder.getContext(), place.tuple));
}

View View::stage(int64_t number) const {
  Scope &scope = value.getScope();
  auto coord = IntTuple::tuple(
      {IntTuple::wildcard(), IntTuple::wildcard(), IntTuple(number)});
  return View(Val(
      scope,
      SliceOp::create(scope.builder, scope.loc, value.get(), ValueRange(),
                      IntTupleAttr::get(scope.builder.getContext(), coord))));
}

View View::at(ArrayRef<Leaf> rest) const {
  Scope &scope = value.getScope();
  MixedTuple places = mixed(rest);
  SmallVector<IntTuple> coord{IntTuple::wildcard(), IntTuple::wildcard()};
  llvm::append_range(coord, places.tuple.getModes());
  return View(
      Val(scope, SliceOp::create(scope.builder, scope.loc, value.get(),
                                 places.operands,
                                 IntTupleAttr::get(scope.builder.getContext(),
                                                   IntTuple::tuple(coord)))));
}

View View::reshape(const Layout &layout) const {
  Scope &scope = value.getScope();
  ViewType type = getType();
  auto result =
      ViewType::get(type.getContext(), type.getElementType(), type.getSpace(),
                    layout, type.getAlign(), type.getSwizzle());
  return View(Val(scope, ViewReshapeOp::create(scope.builder, scope.loc, result,
                                               value.get())));
}

static Val loadAccesses(Val iterator, IteratorType type,
                        DenseI64ArrayAttr accesses, int64_t elements) {
  Scope &scope = iterator.getScope();
  auto fragment = VectorType::get({elements}, type.getView().getElementType());
  return Val(scope, IteratorLoadOp::create(scope.builder, scope.loc, fragment,
                                           iterator.get(), accesses));
}

ViewType Iterator::getView() const { return getType().getView(); }

ThreadMapAttrInterface Iterator::getMap() const { return getType().getMap(); }

int64_t Iterator::getFragmentSize() const {
  return getType().getFragmentSize();
}

Val Iterator::load() const {
  return loadAccesses(value, getType(), DenseI64ArrayAttr(),
                      getType().getFragmentSize());
}

Val Iterator::load(int64_t first, int64_t count) const {
  return loadAccesses(
      value, getType(),
      value.getScope().builder.getDenseI64ArrayAttr({first, count}),
      count * getType().getMap().getElementsPerAccess());
}

void Iterator::store(Val fragment) const {
  Scope &scope = value.getScope();
  IteratorStoreOp::create(scope.builder, scope.loc, fragment.get(), value.get(),
                          DenseI64ArrayAttr());
}

void Iterator::store(Val fragment, int64_t first, int64_t count) const {
  Scope &scope = value.getScope();
  IteratorStoreOp::create(scope.builder, scope.loc, fragment.get(), value.get(),
                          scope.builder.getDenseI64ArrayAttr({first, count}));
}

void Iterator::copyTo(Iterator destination) const {
  Scope &scope = value.getScope();
  CopyOp::create(scope.builder, scope.loc, value.get(),
                 destination.get().get());
}

void Iterator::copyAsyncTo(Iterator destination) const {
  Scope &scope = value.getScope();
  CopyAsyncOp::create(scope.builder, scope.loc, value.get(),
                      destination.get().get(), DenseI64ArrayAttr());
}

void Iterator::copyAsyncTo(Iterator destination, int64_t first,
                           int64_t count) const {
  Scope &scope = value.getScope();
  CopyAsyncOp::create(scope.builder, scope.loc, value.get(),
                      destination.get().get(),
                      scope.builder.getDenseI64ArrayAttr({first, count}));
}

Iterator Iterator::advance() const {
  Scope &scope = value.getScope();
  return Iterator(Val(
      scope, IteratorAdvanceOp::create(scope.builder, scope.loc, value.get())));
}

Iterator Iterator::clearMask(Val condition) const {
  Scope &scope = value.getScope();
  return Iterator(Val(scope, IteratorClearMaskOp::create(
                                 scope.builder, scope.loc, value.getType(),
                                 value.get(), condition.get())));
}

Iterator Iterator::addPointerOffset(Val offset) const {
  Scope &scope = value.getScope();
  return Iterator(Val(scope, IteratorAddPointerOffsetOp::create(
                                 scope.builder, scope.loc, value.getType(),
                                 value.get(), offset.get())));
}

Iterator Iterator::addPointerOffset(int64_t offset) const {
  return addPointerOffset(indexConstant(value.getScope(), offset));
}

//===----------------------------------------------------------------------===//
// Control, threads, mma
//===----------------------------------------------------------------------===//

void dsl::forLoop(Scope &scope, Val count, Carried carried,
                  function_ref<void(Val)> body) {
  forRange(scope, count.constant(0), count, count.constant(1), carried, body);
}

void dsl::forRange(Scope &scope, Val first, Val last, Val step, Carried carried,
                   function_ref<void(Val)> body) {
  OpBuilder &builder = scope.builder;
  SmallVector<Value> initial;
  // A variable keeps the scope of its first value: that of an operand's
  // iterator names the operand in the locations of its accesses.
  SmallVector<Scope *> scopes;
  for (Val *variable : carried.get()) {
    initial.push_back(variable->get());
    scopes.push_back(&variable->getScope());
  }
  auto set = [&](ValueRange values) {
    for (auto [variable, own, value] :
         llvm::zip_equal(carried.get(), scopes, values))
      *variable = Val(*own, value);
  };
  auto loop = scf::ForOp::create(builder, scope.loc, first.get(), last.get(),
                                 step.get(), initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    set(loop.getRegionIterArgs());
    body(Val(scope, loop.getInductionVar()));
    SmallVector<Value> next;
    for (Val *variable : carried.get())
      next.push_back(variable->get());
    if (!next.empty())
      scf::YieldOp::create(builder, scope.loc, next);
  }
  set(loop.getResults());
}

void dsl::ifThen(Scope &scope, Val condition, function_ref<void()> then,
                 function_ref<void()> otherwise) {
  OpBuilder &builder = scope.builder;
  auto branch = scf::IfOp::create(builder, scope.loc, condition.get(),
                                  static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void dsl::barrier(Scope &scope) {
  gpu::BarrierOp::create(scope.builder, scope.loc);
}

void dsl::commitCopies(Scope &scope) {
  AsyncCommitGroupOp::create(scope.builder, scope.loc);
}

void dsl::waitCopies(Scope &scope, int64_t pending) {
  AsyncWaitGroupOp::create(scope.builder, scope.loc, pending);
}

Val dsl::threadId(Scope &scope) {
  return Val(scope, gpu::ThreadIdOp::create(scope.builder, scope.loc,
                                            gpu::Dimension::x));
}

Val dsl::blockId(Scope &scope) {
  return Val(scope, gpu::BlockIdOp::create(scope.builder, scope.loc,
                                           gpu::Dimension::x));
}

Val dsl::gridSize(Scope &scope) {
  return Val(scope, gpu::GridDimOp::create(scope.builder, scope.loc,
                                           gpu::Dimension::x));
}

Val dsl::mma(MmaAtomAttrInterface atom, Val a, Val b, Val acc) {
  Scope &scope = acc.getScope();
  return Val(scope, MmaOp::create(scope.builder, scope.loc, acc.getType(),
                                  a.get(), b.get(), acc.get(), atom));
}
