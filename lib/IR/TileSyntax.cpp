// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly syntax of integer tuples, layouts and integer lists.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Modes of a basis are counted up to this.
static constexpr int64_t kMaxBasisMode = 63;

// Paths are written innermost mode first. (MLIR's lexer has no `@` before a
// digit.)
FailureOr<IntTuple> tile::parseBasisPath(AsmParser &parser, const Int &scale) {
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
    if (!name.getValue().starts_with("e") ||
        name.getValue().drop_front().getAsInteger(10, mode) || mode < 0 ||
        mode > kMaxBasisMode) {
      parser.emitError(loc, "expected a basis between @e0 and @e")
          << kMaxBasisMode << ", but got @" << name.getValue();
      return failure();
    }
    if (path.size() == kMaxTupleDepth) {
      parser.emitError(loc, "expected a basis of at most ")
          << kMaxTupleDepth << " modes";
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
    parser.emitError(loc, "expected at most ")
        << kMaxTupleDepth << " nested tuples";
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
  printBasisPath(printer, tuple);
}

void tile::printBasisPath(AsmPrinter &printer, const IntTuple &leaf) {
  if (leaf.isBasis())
    for (int64_t mode : llvm::reverse(leaf.getPath()))
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

bool tile::isAtAttribute(AsmParser &parser) {
  // The lexer's buffer ends with a zero.
  return *parser.getCurrentLocation().getPointer() == '#';
}

/// Parses an attribute that stands for layouts applied one after the other.
static ParseResult parseNamedChain(AsmParser &parser, LayoutChain &chain) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attr;
  if (parser.parseAttribute(attr))
    return failure();
  if (auto layout = dyn_cast<LayoutAttr>(attr)) {
    chain = {layout.getValue()};
    return success();
  }
  if (auto permuted = dyn_cast<PermutedAttr>(attr)) {
    Result<Layout> layout = permuted.getLayout(/*symbolic=*/false);
    if (!layout)
      return parser.emitError(loc, layout.getReason());
    chain = {ComposedLayout(*layout)};
    return success();
  }
  auto operand = dyn_cast<SharedOperandAttr>(attr);
  if (!operand)
    return parser.emitError(loc,
                            "expected a layout such as #tile.layout<…>, "
                            "#tile.permuted<…> or #tile.shared_operand<…>, "
                            "but got ")
           << attr;
  Result<LayoutChain> layouts = operand.getChain();
  if (!layouts)
    return parser.emitError(loc, layouts.getReason());
  chain = *layouts;
  return success();
}

ParseResult tile::parseLayoutChain(AsmParser &parser, LayoutChain &chain) {
  if (isAtAttribute(parser))
    return parseNamedChain(parser, chain);
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        return parseComposedLayout(parser, chain.emplace_back());
      });
}

ParseResult tile::parseComposedLayout(AsmParser &parser,
                                      ComposedLayout &layout) {
  if (isAtAttribute(parser)) {
    SMLoc loc = parser.getCurrentLocation();
    LayoutChain chain;
    if (parseNamedChain(parser, chain))
      return failure();
    if (chain.size() != 1)
      return parser.emitError(loc, "expected one layout, but got ")
             << chain.size()
             << " that are applied one after the other, which permute of a "
                "tile iterator takes";
    layout = chain.front();
    return success();
  }
  Layout inside;
  if (failed(parser.parseOptionalKeyword("S"))) {
    if (parseLayout(parser, inside))
      return failure();
    layout = ComposedLayout(inside);
    return success();
  }
  Swizzle swizzle;
  if (parseSwizzleBits(parser, swizzle) || parser.parseKeyword("o"))
    return failure();
  SMLoc offsetLoc = parser.getCurrentLocation();
  FailureOr<IntTuple> offset = parseIntTuple(parser);
  if (failed(offset))
    return failure();
  if (!offset->isInt())
    return parser.emitError(offsetLoc, "expected an integer offset, but got ")
           << offset->str();
  if (parser.parseKeyword("o"))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseLayout(parser, inside))
    return failure();
  Result<ComposedLayout> result =
      ComposedLayout::get(swizzle, offset->getInt(), inside);
  if (!result)
    return parser.emitError(loc, result.getReason());
  layout = *result;
  return success();
}

void tile::printComposedLayout(AsmPrinter &printer,
                               const ComposedLayout &layout) {
  if (!layout.isPlain()) {
    printer << 'S';
    printSwizzleBits(printer, layout.getSwizzle());
    printer << " o ";
    printIntTuple(printer, layout.getOffset());
    printer << " o ";
  }
  printLayout(printer, layout.getLayout());
}

