// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a problem computes: named operands, each with a map from the points of
// an iteration space to its elements, and the meaning of the whole. Plain C++,
// for whoever checks a result without the compiler.
#ifndef TILE_FACTS_PROBLEM_H
#define TILE_FACTS_PROBLEM_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tile {

/// One index of an operand: `constant + sum of coefficients[i] * point[i]`.
///
/// Example: rows of an image under a filter of 3 rows with stride 2 and a
/// margin of 1, for the dimensions (p, r): 2 p + r - 1, {-1, {2, 1}}.
struct AccessIndex {
  int64_t constant = 0;
  std::vector<int64_t> coefficients;

  int64_t evaluate(const std::vector<int64_t> &point) const;
  /// The dimension that the index is, without anything else; -1 if none.
  int getDim() const;
};

/// What a problem does with an operand.
enum class OperandRole {
  /// Read, and multiplied with the other factors. Beyond its extents it is 0.
  Factor,
  /// Read, scaled by the second scalar, and added to the result.
  Addend,
  /// Written.
  Result
};

/// An operand: its name, its role, and its access map, one index for each of
/// its dimensions.
struct ProblemOperand {
  std::string name;
  OperandRole role = OperandRole::Factor;
  std::vector<AccessIndex> map;
};

/// A problem. For each element of the result, over all points of the iteration
/// space that its map takes there:
///
///   result = scalar0 * sum of products of the factors + scalar1 * addend
///
/// A scalar that is missing is 1; without an addend the second part is.
struct Problem {
  /// The operation, "gemm".
  std::string op;
  /// Names of the dimensions of the iteration space.
  std::vector<std::string> sizes;
  std::vector<ProblemOperand> operands;
  /// Names of the scalars.
  std::vector<std::string> scalars;

  /// The number of an operand by name; -1 if there is none.
  int findOperand(std::string_view name) const;
};

/// D = alpha A B + beta C with ranks of 2, or 3 with a leading batch; `rankC`
/// is 0 without C.
///
/// Example: ranks of 2 give sizes M, N and K, and A(M, K), B(K, N), D(M, N).
Problem makeGemmProblem(int rankA, int rankB, int rankC, int rankD);

/// An operand in host memory, widened to double. Strides count elements.
struct HostOperand {
  std::vector<int64_t> extents, strides;
  /// Element (0, …, 0); null for the result, and for what is not read.
  const double *data = nullptr;
};

/// Gives the extents of the iteration space that the operands' extents say, in
/// the order of `problem.sizes`. Returns the reason, as a sentence, where they
/// contradict each other or leave one open; "" otherwise.
std::string findSizes(const Problem &problem,
                      const std::vector<HostOperand> &operands,
                      std::vector<int64_t> &sizes);

/// One element of the result, and what its terms sum up to without their
/// signs, from which a tolerance follows.
struct ReferenceElement {
  double value = 0, magnitude = 0;
};

/// Computes an element of the result from the problem's meaning, in double. A
/// factor without data makes the sum empty, an addend without data makes that
/// part 0. `scalars` are in the problem's order; missing ones are 1.
ReferenceElement evaluateElement(const Problem &problem,
                                 const std::vector<HostOperand> &operands,
                                 const std::vector<int64_t> &sizes,
                                 const std::vector<double> &scalars,
                                 const std::vector<int64_t> &element);

} // namespace tile

#endif // TILE_FACTS_PROBLEM_H
