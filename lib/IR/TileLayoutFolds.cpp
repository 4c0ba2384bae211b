// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisation of layout operations: constants and divisors move from
// values into types, and from the types of operands into those of results.
#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Replacement
//===----------------------------------------------------------------------===//

/// A value of the type that `result` has, from one whose type knows more.
static Value castTo(PatternRewriter &rewriter, Value value, Type type,
                    Location loc) {
  if (value.getType() == type)
    return value;
  return LayoutCastOp::create(rewriter, loc, type, value);
}

/// The value that a cast forgets of, or null; a cast to another nesting does
/// not forget.
static Value getForgottenOf(Value value) {
  auto cast = value.getDefiningOp<LayoutCastOp>();
  return cast && refines(cast.getSource().getType().getComposed(),
                         cast.getType().getComposed())
             ? cast.getSource()
             : Value();
}

/// Whether `special` can stand for `general` behind a cast.
static bool isSharper(Type special, Type general) {
  if (special == general)
    return true;
  auto from = dyn_cast<LayoutType>(special), to = dyn_cast<LayoutType>(general);
  return from && to && refines(from.getComposed(), to.getComposed());
}

/// Replaces `op` by the same operation on other operands and attributes, of
/// which more is known. Fails, and leaves all as it is, where the results
/// would not be the same layouts with more known.
static LogicalResult replaceBySharper(PatternRewriter &rewriter,
                                      LayoutAlgebraOpInterface op,
                                      ValueRange operands,
                                      ArrayRef<NamedAttribute> attributes) {
  OperationState state(op.getLoc(), op->getName(), operands,
                       op->getResultTypes(), attributes);
  Operation *sharper = Operation::create(state);
  SmallVector<Type> types;
  auto evaluate = [&](AlgebraOperands &values) {
    return cast<LayoutAlgebraOpInterface>(sharper).evaluateOn(values);
  };
  bool fits =
      succeeded(inferAlgebraTypes(op.getContext(), std::nullopt, operands,
                                  evaluate, types)) &&
      types.size() == op->getNumResults() &&
      llvm::all_of(llvm::zip_equal(types, op->getResultTypes()), [](auto pair) {
        return isSharper(std::get<0>(pair), std::get<1>(pair));
      });
  if (!fits) {
    sharper->destroy();
    return failure();
  }
  for (auto [result, type] : llvm::zip_equal(sharper->getResults(), types))
    result.setType(type);
  rewriter.insert(sharper);
  SmallVector<Value> values;
  for (auto [result, old] :
       llvm::zip_equal(sharper->getResults(), op->getResults()))
    values.push_back(castTo(rewriter, result, old.getType(), old.getLoc()));
  rewriter.replaceOp(op, values);
  return success();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// `(%c4, %n)`, with %n = 8 * %m, is (4, %n {div = 8}).
struct SharpenLeaves : OpInterfaceRewritePattern<LayoutAlgebraOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(LayoutAlgebraOpInterface op,
                                PatternRewriter &rewriter) const override {
    // Index operands are the run-time leaves of the tuples, in order.
    SmallVector<unsigned> indices;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isIndex())
        indices.push_back(operand.getOperandNumber());
    if (indices.empty())
      return failure();
    NamedAttrList attributes(op->getAttrDictionary());
    SmallVector<bool> kept(op->getNumOperands(), true);
    bool changed = false;
    unsigned next = 0;
    for (StringAttr name : op->getName().getAttributeNames()) {
      auto sharpen = [&](const IntTuple &leaf) -> IntTuple {
        if (leaf.isWildcard() || leaf.getInt().isStatic())
          return leaf;
        unsigned number = indices[next++];
        Int known = leaf.getInt();
        if (std::optional<int64_t> constant =
                getConstantIntValue(op->getOperand(number))) {
          known = *constant;
          kept[number] = false;
        } else {
          known = known.withDivisor(getKnownDivisor(op->getOperand(number)));
        }
        changed |= known != leaf.getInt();
        return leaf.isBasis() ? IntTuple::basis(known, leaf.getPath())
                              : IntTuple(known);
      };
      auto fits = [&](unsigned leaves) {
        return next + leaves <= indices.size();
      };
      Attribute attribute = attributes.get(name);
      if (auto tuple = dyn_cast_or_null<IntTupleAttr>(attribute);
          tuple && fits(getNumDynamicLeaves(tuple.getValue()))) {
        attributes.set(name,
                       IntTupleAttr::get(op.getContext(),
                                         tuple.getValue().mapLeaves(sharpen)));
      } else if (auto tiler = dyn_cast_or_null<TilerAttr>(attribute);
                 tiler && fits(getNumDynamicLeaves(tiler.getValue()))) {
        Result<Tiler> sharper = tiler.getValue().mapLeaves(
            [&](const IntTuple &leaf, bool) { return sharpen(leaf); });
        // A constant that is no extent.
        if (!sharper)
          return failure();
        attributes.set(name, TilerAttr::get(op.getContext(), *sharper));
      }
    }
    if (!changed)
      return failure();
    SmallVector<Value> operands;
    for (auto [operand, keep] : llvm::zip_equal(op->getOperands(), kept))
      if (keep)
        operands.push_back(operand);
    dropFromSegments(attributes, kept);
    return replaceBySharper(rewriter, op, operands, attributes);
  }

  static void dropFromSegments(NamedAttrList &attributes, ArrayRef<bool> kept) {
    auto segments = dyn_cast_or_null<DenseI32ArrayAttr>(
        attributes.get("operandSegmentSizes"));
    if (!segments)
      return;
    SmallVector<int32_t> sizes;
    for (int32_t size : segments.asArrayRef()) {
      sizes.push_back(llvm::count(kept.take_front(size), true));
      kept = kept.drop_front(size);
    }
    attributes.set("operandSegmentSizes",
                   DenseI32ArrayAttr::get(segments.getContext(), sizes));
  }
};

