// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a view or a tile iterator consists of once it is lowered.
#include "IteratorState.h"
#include "FoldedPlaces.h"

#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;

SmallVector<Type> ViewState::getTypes(ViewType type) {
  SmallVector<Type> types{type.getPointerType()};
  unsigned leaves = getNumDynamicLeaves(type.getLayout().getShape()) +
                    getNumDynamicLeaves(type.getLayout().getStride());
  types.append(leaves, IndexType::get(type.getContext()));
  return types;
}

ViewState ViewState::unpack(ViewType type, ValueRange values) {
  unsigned shape = getNumDynamicLeaves(type.getLayout().getShape());
  ViewState state;
  state.pointer = values.front();
  llvm::append_range(state.shape, values.slice(1, shape));
  llvm::append_range(state.stride, values.drop_front(1 + shape));
  return state;
}

SmallVector<Value> ViewState::pack() const {
  SmallVector<Value> values{pointer};
  llvm::append_range(values, shape);
  llvm::append_range(values, stride);
  return values;
}

SmallVector<Type> IteratorState::getTypes(IteratorType type) {
  MLIRContext *context = type.getContext();
  ViewType view = type.getView();
  Type index = IndexType::get(context);
  SmallVector<Type> types{view.getPointerType()};
  types.append(getNumDynamicLeaves(view.getLayout().getStride()), index);
  bool isResidue = type.getPhase() == IteratorPhase::Residue;
  if (type.getPredicated()) {
    Type word = IntegerType::get(context, 32);
    types.append(type.getNumMaskWords(), word);
    if (isResidue) {
      types.append(type.getNumMaskWords(), word);
      types.push_back(index);
    }
    if (type.hasUnitDiagonal())
      types.append(type.getNumMaskWords(), word);
  }
  if (type.keepsCoordinates())
    types.append(2 + getNumDynamicLeaves(view.getLayout().getShape()), index);
  if (type.computesMasks())
    types.append((mayLeaveTile(type.getMap()) ? 2 : 0) + isResidue, index);
  if (FoldedPlan plan(type); plan.isSeparable) {
    llvm::append_range(types, plan.getKeptTypes());
    types.append(plan.getNumTileValues(), index);
    if (type.getGather() && plan.keepsGathered)
      types.append(type.getNumMaskWords(), IntegerType::get(context, 32));
  }
  if (GatherAttr gather = type.getGather())
    llvm::append_range(types, getListTypes(gather));
  return types;
}

IteratorState IteratorState::unpack(IteratorType type, ValueRange values) {
  auto take = [&](unsigned count) {
    ValueRange taken = values.take_front(count);
    values = values.drop_front(count);
    return SmallVector<Value>(taken);
  };
  IteratorState state;
  const Layout &layout = type.getView().getLayout();
  state.pointer = take(1).front();
  state.stride = take(getNumDynamicLeaves(layout.getStride()));
  bool isResidue = type.getPhase() == IteratorPhase::Residue;
  if (type.getPredicated()) {
    state.mask = take(type.getNumMaskWords());
    if (isResidue) {
      state.steadyMask = take(type.getNumMaskWords());
      state.residue = take(1).front();
    }
    if (type.hasUnitDiagonal())
      state.diagonal = take(type.getNumMaskWords());
  }
  if (type.keepsCoordinates()) {
    state.first = take(2);
    state.shape = take(getNumDynamicLeaves(layout.getShape()));
  }
  if (type.computesMasks()) {
    state.inTile = take(mayLeaveTile(type.getMap()) ? 2 : 0);
    if (isResidue)
      state.residueEnd = take(1).front();
  }
  if (FoldedPlan plan(type); plan.isSeparable) {
    state.kept = take(plan.getKeptTypes().size());
    state.tileValues = take(plan.getNumTileValues());
    if (type.getGather() && plan.keepsGathered)
      state.inside = take(type.getNumMaskWords());
  }
  state.indices = SmallVector<Value>(values);
  return state;
}

SmallVector<Value> IteratorState::pack() const {
  SmallVector<Value> values{pointer};
  llvm::append_range(values, stride);
  llvm::append_range(values, mask);
  llvm::append_range(values, steadyMask);
  if (residue)
    values.push_back(residue);
  llvm::append_range(values, diagonal);
  llvm::append_range(values, first);
  llvm::append_range(values, shape);
  llvm::append_range(values, inTile);
  if (residueEnd)
    values.push_back(residueEnd);
  for (const auto *list : {&kept, &tileValues, &inside})
    llvm::append_range(values, *list);
  llvm::append_range(values, indices);
  return values;
}

void IteratorState::leaveResidue() {
  if (!residue)
    return;
  mask = steadyMask;
  steadyMask.clear();
  residue = residueEnd = Value();
}

SmallVector<Type> tile::getListTypes(GatherAttr gather) {
  SmallVector<Type> types =
      ViewState::getTypes(cast<ViewType>(gather.getIndices()));
  if (gather.hasRunTimeLength())
    types.push_back(IndexType::get(gather.getContext()));
  return types;
}

Value tile::getListLength(IndexArith arith, GatherAttr gather,
                          ValueRange list) {
  if (gather.hasRunTimeLength())
    return list.back();
  if (gather.hasLength())
    return arith.constant(gather.getLength().getInt().getValue());
  auto view = cast<ViewType>(gather.getIndices());
  IntTuple shape = view.getLayout().getShape();
  Value number =
      getExtent(arith, shape.isTuple() ? shape : IntTuple::tuple({shape}), 0,
                ViewState::unpack(view, list).shape);
  return arith.mul(number, gather.getBlock());
}

SmallVector<Value> tile::flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    llvm::append_range(values, range);
  return values;
}

OpFoldResult tile::getLeaf(OpBuilder &builder, const IntTuple &tuple,
                           unsigned dim, ValueRange dynamic) {
  unsigned next = 0;
  for (unsigned i = 0; i < dim; ++i)
    next += getNumDynamicLeaves(tuple[i]);
  const IntTuple &leaf = tuple[dim];
  if (leaf.getInt().isStatic())
    return builder.getIndexAttr(leaf.getInt().getValue());
  return dynamic[next];
}

Value tile::getExtent(IndexArith arith, const IntTuple &shape, unsigned dim,
                      ValueRange dynamic) {
  unsigned next = 0;
  for (unsigned i = 0; i < dim; ++i)
    next += getNumDynamicLeaves(shape[i]);
  Value extent;
  for (const IntTuple &leaf : shape[dim].getLeaves()) {
    Value factor = leaf.getInt().isStatic()
                       ? arith.constant(leaf.getInt().getValue())
                       : dynamic[next++];
    extent = extent ? arith.mul(extent, factor) : factor;
  }
  return extent;
}
