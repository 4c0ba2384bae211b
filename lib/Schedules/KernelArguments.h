// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's arguments, by the names that its parameters have in launch facts.
#ifndef TILE_LIB_SCHEDULES_KERNELARGUMENTS_H
#define TILE_LIB_SCHEDULES_KERNELARGUMENTS_H

#include "Kernel.h"

#include "llvm/ADT/StringMap.h"

namespace tile {

/// The parameters that say where a matrix lies; dimensions are the problem's.
struct MatrixParameters {
  /// The operand's name in the problem: A, B, C or D.
  std::string name;
  /// The kernel's rows are the matrix's columns.
  bool transposed = false;
  /// The kernel's dimension that is known to have stride 1 (0 rows, 1 columns),
  /// or -1; it has no parameter.
  int64_t unitDim = -1;
  bool batched = false;
  /// The kernel's dimensions along which the matrix has the same elements
  /// everywhere, stride 0, which have no parameter either.
  std::array<bool, 2> repeated = {false, false};

  /// Declares them: `X.data`, `X.stride[i]`, `X.batch_stride`.
  void declare(mlir::MLIRContext *context, KernelParameters &parameters) const;
  /// The name of the stride of a dimension of the kernel.
  std::string getStride(int64_t dim) const;
};

/// The values of a kernel's parameters.
class KernelArguments {
public:
  KernelArguments(dsl::Scope &scope, const KernelParameters &parameters,
                  mlir::ValueRange values);

  /// The argument of a parameter, or null if the kernel has none of the name.
  dsl::Val operator[](llvm::StringRef name) const;

  /// The view of a matrix of `extents`, with accesses along its unit dimension
  /// of up to `vector` elements, in a batch (null if there is only one).
  /// Accesses have the location of `scope`.
  dsl::View makeView(dsl::Scope &scope, const MatrixParameters &matrix,
                     mlir::Type elementType, std::array<dsl::Val, 2> extents,
                     int64_t vector, dsl::Val batch) const;

private:
  dsl::Scope *scope;
  llvm::StringMap<mlir::Value> values;
};

} // namespace tile

#endif // TILE_LIB_SCHEDULES_KERNELARGUMENTS_H
