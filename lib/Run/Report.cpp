// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of tile-run.
#include "Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

void Report::add(StringRef label, const Twine &text) {
  if (!stream)
    return;
  *stream << llvm::left_justify(label == last ? StringRef() : label, 11) << text
          << "\n";
  // Whoever reads from a pipe sees each line as it comes.
  stream->flush();
  last = label.str();
}

/// JSON has no infinities and NaN: they are text there.
static llvm::json::Value toJSON(double number) {
  if (std::isfinite(number))
    return number;
  return formatNumber(number);
}

static std::string formatExtents(llvm::ArrayRef<int64_t> extents) {
  std::vector<std::string> texts;
  for (int64_t extent : extents)
    texts.push_back(std::to_string(extent));
  return llvm::join(texts, "x");
}

/// How a tensor lies in memory: the order of its elements, its pitch where it
/// is not dense, and the distance of its matrices where they are not, either.
static std::string describeLayout(const BoundArgument &argument) {
  size_t rank = argument.sizes.size();
  if (rank == 1)
    return argument.strides[0] == 1
               ? ""
               : " stride " + std::to_string(argument.strides[0]);
  if (rank > 3)
    return llvm::ArrayRef<int64_t>(argument.strides) ==
                   llvm::ArrayRef<int64_t>(
                       denseStrides(argument.sizes, /*fortranOrder=*/false))
               ? " row-major"
               : " strides " + formatShape(argument.strides);
  size_t inner = argument.columnMajor ? rank - 2 : rank - 1;
  size_t outer = argument.columnMajor ? rank - 1 : rank - 2;
  llvm::ArrayRef<int64_t> strides = argument.strides;
  // A stride of 0 repeats one row, one column, or one number.
  bool rows = strides[rank - 2] == 0, columns = strides[rank - 1] == 0;
  std::string text = rows && columns        ? " one number broadcast"
                     : rows                 ? " one row broadcast"
                     : columns              ? " one column broadcast"
                     : argument.columnMajor ? " column-major"
                                            : " row-major";
  auto span = [&](size_t dim) {
    return std::max<int64_t>(argument.sizes[dim], 1);
  };
  if (!rows && !columns) {
    if (strides[inner] != 1)
      text += ", stride " + std::to_string(strides[inner]);
    if (strides[outer] != span(inner) * strides[inner])
      text += ", pitch " + std::to_string(strides[outer]);
  }
  if (rank < 3)
    return text;
  if (strides[0] == 0)
    return text + ", one matrix broadcast";
  if (strides[0] != span(outer) * strides[outer])
    text += ", batch stride " + std::to_string(strides[0]);
  return text;
}

static llvm::json::Object toJSON(const BoundArgument &argument) {
  llvm::json::Object object{{"name", argument.name},
                            {"type", getInfo(argument.type).name.str()}};
  if (!argument.note.empty())
    object["note"] = argument.note;
  if (!argument.isTensor()) {
    object["kind"] = "scalar";
    object["value"] = toJSON(argument.value);
    return object;
  }
  object["kind"] = "tensor";
  object["shape"] = llvm::json::Array(argument.sizes);
  object["strides"] = llvm::json::Array(argument.strides);
  object["read"] = argument.read;
  object["written"] = argument.written;
  if (!argument.origin.empty())
    object["contents"] = argument.origin;
  return object;
}

static std::string describeArgument(const BoundArgument &argument) {
  if (!argument.isTensor())
    return argument.name + " = " + formatNumber(argument.value) +
           (argument.note.empty() ? "" : " (" + argument.note + ")");
  std::string text = argument.name + " " + formatExtents(argument.sizes) + " " +
                     getInfo(argument.type).getLabel().str() +
                     describeLayout(argument);
  if (argument.read)
    text += ", " + argument.origin;
  if (!argument.note.empty())
    text += " (" + argument.note + ")";
  return text;
}

