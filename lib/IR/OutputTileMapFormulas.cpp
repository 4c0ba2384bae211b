// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formulas of the maps of an epilogue's output tile.
#include "tile/IR/ThreadMapFormulas.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

static constexpr int64_t kLanes = 32;

/// Bytes of a row that one access of a warp should reach.
static constexpr int64_t kTargetRowBytes = 256;

template <typename... Args>
static Reason refuse(const char *format, Args &&...args) {
  return Reason(llvm::formatv(format, std::forward<Args>(args)...).str());
}

std::optional<OutputAxes> OutputAxes::get(ArrayRef<int64_t> list) {
  if (list.size() != 5 || !llvm::all_of(list, [](int64_t number) {
        return number >= 1 && number <= (int64_t(1) << 20);
      }))
    return std::nullopt;
  return OutputAxes{list[0], list[1], list[2], list[3], list[4]};
}

/// Rows from one group, and from one cluster, to the next of a step.
static int64_t getGroupRows(const OutputAxes &shape, const OutputAxes &count) {
  return shape.row * count.row;
}
static int64_t getClusterRows(const OutputAxes &shape,
                              const OutputAxes &count) {
  return getGroupRows(shape, count) * shape.group * count.group;
}

SmallVector<int64_t, 2> OutputTileMap::getTileShape() const {
  return {getClusterRows(shape, count) * shape.cluster * count.cluster *
              shape.tile,
          shape.column * count.column};
}

/// The accesses of one step.
static SmallVector<MapMode> getStepModes(const OutputTileMap &map) {
  return {{map.iterations.column, 1, map.delta.column},
          {map.iterations.row, 0, map.delta.row},
          {map.iterations.group, 0, map.delta.group},
          {map.iterations.cluster, 0, map.delta.cluster},
          {map.iterations.tile, 0, map.delta.tile}};
}

std::pair<int64_t, int64_t> OutputTileMap::getIterationOffset(int64_t i) const {
  AccessPattern step;
  step.iterations = getStepModes(*this);
  return step.getAccessOffset(i);
}

AccessPattern tile::getPattern(const OutputTileMap &map) {
  AccessPattern pattern;
  pattern.vector = map.elements;
  pattern.vectorDim = 1;
  pattern.threads = map.threadModes;
  pattern.iterations = getStepModes(map);
  // A step begins where the groups (clusters) of the one before end. The number
  // of steps along `tile` is that of all, and moves nothing.
  const OutputAxes &shape = map.shape, &count = map.count;
  pattern.iterations.append(
      {{count.column, 1, shape.column},
       {count.row, 0, shape.row},
       {count.group, 0, getGroupRows(shape, count) * shape.group},
       {count.cluster, 0, getClusterRows(shape, count) * shape.cluster}});
  return pattern;
}

/// How the warps share out clusters and groups, from the outside in.
static void shareWarps(OutputTileMap &map, int64_t warps) {
  const OutputAxes &shape = map.shape, &count = map.count;
  map.delta = OutputAxes();
  if (shape.cluster > warps) {
    map.iterations.cluster = shape.cluster / warps;
    map.delta.cluster =
        getClusterRows(shape, count) * shape.cluster / map.iterations.cluster;
    map.warpPartitions.cluster = warps;
    map.warpsForGroups = 1;
  } else {
    map.warpsForGroups = warps / shape.cluster;
    map.warpPartitions.cluster = map.warpsForGroups;
  }
  if (shape.group > map.warpsForGroups) {
    map.iterations.group = shape.group / map.warpsForGroups;
    map.delta.group =
        getGroupRows(shape, count) * shape.group / map.iterations.group;
    map.warpPartitions.group = 1;
    map.warpsForRows = 1;
  } else {
    map.warpsForRows = map.warpsForGroups / shape.group;
    map.warpPartitions.group = map.warpsForRows;
  }
}

