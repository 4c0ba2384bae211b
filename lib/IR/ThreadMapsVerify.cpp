// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread-map attributes: every element exactly once, or the reason why not.
#include "tile/IR/ThreadMapFormulas.h"

using namespace mlir;
using namespace tile;

/// Tiles above this many elements are refused; coverage is counted one by one.
static constexpr int64_t kMaxTileElements = int64_t(1) << 20;

/// Elements of a tile that one thread may hold: far more than registers, few
/// enough to unroll.
static constexpr int64_t kMaxThreadElements = 4096;

static constexpr int64_t kMaxThreads = 1024;

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyTile(EmitError emitError, ArrayRef<int64_t> tile) {
  if (tile.size() != 2)
    return emitError() << "expected two tile extents (rows, columns), but got "
                       << tile.size();
  for (int64_t extent : tile)
    if (extent < 1 || extent > kMaxTileElements)
      return emitError() << "expected tile extents between 1 and "
                         << kMaxTileElements << ", but got " << extent;
  if (tile[0] * tile[1] > kMaxTileElements)
    return emitError() << "expected at most " << kMaxTileElements
                       << " elements in a tile, but got " << tile[0] * tile[1];
  return success();
}

static LogicalResult verifyThreads(EmitError emitError, int64_t threads) {
  if (threads < 1 || threads > kMaxThreads)
    return emitError() << "expected between 1 and " << kMaxThreads
                       << " threads, but got " << threads;
  return success();
}

/// A tile, the contiguous dimension and a number of threads.
static LogicalResult verifyCommon(EmitError emitError, ArrayRef<int64_t> tile,
                                  int64_t contiguous, int64_t threads) {
  if (failed(verifyTile(emitError, tile)))
    return failure();
  if (contiguous != 0 && contiguous != 1)
    return emitError()
           << "expected contiguous to be 0 (rows) or 1 (columns), but got "
           << contiguous;
  return verifyThreads(emitError, threads);
}

static LogicalResult verifyPair(EmitError emitError, StringRef name,
                                ArrayRef<int64_t> pair) {
  if (pair.size() != 2)
    return emitError() << "expected two numbers in " << name << ", but got "
                       << pair.size();
  for (int64_t number : pair)
    if (number < 1 || number > kMaxThreads)
      return emitError() << "expected numbers between 1 and " << kMaxThreads
                         << " in " << name << ", but got " << number;
  return success();
}

/// Whether the coverage is what the rule allows.
static bool isAllowed(const Coverage &coverage, CoverageRule rule,
                      bool mayShare) {
  if (rule == CoverageRule::Any)
    return true;
  bool covers =
      rule == CoverageRule::Padded ? coverage.uniformInside : coverage.uniform;
  return covers && (mayShare || coverage.multiplicity == 1);
}

/// Checks the sizes and the coverage of a map that is known to be a layout.
/// `suggest` returns the change of a parameter that would make it right.
static LogicalResult verifyPattern(EmitError emitError,
                                   const AccessPattern &pattern,
                                   ArrayRef<int64_t> tile, CoverageRule rule,
                                   bool mayShare,
                                   function_ref<std::string()> suggest) {
  int64_t threads = 1, values = pattern.vector;
  for (const MapMode &mode : pattern.threads)
    if ((threads *= mode.size) > kMaxThreads)
      return emitError() << "expected at most " << kMaxThreads
                         << " threads, but got " << threads;
  if (values > kMaxThreadElements)
    return emitError() << "expected at most " << kMaxThreadElements
                       << " elements for each thread, but got " << values;
  for (const MapMode &mode : pattern.iterations)
    if ((values *= mode.size) > kMaxThreadElements)
      return emitError() << "expected at most " << kMaxThreadElements
                         << " elements for each thread, but got " << values;
  Coverage coverage = getCoverage(pattern, tile);
  if (isAllowed(coverage, rule, mayShare))
    return success();
  InFlightDiagnostic error = emitError();
  error << "expected every element of the tile to be accessed "
        << (mayShare ? "equally often" : "exactly once") << ", but ";
  if (coverage.reason.empty())
    error << "every element is accessed " << coverage.multiplicity << " times";
  else
    error << coverage.reason;
  if (std::string balance = getBalance(threads, pattern, tile);
      !balance.empty())
    error << ": " << balance;
  std::string suggestion = suggest();
  if (!suggestion.empty())
    error.attachNote() << suggestion;
  else if (coverage.uniformInside && rule == CoverageRule::Exact)
    error.attachNote() << "coverage = padded masks what lies beyond the tile";
  return error;
}

