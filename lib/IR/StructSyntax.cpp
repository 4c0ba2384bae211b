// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes `<name = value, …>`.
#include "tile/IR/StructSyntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

/// "a, b or c".
static std::string listWords(ArrayRef<StringRef> words) {
  std::string text;
  for (auto [i, word] : llvm::enumerate(words)) {
    if (i > 0)
      text += i + 1 == words.size() ? " or " : ", ";
    text += word;
  }
  return text;
}

/// The field that is closest to a mistyped name.
static StringRef findNearest(ArrayRef<StructField> fields, StringRef name) {
  StringRef nearest;
  unsigned least = 0;
  for (const StructField &field : fields)
    if (unsigned distance = name.edit_distance(field.name);
        nearest.empty() || distance < least) {
      nearest = field.name;
      least = distance;
    }
  return nearest;
}

static ParseResult reportUnknown(AsmParser &parser, SMLoc loc, StringRef name,
                                 ArrayRef<StructField> fields,
                                 ArrayRef<RenamedField> renamed) {
  for (auto [oldName, newText] : renamed)
    if (oldName == name)
      return parser.emitError(loc)
             << "expected '" << newText << "', but got the old name '" << name
             << "'";
  SmallVector<StringRef> names;
  for (const StructField &field : fields)
    names.push_back(field.name);
  return parser.emitError(loc)
         << "expected " << listWords(names) << ", but got '" << name
         << "'; did you mean '" << findNearest(fields, name) << "'?";
}

/// Parses one of the words of a field; a number is a frequent mistake.
static FailureOr<int64_t> parseWord(AsmParser &parser,
                                    const StructField &field) {
  SMLoc loc = parser.getCurrentLocation();
  std::string word;
  StringRef keyword;
  int64_t number;
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    word = keyword.str();
  else if (OptionalParseResult parsed = parser.parseOptionalInteger(number);
           parsed.has_value() && succeeded(*parsed))
    word = std::to_string(number);
  else
    (void)parser.parseOptionalString(&word);
  const auto *known = llvm::find(field.words, word);
  if (known != field.words.end())
    return known - field.words.begin();
  return parser.emitError(loc)
         << "expected " << listWords(field.words) << " for '" << field.name
         << "', but got " << (word.empty() ? "something else" : word.c_str());
}

static ParseResult parseList(AsmParser &parser, const StructField &field,
                             SmallVectorImpl<int64_t> &values) {
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  if (values.size() == field.values.size())
    return success();
  return parser.emitError(loc)
         << "expected " << field.values.size() << " integers for '"
         << field.name << "', but got " << values.size();
}

static ParseResult parseValue(AsmParser &parser, const StructField &field) {
  SmallVector<int64_t, 3> values;
  if (field.isList) {
    if (parseList(parser, field, values))
      return failure();
  } else if (!field.words.empty()) {
    FailureOr<int64_t> word = parseWord(parser, field);
    if (failed(word))
      return failure();
    values.push_back(*word);
  } else if (parser.parseInteger(values.emplace_back())) {
    return failure();
  }
  field.set(values);
  return success();
}

ParseResult tile::parseStruct(AsmParser &parser, ArrayRef<StructField> fields,
                              ArrayRef<RenamedField> renamed) {
  SmallVector<bool> seen(fields.size(), false);
  SMLoc begin = parser.getCurrentLocation();
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    const StructField *field =
        llvm::find_if(fields, [&](const auto &f) { return f.name == name; });
    if (field == fields.end())
      return reportUnknown(parser, loc, name, fields, renamed);
    if (std::exchange(seen[field - fields.begin()], true))
      return parser.emitError(loc)
             << "expected '" << name << "' once, but got it twice";
    return parseValue(parser, *field);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return failure();
  for (auto [field, isSeen] : llvm::zip(fields, seen))
    if (field.required && !isSeen)
      return parser.emitError(begin)
             << "expected '" << field.name << " = …', but got none";
  return success();
}

static void printValue(AsmPrinter &printer, const StructField &field) {
  if (field.isList) {
    printer << '[';
    llvm::interleaveComma(field.values, printer.getStream());
    printer << ']';
  } else if (!field.words.empty()) {
    printer << field.words[field.values.front()];
  } else {
    printer << field.values.front();
  }
}

void tile::printStruct(AsmPrinter &printer, ArrayRef<StructField> fields,
                       ArrayRef<StructField> defaults) {
  printer << '<';
  bool first = true;
  for (auto [field, init] : llvm::zip(fields, defaults)) {
    if (!field.required && field.values == init.values)
      continue;
    if (!std::exchange(first, false))
      printer << ", ";
    printer << field.name << " = ";
    printValue(printer, field);
  }
  printer << '>';
}
