// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of tile-tune: candidates of each problem, and the table.
#include "Tune.h"

#include "Run.h"
#include "Support/OutputFile.h"
#include "Support/Parallel.h"
#include "Support/Process.h"
#include "tile/Bench/Bench.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::bench;
using llvm::format;
using llvm::outs;

TuningKey tile::bench::tuningKeyOf(const Point &point) {
  TuningKey key;
  // The compiler selects tf32 for nobody: a record of it is for people.
  key.a = point.tf32 ? "tf32" : point.type->name.str();
  key.b = point.tf32 ? "tf32" : point.typeB->name.str();
  key.d = point.typeD->name.str();
  key.layout = point.layoutName();
  key.m = point.m;
  key.n = point.n;
  key.k = point.k;
  key.batch = point.batch;
  key.pitchA = point.a().pitch();
  key.pitchB = point.b().pitch();
  key.pitchD = point.d().pitch();
  return key;
}

std::vector<Point> tile::bench::listMissing(llvm::ArrayRef<Point> points,
                                            const TuningTable &table,
                                            llvm::StringRef card, bool again) {
  std::vector<Point> missing;
  for (const Point &point : points) {
    TuningKey key = tuningKeyOf(point);
    bool listed = llvm::any_of(
        missing, [&](const Point &other) { return tuningKeyOf(other) == key; });
    if (!listed && (again || !table.holds(key, card)))
      missing.push_back(point);
  }
  return missing;
}

TuningRecord tile::bench::makeRecord(const PointResult &result,
                                     llvm::StringRef card,
                                     llvm::StringRef regime,
                                     llvm::StringRef date) {
  TuningRecord record;
  record.key = tuningKeyOf(result.point);
  record.card = card.str();
  record.regime = regime.str();
  record.date = date.str();
  for (const Entry &entry : result.ours) {
    if (!entry.failure.empty())
      continue;
    ++record.candidates;
    if (entry.name == "default")
      record.selectedMicroseconds = entry.time.median;
  }
  if (result.best < 0) {
    record.failure =
        result.failure.empty() ? "no schedule ran" : result.failure;
    return record;
  }
  const Entry &best = result.ours[result.best];
  record.schedule = best.name == "default" ? best.schedule : best.name;
  record.microseconds = best.time.median;
  return record;
}

std::string tile::bench::describeRecord(const TuningRecord &record) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (record.schedule.empty())
    return "no schedule: " + record.failure;
  out << format("%.2f us", record.microseconds);
  if (record.selectedMicroseconds > 0)
    out << format(", %.3f of the selected one's speed",
                  record.selectedMicroseconds / record.microseconds);
  out << ", of " << record.candidates << ": " << record.schedule;
  return text;
}

/// Reads a table; an empty file or none is an empty table. The reason names it.
static Result<TuningTable> readTable(const std::string &path) {
  uint64_t bytes = 0;
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::file_size(path, bytes) &&
      bytes == 0)
    return TuningTable();
  if (!llvm::sys::fs::exists(path))
    return TuningTable();
  return TuningTable::read(path);
}

std::optional<std::string>
tile::bench::addToTable(const std::string &path,
                        std::optional<TuningRecord> record) {
  // Another run may have written since this one read the table.
  Result<FileLock> lock = FileLock::acquire(path);
  if (!lock)
    return path + ": " + lock.getReason();
  Result<TuningTable> table = readTable(path);
  if (!table)
    return table.getReason();
  if (record)
    table->add(std::move(*record));
  return writeFile(path, table->format());
}

/// The compiler's choice, its candidates, and the user's schedules. A point
/// without candidates has only the first, whose compilation says why.
static std::vector<Candidate> listTuningCandidates(const Options &options,
                                                   const Point &point,
                                                   llvm::StringRef chip) {
  std::vector<std::string> schedules = {"default"};
  auto add = [&](llvm::ArrayRef<std::string> more) {
    for (const std::string &schedule : more)
      if (!llvm::is_contained(schedules, schedule))
        schedules.push_back(schedule);
  };
  add(point.schedules);
  add(options.schedules);
  if (Result<std::vector<std::string>> listed = listSchedules(point, chip))
    add(*listed);
  if (schedules.size() > static_cast<size_t>(options.candidates))
    schedules.resize(options.candidates);
  std::vector<Candidate> candidates;
  for (std::string &schedule : schedules)
    candidates.emplace_back().schedule = std::move(schedule);
  return candidates;
}

