// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, prints and verifies launch facts, by the table of their fields.
#include "tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace tile;

/// "requires[0].operand" for the path "requires/0/operand".
static std::string spell(StringRef path) {
  std::string text;
  while (!path.empty()) {
    auto [step, rest] = path.split('/');
    if (llvm::all_of(step, llvm::isDigit))
      text += ("[" + step + "]").str();
    else
      text += (text.empty() ? step : "." + step).str();
    path = rest;
  }
  return text;
}

static std::string describe(const FactsBreach &breach) {
  return "expected " + breach.expected + " for '" + spell(breach.path) + "'" +
         (breach.got.empty() ? "" : ", but got " + breach.got);
}

namespace {

/// Reads records of fields. Keeps where each value began, for what is wrong
/// with several of them.
struct FactsParser {
  AsmParser &parser;
  llvm::StringMap<SMLoc> places;

  /// Says that `what` was expected, and what came instead.
  ParseResult expected(SMLoc loc, const Twine &what, StringRef path) {
    std::string got,
        sentence = ("expected " + what + " for '" + spell(path) + "'").str();
    StringRef keyword;
    Attribute attribute;
    if (succeeded(parser.parseOptionalString(&got))) {
      got = "the string \"" + got + "\"";
    } else if (succeeded(parser.parseOptionalKeyword(&keyword))) {
      got = "'" + keyword.str() + "'";
    } else if (succeeded(parser.parseOptionalLBrace())) {
      got = "a record";
    } else if (succeeded(parser.parseOptionalLSquare())) {
      got = "a list";
    } else if (OptionalParseResult result =
                   parser.parseOptionalAttribute(attribute);
               result.has_value()) {
      if (failed(*result))
        return failure(); // It has said what.
      llvm::raw_string_ostream(got) << attribute;
    }
    return parser.emitError(loc, sentence)
           << (got.empty() ? "" : ", but got " + got);
  }

  /// Reads `key = value, …` up to the end of the record.
  template <typename T>
  ParseResult parseFields(T &facts, StringRef where, const std::string &path) {
    llvm::StringMap<bool> seen;
    return parser.parseCommaSeparatedList([&]() -> ParseResult {
      SMLoc loc = parser.getCurrentLocation();
      StringRef key;
      if (failed(parser.parseOptionalKeyword(&key)))
        return parser.emitError(loc, "expected a field of " + where + ", ")
               << listNames(listKeys<T>(false));
      if (!seen.try_emplace(key, true).second)
        return parser.emitError(loc, "expected each field once, but got '")
               << key << "' again";
      if (parser.parseEqual())
        return failure();
      return parseField(facts, loc, key.str(), where, path);
    });
  }

  template <typename T>
  ParseResult parseField(T &facts, SMLoc loc, const std::string &key,
                         StringRef where, const std::string &path) {
    bool known = false, told = false;
    ParseResult result = success();
    std::string place = path.empty() ? key : path + "/" + key;
    T::forEachField(facts,
                    [&](const FactField &field, auto &member, const auto &) {
                      if (key != field.key)
                        return;
                      known = true;
                      told = field.place == FieldPlace::ManifestOnly;
                      if (told)
                        return;
                      places[place] = parser.getCurrentLocation();
                      result = parseValue(member, field, place);
                    });
    if (told)
      return parser.emitError(loc, "expected no '")
             << key << "' among " << where << ", since the kernel tells it";
    if (!known)
      return parser.emitError(loc, "expected ")
             << describeKeys(where.str(), key, listKeys<T>(false))
             << ", but got '" << key << "'";
    return result;
  }

  ParseResult parseValue(bool &value, const FactField &,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    value = succeeded(parser.parseOptionalKeyword("true"));
    if (value || succeeded(parser.parseOptionalKeyword("false")))
      return success();
    return expected(loc, "true or false", path);
  }

  ParseResult parseValue(int64_t &value, const FactField &field,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    std::string what = "an integer from " + std::to_string(field.low) + " to " +
                       std::to_string(field.high);
    OptionalParseResult result = parser.parseOptionalInteger(value);
    if (!result.has_value())
      return expected(loc, what, path);
    if (failed(*result))
      return failure();
    if (value < field.low || value > field.high)
      return parser.emitError(loc, "expected ")
             << what << " for '" << spell(path) << "', but got " << value;
    return success();
  }

  ParseResult parseValue(double &value, const FactField &,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    Attribute attribute;
    OptionalParseResult result =
        parser.parseOptionalAttribute(attribute, Type());
    if (!result.has_value())
      return expected(loc, "a number of at least 0", path);
    if (failed(*result))
      return failure();
    if (auto number = dyn_cast<FloatAttr>(attribute))
      value = number.getValueAsDouble();
    else if (auto number = dyn_cast<IntegerAttr>(attribute))
      value = static_cast<double>(number.getInt());
    else
      value = -1;
    if (!(value >= 0) || !std::isfinite(value))
      return parser.emitError(loc, "expected a number of at least 0 for '")
             << spell(path) << "', but got " << attribute;
    return success();
  }

