// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes between the floors, and the patterns that they apply.
#ifndef TILE_TRANSFORMS_PASSES_H
#define TILE_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
class TypeConverter;
} // namespace mlir

namespace tile {

#define GEN_PASS_DECL
#include "tile/Transforms/Passes.h.inc"

/// Conversions of views and tile iterators to their parts.
void populateIteratorTypeConversions(mlir::TypeConverter &converter);
/// Patterns that lower view operations.
void populateLowerViewPatterns(const mlir::TypeConverter &converter,
                               mlir::RewritePatternSet &patterns);
/// Patterns that lower view and iterator operations, with strip-mined loops
/// kept, or written out if `unroll` says so.
void populateLowerIteratorPatterns(const mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns,
                                   bool unroll = false);
/// Patterns that lower `tile.mma`.
void populateLowerAtomPatterns(mlir::RewritePatternSet &patterns);
/// Conversion of layouts to their run-time leaves, and the patterns for it.
void populateExpandLayoutPatterns(mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

/// Places the shared memory of each kernel that needs more than what a kernel
/// has statically, 48 KiB, in its dynamic shared memory: allocations get their
/// offset, the kernel the sum as an attribute.
mlir::LogicalResult placeSharedMemory(mlir::Operation *root);

/// Bytes from the start of dynamic shared memory to an allocation.
inline constexpr llvm::StringLiteral kSharedOffset = "tile.shared_offset";

/// The array of unknown size that the launch's dynamic shared memory is.
inline constexpr llvm::StringLiteral kDynamicShared = "tile_dynamic_shared";

/// Marks a loop over the accesses of one tile.
inline constexpr llvm::StringLiteral kStripMined = "tile.strip_mined";

#define GEN_PASS_REGISTRATION
#include "tile/Transforms/Passes.h.inc"

} // namespace tile

#endif // TILE_TRANSFORMS_PASSES_H
