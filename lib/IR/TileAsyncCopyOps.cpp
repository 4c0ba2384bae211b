// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies: verifiers.
#include "IteratorVerifiers.h"

#include "tile/IR/ThreadMap.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// Bytes of the narrowest asynchronous copy.
static constexpr int64_t kNarrowestCopy = 4;
/// Groups that a wait can leave pending: what the instruction has room for.
static constexpr int64_t kMaxPending = 63;

int64_t CopyAsyncOp::getAccessWidth() {
  return std::gcd(getSource().getType().getAccessWidth(),
                  getDestination().getType().getAccessWidth());
}

/// Checks where both sides of a copy are.
static LogicalResult verifySpaces(Operation *op, IteratorType source,
                                  IteratorType destination) {
  for (auto [side, view, space] :
       {std::tuple("source", source.getView(), MemorySpace::Global),
        std::tuple("destination", destination.getView(), MemorySpace::Shared)})
    if (view.getSpace() != space)
      return op->emitOpError("expected a ")
             << side << " in " << stringifyMemorySpace(space)
             << " memory, but got one in "
             << stringifyMemorySpace(view.getSpace()) << " memory";
  if (destination.getPredicated())
    return op->emitOpError(
        "expected a destination without predicates, but got a "
        "predicated one, whose elements a copy cannot leave out");
  return success();
}

LogicalResult CopyAsyncOp::verify() {
  IteratorType source = getSource().getType(),
               destination = getDestination().getType();
  if (failed(verifyCopy(*this, source, destination)) ||
      failed(verifyAccesses(*this, source, getAccesses())))
    return failure();
  if (source.hasUnitDiagonal())
    return emitOpError("expected a source that is copied as it is, but got one "
                       "whose diagonal loads as one");
  if (failed(verifySpaces(*this, source, destination)))
    return failure();
  int64_t bytes = source.getView().getElementBytes();
  if (getAccessWidth() * bytes >= kNarrowestCopy)
    return success();
  bool isSource = source.getAccessWidth() <= destination.getAccessWidth();
  IteratorType narrow = isSource ? source : destination;
  InFlightDiagnostic error =
      emitOpError("expected accesses of 4, 8 or 16 bytes on both sides, but "
                  "the ")
      << (isSource ? "source" : "destination") << " proves "
      << narrow.getAccessWidth() * bytes;
  WidthBound bound = narrow.getWidthBounds().front();
  if (bound.elements * bytes < kNarrowestCopy)
    error << ": " << bound.fact;
  else
    error << ", as its thread map has "
          << getAccessPattern(narrow.getMap()).vector << " elements an access";
  error.attachNote() << "tile.copy goes through registers, and takes any width";
  return error;
}

LogicalResult AsyncWaitGroupOp::verify() {
  int64_t pending = getPending();
  if (pending < 0 || pending > kMaxPending)
    return emitOpError("expected between 0 and ")
           << kMaxPending << " pending groups, but got " << pending;
  return success();
}
