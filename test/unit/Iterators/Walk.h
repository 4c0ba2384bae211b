// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks of iterators: as text of the IR, and as what the lowered IR accesses.
#ifndef TILE_TEST_UNIT_ITERATORS_WALK_H
#define TILE_TEST_UNIT_ITERATORS_WALK_H

#include "Interpreter.h"
#include "tile/IR/ThreadMap.h"
#include "tile/Layout/OperandLayouts.h"
#include <array>
#include <functional>

namespace tile::test {

/// One element of a fragment: where it is, in elements from the pointer, and
/// whether it is accessed.
struct WalkElement {
  int64_t offset = 0;
  bool valid = true;
  bool operator==(const WalkElement &other) const {
    return valid == other.valid && (!valid || offset == other.offset);
  }
};

/// The elements of one load or store, in the order of the fragment.
using WalkTile = std::vector<WalkElement>;

/// The list of indices of a gather, and the matrix's extent along it.
struct WalkGather {
  int64_t dim = 0, extent = 0, block = 1, base = 0;
  /// How many indices the IR knows of; memory may hold more.
  int64_t length = 0;
  /// The length of the walk where it is not that of the list; 0: it is.
  int64_t walked = 0;
  std::vector<int64_t> indices;
  /// The list is of 64-bit integers.
  bool wide = false;
  /// Takes a coordinate to the one that the list has for it; false if that is
  /// none of the matrix's.
  bool lookUp(int64_t &coordinate) const;
};

/// An iterator over a matrix. Pairs are (row, column).
struct Walk {
  /// The attribute of the thread map.
  std::string map;
  std::string elementType = "f32";
  std::string space = "global";
  std::array<int64_t, 2> extent, stride, start{0, 0};
  /// -1: does not advance.
  int64_t advance = -1;
  bool predicated = true, residue = true, random = false;
  /// The IR knows by which powers of two the numbers are divisible; otherwise
  /// it knows nothing of them, and accesses single elements.
  bool divisors = true;
  /// The dimension whose stride is the constant 1; -1: none.
  int64_t unitDim = 1;
  /// Unroll the strip-mined loops.
  bool unroll = false;
  /// Elements of the fragment that the body stores; 0: it has none.
  int64_t fragment = 0;
  /// The view's layout where it is none of extents and strides; with `divisors`
  /// its leaves are constants, without they are known at run time only. Under a
  /// swizzle or a permutation it is always constant.
  std::optional<Layout> layout;
  Swizzle swizzle;
  LayoutChain permute;
  std::optional<WalkGather> gather;
  /// `lower` or `upper`, and `stored`, `unit` or `zero`; empty: no triangle.
  std::string triangle, diagonal = "stored";
  /// Operations on %it0, the iterator; !iter is its type, !steady that in the
  /// steady phase, !frag that of the fragment, %frag a fragment 0, 1, 2, ….
  std::string body;

  /// The type of the view, and of the iterator in the given phase.
  std::string writeView() const;
  std::string writeIterator(bool inResidue) const;
  /// The function @walk.
  std::string write() const;
  /// Where the element at (row, column) is, by definition.
  int64_t getOffset(int64_t row, int64_t column) const;
  /// Whether the triangle has the element.
  bool isInTriangle(int64_t row, int64_t column) const;
};

/// The lowered function of a walk.
class LoweredWalk {
public:
  /// Parses and lowers, with `viaViews` by way of views and layouts; `error`
  /// says why not.
  LoweredWalk(mlir::MLIRContext &context, const Walk &walk, std::string &error,
              bool viaViews = false);
  explicit operator bool() const { return bool(module); }

  /// What thread `t` accesses, one entry for each of the body's loads and
  /// stores, all of which transfer `perTile` elements. A store's elements are
  /// sorted by their number in %frag.
  std::vector<WalkTile> run(int64_t t, int64_t perTile, std::string &error);

  /// What thread `t` does.
  Recording record(int64_t t);

private:
  Walk walk;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Program> program;
};

/// A tile of a walk, by definition: where it begins, and below which row and
/// column elements are accessed (none: not tested).
struct WalkWindow {
  std::array<int64_t, 2> origin{0, 0};
  std::array<std::optional<int64_t>, 2> limit;
};

/// The tiles of a walk that advances, the residue first.
class Oracle {
public:
  Oracle(const Walk &walk, std::array<int64_t, 2> tile);
  /// The current tile.
  WalkWindow getWindow() const;
  void advance() { move(1); }
  /// Moves by tiles down and to the right.
  void addTileOffset(std::array<int64_t, 2> tiles);
  /// What one thread has of the window, in the order of the map's layout.
  static WalkTile getTile(const Walk &walk, ThreadMapAttrInterface map,
                          int64_t t, const WalkWindow &window);

private:
  void move(int64_t tiles);

  const Walk &walk;
  std::array<int64_t, 2> tile, origin;
  bool isResidue = false;
  int64_t residue = 0;
};

} // namespace tile::test

#endif // TILE_TEST_UNIT_ITERATORS_WALK_H
