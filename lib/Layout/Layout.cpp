// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts: construction, evaluation, printing and parsing.
#include "tile/Layout/Layout.h"
#include "TextReader.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace tile;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// Values of layouts with basis strides have at most this many modes a level.
static constexpr int64_t kMaxBasisMode = 64;

/// " at mode [0, 1]", or nothing at the top.
static std::string atMode(llvm::ArrayRef<int64_t> path) {
  return path.empty() ? std::string() : " at mode " + printPath(path);
}

static std::optional<Reason> check(const IntTuple &shape,
                                   const IntTuple &stride,
                                   llvm::SmallVectorImpl<int64_t> &path) {
  if (shape.isTuple() != stride.isTuple() || shape.rank() != stride.rank())
    return Reason("expected shape and stride of the same nesting" +
                  atMode(path) + ", but got " + shape.str() + " and " +
                  stride.str());
  if (shape.isTuple()) {
    for (unsigned i = 0; i < shape.rank(); ++i) {
      path.push_back(i);
      if (std::optional<Reason> reason = check(shape[i], stride[i], path))
        return reason;
      path.pop_back();
    }
    return std::nullopt;
  }
  if (!shape.isInt())
    return Reason("expected an integer extent" + atMode(path) + ", but got " +
                  shape.str());
  if (stride.isWildcard())
    return Reason("expected an integer or basis stride" + atMode(path) +
                  ", but got _");
  for (int64_t index : stride.getPath())
    if (index < 0 || index >= kMaxBasisMode)
      return Reason("expected basis modes from 0 to " +
                    llvm::Twine(kMaxBasisMode - 1) + atMode(path) +
                    ", but got " + stride.str());
  for (const Int &integer : {shape.getInt(), stride.getInt()})
    if (integer.isInvalid())
      return Reason(integer.getInvalidReason() + atMode(path));
  if (shape.getInt().isStatic() && shape.getInt().getValue() < 1)
    return Reason("expected a positive extent" + atMode(path) + ", but got " +
                  shape.str());
  return std::nullopt;
}

Result<Layout> Layout::get(const IntTuple &shape, const IntTuple &stride) {
  llvm::SmallVector<int64_t> path;
  if (std::optional<Reason> reason = check(shape, stride, path))
    return *reason;
  Layout layout(shape, stride);
  if (Int size = layout.size(); size.isInvalid())
    return Reason(size.getInvalidReason());
  return layout;
}

Result<Layout> Layout::compact(const IntTuple &shape) {
  Int running = 1;
  IntTuple stride = shape.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (!leaf.isInt() || leaf.isStatic(1))
      return 0;
    Int current = running;
    running = running * leaf.getInt();
    return current;
  });
  return get(shape, stride);
}

Layout Layout::concat(llvm::ArrayRef<Layout> modes) {
  llvm::SmallVector<IntTuple, 4> shapes, strides;
  for (const Layout &mode : modes) {
    shapes.push_back(mode.shape);
    strides.push_back(mode.stride);
  }
  return Layout(IntTuple::tuple(shapes), IntTuple::tuple(strides));
}

Result<Layout> Layout::getConcat(llvm::ArrayRef<Layout> modes) {
  Layout layout = concat(modes);
  if (Int size = layout.size(); size.isInvalid())
    return Reason(size.getInvalidReason());
  return layout;
}

Layout Layout::operator[](unsigned index) const {
  return Layout(shape[index], stride[index]);
}

llvm::SmallVector<LeafMode, 4> Layout::getLeafModes() const {
  llvm::SmallVector<LeafMode, 4> modes;
  llvm::SmallVector<IntTuple, 4> extents = shape.getLeaves();
  llvm::SmallVector<IntTuple, 4> strides = stride.getLeaves();
  for (unsigned i = 0; i < extents.size(); ++i)
    modes.push_back({extents[i].getInt(), strides[i]});
  return modes;
}

