// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop of warps: mma.sync over a ring of stages that copies fill.
#include "tile/DSL/WarpMma.h"

#include "Staging.h"
#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Lanes of a warp, and rows that they have of a matrix: lane l is at row l
/// / 4.
static constexpr int64_t kLanes = 32, kRows = 8, kLanesOfRow = 4;
/// Rows that one ldmatrix of four matrices loads.
static constexpr int64_t kMatrixRows = 16;

Val dsl::loadMatrix(View view, ArrayRef<Leaf> coord, Val lane,
                    ArrayRef<int64_t> tile, int64_t along, CallSite site) {
  Staging stage(site, {view.get(), lane});
  if (!stage)
    return Val();
  Scope &scope = stage.getScope();
  SmallVector<Value> operands;
  SmallVector<IntTuple> leaves;
  for (const Leaf &leaf : coord) {
    leaves.push_back(leaf.value ? IntTuple(Int::dynamic(leaf.divisor))
                                : IntTuple(leaf.constant));
    if (leaf.value)
      operands.push_back(leaf.value.get());
  }
  auto type = VectorType::get({tile[0] * tile[1] / kLanes},
                              view.getType().getElementType());
  return Val(scope, LoadMatrixOp::create(
                        scope.builder, scope.loc, type, view.get(), operands,
                        IntTupleAttr::get(scope.builder.getContext(),
                                          IntTuple::tuple(leaves)),
                        lane.get(), tile, along));
}

namespace {

/// The fragments of one step, one for each atom along M or N.
struct StepFragments {
  SmallVector<Val> a, b;
  void carry(Carried &carried) {
    for (Val &value : a)
      carried.add(value);
    for (Val &value : b)
      carried.add(value);
  }
};

/// A list of variables that a loop carries.
struct ValList {
  SmallVector<Val> values;
  void carry(Carried &carried) {
    for (Val &value : values)
      carried.add(value);
  }
};

} // namespace

/// Whether ldmatrix loads fragments of a view: it transposes 16 bits only.
static bool hasMatrixLoads(View ring) {
  ViewType type = ring.getType();
  bool isKMajor = type.getLayout()[1].getLeafModes().front().stride.isStatic(1);
  int64_t bytes = type.getElementBytes();
  return bytes == 2 || (bytes < 8 && isKMajor);
}

/// The elements that each lane has of `rows` by `depth` elements, one by one:
/// lane l is at (l / 4, l mod 4); the next is 8 rows below, then 4 along K.
static Val loadElements(View stage, Val row, Val column, int64_t rows,
                        int64_t depth) {
  SmallVector<Val> elements;
  for (int64_t k = 0; k < depth; k += kLanesOfRow)
    for (int64_t r = 0; r < rows; r += kRows)
      elements.push_back(stage.load({Leaf(row + r), Leaf(column + k)}, 1));
  return concatenate(elements);
}

/// The fragments of an operand of one step, for atoms of `rows` rows.
static SmallVector<Val> loadFragments(const WarpMainloop &loop,
                                      const WarpOperand &operand, Val stage,
                                      int64_t step, int64_t rows, bool isB) {
  View view = operand.ring.at({Leaf(stage)});
  int64_t depth = loop.atom.getShape()[2];
  SmallVector<Val> fragments;
  if (!hasMatrixLoads(operand.ring)) {
    Val lane = loop.thread % kLanes;
    Val row = operand.first + lane / kLanesOfRow;
    Val column = lane % kLanesOfRow + step * depth;
    for (int64_t first = 0; first < operand.rows; first += rows)
      fragments.push_back(loadElements(view, row + first, column, rows, depth));
    return fragments;
  }
  // Of B, four matrices are those of two atoms.
  for (int64_t first = 0; first < operand.rows; first += kMatrixRows) {
    Val loaded = loadMatrix(
        view, {Leaf(operand.first + first, kMatrixRows), Leaf(step * depth)},
        loop.thread, {kMatrixRows, depth}, isB);
    int64_t size = rows * depth / kLanes;
    for (int64_t part = 0; part < kMatrixRows / rows; ++part)
      fragments.push_back(rows == kMatrixRows
                              ? loaded
                              : extractSlice(loaded, part * size, size));
  }
  return fragments;
}

