// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulators belong to wgmma until a wait has closed their group.
//
// The simulator computes a wgmma at once, so a thread that reads its sums too
// early gets the right ones. Whether a wait lies between is plain from the
// control flow: each value that holds accumulators is followed along it, with
// the groups that were committed since its wgmma.
//
//   %d = wgmma                  %d: 0 commits
//   commit                      %d: 1
//   %e = wgmma                  %d: 1, %e: 0
//   commit                      %d: 2, %e: 1
//   wait 1                      %e: 1; %d is over, as 2 > 1
#include "../Common/RegisterWgmma.h"
#include "LowerNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace tile;
using namespace mlir;

namespace {
/// Commits since the wgmma of each value that is not over.
using Pending = DenseMap<Value, unsigned>;

class AccumulatorCheck {
public:
  explicit AccumulatorCheck(LLVM::LLVMFuncOp function) : function(function) {}
  LogicalResult run();

private:
  void findCarried();
  void getRoots(Value value, SmallVectorImpl<Value> &roots) const;
  std::optional<unsigned> commitsOf(Value value, const Pending &pending) const;
  void step(Operation *op, Pending &pending) const;
  bool flow(Block *from, const Pending &pending);
  LogicalResult checkUses(Operation *op, const Pending &pending) const;

  LLVM::LLVMFuncOp function;
  DenseSet<Value> carried; ///< arguments of blocks that hold accumulators
  DenseMap<Block *, Pending> atEntry;
};
} // namespace

/// More commits than any wait leaves pending.
static constexpr unsigned kManyCommits = 64;

/// The accumulators that `op` takes, and the other values that it reads, if it
/// is a wgmma.
static bool isWgmma(Operation *op, SmallVectorImpl<Value> *others = nullptr) {
  if (auto multiply = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op)) {
    if (others)
      others->assign({multiply.getDescriptorA(), multiply.getDescriptorB()});
    return true;
  }
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  std::optional<RegisterWgmma> match;
  if (assembly)
    match = matchRegisterWgmma(assembly);
  if (match && others) {
    others->assign(match->a.begin(), match->a.end());
    others->push_back(match->b);
  }
  return match.has_value();
}

/// The results of wgmma, and arguments of blocks, that `value` is a part of.
void AccumulatorCheck::getRoots(Value value,
                                SmallVectorImpl<Value> &roots) const {
  Operation *op = value.getDefiningOp();
  if (!op) {
    if (carried.contains(value))
      roots.push_back(value);
  } else if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    getRoots(extract.getContainer(), roots);
  } else if (auto insert = dyn_cast<LLVM::InsertValueOp>(op)) {
    getRoots(insert.getContainer(), roots);
    getRoots(insert.getValue(), roots);
  } else if (isWgmma(op)) {
    roots.push_back(value);
  }
}

/// The least commits since one of the wgmma that `value` is made of.
std::optional<unsigned>
AccumulatorCheck::commitsOf(Value value, const Pending &pending) const {
  SmallVector<Value> roots;
  getRoots(value, roots);
  std::optional<unsigned> least;
  for (Value root : roots)
    if (auto it = pending.find(root); it != pending.end())
      least = std::min(least.value_or(kManyCommits), it->second);
  return least;
}

static SuccessorOperands operandsFor(Block *from, unsigned successor) {
  auto branch = cast<BranchOpInterface>(from->getTerminator());
  return branch.getSuccessorOperands(successor);
}

/// Finds the arguments of blocks that accumulators are handed to.
void AccumulatorCheck::findCarried() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : function.getBody())
      for (auto [i, successor] : llvm::enumerate(block.getSuccessors())) {
        SuccessorOperands operands = operandsFor(&block, i);
        for (BlockArgument argument : successor->getArguments()) {
          Value value = operands[argument.getArgNumber()];
          SmallVector<Value> roots;
          if (value && !carried.contains(argument))
            getRoots(value, roots);
          if (!roots.empty())
            changed |= carried.insert(argument).second;
        }
      }
  }
}

void AccumulatorCheck::step(Operation *op, Pending &pending) const {
  if (isWgmma(op)) {
    pending[op->getResult(0)] = 0;
  } else if (isa<NVVM::WgmmaGroupSyncAlignedOp>(op)) {
    for (auto &[value, commits] : pending)
      commits = std::min(commits + 1, kManyCommits);
  } else if (auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(op)) {
    for (auto it = pending.begin(), end = pending.end(); it != end;) {
      auto current = it++;
      if (current->second > static_cast<unsigned>(wait.getGroup()))
        pending.erase(current);
    }
  }
}

/// Joins what is pending at the end of a block into its successors.
bool AccumulatorCheck::flow(Block *from, const Pending &pending) {
  bool changed = false;
  for (auto [i, successor] : llvm::enumerate(from->getSuccessors())) {
    Pending &entry = atEntry[successor];
    auto join = [&](Value value, unsigned commits) {
      auto [it, isNew] = entry.try_emplace(value, commits);
      if (!isNew && it->second <= commits)
        return;
      it->second = commits;
      changed = true;
    };
    for (auto [value, commits] : pending)
      if (value.getParentBlock() != successor)
        join(value, commits);
    SuccessorOperands operands = operandsFor(from, i);
    for (BlockArgument argument : successor->getArguments())
      if (Value value = operands[argument.getArgNumber()])
        if (std::optional<unsigned> commits = commitsOf(value, pending))
          join(argument, *commits);
  }
  return changed;
}

/// Reports a use of accumulators that are not over, other than to hand them on.
LogicalResult AccumulatorCheck::checkUses(Operation *op,
                                          const Pending &pending) const {
  if (isa<LLVM::ExtractValueOp, LLVM::InsertValueOp, BranchOpInterface>(op))
    return success();
  SmallVector<Value> read;
  if (!isWgmma(op, &read))
    read.assign(op->operand_begin(), op->operand_end());
  for (Value value : read)
    if (commitsOf(value, pending))
      return op->emitError()
             << "expected a wgmma.wait_group between a wgmma and this use of "
                "its accumulators, but there is a way without one";
  return success();
}

LogicalResult AccumulatorCheck::run() {
  findCarried();
  llvm::ReversePostOrderTraversal<Region *> order(&function.getBody());
  for (bool changed = true; changed;) {
    changed = false;
    for (Block *block : order) {
      Pending pending = atEntry[block];
      for (Operation &op : *block)
        step(&op, pending);
      changed |= flow(block, pending);
    }
  }
  for (Block *block : order) {
    Pending pending = atEntry[block];
    for (Operation &op : *block) {
      if (failed(checkUses(&op, pending)))
        return failure();
      step(&op, pending);
    }
  }
  return success();
}

LogicalResult tile::checkAccumulators(LLVM::LLVMFuncOp function) {
  bool found = function
                   .walk([](Operation *op) {
                     return isWgmma(op) ? WalkResult::interrupt()
                                        : WalkResult::advance();
                   })
                   .wasInterrupted();
  return found ? AccumulatorCheck(function).run() : success();
}
