// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes constants out of the exclusive ors of swizzled addresses.
#ifndef TILE_LIB_TARGET_COMMON_SWIZZLEDADDRESSES_H
#define TILE_LIB_TARGET_COMMON_SWIZZLEDADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace tile {

/// Writes (x + c) ^ y as (x ^ y) + c where y is below the lowest bit of c, and
/// (x | c) ^ y as (x ^ y) | c where x, y and c have no bit in common; of a c
/// that y touches, what it does not. Places of a swizzled tile that are whole
/// periods of the swizzle apart then share one register and differ by an
/// immediate offset of their loads: 8 registers instead of 32 for the fragments
/// of tiles of 128 x 256 x 64.
struct SwizzledAddressesPass : llvm::PassInfoMixin<SwizzledAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace tile

#endif // TILE_LIB_TARGET_COMMON_SWIZZLEDADDRESSES_H
