// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the CUDA driver and binds the primary context.
#include "CudaApi.h"

#include <dlfcn.h>

using namespace tile::bench;

CudaApi::~CudaApi() {
  if (stream)
    StreamDestroy(stream);
  CuContext ignored;
  if (bound)
    CtxPopCurrent(&ignored);
  if (context)
    PrimaryCtxRelease(device);
}

std::optional<std::string> CudaApi::check(CuResult result,
                                          const char *call) const {
  if (result == 0)
    return std::nullopt;
  const char *name = nullptr, *text = nullptr;
  GetErrorName(result, &name);
  GetErrorString(result, &text);
  return std::string(call) + " failed: " + (text ? text : "unknown error") +
         " (" + (name ? name : std::to_string(result)) + ")";
}

std::optional<std::string> CudaApi::open(int ordinal) {
  // Never closed: the driver does not survive being unloaded.
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "no CUDA driver: libcuda.so.1 was not found";
#define TILE_BENCH_RESOLVE(name, symbol, parameters)                           \
  name = reinterpret_cast<CuResult(*) parameters>(dlsym(library, symbol));     \
  if (!name)                                                                   \
    return "the CUDA driver is too old: it has no function " symbol;
  TILE_BENCH_CUDA_FUNCTIONS(TILE_BENCH_RESOLVE)
#undef TILE_BENCH_RESOLVE
  if (auto reason = check(DeviceGet(&device, ordinal), "cuDeviceGet"))
    return reason;
  if (auto reason =
          check(PrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain"))
    return reason;
  if (auto reason = check(CtxPushCurrent(context), "cuCtxPushCurrent"))
    return reason;
  bound = true;
  int bytes = 0;
  if (auto reason =
          check(DeviceGetAttribute(&bytes, kCuAttributeL2Bytes, device),
                "cuDeviceGetAttribute"))
    return reason;
  l2Bytes = bytes;
  char bus[32] = "";
  if (auto reason = check(DeviceGetPCIBusId(bus, sizeof(bus), device),
                          "cuDeviceGetPCIBusId"))
    return reason;
  pciBusId = bus;
  return check(StreamCreate(&stream, kCuStreamNonBlocking), "cuStreamCreate");
}
