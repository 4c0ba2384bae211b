// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of tile iterators: verification, syntax, and what follows from it.
#include "tile/IR/LayoutValues.h"
#include "tile/IR/ThreadMap.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tile;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

Result<Int> tile::getElementOffset(IteratorType type, const Int &row,
                                   const Int &column) {
  IntTuple coordinate = IntTuple::tuple({row, column});
  for (LayoutAttr layout : type.getPermute()) {
    Result<IntTuple> value = layout.getValue()(coordinate);
    if (!value)
      return value.takeReason();
    coordinate = *value;
  }
  ViewType view = type.getView();
  unsigned next = 0;
  Result<ComposedLayout> layout = ComposedLayout::get(
      view.getSwizzle(), 0, withSymbols(view.getLayout(), next));
  if (!layout)
    return layout.takeReason();
  Result<IntTuple> value = (*layout)(coordinate);
  if (!value)
    return value.takeReason();
  return value->getInt();
}

/// Checks that each layout of a permutation, and the view behind them, takes
/// the values of the one before.
static LogicalResult
verifyPermutation(function_ref<InFlightDiagnostic()> emitError, ViewType view,
                  ArrayRef<LayoutAttr> permute) {
  std::optional<int64_t> values;
  for (auto [i, attr] : llvm::enumerate(permute)) {
    const ComposedLayout &layout = attr.getValue();
    if (!layout.isStatic() || layout.getLayout().hasBasis() ||
        !layout.getOffset().isStatic(0))
      return emitError() << "expected a static layout with integer strides and "
                            "offset 0 in a permutation, but got "
                         << attr;
    for (const IntTuple &stride : layout.getLayout().getStride().getLeaves())
      if (stride.getInt().getValue() < 0)
        return emitError() << "expected strides of 0 or more in a permutation, "
                              "but got "
                           << attr;
    if (i == 0 &&
        (!layout.getLayout().getShape().isTuple() || layout.rank() != 2))
      return emitError() << "expected a permutation of two dimensions, but got "
                         << layout.rank();
    Int size = layout.size();
    Result<Int> span = layout.cosize();
    if (!size.isStatic() || !span || !span->isStatic())
      return emitError() << "expected a permutation within 64 bits, but got "
                         << attr;
    if (values && *values > size.getValue())
      return emitError() << "expected layout " << i
                         << " of the permutation to take the " << *values
                         << " values of the one before, but it has "
                         << size.getValue() << " elements";
    values = span->getValue();
  }
  Int size = view.getLayout().size();
  if (values && size.isStatic() && *values > size.getValue())
    return emitError() << "expected a view with the " << *values
                       << " elements of the permutation, but got "
                       << size.getValue();
  return success();
}

/// What is wrong with the map from the matrix to a view of `modes` modes.
static std::optional<std::string> checkCoords(const Layout &coords,
                                              int64_t modes) {
  if (!coords.getShape().isTuple() || coords.rank() != 2)
    return "expected coords with two modes, rows and columns, but got " +
           std::to_string(coords.rank());
  for (unsigned dim : {0u, 1u})
    for (const LeafMode &leaf : coords[dim].getLeafModes()) {
      if (leaf.stride.isStatic(0))
        continue;
      if (!leaf.stride.isBasis() || leaf.stride.getPath().size() != 1)
        return "expected strides of coords such as 1@e0, which name a mode of "
               "the view, but got " +
               leaf.stride.str();
      if (leaf.stride.getPath()[0] >= modes)
        return "expected strides of coords along the " + std::to_string(modes) +
               " modes of the view, but got @e" +
               std::to_string(leaf.stride.getPath()[0]);
    }
  return std::nullopt;
}

