// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes of layouts: their syntax, what is wrong with one, what one stands
// for.
#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"
#include "tile/Layout/ComposedAlgebra.h"
#include "tile/Layout/TensorPermutes.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {
/// A clause of a recipe: `name = …`, or `name` alone where nothing is parsed.
struct Field {
  StringRef name;
  llvm::function_ref<ParseResult()> parse;
};
} // namespace

/// Parses the clauses up to the closing bracket, in any order.
static ParseResult parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  SmallVector<StringRef> seen;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    const Field *field = llvm::find_if(
        fields, [&](const Field &field) { return field.name == word; });
    if (field == fields.end()) {
      InFlightDiagnostic diag = parser.emitError(loc, "expected ");
      for (auto [i, known] : llvm::enumerate(fields))
        diag << (i == 0                   ? ""
                 : i + 1 == fields.size() ? " or "
                                          : ", ")
             << known.name;
      return diag << ", but got " << word;
    }
    if (llvm::is_contained(seen, word))
      return parser.emitError(loc, "expected one ")
             << word << ", but got another";
    seen.push_back(field->name);
    if (failed(field->parse()))
      return failure();
  }
  return parser.parseGreater();
}

static ParseResult parseField(AsmParser &parser, IntTuple &tuple) {
  return failure(parser.parseEqual() || parseIntTuple(parser, tuple));
}

static ParseResult parseField(AsmParser &parser, int64_t &number) {
  return failure(parser.parseEqual() || parser.parseInteger(number));
}

static ParseResult parseField(AsmParser &parser, SmallVector<int64_t> &list) {
  return failure(parser.parseEqual() || parseIntList(parser, list));
}

/// Parses one of the names of an enumeration.
template <typename EnumT>
static ParseResult parseName(AsmParser &parser, EnumT &result, StringRef names,
                             std::optional<EnumT> (*symbolize)(StringRef)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<EnumT> known = symbolize(word);
  if (!known)
    return parser.emitError(loc, "expected ") << names << ", but got " << word;
  result = *known;
  return success();
}

/// A tuple that is not given is a zero.
static bool isGiven(const IntTuple &tuple) { return !tuple.isStatic(0); }

static void printField(AsmPrinter &printer, StringRef name,
                       const IntTuple &tuple) {
  if (!isGiven(tuple))
    return;
  printer << ", " << name << " = ";
  printIntTuple(printer, tuple);
}

/// Whether every leaf is an integer: no `_`, no basis.
static bool hasIntegers(const IntTuple &tuple) {
  return !tuple.hasWildcard() && !tuple.hasBasis();
}

/// What is wrong with `count` integers.
static std::optional<Reason> checkTuple(StringRef name, const IntTuple &tuple,
                                        unsigned count) {
  if (tuple.isTuple() && tuple.rank() == count && tuple.depth() == 1 &&
      hasIntegers(tuple))
    return std::nullopt;
  return Reason("expected " + name + " of " + Twine(count) +
                " integers, but got " + tuple.str());
}

namespace {
/// Reads the numbers of a recipe in the order in which they are written; those
/// of the run time are symbols if wanted.
class Numbers {
public:
  explicit Numbers(bool symbolic) : symbolic(symbolic) {}
  IntTuple operator()(const IntTuple &tuple, int64_t lower) {
    return symbolic ? withSymbols(tuple, next, lower) : tuple;
  }

private:
  bool symbolic;
  unsigned next = 0;
};
} // namespace

