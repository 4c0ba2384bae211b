// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iterator over a mapped matrix consists of once it is lowered.
#include "MappedIteratorState.h"
#include "DigitArith.h"

#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;

/// Values in the origin: one for each mode of the view.
static unsigned getNumOrigins(IteratorType type) {
  return type.isIdentity() ? 0 : type.getView().getLayout().rank();
}

/// More than so many places, and values for them, are not kept in registers.
static constexpr size_t kMaxPlaces = 16, kMaxKept = 48;

/// Digits of at most so many values, and a tile more, fit in 32 bits.
static constexpr int64_t kMaxNarrow = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

int64_t MappedPlan::getMode(const LeafMode &leaf) {
  return leaf.stride.isBasis() ? leaf.stride.getPath()[0] : -1;
}

/// Splits the iterations of a map into those of one step, of `count` accesses,
/// and the steps; false if a step ends in the middle of a run.
static bool splitSteps(MappedPlan &plan, int64_t count) {
  for (const MapMode &mode : plan.pattern.iterations) {
    if (count % mode.size == 0) {
      plan.inner.push_back(mode);
      count /= mode.size;
      continue;
    }
    if (mode.size % count != 0)
      return false;
    if (count > 1)
      plan.inner.push_back({count, mode.dim, mode.stride});
    plan.steps.push_back({mode.size / count, mode.dim, mode.stride * count});
    count = 1;
  }
  return true;
}

/// Lists where a step's memory accesses are.
static void findPlaces(MappedPlan &plan) {
  for (int64_t i = 0; i < plan.count; ++i) {
    auto [row, column] = plan.pattern.getAccessOffset(i / plan.parts);
    int64_t offset[2] = {row, column};
    offset[plan.pattern.vectorDim] += i % plan.parts * plan.width;
    for (int64_t dim : {0, 1}) {
      int64_t *place = llvm::find(plan.places[dim], offset[dim]);
      plan.placeOf[dim].push_back(place - plan.places[dim].begin());
      if (place == plan.places[dim].end())
        plan.places[dim].push_back(offset[dim]);
    }
  }
}

/// Finds which modes of the view move: those that a digit which moves does.
static void findMovingModes(MappedPlan &plan) {
  plan.modeMoves.assign(plan.type.getView().getLayout().rank(), false);
  for (int64_t dim : {0, 1}) {
    if (!plan.moves[dim])
      continue;
    bool inTile = llvm::any_of(
        plan.steps, [&](const MapMode &mode) { return mode.dim == dim; });
    unsigned first = plan.kinds[dim] == MappedPlan::Kind::Uniform && !inTile
                         ? plan.getFirstDigit(dim)
                         : 0;
    unsigned last = plan.leaves[dim].size();
    if (plan.kinds[dim] == MappedPlan::Kind::Uniform &&
        plan.type.getAdvance() != dim)
      last = 1;
    for (unsigned i = first; i < last; ++i)
      if (int64_t mode = MappedPlan::getMode(plan.leaves[dim][i]); mode >= 0)
        plan.modeMoves[mode] = true;
  }
}

/// Finds the modes that one digit of the odometer moves, and whose predicates
/// for all values of that digit fit in a word.
static void findTables(MappedPlan &plan) {
  int64_t dim = plan.type.getAdvance();
  if (plan.getNumOdometer() == 0 || !plan.type.getPredicated() ||
      llvm::any_of(plan.moves, [&](const bool &moves) {
        return moves && &moves != &plan.moves[dim];
      }))
    return;
  ArrayRef<LeafMode> leaves = plan.leaves[dim];
  for (unsigned i = plan.getFirstDigit(dim); i + 1 < leaves.size(); ++i) {
    int64_t mode = MappedPlan::getMode(leaves[i]);
    auto sharesMode = [&](const LeafMode &leaf) {
      return MappedPlan::getMode(leaf) == mode;
    };
    const Int &extent = leaves[i].extent;
    if (i == 0 || mode < 0 || llvm::count_if(leaves, sharesMode) != 1 ||
        !extent.isStatic() || extent.getValue() > 32 / plan.count)
      continue;
    plan.tables.push_back({mode, i});
    plan.modeMoves[mode] = false;
  }
}

