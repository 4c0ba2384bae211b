// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of convolution iterators against the lowered IR.
#include "../IR/GoldenLines.h"
#include "MappedGolden.h"
#include "tile/Layout/ConvCoordinates.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

namespace {

using Numbers = std::vector<int64_t>;

/// A convolution in plain numbers; spatial dimensions outermost first.
struct Conv {
  int64_t n, c, k, groups = 1, slices = 1;
  Numbers input, output, filter, pad, stride, dilation;
  bool mirrored = false;

  explicit Conv(const Object &problem) {
    auto get = [&](const char *key) {
      return problem.getInteger(key).value_or(1);
    };
    n = get("N");
    c = get("C");
    k = get("K");
    groups = get("groups");
    slices = get("split_k_slices");
    bool is3d = problem.get("D");
    auto extents = [&](const char *d, const char *h, const char *w) {
      Numbers numbers{get(h), get(w)};
      if (is3d)
        numbers.insert(numbers.begin(), get(d));
      return numbers;
    };
    input = extents("D", "H", "W");
    output = extents("Z", "P", "Q");
    filter = extents("T", "R", "S");
    pad = getNumbers(problem, "pad");
    stride = getNumbers(problem, "stride");
    dilation = getNumbers(problem, "dilation");
    mirrored = problem.getString("mode") == StringRef("convolution");
  }

  size_t rank() const { return input.size(); }
  ConvProblem get() const {
    ConvProblem problem{n, c, k, {}, mirrored, 1};
    for (size_t i = 0; i < rank(); ++i)
      problem.spatial.push_back(
          {input[i], output[i], filter[i], pad[i], stride[i], dilation[i]});
    return problem;
  }
};

/// The digits of an index, the last extent fastest; what is left goes to
/// `index`.
Numbers unravel(int64_t &index, const Numbers &extents) {
  Numbers digits(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    digits[i] = index % extents[i];
    index /= extents[i];
  }
  return digits;
}

/// The offset of a coordinate in a packed tensor, if it is inside.
std::optional<int64_t> getOffset(const Numbers &coordinate,
                                 const Numbers &extents) {
  int64_t offset = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (coordinate[i] < 0 || coordinate[i] >= extents[i])
      return std::nullopt;
    offset = offset * extents[i] + coordinate[i];
  }
  return offset;
}

Numbers concat(int64_t first, const Numbers &middle, int64_t last) {
  Numbers all{first};
  all.insert(all.end(), middle.begin(), middle.end());
  all.push_back(last);
  return all;
}

/// An index along the summed dimension: a place of the filter and a channel.
struct Summed {
  Numbers place;
  int64_t channel = 0, group = 0;
};

/// How the summed dimension is walked: blocks of channels (0: all), so many
/// slices, from a first channel on; places of the filter.
struct SummedWalk {
  int64_t block = 0, slices = 1, first = 0, channels = 1, groups = 1;
  Numbers places;

  std::optional<Summed> get(int64_t index) const {
    int64_t block = this->block ? this->block : channels;
    Summed summed;
    summed.channel = first + index % block;
    index /= block;
    summed.place = unravel(index, places);
    if (this->block == 0 && index > 0)
      return std::nullopt;
    if (groups > 1) {
      int64_t blocks = (channels + block - 1) / block;
      summed.group = index / blocks;
      index %= blocks;
    }
    summed.channel += index * block * slices;
    if (summed.channel >= channels || summed.group >= groups)
      return std::nullopt;
    return summed;
  }
};

std::string join(llvm::ArrayRef<Int> numbers) {
  std::string text;
  for (const Int &number : numbers)
    text += (text.empty() ? "" : ", ") + number.str();
  return "(" + text + ")";
}

/// What is in the text of a recipe beside the problem.
struct RecipeClauses {
  ConvBlocks blocks = {};
  llvm::SmallVector<Int, 3> start = {}, tile = {};
};

