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
  /// Name in suites and in MLIR.
  llvm::StringLiteral name;
  int64_t bytes;
  /// The runtime's number.
  TileRtType runtime;
  /// cuBLASLt's numbers: cudaDataType_t of A, B and D, cublasComputeType_t, and
  /// cudaDataType_t of alpha and beta.
  int cudaType, computeType, scaleType;
  /// Half of the distance from 1 to the next number, in which the sum over K is
  /// accumulated, and in which D is stored.
  double accumulatorRoundoff, resultRoundoff;
  /// Writes the nearest value to `to` and returns it.
  double (*encode)(double value, void *to);
  double (*decode)(const void *from);
};

/// The row of `name`; null if there is none.
const ElementType *findElementType(llvm::StringRef name);

/// All names, separated by ", ".
std::string listElementTypes();

} // namespace tile::bench

#endif // TILE_LIB_BENCH_ELEMENTTYPE_H
