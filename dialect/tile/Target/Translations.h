// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The translations of tile-translate, and the dialects that they need.

#ifndef TILE_TARGET_TRANSLATIONS_H
#define TILE_TARGET_TRANSLATIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "tile/Atoms/Chips.h"
#include "tile/Target/Artifact.h"
#include <functional>

namespace tile {

/// What decides how problem ops are lowered.
struct LoweringChoices {
  std::string chip;
  /// A schedule for every problem; empty: chosen.
  std::string schedule;
  /// Path of a table of measured schedules; empty: none.
  std::string tuningTable;
};

/// What tile-translate cannot do by itself and is given by the tool. Each may
/// be empty.
struct TranslationHooks {
  /// Adds the dialects that an input file may use.
  std::function<void(mlir::DialectRegistry &)> registerDialects;
  /// Lowers a module with problem ops to floor 3.
  std::function<mlir::LogicalResult(mlir::ModuleOp, const LoweringChoices &)>
      lowerToFloor3;
  /// The entries of the artifact of a lowered module.
  std::function<mlir::FailureOr<std::vector<ArtifactEntry>>(mlir::ModuleOp)>
      collectEntries;
};

/// Adds the dialects of floor 3 and the interfaces that translate them.
void registerTargetDialects(mlir::DialectRegistry &registry);

/// Loads into `context` what the lowerings create and the translations need.
/// The functions that compile a module call it; do not call those from a pass
/// that runs on several threads.
void loadTargetDialects(mlir::MLIRContext &context);

/// How an artifact is made.
struct ArtifactOptions {
  std::string chip = kDefaultChip;
  unsigned ptxVersion = 0; ///< times ten; 0: the default for the chip
  unsigned optLevel = 3;   ///< for PTX
  bool ptx = true;         ///< include PTX
  bool cubin = false;      ///< include a cubin; an error without ptxas
  bool simulator = true;   ///< include simulator code
  bool count = false;      ///< let it count sectors and bank conflicts
  bool debugLineInfo = false;
  StageTimes *times = nullptr;
};

/// Compiles the kernels of a floor-3 `module` into an artifact with `entries`.
mlir::FailureOr<Artifact> compileArtifact(mlir::ModuleOp module,
                                          std::vector<ArtifactEntry> entries,
                                          const ArtifactOptions &options);

/// Registers `--mlir-to-ptx`, `--mlir-to-cubin`, `--mlir-to-sim-object` and
/// `--mlir-to-artifact` with the options `--chip`, `--ptx-version`,
/// `--opt-level` and `--line-info`. For tools only: it adds command-line
/// options. Call at most once.
void registerTileTranslations(TranslationHooks hooks);

/// Registers `--artifact-to-text` and `--artifact-to-header` with the option
/// `--symbol`. For tools only. Call at most once.
void registerArtifactTranslations();

} // namespace tile

#endif // TILE_TARGET_TRANSLATIONS_H