/// An operation on `layout_cast %l` is one on %l.
struct AbsorbCasts : OpInterfaceRewritePattern<LayoutAlgebraOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(LayoutAlgebraOpInterface op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands(op->getOperands());
    bool changed = false;
    for (Value &operand : operands)
      if (Value source = getForgottenOf(operand)) {
        operand = source;
        changed = true;
      }
    if (!changed)
      return failure();
    return replaceBySharper(rewriter, op, operands,
                            op->getAttrDictionary().getValue());
  }
};

/// A layout of constants is a `make_layout` (and a `make_swizzle`), whatever it
/// was computed from, and an offset beside it a constant. It has the nesting
/// that the algebra gives to constants. Where the program was typed for another
/// one, a cast from the first to the second stands behind it, and constants of
/// the second are what the users with a type of their own see.
struct StaticResults : OpInterfaceRewritePattern<LayoutAlgebraOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(LayoutAlgebraOpInterface op,
                                PatternRewriter &rewriter) const override {
    // Integers alone fold.
    if (isConstant(op) ||
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<LayoutType>))
      return failure();
    auto evaluate = [&](AlgebraOperands operands) {
      AlgebraResult results =
          evaluateAlgebra(operands, [&](AlgebraOperands &operands) {
            return op.evaluateOn(operands);
          });
      if (results && results->size() != op->getNumResults())
        return AlgebraResult(Reason("expected one value for each result"));
      return results;
    };
    AlgebraResult typed = evaluate(AlgebraOperands(op->getOperands()));
    if (!typed)
      return failure();
    SmallVector<Value> sources;
    SmallVector<Attribute> attributes;
    SmallVector<Int> constants = getConstants(op, sources, attributes);
    AlgebraResult exact = evaluate(AlgebraOperands(sources, attributes));
    bool changed = false;
    for (auto [number, result] : llvm::enumerate(op->getResults())) {
      if (result.use_empty())
        continue;
      const AlgebraValue &value = (*typed)[number];
      Value constant;
      if (const auto *integer = std::get_if<Int>(&value)) {
        Int known = integer->substitute(constants);
        if (known.isStatic())
          constant = arith::ConstantIndexOp::create(rewriter, op.getLoc(),
                                                    known.getValue());
      } else if (const auto *layout = std::get_if<ComposedLayout>(&value)) {
        Result<ComposedLayout> known =
            withoutExprs(layout->substitute(constants));
        if (known && known->isStatic() &&
            refines(*known, cast<LayoutType>(result.getType()).getComposed()))
          constant = createExact(rewriter, result, *known,
                                 exact ? &(*exact)[number] : nullptr);
      }
      if (!constant)
        continue;
      rewriter.replaceAllUsesWith(result, constant);
      changed = true;
    }
    return success(changed);
  }

  /// Whether the operation is the form that layouts of constants have.
  static bool isConstant(Operation *op) {
    if (auto swizzle = dyn_cast<MakeSwizzleOp>(op))
      return swizzle.getLayout().getDefiningOp<MakeLayoutOp>();
    return isa<MakeLayoutOp>(op);
  }

  /// What is known of each symbol: a constant, or itself; and the operands
  /// behind their casts, with the constants among them.
  static SmallVector<Int> getConstants(Operation *op,
                                       SmallVectorImpl<Value> &sources,
                                       SmallVectorImpl<Attribute> &attributes) {
    SmallVector<Int> constants;
    unsigned next = 0;
    for (Value operand : op->getOperands()) {
      Attribute attribute;
      auto type = dyn_cast<LayoutType>(operand.getType());
      if (!type) {
        std::optional<int64_t> constant = getConstantIntValue(operand);
        constants.push_back(constant ? Int(*constant) : Int::symbol(next));
        if (constant)
          attribute = IntegerAttr::get(operand.getType(), *constant);
        ++next;
      } else {
        Value known = getForgottenOf(operand);
        ComposedLayout symbols = withSymbols(type.getComposed(), next);
        ComposedLayout source =
            known ? cast<LayoutType>(known.getType()).getComposed() : symbols;
        for (auto [symbol, leaf] :
             llvm::zip_equal(getIntLeaves(symbols), getIntLeaves(source)))
          if (symbol.isDynamic())
            constants.push_back(leaf.isStatic() ? leaf : symbol);
        while (auto cast = operand.getDefiningOp<LayoutCastOp>())
          operand = cast.getSource();
      }
      sources.push_back(operand);
      attributes.push_back(attribute);
    }
    return constants;
  }

  /// The layout that constants give, cast to the one that the program was
  /// typed for, and to its type. The latter alone where the former is no layout
  /// of constants, or another function.
  static Value createExact(PatternRewriter &rewriter, Value result,
                           const ComposedLayout &typed,
                           const AlgebraValue *exact) {
    Location loc = result.getLoc();
    ComposedLayout layout = typed;
    if (exact)
      if (Result<ComposedLayout> plain =
              withoutExprs(std::get<ComposedLayout>(*exact));
          plain && isSameFunction(*plain, typed))
        layout = *plain;
    Value value = create(rewriter, loc, layout);
    value =
        castTo(rewriter, value, LayoutType::get(loc.getContext(), typed), loc);
    return castTo(rewriter, value, result.getType(), loc);
  }

  static Value create(PatternRewriter &rewriter, Location loc,
                      const ComposedLayout &layout) {
    MLIRContext *context = rewriter.getContext();
    Value value = MakeLayoutOp::create(
        rewriter, loc, ValueRange(), ValueRange(),
        IntTupleAttr::get(context, layout.getLayout().getShape()),
        IntTupleAttr::get(context, layout.getLayout().getStride()));
    if (layout.isPlain())
      return value;
    return MakeSwizzleOp::create(rewriter, loc, ValueRange(),
                                 IntTupleAttr::get(context, layout.getOffset()),
                                 SwizzleAttr::get(context, layout.getSwizzle()),
                                 value);
  }
};

} // namespace

void tile::populateLayoutSharpeningPatterns(RewritePatternSet &patterns) {
  patterns.add<SharpenLeaves, AbsorbCasts, StaticResults>(
      patterns.getContext());
}

// The patterns match an interface; they are registered once, with the operation
// that carries what they find.
void LayoutCastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *) {
  populateLayoutSharpeningPatterns(patterns);
}
