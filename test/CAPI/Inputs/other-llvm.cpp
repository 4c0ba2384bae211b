// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses the MLIR and the LLVM that it links, libtile.so, and those again.
#include "tile-c/tile-c.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm-c/Core.h"
#include "llvm-c/IRReader.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

static const char *const kIR = R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @theirs() {
  ret void
}
)";

static size_t countEntries(llvm::StringRef ptx) { return ptx.count(".entry "); }

static bool useTheirMLIR() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>("func.func private @theirs()",
                                              &context);
  if (!module)
    return false;
  llvm::outs() << "theirs: " << module->getBody()->front() << "\n";
  return true;
}

static bool useTheirLLVM(const char *who) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module;
  LLVMTargetRef target;
  LLVMMemoryBufferRef ptx;
  char *reason = nullptr;
  if (LLVMParseIRInContext(context,
                           LLVMCreateMemoryBufferWithMemoryRangeCopy(
                               kIR, std::strlen(kIR), "theirs"),
                           &module, &reason) ||
      LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, &reason)) {
    llvm::errs() << reason << "\n";
    return false;
  }
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      target, "nvptx64-nvidia-cuda", "sm_80", "+ptx80", LLVMCodeGenLevelDefault,
      LLVMRelocDefault, LLVMCodeModelDefault);
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile,
                                          &reason, &ptx)) {
    llvm::errs() << reason << "\n";
    return false;
  }
  llvm::outs() << who << ": PTX of "
               << countEntries(
                      {LLVMGetBufferStart(ptx), LLVMGetBufferSize(ptx)})
               << " kernel\n";
  LLVMDisposeMemoryBuffer(ptx);
  LLVMDisposeTargetMachine(machine);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return true;
}

static bool useOurs() {
  TileContext context = nullptr;
  TileModule module = nullptr;
  TileArtifact artifact = nullptr;
  TileGemmDescriptor gemm;
  const char *ptx = nullptr;
  tileGemmDescriptorInit(&gemm);
  gemm.name = "ours";
  llvm::outs() << "ours: " << tileGetVersion() << " with LLVM "
               << tileGetLLVMVersion() << "\n";
  if (tileContextCreate(&context) != TILE_SUCCESS ||
      tileModuleCreateGemm(context, &gemm, &module) != TILE_SUCCESS ||
      tileCompile(module, nullptr, &artifact) != TILE_SUCCESS ||
      tileArtifactGetPTX(artifact, nullptr, &ptx, nullptr) != TILE_SUCCESS) {
    llvm::errs() << tileGetLastError() << "\n";
    return false;
  }
  llvm::outs() << "ours: PTX of " << countEntries(ptx) << " kernels\n";
  tileArtifactDestroy(artifact);
  tileModuleDestroy(module);
  tileContextDestroy(context);
  return true;
}

int main() {
  return useTheirMLIR() && useTheirLLVM("theirs") && useOurs() &&
                 useTheirLLVM("theirs again")
             ? 0
             : 1;
}