static StepFragments loadStep(const WarpMainloop &loop, Val stage,
                              int64_t step) {
  ArrayRef<int64_t> shape = loop.atom.getShape();
  return {loadFragments(loop, loop.a, stage, step, shape[0], /*isB=*/false),
          loadFragments(loop, loop.b, stage, step, shape[1], /*isB=*/true)};
}

/// Atoms of a row of atoms and of the next in turns of direction, so that a
/// fragment of B is used twice in a row. `afterRow` is called behind each row.
static void multiplyStep(const WarpMainloop &loop,
                         const StepFragments &fragments, ValList &sums,
                         function_ref<void(int64_t row)> afterRow) {
  size_t columns = fragments.b.size();
  for (size_t i = 0; i < fragments.a.size(); ++i) {
    for (size_t j = 0; j < columns; ++j) {
      size_t column = i % 2 ? columns - 1 - j : j;
      Val &sum = sums.values[i * columns + column];
      sum = mma(loop.atom, fragments.a[i], fragments.b[column], sum);
    }
    afterRow(i);
  }
}

/// The thread's iterator over the tile in a stage.
static Iterator getStores(const WarpMainloop &loop, const WarpOperand &operand,
                          Val stage) {
  return operand.stores.at({Leaf(stage)})
      .iterate(0, 0, loop.thread, operand.global.getMap(), Walk{});
}

namespace {

/// The walks over global memory of both operands, and tiles on their way
/// through registers.
struct TileLoads {
  Iterator a, b;
  Val stagedA, stagedB;

  void carry(Carried &carried) {
    carried.add(a);
    carried.add(b);
  }
  /// Moves to the next tiles, of which there are no more if `last`.
  void advance(Val last) {
    a = a.advance().clearMask(last);
    b = b.advance().clearMask(last);
  }
  /// Starts to copy the current tiles.
  void start(Scope &scope, const WarpMainloop &loop, Val stage) {
    if (loop.copy == TileCopy::Registers) {
      stagedA = a.load();
      stagedB = b.load();
      return;
    }
    startPart(loop, stage, 0, 1);
    commitCopies(scope);
  }
  /// Starts part `part` of `parts` of the asynchronous copies, those of A
  /// first; the group stays open.
  void startPart(const WarpMainloop &loop, Val stage, int64_t part,
                 int64_t parts) {
    int64_t countA = a.getType().getStepAccesses();
    int64_t count = countA + b.getType().getStepAccesses();
    int64_t first = count * part / parts, last = count * (part + 1) / parts;
    if (int64_t end = std::min(last, countA); first < end)
      a.copyAsyncTo(getStores(loop, loop.a, stage), first, end - first);
    if (int64_t begin = std::max(first, countA); begin < last)
      b.copyAsyncTo(getStores(loop, loop.b, stage), begin - countA,
                    last - begin);
  }
  /// Ends what `start` of the same stage has started, but for what is
  /// asynchronous.
  void finish(const WarpMainloop &loop, Val stage) {
    if (loop.copy == TileCopy::Async)
      return;
    getStores(loop, loop.a, stage).store(stagedA);
    getStores(loop, loop.b, stage).store(stagedB);
  }
};

} // namespace

