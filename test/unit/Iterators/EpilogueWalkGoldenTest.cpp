// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of an epilogue's output iterators against the lowered IR.
#include "../IR/GoldenLines.h"
#include "MappedGolden.h"
#include "tile/Layout/TensorPermutes.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Array;
using llvm::json::Object;

namespace {

std::string writeMap(const Object &line) {
  if (const Object *map = line.getObject("thread_map")) {
    std::vector<int64_t> shape = getNumbers(*map, "shape"),
                         iterations = getNumbers(line, "iterations"),
                         delta = getNumbers(line, "delta");
    bool isPadded = iterations[1] * delta[1] > shape[1];
    return writeThreadMap(*map, 1, isPadded ? ", coverage = padded" : "");
  }
  std::string threads = ", threads = " + writeNumber(line, "thread_count"),
              elements =
                  ", elements = " + writeNumber(line, "elements_per_access");
  if (line.get("interleave")) {
    const Object &origin = *line.getObject("origin");
    std::vector<int64_t> block = getNumbers(origin, "threadblock"),
                         warp = getNumbers(origin, "warp");
    bool isConv = line.get("iterations_row_col");
    return std::string("#tile.") +
           (isConv ? "interleaved_conv_output" : "interleaved_output") +
           "<warps = " + format({block[0] / warp[0], block[1] / warp[1]}) +
           ", iterations = " +
           writeList(line, isConv ? "iterations_row_col" : "iterations") +
           threads + elements + ">";
  }
  return "#tile.output_tile<shape = " + writeList(line, "shape") +
         ", count = " + writeList(line, "count") + threads + elements +
         ", bits = " + writeNumber(line, "element_bits") + ">";
}

/// A matrix with the given rows and columns.
void setPlain(MappedGolden &golden, int64_t rows, int64_t columns, int64_t ld) {
  golden.walk.shape = {rows, columns};
  golden.walk.stride = {ld, 1};
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    if (row >= rows || column >= columns)
      return std::nullopt;
    return row * ld + column;
  };
}

/// A view with one mode for each leaf of a layout of the matrix; more modes of
/// the layout stay at a coordinate.
void setLayout(MappedGolden &golden, const Layout &layout,
               const std::vector<int64_t> &rest) {
  MappedWalk &walk = golden.walk;
  auto number = [](const IntTuple &leaf) { return leaf.getInt().getValue(); };
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    for (const LeafMode &mode : layout[dim].getLeafModes()) {
      MappedLeaf leaf{mode.extent.getValue(), 1, int64_t(walk.shape.size())};
      if (dim < 2)
        (dim == 0 ? walk.rows : walk.columns).push_back(leaf);
      walk.origin.push_back(dim < 2 ? 0 : rest[walk.shape.size() - 2]);
      walk.shape.push_back(leaf.extent);
      walk.stride.push_back(number(mode.stride));
    }
}

void setPermute(const Object &line, MappedGolden &golden) {
  std::vector<int64_t> extent = getNumbers(line, "extent");
  int64_t m = extent[0], n = extent[1], f[3] = {1, 1, 1};
  llvm::StringRef name = *line.getString("permute");
  auto [kind, factors] = name.split('<');
  for (int64_t &factor : f) {
    factors.consumeInteger(10, factor);
    factors.consume_front(",");
  }
  int64_t z = line.getInteger("block_idx_z").value_or(0);
  if (kind == "Tensor4DPermute0213RowMajor") {
    setLayout(golden, *permute0213RowMajor(m, n, f[0], f[1]), {});
    golden.define = [=](int64_t i, int64_t j) -> std::optional<int64_t> {
      if (i >= m || j >= n)
        return std::nullopt;
      int64_t q = n / f[1];
      return ((i / f[0] * f[1] + j / q) * f[0] + i % f[0]) * q + j % q;
    };
  } else if (kind == "Tensor5DPermute20314RowMajor") {
    setLayout(golden, *permute20314RowMajor(m, n, f[0], f[1], f[2]), {});
    golden.define = [=](int64_t i, int64_t j) -> std::optional<int64_t> {
      if (i >= m || j >= n)
        return std::nullopt;
      int64_t s = m / f[0], d = n / (f[1] * f[2]);
      return (((j / (f[2] * d) * s + i / f[0]) * f[2] + j / d % f[2]) * f[0] +
              i % f[0]) *
                 d +
             j % d;
    };
  } else {
    setLayout(golden, *permuteBatch0213RowMajor(m, n, 2 * f[0], f[0]),
              {z % f[0], z / f[0]});
    golden.define = [=](int64_t i, int64_t j) -> std::optional<int64_t> {
      if (i >= m || j >= n)
        return std::nullopt;
      return ((z / f[0] * m + i) * f[0] + z % f[0]) * n + j;
    };
  }
}

