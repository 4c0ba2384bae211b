// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a convolution as matrices: which element of a tensor each is.
#include "tile/Layout/ConvCoordinates.h"

using namespace tile;

namespace {

/// A mode of the matrix, leaf by leaf, fastest first.
class Digits {
public:
  /// `extent` steps of `stride` along a mode of the tensor.
  void add(const Int &extent, const Int &stride, unsigned mode) {
    shape.push_back(extent);
    strides.push_back(IntTuple::basis(stride, {int64_t(mode)}));
  }
  llvm::SmallVector<IntTuple> shape, strides;
};

/// How an index along a dimension moves in the tensor: origin + index * step.
struct Step {
  Int origin, step;
};

} // namespace

IntTuple CoordinateMap::getDivide() const {
  if (divide.empty())
    return 1;
  return IntTuple::tuple(
      llvm::SmallVector<IntTuple>(divide.begin(), divide.end()));
}

static Result<CoordinateMap> finish(CoordinateMap map, const Digits &rows,
                                    const Digits &columns) {
  auto mode = [](llvm::ArrayRef<IntTuple> leaves) {
    return leaves.size() == 1 ? leaves.front() : IntTuple::tuple(leaves);
  };
  Result<Layout> coords =
      Layout::get(IntTuple::tuple({mode(rows.shape), mode(columns.shape)}),
                  IntTuple::tuple({mode(rows.strides), mode(columns.strides)}));
  if (!coords)
    return coords.takeReason();
  map.coords = *coords;
  return map;
}

/// The tensor (outer, spatial extents, inner), from the coordinate zero.
static CoordinateMap makeTensor(const ConvProblem &problem, const Int &outer,
                                Int ConvSpatial::*extent, const Int &inner) {
  CoordinateMap map;
  map.shape.push_back(outer);
  for (const ConvSpatial &dim : problem.spatial)
    map.shape.push_back(dim.*extent);
  map.shape.push_back(inner);
  map.origin.assign(map.shape.size(), 0);
  return map;
}

/// Adds one digit for each spatial dimension, the innermost first.
static void addSpatial(Digits &digits, CoordinateMap &map,
                       llvm::ArrayRef<Int> extents,
                       llvm::ArrayRef<Step> steps) {
  for (unsigned i = extents.size(); i-- > 0;) {
    digits.add(extents[i], steps[i].step, i + 1);
    map.origin[i + 1] = map.origin[i + 1] + steps[i].origin;
  }
}

static llvm::SmallVector<Int, 3> getExtents(const ConvProblem &problem,
                                            Int ConvSpatial::*extent) {
  llvm::SmallVector<Int, 3> extents;
  for (const ConvSpatial &dim : problem.spatial)
    extents.push_back(dim.*extent);
  return extents;
}

/// The places of the filter in units of `scale` per place; mirrored ones run
/// from the last place down.
static llvm::SmallVector<Step, 3> getPlaces(const ConvProblem &problem,
                                            int64_t sign) {
  llvm::SmallVector<Step, 3> steps;
  for (const ConvSpatial &dim : problem.spatial) {
    Int step = dim.dilation * Int(sign);
    if (problem.mirrored)
      steps.push_back({(dim.filter - Int(1)) * step, -step});
    else
      steps.push_back({0, step});
  }
  return steps;
}

/// Steps of one along each spatial dimension.
static llvm::SmallVector<Step, 3> getUnits(const ConvProblem &problem) {
  return llvm::SmallVector<Step, 3>(problem.spatial.size(), Step{0, 1});
}

/// The summed dimension: the channels of a block, the places of the filter, the
/// blocks.
static void addChannels(Digits &digits, CoordinateMap &map,
                        const ConvBlocks &blocks, const Int &channels,
                        unsigned mode, llvm::ArrayRef<Int> places,
                        llvm::ArrayRef<Step> steps) {
  Int block = blocks.channels ? Int(blocks.channels) : channels;
  digits.add(block, 1, mode);
  addSpatial(digits, map, places, steps);
  if (blocks.channels == 0)
    return;
  Int step = block * blocks.slices;
  digits.add(ceilDiv(channels, step), step, mode);
  map.origin[mode] = map.origin[mode] + block * blocks.first;
}

/// The pixels of the output in the activation, from the padding on.
static void addOutputPixels(Digits &digits, CoordinateMap &map,
                            const ConvProblem &problem) {
  llvm::SmallVector<Step, 3> steps;
  for (const ConvSpatial &dim : problem.spatial)
    steps.push_back({-dim.pad, dim.stride});
  addSpatial(digits, map, getExtents(problem, &ConvSpatial::output), steps);
  digits.add(problem.n, 1, 0);
}