/// The recipe of one tensor of a problem.
std::string writeRecipe(StringRef tensor, const ConvProblem &problem,
                        const RecipeClauses &clauses) {
  llvm::SmallVector<Int> input{problem.n}, filter{problem.k}, output, pad,
      stride, dilation;
  for (const ConvSpatial &dim : problem.spatial) {
    input.push_back(dim.input);
    filter.push_back(dim.filter);
    output.push_back(dim.output);
    pad.push_back(dim.pad);
    stride.push_back(dim.stride);
    dilation.push_back(dim.dilation);
  }
  input.push_back(problem.c);
  std::string text =
      ("#tile.conv<" + tensor + ", input = " + join(input) + ", filter = " +
       join(filter) + ", output = " + join(output) + ", pad = " + join(pad) +
       ", stride = " + join(stride) + ", dilation = " + join(dilation))
          .str();
  const ConvBlocks &blocks = clauses.blocks;
  if (blocks.channels)
    text += ", block = " + std::to_string(blocks.channels) +
            ", slices = " + blocks.slices.str();
  if (!problem.groups.isStatic(1))
    text += ", groups = " + problem.groups.str();
  if (!clauses.start.empty())
    text += ", start = " + join(clauses.start);
  if (!clauses.tile.empty())
    text += ", tile = " + join(clauses.tile);
  return text + (problem.mirrored ? ", mirrored>" : ">");
}

/// Recipes that were compared.
unsigned numRecipes = 0;

/// Checks that a recipe in text is the map that C++ makes.
void checkRecipe(const Result<CoordinateMap> &map, const std::string &text) {
  static MLIRContext context;
  context.loadDialect<TileDialect>();
  auto recipe = dyn_cast_or_null<CoordinateMapAttrInterface>(
      parseAttribute(text, &context));
  ASSERT_TRUE(recipe) << text;
  Result<CoordinateMap> evaluated = recipe.getCoordinateMap(false);
  ASSERT_TRUE(evaluated) << text;
  ASSERT_TRUE(map) << text;
  EXPECT_EQ(evaluated->coords.str(), map->coords.str()) << text;
  EXPECT_EQ(join(evaluated->shape), join(map->shape)) << text;
  EXPECT_EQ(join(evaluated->origin), join(map->origin)) << text;
  EXPECT_EQ(join(evaluated->divide), join(map->divide)) << text;
  ++numRecipes;
}

/// Puts a map and the packed tensor that it goes to in a walk; `recipe` says
/// the same in text.
void setMap(MappedGolden &golden, const Result<CoordinateMap> &map,
            const std::string &recipe) {
  checkRecipe(map, recipe);
  if (!map) {
    golden.unsupported = map.getReason();
    return;
  }
  MappedWalk &walk = golden.walk;
  for (const Int &extent : map->shape)
    walk.shape.push_back(extent.getValue());
  int64_t stride = 1;
  for (size_t i = walk.shape.size(); i-- > 0; stride *= walk.shape[i])
    walk.stride.insert(walk.stride.begin(), stride);
  for (const Int &number : map->origin)
    walk.origin.push_back(number.getValue());
  for (const Int &number : map->divide)
    walk.divide.push_back(number.getValue());
  for (unsigned dim : {0u, 1u})
    for (const LeafMode &mode : map->coords[dim].getLeafModes())
      (dim == 0 ? walk.rows : walk.columns)
          .push_back({mode.extent.getValue(), mode.stride.getInt().getValue(),
                      mode.stride.getPath()[0]});
}

/// The operand that a line is about.
struct Operand {
  StringRef name;
  bool isA, isFilter, isStrided, isAllChannels;
  bool isFprop, isDgrad;

  explicit Operand(const Object &line) : name(*line.getString("class")) {
    isFprop = name.contains("Fprop");
    isDgrad = name.contains("Dgrad");
    isFilter = name.contains("Filter");
    isStrided = name.contains("[strided]");
    isAllChannels =
        name.contains("FewChannels") || name.contains("FixedChannels");
    isA = isFprop || isDgrad ? !isFilter : name.contains("OutputGradient");
  }
};

