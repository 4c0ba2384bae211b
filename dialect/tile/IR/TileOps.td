// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All operations of the dialect, by family.
#ifndef TILE_IR_TILEOPS_TD
#define TILE_IR_TILEOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "tile/IR/TileAsyncCopyOps.td"
include "tile/IR/TileBlockOps.td"
include "tile/IR/TileComputeOps.td"
include "tile/IR/TileConvOps.td"
include "tile/IR/TileIteratorOps.td"
include "tile/IR/TileIteratorRandomOps.td"
include "tile/IR/TileLayoutAlgebraOps.td"
include "tile/IR/TileLayoutModeOps.td"
include "tile/IR/TileLayoutOps.td"
include "tile/IR/TileLayoutTilingOps.td"
include "tile/IR/TileMatrixOps.td"
include "tile/IR/TilePipelineOps.td"
include "tile/IR/TilePrintOps.td"
include "tile/IR/TileProblemOps.td"
include "tile/IR/TileRecipeOps.td"
include "tile/IR/TileStreamKOps.td"
include "tile/IR/TileTupleOps.td"
include "tile/IR/TileViewOps.td"
include "tile/IR/TileViewPartOps.td"
include "tile/IR/TileWarpgroupOps.td"

#endif // TILE_IR_TILEOPS_TD
