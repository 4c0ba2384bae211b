// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of iterators, as walks that the IR writes.
#include "GoldenWalk.h"
#include "../IR/GoldenLines.h"
#include "tile/Layout/TensorPermutes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Array;
using llvm::json::Object;

namespace {

std::array<int64_t, 2> toRowColumn(const GoldenWalk &golden,
                                   const std::vector<int64_t> &pair) {
  if (golden.pitchLinear)
    return {pair[1], pair[0]};
  return {pair[0], pair[1]};
}

/// Sets the layout: strides and the dimension that is contiguous.
void readLayout(const Object &line, GoldenWalk &golden) {
  Walk &walk = golden.walk;
  StringRef layout = *line.getString("layout");
  int64_t ld = line.getInteger("ld").value_or(0);
  std::vector<int64_t> strides = getNumbers(line, "strides");
  int64_t rank = line.getInteger("advance_rank").value_or(0);
  // Shared memory is addressed by matrix coordinates also where it is
  // interleaved.
  bool isShared = line.getString("class")->starts_with("Regular");
  golden.pitchLinear = !layout.contains("Major") ||
                       (layout.contains("MajorInterleaved<") && !isShared);
  golden.contiguous =
      layout.starts_with("ColumnMajor") || layout == "AffineRank2ColumnMajor"
          ? 0
          : 1;
  if (golden.pitchLinear)
    golden.contiguous = 1;
  walk.unitDim = golden.contiguous;
  walk.advance = golden.pitchLinear ? 1 - rank : rank;
  walk.stride = golden.contiguous == 1 ? std::array<int64_t, 2>{ld, 1}
                                       : std::array<int64_t, 2>{1, ld};
  if (layout.starts_with("Affine")) {
    walk.unitDim = -1;
    walk.stride = toRowColumn(golden, strides);
  }
}

/// Interleaved layouts stand for pitch-linear ones of other extents: k rows (or
/// columns) are one.
void readExtents(const Object &line, GoldenWalk &golden) {
  Walk &walk = golden.walk;
  StringRef layout = *line.getString("layout");
  std::vector<int64_t> extent = getNumbers(line, "extent"),
                       start = getNumbers(line, "threadblock_offset"),
                       tile = getNumbers(line, "tile_shape");
  if (start.empty())
    start = {0, 0};
  // Without predicates the extents do not matter.
  if (extent.empty())
    extent = tile;
  if (golden.pitchLinear && (layout.consume_front("ColumnMajorInterleaved<") ||
                             layout.consume_front("RowMajorInterleaved<"))) {
    int64_t k = 1;
    layout.consumeInteger(10, k);
    bool isRow = line.getString("layout")->starts_with("Row");
    for (auto *pair : {&extent, &start, &tile}) {
      if (isRow)
        std::swap((*pair)[0], (*pair)[1]);
      *pair = {(*pair)[0] * k, (*pair)[1] / k};
    }
    if (isRow)
      walk.advance = 1 - walk.advance;
  }
  walk.extent = toRowColumn(golden, extent);
  walk.start = toRowColumn(golden, start);
  golden.tileShape = toRowColumn(golden, tile);
}

std::string next(const std::string &op, int64_t k, const std::string &type) {
  return "  %it" + std::to_string(k + 1) + " = tile." + op + " %it" +
         std::to_string(k) +
         (op.find("mask") != std::string::npos ? ", %true" : "") + " : " +
         type + "\n";
}

void writeBody(const Object &line, GoldenWalk &golden) {
  Walk &walk = golden.walk;
  StringRef name = *line.getString("class");
  std::string frag =
      "vector<" + std::to_string(golden.perTile) + "x" + walk.elementType + ">";
  bool stores = name == "PredicatedTileIterator" ||
                name.starts_with("RegularTileIterator");
  walk.fragment = stores ? golden.perTile : 0;
  auto access = [&](int64_t k, const std::string &type) {
    std::string it = "%it" + std::to_string(k);
    if (stores)
      return "  tile.iterator_store %frag, " + it + " : !frag, " + type + "\n";
    return "  %f" + std::to_string(k) + " = tile.iterator_load " + it + " : " +
           type + " -> " + frag + "\n";
  };
  if (line.getString("variant") == StringRef("explicit_tile_offsets")) {
    walk.random = true;
    walk.body = access(0, "!iter");
    int64_t k = 0;
    std::string type = "!iter";
    for (const llvm::json::Value &pair : *line.getArray("tile_offsets")) {
      auto get = [&](size_t i) {
        return *(*pair.getAsArray())[i].getAsInteger();
      };
      std::array<int64_t, 2> offset = toRowColumn(golden, {get(0), get(1)});
      golden.moves.push_back(offset);
      walk.body += "  %it" + std::to_string(k + 1) +
                   " = tile.iterator_add_tile_offset %it" + std::to_string(k) +
                   "(" + std::to_string(offset[0]) + ", " +
                   std::to_string(offset[1]) + ") : " + type + "\n";
      if (offset[walk.advance] != 0)
        type = "!steady";
      walk.body += access(++k, type);
    }
    golden.tiles = k + 1;
    return;
  }
  // A triangle that is none: moves by single tiles.
  if (!golden.moves.empty()) {
    std::vector<std::array<int64_t, 2>> moves = golden.moves;
    for (auto [k, by] : llvm::enumerate(moves))
      walk.body += access(k, "!iter") + "  %it" + std::to_string(k + 1) +
                   " = tile.iterator_add_tile_offset %it" + std::to_string(k) +
                   "(" + std::to_string(by[0]) + ", " + std::to_string(by[1]) +
                   ") : !iter\n";
    walk.body += access(moves.size(), "!iter");
    return;
  }
  int64_t clear = line.getInteger("clear_mask_before_tile").value_or(-1);
  if (clear >= 0)
    walk.body = "  %true = arith.constant true\n";
  int64_t k = 0;
  for (int64_t tile = 0; tile < golden.tiles; ++tile) {
    if (tile > 0) {
      walk.body += next("iterator_advance", k, tile == 1 ? "!iter" : "!steady");
      ++k;
    }
    std::string type = tile == 0 ? "!iter" : "!steady";
    if (tile == clear) {
      walk.body += next("iterator_clear_mask", k, type);
      ++k;
    }
    walk.body += access(k, type);
  }
}

/// The walk of the 2-D thread tile starts at the last tile, with all its
/// predicates, and goes on from the first: two iterators.
void writeBackwards(const Object &line, GoldenWalk &golden) {
  Walk &walk = golden.walk;
  int64_t last = line.getInteger("residue_tile_index").value_or(0);
  std::array<int64_t, 2> at = walk.start;
  at[walk.advance] += last * golden.tileShape[walk.advance];
  Walk whole = walk;
  whole.advance = -1;
  std::string frag = " -> vector<" + std::to_string(golden.perTile) + "x" +
                     walk.elementType + ">\n";
  walk.residue = false;
  walk.body =
      "  %lr = arith.constant " + std::to_string(at[0]) +
      " : index\n  %lc = arith.constant " + std::to_string(at[1]) +
      " : index\n  %last = tile.make_iterator %v(" + std::to_string(at[0]) +
      ", " + std::to_string(at[1]) + "), %t : " + whole.writeIterator(false) +
      "\n  %l = tile.iterator_load %last : " + whole.writeIterator(false) +
      frag;
  for (int64_t k = 0; k + 1 < golden.tiles; ++k) {
    if (k > 0)
      walk.body += next("iterator_advance", k - 1, "!steady");
    walk.body += "  %f" + std::to_string(k) + " = tile.iterator_load %it" +
                 std::to_string(k) + " : !steady" + frag;
  }
}

/// Which permutation a name is, as a layout of the matrix.
Result<Layout> readPermutation(StringRef name, std::array<int64_t, 2> extent) {
  bool inverse = name.consume_front("InversePermute<");
  int64_t sizes[3] = {1, 1, 1};
  StringRef rest = name.drop_until([](char c) { return c == '<'; });
  for (int64_t &size : sizes)
    if (rest.consume_front("<") || rest.consume_front(","))
      rest.consumeInteger(10, size);
  auto [a, b, c] = sizes;
  Int rows = extent[0], columns = extent[1];
  // The first matrix of a batch.
  auto first = [](Result<Layout> batch) -> Result<Layout> {
    if (!batch)
      return batch;
    return Layout::concat({(*batch)[0], (*batch)[1]});
  };
  if (name.starts_with("Tensor4DPermute0213RowMajor"))
    return inverse ? permute0213RowMajor(rows, columns, b, a)
                   : permute0213RowMajor(rows, columns, a, b);
  if (name.starts_with("Tensor4DPermute0213ColumnMajor"))
    return inverse ? permute0213ColumnMajor(rows, columns, b, a)
                   : permute0213ColumnMajor(rows, columns, a, b);
  if (name.starts_with("Tensor5DPermute20314RowMajor"))
    return inverse ? unpermute20314RowMajor(rows, columns, a, b, c)
                   : permute20314RowMajor(rows, columns, a, b, c);
  if (name.starts_with("Tensor5DPermute02413ColumnMajor"))
    return inverse ? unpermute02413ColumnMajor(rows, columns, a, b, c)
                   : permute02413ColumnMajor(rows, columns, a, b, c);
  if (name.starts_with("Tensor4DPermuteBMM0213RowMajor"))
    return first(inverse ? unpermuteBatch0213RowMajor(rows, columns, 1, a)
                         : permuteBatch0213RowMajor(rows, columns, a, a));
  if (name.starts_with("Tensor4DPermuteBMM0321ColumnMajor"))
    return first(inverse ? unpermuteBatch0321ColumnMajor(rows, columns, 1, a)
                         : permuteBatch0321ColumnMajor(rows, columns, a, a));
  return Reason("expected a known permutation, but got " + name.str());
}

/// The map of a 2-D thread tile that is stored: the squares of 4 by 4 elements
/// that the map has, transposed in registers.
std::string writeRegisterTranspose(const Object &map,
                                   const GoldenWalk &golden) {
  const Object *base = map.getObject("base");
  auto write = [&](int64_t contiguous, int64_t threads) {
    return "#tile.thread_tile<tile = [" + std::to_string(golden.tileShape[0]) +
           ", " + std::to_string(golden.tileShape[1]) +
           "], contiguous = " + std::to_string(contiguous) +
           ", threads = " + std::to_string(threads) + ">";
  };
  // Transposed twice is the base itself.
  if (base)
    return write(1 - golden.contiguous, *base->getInteger("threads"));
  return "#tile.transposed_thread_tile<base = " +
         write(golden.contiguous, *map.getInteger("threads")) + ">";
}

/// The clauses of a walk beside its map: gather, permutation, triangle, and the
/// layouts of shared memory.
void readKind(const Object &line, GoldenWalk &golden) {
  Walk &walk = golden.walk;
  StringRef name = *line.getString("class");
  if (line.getBoolean("gather").value_or(false)) {
    WalkGather gather;
    gather.dim = 1 - golden.contiguous;
    gather.extent = 101;
    gather.length = walk.extent[gather.dim];
    // The walk goes on beyond the end.
    for (int64_t i = 0; i < gather.length + 1000; ++i)
      gather.indices.push_back((7 * i + 3) % 101);
    walk.gather = gather;
  }
  // A block-sparse matrix is walked as it is stored, no further than its block
  // of rows; the rows of the dense one are looked up.
  if (line.getString("operand") == StringRef("sparse")) {
    int64_t dim = 1 - walk.advance;
    walk.extent[dim] = std::min(
        walk.extent[dim], walk.start[dim] + *line.getInteger("ell_block_size"));
  } else if (line.getString("operand") == StringRef("dense")) {
    WalkGather gather;
    gather.dim = walk.advance;
    gather.block = *line.getInteger("ell_block_size");
    gather.base = *line.getInteger("base_index");
    gather.indices = getNumbers(line, "index_table");
    gather.length = gather.indices.size();
    gather.walked = walk.extent[gather.dim];
    gather.extent = (*llvm::max_element(gather.indices) + 1) * gather.block;
    walk.gather = gather;
  }
  StringRef permute = line.getString("permute").value_or("NoPermute");
  if (permute != "NoPermute") {
    Result<Layout> layout = readPermutation(permute, walk.extent);
    if (!layout) {
      golden.unsupported = layout.getReason();
      return;
    }
    walk.layout = *layout;
  }
  if (name.contains("Triangular")) {
    auto [fill, diagonal] =
        StringRef(*line.getString("modes")).split(',').second.split(',');
    walk.residue = false;
    if (fill == "kFull") {
      // Both dimensions are tested at every tile.
      walk.random = true;
      std::array<int64_t, 2> by{0, 0};
      by[walk.advance] = 1;
      walk.advance = -1;
      golden.moves.assign(golden.tiles - 1, by);
      return;
    }
    walk.triangle = fill == "kLower" ? "lower" : "upper";
    walk.diagonal = diagonal == "kUnit"   ? "unit"
                    : diagonal == "kZero" ? "zero"
                                          : "stored";
  }
  if (!name.starts_with("Regular"))
    return;
  StringRef layout = *line.getString("layout");
  std::array<int64_t, 2> extents = golden.tileShape;
  if (walk.advance >= 0)
    extents[walk.advance] *= golden.tiles;
  int64_t ld = *line.getInteger("ld");
  if (layout.consume_back("MajorInterleaved<4>")) {
    // Four elements of the strided dimension follow each other.
    int64_t strided = layout == "Row" ? 0 : 1;
    SmallVector<IntTuple, 2> shape{extents[0], extents[1]}, stride{4, 4};
    shape[strided] = IntTuple::tuple({4, extents[strided] / 4});
    stride[strided] = IntTuple::tuple({1, ld});
    Result<Layout> nested =
        Layout::get(IntTuple::tuple(shape), IntTuple::tuple(stride));
    walk.layout = *nested;
    walk.unitDim = strided;
    return;
  }
  // (c, s), as the layout functions have them.
  std::optional<Result<GoldenOperand>> operand = readOperandLayout(
      layout, line.getInteger("element_bits").value_or(0),
      golden.pitchLinear ? std::array<int64_t, 2>{extents[1], extents[0]}
                         : extents,
      ld);
  if (!operand)
    return;
  if (!*operand) {
    golden.unsupported = operand->getReason();
    return;
  }
  walk.permute = (*operand)->chain;
  if (golden.pitchLinear)
    walk.permute.front() = *transpose(walk.permute.front());
  walk.layout = *Layout::get(IntTuple::tuple({*walk.permute.back().cosize()}),
                             IntTuple::tuple({1}));
}

} // namespace

