/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The header is C99, and its defaults are zeros. */
#include "tile-c/tile-c.h"

int tileHeaderWorksInC(void) {
  TileGemmDescriptor descriptor = {0};
  TileCompileOptions options = {0};
  return descriptor.a.type == TILE_F32 &&
         descriptor.alpha.kind == TILE_SCALAR_DEFAULT && options.chip == 0;
}