/// Rows and columns are each split over half of the modes.
void setAffine(const Object &line, MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  walk.shape = getNumbers(line, "mode_extents");
  walk.stride = getNumbers(line, "mode_strides");
  int64_t half = walk.shape.size() / 2;
  for (int64_t mode = 0; mode < 2 * half; ++mode)
    (mode < half ? walk.rows : walk.columns)
        .push_back({walk.shape[mode], 1, mode});
  std::vector<int64_t> extent = getNumbers(line, "extent"), shape = walk.shape,
                       stride = walk.stride;
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    if (row >= extent[0] || column >= extent[1])
      return std::nullopt;
    int64_t offset = 0, index[2] = {row, column};
    for (int64_t mode = 0; mode < 2 * half; ++mode) {
      int64_t &rest = index[mode / half];
      offset += rest % shape[mode] * stride[mode];
      rest /= shape[mode];
    }
    return offset;
  };
}

/// Rows are the pixels of a tensor, images last.
void setConv(const Object &line, MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  walk.shape = getNumbers(line, "tensor_extent");
  std::vector<int64_t> stride = getNumbers(line, "tensor_stride");
  int64_t pixels = walk.shape.size() - 1;
  for (int64_t mode = 0; mode < pixels; ++mode) {
    walk.stride.push_back(stride[pixels - 1 - mode]);
    walk.rows.push_back({walk.shape[pixels - 1 - mode], 1, pixels - 1 - mode});
  }
  walk.stride.push_back(1);
  walk.columns = {{walk.shape[pixels], 1, pixels}};
  std::vector<int64_t> shape = walk.shape;
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    int64_t offset = column;
    if (column >= shape[pixels])
      return std::nullopt;
    for (int64_t mode = 0; mode < pixels; ++mode) {
      int64_t extent = shape[pixels - 1 - mode];
      offset += row % extent * stride[mode];
      row /= extent;
    }
    return row ? std::nullopt : std::optional(offset);
  };
}

/// Rows are every so-many-th pixel, from a first one on.
void setStridedDgrad(const Object &line, MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  const Object &problem = *line.getObject("problem");
  auto get = [&](const char *key) { return *problem.getInteger(key); };
  int64_t n = get("N"), h = get("H"), w = get("W"), c = get("C"),
          ld = *line.getInteger("ld");
  std::vector<int64_t> step = getNumbers(problem, "stride"),
                       start = getNumbers(line, "start_hw"),
                       pq = getNumbers(line, "effective_pq");
  walk.shape = {n, h, w, c};
  walk.stride = {h * w * ld, w * ld, ld, 1};
  walk.rows = {{pq[1], step[1], 2}, {pq[0], step[0], 1}, {n, 1, 0}};
  walk.columns = {{c, 1, 3}};
  walk.origin = {0, start[0], start[1], 0};
  // Each start of the filter has a number of rows of its own.
  walk.start[0] %= *line.getInteger("tiled_rows_per_filter");
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    int64_t q = row % pq[1], p = row / pq[1] % pq[0],
            image = row / pq[1] / pq[0];
    if (image >= n || column >= c)
      return std::nullopt;
    return (image * h * w + (start[0] + p * step[0]) * w + start[1] +
            q * step[1]) *
               ld +
           column;
  };
}

/// A tile is a rectangle of pixels; tiles follow one another along q, p, n.
void setDirectConv(const Object &line, MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  const Object &problem = *line.getObject("problem");
  auto get = [&](const char *key) { return *problem.getInteger(key); };
  int64_t n = get("N"), p = get("P"), q = get("Q"), k = get("K"),
          ld = *line.getInteger("ld");
  std::vector<int64_t> block = getNumbers(line, "threadblock_output_hw");
  int64_t th = block[0], tw = block[1], tilesP = (p + th - 1) / th,
          tilesQ = (q + tw - 1) / tw;
  walk.shape = {n, p, q, k};
  walk.stride = {p * q * ld, q * ld, ld, 1};
  walk.rows = {{tw, 1, 2, true},
               {th, 1, 1, true},
               {tilesQ, tw, 2},
               {tilesP, th, 1},
               {n, 1, 0}};
  walk.columns = {{k, 1, 3}};
  walk.start = {*line.getInteger("tile_index") * th * tw,
                *line.getInteger("column_offset")};
  golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
    int64_t tile = row / (th * tw), pixel = row % (th * tw);
    int64_t image = tile / (tilesP * tilesQ),
            y = tile / tilesQ % tilesP * th + pixel / tw,
            x = tile % tilesQ * tw + pixel % tw;
    if (image >= n || y >= p || x >= q || column >= k)
      return std::nullopt;
    return ((image * p + y) * q + x) * ld + column;
  };
}

