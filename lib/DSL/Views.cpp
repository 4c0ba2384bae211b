// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language: views of memory and tile iterators.
#include "Staging.h"

#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

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

static IntTupleAttr attribute(const Staging &stage, const IntTuple &tuple) {
  return IntTupleAttr::get(stage.getBuilder().getContext(), tuple);
}

/// A view that an operation without operands allocates, or null after an error.
static View alloc(Scope &scope, Type elementType,
                  const Result<ComposedLayout> &layout, int64_t align) {
  if (!layout) {
    reportMistake(scope, layout.getReason());
    return View();
  }
  auto type = ViewType::getChecked(
      [&] {
        scope.hasFailed = true;
        return mlir::emitError(scope.loc);
      },
      scope.builder.getContext(), elementType, MemorySpace::Shared,
      layout->getLayout(), align, layout->getSwizzle());
  if (!type)
    return View();
  return View(
      Val(scope, AllocSharedOp::create(scope.builder, scope.loc, type)));
}

View dsl::makeView(Scope &scope, Val pointer, Type elementType,
                   ArrayRef<Leaf> shape, ArrayRef<Leaf> stride, int64_t align,
                   CallSite site) {
  Staging stage(&scope, site, {pointer});
  if (!stage)
    return View();
  MixedTuple extents = mixed(shape), strides = mixed(stride);
  Result<Layout> layout = Layout::get(extents.tuple, strides.tuple);
  if (!layout) {
    stage.fail(layout.getReason());
    return View();
  }
  auto type = ViewType::getChecked(
      [&] { return stage.emitError(); }, scope.builder.getContext(),
      elementType, MemorySpace::Global, *layout, align, Swizzle());
  if (!type)
    return View();
  return View(stage.create<MakeViewOp>(
      type, pointer.get(), extents.operands, strides.operands,
      attribute(stage, extents.tuple), attribute(stage, strides.tuple)));
}

View dsl::allocShared(Scope &scope, Type elementType, ArrayRef<int64_t> shape,
                      ArrayRef<int64_t> stride, CallSite site) {
  Call call(scope, site);
  Result<Layout> layout =
      Layout::get(IntTuple::constants(shape), IntTuple::constants(stride));
  return alloc(scope, elementType,
               layout ? Result<ComposedLayout>(ComposedLayout(*layout))
                      : Result<ComposedLayout>(layout.takeReason()),
               /*align=*/16);
}

View dsl::allocShared(Scope &scope, Type elementType,
                      const ComposedLayout &layout, int64_t align,
                      CallSite site) {
  Call call(scope, site);
  return alloc(scope, elementType, layout, align);
}

View dsl::allocShared(Scope &scope, Type elementType, StringRef layout,
                      int64_t align, CallSite site) {
  Call call(scope, site);
  return alloc(scope, elementType, ComposedLayout::parse(layout), align);
}

Iterator View::iterate(Leaf row, Leaf column, Val thread,
                       ThreadMapAttrInterface map, Walk walk,
                       CallSite site) const {
  Staging stage(site, {value, thread});
  if (stage && !map)
    stage.fail("expected a thread map, but got none");
  if (!stage)
    return Iterator();
  bool residue = walk.predicated && walk.advance != IteratorType::kNoAdvance;
  MLIRContext *context = stage.getBuilder().getContext();
  auto type = IteratorType::getChecked(
      [&] { return stage.emitError(); }, context, getType(), map, walk.advance,
      walk.predicated,
      residue ? IteratorPhase::Residue : IteratorPhase::Steady);
  if (!type)
    return Iterator();
  MixedTuple coord = mixed({row, column});
  return Iterator(stage.create<MakeIteratorOp>(
      type, value.get(), coord.operands, attribute(stage, coord.tuple),
      thread.get()));
}

Val View::load(ArrayRef<Leaf> coord, int64_t size, CallSite site) const {
  Staging stage(site, {value});
  if (!stage)
    return Val();
  MixedTuple where = mixed(coord);
  auto type = VectorType::get({size}, getType().getElementType());
  return stage.create<ViewLoadOp>(type, value.get(), where.operands,
                                  attribute(stage, where.tuple));
}

void View::store(Val vector, ArrayRef<Leaf> coord, CallSite site) const {
  Staging stage(site, {value, vector});
  if (!stage)
    return;
  MixedTuple where = mixed(coord);
  ViewStoreOp::create(stage.getBuilder(), stage.getScope().loc, vector.get(),
                      value.get(), where.operands,
                      attribute(stage, where.tuple));
}

/// The part of a view at a coordinate with wildcards, or null after an error.
static View getPart(Staging &stage, Val view, const MixedTuple &coord) {
  SmallVector<Value> operands{view.get()};
  llvm::append_range(operands, coord.operands);
  SliceOp::Properties properties;
  properties.coord = attribute(stage, coord.tuple);
  SmallVector<Type, 1> types;
  if (failed(SliceOp::inferReturnTypes(
          stage.getBuilder().getContext(), stage.getScope().loc, operands,
          DictionaryAttr(), OpaqueProperties(&properties), {}, types))) {
    stage.getScope().hasFailed = true;
    return View();
  }
  return View(
      stage.create<SliceOp>(view.get(), coord.operands, properties.coord));
}

