// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks of iterators: as text of the IR, and as what the lowered IR accesses.
#include "Walk.h"

#include <numeric>

using namespace mlir;
using namespace tile;
using namespace tile::test;

/// ` {div = 8}` for a number that the IR may know to be divisible.
static std::string writeDivisor(const Walk &walk, int64_t number) {
  int64_t divisor = number == 0 ? 16 : std::min<int64_t>(16, number & -number);
  bool isConstant = !walk.permute.empty() || !walk.swizzle.isIdentity();
  if (!(walk.divisors || isConstant) || divisor == 1)
    return "";
  return "{div = " + std::to_string(divisor) + "}";
}

static bool isUnit(const Walk &walk, int64_t dim) {
  return walk.unitDim == dim;
}

/// Whether the view's layout is written as constants.
static bool hasConstantLayout(const Walk &walk) {
  return walk.divisors || !walk.swizzle.isIdentity() || !walk.permute.empty();
}

/// The tuple with a name for each leaf, `?` in a type.
static std::string writeTuple(const IntTuple &tuple, bool isType,
                              unsigned &next) {
  if (tuple.isLeaf())
    return isType ? "?" : "%leaf" + std::to_string(next++);
  std::string text;
  for (unsigned i = 0; i < tuple.rank(); ++i)
    text += (i ? ", " : "") + writeTuple(tuple[i], isType, next);
  return "(" + text + ")";
}

std::string Walk::writeView() const {
  std::string begin = "!tile.view<" + elementType + ", " + space + ", ";
  if (layout) {
    unsigned next = 0;
    int64_t align = 16;
    std::string text = layout->str();
    if (!hasConstantLayout(*this))
      text = writeTuple(layout->getShape(), true, next) + " : " +
             writeTuple(layout->getStride(), true, next);
    if (!swizzle.isIdentity()) {
      text = swizzle.str() + " o 0 o " + text;
      // At most 16 bytes an element.
      align = std::max<int64_t>(align, 16 * swizzle.getPeriod());
    }
    return begin + text + ", align = " + std::to_string(align) + ">";
  }
  auto leaf = [&](int64_t number) { return "?" + writeDivisor(*this, number); };
  auto step = [&](int64_t dim) {
    return isUnit(*this, dim) ? "1" : leaf(stride[dim]);
  };
  auto size = [&](int64_t dim) {
    return leaf(gather && gather->dim == dim ? gather->extent : extent[dim]);
  };
  return begin + "(" + size(0) + ", " + size(1) + ") : (" + step(0) + ", " +
         step(1) + "), align = 16>";
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
  for (auto [i, layout] : llvm::enumerate(permute))
    text += (i ? ", " : ", permute = [") + layout.str();
  if (!permute.empty())
    text += "]";
  if (gather) {
    text += ", gather = #tile.gather<dim = " + std::to_string(gather->dim) +
            ", indices = !list";
    if (gather->block != 1)
      text += ", block = " + std::to_string(gather->block);
    if (gather->base != 0)
      text += ", base = " + std::to_string(gather->base);
    if (gather->walked)
      text += ", length = ?" + writeDivisor(*this, gather->walked);
    text += ">";
  }
  if (!triangle.empty())
    text += ", triangle = #tile.triangle<" + triangle +
            (diagonal == "stored" ? "" : ", diagonal = " + diagonal) + ">";
  return text + ">";
}

