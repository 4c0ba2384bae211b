// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch facts as text: names of parameters, the attribute's syntax, the table
// of fields, and which name somebody may have meant.
#include "tile/Facts/LaunchFacts.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

using namespace tile;
using Source = KernelParameter::Source;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
struct SourceRow {
  const char *name;
  Source source;
};
} // namespace

static constexpr SourceRow operandSources[] = {
    {"data", Source::Data},
    {"extent", Source::Extent},
    {"stride", Source::Stride},
    {"batch_stride", Source::BatchStride},
    {"tensor_map", Source::TensorMap},
    {"tensor_map_legal", Source::TensorMapLegal},
    {"packed", Source::Packed},
    {"packed_stride", Source::PackedStride},
    {"packed_batch_stride", Source::PackedBatchStride}};

static constexpr SourceRow numbers[] = {
    {"M", Source::Size},       {"N", Source::Size},
    {"K", Source::Size},       {"batch", Source::Size},
    {"alpha", Source::Scalar}, {"beta", Source::Scalar}};

static bool hasDim(Source source) {
  return source == Source::Extent || source == Source::Stride;
}

std::string KernelParameter::str() const {
  if (!isOfOperand())
    return of.name;
  std::string text = of.name + ".";
  for (const SourceRow &row : operandSources)
    if (row.source == source)
      text += row.name;
  return hasDim(source) ? text + "[" + std::to_string(dim) + "]" : text;
}

std::optional<KernelParameter> KernelParameter::parse(std::string_view name) {
  KernelParameter result;
  size_t dot = name.find('.');
  if (dot == std::string_view::npos) {
    for (const SourceRow &row : numbers)
      if (name == row.name) {
        result.source = row.source;
        result.of.name = name;
        return result;
      }
    return std::nullopt;
  }
  result.of.name = name.substr(0, dot);
  name.remove_prefix(dot + 1);
  for (const SourceRow &row : operandSources) {
    std::string_view rest = name;
    std::string_view what = row.name;
    if (rest.substr(0, what.size()) != what)
      continue;
    rest.remove_prefix(what.size());
    bool fits =
        hasDim(row.source) ? rest == "[0]" || rest == "[1]" : rest.empty();
    if (!fits)
      continue;
    result.source = row.source;
    result.dim = hasDim(row.source) ? rest[1] - '0' : 0;
    return result;
  }
  return std::nullopt;
}

std::string tile::describeParameters(std::string_view name) {
  std::vector<std::string> known;
  for (const SourceRow &row : numbers)
    known.push_back(row.name);
  size_t dot = name.find('.');
  std::string operand(name.substr(0, dot == std::string_view::npos ? 1 : dot));
  for (const SourceRow &row : operandSources)
    for (const char *dim : {"[0]", "[1]"})
      known.push_back(operand + "." + row.name +
                      (hasDim(row.source) ? dim : ""));
  std::string nearest = findNearest(name, known);
  return nearest.empty()
             ? "a parameter such as 'A.data', 'A.stride[0]', 'M' or 'alpha'"
             : "a parameter such as '" + nearest + "'";
}

static constexpr const char *typeNames[] = {"ptr", "i32",        "i64",  "f32",
                                            "f64", "tensor_map", "other"};

const char *tile::getParameterTypeName(ParameterType type) {
  return typeNames[static_cast<int>(type)];
}

std::optional<ParameterType> tile::parseParameterType(std::string_view name) {
  for (size_t i = 0; i < std::size(typeNames); ++i)
    if (name == typeNames[i])
      return static_cast<ParameterType>(i);
  return std::nullopt;
}

bool tile::canHaveType(Source source, ParameterType type) {
  switch (source) {
  case Source::Data:
  case Source::Packed:
    return type == ParameterType::Pointer;
  case Source::TensorMap:
    return type == ParameterType::TensorMap;
  case Source::Scalar:
    return type == ParameterType::F32 || type == ParameterType::F64;
  default:
    return type == ParameterType::I32 || type == ParameterType::I64;
  }
}

