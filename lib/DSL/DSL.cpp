// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language: values and their arithmetic.
#include "Staging.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

//===----------------------------------------------------------------------===//
// Places and mistakes
//===----------------------------------------------------------------------===//

Call::Call(Scope &scope, CallSite site) : scope(scope), depth(scope.depth) {
  if (scope.locatesCalls && depth == 0 && site.file)
    scope.loc = FileLineColLoc::get(scope.builder.getContext(), site.file,
                                    site.line, /*column=*/1);
  ++scope.depth;
}

void dsl::reportMistake(Scope &scope, const Twine &sentence) {
  if (!scope.hasFailed)
    mlir::emitError(scope.loc) << sentence;
  scope.hasFailed = true;
}

Attribute dsl::parseAttribute(Scope &scope, StringRef text, CallSite site) {
  Call call(scope, site);
  std::string reason;
  Attribute attribute;
  {
    ScopedDiagnosticHandler handler(scope.builder.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (reason.empty())
                                        reason = diagnostic.str();
                                      return success();
                                    });
    attribute = mlir::parseAttribute(text, scope.builder.getContext());
  }
  if (!attribute)
    reportMistake(scope, reason + " in '" + text + "'");
  return attribute;
}

//===----------------------------------------------------------------------===//
// Val
//===----------------------------------------------------------------------===//

Val Val::cast(Type type, CallSite site) const {
  Staging stage(site, {*this});
  if (!stage || type == getType())
    return *this;
  if (!getType().isIntOrIndex() || !type.isIntOrIndex()) {
    stage.fail("expected a cast between integers, but got one from " +
               print(getType()) + " to " + print(type));
    return Val();
  }
  if (type.isIndex() || getType().isIndex())
    return stage.fold<arith::IndexCastUIOp>(type, value);
  if (type.getIntOrFloatBitWidth() > getType().getIntOrFloatBitWidth())
    return stage.fold<arith::ExtUIOp>(type, value);
  return stage.fold<arith::TruncIOp>(type, value);
}

Val Val::constant(int64_t number, CallSite site) const {
  Staging stage(site, {*this});
  if (!stage)
    return Val();
  if (!getType().isIntOrIndex()) {
    stage.fail("expected an integer beside the number " + Twine(number) +
               ", but got " + print(getType()));
    return Val();
  }
  return stage.create<arith::ConstantOp>(
      stage.getBuilder().getIntegerAttr(getType(), number));
}

template <typename IntOp, typename FloatOp = IntOp>
static Val binary(Val a, Val b, CallSite site) {
  Staging stage(site, {a, b});
  if (stage)
    stage.expectOneType(a, b);
  if (!stage)
    return Val();
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
  if constexpr (std::is_same_v<IntOp, FloatOp>) {
    if (isFloat) {
      stage.fail("expected integers, but got " + print(a.getType()));
      return Val();
    }
  }
  return isFloat ? stage.fold<FloatOp>(a.get(), b.get())
                 : stage.fold<IntOp>(a.get(), b.get());
}

/// The same with a number, as a constant of the other type.
template <typename IntOp, typename FloatOp = IntOp>
static Val binary(Val a, int64_t b, CallSite site) {
  Staging stage(site, {a});
  return stage ? binary<IntOp, FloatOp>(a, a.constant(b), site) : Val();
}

