// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout operations on constants and symbols: operands, types, folds.
#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;

/// Functions of other swizzles are compared up to this size.
static constexpr int64_t kMaxEnumeration = 65536;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

SmallVector<Int> tile::getIntLeaves(const ComposedLayout &layout) {
  SmallVector<Int> leaves;
  for (const IntTuple &tuple :
       {layout.getLayout().getShape(), layout.getLayout().getStride()})
    for (const IntTuple &leaf : tuple.getLeaves())
      leaves.push_back(leaf.getInt());
  leaves.push_back(layout.getOffset());
  return leaves;
}

unsigned tile::getNumDynamicLeaves(const ComposedLayout &layout) {
  return llvm::count_if(getIntLeaves(layout),
                        [](const Int &leaf) { return leaf.isDynamic(); });
}

/// Layouts come from a type or from another layout, so this has a value.
static ComposedLayout compose(const Swizzle &swizzle, const Int &offset,
                              const Layout &layout) {
  Result<ComposedLayout> result = ComposedLayout::get(swizzle, offset, layout);
  return result ? *result : ComposedLayout(layout);
}

ComposedLayout tile::withSymbols(const ComposedLayout &layout, unsigned &next) {
  Layout inside = withSymbols(layout.getLayout(), next);
  Int offset = layout.getOffset();
  if (offset.isDynamic())
    offset = Int::symbol(next++, offset.getDivisor(), /*lower=*/0);
  return compose(layout.getSwizzle(), offset, inside);
}

Result<ComposedLayout> tile::withoutExprs(const ComposedLayout &layout) {
  const Layout &inside = layout.getLayout();
  for (const IntTuple &tuple : {inside.getShape(), inside.getStride()})
    if (std::optional<std::string> reason = tuple.findInvalid())
      return Reason(*reason);
  Result<Layout> plain = Layout::get(inside.getShape().withoutExprs(),
                                     inside.getStride().withoutExprs());
  if (!plain)
    return plain.takeReason();
  return ComposedLayout::get(layout.getSwizzle(),
                             layout.getOffset().withoutExpr(), *plain);
}

Result<Int> tile::getOffsetAt(const ComposedLayout &layout,
                              const IntTuple &coordinate) {
  Result<IntTuple> value = layout.getLayout()(coordinate);
  if (!value)
    return value.takeReason();
  Int index = layout.getOffset() + value->getInt();
  const Swizzle &swizzle = layout.getSwizzle();
  if (swizzle.isIdentity())
    return index;
  Int inside = index, outside = 0;
  const IntExpr *expr = index.getExpr();
  if (expr && expr->getKind() == IntExpr::Kind::Add) {
    inside = 0;
    for (const Int &term : expr->getOperands())
      (term.isMultipleOf(swizzle.getPeriod()) ? outside : inside) =
          (term.isMultipleOf(swizzle.getPeriod()) ? outside : inside) + term;
  }
  return outside + swizzle(inside);
}

static bool refines(const Int &special, const Int &general) {
  if (general.isStatic())
    return special.isStatic(general.getValue());
  return special.isMultipleOf(general.getDivisor());
}

static bool refines(const IntTuple &special, const IntTuple &general) {
  if (special.isTuple() != general.isTuple() ||
      special.rank() != general.rank())
    return false;
  if (special.isTuple())
    return llvm::all_of(llvm::seq(special.rank()), [&](unsigned i) {
      return ::refines(special[i], general[i]);
    });
  return special.isBasis() == general.isBasis() &&
         (!special.isBasis() || special.getPath() == general.getPath()) &&
         ::refines(special.getInt(), general.getInt());
}

bool tile::refines(const ComposedLayout &special,
                   const ComposedLayout &general) {
  return special.getSwizzle() == general.getSwizzle() &&
         ::refines(special.getOffset(), general.getOffset()) &&
         ::refines(special.getLayout().getShape(),
                   general.getLayout().getShape()) &&
         ::refines(special.getLayout().getStride(),
                   general.getLayout().getStride());
}

