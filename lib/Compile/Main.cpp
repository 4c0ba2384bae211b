// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-compile: the command line, the jobs in parallel, what is printed.
#include "tile/Compile/Compile.h"

#include "Jobs.h"

#include "Support/OutputFile.h"
#include "Support/Parallel.h"
#include "Support/Process.h"
#include "Support/Progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>

using namespace tile;
namespace cl = llvm::cl;

namespace {

/// The command line. Options of LLVM's own are not among those of --help.
struct Options {
  cl::OptionCategory category{"tile-compile options"};
  cl::list<std::string> files{cl::Positional, cl::desc("<MLIR files>"),
                              cl::cat(category)};
  cl::list<std::string> suites{
      "suite", cl::desc("compile the points of a suite, as bench/*.suite are"),
      cl::value_desc("file"), cl::cat(category)};
  cl::list<std::string> chips{
      "chip",
      cl::desc("the GPUs to compile for, as sm_80,h200; one artifact "
               "each (default: sm_90a)"),
      cl::value_desc("GPU,..."), cl::CommaSeparated, cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::desc("folder of the artifacts, NAME.CHIP.tile (default: .)"),
      cl::value_desc("folder"), cl::init("."), cl::cat(category)};
  cl::opt<unsigned> threads{
      "jobs", cl::desc("how many to compile at once (default: all cores)"),
      cl::value_desc("number"), cl::init(0), cl::cat(category)};
  cl::opt<bool> dynamic{
      "dynamic",
      cl::desc("extents and pitches of a suite's points are those of the "
               "launch: one artifact for all that differ in nothing else"),
      cl::cat(category)};
  cl::opt<std::string> schedule{
      "schedule", cl::desc("the schedule of every problem (default: chosen)"),
      cl::value_desc("#tile.simt<...>"), cl::cat(category)};
  cl::opt<std::string> tuningTable{
      "tuning-table",
      cl::desc("a table of measured schedules, as tile-tune writes it"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> cubin{"cubin", cl::desc("also a cubin, by ptxas"),
                      cl::cat(category)};
  cl::opt<bool> withoutSimulator{
      "no-simulator", cl::desc("no code for the simulator"), cl::cat(category)};
  cl::opt<std::string> cache{
      "cache",
      cl::desc("a folder of artifacts that need not be compiled again"),
      cl::value_desc("folder"), cl::cat(category)};

  CompileOptions getCompileOptions(llvm::StringRef chip) const {
    CompileOptions options;
    options.chip = chip.str();
    options.schedule = schedule;
    options.tuningTable = tuningTable;
    options.cubin = cubin;
    options.simulator = !withoutSimulator;
    options.cacheDirectory = cache;
    return options;
  }
};

/// The work, shared by the threads.
struct Work {
  Work(const Options &options, const std::vector<Source> &sources)
      : options(options), sources(sources),
        chips(options.chips.begin(), options.chips.end()) {
    if (chips.empty())
      chips.push_back(kDefaultChip);
  }

  const Options &options;
  const std::vector<Source> &sources;
  std::vector<std::string> chips;
  Progress progress{llvm::errs(), isTerminal()};
  std::mutex mutex;
  int64_t done = 0, failed = 0;

  int64_t count() const {
    return static_cast<int64_t>(sources.size() * chips.size());
  }
  void run(int64_t number);
};

} // namespace

void Work::run(int64_t number) {
  const Source &source = sources[number / chips.size()];
  const std::string &chip = chips[number % chips.size()];
  JobResult result = compileSource(source, options.getCompileOptions(chip));
  std::string path = options.output + "/" + source.name + "." + chip + ".tile";
  if (!result.artifact.empty())
    if (std::optional<std::string> reason = writeFile(path, result.artifact)) {
      result.artifact.clear();
      result.messages += "error: " + *reason + "\n";
    }
  std::lock_guard<std::mutex> lock(mutex);
  failed += result.artifact.empty();
  progress.set(static_cast<double>(++done) / static_cast<double>(count()));
  if (result.messages.empty())
    return;
  // What is said must not follow on the line of progress.
  progress.end();
  llvm::errs() << result.messages;
  progress.begin("compiling");
}

/// The files and suites of the command line. The reason is a sentence.
static Result<std::vector<Source>> collectSources(const Options &options) {
  Result<std::vector<Source>> sources = readSources(options.files);
  if (!sources)
    return sources;
  for (const std::string &suite : options.suites)
    if (std::optional<std::string> reason =
            addSuite(*sources, suite, options.dynamic))
      return Reason(*reason);
  if (sources->empty())
    return Reason("expected MLIR files or --suite, but got neither; --help "
                  "says more");
  return sources;
}

int tile::tileCompileMain(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Makes artifacts of many problems at once\n",
                                   &llvm::errs()))
    return Failed;
  auto begin = std::chrono::steady_clock::now();
  Result<std::vector<Source>> sources = collectSources(options);
  if (!sources)
    return failTool(sources.getReason());
  if (std::error_code error = llvm::sys::fs::create_directories(options.output))
    return failTool("-o: " + options.output + ": " + error.message());
  Work work(options, *sources);
  work.progress.begin("compiling");
  parallelFor(
      work.count(), [&](int64_t number) { work.run(number); }, options.threads);
  work.progress.end();
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  int64_t made = work.count() - work.failed;
  llvm::outs() << made << (made == 1 ? " artifact" : " artifacts") << " in "
               << options.output << " after " << llvm::format("%.1f", seconds)
               << " s\n";
  if (work.failed)
    return failTool(llvm::Twine(work.failed) + " of " +
                    llvm::Twine(work.count()) + " could not be made");
  return Passed;
}
