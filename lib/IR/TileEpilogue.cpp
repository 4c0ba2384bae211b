// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epilogues: their syntax, their verifier, and their expression.
#include "EpilogueSyntax.h"
#include "tile/IR/Epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

static constexpr StringLiteral kIndexNames[] = {"batch", "m", "n"};
/// Of a convolution's result; it has no batch.
static constexpr StringLiteral kConvIndexNames[] = {"", "pixel", "channel"};

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses `%a[m, n]`.
static ParseResult parseIndexed(OpAsmParser &parser,
                                ArrayRef<StringLiteral> names,
                                OpAsmParser::UnresolvedOperand &operand,
                                SmallVectorImpl<Attribute> &all) {
  SmallVector<int64_t> indices;
  auto parseIndex = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    const auto *found = llvm::find(names, name);
    if (found == names.end())
      return parser.emitError(loc)
             << "expected the index "
             << (names[0].empty() ? "pixel or channel" : "batch, m or n")
             << ", but got " << name;
    indices.push_back(found - names.begin());
    return success();
  };
  if (parser.parseOperand(operand) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseIndex))
    return failure();
  all.push_back(parser.getBuilder().getDenseI64ArrayAttr(indices));
  return success();
}

/// Parses `(%a[n], %b[m, n] : memref<…>, memref<…>)`, or nothing.
static ParseResult parseIndexedList(OpAsmParser &parser,
                                    ArrayRef<StringLiteral> names,
                                    UnresolvedOperands &operands,
                                    SmallVectorImpl<Type> &types,
                                    ArrayAttr &indices) {
  if (failed(parser.parseOptionalLParen()))
    return success();
  SmallVector<Attribute> all;
  do {
    if (parseIndexed(parser, names, operands.emplace_back(), all))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  indices = parser.getBuilder().getArrayAttr(all);
  return failure(parser.parseColonTypeList(types) || parser.parseRParen());
}

static void printIndexedList(OpAsmPrinter &printer,
                             ArrayRef<StringLiteral> names,
                             OperandRange operands, TypeRange types,
                             ArrayAttr indices) {
  if (operands.empty())
    return;
  printer << "(";
  llvm::interleaveComma(llvm::zip(operands, indices), printer, [&](auto each) {
    auto [operand, own] = each;
    printer << operand << "[";
    llvm::interleaveComma(cast<DenseI64ArrayAttr>(own).asArrayRef(), printer,
                          [&](int64_t index) { printer << names[index]; });
    printer << "]";
  });
  printer << " : " << types << ")";
}

static ParseResult parseRegionOf(OpAsmParser &parser,
                                 ArrayRef<StringLiteral> names,
                                 UnresolvedOperands &operands,
                                 SmallVectorImpl<Type> &types,
                                 ArrayAttr &indices, Region &region) {
  return failure(parseIndexedList(parser, names, operands, types, indices) ||
                 parser.parseRegion(region));
}

static void printRegionOf(OpAsmPrinter &printer, ArrayRef<StringLiteral> names,
                          OperandRange operands, TypeRange types,
                          ArrayAttr indices, Region &region) {
  printIndexedList(printer, names, operands, types, indices);
  if (!operands.empty())
    printer << " ";
  printer.printRegion(region);
}

ParseResult tile::parseEpilogue(OpAsmParser &parser,
                                UnresolvedOperands &operands,
                                SmallVectorImpl<Type> &types,
                                ArrayAttr &indices, Region &region) {
  return parseRegionOf(parser, kIndexNames, operands, types, indices, region);
}

void tile::printEpilogue(OpAsmPrinter &printer, Operation *,
                         OperandRange operands, TypeRange types,
                         ArrayAttr indices, Region &region) {
  printRegionOf(printer, kIndexNames, operands, types, indices, region);
}

ParseResult tile::parseConvEpilogue(OpAsmParser &parser,
                                    UnresolvedOperands &operands,
                                    SmallVectorImpl<Type> &types,
                                    ArrayAttr &indices, Region &region) {
  return parseRegionOf(parser, kConvIndexNames, operands, types, indices,
                       region);
}

void tile::printConvEpilogue(OpAsmPrinter &printer, Operation *,
                             OperandRange operands, TypeRange types,
                             ArrayAttr indices, Region &region) {
  printRegionOf(printer, kConvIndexNames, operands, types, indices, region);
}

ParseResult tile::parseLaunchedEpilogue(OpAsmParser &parser,
                                        UnresolvedOperands &operands,
                                        SmallVectorImpl<Type> &types,
                                        ArrayAttr &indices,
                                        StringAttr &expression) {
  return failure(
      parser.parseAttribute(expression) ||
      parseIndexedList(parser, kIndexNames, operands, types, indices));
}

void tile::printLaunchedEpilogue(OpAsmPrinter &printer, Operation *,
                                 OperandRange operands, TypeRange types,
                                 ArrayAttr indices, StringAttr expression) {
  printer << expression;
  if (!operands.empty())
    printer << " ";
  printIndexedList(printer, kIndexNames, operands, types, indices);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> GemmOp::getEpilogueIndices(unsigned number) {
  return cast<DenseI64ArrayAttr>(getEpilogueIndicesAttr()[number]).asArrayRef();
}

static std::string formatExtent(int64_t extent) {
  return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
}

/// Checks that each operand of an epilogue has its indices.
static LogicalResult verifyOperandCount(Operation *op, OperandRange operands,
                                        std::optional<ArrayAttr> indices) {
  int64_t count = indices ? indices->size() : 0;
  if (count != static_cast<int64_t>(operands.size()))
    return op->emitOpError("expected indices of ")
           << operands.size() << " operands of the epilogue, but got " << count;
  if (count > kMostEpilogueOperands)
    return op->emitOpError("expected at most ")
           << kMostEpilogueOperands << " operands of the epilogue, but got "
           << count;
  return success();
}

/// Checks where an operand of an epilogue lies, and its elements.
static LogicalResult verifyOperandType(Operation *op, int64_t number,
                                       MemRefType type,
                                       SmallVectorImpl<int64_t> &strides) {
  auto complain = [&] {
    return op->emitOpError("expected operand ")
           << number << " of the epilogue ";
  };
  Type element = type.getElementType();
  if (!element.isF64() && !element.isF32() && !element.isF16() &&
      !element.isBF16())
    return complain() << "to have element type f64, f32, f16 or bf16, but got "
                      << element;
  int64_t offset;
  if (type.getMemorySpace() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return complain() << "to have a strided layout in the default memory "
                         "space, but got "
                      << type;
  return success();
}

LogicalResult tile::verifyEpilogueOperands(Operation *op, OperandRange operands,
                                           std::optional<ArrayAttr> indices,
                                           MemRefType d) {
  if (failed(verifyOperandCount(op, operands, indices)))
    return failure();
  for (int64_t i = 0, count = operands.size(); i < count; ++i) {
    auto type = cast<MemRefType>(operands[i].getType());
    ArrayRef<int64_t> own = cast<DenseI64ArrayAttr>((*indices)[i]).asArrayRef();
    auto complain = [&] {
      return op->emitOpError("expected operand ") << i << " of the epilogue ";
    };
    SmallVector<int64_t> strides;
    if (failed(verifyOperandType(op, i, type, strides)))
      return failure();
    if (static_cast<int64_t>(own.size()) != type.getRank())
      return complain() << "to have an index for each of its dimensions, "
                        << type.getRank() << ", but got " << own.size();
    if (own.empty())
      return complain() << "to have an index, but got none";
    for (auto [dim, index] : llvm::enumerate(own)) {
      if (index < IndexBatch || index > IndexN || llvm::count(own, index) > 1)
        return complain() << "to have each of batch, m and n once at most";
      if (index == IndexBatch && d.getRank() != 3)
        return complain() << "without the index batch, as D has no batches";
      if (ShapedType::isStatic(strides[dim]) && strides[dim] < 0)
        return complain() << "to have strides of 0 or more, but got "
                          << strides[dim] << " at dimension " << dim;
      int64_t extent = type.getDimSize(dim),
              wanted = d.getDimSize(d.getRank() - 3 + index);
      if (ShapedType::isStatic(extent) && ShapedType::isStatic(wanted) &&
          extent != wanted)
        return complain() << "to have the extent of D along "
                          << kIndexNames[index] << ", " << formatExtent(wanted)
                          << ", but got " << formatExtent(extent);
    }
  }
  return success();
}

/// The name that an expression has for an operation of a region, "" if none.
static std::string getStepName(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](arith::AddFOp) { return "add"; })
      .Case([](arith::SubFOp) { return "sub"; })
      .Case([](arith::MulFOp) { return "mul"; })
      .Case([](arith::DivFOp) { return "div"; })
      .Case([](arith::MaximumFOp) { return "max"; })
      .Case([](arith::MinimumFOp) { return "min"; })
      .Case([](arith::MaxNumFOp) { return "maxnum"; })
      .Case([](arith::MinNumFOp) { return "minnum"; })
      .Case([](arith::NegFOp) { return "neg"; })
      .Case([](arith::ExtFOp) { return "ext"; })
      .Case([](arith::TruncFOp) { return "trunc"; })
      .Case([](arith::SelectOp) { return "select"; })
      .Case([](arith::AndIOp) { return "and"; })
      .Case([](arith::OrIOp) { return "or"; })
      .Case([](arith::CmpFOp) { return "cmp"; })
      .Case([](arith::ConstantOp) { return "const"; })
      .Case([](math::AbsFOp) { return "abs"; })
      .Case([](math::ExpOp) { return "exp"; })
      .Case([](math::Exp2Op) { return "exp2"; })
      .Case([](math::LogOp) { return "log"; })
      .Case([](math::TanhOp) { return "tanh"; })
      .Case([](math::ErfOp) { return "erf"; })
      .Case([](math::SqrtOp) { return "sqrt"; })
      .Case([](math::RsqrtOp) { return "rsqrt"; })
      .Case([](math::FmaOp) { return "fma"; })
      .Default([](Operation *) { return ""; });
}

static bool isElement(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         type.isInteger(1);
}

/// Whether an operation gives what its operands are, exactly, in any type.
static bool isExact(Operation *op) {
  return isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::SelectOp,
             arith::CmpFOp, arith::AndIOp, arith::OrIOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, math::AbsFOp>(op);
}

/// Checks an operation of a region on sums of a type.
static LogicalResult verifyStep(Operation *op, Type sum) {
  if (getStepName(op).empty())
    return op->emitOpError(
        "expected an operation of arith or math on floats that an epilogue "
        "knows (addf, subf, mulf, divf, negf, maximumf, minimumf, maxnumf, "
        "minnumf, cmpf, select, andi, ori, extf, truncf, constant; absf, exp, "
        "exp2, log, tanh, erf, sqrt, rsqrt, fma)");
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!isElement(type))
      return op->emitOpError("expected elements of f64, f32, f16, bf16 or i1 "
                             "in an epilogue, but got ")
             << type;
  // Who checks results knows the roundings of the sums' type alone.
  Type type = op->getResult(0).getType();
  if (!isExact(op) &&
      type.getIntOrFloatBitWidth() < sum.getIntOrFloatBitWidth())
    return op->emitOpError("expected arithmetic of ")
           << sum << ", the type of the sums, or wider in an epilogue, but got "
           << type << ": extend the operands first";
  auto rounded = dyn_cast<arith::TruncFOp>(op);
  if (rounded && rounded.getRoundingmode().value_or(
                     arith::RoundingMode::to_nearest_even) !=
                     arith::RoundingMode::to_nearest_even)
    return op->emitOpError("expected rounding to nearest even in an epilogue, "
                           "but got ")
           << arith::stringifyRoundingMode(*rounded.getRoundingmode());
  auto compare = dyn_cast<arith::CmpFOp>(op);
  if (compare && (compare.getPredicate() == arith::CmpFPredicate::AlwaysTrue ||
                  compare.getPredicate() == arith::CmpFPredicate::AlwaysFalse))
    return op->emitOpError("expected a predicate that compares, but got ")
           << arith::stringifyCmpFPredicate(compare.getPredicate());
  return success();
}

