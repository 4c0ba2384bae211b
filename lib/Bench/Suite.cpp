// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses points and suites.
#include "Suite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace tile;
using namespace tile::bench;
using llvm::formatv;
using llvm::StringRef;

/// Bound on extents: pitches and offsets stay far from overflow.
static constexpr int64_t maxExtent = int64_t(1) << 24;
/// Bound on the points of a line: braces multiply.
static constexpr size_t maxExpansion = 4096;

/// Splits at blanks and commas outside of brackets: a schedule is one piece.
static Result<llvm::SmallVector<StringRef>> splitPieces(StringRef text) {
  llvm::SmallVector<StringRef> pieces;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ' ';
    if (c == '<' || c == '[' || c == '(')
      ++depth;
    if (c == '>' || c == ']' || c == ')')
      --depth;
    if (depth < 0)
      return Reason("expected an opening bracket before '" + llvm::Twine(c) +
                    "'");
    if (i < text.size() && (depth > 0 || !(llvm::isSpace(c) || c == ',')))
      continue;
    if (i > start)
      pieces.push_back(text.slice(start, i));
    start = i + 1;
  }
  if (depth != 0)
    return Reason("expected the brackets of a schedule to close");
  return pieces;
}

static bool parseExtent(StringRef text, int64_t &value) {
  return !text.getAsInteger(10, value) && value > 0 && value <= maxExtent;
}

static bool isLayout(StringRef text) {
  return text.size() == 2 && StringRef("nt").contains(text[0]) &&
         StringRef("nt").contains(text[1]);
}

static bool isClassName(StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '-';
  });
}

using Reply = std::optional<std::string>;

static Reply addClass(StringRef name, std::vector<std::string> &classes) {
  if (!isClassName(name))
    return formatv("expected a class such as @large, but got '@{0}'", name)
        .str();
  if (!llvm::is_contained(classes, name))
    classes.push_back(name.str());
  return std::nullopt;
}

static Reply parseFactor(StringRef text, double &factor) {
  if (!text.getAsDouble(factor) && std::isfinite(factor))
    return std::nullopt;
  return formatv("expected a number, but got '{0}'", text).str();
}

/// Parses what may come after the extents.
static Reply parseModifier(StringRef piece, Point &point) {
  StringRef value = piece;
  if (piece.starts_with("#") || piece == "default" ||
      value.consume_front("schedule=")) {
    point.schedules.push_back(value.str());
    return std::nullopt;
  }
  if (piece == "promoted_sums") {
    point.promotedSums = true;
    return std::nullopt;
  }
  if (value.consume_front("@"))
    return addClass(value, point.classes);
  if (value.consume_front("alpha="))
    return parseFactor(value, point.alpha);
  if (value.consume_front("beta="))
    return parseFactor(value, point.beta);
  if (value.consume_front("pitch=")) {
    if (!parseExtent(value, point.pitchMultiple))
      return formatv("expected a pitch multiple from 1 to {0}, but got '{1}'",
                     maxExtent, value)
          .str();
    return std::nullopt;
  }
  if (value.consume_front("batch=")) {
    if (!parseExtent(value, point.batch))
      return formatv("expected a batch from 1 to {0}, but got '{1}'", maxExtent,
                     value)
          .str();
    return std::nullopt;
  }
  if (!isLayout(piece))
    return formatv("expected a layout (nn, nt, tn or tt), pitch=N, batch=N, "
                   "alpha=X, beta=X, promoted_sums, @class or a schedule, but "
                   "got '{0}'",
                   piece)
        .str();
  point.transposeA = piece[0] == 't';
  point.transposeB = piece[1] == 't';
  return std::nullopt;
}

/// Parses `A`, `A:D` or `A*B:D`.
static Reply parseTypes(StringRef text, Point &point) {
  auto find = [&](StringRef name, const ElementTypeInfo *&type) -> Reply {
    bool tf32 = name == "tf32";
    point.tf32 |= tf32;
    std::optional<ElementType> found = findElementType(tf32 ? "f32" : name);
    if (found)
      type = &getInfo(*found);
    if (found)
      return std::nullopt;
    return formatv("expected one of the types {0} or tf32, but got '{1}'",
                   listElementTypes(), name)
        .str();
  };
  auto [operands, result] = text.split(':');
  auto [a, b] = operands.split('*');
  if (Reply reason = find(a, point.type))
    return reason;
  if (Reply reason = find(operands.contains('*') ? b : a, point.typeB))
    return reason;
  point.typeD = defaultResultType(*point.type);
  if (text.contains(':'))
    if (Reply reason = find(result, point.typeD))
      return reason;
  if (point.type->type == ElementType::I32)
    return "expected operands of i8, whose results are i32, but got i32";
  bool float8 = point.type->bytes == 1 && !point.type->isInteger();
  if (point.typeB != point.type &&
      !(float8 && point.typeB->bytes == 1 && !point.typeB->isInteger()))
    return formatv("expected operands of one type, or 8-bit floats both, but "
                   "got {0} and {1}",
                   point.type->name, point.typeB->name)
        .str();
  bool legal = point.typeD == defaultResultType(*point.type);
  if (point.type->isNarrow() && !point.type->isInteger())
    legal |= point.typeD->name == "f32";
  if (float8)
    legal |= point.typeD->name == "f16";
  if (!legal)
    return formatv("expected a result of {0} operands to be {1}, but got {2}",
                   point.type->name,
                   float8                    ? "bf16, f16 or f32"
                   : point.type->isInteger() ? "i32"
                   : point.type->isNarrow() ? point.type->name.str() + " or f32"
                                            : point.type->name.str(),
                   point.typeD->name)
        .str();
  return std::nullopt;
}

