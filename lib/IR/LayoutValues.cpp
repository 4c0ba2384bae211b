// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bridge between the algebra's symbols and SSA values.
#include "tile/IR/LayoutValues.h"
#include "tile/Layout/IndexArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tile;

IntTuple tile::withSymbols(const IntTuple &tuple, unsigned &next,
                           int64_t lower) {
  return tuple.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (leaf.isWildcard() || leaf.getInt().isStatic())
      return leaf;
    Int symbol = Int::symbol(next++, leaf.getInt().getDivisor(), lower);
    return leaf.isBasis() ? IntTuple::basis(symbol, leaf.getPath())
                          : IntTuple(symbol);
  });
}

Layout tile::withSymbols(const Layout &layout, unsigned &next) {
  IntTuple shape = withSymbols(layout.getShape(), next, /*lower=*/1);
  IntTuple stride = withSymbols(layout.getStride(), next);
  Result<Layout> result = Layout::get(shape, stride);
  return result ? *result : layout;
}

//===----------------------------------------------------------------------===//
// Ranges of values
//===----------------------------------------------------------------------===//

/// Definitions are followed this far for a range; each has a few operands.
static constexpr unsigned kMaxRangeDepth = 6;

/// What the operation or the function argument says of a value's range.
static ConstantIntRanges getRange(Value value, unsigned depth = 0) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges range = ConstantIntRanges::maxRange(width);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast_if_present<FunctionOpInterface>(
        value.getParentBlock()->getParentOp());
    if (!function || !argument.getOwner()->isEntryBlock())
      return range;
    auto stated = function.getArgAttrOfType<LLVM::ConstantRangeAttr>(
        argument.getArgNumber(), LLVM::LLVMDialect::getRangeAttrName());
    if (stated && stated.getLower().getBitWidth() == width &&
        stated.getLower().ult(stated.getUpper()))
      return ConstantIntRanges::fromUnsigned(stated.getLower(),
                                             stated.getUpper() - 1);
    return range;
  }
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  if (!op || depth == kMaxRangeDepth)
    return range;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return range;
    operands.push_back(getRange(operand, depth + 1));
  }
  op.inferResultRanges(operands,
                       [&](Value result, const ConstantIntRanges &inferred) {
                         if (result == value)
                           range = inferred;
                       });
  return range;
}

/// Collects the symbols of an expression by their number.
static void collectSymbols(const Int &integer, MutableArrayRef<Int> symbols) {
  const IntExpr *expr = integer.getExpr();
  if (!expr)
    return;
  if (expr->getKind() == IntExpr::Kind::Symbol &&
      expr->getSymbol() < symbols.size())
    symbols[expr->getSymbol()] = integer;
  for (const Int &operand : expr->getOperands())
    collectSymbols(operand, symbols);
}

/// The integer with what the ranges of its symbols tell: an index below 512
/// needs no remainder modulo 512.
static Int substituteBounds(const Int &integer, ValueRange values) {
  SmallVector<Int> symbols(values.size());
  collectSymbols(integer, symbols);
  bool isBounded = false;
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    if (!symbol.hasExpr())
      continue;
    ConstantIntRanges range = getRange(values[number]);
    if (range.smin().getBitWidth() > 64 || range.smin().isNegative() ||
        range.smax().isMaxSignedValue())
      continue;
    symbol =
        Int::symbol(number, symbol.getDivisor(),
                    std::max(symbol.getLower(), range.smin().getSExtValue()),
                    std::min(symbol.getUpper(), range.smax().getSExtValue()));
    isBounded = true;
  }
  return isBounded ? integer.substitute(symbols) : integer;
}

/// As it was where the bounds save nothing: the parts of a sum are known better
/// than the sum, but the sum may be needed anyway.
static Int withBounds(const Int &integer, ValueRange values) {
  Int bounded = substituteBounds(integer, values);
  return countOperations(bounded) < countOperations(integer) ? bounded
                                                             : integer;
}

static bool fitsInt32(const Int &integer) {
  return integer.getLower() >= std::numeric_limits<int32_t>::min() &&
         integer.getUpper() <= std::numeric_limits<int32_t>::max();
}

/// Whether arithmetic modulo 2^32 gives the integer modulo 2^32: additions,
/// multiplications and bits do anyway; what is divided or compared must fit.
static bool isExactModulo(const Int &integer) {
  using Kind = IntExpr::Kind;
  const IntExpr *expr = integer.getExpr();
  if (!expr)
    return integer.isStatic();
  if (!llvm::is_contained({Kind::Symbol, Kind::Add, Kind::Mul, Kind::Xor},
                          expr->getKind()) &&
      !llvm::all_of(expr->getOperands(), fitsInt32))
    return false;
  return llvm::all_of(expr->getOperands(), isExactModulo);
}