/// Why groups cannot be walked, if so.
static std::optional<Reason> checkGroups(const ConvProblem &problem,
                                         const ConvBlocks &blocks) {
  if (problem.groups.isStatic(1))
    return std::nullopt;
  if (blocks.channels == 0)
    return Reason("expected blocks of channels for a convolution of groups, "
                  "but got all channels at once");
  for (const Int *channels : {&problem.c, &problem.k})
    if (!channels->isMultipleOf(problem.groups))
      return Reason("expected channels that are a multiple of the " +
                    problem.groups.str() + " groups, but got " +
                    channels->str());
  return std::nullopt;
}

Result<CoordinateMap> tile::getFpropActivation(const ConvProblem &problem,
                                               const ConvBlocks &blocks) {
  if (std::optional<Reason> reason = checkGroups(problem, blocks))
    return *reason;
  bool isGrouped = !problem.groups.isStatic(1);
  unsigned last = problem.spatial.size() + 1 + isGrouped;
  Int channels = floorDiv(problem.c, problem.groups);
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::input, channels);
  if (isGrouped) {
    map.shape.insert(map.shape.end() - 1, problem.groups);
    map.origin.push_back(0);
  }
  Digits rows, columns;
  addOutputPixels(rows, map, problem);
  addChannels(columns, map, blocks, channels, last,
              getExtents(problem, &ConvSpatial::filter), getPlaces(problem, 1));
  if (isGrouped)
    columns.add(problem.groups, 1, last - 1);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getFpropFilter(const ConvProblem &problem,
                                           const ConvBlocks &blocks) {
  if (std::optional<Reason> reason = checkGroups(problem, blocks))
    return *reason;
  Int channels = floorDiv(problem.c, problem.groups),
      results = floorDiv(problem.k, problem.groups);
  CoordinateMap map =
      makeTensor(problem, results, &ConvSpatial::filter, channels);
  Digits rows, columns;
  addChannels(rows, map, blocks, channels, problem.spatial.size() + 1,
              getExtents(problem, &ConvSpatial::filter), getUnits(problem));
  columns.add(results, 1, 0);
  if (problem.groups.isStatic(1))
    return finish(map, rows, columns);
  // The group comes in front of the other modes.
  for (Digits *digits : {&rows, &columns})
    for (IntTuple &stride : digits->strides)
      stride = IntTuple::basis(stride.getInt(), {stride.getPath()[0] + 1});
  map.shape.insert(map.shape.begin(), problem.groups);
  map.origin.insert(map.origin.begin(), 0);
  map.divide.assign(map.shape.size(), 1);
  map.divide.front() = problem.groups;
  rows.add(problem.groups, problem.groups + Int(1), 0);
  columns.add(problem.groups, -1, 0);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getDgradOutput(const ConvProblem &problem,
                                           const ConvBlocks &blocks) {
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::output, problem.k);
  // p * stride = h + pad - r * dilation.
  llvm::SmallVector<Step, 3> steps;
  bool divides = false;
  map.divide.push_back(1);
  for (const ConvSpatial &dim : problem.spatial) {
    steps.push_back({dim.pad, 1});
    map.divide.push_back(dim.stride);
    divides |= !dim.stride.isStatic(1);
  }
  map.divide.push_back(1);
  if (!divides)
    map.divide.clear();
  Digits rows, columns;
  addSpatial(rows, map, getExtents(problem, &ConvSpatial::input), steps);
  rows.add(problem.n, 1, 0);
  addChannels(columns, map, blocks, problem.k, problem.spatial.size() + 1,
              getExtents(problem, &ConvSpatial::filter),
              getPlaces(problem, -1));
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getDgradFilter(const ConvProblem &problem,
                                           const ConvBlocks &blocks) {
  CoordinateMap map =
      makeTensor(problem, problem.k, &ConvSpatial::filter, problem.c);
  Digits rows, columns;
  addChannels(rows, map, blocks, problem.k, 0,
              getExtents(problem, &ConvSpatial::filter), getUnits(problem));
  columns.add(problem.c, 1, problem.spatial.size() + 1);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getWgradOutput(const ConvProblem &problem) {
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::output, problem.k);
  Digits rows, columns;
  rows.add(problem.k, 1, problem.spatial.size() + 1);
  addSpatial(columns, map, getExtents(problem, &ConvSpatial::output),
             getUnits(problem));
  columns.add(problem.n, 1, 0);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getWgradActivation(const ConvProblem &problem) {
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::input, problem.c);
  Digits rows, columns;
  addOutputPixels(rows, map, problem);
  addChannels(columns, map, {}, problem.c, problem.spatial.size() + 1,
              getExtents(problem, &ConvSpatial::filter), getPlaces(problem, 1));
  return finish(map, rows, columns);
}

/// How much larger `number` is than another, or 0: what is divided must not be
/// negative where it is computed at run time.
static Int getExcess(const Int &number, const Int &other) {
  return max(number - other, 0);
}

DgradStart tile::getDgradStart(const ConvProblem &problem,
                               llvm::ArrayRef<Int> start) {
  DgradStart result;
  for (auto [dim, place] : llvm::zip_equal(problem.spatial, start)) {
    // The pixel h meets place r where h + pad - r is a multiple of the stride.
    Int met = problem.mirrored ? dim.filter - Int(1) - place : place;
    Int first = mod(getExcess(met, dim.pad), dim.stride) +
                ceilDiv(getExcess(dim.pad, met), dim.stride) * dim.stride -
                getExcess(dim.pad, met);
    result.start.push_back(place);
    result.first.push_back(first);
    result.pixels.push_back(ceilDiv(getExcess(dim.input, first), dim.stride));
    result.places.push_back(ceilDiv(getExcess(dim.filter, place), dim.stride));
  }
  return result;
}

Result<CoordinateMap> tile::getStridedDgradOutput(const ConvProblem &problem,
                                                  const ConvBlocks &blocks,
                                                  const DgradStart &start) {
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::output, problem.k);
  llvm::SmallVector<Step, 3> pixels, places;
  for (auto [i, dim] : llvm::enumerate(problem.spatial)) {
    Int met = problem.mirrored ? dim.filter - Int(1) - start.start[i]
                               : start.start[i];
    // That is first + pad - met, a multiple of the stride, divided by it.
    pixels.push_back({ceilDiv(getExcess(dim.pad, met), dim.stride) -
                          floorDiv(getExcess(met, dim.pad), dim.stride),
                      1});
    places.push_back({0, problem.mirrored ? 1 : -1});
  }
  Digits rows, columns;
  addSpatial(rows, map, start.pixels, pixels);
  rows.add(problem.n, 1, 0);
  addChannels(columns, map, blocks, problem.k, problem.spatial.size() + 1,
              start.places, places);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getStridedDgradFilter(const ConvProblem &problem,
                                                  const ConvBlocks &blocks,
                                                  const DgradStart &start) {
  CoordinateMap map =
      makeTensor(problem, problem.k, &ConvSpatial::filter, problem.c);
  llvm::SmallVector<Step, 3> places;
  for (auto [i, dim] : llvm::enumerate(problem.spatial))
    places.push_back({start.start[i], dim.stride});
  Digits rows, columns;
  addChannels(rows, map, blocks, problem.k, 0, start.places, places);
  columns.add(problem.c, 1, problem.spatial.size() + 1);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getStridedDgradResult(const ConvProblem &problem,
                                                  const DgradStart &start) {
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::input, problem.c);
  llvm::SmallVector<Step, 3> pixels;
  for (auto [i, dim] : llvm::enumerate(problem.spatial))
    pixels.push_back({start.first[i], dim.stride});
  Digits rows, columns;
  addSpatial(rows, map, start.pixels, pixels);
  rows.add(problem.n, 1, 0);
  columns.add(problem.c, 1, problem.spatial.size() + 1);
  return finish(map, rows, columns);
}

/// Why a tile of output pixels is none of the problem, if so.
static std::optional<Reason>
checkOutputTile(const ConvProblem &problem,
                llvm::ArrayRef<int64_t> outputTile) {
  if (outputTile.size() != problem.spatial.size())
    return Reason("expected one extent of the output tile for each of the " +
                  llvm::Twine(problem.spatial.size()) +
                  " spatial dimensions, but got " +
                  llvm::Twine(outputTile.size()));
  return std::nullopt;
}

Result<CoordinateMap>
tile::getDepthwiseWindow(const ConvProblem &problem,
                         llvm::ArrayRef<int64_t> outputTile) {
  if (std::optional<Reason> reason = checkOutputTile(problem, outputTile))
    return *reason;
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::input, problem.c);
  llvm::SmallVector<Int, 3> window, tiles;
  llvm::SmallVector<Step, 3> moves;
  for (auto [i, dim] : llvm::enumerate(problem.spatial)) {
    Int extent = outputTile[i];
    window.push_back((extent - Int(1)) * dim.stride +
                     (dim.filter - Int(1)) * dim.dilation + Int(1));
    tiles.push_back(ceilDiv(dim.output, extent));
    moves.push_back({-dim.pad, extent * dim.stride});
  }
  Digits rows, columns;
  addSpatial(rows, map, window, getUnits(problem));
  addSpatial(rows, map, tiles, moves);
  rows.add(problem.n, 1, 0);
  columns.add(problem.c, 1, problem.spatial.size() + 1);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getFpropOutput(const ConvProblem &problem) {
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::output, problem.k);
  Digits rows, columns;
  addSpatial(rows, map, getExtents(problem, &ConvSpatial::output),
             getUnits(problem));
  rows.add(problem.n, 1, 0);
  columns.add(problem.k, 1, problem.spatial.size() + 1);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getDgradActivation(const ConvProblem &problem) {
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::input, problem.c);
  Digits rows, columns;
  addSpatial(rows, map, getExtents(problem, &ConvSpatial::input),
             getUnits(problem));
  rows.add(problem.n, 1, 0);
  columns.add(problem.c, 1, problem.spatial.size() + 1);
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getWgradFilter(const ConvProblem &problem) {
  CoordinateMap map =
      makeTensor(problem, problem.k, &ConvSpatial::filter, problem.c);
  Digits rows, columns;
  rows.add(problem.k, 1, 0);
  addChannels(columns, map, {}, problem.c, problem.spatial.size() + 1,
              getExtents(problem, &ConvSpatial::filter), getUnits(problem));
  return finish(map, rows, columns);
}

Result<CoordinateMap> tile::getDepthwiseFilter(const ConvProblem &problem) {
  CoordinateMap map;
  Digits rows, columns;
  unsigned rank = problem.spatial.size();
  for (const ConvSpatial &dim : problem.spatial) {
    map.shape.push_back(dim.filter);
    map.origin.push_back(problem.mirrored ? dim.filter - Int(1) : Int(0));
  }
  map.shape.push_back(problem.k);
  map.origin.push_back(0);
  for (unsigned i = rank; i-- > 0;)
    rows.add(problem.spatial[i].filter, problem.mirrored ? -1 : 1, i);
  columns.add(problem.k, 1, rank);
  return finish(map, rows, columns);
}

Result<CoordinateMap>
tile::getDepthwiseOutput(const ConvProblem &problem,
                         llvm::ArrayRef<int64_t> outputTile) {
  if (std::optional<Reason> reason = checkOutputTile(problem, outputTile))
    return *reason;
  CoordinateMap map =
      makeTensor(problem, problem.n, &ConvSpatial::output, problem.k);
  llvm::SmallVector<Int, 3> pixels, tiles;
  llvm::SmallVector<Step, 3> moves;
  for (auto [i, dim] : llvm::enumerate(problem.spatial)) {
    pixels.push_back(outputTile[i]);
    tiles.push_back(ceilDiv(dim.output, outputTile[i]));
    moves.push_back({0, outputTile[i]});
  }
  Digits rows, columns;
  addSpatial(rows, map, pixels, getUnits(problem));
  addSpatial(rows, map, tiles, moves);
  rows.add(problem.n, 1, 0);
  columns.add(problem.k, 1, problem.spatial.size() + 1);
  return finish(map, rows, columns);
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

Int tile::getConvOutput(const ConvSpatial &spatial) {
  Int room = spatial.input + Int(2) * spatial.pad -
             spatial.dilation * (spatial.filter - Int(1)) - Int(1);
  return floorDiv(max(room + spatial.stride, 0), spatial.stride);
}

std::optional<Reason> tile::checkConvProblem(const ConvProblem &problem) {
  auto isBelow = [](const Int &number, int64_t least) {
    return number.isStatic() && number.getValue() < least;
  };
  auto refuse = [](const llvm::Twine &name, int64_t least, const Int &number) {
    return Reason("expected " + name + " of at least " + llvm::Twine(least) +
                  ", but got " + number.str());
  };
  for (const auto &[name, number] :
       {std::pair("n", problem.n), std::pair("c", problem.c),
        std::pair("k", problem.k), std::pair("groups", problem.groups)})
    if (isBelow(number, 1))
      return refuse(name, 1, number);
  for (auto [i, dim] : llvm::enumerate(problem.spatial)) {
    std::string along = " along spatial dimension " + std::to_string(i);
    if (isBelow(dim.input, 1))
      return refuse("an input" + along, 1, dim.input);
    if (isBelow(dim.filter, 1))
      return refuse("a filter" + along, 1, dim.filter);
    if (isBelow(dim.pad, 0))
      return refuse("padding" + along, 0, dim.pad);
    if (isBelow(dim.stride, 1))
      return refuse("a stride" + along, 1, dim.stride);
    if (isBelow(dim.dilation, 1))
      return refuse("a dilation" + along, 1, dim.dilation);
    Int padded = dim.input + Int(2) * dim.pad,
        reach = dim.dilation * (dim.filter - Int(1)) + Int(1);
    for (const Int &number : {padded, reach})
      if (number.isInvalid())
        return Reason(number.getInvalidReason());
    if (padded.isStatic() && isBelow(padded - reach, 0))
      return Reason("expected a filter within the " + padded.str() +
                    " elements of the padded input" + along +
                    ", but got one that reaches over " + reach.str());
    if (isBelow(dim.output, 1))
      return refuse("an output" + along, 1, dim.output);
  }
  return std::nullopt;
}