Layout Layout::substitute(llvm::ArrayRef<Int> values) const {
  return Layout(shape.substitute(values), stride.substitute(values));
}

Layout Layout::withSymbols(unsigned &next) const {
  IntTuple extents = shape.withSymbols(next);
  return Layout(std::move(extents), stride.withSymbols(next));
}

Layout Layout::withoutExprs() const {
  return Layout(shape.withoutExprs(), stride.withoutExprs());
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

Int Layout::size() const {
  // A run-time extent is at least its divisor.
  Int product = 1, least = 1;
  for (const IntTuple &extent : shape.getLeaves()) {
    product = product * extent.getInt();
    least = least * Int(std::max<int64_t>(extent.getInt().getDivisor(), 1));
  }
  return least.isInvalid() ? least : product;
}

IntTuple tile::scaleStride(const IntTuple &stride, const Int &factor) {
  if (factor.isStatic(0))
    return 0;
  return IntTuple::basis(stride.getInt() * factor, stride.getPath());
}

bool tile::isSameStride(const IntTuple &lhs, const IntTuple &rhs) {
  return lhs.getPath() == rhs.getPath() && lhs.getInt().isSameAs(rhs.getInt());
}

Result<IntTuple> tile::addValues(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isStatic(0))
    return rhs;
  if (rhs.isStatic(0))
    return lhs;
  if (lhs.isInt() && rhs.isInt())
    return IntTuple(lhs.getInt() + rhs.getInt());
  if (!lhs.isTuple() || !rhs.isTuple())
    return Reason("expected values that are all indices or all coordinates, "
                  "but got " +
                  lhs.str() + " and " + rhs.str());
  llvm::SmallVector<IntTuple, 4> sums;
  for (unsigned i = 0, e = std::max(lhs.rank(), rhs.rank()); i < e; ++i) {
    Result<IntTuple> sum = addValues(i < lhs.rank() ? lhs[i] : IntTuple(0),
                                     i < rhs.rank() ? rhs[i] : IntTuple(0));
    if (!sum)
      return sum;
    sums.push_back(*sum);
  }
  return IntTuple::tuple(sums);
}

/// A basis vector written out as a coordinate: 5@1 is (0, 5).
static IntTuple expandBasis(const IntTuple &stride) {
  IntTuple value(stride.getInt());
  for (int64_t index : llvm::reverse(stride.getPath())) {
    llvm::SmallVector<IntTuple, 4> modes(index, IntTuple(0));
    modes.push_back(value);
    value = IntTuple::tuple(modes);
  }
  return value;
}

static Int sizeOf(const IntTuple &shape) {
  Int product = 1;
  for (const IntTuple &extent : shape.getLeaves())
    product = product * (extent.isInt() ? extent.getInt() : Int(1));
  return product;
}

static Result<IntTuple> crd2idxAt(const IntTuple &coordinate,
                                  const IntTuple &shape, const IntTuple &stride,
                                  llvm::SmallVectorImpl<int64_t> &path) {
  if (coordinate.isTuple()) {
    if (!shape.isTuple() || shape.rank() != coordinate.rank())
      return Reason("expected a coordinate that fits " + shape.str() +
                    atMode(path) + ", but got " + coordinate.str());
    IntTuple sum = 0;
    for (unsigned i = 0; i < shape.rank(); ++i) {
      path.push_back(i);
      Result<IntTuple> term =
          crd2idxAt(coordinate[i], shape[i], stride[i], path);
      if (!term)
        return term;
      path.pop_back();
      Result<IntTuple> next = addValues(sum, *term);
      if (!next)
        return next;
      sum = *next;
    }
    return sum;
  }
  if (!coordinate.isInt())
    return Reason("expected an integer coordinate" + atMode(path) +
                  ", but got " + coordinate.str());
  if (shape.isLeaf())
    return expandBasis(scaleStride(stride, coordinate.getInt()));
  // A negative index mirrors the layout: L(-i) = -L(i).
  if (coordinate.getInt().isStatic() && coordinate.getInt().getValue() < 0) {
    Result<IntTuple> value =
        crd2idxAt(-coordinate.getInt(), shape, stride, path);
    if (!value)
      return value;
    return value->mapLeaves(
        [](const IntTuple &leaf) -> IntTuple { return -leaf.getInt(); });
  }
  Int rest = coordinate.getInt();
  IntTuple sum = 0;
  for (unsigned i = 0; i < shape.rank(); ++i) {
    Int index = rest;
    if (i + 1 < shape.rank()) {
      Int extent = sizeOf(shape[i]);
      index = mod(rest, extent);
      rest = floorDiv(rest, extent);
    }
    Result<IntTuple> term = crd2idxAt(index, shape[i], stride[i], path);
    if (!term)
      return term;
    Result<IntTuple> next = addValues(sum, *term);
    if (!next)
      return next;
    sum = *next;
  }
  return sum;
}