/// What the reference calls the thread map's contiguous dimension.
int64_t getContiguous(const Operand &operand) {
  if (operand.isFprop)
    return operand.isFilter ? 0 : 1;
  return operand.isDgrad || !operand.isA ? 1 : 0;
}

/// The summed dimension of fprop and dgrad.
SummedWalk getSummed(const Operand &operand, const Conv &conv, int64_t channels,
                     int64_t block, int64_t first) {
  SummedWalk summed;
  summed.block = operand.isAllChannels ? 0 : block;
  summed.slices = conv.slices;
  summed.first = first;
  summed.channels = channels;
  summed.places = conv.filter;
  return summed;
}

/// The place of the filter that the walk's place stands for.
int64_t getPlace(const Conv &conv, size_t i, int64_t place) {
  return conv.mirrored ? conv.filter[i] - 1 - place : place;
}

void setFprop(const Object &line, const Operand &operand, const Conv &conv,
              MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  ConvProblem problem = conv.get();
  int64_t dim = walk.advance,
          tile = getNumbers(line, "tile_shape_row_col")[dim],
          first = walk.start[dim];
  // A filter has the channels of one group.
  std::vector<int64_t> extent = getNumbers(
      line, line.get("tensor_extent") ? "tensor_extent" : "tensor_extent_nhwc");
  int64_t channels = extent.back();
  StringRef mode = line.getString("group_mode").value_or("");
  bool isGrouped = mode == "kMultipleGroup";
  // A walk over one group has the channels of it and no others.
  if (mode == "kSingleGroup" && !operand.isFilter) {
    int64_t perGroup = conv.c / conv.groups;
    channels = (first / perGroup + 1) * perGroup;
  }
  problem.c = channels;
  if (isGrouped) {
    problem.groups = conv.groups;
    problem.c = conv.c;
    channels = conv.c / conv.groups;
  }
  SummedWalk summed = getSummed(operand, conv, channels, tile, first);
  summed.groups = isGrouped ? conv.groups : 1;
  ConvBlocks blocks{summed.block, conv.slices, 0};
  Result<CoordinateMap> map = operand.isFilter
                                  ? getFpropFilter(problem, blocks)
                                  : getFpropActivation(problem, blocks);
  setMap(golden, map,
         writeRecipe(operand.isFilter ? "fprop filter" : "fprop activation",
                     problem, {blocks}));
  // The tensor is packed with all of its channels.
  if (mode == "kSingleGroup" && !operand.isFilter) {
    int64_t stride = conv.c;
    for (size_t i = walk.shape.size() - 1; i-- > 0; stride *= walk.shape[i])
      walk.stride[i] = stride;
    if (walk.stride[walk.shape.size() - 2] != conv.c)
      golden.unsupported = "a stride that is not that of the tensor";
  }
  walk.origin.back() += first;
  walk.start[dim] = 0;
  if (!operand.isAllChannels)
    (dim == 0 ? walk.rows : walk.columns)[0].isConstant = true;
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    std::optional<Summed> at = summed.get(operand.isFilter ? row : column);
    if (!at)
      return std::nullopt;
    if (operand.isFilter) {
      if (isGrouped && column / (conv.k / conv.groups) != at->group)
        return std::nullopt;
      return getOffset(concat(column, at->place, at->channel),
                       concat(conv.k, conv.filter, channels));
    }
    Numbers pixel = unravel(row, conv.output);
    for (size_t i = 0; i < conv.rank(); ++i)
      pixel[i] = pixel[i] * conv.stride[i] - conv.pad[i] +
                 getPlace(conv, i, at->place[i]) * conv.dilation[i];
    int64_t all = isGrouped || !mode.empty() ? conv.c : channels;
    return getOffset(concat(row, pixel, at->group * channels + at->channel),
                     concat(conv.n, conv.input, all));
  };
}

