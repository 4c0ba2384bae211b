// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iterator over a mapped matrix consists of once it is lowered.
#include "MappedIteratorState.h"

#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;

/// Values in the origin: one for each mode of the view.
static unsigned getNumOrigins(MappedIteratorType type) {
  return type.isIdentity() ? 0 : type.getView().getLayout().rank();
}

SmallVector<Type> MappedState::getTypes(MappedIteratorType type) {
  MLIRContext *context = type.getContext();
  Type index = IndexType::get(context);
  SmallVector<Type> types = ViewState::getTypes(type.getView());
  unsigned leaves = getNumDynamicLeaves(type.getCoords().getShape()) +
                    getNumDynamicLeaves(type.getCoords().getStride()) +
                    getNumDynamicLeaves(type.getDivide());
  types.append(leaves + getNumOrigins(type) + 4, index);
  if (type.getSteps() != 1)
    types.push_back(index);
  types.push_back(IntegerType::get(context, 1));
  if (type.getIndexed()) {
    types.push_back(LLVM::LLVMPointerType::get(
        context, static_cast<unsigned>(MemorySpace::Global)));
    types.push_back(index);
  }
  return types;
}

MappedState MappedState::unpack(MappedIteratorType type, ValueRange values) {
  auto take = [&](unsigned count) {
    ValueRange taken = values.take_front(count);
    values = values.drop_front(count);
    return SmallVector<Value>(taken);
  };
  MappedState state;
  ViewType view = type.getView();
  state.view = ViewState::unpack(view, take(ViewState::getTypes(view).size()));
  state.coordShape = take(getNumDynamicLeaves(type.getCoords().getShape()));
  state.coordStride = take(getNumDynamicLeaves(type.getCoords().getStride()));
  state.divide = take(getNumDynamicLeaves(type.getDivide()));
  state.origin = take(getNumOrigins(type));
  state.tile = take(2);
  state.inTile = take(2);
  if (type.getSteps() != 1)
    state.step = take(1).front();
  state.enabled = take(1).front();
  if (type.getIndexed()) {
    state.indices = take(1).front();
    state.numIndices = take(1).front();
  }
  return state;
}

SmallVector<Value> MappedState::pack() const {
  SmallVector<Value> values = view.pack();
  for (const auto *list :
       {&coordShape, &coordStride, &divide, &origin, &tile, &inTile})
    llvm::append_range(values, *list);
  if (step)
    values.push_back(step);
  values.push_back(enabled);
  if (indices)
    values.append({indices, numIndices});
  return values;
}
