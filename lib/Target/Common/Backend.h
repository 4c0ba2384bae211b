// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM as a library: target machines, an optimisation pipeline, code emission.

#ifndef TILE_LIB_TARGET_COMMON_BACKEND_H
#define TILE_LIB_TARGET_COMMON_BACKEND_H

#include "mlir/IR/Operation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <optional>
#include <string>

namespace tile {

/// What a target machine is made of.
struct BackendOptions {
  std::string triple;
  std::string cpu;
  std::string features;
  unsigned optLevel = 3;
  std::optional<llvm::CodeModel::Model> codeModel;
  std::optional<llvm::Reloc::Model> relocModel;
};

/// Makes the NVPTX and X86 targets known to LLVM. Any thread may call it, any
/// number of times.
void initializeBackends();

/// A target machine, or null when LLVM has no such target.
std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const BackendOptions &options);

/// Sends LLVM's diagnostics of `context` to `op`: errors become its errors, the
/// rest is dropped. Returns where the number of errors is counted.
std::shared_ptr<unsigned> forwardDiagnostics(llvm::LLVMContext &context,
                                             mlir::Operation *op);

/// Optimises `module` for `machine` at `level` (0 to 3). Loops are never
/// vectorised; straight-line code is when `vectorize` says so.
///
/// Kernels that call nothing take a short pipeline at any level above 0. On two
/// GEMM kernels of 1536 FMAs each it needs 12 ms where LLVM's O3 needs 48, and
/// ptxas makes the same registers and spills of both. Where functions are
/// called, LLVM's own pipeline for the level inlines them.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned level, bool vectorize);

/// Emits `module` as assembly or object code into `output`. Returns false when
/// the target cannot.
bool emitModule(llvm::Module &module, llvm::TargetMachine &machine,
                llvm::CodeGenFileType type,
                llvm::SmallVectorImpl<char> &output);

} // namespace tile

#endif // TILE_LIB_TARGET_COMMON_BACKEND_H
