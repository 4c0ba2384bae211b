// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of tile-bench.
#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace tile;
using namespace tile::bench;
using llvm::formatv;
using llvm::StringRef;

using Reply = std::optional<std::string>;

static Reply readFile(StringRef path, std::string &text) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return formatv("cannot read {0}: {1}", path, buffer.getError().message())
        .str();
  text = (*buffer)->getBuffer().str();
  return std::nullopt;
}

static Reply addSuite(Options &options, StringRef path) {
  std::string text;
  if (Reply reason = readFile(path, text))
    return reason;
  Result<std::vector<Point>> points = parseSuite(text);
  if (!points)
    return (path + ": " + points.getReason()).str();
  options.points.insert(options.points.end(), points->begin(), points->end());
  return std::nullopt;
}

static Reply addPoint(Options &options, StringRef text) {
  Result<std::vector<std::string>> expanded = expandBraces(text);
  if (!expanded)
    return expanded.getReason();
  for (const std::string &one : *expanded) {
    Result<Point> point = parsePoint(one);
    if (!point)
      return point.getReason();
    options.points.push_back(std::move(*point));
  }
  return std::nullopt;
}

static Reply addSchedules(Options &options, StringRef value) {
  if (value.starts_with("#") || value == "default") {
    options.schedules.push_back(value.str());
    return std::nullopt;
  }
  std::string text;
  if (Reply reason = readFile(value, text))
    return reason;
  Result<std::vector<std::string>> schedules = parseSchedules(text);
  if (!schedules)
    return (value + ": " + schedules.getReason()).str();
  options.schedules.insert(options.schedules.end(), schedules->begin(),
                           schedules->end());
  return std::nullopt;
}

static Reply addClasses(Options &options, StringRef value) {
  llvm::SmallVector<StringRef> names;
  value.split(names, ',', -1, /*KeepEmpty=*/false);
  if (names.empty())
    return "expected the names of classes, but got nothing";
  options.classes.insert(options.classes.end(), names.begin(), names.end());
  return std::nullopt;
}

static Reply setDevice(Options &options, StringRef value) {
  if (value == "sim")
    return "the simulator's times mean nothing: expected a CUDA device, but "
           "got 'sim'";
  if (value != "cuda" && !value.starts_with("cuda:"))
    return formatv("expected cuda or cuda:N, but got '{0}'", value).str();
  options.device = value.str();
  return std::nullopt;
}

static Reply setRegime(Options &options, StringRef value) {
  if (value != "hot" && value != "burst")
    return formatv("expected hot or burst, but got '{0}'", value).str();
  options.regime = value == "hot" ? Regime::Hot : Regime::Burst;
  return std::nullopt;
}

static Reply setContext(Options &options, StringRef value) {
  std::optional<Context> context =
      llvm::StringSwitch<std::optional<Context>>(value)
          .Case("chain", Context::Chain)
          .Case("behind", Context::Behind)
          .Case("elementwise", Context::Elementwise)
          .Default(std::nullopt);
  if (!context)
    return formatv("expected chain, behind or elementwise, but got '{0}'",
                   value)
        .str();
  options.context = *context;
  return std::nullopt;
}

static Reply setSubmission(Options &options, StringRef value) {
  if (value != "graph" && value != "stream")
    return formatv("expected graph or stream, but got '{0}'", value).str();
  options.submission =
      value == "graph" ? Submission::Graph : Submission::Stream;
  return std::nullopt;
}

static Reply setProgrammatic(Options &options, StringRef value) {
  auto launch =
      llvm::StringSwitch<std::optional<TileRtProgrammaticLaunch>>(value)
          .Case("where-it-gains", TILE_RT_PROGRAMMATIC_WHERE_IT_GAINS)
          .Case("never", TILE_RT_PROGRAMMATIC_NEVER)
          .Case("always", TILE_RT_PROGRAMMATIC_ALWAYS)
          .Default(std::nullopt);
  if (!launch)
    return formatv("expected where-it-gains, never or always, but got '{0}'",
                   value)
        .str();
  options.programmatic = *launch;
  return std::nullopt;
}

