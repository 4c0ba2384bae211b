// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as JSON and as comma-separated values.
#include "Results.h"

#include "Summary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::bench;
namespace json = llvm::json;

static json::Object toJSON(const Summary &time) {
  return json::Object{{"median", time.median},
                      {"min", time.min},
                      {"max", time.max},
                      {"spread", time.spread},
                      {"rounds", time.count}};
}

static json::Object toJSON(const CardState &state) {
  json::Object object;
  auto add = [&](llvm::StringRef key, std::optional<unsigned> value,
                 double unit) {
    if (value)
      object[key] = *value / unit;
  };
  add("sm_clock_mhz", state.smClock, 1);
  add("memory_clock_mhz", state.memoryClock, 1);
  add("power_w", state.power, 1e3);
  add("power_limit_w", state.powerLimit, 1e3);
  add("temperature_c", state.temperature, 1);
  return object;
}

static json::Object toJSON(const PointResult &result, const Entry &entry,
                           bool ours) {
  json::Object object{{"name", entry.name}};
  if (!entry.failure.empty()) {
    object["failure"] = entry.failure;
    object["wrong"] = entry.wrong;
  }
  if (entry.time.count > 0) {
    object["us"] = toJSON(entry.time);
    object["tflops"] = result.teraflops(entry);
    object["finalist"] = entry.finalist;
    object["launches_per_batch"] = entry.launches;
    if (entry.hostMicroseconds > 0)
      object["host_us"] = entry.hostMicroseconds;
  }
  if (entry.checked) {
    object["max_error"] = entry.maxError;
    object["relative_error"] = entry.relativeError;
    object["tolerance_used"] = entry.toleranceUsed;
  }
  if (ours) {
    object["compile_ms"] = entry.compileMilliseconds;
    object["load_ms"] = entry.loadMilliseconds;
    if (!entry.reason.empty())
      object["schedule_reason"] = entry.reason;
    if (!entry.kernel.empty()) {
      object["kernel"] = entry.kernel;
      object["prepare"] = entry.prepare;
      object["schedule"] = entry.schedule;
      object["registers"] = entry.registers;
      object["local_bytes"] = entry.localBytes;
      object["shared_bytes"] = entry.sharedBytes;
    }
  }
  return object;
}

static json::Object toJSON(const PointResult &result) {
  const Point &point = result.point;
  json::Array ours, cublas;
  for (const Entry &entry : result.ours)
    ours.push_back(toJSON(result, entry, true));
  for (const Entry &entry : result.cublas)
    cublas.push_back(toJSON(result, entry, false));
  json::Object object{{"point", point.label()},
                      {"classes", json::Array(point.classes)},
                      {"type", point.type->name},
                      {"type_b", point.typeB->name},
                      {"type_d", point.typeD->name},
                      {"m", point.m},
                      {"n", point.n},
                      {"k", point.k},
                      {"batch", point.batch},
                      {"layout", point.layoutName()},
                      {"pitch_multiple", point.pitchMultiple},
                      {"alpha", point.alpha},
                      {"beta", point.beta},
                      {"rounds", result.rounds},
                      {"round_seconds", result.roundSeconds},
                      {"other_seconds", result.otherSeconds},
                      {"operand_sets", result.sets},
                      {"ours", std::move(ours)},
                      {"cublas", std::move(cublas)},
                      {"best", result.best},
                      {"cublas_default", result.cublasDefault},
                      {"cublas_best", result.cublasBest},
                      {"card_before", toJSON(result.before)},
                      {"card_after", toJSON(result.after)}};
  if (result.ratioToBest() > 0) {
    object["ratio_to_default"] = result.ratioToDefault();
    object["ratio_to_best"] = result.ratioToBest();
  }
  if (result.frontMicroseconds > 0)
    object["front_us"] = result.frontMicroseconds;
  auto add = [&](llvm::StringRef key, const std::string &text) {
    if (!text.empty())
      object[key] = text;
  };
  add("failure", result.failure);
  add("no_reference", result.noReference);
  add("not_measured", result.skipped);
  return object;
}

