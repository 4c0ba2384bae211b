// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types inferred of operands that no text can have: an error, located.
#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;

namespace {

/// What inference says of an index as the only operand.
template <typename OpT>
std::string infer(typename OpT::Properties properties = {}) {
  MLIRContext context;
  context.loadDialect<TileDialect, arith::ArithDialect>();
  OpBuilder builder(&context);
  Location loc = FileLineColLoc::get(&context, "infer", 3, 7);
  OwningOpRef<Operation *> constant =
      arith::ConstantIndexOp::create(builder, loc, 1).getOperation();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    EXPECT_EQ(diagnostic.getLocation(), loc);
    EXPECT_TRUE(message.empty());
    message = diagnostic.str();
    return success();
  });
  SmallVector<Type> types;
  Value operands[] = {(*constant)->getResult(0)};
  EXPECT_TRUE(failed(OpT::inferReturnTypes(
      &context, loc, operands, DictionaryAttr::get(&context),
      OpaqueProperties(&properties), {}, types)));
  return message;
}

TEST(Infer, OtherOperands) {
  EXPECT_EQ(infer<ViewPointerOp>(), "expected a view, but got 'index'");
  EXPECT_EQ(infer<ClusterViewOp>(), "expected a view, but got 'index'");
  EXPECT_EQ(infer<AllocFragmentLikeOp>(), "expected a view, but got 'index'");
  EXPECT_EQ(infer<ViewTransposeOp>(), "expected a view, but got 'index'");
  EXPECT_EQ(infer<IteratorAdvanceOp>(),
            "expected a tile iterator, but got 'index'");
  EXPECT_EQ(infer<IteratorAddTileOffsetOp>(),
            "expected a tile iterator, but got 'index'");
}

} // namespace
