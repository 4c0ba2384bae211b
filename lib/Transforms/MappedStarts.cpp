// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a walk over a mapped matrix starts.
#include "IteratorLowering.h"
#include "MappedWalks.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;
using Kind = MappedPlan::Kind;

namespace {

/// Where a place along a dimension is: what it adds to the coordinate, and
/// whether it is within `coords`.
struct PlaceCoordinate {
  SmallVector<Value> coordinate;
  Value exists;
};

/// The places along each dimension of digits.
using PlaceLists = std::array<SmallVector<PlaceCoordinate>, 2>;

} // namespace

static PlaceCoordinate toCoordinate(Arith arith, const MappedMatrix &matrix,
                                    int64_t dim, const PlaceDigits &place) {
  PlaceCoordinate result;
  result.coordinate.assign(matrix.plan.modeMoves.size(), arith.constant(0));
  addToCoordinate(arith, matrix, dim, place.digits, result.coordinate);
  result.exists = place.exists;
  return result;
}

/// Where memory access `number` is when the walk starts, and whether it is
/// within `coords` as far as no move changes that. `places`: those along
/// dimensions of digits. State: tile, inTile, origin.
static PlaceCoordinate getStart(Arith arith, const MappedMatrix &matrix,
                                const PlaceLists &places, Value number) {
  const MappedPlan &plan = matrix.plan;
  const MappedState &state = matrix.state;
  std::array<Value, 2> offset = getAccessOffset(arith, matrix, number);
  PlaceCoordinate start;
  start.coordinate = SmallVector<Value>(state.origin);
  if (plan.type.isIdentity())
    start.coordinate.assign(2, arith.constant(0));
  for (int64_t dim : {0, 1}) {
    int64_t tile = plan.type.getMap().getTileShape()[dim];
    if (plan.leavesTile)
      start.exists = both(arith, start.exists,
                          arith.less(arith.add(state.inTile[dim], offset[dim]),
                                     arith.constant(tile)));
    PlaceCoordinate place;
    if (plan.kinds[dim] == Kind::Digits) {
      auto pick = [&](auto get) {
        SmallVector<Value> values;
        for (const PlaceCoordinate &place : places[dim])
          values.push_back(get(place));
        return pickPlace(arith, plan.placeOf[dim], values, number);
      };
      for (size_t mode = 0; mode < start.coordinate.size(); ++mode)
        place.coordinate.push_back(
            pick([&](const PlaceCoordinate &p) { return p.coordinate[mode]; }));
      place.exists = pick([](const PlaceCoordinate &p) { return p.exists; });
    } else {
      place = toCoordinate(arith, matrix, dim,
                           getPlaceDigits(arith, matrix, dim, offset[dim]));
    }
    // A uniform dimension that only steps within a tile stays within coords.
    if (!plan.moves[dim] ||
        (plan.kinds[dim] == Kind::Uniform && plan.type.getAdvance() != dim))
      start.exists = both(arith, start.exists, place.exists);
    for (auto [sum, c] : llvm::zip_equal(start.coordinate, place.coordinate))
      sum = arith.add(sum, c);
  }
  return start;
}

/// Whether a memory access exists, as far as no move changes that.
static Value existsAnywhere(Arith arith, const MappedMatrix &matrix,
                            const PlaceLists &places, Value number) {
  const MappedPlan &plan = matrix.plan;
  PlaceCoordinate start = getStart(arith, matrix, places, number);
  if (plan.type.isIdentity())
    return start.exists;
  for (int64_t mode = 0, rank = plan.modeMoves.size(); mode < rank; ++mode)
    if (plan.stays(mode))
      start.exists = both(
          arith, start.exists,
          arith.less(start.coordinate[mode], matrix.getExtent(arith, mode)));
  return start.exists;
}

