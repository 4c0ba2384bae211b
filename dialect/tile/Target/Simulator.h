// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floor-3 kernels to x86-64 object code for the simulator device.

#ifndef TILE_TARGET_SIMULATOR_H
#define TILE_TARGET_SIMULATOR_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "tile/Target/Passes.h"
#include "tile/Target/StageTimes.h"
#include <string>
#include <vector>

namespace tile {

/// How simulator code is made.
struct SimulatorOptions {
  /// The CPU to compile for; empty takes x86-64-v3 if this machine has it,
  /// else x86-64.
  std::string cpu;
  /// 0 to 3, how hard LLVM works on the kernel.
  unsigned optLevel = 2;
  /// Count sectors and bank conflicts, which makes kernels much slower.
  bool count = false;
  /// Where to add the CPU time of each stage; may be null.
  StageTimes *times = nullptr;
};

/// Simulator code for all kernels of a module.
struct SimulatorObject {
  std::string object;             ///< a relocatable ELF64 x86-64 object
  std::string cpu;                ///< the CPU that it was compiled for
  std::vector<SimKernel> kernels; ///< in the order of the module
  std::vector<std::string> sites; ///< text of each access or barrier site
};

/// The CPU that simulator code is compiled for on this machine by default.
std::string defaultSimulatorCPU();

/// Translates `module`, a gpu.module or a builtin module that holds at least
/// one, to an object whose imports are those of `tile-sim-abi.h` and the math
/// functions of libm. Works on a clone. What the simulator does not model is
/// reported once, by name, at the op.
mlir::FailureOr<SimulatorObject>
translateToSimulator(mlir::Operation *module,
                     const SimulatorOptions &options = {});

} // namespace tile

#endif // TILE_TARGET_SIMULATOR_H
