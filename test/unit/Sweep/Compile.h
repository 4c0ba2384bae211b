// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a program's text to an artifact, in this process.
#ifndef TILE_TEST_UNIT_SWEEP_COMPILE_H
#define TILE_TEST_UNIT_SWEEP_COMPILE_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace tile::sweep {

/// The device that code is for.
struct Target {
  /// Simulator code, or else PTX.
  bool simulator = true;
  std::string chip = "sm_80";
};

/// An artifact, or an empty one and what the compiler said.
struct Compiled {
  std::string artifact, error;
};

/// Compiles the text of a module.
Compiled compile(const std::string &text, const Target &target);

/// The kernels of a module as they stand after a stage of the pipeline.
enum class MutationPoint { Kernels, Iterators };

/// Compiles with a change of the IR between the two halves of the pipeline.
/// `change` returns false when it found nothing to change; the error says so.
Compiled compileChanged(const std::string &text, MutationPoint point,
                        const std::function<bool(mlir::ModuleOp)> &change,
                        const Target &target = Target());

} // namespace tile::sweep

#endif // TILE_TEST_UNIT_SWEEP_COMPILE_H
