// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The translations of tile-translate that draw layouts.
#ifndef TILE_TRANSLATE_LAYOUTTRANSLATIONS_H
#define TILE_TRANSLATE_LAYOUTTRANSLATIONS_H

#include "mlir/IR/DialectRegistry.h"
#include <functional>

namespace tile {

/// Registers `--layout-to-text`, `--layout-to-svg` and `--layout-to-latex` with
/// the options `--name`, `--highlight-thread`, `--highlight-value`, `--banks`,
/// `--element-bytes` and `--memory`. The input is either
///  * attributes alone, `#tile.layout<(8, 8) : (8, 1)>`, one or several; or
///  * a module, of which everything is drawn that is a layout, a thread map or
///    a multiply atom: its attributes (a string holds the text of a layout),
///    and the types of the results of its operations.
/// `registerDialects` adds the dialects that a module may use beside tile.
/// For tools only: it adds command-line options. Call at most once.
void registerLayoutTranslations(
    std::function<void(mlir::DialectRegistry &)> registerDialects = {});

} // namespace tile

#endif // TILE_TRANSLATE_LAYOUTTRANSLATIONS_H
