// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the dialect: verification, syntax, and the concepts of iterators.
#include "tile/IR/LayoutValues.h"
#include "tile/IR/ThreadMap.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace tile;

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/IR/TileTypes.cpp.inc"
      >();
}

Layout LayoutType::getLayout() const { return getComposed().getLayout(); }

//===----------------------------------------------------------------------===//
// ViewType
//===----------------------------------------------------------------------===//

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               Type elementType, MemorySpace space,
                               Layout layout, int64_t align, Swizzle swizzle) {
  if (!elementType.isSignlessIntOrFloat())
    return emitError() << "expected a signless integer or floating-point "
                          "element type, but got "
                       << elementType;
  // Other sizes are padded in memory, which strides in elements do not show.
  unsigned bits = elementType.getIntOrFloatBitWidth();
  if (!llvm::is_contained({8, 16, 32, 64, 128}, bits))
    return emitError()
           << "expected an element type of 1, 2, 4, 8 or 16 bytes, but got "
           << elementType;
  if (layout.getStride().hasBasis())
    return emitError()
           << "expected integer strides, but got a coordinate-valued layout";
  if (align < 1 || !llvm::isPowerOf2_64(align))
    return emitError() << "expected a power of two as alignment, but got "
                       << align;
  if (swizzle.isIdentity())
    return success();
  if (space != MemorySpace::Shared)
    return emitError() << "expected a swizzle in shared memory only, but got "
                       << swizzle.str() << " in " << stringifyMemorySpace(space)
                       << " memory";
  if (swizzle.getPeriod() > kMaxSharedBytes / (bits / 8))
    return emitError() << "expected a swizzle that repeats within the "
                       << kMaxSharedBytes << " bytes of shared memory, but got "
                       << swizzle.str() << " of " << elementType;
  int64_t period = swizzle.getPeriod() * (bits / 8);
  if (align % period != 0)
    return emitError() << "expected a base aligned to the " << period
                       << " bytes after which " << swizzle.str()
                       << " repeats, but got " << align;
  return success();
}

Type ViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type elementType;
  if (parser.parseLess() || parser.parseType(elementType) ||
      parser.parseComma())
    return {};
  SMLoc spaceLoc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return {};
  std::optional<MemorySpace> space = symbolizeMemorySpace(word);
  if (!space) {
    parser.emitError(spaceLoc,
                     "expected the memory space global, shared, cluster or "
                     "register, but got ")
        << word;
    return {};
  }
  ComposedLayout layout;
  int64_t align = 1;
  if (parser.parseComma())
    return {};
  SMLoc layoutLoc = parser.getCurrentLocation();
  if (parseComposedLayout(parser, layout))
    return {};
  if (!layout.getOffset().isStatic(0)) {
    parser.emitError(layoutLoc, "expected offset 0 in the layout of a view, "
                                "but got ")
        << layout.getOffset().str();
    return {};
  }
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("align") || parser.parseEqual() ||
       parser.parseInteger(align)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(loc, parser.getContext(), elementType,
                                     *space, layout.getLayout(), align,
                                     layout.getSwizzle());
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<' << getElementType() << ", " << stringifyMemorySpace(getSpace())
          << ", ";
  printComposedLayout(printer, getComposed());
  if (getAlign() != 1)
    printer << ", align = " << getAlign();
  printer << '>';
}

ComposedLayout ViewType::getComposed() const {
  Result<ComposedLayout> layout =
      ComposedLayout::get(getSwizzle(), 0, getLayout());
  return layout ? *layout : ComposedLayout(getLayout());
}

int64_t ViewType::getSwizzlePeriodBytes() const {
  if (getSwizzle().isIdentity())
    return 1;
  return getSwizzle().getPeriod() * getElementBytes();
}

Int ViewType::getSpanBytes() const {
  Int bytes = getLayout().cosize() * Int(getElementBytes());
  // A swizzle moves elements within its period.
  Int period = getSwizzlePeriodBytes();
  return bytes.isStatic() ? ceilDiv(bytes, period) * period : bytes;
}

int64_t ViewType::getElementBytes() const {
  return getElementType().getIntOrFloatBitWidth() / 8;
}

