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

int64_t MappedCopyAsyncOp::getAccessWidth() {
  return std::gcd(getSource().getType().getAccessWidth(),
                  getDestination().getType().getAccessWidth());
}

/// Checks where both sides of a copy are.
static LogicalResult verifySpaces(Operation *op, ViewType source,
                                  IteratorType destination) {
  for (auto [side, view, space] :
       {std::tuple("source", source, MemorySpace::Global),
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

/// Starts the error of a copy whose narrower side is `side`.
static InFlightDiagnostic emitTooNarrow(Operation *op, StringRef side,
                                        int64_t bytes) {
  return op->emitOpError("expected accesses of 4, 8 or 16 bytes on both sides, "
                         "but the ")
         << side << " proves " << bytes;
}

LogicalResult CopyAsyncOp::verify() {
  IteratorType source = getSource().getType(),
               destination = getDestination().getType();
  if (failed(verifyCopy(*this, source, destination)))
    return failure();
  if (source.hasUnitDiagonal())
    return emitOpError("expected a source that is copied as it is, but got one "
                       "whose diagonal loads as one");
  if (failed(verifySpaces(*this, source.getView(), destination)))
    return failure();
  int64_t bytes = source.getView().getElementBytes();
  if (getAccessWidth() * bytes >= kNarrowestCopy)
    return success();
  bool isSource = source.getAccessWidth() <= destination.getAccessWidth();
  IteratorType narrow = isSource ? source : destination;
  InFlightDiagnostic error =
      emitTooNarrow(*this, isSource ? "source" : "destination",
                    narrow.getAccessWidth() * bytes);
  WidthBound bound = narrow.getWidthBounds().front();
  if (bound.elements * bytes < kNarrowestCopy)
    error << ": " << bound.fact;
  else
    error << ", as its thread map has "
          << getAccessPattern(narrow.getMap()).vector << " elements an access";
  error.attachNote() << "tile.copy goes through registers, and takes any width";
  return error;
}

LogicalResult MappedCopyAsyncOp::verify() {
  MappedIteratorType source = getSource().getType();
  IteratorType destination = getDestination().getType();
  if (failed(verifyCopy(*this, source, destination)))
    return failure();
  if (source.getSteps() != 1)
    return emitOpError("expected a source whose tile is one step, but got ")
           << source.getSteps() << " steps";
  if (source.getFill() != FillMode::Full)
    return emitOpError("expected a source that is copied as it is, but got one "
                       "that fills a triangle");
  if (failed(verifySpaces(*this, source.getView(), destination)))
    return failure();
  int64_t bytes = source.getView().getElementBytes();
  if (getAccessWidth() * bytes >= kNarrowestCopy)
    return success();
  bool isSource = source.getAccessWidth() <= destination.getAccessWidth();
  int64_t width =
      isSource ? source.getAccessWidth() : destination.getAccessWidth();
  InFlightDiagnostic error =
      emitTooNarrow(*this, isSource ? "source" : "destination", width * bytes);
  error.attachNote() << "a load and a store go through registers, and take any "
                        "width";
  return error;
}

LogicalResult AsyncWaitGroupOp::verify() {
  int64_t pending = getPending();
  if (pending < 0 || pending > kMaxPending)
    return emitOpError("expected between 0 and ")
           << kMaxPending << " pending groups, but got " << pending;
  return success();
}
