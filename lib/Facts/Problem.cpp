// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates a problem from its meaning, one element of the result at a time.
#include "tile/Facts/Problem.h"

#include <cmath>

using namespace tile;

int64_t AccessIndex::evaluate(const std::vector<int64_t> &point) const {
  int64_t index = constant;
  for (size_t i = 0; i < coefficients.size(); ++i)
    index += coefficients[i] * point[i];
  return index;
}

int AccessIndex::getDim() const {
  int dim = -1;
  for (size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == 0)
      continue;
    if (coefficients[i] != 1 || dim >= 0)
      return -1;
    dim = static_cast<int>(i);
  }
  return constant == 0 ? dim : -1;
}

int Problem::findOperand(std::string_view name) const {
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i].name == name)
      return static_cast<int>(i);
  return -1;
}

Problem tile::makeGemmProblem(int rankA, int rankB, int rankC, int rankD) {
  Problem problem;
  problem.op = "gemm";
  bool batched = rankD == 3;
  if (batched)
    problem.sizes.push_back("batch");
  for (const char *size : {"M", "N", "K"})
    problem.sizes.push_back(size);
  size_t m = batched ? 1 : 0;
  auto index = [&](size_t dim) {
    AccessIndex result;
    result.coefficients.assign(problem.sizes.size(), 0);
    result.coefficients[dim] = 1;
    return result;
  };
  auto add = [&](const char *name, OperandRole role, int rank, size_t row,
                 size_t column) {
    ProblemOperand operand{name, role, {}};
    if (rank == 3)
      operand.map.push_back(index(0));
    operand.map.push_back(index(row));
    operand.map.push_back(index(column));
    problem.operands.push_back(operand);
  };
  add("A", OperandRole::Factor, rankA, m, m + 2);
  add("B", OperandRole::Factor, rankB, m + 2, m + 1);
  if (rankC)
    add("C", OperandRole::Addend, rankC, m, m + 1);
  add("D", OperandRole::Result, rankD, m, m + 1);
  problem.scalars = {"alpha", "beta"};
  return problem;
}

std::string tile::findSizes(const Problem &problem,
                            const std::vector<HostOperand> &operands,
                            std::vector<int64_t> &sizes) {
  sizes.assign(problem.sizes.size(), -1);
  std::vector<std::string> from(problem.sizes.size());
  for (size_t i = 0; i < problem.operands.size(); ++i) {
    const ProblemOperand &operand = problem.operands[i];
    if (operands[i].extents.size() != operand.map.size())
      return "expected " + operand.name + " to have rank " +
             std::to_string(operand.map.size()) + ", but got " +
             std::to_string(operands[i].extents.size());
    for (size_t j = 0; j < operand.map.size(); ++j) {
      int dim = operand.map[j].getDim();
      if (dim < 0)
        continue;
      int64_t extent = operands[i].extents[j];
      if (sizes[dim] >= 0 && sizes[dim] != extent)
        return "expected " + from[dim] + " and " + operand.name +
               " to agree on " + problem.sizes[dim] + ", but got " +
               std::to_string(sizes[dim]) + " and " + std::to_string(extent);
      sizes[dim] = extent;
      from[dim] = operand.name;
    }
  }
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0)
      return "expected an operand of which " + problem.sizes[i] +
             " is an extent, but got none";
  return "";
}

/// The element at a point; false beyond the extents.
static bool findElement(const ProblemOperand &operand, const HostOperand &host,
                        const std::vector<int64_t> &point, double &value) {
  int64_t offset = 0;
  for (size_t i = 0; i < operand.map.size(); ++i) {
    int64_t index = operand.map[i].evaluate(point);
    if (index < 0 || index >= host.extents[i])
      return false;
    offset += index * host.strides[i];
  }
  value = host.data[offset];
  return true;
}

/// The product of the factors at a point.
static double multiply(const Problem &problem,
                       const std::vector<HostOperand> &operands,
                       const std::vector<int64_t> &point) {
  double product = 1;
  for (size_t i = 0; i < problem.operands.size(); ++i) {
    if (problem.operands[i].role != OperandRole::Factor)
      continue;
    double value = 0;
    // A filter at the margin of an image multiplies nothing there.
    if (!findElement(problem.operands[i], operands[i], point, value))
      return 0;
    product *= value;
  }
  return product;
}

/// Goes to the next point of the free dimensions, the last one fastest; false
/// after the last point.
static bool advance(std::vector<int64_t> &point, const std::vector<bool> &free,
                    const std::vector<int64_t> &sizes) {
  for (size_t i = point.size(); i-- > 0;) {
    if (!free[i])
      continue;
    if (++point[i] < sizes[i])
      return true;
    point[i] = 0;
  }
  return false;
}

ReferenceElement tile::evaluateElement(const Problem &problem,
                                       const std::vector<HostOperand> &operands,
                                       const std::vector<int64_t> &sizes,
                                       const std::vector<double> &scalars,
                                       const std::vector<int64_t> &element) {
  auto scalar = [&](size_t i) { return i < scalars.size() ? scalars[i] : 1.0; };
  // Dimensions that the result has not are summed over.
  std::vector<int64_t> point(sizes.size(), 0);
  std::vector<bool> free(sizes.size(), true);
  bool readsFactors = scalar(0) != 0;
  for (size_t i = 0; i < problem.operands.size(); ++i) {
    const ProblemOperand &operand = problem.operands[i];
    if (operand.role == OperandRole::Factor)
      readsFactors &= operands[i].data != nullptr;
    if (operand.role != OperandRole::Result)
      continue;
    for (size_t j = 0; j < operand.map.size(); ++j)
      if (int dim = operand.map[j].getDim(); dim >= 0) {
        point[dim] = element[j];
        free[dim] = false;
      }
  }
  ReferenceElement result;
  for (size_t i = 0; i < sizes.size(); ++i)
    readsFactors &= !free[i] || sizes[i] > 0;
  std::vector<int64_t> first = point;
  while (readsFactors) {
    double product = multiply(problem, operands, point);
    result.value += product;
    result.magnitude += std::fabs(product);
    readsFactors = advance(point, free, sizes);
  }
  result.value *= scalar(0);
  result.magnitude *= std::fabs(scalar(0));
  for (size_t i = 0; i < problem.operands.size(); ++i) {
    double value = 0;
    if (problem.operands[i].role != OperandRole::Addend || !operands[i].data ||
        scalar(1) == 0 ||
        !findElement(problem.operands[i], operands[i], first, value))
      continue;
    result.value += scalar(1) * value;
    result.magnitude += std::fabs(scalar(1) * value);
  }
  return result;
}