MappedPlan::MappedPlan(IteratorType type)
    : type(type), pattern(getAccessPattern(type.getMap())),
      width(type.getAccessWidth()), parts(pattern.vector / width),
      count(type.getStepAccesses() * parts),
      leavesTile(mayLeaveTile(type.getMap())) {
  Layout coords = type.getCoordinateLayout();
  for (int64_t dim : {0, 1})
    leaves[dim] = coords[dim].getLeafModes();
  isIncremental = !type.isDivided() && type.getXorBits().empty() &&
                  !type.getTriangle() &&
                  splitSteps(*this, type.getStepAccesses());
  if (!isIncremental)
    return;
  findPlaces(*this);
  for (const MapMode &mode : steps)
    moves[mode.dim] = true;
  for (int64_t dim : {0, 1}) {
    bool isLookedUp = type.isGathered(dim);
    if (leaves[dim].size() > 1 || isLookedUp)
      kinds[dim] = type.getTileLeaves(dim) == 1 ? Kind::Uniform : Kind::Digits;
    // Within a tile, a step must not carry from one digit to the next, nor
    // change which elements are the tile's.
    isIncremental &=
        !(moves[dim] && (leavesTile || kinds[dim] == Kind::Digits));
    moves[dim] |= type.getAdvance() == dim;
    isIncremental &= !(moves[dim] && isLookedUp);
  }
  findMovingModes(*this);
  findTables(*this);
  size_t values = 0;
  for (int64_t dim : {0, 1}) {
    if (kinds[dim] != Kind::Digits)
      continue;
    isIncremental &= places[dim].size() <= kMaxPlaces;
    values +=
        places[dim].size() *
        (1 + (moves[dim] ? leaves[dim].size() : getKeptModes(dim).size()));
  }
  isIncremental &= values <= kMaxKept;
}

bool MappedPlan::stays(int64_t mode) const {
  return !modeMoves[mode] && llvm::none_of(tables, [&](const Table &table) {
    return table.mode == mode;
  });
}

bool MappedPlan::isNarrow(const LeafMode &leaf) {
  return leaf.extent.isStatic() && leaf.extent.getValue() <= kMaxNarrow;
}

unsigned MappedPlan::getFirstDigit(int64_t dim) const {
  return leaves[dim].front().extent.isStatic(type.getMap().getTileShape()[dim])
             ? 1
             : 0;
}

unsigned MappedPlan::getNumOdometer() const {
  int64_t dim = type.getAdvance();
  if (dim == IteratorType::kNoAdvance || kinds[dim] != Kind::Uniform)
    return 0;
  return leaves[dim].size() - getFirstDigit(dim);
}

SmallVector<int64_t> MappedPlan::getKeptModes(int64_t dim) const {
  SmallVector<int64_t> modes;
  for (const LeafMode &leaf : leaves[dim])
    if (int64_t mode = getMode(leaf);
        mode >= 0 && modeMoves[mode] && !llvm::is_contained(modes, mode))
      modes.push_back(mode);
  return modes;
}

unsigned MappedPlan::getNumWords() const {
  return !type.getPredicated() ? 0 : type.getNumMaskWords();
}

bool MappedPlan::keepsDistances() const {
  return !isIncremental && type.getXorBits().empty() &&
         count <= int64_t(kMaxPlaces);
}

bool MappedPlan::hasNarrowPlaces(int64_t dim) const {
  const Layout &view = type.getView().getLayout();
  SmallVector<Int> extents, weights;
  for (const LeafMode &leaf : leaves[dim]) {
    int64_t mode = getMode(leaf);
    extents.push_back(leaf.extent);
    weights.push_back(mode < 0 ? Int(0)
                               : leaf.stride.getInt() *
                                     view.getStride()[mode].getInt());
  }
  return fitsInt32(extents, weights);
}

