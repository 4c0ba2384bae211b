// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the kernel of the warp-specialised schedule. Private to the library.
#ifndef TILE_LIB_SCHEDULES_WARPSPECIALIZEDKERNEL_H
#define TILE_LIB_SCHEDULES_WARPSPECIALIZEDKERNEL_H

#include "KernelArguments.h"
#include "WarpSpecialized.h"

namespace tile::warp_specialized {

using namespace mlir;
using namespace dsl;

/// One kernel: its name, its parameters and what they need of a launch, and its
/// body.
class KernelBuilder {
public:
  KernelBuilder(GemmOp gemm, WarpSpecializedScheduleAttr schedule,
                const WarpSpecializedVariant &variant,
                const WarpSpecializedParts &parts)
      : builder(gemm.getContext()), gemm(gemm), schedule(schedule),
        variant(variant), parts(parts) {}

  gpu::GPUFuncOp build(gpu::GPUModuleOp module);

private:
  void declare();
  std::string getName() const;
  LaunchFacts getFacts();
  void addOperandFacts(LaunchFacts &facts);

  /// The letters of the operands that a parameter is named by.
  std::string nameOf(const TensorOperand &operand) const {
    return std::string(1, operand.name);
  }
  MatrixParameters getMatrixC() const;
  MatrixParameters getMatrixD() const;

  OpBuilder builder;
  GemmOp gemm;
  WarpSpecializedScheduleAttr schedule;
  const WarpSpecializedVariant &variant;
  const WarpSpecializedParts &parts;
  KernelParameters parameters;
};

/// What the body of a kernel is made for, and of.
struct KernelContext {
  Scope &scope;
  /// Scopes that name an operand in the locations of its accesses.
  Scope &scopeC, &scopeD;
  GemmOp gemm;
  WarpSpecializedScheduleAttr schedule;
  const WarpSpecializedVariant &variant;
  const WarpSpecializedParts &parts;
  const KernelArguments &arguments;
  /// Whether the problem states alpha; else its parameter is 1, and only tells
  /// the empty sum of alpha = 0.
  bool hasAlpha;
  MatrixParameters matrixC, matrixD;

  bool isPingPong() const {
    return schedule.getMode() == ConsumerMode::PingPong;
  }
  /// The kernel's extents, i32.
  Val getM() const { return arguments[variant.swapped ? "N" : "M"]; }
  Val getN() const { return arguments[variant.swapped ? "M" : "N"]; }
  Val getMap(const TensorOperand &operand) const {
    return arguments[std::string(1, operand.name) + ".tensor_map"];
  }
};

/// Stages the body.
void buildBody(const KernelContext &context);

} // namespace tile::warp_specialized

#endif // TILE_LIB_SCHEDULES_WARPSPECIALIZEDKERNEL_H
