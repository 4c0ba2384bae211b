// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a kernel is expected to take, by the facts that it states.
#include "Cost.h"

#include <cmath>

using namespace tile::rt;

static double countBytes(const GemmOperand &operand) {
  return operand.countElements() * double(operand.elementBytes());
}

double tile::rt::estimateGemm(const KernelFacts &kernel,
                              const GemmProblem &problem,
                              const DeviceLimits &limits) {
  const CostFacts &cost = *kernel.cost;
  double waves = std::ceil(countBlocks(kernel, problem) /
                           (cost.slots * double(limits.multiprocessors)));
  double bytes = 0;
  for (int i : {OperandA, OperandB, OperandD})
    if (problem.operands[i].used)
      bytes += countBytes(problem.operands[i]);
  // With alpha = 0 there are no products either.
  double k = problem.operands[OperandA].used ? double(problem.k) : 0;
  double tiled = waves * (cost.tile + k * cost.k), memory = cost.bytes * bytes;
  // The longer of the two, and a little of the other: of kernels that wait for
  // memory, the one with the least to do besides is the fastest.
  return cost.fixed + std::pow(std::pow(tiled, 4) + std::pow(memory, 4), 0.25);
}

double tile::rt::estimatePack(const KernelFacts &kernel,
                              const GemmProblem &problem) {
  return kernel.cost->fixed +
         kernel.cost->bytes * 2 * countBytes(problem.packed);
}