static json::Object toJSON(const ClassSummary &summary,
                           llvm::ArrayRef<PointResult> points) {
  json::Object object{{"name", summary.name},
                      {"points", summary.points},
                      {"compared", summary.compared},
                      {"failed", summary.failed},
                      {"not_measured", summary.skipped},
                      {"without_reference", summary.alone}};
  if (summary.compared == 0)
    return object;
  object["to_default"] = summary.toDefault;
  object["to_best"] = summary.toBest;
  object["worst"] =
      json::Object{{"point", points[summary.worst].point.label()},
                   {"to_best", points[summary.worst].ratioToBest()}};
  json::Array below;
  for (size_t i = 0; i < thresholds.size(); ++i)
    below.push_back(
        json::Object{{"ratio", thresholds[i]}, {"points", summary.below[i]}});
  object["below"] = std::move(below);
  return object;
}

json::Value tile::bench::toJSON(const Report &report) {
  json::Array points, classes;
  for (const PointResult &point : report.points)
    points.push_back(::toJSON(point));
  for (const ClassSummary &summary : summarizeClasses(report.points))
    classes.push_back(::toJSON(summary, report.points));
  return json::Object{
      {"date", report.date},         {"card", report.card},
      {"driver", report.driver},     {"toolchain", report.toolchain},
      {"code", report.code},         {"cublaslt", report.cublas},
      {"regime", report.regime},     {"rounds", report.rounds},
      {"context", report.context},   {"launch", report.launch},
      {"points", std::move(points)}, {"summary", std::move(classes)}};
}

/// A field that may hold commas or quotes.
static std::string quote(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : std::string(1, c == '\n' ? ' ' : c);
  return result + "\"";
}

std::string tile::bench::toCSV(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "type,m,n,k,batch,layout,pitch_multiple,alpha,beta,classes,ours_us,"
         "ours_min_us,ours_spread,ours_tflops,cublas_default_us,cublas_best_us,"
         "ratio_to_default,ratio_to_best,max_error,tolerance_used,registers,"
         "local_bytes,kernel,prepare,schedule,schedule_reason,cublas_best,sm_"
         "clock_mhz,"
         "power_w,temperature_c,rounds,regime,context,launch,ours_host_us,"
         "cublas_host_us,card,driver,date,note\n";
  static const Entry none;
  auto rival = [](const PointResult &result, int index) -> const Entry & {
    return index < 0 ? none : result.cublas[index];
  };
  for (const PointResult &result : report.points) {
    const Point &point = result.point;
    const Entry &ours = result.best < 0 ? none : result.ours[result.best];
    const Entry &best = rival(result, result.cublasBest);
    out << llvm::formatv("{0},{1},{2},{3},{4},{5},{6},{7},{8},{9},",
                         point.typeName(), point.m, point.n, point.k,
                         point.batch, point.layoutName(), point.pitchMultiple,
                         formatNumber(point.alpha), formatNumber(point.beta),
                         quote(llvm::join(point.classes, " ")))
        << llvm::formatv("{0:f3},{1:f3},{2:f4},{3:f3},", ours.time.median,
                         ours.time.min, ours.time.spread,
                         result.teraflops(ours))
        << llvm::formatv("{0:f3},{1:f3},{2:f4},{3:f4},{4:e3},{5:f4},",
                         rival(result, result.cublasDefault).time.median,
                         best.time.median, result.ratioToDefault(),
                         result.ratioToBest(), ours.maxError,
                         ours.toleranceUsed)
        << ours.registers << ',' << ours.localBytes << ',' << quote(ours.kernel)
        << ',' << quote(ours.prepare) << ',' << quote(ours.schedule) << ','
        << quote(ours.reason) << ',' << quote(best.name) << ','
        << llvm::formatv("{0},{1:f1},{2},{3},",
                         result.after.smClock.value_or(0),
                         result.after.power.value_or(0) / 1e3,
                         result.after.temperature.value_or(0), result.rounds)
        << report.regime << ',' << report.context << ',' << report.launch << ','
        << llvm::formatv("{0:f3},{1:f3},", ours.hostMicroseconds,
                         best.hostMicroseconds)
        << quote(report.card) << ','
        << quote(report.driver) << ',' << report.date << ','
        << quote(!result.failure.empty()   ? "FAILED: " + result.failure
                 : !result.skipped.empty() ? "not measured: " + result.skipped
                 : !result.noReference.empty()
                     ? "no reference: " + result.noReference
                     : "")
        << '\n';
  }
  return text;
}