/// The integer in a form that 32 bits are proved to be enough for, if that is
/// known and there is something to compute.
static std::optional<Int> findNarrow(const Int &integer, ValueRange values) {
  const IntExpr *expr = integer.getExpr();
  if (!expr || expr->getKind() == IntExpr::Kind::Symbol)
    return std::nullopt;
  Int bounded = substituteBounds(integer, values);
  if (!fitsInt32(bounded) || !isExactModulo(bounded) ||
      countOperations(bounded) > countOperations(integer))
    return std::nullopt;
  return bounded;
}

//===----------------------------------------------------------------------===//
// Values of integers
//===----------------------------------------------------------------------===//

namespace {

/// Some bits of an integer as a number: bits `low` to `low + count - 1`, or all
/// from `low` on (a negative count).
struct BitField {
  Int source;
  int64_t low = 0, count = -1;
};

/// Writes expressions as operations. A null value stands for an integer without
/// expression.
class Writer {
public:
  Writer(OpBuilder &builder, Location loc, ValueRange symbols)
      : builder(builder), loc(loc), symbols(symbols) {}

  /// The same as an i32 where that is proved to be enough.
  Value writeOffset(const Int &integer) {
    std::optional<Int> narrow = findNarrow(integer, symbols);
    if (!narrow)
      return writeBounded(integer);
    isNarrow = true;
    Value value = write(*narrow);
    isNarrow = false;
    return value;
  }
  /// The same as an index again.
  Value writeIndex(const Int &integer) {
    Value value = writeOffset(integer);
    if (!value || value.getType().isIndex())
      return value;
    Type index = builder.getIndexType();
    if (findNarrow(integer, symbols)->getLower() >= 0)
      return builder.createOrFold<arith::IndexCastUIOp>(loc, index, value);
    return builder.createOrFold<arith::IndexCastOp>(loc, index, value);
  }

  /// The operations of an integer, after what is known of the symbols' ranges.
  Value writeBounded(const Int &integer) {
    return write(withBounds(integer, symbols));
  }

private:
  Value write(const Int &integer);
  Value writeSum(ArrayRef<Int> terms);
  Value writeProduct(ArrayRef<Int> factors);
  Value writeField(const BitField &field, int64_t shift);
  Value writeStep(const Int &quotient, int64_t scale);
  Value writeSymbol(unsigned number);
  Value constant(int64_t value) {
    if (isNarrow)
      return arith::ConstantIntOp::create(
          builder, loc, builder.getI32Type(),
          APInt(64, static_cast<uint64_t>(value)).trunc(32).getSExtValue());
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  template <typename OpT>
  Value binary(Value lhs, Value rhs) {
    return lhs && rhs ? builder.createOrFold<OpT>(loc, lhs, rhs) : Value();
  }
  template <typename OpT>
  Value binary(const Int &lhs, const Int &rhs) {
    return binary<OpT>(write(lhs), write(rhs));
  }

  OpBuilder &builder;
  Location loc;
  ValueRange symbols;
  /// Writes operations on i32.
  bool isNarrow = false;
  DenseMap<unsigned, Value> narrowSymbols;
};

} // namespace

/// The value of a symbol, of which a narrow writer takes the lowest bits.
Value Writer::writeSymbol(unsigned number) {
  if (number >= symbols.size() || !isNarrow)
    return number < symbols.size() ? symbols[number] : Value();
  Value &value = narrowSymbols[number];
  if (value)
    return value;
  Type i32 = builder.getI32Type();
  Operation *op = symbols[number].getDefiningOp();
  if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
      op->getOperand(0).getType() == i32)
    return value = op->getOperand(0);
  return value = builder.createOrFold<arith::IndexCastOp>(loc, i32,
                                                          symbols[number]);
}

/// The exponent of a constant power of two.
static std::optional<int64_t> getLog2(const Int &integer) {
  if (!integer.isStatic() || integer.getValue() < 1 ||
      !llvm::isPowerOf2_64(integer.getValue()))
    return std::nullopt;
  return llvm::Log2_64(integer.getValue());
}

/// The operands of a division or remainder by a power of two.
static std::optional<std::pair<Int, int64_t>> matchBinary(const Int &integer,
                                                          IntExpr::Kind kind) {
  const IntExpr *expr = integer.getExpr();
  if (!expr || expr->getKind() != kind)
    return std::nullopt;
  std::optional<int64_t> log = getLog2(expr->getOperands()[1]);
  if (!log)
    return std::nullopt;
  return std::make_pair(expr->getOperands()[0], *log);
}