void tile::reportSetup(Report &report, TileRtDevice device, StringRef chip,
                       StringRef file, const BoundEntry &bound) {
  TileRtDeviceInfo info = {};
  tileRtDeviceGetInfo(device, &info);
  if (info.kind == TILE_RT_DEVICE_SIM)
    report.add("device", Twine("simulator on ") + Twine(info.multiprocessors) +
                             (info.multiprocessors == 1 ? " core" : " cores") +
                             ", code for " + chip);
  else
    report.add("device", Twine(info.name) + " (cuda:" + Twine(info.ordinal) +
                             ", " + info.chip + ", " +
                             Twine(info.multiprocessors) +
                             " multiprocessors), code for " + chip);
  report.add("entry", "@" + bound.entry->name + " of " + file);
  llvm::json::Array arguments;
  for (const BoundArgument &argument : bound.arguments) {
    report.add("arguments", describeArgument(argument));
    arguments.push_back(toJSON(argument));
  }
  report.facts["device"] = llvm::json::Object{
      {"kind", info.kind == TILE_RT_DEVICE_SIM ? "sim" : "cuda"},
      {"name", std::string(info.name)},
      {"chip", std::string(info.chip)},
      {"multiprocessors", info.multiprocessors}};
  report.facts["chip"] = chip.str();
  report.facts["entry"] = bound.entry->name;
  report.facts["arguments"] = std::move(arguments);
}

static std::string describeResources(const TileRtKernelInfo &info) {
  std::string registers = "registers not known before ptxas or a driver "
                          "compiles the PTX";
  if (info.registers >= 0)
    registers = std::to_string(info.registers) + " registers a thread";
  else if (info.assembledRegisters >= 0)
    registers = std::to_string(info.assembledRegisters) + " (" +
                info.assembledChip + ") registers a thread";
  std::string text =
      std::to_string(info.sharedBytes + info.dynamicSharedBytes) +
      " bytes of shared memory a block, " + registers;
  if (info.localBytes > 0)
    text += ", " + std::to_string(info.localBytes) +
            " bytes of local memory a thread";
  return text;
}

static llvm::json::Object toJSON(const TileRtLaunchInfo &launch) {
  llvm::json::Object object{{"m", launch.m},
                            {"n", launch.n},
                            {"k", launch.k},
                            {"batch", launch.batch}};
  if (!launch.kernel)
    return object;
  object["kernel"] = std::string(launch.kernel);
  object["grid"] = llvm::json::Array(llvm::ArrayRef<int64_t>(launch.grid));
  object["block"] = llvm::json::Array(llvm::ArrayRef<int64_t>(launch.block));
  object["cluster"] = launch.cluster;
  if (launch.passedOver[0])
    object["passed_over"] = std::string(launch.passedOver);
  if (launch.prepare[0]) {
    object["prepare"] = std::string(launch.prepare);
    object["workspace_bytes"] = launch.workspaceBytes;
  }
  if (launch.expectedNanoseconds >= 0)
    object["expected_us"] = launch.expectedNanoseconds / 1000;
  return object;
}

static void addResources(const TileRtKernelInfo &info,
                         llvm::json::Object &object) {
  object["schedule"] = std::string(info.schedule);
  object["shared_bytes"] = info.sharedBytes + info.dynamicSharedBytes;
  if (info.registers >= 0)
    object["registers"] = info.registers;
  if (info.localBytes >= 0)
    object["local_bytes"] = info.localBytes;
}

static void reportStep(Report &report, const TileRtLaunchInfo &launch,
                       TileRtModule module, llvm::json::Object &facts) {
  if (!launch.kernel) {
    report.add("kernel", "none: the result is empty, so nothing was launched");
    return;
  }
  TileRtKernelInfo info = getKernelInfo(module, launch.kernel);
  report.add("schedule", info.schedule);
  addResources(info, facts);
  if (*info.reason) {
    report.add("schedule", info.reason);
    facts["schedule_reason"] = std::string(info.reason);
  }
  report.add("kernel", launch.kernel);
  if (launch.passedOver[0])
    report.add("kernel", Twine("passed over: ") + launch.passedOver);
  if (launch.expectedNanoseconds >= 0)
    report.add("kernel", "expected to take " +
                             formatNumber(launch.expectedNanoseconds / 1000) +
                             " us");
  if (launch.prepare[0])
    report.add("prepare", Twine(launch.prepare) + " into a workspace of " +
                              Twine(launch.workspaceBytes) + " bytes");
  report.add("launch", "grid " + formatExtents(launch.grid) + ", block " +
                           formatExtents(launch.block) +
                           (launch.cluster > 1
                                ? ", cluster " + std::to_string(launch.cluster)
                                : ""));
  report.add("resources", describeResources(info));
}

void tile::reportLaunch(Report &report, const BoundEntry &bound,
                        const DeviceEntry &entry) {
  llvm::json::Array steps;
  for (auto [i, launch] : llvm::enumerate(entry.info)) {
    if (entry.info.size() > 1)
      report.add("step", Twine(i + 1) + " of " + Twine(entry.info.size()) +
                             ", writes " +
                             bound.arguments[bound.entry->steps[i].d].name);
    llvm::json::Object facts = toJSON(launch);
    facts["result"] = bound.arguments[bound.entry->steps[i].d].name;
    reportStep(report, launch, entry.module, facts);
    steps.push_back(std::move(facts));
  }
  report.facts["steps"] = std::move(steps);
}

