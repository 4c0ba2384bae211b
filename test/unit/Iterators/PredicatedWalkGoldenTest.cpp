// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of iterators against what the lowered IR accesses.
#include "../IR/GoldenLines.h"
#include "GoldenWalk.h"

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

/// Why an element that the reference accesses is none of the tile's, or "".
std::string explain(const GoldenWalk &golden, const Object &line, int64_t k,
                    int64_t e, const WalkTile &theirs, const WalkTile &ours) {
  const Walk &walk = golden.walk;
  if (line.getString("variant") == StringRef("explicit_tile_offsets") && k > 0)
    return "cross-rank moves are in bytes, and change no predicates";
  if (line.getString("class") == StringRef("RegularTileIterator") &&
      line.getString("layout")->starts_with("Volta") && storesTwice(line, k))
    return "the second access ignores the map's distance: elements of the tile "
           "are stored twice and others never";
  if (walk.diagonal == "unit" && theirs[e].valid && !ours[e].valid)
    return "the diagonal of a unit triangle is not referenced";
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
        "tile_offsets", "modes"})
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
    GoldenWalk golden = readWalk(line);
    if (line.getString("class") == StringRef("layout_functor")) {
      ++covered;
      Differences differences;
      std::string reason = compareFunction(line, differences);
      exceptions += !reason.empty();
      if (!other && !reason.empty() && listed[identify(line)] != reason)
        differences.push_back("not in the list of exceptions: " + reason);
      passed += differences.empty();
      if (!differences.empty())
        llvm::outs() << "difference: "
                     << llvm::json::Value(Object{{"line", identify(line)},
                                                 {"reason", reason}})
                     << "\n  ours: " << join(differences) << "\n";
      continue;
    }
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