/// Why a map cannot be written out, if so: a number that left 64 bits.
static std::optional<Reason> findInvalid(const CoordinateMap &map) {
  for (const auto *numbers : {&map.shape, &map.origin, &map.divide})
    for (const Int &number : *numbers)
      if (number.isInvalid())
        return Reason(number.getInvalidReason());
  for (const IntTuple &tuple : {map.coords.getShape(), map.coords.getStride()})
    if (std::optional<std::string> reason = tuple.findInvalid())
      return Reason(*reason);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// ConvAttr
//===----------------------------------------------------------------------===//

Attribute ConvAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  ConvOperator op;
  ConvTensor tensor;
  IntTuple input = 0, filter = 0, output = 0, pad = 0, stride = 0, dilation = 0,
           slices = 1, slice = 0, groups = 1, start = 0, tile = 0;
  int64_t block = 0;
  bool mirrored = false;
  auto into = [&](auto &field) {
    return [&parser, &field]() { return parseField(parser, field); };
  };
  auto parseMirrored = [&]() -> ParseResult {
    mirrored = true;
    return success();
  };
  auto parseInput = into(input), parseFilter = into(filter),
       parseOutput = into(output), parsePad = into(pad),
       parseStride = into(stride), parseDilation = into(dilation),
       parseSlices = into(slices), parseSlice = into(slice),
       parseGroups = into(groups), parseStart = into(start),
       parseTile = into(tile);
  auto parseBlock = into(block);
  if (parser.parseLess() ||
      parseName<ConvOperator>(parser, op, "fprop, dgrad, wgrad or depthwise",
                              symbolizeConvOperator) ||
      parseName<ConvTensor>(parser, tensor, "activation, filter or output",
                            symbolizeConvTensor) ||
      parseFields(parser, {{"input", parseInput},
                           {"filter", parseFilter},
                           {"output", parseOutput},
                           {"pad", parsePad},
                           {"stride", parseStride},
                           {"dilation", parseDilation},
                           {"block", parseBlock},
                           {"slices", parseSlices},
                           {"slice", parseSlice},
                           {"groups", parseGroups},
                           {"start", parseStart},
                           {"tile", parseTile},
                           {"mirrored", parseMirrored}}))
    return {};
  return parser.getChecked<ConvAttr>(
      loc, parser.getContext(), op, tensor, input, filter, output, pad, stride,
      dilation, block, slices, slice, groups, start, tile, mirrored);
}

void ConvAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyConvOperator(getOp()) << ' '
          << stringifyConvTensor(getTensor());
  printField(printer, "input", getInput());
  printField(printer, "filter", getFilter());
  printField(printer, "output", getOutput());
  printField(printer, "pad", getPad());
  printField(printer, "stride", getStride());
  printField(printer, "dilation", getDilation());
  if (getBlock() != 0)
    printer << ", block = " << getBlock();
  if (!getSlices().isStatic(1))
    printField(printer, "slices", getSlices());
  printField(printer, "slice", getSlice());
  if (!getGroups().isStatic(1))
    printField(printer, "groups", getGroups());
  printField(printer, "start", getStart());
  printField(printer, "tile", getTile());
  if (getMirrored())
    printer << ", mirrored";
  printer << '>';
}

namespace {
/// The clauses of a convolution, as they are written.
struct ConvClauses {
  ConvOperator op;
  ConvTensor tensor;
  IntTuple input, filter, output, pad, stride, dilation;
  int64_t block;
  IntTuple slices, slice, groups, start, tile;
  bool mirrored;
};
} // namespace

/// What is wrong with the form of a convolution: the numbers of each clause,
/// and which clauses go together.
static std::optional<Reason> checkForm(const ConvClauses &conv) {
  const IntTuple &input = conv.input;
  constexpr unsigned kMaxSpatial = 3;
  if (!input.isTuple() || input.depth() != 1 || !hasIntegers(input) ||
      input.rank() < 3 || input.rank() > kMaxSpatial + 2)
    return Reason("expected an input (n, …, c) of one to three spatial "
                  "dimensions, but got " +
                  input.str());
  unsigned spatial = input.rank() - 2;
  if (std::optional<Reason> reason =
          checkTuple("a filter (k, …)", conv.filter, spatial + 1))
    return reason;
  for (const auto &[name, tuple] :
       {std::pair("an output", conv.output), std::pair("padding", conv.pad),
        std::pair("strides", conv.stride),
        std::pair("dilations", conv.dilation), std::pair("a start", conv.start),
        std::pair("an output tile", conv.tile)})
    if (isGiven(tuple))
      if (std::optional<Reason> reason = checkTuple(name, tuple, spatial))
        return reason;
  for (const auto &[name, number] :
       {std::pair("slices", conv.slices), std::pair("slice", conv.slice),
        std::pair("groups", conv.groups)})
    if (!number.isInt() || !hasIntegers(number))
      return Reason("expected an integer for " + Twine(name) + ", but got " +
                    number.str());
  ConvOperator op = conv.op;
  StringRef name = stringifyConvOperator(op);
  bool hasChannelBlocks =
      op == ConvOperator::Fprop || op == ConvOperator::Dgrad;
  if (conv.block < 0)
    return Reason("expected a block of at least 1 channel, but got " +
                  Twine(conv.block));
  if (conv.block != 0 && !hasChannelBlocks)
    return Reason("expected a block with fprop or dgrad only, but got " + name);
  if ((!conv.slices.isStatic(1) || !conv.slice.isStatic(0)) && conv.block == 0)
    return Reason("expected slices of blocks, but got all channels at once");
  if (!conv.groups.isStatic(1) && op != ConvOperator::Fprop)
    return Reason("expected groups with fprop only, but got " + name);
  if (isGiven(conv.start) && op != ConvOperator::Dgrad)
    return Reason("expected a start with dgrad only, but got " + name);
  if (isGiven(conv.tile) !=
      (op == ConvOperator::Depthwise && conv.tensor != ConvTensor::Filter))
    return Reason("expected an output tile if and only if it is the "
                  "activation or output of depthwise, but got " +
                  Twine(isGiven(conv.tile) ? "one for " : "none for ") + name +
                  " " + stringifyConvTensor(conv.tensor));
  return std::nullopt;
}