/// Levenshtein's distance; capitals count as their small letters.
static size_t countEdits(std::string_view a, std::string_view b) {
  auto lower = [](char c) {
    return std::tolower(static_cast<unsigned char>(c));
  };
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string tile::findNearest(std::string_view name,
                              const std::vector<std::string> &known) {
  std::string nearest;
  // Half of the letters may be wrong; text of any length comes from files.
  size_t least = std::min<size_t>(name.size(), 64) / 2 + 1;
  if (name.size() > 64)
    return nearest;
  for (const std::string &candidate : known) {
    // What was begun with is as near as one edit: `align` for `alignment`.
    bool begun =
        name.size() >= 3 && candidate.compare(0, name.size(), name) == 0;
    size_t edits = begun ? 1 : countEdits(name, candidate);
    if (edits < least) {
      least = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string tile::listNames(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

std::string tile::describeKeys(std::string_view where, std::string_view key,
                               const std::vector<std::string> &known) {
  std::string text = "a field of " + std::string(where) + ", ";
  std::string nearest = findNearest(key, known);
  return nearest.empty() ? text + listNames(known)
                         : text + "such as '" + nearest + "'";
}

//===----------------------------------------------------------------------===//
// The attribute's syntax
//===----------------------------------------------------------------------===//

static std::string quote(std::string_view text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    char escaped[4];
    if (c == '"' || c == '\\' || c < ' ' || c > '~') {
      std::snprintf(escaped, sizeof(escaped), "\\%02X", c);
      result += escaped;
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + "\"";
}

namespace {
/// Writes fields that have not their default.
struct TextWriter {
  std::string text;

  template <typename Member, typename Default>
  void operator()(const FactField &field, const Member &member,
                  const Default &missing) {
    if (field.place == FieldPlace::ManifestOnly)
      return;
    std::string value = format(member);
    if (value.empty() || value == format(missing))
      return;
    text += (text.empty() ? "" : ", ") + std::string(field.key) + " = " + value;
  }

  static std::string format(bool value) { return value ? "true" : "false"; }
  static std::string format(int64_t value) { return std::to_string(value); }
  static std::string format(double value) {
    char buffer[32];
    // The shortest form that reads as the same number.
    for (int digits : {6, 9, 15, 17}) {
      std::snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
      if (std::strtod(buffer, nullptr) == value)
        break;
    }
    std::string number = buffer;
    // MLIR wants a point in what has an exponent.
    size_t exponent = number.find('e');
    if (number.find('.') == std::string::npos)
      number.insert(exponent == std::string::npos ? number.size() : exponent,
                    ".0");
    return number;
  }
  static std::string format(const std::string &value) {
    return value.empty() ? "" : quote(value);
  }
  static std::string format(const ProblemName &value) { return value.name; }
  static std::string format(const KernelParameter &value) {
    return value.str();
  }
  static std::string format(ParameterType value) {
    return getParameterTypeName(value);
  }
  template <size_t N>
  static std::string format(const std::array<int64_t, N> &values) {
    return formatList(values);
  }
  template <typename T>
  static std::string format(const std::vector<T> &values) {
    return values.empty() ? "" : formatList(values);
  }
  template <typename T>
  static std::string format(const std::optional<T> &value) {
    return value ? format(*value) : "";
  }
  template <typename T>
  static std::string formatList(const T &values) {
    std::string list;
    for (const auto &value : values)
      list += (list.empty() ? "" : ", ") + format(value);
    return "[" + list + "]";
  }
  template <typename T, typename = decltype(&T::template forEachField<
                                            const T, TextWriter &>)>
  static std::string format(const T &facts) {
    TextWriter writer;
    T::forEachField(facts, writer);
    return "{" + writer.text + "}";
  }
};
} // namespace

std::string tile::formatFacts(const LaunchFacts &facts) {
  TextWriter writer;
  LaunchFacts::forEachField(facts, writer);
  return writer.text;
}

//===----------------------------------------------------------------------===//
// The table of fields
//===----------------------------------------------------------------------===//

namespace {
/// Writes a row of the table for each field, and a table for each struct.
struct TableWriter {
  std::string prefix;
  /// Where the record that holds the fields may stand.
  FieldPlace place = FieldPlace::Everywhere;
  std::string text = "";

  template <typename Member>
  void operator()(const FactField &field, const Member &member,
                  const Member &) {
    std::string key = prefix + field.key;
    text += "| `" + key + "` | " + kind(member, field) + " | " +
            (inManifest(field) ? "manifest" : "both") + " | " + field.summary +
            " |\n";
    addNested(member, key,
              inManifest(field) ? FieldPlace::ManifestOnly
                                : FieldPlace::Everywhere);
  }

  bool inManifest(const FactField &field) const {
    return place == FieldPlace::ManifestOnly ||
           field.place == FieldPlace::ManifestOnly;
  }
  static std::string range(const FactField &field) {
    return std::to_string(field.low) + " to " + std::to_string(field.high);
  }
  static std::string kind(bool, const FactField &) { return "true or false"; }
  static std::string kind(int64_t, const FactField &field) {
    return range(field);
  }
  static std::string kind(double, const FactField &) {
    return "number of at least 0";
  }
  static std::string kind(const std::string &, const FactField &) {
    return "string";
  }
  static std::string kind(const ProblemName &, const FactField &) {
    return "operand";
  }
  static std::string kind(const std::vector<KernelParameter> &,
                          const FactField &) {
    return "list of parameters";
  }
  static std::string kind(const std::vector<ParameterType> &,
                          const FactField &) {
    return "list of types";
  }
  template <size_t N>
  static std::string kind(const std::array<int64_t, N> &,
                          const FactField &field) {
    return std::to_string(N) + " integers, " + range(field);
  }
  static std::string kind(const std::vector<int64_t> &,
                          const FactField &field) {
    return "list of integers, " + range(field);
  }
  template <typename T>
  static std::string kind(const std::vector<T> &, const FactField &) {
    return "list of records";
  }
  template <typename T>
  static std::string kind(const std::optional<T> &, const FactField &) {
    return "record";
  }

  template <typename T>
  void addRecord(const std::string &key, FieldPlace where) {
    TableWriter writer{key + ".", where};
    T record;
    T::forEachField(record, writer);
    text += writer.text;
  }
  template <typename T>
  void addNested(const T &, const std::string &, FieldPlace) {}
  template <typename T>
  void addNested(const std::optional<T> &, const std::string &key,
                 FieldPlace where) {
    addRecord<T>(key, where);
  }
  void addNested(const std::vector<KernelParameter> &, const std::string &,
                 FieldPlace) {}
  void addNested(const std::vector<ParameterType> &, const std::string &,
                 FieldPlace) {}
  void addNested(const std::vector<int64_t> &, const std::string &,
                 FieldPlace) {}
  template <typename T>
  void addNested(const std::vector<T> &, const std::string &key,
                 FieldPlace where) {
    addRecord<T>(key + "[]", where);
  }
};
} // namespace

std::string tile::formatFieldTable() {
  TableWriter writer{""};
  LaunchFacts facts;
  LaunchFacts::forEachField(facts, writer);
  return "| field | value | where | what it says |\n|---|---|---|---|\n" +
         writer.text;
}
