// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers with divisors and symbolic expressions: queries and printing.
#include "tile/Layout/Int.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace tile;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Int Int::dynamic(int64_t div) {
  Int result;
  result.kind = Kind::Dynamic;
  result.value = div < 1 ? 1 : div;
  return result;
}

Int Int::symbol(unsigned index, int64_t div, int64_t lower, int64_t upper) {
  auto node = std::make_shared<IntExpr>();
  node->kind = IntExpr::Kind::Symbol;
  node->symbol = index;
  node->lower = lower;
  node->upper = upper;
  Int result = dynamic(div);
  result.expr = std::move(node);
  return result;
}

Int Int::invalid(const Reason &reason) {
  auto node = std::make_shared<IntExpr>();
  node->kind = IntExpr::Kind::Invalid;
  node->message = reason.str();
  Int result;
  result.kind = Kind::Invalid;
  result.expr = std::move(node);
  return result;
}

int64_t Int::getDivisor() const {
  if (isDynamic())
    return value;
  if (isInvalid())
    return 1;
  return value == kMin ? int64_t(1) << 62 : (value < 0 ? -value : value);
}

std::string Int::getInvalidReason() const {
  return isInvalid() ? expr->message : std::string();
}

int64_t Int::getLower() const {
  if (isStatic())
    return value;
  return hasExpr() ? expr->lower : kMin;
}

int64_t Int::getUpper() const {
  if (isStatic())
    return value;
  return hasExpr() ? expr->upper : kMax;
}

/// The factors of a product; any other integer is its own single factor.
static llvm::ArrayRef<Int> getFactors(const Int &integer) {
  const IntExpr *expr = integer.getExpr();
  if (expr && expr->getKind() == IntExpr::Kind::Mul)
    return expr->getOperands();
  return integer;
}

bool Int::isMultipleOf(const Int &other) const {
  if (isInvalid() || other.isInvalid() || other.isStatic(0))
    return false;
  if (isStatic(0) || isSameAs(other))
    return true;
  if (other.isStatic())
    return getDivisor() % other.getDivisor() == 0;
  if (!other.hasExpr() || !hasExpr())
    return false;
  if (expr->getKind() == IntExpr::Kind::Add) {
    for (const Int &term : expr->getOperands())
      if (!term.isMultipleOf(other))
        return false;
    return true;
  }
  // Cancel each symbolic factor of the divisor, then compare what is left.
  llvm::SmallVector<Int> left(getFactors(*this));
  int64_t needed = 1;
  for (const Int &factor : getFactors(other)) {
    if (factor.isStatic()) {
      needed = factor.getDivisor();
      continue;
    }
    auto *position = llvm::find_if(
        left, [&](const Int &candidate) { return candidate.isSameAs(factor); });
    if (position == left.end())
      return false;
    left.erase(position);
  }
  Int rest = 1;
  for (const Int &factor : left)
    rest = rest * factor;
  return rest.isMultipleOf(needed);
}

bool Int::isSameAs(const Int &other) const {
  if (isStatic() && other.isStatic())
    return value == other.value;
  if (!hasExpr() || !other.hasExpr())
    return false;
  return expr == other.expr || IntExpr::compare(*this, other) == 0;
}

bool Int::isAtMost(const Int &other) const {
  if (isInvalid() || other.isInvalid())
    return false;
  if (getUpper() <= other.getLower())
    return true;
  // A positive multiple of d is at least d.
  if (!other.isStatic() && other.isMultipleOf(*this))
    return true;
  return isStatic() && other.isDynamic() && value <= other.getDivisor();
}

Int Int::withoutExpr() const {
  return isDynamic() ? dynamic(getDivisor()) : *this;
}

Int Int::withDivisor(int64_t div) const {
  if (!isDynamic() || div < 1)
    return *this;
  Int result = *this;
  int64_t common = std::gcd(value, div);
  int64_t combined;
  if (__builtin_mul_overflow(value / common, div, &combined))
    return *this;
  result.value = combined;
  return result;
}