void setDgrad(const Object &line, const Operand &operand, const Conv &conv,
              MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  ConvProblem problem = conv.get();
  int64_t dim = walk.advance,
          tile = getNumbers(line, "tile_shape_row_col")[dim],
          first = walk.start[dim];
  SummedWalk summed = getSummed(operand, conv, conv.k, tile, first);
  ConvBlocks blocks{summed.block, conv.slices, 0};
  Numbers start(conv.rank(), 0), step(conv.rank(), 1);
  Numbers pixels = conv.input, firstPixel(conv.rank(), 0);
  if (operand.isStrided) {
    start = {*line.getInteger("start_r"), *line.getInteger("start_s")};
    step = conv.stride;
    firstPixel = getNumbers(line, "start_hw");
    for (size_t i = 0; i < 2; ++i) {
      pixels[i] = (conv.input[i] - firstPixel[i] + step[i] - 1) / step[i];
      summed.places[i] = (conv.filter[i] - start[i] + step[i] - 1) / step[i];
    }
    DgradStart from = getDgradStart(problem, {Int(start[0]), Int(start[1])});
    setMap(golden,
           operand.isFilter ? getStridedDgradFilter(problem, blocks, from)
                            : getStridedDgradOutput(problem, blocks, from),
           writeRecipe(operand.isFilter ? "dgrad filter" : "dgrad output",
                       problem, {blocks, {Int(start[0]), Int(start[1])}}));
    if (!operand.isFilter)
      walk.start[0] %= *line.getInteger("tiled_rows_per_filter");
  } else {
    setMap(golden,
           operand.isFilter ? getDgradFilter(problem, blocks)
                            : getDgradOutput(problem, blocks),
           writeRecipe(operand.isFilter ? "dgrad filter" : "dgrad output",
                       problem, {blocks}));
  }
  (operand.isFilter ? walk.origin.front() : walk.origin.back()) += first;
  walk.start[dim] = 0;
  (dim == 0 ? walk.rows : walk.columns)[0].isConstant = true;
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    std::optional<Summed> at = summed.get(operand.isFilter ? row : column);
    if (!at)
      return std::nullopt;
    Numbers place = at->place;
    for (size_t i = 0; i < conv.rank(); ++i)
      place[i] = start[i] + place[i] * step[i];
    if (operand.isFilter)
      return getOffset(concat(at->channel, place, column),
                       concat(conv.k, conv.filter, conv.c));
    Numbers pixel = unravel(row, pixels);
    for (size_t i = 0; i < conv.rank(); ++i) {
      int64_t h = firstPixel[i] + pixel[i] * step[i];
      int64_t p =
          h + conv.pad[i] - getPlace(conv, i, place[i]) * conv.dilation[i];
      if (p % conv.stride[i] != 0)
        return std::nullopt;
      pixel[i] = p / conv.stride[i];
      if (p < 0)
        return std::nullopt;
    }
    return getOffset(concat(row, pixel, at->channel),
                     concat(conv.n, conv.output, conv.k));
  };
}

void setWgrad(const Operand &operand, const Conv &conv, MappedGolden &golden) {
  ConvProblem problem = conv.get();
  setMap(golden,
         operand.isA ? getWgradOutput(problem) : getWgradActivation(problem),
         writeRecipe(operand.isA ? "wgrad output" : "wgrad activation", problem,
                     {}));
  SummedWalk summed;
  summed.channels = conv.c;
  summed.places = conv.filter;
  golden.slices = conv.slices;
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    int64_t index = operand.isA ? column : row;
    Numbers pixel = unravel(index, conv.output);
    if (operand.isA)
      return getOffset(concat(index, pixel, row),
                       concat(conv.n, conv.output, conv.k));
    std::optional<Summed> at = summed.get(column);
    if (!at)
      return std::nullopt;
    for (size_t i = 0; i < conv.rank(); ++i)
      pixel[i] = pixel[i] * conv.stride[i] - conv.pad[i] +
                 getPlace(conv, i, at->place[i]) * conv.dilation[i];
    return getOffset(concat(index, pixel, at->channel),
                     concat(conv.n, conv.input, conv.c));
  };
}