//===----------------------------------------------------------------------===//
// Suggestions
//===----------------------------------------------------------------------===//

/// Makes a map with other parameters.
using MakeMap =
    function_ref<Result<PitchLinearMap>(int64_t threads, int64_t elements)>;

static bool isExact(MakeMap make, int64_t threads, int64_t elements) {
  Result<PitchLinearMap> map = make(threads, elements);
  if (!map)
    return false;
  AccessPattern pattern = getPattern(*map, 1);
  int64_t tile[] = {map->tile.strided, map->tile.contiguous};
  if (threads * pattern.getNumAccesses() * pattern.vector != tile[0] * tile[1])
    return false;
  Coverage coverage = getCoverage(pattern, tile);
  return coverage.uniform && coverage.multiplicity == 1;
}

/// The one parameter whose change makes a map exact: the nearest number of
/// threads, or of elements; empty if neither does. Stated `iterations` (0:
/// none) change with it.
static std::string suggestParameter(MakeMap make, int64_t threads,
                                    int64_t elements, bool hasElements,
                                    int64_t iterations = 0) {
  auto describe = [&](StringRef name, int64_t number, int64_t threads,
                      int64_t elements) {
    int64_t derived = getPattern(*make(threads, elements), 1).getNumAccesses();
    std::string text = (name + " = " + Twine(number)).str();
    if (iterations != 0 && iterations != derived)
      text += " with iterations = " + std::to_string(derived);
    return text + " covers the tile exactly";
  };
  SmallVector<int64_t> numbers;
  int64_t step = threads % 32 == 0 ? 32 : 1;
  for (int64_t n = step; n <= kMaxThreads; n += step)
    if (n != threads)
      numbers.push_back(n);
  llvm::sort(numbers, [&](int64_t a, int64_t b) {
    return std::pair(std::abs(a - threads), a) <
           std::pair(std::abs(b - threads), b);
  });
  for (int64_t n : numbers)
    if (isExact(make, n, elements))
      return describe("threads", n, n, elements);
  if (hasElements)
    for (int64_t n : {16, 8, 4, 2, 1})
      if (n != elements && isExact(make, threads, n))
        return describe("elements", n, threads, n);
  return "";
}

/// Checks a map of a formula: that it exists, and what it covers.
static LogicalResult verifyMap(EmitError emitError, MakeMap make,
                               int64_t contiguous, int64_t threads,
                               int64_t elements, CoverageRule rule,
                               bool hasElements = true,
                               int64_t iterations = 0) {
  auto suggest = [&] {
    return suggestParameter(make, threads, elements, hasElements, iterations);
  };
  Result<PitchLinearMap> map = make(threads, elements);
  if (!map) {
    InFlightDiagnostic error = emitError();
    error << map.getReason();
    std::string suggestion = suggest();
    if (!suggestion.empty())
      error.attachNote() << suggestion;
    return error;
  }
  int64_t tile[2];
  tile[contiguous] = map->tile.contiguous;
  tile[1 - contiguous] = map->tile.strided;
  return verifyPattern(emitError, getPattern(*map, contiguous), tile, rule,
                       /*mayShare=*/false, suggest);
}

//===----------------------------------------------------------------------===//
// Pitch-linear maps
//===----------------------------------------------------------------------===//

static PitchLinear toPitchLinear(ArrayRef<int64_t> tile, int64_t contiguous) {
  return {tile[contiguous], tile[1 - contiguous]};
}

