// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the dialect, other than iterators: verification and syntax.
#include "tile/Atoms/Chips.h"
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
