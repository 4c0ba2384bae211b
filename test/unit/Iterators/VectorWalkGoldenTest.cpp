// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of iterators over vectors. A vector is a matrix of one row;
// a scale and a bias are one of two rows, whose pitch is the distance of the
// one from the other; threads that share elements are a thread map.
#include "../IR/GoldenLines.h"
#include "Walk.h"

#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Array;
using llvm::json::Object;

namespace {

/// The distance of a bias from its scale, in elements.
constexpr int64_t kDistance = int64_t(1) << 20;

/// A walk, and what the threads of a line that are to be compared with it do.
struct VectorWalk {
  Walk walk;
  int64_t perTile = 0;
  /// Where what a guarded access may touch ends.
  int64_t end = 0;
  /// (thread of the walk, tiles).
  std::vector<std::pair<int64_t, std::vector<WalkTile>>> threads;
};

std::string load(int64_t k, const std::string &type, int64_t perTile,
                 const std::string &elementType) {
  return "  %f" + std::to_string(k) + " = tile.iterator_load %it" +
         std::to_string(k) + " : " + type + " -> vector<" +
         std::to_string(perTile) + "x" + elementType + ">\n";
}

/// Loads of `tiles` tiles of an iterator that does not advance but moves by the
/// given number of tiles.
std::string writeMoves(const Walk &walk, int64_t perTile,
                       ArrayRef<int64_t> moves, int64_t first = 0) {
  std::string body = load(first, "!iter", perTile, walk.elementType);
  for (auto [i, by] : llvm::enumerate(moves)) {
    int64_t k = first + i;
    body += "  %it" + std::to_string(k + 1) +
            " = tile.iterator_add_tile_offset %it" + std::to_string(k) +
            "(0, " + std::to_string(by) + ") : !iter\n" +
            load(k + 1, "!iter", perTile, walk.elementType);
  }
  return body;
}

/// `count` vectors of `width` elements, from a list of offsets and the text of
/// their guards.
void append(WalkTile &tile, ArrayRef<int64_t> offsets, StringRef valid,
            int64_t width, int64_t shift = 0) {
  for (auto [i, offset] : llvm::enumerate(offsets))
    for (int64_t e = 0; e < width; ++e)
      tile.push_back({offset + shift + e, valid[i] == '1'});
}

/// The first threads read the scale, as many the bias, others nothing.
VectorWalk readScaleBias(const Object &line, bool isConv) {
  VectorWalk vector;
  Walk &walk = vector.walk;
  int64_t perVector = *line.getInteger("threads_per_vector"),
          width = *line.getInteger("elements_per_access"),
          tiles = *line.getInteger("tiles"),
          columns = getNumbers(line, "tile_shape")[1], last = 0;
  const Array &threads = *line.getArray("threads");
  for (const llvm::json::Value &entry : threads) {
    const Object &thread = *entry.getAsObject();
    last = std::max(last, *thread.getInteger("t"));
    bool isBias = thread.getString("vector") == StringRef("bias");
    std::vector<int64_t> offsets = getNumbers(thread, "off");
    StringRef valid = *thread.getString("valid");
    std::vector<WalkTile> expected(tiles);
    for (int64_t k = 0; k < tiles; ++k)
      append(expected[k], offsets[k], valid.substr(k, 1), width,
             isBias ? kDistance : 0);
    vector.threads.push_back({*thread.getInteger("t"), expected});
  }
  vector.perTile = width;
  int64_t rows = std::max<int64_t>(2, last / perVector + 1);
  walk.map = "#tile.strip_mined<tile = [" + std::to_string(rows) + ", " +
             std::to_string(columns) + "], contiguous = 1, threads = " +
             std::to_string(rows * perVector) +
             ", elements = " + std::to_string(width) + ">";
  walk.elementType = "i" + std::to_string(*line.getInteger("element_bits"));
  walk.extent = {2, *line.getInteger(isConv ? "channels" : "problem_size_k")};
  walk.stride = {kDistance, 1};
  walk.start = {0, getNumbers(line, "threadblock_offset")[1]};
  vector.end = walk.extent[1];
  if (isConv) {
    // One tile on after all filter positions.
    int64_t positions = *line.getInteger("filter_positions");
    walk.random = true;
    std::vector<int64_t> moves;
    for (int64_t k = 1; k < tiles; ++k)
      moves.push_back(k % positions == 0);
    walk.body = writeMoves(walk, width, moves);
    return vector;
  }
  // Only the residue tile is guarded along the vector.
  int64_t residue = (walk.extent[1] - walk.start[1]) % columns;
  vector.end = walk.start[1] + (residue == 0 ? columns : residue);
  walk.advance = 1;
  walk.body = load(0, "!iter", width, walk.elementType);
  for (int64_t k = 1; k < tiles; ++k)
    walk.body += "  %it" + std::to_string(k) + " = tile.iterator_advance %it" +
                 std::to_string(k - 1) +
                 (k == 1 ? " : !iter\n" : " : !steady\n") +
                 load(k, "!steady", width, walk.elementType);
  return vector;
}

/// Scale and bias side by side in each stage of shared memory.
VectorWalk readRegular(const Object &line) {
  VectorWalk vector;
  Walk &walk = vector.walk;
  int64_t perVector = *line.getInteger("threads_per_vector"),
          width = *line.getInteger("elements_per_access"),
          tiles = *line.getInteger("tiles"),
          columns = getNumbers(line, "tile_shape")[1];
  for (auto [t, entry] : llvm::enumerate(*line.getArray("offset"))) {
    std::vector<WalkTile> expected;
    for (const llvm::json::Value &offset : *entry.getAsArray())
      append(expected.emplace_back(), *offset.getAsInteger(), "1", width);
    vector.threads.push_back({t, expected});
  }
  vector.perTile = width;
  walk.map = "#tile.strip_mined<tile = [2, " + std::to_string(columns) +
             "], contiguous = 1, threads = " + std::to_string(2 * perVector) +
             ", elements = " + std::to_string(width) + ">";
  walk.elementType = "i" + std::to_string(*line.getInteger("element_bits"));
  walk.space = "shared";
  walk.predicated = false;
  walk.advance = 1;
  walk.extent = {2, columns * tiles};
  walk.stride = {columns, 1};
  walk.layout = *Layout::get(
      IntTuple::tuple({2, IntTuple::tuple({columns, tiles})}),
      IntTuple::tuple({columns, IntTuple::tuple({1, 2 * columns})}));
  walk.body = load(0, "!iter", width, walk.elementType);
  for (int64_t k = 1; k < tiles; ++k)
    walk.body += "  %it" + std::to_string(k) + " = tile.iterator_advance %it" +
                 std::to_string(k - 1) + " : !iter\n" +
                 load(k, "!iter", width, walk.elementType);
  return vector;
}

/// The walks of a line whose lanes share elements, one for each column of
/// warps: lane l has `width` elements at `step` times l / perColumn mod
/// columns.
std::vector<VectorWalk> readShared(const Object &line, bool isAccess) {
  std::vector<int64_t> warpShape = getNumbers(line, "warp_shape"),
                       start = getNumbers(line, "threadblock_offset");
  int64_t columns = warpShape[1], tiles = *line.getInteger("tiles"),
          width = isAccess ? *line.getInteger("elements_per_access") : 1,
          lanes = isAccess ? 4 : 8;
  const Object *problem = line.getObject("problem");
  int64_t length =
      problem ? *problem->getInteger("C") : *line.getInteger("length");
  int64_t warpRows =
      isAccess ? getNumbers(line, "tile_shape")[0] / warpShape[0] : 1;
  std::map<int64_t, VectorWalk> walks;
  for (const llvm::json::Value &entry : *line.getArray("threads")) {
    const Object &thread = *entry.getAsObject();
    int64_t t = *thread.getInteger("t");
    VectorWalk &vector = walks[isAccess ? t / 32 / warpRows : 0];
    std::vector<WalkTile> expected;
    for (const llvm::json::Value &visit : *thread.getArray("w"))
      append(expected.emplace_back(), getNumbers(*visit.getAsObject(), "off"),
             *visit.getAsObject()->getString("valid"), width);
    vector.threads.push_back({t % 32, expected});
  }
  std::vector<VectorWalk> result;
  for (auto &[column, vector] : walks) {
    Walk &walk = vector.walk;
    vector.perTile = columns / lanes;
    std::string step = std::to_string(width) + "@e1",
                next = std::to_string(lanes * width) + "@e1",
                count = std::to_string(columns / lanes / width);
    // Four lanes side by side eight times, or eight, four lanes each.
    walk.map = "#tile.tv_map<tile = [1, " + std::to_string(columns) +
               "], layout = " + (isAccess ? "((4, 8), (" : "((4, 8), (") +
               std::to_string(width) + ", " + count + ")) : ((" +
               (isAccess ? step + ", 0@e1" : "0@e1, " + step) + "), (1@e1, " +
               next + ")), coverage = any>";
    walk.elementType =
        line.getString("element") == StringRef("float") ? "i32" : "i16";
    walk.start = {0, start[1] + column * columns};
    walk.extent = {1, length};
    vector.end = length;
    walk.stride = {length, 1};
    walk.random = true;
    if (problem) {
      // Channels begin anew after the last one.
      walk.extent[1] = length * 1024;
      walk.layout =
          *Layout::get(IntTuple::tuple({1, IntTuple::tuple({length, 1024})}),
                       IntTuple::tuple({length, IntTuple::tuple({1, 0})}));
    }
    std::vector<int64_t> moves(tiles - 1, 1);
    if (line.getBoolean("residual_first").value_or(false)) {
      // What is left over comes first; its guard is that of any other tile, so
      // that two iterators walk.
      int64_t residue = length % columns == 0 ? columns : length % columns;
      std::string at = std::to_string(walk.start[1] + residue);
      walk.body = load(0, "!iter", vector.perTile, walk.elementType) +
                  "  %it1 = tile.make_iterator %v(0, " + at + "), %t : !iter\n";
      moves.pop_back();
      walk.body += writeMoves(walk, vector.perTile, moves, 1);
    } else {
      walk.body = writeMoves(walk, vector.perTile, moves);
    }
    result.push_back(std::move(vector));
  }
  return result;
}

std::vector<VectorWalk> read(const Object &line) {
  StringRef name = *line.getString("class");
  bool isConv = line.getString("namespace") == StringRef("conv");
  if (name == "PredicatedScaleBiasVectorAccessIterator")
    return {readScaleBias(line, isConv)};
  if (name == "RegularScaleBiasVectorAccessIterator")
    return {readRegular(line)};
  return readShared(line, name == "PredicatedVectorAccessIterator");
}

std::string identify(const Object &line) {
  Object shown = line;
  for (const char *key : {"threads", "offset"})
    shown.erase(key);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::json::Value(std::move(shown));
  return text;
}

class VectorGolden : public ::testing::Test {
protected:
  VectorGolden() { loadDialects(context); }

