// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text and value of expressions.
#include "tile/Facts/Expression.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace tile;

namespace {

/// A float type: bits of its significand, its least exponent, its largest
/// number.
struct FloatFormat {
  const char *name;
  int precision, leastExponent;
  double largest;
};

struct Operation {
  const char *name;
  int operands;
  double (*evaluate)(double a, double b, double c);
};

} // namespace

static constexpr FloatFormat kFormats[] = {
    {"f64", 53, -1022, 1.7976931348623157e308},
    {"f32", 24, -126, 3.4028234663852886e38},
    {"bf16", 8, -126, 3.3895313892515355e38},
    {"f16", 11, -14, 65504},
};

/// The largest and smallest number as IEEE 754's maximum and minimum have them:
/// of a NaN it is a NaN.
static double maximum(double a, double b, double) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
}
static double minimum(double a, double b, double) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
}

using D = double;
static const Operation kOperations[] = {
    {"add", 2, [](D a, D b, D) { return a + b; }},
    {"sub", 2, [](D a, D b, D) { return a - b; }},
    {"mul", 2, [](D a, D b, D) { return a * b; }},
    {"div", 2, [](D a, D b, D) { return a / b; }},
    {"max", 2, maximum},
    {"min", 2, minimum},
    {"maxnum", 2, [](D a, D b, D) { return std::fmax(a, b); }},
    {"minnum", 2, [](D a, D b, D) { return std::fmin(a, b); }},
    {"and", 2, [](D a, D b, D) { return D(a != 0 && b != 0); }},
    {"or", 2, [](D a, D b, D) { return D(a != 0 || b != 0); }},
    {"fma", 3, [](D a, D b, D c) { return a * b + c; }},
    {"select", 3, [](D a, D b, D c) { return a != 0 ? b : c; }},
    {"neg", 1, [](D a, D, D) { return -a; }},
    {"abs", 1, [](D a, D, D) { return std::fabs(a); }},
    {"ext", 1, [](D a, D, D) { return a; }},
    {"exp", 1, [](D a, D, D) { return std::exp(a); }},
    {"exp2", 1, [](D a, D, D) { return std::exp2(a); }},
    {"log", 1, [](D a, D, D) { return std::log(a); }},
    {"tanh", 1, [](D a, D, D) { return std::tanh(a); }},
    {"erf", 1, [](D a, D, D) { return std::erf(a); }},
    {"sqrt", 1, [](D a, D, D) { return std::sqrt(a); }},
    {"rsqrt", 1, [](D a, D, D) { return 1 / std::sqrt(a); }},
};

/// Ordered comparisons, then those that hold where an operand is a NaN, too.
static constexpr const char *kPredicates[] = {"oeq", "one", "olt", "ole", "ogt",
                                              "oge", "ord", "ueq", "une", "ult",
                                              "ule", "ugt", "uge", "uno"};

static bool compare(const std::string &predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  if (unordered || predicate == "ord" || predicate == "uno")
    return (predicate[0] == 'u') == unordered;
  std::string relation = predicate.substr(1);
  return relation == "eq"   ? a == b
         : relation == "ne" ? a != b
         : relation == "lt" ? a < b
         : relation == "le" ? a <= b
         : relation == "gt" ? a > b
                            : a >= b;
}

static const FloatFormat *findFormat(std::string_view name) {
  for (const FloatFormat &format : kFormats)
    if (name == format.name)
      return &format;
  return nullptr;
}

static const Operation *findOperation(std::string_view name) {
  for (const Operation &operation : kOperations)
    if (name == operation.name)
      return &operation;
  return nullptr;
}

static double roundTo(const FloatFormat &format, double value) {
  if (!std::isfinite(value) || value == 0)
    return value;
  int exponent = std::max(std::ilogb(value), format.leastExponent);
  int last = exponent - format.precision + 1;
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
  return std::fabs(rounded) > format.largest ? std::copysign(HUGE_VAL, value)
                                             : rounded;
}

int tile::findEpilogueOperand(std::string_view name) {
  int number = name.size() == 2 && name[0] == 'E' ? name[1] - '0' : -1;
  return number >= 0 && number < kMostEpilogueOperands ? number : -1;
}

std::vector<std::string> tile::listExpressionOps() {
  std::vector<std::string> names{"const", "cmp", "trunc"};
  for (const Operation &operation : kOperations)
    names.push_back(operation.name);
  return names;
}