LogicalResult StripMinedMapAttr::verify(EmitError emitError,
                                        ArrayRef<int64_t> tile,
                                        int64_t contiguous, int64_t threads,
                                        int64_t elements, int64_t iterations,
                                        CoverageRule rule) {
  if (failed(verifyCommon(emitError, tile, contiguous, threads)))
    return failure();
  PitchLinear extents = toPitchLinear(tile, contiguous);
  auto make = [&](int64_t threads, int64_t elements) {
    return makeStripMined(extents, threads, elements);
  };
  auto verify = [&] {
    return verifyMap(emitError, make, contiguous, threads, elements, rule,
                     /*hasElements=*/true, iterations);
  };
  Result<PitchLinearMap> map = make(threads, elements);
  if (!map)
    return verify();
  int64_t total = tile[0] * tile[1];
  int64_t derived = map->iterations.contiguous * map->iterations.strided;
  bool isOther = iterations != 0 && iterations != derived;
  // Where the derived number would not do either, what is wrong is the
  // coverage, and that is what the messages below are about.
  if (isOther && isAllowed(tile::getCoverage(getPattern(*map, contiguous), tile),
                           rule, /*mayShare=*/false)) {
    InFlightDiagnostic error = emitError();
    error << "expected the iterations that follow from tile, threads and "
             "elements: "
          << threads << " threads × " << iterations << " iterations × "
          << elements << " elements = " << threads * iterations * elements
          << ", but the tile has " << total << " elements";
    error.attachNote() << "use iterations = " << derived;
    return error;
  }
  if (rule == CoverageRule::Exact && threads * derived * elements != total) {
    InFlightDiagnostic error = emitError();
    error << "expected the accesses to cover the tile exactly: " << threads
          << " threads × " << derived << " iterations × " << elements
          << " elements = " << threads * derived * elements
          << ", but the tile has " << total << " elements; the threads cover "
          << map->delta.strided << " rows at a time, which does not divide "
          << extents.strided;
    std::string suggestion =
        suggestParameter(make, threads, elements, true, iterations);
    std::string padded = "coverage = padded";
    if (isOther)
      padded += " with iterations = " + std::to_string(derived);
    error.attachNote() << (suggestion.empty() ? "" : suggestion + "; ") << padded
                      << " masks what lies beyond the tile";
    return error;
  }
  return verify();
}

LogicalResult ThreadContiguousMapAttr::verify(EmitError emitError,
                                              ArrayRef<int64_t> tile,
                                              int64_t contiguous,
                                              int64_t threads, int64_t elements,
                                              CoverageRule rule) {
  if (failed(verifyCommon(emitError, tile, contiguous, threads)))
    return failure();
  PitchLinear extents = toPitchLinear(tile, contiguous);
  return verifyMap(
      emitError,
      [&](int64_t threads, int64_t elements) {
        return makeThreadContiguous(extents, threads, elements);
      },
      contiguous, threads, elements, rule);
}

LogicalResult ThreadStridedMapAttr::verify(EmitError emitError,
                                           ArrayRef<int64_t> tile,
                                           int64_t contiguous, int64_t threads,
                                           int64_t elements,
                                           CoverageRule rule) {
  if (failed(verifyCommon(emitError, tile, contiguous, threads)))
    return failure();
  PitchLinear extents = toPitchLinear(tile, contiguous);
  return verifyMap(
      emitError,
      [&](int64_t threads, int64_t elements) {
        return makeThreadStrided(extents, threads, elements);
      },
      contiguous, threads, elements, rule);
}

static LogicalResult verifyWarps(EmitError emitError, WarpOrder order,
                                 ArrayRef<int64_t> tile, int64_t contiguous,
                                 int64_t threads, ArrayRef<int64_t> warp,
                                 int64_t elements, CoverageRule rule) {
  if (failed(verifyCommon(emitError, tile, contiguous, threads)) ||
      failed(verifyPair(emitError, "warp", warp)))
    return failure();
  PitchLinear extents = toPitchLinear(tile, contiguous);
  return verifyMap(
      emitError,
      [&](int64_t threads, int64_t elements) {
        return makeWarpMap(order, extents, threads, {warp[0], warp[1]},
                           elements, contiguous);
      },
      contiguous, threads, elements, rule);
}

LogicalResult WarpRakedMapAttr::verify(EmitError emitError,
                                       ArrayRef<int64_t> tile,
                                       int64_t contiguous, int64_t threads,
                                       ArrayRef<int64_t> warp, int64_t elements,
                                       CoverageRule rule) {
  return verifyWarps(emitError, WarpOrder::Raked, tile, contiguous, threads,
                     warp, elements, rule);
}

LogicalResult
StridedWarpRakedMapAttr::verify(EmitError emitError, ArrayRef<int64_t> tile,
                                int64_t contiguous, int64_t threads,
                                ArrayRef<int64_t> warp, int64_t elements,
                                CoverageRule rule) {
  return verifyWarps(emitError, WarpOrder::StridedRaked, tile, contiguous,
                     threads, warp, elements, rule);
}

LogicalResult WarpStripedMapAttr::verify(EmitError emitError,
                                         ArrayRef<int64_t> tile,
                                         int64_t contiguous, int64_t threads,
                                         ArrayRef<int64_t> warp,
                                         int64_t elements, CoverageRule rule) {
  return verifyWarps(emitError, WarpOrder::Striped, tile, contiguous, threads,
                     warp, elements, rule);
}

