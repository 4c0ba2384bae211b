// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells whether an operation of linalg sums products of two inputs.
#include "Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

Value tile::stripWidening(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// A value of a body for a message: its operation, or what it is.
static std::string describe(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op->getName().getStringRef().str();
  return "an input or the result itself";
}

static std::optional<std::string> whyNoProduct(Value product, Block &body) {
  Operation *multiply = product.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply))
    return "expected a product of the two inputs that is added to the result, "
           "but got " +
           describe(product);
  bool found[2] = {false, false};
  for (Value factor : multiply->getOperands()) {
    Value input = stripWidening(factor);
    auto argument = dyn_cast<BlockArgument>(input);
    if (!argument || argument.getOwner() != &body ||
        argument.getArgNumber() > 1)
      return "expected factors that are inputs, at most widened by arith.extf "
             "or arith.extsi, but got " +
             describe(input);
    found[argument.getArgNumber()] = true;
  }
  if (!found[0] || !found[1])
    return std::string("expected a product of both inputs, but got one input "
                       "multiplied with itself");
  return std::nullopt;
}

static bool isQuantized(linalg::LinalgOp op) {
  return isa<linalg::QuantizedMatmulOp, linalg::QuantizedBatchMatmulOp>(op);
}

linalg::LinalgOp tile::dropZeroPoints(RewriterBase &rewriter,
                                      linalg::LinalgOp op) {
  if (!isQuantized(op) || !matchPattern(op->getOperand(2), m_Zero()) ||
      !matchPattern(op->getOperand(3), m_Zero()))
    return {};
  ValueRange inputs = op->getOperands().take_front(2);
  ValueRange result = op.getDpsInits();
  TypeRange types = op->getResultTypes();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (isa<linalg::QuantizedMatmulOp>(op))
    return cast<linalg::LinalgOp>(
        rewriter.replaceOpWithNewOp<linalg::MatmulOp>(op, types, inputs, result)
            .getOperation());
  return cast<linalg::LinalgOp>(
      rewriter
          .replaceOpWithNewOp<linalg::BatchMatmulOp>(op, types, inputs, result)
          .getOperation());
}

std::optional<std::string> tile::whyNoContractionBody(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return std::string("expected a sum over an index, but got an element-wise "
                       "operation");
  if (isQuantized(op))
    return std::string("expected zero points that are the constant 0, but got "
                       "others");
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return "expected 2 inputs and 1 result, but got " +
           std::to_string(op.getNumDpsInputs()) + " and " +
           std::to_string(op.getNumDpsInits());
  Block &body = op->getRegion(0).front();
  Value result = body.getTerminator()->getOperand(0);
  Operation *add = result.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return "expected a sum, but got " + describe(result);
  Value accumulator = body.getArgument(2);
  if (add->getOperand(0) == accumulator)
    return whyNoProduct(add->getOperand(1), body);
  if (add->getOperand(1) == accumulator)
    return whyNoProduct(add->getOperand(0), body);
  return std::string("expected the result as one of the terms of the sum, but "
                     "got neither");
}

bool tile::isElementwise(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getNumDpsInits() == 1 &&
         op.getIndexingMapsArray().back().isPermutation();
}

bool tile::readsOperand(linalg::LinalgOp op, Value value) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get() == value && op.payloadUsesValueFromOperand(&operand);
  });
}
