// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of iterators over mapped matrices: verification, syntax, width.
#include "tile/IR/ThreadMap.h"
#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// Bytes of the widest memory access of one thread.
static constexpr int64_t kWidestAccessBytes = 16;

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

LogicalResult
MappedIteratorType::verify(function_ref<InFlightDiagnostic()> emitError,
                           ViewType view, ThreadMapAttrInterface map,
                           Layout coords, IntTuple divide, int64_t steps,
                           int64_t advance, FillMode fill, bool indexed,
                           ArrayRef<int64_t> xorBits, bool whole) {
  const Layout &layout = view.getLayout();
  if (!view.getSwizzle().isIdentity())
    return emitError() << "expected a view without a swizzle, but got "
                       << view.getSwizzle().str();
  int64_t modes = layout.getShape().isTuple() ? layout.rank() : 0;
  if (modes < 1 || modes > kMaxModes)
    return emitError() << "expected a view of 1 to " << kMaxModes
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
    if (coords.isLeaf())
      return emitError() << "expected coords with divide, but got none";
    if (divide.rank() != modes || divide.depth() != 1)
      return emitError() << "expected one divisor for each of the " << modes
                         << " modes of the view, but got " << divide.str();
    for (const IntTuple &leaf : divide)
      if (!leaf.isInt() ||
          (leaf.getInt().isStatic() && leaf.getInt().getValue() < 1))
        return emitError() << "expected positive divisors, but got "
                           << leaf.str();
  }
  int64_t accesses = getAccessPattern(map).getNumAccesses();
  if (steps < 1 || accesses % steps != 0)
    return emitError() << "expected steps that divide the " << accesses
                       << " accesses of the thread map, but got " << steps;
  if (advance != kNoAdvance && advance != 0 && advance != 1)
    return emitError()
           << "expected advance to be 0 (rows) or 1 (columns), but got "
           << advance;
  if (!xorBits.empty())
    if (std::optional<std::string> reason = checkXor(layout, modes, xorBits))
      return emitError() << *reason;
  if (whole && (indexed || fill != FillMode::Full || mayLeaveTile(map)))
    return emitError() << "expected tests of what exists for "
                       << (indexed ? "rows that are looked up"
                           : fill != FillMode::Full
                               ? "a triangle"
                               : "a thread map that reaches beyond its tile")
                       << ", but got whole";
  return success();
}

/// Parses a recipe, and evaluates it.
static ParseResult parseRecipe(AsmParser &parser, Layout &coords,
                               IntTuple &divide) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attr;
  if (parser.parseAttribute(attr))
    return failure();
  auto recipe = dyn_cast<CoordinateRecipeAttrInterface>(attr);
  if (!recipe)
    return parser.emitError(loc, "expected a recipe of coordinates such as "
                                 "#tile.conv<…>, but got ")
           << attr;
  Result<CoordinateMap> map = recipe.getCoordinateMap(/*symbolic=*/false);
  if (!map)
    return parser.emitError(loc, map.getReason());
  coords = map->coords;
  divide = map->getDivide();
  return success();
}

Type MappedIteratorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ViewType view;
  ThreadMapAttrInterface map;
  if (parser.parseLess() || parser.parseType(view) || parser.parseComma() ||
      parseThreadMap(parser, map))
    return {};
  Layout coords;
  IntTuple divide(1);
  int64_t steps = 1, advance = kNoAdvance;
  FillMode fill = FillMode::Full;
  bool indexed = false, whole = false;
  SmallVector<int64_t> xorBits;
  SmallVector<StringRef, 6> seen;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc wordLoc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return {};
    if (llvm::is_contained(seen, word)) {
      parser.emitError(wordLoc, "expected one ") << word << ", but got another";
      return {};
    }
    seen.push_back(word);
    if (word == "coords") {
      if (isAtAttribute(parser)) {
        if (parseRecipe(parser, coords, divide))
          return {};
        // The divisors are the recipe's.
        seen.push_back("divide");
      } else if (parseLayout(parser, coords)) {
        return {};
      }
    } else if (word == "divide") {
      if (parseIntTuple(parser, divide))
        return {};
    } else if (word == "steps") {
      if (parser.parseEqual() || parser.parseInteger(steps))
        return {};
    } else if (word == "advance") {
      if (parser.parseEqual() || parser.parseInteger(advance))
        return {};
    } else if (word == "fill") {
      SMLoc fillLoc;
      StringRef name;
      if (parser.parseEqual() || parser.getCurrentLocation(&fillLoc) ||
          parser.parseKeyword(&name))
        return {};
      std::optional<FillMode> known = symbolizeFillMode(name);
      if (!known) {
        parser.emitError(fillLoc, "expected full, lower or upper, but got ")
            << name;
        return {};
      }
      fill = *known;
    } else if (word == "indexed") {
      indexed = true;
    } else if (word == "whole") {
      whole = true;
    } else if (word == "xor") {
      if (parser.parseEqual() || parseIntList(parser, xorBits))
        return {};
    } else {
      parser.emitError(wordLoc,
                       "expected coords, divide, steps, advance, fill, "
                       "indexed, xor or whole, but got ")
          << word;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MappedIteratorType>(
      loc, parser.getContext(), view, map, coords, divide, steps, advance, fill,
      indexed, ArrayRef<int64_t>(xorBits), whole);
}