View View::stage(int64_t number, CallSite site) const {
  Staging stage(site, {value});
  if (!stage)
    return View();
  MixedTuple coord;
  coord.tuple = IntTuple::tuple(
      {IntTuple::wildcard(), IntTuple::wildcard(), IntTuple(number)});
  return getPart(stage, value, coord);
}

View View::at(ArrayRef<Leaf> rest, CallSite site) const {
  Staging stage(site, {value});
  if (!stage)
    return View();
  MixedTuple places = mixed(rest);
  SmallVector<IntTuple> coord{IntTuple::wildcard(), IntTuple::wildcard()};
  llvm::append_range(coord, places.tuple.getModes());
  places.tuple = IntTuple::tuple(coord);
  return getPart(stage, value, places);
}

View View::reshape(const Layout &layout, CallSite site) const {
  Staging stage(site, {value});
  if (!stage)
    return View();
  ViewType type = getType();
  auto result =
      ViewType::getChecked([&] { return stage.emitError(); }, type.getContext(),
                           type.getElementType(), type.getSpace(), layout,
                           type.getAlign(), type.getSwizzle());
  return result ? View(stage.create<ViewReshapeOp>(result, value.get()))
                : View();
}

View View::transpose(CallSite site) const {
  Staging stage(site, {value});
  if (!stage)
    return View();
  const Layout &layout = getType().getLayout();
  if (layout.rank() != 2) {
    stage.fail("expected a view of two dimensions, but got " +
               print(value.getType()));
    return View();
  }
  auto exchange = [](const IntTuple &tuple) {
    return IntTuple::tuple({tuple[1], tuple[0]});
  };
  Result<Layout> result =
      Layout::get(exchange(layout.getShape()), exchange(layout.getStride()));
  return result ? reshape(*result) : View();
}

static Val loadAccesses(Val iterator, IteratorType type,
                        DenseI64ArrayAttr accesses, int64_t elements,
                        CallSite site) {
  Staging stage(site, {iterator});
  auto fragment = VectorType::get({elements}, type.getView().getElementType());
  return stage.create<IteratorLoadOp>(fragment, iterator.get(), accesses);
}

ViewType Iterator::getView() const { return getType().getView(); }

ThreadMapAttrInterface Iterator::getMap() const { return getType().getMap(); }

int64_t Iterator::getFragmentSize() const {
  return getType().getFragmentSize();
}

Val Iterator::load(CallSite site) const {
  return value ? loadAccesses(value, getType(), DenseI64ArrayAttr(),
                              getType().getFragmentSize(), site)
               : Val();
}

Val Iterator::load(int64_t first, int64_t count, CallSite site) const {
  if (!value)
    return Val();
  return loadAccesses(
      value, getType(),
      value.getScope().builder.getDenseI64ArrayAttr({first, count}),
      count * getType().getMap().getElementsPerAccess(), site);
}

void Iterator::store(Val fragment, CallSite site) const {
  Staging stage(site, {value, fragment});
  if (stage)
    IteratorStoreOp::create(stage.getBuilder(), stage.getScope().loc,
                            fragment.get(), value.get(), DenseI64ArrayAttr());
}

void Iterator::store(Val fragment, int64_t first, int64_t count,
                     CallSite site) const {
  Staging stage(site, {value, fragment});
  if (stage)
    IteratorStoreOp::create(
        stage.getBuilder(), stage.getScope().loc, fragment.get(), value.get(),
        stage.getBuilder().getDenseI64ArrayAttr({first, count}));
}

void Iterator::copyTo(Iterator destination, CallSite site) const {
  Staging stage(site, {value, destination.get()});
  if (stage)
    CopyOp::create(stage.getBuilder(), stage.getScope().loc, value.get(),
                   destination.get().get());
}

void Iterator::copyAsyncTo(Iterator destination, CallSite site) const {
  Staging stage(site, {value, destination.get()});
  if (stage)
    CopyAsyncOp::create(stage.getBuilder(), stage.getScope().loc, value.get(),
                        destination.get().get(), DenseI64ArrayAttr());
}

void Iterator::copyAsyncTo(Iterator destination, int64_t first, int64_t count,
                           CallSite site) const {
  Staging stage(site, {value, destination.get()});
  if (stage)
    CopyAsyncOp::create(
        stage.getBuilder(), stage.getScope().loc, value.get(),
        destination.get().get(),
        stage.getBuilder().getDenseI64ArrayAttr({first, count}));
}

Iterator Iterator::advance(CallSite site) const {
  Staging stage(site, {value});
  return stage ? Iterator(stage.create<IteratorAdvanceOp>(value.get()))
               : Iterator();
}

Iterator Iterator::clearMask(Val condition, CallSite site) const {
  Staging stage(site, {value, condition});
  return stage ? Iterator(stage.create<IteratorClearMaskOp>(
                     value.getType(), value.get(), condition.get()))
               : Iterator();
}

Iterator Iterator::addPointerOffset(Val offset, CallSite site) const {
  Staging stage(site, {value, offset});
  return stage ? Iterator(stage.create<IteratorAddPointerOffsetOp>(
                     value.getType(), value.get(), offset.get()))
               : Iterator();
}

Iterator Iterator::addPointerOffset(int64_t offset, CallSite site) const {
  if (!value)
    return Iterator();
  return addPointerOffset(indexConstant(value.getScope(), offset, site), site);
}
