// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a view or a tile iterator consists of once it is lowered.
#include "IteratorState.h"

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
  SmallVector<Type> types{view.getPointerType()};
  types.append(getNumDynamicLeaves(view.getLayout().getStride()),
               IndexType::get(context));
  if (!type.getPredicated())
    return types;
  Type word = IntegerType::get(context, 32);
  types.append(type.getNumMaskWords(), word);
  if (type.getPhase() == IteratorPhase::Residue) {
    types.append(type.getNumMaskWords(), word);
    types.push_back(IndexType::get(context));
  }
  return types;
}

IteratorState IteratorState::unpack(IteratorType type, ValueRange values) {
  IteratorState state;
  unsigned strides =
      getNumDynamicLeaves(type.getView().getLayout().getStride());
  state.pointer = values.front();
  values = values.drop_front();
  llvm::append_range(state.stride, values.take_front(strides));
  values = values.drop_front(strides);
  if (!type.getPredicated())
    return state;
  unsigned words = type.getNumMaskWords();
  llvm::append_range(state.mask, values.take_front(words));
  values = values.drop_front(words);
  if (type.getPhase() == IteratorPhase::Residue) {
    llvm::append_range(state.steadyMask, values.take_front(words));
    state.residue = values.drop_front(words).front();
  }
  return state;
}

SmallVector<Value> IteratorState::pack() const {
  SmallVector<Value> values{pointer};
  llvm::append_range(values, stride);
  llvm::append_range(values, mask);
  llvm::append_range(values, steadyMask);
  if (residue)
    values.push_back(residue);
  return values;
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
