// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the region of an epilogue of the bodies of element-wise operations.
#include "Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

namespace {

class RegionBuilder {
public:
  RegionBuilder(OpBuilder &builder, Location loc, Type sum)
      : builder(builder), loc(loc), sum(sum) {}

  Value widen(Value value) {
    if (getWidth(value) >= sum.getIntOrFloatBitWidth())
      return value;
    return arith::ExtFOp::create(builder, loc, sum, value);
  }
  Value narrow(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return arith::TruncFOp::create(builder, loc, type, value);
  }

  /// Copies what the result of `body` needs. Returns the result, or null with a
  /// reason.
  Value inlineBody(Block &body, IRMapping &mapping, std::string &reason);

private:
  static unsigned getWidth(Value value) {
    return value.getType().getIntOrFloatBitWidth();
  }
  void cloneStep(Operation &op, IRMapping &mapping);

  OpBuilder &builder;
  Location loc;
  Type sum;
};

} // namespace

/// Whether an operation on narrow floats gives the same result when it is done
/// on floats of twice the width and rounded: where that is a theorem, or where
/// the operation has no exact result.
static bool canBeWidened(Operation &op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             math::ExpOp, math::Exp2Op, math::LogOp, math::TanhOp, math::ErfOp,
             math::SqrtOp, math::RsqrtOp>(op);
}

void RegionBuilder::cloneStep(Operation &op, IRMapping &mapping) {
  Operation *copy = builder.clone(op, mapping);
  if (!canBeWidened(op))
    return;
  Value result = copy->getResult(0);
  Type type = result.getType();
  if (!isa<FloatType>(type) || getWidth(result) >= sum.getIntOrFloatBitWidth())
    return;
  builder.setInsertionPoint(copy);
  for (OpOperand &operand : copy->getOpOperands())
    operand.set(widen(operand.get()));
  result.setType(sum);
  builder.setInsertionPointAfter(copy);
  mapping.map(op.getResult(0), narrow(result, type));
}

Value RegionBuilder::inlineBody(Block &body, IRMapping &mapping,
                                std::string &reason) {
  DenseSet<Value> needed{body.getTerminator()->getOperand(0)};
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (!isMemoryEffectFree(&op)) {
      reason = "expected a body of arithmetic, but got " +
               op.getName().getStringRef().str();
      return {};
    }
    if (llvm::any_of(op.getResults(),
                     [&](Value result) { return needed.contains(result); }))
      needed.insert(op.operand_begin(), op.operand_end());
  }
  for (Value value : llvm::to_vector(needed)) {
    if (mapping.contains(value) ||
        (value.getDefiningOp() && value.getParentBlock() == &body))
      continue;
    Operation *constant = value.getDefiningOp();
    if (!constant || !constant->hasTrait<OpTrait::ConstantLike>()) {
      reason = "expected values of the body and constants, but got one that is "
               "known when the program runs";
      return {};
    }
    mapping.map(value, builder.clone(*constant)->getResult(0));
  }
  for (Operation &op : body.without_terminator()) {
    if (llvm::none_of(op.getResults(),
                      [&](Value result) { return needed.contains(result); }))
      continue;
    if (op.getNumRegions() != 0) {
      reason = "expected a body without control flow, but got " +
               op.getName().getStringRef().str();
      return {};
    }
    cloneStep(op, mapping);
  }
  return mapping.lookup(body.getTerminator()->getOperand(0));
}

bool tile::needsEpilogue(const FusedContraction &fused,
                         std::optional<unsigned> c) {
  return !fused.steps.empty() || fused.initStep || fused.initOperand != c;
}

static Type getElementType(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

std::optional<std::string> tile::buildEpilogue(const FusedContraction &fused,
                                               std::optional<unsigned> c,
                                               GemmOp gemm) {
  const GemmOperands &operands = fused.operands;
  linalg::LinalgOp contraction = fused.op;
  Location loc = gemm.getLoc();
  Type factor = getElementType(gemm.getA());
  Type result = getElementType(contraction->getOperand(2));
  if (!isa<FloatType>(factor) || !isa<FloatType>(result))
    return "expected floats, since sums of integers have no epilogue, but "
           "got " +
           std::string(isa<FloatType>(factor) ? "a result" : "factors") +
           " of integers";
  OpBuilder builder(gemm.getContext());
  Type sum = factor.isF64() ? factor : Type(builder.getF32Type());
  if (result.getIntOrFloatBitWidth() > sum.getIntOrFloatBitWidth())
    return std::string("expected a contraction with sums of at most 32 bits, "
                       "but got wider ones");

  Block *block = builder.createBlock(&gemm.getEpilogue());
  SmallVector<Value> values{block->addArgument(sum, loc)};
  SmallVector<Value> elements(operands.others.size());
  if (c)
    elements[*c] =
        block->addArgument(getElementType(operands.others[*c].memref), loc);
  for (auto [i, other] : llvm::enumerate(operands.others))
    if (i != c)
      elements[i] = block->addArgument(getElementType(other.memref), loc);

  RegionBuilder region(builder, loc, sum);
  std::string reason;
  auto inlineStep = [&](const EpilogueStep &step) -> Value {
    linalg::LinalgOp op = step.op;
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!op.payloadUsesValueFromOperand(&operand))
        continue;
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      int source = step.sources[argument.getArgNumber()];
      mapping.map(
          argument,
          source == kScalar
              ? builder.clone(*operand.get().getDefiningOp())->getResult(0)
          : source >= kFirstOperand ? elements[source - kFirstOperand]
                                    : values[source]);
    }
    return region.inlineBody(*op.getBlock(), mapping, reason);
  };

  Value init;
  if (fused.initStep) {
    init = inlineStep(*fused.initStep);
    if (!init)
      return reason;
  } else if (fused.initOperand) {
    init = elements[*fused.initOperand];
  }
  if (init)
    values.front() =
        arith::AddFOp::create(builder, loc, values.front(), region.widen(init));
  values.front() = region.narrow(values.front(), result);
  for (const EpilogueStep &step : fused.steps) {
    Value value = inlineStep(step);
    if (!value)
      return reason;
    values.push_back(value);
  }
  YieldOp::create(builder, loc, values.back());
  return std::nullopt;
}
