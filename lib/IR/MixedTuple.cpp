// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuples whose dynamic leaves are SSA operands, and their assembly syntax.
#include "tile/IR/MixedTuple.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

unsigned tile::getNumDynamicLeaves(const IntTuple &tuple) {
  if (tuple.isTuple()) {
    unsigned count = 0;
    for (unsigned i = 0, e = tuple.rank(); i < e; ++i)
      count += getNumDynamicLeaves(tuple[i]);
    return count;
  }
  return tuple.isWildcard() || tuple.getInt().isStatic() ? 0 : 1;
}

unsigned tile::getNumDynamicLeaves(const Tiler &tiler) {
  if (tiler.isLayout())
    return getNumDynamicLeaves(tiler.getLayout().getShape()) +
           getNumDynamicLeaves(tiler.getLayout().getStride());
  unsigned count = 0;
  for (const Tiler &mode : tiler.getModes())
    count += getNumDynamicLeaves(mode);
  return count;
}

MixedTuple MixedTuple::get(ArrayRef<OpFoldResult> leaves) {
  MixedTuple result;
  SmallVector<IntTuple> tuples;
  for (OpFoldResult leaf : leaves) {
    if (std::optional<int64_t> constant = getConstantIntValue(leaf)) {
      tuples.push_back(IntTuple(*constant));
      continue;
    }
    tuples.push_back(IntTuple(Int::dynamic()));
    result.operands.push_back(cast<Value>(leaf));
  }
  result.tuple = IntTuple::tuple(tuples);
  return result;
}

/// Rebuilds `tuple` with the constant operands folded in; `next` walks the
/// operands.
static IntTuple foldLeaves(const IntTuple &tuple, ValueRange operands,
                           unsigned &next, SmallVectorImpl<Value> &kept) {
  if (tuple.isTuple()) {
    SmallVector<IntTuple> modes;
    for (unsigned i = 0, e = tuple.rank(); i < e; ++i)
      modes.push_back(foldLeaves(tuple[i], operands, next, kept));
    return IntTuple::tuple(modes);
  }
  if (tuple.isWildcard() || tuple.getInt().isStatic())
    return tuple;
  Value operand = operands[next++];
  if (std::optional<int64_t> constant = getConstantIntValue(operand))
    return tuple.isBasis() ? IntTuple::basis(*constant, tuple.getPath())
                           : IntTuple(*constant);
  kept.push_back(operand);
  return tuple;
}

std::optional<MixedTuple> tile::foldConstantLeaves(const IntTuple &tuple,
                                                   ValueRange operands) {
  MixedTuple result;
  unsigned next = 0;
  result.tuple = foldLeaves(tuple, operands, next, result.operands);
  if (result.operands.size() == operands.size())
    return std::nullopt;
  return result;
}

static FailureOr<IntTuple>
parseLeaves(OpAsmParser &parser,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
            unsigned depth = 0) {
  if (depth > kMaxTupleDepth)
    return parser.emitError(parser.getCurrentLocation(), "expected at most ")
               << kMaxTupleDepth << " nested tuples",
           failure();
  if (succeeded(parser.parseOptionalLParen())) {
    SmallVector<IntTuple> modes;
    if (failed(parser.parseOptionalRParen())) {
      do {
        FailureOr<IntTuple> mode = parseLeaves(parser, operands, depth + 1);
        if (failed(mode))
          return failure();
        modes.push_back(*mode);
      } while (succeeded(parser.parseOptionalComma()));
      if (parser.parseRParen())
        return failure();
    }
    return IntTuple::tuple(modes);
  }
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (!parsed.has_value())
    return parseIntTuple(parser, depth);
  if (failed(*parsed))
    return failure();
  operands.push_back(operand);
  int64_t divisor = 1;
  if (succeeded(parser.parseOptionalLBrace())) {
    SMLoc loc;
    if (parser.parseKeyword("div") || parser.parseEqual() ||
        parser.getCurrentLocation(&loc) || parser.parseInteger(divisor) ||
        parser.parseRBrace())
      return failure();
    if (divisor < 1)
      return parser.emitError(loc, "expected a positive divisor, but got ")
                 << divisor,
             failure();
  }
  return parseBasisPath(parser, Int::dynamic(divisor));
}