/// A depthwise convolution loads the window under a tile of output pixels, and
/// the whole filter.
void setDepthwise(const Object &line, const Operand &operand, const Conv &conv,
                  MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  Numbers extent = getNumbers(line, "tensor_extent");
  if (operand.isFilter) {
    walk.shape = extent;
    walk.stride = {extent[1], 1};
    golden.define = [=](int64_t row, int64_t column) {
      return getOffset({row, column}, extent);
    };
    // The reference reads the rows of a true convolution backwards.
    if (conv.mirrored) {
      walk.rows = {{extent[0], -1, 0}};
      walk.columns = {{extent[1], 1, 1}};
      walk.origin = {extent[0] - 1, 0};
      golden.define = [=](int64_t row, int64_t column) {
        return getOffset({extent[0] - 1 - row, column}, extent);
      };
    }
    return;
  }
  Numbers block = getNumbers(line, "output_tile_hw"),
          window = getNumbers(line, "activation_tile_hw");
  setMap(golden, getDepthwiseWindow(conv.get(), block),
         writeRecipe("depthwise activation", conv.get(),
                     {{}, {}, {Int(block[0]), Int(block[1])}}));
  walk.rows[0].isConstant = walk.rows[1].isConstant = true;
  walk.advance = 0;
  int64_t pixels = window[0] * window[1];
  walk.start[0] *= pixels;
  Numbers tiles{(conv.output[0] + block[0] - 1) / block[0],
                (conv.output[1] + block[1] - 1) / block[1]};
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    int64_t tile = row / pixels, inWindow = row % pixels;
    Numbers pixel = unravel(inWindow, window), at = unravel(tile, tiles);
    for (size_t i = 0; i < 2; ++i)
      pixel[i] += at[i] * block[i] * conv.stride[i] - conv.pad[i];
    return getOffset(concat(tile, pixel, column),
                     concat(conv.n, conv.input, conv.c));
  };
}

std::string writeMap(const Object &line, const Operand &operand) {
  Object map = *line.getObject("thread_map");
  int64_t contiguous = getContiguous(operand);
  Numbers shape = getNumbers(map, "shape");
  if (operand.name.starts_with("Depthwise")) {
    contiguous = 1;
    // Vectors of the window follow one another, whatever the map says.
    if (!operand.isFilter) {
      Numbers window = getNumbers(line, "activation_tile_hw");
      shape[1] = window[0] * window[1];
      map["shape"] = Array(shape);
    }
  }
  int64_t threads = *map.getInteger("threads"),
          elements = *map.getInteger("elements_per_access"),
          perRow = shape[0] / elements;
  bool isPadded =
      map.getString("class") == StringRef("PitchLinearStripminedThreadMap") &&
      threads >= perRow && shape[1] % (threads / perRow) != 0;
  return writeThreadMap(map, contiguous, isPadded ? ", coverage = padded" : "");
}

MappedGolden read(const Object &line) {
  MappedGolden golden;
  MappedWalk &walk = golden.walk;
  Operand operand(line);
  if (operand.name == "strided_dgrad_geometry") {
    golden.isElsewhere = true; // StridedDgradGeometry below
    return golden;
  }
  Conv conv(*line.getObject("problem"));
  walk.map = writeMap(line, operand);
  walk.elementType = "i16";
  walk.advance = operand.isA ? 1 : 0;
  Numbers start = getNumbers(line, "threadblock_offset_row_col");
  walk.start = {start[0], start[1]};
  if (operand.name.starts_with("Depthwise"))
    setDepthwise(line, operand, conv, golden);
  else if (operand.isFprop)
    setFprop(line, operand, conv, golden);
  else if (operand.isDgrad)
    setDgrad(line, operand, conv, golden);
  else
    setWgrad(operand, conv, golden);
  return golden;
}