LogicalResult ThreadTileMapAttr::verify(EmitError emitError,
                                        ArrayRef<int64_t> tile,
                                        int64_t contiguous, int64_t threads,
                                        CoverageRule rule) {
  if (failed(verifyCommon(emitError, tile, contiguous, threads)))
    return failure();
  PitchLinear extents = toPitchLinear(tile, contiguous);
  return verifyMap(
      emitError,
      [&](int64_t threads, int64_t) {
        return makeThreadTile(extents, threads);
      },
      contiguous, threads, 0, rule, /*hasElements=*/false);
}

//===----------------------------------------------------------------------===//
// Maps on other maps
//===----------------------------------------------------------------------===//

/// Checks a map whose parameters are all those of its base.
static LogicalResult verifyOnBase(
    EmitError emitError, ThreadMapAttrInterface base, CoverageRule rule,
    function_ref<Result<PitchLinearMap>(const PitchLinearMap &)> apply) {
  Result<PitchLinearMap> baseMap = getPitchLinearMap(base);
  int64_t contiguous = 1 - base.getContiguousDim();
  return verifyMap(
      emitError, [&](int64_t, int64_t) { return apply(*baseMap); }, contiguous,
      base.getThreads(), 0, rule, /*hasElements=*/false);
}

LogicalResult TransposedSimtMapAttr::verify(EmitError emitError,
                                            ThreadMapAttrInterface base,
                                            CoverageRule rule) {
  if (!isa<StripMinedMapAttr>(base))
    return emitError() << "expected a base #tile.strip_mined<…>, but got "
                       << base;
  return verifyOnBase(emitError, base, rule, transposeSimt);
}

LogicalResult TransposedThreadTileMapAttr::verify(EmitError emitError,
                                                  ThreadMapAttrInterface base,
                                                  CoverageRule rule) {
  if (!isa<ThreadTileMapAttr>(base))
    return emitError() << "expected a base #tile.thread_tile<…>, but got "
                       << base;
  return verifyOnBase(emitError, base, rule, transposeThreadTile);
}

LogicalResult TransposedMapAttr::verify(EmitError emitError,
                                        ThreadMapAttrInterface base,
                                        ArrayRef<int64_t> warp,
                                        CoverageRule rule) {
  if (!isa<WarpRakedMapAttr>(base))
    return emitError() << "expected a base #tile.warp_raked<…>, but got "
                       << base;
  if (failed(verifyPair(emitError, "warp", warp)))
    return failure();
  return verifyOnBase(emitError, base, rule, [&](const PitchLinearMap &base) {
    return transposeWarps(base, {warp[0], warp[1]});
  });
}

//===----------------------------------------------------------------------===//
// Output tiles
//===----------------------------------------------------------------------===//

static FailureOr<OutputAxes> verifyAxes(EmitError emitError, StringRef name,
                                        ArrayRef<int64_t> list) {
  if (std::optional<OutputAxes> axes = OutputAxes::get(list))
    return *axes;
  InFlightDiagnostic error = emitError();
  error << "expected five numbers from 1 on in " << name
        << ", (column, row, group, cluster, tile), but got [";
  llvm::interleaveComma(list, error);
  return error << ']';
}

static LogicalResult verifyOutput(EmitError emitError,
                                  const Result<OutputTileMap> &map,
                                  CoverageRule rule,
                                  function_ref<std::string()> suggest) {
  if (!map) {
    InFlightDiagnostic error = emitError();
    error << map.getReason();
    std::string suggestion = suggest();
    if (!suggestion.empty())
      error.attachNote() << suggestion;
    return error;
  }
  SmallVector<int64_t, 2> tile = map->getTileShape();
  if (failed(verifyTile(emitError, tile)))
    return failure();
  return verifyPattern(emitError, getPattern(*map), tile, rule,
                       /*mayShare=*/false, suggest);
}

