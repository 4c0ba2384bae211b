// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as JSON and as comma-separated values.
#include "Results.h"

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
  }
  if (entry.checked) {
    object["max_error"] = entry.maxError;
    object["relative_error"] = entry.relativeError;
  }
  if (ours) {
    object["compile_ms"] = entry.compileMilliseconds;
    object["load_ms"] = entry.loadMilliseconds;
    if (!entry.kernel.empty()) {
      object["kernel"] = entry.kernel;
      object["schedule"] = entry.schedule;
      object["registers"] = entry.registers;
      object["local_bytes"] = entry.localBytes;
      object["shared_bytes"] = entry.sharedBytes;
    }
  }
  return object;
}

static std::string layoutName(const Point &point) {
  return std::string(point.transposeA ? "t" : "n") +
         (point.transposeB ? "t" : "n");
}

static json::Object toJSON(const PointResult &result) {
  const Point &point = result.point;
  json::Array ours, cublas;
  for (const Entry &entry : result.ours)
    ours.push_back(toJSON(result, entry, true));
  for (const Entry &entry : result.cublas)
    cublas.push_back(toJSON(result, entry, false));
  json::Object object{{"point", point.label()},
                      {"type", point.type->name},
                      {"m", point.m},
                      {"n", point.n},
                      {"k", point.k},
                      {"layout", layoutName(point)},
                      {"pitch_multiple", point.pitchMultiple},
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
  if (!result.failure.empty())
    object["failure"] = result.failure;
  return object;
}

json::Value tile::bench::toJSON(const Report &report) {
  json::Array points;
  for (const PointResult &point : report.points)
    points.push_back(::toJSON(point));
  Overall overall = summarizePoints(report.points);
  json::Object object{
      {"date", report.date},        {"card", report.card},
      {"driver", report.driver},    {"toolchain", report.toolchain},
      {"code", report.code},        {"cublaslt", report.cublas},
      {"regime", report.regime},    {"rounds", report.rounds},
      {"points", std::move(points)}};
  if (overall.count > 0)
    object["geometric_mean"] = json::Object{{"points", overall.count},
                                            {"to_default", overall.toDefault},
                                            {"to_best", overall.toBest}};
  return object;
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
  out << "type,m,n,k,layout,pitch_multiple,ours_us,ours_min_us,ours_spread,"
         "ours_tflops,cublas_default_us,cublas_best_us,ratio_to_default,"
         "ratio_to_best,max_error,registers,local_bytes,kernel,schedule,regime,"
         "card,date,failure\n";
  auto rival = [](const PointResult &result, int index) {
    return index < 0 ? 0.0 : result.cublas[index].time.median;
  };
  static const Entry none;
  for (const PointResult &result : report.points) {
    const Point &point = result.point;
    const Entry &ours = result.best < 0 ? none : result.ours[result.best];
    out << llvm::formatv("{0},{1},{2},{3},{4},{5},", point.type->name, point.m,
                         point.n, point.k, layoutName(point),
                         point.pitchMultiple)
        << llvm::formatv("{0:f3},{1:f3},{2:f4},{3:f3},", ours.time.median,
                         ours.time.min, ours.time.spread,
                         result.teraflops(ours))
        << llvm::formatv("{0:f3},{1:f3},{2:f4},{3:f4},{4:e3},",
                         rival(result, result.cublasDefault),
                         rival(result, result.cublasBest),
                         result.ratioToDefault(), result.ratioToBest(),
                         ours.maxError)
        << ours.registers << ',' << ours.localBytes << ',' << quote(ours.kernel)
        << ',' << quote(ours.schedule) << ',' << report.regime << ','
        << quote(report.card) << ',' << report.date << ','
        << quote(result.failure) << '\n';
  }
  return text;
}