  /// Compares the threads of one walk; `reasons` are those of elements where
  /// ours is right and the reference is not.
  void compare(const VectorWalk &vector, int64_t width,
               Differences &differences, std::set<std::string> &reasons) {
    std::string error;
    LoweredWalk lowered(context, vector.walk, error);
    if (!lowered) {
      differences.push_back(error + " in\n" + vector.walk.write());
      return;
    }
    for (const auto &[t, theirs] : vector.threads) {
      std::vector<WalkTile> ours = lowered.run(t, vector.perTile, error);
      if (!error.empty() || ours.size() != theirs.size()) {
        differences.push_back("thread " + std::to_string(t) + ": " + error +
                              std::to_string(ours.size()) +
                              " tiles instead of " +
                              std::to_string(theirs.size()));
        return;
      }
      for (size_t k = 0; k < theirs.size(); ++k)
        for (size_t e = 0; e < theirs[k].size(); ++e) {
          const WalkElement &our = ours[k][e], &their = theirs[k][e];
          if (our == their)
            continue;
          // Beyond the vector's end, in an access that begins inside.
          size_t first = e - e % width;
          if (their.valid && !our.valid && first != e && ours[k][first].valid &&
              their.offset % kDistance >= vector.end) {
            reasons.insert("only the first element of a vector is guarded");
            continue;
          }
          if (differences.size() < 4)
            differences.push_back(
                "thread " + std::to_string(t) + ", tile " + std::to_string(k) +
                ", element " + std::to_string(e) + ": we have " +
                std::to_string(our.offset) + (our.valid ? " on" : " off") +
                " instead of " + std::to_string(their.offset) +
                (their.valid ? " on" : " off"));
        }
    }
  }

