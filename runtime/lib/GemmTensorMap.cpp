// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensor map of a gemm's operand, and whether it can be.
#include "GemmTensorMap.h"

#include "Error.h"

#include <algorithm>

using namespace tile::rt;

using Long = long long;

// What cuTensorMapEncodeTiled documents, without interleaving.
static constexpr int64_t alignment = 16;
static constexpr int64_t strideLimit = int64_t(1) << 40;
static constexpr int64_t extentLimit = int64_t(1) << 32;
static constexpr int64_t boxLimit = 256;

static constexpr const char *dimNames[] = {"batch", "row", "column"};

static std::string checkBox(const TensorMapSpec &spec, const char *name,
                            int64_t elementBytes) {
  for (int32_t extent : spec.box)
    if (extent < 1 || extent > boxLimit)
      return format("box of %s has extent %d, and a tensor map needs 1 to %lld",
                    name, extent, Long(boxLimit));
  int64_t inner = spec.box[0] * elementBytes;
  if (inner % alignment)
    return format("box of %s has %lld bytes inside, and a tensor map needs a "
                  "multiple of %lld",
                  name, Long(inner), Long(alignment));
  if (spec.swizzle && inner > spec.swizzle)
    return format("box of %s has %lld bytes inside, and a tensor map with this "
                  "swizzle needs at most %d",
                  name, Long(inner), spec.swizzle);
  return "";
}

/// Checks dimension `dim` of (batch, row, column), which is not the contiguous
/// one.
static std::string checkStride(const GemmOperand &operand, const char *name,
                               int dim, int64_t elementBytes) {
  if (operand.extents[dim] <= 1)
    return "";
  int64_t bytes;
  if (__builtin_mul_overflow(operand.strides[dim], elementBytes, &bytes) ||
      bytes <= 0 || bytes >= strideLimit)
    return format("%s stride of %s is %lld elements, and a tensor map needs 1 "
                  "to 2^40 - 1 bytes",
                  dimNames[dim], name, Long(operand.strides[dim]));
  if (bytes % alignment)
    return format("%s stride of %s is %lld bytes, and a tensor map needs a "
                  "multiple of %lld",
                  dimNames[dim], name, Long(bytes), Long(alignment));
  return "";
}

std::string tile::rt::whyNoTensorMap(const TensorMapSpec &spec,
                                     const GemmProblem &problem) {
  const GemmOperand &operand = problem.operands[spec.operand];
  const char *name = operandName(spec.operand);
  int64_t elementBytes = operand.elementBytes();
  std::string reason = checkBox(spec, name, elementBytes);
  if (!reason.empty() || !operand.used)
    return reason;
  int64_t past = reinterpret_cast<uintptr_t>(operand.data) % alignment;
  if (past)
    return format("base of %s is %lld byte%s past a %lld-byte boundary, and a "
                  "tensor map needs one on it",
                  name, Long(past), past == 1 ? "" : "s", Long(alignment));
  int inner = 1 + spec.contiguous, outer = 2 - spec.contiguous;
  for (int dim = spec.batched ? 0 : 1; dim < 3; ++dim)
    if (operand.extents[dim] < 1 || operand.extents[dim] > extentLimit)
      return format("%s has a %s extent of %lld, and a tensor map needs 1 to "
                    "2^32",
                    name, dimNames[dim], Long(operand.extents[dim]));
  if (operand.extents[inner] > 1 && operand.strides[inner] != 1)
    return format("%s stride of %s is %lld, and its tensor map needs 1",
                  dimNames[inner], name, Long(operand.strides[inner]));
  reason = checkStride(operand, name, outer, elementBytes);
  if (!reason.empty())
    return reason;
  if (spec.batched)
    return checkStride(operand, name, 0, elementBytes);
  if (operand.stride(0) != 0)
    return format("%s has %lld matrices, and its tensor map describes one",
                  name, Long(operand.extents[0]));
  return "";
}

TensorMapFacts tile::rt::describeTensorMap(const TensorMapSpec &spec,
                                           const GemmProblem &problem) {
  const GemmOperand &operand = problem.operands[spec.operand];
  int64_t elementBytes = operand.elementBytes();
  TensorMapFacts facts = {};
  facts.type = operand.type;
  facts.elementBytes = static_cast<int>(elementBytes);
  facts.rank = spec.batched ? 3 : 2;
  facts.box[0] = spec.box[0];
  facts.box[1] = spec.box[1];
  facts.box[2] = 1;
  facts.swizzleBytes = spec.swizzle;
  const int dims[3] = {1 + spec.contiguous, 2 - spec.contiguous, 0};
  bool absent = spec.optional && !whyNoTensorMap(spec, problem).empty();
  if (!operand.used || absent) {
    // Down to the boundary is within the same allocation.
    uintptr_t base =
        reinterpret_cast<uintptr_t>(problem.operands[OperandD].data);
    facts.base = reinterpret_cast<void *>(base / alignment * alignment);
    for (int i = 0; i < facts.rank; ++i)
      facts.dims[i] = 1;
    for (int i = 0; i + 1 < facts.rank; ++i)
      facts.strides[i] = alignment;
    return facts;
  }
  facts.base = operand.data;
  for (int i = 0; i < facts.rank; ++i) {
    facts.dims[i] = operand.extents[dims[i]];
    if (i == 0)
      continue;
    int64_t row = facts.dims[0] * elementBytes;
    facts.strides[i - 1] = facts.dims[i] > 1
                               ? operand.strides[dims[i]] * elementBytes
                               : (row + alignment - 1) / alignment * alignment;
  }
  return facts;
}