static std::string formatShape(ArrayRef<int64_t> shape) {
  std::string text;
  for (auto [i, extent] : llvm::enumerate(shape))
    text += (i ? ", " : "") + formatExtent(extent);
  return text;
}

/// Checks the region of a problem that has one, of sums of its factors.
template <typename OpT>
static LogicalResult verifyEpilogueRegion(OpT op) {
  if (!op.hasEpilogue())
    return op.getEpilogueOperands().empty()
               ? success()
               : op.emitOpError("expected a region for the operands of the "
                                "epilogue, but got none");
  if (!op.getEpilogue().hasOneBlock())
    return op.emitOpError("expected an epilogue of one block, but got ")
           << op.getEpilogue().getBlocks().size();
  Type factor = cast<MemRefType>(op.getA().getType()).getElementType();
  Type result = cast<MemRefType>(op.getD().getType()).getElementType();
  if (factor.isInteger())
    return op.emitOpError("expected no epilogue for A and B of ") << factor;
  if (op.getBeta())
    return op.emitOpError(
        "expected no beta with an epilogue, whose region has the "
        "element of C");
  SmallVector<Type> types{
      factor.isF64() ? factor : Type(Float32Type::get(op.getContext()))};
  if (op.getC())
    types.push_back(cast<MemRefType>(op.getC().getType()).getElementType());
  for (Value operand : op.getEpilogueOperands())
    types.push_back(cast<MemRefType>(operand.getType()).getElementType());
  Block &block = op.getEpilogue().front();
  if (block.getArgumentTypes() != TypeRange(types)) {
    InFlightDiagnostic diagnostic =
        op.emitOpError("expected an epilogue of the sum");
    diagnostic << (op.getC() ? ", the element of C" : "")
               << " and an element of each operand, (";
    llvm::interleaveComma(types, diagnostic);
    diagnostic << "), but got (";
    llvm::interleaveComma(block.getArgumentTypes(), diagnostic);
    return diagnostic << ")";
  }
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op.emitOpError("expected the epilogue to end with tile.yield");
  if (yield.getElement().getType() != result)
    return yield.emitOpError("expected an element of D, ")
           << result << ", but got " << yield.getElement().getType();
  for (Operation &each : block.without_terminator())
    if (failed(verifyStep(&each, types.front())))
      return failure();
  return success();
}