std::optional<Result<GoldenOperand>>
tile::test::readOperandLayout(StringRef name, int64_t bits,
                              std::array<int64_t, 2> extents, int64_t pitch) {
  GoldenOperand operand;
  if (name.consume_front("RowMajor"))
    operand.contiguous = 1;
  else
    name.consume_front("ColumnMajor");
  OperandShape shape{extents[operand.contiguous],
                     extents[1 - operand.contiguous], pitch};
  auto [base, arguments] = name.split('<');
  arguments.consumeInteger(10, shape.bits);
  if (arguments.consume_front(","))
    arguments.consumeInteger(10, shape.section);
  std::optional<OperandLayout> kind =
      llvm::StringSwitch<std::optional<OperandLayout>>(base)
          .Case("TensorOpMultiplicandCongruous64b", OperandLayout::Congruous64)
          .Case("TensorOpMultiplicandCongruous128b",
                OperandLayout::Congruous128)
          .Case("TensorOpMultiplicand64bCrosswise", OperandLayout::Crosswise64)
          .Case("TensorOpMultiplicandCrosswise128x4",
                OperandLayout::Crosswise128x4)
          .Case("TensorOpMultiplicandRowMajorInterleaved",
                OperandLayout::RowInterleaved)
          .Case("VoltaTensorOpMultiplicandCongruous",
                OperandLayout::VoltaCongruous)
          .Case("VoltaTensorOpMultiplicandBCongruous",
                OperandLayout::VoltaCongruousB)
          .Case("VoltaTensorOpMultiplicandCrosswise",
                OperandLayout::VoltaCrosswise)
          .Cases({"TensorOpMultiplicand", "TensorOpMultiplicandCrosswise",
                  "TensorOpMultiplicandCongruous"},
                 OperandLayout::TensorOp)
          .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  // 32-bit elements have a congruous layout of their own.
  if (base == "TensorOpMultiplicandCongruous" && shape.bits == 32)
    kind = OperandLayout::Congruous32;
  Result<LayoutChain> chain = getOperandLayout(*kind, shape);
  if (!chain)
    return Result<GoldenOperand>(chain.takeReason());
  operand.chain = *chain;
  if (operand.contiguous == 1)
    operand.chain.front() = *transpose(operand.chain.front());
  return Result<GoldenOperand>(operand);
}