template <class T>
static Reply setNumber(T &number, StringRef value, int least, int most) {
  int parsed = 0;
  if (value.getAsInteger(10, parsed) || parsed < least || parsed > most)
    return formatv("expected a number from {0} to {1}, but got '{2}'", least,
                   most, value)
        .str();
  number = static_cast<T>(parsed);
  return std::nullopt;
}

static Reply setPath(std::string &path, StringRef value) {
  if (value.empty())
    return "expected a path, but got nothing";
  path = value.str();
  return std::nullopt;
}

namespace {
/// An option that takes a value.
struct ValueOption {
  llvm::StringLiteral name;
  /// Whose it is: a sum of Tool.
  int tools;
  Reply (*set)(Options &options, StringRef value);
};
/// An option that takes none.
struct FlagOption {
  llvm::StringLiteral name;
  int tools;
  bool Options::*flag;
  bool value;
};
} // namespace

static constexpr int forBench = static_cast<int>(Tool::Bench);
static constexpr int forTune = static_cast<int>(Tool::Tune);
static constexpr int forBoth = forBench | forTune;

static const ValueOption valueOptions[] = {
    {"suite", forBoth, addSuite},
    {"point", forBoth, addPoint},
    {"schedules", forBoth, addSchedules},
    {"device", forBoth, setDevice},
    {"regime", forBoth, setRegime},
    {"context", forBoth, setContext},
    {"launch", forBoth, setSubmission},
    {"programmatic", forBoth, setProgrammatic},
    {"rounds", forBoth,
     [](Options &o, StringRef v) { return setNumber(o.rounds, v, 1, 10000); }},
    {"seconds", forBoth,
     [](Options &o, StringRef v) { return setNumber(o.seconds, v, 1, 86400); }},
    {"budget", forBench,
     [](Options &o, StringRef v) { return setNumber(o.budget, v, 1, 86400); }},
    {"class", forBoth, addClasses},
    {"algorithms", forBench,
     [](Options &o, StringRef v) { return setNumber(o.algorithms, v, 1, 64); }},
    {"finalists", forBoth,
     [](Options &o, StringRef v) {
       return setNumber(o.finalists, v, 1, 1000);
     }},
    {"jobs", forBoth,
     [](Options &o, StringRef v) { return setNumber(o.jobs, v, 1, 1024); }},
    {"json", forBench,
     [](Options &o, StringRef v) { return setPath(o.json, v); }},
    {"csv", forBench,
     [](Options &o, StringRef v) { return setPath(o.csv, v); }},
    {"svg", forBench,
     [](Options &o, StringRef v) { return setPath(o.svg, v); }},
    {"cublaslt", forBench,
     [](Options &o, StringRef v) { return setPath(o.cublasPath, v); }},
    {"tuning-table", forBench,
     [](Options &o, StringRef v) { return setPath(o.tuningTable, v); }},
    {"table", forTune,
     [](Options &o, StringRef v) { return setPath(o.table, v); }},
    {"candidates", forTune,
     [](Options &o, StringRef v) {
       return setNumber(o.candidates, v, 1, 100000);
     }},
    {"chip", forBoth,
     [](Options &o, StringRef v) { return setPath(o.chip, v); }},
};

static const FlagOption flagOptions[] = {
    {"no-cublas", forBench, &Options::cublas, false},
    {"cubin", forBoth, &Options::cubin, true},
    {"dynamic", forBench, &Options::dynamic, true},
    {"quick", forBoth, &Options::quick, true},
    {"again", forTune, &Options::again, true},
    {"dry-run", forBoth, &Options::dryRun, true},
    {"help", forBoth, &Options::help, true},
    {"version", forBoth, &Options::version, true},
};

/// The option of these tools that is spelled most like `name`; "" if none is
/// near.
static StringRef findNearest(StringRef name, int mask) {
  StringRef nearest;
  unsigned distance = 3;
  auto look = [&](StringRef known, int tools) {
    unsigned d = name.edit_distance(known, true, distance);
    if (!(tools & mask) || d >= distance)
      return;
    nearest = known;
    distance = d;
  };
  for (const FlagOption &option : flagOptions)
    look(option.name, option.tools);
  for (const ValueOption &option : valueOptions)
    look(option.name, option.tools);
  return nearest;
}

