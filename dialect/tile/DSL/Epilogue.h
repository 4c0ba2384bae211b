// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last collective of a kernel: what becomes of the sums of a tile.
#ifndef TILE_DSL_EPILOGUE_H
#define TILE_DSL_EPILOGUE_H

#include "tile/DSL/TileScheduler.h"
#include "tile/DSL/Warpgroup.h"

#include <functional>
#include <optional>

namespace tile::dsl {

/// What an epilogue computes: elements of D, of the sums at the same places and
/// of the elements of each source there, which are null where the source is not
/// read. All are vectors of one length, of any that the epilogue chooses.
using EpilogueBody = std::function<Val(Val sums, llvm::ArrayRef<Val> sources)>;

/// The default body: alpha * sums + beta * sources[0], computed in the type of
/// the sums and rounded to `elementType` once. `alpha` may be null for 1.
EpilogueBody linearCombination(Val alpha, Val beta, mlir::Type elementType,
                               CallSite site = CallSite::here());

/// The body that the region of a `tile.gemm` states: of each of the sums, times
/// `alpha` if it is not null, and of an element of each source. The region must
/// outlive it.
EpilogueBody regionBody(mlir::Region &region, Val alpha,
                        CallSite site = CallSite::here());

/// Makes the view of a matrix in a batch. It is called where the view is used,
/// so that its address takes no registers during the main loop.
using MatrixView = std::function<View(Val batch)>;

/// A matrix that an epilogue reads, of D's extents and any type: C, or a bias
/// with stride 0 along the rows.
struct EpilogueSource {
  MatrixView view;
  /// The source is not read where this is zero, as C where beta is; null if it
  /// always is.
  Val factor;
  /// Whether all rows are the same, and all columns: a thread then loads only
  /// one of them.
  std::array<bool, 2> repeated = {false, false};

  /// Whether it is not read, i1; null if it always is.
  Val isUnread() const;
};

/// Chunks of 64 rows in shared memory, through which a warpgroup passes tiles:
/// from there they go to D as tensor copies or along whole rows.
struct EpilogueChunks {
  /// (64, columns, buffers, warpgroups).
  View ring;
  /// A thread's elements of a chunk.
  ThreadMapAttrInterface map;
  int64_t columns = 0, buffers = 0;
  /// Chunks that are copied out together; a slot holds as many.
  int64_t together = 1;
  /// The dimension along which D has stride 1, and the elements of one access
  /// to it.
  int64_t contiguous = 1, vector = 1;
  /// D's extents, and rows of a whole output tile, i32.
  Val m, n;
  int64_t tileRows = 0;
  /// D's tensor map, whether it may be used (i32, 1 or 0), and whether the
  /// batch is a dimension of it.
  Val storeMap, storeLegal;
  bool batched = false;

  /// The same of the first source, if it comes in chunks, too: then D takes the
  /// place of its elements. Else null.
  Val loadMap, loadLegal;
  bool batchedSource = false;
  /// Guards the slots of all warpgroups, which take turns in it.
  Pipeline loads;
  int64_t warpgroups = 1;

  int64_t getSlots() const { return buffers / together; }
};

/// Who stores which elements of an output tile, what they are, and how they get
/// there.
struct Epilogue {
  /// A thread's elements of the part of the tile that its warpgroup, or else
  /// the block, stores.
  ThreadMapAttrInterface map;
  /// The thread's number in the map, i32 or index.
  Val thread;
  /// The number of the warpgroup, i32, each of which has the next so many rows
  /// of a tile, or all of them if 0; null if the block has one map.
  Val warpgroup;
  int64_t warpgroupRows = 0;
  /// What is known to divide the first row and column of a part.
  int64_t rowDivisor = 1, columnDivisor = 1;
  /// Sums that are finished at a time, so that sources need few registers.
  int64_t piece = 32;

  EpilogueBody body;
  MatrixView target;
  llvm::SmallVector<EpilogueSource, 1> sources;
  std::optional<EpilogueChunks> chunks;

  /// Elements that a thread has.
  int64_t getFragmentSize() const;
};

/// A tile's part of a source that comes in chunks, on its way.
struct StagedSource {
  /// Whether it comes in chunks, and whether it is not read at all, i1; null if
  /// no tile's does.
  Val staged, unread;
  /// Of the first group of chunks.
  PipelineState state;
};

/// Starts to load the first chunks of the source of a tile, which arrive while
/// the tile is computed; `state` is then that of the next tile.
StagedSource startSource(Scope &scope, const Epilogue &epilogue,
                         const OutputTile &tile, PipelineState &state,
                         CallSite site = CallSite::here());

/// Stores a tile: the body's results, of a thread's `sums` and of the sources.
/// `source` is what `startSource` gave for this tile, if it was called.
void emitEpilogue(Scope &scope, const Epilogue &epilogue, Val sums,
                  const OutputTile &tile, const StagedSource &source = {},
                  CallSite site = CallSite::here());

// For schedules that store a tile while they compute the next one: the same in
// two steps, with the results in registers in between.

/// The body's results for all of the thread's sums.
Val finishTile(Scope &scope, const Epilogue &epilogue, Val sums,
               const OutputTile &tile, CallSite site = CallSite::here());
/// Stores them.
void storeTile(Scope &scope, const Epilogue &epilogue, Val elements,
               const OutputTile &tile, CallSite site = CallSite::here());
/// The same in parts, to be called one by one, each of which stores if `ready`
/// holds. The epilogue must outlive them.
llvm::SmallVector<std::function<void()>>
storeTileInParts(Scope &scope, const Epilogue &epilogue, Val elements,
                 const OutputTile &tile, Val ready);

} // namespace tile::dsl

#endif // TILE_DSL_EPILOGUE_H