LogicalResult GemmOp::verifyEpilogue() {
  auto d = cast<MemRefType>(getD().getType());
  if (failed(verifyEpilogueOperands(*this, getEpilogueOperands(),
                                    getEpilogueIndices(), d)))
    return failure();
  return verifyEpilogueRegion(*this);
}

LogicalResult ConvOp::verifyEpilogue() {
  auto d = cast<MemRefType>(getD().getType());
  std::optional<ArrayAttr> indices = getEpilogueIndices();
  if (failed(verifyOperandCount(*this, getEpilogueOperands(), indices)))
    return failure();
  for (auto [i, operand] : llvm::enumerate(getEpilogueOperands())) {
    auto type = cast<MemRefType>(operand.getType());
    ArrayRef<int64_t> own = cast<DenseI64ArrayAttr>((*indices)[i]).asArrayRef();
    auto complain = [&, number = i] {
      return emitOpError("expected operand ") << number << " of the epilogue ";
    };
    SmallVector<int64_t> strides;
    if (failed(verifyOperandType(*this, i, type, strides)))
      return failure();
    bool isWhole = own == ArrayRef<int64_t>{IndexM, IndexN};
    if (!isWhole && own != ArrayRef<int64_t>{IndexN})
      return complain() << "to be indexed by [channel] or [pixel, channel]";
    ArrayRef<int64_t> wanted =
        isWhole ? d.getShape() : d.getShape().take_back();
    if (type.getShape() != wanted)
      return complain() << "to have the shape (" << formatShape(wanted)
                        << "), but got (" << formatShape(type.getShape())
                        << ")";
  }
  return verifyEpilogueRegion(*this);
}