Result<IntTuple> tile::crd2idx(const IntTuple &coordinate,
                               const IntTuple &shape, const IntTuple &stride) {
  Result<Layout> layout = Layout::get(shape, stride);
  if (!layout)
    return layout.takeReason();
  return (*layout)(coordinate);
}

Result<IntTuple> tile::crd2idx(const IntTuple &coordinate,
                               const IntTuple &shape) {
  Result<Layout> layout = Layout::compact(shape);
  if (!layout)
    return layout.takeReason();
  return (*layout)(coordinate);
}

Result<IntTuple> Layout::operator()(const IntTuple &coordinate) const {
  llvm::SmallVector<int64_t> path;
  Result<IntTuple> value = crd2idxAt(coordinate, shape, stride, path);
  if (value)
    if (std::optional<std::string> reason = value->findInvalid())
      return Reason(*reason);
  return value;
}

/// Wrapping arithmetic: brute force evaluates far outside the domain.
static int64_t wrappingMulAdd(int64_t sum, int64_t lhs, int64_t rhs) {
  return int64_t(uint64_t(sum) + uint64_t(lhs) * uint64_t(rhs));
}

static int64_t evaluate(const IntTuple &shape, const IntTuple &stride,
                        int64_t &rest, bool last, int64_t sum) {
  if (shape.isLeaf()) {
    int64_t extent = shape.getInt().getValue();
    int64_t index = last ? rest : rest % extent;
    rest = last ? 0 : rest / extent;
    return wrappingMulAdd(sum, index, stride.getInt().getValue());
  }
  for (unsigned i = 0; i < shape.rank(); ++i)
    sum =
        evaluate(shape[i], stride[i], rest, last && i + 1 == shape.rank(), sum);
  return sum;
}

int64_t Layout::at(int64_t index) const {
  return evaluate(shape, stride, index, true, 0);
}

static Result<IntTuple> idx2crdAt(const IntTuple &index, const IntTuple &shape,
                                  llvm::SmallVectorImpl<int64_t> &path) {
  if (index.isTuple()) {
    if (!shape.isTuple() || shape.rank() != index.rank())
      return Reason("expected an index that fits " + shape.str() +
                    atMode(path) + ", but got " + index.str());
    llvm::SmallVector<IntTuple, 4> modes;
    for (unsigned i = 0; i < shape.rank(); ++i) {
      path.push_back(i);
      Result<IntTuple> mode = idx2crdAt(index[i], shape[i], path);
      if (!mode)
        return mode;
      path.pop_back();
      modes.push_back(*mode);
    }
    return IntTuple::tuple(modes);
  }
  if (!index.isInt())
    return Reason("expected an integer index" + atMode(path) + ", but got " +
                  index.str());
  if (shape.isLeaf())
    return index;
  if (index.getInt().isStatic() && index.getInt().getValue() < 0) {
    Result<IntTuple> coordinate = idx2crdAt(-index.getInt(), shape, path);
    if (!coordinate)
      return coordinate;
    return coordinate->mapLeaves(
        [](const IntTuple &leaf) -> IntTuple { return -leaf.getInt(); });
  }
  Int rest = index.getInt();
  llvm::SmallVector<IntTuple, 4> modes;
  for (unsigned i = 0; i < shape.rank(); ++i) {
    Int digit = rest;
    if (i + 1 < shape.rank()) {
      Int extent = sizeOf(shape[i]);
      digit = mod(rest, extent);
      rest = floorDiv(rest, extent);
    }
    Result<IntTuple> mode = idx2crdAt(digit, shape[i], path);
    if (!mode)
      return mode;
    modes.push_back(*mode);
  }
  return IntTuple::tuple(modes);
}

