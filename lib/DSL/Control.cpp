// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language: loops, branches, threads and multiplication.
#include "Staging.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

void dsl::forLoop(Scope &scope, Val count, Carried carried,
                  function_ref<void(Val)> body, CallSite site) {
  if (!count)
    return reportMistake(scope, "expected a number of iterations, but got a "
                                "variable that was never set");
  forRange(scope, count.constant(0, site), count, count.constant(1, site),
           carried, body, site);
}

void dsl::forRange(Scope &scope, Val first, Val last, Val step, Carried carried,
                   function_ref<void(Val)> body, CallSite site) {
  Staging stage(&scope, site, {first, last, step});
  if (stage)
    stage.expectOneType(first, last);
  if (stage)
    stage.expectOneType(last, step);
  if (!stage)
    return;
  unsigned depth = scope.depth - 1;
  OpBuilder &builder = scope.builder;
  SmallVector<Value> initial;
  // A variable keeps the scope of its first value: that of an operand's
  // iterator names the operand in the locations of its accesses.
  SmallVector<Scope *> scopes;
  for (Val *variable : carried.get()) {
    initial.push_back(variable->get());
    scopes.push_back(&variable->getScope());
  }
  auto set = [&](ValueRange values) {
    for (auto [variable, own, value] :
         llvm::zip_equal(carried.get(), scopes, values))
      *variable = Val(*own, value);
  };
  auto loop = scf::ForOp::create(builder, scope.loc, first.get(), last.get(),
                                 step.get(), initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    set(loop.getRegionIterArgs());
    {
      Body lines(scope, depth);
      body(Val(scope, loop.getInductionVar()));
    }
    SmallVector<Value> next;
    for (auto [variable, before] : llvm::zip_equal(carried.get(), initial)) {
      // After a mistake the variable may be null; the loop must be whole.
      if (!*variable || variable->getType() != before.getType()) {
        if (*variable)
          scope.loc = variable->get().getLoc();
        stage.fail("expected a variable of a loop to keep its type, " +
                   print(before.getType()) + ", but got " +
                   (*variable ? print(variable->getType()) : "none"));
        next.push_back(before);
        continue;
      }
      next.push_back(variable->get());
    }
    if (!next.empty())
      scf::YieldOp::create(builder, scope.loc, next);
  }
  set(loop.getResults());
}

void dsl::ifThen(Scope &scope, Val condition, function_ref<void()> then,
                 function_ref<void()> otherwise, CallSite site) {
  Staging stage(&scope, site, {condition});
  if (stage && !condition.getType().isInteger(1))
    stage.fail("expected a condition, i1, but got " +
               print(condition.getType()));
  if (!stage)
    return;
  unsigned depth = scope.depth - 1;
  OpBuilder &builder = scope.builder;
  auto branch = scf::IfOp::create(builder, scope.loc, condition.get(),
                                  static_cast<bool>(otherwise));
  Body lines(scope, depth);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void dsl::barrier(Scope &scope, CallSite site) {
  Call call(scope, site);
  gpu::BarrierOp::create(scope.builder, scope.loc);
}

void dsl::commitCopies(Scope &scope, CallSite site) {
  Call call(scope, site);
  AsyncCommitGroupOp::create(scope.builder, scope.loc);
}

void dsl::waitCopies(Scope &scope, int64_t pending, CallSite site) {
  Call call(scope, site);
  AsyncWaitGroupOp::create(scope.builder, scope.loc, pending);
}

Val dsl::threadId(Scope &scope, CallSite site) {
  Call call(scope, site);
  return Val(scope, gpu::ThreadIdOp::create(scope.builder, scope.loc,
                                            gpu::Dimension::x));
}

Val dsl::blockId(Scope &scope, CallSite site) {
  Call call(scope, site);
  return Val(scope, gpu::BlockIdOp::create(scope.builder, scope.loc,
                                           gpu::Dimension::x));
}

Val dsl::gridSize(Scope &scope, CallSite site) {
  Call call(scope, site);
  return Val(scope, gpu::GridDimOp::create(scope.builder, scope.loc,
                                           gpu::Dimension::x));
}

Val dsl::mma(MmaAtomAttrInterface atom, Val a, Val b, Val acc, CallSite site) {
  Staging stage(site, {acc, a, b});
  if (stage && !atom)
    stage.fail("expected an mma atom, but got none");
  return stage ? stage.create<MmaOp>(acc.getType(), a.get(), b.get(), acc.get(),
                                     atom)
               : Val();
}
