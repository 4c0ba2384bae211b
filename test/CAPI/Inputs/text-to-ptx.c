/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Compiles the text on standard input for a chip and prints its PTX. */
#include "tile-c/tile-c.h"

#include <stdio.h>

static char text[1 << 20];

int main(int argc, char **argv) {
  size_t length = fread(text, 1, sizeof text, stdin);
  TileContext context = NULL;
  TileModule module = NULL;
  TileArtifact artifact = NULL;
  TileCompileOptions options = {0};
  const char *ptx = NULL;
  options.chip = argc > 1 ? argv[1] : NULL;
  if (tileContextCreate(&context) != TILE_SUCCESS ||
      tileModuleParse(context, text, length, NULL, &module) != TILE_SUCCESS ||
      tileCompile(module, &options, &artifact) != TILE_SUCCESS ||
      tileArtifactGetPTX(artifact, NULL, &ptx, NULL) != TILE_SUCCESS) {
    fprintf(stderr, "%s\n", tileGetLastError());
    return 1;
  }
  fputs(ptx, stdout);
  return 0;
}