/// `16`, or `2.5`, the mean of `total` over `count`.
static std::string formatMean(int64_t total, int64_t count) {
  if (total % count == 0)
    return std::to_string(total / count);
  return llvm::formatv("{0:F2}", double(total) / double(count));
}

static std::string describeCount(const TileRtAccessCount &count) {
  std::string text = count.isShared ? "shared " : "global ";
  text += count.isStore ? "store" : "load";
  text += " at " + std::string(count.site) + ": " +
          std::to_string(count.requests) + " requests, ";
  if (!count.isShared)
    return text + formatMean(count.sectors, count.requests) +
           (count.sectors == count.requests ? " sector" : " sectors") +
           " each, " + formatMean(count.bytes, count.sectors) +
           " of 32 bytes used";
  std::string each = formatMean(count.wavefronts, count.requests);
  if (count.ways <= 1)
    return text + each + (each == "1" ? " wavefront" : " wavefronts") +
           " each, no bank conflicts";
  return text + each + " wavefronts each where " +
         formatMean(count.leastWavefronts, count.requests) + " would do, " +
         std::to_string(count.ways) + "-way bank conflicts";
}

void tile::reportAccesses(Report &report, TileRtModule module) {
  int32_t total = 0;
  tileRtModuleGetAccessCounts(module, nullptr, 0, &total);
  std::vector<TileRtAccessCount> counts(total);
  tileRtModuleGetAccessCounts(module, counts.data(), total, &total);
  llvm::json::Array accesses;
  for (const TileRtAccessCount &count : counts) {
    report.add("accesses", describeCount(count));
    accesses.push_back(
        llvm::json::Object{{"site", std::string(count.site)},
                           {"space", count.isShared ? "shared" : "global"},
                           {"kind", count.isStore ? "store" : "load"},
                           {"requests", count.requests},
                           {"bytes", count.bytes},
                           {"sectors", count.sectors},
                           {"wavefronts", count.wavefronts},
                           {"least_wavefronts", count.leastWavefronts},
                           {"ways", count.ways}});
  }
  report.facts["accesses"] = std::move(accesses);
}

void tile::reportTiming(Report &report, const Timing &timing,
                        const DeviceEntry &entry) {
  double operations = 0;
  for (const TileRtLaunchInfo &info : entry.info)
    operations += 2.0 * static_cast<double>(info.batch) *
                  static_cast<double>(info.m) * static_cast<double>(info.n) *
                  static_cast<double>(info.k);
  auto rate = [&](double milliseconds) {
    return formatNumber(operations / (milliseconds * 1e6), "%.1f");
  };
  std::string text = "least " + formatNumber(timing.least, "%.4g") +
                     " ms, median " + formatNumber(timing.median, "%.4g") +
                     " ms of " + std::to_string(timing.launches) + " runs";
  if (operations > 0 && timing.least > 0)
    text +=
        "; " + rate(timing.least) + " and " + rate(timing.median) + " GFLOP/s";
  report.add("time", text);
  report.facts["time"] = llvm::json::Object{{"runs", timing.launches},
                                            {"least_ms", timing.least},
                                            {"median_ms", timing.median},
                                            {"operations", operations}};
}

/// The tolerance in words: "16 roundings of its terms".
static std::string describeTolerance(const Tolerance &tolerance,
                                     ElementType type) {
  const ElementTypeInfo &info = getInfo(type);
  if (info.isInteger())
    return "none: integers are exact";
  if (tolerance.result == 0)
    return formatNumber(tolerance.product / info.roundoff) +
           " roundings of its terms";
  return formatNumber(tolerance.product * 0x1p24) +
         " float32 roundings of its terms, and " +
         formatNumber(tolerance.result / info.roundoff) + " to " +
         info.getLabel().str();
}

