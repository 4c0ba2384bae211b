// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary behind tile-opt, tile-translate, tile-run, tile-bench and
// tile-tune.
#include "Crash.h"
#include "Tools.h"

#include "tile/Bench/Bench.h"
#include "tile/Run/Run.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

/// Runs the tool of that name, or returns nothing if there is none.
static std::optional<int> runTool(llvm::StringRef name, int argc, char **argv) {
  name.consume_front("tile-");
  if (name == "opt")
    return tileOptMain(argc, argv);
  if (name == "translate")
    return tileTranslateMain(argc, argv);
  if (name == "run")
    return tile::tileRunMain(argc, argv);
  if (name == "bench")
    return tile::tileBenchMain(argc, argv);
  if (name == "tune")
    return tile::tileTuneMain(argc, argv);
  return std::nullopt;
}

int main(int argc, char **argv) {
  reportCrashes(argc, argv);
  if (argc > 0)
    if (std::optional<int> code =
            runTool(llvm::sys::path::filename(argv[0]), argc, argv))
      return *code;
  // `tile run FILE` is `tile-run FILE`.
  if (argc > 1)
    if (std::optional<int> code = runTool(argv[1], argc - 1, argv + 1))
      return *code;
  llvm::errs() << "usage: tile opt|translate|run|bench|tune ..., or call it "
                  "as tile-opt, tile-translate, tile-run, tile-bench or "
                  "tile-tune\n";
  return 2;
}
