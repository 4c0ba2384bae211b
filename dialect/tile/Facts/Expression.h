// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an epilogue makes of an element, as plain C++: for a manifest, and for
// whoever checks a result without the compiler.
#ifndef TILE_FACTS_EXPRESSION_H
#define TILE_FACTS_EXPRESSION_H

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tile {

/// The most operands that an epilogue has: E0 to E7.
inline constexpr int kMostEpilogueOperands = 8;

/// The number of an epilogue's operand by its name, "E0"; -1 if it is none.
int findEpilogueOperand(std::string_view name);

/// A step of an expression: an operation on the values of earlier ones.
struct ExpressionStep {
  /// A name of `listExpressionOps`.
  std::string op;
  /// Numbers of values: arguments come first, then a value for each step.
  std::array<int, 3> operands = {-1, -1, -1};
  /// Of `const`.
  double constant = 0;
  /// What `trunc` rounds to, or the predicate of `cmp`.
  std::string word;
};

/// An expression over some arguments, whose value is that of its last step, or
/// of its last argument if it has none.
///
/// As text: the arguments' types, then the steps,
///
///   f32 f32 | const 0x0p+0 | add 0 1 | max 3 2 | trunc bf16 4
struct Expression {
  std::vector<std::string> arguments;
  std::vector<ExpressionStep> steps;

  std::string str() const;
};

/// The operations' names.
std::vector<std::string> listExpressionOps();

/// Reads an expression. Returns what is wrong with the text, as a sentence with
/// what was expected; "" if nothing is.
std::string parseExpression(std::string_view text, Expression &expression);

/// A value, and the largest magnitude of a value on the way to it.
struct ExpressionValue {
  double value = 0, magnitude = 0;
};

/// Computes the expression in double; `trunc` rounds to its type, except in the
/// last step: that rounding is the result's own.
ExpressionValue evaluateExpression(const Expression &expression,
                                   const std::vector<double> &arguments);

} // namespace tile

#endif // TILE_FACTS_EXPRESSION_H