LogicalResult OutputTileMapAttr::verify(EmitError emitError,
                                        ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> count,
                                        int64_t threads, int64_t elements,
                                        int64_t bits, CoverageRule rule) {
  FailureOr<OutputAxes> axes = verifyAxes(emitError, "shape", shape);
  if (failed(axes))
    return failure();
  FailureOr<OutputAxes> steps = verifyAxes(emitError, "count", count);
  if (failed(steps) || failed(verifyThreads(emitError, threads)))
    return failure();
  // Bound before the rows are multiplied.
  int64_t total = 1;
  for (int64_t number :
       {axes->column, axes->row, axes->group, axes->cluster, steps->column,
        steps->row, steps->group, steps->cluster})
    if ((total *= number) > kMaxTileElements)
      return emitError() << "expected at most " << kMaxTileElements
                         << " elements in shape × count, but got at least "
                         << total;
  auto suggest = [&]() -> std::string {
    for (int64_t n = 32; n <= kMaxThreads; n += 32) {
      Result<OutputTileMap> map =
          makeOutputTile(*axes, *steps, n, elements, bits);
      if (!map)
        continue;
      Coverage coverage =
          tile::getCoverage(getPattern(*map), map->getTileShape());
      if (coverage.uniform && coverage.multiplicity == 1)
        return ("threads = " + Twine(n) + " covers the tile exactly").str();
    }
    return "";
  };
  return verifyOutput(emitError,
                      makeOutputTile(*axes, *steps, threads, elements, bits),
                      rule, suggest);
}

LogicalResult OutputTileOnMapAttr::verify(
    EmitError emitError, ThreadMapAttrInterface base, ArrayRef<int64_t> shape,
    ArrayRef<int64_t> iterations, ArrayRef<int64_t> delta,
    ArrayRef<int64_t> count, CoverageRule rule) {
  Result<PitchLinearMap> baseMap = getPitchLinearMap(base);
  if (!baseMap)
    return emitError() << "expected a pitch-linear base such as "
                          "#tile.strip_mined<…>, but got "
                       << base;
  OutputAxes axes[4];
  int64_t total = 1;
  for (auto [into, name, list] :
       {std::tuple(&axes[0], "shape", shape),
        std::tuple(&axes[1], "iterations", iterations),
        std::tuple(&axes[2], "delta", delta),
        std::tuple(&axes[3], "count", count)}) {
    FailureOr<OutputAxes> parsed = verifyAxes(emitError, name, list);
    if (failed(parsed))
      return failure();
    *into = *parsed;
  }
  for (const OutputAxes *part : {&axes[0], &axes[3]})
    for (int64_t number : {part->column, part->row, part->group, part->cluster})
      if ((total *= number) > kMaxTileElements)
        return emitError() << "expected at most " << kMaxTileElements
                           << " elements in shape × count, but got at least "
                           << total;
  return verifyOutput(
      emitError, makeOutputTileOn(*baseMap, axes[0], axes[1], axes[2], axes[3]),
      rule, [] { return std::string(); });
}

LogicalResult
InterleavedOutputMapAttr::verify(EmitError emitError, ArrayRef<int64_t> warps,
                                 ArrayRef<int64_t> iterations, int64_t threads,
                                 int64_t elements, CoverageRule rule) {
  if (failed(verifyPair(emitError, "warps", warps)) ||
      failed(verifyPair(emitError, "iterations", iterations)) ||
      failed(verifyThreads(emitError, threads)))
    return failure();
  return verifyMap(
      emitError,
      [&](int64_t threads, int64_t elements) {
        return makeInterleavedOutput({warps[0], warps[1]},
                                     {iterations[0], iterations[1]}, threads,
                                     elements);
      },
      1, threads, elements, rule);
}

LogicalResult InterleavedConvOutputMapAttr::verify(
    EmitError emitError, ArrayRef<int64_t> warps, ArrayRef<int64_t> iterations,
    int64_t threads, int64_t elements, CoverageRule rule) {
  if (failed(verifyPair(emitError, "warps", warps)) ||
      failed(verifyPair(emitError, "iterations", iterations)) ||
      failed(verifyThreads(emitError, threads)))
    return failure();
  return verifyMap(
      emitError,
      [&](int64_t threads, int64_t elements) {
        return makeInterleavedConvOutput({warps[1], warps[0]},
                                         {iterations[1], iterations[0]},
                                         threads, elements);
      },
      1, threads, elements, rule);
}

//===----------------------------------------------------------------------===//
// TVMapAttr
//===----------------------------------------------------------------------===//

LogicalResult TVMapAttr::verify(EmitError emitError, ArrayRef<int64_t> tile,
                                Layout layout, CoverageRule rule) {
  if (failed(verifyTile(emitError, tile)))
    return failure();
  Result<AccessPattern> pattern = parseAccessPattern(layout);
  if (!pattern)
    return emitError() << pattern.getReason();
  return verifyPattern(emitError, *pattern, tile, rule, /*mayShare=*/true,
                       [] { return std::string(); });
}
