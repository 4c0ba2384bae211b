// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations as the text that a report shows.

#ifndef TILE_LIB_TARGET_COMMON_LOCATIONS_H
#define TILE_LIB_TARGET_COMMON_LOCATIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace tile {

/// Where `op` comes from: `gemm.mlir:10:3 (load A)` for a file position with a
/// name around it, either part alone when the other is missing, and
/// `unknown location (llvm.load)` when both are.
std::string describeLocation(mlir::Operation *op);

/// Numbers texts in order of first use.
class SiteTable {
public:
  /// Continues the table that `texts` already holds, and appends to it.
  explicit SiteTable(llvm::SmallVectorImpl<std::string> &texts);
  /// The number of the site of `op`.
  int32_t get(mlir::Operation *op);

private:
  llvm::SmallVectorImpl<std::string> &texts;
  llvm::StringMap<int32_t> numbers;
};

} // namespace tile

#endif // TILE_LIB_TARGET_COMMON_LOCATIONS_H
