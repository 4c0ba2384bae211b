// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks of iterators: as text of the IR, and as what the lowered IR accesses.
#include "Walk.h"

#include <numeric>

using namespace mlir;
using namespace tile::test;

/// ` {div = 8}` for a number that the IR may know to be divisible.
static std::string writeDivisor(const Walk &walk, int64_t number) {
  int64_t divisor = number == 0 ? 16 : std::min<int64_t>(16, number & -number);
  if (!walk.divisors || divisor == 1)
    return "";
  return "{div = " + std::to_string(divisor) + "}";
}

static bool isUnit(const Walk &walk, int64_t dim) {
  return walk.unitDim == dim;
}

std::string Walk::writeView() const {
  auto leaf = [&](int64_t number) { return "?" + writeDivisor(*this, number); };
  auto step = [&](int64_t dim) {
    return isUnit(*this, dim) ? "1" : leaf(stride[dim]);
  };
  return "!tile.view<" + elementType + ", " + space + ", (" + leaf(extent[0]) +
         ", " + leaf(extent[1]) + ") : (" + step(0) + ", " + step(1) +
         "), align = 16>";
}

std::string Walk::writeIterator(bool inResidue) const {
  std::string text = "!tile.iterator<!view, " + map;
  if (advance >= 0)
    text += ", advance = " + std::to_string(advance);
  if (predicated)
    text += ", predicated";
  if (inResidue)
    text += ", residue";
  if (random)
    text += ", random";
  return text + ">";
}

std::string Walk::write() const {
  auto operand = [&](const char *name, int64_t number) {
    return std::string(name) + " " + writeDivisor(*this, number);
  };
  auto step = [&](const char *name, int64_t dim) {
    return isUnit(*this, dim) ? "1" : operand(name, stride[dim]);
  };
  std::string pointer = space == "shared" ? "!llvm.ptr<3>" : "!llvm.ptr<1>";
  std::string text = "!view = " + writeView() + "\n" +
                     "!iter = " + writeIterator(predicated && residue && advance >= 0) + "\n" +
                     "!steady = " + writeIterator(false) + "\n";
  if (fragment)
    text += "!frag = vector<" + std::to_string(fragment) + "x" + elementType +
            ">\n";
  text += "func.func @walk(%p: " + pointer +
          ", %rows: index, %columns: index, %rs: index, %cs: index, %r: index, "
          "%c: index, %t: index" +
          (fragment ? ", %frag: !frag" : "") + ") {\n";
  text += "  %v = tile.make_view %p, (" + operand("%rows", extent[0]) + ", " +
          operand("%columns", extent[1]) + ") : (" + step("%rs", 0) + ", " +
          step("%cs", 1) + ") : " + pointer + " -> !view\n";
  text += "  %it0 = tile.make_iterator %v(" + operand("%r", start[0]) + ", " +
          operand("%c", start[1]) + "), %t : !iter\n";
  return text + body + "  return\n}\n";
}

LoweredWalk::LoweredWalk(MLIRContext &context, const Walk &walk,
                         std::string &error, bool viaViews)
    : walk(walk),
      module(lower(context, walk.write(), walk.unroll, error, viaViews)) {}

Recording LoweredWalk::record(int64_t t) {
  std::vector<RuntimeValue> arguments{{0},
                                      {walk.extent[0]},
                                      {walk.extent[1]},
                                      {walk.stride[0]},
                                      {walk.stride[1]},
                                      {walk.start[0]},
                                      {walk.start[1]},
                                      {t}};
  if (walk.fragment) {
    RuntimeValue labels(walk.fragment);
    std::iota(labels.begin(), labels.end(), 0);
    arguments.push_back(labels);
  }
  return tile::test::run(module->lookupSymbol<func::FuncOp>("walk"), arguments);
}

std::vector<WalkTile> LoweredWalk::run(int64_t t, int64_t perTile,
                                       std::string &error) {
  Recording recording = record(t);
  error += recording.error;
  std::vector<WalkTile> tiles;
  WalkTile tile;
  for (const RecordedAccess &access : recording.accesses) {
    for (size_t lane = 0; lane < access.lanes.size(); ++lane) {
      WalkElement element{access.address / access.elementBytes + int64_t(lane),
                          access.lanes[lane]};
      size_t number = access.isStore ? access.values[lane] : tile.size();
      if (number >= tile.size())
        tile.resize(number + 1);
      tile[number] = element;
      // A fragment is stored in its order, so that the last element ends it.
      if (int64_t(number) + 1 == perTile) {
        tiles.push_back(std::move(tile));
        tile.clear();
      }
    }
  }
  if (!tile.empty())
    error += "a load or store of other than " + std::to_string(perTile) +
             " elements; ";
  return tiles;
}

Oracle::Oracle(const Walk &walk, std::array<int64_t, 2> tile)
    : walk(walk), tile(tile), origin(walk.start),
      isResidue(walk.predicated && walk.residue && walk.advance >= 0) {
  if (!isResidue)
    return;
  // What whole tiles leave over of the rest of the extent, or a whole tile.
  int64_t dim = walk.advance;
  int64_t left = std::max<int64_t>(0, walk.extent[dim] - origin[dim]);
  residue = left % tile[dim] == 0 ? tile[dim] : left % tile[dim];
}

WalkWindow Oracle::getWindow() const {
  WalkWindow window{origin, {}};
  if (!walk.predicated)
    return window;
  for (int64_t dim : {0, 1})
    if (dim != walk.advance)
      window.limit[dim] = walk.extent[dim];
  if (isResidue)
    window.limit[walk.advance] =
        std::min(walk.extent[walk.advance], origin[walk.advance] + residue);
  return window;
}

void Oracle::move(int64_t tiles) {
  if (tiles == 0)
    return;
  int64_t dim = walk.advance;
  if (isResidue) {
    origin[dim] += residue;
    --tiles;
  }
  isResidue = false;
  origin[dim] += tiles * tile[dim];
}

void Oracle::addTileOffset(std::array<int64_t, 2> tiles) {
  for (int64_t dim : {0, 1}) {
    if (dim == walk.advance)
      move(tiles[dim]);
    else
      origin[dim] += tiles[dim] * tile[dim];
  }
}

WalkTile Oracle::getTile(const Walk &walk, ThreadMapAttrInterface map,
                         int64_t t, const WalkWindow &window) {
  AccessPattern pattern = getAccessPattern(map);
  SmallVector<int64_t, 2> tile = map.getTileShape();
  auto [row0, column0] = pattern.getThreadOffset(t);
  WalkTile elements;
  for (int64_t i = 0, e = pattern.getNumAccesses(); i < e; ++i) {
    auto [rows, columns] = pattern.getAccessOffset(i);
    for (int64_t v = 0; v < pattern.vector; ++v) {
      std::array<int64_t, 2> at{row0 + rows + (pattern.vectorDim == 0 ? v : 0),
                                column0 + columns +
                                    (pattern.vectorDim == 1 ? v : 0)};
      WalkElement element;
      for (int64_t dim : {0, 1}) {
        int64_t number = window.origin[dim] + at[dim];
        element.offset += number * walk.stride[dim];
        // Elements beyond the tile belong to another.
        element.valid &= !walk.predicated || at[dim] < tile[dim];
        if (window.limit[dim])
          element.valid &= number >= 0 && number < *window.limit[dim];
      }
      elements.push_back(element);
    }
  }
  return elements;
}
