// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary behind tile-opt and all other tools.
#include "Crash.h"
#include "Tools.h"

#include "Support/Process.h"
#include "tile-rt/tile-rt.h"
#include "tile/Bench/Bench.h"
#include "tile/Compile/Compile.h"
#include "tile/Run/Run.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace {

struct Tool {
  /// As the binary is called; after "tile-" as the first argument is.
  const char *name;
  int (*main)(int argc, char **argv);
  const char *help;

  StringRef getShortName() const { return StringRef(name).drop_front(5); }
};

} // namespace

static const Tool tools[] = {
    {"tile-opt", tileOptMain, "runs passes on a file"},
    {"tile-translate", tileTranslateMain,
     "translates a file to PTX, a cubin, an artifact or a picture"},
    {"tile-run", tile::tileRunMain,
     "compiles a file, launches it, checks and times it"},
    {"tile-bench", tile::tileBenchMain, "times kernels against cuBLASLt"},
    {"tile-tune", tile::tileTuneMain, "finds the fastest schedules"},
    {"tile-compile", tile::tileCompileMain,
     "makes artifacts of many problems at once"},
    {"tile-reduce", tileReduceMain, "makes a file that shows a defect smaller"},
    {"tile-lsp-server", tileLspServerMain,
     "serves editors: errors, definitions, completion"}};

static const Tool *findTool(StringRef name) {
  name.consume_front("tile-");
  for (const Tool &tool : tools)
    if (name == tool.getShortName())
      return &tool;
  return nullptr;
}

/// The short names, for a sentence: "opt, translate or run".
static std::string listTools() {
  std::string names;
  for (const Tool &tool : tools) {
    if (&tool != std::begin(tools))
      names += &tool + 1 == std::end(tools) ? " or " : ", ";
    names += tool.getShortName();
  }
  return names;
}

static void printVersion(llvm::raw_ostream &stream) {
  stream << tile::getToolName() << " " << tileRtGetVersion() << ", LLVM "
         << LLVM_VERSION_STRING << "\n";
}

static void printUsage(llvm::raw_ostream &stream) {
  stream << "usage: tile TOOL [arguments], or the tool by its name\n\n";
  for (const Tool &tool : tools) {
    stream << "  tile " << tool.getShortName();
    stream.indent(14 - tool.getShortName().size()) << tool.name;
    stream.indent(18 - StringRef(tool.name).size()) << tool.help << "\n";
  }
  stream << "\n'tile TOOL --help' lists the options of one. Exit code: 0 "
            "success, 1 a check or\nmeasurement found something wrong, 2 any "
            "other failure\n";
}

static int runTool(const Tool &tool, int argc, char **argv) {
  tile::startTool(tool.name);
  llvm::cl::SetVersionPrinter(printVersion);
  return tile::finishTool(tool.main(argc, argv));
}

/// `tile` itself, without the name of a tool that it knows.
static int runNone(StringRef argument) {
  tile::startTool("tile");
  if (argument == "--help" || argument == "-h" || argument == "help")
    printUsage(llvm::outs());
  else if (argument == "--version")
    printVersion(llvm::outs());
  else if (argument.empty())
    return tile::failTool("expected the name of a tool (" + listTools() +
                          "), but got none; --help says more");
  else
    return tile::failTool("expected the name of a tool (" + listTools() +
                          "), but got '" + argument + "'; --help says more");
  return tile::finishTool(tile::Passed);
}

int main(int argc, char **argv) {
  reportCrashes(argc, argv);
  if (argc > 0)
    if (const Tool *tool = findTool(llvm::sys::path::filename(argv[0])))
      return runTool(*tool, argc, argv);
  // `tile run FILE` is `tile-run FILE`.
  StringRef first = argc > 1 ? argv[1] : "";
  if (const Tool *tool = findTool(first))
    return runTool(*tool, argc - 1, argv + 1);
  return runNone(first);
}