int64_t ViewType::getBaseAlignment() const {
  return std::max(getAlign(), getElementBytes());
}

LLVM::LLVMPointerType ViewType::getPointerType() const {
  return LLVM::LLVMPointerType::get(getContext(),
                                    static_cast<unsigned>(getSpace()));
}

//===----------------------------------------------------------------------===//
// IteratorType
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

LogicalResult IteratorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ViewType view, ThreadMapAttrInterface map,
                                   int64_t advance, bool predicated,
                                   IteratorPhase phase, bool random,
                                   ArrayRef<LayoutAttr> permute,
                                   GatherAttr gather, TriangleAttr triangle) {
  const Layout &layout = view.getLayout();
  if (view.getSpace() == MemorySpace::Register)
    return emitError() << "expected a view in global or shared memory, but got "
                          "register: registers have no addresses to walk over";
  if (permute.empty() && (!layout.getShape().isTuple() || layout.rank() != 2))
    return emitError() << "expected a view of two dimensions, but got "
                       << layout.rank();
  if (failed(verifyPermutation(emitError, view, permute)))
    return failure();
  if (advance != kNoAdvance && advance != 0 && advance != 1)
    return emitError()
           << "expected advance to be 0 (rows) or 1 (columns), but got "
           << advance;
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
  if (phase == IteratorPhase::Residue && !(predicated && advance != kNoAdvance))
    return emitError() << "expected a predicated iterator that advances in the "
                          "residue phase";
  if (gather && !predicated)
    return emitError() << "expected a predicated iterator with gather, which "
                          "reads an index where the predicate is on, but got "
                          "one without predicates";
  if (gather && triangle)
    return emitError() << "expected gather or triangle, but got both: a "
                          "gathered element is on no side of the diagonal";
  if (triangle && !predicated)
    return emitError() << "expected a predicated iterator with triangle, but "
                          "got one without predicates";
  if (triangle && phase == IteratorPhase::Residue)
    return emitError() << "expected the steady phase with triangle, whose "
                          "predicates are computed anew at every tile, but got "
                          "residue";
  return success();
}

Type IteratorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ViewType view;
  ThreadMapAttrInterface map;
  if (parser.parseLess() || parser.parseType(view) || parser.parseComma() ||
      parseThreadMap(parser, map))
    return {};
  int64_t advance = kNoAdvance;
  bool predicated = false, random = false;
  IteratorPhase phase = IteratorPhase::Steady;
  SmallVector<LayoutAttr, 2> permute;
  GatherAttr gather;
  TriangleAttr triangle;
  SmallVector<StringRef, 4> seen;
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
    if (word == "advance") {
      SMLoc numberLoc;
      if (parser.parseEqual() || parser.getCurrentLocation(&numberLoc) ||
          parser.parseInteger(advance))
        return {};
      if (advance != 0 && advance != 1) {
        parser.emitError(
            numberLoc,
            "expected advance to be 0 (rows) or 1 (columns), but got ")
            << advance;
        return {};
      }
    } else if (word == "predicated") {
      predicated = true;
    } else if (word == "random") {
      random = true;
    } else if (word == "permute") {
      SMLoc listLoc;
      LayoutChain chain;
      if (parser.parseEqual() || parser.getCurrentLocation(&listLoc) ||
          parseLayoutChain(parser, chain))
        return {};
      for (const ComposedLayout &layout : chain)
        permute.push_back(LayoutAttr::get(parser.getContext(), layout));
      if (permute.empty()) {
        parser.emitError(listLoc, "expected at least one layout in a "
                                  "permutation, but got none");
        return {};
      }
    } else if (word == "gather") {
      if (parser.parseEqual() || parser.parseAttribute(gather))
        return {};
    } else if (word == "triangle") {
      if (parser.parseEqual() || parser.parseAttribute(triangle))
        return {};
    } else if (std::optional<IteratorPhase> known =
                   symbolizeIteratorPhase(word)) {
      phase = *known;
    } else {
      parser.emitError(
          wordLoc,
          "expected advance, predicated, random, residue, steady, permute, "
          "gather or triangle, but got ")
          << word;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<IteratorType>(loc, parser.getContext(), view, map,
                                         advance, predicated, phase, random,
                                         permute, gather, triangle);
}