Val dsl::operator+(Term a, Val b) {
  return binary<arith::AddIOp, arith::AddFOp>(a.value, b, a.site);
}
Val dsl::operator-(Term a, Val b) {
  return binary<arith::SubIOp, arith::SubFOp>(a.value, b, a.site);
}
Val dsl::operator*(Term a, Val b) {
  return binary<arith::MulIOp, arith::MulFOp>(a.value, b, a.site);
}
Val dsl::operator/(Term a, Val b) {
  return binary<arith::DivUIOp, arith::DivFOp>(a.value, b, a.site);
}
Val dsl::operator%(Term a, Val b) {
  return binary<arith::RemUIOp>(a.value, b, a.site);
}
Val dsl::operator+(Term a, int64_t b) {
  return binary<arith::AddIOp>(a.value, b, a.site);
}
Val dsl::operator-(Term a, int64_t b) {
  return binary<arith::SubIOp>(a.value, b, a.site);
}
Val dsl::operator*(Term a, int64_t b) {
  return binary<arith::MulIOp>(a.value, b, a.site);
}
Val dsl::operator/(Term a, int64_t b) {
  return binary<arith::DivUIOp>(a.value, b, a.site);
}
Val dsl::operator%(Term a, int64_t b) {
  return binary<arith::RemUIOp>(a.value, b, a.site);
}

static Val compare(arith::CmpIPredicate predicate, Val a, Val b,
                   CallSite site) {
  Staging stage(site, {a, b});
  if (stage)
    stage.expectOneType(a, b);
  if (stage && !a.getType().isIntOrIndex())
    stage.fail("expected integers, but got " + print(a.getType()));
  return stage ? stage.fold<arith::CmpIOp>(predicate, a.get(), b.get()) : Val();
}

Val dsl::operator<(Term a, Val b) {
  return compare(arith::CmpIPredicate::ult, a.value, b, a.site);
}
Val dsl::operator<=(Term a, int64_t b) {
  Staging stage(a.site, {a.value});
  return stage ? compare(arith::CmpIPredicate::ule, a.value,
                         a.value.constant(b), a.site)
               : Val();
}
Val dsl::operator>=(Term a, Val b) {
  return compare(arith::CmpIPredicate::uge, a.value, b, a.site);
}

Val dsl::equal(Val a, Val b, CallSite site) {
  if (!a || !b || !isa<FloatType>(a.getType()))
    return compare(arith::CmpIPredicate::eq, a, b, site);
  Staging stage(site, {a, b});
  stage.expectOneType(a, b);
  return stage ? stage.fold<arith::CmpFOp>(arith::CmpFPredicate::OEQ, a.get(),
                                           b.get())
               : Val();
}

Val dsl::min(Val a, Val b, CallSite site) {
  return binary<arith::MinUIOp>(a, b, site);
}

Val dsl::ceilDiv(Val a, int64_t b, CallSite site) {
  Staging stage(site, {a});
  return stage ? (a + (b - 1)) / b : Val();
}

Val dsl::select(Val condition, Val a, Val b, CallSite site) {
  Staging stage(site, {condition, a, b});
  if (stage)
    stage.expectOneType(a, b);
  return stage ? stage.fold<arith::SelectOp>(condition.get(), a.get(), b.get())
               : Val();
}

Val dsl::both(Val a, Val b, CallSite site) {
  return binary<arith::AndIOp>(a, b, site);
}
Val dsl::either(Val a, Val b, CallSite site) {
  return binary<arith::OrIOp>(a, b, site);
}

Val dsl::i32Constant(Scope &scope, int64_t number, CallSite site) {
  Call call(scope, site);
  return Val(scope, arith::ConstantIntOp::create(scope.builder, scope.loc,
                                                 number, 32));
}

/// The vector with other float elements.
template <typename Op>
static Val convert(Val vector, Type elementType, CallSite site) {
  Staging stage(site, {vector});
  VectorType type = stage ? stage.expectVector(vector) : VectorType();
  if (!stage)
    return Val();
  return type.getElementType() == elementType
             ? vector
             : stage.create<Op>(type.clone(elementType), vector.get());
}

Val dsl::truncate(Val vector, Type elementType, CallSite site) {
  return convert<arith::TruncFOp>(vector, elementType, site);
}

Val dsl::extend(Val vector, Type elementType, CallSite site) {
  return convert<arith::ExtFOp>(vector, elementType, site);
}

Val dsl::indexConstant(Scope &scope, int64_t number, CallSite site) {
  Call call(scope, site);
  return Val(scope,
             arith::ConstantIndexOp::create(scope.builder, scope.loc, number));
}

