// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the CUDA driver library and words its errors.
#include "CudaDriver.h"

#include "Error.h"

#include <dlfcn.h>

using namespace tile::rt;

// Results that mean more than "the driver refused".
static constexpr CuResult outOfMemory = 2;
static constexpr CuResult firstLaunchFault = 700, lastLaunchFault = 720;

TileRtStatus CudaDriver::check(CuResult result, const char *call,
                               const char *detail) const {
  if (result == 0)
    return TILE_RT_SUCCESS;
  const char *name = nullptr, *text = nullptr;
  GetErrorName(result, &name);
  GetErrorString(result, &text);
  TileRtStatus status =
      result == outOfMemory ? TILE_RT_OUT_OF_MEMORY
      : result >= firstLaunchFault && result <= lastLaunchFault
          ? TILE_RT_LAUNCH_FAILED
          : TILE_RT_DRIVER_ERROR;
  return fail(status, format("%s failed: %s (%s)%s%s", call,
                             text ? text : "unknown error",
                             name ? name : format("%d", result).c_str(),
                             *detail ? ": " : "", detail));
}

TileRtStatus tile::rt::loadCudaDriver(CudaDriver &driver) {
  // Never closed: the driver does not survive being unloaded.
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(TILE_RT_NO_DEVICE,
                "no CUDA driver: libcuda.so.1 was not found; "
                "use --device=sim");
#define TILE_RT_RESOLVE(name, symbol, parameters)                              \
  driver.name =                                                                \
      reinterpret_cast<CuResult(*) parameters>(dlsym(library, symbol));        \
  if (!driver.name)                                                            \
    return fail(TILE_RT_NO_DEVICE, "the CUDA driver is too old: it has no "    \
                                   "function " symbol "; use --device=sim");
  TILE_RT_CUDA_FUNCTIONS(TILE_RT_RESOLVE)
#undef TILE_RT_RESOLVE
#define TILE_RT_RESOLVE(name, symbol, parameters)                              \
  driver.name =                                                                \
      reinterpret_cast<CuResult(*) parameters>(dlsym(library, symbol));
  TILE_RT_CUDA_OPTIONAL_FUNCTIONS(TILE_RT_RESOLVE)
#undef TILE_RT_RESOLVE
  CuResult result = driver.Init(0);
  if (result != 0) {
    const char *text = nullptr;
    driver.GetErrorString(result, &text);
    return fail(TILE_RT_NO_DEVICE,
                format("no CUDA device: cuInit failed: %s; use --device=sim",
                       text ? text : "unknown error"));
  }
  return TILE_RT_SUCCESS;
}
