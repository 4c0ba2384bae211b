// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of tile-bench: options, points, and what is printed and written.
#include "tile/Bench/Bench.h"

#include "Setting.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace tile;
using namespace tile::bench;
using llvm::errs;
using llvm::formatv;
using llvm::outs;

static std::string currentDate() {
  std::time_t now = std::time(nullptr);
  std::tm utc;
  char text[32];
  gmtime_r(&now, &utc);
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

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
  report.rounds = setting.options.rounds;
  return report;
}

/// Writes a file whole; an empty path means none. Returns why not.
static std::optional<std::string> writeFile(const std::string &path,
                                            const std::string &text) {
  if (path.empty())
    return std::nullopt;
  llvm::Error error =
      llvm::writeToOutput(path, [&](llvm::raw_ostream &out) -> llvm::Error {
        out << text;
        return llvm::Error::success();
      });
  if (!error)
    return std::nullopt;
  return "cannot write " + path + ": " + llvm::toString(std::move(error));
}

static std::optional<std::string> writeFiles(const Options &options,
                                             const Report &report) {
  if (auto reason =
          writeFile(options.json, formatv("{0:2}\n", toJSON(report)).str()))
    return reason;
  if (auto reason = writeFile(options.csv, toCSV(report)))
    return reason;
  return writeFile(options.svg, toSVG(report));
}

static void printHead(const Setting &setting, const Report &report) {
  outs() << report.card << ", driver " << report.driver << ", cuBLASLt "
         << report.cublas << ", " << report.code << '\n'
         << "regime " << report.regime << ", " << report.rounds
         << " shuffled rounds of graph batches, normal random data\n";
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

static int fail(const std::string &reason) {
  outs().flush();
  errs() << "tile-bench: " << reason << '\n';
  return 2;
}

int tile::tileBenchMain(int argc, char **argv) {
  llvm::ArrayRef<const char *> arguments(argv, argc);
  Result<Options> options = parseOptions(arguments.drop_front());
  if (!options)
    return fail(options.getReason());
  if (options->help) {
    outs() << getHelpText();
    return 0;
  }
  Setting setting(*options);
  if (auto reason = setting.open())
    return fail(*reason);
  Report report = describeSetting(setting);
  // Before the work, so that a path that cannot be written shows now.
  if (auto reason = writeFiles(*options, report))
    return fail(*reason);

  size_t width = 5;
  for (const Point &point : options->points)
    width = std::max(width, point.label().size());
  printHead(setting, report);
  outs() << formatTableHead(width);
  bool failed = false;
  std::optional<std::string> fault;
  for (const Point &point : options->points) {
    PointResult result;
    result.point = point;
    if (fault)
      result.failure = "not run: " + *fault;
    else
      result = runPoint(setting, point);
    if (!fault)
      fault = setting.deviceFault();
    failed |= !result.failure.empty();
    printPoint(result, width);
    report.points.push_back(std::move(result));
    report.toolchain = setting.toolchain;
    if (auto reason = writeFiles(*options, report))
      return fail(*reason);
  }
  outs() << formatTableFoot(report);
  return failed ? 1 : 0;
}
