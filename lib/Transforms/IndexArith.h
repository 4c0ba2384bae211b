// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic for lowerings; constants fold as it is written.
#ifndef TILE_LIB_TRANSFORMS_INDEXARITH_H
#define TILE_LIB_TRANSFORMS_INDEXARITH_H

#include "tile/IR/ThreadMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tile {

/// Index arithmetic at one place; constants fold.
struct IndexArith {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Strip-mined loops are written out instead of kept.
  bool unroll = false;

  mlir::Value constant(int64_t number) const {
    return mlir::arith::ConstantIndexOp::create(builder, loc, number);
  }
  mlir::Value get(mlir::OpFoldResult value) const {
    if (std::optional<int64_t> number = mlir::getConstantIntValue(value))
      return constant(*number);
    return mlir::cast<mlir::Value>(value);
  }
  template <typename OpT, typename... Args>
  mlir::Value fold(Args &&...args) const {
    return builder.createOrFold<OpT>(loc, std::forward<Args>(args)...);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) const {
    return fold<mlir::arith::AddIOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) const {
    return fold<mlir::arith::MulIOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, int64_t b) const {
    return mul(a, constant(b));
  }
  mlir::Value less(mlir::Value a, mlir::Value b) const {
    return fold<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::ult, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a,
                     mlir::Value b) const {
    return fold<mlir::arith::SelectOp>(condition, a, b);
  }
  /// An i32 or an index, as the other type; neither is negative.
  mlir::Value cast(mlir::Value value, mlir::Type type) const {
    if (value.getType() == type)
      return value;
    return fold<mlir::arith::IndexCastUIOp>(type, value);
  }
  mlir::Value toIndex(mlir::Value value) const {
    return cast(value, builder.getIndexType());
  }
  /// An index as another type; its upper bits are lost if that is narrower.
  mlir::Value truncate(mlir::Value value, mlir::Type type) const {
    if (value.getType() == type)
      return value;
    return fold<mlir::arith::IndexCastOp>(type, value);
  }
  /// `pointer` moved by a number of elements, an index or an i32.
  mlir::Value move(mlir::Value pointer, mlir::Type elementType,
                   mlir::Value elements) const {
    if (std::optional<int64_t> number = mlir::getConstantIntValue(elements);
        number && *number == 0)
      return pointer;
    // An address takes a number of 32 bits with its sign.
    mlir::Value offset =
        elements.getType().isInteger(32)
            ? elements
            : fold<mlir::arith::IndexCastOp>(builder.getI64Type(), elements);
    // LLVM has no floats of 8 bits.
    if (elementType.getIntOrFloatBitWidth() == 8)
      elementType = builder.getI8Type();
    // An access that is masked off may lie outside the matrix.
    auto space = mlir::cast<mlir::LLVM::LLVMPointerType>(pointer.getType())
                     .getAddressSpace();
    auto flags = space == static_cast<unsigned>(MemorySpace::Global)
                     ? mlir::LLVM::GEPNoWrapFlags::none
                     : mlir::LLVM::GEPNoWrapFlags::inbounds;
    return mlir::LLVM::GEPOp::create(
        builder, loc, pointer.getType(), elementType, pointer,
        llvm::ArrayRef<mlir::LLVM::GEPArg>{offset}, flags);
  }
  /// (row, column) that a linear index reaches through modes, first fastest.
  std::array<mlir::Value, 2> decode(llvm::ArrayRef<MapMode> modes,
                                    mlir::Value index) const {
    std::array<mlir::Value, 2> offset{constant(0), constant(0)};
    int64_t below = 1, total = 1;
    for (const MapMode &mode : modes)
      total *= mode.size;
    for (const MapMode &mode : modes) {
      if (mode.size > 1 && mode.stride != 0) {
        mlir::Value digit = fold<mlir::arith::DivUIOp>(index, constant(below));
        if (below * mode.size != total)
          digit = fold<mlir::arith::RemUIOp>(digit, constant(mode.size));
        offset[mode.dim] = add(offset[mode.dim], mul(digit, mode.stride));
      }
      below *= mode.size;
    }
    return offset;
  }
};

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_INDEXARITH_H
