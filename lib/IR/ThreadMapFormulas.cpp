// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formulas of CUTLASS 2.x pitch-linear thread maps.
#include "tile/IR/ThreadMapFormulas.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

/// Side of a thread tile.
static constexpr int64_t kThreadTile = 4;

template <typename... Args>
static Reason refuse(const char *format, Args &&...args) {
  return Reason(llvm::formatv(format, std::forward<Args>(args)...).str());
}

static PitchLinearMap startMap(PitchLinear tile, int64_t elements) {
  PitchLinearMap map;
  map.tile = tile;
  map.elements = elements;
  return map;
}

PitchLinear PitchLinearMap::getStorage() const {
  int64_t rows = 1;
  for (const MapMode &mode : threads)
    rows *= mode.dim == 1 ? mode.size : 1;
  return {tile.contiguous, std::max(tile.strided, rows * iterations.strided)};
}

AccessPattern tile::getPattern(const PitchLinearMap &map, int64_t contiguous) {
  AccessPattern pattern;
  pattern.vector = map.elements;
  pattern.vectorDim = contiguous;
  int64_t strided = 1 - contiguous;
  for (const MapMode &mode : map.threads)
    pattern.threads.push_back(
        {mode.size, mode.dim == 0 ? contiguous : strided, mode.stride});
  if (map.rows > 1)
    pattern.iterations.push_back({map.rows, strided, 1});
  pattern.iterations.push_back(
      {map.iterations.contiguous, contiguous, map.delta.contiguous});
  pattern.iterations.push_back(
      {map.iterations.strided, strided, map.delta.strided});
  return pattern;
}

/// Why the elements of an access do not fit, or nothing.
static std::optional<Reason> checkElements(PitchLinear tile, int64_t elements) {
  if (elements >= 1 && tile.contiguous % elements == 0)
    return std::nullopt;
  return refuse("expected elements to divide the contiguous tile extent {0}, "
                "but got {1}",
                tile.contiguous, elements);
}

Result<PitchLinearMap> tile::makeStripMined(PitchLinear tile, int64_t threads,
                                            int64_t elements) {
  if (std::optional<Reason> reason = checkElements(tile, elements))
    return *reason;
  PitchLinearMap map = startMap(tile, elements);
  int64_t accesses = tile.contiguous / elements;
  if (threads < accesses ? accesses % threads != 0 : threads % accesses != 0)
    return refuse("expected threads to divide, or be a multiple of, the {0} "
                  "accesses along the contiguous dimension, but got {1}",
                  accesses, threads);
  if (threads < accesses) {
    map.iterations = {accesses / threads, tile.strided};
    map.delta = {threads * elements, 1};
    map.threads = {{threads, 0, elements}, {1, 1, 1}};
    return map;
  }
  int64_t rows = threads / accesses;
  map.iterations = {1, int64_t(llvm::divideCeil(tile.strided, rows))};
  map.delta = {1, rows};
  map.threads = {{accesses, 0, elements}, {rows, 1, 1}};
  return map;
}

Result<PitchLinearMap> tile::makeThreadContiguous(PitchLinear tile,
                                                  int64_t threads,
                                                  int64_t elements) {
  if (elements < 1 || tile.contiguous % (threads * elements) != 0)
    return refuse("expected threads × elements to divide the contiguous tile "
                  "extent {0}, but got {1} × {2} = {3}",
                  tile.contiguous, threads, elements, threads * elements);
  PitchLinearMap map = startMap(tile, elements);
  map.iterations = {tile.contiguous / (threads * elements), tile.strided};
  // The reference counts this in accesses; here all deltas are elements.
  map.delta = {elements, 1};
  map.threads = {{threads, 0, map.iterations.contiguous * elements}};
  return map;
}

