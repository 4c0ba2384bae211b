// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from a floor-3 gpu.module to PTX text.

#include "tile/Target/PTX.h"

#include "../Common/Backend.h"
#include "../Common/Modules.h"
#include "Libdevice.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/BasicPtxBuilderInterface.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "tile/Target/Chip.h"
#include "tile/Target/Passes.h"
#include "tile/Target/Translations.h"

using namespace tile;
using namespace mlir;

/// Turns the nvvm ops that are written as PTX text into inline asm.
static void lowerPTXBuilderOps(gpu::GPUModuleOp module) {
  bool found = module
                   .walk([](NVVM::BasicPtxBuilderInterface) {
                     return WalkResult::interrupt();
                   })
                   .wasInterrupted();
  if (!found)
    return;
  RewritePatternSet patterns(module.getContext());
  populateNVVMToLLVMConversionPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
}

/// Names of attributes that only floor 3 knows have no meaning in LLVM IR.
static void dropTileAttributes(gpu::GPUModuleOp module) {
  module.walk([](LLVM::LLVMFuncOp function) {
    for (NamedAttribute attribute :
         llvm::to_vector(function->getDiscardableAttrs()))
      if (attribute.getName().getValue().starts_with("tile."))
        function->removeDiscardableAttr(attribute.getName());
  });
}

/// Gives every function a debug scope, so that locations reach the PTX.
static LogicalResult addDebugScopes(ModuleOp module) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName(),
                      PassManager::Nesting::Explicit);
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return manager.run(module);
}

/// Lowers a clone of the kernels to what LLVM's translation takes.
static FailureOr<OwningOpRef<ModuleOp>>
lowerKernels(Operation *root, const ChipInfo &chip, unsigned ptxVersion,
             const PTXOptions &options) {
  StageTimer timer(options.times, "lower");
  FailureOr<OwningOpRef<ModuleOp>> kernels = cloneKernels(root);
  if (failed(kernels))
    return failure();
  gpu::GPUModuleOp module = getKernels(**kernels);
  lowerMaskedMemory(module);
  if (failed(lowerKernelsToLLVM(module, KernelTarget::PTX)) ||
      failed(checkChip(module, chip, ptxVersion)))
    return failure();
  fuseWgmma(module);
  lowerPTXBuilderOps(module);
  dropTileAttributes(module);
  unwrapKernels(**kernels);
  if (options.debugLineInfo && failed(addDebugScopes(**kernels)))
    return failure();
  return kernels;
}

FailureOr<std::string> tile::translateToPTX(Operation *root,
                                            const PTXOptions &options) {
  auto emitError = [&] { return root->emitError(); };
  StageTimer chipTimer(options.times, "chip");
  FailureOr<ChipInfo> chip = lookupChip(options.chip, emitError);
  if (failed(chip))
    return failure();
  FailureOr<unsigned> ptxVersion =
      resolvePTXVersion(*chip, options.ptxVersion, emitError);
  if (failed(ptxVersion))
    return failure();
  chipTimer.stop();

  loadTargetDialects(*root->getContext());
  FailureOr<OwningOpRef<ModuleOp>> kernels =
      lowerKernels(root, *chip, *ptxVersion, options);
  if (failed(kernels))
    return failure();

  BackendOptions backend;
  backend.triple = "nvptx64-nvidia-cuda";
  backend.cpu = chip->name;
  backend.features = "+ptx" + std::to_string(*ptxVersion);
  backend.optLevel = options.optLevel;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(backend);
  if (!machine)
    return emitError() << "expected an LLVM with the NVPTX back end", failure();

  llvm::LLVMContext context;
  std::shared_ptr<unsigned> errors = forwardDiagnostics(context, root);
  std::unique_ptr<llvm::Module> module;
  {
    StageTimer timer(options.times, "translate");
    module = translateModuleToLLVMIR(**kernels, context, "tile");
    if (!module)
      return failure();
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
  }
  if (failed(linkLibdevice(*module, options.libdevice, root)))
    return failure();
  {
    StageTimer timer(options.times, "optimise");
    optimizeModule(*module, *machine, options.optLevel, /*vectorize=*/false);
  }
  StageTimer timer(options.times, "codegen");
  llvm::SmallString<0> text;
  if (!emitModule(*module, *machine, llvm::CodeGenFileType::AssemblyFile, text))
    return emitError() << "expected LLVM to write PTX, but it cannot",
           failure();
  if (*errors)
    return failure();
  return std::string(text.str());
}
