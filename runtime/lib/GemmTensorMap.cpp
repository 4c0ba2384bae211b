// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensor map of a gemm's operand, and whether it can be.
#include "GemmTensorMap.h"

#include "Error.h"
#include "tile/Atoms/TensorMapRules.h"

#include <array>

using namespace tile;
using namespace tile::rt;

using Long = long long;

static constexpr int64_t alignment = tile::TensorMapLimits::kAlignment;

static constexpr const char *dimNames[] = {"batch", "row", "column"};

/// The dimensions of (batch, row, column) as the map orders them.
static std::array<int, 3> getDims(const TensorMapSpec &spec) {
  int contiguous = static_cast<int>(spec.contiguous);
  return {1 + contiguous, 2 - contiguous, 0};
}

static TensorMapShape getShape(const TensorMapSpec &spec,
                               const GemmOperand &operand) {
  TensorMapShape shape;
  shape.elementBytes = operand.elementBytes();
  shape.swizzleBytes = spec.swizzle;
  shape.rank = spec.batched ? 3 : 2;
  shape.box[0] = spec.box[0];
  shape.box[1] = spec.box[1];
  if (!operand.used)
    return shape;
  shape.base = static_cast<int64_t>(reinterpret_cast<uintptr_t>(operand.data) %
                                    alignment);
  std::array<int, 3> dims = getDims(spec);
  for (int i = 0; i < shape.rank; ++i) {
    shape.extents[i] = operand.extents[dims[i]];
    if (i == 0)
      continue;
    int64_t bytes;
    if (__builtin_mul_overflow(operand.strides[dims[i]], shape.elementBytes,
                               &bytes))
      bytes = TensorMapLimits::kStrideEnd;
    shape.strides[i - 1] = bytes;
  }
  return shape;
}

/// The sentence for a rule that an operand, or the kernel's box, breaks.
static std::string describe(const TensorMapBreach &breach,
                            const TensorMapSpec &spec,
                            const GemmOperand &operand) {
  const char *name = operandName(spec.operand.number);
  int dim = getDims(spec)[breach.dim];
  Long value = breach.value;
  switch (breach.rule) {
  case TensorMapRule::None:
    return "";
  case TensorMapRule::ElementBytes:
    return format("elements of %s have %lld bytes, and a tensor map needs 1, "
                  "2, 4 or 8",
                  name, value);
  case TensorMapRule::SwizzleBytes:
    return format("box of %s has a swizzle of %lld bytes, and a tensor map "
                  "needs 0, 32, 64 or 128",
                  name, value);
  case TensorMapRule::BoxExtent:
    return format("box of %s has extent %lld, and a tensor map needs 1 to %lld",
                  name, value, Long(TensorMapLimits::kMaxBox));
  case TensorMapRule::BoxRowMultiple:
    return format("box of %s has %lld bytes inside, and a tensor map needs a "
                  "multiple of %lld",
                  name, value, Long(alignment));
  case TensorMapRule::BoxRowSwizzle:
    return format("box of %s has %lld bytes inside, and a tensor map with this "
                  "swizzle needs at most %d",
                  name, value, static_cast<int>(spec.swizzle));
  case TensorMapRule::Base:
    return format("base of %s is %lld byte%s past a %lld-byte boundary, and a "
                  "tensor map needs one on it",
                  name, value, value == 1 ? "" : "s", Long(alignment));
  case TensorMapRule::Extent:
    return format("%s has a %s extent of %lld, and a tensor map needs 1 to "
                  "2^32",
                  name, dimNames[dim], value);
  case TensorMapRule::StrideRange:
    return format("%s stride of %s is %lld elements, and a tensor map needs 1 "
                  "to 2^40 - 1 bytes",
                  dimNames[dim], name, Long(operand.strides[dim]));
  case TensorMapRule::StrideMultiple:
    return format("%s stride of %s is %lld bytes, and a tensor map needs a "
                  "multiple of %lld",
                  dimNames[dim], name, value, Long(alignment));
  }
  return "";
}

/// The map of a tensor that the kernel knows, behind the operand's address.
static TensorMapFacts describeTensor(const TensorMapSpec &spec,
                                     const GemmOperand &operand) {
  TensorMapFacts facts = {};
  facts.type = operand.type;
  facts.elementBytes = static_cast<int>(operand.elementBytes());
  facts.base = operand.data;
  facts.rank = static_cast<int>(spec.extents.size());
  facts.swizzleBytes = static_cast<int>(spec.swizzle);
  facts.im2col = spec.isIm2col();
  for (int i = 0; i < facts.rank; ++i) {
    facts.dims[i] = spec.extents[i];
    facts.box[i] = 1;
    if (i > 0)
      facts.strides[i - 1] = facts.dims[i] > 1
                                 ? spec.strides[i - 1] * facts.elementBytes
                                 : alignment;
  }
  // Pixels are one row of the box each; a tile's rows are along the outermost
  // dimension.
  facts.box[0] = static_cast<int32_t>(spec.box[0]);
  facts.box[facts.im2col ? 1 : facts.rank - 1] =
      static_cast<int32_t>(spec.box[1]);
  for (size_t i = 0; i < spec.traversal.size(); ++i) {
    facts.lower[i] = static_cast<int32_t>(spec.lower[i]);
    facts.upper[i] = static_cast<int32_t>(spec.upper[i]);
    facts.traversal[i] = static_cast<int32_t>(spec.traversal[i]);
  }
  return facts;
}

std::string tile::rt::whyNoTensorMap(const TensorMapSpec &spec,
                                     const GemmProblem &problem) {
  const GemmOperand &operand = problem.operands[spec.operand.number];
  if (!spec.extents.empty()) {
    if (!operand.used)
      return "";
    std::string reason = checkTensorMap(describeTensor(spec, operand));
    return reason.empty()
               ? ""
               : format("tensor map of %s: %s",
                        operandName(spec.operand.number), reason.c_str());
  }
  TensorMapBreach breach = findTensorMapBreach(getShape(spec, operand));
  if ((breach && breach.rule < TensorMapRule::StrideRange) || !operand.used)
    return describe(breach, spec, operand);
  // Strides of whole rows mean nothing where those inside are not 1.
  const char *name = operandName(spec.operand.number);
  int inner = getDims(spec)[0];
  if (operand.extents[inner] > 1 && operand.strides[inner] != 1)
    return format("%s stride of %s is %lld, and its tensor map needs 1",
                  dimNames[inner], name, Long(operand.strides[inner]));
  if (breach)
    return describe(breach, spec, operand);
  if (!spec.batched && operand.stride(0) != 0)
    return format("%s has %lld matrices, and its tensor map describes one",
                  name, Long(operand.extents[0]));
  return "";
}

TensorMapFacts tile::rt::describeTensorMap(const TensorMapSpec &spec,
                                           const GemmProblem &problem) {
  const GemmOperand &operand = problem.operands[spec.operand.number];
  if (!spec.extents.empty() && operand.used)
    return describeTensor(spec, operand);
  int64_t elementBytes = operand.elementBytes();
  TensorMapFacts facts = {};
  facts.type = operand.type;
  facts.elementBytes = static_cast<int>(elementBytes);
  facts.rank = spec.batched ? 3 : 2;
  facts.box[0] = static_cast<int32_t>(spec.box[0]);
  facts.box[1] = static_cast<int32_t>(spec.box[1]);
  facts.box[2] = 1;
  facts.swizzleBytes = static_cast<int>(spec.swizzle);
  std::array<int, 3> dims = getDims(spec);
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
