// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometry and program text of a problem.
#include "Problem.h"

#include <algorithm>
#include <sstream>

using namespace tile::sweep;

const Operand &tile::sweep::operandOf(const Problem &problem, char name) {
  switch (name) {
  case 'A':
    return problem.a;
  case 'B':
    return problem.b;
  case 'C':
    return problem.c;
  default:
    return problem.d;
  }
}

Element tile::sweep::elementOf(const Problem &problem, char name) {
  if (name == 'B')
    return problem.elementB.value_or(problem.element);
  return name == 'A' ? problem.element
                     : problem.elementD.value_or(problem.element);
}

void Problem::setTensorPadding(int64_t blocks) {
  auto set = [&](char name, Operand &operand) {
    int64_t unit = 16 / bytesOf(elementOf(*this, name));
    int64_t rows = name == 'B' ? k : m, columns = name == 'A' ? k : n;
    int64_t line = operand.columnMajor ? rows : columns;
    operand.padding = (unit - line % unit) % unit + blocks * unit;
  };
  set('A', a);
  set('B', b);
  set('C', c);
  set('D', d);
}

Geometry tile::sweep::geometryOf(const Problem &problem, char name) {
  const Operand &operand = operandOf(problem, name);
  Geometry result;
  bool stacked = problem.batch && !operand.shared;
  result.extents = {stacked ? *problem.batch : 1,
                    name == 'B' ? problem.k : problem.m,
                    name == 'A' ? problem.k : problem.n};
  int64_t rows = result.extents[1], columns = result.extents[2];
  int64_t pitch = std::max<int64_t>(
      (operand.columnMajor ? rows : columns) + operand.padding, 1);
  int64_t lines = operand.columnMajor ? columns : rows;
  result.strides = {stacked ? pitch * lines + operand.batchGap : 0,
                    operand.columnMajor ? 1 : pitch,
                    operand.columnMajor ? pitch : 1};
  if (operand.strides)
    result.strides = *operand.strides;
  if (result.empty())
    return result;
  for (int i = 0; i < 3; ++i) {
    int64_t reach = (result.extents[i] - 1) * result.strides[i];
    (reach < 0 ? result.low : result.high) += reach;
  }
  return result;
}

/// The memref type of operand `name`.
static std::string typeOf(const Problem &problem, char name) {
  const Operand &operand = operandOf(problem, name);
  Geometry geometry = geometryOf(problem, name);
  bool stacked = problem.batch && !operand.shared;
  std::ostringstream shape, strides;
  for (int i = stacked ? 0 : 1; i < 3; ++i) {
    bool isUnit = i == (operand.columnMajor ? 1 : 2) && !operand.strides;
    bool isStatic = problem.typing == Typing::Static;
    if (isStatic)
      shape << geometry.extents[i] << 'x';
    else
      shape << "?x";
    strides << (strides.tellp() ? ", " : "");
    if (isStatic || (isUnit && problem.typing == Typing::UnitStride))
      strides << geometry.strides[i];
    else
      strides << '?';
  }
  return "memref<" + shape.str() + nameOf(elementOf(problem, name)) +
         ", strided<[" + strides.str() + "], offset: ?>>";
}

std::string tile::sweep::programOf(const Problem &problem) {
  std::string element = nameOf(problem.scalarType());
  std::string names = problem.hasC ? "ABCD" : "ABD";
  std::string arguments, inputs, types;
  for (char name : names) {
    std::string type = typeOf(problem, name);
    arguments += std::string("%") + name + ": " + type + ", ";
    if (name == 'D')
      continue;
    inputs += (inputs.empty() ? "%" : ", %") + std::string(1, name);
    types += (types.empty() ? "" : ", ") + type;
  }
  std::string text =
      "func.func @" + problem.entry + "(" + arguments + "%alpha: " + element;
  if (problem.hasC)
    text += ", %beta: " + element;
  text += ") {\n  tile.gemm ins(" + inputs + " : " + types +
          ") outs(%D : " + typeOf(problem, 'D') + ")";
  if (problem.hasScalars())
    text += " alpha(%alpha : " + element + ")";
  if (problem.hasC)
    text += " beta(%beta : " + element + ")";
  if (problem.promotedSums)
    text += " promoted_sums";
  if (!problem.schedule.empty())
    text += " schedule " + problem.schedule;
  return text + "\n  return\n}\n";
}

std::string Problem::describe() const {
  std::ostringstream text;
  text << nameOf(element) << ' ';
  if (elementB)
    text << "* " << nameOf(*elementB) << ' ';
  if (elementD)
    text << "-> " << nameOf(*elementD) << ' ';
  text << m << " x " << n << " x " << k;
  if (batch)
    text << ", batch " << *batch;
  for (char name : std::string(hasC ? "ABCD" : "ABD")) {
    const Operand &operand = operandOf(*this, name);
    Geometry geometry = geometryOf(*this, name);
    text << ", " << name
         << (operand.columnMajor ? " column-major" : " row-major")
         << " strides (" << geometry.strides[0] << ", " << geometry.strides[1]
         << ", " << geometry.strides[2] << ")";
    if (operand.offset)
      text << " + " << operand.offset;
    static constexpr const char *contents[] = {"", " NaN", " Inf", " null",
                                               " subnormal"};
    text << contents[static_cast<int>(operand.content)];
  }
  text << ", alpha " << alpha;
  if (hasC)
    text << ", beta " << beta;
  if (promotedSums)
    text << ", promoted sums";
  if (inPlace)
    text << ", D is C";
  static constexpr const char *typings[] = {"", ", dynamic strides",
                                            ", static shapes"};
  text << typings[static_cast<int>(typing)];
  if (!schedule.empty())
    text << ", " << schedule;
  return text.str();
}
