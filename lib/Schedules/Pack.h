// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that copy an operand to where tensor copies can read it.
#ifndef TILE_LIB_SCHEDULES_PACK_H
#define TILE_LIB_SCHEDULES_PACK_H

#include "tile/Schedules/Schedules.h"

namespace tile {

/// How a matrix is copied: elements of `elementBytes` bytes, from one with unit
/// stride along `source` (0 rows, 1 columns, -1 unknown) to one along `packed`.
struct PackSpec {
  int64_t elementBytes = 2;
  int64_t source = -1, packed = 1;
  bool batched = false;
  /// Nanoseconds of each byte read or written.
  double bytesNs = 0;
};

/// Nanoseconds of each byte that a kernel reads or writes on a chip, and of a
/// launch that copies no byte.
double getPackBytesNs(const Chip &chip);
double getPackFixedNs();

/// Elements that the pitch of a packed matrix is a multiple of: 128 bytes, a
/// line of L2.
int64_t getPackedPitchMultiple(int64_t elementBytes);

/// The pack kernel of the module that was created for a key; null if there is
/// none yet.
mlir::gpu::GPUFuncOp findPackKernel(mlir::gpu::GPUModuleOp module,
                                    llvm::StringRef key);
/// Marks a pack kernel with its key.
void setPackKey(mlir::gpu::GPUFuncOp kernel, llvm::StringRef key);

/// The kernel of the module that copies so, built if there is none yet. Its
/// parameters and launch facts name the operand X.
mlir::gpu::GPUFuncOp getPackKernel(mlir::gpu::GPUModuleOp module,
                                   mlir::Location loc, const PackSpec &spec);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_PACK_H