ParseResult tile::parseSwizzleBits(AsmParser &parser, Swizzle &swizzle) {
  int64_t bits, base, shift;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseInteger(bits) || parser.parseComma() ||
      parser.parseInteger(base) || parser.parseComma() ||
      parser.parseInteger(shift) || parser.parseGreater())
    return failure();
  Result<Swizzle> result = Swizzle::get(bits, base, shift);
  if (!result)
    return parser.emitError(loc, result.getReason());
  swizzle = *result;
  return success();
}

void tile::printSwizzleBits(AsmPrinter &printer, const Swizzle &swizzle) {
  printer << '<' << swizzle.getBits() << ", " << swizzle.getBase() << ", "
          << swizzle.getShift() << '>';
}

static ParseResult parseTiler(AsmParser &parser, Tiler &tiler, unsigned depth);

/// Parses the modes of a tiler behind its `<`.
static ParseResult parseTilerTail(AsmParser &parser, Tiler &tiler,
                                  unsigned depth) {
  if (depth > kMaxTupleDepth)
    return parser.emitError(parser.getCurrentLocation(), "expected at most ")
           << kMaxTupleDepth << " nested tilers";
  std::vector<Tiler> modes;
  do {
    Tiler mode = Tiler::wildcard();
    if (parseTiler(parser, mode, depth + 1))
      return failure();
    modes.push_back(mode);
  } while (succeeded(parser.parseOptionalComma()));
  tiler = Tiler::byMode(std::move(modes));
  return parser.parseGreater();
}

/// Parses `n`, `shape : stride`, `_` or `<...>`.
static ParseResult parseTiler(AsmParser &parser, Tiler &tiler, unsigned depth) {
  if (succeeded(parser.parseOptionalLess()))
    return parseTilerTail(parser, tiler, depth);
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<IntTuple> shape = parseIntTuple(parser);
  if (failed(shape))
    return failure();
  if (shape->isWildcard())
    return success();
  IntTuple stride = 1;
  if (succeeded(parser.parseOptionalColon())) {
    if (parseIntTuple(parser, stride))
      return failure();
  } else if (shape->isTuple()) {
    return parser.emitError(loc, "expected `:` and a stride behind ")
           << shape->str();
  }
  Result<Layout> layout = Layout::get(*shape, stride);
  if (!layout)
    return parser.emitError(loc, layout.getReason());
  tiler = Tiler(*layout);
  return success();
}

ParseResult tile::parseTilerModes(AsmParser &parser, FailureOr<Tiler> &tiler) {
  Tiler parsed = Tiler::wildcard();
  if (parser.parseLess() || parseTilerTail(parser, parsed, 0))
    return failure();
  tiler = parsed;
  return success();
}

static void printTiler(AsmPrinter &printer, const Tiler &tiler) {
  if (tiler.isWildcard()) {
    printer << '_';
  } else if (tiler.isByMode()) {
    printTilerModes(printer, tiler);
  } else {
    Layout layout = tiler.getLayout();
    if (layout.isLeaf() && layout.getStride().isStatic(1))
      printIntTuple(printer, layout.getShape());
    else
      printLayout(printer, layout);
  }
}

void tile::printTilerModes(AsmPrinter &printer, const Tiler &tiler) {
  printer << '<';
  llvm::interleaveComma(tiler.getModes(), printer,
                        [&](const Tiler &mode) { printTiler(printer, mode); });
  printer << '>';
}

llvm::hash_code tile::hash_value(const Tiler &tiler) {
  return llvm::hash_value(tiler.str());
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

void tile::printInteger(AsmPrinter &printer, int64_t integer) {
  printer << integer;
}

ParseResult tile::parseThreadMap(AsmParser &parser,
                                 ThreadMapAttrInterface &map) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  map = dyn_cast<ThreadMapAttrInterface>(attribute);
  if (!map)
    return parser.emitError(loc, "expected a thread map such as "
                                 "#tile.strip_mined<…>, but got ")
           << attribute;
  return success();
}

void tile::printThreadMap(AsmPrinter &printer, ThreadMapAttrInterface map) {
  printer << map;
}

ParseResult tile::parseCoverageRule(AsmParser &parser, CoverageRule &rule) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<CoverageRule> known = symbolizeCoverageRule(word);
  if (!known)
    return parser.emitError(loc, "expected exact, padded or any, but got ")
           << word;
  rule = *known;
  return success();
}

void tile::printCoverageRule(AsmPrinter &printer, CoverageRule rule) {
  printer << stringifyCoverageRule(rule);
}
