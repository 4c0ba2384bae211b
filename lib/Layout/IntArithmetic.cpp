// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked integer arithmetic, on constants and on symbolic expressions alike.
#include "tile/Layout/Int.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace tile;
using Kind = IntExpr::Kind;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Int overflow(const char *what, int64_t lhs, int64_t rhs) {
  return Int::invalid(Reason(llvm::Twine("expected a ") + what + " of " +
                             llvm::Twine(lhs) + " and " + llvm::Twine(rhs) +
                             " that fits in 64 bits, but it overflows"));
}

static Int addConstants(int64_t lhs, int64_t rhs) {
  int64_t sum;
  if (__builtin_add_overflow(lhs, rhs, &sum))
    return overflow("sum", lhs, rhs);
  return sum;
}

static Int mulConstants(int64_t lhs, int64_t rhs) {
  int64_t product;
  if (__builtin_mul_overflow(lhs, rhs, &product))
    return overflow("product", lhs, rhs);
  return product;
}

/// Why `lhs / rhs` has no constant result, if it has none.
static std::optional<Int> checkDivision(int64_t lhs, int64_t rhs) {
  if (rhs == 0)
    return Int::invalid(Reason("expected a non-zero divisor of " +
                               llvm::Twine(lhs) + ", but got 0"));
  if (lhs == kMin && rhs == -1)
    return overflow("quotient", lhs, rhs);
  return std::nullopt;
}

static int64_t floorDivConstants(int64_t lhs, int64_t rhs) {
  int64_t quotient = lhs / rhs;
  return lhs % rhs != 0 && (lhs < 0) != (rhs < 0) ? quotient - 1 : quotient;
}

static int64_t saturatingAdd(int64_t lhs, int64_t rhs) {
  int64_t sum;
  if (!__builtin_add_overflow(lhs, rhs, &sum))
    return sum;
  return lhs < 0 ? kMin : kMax;
}