ParseResult
tile::parseMixedTuple(OpAsmParser &parser,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                      IntTupleAttr &tuple) {
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<IntTuple> parsed = parseLeaves(parser, operands);
  if (failed(parsed))
    return failure();
  if (getNumDynamicLeaves(*parsed) != operands.size())
    return parser.emitError(
        loc, "expected an SSA value for each run-time leaf, but got `?`");
  tuple = IntTupleAttr::get(parser.getContext(), *parsed);
  return success();
}

static void printLeaves(OpAsmPrinter &printer, const IntTuple &tuple,
                        OperandRange operands, unsigned &next) {
  if (tuple.isTuple()) {
    printer << '(';
    for (unsigned i = 0, e = tuple.rank(); i < e; ++i) {
      if (i)
        printer << ", ";
      printLeaves(printer, tuple[i], operands, next);
    }
    printer << ')';
    return;
  }
  if (tuple.isWildcard() || tuple.getInt().isStatic())
    return printIntTuple(printer, tuple);
  printer << operands[next++];
  if (int64_t divisor = tuple.getInt().getDivisor(); divisor != 1)
    printer << " {div = " << divisor << '}';
  printBasisPath(printer, tuple);
}

void tile::printMixedTuple(OpAsmPrinter &printer, Operation *,
                           OperandRange operands, IntTupleAttr tuple) {
  unsigned next = 0;
  printLeaves(printer, tuple.getValue(), operands, next);
}

/// Parses the modes of a tiler behind its `<`.
static FailureOr<Tiler>
parseModes(OpAsmParser &parser,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
           unsigned depth) {
  if (depth > kMaxTupleDepth)
    return parser.emitError(parser.getCurrentLocation(), "expected at most ")
               << kMaxTupleDepth << " nested tilers",
           failure();
  std::vector<Tiler> modes;
  do {
    if (succeeded(parser.parseOptionalLess())) {
      FailureOr<Tiler> inner = parseModes(parser, operands, depth + 1);
      if (failed(inner))
        return failure();
      modes.push_back(*inner);
      continue;
    }
    SMLoc loc = parser.getCurrentLocation();
    FailureOr<IntTuple> shape = parseLeaves(parser, operands);
    if (failed(shape))
      return failure();
    if (shape->isWildcard()) {
      modes.push_back(Tiler::wildcard());
      continue;
    }
    IntTuple stride = 1;
    if (succeeded(parser.parseOptionalColon())) {
      FailureOr<IntTuple> parsed = parseLeaves(parser, operands);
      if (failed(parsed))
        return failure();
      stride = *parsed;
    } else if (shape->isTuple()) {
      return parser.emitError(loc, "expected `:` and a stride behind ")
                 << shape->str(),
             failure();
    }
    Result<Layout> layout = Layout::get(*shape, stride);
    if (!layout)
      return parser.emitError(loc, layout.getReason()), failure();
    modes.push_back(Tiler(*layout));
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseGreater())
    return failure();
  return Tiler::byMode(std::move(modes));
}

ParseResult
tile::parseMixedTiler(OpAsmParser &parser,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                      TilerAttr &tiler) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return failure();
  FailureOr<Tiler> parsed = parseModes(parser, operands, 0);
  if (failed(parsed))
    return failure();
  if (getNumDynamicLeaves(*parsed) != operands.size())
    return parser.emitError(
        loc, "expected an SSA value for each run-time leaf, but got `?`");
  tiler = TilerAttr::get(parser.getContext(), *parsed);
  return success();
}

