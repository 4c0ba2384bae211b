// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of iterators against what the lowered IR accesses.
#include "../IR/GoldenLines.h"
#include "GoldenWalk.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Array;
using llvm::json::Object;

namespace {

const char *const kStraddles =
    "the index of a tile's first column is taken for all of a tile that "
    "straddles two blocks";

/// Whether the reference stores elements of a tile more than once, so that as
/// many are not stored.
bool storesTwice(const Object &line, int64_t k) {
  std::set<int64_t> stored;
  for (const llvm::json::Value &thread :
       *line.getArray("fragment_element_offset"))
    for (const llvm::json::Value &offset :
         *(*thread.getAsArray())[k].getAsArray())
      if (!stored.insert(*offset.getAsInteger()).second)
        return true;
  return false;
}

/// Whether tile `k` of the reference is the one before, moved as a whole and
/// with the predicates that it had.
bool isMoved(const std::vector<WalkTile> &theirs, int64_t k) {
  const WalkTile &from = theirs[k - 1], &to = theirs[k];
  for (size_t e = 0; e < to.size(); ++e)
    if ((k > 1 && to[e].valid != from[e].valid) ||
        to[e].offset - from[e].offset != to[0].offset - from[0].offset)
      return false;
  return true;
}

/// The (row, column) of an offset in a matrix that has a pitch.
std::array<int64_t, 2> getPlace(const GoldenWalk &golden, int64_t offset) {
  int64_t ld = golden.walk.stride[1 - golden.contiguous];
  std::array<int64_t, 2> place{offset / ld, offset % ld};
  if (golden.contiguous == 0)
    std::swap(place[0], place[1]);
  return place;
}

/// Why element `e` of tile `k` that the reference accesses is none of the
/// tile's, or "".
std::string explain(const GoldenWalk &golden, const Object &line, int64_t k,
                    int64_t e, const std::vector<WalkTile> &theirTiles,
                    const WalkTile &ours) {
  const Walk &walk = golden.walk;
  const WalkTile &theirs = theirTiles[k];
  if (line.getString("variant") == StringRef("explicit_tile_offsets") &&
      k > 0 && isMoved(theirTiles, k))
    return "cross-rank moves are in bytes, and change no predicates";
  if (line.getString("class") == StringRef("RegularTileIterator") &&
      line.getString("layout")->starts_with("Volta") && storesTwice(line, k))
    return "the second access ignores the map's distance: elements of the tile "
           "are stored twice and others never";
  if (walk.diagonal == "unit" && theirs[e].valid && !ours[e].valid) {
    std::array<int64_t, 2> place = getPlace(golden, theirs[e].offset);
    if (place[0] == place[1])
      return "the diagonal of a unit triangle is not referenced";
  }
  if (line.getString("operand") == StringRef("sparse") && k == 0 &&
      theirs[e].valid && !ours[e].valid) {
    // Where it is, from its address.
    int64_t dim = 1 - walk.advance;
    if (getPlace(golden, theirs[e].offset)[dim] >=
        walk.start[dim] + *line.getInteger("ell_block_size"))
      return "the mask of a block is applied after the first tile";
  }
  if (line.getString("operand") == StringRef("dense") && k > 0) {
    int64_t block = walk.gather->block, tile = golden.tileShape[walk.advance];
    int64_t residue = (walk.gather->walked - 1) % tile + 1,
            first = residue + (k - 1) * tile;
    // One index serves a tile that is no longer than a block.
    if (llvm::isPowerOf2_64(block) && tile <= block &&
        first / block != (first + tile - 1) / block)
      return kStraddles;
  }
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
  for (StringRef key :
       {"class", "layout", "advance_rank", "tile_shape", "thread_map", "extent",
        "ld", "threadblock_offset", "access_elements", "element_bits",
        "tile_offsets", "modes", "operand", "ell_block_size", "index_table",
        "block_size", "tile_k", "problem_size_k", "ell_stride"})
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

  /// Compares all lines of a file.
  void check(const std::string &file, const char *variable);
  std::string compareWalk(const Object &line, Differences &differences);
  std::string compareIndices(const Object &line, Differences &differences);

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
          std::string reason = explain(golden, line, k, e, theirs, ours[k]);
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

  /// Compares a layout function with what the lowered IR accesses through the
  /// chain that we have for it. The reason where the reference is wrong.
  std::string compareFunction(const Object &line, Differences &differences) {
    StringRef name = *line.getString("layout");
    std::vector<int64_t> extent = getNumbers(line, "extent");
    int64_t step = line.getInteger("contiguous_step").value_or(1);
    const Array &table = *line.getArray("offset");
    bool isInterleaved = name.contains("RowMajorInterleaved");
    // A row of 32 elements, of which the table has a half.
    std::array<int64_t, 2> walked{isInterleaved ? 32 : extent[0], extent[1]};
    std::optional<Result<GoldenOperand>> operand =
        readOperandLayout(name, 0, walked, *line.getInteger("ld"));
    if (!operand || !*operand) {
      differences.push_back(operand ? operand->getReason() : "no such layout");
      return "";
    }
    Walk walk;
    walk.permute = (*operand)->chain;
    walk.layout = *Layout::get(IntTuple::tuple({*walk.permute.back().cosize()}),
                               IntTuple::tuple({1}));
    walk.extent = walked;
    walk.stride = {0, 0};
    walk.predicated = false;
    walk.space = "shared";
    walk.elementType = "i16";
    unsigned contiguous = (*operand)->contiguous;
    walk.map = "#tile.strip_mined<tile = [" + std::to_string(walked[0]) + ", " +
               std::to_string(walked[1]) +
               "], contiguous = " + std::to_string(contiguous) +
               ", threads = 32, elements = 8>";
    int64_t perTile = walked[0] * walked[1] / 32;
    walk.body = "  %f = tile.iterator_load %it0 : !iter -> vector<" +
                std::to_string(perTile) + "xi16>\n";
    std::string error;
    LoweredWalk lowered(context, walk, error);
    auto map = dyn_cast_or_null<ThreadMapAttrInterface>(
        parseAttribute(walk.map, &context));
    if (!lowered || !map) {
      differences.push_back(error + " in\n" + walk.write());
      return "";
    }
    AccessPattern pattern = getAccessPattern(map);
    std::string reason;
    for (int64_t t = 0; t < 32; ++t) {
      std::vector<WalkTile> tiles = lowered.run(t, perTile, error);
      if (tiles.size() != 1) {
        differences.push_back(error);
        return "";
      }
      for (int64_t e = 0; e < perTile; ++e) {
        auto [row, column] = pattern.getThreadOffset(t);
        auto [rows, columns] = pattern.getAccessOffset(e / pattern.vector);
        std::array<int64_t, 2> at{row + rows, column + columns};
        at[contiguous] += e % pattern.vector;
        // The table has every step-th c; between two of them lie elements of a
        // vector.
        if (at[0] >= extent[0] || (contiguous != 0 && at[0] % step != 0))
          continue;
        const Array &entry = *table[at[1]].getAsArray();
        int64_t theirs = *entry[at[0] / step].getAsInteger() + at[0] % step;
        int64_t ours = tiles[0][e].offset;
        if (isInterleaved && ours == theirs + at[0] % 16) {
          if (ours != theirs)
            reason = "the place of an element in its vector of 16 is dropped";
        } else if (ours != theirs && differences.size() < 4) {
          differences.push_back("(" + std::to_string(at[0]) + ", " +
                                std::to_string(at[1]) + ") is at " +
                                std::to_string(ours) + " instead of " +
                                std::to_string(theirs));
        }
      }
    }
    return reason;
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

/// A line of another form than a walk: compares, and gives the reason where the
/// reference is wrong.
using OtherForm = std::string (WalkGolden::*)(const Object &, Differences &);

void WalkGolden::check(const std::string &file, const char *variable) {
  bool other = false;
  std::vector<Object> lines =
      readGolden((file + ".jsonl").c_str(), variable, &other);
  checkClasses(file, lines, other);
  GoldenExceptions exceptions(file, other);
  unsigned passed = 0;
  for (const Object &line : lines) {
    StringRef name = *line.getString("class");
    OtherForm form = name == "layout_functor"  ? &WalkGolden::compareFunction
                     : name == "ell::Iterator" ? &WalkGolden::compareIndices
                                               : nullptr;
    Differences differences;
    std::string reason;
    if (form)
      reason = (this->*form)(line, differences);
    else
      reason = compareWalk(line, differences);
    exceptions.check(identify(line), reason, differences);
    bool good = differences.empty();
    passed += good;
    if (!good || (!reason.empty() && std::getenv("TILE_GOLDEN_VERBOSE"))) {
      Object exception{{"line", identify(line)}, {"reason", reason}};
      llvm::outs() << (good ? "exception: " : "difference: ")
                   << llvm::json::Value(std::move(exception))
                   << "\n  ours: " << join(differences) << "\n";
    }
  }
  llvm::outs() << "golden " << file << ": " << passed << " of " << lines.size()
               << " lines (" << exceptions.size()
               << " where the reference is wrong)\n";
  llvm::outs().flush();
  exceptions.expectNoneLeft();
  EXPECT_EQ(passed, lines.size());
}

std::string WalkGolden::compareWalk(const Object &line,
                                    Differences &differences) {
  GoldenWalk golden = readWalk(line);
  if (!golden.unsupported.empty()) {
    differences.push_back("not modelled: " + golden.unsupported);
    return "";
  }
  std::set<std::string> reasons;
  // Wide accesses and single elements, loops kept and unrolled.
  for (bool divisors : {true, false}) {
    golden.walk.divisors = divisors;
    golden.walk.unroll = !divisors;
    compare(line, golden, differences, reasons);
  }
  return llvm::join(reasons, "; ");
}

// Columns of a block-sparse matrix are rows of the dense one: what the iterator
// of indices adds to an address is how far a gather goes from the row that a
// walk without it would have.
std::string WalkGolden::compareIndices(const Object &line,
                                       Differences &differences) {
  int64_t block = *line.getInteger("block_size"),
          columns = *line.getInteger("problem_size_k"),
          tile = *line.getInteger("tile_k"),
          stride = *line.getInteger("ell_stride");
  WalkGather gather;
  gather.block = block;
  gather.base = *line.getInteger("base_index");
  gather.indices = getNumbers(line, "index_table");
  gather.length = gather.indices.size();
  gather.walked = columns;
  gather.extent = (*llvm::max_element(gather.indices) + 1) * block;
  Walk walk;
  walk.map = "#tile.strip_mined<tile = [" + std::to_string(tile) +
             ", 1], contiguous = 0, threads = 1, elements = 1>";
  walk.extent = {columns, 1};
  walk.stride = {stride, 1};
  walk.unitDim = -1;
  walk.advance = 0;
  walk.random = true;
  walk.gather = gather;
  const Array &steps = *line.getArray("steps");
  for (auto [i, entry] : llvm::enumerate(steps))
    walk.body += "  %f" + std::to_string(i) +
                 " = tile.iterator_load_with_tile_offset %it0(" +
                 std::to_string(*entry.getAsObject()->getInteger("step")) +
                 ", 0) : !iter -> vector<" + std::to_string(tile) + "xf32>\n";
  std::string error;
  LoweredWalk lowered(context, walk, error);
  std::vector<WalkTile> ours;
  if (lowered)
    ours = lowered.run(0, tile, error);
  if (!error.empty() || ours.size() != steps.size()) {
    differences.push_back(error + std::to_string(ours.size()) + " tiles in\n" +
                          walk.write());
    return "";
  }
  int64_t residue = columns % tile == 0 ? tile : columns % tile;
  std::set<std::string> reasons;
  for (auto [i, entry] : llvm::enumerate(steps)) {
    const Object &step = *entry.getAsObject();
    int64_t number = *step.getInteger("step");
    int64_t first = number == 0 ? 0 : residue + (number - 1) * tile, e = 0;
    for (const llvm::json::Value &run : *step.getArray("offset_runs")) {
      int64_t count = *(*run.getAsArray())[0].getAsInteger(),
              theirs = *(*run.getAsArray())[1].getAsInteger();
      for (; count > 0; --count, ++e) {
        int64_t k = first + e, index = gather.indices[k / block] - gather.base,
                row = index * block + k % block;
        const WalkElement &our = ours[i][e];
        bool isRight = our.valid == (index >= 0) &&
                       (!our.valid || our.offset == row * stride);
        if (our.valid ? theirs >= 0 && our.offset - k * stride == theirs
                      : theirs < 0)
          continue;
        if (isRight && our.valid && theirs < 0 && index < k / block)
          reasons.insert("an index below its position is taken for padding");
        else if (isRight && step.get("offset_fast") &&
                 first / block != (first + e) / block)
          reasons.insert(kStraddles);
        else if (differences.size() < 4)
          differences.push_back("step " + std::to_string(number) + ", column " +
                                std::to_string(k) + ": we have " +
                                std::to_string(our.offset - k * stride) +
                                (our.valid ? " on" : " off") + " instead of " +
                                std::to_string(theirs));
      }
    }
  }
  return llvm::join(reasons, "; ");
}

TEST_F(WalkGolden, Predicated) {
  check("predicated_iterator_walks", "TILE_GOLDEN_ITERATOR_WALKS");
}

TEST_F(WalkGolden, Ell) {
  check("ell_iterator_walks", "TILE_GOLDEN_ELL_WALKS");
}

} // namespace
