// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that write the im2col of a tensor to where any schedule can read it.
#ifndef TILE_LIB_SCHEDULES_IM2COL_H
#define TILE_LIB_SCHEDULES_IM2COL_H

#include "tile/Schedules/Schedules.h"

namespace tile {

/// The layout of an operand that is the im2col of a tensor; null otherwise.
Im2colAttr getIm2col(mlir::Value operand);

/// The dimension of the matrix (0 rows, 1 columns) along which most neighbours
/// are neighbours in the tensor.
int64_t getUnitDim(const MatrixMap &map);

/// Elements that neighbour each other in the tensor wherever they do in the
/// matrix along a dimension, a power of two of up to 16 bytes.
int64_t getVectorWidth(const MatrixMap &map, int64_t dim, int64_t elementBytes);

/// Lets each kernel that does not read a tensor itself read copies of its
/// im2col, which kernels of the module write before.
void addIm2colCopies(GemmOp gemm, const Chip &chip,
                     mlir::gpu::GPUModuleOp module,
                     llvm::SmallVectorImpl<KernelChoice> &choices);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_IM2COL_H