//===----------------------------------------------------------------------===//
// Expression
//===----------------------------------------------------------------------===//

static std::string getTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

Expression tile::getExpression(GemmOp gemm) {
  Expression result;
  Block &block = gemm.getEpilogue().front();
  DenseMap<Value, int> numbers;
  for (BlockArgument argument : block.getArguments()) {
    numbers[argument] = static_cast<int>(numbers.size());
    result.arguments.push_back(getTypeName(argument.getType()));
  }
  auto getNumber = [&](Value value) { return numbers.lookup(value); };
  for (Operation &op : block.without_terminator()) {
    ExpressionStep &step = result.steps.emplace_back();
    step.op = getStepName(&op);
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      step.operands[i] = getNumber(operand);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
        step.constant = value.getValueAsDouble();
      else
        step.constant =
            cast<IntegerAttr>(constant.getValue()).getValue().isZero() ? 0 : 1;
    }
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      step.word = arith::stringifyCmpFPredicate(compare.getPredicate()).str();
    if (isa<arith::TruncFOp>(op))
      step.word = getTypeName(op.getResult(0).getType());
    int number = static_cast<int>(numbers.size());
    numbers[op.getResult(0)] = number;
  }
  // The value of an expression is that of its last step.
  Value element = cast<YieldOp>(block.back()).getElement();
  if (int last = getNumber(element);
      last + 1 != static_cast<int>(numbers.size()))
    result.steps.push_back({"ext", {last, -1, -1}, 0, ""});
  return result;
}