bool Int::operator==(const Int &other) const {
  if (kind != other.kind)
    return false;
  if (isInvalid())
    return expr->message == other.expr->message;
  if (value != other.value)
    return false;
  if (isStatic() || expr == other.expr)
    return true;
  return expr && other.expr && IntExpr::compare(*this, other) == 0;
}

void Int::print(llvm::raw_ostream &os, bool symbols) const {
  if (isStatic()) {
    os << value;
    return;
  }
  if (isInvalid()) {
    os << "<invalid>";
    return;
  }
  if (!symbols || !expr) {
    os << '?';
    if (value != 1)
      os << "{div = " << value << '}';
    return;
  }
  llvm::StringRef infix;
  switch (expr->getKind()) {
  case IntExpr::Kind::Symbol:
    os << '#' << expr->getSymbol();
    return;
  case IntExpr::Kind::Add:
    infix = " + ";
    break;
  case IntExpr::Kind::Mul:
    infix = " * ";
    break;
  case IntExpr::Kind::FloorDiv:
    infix = " floordiv ";
    break;
  case IntExpr::Kind::CeilDiv:
    infix = " ceildiv ";
    break;
  case IntExpr::Kind::Mod:
    infix = " mod ";
    break;
  case IntExpr::Kind::Min:
    infix = " min ";
    break;
  case IntExpr::Kind::Max:
    infix = " max ";
    break;
  case IntExpr::Kind::Xor:
    infix = " xor ";
    break;
  case IntExpr::Kind::Invalid:
    return;
  }
  os << '(';
  for (unsigned i = 0; i < expr->getOperands().size(); ++i) {
    if (i)
      os << infix;
    expr->getOperands()[i].print(os, symbols);
  }
  os << ')';
}

std::string Int::str(bool symbols) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, symbols);
  return text;
}

llvm::raw_ostream &tile::operator<<(llvm::raw_ostream &os, const Int &integer) {
  integer.print(os);
  return os;
}

int IntExpr::compare(const Int &lhs, const Int &rhs) {
  if (lhs.kind != rhs.kind)
    return lhs.kind < rhs.kind ? -1 : 1;
  if (lhs.expr == rhs.expr && lhs.value == rhs.value)
    return 0;
  if (!lhs.expr || !rhs.expr) {
    if (!lhs.expr != !rhs.expr)
      return !lhs.expr ? -1 : 1;
    return lhs.value < rhs.value ? -1 : lhs.value > rhs.value;
  }
  const IntExpr &a = *lhs.expr, &b = *rhs.expr;
  if (a.kind != b.kind)
    return a.kind < b.kind ? -1 : 1;
  if (a.kind == Kind::Symbol)
    return a.symbol < b.symbol ? -1 : a.symbol > b.symbol;
  if (a.kind == Kind::Invalid)
    return a.message.compare(b.message);
  if (a.operands.size() != b.operands.size())
    return a.operands.size() < b.operands.size() ? -1 : 1;
  for (unsigned i = 0; i < a.operands.size(); ++i)
    if (int order = compare(a.operands[i], b.operands[i]))
      return order;
  return 0;
}

llvm::hash_code tile::hash_value(const Int &integer) {
  if (integer.isStatic())
    return llvm::hash_combine(0, integer.getValue());
  if (integer.isInvalid())
    return llvm::hash_combine(2, integer.getInvalidReason());
  const IntExpr *expr = integer.getExpr();
  if (!expr)
    return llvm::hash_combine(1, integer.getDivisor());
  llvm::hash_code code = llvm::hash_combine(
      3, integer.getDivisor(), unsigned(expr->getKind()), expr->getSymbol());
  for (const Int &operand : expr->getOperands())
    code = llvm::hash_combine(code, hash_value(operand));
  return code;
}