/// Why an element that the reference accesses differs from the definition, or
/// "".
std::string explain(const Object &line, const MappedDifference &difference) {
  const auto &[theirs, ours, theirFirst, ourFirst, isFirst, place] = difference;
  Operand operand(line);
  bool isMissing = theirs.valid && !ours.valid;
  bool isWgradActivation = !operand.isFprop && !operand.isDgrad && !operand.isA;
  if (isMissing && place &&
      (isWgradActivation || (operand.isAllChannels && operand.isA))) {
    Conv conv(*line.getObject("problem"));
    int64_t columns = conv.c;
    for (int64_t extent : conv.filter)
      columns *= extent;
    if ((*place)[1] >= columns)
      return "columns behind the last place of the filter are loaded";
  }
  StringRef mode = line.getString("group_mode").value_or("");
  if (isMissing && (mode == "kSingleGroup" || mode == "kMultipleGroup") &&
      !operand.isFilter)
    return "channels of the next group are loaded";
  if (isMissing && mode == "kDepthwise")
    return "behind the last place of the filter the walk starts again";
  // The tile has as many rows as the window.
  if (isMissing && operand.name.starts_with("DepthwiseFpropActivation") &&
      !place)
    return "rows behind the window are loaded";
  if (!isFirst && theirs.valid && !ours.valid && ourFirst.valid)
    return "only the first element of a vector is guarded";
  return "";
}

TEST(ConvGolden, Walks) {
  numRecipes = 0;
  compareMappedGolden("conv_iterator_walks", "TILE_GOLDEN_CONV_WALKS", read,
                      explain, /*skipped=*/0);
  llvm::outs() << "recipes in text: " << numRecipes << "\n";
  EXPECT_GT(numRecipes, 0u);
}

TEST(ConvGolden, MoreWalks) {
  numRecipes = 0;
  compareMappedGolden("conv_iterator_walks_more", "TILE_GOLDEN_CONV_WALKS_MORE",
                      read, explain, /*skipped=*/0);
  llvm::outs() << "recipes in text: " << numRecipes << "\n";
  EXPECT_GT(numRecipes, 0u);
}

TEST(ConvGolden, StridedDgradGeometry) {
  unsigned lines = 0;
  for (const Object &line :
       readGolden("conv_iterator_walks_more.jsonl", nullptr)) {
    if (line.getString("class") != StringRef("strided_dgrad_geometry"))
      continue;
    ++lines;
    Conv conv(*line.getObject("problem"));
    int64_t rows = conv.n, block = getNumbers(line, "threadblock_mn")[0];
    for (size_t i = 0; i < 2; ++i)
      rows *= (conv.input[i] + conv.stride[i] - 1) / conv.stride[i];
    EXPECT_EQ((rows + block - 1) / block,
              *line.getInteger("tile_m_per_filter"));
    for (const llvm::json::Value &value : *line.getArray("positions")) {
      const Object &position = *value.getAsObject();
      Numbers start = getNumbers(position, "start_rs");
      bool inFilter = start[0] < conv.filter[0] && start[1] < conv.filter[1];
      EXPECT_EQ(inFilter, *position.getBoolean("in_filter"));
      if (!inFilter)
        continue;
      DgradStart from =
          getDgradStart(conv.get(), {Int(start[0]), Int(start[1])});
      EXPECT_EQ((Numbers{from.first[0].getValue(), from.first[1].getValue()}),
                getNumbers(position, "start_hw"));
      EXPECT_EQ(from.places[0].getValue() * from.places[1].getValue(),
                *position.getInteger("filter_positions"));
    }
  }
  llvm::outs() << "golden strided_dgrad_geometry: " << lines << " lines\n";
  EXPECT_EQ(lines, 11u);
}

} // namespace