Result<PitchLinearMap>
tile::makeThreadStrided(PitchLinear tile, int64_t threads, int64_t elements) {
  if (tile.strided % threads != 0)
    return refuse("expected threads to divide the strided tile extent {0}, but "
                  "got {1}",
                  tile.strided, threads);
  if (elements < 1 || elements > tile.contiguous)
    return refuse("expected between 1 and {0} elements, the contiguous tile "
                  "extent, but got {1}",
                  tile.contiguous, elements);
  // A contiguous extent that is no multiple of `elements` leaves a tail.
  PitchLinearMap map = startMap(tile, elements);
  map.iterations = {tile.contiguous / elements, tile.strided / threads};
  map.delta = {elements, 1};
  map.threads = {{threads, 1, map.iterations.strided}};
  return map;
}

/// Warps along each dimension, as the reference spreads them.
static Result<PitchLinear> spreadWarps(WarpOrder order, PitchLinear accesses,
                                       int64_t warps) {
  PitchLinear spread;
  switch (order) {
  case WarpOrder::Raked:
    spread.strided = std::min(warps, accesses.strided);
    if (warps > accesses.strided)
      spread.contiguous = warps / spread.strided;
    return spread;
  case WarpOrder::StridedRaked:
    spread.contiguous = std::min(warps, accesses.contiguous);
    if (warps > accesses.contiguous)
      spread.strided = warps / spread.contiguous;
    return spread;
  case WarpOrder::Striped:
    // The quotients for more warps than rows are those of the reference; they
    // cover a tile wrongly, as counting shows.
    spread.strided = warps;
    if (warps > accesses.strided) {
      spread.strided = warps / accesses.strided;
      spread.contiguous = accesses.contiguous / spread.strided;
    }
    if (spread.contiguous == 0)
      return refuse("expected at most {0} warps, one for each access of a warp "
                    "across the contiguous dimension, but got {1}",
                    accesses.strided, warps);
    return spread;
  }
  return spread;
}

/// What threads touch that do not fill the modes of a map of warps; the last
/// mode runs on.
static std::string getWrongCoverage(const PitchLinearMap &map, int64_t threads,
                                    int64_t contiguous) {
  int64_t extents[2];
  extents[contiguous] = map.tile.contiguous;
  extents[1 - contiguous] = map.tile.strided;
  PitchLinearMap open = map;
  open.threads.back().size = threads;
  AccessPattern pattern = getPattern(open, contiguous);
  Coverage coverage = getCoverage(
      threads, [&](int64_t t) { return pattern.getThreadOffset(t); }, pattern,
      extents);
  std::string balance = getBalance(threads, pattern, extents);
  return (coverage.reason.empty() ? "the warps are no layout"
                                  : coverage.reason) +
         (balance.empty() ? "" : ": " + balance);
}

Result<PitchLinearMap> tile::makeWarpMap(WarpOrder order, PitchLinear tile,
                                         int64_t threads, PitchLinear warp,
                                         int64_t elements, int64_t contiguous) {
  if (std::optional<Reason> reason = checkElements(tile, elements))
    return *reason;
  int64_t lanes = warp.contiguous * warp.strided;
  if (lanes > threads)
    return refuse("expected at least the {0} × {1} = {2} threads of a warp, "
                  "but got {3}",
                  warp.contiguous, warp.strided, lanes, threads);
  int64_t vectors = tile.contiguous / elements;
  if (order != WarpOrder::Striped && vectors % warp.contiguous != 0)
    return refuse("expected warp[0] to divide the {0} accesses along the "
                  "contiguous dimension, but got {1}",
                  vectors, warp.contiguous);
  if (order != WarpOrder::Striped && tile.strided % warp.strided != 0)
    return refuse("expected warp[1] to divide the strided tile extent {0}, but "
                  "got {1}",
                  tile.strided, warp.strided);
  PitchLinear accesses{vectors / warp.contiguous, tile.strided / warp.strided};
  if (accesses.contiguous == 0 || accesses.strided == 0)
    return refuse("expected a warp of at most {0} by {1} lanes, the accesses "
                  "of the tile, but got {2} by {3}",
                  vectors, tile.strided, warp.contiguous, warp.strided);
  PitchLinearMap map = startMap(tile, elements);
  map.warpSize = lanes;
  map.warpAccesses = accesses;
  int64_t warps = map.warpCount = threads / lanes;
  Result<PitchLinear> spread = spreadWarps(order, accesses, warps);
  if (!spread)
    return spread.takeReason();
  map.warps = *spread;
  map.iterations = {accesses.contiguous / map.warps.contiguous,
                    accesses.strided / map.warps.strided};
  if (map.iterations.contiguous == 0 || map.iterations.strided == 0)
    return refuse("expected at most {0} warps, one for each of the {1} by {2} "
                  "accesses of a warp, but got {3} threads / {4} lanes = {5}",
                  accesses.contiguous * accesses.strided, accesses.contiguous,
                  accesses.strided, threads, lanes, warps);
  bool striped = order == WarpOrder::Striped;
  map.delta = {warp.contiguous * elements,
               striped ? warp.strided * map.warps.strided : warp.strided};
  map.threads = {
      {warp.contiguous, 0, elements},
      {warp.strided, 1, 1},
      {map.warps.contiguous, 0,
       warp.contiguous * map.iterations.contiguous * elements},
      {warps / map.warps.contiguous, 1,
       striped ? warp.strided : warp.strided * map.iterations.strided}};
  if (threads % lanes == 0 && warps % map.warps.contiguous == 0)
    return map;
  return refuse("expected whole warps of {0} lanes, a multiple of the {1} "
                "along the contiguous dimension, but {2}",
                lanes, map.warps.contiguous,
                getWrongCoverage(map, threads, contiguous));
}