bool tile::isSameFunction(const ComposedLayout &lhs,
                          const ComposedLayout &rhs) {
  if (!lhs.isStatic() || !rhs.isStatic() || !lhs.size().isStatic() ||
      lhs.size() != rhs.size())
    return false;
  if (lhs.getSwizzle() == rhs.getSwizzle() &&
      lhs.getOffset() == rhs.getOffset() &&
      coalesce(lhs.getLayout()) == coalesce(rhs.getLayout()))
    return true;
  int64_t size = lhs.size().getValue();
  return size <= kMaxEnumeration && !lhs.getLayout().hasBasis() &&
         !rhs.getLayout().hasBasis() &&
         llvm::all_of(llvm::seq(size),
                      [&](int64_t i) { return lhs.at(i) == rhs.at(i); });
}

//===----------------------------------------------------------------------===//
// AlgebraOperands
//===----------------------------------------------------------------------===//

AlgebraOperands::AlgebraOperands(ValueRange operands,
                                 ArrayRef<Attribute> constants) {
  unsigned next = 0;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    if (auto type = dyn_cast<LayoutType>(operand.getType())) {
      layouts.push_back(withSymbols(type.getComposed(), next));
      continue;
    }
    if (auto type = dyn_cast<ViewType>(operand.getType())) {
      layouts.push_back(withSymbols(type.getComposed(), next));
      continue;
    }
    Index index{next++, std::nullopt};
    if (!constants.empty())
      if (auto constant = dyn_cast_or_null<IntegerAttr>(constants[number]))
        index.constant = constant.getValue().getSExtValue();
    indices.push_back(index);
  }
}

ComposedLayout AlgebraOperands::layout() {
  return hasLayout() ? layouts[nextLayout++] : ComposedLayout();
}

Result<Layout> AlgebraOperands::plainLayout() {
  ComposedLayout next = layout();
  if (std::optional<Layout> plain = getPlain(next))
    return *plain;
  return Reason("expected a layout without swizzle and offset, but got " +
                next.str());
}

IntTuple AlgebraOperands::leaf(const IntTuple &leaf, int64_t lower) {
  if (leaf.isWildcard() || leaf.getInt().isStatic())
    return leaf;
  if (nextIndex == indices.size()) {
    missing = true;
    return leaf;
  }
  Index index = indices[nextIndex++];
  Int integer = index.constant ? Int(*index.constant)
                               : Int::symbol(index.symbol,
                                             leaf.getInt().getDivisor(), lower);
  return leaf.isBasis() ? IntTuple::basis(integer, leaf.getPath())
                        : IntTuple(integer);
}

IntTuple AlgebraOperands::tuple(const IntTuple &tuple, int64_t lower) {
  return tuple.mapLeaves(
      [&](const IntTuple &leaf) { return this->leaf(leaf, lower); });
}

Result<Tiler> AlgebraOperands::tiler(const Tiler &tiler) {
  return tiler.mapLeaves([&](const IntTuple &leaf, bool isExtent) {
    return this->leaf(leaf, isExtent ? 1 : 0);
  });
}

std::optional<Reason> AlgebraOperands::findMismatch() const {
  if (!missing && nextIndex == indices.size())
    return std::nullopt;
  return Reason("expected one operand for each run-time leaf, but got " +
                Twine(indices.size()));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

AlgebraResult tile::yield(const Layout &layout) {
  return yield(ComposedLayout(layout));
}
AlgebraResult tile::yield(const ComposedLayout &layout) {
  return SmallVector<AlgebraValue>{AlgebraValue(layout)};
}
AlgebraResult tile::yield(const Int &integer) {
  return SmallVector<AlgebraValue>{AlgebraValue(integer)};
}

AlgebraResult
tile::yieldInside(const ComposedLayout &layout,
                  function_ref<Result<Layout>(const Layout &)> function) {
  Result<Layout> inside = function(layout.getLayout());
  if (!inside)
    return inside.takeReason();
  return yield(
      ComposedLayout::get(layout.getSwizzle(), layout.getOffset(), *inside));
}

AlgebraResult tile::yieldLeaves(const Result<IntTuple> &tuple) {
  if (!tuple)
    return tuple.takeReason();
  SmallVector<AlgebraValue> values;
  for (const IntTuple &leaf : tuple->getLeaves()) {
    if (!leaf.isInt())
      return Reason("expected integers, but got " + tuple->str());
    values.push_back(leaf.getInt());
  }
  return values;
}

AlgebraResult tile::evaluateAlgebra(AlgebraOperands operands,
                                    AlgebraFunction function) {
  AlgebraResult results = function(operands);
  if (std::optional<Reason> mismatch = operands.findMismatch())
    return *mismatch;
  if (!results)
    return results;
  for (const AlgebraValue &value : *results) {
    if (const auto *layout = std::get_if<ComposedLayout>(&value)) {
      if (Result<ComposedLayout> valid = withoutExprs(*layout); !valid)
        return valid.takeReason();
    } else if (const auto *integer = std::get_if<Int>(&value)) {
      if (integer->isInvalid())
        return Reason(integer->getInvalidReason());
    } else {
      for (const auto &[lhs, rhs] : std::get<LessPairs>(value))
        for (const Int *side : {&lhs, &rhs})
          if (side->isInvalid())
            return Reason(side->getInvalidReason());
    }
  }
  return results;
}

static SmallVector<Type> getTypes(MLIRContext *context,
                                  ArrayRef<AlgebraValue> values) {
  SmallVector<Type> types;
  for (const AlgebraValue &value : values) {
    if (const auto *layout = std::get_if<ComposedLayout>(&value))
      types.push_back(LayoutType::get(context, *withoutExprs(*layout)));
    else if (std::holds_alternative<Int>(value))
      types.push_back(IndexType::get(context));
    else
      types.push_back(IntegerType::get(context, 1));
  }
  return types;
}

LogicalResult tile::inferAlgebraTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      ValueRange operands,
                                      AlgebraFunction function,
                                      SmallVectorImpl<Type> &types) {
  AlgebraResult results = evaluateAlgebra(AlgebraOperands(operands), function);
  if (!results)
    return emitOptionalError(loc, results.getReason());
  llvm::append_range(types, getTypes(context, *results));
  return success();
}

