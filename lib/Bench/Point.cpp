// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A point: how its operands lie in memory, its name, its MLIR text.
#include "Suite.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::bench;
using llvm::formatv;
using llvm::StringRef;

static Placement place(const Point &point, int64_t rows, int64_t columns,
                       bool transposed) {
  Placement result;
  result.rows = rows;
  result.columns = columns;
  result.batch = point.batch;
  result.transposed = transposed;
  int64_t pitch = llvm::alignTo(transposed ? rows : columns,
                                static_cast<uint64_t>(point.pitchMultiple));
  result.rowStride = transposed ? 1 : pitch;
  result.columnStride = transposed ? pitch : 1;
  result.batchStride = pitch * result.lines();
  return result;
}

Placement Point::a() const { return place(*this, m, k, transposeA); }
Placement Point::b() const { return place(*this, k, n, transposeB); }
Placement Point::d() const { return place(*this, m, n, false); }

double Point::flops() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) *
         static_cast<double>(k) * static_cast<double>(batch);
}

std::string Point::typeName() const {
  std::string text = tf32 ? "tf32" : type->name.str();
  if (typeB != type)
    text += ("*" + typeB->name).str();
  if (typeD != defaultResultType(*type))
    text += (":" + typeD->name).str();
  return text;
}

std::string Point::layoutName() const {
  return std::string(transposeA ? "t" : "n") + (transposeB ? "t" : "n");
}

std::string tile::bench::formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

std::string Point::label() const {
  std::string text =
      formatv("{0} {1}x{2}x{3} {4}", typeName(), m, n, k, layoutName());
  if (batch != 1)
    text += formatv(" batch={0}", batch);
  if (pitchMultiple != 1)
    text += formatv(" pitch={0}", pitchMultiple);
  if (alpha != 1)
    text += " alpha=" + formatNumber(alpha);
  if (beta != 0)
    text += " beta=" + formatNumber(beta);
  if (promotedSums)
    text += " promoted_sums";
  return text;
}

const ElementTypeInfo *
tile::bench::defaultResultType(const ElementTypeInfo &operand) {
  if (operand.bytes > 1)
    return &operand;
  return &getInfo(operand.isInteger() ? ElementType::I32 : ElementType::BF16);
}

static std::string formatMemref(const Placement &place, StringRef type,
                                bool dynamic) {
  auto number = [&](int64_t value) {
    return dynamic ? std::string("?") : std::to_string(value);
  };
  auto stride = [&](int64_t value, bool unit) {
    return unit ? std::string("1") : number(value);
  };
  std::string batch, batchStride;
  if (place.batch != 1) {
    batch = number(place.batch) + "x";
    batchStride = number(place.batchStride) + ", ";
  }
  return formatv("memref<{0}{1}x{2}x{3}, strided<[{4}{5}, {6}]>>", batch,
                 number(place.rows), number(place.columns), type, batchStride,
                 stride(place.rowStride, place.transposed),
                 stride(place.columnStride, !place.transposed));
}

std::string tile::bench::formatProblem(const Point &point, bool dynamic) {
  std::string a = formatMemref(point.a(), point.type->name, dynamic);
  std::string b = formatMemref(point.b(), point.typeB->name, dynamic);
  std::string d = formatMemref(point.d(), point.typeD->name, dynamic);
  std::string c = point.beta != 0 ? ", %C: " + d : "";
  std::string inC = point.beta != 0 ? ", %C" : "";
  std::string inTypeC = point.beta != 0 ? ", " + d : "";
  StringRef scalar = point.scalarType().name;
  std::string parameters, scalars;
  if (point.hasAlpha()) {
    parameters += formatv(", %alpha: {0}", scalar);
    scalars += formatv(" alpha(%alpha : {0})", scalar);
  }
  if (point.beta != 0) {
    parameters += formatv(", %beta: {0}", scalar);
    scalars += formatv(" beta(%beta : {0})", scalar);
  }
  if (point.promotedSums)
    scalars += " promoted_sums";
  return formatv("func.func @gemm(%A: {0}, %B: {1}{2}, %D: {3}{4}) {{\n"
                 "  tile.gemm ins(%A, %B{5} : {0}, {1}{6}) outs(%D : {3}){7}\n"
                 "  return\n"
                 "}\n",
                 a, b, c, d, parameters, inC, inTypeC, scalars);
}

const ElementTypeInfo &Point::scalarType() const {
  return getInfo(type->type == ElementType::F64 ? ElementType::F64
                                                : ElementType::F32);
}
