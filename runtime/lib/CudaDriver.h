// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the CUDA driver that the runtime uses, found with dlopen.
#ifndef TILE_RT_LIB_CUDADRIVER_H
#define TILE_RT_LIB_CUDADRIVER_H

#include "tile-rt/tile-rt.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tile::rt {

// The driver's types as its ABI has them.
using CuResult = int;
using CuDeviceId = int;
using CuAddress = unsigned long long;
using CuContext = struct CuContextTag *;
using CuModule = struct CuModuleTag *;
using CuFunction = struct CuFunctionTag *;
using CuStream = struct CuStreamTag *;
using CuEvent = struct CuEventTag *;
using CuGraph = struct CuGraphTag *;
using CuGraphNode = struct CuGraphNodeTag *;

/// Every driver function used: name without "cu", exported symbol, parameters.
#define TILE_RT_CUDA_FUNCTIONS(X)                                              \
  X(Init, "cuInit", (unsigned))                                                \
  X(DriverGetVersion, "cuDriverGetVersion", (int *))                           \
  X(GetErrorName, "cuGetErrorName", (CuResult, const char **))                 \
  X(GetErrorString, "cuGetErrorString", (CuResult, const char **))             \
  X(DeviceGetCount, "cuDeviceGetCount", (int *))                               \
  X(DeviceGet, "cuDeviceGet", (CuDeviceId *, int))                             \
  X(DeviceGetName, "cuDeviceGetName", (char *, int, CuDeviceId))               \
  X(DeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, CuDeviceId))      \
  X(DeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, CuDeviceId))             \
  X(PrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CuContext *, CuDeviceId))   \
  X(PrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CuDeviceId))           \
  X(CtxPushCurrent, "cuCtxPushCurrent_v2", (CuContext))                        \
  X(CtxPopCurrent, "cuCtxPopCurrent_v2", (CuContext *))                        \
  X(CtxSynchronize, "cuCtxSynchronize", ())                                    \
  X(ModuleLoadDataEx, "cuModuleLoadDataEx",                                    \
    (CuModule *, const void *, unsigned, int *, void **))                      \
  X(ModuleUnload, "cuModuleUnload", (CuModule))                                \
  X(ModuleGetFunction, "cuModuleGetFunction",                                  \
    (CuFunction *, CuModule, const char *))                                    \
  X(FuncGetAttribute, "cuFuncGetAttribute", (int *, int, CuFunction))          \
  X(FuncSetAttribute, "cuFuncSetAttribute", (CuFunction, int, int))            \
  X(LaunchKernel, "cuLaunchKernel",                                            \
    (CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CuStream, void **, void **))                                    \
  X(MemAlloc, "cuMemAlloc_v2", (CuAddress *, size_t))                          \
  X(MemFree, "cuMemFree_v2", (CuAddress))                                      \
  X(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                   \
    (CuAddress, const void *, size_t, CuStream))                               \
  X(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                   \
    (void *, CuAddress, size_t, CuStream))                                     \
  X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                   \
    (CuAddress, CuAddress, size_t, CuStream))                                  \
  X(MemsetD8Async, "cuMemsetD8Async",                                          \
    (CuAddress, unsigned char, size_t, CuStream))                              \
  X(StreamCreate, "cuStreamCreate", (CuStream *, unsigned))                    \
  X(StreamDestroy, "cuStreamDestroy_v2", (CuStream))                           \
  X(StreamSynchronize, "cuStreamSynchronize", (CuStream))                      \
  X(EventCreate, "cuEventCreate", (CuEvent *, unsigned))                       \
  X(EventDestroy, "cuEventDestroy_v2", (CuEvent))                              \
  X(EventRecord, "cuEventRecord", (CuEvent, CuStream))                         \
  X(EventSynchronize, "cuEventSynchronize", (CuEvent))                         \
  X(EventElapsedTime, "cuEventElapsedTime", (float *, CuEvent, CuEvent))

/// One attribute of a launch. The driver's has a union of 64 bytes.
struct CuLaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    unsigned cluster[3];
    int allowed;
  } value;
};
inline constexpr int cuLaunchAttributeCluster = 4;
/// The kernel may start before the one in front of it has ended, and waits for
/// that itself where it has to.
inline constexpr int cuLaunchAttributeProgrammatic = 6;

/// A launch with attributes.
struct CuLaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  CuStream stream;
  CuLaunchAttribute *attributes;
  unsigned attributeCount;
};

/// A kernel node of a graph: the first fields of the driver's struct of 72
/// bytes.
struct CuKernelNode {
  CuFunction function;
  char rest[120];
};
inline constexpr int cuGraphNodeKernel = 0;
inline constexpr int cuCaptureNone = 0;

/// Functions that not every driver has; null then.
#define TILE_RT_CUDA_OPTIONAL_FUNCTIONS(X)                                     \
  X(LaunchKernelEx, "cuLaunchKernelEx",                                        \
    (const CuLaunchConfig *, CuFunction, void **, void **))                    \
  X(OccupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters",                \
    (int *, CuFunction, const CuLaunchConfig *))                               \
  X(StreamGetCaptureInfo, "cuStreamGetCaptureInfo_v2",                         \
    (CuStream, int *, unsigned long long *, CuGraph *, const CuGraphNode **,   \
     size_t *))                                                                \
  X(GraphNodeGetType, "cuGraphNodeGetType", (CuGraphNode, int *))              \
  X(GraphKernelNodeGetParams, "cuGraphKernelNodeGetParams_v2",                 \
    (CuGraphNode, CuKernelNode *))                                             \
  X(TensorMapEncodeIm2col, "cuTensorMapEncodeIm2col",                          \
    (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *,        \
     const int *, const int *, uint32_t, uint32_t, const uint32_t *, int, int, \
     int, int))                                                                \
  X(TensorMapEncodeTiled, "cuTensorMapEncodeTiled",                            \
    (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *,        \
     const uint32_t *, const uint32_t *, int, int, int, int))

/// The loaded functions.
struct CudaDriver {
#define TILE_RT_DECLARE(name, symbol, parameters) CuResult(*name) parameters;
  TILE_RT_CUDA_FUNCTIONS(TILE_RT_DECLARE)
  TILE_RT_CUDA_OPTIONAL_FUNCTIONS(TILE_RT_DECLARE)
#undef TILE_RT_DECLARE

  /// Turns a driver result into a status, with an error such as
  /// "cuLaunchKernel failed: an illegal memory access was encountered
  /// (CUDA_ERROR_ILLEGAL_ADDRESS)". `detail` is appended when not empty.
  TileRtStatus check(CuResult result, const char *call,
                     const char *detail = "") const;
};

struct TensorMapFacts;

/// Encodes a tensor map with the driver. Returns the reason, "" when it could.
std::string encodeCudaTensorMap(const CudaDriver &driver, void *map128,
                                const TensorMapFacts &facts);

/// Finds libcuda.so.1 and its functions and initialises the driver. Errors:
/// NO_DEVICE, with a sentence that names what is missing.
TileRtStatus loadCudaDriver(CudaDriver &driver);

} // namespace tile::rt

#endif // TILE_RT_LIB_CUDADRIVER_H
