// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions as text, what they are worth, and what is none.
#include "tile/Facts/Expression.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tile;

static double evaluate(const std::string &text,
                       const std::vector<double> &arguments) {
  Expression expression;
  EXPECT_EQ(parseExpression(text, expression), "");
  EXPECT_EQ(expression.str(), text);
  return evaluateExpression(expression, arguments).value;
}

TEST(Expressions, Values) {
  EXPECT_EQ(evaluate("f32 f32", {3, 5}), 5);
  EXPECT_EQ(evaluate("f32 f32 | const 0x0p+0 | add 0 1 | max 3 2", {3, -5}), 0);
  EXPECT_EQ(evaluate("f32 f32 f32 | fma 0 1 2", {3, 5, 7}), 22);
  EXPECT_EQ(evaluate("f32 | cmp olt 0 0 | neg 0 | select 1 2 0", {3}), 3);
  EXPECT_EQ(evaluate("f32 | cmp ole 0 0 | neg 0 | select 1 2 0", {3}), -3);
  EXPECT_EQ(evaluate("f32 | cmp une 0 0 | neg 0 | select 1 2 0", {NAN}) != 0,
            true);
  EXPECT_DOUBLE_EQ(evaluate("f32 | erf 0 | exp 1", {0.5}),
                   std::exp(std::erf(0.5)));
  EXPECT_DOUBLE_EQ(evaluate("f64 | rsqrt 0", {4}), 0.5);
  EXPECT_TRUE(std::isnan(evaluate("f32 f32 | max 0 1", {NAN, 1})));
  EXPECT_EQ(evaluate("f32 f32 | maxnum 0 1", {NAN, 1}), 1);
}

// Every operation is read, and has a value of its own.
TEST(Expressions, AllOperations) {
  for (const std::string &op : listExpressionOps()) {
    std::string text = op == "const"    ? "f32 | const 0x1p-1"
                       : op == "cmp"    ? "f32 f32 | cmp ogt 0 1"
                       : op == "trunc"  ? "f32 | trunc bf16 0"
                       : op == "fma" || op == "select"
                           ? "f32 f32 f32 | " + op + " 0 1 2"
                           : "f32 f32 | " + op + " 0";
    Expression expression;
    if (!parseExpression(text, expression).empty())
      text += " 1";
    EXPECT_TRUE(std::isfinite(evaluate(text, {0.25, 0.75, 0.5}))) << text;
  }
}

// Casts on the way round to nearest even; the last one is the result's own.
TEST(Expressions, Rounding) {
  EXPECT_EQ(evaluate("f32 | trunc bf16 0 | ext 1", {1 + 0x1p-8}), 1);
  EXPECT_EQ(evaluate("f32 | trunc bf16 0 | ext 1", {1 + 0x3p-8}), 1 + 0x1p-6);
  EXPECT_EQ(evaluate("f32 | trunc f16 0 | ext 1", {0x1p-25}), 0);
  EXPECT_EQ(evaluate("f32 | trunc f16 0 | ext 1", {0x3p-25}), 0x1p-23);
  EXPECT_EQ(evaluate("f32 | trunc f16 0 | ext 1", {-1e6}), -HUGE_VAL);
  EXPECT_EQ(evaluate("f32 | trunc bf16 0", {1 + 0x1p-8}), 1 + 0x1p-8);
}

TEST(Expressions, Magnitude) {
  Expression expression;
  ASSERT_EQ(parseExpression("f32 f32 | mul 0 1 | sub 0 0", expression), "");
  EXPECT_EQ(evaluateExpression(expression, {8, 4}).magnitude, 32);
  EXPECT_EQ(evaluateExpression(expression, {8, 4}).value, 0);
}

TEST(Expressions, Mistakes) {
  struct {
    const char *text, *reason;
  } cases[] = {
      {"", "expected the type of at least one argument"},
      {"i32", "expected a float type of an argument, but got 'i32'"},
      {"f32 |", "expected an operation, but got nothing"},
      {"f32 | sin 0", "expected an operation, but got 'sin'"},
      {"f32 | add 0", "expected 2 operands of 'add', but got 1"},
      {"f32 | neg 0 0", "expected 1 operands of 'neg', but got 2"},
      {"f32 | neg 1", "expected the number of a value below 1, but got '1'"},
      {"f32 | neg -1", "expected the number of a value below 1, but got '-1'"},
      {"f32 | neg 99999999999",
       "expected the number of a value below 1, but got '99999999999'"},
      {"f32 | const", "expected a number after 'const'"},
      {"f32 | const x", "expected a number after 'const', but got 'x'"},
      {"f32 | cmp foo 0 0", "expected a predicate after 'cmp', but got 'foo'"},
      {"f32 | trunc i8 0", "expected a float type after 'trunc', but got 'i8'"},
  };
  for (const auto &[text, reason] : cases) {
    Expression expression;
    EXPECT_EQ(parseExpression(text, expression), reason);
  }
}
