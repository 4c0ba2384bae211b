// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epilogues through chunks of shared memory.
#ifndef TILE_LIB_DSL_EPILOGUECHUNKS_H
#define TILE_LIB_DSL_EPILOGUECHUNKS_H

#include "tile/DSL/Epilogue.h"
#include "tile/IR/ThreadMap.h"

namespace tile::dsl {

/// Elements of D: `count` of the thread's from `first` on.
using EpilogueElements = std::function<Val(int64_t first, int64_t count)>;

/// A thread's elements of a source, where they lie.
class OpenSource {
public:
  OpenSource(const EpilogueSource &source, const Iterator &iterator);

  /// `count` elements from `first` on.
  Val load(int64_t first, int64_t count) const;

private:
  /// The access, of those from `first` to before `end`, whose elements are
  /// those of access `number`.
  int64_t findSame(int64_t number, int64_t first, int64_t end) const;

  std::array<bool, 2> repeated;
  Iterator iterator;
  AccessPattern pattern;
  /// The accesses that differ, loaded once for the whole tile, by number: those
  /// of a column, of which there are few.
  llvm::DenseMap<int64_t, Val> loaded;
};

/// A thread's elements of the sources from number `first` on.
std::vector<OpenSource> openSources(Scope &scope, const Epilogue &epilogue,
                                    const OutputTile &tile, size_t first);

/// What the body makes of sums; its lines are the user's.
Val callBody(const Epilogue &epilogue, Val sums, llvm::ArrayRef<Val> sources);

/// The first row of a tile's part that is the warpgroup's.
Val getFirstRow(const Epilogue &epilogue, const OutputTile &tile);

/// Groups of chunks of a warpgroup's part of a tile.
int64_t getNumChunkGroups(const Epilogue &epilogue);

/// Whether the tile may be stored as tensor copies.
Val isTensorStoreLegal(Scope &scope, const Epilogue &epilogue,
                       const OutputTile &tile);

/// Stores a group of chunks: as tensor copies where `legal` holds, or if it is
/// null.
void storeChunks(Scope &scope, const Epilogue &epilogue,
                 const EpilogueElements &elements, const OutputTile &tile,
                 int64_t group, Val legal);

/// Stores a tile whose first source is on its way to the chunks.
void storeOverSource(Scope &scope, const Epilogue &epilogue, Val sums,
                     const OutputTile &tile, const StagedSource &source);

} // namespace tile::dsl

#endif // TILE_LIB_DSL_EPILOGUECHUNKS_H