std::string Walk::write() const {
  auto operand = [&](const char *name, int64_t number) {
    return std::string(name) + " " + writeDivisor(*this, number);
  };
  auto step = [&](const char *name, int64_t dim) {
    return isUnit(*this, dim) ? "1" : operand(name, stride[dim]);
  };
  auto size = [&](const char *name, int64_t dim) {
    return operand(name,
                   gather && gather->dim == dim ? gather->extent : extent[dim]);
  };
  std::string pointer = space == "shared" ? "!llvm.ptr<3>" : "!llvm.ptr<1>";
  std::string list = gather && gather->wide ? "i64" : "i32";
  std::string text =
      "!list = !tile.view<" + list +
      ", global, (?) : (1)>\n!view = " + writeView() + "\n" +
      "!iter = " + writeIterator(predicated && residue && advance >= 0) + "\n" +
      "!steady = " + writeIterator(false) + "\n";
  if (fragment)
    text += "!frag = vector<" + std::to_string(fragment) + "x" + elementType +
            ">\n";
  text += "func.func @walk(%p: " + pointer +
          ", %rows: index, %columns: index, %rs: index, %cs: index, %r: index, "
          "%c: index, %t: index" +
          (gather ? ", %i: !llvm.ptr<1>, %n: index, %length: index" : "") +
          (fragment ? ", %frag: !frag" : "") + ") {\n";
  std::string shapeAndStride = "(" + size("%rows", 0) + ", " +
                               size("%columns", 1) + ") : (" + step("%rs", 0) +
                               ", " + step("%cs", 1) + ")";
  if (layout && hasConstantLayout(*this)) {
    shapeAndStride = layout->str();
  } else if (layout) {
    unsigned next = 0;
    for (const IntTuple *tuple : {&layout->getShape(), &layout->getStride()})
      for (const IntTuple &leaf : tuple->getLeaves())
        text += "  %leaf" + std::to_string(next++) + " = arith.constant " +
                leaf.str() + " : index\n";
    next = 0;
    shapeAndStride = writeTuple(layout->getShape(), false, next);
    shapeAndStride += " : " + writeTuple(layout->getStride(), false, next);
  }
  text += "  %v = tile.make_view %p, " + shapeAndStride + " : " + pointer +
          " -> !view\n";
  if (gather)
    text += "  %list = tile.make_view %i, (%n) : (1) : !llvm.ptr<1> -> !list\n";
  text += "  %it0 = tile.make_iterator %v(" + operand("%r", start[0]) + ", " +
          operand("%c", start[1]) + "), %t" + (gather ? " indices %list" : "") +
          (gather && gather->walked ? " length %length" : "") + " : !iter\n";
  return text + body + "  return\n}\n";
}

int64_t Walk::getOffset(int64_t row, int64_t column) const {
  if (permute.empty() && !layout)
    return row * stride[0] + column * stride[1];
  if (permute.empty())
    return swizzle.at((*layout)[0].at(row) + (*layout)[1].at(column));
  return swizzle.at(layout->at(evaluate(permute, row, column)));
}

bool Walk::isInTriangle(int64_t row, int64_t column) const {
  if (triangle.empty())
    return true;
  if (row == column)
    return diagonal == "stored";
  return (triangle == "lower") == (row > column);
}

LoweredWalk::LoweredWalk(MLIRContext &context, const Walk &walk,
                         std::string &error, bool viaViews)
    : walk(walk),
      module(lower(context, walk.write(), walk.unroll, error, viaViews)) {
  if (module)
    program.emplace(module->lookupSymbol<func::FuncOp>("walk"));
}

Recording LoweredWalk::record(int64_t t) {
  std::vector<RuntimeValue> arguments{{0},
                                      {walk.extent[0]},
                                      {walk.extent[1]},
                                      {walk.stride[0]},
                                      {walk.stride[1]},
                                      {walk.start[0]},
                                      {walk.start[1]},
                                      {t}};
  IndexMemory indices;
  if (walk.gather) {
    const WalkGather &gather = *walk.gather;
    arguments[1 + gather.dim] = {gather.extent};
    indices.values = gather.indices;
    indices.elementBytes = gather.wide ? 8 : 4;
    arguments.push_back(IndexMemory::getPointer());
    arguments.push_back({gather.length});
    arguments.push_back({gather.walked});
  }
  if (walk.fragment) {
    RuntimeValue labels(walk.fragment);
    std::iota(labels.begin(), labels.end(), 0);
    arguments.push_back(labels);
  }
  return program->run(arguments, /*memory=*/nullptr,
                      walk.gather ? &indices : nullptr);
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
    if (dim != walk.advance || !walk.triangle.empty())
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

bool WalkGather::lookUp(int64_t &coordinate) const {
  int64_t index = indices[coordinate / block] - base;
  coordinate = index * block + coordinate % block;
  return coordinate >= 0 && coordinate < extent;
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
      std::array<int64_t, 2> number;
      for (int64_t dim : {0, 1}) {
        number[dim] = window.origin[dim] + at[dim];
        // Elements beyond the tile belong to another.
        element.valid &= !walk.predicated || at[dim] < tile[dim];
        if (window.limit[dim])
          element.valid &= number[dim] >= 0 && number[dim] < *window.limit[dim];
      }
      element.valid &= walk.isInTriangle(number[0], number[1]);
      if (walk.gather && element.valid)
        element.valid = walk.gather->lookUp(number[walk.gather->dim]);
      if (element.valid || (!walk.gather && !walk.predicated))
        element.offset = walk.getOffset(number[0], number[1]);
      elements.push_back(element);
    }
  }
  return elements;
}