  ParseResult parseValue(std::string &value, const FactField &,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalString(&value)))
      return expected(loc, "a string in quotes", path);
    // The runtime hands it on as a C string.
    if (value.find('\0') != std::string::npos)
      return parser.emitError(loc, "expected a string without NUL for '")
             << spell(path) << "', but got one";
    return success();
  }

  ParseResult parseValue(ProblemName &value, const FactField &,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name)))
      return expected(loc, "the name of an operand, without quotes,", path);
    value.name = name.str();
    return success();
  }

  /// Reads `A.stride[0]`.
  ParseResult parseValue(KernelParameter &value, const FactField &,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word)))
      return expected(loc, "a parameter such as A.data, without quotes,", path);
    std::string name = word.str();
    if (succeeded(parser.parseOptionalLSquare())) {
      int64_t dim = 0;
      if (parser.parseInteger(dim) || parser.parseRSquare())
        return failure();
      name += "[" + std::to_string(dim) + "]";
    }
    std::optional<KernelParameter> parsed = KernelParameter::parse(name);
    if (!parsed)
      return parser.emitError(loc, "expected ")
             << describeParameters(name) << " for '" << spell(path)
             << "', but got '" << name << "'";
    value = *parsed;
    return success();
  }

  template <size_t N>
  ParseResult parseValue(std::array<int64_t, N> &values, const FactField &field,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    std::vector<int64_t> list;
    if (parseList(list, field, path))
      return failure();
    if (list.size() != N)
      return parser.emitError(loc, "expected ")
             << N << " integers for '" << spell(path) << "', but got "
             << list.size();
    llvm::copy(list, values.begin());
    return success();
  }

  ParseResult parseValue(std::vector<ParameterType> &, const FactField &,
                         const std::string &path) {
    return expected(parser.getCurrentLocation(), "no types", path);
  }

  template <typename T>
  ParseResult parseValue(std::vector<T> &values, const FactField &field,
                         const std::string &path) {
    return parseList(values, field, path);
  }

  template <typename T>
  ParseResult parseList(std::vector<T> &values, const FactField &field,
                        const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalLSquare()))
      return expected(loc, "a list in square brackets", path);
    if (succeeded(parser.parseOptionalRSquare()))
      return success();
    auto parseOne = [&]() -> ParseResult {
      std::string place = path + "/" + std::to_string(values.size());
      places[place] = parser.getCurrentLocation();
      return parseValue(values.emplace_back(), field, place);
    };
    return failure(parser.parseCommaSeparatedList(parseOne) ||
                   parser.parseRSquare());
  }

  template <typename T>
  ParseResult parseValue(std::optional<T> &value, const FactField &field,
                         const std::string &path) {
    return parseValue(value.emplace(), field, path);
  }

  /// Reads a record in braces.
  template <typename T>
  ParseResult parseValue(T &record, const FactField &,
                         const std::string &path) {
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalLBrace()))
      return expected(loc, "a record in braces", path);
    if (succeeded(parser.parseOptionalRBrace()))
      return success();
    // The kind of record is its field's name.
    std::string where = path.substr(0, path.find('/'));
    return failure(parseFields(record, where, path) || parser.parseRBrace());
  }

  /// Where a value began, or the innermost one that holds it.
  SMLoc findPlace(StringRef path, SMLoc missing) {
    while (!path.empty()) {
      if (auto it = places.find(path); it != places.end())
        return it->second;
      path =
          path.rsplit('/').first == path ? StringRef() : path.rsplit('/').first;
    }
    return missing;
  }
};

} // namespace

Attribute LaunchFactsAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  LaunchFacts facts;
  if (parser.parseLess())
    return {};
  FactsParser reader{parser, {}};
  if (failed(parser.parseOptionalGreater()) &&
      (reader.parseFields(facts, "the launch facts", "") ||
       parser.parseGreater()))
    return {};
  if (FactsBreach breach = checkFacts(facts)) {
    parser.emitError(reader.findPlace(breach.path, loc), describe(breach));
    return {};
  }
  return LaunchFactsAttr::get(parser.getContext(), facts);
}

void LaunchFactsAttr::print(AsmPrinter &printer) const {
  printer << "<" << formatFacts(getFacts()) << ">";
}

LogicalResult
LaunchFactsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        LaunchFacts facts) {
  if (FactsBreach breach = checkFacts(facts))
    return emitError() << describe(breach);
  return success();
}
