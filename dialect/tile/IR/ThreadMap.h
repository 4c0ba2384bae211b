// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread map means for code generation, derived from its layout.
#ifndef TILE_IR_THREADMAP_H
#define TILE_IR_THREADMAP_H

#include "tile/IR/Tile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile {

/// One mode of a thread map: `size` steps of `stride` elements along `dim`.
/// A mode that does not move (threads that share elements) has stride 0.
struct MapMode {
  int64_t size = 1;
  int64_t dim = 0;
  int64_t stride = 0;
};

/// The accesses of a thread map. Thread t starts at the sum over `threads` of
/// its digit (mixed radix, first mode fastest) times the stride; access i adds
/// the digits of i over `iterations`; the elements of one access follow along
/// `vectorDim`.
struct AccessPattern {
  llvm::SmallVector<MapMode> threads;
  llvm::SmallVector<MapMode> iterations;
  int64_t vector = 1;
  int64_t vectorDim = 0;

  int64_t getNumThreads() const;
  /// Accesses of one thread.
  int64_t getNumAccesses() const;
  /// (row, column) of access `i` relative to the thread's first element.
  std::pair<int64_t, int64_t> getAccessOffset(int64_t i) const;
  /// (row, column) of the first element of thread `t`.
  std::pair<int64_t, int64_t> getThreadOffset(int64_t t) const;
};

/// The pattern of a map whose attribute has been verified.
AccessPattern getAccessPattern(ThreadMapAttrInterface map);

/// The thread-value layout of a pattern; what parseAccessPattern reads.
Layout toTVLayout(const AccessPattern &pattern);

/// Reads a thread-value layout of the form that `#tile.tv_map` describes.
Result<AccessPattern> parseAccessPattern(const Layout &layout);

/// How often the threads of a pattern touch each element of a tile.
struct Coverage {
  /// Every element is touched, all equally often, and nothing else is.
  bool uniform = false;
  /// The same, but threads may reach beyond the tile.
  bool uniformInside = false;
  /// Times that each element is touched, where that is uniform inside; 1 for an
  /// exact partition.
  int64_t multiplicity = 0;
  /// Touches beyond the tile, counted one by one.
  int64_t outside = 0;
  /// Why the coverage is not uniform, as a sentence fragment: which element,
  /// touched by whom.
  std::string reason;
};

/// Counts by enumeration; `tile` holds at most 2^20 elements.
Coverage getCoverage(const AccessPattern &pattern,
                     llvm::ArrayRef<int64_t> tile);

/// The same where a function says where a thread's first element is.
Coverage getCoverage(
    int64_t threads,
    llvm::function_ref<std::pair<int64_t, int64_t>(int64_t)> getThreadOffset,
    const AccessPattern &accesses, llvm::ArrayRef<int64_t> tile);

/// `128 threads × 8 iterations × 8 elements = 8192, but the tile has 4096
/// elements`, or nothing when both are equal.
std::string getBalance(int64_t threads, const AccessPattern &accesses,
                       llvm::ArrayRef<int64_t> tile);

/// The accesses of a map that need a mask wherever the tile lies, because some
/// thread's elements of them are beyond the tile. None for a map that does not
/// pad. Access i of a thread is the i-th of the iterations.
llvm::SmallVector<int64_t> getMaskedAccesses(const AccessPattern &pattern,
                                             llvm::ArrayRef<int64_t> tile);

/// Every element of the tile belongs to exactly one thread.
bool hasOneOwner(ThreadMapAttrInterface map);

/// Some thread reaches beyond the tile.
bool mayLeaveTile(ThreadMapAttrInterface map);

/// The offset in elements, from the base of its view, of the element that an
/// iterator visits at a coordinate (after a gather): the permutation's layouts
/// one after the other, then the view's. The run-time leaves of the view's
/// layout, shape before stride, are the symbols #0, #1, ….
Result<Int> getElementOffset(IteratorType type, const Int &row,
                             const Int &column);

} // namespace tile

#endif // TILE_IR_THREADMAP_H
