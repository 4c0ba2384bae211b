// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of cuBLASLt's binary interface that the benchmark calls.
#ifndef TILE_LIB_BENCH_CUBLASABI_H
#define TILE_LIB_BENCH_CUBLASABI_H

#include <cstddef>
#include <cstdint>

namespace tile::bench {

// Handles and descriptors are only passed around.
using LtHandle = struct LtHandleTag *;
using LtMatmulDesc = struct LtMatmulDescTag *;
using LtMatrixLayout = struct LtMatrixLayoutTag *;
using LtPreference = struct LtPreferenceTag *;
using LtStatus = int;

// Numbers of the library's enumerations, the same in versions 11 to 13.
inline constexpr int kCudaR32F = 0, kCudaR64F = 1, kCudaR16F = 2, kCudaR8I = 3,
                     kCudaR32I = 10, kCudaR16BF = 14, kCudaR8FE4M3 = 28,
                     kCudaR8FE5M2 = 29;
inline constexpr int kCublasCompute32F = 68, kCublasCompute64F = 70,
                     kCublasCompute32I = 72, kCublasCompute32FFastTF32 = 77;
inline constexpr int32_t kCublasOpN = 0, kCublasOpT = 1;
inline constexpr int kLtDescTransA = 3, kLtDescTransB = 4,
                     kLtDescFastAccumulation = 25;
inline constexpr int kLtLayoutBatchCount = 5, kLtLayoutBatchStride = 6;
inline constexpr int kLtPreferenceMaxWorkspace = 1;
inline constexpr int kLtAlgoId = 0, kLtAlgoTile = 1, kLtAlgoSplitK = 2,
                     kLtAlgoSwizzle = 4, kLtAlgoStages = 6, kLtAlgoCluster = 8;

/// An algorithm: opaque, copied by value.
struct LtAlgo {
  uint64_t data[8];
};

/// One answer of the heuristic.
struct LtHeuristicResult {
  LtAlgo algo;
  size_t workspaceSize;
  LtStatus state;
  float wavesCount;
  int reserved[4];
};

/// Every function used: name without "cublasLt", result, parameters.
#define TILE_BENCH_CUBLASLT_FUNCTIONS(X)                                       \
  X(GetVersion, size_t, ())                                                    \
  X(GetStatusName, const char *, (LtStatus))                                   \
  X(GetStatusString, const char *, (LtStatus))                                 \
  X(Create, LtStatus, (LtHandle *))                                            \
  X(Destroy, LtStatus, (LtHandle))                                             \
  X(MatmulDescCreate, LtStatus, (LtMatmulDesc *, int, int))                    \
  X(MatmulDescDestroy, LtStatus, (LtMatmulDesc))                               \
  X(MatmulDescSetAttribute, LtStatus,                                          \
    (LtMatmulDesc, int, const void *, size_t))                                 \
  X(MatrixLayoutCreate, LtStatus,                                              \
    (LtMatrixLayout *, int, uint64_t, uint64_t, int64_t))                      \
  X(MatrixLayoutDestroy, LtStatus, (LtMatrixLayout))                           \
  X(MatrixLayoutSetAttribute, LtStatus,                                        \
    (LtMatrixLayout, int, const void *, size_t))                               \
  X(MatmulPreferenceCreate, LtStatus, (LtPreference *))                        \
  X(MatmulPreferenceDestroy, LtStatus, (LtPreference))                         \
  X(MatmulPreferenceSetAttribute, LtStatus,                                    \
    (LtPreference, int, const void *, size_t))                                 \
  X(MatmulAlgoGetHeuristic, LtStatus,                                          \
    (LtHandle, LtMatmulDesc, LtMatrixLayout, LtMatrixLayout, LtMatrixLayout,   \
     LtMatrixLayout, LtPreference, int, LtHeuristicResult *, int *))           \
  X(MatmulAlgoConfigGetAttribute, LtStatus,                                    \
    (const LtAlgo *, int, void *, size_t, size_t *))                           \
  X(Matmul, LtStatus,                                                          \
    (LtHandle, LtMatmulDesc, const void *, const void *, LtMatrixLayout,       \
     const void *, LtMatrixLayout, const void *, const void *, LtMatrixLayout, \
     void *, LtMatrixLayout, const LtAlgo *, void *, size_t, void *))

/// The loaded functions.
struct LtFunctions {
#define TILE_BENCH_DECLARE(name, result, parameters) result(*name) parameters;
  TILE_BENCH_CUBLASLT_FUNCTIONS(TILE_BENCH_DECLARE)
#undef TILE_BENCH_DECLARE
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_CUBLASABI_H