LogicalResult tile::verifyAlgebra(Operation *op) {
  AlgebraResult results = evaluateAlgebra(
      AlgebraOperands(op->getOperands()), [&](AlgebraOperands &operands) {
        return cast<LayoutAlgebraOpInterface>(op).evaluateOn(operands);
      });
  if (!results)
    return op->emitOpError(results.getReason());
  SmallVector<Type> types = getTypes(op->getContext(), *results);
  if (llvm::equal(types, op->getResultTypes()))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expected results of type (");
  diag << types << "), but got (" << op->getResultTypes() << ')';
  return diag;
}

/// Whether all pairs are in order, if that is known.
static std::optional<bool> isLess(const LessPairs &pairs) {
  bool known = true;
  for (const auto &[lhs, rhs] : pairs) {
    if (lhs.getLower() >= rhs.getUpper())
      return false;
    known &= lhs.getUpper() < rhs.getLower();
  }
  return known ? std::optional(true) : std::nullopt;
}

/// Whether the constant that an operation gives is a bound, and a better one
/// once more is known: how many elements are together, how far a swizzle
/// reaches.
static bool isBound(Operation *op) {
  if (!isa<MaxAlignmentOp, MaxCommonVectorOp, CosizeOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), [&](Type type) {
    ComposedLayout layout = cast<LayoutType>(type).getComposed();
    return !layout.isStatic() && !(isa<CosizeOp>(op) && layout.isPlain());
  });
}

LogicalResult tile::foldAlgebra(Operation *op, ArrayRef<Attribute> operands,
                                SmallVectorImpl<OpFoldResult> &results) {
  if (isBound(op))
    return failure();
  AlgebraResult values = evaluateAlgebra(
      AlgebraOperands(op->getOperands(), operands),
      [&](AlgebraOperands &constants) {
        return cast<LayoutAlgebraOpInterface>(op).evaluateOn(constants);
      });
  if (!values || values->size() != op->getNumResults())
    return failure();
  Builder builder(op->getContext());
  SmallVector<OpFoldResult> folded;
  for (const AlgebraValue &value : *values) {
    if (const auto *integer = std::get_if<Int>(&value);
        integer && integer->isStatic()) {
      folded.push_back(builder.getIndexAttr(integer->getValue()));
    } else if (const auto *pairs = std::get_if<LessPairs>(&value)) {
      std::optional<bool> less = isLess(*pairs);
      if (!less)
        return failure();
      folded.push_back(builder.getBoolAttr(*less));
    } else {
      return failure();
    }
  }
  if (folded.empty())
    return failure();
  results.append(folded);
  return success();
}

OpFoldResult tile::foldAlgebra(Operation *op, ArrayRef<Attribute> operands) {
  SmallVector<OpFoldResult> results;
  if (failed(foldAlgebra(op, operands, results)))
    return {};
  return results.front();
}