void IteratorType::print(AsmPrinter &printer) const {
  printer << '<' << getView() << ", " << getMap();
  if (getAdvance() != kNoAdvance)
    printer << ", advance = " << getAdvance();
  if (getPredicated())
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
  printer << '>';
}

int64_t IteratorType::getFragmentSize() const {
  AccessPattern pattern = getAccessPattern(getMap());
  return pattern.vector * pattern.getNumAccesses();
}

VectorType IteratorType::getFragmentType() const {
  return VectorType::get({getFragmentSize()}, getView().getElementType());
}

int64_t IteratorType::getNumPredicates() const {
  return getFragmentSize() / getAccessWidth();
}

IteratorType IteratorType::getSteady() const {
  return get(getContext(), getView(), getMap(), getAdvance(), getPredicated(),
             IteratorPhase::Steady, getRandom(), getPermute(), getGather(),
             getTriangle());
}

ComposedLayout IteratorType::getDomain() const {
  return getPermute().empty() ? getView().getComposed()
                              : getPermute().front().getValue();
}

bool IteratorType::isFolded() const {
  IntTuple shape = getView().getLayout().getShape();
  return !getPermute().empty() || getGather() ||
         !getView().getSwizzle().isIdentity() || shape[0].isTuple() ||
         shape[1].isTuple();
}

bool IteratorType::hasUnitDiagonal() const {
  return getTriangle() && getTriangle().getDiagonal() == DiagonalRule::Unit;
}

//===----------------------------------------------------------------------===//
// Pipelines, accumulators
//===----------------------------------------------------------------------===//

/// More stages than shared memory can hold are a mistake.
static constexpr int64_t kMaxStages = 64;

static LogicalResult verifyStages(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t stages) {
  if (stages < 1 || stages > kMaxStages)
    return emitError() << "expected between 1 and " << kMaxStages
                       << " stages, but got " << stages;
  return success();
}

LogicalResult PipelineType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t stages) {
  return verifyStages(emitError, stages);
}

LogicalResult
PipelineStateType::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t stages) {
  return verifyStages(emitError, stages);
}

LogicalResult
AccumulatorType::verify(function_ref<InFlightDiagnostic()> emitError,
                        WgmmaAttr atom, ArrayRef<int64_t> count) {
  if (count.size() != 2)
    return emitError() << "expected the number of atoms along (M, N), but got "
                       << count.size() << " numbers";
  for (int64_t number : count)
    if (number < 1 || number > 4)
      return emitError() << "expected between 1 and 4 atoms, but got "
                         << number;
  int64_t registers = count[0] * count[1] * atom.getRegisters();
  if (registers > 256)
    return emitError() << "expected at most 256 registers of a thread, but "
                       << count[0] << " × " << count[1] << " atoms need "
                       << registers;
  return success();
}

SmallVector<int64_t, 2> AccumulatorType::getTileShape() const {
  return {getCount()[0] * WgmmaAttr::kM, getCount()[1] * getAtom().getN()};
}

VectorType AccumulatorType::getFragmentType() const {
  return VectorType::get(
      {getCount()[0] * getCount()[1] * getAtom().getRegisters()},
      getAtom().getAcc());
}

TVMapAttr AccumulatorType::getMap() const {
  Layout atom = getAtom().getCLayout();
  // The atoms follow the values of one: along N, then M.
  auto step = [](int64_t scale, int64_t dim) {
    return IntTuple::basis(Int(scale), {dim});
  };
  SmallVector<IntTuple> shape = atom[1].getShape().getLeaves(),
                        stride = atom[1].getStride().getLeaves();
  shape.push_back(getCount()[1]);
  stride.push_back(step(getAtom().getN(), 1));
  shape.push_back(getCount()[0]);
  stride.push_back(step(WgmmaAttr::kM, 0));
  Result<Layout> layout = Layout::get(
      IntTuple::tuple({atom[0].getShape(), IntTuple::tuple(shape)}),
      IntTuple::tuple({atom[0].getStride(), IntTuple::tuple(stride)}));
  SmallVector<int64_t, 2> tile = getTileShape();
  return TVMapAttr::get(getContext(), tile, layout ? *layout : Layout());
}