bool MappedPlan::hasNarrowDistances() const {
  const Layout &view = type.getView().getLayout();
  SmallVector<Int> extents, weights;
  for (unsigned mode = 0; mode < view.rank(); ++mode) {
    extents.push_back(view.getShape()[mode].getInt());
    weights.push_back(view.getStride()[mode].getInt());
  }
  return fitsInt32(extents, weights);
}

std::optional<FixedDim> tile::getFixedDim(IteratorType type) {
  if (type.isIdentity() || type.getAdvance() == IteratorType::kNoAdvance)
    return std::nullopt;
  FixedDim fixed;
  fixed.dim = 1 - type.getAdvance();
  SmallVector<LeafMode, 4> leaves = type.getCoords()[fixed.dim].getLeafModes();
  if (leaves.size() == 1 || type.isGathered(fixed.dim))
    return std::nullopt;
  for (const LeafMode &leaf : leaves)
    if (leaf.stride.isBasis() &&
        !llvm::is_contained(fixed.modes, leaf.stride.getPath()[0]))
      fixed.modes.push_back(leaf.stride.getPath()[0]);
  AccessPattern pattern = getAccessPattern(type.getMap());
  int64_t width = type.getAccessWidth();
  for (int64_t i = 0, e = pattern.getNumAccesses(); i < e; ++i) {
    auto [row, column] = pattern.getAccessOffset(i);
    int64_t offset = fixed.dim == 0 ? row : column;
    int64_t end = pattern.vectorDim == fixed.dim ? pattern.vector : 1;
    for (int64_t part = 0; part < end; part += width)
      if (!llvm::is_contained(fixed.offsets, offset + part))
        fixed.offsets.push_back(offset + part);
    if (fixed.offsets.size() > kMaxPlaces)
      return std::nullopt;
  }
  return fixed;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

namespace {
/// One list of a state, and the types of its values.
struct Field {
  Field(MappedState::Values MappedState::*values, size_t count, Type type)
      : values(values), types(count, type) {}
  MappedState::Values MappedState::*values;
  SmallVector<Type> types;
};
} // namespace

/// The fields of a walk that moves by increments.
static void addIncremental(const MappedPlan &plan,
                           SmallVectorImpl<Field> &fields) {
  MLIRContext *context = plan.type.getContext();
  Type index = IndexType::get(context), word = IntegerType::get(context, 32);
  fields.push_back({&MappedState::fixedWords, plan.getNumWords(), word});
  fields.push_back({&MappedState::tables, plan.tables.size(), word});
  fields.push_back({&MappedState::stepDigits, plan.steps.size(), word});
  size_t numbers = 0, kept = 0, tileDigits = 0;
  int64_t advance = plan.type.getAdvance();
  size_t increments = plan.steps.size();
  if (advance != IteratorType::kNoAdvance)
    increments += std::max(1u, plan.getNumOdometer());
  for (int64_t dim : {0, 1}) {
    if (plan.kinds[dim] != MappedPlan::Kind::Digits) {
      numbers += plan.moves[dim];
      continue;
    }
    size_t perPlace = 1 + (plan.moves[dim] ? plan.leaves[dim].size()
                                           : plan.getKeptModes(dim).size());
    kept += plan.places[dim].size() * perPlace;
    if (plan.moves[dim]) {
      tileDigits += plan.leaves[dim].size();
      increments += plan.leaves[dim].size();
    }
  }
  fields.push_back({&MappedState::numbers, numbers, index});
  size_t base = plan.type.isIdentity() ? 0 : llvm::count(plan.modeMoves, true);
  fields.push_back({&MappedState::base, base, index});
  fields.push_back({&MappedState::odometer, plan.getNumOdometer(), index});
  for (auto [i, type] : llvm::enumerate(fields.back().types))
    if (plan.isNarrow(plan.leaves[advance][plan.getFirstDigit(advance) + i]) &&
        i + 1 < plan.getNumOdometer())
      type = word;
  fields.push_back({&MappedState::kept, kept, index});
  size_t next = 0;
  for (int64_t dim : {0, 1}) {
    if (plan.kinds[dim] != MappedPlan::Kind::Digits)
      continue;
    size_t perPlace = 1 + (plan.moves[dim] ? plan.leaves[dim].size()
                                           : plan.getKeptModes(dim).size());
    for (size_t i = 0; i < plan.places[dim].size(); ++i, next += perPlace)
      if (plan.hasNarrowPlaces(dim))
        fields.back().types[next] = word;
  }
  fields.push_back({&MappedState::tileDigits, tileDigits, index});
  fields.push_back({&MappedState::increments, increments, index});
}

/// The fields of any other walk.
static void addRecomputed(const MappedPlan &plan,
                          SmallVectorImpl<Field> &fields) {
  IteratorType type = plan.type;
  MLIRContext *context = type.getContext();
  Type index = IndexType::get(context), i1 = IntegerType::get(context, 1),
       i32 = IntegerType::get(context, 32);
  fields.push_back(
      {&MappedState::divide, getNumDynamicLeaves(type.getDivide()), index});
  fields.push_back({&MappedState::origin, getNumOrigins(type), index});
  fields.push_back({&MappedState::tile, 2, index});
  fields.push_back({&MappedState::inTile, 2, index});
  fields.push_back({&MappedState::step, type.getSteps() != 1, index});
  if (std::optional<FixedDim> fixed = getFixedDim(type)) {
    size_t offsets = fixed->offsets.size();
    fields.push_back(
        {&MappedState::fixed, offsets * fixed->modes.size(), index});
    fields.push_back({&MappedState::fixedExists, offsets, i1});
  }
  fields.push_back({&MappedState::distances,
                    plan.keepsDistances() ? size_t(plan.count) : 0,
                    plan.hasNarrowDistances() ? i32 : index});
}

static SmallVector<Field> getFields(const MappedPlan &plan) {
  IteratorType type = plan.type;
  MLIRContext *context = type.getContext();
  Type index = IndexType::get(context), i1 = IntegerType::get(context, 1);
  SmallVector<Field> fields;
  fields.push_back({&MappedState::coordShape,
                    getNumDynamicLeaves(type.getCoords().getShape()), index});
  fields.push_back({&MappedState::coordStride,
                    getNumDynamicLeaves(type.getCoords().getStride()), index});
  fields.push_back({&MappedState::enabled, type.getPredicated(), i1});
  fields.push_back(
      {&MappedState::words, plan.getNumWords(), IntegerType::get(context, 32)});
  if (plan.isIncremental)
    addIncremental(plan, fields);
  else
    addRecomputed(plan, fields);
  return fields;
}

SmallVector<Type> MappedState::getTypes(const MappedPlan &plan) {
  SmallVector<Type> types = ViewState::getTypes(plan.type.getView());
  for (const Field &field : getFields(plan))
    llvm::append_range(types, field.types);
  if (GatherAttr gather = plan.type.getGather(); gather && !plan.isIncremental)
    llvm::append_range(types, getListTypes(gather));
  return types;
}

MappedState MappedState::unpack(const MappedPlan &plan, ValueRange values) {
  MappedState state;
  ViewType view = plan.type.getView();
  size_t viewValues = ViewState::getTypes(view).size();
  state.view = ViewState::unpack(view, values.take_front(viewValues));
  values = values.drop_front(viewValues);
  for (const Field &field : getFields(plan)) {
    state.*field.values = Values(values.take_front(field.types.size()));
    values = values.drop_front(field.types.size());
  }
  state.indices = Values(values);
  return state;
}

SmallVector<Value> MappedState::pack(const MappedPlan &plan) const {
  SmallVector<Value> values = view.pack();
  for (const Field &field : getFields(plan)) {
    assert((this->*field.values).size() == field.types.size());
    llvm::append_range(values, this->*field.values);
  }
  if (!plan.isIncremental)
    llvm::append_range(values, indices);
  return values;
}
