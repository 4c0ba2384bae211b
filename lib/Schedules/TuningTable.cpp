// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes tuning tables.
#include "tile/Schedules/TuningTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;
using llvm::formatv;
namespace json = llvm::json;

/// Distance of the lines of an operand, and whether they are columns; nothing
/// if a stride is dynamic or neither dimension is contiguous.
static std::optional<std::pair<int64_t, bool>> getPitch(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      !type.hasStaticShape())
    return std::nullopt;
  int64_t column = strides.back(), row = strides[strides.size() - 2];
  if (ShapedType::isDynamic(row) || ShapedType::isDynamic(column))
    return std::nullopt;
  if (column == 1)
    return std::make_pair(row, false);
  if (row == 1)
    return std::make_pair(column, true);
  return std::nullopt;
}

std::optional<TuningKey> tile::getTuningKey(GemmOp gemm) {
  auto a = cast<MemRefType>(gemm.getA().getType());
  auto b = cast<MemRefType>(gemm.getB().getType());
  auto d = cast<MemRefType>(gemm.getD().getType());
  auto pitchA = getPitch(a), pitchB = getPitch(b), pitchD = getPitch(d);
  if (!pitchA || !pitchB || !pitchD || pitchD->second)
    return std::nullopt;
  auto name = [](MemRefType type) {
    std::string text;
    llvm::raw_string_ostream(text) << type.getElementType();
    return text;
  };
  TuningKey key;
  key.a = name(a);
  key.b = name(b);
  key.d = name(d);
  key.layout = {pitchA->second ? 't' : 'n', pitchB->second ? 't' : 'n'};
  unsigned rank = d.getRank();
  key.m = d.getDimSize(rank - 2);
  key.n = d.getDimSize(rank - 1);
  key.k = a.getDimSize(a.getRank() - 1);
  key.batch = rank == 3 ? d.getDimSize(0) : 1;
  key.pitchA = pitchA->first;
  key.pitchB = pitchB->first;
  key.pitchD = pitchD->first;
  return key;
}

static Result<TuningRecord> parseRecord(StringRef line) {
  llvm::Expected<json::Value> parsed = json::parse(line);
  if (!parsed)
    return Reason("expected JSON, but got: " +
                  llvm::toString(parsed.takeError()));
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return Reason("expected a JSON object with a problem and its schedule");
  TuningRecord record;
  TuningKey &key = record.key;
  for (auto [name, text] :
       {std::make_pair("a", &key.a), std::make_pair("b", &key.b),
        std::make_pair("d", &key.d), std::make_pair("layout", &key.layout)}) {
    std::optional<StringRef> value = object->getString(name);
    if (!value)
      return Reason(formatv("expected a string \"{0}\", but got none", name));
    *text = value->str();
  }
  for (auto [name, number] :
       {std::make_pair("m", &key.m), std::make_pair("n", &key.n),
        std::make_pair("k", &key.k), std::make_pair("batch", &key.batch),
        std::make_pair("pitch_a", &key.pitchA),
        std::make_pair("pitch_b", &key.pitchB),
        std::make_pair("pitch_d", &key.pitchD)}) {
    std::optional<int64_t> value = object->getInteger(name);
    if (!value || *value < 0)
      return Reason(
          formatv("expected a number \"{0}\" of at least 0, but got {1}", name,
                  value ? std::to_string(*value) : "none"));
    *number = *value;
  }
  auto text = [&](StringRef name) {
    return object->getString(name).value_or("").str();
  };
  record.schedule = text("schedule");
  record.failure = text("failure");
  record.card = text("card");
  record.regime = text("regime");
  record.date = text("date");
  record.microseconds = object->getNumber("us").value_or(0);
  record.selectedMicroseconds = object->getNumber("selected_us").value_or(0);
  record.candidates = object->getInteger("candidates").value_or(0);
  if (record.schedule.empty() && record.failure.empty())
    return Reason("expected a \"schedule\" or a \"failure\", but got neither");
  return record;
}

Result<TuningTable> TuningTable::parse(StringRef text) {
  TuningTable table;
  for (int number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.trim();
    if (line.empty() || line.starts_with("//"))
      continue;
    Result<TuningRecord> record = parseRecord(line);
    if (!record)
      return Reason(formatv("line {0}: {1}", number, record.getReason()));
    table.add(std::move(*record));
  }
  return table;
}

Result<TuningTable> TuningTable::read(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return Reason(
        formatv("cannot read {0}: {1}", path, buffer.getError().message()));
  Result<TuningTable> table = parse((*buffer)->getBuffer());
  if (!table)
    return Reason(formatv("{0}: {1}", path, table.getReason()));
  return table;
}

const TuningRecord *TuningTable::find(const TuningKey &key) const {
  for (const TuningRecord &record : llvm::reverse(records))
    if (record.key == key && !record.schedule.empty())
      return &record;
  return nullptr;
}

bool TuningTable::holds(const TuningKey &key, StringRef card) const {
  return llvm::any_of(records, [&](const TuningRecord &record) {
    return record.key == key && record.card == card;
  });
}

/// A string as JSON writes it.
static std::string quote(StringRef text) {
  std::string quoted;
  llvm::raw_string_ostream(quoted) << json::Value(text);
  return quoted;
}

std::string TuningTable::format() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const TuningRecord &record : records) {
    const TuningKey &key = record.key;
    // By hand, for the order: a person looks for the problem first.
    out << formatv("{{\"a\": {0}, \"b\": {1}, \"d\": {2}, \"layout\": {3}, ",
                   quote(key.a), quote(key.b), quote(key.d), quote(key.layout))
        << formatv("\"m\": {0}, \"n\": {1}, \"k\": {2}, \"batch\": {3}, ",
                   key.m, key.n, key.k, key.batch)
        << formatv("\"pitch_a\": {0}, \"pitch_b\": {1}, \"pitch_d\": {2}, ",
                   key.pitchA, key.pitchB, key.pitchD);
    if (record.schedule.empty())
      out << "\"failure\": " << quote(record.failure);
    else
      out << formatv("\"schedule\": {0}, \"us\": {1:f3}, \"selected_us\": "
                     "{2:f3}, \"candidates\": {3}",
                     quote(record.schedule), record.microseconds,
                     record.selectedMicroseconds, record.candidates);
    out << formatv(", \"card\": {0}, \"regime\": {1}, \"date\": {2}}\n",
                   quote(record.card), quote(record.regime),
                   quote(record.date));
  }
  return text;
}
