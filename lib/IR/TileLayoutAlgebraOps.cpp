// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simplification, composition, inverses, recasts, divides and products.
#include "tile/IR/LayoutValues.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The tiler of an operation, from its second operand or its attribute.
static Result<Tiler> getTiler(AlgebraOperands &operands, TilerAttr by) {
  if (by && operands.hasLayout())
    return Reason("expected a layout or a by-mode tiler, but got both");
  if (by)
    return operands.tiler(by.getValue());
  if (!operands.hasLayout())
    return Reason("expected a layout or a by-mode tiler, but got neither");
  Result<Layout> layout = operands.plainLayout();
  if (!layout)
    return layout.takeReason();
  return Tiler(*layout);
}

//===----------------------------------------------------------------------===//
// Simplification, composition and inverses
//===----------------------------------------------------------------------===//

AlgebraResult CoalesceOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  if (IntTupleAttr profile = op.getProfileAttr())
    return yieldInside(operands.layout(), [&](const Layout &layout) {
      return coalesce(layout, profile.getValue());
    });
  return yieldEither(operands.layout(),
                     [](const auto &layout) { return coalesce(layout); });
}

AlgebraResult FilterOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldInside(operands.layout(), [](const Layout &layout) {
    return Result<Layout>(filter(layout));
  });
}

AlgebraResult FilterZerosOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldInside(operands.layout(), [](const Layout &layout) {
    return Result<Layout>(filterZeros(layout));
  });
}

AlgebraResult CompositionOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  ComposedLayout lhs = operands.layout();
  if (!op.getByAttr() && operands.hasLayout()) {
    ComposedLayout rhs = operands.layout();
    if (!rhs.isPlain())
      return yield(composition(lhs, rhs));
    if (lhs.isPlain())
      return yield(composition(lhs.getLayout(), rhs.getLayout()));
    return yield(composition(lhs, Tiler(rhs.getLayout())));
  }
  Result<Tiler> tiler = getTiler(operands, op.getByAttr());
  if (!tiler)
    return tiler.takeReason();
  return yieldEither(
      lhs, [&](const auto &layout) { return composition(layout, *tiler); });
}

AlgebraResult ComplementOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  std::optional<IntTuple> cotarget;
  if (IntTupleAttr attr = op.getCotargetAttr())
    cotarget = operands.tuple(attr.getValue(), /*lower=*/1);
  ComposedLayout layout = operands.layout();
  if (layout.isPlain())
    return yield(cotarget ? complement(layout.getLayout(), *cotarget)
                          : complement(layout.getLayout()));
  return yield(cotarget ? complement(layout, *cotarget) : complement(layout));
}

AlgebraResult RightInverseOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldEither(operands.layout(),
                     [](const auto &layout) { return rightInverse(layout); });
}

AlgebraResult LeftInverseOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldEither(operands.layout(),
                     [](const auto &layout) { return leftInverse(layout); });
}

AlgebraResult NullspaceOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yield(nullspace(operands.layout()));
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

AlgebraResult UpcastOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return upcast(layout, op.getCount());
  });
}

AlgebraResult DowncastOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return downcast(layout, op.getCount());
  });
}

AlgebraResult RecastLayoutOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return recastLayout(layout, op.getOldBits(), op.getNewBits());
  });
}

AlgebraResult MaxCommonLayoutOp::evaluate(Adaptor, AlgebraOperands &operands) {
  ComposedLayout lhs = operands.layout(), rhs = operands.layout();
  return yield(maxCommonLayout(lhs, rhs));
}

AlgebraResult MaxCommonVectorOp::evaluate(Adaptor, AlgebraOperands &operands) {
  ComposedLayout lhs = operands.layout(), rhs = operands.layout();
  Result<int64_t> count =
      lhs.isPlain() && rhs.isPlain()
          ? maxCommonVector(lhs.getLayout(), rhs.getLayout())
          : maxCommonVector(lhs, rhs);
  if (!count)
    return count.takeReason();
  return yield(Int(*count));
}

