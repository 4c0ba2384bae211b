// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary behind tile-opt, tile-translate and tile-run.
#include "Tools.h"

#ifdef TILE_HAVE_RUN
#include "tile/Run/Run.h"
#endif

#ifdef TILE_HAVE_BENCH
#include "tile/Bench/Bench.h"
#endif

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

/// Runs the tool of that name, or returns nothing if there is none.
static std::optional<int> runTool(llvm::StringRef name, int argc, char **argv) {
  if (name == "tile-opt" || name == "opt")
    return tileOptMain(argc, argv);
  if (name == "tile-translate" || name == "translate")
    return tileTranslateMain(argc, argv);
#ifdef TILE_HAVE_RUN
  if (name == "tile-run" || name == "run")
    return tile::tileRunMain(argc, argv);
#endif
#ifdef TILE_HAVE_BENCH
  if (name == "tile-bench" || name == "bench")
    return tile::tileBenchMain(argc, argv);
#endif
  return std::nullopt;
}

int main(int argc, char **argv) {
  if (std::optional<int> code = runTool(llvm::sys::path::filename(argv[0]), argc, argv))
    return *code;
  // `tile run FILE` is `tile-run FILE`.
  if (argc > 1)
    if (std::optional<int> code = runTool(argv[1], argc - 1, argv + 1))
      return *code;
  llvm::errs() << "usage: tile opt|translate|run|bench ..., or call it as tile-opt, "
                  "tile-translate, tile-run or tile-bench\n";
  return 2;
}