/// Handles the option at `index`, and moves `index` past a separate value.
static Reply parseOption(Options &options,
                         llvm::ArrayRef<const char *> arguments, Tool tool,
                         size_t &index) {
  int mask = static_cast<int>(tool);
  StringRef argument = arguments[index];
  StringRef name = argument;
  if (argument == "-h")
    name = "--help";
  if (!name.consume_front("--"))
    return formatv("expected an option, but got '{0}'; see --help", argument)
        .str();
  for (const FlagOption &option : flagOptions)
    if (name == option.name && (option.tools & mask)) {
      options.*option.flag = option.value;
      return std::nullopt;
    }
  auto [key, value] = name.split('=');
  for (const ValueOption &option : valueOptions) {
    if (key != option.name || !(option.tools & mask))
      continue;
    if (!name.contains('=')) {
      if (++index == arguments.size())
        return formatv("--{0}: expected a value, but got nothing", key).str();
      value = arguments[index];
    }
    if (Reply reason = option.set(options, value))
      return formatv("--{0}: {1}", key, *reason).str();
    return std::nullopt;
  }
  StringRef nearest = findNearest(key, mask);
  std::string hint =
      nearest.empty() ? "see --help" : "did you mean --" + nearest.str() + "?";
  return formatv("expected an option of tile-{0}, but got '{1}'; {2}",
                 tool == Tool::Bench ? "bench" : "tune", argument, hint)
      .str();
}

/// Drops the points that are in none of the classes asked for.
static Reply keepClasses(Options &options) {
  if (options.classes.empty() || options.points.empty())
    return std::nullopt;
  llvm::erase_if(options.points, [&](const Point &point) {
    return llvm::none_of(point.classes, [&](const std::string &name) {
      return llvm::is_contained(options.classes, name);
    });
  });
  if (options.points.empty())
    return formatv("--class: expected a class that some point is in, but got "
                   "'{0}'",
                   llvm::join(options.classes, ","))
        .str();
  return std::nullopt;
}

Result<Options>
tile::bench::parseOptions(llvm::ArrayRef<const char *> arguments, Tool tool) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Reply reason = parseOption(options, arguments, tool, i))
      return Reason(*reason);
  if (options.help || options.version)
    return options;
  if (options.points.empty())
    return Reason("expected points to measure (--suite=FILE or "
                  "--point=f32,4096,4096,4096), but got none");
  if (Reply reason = keepClasses(options))
    return Reason(*reason);
  return options;
}

Effort tile::bench::getEffort(const Options &options) {
  Effort effort;
  effort.rounds = options.rounds;
  if (!options.quick)
    return effort;
  effort.screeningBatch = 1;
  effort.finalBatch = 3;
  effort.screeningRounds = 2;
  effort.rounds = std::min(options.rounds, 5);
  effort.warmUp = 100;
  effort.cublasFinalists = 2;
  effort.checkAll = false;
  return effort;
}

static const char *const tuneHelp =
    R"(usage: tile-tune --suite=FILE | --point=POINT... [options]

Measures on this GPU which schedule is the fastest for each problem, in shuffled
rounds, checks every result against float64, and keeps the fastest in a table
that the compiler reads with --tuning-table=FILE.

  --suite=FILE        points, one a line, see tile-bench --help
  --point=POINT       a point, for example bf16,4096,4096,4096,nt
  --class=NAME,...    only the points of these classes
  --table=FILE        the table (default tile-tuning.jsonl). A problem that it
                      has from this card is left out: run again to go on where
                      an earlier run ended. The file is replaced whole after
                      each problem, and several runs may share it
  --again             measure those too; the later of two records counts
  --candidates=N      most schedules of a problem (default: all)
  --schedules=S       schedules to measure beside the compiler's candidates
  --device=cuda[:N]   the device
  --chip=CHIP         the GPU to compile for (default: the device's, with all
                      that it has, such as sm_90a)
  --cubin             assemble with ptxas instead of leaving it to the driver
  --jobs=N            compiler threads (default: one for each core)
  --regime=hot|burst  batches back to back, or after 50 ms of rest each
  --context=CONTEXT   what stands in front of each launch: chain, another launch
                      of the same kernel (default); behind, an ordinary kernel
                      that writes a part of A; elementwise, one that rewrites
                      all of D. Its time is measured beside and subtracted
  --launch=graph|stream
                      a batch is a CUDA graph (default), or is launched one by
                      one; the host's time for a launch is then in the files
  --programmatic=where-it-gains|never|always
                      when our kernels start before those in front have ended
                      (default: where that gains, see tile-rt.h)
  --rounds=N          rounds of the finalists (default 11)
  --seconds=N         most time for the rounds of a problem (default 10)
  --finalists=N       most schedules in the final rounds (default 6)
  --quick             fewer rounds of shorter batches
  --dry-run           list the problems and how many schedules each has, and
                      measure nothing; needs no GPU
  --version           print the version

