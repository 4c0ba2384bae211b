// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of operands in the workspace, which a kernel reads instead.
#include "Prepare.h"

#include "Error.h"

using namespace tile::rt;

/// Rounds up, false when that overflows.
static bool roundUp(int64_t value, int64_t multiple, int64_t &result) {
  return !__builtin_add_overflow(value, multiple - 1, &result) &&
         (result = result / multiple * multiple, true);
}

/// Gives the copy of `source` its extents and strides, and its size in bytes.
/// False when it is too large.
static bool layOut(const PrepareFacts &facts, const GemmOperand &source,
                   int64_t matrices, GemmOperand &copy, int64_t &bytes) {
  copy = source;
  copy.tensor = nullptr;
  int inner = 1 + facts.contiguous, outer = 2 - facts.contiguous;
  int64_t pitch, matrix;
  if (!roundUp(source.extents[inner], facts.pitchMultiple, pitch) ||
      __builtin_mul_overflow(pitch, source.extents[outer], &matrix) ||
      __builtin_mul_overflow(matrix, matrices, &bytes) ||
      __builtin_mul_overflow(bytes, source.elementBytes(), &bytes))
    return false;
  copy.filled = pitch;
  copy.strides[inner] = 1;
  copy.strides[outer] = pitch;
  copy.strides[0] = matrices == 1 && source.extents[0] > 1 ? 0 : matrix;
  return true;
}

std::string tile::rt::prepareProblem(const Artifact &artifact,
                                     const Choice &choice,
                                     const GemmProblem &problem,
                                     void *workspace,
                                     PreparedProblem &prepared) {
  constexpr int64_t alignment = 1024;
  prepared.problem = problem;
  prepared.packs.clear();
  prepared.workspaceBytes = 0;
  const KernelFacts &kernel = artifact.kernels[choice.kernel];
  for (const PrepareFacts &facts : choice.prepare) {
    const GemmOperand &source = problem.operands[facts.operand];
    if (!source.used)
      continue;
    const TensorMapSpec *map = kernel.findTensorMap(facts.operand);
    bool shared = source.stride(0) == 0 && !(map && map->batched);
    int64_t matrices = shared ? 1 : source.extents[0];
    GemmOperand &copy = prepared.problem.operands[facts.operand];
    int64_t bytes, end;
    if (!layOut(facts, source, matrices, copy, bytes) ||
        !roundUp(bytes, alignment, bytes) ||
        __builtin_add_overflow(prepared.workspaceBytes, bytes, &end))
      return format("the copy of %s does not fit 63 bits of address",
                    operandName(facts.operand));
    copy.data = reinterpret_cast<void *>(
        reinterpret_cast<uintptr_t>(workspace) +
        static_cast<uintptr_t>(prepared.workspaceBytes));
    prepared.workspaceBytes = end;

    PackStep &pack = prepared.packs.emplace_back();
    pack.kernel = facts.kernel;
    pack.problem.batch = matrices;
    pack.problem.operands[OperandX] = source;
    pack.problem.operands[OperandX].extents[0] = matrices;
    pack.problem.packed = copy;
    pack.problem.packed.extents[0] = matrices;
  }
  return "";
}
