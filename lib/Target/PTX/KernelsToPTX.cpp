// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces each gpu.module by a gpu.binary with its PTX.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "tile/Target/Chip.h"
#include "tile/Target/PTX.h"
#include "tile/Target/Passes.h"
#include "tile/Target/Translations.h"

namespace tile {
#define GEN_PASS_DEF_TILEKERNELSTOPTX
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace tile;
using namespace mlir;

LogicalResult tile::replaceKernelsByPTX(ModuleOp module,
                                        const PTXOptions &options) {
  auto emitError = [&] { return module.emitError(); };
  FailureOr<ChipInfo> chip = lookupChip(options.chip, emitError);
  if (failed(chip))
    return failure();
  FailureOr<unsigned> version =
      resolvePTXVersion(*chip, options.ptxVersion, emitError);
  if (failed(version))
    return failure();

  MLIRContext *context = module.getContext();
  auto target = NVVM::NVVMTargetAttr::get(
      context, std::min(options.optLevel, 3u), "nvptx64-nvidia-cuda",
      chip->name, "+ptx" + std::to_string(*version), /*flags=*/DictionaryAttr(),
      /*files=*/ArrayAttr());
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    FailureOr<std::string> ptx = translateToPTX(kernels, options);
    if (failed(ptx))
      return failure();
    OpBuilder builder(kernels);
    Attribute object = gpu::ObjectAttr::get(
        context, target, gpu::CompilationTarget::Assembly,
        builder.getStringAttr(*ptx), DictionaryAttr(), gpu::KernelTableAttr());
    gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                          /*offloadingHandler=*/nullptr,
                          ArrayRef<Attribute>{object});
    kernels.erase();
  }
  return success();
}

namespace {
struct KernelsToPTXPass : tile::impl::TileKernelsToPTXBase<KernelsToPTXPass> {
  using TileKernelsToPTXBase::TileKernelsToPTXBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerTargetDialects(registry);
  }

  void runOnOperation() override {
    PTXOptions options;
    options.chip = chip;
    options.ptxVersion = ptxVersion;
    options.optLevel = optLevel;
    options.debugLineInfo = lineInfo;
    if (failed(replaceKernelsByPTX(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