void MappedIteratorType::print(AsmPrinter &printer) const {
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
  if (getFill() != FillMode::Full)
    printer << ", fill = " << stringifyFillMode(getFill());
  if (getIndexed())
    printer << ", indexed";
  if (!getXorBits().empty()) {
    printer << ", xor = ";
    printIntList(printer, getXorBits());
  }
  if (getWhole())
    printer << ", whole";
  printer << '>';
}

Layout MappedIteratorType::getCoordinateLayout() const {
  if (!isIdentity())
    return getCoords();
  Result<Layout> layout = Layout::get(
      getView().getLayout().getShape(),
      IntTuple::tuple({IntTuple::basis(1, {0}), IntTuple::basis(1, {1})}));
  return layout ? *layout : Layout();
}

int64_t MappedIteratorType::getStepAccesses() const {
  return getAccessPattern(getMap()).getNumAccesses() / getSteps();
}

int64_t MappedIteratorType::getFragmentSize() const {
  return getStepAccesses() * getAccessPattern(getMap()).vector;
}

VectorType MappedIteratorType::getFragmentType() const {
  return VectorType::get({getFragmentSize()}, getView().getElementType());
}

unsigned MappedIteratorType::getTileLeaves(int64_t dim) const {
  if (isIdentity() || (getIndexed() && dim == 0))
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

int64_t MappedIteratorType::getAccessWidth() const {
  AccessPattern pattern = getAccessPattern(getMap());
  int64_t dim = pattern.vectorDim;
  // A diagonal cuts vectors, and rows that are looked up do not follow one
  // another.
  if (getFill() != FillMode::Full || (getIndexed() && dim == 0))
    return 1;
  Layout coords = getCoordinateLayout();
  SmallVector<LeafMode, 4> leaves = coords[dim].getLeafModes();
  const IntTuple &step = leaves.front().stride;
  if (!step.isBasis() || !step.getInt().isStatic(1))
    return 1;
  int64_t mode = step.getPath()[0];
  ViewType view = getView();
  const Layout &layout = view.getLayout();
  if (!layout.getStride()[mode].isStatic(1) ||
      (isDivided() && !getDivide()[mode].isStatic(1)))
    return 1;
  int64_t width =
      std::gcd(pattern.vector, kWidestAccessBytes / view.getElementBytes());
  width = std::gcd(width, view.getBaseAlignment() / view.getElementBytes());
  // Bits below those of a swizzle stay together.
  for (ArrayRef<int64_t> list = getXorBits(); !list.empty();
       list = list.drop_front(4)) {
    if (mode == layout.rank() - 1)
      width = std::gcd(width, int64_t(1) << list[1]);
    if (mode == list[2])
      width = std::gcd(width, int64_t(1) << list[3]);
  }
  // A vector exists as a whole: in the view, and within one run of the leaf.
  width = std::gcd(width, layout.getShape()[mode].getInt().getDivisor());
  width = std::gcd(width, leaves.front().extent.getDivisor());
  for (unsigned other = 0; other < layout.rank(); ++other)
    if (other != mode && !layout.getShape()[other].isStatic(1))
      width = std::gcd(width, layout.getStride()[other].getInt().getDivisor());
  for (unsigned d : {0u, 1u})
    for (auto [i, leaf] : llvm::enumerate(coords[d].getLeafModes()))
      if (!(d == dim && i == 0) && leaf.stride.isBasis() &&
          leaf.stride.getPath()[0] == mode)
        width = std::gcd(width, leaf.stride.getInt().getDivisor());
  // An access must not straddle the end of a tile, nor begin between accesses.
  if (getAdvance() == dim || getMap().getCoverage() != CoverageRule::Exact)
    width = std::gcd(width, getMap().getTileShape()[dim]);
  for (const auto *modes : {&pattern.threads, &pattern.iterations})
    for (const MapMode &mapMode : *modes)
      if (mapMode.dim == dim && mapMode.size > 1)
        width = std::gcd(width, mapMode.stride);
  return std::max<int64_t>(1, width & -width);
}
