/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Opens the simulator through the installed runtime, from C. */
#include <stdio.h>
#include <tile-rt/tile-rt.h>

int main(void) {
  TileRtDevice device = NULL;
  if (tileRtDeviceOpen("sim", &device) != TILE_RT_SUCCESS) {
    fprintf(stderr, "error: %s\n", tileRtGetLastError());
    return 1;
  }
  printf("opened the simulator from C\n");
  tileRtDeviceClose(device);
  return 0;
}