static std::optional<BitField> matchField(const Int &integer) {
  using Kind = IntExpr::Kind;
  if (auto mod = matchBinary(integer, Kind::Mod)) {
    if (auto div = matchBinary(mod->first, Kind::FloorDiv))
      return BitField{div->first, div->second, mod->second};
    return BitField{mod->first, 0, mod->second};
  }
  if (auto div = matchBinary(integer, Kind::FloorDiv)) {
    auto mod = matchBinary(div->first, Kind::Mod);
    if (mod && mod->second > div->second)
      return BitField{mod->first, div->second, mod->second - div->second};
    return BitField{div->first, div->second, -1};
  }
  return std::nullopt;
}

/// The field times 2^shift: a mask and one shift at most.
Value Writer::writeField(const BitField &field, int64_t shift) {
  Value value = write(field.source);
  auto [source, low, count] = field;
  if (count < 0 && shift != low) {
    value = source.getLower() < 0
                ? binary<arith::ShRSIOp>(value, constant(low))
                : binary<arith::ShRUIOp>(value, constant(low));
    return shift ? binary<arith::ShLIOp>(value, constant(shift)) : value;
  }
  uint64_t mask = (count < 0 ? ~uint64_t(0) : (uint64_t(1) << count) - 1)
                  << low;
  value = binary<arith::AndIOp>(value, constant(mask));
  if (shift < low)
    return binary<arith::ShRUIOp>(value, constant(low - shift));
  return shift > low ? binary<arith::ShLIOp>(value, constant(shift - low))
                     : value;
}

/// A quotient that is 0 or 1, times `scale`: a comparison selects.
Value Writer::writeStep(const Int &quotient, int64_t scale) {
  ArrayRef<Int> operands = quotient.getExpr()->getOperands();
  Value number = write(operands[0]), bound = write(operands[1]);
  if (!number || !bound)
    return {};
  Value reached = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::uge, number, bound);
  return builder.createOrFold<arith::SelectOp>(loc, reached, constant(scale),
                                               constant(0));
}

Value Writer::writeProduct(ArrayRef<Int> factors) {
  Int scale = factors.front().isStatic() ? factors.front() : Int(1);
  if (factors.front().isStatic())
    factors = factors.drop_front();
  if (factors.size() == 1 && isStep(factors.front()))
    return writeStep(factors.front(), scale.getValue());
  std::optional<int64_t> log = getLog2(scale);
  if (factors.size() == 1 && scale.isStatic())
    if (std::optional<BitField> field = matchField(factors.front())) {
      if (log)
        return writeField(*field, *log);
      // Bits that stay where they are take a mask and no shift.
      if (field->count > 0 && field->low > 0 &&
          scale.isMultipleOf(Int(int64_t(1) << field->low)))
        return binary<arith::MulIOp>(writeField(*field, field->low),
                                     constant(scale.getValue() >> field->low));
    }
  Value value = write(factors.front());
  for (const Int &factor : factors.drop_front())
    value = binary<arith::MulIOp>(value, write(factor));
  return scale.isStatic(1) ? value : binary<arith::MulIOp>(value, write(scale));
}

/// Whether a term has a negative constant factor, which is subtracted instead:
/// any but -2^63, which has no opposite.
static bool isNegated(const Int &term) {
  const IntExpr *expr = term.getExpr();
  return expr && expr->getKind() == IntExpr::Kind::Mul &&
         expr->getOperands()[0].isStatic() &&
         expr->getOperands()[0].getValue() < 0 && !(-term).isInvalid();
}

Value Writer::writeSum(ArrayRef<Int> terms) {
  SmallVector<Int> added, subtracted, constants;
  for (const Int &term : simplifyTerms(terms))
    (term.isStatic()   ? constants
     : isNegated(term) ? subtracted
                       : added)
        .push_back(term);
  if (added.empty() && !constants.empty())
    added.push_back(constants.pop_back_val());
  // All terms negative: the first one stays a product.
  if (added.empty())
    added.push_back(subtracted.pop_back_val());
  Value value = write(added.front());
  for (const Int &term : ArrayRef<Int>(added).drop_front())
    value = binary<arith::AddIOp>(value, write(term));
  for (const Int &term : subtracted)
    value = binary<arith::SubIOp>(value, write(-term));
  for (const Int &term : constants)
    value = binary<arith::AddIOp>(value, write(term));
  return value;
}