/// The word of a table: for each value of the digit, whether each memory access
/// is in the view along the mode.
static Value makeTable(Arith arith, const MappedMatrix &matrix,
                       const PlaceLists &places,
                       const MappedPlan::Table &table) {
  const MappedPlan &plan = matrix.plan;
  MappedState &state = matrix.state;
  int64_t dim = plan.type.getAdvance();
  Value digit =
      arith.toIndex(state.odometer[table.leaf - plan.getFirstDigit(dim)]);
  int64_t values = plan.leaves[dim][table.leaf].extent.getValue();
  return packBits(
      arith, 0, values * plan.count, [&](Arith arith, Value bit) -> Value {
        MappedMatrix matrix(arith, plan, state);
        Value count = arith.constant(plan.count);
        Value number = arith.fold<arith::RemUIOp>(bit, count);
        Value value = arith.fold<arith::DivUIOp>(bit, count);
        // From where it is at the start to where it is with that value.
        Value moved = arith.mul(arith.fold<arith::SubIOp>(value, digit),
                                matrix.leaves[dim][table.leaf].stride);
        PlaceCoordinate start = getStart(arith, matrix, places, number);
        return arith.less(arith.add(start.coordinate[table.mode], moved),
                          matrix.getExtent(arith, table.mode));
      });
}

/// What each digit of an odometer adds to the address when it counts, and those
/// before it go back to zero.
static SmallVector<Value> getIncrements(Arith arith,
                                        ArrayRef<OdometerDigit> digits) {
  SmallVector<Value> increments;
  Value back = arith.constant(0);
  for (const OdometerDigit &digit : digits) {
    Value forth = arith.mul(digit.step, digit.weight);
    increments.push_back(arith.fold<arith::SubIOp>(forth, back));
    if (digit.extent)
      back = arith.add(
          back, arith.mul(arith.fold<arith::SubIOp>(digit.extent, digit.step),
                          digit.weight));
  }
  return increments;
}

/// What a tile adds to the distance of each place, and what each carry does.
static void addCarryIncrements(Arith arith, const MappedMatrix &matrix,
                               int64_t dim) {
  MappedState &state = matrix.state;
  DigitModes modes = getDigitModes(arith, matrix, dim);
  int64_t tile = matrix.plan.type.getMap().getTileShape()[dim];
  state.tileDigits = splitDigits(arith, modes, arith.constant(tile));
  llvm::append_range(state.increments,
                     getCarryIncrements(arith, modes, state.tileDigits));
}

/// A coordinate's distance from the origin of the view, in elements.
static Value getDistance(Arith arith, const MappedMatrix &matrix,
                         ArrayRef<Value> coordinate) {
  Value distance = arith.constant(0);
  for (auto [mode, c] : llvm::enumerate(coordinate))
    distance = arith.add(distance, arith.mul(c, matrix.getStride(arith, mode)));
  return distance;
}

/// Computes where the places along a dimension of digits are, and what is kept
/// of that.
static SmallVector<PlaceCoordinate>
keepPlaces(Arith arith, const MappedMatrix &matrix, int64_t dim) {
  const MappedPlan &plan = matrix.plan;
  SmallVector<PlaceCoordinate> places;
  for (int64_t offset : plan.places[dim]) {
    PlaceDigits digits =
        getPlaceDigits(arith, matrix, dim, arith.constant(offset));
    places.push_back(toCoordinate(arith, matrix, dim, digits));
    ArrayRef<Value> coordinate = places.back().coordinate;
    Value distance = getDistance(arith, matrix, coordinate);
    matrix.state.kept.push_back(
        plan.hasNarrowPlaces(dim)
            ? arith.truncate(distance, arith.builder.getI32Type())
            : distance);
    if (plan.moves[dim])
      llvm::append_range(matrix.state.kept, digits.digits);
    else
      for (int64_t mode : plan.getKeptModes(dim))
        matrix.state.kept.push_back(coordinate[mode]);
  }
  return places;
}