/// How the lanes of a warp share out its rows; the reason if they cannot.
static std::optional<Reason> shareLanes(OutputTileMap &map, int64_t bits) {
  const OutputAxes &shape = map.shape;
  int64_t elements = map.elements;
  int64_t vectors = shape.column / elements;
  map.twoDimensional = shape.row > map.warpsForRows;
  if (!map.twoDimensional) {
    map.accessWidth = kLanes;
    map.accessRows = 1;
    map.iterations.row = 1;
    map.delta.row = 1;
    map.iterations.column = vectors / kLanes;
    map.delta.column = kLanes * elements;
    // All remaining warps lie along the columns; where a thread starts the
    // reference does not look at it.
    map.warpPartitions.column = map.warpsForRows;
    map.warpPartitions.row = 1;
    if (map.iterations.column == 0)
      return refuse("expected at least {0} columns, {1} lanes × {2} elements, "
                    "but got {3}",
                    kLanes * elements, kLanes, elements, shape.column);
    return std::nullopt;
  }
  int64_t rows = shape.row / map.warpsForRows;
  int64_t target = kTargetRowBytes * 8 / (elements * bits);
  if (elements * bits % 8 != 0 || target < 1 || target > kTargetRowBytes)
    return refuse("expected accesses of between 1 and {0} bytes, but got {1} "
                  "elements of {2} bits",
                  kTargetRowBytes, elements, bits);
  bool fewRows = kLanes / target > rows;
  map.accessWidth =
      fewRows ? kLanes / rows : std::min(vectors, std::min(kLanes, target));
  map.accessRows =
      fewRows
          ? rows
          : std::min(shape.row, kLanes / std::max<int64_t>(map.accessWidth, 1));
  if (map.accessWidth < 1 || map.accessWidth * elements > shape.column)
    return refuse("expected at least {0} columns, {1} accesses × {2} elements, "
                  "for {3} rows of a warp, but got {4}",
                  map.accessWidth * elements, map.accessWidth, elements, rows,
                  shape.column);
  map.iterations.row = rows / map.accessRows;
  map.iterations.column = vectors / map.accessWidth;
  map.delta.row = map.accessRows;
  map.delta.column = map.accessWidth * elements;
  map.warpPartitions.row = 1;
  map.warpPartitions.column = 1;
  if (map.iterations.row < 1)
    return refuse("expected at least {0} rows for each warp, those of one "
                  "access, but got {1} rows / {2} warps = {3}",
                  map.accessRows, shape.row, map.warpsForRows, rows);
  return std::nullopt;
}

/// Where thread t starts, by the reference's divisions.
static std::pair<int64_t, int64_t> getStart(const OutputTileMap &map,
                                            int64_t t) {
  const OutputAxes &parts = map.warpPartitions;
  int64_t lane = t % kLanes, warp = t / kLanes;
  int64_t cluster = warp / parts.cluster, rest = warp % parts.cluster;
  int64_t group = rest / parts.group;
  rest %= parts.group;
  // Both by the partitions of the rows.
  int64_t row = rest / parts.row, column = rest % parts.row;
  return {cluster * getClusterRows(map.shape, map.count) +
              group * getGroupRows(map.shape, map.count) +
              row * map.iterations.row * map.accessRows +
              lane / map.accessWidth,
          column * map.iterations.column * map.accessWidth * map.elements +
              lane % map.accessWidth * map.elements};
}

Result<OutputTileMap> tile::makeOutputTile(const OutputAxes &shape,
                                           const OutputAxes &count,
                                           int64_t threads, int64_t elements,
                                           int64_t bits) {
  if (threads % kLanes != 0)
    return refuse("expected threads to be a multiple of {0}, but got {1}",
                  kLanes, threads);
  if (elements < 1 || shape.column % elements != 0)
    return refuse("expected elements to divide the {0} columns, but got {1}",
                  shape.column, elements);
  if (bits < 1 || bits > 128)
    return refuse("expected between 1 and 128 bits, but got {0}", bits);
  if (shape.tile != 1)
    return refuse("expected one tile in shape, but got {0}", shape.tile);
  OutputTileMap map;
  map.shape = shape;
  map.count = count;
  map.threads = threads;
  map.elements = elements;
  int64_t warps = threads / kLanes;
  shareWarps(map, warps);
  if (std::optional<Reason> reason = shareLanes(map, bits))
    return *reason;
  const OutputAxes &parts = map.warpPartitions;
  if (kLanes % map.accessWidth == 0 && parts.group % parts.row == 0 &&
      parts.cluster % parts.group == 0 && warps % parts.cluster == 0) {
    map.threadModes = {
        {map.accessWidth, 1, elements},
        {kLanes / map.accessWidth, 0, 1},
        {parts.group / parts.row, 0, map.iterations.row * map.accessRows},
        {parts.cluster / parts.group, 0, getGroupRows(shape, count)},
        {warps / parts.cluster, 0, getClusterRows(shape, count)}};
    return map;
  }
  // Not a layout of the thread: say what the formula would touch.
  SmallVector<int64_t, 2> tile = map.getTileShape();
  if (tile[0] * tile[1] > (int64_t(1) << 20))
    return refuse("expected the {0} accesses of a row to divide the {1} lanes "
                  "of a warp",
                  map.accessWidth, kLanes);
  Coverage coverage = getCoverage(
      threads, [&](int64_t t) { return getStart(map, t); }, getPattern(map),
      tile);
  std::string balance = getBalance(threads, getPattern(map), tile);
  return refuse("expected the {0} accesses of a row to divide the {1} lanes of "
                "a warp, but {2}{3}{4}",
                map.accessWidth, kLanes,
                coverage.uniform ? "the warps are no layout" : coverage.reason,
                balance.empty() ? "" : ": ", balance);
}