Result<IntTuple> tile::idx2crd(const IntTuple &index, const IntTuple &shape) {
  // A compact layout exists for exactly the valid shapes.
  if (Result<Layout> layout = Layout::compact(shape); !layout)
    return layout.takeReason();
  llvm::SmallVector<int64_t> path;
  Result<IntTuple> coordinate = idx2crdAt(index, shape, path);
  if (coordinate)
    if (std::optional<std::string> reason = coordinate->findInvalid())
      return Reason(*reason);
  return coordinate;
}

//===----------------------------------------------------------------------===//
// Span of the image
//===----------------------------------------------------------------------===//

/// (extent - 1) * |stride|; a dynamic stride of unknown sign takes the larger
/// of both signs.
static Int spanOf(const Int &extent, const Int &stride) {
  Int steps = extent - Int(1);
  if (stride.getLower() >= 0)
    return steps * stride;
  if (stride.getUpper() <= 0)
    return steps * -stride;
  return steps * max(stride, -stride);
}

static IntTuple addOne(const IntTuple &tuple) {
  return tuple.mapLeaves(
      [](const IntTuple &leaf) -> IntTuple { return leaf.getInt() + Int(1); });
}

IntTuple Layout::coshape() const {
  IntTuple span = 0;
  for (const LeafMode &mode : getLeafModes()) {
    Int steps = spanOf(mode.extent, mode.stride.getInt());
    Result<IntTuple> next = addValues(
        span, expandBasis(IntTuple::basis(steps, mode.stride.getPath())));
    if (!next)
      return Int::invalid(next.takeReason());
    span = *next;
  }
  return addOne(span);
}

Int Layout::cosize() const {
  Int product = 1;
  for (const IntTuple &leaf : coshape().getLeaves())
    product = product * leaf.getInt();
  return product;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void Layout::print(llvm::raw_ostream &os, bool symbols) const {
  shape.print(os, symbols);
  os << " : ";
  stride.print(os, symbols);
}

std::string Layout::str(bool symbols) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, symbols);
  return text;
}

llvm::hash_code tile::hash_value(const Layout &layout) {
  return llvm::hash_combine(hash_value(layout.getShape()),
                            hash_value(layout.getStride()));
}

llvm::raw_ostream &tile::operator<<(llvm::raw_ostream &os,
                                    const Layout &layout) {
  layout.print(os);
  return os;
}

Result<Layout> detail::TextReader::readLayout() {
  Result<IntTuple> shape = readTuple();
  if (!shape)
    return shape.takeReason();
  if (!consume(":"))
    return unexpected("':'");
  Result<IntTuple> stride = readTuple();
  if (!stride)
    return stride.takeReason();
  return Layout::get(*shape, *stride);
}

Result<Layout> Layout::parse(llvm::StringRef text,
                             llvm::function_ref<Int(int64_t)> runTime) {
  detail::TextReader reader(text, runTime);
  Result<Layout> layout = reader.readLayout();
  if (layout && !reader.atEnd())
    return reader.unexpected("the end of the layout");
  return layout;
}
