// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bridge between the algebra's symbols and SSA values.
#include "tile/IR/LayoutValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tile;

IntTuple tile::withSymbols(const IntTuple &tuple, unsigned &next, int64_t lower) {
  return tuple.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (leaf.isWildcard() || leaf.getInt().isStatic())
      return leaf;
    Int symbol = Int::symbol(next++, leaf.getInt().getDivisor(), lower);
    return leaf.isBasis() ? IntTuple::basis(symbol, leaf.getPath()) : IntTuple(symbol);
  });
}

Layout tile::withSymbols(const Layout &layout, unsigned &next) {
  IntTuple shape = withSymbols(layout.getShape(), next, /*lower=*/1);
  IntTuple stride = withSymbols(layout.getStride(), next);
  Result<Layout> result = Layout::get(shape, stride);
  return result ? *result : layout;
}

Value tile::materialize(OpBuilder &builder, Location loc, const Int &integer, ValueRange symbols) {
  if (integer.isStatic())
    return arith::ConstantIndexOp::create(builder, loc, integer.getValue());
  const IntExpr *expr = integer.getExpr();
  if (!expr)
    return {};
  if (expr->getKind() == IntExpr::Kind::Symbol)
    return symbols[expr->getSymbol()];
  Value result;
  for (const Int &operand : expr->getOperands()) {
    Value value = materialize(builder, loc, operand, symbols);
    if (!value)
      return {};
    if (!result) {
      result = value;
      continue;
    }
    switch (expr->getKind()) {
    case IntExpr::Kind::Add:
      result = builder.createOrFold<arith::AddIOp>(loc, result, value);
      break;
    case IntExpr::Kind::Mul:
      result = builder.createOrFold<arith::MulIOp>(loc, result, value);
      break;
    case IntExpr::Kind::FloorDiv:
      result = builder.createOrFold<arith::DivUIOp>(loc, result, value);
      break;
    case IntExpr::Kind::CeilDiv:
      result = builder.createOrFold<arith::CeilDivUIOp>(loc, result, value);
      break;
    case IntExpr::Kind::Mod:
      result = builder.createOrFold<arith::RemUIOp>(loc, result, value);
      break;
    case IntExpr::Kind::Min:
      result = builder.createOrFold<arith::MinUIOp>(loc, result, value);
      break;
    case IntExpr::Kind::Max:
      result = builder.createOrFold<arith::MaxUIOp>(loc, result, value);
      break;
    case IntExpr::Kind::Xor:
      result = builder.createOrFold<arith::XOrIOp>(loc, result, value);
      break;
    case IntExpr::Kind::Symbol:
    case IntExpr::Kind::Invalid:
      return {};
    }
  }
  return result;
}
