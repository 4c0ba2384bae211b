// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of iterators: gather and triangle, their syntax and verification.
#include "tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// GatherAttr
//===----------------------------------------------------------------------===//

Attribute GatherAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t dim = 0, block = 1, base = 0;
  IntTuple length = 0;
  Type indices;
  if (parser.parseLess() || parser.parseKeyword("dim") || parser.parseEqual() ||
      parser.parseInteger(dim) || parser.parseComma() ||
      parser.parseKeyword("indices") || parser.parseEqual() ||
      parser.parseType(indices))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc wordLoc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word) || parser.parseEqual())
      return {};
    if (word == "length") {
      if (parseIntTuple(parser, length))
        return {};
      if (length.isStatic(0)) {
        parser.emitError(wordLoc, "expected a length of at least 1, but got 0");
        return {};
      }
      continue;
    }
    if (word != "block" && word != "base") {
      parser.emitError(wordLoc, "expected block, base or length, but got ")
          << word;
      return {};
    }
    if (parser.parseInteger(word == "block" ? block : base))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<GatherAttr>(loc, parser.getContext(), dim, indices,
                                       block, base, length);
}

void GatherAttr::print(AsmPrinter &printer) const {
  printer << "<dim = " << getDim() << ", indices = " << getIndices();
  if (getBlock() != 1)
    printer << ", block = " << getBlock();
  if (getBase() != 0)
    printer << ", base = " << getBase();
  if (hasLength()) {
    printer << ", length = ";
    printIntTuple(printer, getLength());
  }
  printer << '>';
}

LogicalResult GatherAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t dim, Type indices, int64_t block,
                                 int64_t base, IntTuple length) {
  if (dim != 0 && dim != 1)
    return emitError() << "expected dim to be 0 (rows) or 1 (columns), but got "
                       << dim;
  auto view = dyn_cast<ViewType>(indices);
  if (!view)
    return emitError() << "expected a view of indices, but got " << indices;
  const Layout &layout = view.getLayout();
  if (view.getSpace() == MemorySpace::Register)
    return emitError()
           << "expected indices in global or shared memory, but got " << view;
  bool isFlat = layout.getShape().isTuple()
                    ? layout.rank() == 1 && !layout.getShape()[0].isTuple()
                    : true;
  if (!isFlat || !view.getSwizzle().isIdentity())
    return emitError() << "expected indices of one dimension and one stride, "
                          "but got "
                       << view;
  if (!view.getElementType().isInteger(32) &&
      !view.getElementType().isInteger(64))
    return emitError() << "expected indices of type i32 or i64, but got "
                       << view.getElementType();
  constexpr int64_t kMaxBlock = int64_t(1) << 30;
  if (block < 1 || block > kMaxBlock)
    return emitError() << "expected a block between 1 and " << kMaxBlock
                       << ", but got " << block;
  if (base < 0 || base > kMaxBlock)
    return emitError() << "expected a base between 0 and " << kMaxBlock
                       << ", but got " << base;
  if (!length.isInt() || length.isWildcard() ||
      (length.getInt().isStatic() && length.getInt().getValue() < 0))
    return emitError()
           << "expected an integer of at least 1 as length, but got "
           << length.str();
  Int available = layout.size() * Int(block);
  if (available.isInvalid())
    return emitError() << "expected a walk within 64 bits, but got "
                       << layout.size().str() << " indices of blocks of "
                       << block;
  if (length.getInt().isStatic() && available.isStatic() &&
      length.getInt().getValue() > available.getValue())
    return emitError() << "expected a length of at most "
                       << available.getValue() << ", for "
                       << layout.size().str() << " indices of blocks of "
                       << block << ", but got " << length.str();
  return success();
}

Int GatherAttr::getWalkedLength() const {
  if (hasLength())
    return getLength().getInt();
  return cast<ViewType>(getIndices()).getLayout().size() * Int(getBlock());
}

//===----------------------------------------------------------------------===//
// TriangleAttr
//===----------------------------------------------------------------------===//

Attribute TriangleAttr::parse(AsmParser &parser, Type) {
  SMLoc halfLoc, diagonalLoc;
  StringRef halfWord, diagonalWord = "stored";
  if (parser.parseLess() || parser.getCurrentLocation(&halfLoc) ||
      parser.parseKeyword(&halfWord))
    return {};
  std::optional<TriangleHalf> half = symbolizeTriangleHalf(halfWord);
  if (!half) {
    parser.emitError(halfLoc, "expected lower or upper, but got ") << halfWord;
    return {};
  }
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("diagonal") || parser.parseEqual() ||
       parser.getCurrentLocation(&diagonalLoc) ||
       parser.parseKeyword(&diagonalWord)))
    return {};
  std::optional<DiagonalRule> diagonal = symbolizeDiagonalRule(diagonalWord);
  if (!diagonal) {
    parser.emitError(diagonalLoc, "expected a diagonal that is stored, unit or "
                                  "zero, but got ")
        << diagonalWord;
    return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *half, *diagonal);
}

void TriangleAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyTriangleHalf(getHalf());
  if (getDiagonal() != DiagonalRule::Stored)
    printer << ", diagonal = " << stringifyDiagonalRule(getDiagonal());
  printer << '>';
}