/// What is wrong with swizzles [bits, into, mode, from] of the last mode.
static std::optional<std::string> checkXor(const Layout &layout, int64_t modes,
                                           ArrayRef<int64_t> numbers) {
  static constexpr int64_t kMaxBit = 30;
  if (numbers.size() % 4 != 0)
    return "expected xor = [bits, into, mode, from], but got " +
           std::to_string(numbers.size()) + " numbers";
  auto atMost = [](const Int &extent, int64_t bit) {
    return extent.isStatic() && extent.getValue() <= int64_t(1) << bit;
  };
  const Int &extent = layout.getShape()[modes - 1].getInt();
  // Bits of the last mode that are changed, and that are read.
  int64_t changed = 0, read = 0, period = 1;
  for (; !numbers.empty(); numbers = numbers.drop_front(4)) {
    int64_t bits = numbers[0], into = numbers[1], mode = numbers[2],
            from = numbers[3];
    if (bits < 1 || into < 0 || from < 0 || bits > kMaxBit || into > kMaxBit ||
        from > kMaxBit)
      return "expected bits of xor between 0 and " + std::to_string(kMaxBit) +
             ", and at least one, but got " + std::to_string(bits) +
             " bits of " + std::to_string(from) + " into " +
             std::to_string(into);
    if (mode < 0 || mode >= modes)
      return "expected xor from one of the " + std::to_string(modes) +
             " modes, but got mode " + std::to_string(mode);
    int64_t mask = (int64_t(1) << bits) - 1;
    changed |= mask << into;
    // Where no bit of the source is ever set nothing is permuted.
    bool isUnchanged = atMost(layout.getShape()[mode].getInt(), from);
    if (!isUnchanged)
      period = std::max(period, int64_t(1) << (into + bits));
    if (mode != modes - 1)
      continue;
    read |= mask << from;
    if (!isUnchanged)
      period = std::max(period, int64_t(1) << (from + bits));
  }
  if (changed & read)
    return "expected xor of bits of the last mode that it does not change, but "
           "got mode [" +
           std::to_string(modes - 1) + "] into itself";
  if (extent.getDivisor() % period != 0)
    return "expected an extent along mode [" + std::to_string(modes - 1) +
           "] that is a multiple of the " + std::to_string(period) +
           " elements that xor permutes, but got " +
           layout.getShape()[modes - 1].str();
  return std::nullopt;
}

/// Checks the map from the matrix that is walked to the view: the view, the
/// coordinates and their divisors, the swizzle.
static LogicalResult verifyMapped(EmitError emitError, ViewType view,
                                  const Layout &coords, const IntTuple &divide,
                                  ArrayRef<int64_t> xorBits) {
  const Layout &layout = view.getLayout();
  if (!view.getSwizzle().isIdentity())
    return emitError() << "expected a view without a swizzle, but got "
                       << view.getSwizzle().str();
  int64_t modes = layout.getShape().isTuple() ? layout.rank() : 0;
  if (modes < 1 || modes > IteratorType::kMaxModes)
    return emitError() << "expected a view of 1 to " << IteratorType::kMaxModes
                       << " modes, but got " << layout.str();
  for (int64_t mode = 0; mode < modes; ++mode)
    if (layout.getShape()[mode].isTuple())
      return emitError() << "expected a view with one stride for each mode, "
                            "but mode ["
                         << mode << "] has " << layout.getShape()[mode].rank();
  if (coords.isLeaf()) {
    if (modes != 2)
      return emitError() << "expected coords for a view of other than two "
                            "modes, but got none for "
                         << modes;
  } else if (std::optional<std::string> reason = checkCoords(coords, modes)) {
    return emitError() << *reason;
  }
  if (divide.isTuple()) {
    if (divide.rank() != modes || divide.depth() != 1)
      return emitError() << "expected one divisor for each of the " << modes
                         << " modes of the view, but got " << divide.str();
    for (const IntTuple &leaf : divide)
      if (!leaf.isInt() ||
          (leaf.getInt().isStatic() && leaf.getInt().getValue() < 1))
        return emitError() << "expected positive divisors, but got "
                           << leaf.str();
  }
  if (xorBits.empty())
    return success();
  if (std::optional<std::string> reason = checkXor(layout, modes, xorBits))
    return emitError() << *reason;
  return success();
}

