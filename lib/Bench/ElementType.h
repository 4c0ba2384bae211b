// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of points: a table row each.
#ifndef TILE_LIB_BENCH_ELEMENTTYPE_H
#define TILE_LIB_BENCH_ELEMENTTYPE_H

#include "tile-rt/tile-rt.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace tile::bench {

/// What a type is called by each party, and how exact it is.
struct ElementType {
  /// Name in suites, in MLIR and in manifests.
  llvm::StringLiteral name;
  int64_t bytes;
  /// cuBLASLt's numbers: cudaDataType_t, and for products of operands of this
  /// type cublasComputeType_t and cudaDataType_t of alpha and beta.
  int cudaType, computeType, scaleType;
  /// Half of the distance from 1 to the next number, in which the sum over K of
  /// such operands is accumulated, and of the type itself.
  double accumulatorRoundoff, roundoff;
  /// Writes the nearest value to `to` and returns it.
  double (*encode)(double value, void *to);
  double (*decode)(const void *from);

  /// Products of such operands may have another type of result.
  bool isNarrow() const { return bytes < 4; }
  /// The runtime's number; TILE_RT_TYPE_MAX if it has none.
  TileRtType runtime() const;
};

/// The row of `name`; null if there is none.
const ElementType *findElementType(llvm::StringRef name);

/// All names, separated by ", ".
std::string listElementTypes();

} // namespace tile::bench

#endif // TILE_LIB_BENCH_ELEMENTTYPE_H
