// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of iterators against what the lowered IR accesses.
#include "../IR/GoldenLines.h"
#include "Walk.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Array;
using llvm::json::Object;

namespace {

/// A walk as the IR writes it, and what is needed to compare.
struct GoldenWalk {
  Walk walk;
  /// Rank of pairs of the data whose first number is the contiguous dimension:
  /// (contiguous, strided). Otherwise they are (row, column).
  bool pitchLinear = false;
  int64_t contiguous = 1;
  int64_t perTile = 0, tiles = 0;
  /// The tile along the strided dimension, for maps that pad.
  std::array<int64_t, 2> tileShape{1, 1};
  /// Moves of a walk with explicit offsets, (row, column); otherwise it
  /// advances.
  std::vector<std::array<int64_t, 2>> moves;
  std::string unsupported;
};

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
  golden.pitchLinear = layout == "PitchLinear" || layout == "AffineRankN<2>" ||
                       layout.contains("Interleaved<");
  golden.contiguous =
      layout == "ColumnMajor" || layout == "AffineRank2ColumnMajor" ? 0 : 1;
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
  if (layout.consume_front("ColumnMajorInterleaved<") ||
      layout.consume_front("RowMajorInterleaved<")) {
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
  bool stores =
      name == "PredicatedTileIterator" || name == "RegularTileIterator";
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

GoldenWalk read(const Object &line) {
  GoldenWalk golden;
  StringRef name = *line.getString("class");
  StringRef layout = line.getString("layout").value_or("");
  if (name == "layout_functor" || name.contains("Triangular") ||
      name == "RegularTileIterator2dThreadTile" || layout.contains("TensorOp"))
    golden.unsupported = (name + " of " + layout).str();
  else if (line.getBoolean("gather").value_or(false))
    golden.unsupported = "gather";
  else if (line.getString("permute").value_or("NoPermute") != "NoPermute")
    golden.unsupported = "permute";
  if (!golden.unsupported.empty())
    return golden;
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
  int64_t threads = map.getInteger("threads").value_or(0);
  if (threads * golden.perTile > golden.tileShape[0] * golden.tileShape[1])
    coverage = ", coverage = padded";
  walk.map = writeThreadMap(map, golden.contiguous, coverage);
  walk.predicated = walk.residue = name.starts_with("Predicated");
  if (!walk.predicated)
    walk.space = "shared";
  if (name == "PredicatedTileAccessIterator2dThreadTile")
    writeBackwards(line, golden);
  else
    writeBody(line, golden);
  return golden;
}

/// The elements of each tile that thread `entry` of the line visits.
std::vector<WalkTile> readTiles(const Object &line,
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

/// Why an element that the reference accesses is none of the tile's, or "".
std::string explain(const GoldenWalk &golden, const Object &line, int64_t k,
                    int64_t e, const WalkTile &theirs, const WalkTile &ours) {
  const Walk &walk = golden.walk;
  if (walk.random && k > 0)
    return "cross-rank moves are in bytes, and change no predicates";
  int64_t width = line.getInteger("access_elements").value_or(1);
  if (theirs[e].valid && !ours[e].valid && e % width != 0 &&
      ours[e - e % width].valid)
    return "only the first element of a vector is guarded";
  if (walk.map.find("padded") != std::string::npos && theirs[e].valid &&
      !ours[e].valid)
    return "the map pads, and rows of the next tile are accessed twice";
  return "";
}

/// What identifies a line in the list of exceptions.
std::string identify(const Object &line) {
  Object shown;
  for (StringRef key : {"class", "layout", "advance_rank", "tile_shape",
                        "thread_map", "extent", "ld", "threadblock_offset",
                        "access_elements", "element_bits", "tile_offsets"})
    if (const llvm::json::Value *value = line.get(key))
      shown[key] = *value;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::json::Value(std::move(shown));
  return text;
}

class WalkGolden : public ::testing::Test {
protected:
  WalkGolden() { loadDialects(context); }

  /// Compares all threads; `reasons` are those of elements where ours is right
  /// and the reference is not.
  void compare(const Object &line, const GoldenWalk &golden,
               Differences &differences, std::set<std::string> &reasons) {
    std::string error;
    LoweredWalk lowered(context, golden.walk, error);
    if (!lowered) {
      differences.push_back(error + " in\n" + golden.walk.write());
      return;
    }
    const Array *threads = line.getArray("threads");
    if (!threads)
      threads = line.getArray("offset");
    if (!threads)
      threads = line.getArray("fragment_element_offset");
    for (auto [i, entry] : llvm::enumerate(*threads)) {
      int64_t t = entry.getAsObject()
                      ? entry.getAsObject()->getInteger("t").value_or(i)
                      : int64_t(i);
      std::vector<WalkTile> ours = lowered.run(t, golden.perTile, error);
      std::vector<WalkTile> theirs = readTiles(line, entry);
      if (!error.empty() || ours.size() < theirs.size()) {
        differences.push_back("thread " + std::to_string(t) + ": " + error +
                              std::to_string(ours.size()) + " tiles");
        return;
      }
      if (!isByDefinition(golden, t, ours, line)) {
        differences.push_back("thread " + std::to_string(t) +
                              ": our walk is not that of the definition");
        return;
      }
      for (size_t k = 0; k < theirs.size(); ++k)
        for (size_t e = 0; e < theirs[k].size(); ++e) {
          if (ours[k][e] == theirs[k][e])
            continue;
          std::string reason = explain(golden, line, k, e, theirs[k], ours[k]);
          if (!reason.empty()) {
            reasons.insert(reason);
            continue;
          }
          differences.push_back(
              "thread " + std::to_string(t) + ", tile " + std::to_string(k) +
              ", element " + std::to_string(e) + ": we have " +
              std::to_string(ours[k][e].offset) +
              (ours[k][e].valid ? " on" : " off") + " instead of " +
              std::to_string(theirs[k][e].offset) +
              (theirs[k][e].valid ? " on" : " off"));
          if (differences.size() > 3)
            return;
        }
    }
  }

  /// Whether our walk is what the layout and the thread map say, so that where
  /// the reference differs ours is right.
  bool isByDefinition(const GoldenWalk &golden, int64_t t,
                      const std::vector<WalkTile> &ours, const Object &line) {
    // That of a 2-D thread tile has two iterators, and no exceptions; after a
    // mask was cleared nothing is left to compare.
    if (line.get("residue_tile_index") || line.get("clear_mask_before_tile"))
      return true;
    auto map =
        cast<ThreadMapAttrInterface>(parseAttribute(golden.walk.map, &context));
    Oracle oracle(golden.walk, golden.tileShape);
    for (size_t k = 0; k < ours.size(); ++k) {
      WalkTile expected =
          Oracle::getTile(golden.walk, map, t, oracle.getWindow());
      if (ours[k] != expected)
        return false;
      if (golden.moves.empty())
        oracle.advance();
      else if (k < golden.moves.size())
        oracle.addTileOffset(golden.moves[k]);
    }
    return true;
  }

  MLIRContext context;
};

TEST_F(WalkGolden, Predicated) {
  bool other = false;
  std::vector<Object> lines = readGolden("predicated_iterator_walks.jsonl",
                                         "TILE_GOLDEN_ITERATOR_WALKS", &other);
  ASSERT_FALSE(lines.empty());
  std::map<std::string, std::string> listed;
  for (const Object &line :
       readGolden("predicated_iterator_walks-exceptions.jsonl", nullptr))
    listed[line.getString("line")->str()] = line.getString("reason")->str();
  unsigned passed = 0, covered = 0, exceptions = 0;
  std::map<std::string, unsigned> unsupported;
  for (const Object &line : lines) {
    GoldenWalk golden = read(line);
    if (!golden.unsupported.empty()) {
      ++unsupported[golden.unsupported];
      continue;
    }
    ++covered;
    Differences differences;
    std::set<std::string> reasons;
    // Wide accesses and single elements, loops kept and unrolled.
    for (bool divisors : {true, false}) {
      golden.walk.divisors = divisors;
      golden.walk.unroll = !divisors;
      compare(line, golden, differences, reasons);
    }
    std::string reason;
    for (const std::string &text : reasons)
      reason += (reason.empty() ? "" : "; ") + text;
    exceptions += !reason.empty();
    if (!other && !reason.empty() && listed[identify(line)] != reason)
      differences.push_back("not in the list of exceptions: " + reason);
    bool good = differences.empty();
    passed += good;
    if (!good || (!reason.empty() && std::getenv("TILE_GOLDEN_VERBOSE"))) {
      Object exception{{"line", identify(line)}, {"reason", reason}};
      llvm::outs() << (good ? "exception: " : "difference: ")
                   << llvm::json::Value(std::move(exception))
                   << "\n  ours: " << join(differences) << "\n";
    }
  }
  for (const auto &[what, count] : unsupported)
    llvm::outs() << "  not modelled: " << what << ": " << count << "\n";
  llvm::outs() << "golden predicated_iterator_walks: " << passed << " of "
               << covered << " modelled lines (" << exceptions
               << " where the reference is wrong), of " << lines.size()
               << " in all\n";
  llvm::outs().flush();
  EXPECT_EQ(passed, covered);
}

} // namespace