/// Checks that what is tested, and how, goes together.
static LogicalResult verifyTests(EmitError emitError,
                                 ThreadMapAttrInterface map, int64_t advance,
                                 bool predicated, IteratorPhase phase,
                                 bool random, GatherAttr gather,
                                 TriangleAttr triangle) {
  if (random && !predicated)
    return emitError()
           << "expected a predicated iterator with random, but got "
              "one without predicates, which moves at random anyway";
  if (!predicated && mayLeaveTile(map)) {
    SmallVector<int64_t> masked =
        getMaskedAccesses(getAccessPattern(map), map.getTileShape());
    return emitError() << "expected a predicated iterator for a thread map "
                          "that reaches beyond its tile, in "
                       << masked.size() << " of "
                       << getAccessPattern(map).getNumAccesses()
                       << " accesses, the first of them " << masked.front();
  }
  if (phase == IteratorPhase::Residue &&
      !(predicated && advance != IteratorType::kNoAdvance))
    return emitError() << "expected a predicated iterator that advances in the "
                          "residue phase";
  if (gather && !predicated)
    return emitError() << "expected a predicated iterator with gather, which "
                          "reads an index where the predicate is on, but got "
                          "one without predicates";
  if (triangle && !predicated)
    return emitError() << "expected a predicated iterator with triangle, but "
                          "got one without predicates";
  if (triangle && phase == IteratorPhase::Residue)
    return emitError() << "expected the steady phase with triangle, whose "
                          "predicates are computed anew at every tile, but got "
                          "residue";
  if (phase == IteratorPhase::Masked) {
    if (random)
      return emitError() << "expected a predicated iterator with random, but "
                            "got a masked one, which moves forward only";
    if (triangle && triangle.getDiagonal() == DiagonalRule::Unit)
      return emitError() << "expected a diagonal that is stored or zero in a "
                            "masked iterator, but got unit";
    return success();
  }
  if (gather && triangle)
    return emitError() << "expected gather or triangle, but got both: a "
                          "gathered element is on no side of the diagonal";
  return success();
}

LogicalResult
IteratorType::verify(EmitError emitError, ViewType view,
                     ThreadMapAttrInterface map, Layout coords, IntTuple divide,
                     int64_t steps, int64_t advance, bool predicated,
                     IteratorPhase phase, bool random,
                     ArrayRef<LayoutAttr> permute, GatherAttr gather,
                     TriangleAttr triangle, ArrayRef<int64_t> xorBits) {
  const Layout &layout = view.getLayout();
  if (view.getSpace() == MemorySpace::Register)
    return emitError() << "expected a view in global or shared memory, but got "
                          "register: registers have no addresses to walk over";
  bool isMapped = phase == IteratorPhase::Masked || !coords.isLeaf() ||
                  steps != 1 || !xorBits.empty();
  if (divide.isTuple() && coords.isLeaf())
    return emitError() << "expected coords with divide, but got none";
  if (isMapped) {
    if (predicated && phase != IteratorPhase::Masked)
      return emitError()
             << "expected a masked iterator, or one that tests nothing, with "
             << (!coords.isLeaf() ? "coords"
                 : steps != 1     ? "steps"
                                  : "xor")
             << ", but got a predicated one";
    if (!permute.empty())
      return emitError() << "expected coords or permute, but got a permutation "
                            "in an iterator that is mapped";
    if (failed(verifyMapped(emitError, view, coords, divide, xorBits)))
      return failure();
  } else if (permute.empty() &&
             (!layout.getShape().isTuple() || layout.rank() != 2)) {
    return emitError() << "expected a view of two dimensions, but got "
                       << layout.rank();
  }
  if (failed(verifyPermutation(emitError, view, permute)))
    return failure();
  int64_t accesses = getAccessPattern(map).getNumAccesses();
  if (steps < 1 || accesses % steps != 0)
    return emitError() << "expected steps that divide the " << accesses
                       << " accesses of the thread map, but got " << steps;
  if (advance != kNoAdvance && advance != 0 && advance != 1)
    return emitError()
           << "expected advance to be 0 (rows) or 1 (columns), but got "
           << advance;
  return verifyTests(emitError, map, advance, predicated, phase, random, gather,
                     triangle);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses a coordinate map, and evaluates it.
static ParseResult parseCoordinateMap(AsmParser &parser, Layout &coords,
                                      IntTuple &divide) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attr;
  if (parser.parseAttribute(attr))
    return failure();
  auto recipe = dyn_cast<CoordinateMapAttrInterface>(attr);
  if (!recipe)
    return parser.emitError(loc, "expected a coordinate map such as "
                                 "#tile.conv<…>, but got ")
           << attr;
  Result<CoordinateMap> map = recipe.getCoordinateMap(/*symbolic=*/false);
  if (!map)
    return parser.emitError(loc, map.getReason());
  coords = map->coords;
  divide = map->getDivide();
  return success();
}

