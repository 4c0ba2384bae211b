// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on register fragments: verifiers.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

LogicalResult MmaOp::verify() {
  auto getType = [](Value fragment) {
    return cast<VectorType>(fragment.getType());
  };
  auto checkSize = [&](StringRef name, Value operand,
                       const Layout &layout) -> LogicalResult {
    VectorType type = getType(operand);
    Int size = layout[1].size();
    if (!size.isStatic() || type.getRank() != 1 || type.isScalable() ||
        type.getDimSize(0) != size.getValue())
      return emitOpError("expected ")
             << name << " to hold " << size.str()
             << " values of each thread, but got " << type;
    return success();
  };
  MmaAtomAttrInterface atom = getAtom();
  if (failed(checkSize("a", getA(), atom.getALayout())) ||
      failed(checkSize("b", getB(), atom.getBLayout())) ||
      failed(checkSize("acc", getAcc(), atom.getCLayout())))
    return failure();
  if (std::optional<std::string> reason = atom.checkElementTypes(
          getType(getA()), getType(getB()), getType(getAcc())))
    return emitOpError(*reason);
  return success();
}
