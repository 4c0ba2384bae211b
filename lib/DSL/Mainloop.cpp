// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What main loops need of their iterators, and the fragments of a step.
#include "MainloopSteps.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Reports the first concept that one of an operand's iterators lacks.
static LogicalResult verifyConcepts(Location loc, StringRef operand,
                                    StringRef role, Iterator iterator,
                                    ArrayRef<IteratorConcept> required) {
  for (IteratorConcept wanted : required) {
    std::optional<MissingConcept> missing =
        explainMissing(iterator.get().getType(), wanted);
    if (!missing)
      continue;
    InFlightDiagnostic error = mlir::emitError(loc)
                               << "expected a " << missing->name
                               << " tile iterator for the " << role << " of "
                               << operand << " in a main loop, but this one "
                               << missing->lack;
    error.attachNote() << missing->remedy;
    return error;
  }
  return success();
}

/// Values that a thread holds of one step of an operand.
static int64_t countValues(const Layout &layout) {
  Int size = layout[1].size();
  return size.isStatic() ? size.getValue() : 0;
}

static LogicalResult verifyOperand(Location loc, const MainloopOperand &operand,
                                   const Layout &fragment, int64_t stages) {
  StringRef name = operand.name;
  if (failed(
          verifyConcepts(loc, name, "walk over global memory", operand.global,
                         {IteratorConcept::Readable, IteratorConcept::Forward,
                          IteratorConcept::Masked})) ||
      failed(verifyConcepts(
          loc, name, "stores to shared memory", operand.sharedStore,
          {IteratorConcept::Writeable, IteratorConcept::ContiguousMemory})) ||
      failed(verifyConcepts(
          loc, name, "loads from shared memory", operand.sharedLoad,
          {IteratorConcept::Readable, IteratorConcept::ContiguousMemory})))
    return failure();
  const Iterator &global = operand.global;
  IteratorType store = operand.sharedStore.getType(),
               load = operand.sharedLoad.getType();
  if (global.getMap() != store.getMap())
    return mlir::emitError(loc)
           << "expected one thread map on both sides of the copy of " << name
           << " to shared memory, but got " << global.getMap() << " and "
           << store.getMap();
  if (global.getFragmentSize() != store.getFragmentSize())
    return mlir::emitError(loc)
           << "expected a walk over global memory that moves all "
           << store.getFragmentSize() << " elements of " << name
           << " in one step, but got " << global.getFragmentSize();
  Type element = global.getView().getElementType();
  for (IteratorType shared : {store, load})
    if (shared.getView().getElementType() != element)
      return mlir::emitError(loc)
             << "expected one element type in the iterators of " << name
             << ", but got " << element << " and "
             << shared.getView().getElementType();
  int64_t values = countValues(fragment);
  if (load.getFragmentSize() != values)
    return mlir::emitError(loc)
           << "expected fragments of " << name << " with the " << values
           << " values that the mma atom takes, but the iterator over shared "
              "memory loads "
           << load.getFragmentSize();
  if (operand.stageStride < 1 && stages > 1)
    return mlir::emitError(loc)
           << "expected stages of " << name
           << " that are at least one element apart, but got "
           << operand.stageStride;
  return success();
}

/// Whether everything that a loop is made of is there.
static LogicalResult verifySet(Scope &scope, const Mainloop &loop) {
  bool isSet = loop.atom && loop.tiles;
  for (const MainloopOperand *operand : {&loop.a, &loop.b})
    isSet &= operand->global.get() && operand->sharedStore.get() &&
             operand->sharedLoad.get();
  if (!isSet)
    reportMistake(scope, "expected an atom, a number of tiles and three "
                         "iterators of each operand for a main loop, but got "
                         "one that was never set");
  return success(isSet);
}

LogicalResult dsl::verifyMainloop(Scope &scope, const Mainloop &loop,
                                  int64_t stages, CallSite site) {
  Call call(scope, site);
  if (failed(verifySet(scope, loop)))
    return failure();
  if (stages < 2 || stages > 64)
    return mlir::emitError(scope.loc)
           << "expected a main loop of between 2 and 64 stages, but got "
           << stages;
  if (loop.steps < 1)
    return mlir::emitError(scope.loc)
           << "expected at least one mma step in a tile, but got "
           << loop.steps;
  if (failed(verifyOperand(scope.loc, loop.a, loop.atom.getALayout(), stages)))
    return failure();
  return verifyOperand(scope.loc, loop.b, loop.atom.getBLayout(), stages);
}

Val dsl::loadStep(const MainloopOperand &operand, Val stage, int64_t step) {
  return operand.sharedLoad.addPointerOffset(stage)
      .addPointerOffset(step * operand.stepStride)
      .load();
}

Val dsl::multiplyStep(const Mainloop &loop, const Fragments &fragments,
                      Val acc) {
  auto typeOf = [](Val value) { return cast<VectorType>(value.getType()); };
  // An atom of mixed types takes them as they are.
  if (!loop.atom.checkElementTypes(typeOf(fragments.a), typeOf(fragments.b),
                                   typeOf(acc)))
    return mma(loop.atom, fragments.a, fragments.b, acc);
  Type sum = typeOf(acc).getElementType();
  // What cannot be extended is left to the verifier of tile.mma.
  auto inSumType = [&](Val fragment) {
    auto narrow = dyn_cast<FloatType>(typeOf(fragment).getElementType());
    auto wide = dyn_cast<FloatType>(sum);
    return narrow && wide && narrow.getWidth() < wide.getWidth()
               ? extend(fragment, sum)
               : fragment;
  };
  return mma(loop.atom, inSumType(fragments.a), inSumType(fragments.b), acc);
}