namespace {
/// A convolution with its numbers.
struct ConvNumbers {
  ConvProblem problem;
  ConvBlocks blocks;
  SmallVector<Int, 3> start;
  SmallVector<int64_t, 3> tile;
};
} // namespace

static ConvNumbers getNumbers(const ConvClauses &conv, bool symbolic) {
  Numbers read(symbolic);
  IntTuple input = read(conv.input, 1), filter = read(conv.filter, 1),
           output = read(conv.output, 1), pad = read(conv.pad, 0),
           stride = read(conv.stride, 1), dilation = read(conv.dilation, 1),
           slices = read(conv.slices, 1), slice = read(conv.slice, 0),
           groups = read(conv.groups, 1), start = read(conv.start, 0);
  ConvNumbers numbers;
  ConvProblem &problem = numbers.problem;
  unsigned spatial = input.rank() - 2;
  problem.n = input[0].getInt();
  problem.c = input[spatial + 1].getInt();
  problem.k = filter[0].getInt();
  problem.groups = groups.getInt();
  problem.mirrored = conv.mirrored;
  auto at = [](const IntTuple &tuple, unsigned i, int64_t absent) {
    return isGiven(tuple) ? tuple[i].getInt() : Int(absent);
  };
  for (unsigned i = 0; i < spatial; ++i) {
    ConvSpatial dim{input[i + 1].getInt(),  1,
                    filter[i + 1].getInt(), at(pad, i, 0),
                    at(stride, i, 1),       at(dilation, i, 1)};
    // A division by a stride of zero is found by the checks.
    dim.output = isGiven(output)          ? output[i].getInt()
                 : dim.stride.isStatic(0) ? Int(1)
                                          : getConvOutput(dim);
    problem.spatial.push_back(dim);
    if (isGiven(start))
      numbers.start.push_back(start[i].getInt());
    if (isGiven(conv.tile) && conv.tile[i].getInt().isStatic())
      numbers.tile.push_back(conv.tile[i].getInt().getValue());
  }
  numbers.blocks = {conv.block, slices.getInt(), slice.getInt()};
  return numbers;
}

/// What is wrong with constants that only some convolutions have.
static std::optional<Reason> checkNumbers(const ConvNumbers &numbers,
                                          const ConvClauses &conv) {
  if (std::optional<Reason> reason = checkConvProblem(numbers.problem))
    return reason;
  const ConvBlocks &blocks = numbers.blocks;
  if (blocks.slices.isStatic() && blocks.slices.getValue() < 1)
    return Reason("expected slices of at least 1, but got " +
                  blocks.slices.str());
  if (blocks.first.isStatic() &&
      (blocks.first.getValue() < 0 ||
       (blocks.slices.isStatic() &&
        blocks.first.getValue() >= blocks.slices.getValue())))
    return Reason("expected a slice of 0 or more, and less than the " +
                  blocks.slices.str() + " slices, but got " +
                  blocks.first.str());
  for (auto [i, dim] : llvm::enumerate(numbers.problem.spatial)) {
    if (numbers.start.empty())
      break;
    const Int &start = numbers.start[i];
    if (!dim.dilation.isStatic(1))
      return Reason("expected a dilation of 1 with a start, but got " +
                    dim.dilation.str());
    Int bound = min(dim.stride, dim.filter);
    if (start.isStatic() &&
        (start.getValue() < 0 ||
         (bound.isStatic() && start.getValue() >= bound.getValue())))
      return Reason("expected a start of 0 or more, and less than stride and "
                    "filter, " +
                    dim.stride.str() + " and " + dim.filter.str() +
                    ", but got " + start.str());
  }
  constexpr int64_t kMaxTile = 1 << 20;
  if (isGiven(conv.tile) &&
      (numbers.tile.size() != numbers.problem.spatial.size() ||
       llvm::any_of(numbers.tile, [](int64_t extent) {
         return extent < 1 || extent > kMaxTile;
       })))
    return Reason("expected an output tile of constants between 1 and " +
                  Twine(kMaxTile) + ", but got " + conv.tile.str());
  const Int &c = numbers.problem.c, &k = numbers.problem.k;
  if (conv.op == ConvOperator::Depthwise && c.isStatic() && k.isStatic() &&
      !c.isSameAs(k))
    return Reason("expected as many results as channels of a depthwise "
                  "convolution, " +
                  c.str() + ", but got " + k.str());
  return std::nullopt;
}

