// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses points and suites, and writes a point as MLIR text.
#include "Suite.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using namespace tile::bench;
using llvm::formatv;
using llvm::StringRef;

/// Bound on extents: pitches and offsets stay far from overflow.
static constexpr int64_t maxExtent = int64_t(1) << 24;

static Placement place(int64_t rows, int64_t columns, bool transposed,
                       int64_t multiple) {
  Placement result;
  result.rows = rows;
  result.columns = columns;
  result.transposed = transposed;
  int64_t pitch =
      llvm::divideCeil(transposed ? rows : columns, multiple) * multiple;
  result.rowStride = transposed ? 1 : pitch;
  result.columnStride = transposed ? pitch : 1;
  return result;
}

Placement Point::a() const { return place(m, k, transposeA, pitchMultiple); }
Placement Point::b() const { return place(k, n, transposeB, pitchMultiple); }
Placement Point::d() const { return place(m, n, false, pitchMultiple); }

double Point::flops() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) *
         static_cast<double>(k);
}

std::string Point::label() const {
  std::string text = formatv("{0} {1}x{2}x{3} {4}{5}", type->name, m, n, k,
                             transposeA ? 't' : 'n', transposeB ? 't' : 'n');
  if (pitchMultiple != 1)
    text += formatv(" pitch={0}", pitchMultiple);
  return text;
}

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

/// Parses what may come after the extents.
static std::optional<std::string> parseModifier(StringRef piece, Point &point) {
  StringRef value = piece;
  if (piece.starts_with("#") || piece == "default" ||
      value.consume_front("schedule=")) {
    point.schedules.push_back(value.str());
    return std::nullopt;
  }
  if (value.consume_front("pitch=")) {
    if (!parseExtent(value, point.pitchMultiple))
      return formatv("expected a pitch multiple from 1 to {0}, but got '{1}'",
                     maxExtent, value)
          .str();
    return std::nullopt;
  }
  if (!isLayout(piece))
    return formatv("expected a layout (nn, nt, tn or tt), pitch=N or a "
                   "schedule, but got '{0}'",
                   piece)
        .str();
  point.transposeA = piece[0] == 't';
  point.transposeB = piece[1] == 't';
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
  point.type = findElementType((*pieces)[0]);
  if (!point.type)
    return Reason(formatv("expected one of the types {0}, but got '{1}'",
                          listElementTypes(), (*pieces)[0])
                      .str());
  int64_t *extents[] = {&point.m, &point.n, &point.k};
  for (int i = 0; i < 3; ++i)
    if (!parseExtent((*pieces)[i + 1], *extents[i]))
      return Reason(
          formatv("expected {0} to be an extent from 1 to {1}, but got '{2}'",
                  "MNK"[i], maxExtent, (*pieces)[i + 1])
              .str());
  for (StringRef piece : llvm::ArrayRef<StringRef>(*pieces).drop_front(4))
    if (std::optional<std::string> reason = parseModifier(piece, point))
      return Reason(*reason);
  return point;
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

Result<std::vector<Point>> tile::bench::parseSuite(StringRef text) {
  std::vector<Point> points;
  for (auto [number, line] : contentLines(text)) {
    Result<Point> point = parsePoint(line);
    if (!point)
      return Reason(formatv("line {0}: {1}", number, point.getReason()).str());
    points.push_back(std::move(*point));
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

static std::string formatMemref(const Placement &place, StringRef type,
                                bool dynamic) {
  auto number = [&](int64_t value) {
    return dynamic ? std::string("?") : std::to_string(value);
  };
  auto stride = [&](int64_t value, bool unit) {
    return unit ? std::string("1") : number(value);
  };
  return formatv("memref<{0}x{1}x{2}, strided<[{3}, {4}]>>", number(place.rows),
                 number(place.columns), type,
                 stride(place.rowStride, place.transposed),
                 stride(place.columnStride, !place.transposed));
}

std::string tile::bench::formatProblem(const Point &point, bool dynamic) {
  std::string a = formatMemref(point.a(), point.type->name, dynamic);
  std::string b = formatMemref(point.b(), point.type->name, dynamic);
  std::string d = formatMemref(point.d(), point.type->name, dynamic);
  return formatv("func.func @gemm(%A: {0}, %B: {1}, %D: {2}) {{\n"
                 "  tile.gemm ins(%A, %B : {0}, {1}) outs(%D : {2})\n"
                 "  return\n"
                 "}\n",
                 a, b, d);
}