static void printModes(OpAsmPrinter &printer, const Tiler &tiler,
                       OperandRange operands, unsigned &next) {
  printer << '<';
  llvm::interleaveComma(tiler.getModes(), printer, [&](const Tiler &mode) {
    if (mode.isWildcard()) {
      printer << '_';
      return;
    }
    if (mode.isByMode())
      return printModes(printer, mode, operands, next);
    const Layout &layout = mode.getLayout();
    printLeaves(printer, layout.getShape(), operands, next);
    if (layout.isLeaf() && layout.getStride().isStatic(1))
      return;
    printer << " : ";
    printLeaves(printer, layout.getStride(), operands, next);
  });
  printer << '>';
}

void tile::printMixedTiler(OpAsmPrinter &printer, Operation *,
                           OperandRange operands, TilerAttr tiler) {
  unsigned next = 0;
  printModes(printer, tiler.getValue(), operands, next);
}

ParseResult tile::parseConstantTuple(OpAsmParser &parser, IntTupleAttr &tuple) {
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<IntTuple> parsed = parseIntTuple(parser);
  if (failed(parsed))
    return failure();
  if (getNumDynamicLeaves(*parsed))
    return parser.emitError(loc, "expected a tuple of constants, but got ")
           << parsed->str();
  tuple = IntTupleAttr::get(parser.getContext(), *parsed);
  return success();
}

void tile::printConstantTuple(OpAsmPrinter &printer, Operation *,
                              IntTupleAttr tuple) {
  printIntTuple(printer, tuple.getValue());
}

ParseResult
tile::parseIteratorResult(OpAsmParser &parser, Type &iterator, Type &view,
                          std::optional<OpAsmParser::UnresolvedOperand> indices,
                          Type &indicesType) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(iterator))
    return failure();
  auto type = dyn_cast<IteratorType>(iterator);
  if (!type)
    return parser.emitError(loc, "expected a tile iterator type, but got ")
           << iterator;
  view = type.getView();
  if (indices && !type.getGather())
    return parser.emitError(loc, "expected a tile iterator that gathers, for "
                                 "the indices, but got ")
           << type;
  if (!indices && type.getGather())
    return parser.emitError(loc, "expected indices in front of an iterator "
                                 "that gathers, but got none");
  if (indices)
    indicesType = type.getGather().getIndices();
  return success();
}

void tile::printIteratorResult(OpAsmPrinter &printer, Operation *,
                               Type iterator, Type, Value, Type) {
  printer << iterator;
}

using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

ParseResult tile::parseCoordinateMap(
    OpAsmParser &parser, Operands &shapeOperands, IntTupleAttr &shape,
    Operands &strideOperands, IntTupleAttr &stride, Operands &originOperands,
    IntTupleAttr &origin, Operands &divideOperands, IntTupleAttr &divide) {
  if (succeeded(parser.parseOptionalKeyword("coords")) &&
      (parseMixedTuple(parser, shapeOperands, shape) || parser.parseColon() ||
       parseMixedTuple(parser, strideOperands, stride)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("origin")) &&
      parseMixedTuple(parser, originOperands, origin))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("divide")))
    return parseMixedTuple(parser, divideOperands, divide);
  return success();
}

void tile::printCoordinateMap(OpAsmPrinter &printer, Operation *op,
                              OperandRange shapeOperands, IntTupleAttr shape,
                              OperandRange strideOperands, IntTupleAttr stride,
                              OperandRange originOperands, IntTupleAttr origin,
                              OperandRange divideOperands,
                              IntTupleAttr divide) {
  if (shape && stride) {
    printer << " coords ";
    printMixedTuple(printer, op, shapeOperands, shape);
    printer << " : ";
    printMixedTuple(printer, op, strideOperands, stride);
  }
  if (origin) {
    printer << " origin ";
    printMixedTuple(printer, op, originOperands, origin);
  }
  if (divide) {
    printer << " divide ";
    printMixedTuple(printer, op, divideOperands, divide);
  }
}

ParseResult tile::parseTensorIteratorResult(OpAsmParser &parser, Type &iterator,
                                            Type &view) {
  IteratorType type;
  if (parser.parseType(type))
    return failure();
  iterator = type;
  view = type.getView();
  return success();
}

void tile::printTensorIteratorResult(OpAsmPrinter &printer, Operation *,
                                     Type iterator, Type) {
  printer << iterator;
}