AlgebraResult MaxAlignmentOp::evaluate(Adaptor, AlgebraOperands &operands) {
  Result<int64_t> count = maxAlignment(operands.layout());
  if (!count)
    return count.takeReason();
  return yield(Int(*count));
}

//===----------------------------------------------------------------------===//
// Divide and product
//===----------------------------------------------------------------------===//

/// A divide, refused where a tile would hang over the edge of memory.
template <typename Function>
static AlgebraResult divide(AlgebraOperands &operands, TilerAttr by,
                            Function function) {
  ComposedLayout lhs = operands.layout();
  Result<Tiler> tiler = getTiler(operands, by);
  if (!tiler)
    return tiler.takeReason();
  if (!lhs.getLayout().hasBasis())
    if (std::optional<Reason> reason = findOverhang(lhs.getLayout(), *tiler))
      return *reason;
  return yieldEither(
      lhs, [&](const auto &layout) { return function(layout, *tiler); });
}

AlgebraResult LogicalDivideOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return divide(operands, op.getByAttr(),
                [](const auto &layout, const Tiler &tiler) {
                  return logicalDivide(layout, tiler);
                });
}

AlgebraResult ZippedDivideOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return divide(operands, op.getByAttr(),
                [](const auto &layout, const Tiler &tiler) {
                  return zippedDivide(layout, tiler);
                });
}

AlgebraResult TiledDivideOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return divide(operands, op.getByAttr(),
                [](const auto &layout, const Tiler &tiler) {
                  return tiledDivide(layout, tiler);
                });
}

AlgebraResult FlatDivideOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return divide(operands, op.getByAttr(),
                [](const auto &layout, const Tiler &tiler) {
                  return flatDivide(layout, tiler);
                });
}

template <typename Function>
static AlgebraResult multiply(AlgebraOperands &operands, TilerAttr by,
                              Function function) {
  ComposedLayout lhs = operands.layout();
  Result<Tiler> tiler = getTiler(operands, by);
  if (!tiler)
    return tiler.takeReason();
  return yieldEither(
      lhs, [&](const auto &layout) { return function(layout, *tiler); });
}

/// The same of two layouts, rank by rank.
template <typename Function>
static AlgebraResult multiplyByRank(AlgebraOperands &operands,
                                    Function function) {
  ComposedLayout lhs = operands.layout();
  Result<Layout> rhs = operands.plainLayout();
  if (!rhs)
    return yield(rhs);
  return yieldEither(
      lhs, [&](const auto &layout) { return function(layout, *rhs); });
}

AlgebraResult LogicalProductOp::evaluate(Adaptor op,
                                         AlgebraOperands &operands) {
  return multiply(operands, op.getByAttr(),
                  [](const auto &layout, const Tiler &tiler) {
                    return logicalProduct(layout, tiler);
                  });
}

AlgebraResult ZippedProductOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return multiply(operands, op.getByAttr(),
                  [](const auto &layout, const Tiler &tiler) {
                    return zippedProduct(layout, tiler);
                  });
}

AlgebraResult TiledProductOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return multiply(operands, op.getByAttr(),
                  [](const auto &layout, const Tiler &tiler) {
                    return tiledProduct(layout, tiler);
                  });
}

AlgebraResult FlatProductOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return multiply(operands, op.getByAttr(),
                  [](const auto &layout, const Tiler &tiler) {
                    return flatProduct(layout, tiler);
                  });
}

AlgebraResult BlockedProductOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return multiplyByRank(operands, [](const auto &lhs, const Layout &rhs) {
    return blockedProduct(lhs, rhs);
  });
}

AlgebraResult RakedProductOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return multiplyByRank(operands, [](const auto &lhs, const Layout &rhs) {
    return rakedProduct(lhs, rhs);
  });
}

AlgebraResult TileToShapeOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple shape = operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1);
  std::optional<IntTuple> order;
  if (IntTupleAttr attr = op.getOrderAttr())
    order = attr.getValue();
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return tileToShape(layout, shape, order);
  });
}