Result<Point> tile::bench::parsePoint(StringRef text) {
  Result<llvm::SmallVector<StringRef>> pieces = splitPieces(text);
  if (!pieces)
    return pieces.takeReason();
  if (pieces->size() < 4)
    return Reason(formatv("expected a type and the extents M, N and K, but got "
                          "{0} of these 4",
                          pieces->size())
                      .str());
  Point point;
  if (Reply reason = parseTypes((*pieces)[0], point))
    return Reason(*reason);
  int64_t *extents[] = {&point.m, &point.n, &point.k};
  for (int i = 0; i < 3; ++i)
    if (i > 0 && (*pieces)[i + 1] == "=")
      *extents[i] = *extents[i - 1];
    else if (!parseExtent((*pieces)[i + 1], *extents[i]))
      return Reason(
          formatv("expected {0} to be an extent from 1 to {1}, but got '{2}'",
                  "MNK"[i], maxExtent, (*pieces)[i + 1])
              .str());
  for (StringRef piece : llvm::ArrayRef<StringRef>(*pieces).drop_front(4))
    if (Reply reason = parseModifier(piece, point))
      return Reason(*reason);
  if (point.type->isInteger() && point.hasAlpha())
    return Reason("expected neither alpha nor beta of i8 operands, whose "
                  "results are exact, but got one");
  return point;
}

Result<std::vector<std::string>> tile::bench::expandBraces(StringRef line) {
  std::vector<std::string> done = {""};
  while (true) {
    size_t open = line.find('{');
    StringRef before = line.take_front(open);
    if (before.contains('}'))
      return Reason("expected an opening brace before '}'");
    for (std::string &text : done)
      text += before;
    if (open == StringRef::npos)
      return done;
    size_t close = line.find('}', open);
    if (close == StringRef::npos)
      return Reason("expected the braces to close");
    llvm::SmallVector<StringRef> choices;
    line.slice(open + 1, close).split(choices, ',');
    std::vector<std::string> longer;
    for (const std::string &text : done)
      for (StringRef choice : choices)
        longer.push_back((text + choice.trim()).str());
    if (longer.size() > maxExpansion)
      return Reason(formatv("expected braces for at most {0} points, but got "
                            "{1}",
                            maxExpansion, longer.size())
                        .str());
    done = std::move(longer);
    line = line.drop_front(close + 1);
  }
}

/// The lines that hold something, with their numbers.
static llvm::SmallVector<std::pair<int, StringRef>>
contentLines(StringRef text) {
  llvm::SmallVector<std::pair<int, StringRef>> result;
  for (int number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.trim();
    if (!line.empty() && !line.starts_with("//"))
      result.push_back({number, line});
  }
  return result;
}

/// Parses a line of classes alone.
static Reply parseClasses(StringRef line, std::vector<std::string> &classes) {
  classes.clear();
  if (line == "@")
    return std::nullopt;
  llvm::SmallVector<StringRef> pieces;
  line.split(pieces, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef piece : pieces) {
    if (!piece.consume_front("@"))
      return formatv("expected a line of classes such as @large, but got '{0}'",
                     piece)
          .str();
    if (Reply reason = addClass(piece, classes))
      return reason;
  }
  return std::nullopt;
}

/// Appends the points of a line, each in the classes given and in its own.
static Reply addPoints(StringRef line, const std::vector<std::string> &classes,
                       std::vector<Point> &points) {
  Result<std::vector<std::string>> texts = expandBraces(line);
  if (!texts)
    return texts.getReason();
  for (const std::string &text : *texts) {
    Result<Point> point = parsePoint(text);
    if (!point)
      return point.getReason();
    std::vector<std::string> all = classes;
    for (const std::string &name : point->classes)
      if (!llvm::is_contained(all, name))
        all.push_back(name);
    point->classes = std::move(all);
    points.push_back(std::move(*point));
  }
  return std::nullopt;
}

Result<std::vector<Point>> tile::bench::parseSuite(StringRef text) {
  std::vector<Point> points;
  std::vector<std::string> classes;
  for (auto [number, line] : contentLines(text)) {
    Reply reason = line.starts_with("@") ? parseClasses(line, classes)
                                         : addPoints(line, classes, points);
    if (reason)
      return Reason(formatv("line {0}: {1}", number, *reason).str());
  }
  if (points.empty())
    return Reason("expected at least one point, but got none");
  return points;
}

Result<std::vector<std::string>> tile::bench::parseSchedules(StringRef text) {
  std::vector<std::string> schedules;
  for (auto [number, line] : contentLines(text)) {
    if (line != "default" && !line.starts_with("#"))
      return Reason(formatv("line {0}: expected a schedule such as "
                            "#tile.simt<…>, or default, but got '{1}'",
                            number, line)
                        .str());
    schedules.push_back(line.str());
  }
  if (schedules.empty())
    return Reason("expected at least one schedule, but got none");
  return schedules;
}