/// Adds what all places along a linear or uniform dimension share to the
/// coordinate; what moves of it is counted on its own.
static void shareDimension(Arith arith, const MappedMatrix &matrix, int64_t dim,
                           MutableArrayRef<Value> coordinate,
                           MutableArrayRef<Value> base) {
  const MappedPlan &plan = matrix.plan;
  MappedState &state = matrix.state;
  SmallVector<Value> digits =
      getPlaceDigits(arith, matrix, dim, arith.constant(0)).digits;
  addToCoordinate(arith, matrix, dim, digits, coordinate);
  if (!plan.moves[dim]) {
    addToCoordinate(arith, matrix, dim, digits, base);
    return;
  }
  if (plan.kinds[dim] == Kind::Linear) {
    state.numbers.push_back(digits[0]);
    return;
  }
  if (plan.type.getAdvance() != dim) {
    // It steps within a tile.
    state.numbers.push_back(digits[0]);
    digits[0] = arith.constant(0);
    addToCoordinate(arith, matrix, dim, digits, base);
    return;
  }
  state.numbers.push_back(state.inTile[dim]);
  digits[0] = arith.fold<arith::SubIOp>(digits[0], state.inTile[dim]);
  unsigned first = plan.getFirstDigit(dim);
  for (size_t i = first; i < digits.size(); ++i) {
    bool isNarrow =
        i + 1 < digits.size() && MappedPlan::isNarrow(plan.leaves[dim][i]);
    state.odometer.push_back(
        isNarrow ? arith.cast(digits[i], arith.builder.getI32Type())
                 : digits[i]);
  }
}

/// Computes what an incremental walk keeps.
static void startIncremental(Arith arith, const MappedPlan &plan,
                             MappedState &state) {
  MappedMatrix matrix(arith, plan, state);
  SmallVector<Value> coordinate(state.origin);
  if (plan.type.isIdentity())
    coordinate.assign(2, arith.constant(0));
  SmallVector<Value> base = coordinate;
  PlaceLists places;
  for (int64_t dim : {0, 1})
    if (plan.kinds[dim] == Kind::Digits)
      places[dim] = keepPlaces(arith, matrix, dim);
    else
      shareDimension(arith, matrix, dim, coordinate, base);
  state.fixedWords = packWords(arith, plan, [&](Arith arith, Value number) {
    return existsAnywhere(arith, MappedMatrix(arith, plan, state), places,
                          number);
  });
  for (const MappedPlan::Table &table : plan.tables)
    state.tables.push_back(makeTable(arith, matrix, places, table));
  state.stepDigits.assign(
      plan.steps.size(),
      arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32));
  if (!plan.type.isIdentity())
    for (auto [mode, moves] : llvm::enumerate(plan.modeMoves))
      if (moves)
        state.base.push_back(base[mode]);
  for (Value elements : getIncrements(arith, getOdometer(arith, matrix)))
    state.increments.push_back(
        arith.mul(elements, plan.type.getView().getElementBytes()));
  for (int64_t dim : {0, 1})
    if (plan.hasMovingDigits(dim))
      addCarryIncrements(arith, matrix, dim);
  state.view.pointer =
      arith.move(state.view.pointer, plan.type.getView().getElementType(),
                 getDistance(arith, matrix, coordinate));
}

/// Computes what an iterator keeps of a dimension along which it stays.
static void keepFixed(Arith arith, const MappedPlan &plan, MappedState &state) {
  std::optional<FixedDim> fixed = getFixedDim(plan.type);
  if (!fixed)
    return;
  MappedMatrix matrix(arith, plan, state);
  for (int64_t offset : fixed->offsets) {
    SmallVector<Value> coordinate(plan.type.getView().getLayout().rank(),
                                  arith.constant(0));
    PlaceDigits place =
        getPlaceDigits(arith, matrix, fixed->dim, arith.constant(offset));
    addToCoordinate(arith, matrix, fixed->dim, place.digits, coordinate);
    for (int64_t mode : fixed->modes)
      state.fixed.push_back(coordinate[mode]);
    state.fixedExists.push_back(place.exists);
  }
}

void tile::startMappedWalk(Arith arith, const MappedPlan &plan,
                           MappedState &state) {
  if (plan.isIncremental)
    startIncremental(arith, plan, state);
  else
    keepFixed(arith, plan, state);
  computeMappedStep(arith, plan, state);
}
