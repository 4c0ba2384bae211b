// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks of mapped iterators: as text of the IR, and what the lowered IR does.
#ifndef TILE_TEST_UNIT_ITERATORS_MAPPEDWALK_H
#define TILE_TEST_UNIT_ITERATORS_MAPPEDWALK_H

#include "Walk.h"
#include <functional>

namespace tile::test {

/// A leaf of the map from the matrix to the view: `extent` steps of `stride`
/// along a mode of the view.
struct MappedLeaf {
  int64_t extent, stride, mode;
  /// The IR has the extent as a constant, whatever is said of other numbers.
  bool isConstant = false;
};

/// An iterator over a mapped matrix. Pairs are (row, column).
struct MappedWalk {
  /// The attribute of the thread map.
  std::string map;
  std::string elementType = "f32";
  /// The view.
  std::vector<int64_t> shape, stride;
  /// The map to the view; none: rows and columns are those of the view.
  std::vector<MappedLeaf> rows, columns;
  /// One number for each mode of the view, or none.
  std::vector<int64_t> origin, divide;
  std::array<int64_t, 2> start{0, 0};
  int64_t steps = 1, advance = 0;
  std::string fill = "full";
  std::string space = "global";
  /// A swizzle of the last mode: bits, into, mode, from.
  std::vector<int64_t> xorBits;
  bool whole = false;
  /// Rows are looked up here.
  std::optional<std::vector<int64_t>> indices;
  /// Numbers are constants in the IR; otherwise it knows by which powers of two
  /// they are divisible, or, without divisors, nothing.
  bool constants = false, divisors = true;
  bool unroll = false;
  /// Elements of a fragment.
  int64_t fragment = 0;
  /// Operations on %it0, the iterator; !iter is its type, !frag that of the
  /// fragment %frag.
  std::string body;

  /// `tile.iterator_store %frag, %itK` at each of `count` positions, or loads;
  /// moves by `jumps` (1 each where there are none).
  void writeBody(int64_t count, bool stores,
                 const std::vector<int64_t> &jumps = {});
  /// The function @walk; the numbers that it takes behind the pointers.
  std::string write(std::vector<int64_t> *arguments = nullptr) const;
};

/// Element (row, column) of the matrix by definition: its offset in elements,
/// or nothing where it does not exist.
using MappedDefinition =
    std::function<std::optional<int64_t>(int64_t row, int64_t column)>;

/// The lowered function of a walk.
class LoweredMappedWalk {
public:
  /// Parses and lowers, with `viaViews` by way of views and layouts; `error`
  /// says why not.
  LoweredMappedWalk(mlir::MLIRContext &context, const MappedWalk &walk,
                    std::string &error, bool viaViews = false);
  explicit operator bool() const { return bool(module); }

  /// What thread `t` accesses, one entry for each load and store of the body.
  std::vector<WalkTile> run(int64_t t, std::string &error);

  /// What thread `t` does, but for looking up rows.
  Recording record(int64_t t, std::string &error);

private:
  MappedWalk walk;
  std::vector<int64_t> arguments;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Program> program;
};

/// The elements of thread `t` in position `k` of a walk (counted in steps), by
/// definition.
WalkTile getMappedTile(const MappedWalk &walk, ThreadMapAttrInterface map,
                       int64_t t, int64_t k, const MappedDefinition &define);

} // namespace tile::test

#endif // TILE_TEST_UNIT_ITERATORS_MAPPEDWALK_H
