/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Loads the artifact of a header, and compares it with the file. */
#include "gemm.h"
#include "tile-rt/tile-rt.h"

#include <stdio.h>
#include <string.h>

static unsigned char file[sizeof gemm_artifact + 1];

int main(int argc, char **argv) {
  TileRtDevice device;
  TileRtModule module;
  FILE *input = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!input || fread(file, 1, sizeof file, input) != sizeof gemm_artifact ||
      memcmp(file, gemm_artifact, sizeof gemm_artifact) != 0)
    return 1;
  if (tileRtDeviceOpen("sim", &device) != TILE_RT_SUCCESS ||
      tileRtModuleLoad(device, gemm_artifact, sizeof gemm_artifact, &module) !=
          TILE_RT_SUCCESS) {
    fprintf(stderr, "%s\n", tileRtGetLastError());
    return 1;
  }
  printf("the header has the bytes of the file, and the entry %s\n",
         tileRtModuleGetEntryName(module, 0));
  tileRtModuleUnload(module);
  tileRtDeviceClose(device);
  return 0;
}