static Result<CoordinateMap> getMap(const ConvClauses &conv,
                                    const ConvNumbers &numbers) {
  const ConvProblem &problem = numbers.problem;
  const ConvBlocks &blocks = numbers.blocks;
  ConvTensor tensor = conv.tensor;
  switch (conv.op) {
  case ConvOperator::Fprop:
    return tensor == ConvTensor::Activation
               ? getFpropActivation(problem, blocks)
           : tensor == ConvTensor::Filter ? getFpropFilter(problem, blocks)
                                          : getFpropOutput(problem);
  case ConvOperator::Dgrad: {
    if (numbers.start.empty())
      return tensor == ConvTensor::Output   ? getDgradOutput(problem, blocks)
             : tensor == ConvTensor::Filter ? getDgradFilter(problem, blocks)
                                            : getDgradActivation(problem);
    DgradStart start = getDgradStart(problem, numbers.start);
    return tensor == ConvTensor::Output
               ? getStridedDgradOutput(problem, blocks, start)
           : tensor == ConvTensor::Filter
               ? getStridedDgradFilter(problem, blocks, start)
               : getStridedDgradResult(problem, start);
  }
  case ConvOperator::Wgrad:
    return tensor == ConvTensor::Output       ? getWgradOutput(problem)
           : tensor == ConvTensor::Activation ? getWgradActivation(problem)
                                              : getWgradFilter(problem);
  case ConvOperator::Depthwise:
    return tensor == ConvTensor::Activation
               ? getDepthwiseWindow(problem, numbers.tile)
           : tensor == ConvTensor::Filter
               ? getDepthwiseFilter(problem)
               : getDepthwiseOutput(problem, numbers.tile);
  }
  return Reason("expected a known convolution");
}

unsigned ConvAttr::getNumSizes() const {
  unsigned count = 0;
  for (const IntTuple &tuple :
       {getInput(), getFilter(), getOutput(), getPad(), getStride(),
        getDilation(), getSlices(), getSlice(), getGroups(), getStart()})
    count += getNumDynamicLeaves(tuple);
  return count;
}

static Result<CoordinateMap> getMap(const ConvClauses &conv, bool symbolic) {
  if (std::optional<Reason> reason = checkForm(conv))
    return *reason;
  ConvNumbers numbers = getNumbers(conv, symbolic);
  if (std::optional<Reason> reason = checkNumbers(numbers, conv))
    return *reason;
  Result<CoordinateMap> map = getMap(conv, numbers);
  if (map)
    if (std::optional<Reason> reason = findInvalid(*map))
      return *reason;
  return map;
}

Result<CoordinateMap> ConvAttr::getCoordinateMap(bool symbolic) const {
  return getMap({getOp(), getTensor(), getInput(), getFilter(), getOutput(),
                 getPad(), getStride(), getDilation(), getBlock(), getSlices(),
                 getSlice(), getGroups(), getStart(), getTile(), getMirrored()},
                symbolic);
}

LogicalResult ConvAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ConvOperator op, ConvTensor tensor,
                               IntTuple input, IntTuple filter, IntTuple output,
                               IntTuple pad, IntTuple stride, IntTuple dilation,
                               int64_t block, IntTuple slices, IntTuple slice,
                               IntTuple groups, IntTuple start, IntTuple tile,
                               bool mirrored) {
  Result<CoordinateMap> map =
      getMap({op, tensor, input, filter, output, pad, stride, dilation, block,
              slices, slice, groups, start, tile, mirrored},
             /*symbolic=*/false);
  if (!map)
    return emitError() << map.getReason();
  return success();
}