void setInterleaved(const Object &line, MappedGolden &golden) {
  MappedWalk &walk = golden.walk;
  int64_t k = *line.getInteger("interleave");
  std::vector<int64_t> start = getNumbers(line, "threadblock_offset_row_col");
  if (line.get("tensor_extent_nhwc")) {
    std::vector<int64_t> extent = getNumbers(line, "tensor_extent_nhwc");
    int64_t n = extent[0], pixels = extent[1] * extent[2], c = extent[3];
    walk.shape = {n, c / k, pixels, k};
    walk.stride = {c * pixels, pixels * k, k, 1};
    walk.rows = {{pixels, 1, 2}, {n, 1, 0}};
    walk.columns = {{k, 1, 3}, {c / k, 1, 1}};
    walk.start = {start[0], start[1]};
    golden.rowsFirst = true;
    golden.define = [=](int64_t row, int64_t column) -> std::optional<int64_t> {
      if (row >= n * pixels || column >= c)
        return std::nullopt;
      return row / pixels * c * pixels + column / k * pixels * k +
             row % pixels * k + column % k;
    };
    return;
  }
  // Groups of k columns are the rows, and rows of k are the columns.
  std::vector<int64_t> extent = getNumbers(line, "extent_row_col");
  setPlain(golden, extent[1] / k, extent[0] * k, *line.getInteger("ld"));
  walk.start = {start[1] / k, start[0] * k};
}

MappedGolden read(const Object &line) {
  MappedGolden golden;
  MappedWalk &walk = golden.walk;
  llvm::StringRef name = *line.getString("class"),
                  variant = line.getString("variant").value_or("");
  walk.map = writeMap(line);
  walk.elementType = "i" + writeNumber(line, "element_bits");
  std::vector<int64_t> start = getNumbers(line, "threadblock_offset"),
                       extent = getNumbers(line, "extent");
  if (start.size() == 2)
    walk.start = {start[0], start[1]};
  std::vector<int64_t> count = getNumbers(line, "count");
  walk.steps = 1;
  for (size_t axis = 0; axis + 1 < count.size(); ++axis)
    walk.steps *= count[axis];
  if (line.get("interleave")) {
    std::vector<int64_t> iterations = getNumbers(
        line, line.get("iterations") ? "iterations" : "iterations_row_col");
    walk.steps = iterations[0] * iterations[1];
    setInterleaved(line, golden);
  } else if (name == "PredicatedTileIteratorAffineRankN") {
    setAffine(line, golden);
  } else if (name == "PredicatedTileIteratorConv") {
    setConv(line, golden);
  } else if (name == "PredicatedTileIteratorStridedDgrad") {
    setStridedDgrad(line, golden);
  } else if (name == "PredicatedTileIteratorDirectConv") {
    setDirectConv(line, golden);
  } else if (variant == "permute_d") {
    setPermute(line, golden);
  } else {
    setPlain(golden, extent[0], extent[1], *line.getInteger("ld"));
  }
  llvm::StringRef fill = line.getString("fill_mode").value_or("none");
  if (fill == "lower" || fill == "upper") {
    walk.fill = fill.str();
    golden.define = [define = golden.define, isLower = fill == "lower"](
                        int64_t row, int64_t column) -> std::optional<int64_t> {
      if (isLower ? row < column : row > column)
        return std::nullopt;
      return define(row, column);
    };
  }
  if (variant == "scatter_d") {
    // (7 i + 3) mod 101.
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < extent[0]; ++i)
      indices.push_back((7 * i + 3) % 101);
    walk.indices = indices;
    setPlain(golden, 101, extent[1], *line.getInteger("ld"));
    golden.define = [define = golden.define, indices](
                        int64_t row, int64_t column) -> std::optional<int64_t> {
      if (row >= int64_t(indices.size()))
        return std::nullopt;
      return define(indices[row], column);
    };
  }
  golden.jumps = getNumbers(line, "increments");
  golden.pointerOffset = line.getInteger("pointer_offset").value_or(0);
  golden.stores = true;
  return golden;
}

/// Why an element that the reference accesses differs from the definition, or
/// "".
std::string explain(const Object &line, const MappedDifference &difference) {
  const auto &[theirs, ours, theirFirst, ourFirst, isFirst, place] = difference;
  llvm::StringRef name = *line.getString("class");
  if (name == "PredicatedTileIteratorBlas3" &&
      line.getString("fill_mode") == llvm::StringRef("full") && ours.valid &&
      !theirs.valid && place && (*place)[0] > (*place)[1])
    return "fill mode full keeps the upper triangle only";
  if (name == "PredicatedTileIteratorAffineRankN" && !isFirst && theirs.valid &&
      ours.valid && theirFirst == ourFirst)
    return "only the first element of a vector is placed";
  if (!isFirst && theirs.valid && !ours.valid && ourFirst.valid)
    return "only the first element of a vector is guarded";
  return "";
}

TEST(EpilogueGolden, Walks) {
  compareMappedGolden("epilogue_iterator_walks", "TILE_GOLDEN_EPILOGUE_WALKS",
                      read, explain, /*skipped=*/1925);
}

} // namespace