namespace {
/// The clauses of an iterator type, behind its view and its map.
struct Clauses {
  Layout coords;
  IntTuple divide = 1;
  int64_t steps = 1, advance = IteratorType::kNoAdvance;
  bool predicated = false, random = false;
  IteratorPhase phase = IteratorPhase::Steady;
  SmallVector<LayoutAttr> permute;
  GatherAttr gather;
  TriangleAttr triangle;
  SmallVector<int64_t> xorBits;
};
} // namespace

static ParseResult parseAdvance(AsmParser &parser, int64_t &advance) {
  SMLoc loc;
  if (parser.parseEqual() || parser.getCurrentLocation(&loc) ||
      parser.parseInteger(advance))
    return failure();
  if (advance == 0 || advance == 1)
    return success();
  return parser.emitError(
             loc, "expected advance to be 0 (rows) or 1 (columns), but got ")
         << advance;
}

static ParseResult parsePermutation(AsmParser &parser,
                                    SmallVectorImpl<LayoutAttr> &permute) {
  SMLoc loc;
  LayoutChain chain;
  if (parser.parseEqual() || parser.getCurrentLocation(&loc) ||
      parseLayoutChain(parser, chain))
    return failure();
  for (const ComposedLayout &layout : chain)
    permute.push_back(LayoutAttr::get(parser.getContext(), layout));
  if (!permute.empty())
    return success();
  return parser.emitError(loc, "expected at least one layout in a permutation, "
                               "but got none");
}

/// Parses what stands behind a word.
static ParseResult parseClause(AsmParser &parser, SMLoc loc, StringRef word,
                               Clauses &clauses) {
  if (std::optional<IteratorPhase> phase = symbolizeIteratorPhase(word)) {
    clauses.phase = *phase;
    return success();
  }
  if (word == "coords")
    return isAtAttribute(parser) ? parseCoordinateMap(parser, clauses.coords,
                                                      clauses.divide)
                                 : parseLayout(parser, clauses.coords);
  if (word == "divide")
    return parseIntTuple(parser, clauses.divide);
  if (word == "steps")
    return failure(parser.parseEqual() || parser.parseInteger(clauses.steps));
  if (word == "advance")
    return parseAdvance(parser, clauses.advance);
  if (word == "permute")
    return parsePermutation(parser, clauses.permute);
  if (word == "gather")
    return failure(parser.parseEqual() ||
                   parser.parseAttribute(clauses.gather));
  if (word == "triangle")
    return failure(parser.parseEqual() ||
                   parser.parseAttribute(clauses.triangle));
  if (word == "xor")
    return failure(parser.parseEqual() ||
                   parseIntList(parser, clauses.xorBits));
  if (word != "predicated" && word != "random")
    return parser.emitError(
               loc, "expected coords, divide, steps, advance, predicated, "
                    "random, residue, steady, masked, permute, gather, "
                    "triangle or xor, but got ")
           << word;
  (word == "random" ? clauses.random : clauses.predicated) = true;
  return success();
}

Type IteratorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ViewType view;
  ThreadMapAttrInterface map;
  if (parser.parseLess() || parser.parseType(view) || parser.parseComma() ||
      parseThreadMap(parser, map))
    return {};
  Clauses clauses;
  SmallVector<StringRef, 6> seen;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc wordLoc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return {};
    StringRef clause = symbolizeIteratorPhase(word) ? "phase" : word;
    if (llvm::is_contained(seen, clause)) {
      parser.emitError(wordLoc, "expected one ")
          << clause << ", but got another: " << word;
      return {};
    }
    seen.push_back(clause);
    // The divisors are those of a coordinate map.
    if (word == "coords" && isAtAttribute(parser))
      seen.push_back("divide");
    if (parseClause(parser, wordLoc, word, clauses))
      return {};
  }
  if (clauses.phase == IteratorPhase::Masked) {
    if (clauses.predicated) {
      parser.emitError(loc, "expected predicated or masked, but got both");
      return {};
    }
    clauses.predicated = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<IteratorType>(
      loc, parser.getContext(), view, map, clauses.coords, clauses.divide,
      clauses.steps, clauses.advance, clauses.predicated, clauses.phase,
      clauses.random, ArrayRef<LayoutAttr>(clauses.permute), clauses.gather,
      clauses.triangle, ArrayRef<int64_t>(clauses.xorBits));
}