/// Reports what the loop cannot be staged without.
static LogicalResult verifyWarpMainloop(Scope &scope,
                                        const WarpMainloop &loop) {
  bool isSet = loop.atom && loop.tiles && loop.thread;
  for (const WarpOperand *operand : {&loop.a, &loop.b})
    isSet &= operand->global.get() && operand->ring.get() &&
             operand->stores.get() && operand->first;
  if (!isSet) {
    reportMistake(scope, "expected an atom, a number of tiles, the thread, and "
                         "a walk and stages of each operand for a main loop, "
                         "but got one that was never set");
    return failure();
  }
  ArrayRef<int64_t> shape = loop.atom.getShape();
  auto check = [&](bool holds, const Twine &sentence) {
    if (!holds)
      reportMistake(scope, sentence);
    return holds;
  };
  int64_t rows = loop.a.rows, columns = loop.b.rows;
  return success(
      check(loop.stages >= 2, "expected a main loop of at least 2 stages, but "
                              "got " +
                                  Twine(loop.stages)) &&
      check(loop.steps >= 1, "expected at least one mma step in a tile, but "
                             "got " +
                                 Twine(loop.steps)) &&
      check(rows > 0 && rows % shape[0] == 0,
            "expected rows of A of a warp that are a multiple of " +
                Twine(shape[0]) + ", but got " + Twine(rows)) &&
      check(columns > 0 && columns % kMatrixRows == 0,
            "expected columns of B of a warp that are a multiple of " +
                Twine(kMatrixRows) + ", but got " + Twine(columns)));
}

static void wait(Scope &scope, const WarpMainloop &loop, int64_t pending) {
  if (loop.copy == TileCopy::Async)
    waitCopies(scope, pending);
}

Val dsl::warpMultistage(Scope &scope, const WarpMainloop &loop, CallSite site) {
  Call call(scope, site);
  if (failed(verifyWarpMainloop(scope, loop)))
    return Val();
  int64_t stages = loop.stages;
  TileLoads loads{loop.a.global, loop.b.global, Val(), Val()};
  for (int64_t stage = 0; stage + 1 < stages; ++stage) {
    Val place = indexConstant(scope, stage);
    loads.start(scope, loop, place);
    loads.finish(loop, place);
    loads.advance(loop.tiles <= stage + 1);
  }
  wait(scope, loop, stages - 2);
  barrier(scope);

  ArrayRef<int64_t> shape = loop.atom.getShape();
  ValList sums;
  int64_t atoms = loop.a.rows / shape[0] * (loop.b.rows / shape[1]);
  for (int64_t i = 0; i < atoms; ++i)
    sums.values.push_back(
        zeros(scope, loop.atom.getAcc(), loop.atom.getValuesC()));
  // The stage that is multiplied, and the one that is filled meanwhile.
  Val read = indexConstant(scope, 0), write = indexConstant(scope, stages - 1);
  StepFragments fragments = loadStep(loop, read, 0);
  auto next = [&](Val stage) {
    return select(equal(stage, stage.constant(stages - 1)), stage.constant(0),
                  stage + int64_t(1));
  };
  // Copies have the steps before the last one, which waits for an older group.
  bool isSpread = loop.copy == TileCopy::Async && loop.steps > 1;
  int64_t rows = loop.a.rows / shape[0], parts = (loop.steps - 1) * rows;
  forLoop(scope, loop.tiles, carry(sums, loads, read, write, fragments),
          [&](Val tile) {
            if (!isSpread)
              loads.start(scope, loop, write);
            for (int64_t step = 0; step < loop.steps; ++step) {
              bool isLast = step + 1 == loop.steps;
              if (isLast) {
                if (isSpread)
                  commitCopies(scope);
                loads.finish(loop, write);
                loads.advance((tile + stages) >= loop.tiles);
                write = read;
                read = next(read);
                wait(scope, loop, stages - 2);
                barrier(scope);
              }
              StepFragments following =
                  loadStep(loop, read, (step + 1) % loop.steps);
              multiplyStep(loop, fragments, sums, [&](int64_t row) {
                if (isSpread && !isLast)
                  loads.startPart(loop, write, step * rows + row, parts);
              });
              fragments = following;
            }
          });
  // Copies past the last tile may still be in flight; wait for them, since
  // they write to shared memory.
  wait(scope, loop, 0);
  return concatenate(sums.values);
}