Result<PitchLinearMap> tile::makeThreadTile(PitchLinear tile, int64_t threads) {
  if (tile.contiguous % kThreadTile != 0)
    return refuse(
        "expected a contiguous tile extent that is a multiple of {0}, "
        "but got {1}",
        kThreadTile, tile.contiguous);
  int64_t squares = kThreadTile * kThreadTile;
  if (tile.contiguous * tile.strided % (threads * squares) != 0)
    return refuse("expected threads × {0} elements to divide the {1} elements "
                  "of the tile, but got {2} × {0} = {3}",
                  squares, tile.contiguous * tile.strided, threads,
                  threads * squares);
  PitchLinear vectors{tile.contiguous / kThreadTile,
                      tile.strided / kThreadTile};
  PitchLinearMap map = startMap(tile, kThreadTile);
  map.rows = kThreadTile;
  if (threads < vectors.contiguous) {
    if (vectors.contiguous % threads != 0)
      return refuse("expected threads to divide, or be a multiple of, the {0} "
                    "squares along the contiguous dimension, but got {1}",
                    vectors.contiguous, threads);
    map.iterations = {vectors.contiguous / threads, vectors.strided};
    // One row, not one square: where it matters, counting refuses the map.
    map.delta = {threads * kThreadTile, 1};
    map.threads = {{threads, 0, kThreadTile}};
  } else {
    if (threads % vectors.contiguous != 0)
      return refuse("expected threads to divide, or be a multiple of, the {0} "
                    "squares along the contiguous dimension, but got {1}",
                    vectors.contiguous, threads);
    // Rows of squares at a time; they divide those of the tile, as the threads
    // divide its squares.
    int64_t rows = threads / vectors.contiguous;
    map.iterations = {1, vectors.strided / rows};
    map.delta = {tile.contiguous, rows * kThreadTile};
    map.threads = {{vectors.contiguous, 0, kThreadTile},
                   {rows, 1, kThreadTile}};
  }
  if (map.iterations.strided == 0)
    return refuse("expected a strided tile extent of at least {0}, but got {1}",
                  kThreadTile, tile.strided);
  return map;
}

/// Both dimensions with their roles exchanged.
static PitchLinearMap swapDimensions(PitchLinearMap map) {
  std::swap(map.tile.contiguous, map.tile.strided);
  std::swap(map.iterations.contiguous, map.iterations.strided);
  std::swap(map.delta.contiguous, map.delta.strided);
  for (MapMode &mode : map.threads)
    mode.dim = 1 - mode.dim;
  return map;
}

Result<PitchLinearMap> tile::transposeSimt(const PitchLinearMap &base) {
  if (base.elements != 1)
    return refuse("expected a base with one element an access, but got {0}",
                  base.elements);
  if (base.iterations.contiguous != 1)
    return refuse("expected a base with one iteration along its contiguous "
                  "dimension, but got {0}",
                  base.iterations.contiguous);
  return swapDimensions(base);
}