/// Says what would be measured.
static int printPlan(const Options &options) {
  std::string chip = options.chip.empty() ? "sm_90a" : options.chip;
  size_t total = 0;
  for (const Point &point : options.points) {
    size_t count = listTuningCandidates(options, point, chip).size();
    total += count;
    outs() << point.label() << ": " << count
           << (count == 1 ? " schedule\n" : " schedules\n");
    outs().flush();
  }
  outs() << options.points.size()
         << (options.points.size() == 1 ? " problem, " : " problems, ") << total
         << (total == 1 ? " kernel" : " kernels") << " to compile for " << chip
         << '\n';
  return Passed;
}

/// Measures the points and keeps the table. Returns the exit code.
static int tunePoints(Setting &setting, const std::vector<Point> &points) {
  const Options &options = setting.options;
  Effort effort = getEffort(options);
  effort.checkAll = false;
  std::vector<std::vector<Candidate>> candidates(points.size());
  parallelFor(
      points.size(),
      [&](int64_t i) {
        candidates[i] =
            listTuningCandidates(options, points[i], setting.compile.chip);
      },
      options.jobs);
  KernelQueue kernels(setting, points, std::move(candidates), /*ahead=*/1,
                      /*load=*/false);
  const char *regime = options.regime == Regime::Hot ? "hot" : "burst";
  PointResult current;
  TuningRecord last;
  auto keep = [&](const PointResult &result) {
    last = makeRecord(result, setting.info.name, regime, currentDate());
    return addToTable(options.table, last);
  };
  // The next run goes on behind a problem that has a kernel that hangs.
  watchForHangs(setting, "tile-tune", [&](const std::string &reason) {
    current.failure = reason;
    keep(current);
  });
  auto begin = std::chrono::steady_clock::now();
  bool failed = false;
  for (size_t i = 0; i < points.size(); ++i) {
    current = PointResult();
    current.point = points[i];
    std::vector<Candidate> mine = kernels.take(static_cast<int>(i));
    PointResult result = runPoint(setting, points[i], std::move(mine), effort);
    std::optional<std::string> fault = setting.deviceFault();
    if (fault && result.failure.empty())
      result.failure = *fault;
    if (auto reason = keep(result))
      return failTool(*reason);
    failed |= last.schedule.empty();
    double each = secondsSince(begin) / (i + 1);
    outs() << format("[%zu/%zu] ", i + 1, points.size()) << points[i].label()
           << ": " << describeRecord(last)
           << format(" (%.0f s left)\n", each * (points.size() - i - 1));
    // A schedule that computes nonsense is a defect that someone has to hear
    // of.
    for (const Entry &entry : result.ours)
      if (entry.wrong)
        outs() << "  WRONG " << entry.name << ": " << entry.failure << '\n';
    outs().flush();
    if (fault)
      return failTool("the device can do no more: " + *fault +
                  "; run again to go on with the next problem");
  }
  return failed ? 1 : 0;
}

int tile::tileTuneMain(int argc, char **argv) {
  llvm::ArrayRef<const char *> arguments(argv, argc);
  Result<Options> options = parseOptions(arguments.drop_front(), Tool::Tune);
  if (!options)
    return failTool(options.getReason());
  if (options->help) {
    outs() << getHelpText(Tool::Tune);
    return Passed;
  }
  if (options->version) {
    outs() << "tile-tune " << tileRtGetVersion() << '\n';
    return Passed;
  }
  if (options->dryRun)
    return printPlan(*options);
  options->cublas = false;
  Result<TuningTable> table = readTable(options->table);
  if (!table)
    return failTool("--table: " + table.getReason());
  Setting setting(*options);
  if (auto reason = setting.open())
    return failTool(*reason);
  // Before the work, so that a path that cannot be written shows now.
  if (auto reason = addToTable(options->table, std::nullopt))
    return failTool(*reason);
  std::vector<Point> missing =
      listMissing(options->points, *table, setting.info.name, options->again);
  outs() << options->points.size() << " problems, of which "
         << options->points.size() - missing.size() << " are in "
         << options->table << '\n';
  outs().flush();
  return tunePoints(setting, missing);
}
