// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces gpu.modules by gpu.binaries that hold PTX.
#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/PTX.h"
#include "tile/Target/Translations.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;

namespace {

struct ModuleToPTXPass : PassWrapper<ModuleToPTXPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ModuleToPTXPass)

  ModuleToPTXPass() = default;
  ModuleToPTXPass(const ModuleToPTXPass &other) : PassWrapper(other) { chip = other.chip; }
  explicit ModuleToPTXPass(std::string name) { chip = std::move(name); }

  StringRef getArgument() const override { return "tile-module-to-ptx"; }
  StringRef getDescription() const override {
    return "replace gpu.modules by gpu.binaries that hold PTX";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerTargetDialects(registry);
  }

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules(getOperation().getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp module : modules) {
      PTXOptions options;
      options.chip = chip;
      FailureOr<std::string> ptx = translateToPTX(module, options);
      if (failed(ptx))
        return signalPassFailure();
      OpBuilder builder(module);
      auto target = NVVM::NVVMTargetAttr::get(&getContext(), /*optLevel=*/3,
                                              "nvptx64-nvidia-cuda", chip, "+ptx80");
      auto object = gpu::ObjectAttr::get(&getContext(), target, gpu::CompilationTarget::Assembly,
                                         builder.getStringAttr(*ptx), DictionaryAttr(),
                                         gpu::KernelTableAttr());
      gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                            /*offloadingHandler=*/nullptr, ArrayRef<Attribute>{object});
      module.erase();
    }
    // The launches name kernels inside the binaries; they stay as they are.
  }

  Option<std::string> chip{*this, "chip", llvm::cl::desc("the GPU to compile for, such as sm_80"),
                           llvm::cl::init("sm_80")};
};

} // namespace

std::unique_ptr<Pass> tile::createModuleToPTXPass(std::string chip) {
  return std::make_unique<ModuleToPTXPass>(std::move(chip));
}