Exit code: 0 when every problem has a schedule, 1 when one has none, 2 when
nothing could be measured, 3 when a kernel did not end.
)";

std::string tile::bench::getHelpText(Tool tool) {
  if (tool == Tool::Tune)
    return tuneHelp;
  return R"(usage: tile-bench --suite=FILE | --point=POINT... [options]

Times kernels of this compiler against cuBLASLt on the same data, in one
process, and checks every result against float64.

what to measure
  --suite=FILE        points, one a line; // starts a comment line, braces give
                      choices, a line @NAME the class of the points after it
  --point=POINT       TYPE,M,N,K[,LAYOUT][,batch=N][,pitch=N][,alpha=X][,beta=X]
                      [,@CLASS...][,SCHEDULE...], for example
                      bf16,4096,4096,4096,nt. TYPE is f32, tf32, f64, f16, bf16,
                      f8E4M3FN, f8E5M2 or i8 (result i32), with another type of
                      result bf16:f32, f8E4M3FN*f8E5M2:f16 (8-bit floats: bf16
                      by default). LAYOUT has
                      a letter for A and one for B: n is row-major, t
                      column-major. pitch=N rounds each pitch up to a multiple
                      of N elements; the padding is NaN. beta adds a C
  --class=NAME,...    only the points of these classes
  --schedules=S       a schedule such as '#tile.simt<...>', the word default, or
                      a file with one a line; every point is measured with all
  --tuning-table=FILE the compiler looks schedules up there, see tile-tune
  --dynamic           compile for dynamic extents and pitches
  --cubin             assemble with ptxas instead of leaving it to the driver
  --chip=CHIP         the GPU to compile for (default: the device's, with all
                      that it has, such as sm_90a)
  --jobs=N            compiler threads (default: one for each core)

how
  --device=cuda[:N]   the device
  --regime=hot|burst  batches back to back, or after 50 ms of rest each
  --context=CONTEXT   what stands in front of each launch: chain, another launch
                      of the same kernel (default); behind, an ordinary kernel
                      that writes a part of A; elementwise, one that rewrites
                      all of D. Its time is measured beside and subtracted
  --launch=graph|stream
                      a batch is a CUDA graph (default), or is launched one by
                      one; the host's time for a launch is then in the files
  --programmatic=where-it-gains|never|always
                      when our kernels start before those in front have ended
                      (default: where that gains, see tile-rt.h)
  --rounds=N          rounds, each with every implementation once (default 11)
  --seconds=N         most time for the rounds of a point (default 10)
  --budget=N          most seconds for all points: lowers the rounds of all
                      alike, to 3 at least; points past the end are not measured
  --quick             5 rounds of short batches, checks of sampled rows only
  --finalists=N       most schedules in the final rounds (default 6); a short
                      screening chooses them
  --algorithms=N      how many of cuBLASLt's algorithms to try (default 12)
  --cublaslt=PATH     the library, its directory, or Python's site-packages
  --no-cublas         without cuBLASLt
  --dry-run           list the points, their operands' size and their schedules,
                      and measure nothing; needs no GPU

results
  --json=FILE, --csv=FILE, --svg=FILE   also written there after each point
  --version           print the version

In the table, cublas is cuBLASLt's first answer and best the fastest of its
algorithms. A ratio above 1 means that ours is faster. spread is the distance of
the quartiles over the median, error the largest difference from float64 over
the sum of |a b|, regs are registers of a thread.
Exit code: 0 when all is right, 1 when a point failed, 2 when nothing could be
measured, 3 when a kernel did not end.
)";
}