  MLIRContext context;
};

TEST_F(VectorGolden, Walks) {
  bool other = false;
  std::vector<Object> lines = readGolden("vector_iterator_walks.jsonl",
                                         "TILE_GOLDEN_VECTOR_WALKS", &other);
  checkClasses("vector_iterator_walks", lines, other);
  GoldenExceptions exceptions("vector_iterator_walks", other);
  unsigned passed = 0;
  for (const Object &line : lines) {
    Differences differences;
    std::set<std::string> reasons;
    int64_t width = line.getInteger("elements_per_access").value_or(1);
    for (VectorWalk &vector : read(line))
      for (bool divisors : {true, false}) {
        vector.walk.divisors = divisors;
        vector.walk.unroll = !divisors;
        compare(vector, width, differences, reasons);
      }
    exceptions.check(identify(line), reasons.empty() ? "" : *reasons.begin(),
                     differences);
    passed += differences.empty();
    if (!differences.empty())
      llvm::outs() << "difference: "
                   << llvm::json::Value(Object{
                          {"line", identify(line)},
                          {"reason", reasons.empty() ? "" : *reasons.begin()}})
                   << "\n  ours: " << join(differences) << "\n";
  }
  llvm::outs() << "golden vector_iterator_walks: " << passed << " of "
               << lines.size() << " lines (" << exceptions.size()
               << " where the reference is wrong)\n";
  llvm::outs().flush();
  exceptions.expectNoneLeft();
  EXPECT_EQ(passed, lines.size());
}

} // namespace
