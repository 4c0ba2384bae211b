// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly syntax of integer tuples, layouts and integer lists.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Modes of a basis are counted up to this.
static constexpr int64_t kMaxBasisMode = 63;

/// Parses the path of a scaled basis, `@e1@e0`, written innermost mode first,
/// behind the scale. (MLIR's lexer has no `@` before a digit.)
static FailureOr<IntTuple> parseBasisPath(AsmParser &parser, const Int &scale) {
  SmallVector<int64_t> path;
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    StringAttr name;
    if (failed(parser.parseOptionalSymbolName(name))) {
      // Paths are stored outermost mode first.
      std::reverse(path.begin(), path.end());
      return IntTuple::basis(scale, path);
    }
    int64_t mode;
    if (!name.getValue().starts_with("e") || name.getValue().drop_front().getAsInteger(10, mode) ||
        mode < 0 || mode > kMaxBasisMode) {
      parser.emitError(loc, "expected a basis between @e0 and @e")
          << kMaxBasisMode << ", but got @" << name.getValue();
      return failure();
    }
    if (path.size() == kMaxTupleDepth) {
      parser.emitError(loc, "expected a basis of at most ") << kMaxTupleDepth << " modes";
      return failure();
    }
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
  return parseBasisPath(parser, Int::dynamic(divisor));
}

FailureOr<IntTuple> tile::parseIntTuple(AsmParser &parser, unsigned depth) {
  SMLoc loc = parser.getCurrentLocation();
  if (depth > kMaxTupleDepth) {
    parser.emitError(loc, "expected at most ") << kMaxTupleDepth << " nested tuples";
    return failure();
  }
  if (succeeded(parser.parseOptionalLParen())) {
    SmallVector<IntTuple> modes;
    if (failed(parser.parseOptionalRParen())) {
      do {
        FailureOr<IntTuple> mode = parseIntTuple(parser, depth + 1);
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
  if (failed(*parsed))
    return failure();
  return parseBasisPath(parser, Int(value));
}

ParseResult tile::parseIntTuple(AsmParser &parser, IntTuple &tuple) {
  FailureOr<IntTuple> parsed = parseIntTuple(parser);
  if (failed(parsed))
    return failure();
  tuple = *parsed;
  return success();
}

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

ParseResult tile::parseLayout(AsmParser &parser, Layout &layout) {
  FailureOr<IntTuple> shape = parseIntTuple(parser);
  if (failed(shape) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<IntTuple> stride = parseIntTuple(parser);
  if (failed(stride))
    return failure();
  Result<Layout> result = Layout::get(*shape, *stride);
  if (!result)
    return parser.emitError(loc, result.getReason());
  layout = *result;
  return success();
}

void tile::printLayout(AsmPrinter &printer, const Layout &layout) {
  printIntTuple(printer, layout.getShape());
  printer << " : ";
  printIntTuple(printer, layout.getStride());
}

ParseResult tile::parseIntList(AsmParser &parser, SmallVector<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(list.emplace_back());
  });
}

void tile::printIntList(AsmPrinter &printer, ArrayRef<int64_t> list) {
  printer << '[';
  llvm::interleaveComma(list, printer);
  printer << ']';
}

ParseResult tile::parseInteger(AsmParser &parser, int64_t &integer) {
  return parser.parseInteger(integer);
}

void tile::printInteger(AsmPrinter &printer, int64_t integer) { printer << integer; }
