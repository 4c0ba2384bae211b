// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an operation must say to state a problem.
#ifndef TILE_IR_TILEPROBLEMINTERFACES_TD
#define TILE_IR_TILEPROBLEMINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_ProblemOpInterface : OpInterface<"ProblemOpInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    An operation that states a problem: named operands of any rank, each with a
    role and an access map from the points of an iteration space to its
    elements, the names of that space's dimensions and of the scalars. What
    these mean together is the problem's reference semantics, which one
    interpreter evaluates; see Facts/Problem.h.
  }];
  let methods = [
    InterfaceMethod<"what the operation computes", "::tile::Problem", "getProblem">,
    InterfaceMethod<"the value of an operand or scalar by name; null if absent",
      "::mlir::Value", "getProblemValue", (ins "::llvm::StringRef":$name)>
  ];
}

#endif // TILE_IR_TILEPROBLEMINTERFACES_TD
