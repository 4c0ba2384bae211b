// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly syntax of integer tuples, layouts and integer lists.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Nesting deeper than this is refused, so that no input overflows the stack.
static constexpr unsigned kMaxDepth = 64;

/// Parses the path of a scaled basis, `@e1@e0`, written innermost mode first;
/// `path` is outermost first. (MLIR's lexer has no `@` before a digit.)
static ParseResult parseBasisPath(AsmParser &parser, SmallVectorImpl<int64_t> &path) {
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    StringAttr name;
    if (failed(parser.parseOptionalSymbolName(name))) {
      std::reverse(path.begin(), path.end());
      return success();
    }
    int64_t mode;
    if (!name.getValue().starts_with("e") || name.getValue().drop_front().getAsInteger(10, mode) ||
        mode < 0)
      return parser.emitError(loc, "expected a basis such as @e0, but got @") << name.getValue();
    path.push_back(mode);
  }
}

static FailureOr<IntTuple> parseDynamicLeaf(AsmParser &parser) {
  int64_t divisor = 1;
  if (succeeded(parser.parseOptionalLBrace())) {
    if (parser.parseKeyword("div") || parser.parseEqual())
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(divisor) || parser.parseRBrace())
      return failure();
    if (divisor < 1) {
      parser.emitError(loc, "expected a positive divisor, but got ") << divisor;
      return failure();
    }
  }
  return IntTuple(Int::dynamic(divisor));
}

static FailureOr<IntTuple> parseTuple(AsmParser &parser, unsigned depth) {
  SMLoc loc = parser.getCurrentLocation();
  if (depth > kMaxDepth) {
    parser.emitError(loc, "expected at most ") << kMaxDepth << " nested tuples";
    return failure();
  }
  if (succeeded(parser.parseOptionalLParen())) {
    SmallVector<IntTuple> modes;
    if (failed(parser.parseOptionalRParen())) {
      do {
        FailureOr<IntTuple> mode = parseTuple(parser, depth + 1);
        if (failed(mode))
          return failure();
        modes.push_back(*mode);
      } while (succeeded(parser.parseOptionalComma()));
      if (parser.parseRParen())
        return failure();
    }
    return IntTuple::tuple(modes);
  }
  if (succeeded(parser.parseOptionalQuestion()))
    return parseDynamicLeaf(parser);
  if (succeeded(parser.parseOptionalKeyword("_")))
    return IntTuple::wildcard();
  int64_t value;
  OptionalParseResult parsed = parser.parseOptionalInteger(value);
  if (!parsed.has_value()) {
    parser.emitError(loc, "expected an integer, `?`, `_` or a tuple of these");
    return failure();
  }
  SmallVector<int64_t> path;
  if (failed(*parsed) || parseBasisPath(parser, path))
    return failure();
  if (path.empty())
    return IntTuple(value);
  return IntTuple::basis(Int(value), path);
}

FailureOr<IntTuple> tile::parseIntTuple(AsmParser &parser) { return parseTuple(parser, 0); }

void tile::printIntTuple(AsmPrinter &printer, const IntTuple &tuple) {
  if (tuple.isTuple()) {
    printer << '(';
    for (unsigned i = 0, e = tuple.rank(); i < e; ++i) {
      if (i)
        printer << ", ";
      printIntTuple(printer, tuple[i]);
    }
    printer << ')';
    return;
  }
  if (tuple.isWildcard()) {
    printer << '_';
    return;
  }
  Int leaf = tuple.getInt();
  if (leaf.isStatic()) {
    printer << leaf.getValue();
  } else {
    printer << '?';
    if (leaf.getDivisor() != 1)
      printer << "{div = " << leaf.getDivisor() << '}';
  }
  if (tuple.isBasis())
    for (int64_t mode : llvm::reverse(tuple.getPath()))
      printer << "@e" << mode;
}

FailureOr<Layout> tile::parseLayout(AsmParser &parser) {
  FailureOr<IntTuple> shape = parseIntTuple(parser);
  if (failed(shape) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<IntTuple> stride = parseIntTuple(parser);
  if (failed(stride))
    return failure();
  Result<Layout> layout = Layout::get(*shape, *stride);
  if (!layout) {
    parser.emitError(loc, layout.getReason());
    return failure();
  }
  return *layout;
}

void tile::printLayout(AsmPrinter &printer, const Layout &layout) {
  printIntTuple(printer, layout.getShape());
  printer << " : ";
  printIntTuple(printer, layout.getStride());
}

FailureOr<SmallVector<int64_t>> tile::parseIntList(AsmParser &parser) {
  SmallVector<int64_t> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(list.emplace_back());
      }))
    return failure();
  return list;
}

void tile::printIntList(AsmPrinter &printer, ArrayRef<int64_t> list) {
  printer << '[';
  llvm::interleaveComma(list, printer);
  printer << ']';
}