Result<PitchLinearMap> tile::transposeThreadTile(const PitchLinearMap &base) {
  if (base.rows != kThreadTile)
    return refuse("expected a base whose accesses are {0} by {0} elements, but "
                  "got {1} by {2}",
                  kThreadTile, base.rows, base.elements);
  return swapDimensions(base);
}

Result<PitchLinearMap> tile::transposeWarps(const PitchLinearMap &base,
                                            PitchLinear warp) {
  if (base.iterations.strided != 1)
    return refuse("expected a base with one iteration across its contiguous "
                  "dimension, but got {0}",
                  base.iterations.strided);
  int64_t lanes = warp.contiguous * warp.strided;
  if (lanes != base.warpSize)
    return refuse("expected warp to arrange the {0} lanes of the base's warps, "
                  "but got {1} × {2} = {3}",
                  base.warpSize, warp.contiguous, warp.strided, lanes);
  PitchLinearMap map = startMap({}, base.elements);
  map.warpSize = lanes;
  map.warpCount = base.warpCount;
  map.iterations = {base.iterations.strided, base.iterations.contiguous};
  map.delta = {warp.contiguous * base.elements, warp.strided};
  map.warps = {base.warps.strided, base.warps.contiguous};
  int64_t block = warp.contiguous * map.iterations.contiguous * base.elements;
  int64_t rows = warp.strided * map.iterations.strided;
  // Not an exchange of the dimensions: warps run along the strided one first.
  map.threads = {{warp.contiguous, 0, base.elements},
                 {warp.strided, 1, 1},
                 {map.warps.strided, 1, rows},
                 {map.warps.contiguous, 0, block}};
  map.tile = {map.warps.contiguous * block, map.warps.strided * rows};
  return map;
}

/// What both interleaved maps require.
static std::optional<Reason> checkWarps(PitchLinear warps, int64_t threads,
                                        int64_t elements) {
  int64_t needed = warps.contiguous * warps.strided * 32;
  if (threads != needed)
    return refuse("expected threads to be the lanes of {0} × {1} warps of 32, "
                  "{2}, but got {3}",
                  warps.contiguous, warps.strided, needed, threads);
  if (elements < 1 || elements > 128)
    return refuse("expected between 1 and 128 elements, but got {0}", elements);
  return std::nullopt;
}

/// Warps one behind the other along the contiguous dimension first, each with
/// its iterations around its lanes.
static void placeWarps(PitchLinearMap &map) {
  PitchLinear footprint{map.delta.contiguous * map.iterations.contiguous,
                        map.delta.strided * map.iterations.strided};
  map.tile = {footprint.contiguous * map.warps.contiguous,
              footprint.strided * map.warps.strided};
  map.threads.push_back({map.warps.contiguous, 0, footprint.contiguous});
  map.threads.push_back({map.warps.strided, 1, footprint.strided});
}

Result<PitchLinearMap> tile::makeInterleavedOutput(PitchLinear warps,
                                                   PitchLinear iterations,
                                                   int64_t threads,
                                                   int64_t elements) {
  if (std::optional<Reason> reason = checkWarps(warps, threads, elements))
    return *reason;
  PitchLinearMap map = startMap({}, elements);
  map.iterations = iterations;
  map.delta = {32 * elements, 1};
  map.warps = warps;
  map.threads = {{32, 0, elements}};
  placeWarps(map);
  return map;
}

Result<PitchLinearMap> tile::makeInterleavedConvOutput(PitchLinear warps,
                                                       PitchLinear iterations,
                                                       int64_t threads,
                                                       int64_t elements) {
  if (std::optional<Reason> reason = checkWarps(warps, threads, elements))
    return *reason;
  PitchLinearMap map = startMap({}, elements);
  map.iterations = iterations;
  map.delta = {4 * elements, 8};
  map.warps = warps;
  map.threads = {{4, 0, elements}, {8, 1, 1}};
  placeWarps(map);
  // The reference counts warps along the rows first.
  std::swap(map.threads[2], map.threads[3]);
  return map;
}
