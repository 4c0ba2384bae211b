// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How warps access memory: sectors, bank conflicts, widths, from layouts.
#ifndef TILE_TRANSFORMS_ACCESSFIGURES_H
#define TILE_TRANSFORMS_ACCESSFIGURES_H

#include "tile/IR/Tile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile {

/// Two lanes that want different words of one bank at the same time.
struct BankConflict {
  int64_t warp = 0, lanes[2] = {0, 0}, bank = 0;
};

/// What the warps of a block do in one execution of an access operation, summed
/// over its requests: one for each warp and each memory access of a thread.
struct AccessFigures {
  bool isStore = false, isShared = false;
  /// Memory accesses of one thread, and bytes of one.
  int64_t accesses = 0, bytes = 0;
  int64_t requests = 0;
  /// Global memory: sectors of 32 bytes, and bytes of them that are used.
  int64_t sectors = 0, usedBytes = 0;
  /// Shared memory: wavefronts, what there would be without conflicts, and the
  /// most words of one bank that are wanted at a time.
  int64_t wavefronts = 0, leastWavefronts = 0, ways = 0;
  std::optional<BankConflict> conflict;
  /// Elements of one access, elements that the thread map would have, and what
  /// keeps them apart.
  int64_t width = 1, wantedWidth = 1;
  std::string narrowing;
  /// A stride that is known at run time only was taken for a multiple of a
  /// sector.
  bool assumesPitch = false;
};

/// Adds the request of one warp: lane l accesses `bytes` bytes at
/// `addresses[l]` (none: it takes no part). A sector has 32 bytes. Shared
/// memory has 32 banks of 4 bytes; half a warp is served at a time for accesses
/// of 8 bytes, a quarter for 16.
///
/// Example: 32 lanes, 4 bytes each, 8 bytes apart, touch 256 bytes: 8 sectors
/// that are half used. In shared memory lanes l and l + 16 meet in bank 2 l: 2
/// wavefronts.
void addRequest(AccessFigures &figures, int64_t warp,
                llvm::ArrayRef<std::optional<int64_t>> addresses);

/// The figures of a load or store through an iterator of `accesses` (first,
/// count) of its map, all of the first step if absent; the reason if a shared
/// view's strides, or how coordinates move, are known at run time only.
Result<AccessFigures>
getAccessFigures(IteratorType iterator, bool isStore,
                 std::optional<llvm::ArrayRef<int64_t>> accesses);

/// The figures of both sides of an asynchronous copy, or of one: `isStore` says
/// which.
Result<AccessFigures> getAccessFigures(CopyAsyncOp copy, bool isStore);

/// The figures of a load or store of a view by the threads of a block of
/// `threads`, or the reason why its coordinates do not follow from the thread's
/// number.
Result<AccessFigures> getAccessFigures(ViewType view, const IntTuple &coord,
                                       mlir::ValueRange coordOperands,
                                       mlir::Type accessType, bool isStore,
                                       int64_t threads);

/// The figures of a warp's load of matrices: a request for each ldmatrix, in
/// which a lane reads a row of 16 bytes. What is known of its coordinate at run
/// time only is taken for zero.
Result<AccessFigures> getAccessFigures(LoadMatrixOp load);

/// Calls `report` for each access of an operation that accesses memory.
void forEachAccessFigures(
    mlir::Operation *op,
    llvm::function_ref<void(mlir::Location, const Result<AccessFigures> &)>
        report);

/// `global load of 4 × 16 bytes a thread: 16 sectors a request, 32 of 32 bytes
/// used`.
std::string describeFigures(const AccessFigures &figures);

} // namespace tile

#endif // TILE_TRANSFORMS_ACCESSFIGURES_H
