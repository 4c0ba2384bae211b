// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A crash of a tool as one sentence and exit code 2.
//
// Parsers, verifiers and the code generator of MLIR and LLVM end the process on
// some texts. Nothing can be mended at that point, but the user is told what
// the tool was reading, and scripts see the code of a failure.
#include "Crash.h"

#include "Support/Process.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <string>
#include <unistd.h>

using llvm::StringRef;

static constexpr int kFailed = 2;

/// The tool and its input, written before anything can go wrong: a handler of
/// signals should not allocate.
static std::string &getPrefix() {
  static std::string prefix;
  return prefix;
}

/// The file that a command line is about: the first argument that ends like one
/// of ours, or the first one that is no option.
static StringRef findInput(int argc, char **argv) {
  StringRef first;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument.ends_with(".mlir") || argument.ends_with(".tile"))
      return argument;
    if (first.empty() && !argument.starts_with("-"))
      first = argument;
  }
  return first.empty() ? "standard input" : first;
}

/// What LLVM's record of the crashed thread says it was doing, such as "MLIR
/// Parser: custom op parser 'func.func'"; nothing if it says no more than the
/// command line.
static std::string getPhase() {
  const auto *entry = static_cast<const llvm::PrettyStackTraceEntry *>(
      llvm::SavePrettyStackState());
  std::string text;
  if (entry) {
    llvm::raw_string_ostream os(text);
    entry->print(os);
  }
  // Its texts end with a zero and spaces.
  text = StringRef(text).split('\n').first.trim(StringRef(" \t\0", 3)).str();
  return StringRef(text).starts_with("Program arguments") ? "" : text;
}

[[noreturn]] static void stop(StringRef what) {
  std::string phase = getPhase();
  std::string sentence =
      getPrefix() + ": expected a result or an error, but got " + what.str();
  if (!phase.empty())
    sentence += " in " + phase;
  sentence +=
      ", which is a defect of this tool or of the MLIR and LLVM in it\n";
  tile::removeUnfinished();
  // Unbuffered, and not through streams that may be in any state.
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, sentence.data(), sentence.size());
  _exit(kFailed);
}

static void onSignal(void *) { stop("a crash"); }

static void onFatalError(void *, const char *reason, bool) {
  // Removes temporary files, as LLVM would.
  llvm::sys::RunInterruptHandlers();
  StringRef text = StringRef(reason).split('\n').first;
  stop(("'" + text + "'").str());
}

void reportCrashes(int argc, char **argv) {
  if (const char *dump = std::getenv("TILE_STACK_DUMP"))
    if (StringRef(dump) == "1") {
      llvm::EnablePrettyStackTrace();
      llvm::sys::PrintStackTraceOnErrorSignal(argc > 0 ? argv[0] : "tile");
      return;
    }
  StringRef tool = argc > 0 ? llvm::sys::path::filename(argv[0]) : "tile";
  getPrefix() = (tool + ": " + findInput(argc, argv)).str();
  // The first handler that is registered runs first, before the one that dumps.
  llvm::sys::AddSignalHandler(onSignal, nullptr);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onFatalError);
}