/// The rows in which a step's strided coordinate ends up.
static int64_t getRow(const OutputAxes &shape, const OutputAxes &count,
                      int64_t strided) {
  int64_t cluster = strided / (shape.group * shape.row);
  int64_t rest = strided % (shape.group * shape.row);
  return rest % shape.row + rest / shape.row * getGroupRows(shape, count) +
         cluster * getClusterRows(shape, count);
}

/// The modes that a strided mode becomes when its steps are counted through
/// (row, group, cluster); none if it straddles them.
static std::optional<SmallVector<MapMode>>
splitMode(MapMode mode, const OutputAxes &shape, const OutputAxes &count) {
  SmallVector<MapMode> modes;
  std::pair<int64_t, int64_t> axes[] = {
      {shape.row, 1}, {shape.group, getGroupRows(shape, count)}};
  int64_t size = mode.size, stride = mode.stride;
  for (auto [extent, rows] : axes) {
    if (size == 1)
      break;
    if (stride % extent == 0) {
      stride /= extent;
      continue;
    }
    if (extent % stride != 0)
      return std::nullopt;
    int64_t steps = std::min(size, extent / stride);
    if (size % steps != 0)
      return std::nullopt;
    modes.push_back({steps, 0, stride * rows});
    size /= steps;
    stride = 1;
  }
  if (size > 1)
    modes.push_back({size, 0, stride * getClusterRows(shape, count)});
  if (modes.empty())
    modes.push_back({1, 0, 1});
  return modes;
}

Result<OutputTileMap> tile::makeOutputTileOn(const PitchLinearMap &base,
                                             const OutputAxes &shape,
                                             const OutputAxes &iterations,
                                             const OutputAxes &delta,
                                             const OutputAxes &count) {
  OutputTileMap map;
  map.shape = shape;
  map.count = count;
  map.iterations = iterations;
  map.delta = delta;
  map.elements = base.elements;
  AccessPattern starts;
  for (const MapMode &mode : base.threads) {
    starts.threads.push_back(mode);
    map.threads *= mode.size;
    if (mode.dim == 0) {
      map.threadModes.push_back({mode.size, 1, mode.stride});
      continue;
    }
    std::optional<SmallVector<MapMode>> split = splitMode(mode, shape, count);
    if (!split)
      return refuse("expected the base's {0} threads {1} rows apart to fill "
                    "whole groups of {2} rows",
                    mode.size, mode.stride, shape.row);
    llvm::append_range(map.threadModes, *split);
  }
  AccessPattern pattern = getPattern(map);
  for (int64_t t = 0; t < map.threads; ++t) {
    // In the base, dimension 0 is the contiguous one.
    auto [contiguous, strided] = starts.getThreadOffset(t);
    auto [row, column] = pattern.getThreadOffset(t);
    if (row != getRow(shape, count, strided) || column != contiguous)
      return refuse("expected the base's threads to fill whole groups of {0} "
                    "rows, but thread {1} starts at row {2}",
                    shape.row, t, strided);
  }
  return map;
}