//===----------------------------------------------------------------------===//
// ModesAttr
//===----------------------------------------------------------------------===//

unsigned ModesAttr::getNumSizes() const {
  return getNumDynamicLeaves(getRows()) + getNumDynamicLeaves(getColumns());
}

Result<CoordinateMap> ModesAttr::getCoordinateMap(bool symbolic) const {
  Numbers read(symbolic);
  IntTuple shape = IntTuple::tuple({read(getRows(), 1), read(getColumns(), 1)});
  CoordinateMap map;
  int64_t mode = 0;
  IntTuple stride = shape.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    map.shape.push_back(leaf.getInt());
    map.origin.push_back(0);
    return IntTuple::basis(1, {mode++});
  });
  Result<Layout> coords = Layout::get(shape, stride);
  if (!coords)
    return coords.takeReason();
  map.coords = *coords;
  return map;
}

LogicalResult ModesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                IntTuple rows, IntTuple columns) {
  for (const auto &[name, tuple] :
       {std::pair("rows", rows), std::pair("columns", columns)})
    if (tuple.depth() > 1 || (tuple.isTuple() && tuple.rank() == 0) ||
        !hasIntegers(tuple))
      return emitError() << "expected " << name
                         << " of one or more extents, but got " << tuple.str();
  for (const IntTuple &tuple : {rows, columns})
    for (const IntTuple &extent : tuple.getLeaves())
      if (extent.getInt().isStatic() && extent.getInt().getValue() < 1)
        return emitError() << "expected extents of at least 1, but got "
                           << extent.str();
  size_t modes = rows.getLeaves().size() + columns.getLeaves().size();
  if (modes > IteratorType::kMaxModes)
    return emitError() << "expected a tensor of up to "
                       << IteratorType::kMaxModes << " modes, but got "
                       << modes;
  return success();
}

//===----------------------------------------------------------------------===//
// PermutedAttr
//===----------------------------------------------------------------------===//

/// The names of an enumeration in words.
template <typename EnumT>
static std::string listEnumNames(int64_t last, StringRef (*stringify)(EnumT)) {
  std::string names;
  for (int64_t i = 0; i <= last; ++i)
    names += (i == 0      ? ""
              : i == last ? " or "
                          : ", ") +
             stringify(static_cast<EnumT>(i)).str();
  return names;
}

Attribute PermutedAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Permutation kind;
  IntTuple extents = 0;
  SmallVector<int64_t> factors;
  bool inverse = false;
  auto parseExtents = [&] { return parseField(parser, extents); };
  auto parseFactors = [&] { return parseField(parser, factors); };
  auto parseInverse = [&]() -> ParseResult {
    inverse = true;
    return success();
  };
  if (parser.parseLess() ||
      parseName<Permutation>(
          parser, kind,
          listEnumNames<Permutation>(getMaxEnumValForPermutation(),
                                     stringifyPermutation),
          symbolizePermutation) ||
      parseFields(parser, {{"extents", parseExtents},
                           {"factors", parseFactors},
                           {"inverse", parseInverse}}))
    return {};
  return parser.getChecked<PermutedAttr>(loc, parser.getContext(), kind,
                                         extents, ArrayRef<int64_t>(factors),
                                         inverse);
}

void PermutedAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyPermutation(getKind());
  printField(printer, "extents", getExtents());
  printer << ", factors = ";
  printIntList(printer, getFactors());
  if (getInverse())
    printer << ", inverse";
  printer << '>';
}

/// Extents and factors that a permutation takes.
static std::pair<unsigned, unsigned> getArity(Permutation kind) {
  switch (kind) {
  case Permutation::Tensor4D0213RowMajor:
  case Permutation::Tensor4D0213ColumnMajor:
    return {2, 2};
  case Permutation::Tensor5D20314RowMajor:
  case Permutation::Tensor5D02413ColumnMajor:
    return {2, 3};
  case Permutation::Bmm0213RowMajor:
  case Permutation::Bmm0321ColumnMajor:
    return {3, 1};
  }
  return {2, 2};
}

