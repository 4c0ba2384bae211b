// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds element-wise operations on memrefs that a contraction can absorb.
#include "Contraction.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tile;

static std::string getName(Operation *op) {
  return op->getName().getStringRef().str();
}

namespace {

/// Follows the result of a contraction through the element-wise operations
/// behind it. All become one GEMM at the place of the last: what they read has
/// to be the same there, and what they wrote before must not be missed.
class Finder {
public:
  Finder(linalg::LinalgOp op, const Aliasing &aliasing) : aliasing(aliasing) {
    fused.op = op;
  }

  LogicalResult find(unsigned most, bool withInit);
  LogicalResult check();

  FusedContraction fused;
  std::string reason;

private:
  LogicalResult fail(std::string why) {
    reason = std::move(why);
    return failure();
  }
  LogicalResult findInit(bool withInit);
  LogicalResult findSteps(unsigned most);
  LogicalResult addSources(EpilogueStep &step, ArrayRef<unsigned> toLoops);
  LogicalResult addStep(linalg::LinalgOp op);
  LogicalResult checkOthersBetween();
  LogicalResult checkNotSeen(Value intermediate);
  LogicalResult checkNoOverlap();

  unsigned addOperand(Value memref, const Loops &loops, Operation *from) {
    reads.push_back({memref, from});
    auto &others = fused.operands.others;
    for (auto [i, other] : llvm::enumerate(others))
      if (other.memref == memref && other.loops == loops)
        return i;
    others.push_back({memref, loops});
    return others.size() - 1;
  }

  bool isPart(Operation *op) const {
    return op == fused.op || (fused.initOp && op == fused.initOp) ||
           llvm::any_of(fused.steps, [&](const EpilogueStep &step) {
             return step.op == op;
           });
  }
  bool isIntermediate(Value memref) const { return current.contains(memref); }

  const Aliasing &aliasing;
  /// The memref that each value was written to, with its loops; the first is
  /// the contraction's, the last D.
  SmallVector<IndexedOperand> values;
  /// The number of the value that a memref has at the place looked at.
  DenseMap<Value, int> current;
  struct Read {
    Value memref;
    Operation *from;
  };
  SmallVector<Read> reads;
};

} // namespace

LogicalResult Finder::find(unsigned most, bool withInit) {
  SmallVector<Loops> loops;
  for (auto [map, name] :
       llvm::zip(fused.op.getIndexingMapsArray(), StringRef("ABD"))) {
    std::optional<Loops> own = getLoops(map);
    if (!own)
      return fail(std::string("expected a loop for each index of ") + name +
                  ", but got an index that is a constant or is computed");
    loops.push_back(std::move(*own));
  }
  GemmOperands &operands = fused.operands;
  operands.a = {fused.op->getOperand(0), loops[0]};
  operands.b = {fused.op->getOperand(1), loops[1]};
  operands.d = {fused.op->getOperand(2), loops[2]};
  reads.push_back({operands.a.memref, fused.op});
  reads.push_back({operands.b.memref, fused.op});
  values.push_back(operands.d);
  current[operands.d.memref] = 0;
  if (failed(findInit(withInit)) || failed(findSteps(most)))
    return failure();
  operands.d = values.back();
  return success();
}

LogicalResult Finder::findInit(bool withInit) {
  const IndexedOperand &result = values.front();
  Operation *init = withInit ? aliasing.findInit(fused.op) : nullptr;
  fused.initOp = init;
  if (!init) {
    fused.initOperand = addOperand(result.memref, result.loops, fused.op);
    return success();
  }
  if (auto copy = dyn_cast<memref::CopyOp>(init)) {
    if (!isa<MemRefType>(copy.getSource().getType()))
      return fail("expected a copy of a ranked memref");
    fused.initOperand = addOperand(copy.getSource(), result.loops, init);
    return success();
  }
  auto op = cast<linalg::LinalgOp>(init);
  if (auto fill = dyn_cast<linalg::FillOp>(init))
    if (matchPattern(fill.value(), m_PosZeroFloat()) ||
        matchPattern(fill.value(), m_Zero()))
      return success();
  SmallVector<unsigned> toLoops(op.getNumLoops());
  Loops own = *getLoops(op.getIndexingMapsArray().back());
  for (auto [loop, ours] : llvm::zip(own, result.loops))
    toLoops[loop] = ours;
  EpilogueStep step{op, {}};
  if (failed(addSources(step, toLoops)))
    return failure();
  fused.initStep = step;
  return success();
}

/// Finds where the arguments of a step's body come from; its loops are those
/// `toLoops` of the contraction.
LogicalResult Finder::addSources(EpilogueStep &step,
                                 ArrayRef<unsigned> toLoops) {
  linalg::LinalgOp op = step.op;
  step.sources.assign(op.getBlock()->getNumArguments(), kUnused);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    int &source =
        step.sources[op.getMatchingBlockArgument(&operand).getArgNumber()];
    Value value = operand.get();
    if (!isa<MemRefType>(value.getType())) {
      Attribute constant;
      if (!matchPattern(value, m_Constant(&constant)))
        return fail("expected a scalar that is a constant, but got one that is "
                    "known when the program runs");
      source = kScalar;
      continue;
    }
    std::optional<Loops> loops = getLoops(op.getMatchingIndexingMap(&operand));
    if (!loops)
      return fail("expected a loop for each index of an operand, but got an "
                  "index that is a constant or is computed");
    for (unsigned &loop : *loops)
      loop = toLoops[loop];
    // What sets the result before the sum runs when there is no value yet.
    auto found = op == fused.initOp ? current.end() : current.find(value);
    if (found == current.end()) {
      source = kFirstOperand + addOperand(value, *loops, op);
      continue;
    }
    if (values[found->second].loops != *loops)
      return fail("expected the GEMM's result to be read by one order of its "
                  "indices, but got two");
    source = found->second;
  }
  return success();
}

