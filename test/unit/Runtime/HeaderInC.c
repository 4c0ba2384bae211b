/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The runtime's header compiled and used as C99.
 */
#include "tile-rt/tile-rt.h"

TileRtStatus tileRtHeaderInC(void);

TileRtStatus tileRtHeaderInC(void) {
  TileRtDevice device;
  TileRtDeviceInfo info;
  TileRtLaunchOptions options = {0};
  TileRtArgument argument = {TILE_RT_SCALAR, {{0}}};
  TileRtStatus status = tileRtDeviceOpen("sim", &device);
  if (status == TILE_RT_SUCCESS)
    status = tileRtDeviceGetInfo(device, &info);
  tileRtDeviceClose(device);
  (void)options;
  (void)argument;
  return status;
}
