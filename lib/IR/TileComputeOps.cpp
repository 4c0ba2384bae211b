// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on register fragments: verifiers.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

LogicalResult MmaOp::verify() {
  auto check = [&](StringRef name, Value operand,
                   const Layout &layout) -> LogicalResult {
    auto type = cast<VectorType>(operand.getType());
    Int size = layout[1].size();
    if (!size.isStatic() || type.getRank() != 1 || type.isScalable() ||
        type.getDimSize(0) != size.getValue())
      return emitOpError("expected ")
             << name << " to hold " << size.str()
             << " values of each thread, but got " << type;
    if (type.getElementType() !=
        cast<VectorType>(getAcc().getType()).getElementType())
      return emitOpError("expected ")
             << name << " elements of the accumulator's type "
             << cast<VectorType>(getAcc().getType()).getElementType()
             << ", but got " << type;
    return success();
  };
  MmaAtomAttrInterface atom = getAtom();
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
          cast<VectorType>(getAcc().getType()).getElementType()))
    return emitOpError("expected fragments of f16, bf16, f32 or f64, but got ")
           << getAcc().getType();
  return failure(failed(check("a", getA(), atom.getALayout())) ||
                 failed(check("b", getB(), atom.getBLayout())) ||
                 failed(check("acc", getAcc(), atom.getCLayout())));
}