static Result<Layout> getPermuted(Permutation kind, const IntTuple &tuple,
                                  ArrayRef<int64_t> factors, bool inverse,
                                  bool symbolic) {
  auto [numExtents, numFactors] = getArity(kind);
  if (std::optional<Reason> reason = checkTuple("extents", tuple, numExtents))
    return *reason;
  constexpr int64_t kMaxFactor = int64_t(1) << 30;
  if (factors.size() != numFactors || llvm::any_of(factors, [](int64_t factor) {
        return factor < 1 || factor > kMaxFactor;
      }))
    return Reason("expected " + Twine(numFactors) + " factors between 1 and " +
                  Twine(kMaxFactor) + ", but got [" +
                  llvm::join(llvm::map_range(factors,
                                             [](int64_t factor) {
                                               return std::to_string(factor);
                                             }),
                             ", ") +
                  "]");
  for (const IntTuple &extent : tuple.getLeaves())
    if (extent.getInt().isStatic() && extent.getInt().getValue() < 1)
      return Reason("expected extents of at least 1, but got " + tuple.str());
  Numbers read(symbolic);
  IntTuple extents = read(tuple, 1);
  Int rows = extents[0].getInt(), columns = extents[1].getInt();
  int64_t a = factors[0], b = numFactors > 1 ? factors[1] : 1,
          c = numFactors > 2 ? factors[2] : 1;
  switch (kind) {
  case Permutation::Tensor4D0213RowMajor:
    return inverse ? permute0213RowMajor(rows, columns, b, a)
                   : permute0213RowMajor(rows, columns, a, b);
  case Permutation::Tensor4D0213ColumnMajor:
    return inverse ? permute0213ColumnMajor(rows, columns, b, a)
                   : permute0213ColumnMajor(rows, columns, a, b);
  case Permutation::Tensor5D20314RowMajor:
    return inverse ? unpermute20314RowMajor(rows, columns, a, b, c)
                   : permute20314RowMajor(rows, columns, a, b, c);
  case Permutation::Tensor5D02413ColumnMajor:
    return inverse ? unpermute02413ColumnMajor(rows, columns, a, b, c)
                   : permute02413ColumnMajor(rows, columns, a, b, c);
  case Permutation::Bmm0213RowMajor:
    return inverse ? unpermuteBatch0213RowMajor(rows, columns,
                                                extents[2].getInt(), a)
                   : permuteBatch0213RowMajor(rows, columns,
                                              extents[2].getInt(), a);
  case Permutation::Bmm0321ColumnMajor:
    return inverse ? unpermuteBatch0321ColumnMajor(rows, columns,
                                                   extents[2].getInt(), a)
                   : permuteBatch0321ColumnMajor(rows, columns,
                                                 extents[2].getInt(), a);
  }
  return Reason("expected a known permutation");
}

Result<Layout> PermutedAttr::getLayout(bool symbolic) const {
  return getPermuted(getKind(), getExtents(), getFactors(), getInverse(),
                     symbolic);
}

LogicalResult PermutedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Permutation kind, IntTuple extents,
                                   ArrayRef<int64_t> factors, bool inverse) {
  Result<Layout> layout =
      getPermuted(kind, extents, factors, inverse, /*symbolic=*/false);
  if (!layout)
    return emitError() << layout.getReason();
  return success();
}

unsigned PermutedAttr::getNumSizes() const {
  return getNumDynamicLeaves(getExtents());
}

Result<CoordinateMap> PermutedAttr::getCoordinateMap(bool symbolic) const {
  Result<Layout> layout = getLayout(symbolic);
  if (!layout)
    return layout.takeReason();
  if (layout->rank() != 2)
    return Reason("expected a permutation of rows and columns as coords, but "
                  "got one of batches, " +
                  stringifyPermutation(getKind()));
  CoordinateMap map;
  map.shape = {layout->size()};
  map.origin = {0};
  Result<Layout> coords = Layout::get(
      layout->getShape(),
      layout->getStride().mapLeaves([](const IntTuple &leaf) -> IntTuple {
        return IntTuple::basis(leaf.getInt(), {0});
      }));
  if (!coords)
    return coords.takeReason();
  map.coords = *coords;
  if (std::optional<Reason> reason = findInvalid(map))
    return *reason;
  return map;
}

//===----------------------------------------------------------------------===//
// SharedOperandAttr
//===----------------------------------------------------------------------===//