static void reportStepCheck(Report &report, const BoundArgument &d,
                            const std::optional<ArtifactMatrix> &matrix,
                            const StepCheck &check) {
  const CheckResult &result = check.result;
  if (result.total == 0) {
    report.add("check", d.name + " is empty: nothing to compare");
    return;
  }
  report.add("check",
             "checked " + Twine(result.checked) + " of " + Twine(result.total) +
                 " elements of " + d.name + " against " + check.against + ": " +
                 (result.failures
                      ? std::to_string(result.failures) + " differ too much"
                  : result.checked ? "all agree"
                                   : "nothing was compared"));
  const CheckResult::Element &worst = result.worst;
  if (worst.index[0] >= 0)
    report.add("check",
               "largest error " + formatNumber(worst.error, "%.3g") + " at " +
                   formatElement(d, findElement(d, matrix, worst.index)) +
                   " = " + formatNumber(worst.got, "%.9g") + ", tolerance " +
                   formatNumber(worst.tolerance, "%.3g") + " (" +
                   describeTolerance(check.tolerance, d.type) + ")");
  if (result.overflowing)
    report.add("check",
               Twine(result.overflowing) +
                   (result.overflowing == 1 ? " element" : " elements") +
                   " more may overflow in " + getInfo(d.type).getLabel() +
                   ", depending on the order of the sum, and were not "
                   "compared");
  int64_t sampled = result.checked + result.overflowing;
  if (sampled < result.total)
    report.add("check", Twine(result.total - sampled) +
                            " others were not looked at: a random sample of " +
                            Twine(sampled) + " is compared");
}

static llvm::json::Object toJSON(const CheckResult::Element &element,
                                 const BoundArgument &d,
                                 const std::optional<ArtifactMatrix> &matrix) {
  TensorIndex at = findElement(d, matrix, element.index);
  llvm::ArrayRef<int64_t> indices = at;
  llvm::json::Array index(indices.take_back(d.sizes.size()));
  return llvm::json::Object{{"index", std::move(index)},
                            {"got", toJSON(element.got)},
                            {"expected", toJSON(element.expected)},
                            {"error", toJSON(element.error)},
                            {"tolerance", toJSON(element.tolerance)}};
}

static llvm::json::Object toJSON(const BoundArgument &d,
                                 const std::optional<ArtifactMatrix> &matrix,
                                 const StepCheck &check) {
  const CheckResult &result = check.result;
  llvm::json::Object object{
      {"result", d.name},
      {"against", check.against},
      {"elements", result.total},
      {"checked", result.checked},
      {"may_overflow", result.overflowing},
      {"not_sampled", result.total - result.checked - result.overflowing},
      {"failures", result.failures}};
  if (result.worst.index[0] >= 0)
    object["largest_error"] = toJSON(result.worst, d, matrix);
  if (result.failures)
    object["first_failure"] = toJSON(result.firstFailure, d, matrix);
  return object;
}

void tile::reportWritten(Report &report, const BoundArgument &argument,
                         StringRef path) {
  report.add("written", argument.name + " to " + path);
  llvm::json::Object file{{"result", argument.name}, {"path", path.str()}};
  if (llvm::json::Array *files = report.facts.getArray("written"))
    files->push_back(std::move(file));
  else
    report.facts["written"] = llvm::json::Array{std::move(file)};
}

void tile::reportCheck(Report &report, const BoundEntry &bound,
                       const EntryCheck &check) {
  llvm::json::Array checks;
  for (const StepCheck &step : check.steps) {
    const ArtifactStep &facts = bound.entry->steps[step.step];
    const BoundArgument &d = bound.arguments[facts.d];
    reportStepCheck(report, d, facts.matrices[3], step);
    checks.push_back(toJSON(d, facts.matrices[3], step));
  }
  for (const std::string &stray : check.strayWrites)
    report.add("check", stray);
  if (check.strayWrites.empty())
    report.add("check", "nothing else was written");
  report.facts["checks"] = std::move(checks);
  report.facts["stray_writes"] = llvm::json::Array(check.strayWrites);
}

std::string tile::describeFailure(const BoundEntry &bound,
                                  const EntryCheck &check) {
  for (const StepCheck &step : check.steps) {
    const CheckResult &result = step.result;
    if (!result.failures)
      continue;
    const ArtifactStep &facts = bound.entry->steps[step.step];
    const BoundArgument &d = bound.arguments[facts.d];
    const CheckResult::Element &first = result.firstFailure;
    TensorIndex index = findElement(d, facts.matrices[3], first.index);
    return "expected " + formatElement(d, index) + " to be " +
           formatNumber(first.expected, "%.9g") + " within " +
           formatNumber(first.tolerance, "%.3g") +
           (step.against == "float64" ? "" : " as in " + step.against) +
           ", but got " + formatNumber(first.got, "%.9g") + " (" +
           std::to_string(result.failures) + " of " +
           std::to_string(result.checked) + " elements are wrong)";
  }
  return check.strayWrites.empty() ? "" : check.strayWrites.front();
}
