// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the dialect and its generated operation code.
#include "tile/IR/Tile.h"

#include "ConvSyntax.h"
#include "EpilogueSyntax.h"
#include "LaunchSyntax.h"

#include "tile/IR/MixedTuple.h"
#include "tile/IR/ScheduleInterfaces.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

#include "tile/IR/TileDialect.cpp.inc"
#include "tile/IR/TileEnums.cpp.inc"

#include "tile/IR/TileAttrInterfaces.cpp.inc"
#include "tile/IR/TileScheduleInterfaces.cpp.inc"

#include "tile/IR/TileOpInterfaces.cpp.inc"
#include "tile/IR/TileProblemInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "tile/IR/TileOps.cpp.inc"

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tile/IR/TileOps.cpp.inc"
      >();
  // registerScheduleInterfaces keeps the promises.
  declarePromisedInterfaces<ScheduleAttrInterface, MultistageScheduleAttr,
                            SimtScheduleAttr, WarpSpecializedScheduleAttr>();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