Val dsl::floatConstant(Scope &scope, Type type, double number, CallSite site) {
  Call call(scope, site);
  return Val(scope, arith::ConstantOp::create(
                        scope.builder, scope.loc,
                        scope.builder.getFloatAttr(type, number)));
}

Val dsl::zeros(Scope &scope, Type elementType, int64_t size, CallSite site) {
  Call call(scope, site);
  return Val(scope, arith::ConstantOp::create(
                        scope.builder, scope.loc,
                        scope.builder.getZeroAttr(
                            VectorType::get({size}, elementType))));
}

Val dsl::splat(Val scalar, int64_t size, CallSite site) {
  Staging stage(site, {scalar});
  return stage ? stage.create<vector::BroadcastOp>(
                     VectorType::get({size}, scalar.getType()), scalar.get())
               : Val();
}

Val dsl::extractSlice(Val vector, int64_t first, int64_t size, CallSite site) {
  Staging stage(site, {vector});
  VectorType type = stage ? stage.expectVector(vector) : VectorType();
  if (stage && (first < 0 || size < 1 || size > type.getNumElements() - first))
    stage.fail("expected a part of " + Twine(type.getNumElements()) +
               " elements, but got " + Twine(size) + " from " + Twine(first) +
               " on");
  return stage ? stage.create<vector::ExtractStridedSliceOp>(
                     vector.get(), ArrayRef<int64_t>{first},
                     ArrayRef<int64_t>{size}, ArrayRef<int64_t>{1})
               : Val();
}

Val dsl::concatenate(ArrayRef<Val> vectors, CallSite site) {
  if (vectors.empty() || !vectors.front())
    return Val();
  Staging stage(site, {vectors.front()});
  SmallVector<Value> elements;
  for (Val vector : vectors) {
    if (!vector) {
      stage.fail("expected vectors, but got one that was never set");
      return Val();
    }
    VectorType type = stage.expectVector(vector);
    if (!stage)
      return Val();
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
      elements.push_back(
          stage.create<vector::ExtractOp>(vector.get(), i).get());
  }
  auto type = VectorType::get({static_cast<int64_t>(elements.size())},
                              elements.front().getType());
  return stage.create<vector::FromElementsOp>(type, elements);
}

Val dsl::widen(Val vector, int64_t size, CallSite site) {
  Staging stage(site, {vector});
  VectorType type = stage ? stage.expectVector(vector) : VectorType();
  if (!stage)
    return Val();
  SmallVector<int64_t> mask(size, vector::ShuffleOp::kPoisonIndex);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
    mask[i] = i;
  return stage.create<vector::ShuffleOp>(vector.get(), vector.get(), mask);
}

Val dsl::addf(Val a, Val b, CallSite site) {
  return binary<arith::AddIOp, arith::AddFOp>(a, b, site);
}

Val dsl::fma(Val a, Val b, Val c, CallSite site) {
  Staging stage(site, {a, b, c});
  if (stage)
    stage.expectOneType(a, b);
  if (stage)
    stage.expectOneType(b, c);
  return stage ? stage.create<LLVM::FMAOp>(a.get(), b.get(), c.get()) : Val();
}

Val dsl::mulf(Val a, Val b, CallSite site) {
  return binary<arith::MulIOp, arith::MulFOp>(a, b, site);
}

Val dsl::maximum(Val a, Val b, CallSite site) {
  return binary<arith::MaxUIOp, arith::MaximumFOp>(a, b, site);
}

Val dsl::exp2(Val a, CallSite site) {
  Staging stage(site, {a});
  if (stage && !getElementTypeOrSelf(a.getType()).isF32())
    stage.fail("expected f32, but got " + print(a.getType()));
  return stage ? stage.create<math::Exp2Op>(a.get(), arith::FastMathFlags::afn)
               : Val();
}