Value Writer::write(const Int &integer) {
  if (integer.isStatic())
    return constant(integer.getValue());
  const IntExpr *expr = integer.getExpr();
  if (!expr)
    return {};
  if (std::optional<BitField> field = matchField(integer))
    return writeField(*field, 0);
  ArrayRef<Int> operands = expr->getOperands();
  switch (expr->getKind()) {
  case IntExpr::Kind::Symbol:
    return writeSymbol(expr->getSymbol());
  case IntExpr::Kind::Add:
    return writeSum(operands);
  case IntExpr::Kind::Mul:
    return writeProduct(operands);
  case IntExpr::Kind::FloorDiv:
    if (isStep(integer))
      return writeStep(integer, 1);
    return binary<arith::DivUIOp>(operands[0], operands[1]);
  case IntExpr::Kind::CeilDiv:
    if (std::optional<int64_t> log = getLog2(operands[1]))
      return writeField({operands[0] + (operands[1] - Int(1)), *log, -1}, 0);
    return binary<arith::DivUIOp>(operands[0] + (operands[1] - Int(1)),
                                  operands[1]);
  case IntExpr::Kind::Mod:
    return binary<arith::RemUIOp>(operands[0], operands[1]);
  case IntExpr::Kind::Min:
    return binary<arith::MinSIOp>(operands[0], operands[1]);
  case IntExpr::Kind::Max:
    return binary<arith::MaxSIOp>(operands[0], operands[1]);
  case IntExpr::Kind::Xor: {
    auto [lhs, rhs] = simplifyXor(operands[0], operands[1]);
    return rhs.isStatic(0) ? write(lhs) : binary<arith::XOrIOp>(lhs, rhs);
  }
  case IntExpr::Kind::Invalid:
    break;
  }
  return {};
}

Value tile::materialize(OpBuilder &builder, Location loc, const Int &integer,
                        ValueRange symbols) {
  return Writer(builder, loc, symbols).writeBounded(integer);
}

Value tile::materializeOffset(OpBuilder &builder, Location loc,
                              const Int &integer, ValueRange symbols) {
  return Writer(builder, loc, symbols).writeOffset(integer);
}

FailureOr<SmallVector<Value>> tile::materialize(OpBuilder &builder,
                                                Location loc,
                                                const AlgebraValue &value,
                                                ValueRange symbols) {
  Writer writer(builder, loc, symbols);
  SmallVector<Value> values;
  if (const auto *layout = std::get_if<ComposedLayout>(&value)) {
    for (const Int &leaf : getIntLeaves(*layout))
      if (leaf.isDynamic())
        values.push_back(writer.writeBounded(leaf));
  } else if (const auto *integer = std::get_if<Int>(&value)) {
    values.push_back(writer.writeIndex(*integer));
  } else {
    Value all;
    for (const auto &[lhs, rhs] : std::get<LessPairs>(value)) {
      Value left = writer.writeBounded(lhs), right = writer.writeBounded(rhs);
      if (!left || !right)
        return failure();
      Value less = builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::slt, left, right);
      all = all ? builder.createOrFold<arith::AndIOp>(loc, all, less) : less;
    }
    values.push_back(all ? all
                         : arith::ConstantIntOp::create(builder, loc, 1, 1));
  }
  if (llvm::is_contained(values, Value()))
    return failure();
  return values;
}

//===----------------------------------------------------------------------===//
// Divisors of values
//===----------------------------------------------------------------------===//

/// Definitions are followed this far.
static constexpr unsigned kMaxDepth = 16;

static int64_t multiplyDivisors(int64_t lhs, int64_t rhs) {
  int64_t product;
  return llvm::MulOverflow(lhs, rhs, product) ? std::max(lhs, rhs) : product;
}

static int64_t getKnownDivisor(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Int(constant.getSExtValue()).getDivisor();
  auto result = dyn_cast<OpResult>(value);
  if (!result || depth == kMaxDepth)
    return 1;
  Operation *op = result.getOwner();
  auto divisorOf = [&](unsigned operand) {
    return getKnownDivisor(op->getOperand(operand), depth + 1);
  };
  if (isa<arith::MulIOp>(op))
    return multiplyDivisors(divisorOf(0), divisorOf(1));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp>(op))
    return std::gcd(divisorOf(0), divisorOf(1));
  if (isa<arith::SelectOp>(op))
    return std::gcd(divisorOf(1), divisorOf(2));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp>(op))
    return divisorOf(0);
  if (isa<arith::ShLIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
      constant.ult(62))
    return multiplyDivisors(divisorOf(0), int64_t(1)
                                              << constant.getZExtValue());
  if (auto algebra = dyn_cast<LayoutAlgebraOpInterface>(op)) {
    AlgebraResult results = evaluateAlgebra(
        AlgebraOperands(op->getOperands()), [&](AlgebraOperands &operands) {
          return algebra.evaluateOn(operands);
        });
    if (results && result.getResultNumber() < results->size())
      if (const auto *integer =
              std::get_if<Int>(&(*results)[result.getResultNumber()]))
        return integer->getDivisor();
  }
  return 1;
}

int64_t tile::getKnownDivisor(Value value) {
  return ::getKnownDivisor(value, 0);
}
