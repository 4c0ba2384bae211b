// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver calls that the benchmark makes beside the runtime's.
#ifndef TILE_LIB_BENCH_CUDAAPI_H
#define TILE_LIB_BENCH_CUDAAPI_H

#include "tile/Layout/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tile::bench {

// The driver's types as its ABI has them.
using CuResult = int;
using CuDevice = int;
using CuAddress = unsigned long long;
using CuContext = struct CuContextTag *;
using CuStream = struct CuStreamTag *;
using CuEvent = struct CuEventTag *;
using CuGraph = struct CuGraphTag *;
using CuGraphExec = struct CuGraphExecTag *;
using CuModule = struct CuModuleTag *;
using CuFunction = struct CuFunctionTag *;

// Numbers of the driver's enumerations.
inline constexpr int kCuAttributeL2Bytes = 38;
inline constexpr unsigned kCuStreamNonBlocking = 1;
inline constexpr int kCuCaptureRelaxed = 2;

/// Every driver function used: name without "cu", exported symbol, parameters.
#define TILE_BENCH_CUDA_FUNCTIONS(X)                                           \
  X(GetErrorName, "cuGetErrorName", (CuResult, const char **))                 \
  X(GetErrorString, "cuGetErrorString", (CuResult, const char **))             \
  X(DeviceGet, "cuDeviceGet", (CuDevice *, int))                               \
  X(DeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, CuDevice))        \
  X(DeviceGetPCIBusId, "cuDeviceGetPCIBusId", (char *, int, CuDevice))         \
  X(PrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CuContext *, CuDevice))     \
  X(PrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CuDevice))             \
  X(CtxPushCurrent, "cuCtxPushCurrent_v2", (CuContext))                        \
  X(CtxPopCurrent, "cuCtxPopCurrent_v2", (CuContext *))                        \
  X(MemGetInfo, "cuMemGetInfo_v2", (size_t *, size_t *))                       \
  X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                   \
    (CuAddress, CuAddress, size_t, CuStream))                                  \
  X(MemsetD8Async, "cuMemsetD8Async",                                          \
    (CuAddress, unsigned char, size_t, CuStream))                              \
  X(MemsetD2D8Async, "cuMemsetD2D8Async",                                      \
    (CuAddress, size_t, unsigned char, size_t, size_t, CuStream))              \
  X(StreamCreate, "cuStreamCreate", (CuStream *, unsigned))                    \
  X(StreamDestroy, "cuStreamDestroy_v2", (CuStream))                           \
  X(StreamSynchronize, "cuStreamSynchronize", (CuStream))                      \
  X(StreamBeginCapture, "cuStreamBeginCapture_v2", (CuStream, int))            \
  X(StreamEndCapture, "cuStreamEndCapture", (CuStream, CuGraph *))             \
  X(GraphInstantiate, "cuGraphInstantiateWithFlags",                           \
    (CuGraphExec *, CuGraph, unsigned long long))                              \
  X(GraphUpload, "cuGraphUpload", (CuGraphExec, CuStream))                     \
  X(GraphLaunch, "cuGraphLaunch", (CuGraphExec, CuStream))                     \
  X(GraphExecDestroy, "cuGraphExecDestroy", (CuGraphExec))                     \
  X(GraphDestroy, "cuGraphDestroy", (CuGraph))                                 \
  X(ModuleLoadData, "cuModuleLoadData", (CuModule *, const void *))            \
  X(ModuleUnload, "cuModuleUnload", (CuModule))                                \
  X(ModuleGetFunction, "cuModuleGetFunction",                                  \
    (CuFunction *, CuModule, const char *))                                    \
  X(LaunchKernel, "cuLaunchKernel",                                            \
    (CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CuStream, void **, void **))                                    \
  X(EventCreate, "cuEventCreate", (CuEvent *, unsigned))                       \
  X(EventDestroy, "cuEventDestroy_v2", (CuEvent))                              \
  X(EventRecord, "cuEventRecord", (CuEvent, CuStream))                         \
  X(EventSynchronize, "cuEventSynchronize", (CuEvent))                         \
  X(EventElapsedTime, "cuEventElapsedTime", (float *, CuEvent, CuEvent))

/// The driver, with one device's primary context bound to the calling thread.
/// It is the context in which the runtime works, so addresses and streams are
/// common property.
class CudaApi {
public:
  CudaApi() = default;
  CudaApi(const CudaApi &) = delete;
  CudaApi &operator=(const CudaApi &) = delete;
  /// Unbinds and releases the context.
  ~CudaApi();

  /// Finds the driver and binds the context of a device. Call it once. Returns
  /// why not, or nothing.
  std::optional<std::string> open(int ordinal);

  /// Nothing when `result` is success, else a sentence such as
  /// "cuGraphLaunch failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
  std::optional<std::string> check(CuResult result, const char *call) const;

#define TILE_BENCH_DECLARE(name, symbol, parameters)                           \
  CuResult(*name) parameters = nullptr;
  TILE_BENCH_CUDA_FUNCTIONS(TILE_BENCH_DECLARE)
#undef TILE_BENCH_DECLARE

  CuStream stream = nullptr;
  /// Size of the L2 cache in bytes, 0 where unknown.
  int64_t l2Bytes = 0;
  /// Where the device sits, as the driver writes it; names it to NVML.
  std::string pciBusId;

private:
  CuDevice device = 0;
  CuContext context = nullptr;
  bool bound = false;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_CUDAAPI_H
