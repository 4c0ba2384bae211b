// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floor-3 kernels to PTX text, in process.

#ifndef TILE_TARGET_PTX_H
#define TILE_TARGET_PTX_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "tile/Atoms/Chips.h"
#include "tile/Target/StageTimes.h"
#include <string>

namespace tile {

/// How PTX is made.
struct PTXOptions {
  /// The chip, as PTX spells it, or a product.
  std::string chip = kDefaultChip;
  /// The PTX version times ten (80 is 8.0); 0 takes `defaultPTXVersion`.
  unsigned ptxVersion = 0;
  /// 0 to 3, how hard LLVM works on the kernel.
  unsigned optLevel = 3;
  /// Emit `.loc` and `.file` directives from the ops' locations.
  bool debugLineInfo = false;
  /// The file libdevice.10.bc, for kernels that use math functions. Empty:
  /// looked for in CUDA_HOME, CUDA_PATH and /usr/local/cuda, when needed.
  std::string libdevice;
  /// Where to add the CPU time of each stage; may be null.
  StageTimes *times = nullptr;
};

/// Translates `module`, a gpu.module or a builtin module that holds at least
/// one, to the text of one PTX module. Works on a clone; the floor-3 contract
/// says which dialects may occur. Every failure is reported once, at the op it
/// is about. Uses no state outside of the op's context.
mlir::FailureOr<std::string> translateToPTX(mlir::Operation *module,
                                            const PTXOptions &options);

} // namespace tile

#endif // TILE_TARGET_PTX_H
