// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three tensors of a convolution as matrices of a GEMM.
#ifndef TILE_LIB_CONVERSION_CONVTOGEMM_CONVMAPS_H
#define TILE_LIB_CONVERSION_CONVTOGEMM_CONVMAPS_H

#include "tile/IR/Tile.h"

namespace tile {

/// D = A B with D's digits as rows and columns, in an order in which D's
/// elements lie in memory with one stride for rows and one for columns.
struct ConvMaps {
  MatrixMap a, b, d;
};

/// The maps of a convolution. `batchImages` makes each image a matrix of its
/// own, which helps where the strides of images and pixels do not nest.
ConvMaps getConvMaps(ConvOp conv, bool batchImages);

/// The map of another tensor with the indices of D, such as C: of D's shape,
/// with strides of its own.
MatrixMap getMapLike(const MatrixMap &d, mlir::MemRefType type);

/// The strides (batch, rows, columns) of a map that needs no more: none of its
/// elements is 0, and the digits of each kind nest.
std::optional<std::array<int64_t, 3>> getMatrixStrides(const MatrixMap &map);

} // namespace tile

#endif // TILE_LIB_CONVERSION_CONVTOGEMM_CONVMAPS_H
