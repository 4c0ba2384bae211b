// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of tile-bench: options, points, and what is printed and written.
#include "tile/Bench/Bench.h"

#include "Budget.h"
#include "Run.h"
#include "Support/OutputFile.h"
#include "Support/Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace tile;
using namespace tile::bench;
using llvm::formatv;
using llvm::outs;

static Report describeSetting(const Setting &setting) {
  Report report;
  report.date = currentDate();
  report.card = setting.info.name;
  report.driver = setting.nvml->driverVersion();
  std::string cuda = formatv("CUDA {0}.{1}", setting.info.driverVersion / 1000,
                             setting.info.driverVersion % 1000 / 10);
  report.driver += report.driver.empty() ? cuda : " (" + cuda + ")";
  report.cublas = setting.cublas ? setting.cublas->version() : "not used";
  report.code = formatv("{0}, {1}", setting.compile.chip,
                        setting.compile.cubin ? "assembled with ptxas"
                                              : "assembled by the driver");
  report.regime = setting.options.regime == Regime::Hot ? "hot" : "burst";
  report.context = describe(setting.options.context);
  report.launch = describe(setting.options.submission);
  report.rounds = getEffort(setting.options).rounds;
  return report;
}

static std::optional<std::string> writeFiles(const Options &options,
                                             const Report &report) {
  auto write = [](const std::string &path, auto format) {
    return path.empty() ? std::nullopt : writeFile(path, format());
  };
  if (auto reason = write(options.json, [&] {
        return formatv("{0:2}\n", toJSON(report)).str();
      }))
    return reason;
  if (auto reason = write(options.csv, [&] { return toCSV(report); }))
    return reason;
  return write(options.svg, [&] { return toSVG(report); });
}

static void printHead(const Setting &setting, const Report &report) {
  outs() << report.card << ", driver " << report.driver << ", cuBLASLt "
         << report.cublas << ", " << report.code << '\n'
         << "regime " << report.regime << ", " << report.rounds
         << " shuffled rounds of " << report.launch
         << " batches, normal random data\n";
  if (setting.front)
    outs() << "each launch behind a kernel, " << report.context
           << ", whose time is subtracted\n";
  if (!setting.nvml->missing().empty())
    outs() << "no clocks and power: " << setting.nvml->missing() << '\n';
}

static void printPoint(const PointResult &result, size_t width) {
  outs() << formatTableRow(result, width);
  if (result.ours.size() > 1)
    outs() << formatCandidates(result);
  std::string after = result.after.describe();
  if (!after.empty())
    outs() << "    card: " << result.before.describe() << " -> " << after
           << '\n';
  outs().flush();
}

/// Says what would be measured.
static int printPlan(const Options &options) {
  size_t kernels = 0;
  for (const Point &point : options.points) {
    Placement a = point.a(), b = point.b(), d = point.d();
    double bytes = double(a.elements() * point.type->bytes) +
                   double(b.elements() * point.typeB->bytes) +
                   double(d.elements() * point.typeD->bytes) *
                       (point.beta != 0 ? 2 : 1);
    std::vector<Candidate> candidates = listCandidates(options, point);
    kernels += candidates.size();
    outs() << point.label() << ": operands of " << formatBytes(bytes) << ", "
           << formatNumber(point.flops() * 1e-9) << " GFLOP";
    for (const Candidate &candidate : candidates)
      outs() << "\n    " << candidate.schedule;
    outs() << '\n';
  }
  outs() << options.points.size()
         << (options.points.size() == 1 ? " point, " : " points, ") << kernels
         << (kernels == 1 ? " kernel" : " kernels") << " to compile\n";
  return Passed;
}

/// More kernels than this are compiled while others are measured: memory.
static constexpr size_t mostAhead = 1024;