void IteratorType::print(AsmPrinter &printer) const {
  printer << '<' << getView() << ", " << getMap();
  if (!isIdentity()) {
    printer << ", coords ";
    printLayout(printer, getCoords());
  }
  if (isDivided()) {
    printer << ", divide ";
    printIntTuple(printer, getDivide());
  }
  if (getSteps() != 1)
    printer << ", steps = " << getSteps();
  if (getAdvance() != kNoAdvance)
    printer << ", advance = " << getAdvance();
  if (getPredicated() && !isMasked())
    printer << ", predicated";
  printer << ", " << stringifyIteratorPhase(getPhase());
  if (getRandom())
    printer << ", random";
  if (!getPermute().empty()) {
    printer << ", permute = [";
    llvm::interleaveComma(getPermute(), printer, [&](LayoutAttr layout) {
      printComposedLayout(printer, layout.getValue());
    });
    printer << ']';
  }
  if (getGather())
    printer << ", gather = " << getGather();
  if (getTriangle())
    printer << ", triangle = " << getTriangle();
  if (!getXorBits().empty()) {
    printer << ", xor = ";
    printIntList(printer, getXorBits());
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// What follows from the parameters
//===----------------------------------------------------------------------===//

int64_t IteratorType::getStepAccesses() const {
  return getAccessPattern(getMap()).getNumAccesses() / getSteps();
}

int64_t IteratorType::getFragmentSize() const {
  return getStepAccesses() * getAccessPattern(getMap()).vector;
}

VectorType IteratorType::getFragmentType() const {
  return VectorType::get({getFragmentSize()}, getView().getElementType());
}

int64_t IteratorType::getNumPredicates() const {
  return getFragmentSize() / getAccessWidth();
}

IteratorType IteratorType::getSteady() const {
  if (getPhase() != IteratorPhase::Residue)
    return *this;
  return get(getContext(), getView(), getMap(), getCoords(), getDivide(),
             getSteps(), getAdvance(), getPredicated(), IteratorPhase::Steady,
             getRandom(), getPermute(), getGather(), getTriangle(),
             getXorBits());
}

bool IteratorType::isMapped() const {
  return isMasked() || !isIdentity() || getSteps() != 1 ||
         !getXorBits().empty();
}

bool IteratorType::isGathered(int64_t dim) const {
  return getGather() && getGather().getDim() == dim;
}

Layout IteratorType::getCoordinateLayout() const {
  if (!isIdentity())
    return getCoords();
  Result<Layout> layout = Layout::get(
      getView().getLayout().getShape(),
      IntTuple::tuple({IntTuple::basis(1, {0}), IntTuple::basis(1, {1})}));
  return layout ? *layout : Layout();
}

unsigned IteratorType::getTileLeaves(int64_t dim) const {
  if (isIdentity() || isGathered(dim))
    return 0;
  SmallVector<LeafMode, 4> leaves = getCoords()[dim].getLeafModes();
  int64_t tile = getMap().getTileShape()[dim];
  Int product = 1;
  for (unsigned i = 0; i + 1 < leaves.size(); ++i) {
    product = product * leaves[i].extent;
    if (!product.isStatic())
      return 0;
    if (product.getValue() % tile == 0)
      return i + 1;
  }
  return 0;
}

ComposedLayout IteratorType::getDomain() const {
  if (!isIdentity())
    return ComposedLayout(getCoords());
  return getPermute().empty() ? getView().getComposed()
                              : getPermute().front().getValue();
}

bool IteratorType::isFolded() const {
  if (isMapped())
    return false;
  IntTuple shape = getView().getLayout().getShape();
  return !getPermute().empty() || getGather() ||
         !getView().getSwizzle().isIdentity() || shape[0].isTuple() ||
         shape[1].isTuple();
}

bool IteratorType::hasUnitDiagonal() const {
  return getTriangle() && getTriangle().getDiagonal() == DiagonalRule::Unit;
}