GoldenWalk tile::test::readWalk(const Object &line) {
  GoldenWalk golden;
  StringRef name = *line.getString("class");
  name.consume_front("Ell");
  Walk &walk = golden.walk;
  // Offsets are in elements, and nothing depends on what an element is. There
  // are no views of elements below a byte; those are walked as bytes.
  walk.elementType =
      "i" + std::to_string(std::max<int64_t>(
                8, line.getInteger("element_bits").value_or(32)));
  readLayout(line, golden);
  readExtents(line, golden);
  const Object &map = *line.getObject("thread_map");
  std::string coverage;
  std::vector<int64_t> iterations = getNumbers(line, "iterations");
  std::vector<int64_t> access = getNumbers(line, "thread_access_shape");
  int64_t elements = map.getInteger("elements_per_access").value_or(4);
  int64_t rows = access.size() == 2 ? access[1] : 1;
  golden.perTile = iterations[0] * iterations[1] * elements * rows;
  golden.tiles = line.getInteger("tiles").value_or(0);
  if (line.get("operand"))
    golden.tiles =
        (*line.getArray("threads"))[0].getAsObject()->getArray("w")->size();
  int64_t threads = map.getInteger("threads").value_or(0);
  if (threads * golden.perTile > golden.tileShape[0] * golden.tileShape[1])
    coverage = ", coverage = padded";
  // Elements that no thread has: not a mistake that matters to a walk.
  if (threads > 0 &&
      threads * golden.perTile < golden.tileShape[0] * golden.tileShape[1])
    coverage = ", coverage = any";
  if (name == "RegularTileIterator2dThreadTile") {
    walk.map = writeRegisterTranspose(map, golden);
    golden.perTile = line.getInteger("fragment_elements").value_or(0);
  } else {
    walk.map = writeThreadMap(map, golden.contiguous, coverage);
  }
  walk.predicated = walk.residue = name.starts_with("Predicated");
  if (!walk.predicated)
    walk.space = "shared";
  readKind(line, golden);
  if (!golden.unsupported.empty())
    return golden;
  if (name == "PredicatedTileAccessIterator2dThreadTile")
    writeBackwards(line, golden);
  else
    writeBody(line, golden);
  return golden;
}

std::vector<WalkTile> tile::test::readTiles(const Object &line,
                                            const llvm::json::Value &entry) {
  std::vector<WalkTile> tiles;
  const Array *visits = entry.getAsArray();
  if (!visits)
    visits = entry.getAsObject()->getArray("w");
  int64_t width = line.getInteger("access_elements").value_or(4);
  bool elementwise = line.get("fragment_elements");
  if (!elementwise && !line.get("access_elements"))
    width = line.getObject("thread_map")
                ->getInteger("elements_per_access")
                .value_or(4);
  for (const llvm::json::Value &visit : *visits) {
    WalkTile tile;
    const Object *object = visit.getAsObject();
    const Array *offsets =
        object ? object->getArray("off") : visit.getAsArray();
    StringRef valid = object ? *object->getString("valid") : "";
    for (auto [i, offset] : llvm::enumerate(*offsets)) {
      int64_t number = offset.getAsInteger().value_or(-1);
      bool isValid = valid.empty() ? number >= 0 : valid[i] == '1';
      for (int64_t e = 0; e < (elementwise ? 1 : width); ++e)
        tile.push_back({number + e, isValid});
    }
    tiles.push_back(std::move(tile));
  }
  return tiles;
}
