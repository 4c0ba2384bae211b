// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place where dialects, passes and pipelines are registered.
#ifndef TILE_INITALL_H
#define TILE_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// The tile dialect, the upstream dialects that its passes read and create, and
/// the interfaces that translate and inline them.
void registerAllDialects(mlir::DialectRegistry &registry);

/// All passes of the project, the upstream ones that a user needs beside them,
/// and the pipelines.
void registerAllPasses();

} // namespace tile

#endif // TILE_INITALL_H
