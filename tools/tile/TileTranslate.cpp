// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-translate: from a file to PTX, cubin or an artifact.
#include "Tools.h"

#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/Translations.h"
#include "tile/Translate/LayoutTranslations.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int tileTranslateMain(int argc, char **argv) {
  tile::TranslationHooks hooks;
  hooks.registerDialects = tile::registerAllDialects;
  hooks.lowerToFloor3 = [](mlir::ModuleOp module,
                           const tile::LoweringChoices &choices) {
    tile::CompileOptions options;
    options.chip = choices.chip;
    options.schedule = choices.schedule;
    options.tuningTable = choices.tuningTable;
    return tile::lowerToFloor3(module, options);
  };
  hooks.collectEntries = tile::collectEntries;
  tile::registerTileTranslations(std::move(hooks));
  tile::registerLayoutTranslations(tile::registerAllDialects);
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "Tile's translation driver"));
}