LogicalResult Finder::addStep(linalg::LinalgOp op) {
  // Any operand that is a value shows which loops are whose.
  SmallVector<unsigned> toLoops;
  for (OpOperand &operand : op->getOpOperands()) {
    auto found = current.find(operand.get());
    if (found == current.end() || !op.payloadUsesValueFromOperand(&operand))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isPermutation())
      return fail("expected an operation with the indices of the GEMM's "
                  "result, but got one that reads it by others");
    toLoops.resize(op.getNumLoops());
    for (auto [loop, ours] :
         llvm::zip(*getLoops(map), values[found->second].loops))
      toLoops[loop] = ours;
    break;
  }
  EpilogueStep step{op, {}};
  if (failed(addSources(step, toLoops)))
    return failure();
  Value result = op.getDpsInits()[0];
  Loops loops = *getLoops(op.getIndexingMapsArray().back());
  for (unsigned &loop : loops)
    loop = toLoops[loop];
  fused.steps.push_back(step);
  current[result] = static_cast<int>(values.size());
  values.push_back({result, loops});
  return success();
}

LogicalResult Finder::findSteps(unsigned most) {
  for (Operation *op = fused.op->getNextNode(); op && fused.steps.size() < most;
       op = op->getNextNode()) {
    auto step = dyn_cast<linalg::LinalgOp>(op);
    bool isStep =
        step && step.hasPureBufferSemantics() && isElementwise(step) &&
        llvm::any_of(step->getOperands(), [&](Value operand) {
          return isIntermediate(operand) && readsOperand(step, operand);
        });
    if (isStep) {
      if (failed(addStep(step)))
        return failure();
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      current.erase(dealloc.getMemref());
    }
  }
  return success();
}

/// Checks what stands between the first and the last of the operations.
LogicalResult Finder::checkOthersBetween() {
  Operation *last = fused.getLast();
  Operation *first = fused.initOp ? fused.initOp : fused.op.getOperation();
  for (Operation *op = first; op != last; op = op->getNextNode()) {
    if (isPart(op))
      continue;
    for (const Read &read : reads)
      if (read.from->isBeforeInBlock(op) &&
          aliasing.mayTouch(op, read.memref, /*writes=*/true))
        return fail("expected what the GEMM reads to stay as it is until here, "
                    "but got " +
                    getName(op) + " between, which may write it");
    // Between the fill and the contraction, nothing touches the result.
    if (op->isBeforeInBlock(fused.op))
      continue;
    for (const IndexedOperand &value : ArrayRef(values).drop_back()) {
      auto dealloc = dyn_cast<memref::DeallocOp>(op);
      if (dealloc && dealloc.getMemref() == value.memref &&
          value.memref != values.back().memref)
        continue;
      if (aliasing.mayTouch(op, value.memref))
        return fail("expected a result of the GEMM that nothing else reads, "
                    "but got " +
                    getName(op) + " between, which may touch it");
    }
  }
  return success();
}

/// Checks that nobody else sees a memref that would not be written any more.
LogicalResult Finder::checkNotSeen(Value intermediate) {
  Value base = findBase(intermediate);
  if (base == findBase(values.back().memref))
    return fail("expected a result in the memref that the GEMM wrote or in "
                "another one, but got another view of it");
  if (!isAllocation(base))
    return fail("expected a result of the GEMM that nothing else reads, but "
                "got a memref that is visible outside of the function");
  bool isOwn = base.getParentBlock() == fused.op->getBlock();
  SmallVector<Value> views{base};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isPart(user) || isa<memref::DeallocOp>(user))
        continue;
      if (isa<ViewLikeOpInterface>(user)) {
        views.append(user->result_begin(), user->result_end());
        continue;
      }
      // What was written before is not there any more after a next allocation.
      if (isOwn && user->getBlock() == fused.op->getBlock() &&
          user->isBeforeInBlock(fused.op))
        continue;
      return fail("expected a result of the GEMM that nothing else reads, but "
                  "got " +
                  getName(user) + ", which uses it as well");
    }
  return success();
}

LogicalResult Finder::checkNoOverlap() {
  const GemmOperands &operands = fused.operands;
  if (operands.d.memref != values.front().memref)
    for (Value factor : {operands.a.memref, operands.b.memref})
      if (aliasing.mayShare(factor, operands.d.memref))
        return fail("expected a result that shares no memory with A and B, but "
                    "got one that may");
  for (const IndexedOperand &other : operands.others) {
    bool isResult =
        other.memref == operands.d.memref && other.loops == operands.d.loops;
    if (!isResult && aliasing.mayShare(other.memref, operands.d.memref))
      return fail("expected operands of the epilogue that share no memory with "
                  "the result, but got one that may");
  }
  return success();
}

LogicalResult Finder::check() {
  if (failed(checkOthersBetween()))
    return failure();
  llvm::SmallPtrSet<Value, 4> seen;
  for (const IndexedOperand &value : values)
    if (value.memref != values.back().memref &&
        seen.insert(value.memref).second && failed(checkNotSeen(value.memref)))
      return failure();
  return checkNoOverlap();
}

FailureOr<FusedContraction> tile::findFusion(linalg::LinalgOp op,
                                             const Aliasing &aliasing,
                                             unsigned most, bool withInit,
                                             std::string &reason) {
  Finder finder(op, aliasing);
  if (failed(finder.find(most, withInit)) || failed(finder.check())) {
    reason = finder.reason;
    return failure();
  }
  return finder.fused;
}
