// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden orders of thread blocks against the lowered IR.
#include "../IR/GoldenLines.h"
#include "Interpreter.h"

#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir;
using namespace tile::test;
using llvm::json::Array;
using llvm::json::Object;

namespace {

using Coordinate = std::vector<int64_t>;

/// The order that a class of the reference stands for, or "".
std::string getOrder(llvm::StringRef name) {
  auto [kind, width] = name.split('<');
  std::string number = width.empty() ? "1" : width.drop_back().str();
  if (kind == "GemmIdentityThreadblockSwizzle" ||
      kind == "GemmSplitKIdentityThreadblockSwizzle")
    return "kind = grouped, width = " + number;
  if (kind == "GemmIdentityThreadblockSwizzleNoPadding")
    return "kind = grouped_exact, width = " + number;
  if (kind == "GemmHorizontalThreadblockSwizzle" ||
      kind == "GemmSplitKHorizontalThreadblockSwizzle")
    return "kind = horizontal";
  if (kind == "GemmBatchedIdentityThreadblockSwizzle" ||
      kind == "GemvBatchedStridedThreadblockDefaultSwizzle")
    return "kind = plain";
  return "";
}

/// The lowered operations of an order.
class Order {
public:
  Order(MLIRContext &context, const std::string &order, std::string &error)
      : module(lower(context,
                     R"(
func.func @grid(%m: index, %n: index, %k: index) -> (index, index, index) {
  %x, %y, %z = tile.block_grid #tile.block_order<)" +
                         order + R"(> (%m, %n, %k)
  return %x, %y, %z : index, index, index
}
func.func @tile(%m: index, %n: index, %k: index, %x: index, %y: index, %z: index) -> (index, index, index) {
  %i, %j, %s = tile.block_tile #tile.block_order<)" +
                         order + R"(> (%m, %n, %k) at %x, %y, %z
  return %i, %j, %s : index, index, index
}
)",
                     true, error)) {}
  explicit operator bool() const { return bool(module); }

  Coordinate run(const char *name, const Coordinate &numbers,
                 std::string &error) {
    std::vector<RuntimeValue> arguments;
    for (int64_t number : numbers)
      arguments.push_back({number});
    Recording recording =
        tile::test::run(module->lookupSymbol<func::FuncOp>(name), arguments);
    error += recording.error;
    Coordinate results;
    for (const RuntimeValue &value : recording.results)
      results.push_back(value.front());
    return results;
  }

  /// The tiles of all blocks, x fastest.
  std::vector<Coordinate> getTiles(const Coordinate &tiles,
                                   const Coordinate &grid, std::string &error) {
    std::vector<Coordinate> taken;
    for (int64_t z = 0; z < grid[2]; ++z)
      for (int64_t y = 0; y < grid[1]; ++y)
        for (int64_t x = 0; x < grid[0]; ++x)
          taken.push_back(
              run("tile", {tiles[0], tiles[1], tiles[2], x, y, z}, error));
    return taken;
  }

private:
  OwningOpRef<ModuleOp> module;
};

/// Whether the blocks take every tile once, and those without one know it.
bool takesEveryTileOnce(const std::vector<Coordinate> &taken,
                        const Coordinate &tiles) {
  std::set<Coordinate> seen;
  for (const Coordinate &tile : taken) {
    if (tile[1] >= tiles[1])
      continue;
    if (tile[0] >= tiles[0] || tile[2] >= tiles[2] || !seen.insert(tile).second)
      return false;
  }
  return int64_t(seen.size()) == tiles[0] * tiles[1] * tiles[2];
}

std::vector<Coordinate> readTiles(const Object &line, const char *key) {
  std::vector<Coordinate> tiles;
  for (const llvm::json::Value &entry : *line.getArray(key)) {
    Coordinate tile;
    for (const llvm::json::Value &number : *entry.getAsArray())
      tile.push_back(*number.getAsInteger());
    tiles.push_back(tile);
  }
  return tiles;
}

