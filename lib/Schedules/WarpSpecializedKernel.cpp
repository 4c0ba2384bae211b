// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of the warp-specialised schedule, in the embedded language.
#include "WarpSpecializedKernel.h"

using namespace tile;
using namespace tile::warp_specialized;

/// The scope with an operand's name in its location.
static Scope named(Scope &scope, StringRef name) {
  return {scope.builder,
          NameLoc::get(scope.builder.getStringAttr(name), scope.loc)};
}

gpu::GPUFuncOp KernelBuilder::build(gpu::GPUModuleOp module) {
  declare();
  gpu::GPUFuncOp kernel =
      createKernel(module, gemm.getLoc(), getName(), parameters, parts.threads);
  kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
  if (parts.clusterSize > 1)
    kernel->setAttr("nvvm.cluster_dim",
                    builder.getDenseI32ArrayAttr(
                        {static_cast<int32_t>(parts.clusterSize), 1, 1}));
  setLaunchFacts(kernel, getFacts());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Scope scope{builder, gemm.getLoc()};
  Scope scopeC = named(scope, "C"), scopeD = named(scope, "D");
  KernelArguments arguments(scope, parameters,
                            kernel.getBody().front().getArguments());
  buildBody({scope, scopeC, scopeD, gemm, schedule, variant, parts, arguments,
             static_cast<bool>(gemm.getAlpha()), getMatrixC(), getMatrixD()});
  gpu::ReturnOp::create(builder, gemm.getLoc());
  return kernel;
}

gpu::GPUFuncOp tile::buildWarpSpecializedKernel(
    GemmOp gemm, WarpSpecializedScheduleAttr schedule,
    const WarpSpecializedVariant &variant, const WarpSpecializedParts &parts,
    gpu::GPUModuleOp module) {
  return KernelBuilder(gemm, schedule, variant, parts).build(module);
}
