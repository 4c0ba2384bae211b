// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The multiply atom on the fused multiply-add units: its types and its code.
#include "tile/IR/Tile.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

StringRef SimtMmaAttr::getMinimumChip() const { return ""; }

std::optional<std::string>
SimtMmaAttr::checkElementTypes(VectorType a, VectorType b,
                               VectorType acc) const {
  std::string text;
  llvm::raw_string_ostream reason(text);
  Type sum = acc.getElementType();
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(sum)) {
    reason << "expected fragments of f16, bf16, f32 or f64, but got '" << acc
           << "'";
    return text;
  }
  // A fused multiply-add has one type; the main loops extend narrower ones.
  for (auto [name, type] : {std::pair("a", a), std::pair("b", b)}) {
    if (type.getElementType() == sum)
      continue;
    reason << "expected " << name << " elements of the accumulator's type '"
           << sum << "', but got '" << type << "'";
    return text;
  }
  return std::nullopt;
}

/// Positions [first, first + size).
static SmallVector<int64_t> positions(int64_t first, int64_t size) {
  return llvm::to_vector(llvm::seq(first, first + size));
}

/// The elements of fragments, one after the other. They join two by two; an odd
/// one waits for the next round.
static Value join(OpBuilder &builder, Location loc,
                  SmallVector<Value> fragments) {
  auto getSize = [](Value fragment) {
    return cast<VectorType>(fragment.getType()).getDimSize(0);
  };
  while (fragments.size() > 1) {
    SmallVector<Value> joined;
    for (size_t i = 0; i + 1 < fragments.size(); i += 2) {
      int64_t size = getSize(fragments[i]) + getSize(fragments[i + 1]);
      joined.push_back(vector::ShuffleOp::create(
          builder, loc, fragments[i], fragments[i + 1], positions(0, size)));
    }
    if (fragments.size() % 2)
      joined.push_back(fragments.back());
    fragments = std::move(joined);
  }
  return fragments.front();
}

/// One fused multiply-add on the row of the accumulator for each element of A.
Value SimtMmaAttr::emit(OpBuilder &builder, Location loc, Value a, Value b,
                        Value acc) const {
  int64_t columns = getThread()[1];
  auto rowType = cast<VectorType>(b.getType());
  SmallVector<Value> rows;
  for (int64_t i = 0, e = getThread()[0]; i < e; ++i) {
    Value element = vector::ExtractOp::create(builder, loc, a, i);
    Value splat = vector::BroadcastOp::create(builder, loc, rowType, element);
    Value row = vector::ShuffleOp::create(builder, loc, acc, acc,
                                          positions(i * columns, columns));
    rows.push_back(LLVM::FMAOp::create(builder, loc, splat, b, row));
  }
  return join(builder, loc, std::move(rows));
}
