// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A 64-bit integer that is constant, or dynamic with a known divisor.
#ifndef TILE_LAYOUT_INT_H
#define TILE_LAYOUT_INT_H

#include "tile/Layout/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <memory>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tile {

class IntExpr;

/// An integer leaf of the layout algebra. Three kinds:
///  * static: a constant, `8`;
///  * dynamic: unknown until run time, a multiple of a divisor,
///    `?{div = 8}`. It may carry a symbolic expression, so that the algorithm
///    that runs on constants runs on symbols too, and a caller can turn the
///    resulting expression into IR afterwards;
///  * invalid: the outcome of arithmetic that left the 64-bit range or divided
///    by zero. It is sticky like a NaN; checked factories (Layout::get and all
///    operations) turn it into a Reason.
///
/// Worked example: with M = Int::symbol(0, 16), `M * 4` is a dynamic integer
/// with divisor 64, `floorDiv(M * 4, 8)` is the expression `#0 floordiv 2` with
/// divisor 8, and `mod(M, 8)` is the constant 0.
class Int {
public:
  /// The constant 0.
  Int() = default;
  /// A constant.
  Int(int64_t constant) : value(constant) {}

  /// An unknown integer that is a multiple of `div` (>= 1), without identity:
  /// two of them never compare as provably equal.
  static Int dynamic(int64_t div = 1);
  /// The unknown integer number `index`: a multiple of `div` in
  /// [lower, upper].
  static Int symbol(unsigned index, int64_t div = 1,
                    int64_t lower = std::numeric_limits<int64_t>::min(),
                    int64_t upper = std::numeric_limits<int64_t>::max());
  /// The sticky outcome of failed arithmetic.
  static Int invalid(const Reason &reason);

  bool isStatic() const { return kind == Kind::Static; }
  bool isStatic(int64_t constant) const {
    return isStatic() && value == constant;
  }
  bool isDynamic() const { return kind == Kind::Dynamic; }
  bool isInvalid() const { return kind == Kind::Invalid; }
  /// Dynamic and carrying a symbolic expression.
  bool hasExpr() const { return isDynamic() && expr != nullptr; }

  /// The constant of a static integer.
  int64_t getValue() const {
    assert(isStatic() && "only a static integer has a value");
    return value;
  }
  /// The largest known divisor: |constant| for a static integer (0 for 0).
  int64_t getDivisor() const;
  /// The expression of a dynamic integer, or null.
  const IntExpr *getExpr() const { return hasExpr() ? expr.get() : nullptr; }
  /// Why an invalid integer is invalid.
  std::string getInvalidReason() const;

  /// Inclusive bounds known for every run (the 64-bit range if nothing is).
  int64_t getLower() const;
  int64_t getUpper() const;

  /// True when the integer is a multiple of `other` in every run.
  bool isMultipleOf(const Int &other) const;
  /// True when both are the same number in every run: equal constants or
  /// equal expressions. Two anonymous `?` are not.
  bool isSameAs(const Int &other) const;
  /// True when `*this <= other` in every run, where both are known to be
  /// positive (extents): by bounds, or because *this divides other.
  bool isAtMost(const Int &other) const;

  /// The integer with symbol #i replaced by `values[i]`. Symbols beyond the
  /// list stay.
  Int substitute(llvm::ArrayRef<Int> values) const;
  /// A dynamic integer without its expression; others unchanged.
  Int withoutExpr() const;
  /// The integer known to be a multiple of `div` as well (a caller's proof).
  Int withDivisor(int64_t div) const;

  /// Structural equality: same kind, constant, divisor and expression. Two
  /// anonymous `?` with one divisor are equal (as types are).
  bool operator==(const Int &other) const;
  bool operator!=(const Int &other) const { return !(*this == other); }

  /// Prints `8`, `?`, `?{div = 8}`; with `symbols` set, expressions in full.
  void print(llvm::raw_ostream &os, bool symbols = false) const;
  std::string str(bool symbols = false) const;

private:
  friend class IntExpr;
  enum class Kind : uint8_t { Static, Dynamic, Invalid };

  /// Static: the constant. Dynamic: the divisor.
  int64_t value = 0;
  std::shared_ptr<const IntExpr> expr;
  Kind kind = Kind::Static;
};

/// Sum, difference, product. Leaving 64 bits gives an invalid integer.
Int operator+(const Int &lhs, const Int &rhs);
Int operator-(const Int &lhs, const Int &rhs);
Int operator-(const Int &operand);
Int operator*(const Int &lhs, const Int &rhs);
/// Quotient rounded towards minus infinity; the divisor must be positive when
/// it is dynamic. Division by 0 gives an invalid integer.
Int floorDiv(const Int &lhs, const Int &rhs);
/// Quotient rounded towards plus infinity.
Int ceilDiv(const Int &lhs, const Int &rhs);
/// `lhs - rhs * floorDiv(lhs, rhs)`; in [0, rhs) for a positive rhs.
Int mod(const Int &lhs, const Int &rhs);
/// The smaller and the larger of two integers.
Int min(const Int &lhs, const Int &rhs);
Int max(const Int &lhs, const Int &rhs);
/// Bitwise exclusive or of two non-negative integers.
Int bitXor(const Int &lhs, const Int &rhs);

llvm::hash_code hash_value(const Int &integer);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Int &integer);

/// An immutable node of a symbolic expression. Sums and products are n-ary,
/// flat and sorted: a product's constant factor and a sum's constant term come
/// first when there are any, so that equal expressions are structurally equal.
class IntExpr {
public:
  enum class Kind : uint8_t {
    Symbol,
    Add,
    Mul,
    FloorDiv,
    CeilDiv,
    Mod,
    Min,
    Max,
    Xor,
    Invalid
  };

  Kind getKind() const { return kind; }
  /// The number of a Symbol.
  unsigned getSymbol() const { return symbol; }
  /// The operands: two, or any number >= 2 for Add and Mul.
  llvm::ArrayRef<Int> getOperands() const { return operands; }
  int64_t getLower() const { return lower; }
  int64_t getUpper() const { return upper; }

  /// A total order over expressions; 0 means structurally equal.
  static int compare(const Int &lhs, const Int &rhs);
  /// Builds a dynamic integer around a node. `div` is its divisor.
  static Int make(Kind kind, llvm::ArrayRef<Int> operands, int64_t div);

private:
  friend class Int;
  Kind kind = Kind::Symbol;
  unsigned symbol = 0;
  int64_t lower = std::numeric_limits<int64_t>::min();
  int64_t upper = std::numeric_limits<int64_t>::max();
  llvm::SmallVector<Int, 2> operands;
  std::string message;
};

} // namespace tile

#endif // TILE_LAYOUT_INT_H