TEST(BlockOrderGolden, ThreadblockSwizzles) {
  MLIRContext context;
  loadDialects(context);
  bool other = false;
  std::vector<Object> lines =
      readGolden("threadblock_swizzle.jsonl", "TILE_GOLDEN_SWIZZLES", &other);
  checkClasses("threadblock_swizzle", lines, other);
  unsigned passed = 0, elsewhere = 0, exceptions = 0;
  for (const Object &line : lines) {
    llvm::StringRef name = *line.getString("class");
    std::string text = getOrder(name);
    // StreamKGolden has them.
    if (name == "ThreadblockSwizzleStreamK") {
      ++elsewhere;
      continue;
    }
    Differences differences;
    std::string error;
    Order order(context, text, error);
    if (text.empty()) {
      differences.push_back("not modelled: " + name.str());
    } else if (!order) {
      differences.push_back(error);
    } else {
      // A matrix by a vector has one row of tiles, and batches take its place.
      bool isVector = name.starts_with("Gemv");
      Coordinate tiles =
          getNumbers(line, isVector ? "tiled_shape_mnkb" : "tiled_shape");
      if (isVector)
        tiles = {tiles[1], tiles[3], tiles[2]};
      Coordinate grid = order.run("grid", tiles, error);
      compare(differences, line, "grid", grid);
      std::vector<Coordinate> ours = order.getTiles(tiles, grid, error);
      if (!error.empty())
        differences.push_back(error);
      if (!takesEveryTileOnce(ours, tiles))
        differences.push_back("a tile is not taken once");
      if (isVector) {
        for (Coordinate &tile : ours)
          tile = {0, tile[0], tile[2], tile[1]};
        if (ours != readTiles(line, "tile_offset_mnkb"))
          differences.push_back("tile_offset_mnkb differs");
      }
      if (line.get("tile_offset_by_log_tile") &&
          ours != readTiles(line, "tile_offset_by_log_tile"))
        differences.push_back("tile_offset_by_log_tile differs");
      // The other look-up of the reference takes the width that was asked for
      // in place of that of the grid. Where both differ it leaves tiles out, or
      // ours is the one that does.
      if (line.get("tile_offset_by_tiled_shape")) {
        std::vector<Coordinate> theirs =
            readTiles(line, "tile_offset_by_tiled_shape");
        bool isSame = ours == theirs;
        exceptions += !isSame;
        if (!isSame && takesEveryTileOnce(theirs, tiles))
          differences.push_back("tile_offset_by_tiled_shape differs");
      }
    }
    passed += differences.empty();
    if (!differences.empty())
      llvm::outs() << "difference: " << describe(line)
                   << "\n  ours: " << join(differences) << "\n";
  }
  llvm::outs() << "golden threadblock_swizzle: " << passed << " of "
               << lines.size() - elsewhere << " lines (" << exceptions
               << " where the look-up by shape does not fit the grid), "
               << elsewhere << " compared elsewhere\n";
  llvm::outs().flush();
  EXPECT_EQ(passed + elsewhere, lines.size());
  EXPECT_GT(passed, 0u);
}

TEST(BlockOrderProperty, EveryTileOnce) {
  MLIRContext context;
  loadDialects(context);
  for (const char *kind : {"plain", "horizontal", "grouped", "grouped_exact"})
    for (int64_t width : {1, 2, 8, 64}) {
      bool isGrouped = llvm::StringRef(kind).starts_with("grouped");
      if (!isGrouped && width != 1)
        continue;
      std::string error;
      Order order(context,
                  "kind = " + std::string(kind) +
                      ", width = " + std::to_string(width),
                  error);
      ASSERT_TRUE(order) << error;
      for (int64_t m : {0, 3})
        for (int64_t n = 0; n < 70; ++n) {
          Coordinate tiles{m, n, 1};
          Coordinate grid = order.run("grid", tiles, error);
          std::vector<Coordinate> taken = order.getTiles(tiles, grid, error);
          ASSERT_EQ(error, "");
          EXPECT_TRUE(takesEveryTileOnce(taken, tiles))
              << kind << " " << width << ", " << m << " by " << n;
          // Less than one group of columns is idle, or nothing.
          int64_t blocks = grid[0] * grid[1] * grid[2];
          if (llvm::StringRef(kind) == "grouped")
            EXPECT_LE(blocks, m * (n + width - 1)) << width << ", n = " << n;
          else
            EXPECT_EQ(blocks, m * n) << kind << " " << width << ", n = " << n;
        }
    }
}

} // namespace