/// Compiles and loads all kernels if they are not too many, else begins to.
static std::unique_ptr<KernelQueue> compileAll(Setting &setting) {
  auto begin = std::chrono::steady_clock::now();
  const std::vector<Point> &points = setting.options.points;
  std::vector<std::vector<Candidate>> candidates;
  size_t total = 0;
  for (const Point &point : points) {
    candidates.push_back(listCandidates(setting.options, point));
    total += candidates.back().size();
  }
  bool all = total <= mostAhead;
  int count = static_cast<int>(points.size());
  auto queue = std::make_unique<KernelQueue>(
      setting, points, std::move(candidates), all ? count : 1, all);
  if (!all)
    return queue;
  for (int i = 0; i < count; ++i)
    queue->wait(i);
  outs() << total << (total == 1 ? " kernel" : " kernels")
         << " compiled and loaded in "
         << llvm::format("%.1f s\n", secondsSince(begin));
  outs().flush();
  return queue;
}

/// What a round of a point may take, in seconds.
static double estimateRound(const Options &options, const Effort &effort,
                            const Point &point) {
  // Rates that a card of today reaches on large problems; small ones take the
  // time of a batch anyway.
  double rate = point.type->bytes == 1   ? 1e15
                : point.type->bytes == 2 ? 5e14
                                         : 4e13;
  double launches = effort.finalLaunches * point.flops() / rate;
  int ours =
      std::max<size_t>(1, point.schedules.size() + options.schedules.size());
  int contestants = std::min(ours, options.finalists) +
                    (options.cublas ? effort.cublasFinalists + 1 : 0);
  return contestants * (std::max(effort.finalBatch * 1e-3, launches) +
                        restOf(options.regime) * 1e-3 + 5e-4);
}

/// Runs all points. Returns why the files could not be written.
static std::optional<std::string>
runPoints(Setting &setting, Report &report,
          std::chrono::steady_clock::time_point begin) {
  const Options &options = setting.options;
  Effort effort = getEffort(options);
  std::vector<double> roundSeconds;
  size_t width = 5;
  for (const Point &point : options.points) {
    roundSeconds.push_back(estimateRound(options, effort, point));
    width = std::max(width, point.label().size());
  }
  std::unique_ptr<KernelQueue> kernels = compileAll(setting);
  Budget budget(options.budget, std::min(3, effort.rounds), effort.rounds,
                roundSeconds);
  outs() << formatTableHead(width);
  std::optional<std::string> fault;
  for (size_t i = 0; i < options.points.size(); ++i) {
    PointResult result;
    result.point = options.points[i];
    effort.rounds = budget.rounds(i, secondsSince(begin));
    if (fault) {
      result.failure = "not run: " + *fault;
    } else if (effort.rounds == 0) {
      result.skipped = "the budget was spent before";
    } else {
      result = runPoint(setting, result.point, kernels->take(i), effort);
      budget.record(i, result.rounds, result.roundSeconds, result.otherSeconds);
      fault = setting.deviceFault();
    }
    printPoint(result, width);
    report.points.push_back(std::move(result));
    report.toolchain = setting.toolchain;
    if (auto reason = writeFiles(options, report))
      return reason;
  }
  return std::nullopt;
}

int tile::tileBenchMain(int argc, char **argv) {
  auto begin = std::chrono::steady_clock::now();
  llvm::ArrayRef<const char *> arguments(argv, argc);
  Result<Options> options = parseOptions(arguments.drop_front());
  if (!options)
    return failTool(options.getReason());
  if (options->help) {
    outs() << getHelpText();
    return Passed;
  }
  if (options->version) {
    outs() << "tile-bench " << tileRtGetVersion() << '\n';
    return Passed;
  }
  if (options->dryRun)
    return printPlan(*options);
  Setting setting(*options);
  if (auto reason = setting.open())
    return failTool(*reason);
  watchForHangs(setting, "tile-bench");
  Report report = describeSetting(setting);
  // Before the work, so that a path that cannot be written shows now.
  if (auto reason = writeFiles(*options, report))
    return failTool(*reason);
  printHead(setting, report);
  if (auto reason = runPoints(setting, report, begin))
    return failTool(*reason);
  outs() << formatTableFoot(report)
         << llvm::format("%.0f s in all\n", secondsSince(begin));
  return llvm::any_of(
             report.points,
             [](const PointResult &point) { return !point.failure.empty(); })
             ? 1
             : 0;
}
