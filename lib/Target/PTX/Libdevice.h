// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's math library for the GPU, linked only when a kernel calls it.

#ifndef TILE_LIB_TARGET_PTX_LIBDEVICE_H
#define TILE_LIB_TARGET_PTX_LIBDEVICE_H

#include "mlir/IR/Operation.h"
#include "llvm/IR/Module.h"

namespace tile {

/// Links the functions of libdevice that `module` calls from the file `path`,
/// or from a CUDA toolkit when `path` is empty. Reports a function that stays
/// unresolved, by name, at `op`. Does nothing when no such function is called.
mlir::LogicalResult linkLibdevice(llvm::Module &module, llvm::StringRef path,
                                  mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_TARGET_PTX_LIBDEVICE_H
