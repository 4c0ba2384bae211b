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

LogicalResult CopyAsyncOp::verify() {
  IteratorType source = getSource().getType(),
               destination = getDestination().getType();
  if (failed(verifyCopy(*this, source, destination)))
    return failure();
  for (auto [side, type, space] :
       {std::tuple("source", source, MemorySpace::Global),
        std::tuple("destination", destination, MemorySpace::Shared)})
    if (type.getView().getSpace() != space)
      return emitOpError("expected a ")
             << side << " in " << stringifyMemorySpace(space)
             << " memory, but got one in "
             << stringifyMemorySpace(type.getView().getSpace()) << " memory";
  if (destination.getPredicated())
    return emitOpError(
        "expected a destination without predicates, but got a "
        "predicated one, whose elements a copy cannot leave out");
  if (source.hasUnitDiagonal())
    return emitOpError("expected a source without a unit diagonal, whose ones "
                       "a copy that does not go through registers cannot make");
  int64_t bytes = source.getView().getElementBytes();
  if (getAccessWidth() * bytes >= kNarrowestCopy)
    return success();
  bool isSource = source.getAccessWidth() <= destination.getAccessWidth();
  IteratorType narrow = isSource ? source : destination;
  InFlightDiagnostic error = emitOpError("expected accesses of 4, 8 or 16 "
                                         "bytes on both sides, but the ")
                             << (isSource ? "source" : "destination")
                             << " proves " << narrow.getAccessWidth() * bytes;
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
