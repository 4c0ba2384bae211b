// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of a matrix whose elements are those of a tensor.
#include "tile/IR/Tile.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

/// The linear form of an index over the digits; nothing if it is none.
static std::optional<MatrixMapDim> getLinearForm(AffineExpr index,
                                                 unsigned digits) {
  if (!index.isPureAffine())
    return std::nullopt;
  MLIRContext *context = index.getContext();
  SmallVector<AffineExpr> zeros(digits, getAffineConstantExpr(0, context));
  auto evaluate = [&](ArrayRef<AffineExpr> at) -> std::optional<int64_t> {
    AffineExpr value = simplifyAffineExpr(index.replaceDims(at), 0, 0);
    if (auto constant = dyn_cast<AffineConstantExpr>(value))
      return constant.getValue();
    return std::nullopt;
  };
  // Divisions are written as divisors.
  bool divides = false;
  index.walk([&](AffineExpr each) {
    divides |= each.getKind() == AffineExprKind::FloorDiv ||
               each.getKind() == AffineExprKind::CeilDiv ||
               each.getKind() == AffineExprKind::Mod;
  });
  std::optional<int64_t> constant = evaluate(zeros);
  if (divides || !constant)
    return std::nullopt;
  MatrixMapDim form;
  form.constant = *constant;
  for (unsigned i = 0; i < digits; ++i) {
    SmallVector<AffineExpr> one = zeros;
    one[i] = getAffineConstantExpr(1, context);
    std::optional<int64_t> value = evaluate(one);
    int64_t coefficient;
    if (!value || __builtin_sub_overflow(*value, form.constant, &coefficient))
      return std::nullopt;
    form.coefficients.push_back(coefficient);
  }
  return form;
}

/// The map of an attribute's parts; a dimension that is not linear has no
/// coefficients, which no sound map has.
static MatrixMap makeMap(ArrayRef<int64_t> batch, ArrayRef<int64_t> rows,
                         ArrayRef<int64_t> columns, AffineMap map,
                         ArrayRef<int64_t> divisors, ArrayRef<int64_t> extents,
                         ArrayRef<int64_t> strides) {
  MatrixMap result;
  result.digits[0].assign(batch.begin(), batch.end());
  result.digits[1].assign(rows.begin(), rows.end());
  result.digits[2].assign(columns.begin(), columns.end());
  for (auto [i, index] : llvm::enumerate(map.getResults())) {
    MatrixMapDim &dim = result.dims.emplace_back(
        getLinearForm(index, map.getNumDims()).value_or(MatrixMapDim()));
    dim.extent = extents[i];
    dim.stride = strides[i];
    dim.divisor = divisors.empty() ? 1 : divisors[i];
  }
  return result;
}

LogicalResult
Im2colAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<int64_t> batch, ArrayRef<int64_t> rows,
                   ArrayRef<int64_t> columns, AffineMapAttr mapAttr,
                   ArrayRef<int64_t> divisors, ArrayRef<int64_t> extents,
                   ArrayRef<int64_t> strides) {
  AffineMap map = mapAttr.getValue();
  size_t digits = batch.size() + rows.size() + columns.size();
  if (map.getNumSymbols() || map.getNumDims() != digits)
    return emitError() << "expected a map of " << digits
                       << " dimensions, one for each digit, but got "
                       << map.getNumDims() << " and " << map.getNumSymbols()
                       << " symbols";
  if (extents.size() != map.getNumResults() ||
      strides.size() != map.getNumResults())
    return emitError() << "expected an extent and a stride for each of "
                       << map.getNumResults() << " results of the map, but got "
                       << extents.size() << " and " << strides.size();
  if (!divisors.empty() && divisors.size() != map.getNumResults())
    return emitError() << "expected a divisor for each of "
                       << map.getNumResults() << " results of the map, but got "
                       << divisors.size();
  for (AffineExpr index : map.getResults())
    if (!getLinearForm(index, map.getNumDims())) {
      std::string text;
      llvm::raw_string_ostream(text) << index;
      return emitError() << "expected a linear index, such as p * 2 + r - 1, "
                            "but got "
                         << text;
    }
  std::string reason = checkMatrixMap(
      makeMap(batch, rows, columns, map, divisors, extents, strides));
  if (!reason.empty())
    return emitError() << reason;
  return success();
}

MatrixMap Im2colAttr::getMatrixMap() const {
  return makeMap(getBatch(), getRows(), getColumns(), getMap().getValue(),
                 getDivisors(), getExtents(), getStrides());
}

Im2colAttr Im2colAttr::get(MLIRContext *context, const MatrixMap &map) {
  SmallVector<AffineExpr> indices;
  SmallVector<int64_t> divisors, extents, strides;
  bool divides = false;
  for (const MatrixMapDim &dim : map.dims) {
    AffineExpr index = getAffineConstantExpr(dim.constant, context);
    for (auto [i, coefficient] : llvm::enumerate(dim.coefficients))
      if (coefficient)
        index = index + getAffineDimExpr(i, context) * coefficient;
    indices.push_back(index);
    extents.push_back(dim.extent);
    strides.push_back(dim.stride);
    divisors.push_back(dim.divisor);
    divides |= dim.divisor != 1;
  }
  if (!divides)
    divisors.clear();
  return get(context, map.digits[0], map.digits[1], map.digits[2],
             AffineMapAttr::get(
                 AffineMap::get(map.countDigits(), 0, indices, context)),
             divisors, extents, strides);
}

SmallVector<int64_t, 3> Im2colAttr::getShape() const {
  MatrixMap map = getMatrixMap();
  SmallVector<int64_t, 3> shape;
  if (!map.digits[0].empty())
    shape.push_back(map.getExtent(0));
  shape.push_back(map.getExtent(1));
  shape.push_back(map.getExtent(2));
  return shape;
}

//===----------------------------------------------------------------------===//
// MemRefLayoutAttrInterface
//===----------------------------------------------------------------------===//

AffineMap Im2colAttr::getAffineMap() const {
  // There is none: an element may be nowhere. Nobody computes addresses of it.
  return AffineMap::getMultiDimIdentityMap(getShape().size(), getContext());
}

bool Im2colAttr::isIdentity() const { return false; }

LogicalResult
Im2colAttr::verifyLayout(ArrayRef<int64_t> shape,
                         function_ref<InFlightDiagnostic()> emitError) const {
  SmallVector<int64_t, 3> own = getShape();
  if (shape == ArrayRef<int64_t>(own))
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expected the extents of the layout, (";
  llvm::interleaveComma(own, diagnostic);
  diagnostic << "), but got (";
  llvm::interleaveComma(shape, diagnostic);
  return diagnostic << ")";
}

LogicalResult Im2colAttr::getStridesAndOffset(ArrayRef<int64_t>,
                                              SmallVectorImpl<int64_t> &,
                                              int64_t &) const {
  return failure();
}