Attribute SharedOperandAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SharedOperandKind kind;
  SmallVector<int64_t> shape;
  int64_t contiguous = 0, pitch = 0, bits = 0, section = 0;
  auto parseShape = [&] { return parseField(parser, shape); };
  auto parseContiguous = [&] { return parseField(parser, contiguous); };
  auto parsePitch = [&] { return parseField(parser, pitch); };
  auto parseBits = [&] { return parseField(parser, bits); };
  auto parseSection = [&] { return parseField(parser, section); };
  if (parser.parseLess() ||
      parseName<SharedOperandKind>(
          parser, kind,
          listEnumNames<SharedOperandKind>(getMaxEnumValForSharedOperandKind(),
                                           stringifySharedOperandKind),
          symbolizeSharedOperandKind) ||
      parseFields(parser, {{"shape", parseShape},
                           {"contiguous", parseContiguous},
                           {"pitch", parsePitch},
                           {"bits", parseBits},
                           {"section", parseSection}}))
    return {};
  if (pitch == 0 && shape.size() == 2 && (contiguous == 0 || contiguous == 1))
    pitch = shape[contiguous];
  return parser.getChecked<SharedOperandAttr>(loc, parser.getContext(), kind,
                                              ArrayRef<int64_t>(shape),
                                              contiguous, pitch, bits, section);
}

void SharedOperandAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifySharedOperandKind(getKind()) << ", shape = ";
  printIntList(printer, getShape());
  printer << ", contiguous = " << getContiguous();
  if (getPitch() != getShape()[getContiguous()])
    printer << ", pitch = " << getPitch();
  if (getKind() == SharedOperandKind::TensorOp)
    printer << ", bits = " << getBits() << ", section = " << getSection();
  printer << '>';
}

static OperandLayout getOperandKind(SharedOperandKind kind) {
  switch (kind) {
  case SharedOperandKind::TensorOp:
    return OperandLayout::TensorOp;
  case SharedOperandKind::Congruous32:
    return OperandLayout::Congruous32;
  case SharedOperandKind::Congruous64:
    return OperandLayout::Congruous64;
  case SharedOperandKind::Congruous128:
    return OperandLayout::Congruous128;
  case SharedOperandKind::Crosswise64:
    return OperandLayout::Crosswise64;
  case SharedOperandKind::Crosswise128x4:
    return OperandLayout::Crosswise128x4;
  case SharedOperandKind::RowInterleaved:
    return OperandLayout::RowInterleaved;
  case SharedOperandKind::VoltaCongruous:
    return OperandLayout::VoltaCongruous;
  case SharedOperandKind::VoltaCongruousB:
    return OperandLayout::VoltaCongruousB;
  case SharedOperandKind::VoltaCrosswise:
    return OperandLayout::VoltaCrosswise;
  }
  return OperandLayout::TensorOp;
}

static Result<LayoutChain> getChain(SharedOperandKind kind,
                                    ArrayRef<int64_t> shape, int64_t contiguous,
                                    int64_t pitch, int64_t bits,
                                    int64_t section) {
  Result<LayoutChain> chain = getOperandLayout(
      getOperandKind(kind),
      {shape[contiguous], shape[1 - contiguous], pitch, bits, section});
  if (!chain || contiguous == 0)
    return chain;
  Result<ComposedLayout> rows = transpose(chain->front());
  if (!rows)
    return rows.takeReason();
  chain->front() = *rows;
  return chain;
}

Result<LayoutChain> SharedOperandAttr::getChain() const {
  return ::getChain(getKind(), getShape(), getContiguous(), getPitch(),
                    getBits(), getSection());
}

LogicalResult
SharedOperandAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          SharedOperandKind kind, ArrayRef<int64_t> shape,
                          int64_t contiguous, int64_t pitch, int64_t bits,
                          int64_t section) {
  if (shape.size() != 2)
    return emitError() << "expected a shape [rows, columns], but got "
                       << shape.size() << " numbers";
  if (contiguous != 0 && contiguous != 1)
    return emitError()
           << "expected contiguous to be 0 (rows) or 1 (columns), but got "
           << contiguous;
  bool takesBits = kind == SharedOperandKind::TensorOp;
  if ((bits != 0) != takesBits || (section != 0) != takesBits)
    return emitError() << "expected bits and section if and only if it is "
                          "tensor_op, but got "
                       << bits << " and " << section << " for "
                       << stringifySharedOperandKind(kind);
  Result<LayoutChain> chain =
      ::getChain(kind, shape, contiguous, pitch, bits, section);
  if (!chain)
    return emitError() << chain.getReason();
  return success();
}
