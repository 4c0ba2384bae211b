// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of tile-run.
#include "Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

void Report::add(StringRef label, const Twine &text) {
  stream << llvm::left_justify(label == last ? StringRef() : label, 11) << text
         << "\n";
  last = label.str();
}

static std::string formatExtents(llvm::ArrayRef<int64_t> extents) {
  std::vector<std::string> texts;
  for (int64_t extent : extents)
    texts.push_back(std::to_string(extent));
  return llvm::join(texts, "x");
}

static std::string describeArgument(const BoundArgument &argument) {
  if (!argument.isTensor())
    return argument.name + " = " + formatNumber(argument.value);
  std::string text = argument.name + " " + formatExtents(argument.sizes) + " " +
                     getInfo(argument.type).getLabel().str() +
                     (argument.columnMajor ? " column-major" : " row-major");
  size_t rank = argument.sizes.size();
  size_t inner = argument.columnMajor ? rank - 2 : rank - 1;
  size_t outer = argument.columnMajor ? rank - 1 : rank - 2;
  int64_t pitch = argument.strides[outer];
  if (pitch != std::max<int64_t>(argument.sizes[inner], 1))
    text += ", pitch " + std::to_string(pitch);
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
  for (const BoundArgument &argument : bound.arguments)
    report.add("arguments", describeArgument(argument));
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

static void reportStep(Report &report, const TileRtLaunchInfo &launch,
                       TileRtModule module) {
  if (!launch.kernel) {
    report.add("kernel", "none: the result is empty, so nothing was launched");
    return;
  }
  TileRtKernelInfo info = getKernelInfo(module, launch.kernel);
  report.add("schedule", info.schedule);
  if (*info.reason)
    report.add("schedule", info.reason);
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
  for (auto [i, launch] : llvm::enumerate(entry.info)) {
    if (entry.info.size() > 1)
      report.add("step", Twine(i + 1) + " of " + Twine(entry.info.size()) +
                             ", writes " +
                             bound.arguments[bound.entry->steps[i].d].name);
    reportStep(report, launch, entry.module);
  }
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
  for (const TileRtAccessCount &count : counts)
    report.add("accesses", describeCount(count));
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
                            const CheckResult &result,
                            const Tolerance &tolerance) {
  std::string checked = "checked " + std::to_string(result.checked) + " of " +
                        std::to_string(result.total) + " elements of " + d.name;
  if (result.total == 0) {
    report.add("check", d.name + " is empty: nothing to compare");
    return;
  }
  report.add("check", checked + " against float64: " +
                          (result.failures ? std::to_string(result.failures) +
                                                 " differ too much"
                                           : std::string("all agree")));
  const CheckResult::Element &worst = result.worst;
  if (worst.index[0] >= 0)
    report.add("check", "largest error " + formatNumber(worst.error, "%.3g") +
                            " at " + formatElement(d, worst.index) + " = " +
                            formatNumber(worst.got, "%.9g") + ", tolerance " +
                            formatNumber(worst.tolerance, "%.3g") + " (" +
                            describeTolerance(tolerance, d.type) + ")");
  if (result.overflowing)
    report.add("check",
               Twine(result.overflowing) + " elements may overflow in " +
                   getInfo(d.type).getLabel() + " and were not compared");
}

void tile::reportCheck(Report &report, const BoundEntry &bound,
                       const EntryCheck &check) {
  for (auto [i, result] : llvm::enumerate(check.steps))
    reportStepCheck(report, bound.arguments[bound.entry->steps[i].d], result,
                    check.tolerances[i]);
  for (const std::string &stray : check.strayWrites)
    report.add("check", stray);
  if (check.strayWrites.empty())
    report.add("check", "nothing else was written");
}

std::string tile::describeFailure(const BoundEntry &bound,
                                  const EntryCheck &check) {
  for (auto [i, result] : llvm::enumerate(check.steps)) {
    if (!result.failures)
      continue;
    const BoundArgument &d = bound.arguments[bound.entry->steps[i].d];
    const CheckResult::Element &first = result.firstFailure;
    return "expected " + formatElement(d, first.index) + " to be " +
           formatNumber(first.expected, "%.9g") + " within " +
           formatNumber(first.tolerance, "%.3g") + ", but got " +
           formatNumber(first.got, "%.9g") + " (" +
           std::to_string(result.failures) + " of " +
           std::to_string(result.checked) + " elements are wrong)";
  }
  return check.strayWrites.empty() ? "" : check.strayWrites.front();
}
