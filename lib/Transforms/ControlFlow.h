// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of types that become several values, through control flow.
#ifndef TILE_LIB_TRANSFORMS_CONTROLFLOW_H
#define TILE_LIB_TRANSFORMS_CONTROLFLOW_H

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// Applies `patterns` below `root`, and converts the types of loops and
/// branches of scf and cf, of selections, and of functions, calls and returns
/// along with them.
mlir::LogicalResult convertWithControlFlow(mlir::Operation *root,
                                           mlir::TypeConverter &converter,
                                           mlir::ConversionTarget &target,
                                           mlir::RewritePatternSet patterns);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_CONTROLFLOW_H
