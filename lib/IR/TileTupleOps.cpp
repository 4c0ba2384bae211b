// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparison of integer tuples.
#include "tile/IR/LayoutValues.h"

using namespace mlir;
using namespace tile;

/// Both tuples of an operation on two.
template <typename AdaptorT>
static std::pair<IntTuple, IntTuple>
readTuples(AdaptorT op, AlgebraOperands &operands, int64_t lhsLower = 0,
           int64_t rhsLower = 0) {
  IntTuple lhs = operands.tuple(op.getLhsAttr().getValue(), lhsLower);
  IntTuple rhs = operands.tuple(op.getRhsAttr().getValue(), rhsLower);
  return {lhs, rhs};
}

AlgebraResult ElemLessOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  // A coordinate in front of the first element is less as well.
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  auto [lhs, rhs] = readTuples(op, operands, lowest, lowest);
  Result<LessPairs> pairs = elemPairs(lhs, rhs);
  if (!pairs)
    return pairs.takeReason();
  return SmallVector<AlgebraValue>{AlgebraValue(*pairs)};
}

AlgebraResult CeilDivOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  auto [lhs, rhs] = readTuples(op, operands, /*lhsLower=*/0, /*rhsLower=*/1);
  return yieldLeaves(ceilDiv(lhs, rhs));
}

AlgebraResult ShapeDivOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  auto [lhs, rhs] = readTuples(op, operands, /*lhsLower=*/0, /*rhsLower=*/1);
  return yieldLeaves(shapeDiv(lhs, rhs));
}

AlgebraResult ProductOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yield(product(operands.tuple(op.getTupleAttr().getValue())));
}

AlgebraResult ProductEachOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldLeaves(productEach(operands.tuple(op.getTupleAttr().getValue())));
}

AlgebraResult SumOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yield(sum(operands.tuple(op.getTupleAttr().getValue())));
}

AlgebraResult ElemScaleOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  auto [lhs, rhs] = readTuples(op, operands);
  return yieldLeaves(elemScale(lhs, rhs));
}

AlgebraResult InnerProductOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  auto [lhs, rhs] = readTuples(op, operands);
  return yield(innerProduct(lhs, rhs));
}