std::string Expression::str() const {
  std::string text;
  for (const std::string &type : arguments)
    text += (text.empty() ? "" : " ") + type;
  for (const ExpressionStep &step : steps) {
    text += " | " + step.op;
    if (step.op == "const") {
      char number[64];
      std::snprintf(number, sizeof(number), " %a", step.constant);
      text += number;
    }
    if (!step.word.empty())
      text += " " + step.word;
    for (int operand : step.operands)
      if (operand >= 0)
        text += " " + std::to_string(operand);
  }
  return text;
}

/// The words of a text, which blanks part.
static std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string_view::npos) {
    size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Reads a step, whose operands must be below `values`.
static std::string parseStep(const std::vector<std::string> &words, int values,
                             ExpressionStep &step) {
  if (words.empty())
    return "expected an operation, but got nothing";
  step.op = words[0];
  size_t next = 1;
  int operands = 0;
  if (step.op == "const") {
    char *end = nullptr;
    if (words.size() != 2)
      return "expected a number after 'const'";
    step.constant = std::strtod(words[1].c_str(), &end);
    return *end || words[1].empty()
               ? "expected a number after 'const', but got '" + words[1] + "'"
               : "";
  }
  if (step.op == "trunc" || step.op == "cmp") {
    bool isCast = step.op == "trunc";
    step.word = words.size() > 1 ? words[1] : "";
    bool known = isCast ? findFormat(step.word) != nullptr
                        : std::count(std::begin(kPredicates),
                                     std::end(kPredicates), step.word) > 0;
    if (!known)
      return std::string("expected a ") +
             (isCast ? "float type" : "predicate") + " after '" + step.op +
             "', but got '" + step.word + "'";
    operands = isCast ? 1 : 2;
    next = 2;
  } else if (const Operation *operation = findOperation(step.op)) {
    operands = operation->operands;
  } else {
    return "expected an operation, but got '" + step.op + "'";
  }
  if (words.size() != next + operands)
    return "expected " + std::to_string(operands) + " operands of '" + step.op +
           "', but got " + std::to_string(words.size() - next);
  for (int i = 0; i < operands; ++i) {
    const std::string &word = words[next + i];
    bool isNumber = !word.empty() && word.size() < 6 &&
                    word.find_first_not_of("0123456789") == std::string::npos;
    step.operands[i] = isNumber ? std::atoi(word.c_str()) : -1;
    if (!isNumber || step.operands[i] >= values)
      return "expected the number of a value below " + std::to_string(values) +
             ", but got '" + word + "'";
  }
  return "";
}

std::string tile::parseExpression(std::string_view text,
                                  Expression &expression) {
  constexpr size_t kMostSteps = 4096;
  expression = Expression();
  bool isFirst = true;
  while (true) {
    size_t bar = text.find('|');
    std::vector<std::string> words = split(text.substr(0, bar));
    if (isFirst) {
      for (const std::string &word : words)
        if (!findFormat(word))
          return "expected a float type of an argument, but got '" + word + "'";
      if (words.empty())
        return "expected the type of at least one argument";
      expression.arguments = words;
      isFirst = false;
    } else {
      int values = static_cast<int>(expression.arguments.size() +
                                    expression.steps.size());
      std::string reason =
          parseStep(words, values, expression.steps.emplace_back());
      if (!reason.empty())
        return reason;
      if (expression.steps.size() > kMostSteps)
        return "expected at most " + std::to_string(kMostSteps) + " steps";
    }
    if (bar == std::string_view::npos)
      return "";
    text.remove_prefix(bar + 1);
  }
}

ExpressionValue tile::evaluateExpression(const Expression &expression,
                                         const std::vector<double> &arguments) {
  std::vector<double> values = arguments;
  values.reserve(arguments.size() + expression.steps.size());
  ExpressionValue result;
  auto note = [&](double value) {
    if (std::isfinite(value))
      result.magnitude = std::max(result.magnitude, std::fabs(value));
  };
  for (double value : values)
    note(value);
  for (const ExpressionStep &step : expression.steps) {
    auto get = [&](int i) {
      return step.operands[i] < 0 ? 0 : values[step.operands[i]];
    };
    double value;
    if (step.op == "const")
      value = step.constant;
    else if (step.op == "cmp")
      value = compare(step.word, get(0), get(1));
    else if (step.op == "trunc")
      value = &step == &expression.steps.back()
                  ? get(0)
                  : roundTo(*findFormat(step.word), get(0));
    else
      value = findOperation(step.op)->evaluate(get(0), get(1), get(2));
    note(value);
    values.push_back(value);
  }
  result.value = values.back();
  return result;
}
