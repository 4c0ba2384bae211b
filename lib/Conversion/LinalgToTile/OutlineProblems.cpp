// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves problems into functions of their own, which are entries.
#include "Contraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace tile {
#define GEN_PASS_DEF_TILEOUTLINEPROBLEMS
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// Whether a function is an entry as it is: problems on its arguments alone.
static bool isEntry(func::FuncOp function) {
  if (!function.getBody().hasOneBlock() || function.getNumResults() != 0)
    return false;
  Block &body = function.getBody().front();
  return llvm::all_of(body, [&](Operation &op) {
    if (isa<func::ReturnOp>(op) || op.hasTrait<OpTrait::ConstantLike>())
      return true;
    return isa<GemmOp>(op) && llvm::all_of(op.getOperands(), [&](Value value) {
             auto argument = dyn_cast<BlockArgument>(value);
             return isConstant(value) ||
                    (argument && argument.getOwner() == &body);
           });
  });
}

/// The type of an entry's argument for a value: where it begins in memory is
/// known to whoever launches, and to no kernel.
static Type getArgumentType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || failed(memref.getStridesAndOffset(strides, offset)) ||
      offset == 0 || offset == ShapedType::kDynamic)
    return type;
  return MemRefType::get(
      memref.getShape(), memref.getElementType(),
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides));
}

/// Replaces a problem of `function` by a call of a new function that has it,
/// behind `last`. Returns the new function.
static func::FuncOp outline(GemmOp gemm, func::FuncOp function,
                            func::FuncOp last, SymbolTable &symbols) {
  llvm::SmallSetVector<Value, 6> operands;
  for (Value operand : gemm->getOperands())
    if (!isConstant(operand))
      operands.insert(operand);
  Location loc = gemm.getLoc();
  OpBuilder builder(gemm);
  SmallVector<Type> types;
  SmallVector<Value> arguments;
  for (Value operand : operands) {
    Type type = getArgumentType(operand.getType());
    types.push_back(type);
    arguments.push_back(
        type == operand.getType()
            ? operand
            : memref::CastOp::create(builder, loc, type, operand).getResult());
  }
  auto entry = func::FuncOp::create(loc, (function.getName() + "_gemm").str(),
                                    builder.getFunctionType(types, {}));
  symbols.insert(entry, std::next(last->getIterator()));
  func::CallOp::create(builder, loc, entry, arguments);

  builder.setInsertionPointToStart(entry.addEntryBlock());
  IRMapping mapping;
  mapping.map(operands, entry.getArguments());
  for (Value operand : gemm->getOperands())
    if (isConstant(operand) && !mapping.contains(operand))
      mapping.map(operand,
                  builder.clone(*operand.getDefiningOp())->getResult(0));
  builder.clone(*gemm, mapping);
  func::ReturnOp::create(builder, loc);
  gemm->erase();
  return entry;
}

namespace {

struct TileOutlineProblemsPass
    : tile::impl::TileOutlineProblemsBase<TileOutlineProblemsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isDeclaration() || isEntry(function))
        continue;
      SmallVector<GemmOp> problems;
      function.walk([&](GemmOp gemm) { problems.push_back(gemm); });
      func::FuncOp last = function;
      for (GemmOp gemm : problems)
        last = outline(gemm, function, last, symbols);
    }
  }
};

} // namespace
