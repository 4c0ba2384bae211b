// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and exclusive ors of the digits of an index, with fewer operations.
#include "tile/Layout/IndexArithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <optional>
#include <tuple>

using namespace tile;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

bool tile::isStep(const Int &integer) {
  const IntExpr *expr = integer.getExpr();
  if (!expr || expr->getKind() != IntExpr::Kind::FloorDiv)
    return false;
  const Int &divisor = expr->getOperands()[1];
  return divisor.isStatic() && divisor.getValue() > 0 &&
         !llvm::isPowerOf2_64(divisor.getValue()) && integer.getLower() >= 0 &&
         integer.getUpper() == 1;
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

namespace {

/// A multiple of one digit of an integer in a mixed base: the quotient by `low`
/// modulo `base`, or all of the quotient (a base of 0), times `scale`.
struct Digit {
  Int source;
  int64_t low = 1, base = 0, scale = 1;

  bool isBinary() const {
    return llvm::isPowerOf2_64(low) && (!base || llvm::isPowerOf2_64(base));
  }
};

} // namespace

/// The digit that quotients and remainders by constants take, if it is one:
/// `((x mod 24) floordiv 2) mod 3` is x floordiv 2 modulo 3.
static std::optional<Digit> matchDigit(const Int &integer) {
  using Kind = IntExpr::Kind;
  const IntExpr *expr = integer.getExpr();
  if (!expr)
    return std::nullopt;
  bool isQuotient = expr->getKind() == Kind::FloorDiv;
  if (!isQuotient && expr->getKind() != Kind::Mod)
    return Digit{integer};
  const Int &by = expr->getOperands()[1];
  std::optional<Digit> digit = matchDigit(expr->getOperands()[0]);
  if (!digit || !by.isStatic() || by.getValue() < 1 ||
      digit->base % by.getValue() != 0)
    return Digit{integer};
  if (!isQuotient)
    digit->base = by.getValue();
  else if (llvm::MulOverflow(digit->low, by.getValue(), digit->low))
    return Digit{integer};
  else
    digit->base /= by.getValue();
  return digit;
}

/// As above for a term of a sum, whose constant factor is the scale.
static std::optional<Digit> matchTerm(const Int &term) {
  const IntExpr *expr = term.getExpr();
  if (!expr || expr->getKind() != IntExpr::Kind::Mul)
    return matchDigit(term);
  ArrayRef<Int> factors = expr->getOperands();
  if (factors.size() != 2 || !factors[0].isStatic())
    return std::nullopt;
  std::optional<Digit> digit = matchDigit(factors[1]);
  if (digit)
    digit->scale = factors[0].getValue();
  return digit;
}

static uint64_t getMagnitude(int64_t scale) {
  return scale < 0 ? -uint64_t(scale) : uint64_t(scale);
}

/// Whether a factor is a shift.
static bool isShift(int64_t scale) {
  return llvm::isPowerOf2_64(getMagnitude(scale));
}

/// Operations that a multiplication takes: compilers write one by 14 as two
/// shifts and a subtraction.
static unsigned getCost(int64_t scale) {
  uint64_t factor = getMagnitude(scale);
  if (factor > 6 &&
      (llvm::isPowerOf2_64(factor + 1) || llvm::isPowerOf2_64(factor + 2)))
    return 2;
  return factor > 1;
}

/// Operations that a digit of powers of two takes, without the addition.
static unsigned getCost(const Digit &digit) {
  if (digit.scale == 0)
    return 0;
  uint64_t factor = getMagnitude(digit.scale);
  bool isInPlace = factor == uint64_t(digit.low);
  if (isShift(digit.scale))
    return digit.base ? 1 + !isInPlace
                      : (digit.low > 1) + (factor > 1 && !isInPlace);
  bool isShifted = digit.low > 1 && (!digit.base || digit.scale % digit.low);
  // A multiple of one bit is selected.
  unsigned product = digit.base == 2 ? 1 : getCost(digit.scale);
  return isShifted + (digit.base != 0) + product;
}

/// Takes bits that count negatively from the flipped source, so that they count
/// like the bits beside them: (x mod 8) - 8 * (x floordiv 8 mod 4) is
/// (x xor 24) mod 32 - 24. Returns the constants of the sum.
static SmallVector<Int> flipNegated(MutableArrayRef<Digit> digits) {
  SmallVector<Int> constants;
  auto isNegated = [](const Digit &digit) {
    return digit.base && digit.isBinary() && digit.scale == -digit.low;
  };
  for (size_t begin = 0, end; begin < digits.size(); begin = end) {
    Int source = digits[begin].source;
    int64_t flipped = 0;
    bool hasOthers = false;
    for (end = begin; end < digits.size(); ++end) {
      const Digit &digit = digits[end];
      if (!digit.source.isSameAs(source))
        break;
      if (isNegated(digit))
        flipped |= (digit.base - 1) * digit.low;
      else
        hasOthers |= digit.isBinary() && digit.scale == digit.low;
    }
    if (!flipped || !hasOthers || source.getLower() < 0)
      continue;
    for (Digit &digit : digits.slice(begin, end - begin)) {
      if (!digit.isBinary() || getMagnitude(digit.scale) != uint64_t(digit.low))
        continue;
      digit.source = bitXor(source, flipped);
      digit.scale = digit.low;
    }
    constants.push_back(-flipped);
  }
  return constants;
}

/// One digit for neighbours whose scales continue each other.
static void joinDigits(SmallVectorImpl<Digit> &digits) {
  for (size_t i = 0; i + 1 < digits.size();) {
    Digit &digit = digits[i], &next = digits[i + 1];
    int64_t end, scale, base;
    if (digit.base && digit.source.isSameAs(next.source) &&
        !llvm::MulOverflow(digit.low, digit.base, end) && end == next.low &&
        !llvm::MulOverflow(digit.scale, digit.base, scale) &&
        scale == next.scale &&
        !llvm::MulOverflow(digit.base, next.base, base)) {
      digit.base = base;
      digits.erase(digits.begin() + i + 1);
    } else {
      ++i;
    }
  }
}

/// Where two digits of an integer change places and all others stay, that is
/// the integer xored with what differs: with bits 1 and 2 exchanged, x is
/// x xor 3 * (((x xor x floordiv 2) floordiv 2) mod 2) * 2.
static void exchangeDigits(SmallVectorImpl<Digit> &digits) {
  for (size_t begin = 0, end; begin < digits.size(); begin = end) {
    Int source = digits[begin].source;
    for (end = begin + 1; end < digits.size(); ++end)
      if (!digits[end].source.isSameAs(source))
        break;
    if (source.getLower() < 0)
      continue;
    SmallVector<Digit> others(digits.begin() + begin, digits.begin() + end);
    Digit *low = llvm::find_if(others, [](const Digit &digit) {
      return digit.base && digit.isBinary() && digit.scale > digit.low &&
             isShift(digit.scale);
    });
    // The last digit may have no base but what the integer is below.
    auto isBelow = [&](const Digit &digit, int64_t base) {
      return !digit.base && floorDiv(source, digit.low).getUpper() == base - 1;
    };
    Digit *high = llvm::find_if(others, [&](const Digit &digit) {
      return low != others.end() &&
             (digit.base == low->base || isBelow(digit, low->base)) &&
             digit.low == low->scale && digit.scale == low->low;
    });
    // Two digits alone are as cheap as they are.
    if (low == others.end() || high == others.end() || others.size() < 3)
      continue;
    Digit first = *low;
    std::swap(low->scale, high->scale);
    joinDigits(others);
    if (others.size() != 1 || others[0].low != 1 || others[0].base ||
        others[0].scale != 1)
      continue;
    int64_t distance = first.scale / first.low;
    Int differ = bitXor(source, floorDiv(source, distance));
    Int bits = mod(floorDiv(differ, first.low), first.base) * Int(first.low);
    digits.erase(digits.begin() + begin + 1, digits.begin() + end);
    digits[begin] = {bitXor(source, bits * Int(distance + 1))};
    end = begin + 1;
  }
}

/// Writes the digit at `index` without its remainder where the quotient that
/// the remainder leaves is there already: a * (x mod n) + b * (x floordiv n) is
/// a * x + (b - a * n) * (x floordiv n). Digits of powers of two stay as they
/// are where a mask is cheaper, or lose the quotient instead, if n divides b:
/// (a - b / n) * (x mod n) + b / n * x.
static bool shareQuotient(MutableArrayRef<Digit> digits, size_t index) {
  Digit &digit = digits[index];
  int64_t end, carried;
  if (!digit.base || llvm::MulOverflow(digit.low, digit.base, end) ||
      llvm::MulOverflow(digit.scale, digit.base, carried))
    return false;
  auto *rest =
      llvm::find_if(digits.drop_front(index + 1), [&](const Digit &other) {
        return !other.base && other.low == end &&
               other.source.isSameAs(digit.source);
      });
  if (rest == digits.end())
    return false;
  Digit all = digit, less = *rest;
  all.base = 0;
  if (llvm::SubOverflow(rest->scale, carried, less.scale))
    return false;
  if (digit.isBinary()) {
    unsigned before = getCost(digit) + getCost(*rest);
    unsigned after = getCost(all) + getCost(less);
    Digit masked = digit, whole = all;
    whole.scale = rest->scale / digit.base;
    if (digit.low == 1 && rest->scale % digit.base == 0 &&
        !llvm::SubOverflow(digit.scale, whole.scale, masked.scale)) {
      unsigned other = getCost(masked) + getCost(whole);
      if (other < before &&
          (other < after || (other == after && isShift(whole.scale)))) {
        digit = masked;
        *rest = whole;
        return true;
      }
    }
    if (after > before || (after == before && isShift(digit.scale)))
      return false;
  }
  digit = all;
  *rest = less;
  return true;
}

/// Adds a multiple to another one by multiplying once, if that leaves a small
/// factor, as of an address: 10 * x + 30 * y is 10 * (x + 3 * y).
static bool factorOut(std::pair<Int, int64_t> &product, const Int &value,
                      int64_t scale) {
  auto &[sum, factor] = product;
  if (isShift(scale) || isShift(factor) || isStep(value) ||
      isStep(product.first))
    return false;
  auto isSmall = [](int64_t quotient) {
    uint64_t factor = getMagnitude(quotient);
    return factor < 10 && (isShift(factor) || isShift(factor - 1));
  };
  if (scale % factor == 0 && isSmall(scale / factor)) {
    sum = sum + value * Int(scale / factor);
  } else if (factor % scale == 0 && isSmall(factor / scale)) {
    sum = sum * Int(factor / scale) + value;
    factor = scale;
  } else {
    return false;
  }
  return true;
}

SmallVector<Int> tile::simplifyTerms(ArrayRef<Int> terms) {
  SmallVector<Digit> digits;
  SmallVector<Int> result;
  for (const Int &term : terms) {
    if (std::optional<Digit> digit = matchTerm(term))
      digits.push_back(*digit);
    else
      result.push_back(term);
  }
  llvm::sort(digits, [](const Digit &a, const Digit &b) {
    int order = IntExpr::compare(a.source, b.source);
    return order ? order < 0
                 : std::tie(a.low, a.base) < std::tie(b.low, b.base);
  });
  size_t count = digits.size();
  llvm::append_range(result, flipNegated(digits));
  joinDigits(digits);
  exchangeDigits(digits);
  bool changed = digits.size() != count;
  for (size_t i = digits.size(); i-- > 0;)
    changed |= shareQuotient(digits, i);
  SmallVector<std::pair<Int, int64_t>> products;
  for (const Digit &digit : llvm::reverse(digits)) {
    if (!digit.scale)
      continue;
    Int value = floorDiv(digit.source, digit.low);
    if (digit.base)
      value = mod(value, digit.base);
    if (llvm::none_of(products, [&](auto &product) {
          return factorOut(product, value, digit.scale);
        }))
      products.push_back({value, digit.scale});
    else
      changed = true;
  }
  if (!changed)
    return SmallVector<Int>(terms);
  for (const auto &[value, scale] : products)
    result.push_back(value * Int(scale));
  if (llvm::any_of(result, [](const Int &term) { return term.isInvalid(); }))
    return SmallVector<Int>(terms);
  if (result.empty())
    result.push_back(0);
  return result;
}

//===----------------------------------------------------------------------===//
// Exclusive or
//===----------------------------------------------------------------------===//

static ArrayRef<Int> getTerms(const Int &integer) {
  const IntExpr *expr = integer.getExpr();
  if (expr && expr->getKind() == IntExpr::Kind::Add)
    return expr->getOperands();
  return integer;
}

/// What simplifyXor gives, or nothing if the terms of `sum` may carry into each
/// other or `bits` joins none of them.
static std::optional<std::pair<Int, Int>> joinBits(const Int &sum,
                                                   const Int &bits) {
  constexpr int64_t kLargest = int64_t(1) << 62;
  if (bits.getLower() < 0 || bits.getUpper() >= kLargest)
    return std::nullopt;
  Int unit = int64_t(llvm::PowerOf2Ceil(bits.getUpper() + 1));
  Int high = 0, low = 0;
  for (const Int &term : getTerms(sum)) {
    Int &part = term.isMultipleOf(unit) ? high : low;
    part = part + term;
  }
  if (low.getLower() < 0 || low.getUpper() >= unit.getValue())
    return std::nullopt;
  // Above and below the unit nothing carries.
  Int joined = high + bits;
  if (joined.isInvalid() || getTerms(joined).size() > getTerms(high).size())
    return std::nullopt;
  return std::make_pair(joined, low);
}

std::pair<Int, Int> tile::simplifyXor(const Int &lhs, const Int &rhs) {
  if (auto joined = joinBits(lhs, rhs))
    return *joined;
  if (auto joined = joinBits(rhs, lhs))
    return *joined;
  return {lhs, rhs};
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {

/// Counts operations, those of equal expressions once.
class Counter {
public:
  unsigned count(const Int &integer) {
    const IntExpr *expr = integer.getExpr();
    if (!expr || expr->getKind() == IntExpr::Kind::Symbol ||
        llvm::any_of(seen,
                     [&](const Int &other) { return other.isSameAs(integer); }))
      return 0;
    seen.push_back(integer);
    std::optional<Digit> digit = matchTerm(integer);
    if (digit && !digit->source.isSameAs(integer) && digit->isBinary())
      return count(digit->source) + getCost(*digit);
    switch (expr->getKind()) {
    case IntExpr::Kind::Add:
      return countAll(simplifyTerms(expr->getOperands()));
    case IntExpr::Kind::Xor: {
      auto [lhs, rhs] =
          simplifyXor(expr->getOperands()[0], expr->getOperands()[1]);
      return countAll({lhs, rhs});
    }
    case IntExpr::Kind::FloorDiv:
      return (isStep(integer) ? 1 : kDivision) + countAll(expr->getOperands());
    case IntExpr::Kind::CeilDiv:
    case IntExpr::Kind::Mod:
      return kDivision + countAll(expr->getOperands());
    default:
      return countAll(expr->getOperands());
    }
  }

private:
  /// A multiplication by the reciprocal, a shift, and moves around them.
  static constexpr unsigned kDivision = 3;

  unsigned countAll(ArrayRef<Int> operands) {
    unsigned total = operands.size() - 1;
    for (const Int &operand : operands)
      total += count(operand);
    return total;
  }

  SmallVector<Int> seen;
};

} // namespace

unsigned tile::countOperations(const Int &integer) {
  return Counter().count(integer);
}
