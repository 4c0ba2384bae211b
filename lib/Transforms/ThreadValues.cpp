// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an index is for each thread of a block.
#include "ThreadValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

/// Longer chains of arithmetic are not followed.
static constexpr unsigned kMaxDepth = 64;

std::optional<ThreadValues::Number> ThreadValues::fail(Value value) {
  reason = "its coordinate does not follow from the thread's number";
  if (Operation *op = value.getDefiningOp())
    reason += (", because of '" + op->getName().getStringRef() + "'").str();
  return std::nullopt;
}

/// The result of an operation on numbers that are exact.
static std::optional<int64_t> fold(Operation *op, int64_t a, int64_t b) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  using Number = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case([&](arith::AddIOp) { return Number(x + y); })
      .Case([&](arith::SubIOp) { return Number(x - y); })
      .Case([&](arith::MulIOp) { return Number(x * y); })
      .Case([&](arith::AndIOp) { return Number(x & y); })
      .Case([&](arith::OrIOp) { return Number(x | y); })
      .Case([&](arith::XOrIOp) { return Number(x ^ y); })
      .Case([&](arith::DivUIOp) { return y ? Number(x / y) : Number(); })
      .Case([&](arith::RemUIOp) { return y ? Number(x % y) : Number(); })
      .Case([&](arith::DivSIOp) {
        return b > 0 && a >= 0 ? Number(a / b) : Number();
      })
      .Case([&](arith::RemSIOp) {
        return b > 0 && a >= 0 ? Number(a % b) : Number();
      })
      .Case([&](arith::ShLIOp) { return y < 64 ? Number(x << y) : Number(); })
      .Case([&](arith::ShRUIOp) { return y < 64 ? Number(x >> y) : Number(); })
      .Default([](Operation *) { return Number(); });
}

/// Whether a block argument is the same for all threads of a block.
static bool isUniformArgument(BlockArgument argument) {
  auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  return kernel && kernel.isKernel() && argument.getOwner()->isEntryBlock();
}

std::optional<ThreadValues::Number>
ThreadValues::compute(Value value, int64_t thread, unsigned depth) {
  if (depth > kMaxDepth)
    return fail(value);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Number{constant.getSExtValue()};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (isUniformArgument(argument))
      return Number{0, false, false};
    // A loop that all threads go through together.
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return fail(value);
    for (Value bound : {loop.getLowerBound(), loop.getStep()}) {
      std::optional<Number> number = compute(bound, thread, depth + 1);
      if (!number || number->varies)
        return fail(value);
    }
    return Number{0, false, false};
  }
  Operation *op = value.getDefiningOp();
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    if (id.getDimension() == gpu::Dimension::x)
      return Number{thread, true, true};
    return Number{0};
  }
  if (isa<gpu::BlockIdOp, gpu::GridDimOp, gpu::BlockDimOp>(op))
    return Number{0, false, false};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
          arith::TruncIOp>(op))
    return compute(op->getOperand(0), thread, depth + 1);
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return fail(value);
  std::optional<Number> a = compute(op->getOperand(0), thread, depth + 1);
  if (!a)
    return std::nullopt;
  std::optional<Number> b = compute(op->getOperand(1), thread, depth + 1);
  if (!b)
    return std::nullopt;
  bool exact = a->exact && b->exact, varies = a->varies || b->varies;
  bool adds = isa<arith::AddIOp, arith::SubIOp>(op);
  if (!exact && !varies)
    return Number{0, false, false};
  // A number that all share can be left out of a sum, and of nothing else.
  if (!exact && !adds)
    return fail(value);
  std::optional<int64_t> number = fold(op, a->value, b->value);
  if (!number)
    return fail(value);
  return Number{*number, varies, exact};
}

std::optional<int64_t> ThreadValues::evaluate(Value value, int64_t thread) {
  std::optional<Number> number = compute(value, thread, 0);
  if (!number)
    return std::nullopt;
  return number->value;
}