static int64_t saturatingMul(int64_t lhs, int64_t rhs) {
  int64_t product;
  if (!__builtin_mul_overflow(lhs, rhs, &product))
    return product;
  return (lhs < 0) != (rhs < 0) ? kMin : kMax;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Bounds of a product from the bounds of two factors. An unknown side (the
/// end of the 64-bit range) stays unknown unless the sign settles it.
static std::pair<int64_t, int64_t> mulBounds(std::pair<int64_t, int64_t> a,
                                             std::pair<int64_t, int64_t> b) {
  int64_t corners[] = {
      saturatingMul(a.first, b.first), saturatingMul(a.first, b.second),
      saturatingMul(a.second, b.first), saturatingMul(a.second, b.second)};
  return {*std::min_element(corners, corners + 4),
          *std::max_element(corners, corners + 4)};
}

static std::pair<int64_t, int64_t> computeBounds(Kind kind,
                                                 llvm::ArrayRef<Int> operands) {
  auto boundsOf = [](const Int &integer) {
    return std::make_pair(integer.getLower(), integer.getUpper());
  };
  std::pair<int64_t, int64_t> bounds = boundsOf(operands[0]);
  std::pair<int64_t, int64_t> second = boundsOf(operands[1]);
  switch (kind) {
  case Kind::Add:
    for (const Int &term : operands.drop_front()) {
      std::pair<int64_t, int64_t> next = boundsOf(term);
      bool noLower = bounds.first == kMin || next.first == kMin;
      bool noUpper = bounds.second == kMax || next.second == kMax;
      bounds = {noLower ? kMin : saturatingAdd(bounds.first, next.first),
                noUpper ? kMax : saturatingAdd(bounds.second, next.second)};
    }
    return bounds;
  case Kind::Mul:
    for (const Int &factor : operands.drop_front())
      bounds = mulBounds(bounds, boundsOf(factor));
    return bounds;
  case Kind::FloorDiv:
  case Kind::CeilDiv: {
    if (second.first < 1)
      return {kMin, kMax};
    bool up = kind == Kind::CeilDiv;
    auto divide = [&](int64_t value, int64_t by) {
      int64_t quotient = floorDivConstants(value, by);
      return up && value % by != 0 ? quotient + 1 : quotient;
    };
    int64_t smallest = second.first, largest = second.second;
    return {
        bounds.first == kMin
            ? kMin
            : divide(bounds.first, bounds.first < 0 ? smallest : largest),
        bounds.second == kMax
            ? kMax
            : divide(bounds.second, bounds.second < 0 ? largest : smallest)};
  }
  case Kind::Mod: {
    if (second.first < 1)
      return {kMin, kMax};
    int64_t upper = second.second == kMax ? kMax : second.second - 1;
    if (bounds.first >= 0)
      upper = std::min(upper, bounds.second);
    return {0, upper};
  }
  case Kind::Min:
    return {std::min(bounds.first, second.first),
            std::min(bounds.second, second.second)};
  case Kind::Max:
    return {std::max(bounds.first, second.first),
            std::max(bounds.second, second.second)};
  case Kind::Xor: {
    if (bounds.first < 0 || second.first < 0)
      return {kMin, kMax};
    uint64_t top = uint64_t(bounds.second) | uint64_t(second.second);
    int64_t mask = 0;
    while (uint64_t(mask) < top)
      mask = mask * 2 + 1;
    return {0, mask};
  }
  case Kind::Symbol:
  case Kind::Invalid:
    break;
  }
  return {kMin, kMax};
}

Int IntExpr::make(Kind kind, llvm::ArrayRef<Int> operands, int64_t div) {
  for (const Int &operand : operands)
    if (operand.isInvalid())
      return operand;
  Int result = Int::dynamic(div);
  // An anonymous operand makes the whole expression anonymous.
  for (const Int &operand : operands)
    if (operand.isDynamic() && !operand.hasExpr())
      return result;
  auto node = std::make_shared<IntExpr>();
  node->kind = kind;
  node->operands.assign(operands.begin(), operands.end());
  std::tie(node->lower, node->upper) = computeBounds(kind, operands);
  result.expr = std::move(node);
  return result;
}

static bool isKind(const Int &integer, Kind kind) {
  const IntExpr *expr = integer.getExpr();
  return expr && expr->getKind() == kind;
}

static const Int *findInvalid(const Int &lhs, const Int &rhs) {
  if (lhs.isInvalid())
    return &lhs;
  return rhs.isInvalid() ? &rhs : nullptr;
}

/// A product as constant factor and symbolic factors.
struct Product {
  Int constant = 1;
  llvm::SmallVector<Int> factors;
};

static Product splitProduct(const Int &integer) {
  Product product;
  if (integer.isStatic()) {
    product.constant = integer;
  } else if (isKind(integer, Kind::Mul)) {
    for (const Int &factor : integer.getExpr()->getOperands()) {
      if (factor.isStatic())
        product.constant = factor;
      else
        product.factors.push_back(factor);
    }
  } else {
    product.factors.push_back(integer);
  }
  return product;
}

static Int joinProduct(Product product) {
  if (product.constant.isInvalid() || product.constant.isStatic(0) ||
      product.factors.empty())
    return product.constant;
  llvm::sort(product.factors, [](const Int &a, const Int &b) {
    return IntExpr::compare(a, b) < 0;
  });
  int64_t div = product.constant.getDivisor();
  for (const Int &factor : product.factors) {
    int64_t next;
    if (__builtin_mul_overflow(div, factor.getDivisor(), &next))
      next = std::max(div, factor.getDivisor());
    div = next;
  }
  llvm::SmallVector<Int> operands;
  if (!product.constant.isStatic(1))
    operands.push_back(product.constant);
  operands.append(product.factors.begin(), product.factors.end());
  if (operands.size() == 1)
    return operands.front();
  return IntExpr::make(Kind::Mul, operands, div);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Int tile::operator*(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (lhs.isStatic() && rhs.isStatic())
    return mulConstants(lhs.getValue(), rhs.getValue());
  if (lhs.isStatic(1))
    return rhs;
  if (rhs.isStatic(1))
    return lhs;
  Product product = splitProduct(lhs), other = splitProduct(rhs);
  product.constant = product.constant * other.constant;
  product.factors.append(other.factors.begin(), other.factors.end());
  // c * (x floordiv d) with d | x: the common part of c and d cancels.
  if (product.constant.isStatic())
    for (Int &factor : product.factors) {
      if (!isKind(factor, Kind::FloorDiv))
        continue;
      const Int &numerator = factor.getExpr()->getOperands()[0];
      const Int &denominator = factor.getExpr()->getOperands()[1];
      if (!denominator.isStatic() || !numerator.isMultipleOf(denominator))
        continue;
      int64_t common =
          std::gcd(product.constant.getDivisor(), denominator.getDivisor());
      if (common <= 1)
        continue;
      product.constant = product.constant.getValue() / common;
      factor = floorDiv(numerator, denominator.getValue() / common);
      Product inner = splitProduct(factor);
      if (inner.factors.size() == 1 && inner.constant.isStatic(1))
        continue;
      Int rest = product.constant;
      for (const Int &each : product.factors)
        if (&each != &factor)
          rest = rest * each;
      return rest * factor;
    }
  return joinProduct(std::move(product));
}

Int tile::operator-(const Int &operand) { return operand * Int(-1); }

Int tile::operator-(const Int &lhs, const Int &rhs) {
  if (lhs.isStatic() && rhs.isStatic()) {
    int64_t difference;
    if (__builtin_sub_overflow(lhs.getValue(), rhs.getValue(), &difference))
      return overflow("difference", lhs.getValue(), rhs.getValue());
    return difference;
  }
  return lhs + -rhs;
}

Int tile::operator+(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (lhs.isStatic() && rhs.isStatic())
    return addConstants(lhs.getValue(), rhs.getValue());
  if (lhs.isStatic(0))
    return rhs;
  if (rhs.isStatic(0))
    return lhs;
  // Collect terms as (symbolic part, coefficient).
  Int constant = 0;
  llvm::SmallVector<std::pair<Int, Int>> terms;
  auto addTerm = [&](const Int &term) {
    if (term.isStatic()) {
      constant = constant + term;
      return;
    }
    Product product = splitProduct(term);
    Int coefficient = product.constant;
    product.constant = 1;
    Int symbolic = joinProduct(std::move(product));
    for (auto &[part, sum] : terms)
      if (part.isSameAs(symbolic)) {
        sum = sum + coefficient;
        return;
      }
    terms.push_back({symbolic, coefficient});
  };
  for (const Int *operand : {&lhs, &rhs}) {
    if (isKind(*operand, Kind::Add))
      llvm::for_each(operand->getExpr()->getOperands(), addTerm);
    else
      addTerm(*operand);
  }
  llvm::sort(terms, [](const auto &a, const auto &b) {
    return IntExpr::compare(a.first, b.first) < 0;
  });
  llvm::SmallVector<Int> operands;
  int64_t div = 0;
  auto emit = [&](const Int &term) {
    operands.push_back(term);
    div = std::gcd(div, term.getDivisor());
  };
  if (!constant.isStatic(0))
    emit(constant);
  for (const auto &[part, coefficient] : terms)
    if (!coefficient.isStatic(0))
      emit(part * coefficient);
  if (operands.empty())
    return 0;
  if (operands.size() == 1)
    return operands.front();
  return IntExpr::make(Kind::Add, operands, div);
}

/// Cancels the factors that both products share. True when the denominator
/// is used up, so that the numerator alone is the exact quotient.
static bool cancel(Product &numerator, Product &denominator) {
  for (unsigned i = 0; i < denominator.factors.size();) {
    auto *position = llvm::find_if(numerator.factors, [&](const Int &factor) {
      return factor.isSameAs(denominator.factors[i]);
    });
    if (position == numerator.factors.end()) {
      ++i;
      continue;
    }
    numerator.factors.erase(position);
    denominator.factors.erase(denominator.factors.begin() + i);
  }
  int64_t common = std::gcd(numerator.constant.getDivisor(),
                            denominator.constant.getDivisor());
  if (common > 1) {
    numerator.constant = numerator.constant.getValue() / common;
    denominator.constant = denominator.constant.getValue() / common;
  }
  return denominator.factors.empty() && denominator.constant.isStatic(1);
}

/// Whether what is left of a dividend is not negative if the dividend is not:
/// such divisions are computed without signs.
static bool keepsSign(const Int &dividend, const Int &rest) {
  return dividend.getLower() < 0 || rest.getLower() >= 0;
}

Int tile::floorDiv(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (rhs.isStatic(0) || (lhs.isStatic() && rhs.isStatic())) {
    int64_t value = lhs.isStatic() ? lhs.getValue() : 0;
    if (std::optional<Int> failure = checkDivision(value, rhs.getValue()))
      return *failure;
    return floorDivConstants(value, rhs.getValue());
  }
  if (rhs.isStatic(1) || lhs.isStatic(0))
    return lhs;
  if (lhs.isSameAs(rhs))
    return 1;
  if (rhs.isStatic() && rhs.getValue() < 0)
    return IntExpr::make(Kind::FloorDiv, {lhs, rhs}, 1);
  if (lhs.getLower() >= 0 && lhs.getUpper() < rhs.getLower())
    return 0;
  if (isKind(lhs, Kind::Add)) {
    // Terms that are multiples leave the division exactly.
    Int exact = 0, rest = 0;
    for (const Int &term : lhs.getExpr()->getOperands()) {
      Product numerator = splitProduct(term), denominator = splitProduct(rhs);
      if (term.isMultipleOf(rhs))
        exact = exact + floorDiv(term, rhs);
      else
        rest = rest + term;
    }
    if (!exact.isStatic(0) && keepsSign(lhs, rest))
      return exact + floorDiv(rest, rhs);
  }
  Product numerator = splitProduct(lhs), denominator = splitProduct(rhs);
  if (cancel(numerator, denominator))
    return joinProduct(std::move(numerator));
  Int top = joinProduct(std::move(numerator));
  Int bottom = joinProduct(std::move(denominator));
  if (top.isStatic() && bottom.isStatic())
    return floorDiv(top, bottom);
  if (bottom.isStatic() && bottom.getValue() > 0 &&
      isKind(top, Kind::FloorDiv)) {
    llvm::ArrayRef<Int> inner = top.getExpr()->getOperands();
    if (inner[1].isStatic() && inner[1].getValue() > 0)
      return floorDiv(inner[0], inner[1] * bottom);
  }
  int64_t div = 1;
  if (bottom.isStatic() && top.isMultipleOf(bottom))
    div = std::max<int64_t>(1, top.getDivisor() / bottom.getDivisor());
  return IntExpr::make(Kind::FloorDiv, {top, bottom}, div);
}

Int tile::ceilDiv(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (rhs.isStatic(0) || (lhs.isStatic() && rhs.isStatic())) {
    int64_t value = lhs.isStatic() ? lhs.getValue() : 0;
    if (std::optional<Int> failure = checkDivision(value, rhs.getValue()))
      return *failure;
    int64_t quotient = floorDivConstants(value, rhs.getValue());
    return value % rhs.getValue() != 0 ? quotient + 1 : quotient;
  }
  if (rhs.isStatic(1) || lhs.isMultipleOf(rhs))
    return floorDiv(lhs, rhs);
  if (rhs.isStatic() && rhs.getValue() < 0)
    return IntExpr::make(Kind::CeilDiv, {lhs, rhs}, 1);
  if (lhs.getLower() >= 1 && lhs.getUpper() <= rhs.getLower())
    return 1;
  Product numerator = splitProduct(lhs), denominator = splitProduct(rhs);
  cancel(numerator, denominator);
  return IntExpr::make(
      Kind::CeilDiv,
      {joinProduct(std::move(numerator)), joinProduct(std::move(denominator))},
      1);
}

Int tile::mod(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (rhs.isStatic(0) || (lhs.isStatic() && rhs.isStatic())) {
    int64_t value = lhs.isStatic() ? lhs.getValue() : 0;
    if (std::optional<Int> failure = checkDivision(value, rhs.getValue()))
      return *failure;
    int64_t remainder = value % rhs.getValue();
    bool adjust = remainder != 0 && (remainder < 0) != (rhs.getValue() < 0);
    return adjust ? remainder + rhs.getValue() : remainder;
  }
  if (rhs.isStatic(1) || lhs.isMultipleOf(rhs))
    return 0;
  if (lhs.getLower() >= 0 && lhs.getUpper() < rhs.getLower())
    return lhs;
  if (isKind(lhs, Kind::Add)) {
    Int rest = 0;
    bool dropped = false;
    for (const Int &term : lhs.getExpr()->getOperands()) {
      if (term.isMultipleOf(rhs))
        dropped = true;
      else
        rest = rest + term;
    }
    if (dropped && keepsSign(lhs, rest))
      return mod(rest, rhs);
  }
  if (isKind(lhs, Kind::Mod) && rhs.isStatic() && rhs.getValue() > 0) {
    llvm::ArrayRef<Int> inner = lhs.getExpr()->getOperands();
    if (inner[1].isMultipleOf(rhs))
      return mod(inner[0], rhs);
  }
  Product numerator = splitProduct(lhs);
  if (rhs.isStatic() && rhs.getValue() > 0) {
    int64_t common =
        std::gcd(numerator.constant.getDivisor(), rhs.getDivisor());
    if (common > 1 && !numerator.factors.empty()) {
      numerator.constant = numerator.constant.getValue() / common;
      return mod(joinProduct(std::move(numerator)), rhs.getValue() / common) *
             Int(common);
    }
  }
  return IntExpr::make(Kind::Mod, {lhs, rhs},
                       std::gcd(lhs.getDivisor(), rhs.getDivisor()));
}

Int tile::min(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (lhs.isSameAs(rhs) || lhs.getUpper() <= rhs.getLower())
    return lhs;
  if (rhs.getUpper() <= lhs.getLower())
    return rhs;
  bool swap = IntExpr::compare(rhs, lhs) < 0;
  return IntExpr::make(Kind::Min, {swap ? rhs : lhs, swap ? lhs : rhs},
                       std::gcd(lhs.getDivisor(), rhs.getDivisor()));
}

Int tile::max(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (lhs.isSameAs(rhs) || lhs.getLower() >= rhs.getUpper())
    return lhs;
  if (rhs.getLower() >= lhs.getUpper())
    return rhs;
  bool swap = IntExpr::compare(rhs, lhs) < 0;
  return IntExpr::make(Kind::Max, {swap ? rhs : lhs, swap ? lhs : rhs},
                       std::gcd(lhs.getDivisor(), rhs.getDivisor()));
}

Int tile::bitXor(const Int &lhs, const Int &rhs) {
  if (const Int *invalid = findInvalid(lhs, rhs))
    return *invalid;
  if (lhs.isStatic() && rhs.isStatic())
    return lhs.getValue() ^ rhs.getValue();
  if (lhs.isStatic(0))
    return rhs;
  if (rhs.isStatic(0))
    return lhs;
  if (lhs.isSameAs(rhs))
    return 0;
  int64_t common = std::gcd(lhs.getDivisor(), rhs.getDivisor());
  bool swap = IntExpr::compare(rhs, lhs) < 0;
  return IntExpr::make(Kind::Xor, {swap ? rhs : lhs, swap ? lhs : rhs},
                       std::max<int64_t>(1, common & -common));
}

Int Int::substitute(llvm::ArrayRef<Int> values) const {
  const IntExpr *node = getExpr();
  if (!node)
    return *this;
  if (node->getKind() == IntExpr::Kind::Symbol)
    return node->getSymbol() < values.size() ? values[node->getSymbol()]
                                             : *this;
  llvm::SmallVector<Int> operands;
  for (const Int &operand : node->getOperands())
    operands.push_back(operand.substitute(values));
  Int result = operands.front();
  for (const Int &operand : llvm::drop_begin(operands)) {
    switch (node->getKind()) {
    case IntExpr::Kind::Add:
      result = result + operand;
      break;
    case IntExpr::Kind::Mul:
      result = result * operand;
      break;
    case IntExpr::Kind::FloorDiv:
      result = floorDiv(result, operand);
      break;
    case IntExpr::Kind::CeilDiv:
      result = ceilDiv(result, operand);
      break;
    case IntExpr::Kind::Mod:
      result = mod(result, operand);
      break;
    case IntExpr::Kind::Min:
      result = min(result, operand);
      break;
    case IntExpr::Kind::Max:
      result = max(result, operand);
      break;
    case IntExpr::Kind::Xor:
      result = bitXor(result, operand);
      break;
    case IntExpr::Kind::Symbol:
    case IntExpr::Kind::Invalid:
      break;
    }
  }
  return result;
}
