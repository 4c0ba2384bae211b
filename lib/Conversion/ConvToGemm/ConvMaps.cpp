// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three tensors of a convolution as matrices of a GEMM.
#include "ConvMaps.h"

using namespace mlir;
using namespace tile;

namespace {

/// A digit of the iteration space.
enum class Digit { Image, Group, OutputChannel, InputChannel, Spatial, Filter };

/// A digit by its kind and, of spatial ones and those of the filter, the
/// dimension.
struct DigitName {
  Digit kind;
  unsigned dim = 0;

  bool operator==(const DigitName &other) const {
    return kind == other.kind && dim == other.dim;
  }
};

/// One term of an index.
struct Term {
  DigitName digit;
  int64_t coefficient = 1;
};

/// An index of a tensor, in terms of digits.
struct Index {
  SmallVector<Term, 2> terms;
  int64_t constant = 0, divisor = 1;
};

/// What all maps of a convolution are made of.
class MapBuilder {
public:
  explicit MapBuilder(ConvOp conv)
      : conv(conv), spatial(conv.getSpatialRank()), stride(conv.getStrides()),
        dilation(conv.getDilations()), low(conv.getLowMargins()) {}

  ConvMaps build(bool batchImages);

private:
  int64_t getExtent(DigitName digit) const;
  SmallVector<Index> getImageIndices() const;
  SmallVector<Index> getFilterIndices() const;
  SmallVector<Index> getOutputIndices() const;
  Index getChannel(Digit kind, int64_t channels) const;
  MatrixMap makeMap(Value tensor, ArrayRef<Index> indices,
                    const std::array<SmallVector<DigitName>, 3> &digits) const;
  void sortByStride(Value tensor, ArrayRef<Index> indices,
                    SmallVectorImpl<DigitName> &digits) const;
  int64_t getDigitStride(Value tensor, ArrayRef<Index> indices,
                         DigitName digit) const;

  bool isDgrad() const { return conv.getKind() == ConvKind::Dgrad; }

  /// Accessors of operations are not const.
  mutable ConvOp conv;
  unsigned spatial;
  SmallVector<int64_t, 3> stride, dilation, low;
};

} // namespace

static MemRefType getType(Value value) {
  return cast<MemRefType>(value.getType());
}

static SmallVector<int64_t> getStridesOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  // The verifier has seen that they are known.
  (void)type.getStridesAndOffset(strides, offset);
  return strides;
}

int64_t MapBuilder::getExtent(DigitName digit) const {
  MemRefType image = getType(conv.getImage()),
             filter = getType(conv.getFilter()),
             output = getType(conv.getOutput());
  switch (digit.kind) {
  case Digit::Image:
    return image.getDimSize(0);
  case Digit::Group:
    return conv.getGroups();
  case Digit::OutputChannel:
    return output.getDimSize(spatial + 1) / conv.getGroups();
  case Digit::InputChannel:
    return filter.getDimSize(spatial + 1);
  case Digit::Spatial:
    // Pixels of D, where it has pixels; else those of the output.
    return (isDgrad() ? image : output).getDimSize(1 + digit.dim);
  case Digit::Filter:
    return filter.getDimSize(1 + digit.dim);
  }
  llvm_unreachable("all digits are above");
}

/// A channel of the image or of the output, of `channels` in each group.
Index MapBuilder::getChannel(Digit kind, int64_t channels) const {
  Index index{{{{kind}}}};
  if (conv.getGroups() > 1)
    index.terms.push_back({{Digit::Group}, channels});
  return index;
}

SmallVector<Index> MapBuilder::getImageIndices() const {
  SmallVector<Index> indices{{{{{Digit::Image}}}}};
  for (unsigned i = 0; i < spatial; ++i) {
    Index index{{{{Digit::Spatial, i}}}};
    if (!isDgrad()) {
      // A flipped filter is read from its end.
      int64_t last = getExtent({Digit::Filter, i}) - 1;
      bool flipped = conv.getFlipped();
      index.terms[0].coefficient = stride[i];
      index.terms.push_back(
          {{Digit::Filter, i}, flipped ? -dilation[i] : dilation[i]});
      index.constant = (flipped ? last * dilation[i] : 0) - low[i];
    }
    indices.push_back(index);
  }
  indices.push_back(
      getChannel(Digit::InputChannel, getExtent({Digit::InputChannel})));
  return indices;
}

SmallVector<Index> MapBuilder::getOutputIndices() const {
  SmallVector<Index> indices{{{{{Digit::Image}}}}};
  for (unsigned i = 0; i < spatial; ++i) {
    Index index{{{{Digit::Spatial, i}}}};
    if (isDgrad()) {
      // Image element h is under filter element r of output element p where
      // p * stride = h + low - r * dilation. Digits count from the filter's
      // end, so that the index grows with them.
      int64_t last = getExtent({Digit::Filter, i}) - 1;
      index.terms.push_back({{Digit::Filter, i}, dilation[i]});
      index.constant = low[i] - last * dilation[i];
      index.divisor = stride[i];
    }
    indices.push_back(index);
  }
  indices.push_back(
      getChannel(Digit::OutputChannel, getExtent({Digit::OutputChannel})));
  return indices;
}

SmallVector<Index> MapBuilder::getFilterIndices() const {
  SmallVector<Index> indices{
      getChannel(Digit::OutputChannel, getExtent({Digit::OutputChannel}))};
  for (unsigned i = 0; i < spatial; ++i) {
    Index index{{{{Digit::Filter, i}}}};
    // The image's index has the flip of the other kinds.
    if (isDgrad() && !conv.getFlipped()) {
      index.terms[0].coefficient = -1;
      index.constant = getExtent({Digit::Filter, i}) - 1;
    }
    indices.push_back(index);
  }
  indices.push_back({{{{Digit::InputChannel}}}});
  return indices;
}

MatrixMap
MapBuilder::makeMap(Value tensor, ArrayRef<Index> indices,
                    const std::array<SmallVector<DigitName>, 3> &digits) const {
  MatrixMap map;
  SmallVector<DigitName> all;
  for (auto [which, list] : llvm::enumerate(digits))
    for (DigitName digit : list) {
      map.digits[which].push_back(getExtent(digit));
      all.push_back(digit);
    }
  MemRefType type = getType(tensor);
  SmallVector<int64_t> strides = getStridesOf(type);
  for (auto [i, index] : llvm::enumerate(indices)) {
    MatrixMapDim &dim = map.dims.emplace_back();
    dim.extent = type.getDimSize(i);
    dim.stride = strides[i];
    dim.divisor = index.divisor;
    dim.constant = index.constant;
    dim.coefficients.assign(all.size(), 0);
    for (const Term &term : index.terms)
      if (auto *found = llvm::find(all, term.digit); found != all.end())
        dim.coefficients[found - all.begin()] += term.coefficient;
  }
  return map;
}

/// By how many elements a digit moves in a tensor; 0 where it does not.
int64_t MapBuilder::getDigitStride(Value tensor, ArrayRef<Index> indices,
                                   DigitName digit) const {
  SmallVector<int64_t> strides = getStridesOf(getType(tensor));
  int64_t result = 0;
  for (auto [i, index] : llvm::enumerate(indices))
    for (const Term &term : index.terms)
      if (term.digit == digit)
        result += std::abs(term.coefficient) * strides[i];
  return result;
}

/// Sorts digits so that the last one moves the least.
void MapBuilder::sortByStride(Value tensor, ArrayRef<Index> indices,
                              SmallVectorImpl<DigitName> &digits) const {
  llvm::stable_sort(digits, [&](DigitName x, DigitName y) {
    return getDigitStride(tensor, indices, x) >
           getDigitStride(tensor, indices, y);
  });
}

ConvMaps MapBuilder::build(bool batchImages) {
  ConvKind kind = conv.getKind();
  SmallVector<DigitName> filter, pixels, images{{Digit::Image}}, batch;
  for (unsigned i = 0; i < spatial; ++i) {
    filter.push_back({Digit::Filter, i});
    pixels.push_back({Digit::Spatial, i});
  }
  if (conv.getGroups() > 1)
    batch.push_back({Digit::Group});
  SmallVector<DigitName> rows, columns, depth;
  if (kind == ConvKind::Wgrad) {
    rows = {{Digit::OutputChannel}};
    columns = filter;
    columns.push_back({Digit::InputChannel});
    depth = images;
    depth.append(pixels);
  } else {
    if (batchImages)
      batch.insert(batch.begin(), images.front());
    else
      rows = images;
    rows.append(pixels);
    bool isFprop = kind == ConvKind::Fprop;
    columns = {{isFprop ? Digit::OutputChannel : Digit::InputChannel}};
    depth = filter;
    depth.push_back({isFprop ? Digit::InputChannel : Digit::OutputChannel});
  }
  SmallVector<Index> ofA = kind == ConvKind::Fprop ? getImageIndices()
                                                   : getOutputIndices(),
                     ofB = kind == ConvKind::Wgrad ? getImageIndices()
                                                   : getFilterIndices(),
                     ofD = kind == ConvKind::Fprop   ? getOutputIndices()
                           : kind == ConvKind::Dgrad ? getImageIndices()
                                                     : getFilterIndices();
  sortByStride(conv.getD(), ofD, rows);
  sortByStride(conv.getD(), ofD, columns);
  // Where neighbouring channels of A are neighbours in memory, they run
  // fastest: tensor copies take them together. Otherwise B is read as it lies.
  if (kind != ConvKind::Wgrad &&
      getDigitStride(conv.getA(), ofA, depth.back()) != 1)
    sortByStride(conv.getB(), ofB, depth);
  return {makeMap(conv.getA(), ofA, {batch, rows, depth}),
          makeMap(conv.getB(), ofB, {batch, depth, columns}),
          makeMap(conv.getD(), ofD, {batch, rows, columns})};
}

ConvMaps tile::getConvMaps(ConvOp conv, bool batchImages) {
  return MapBuilder(conv).build(batchImages);
}

MatrixMap tile::getMapLike(const MatrixMap &d, MemRefType type) {
  MatrixMap map = d;
  for (auto [dim, stride] : llvm::zip_equal(map.dims, getStridesOf(type)))
    dim.stride = stride;
  return map;
}

std::optional<std::array<int64_t, 3>>
tile::getMatrixStrides(const MatrixMap &map) {
  SmallVector<int64_t> digitStrides(map.countDigits(), 0), extents;
  for (const std::vector<int64_t> &list : map.digits)
    llvm::append_range(extents, list);
  for (const MatrixMapDim &dim : map.dims) {
    int64_t most = dim.constant;
    if (dim.divisor != 1 || dim.constant != 0)
      return std::nullopt;
    for (auto [i, coefficient] : llvm::enumerate(dim.coefficients)) {
      if (coefficient < 0 && extents[i] > 1)
        return std::nullopt;
      most += coefficient * (extents[i] - 1);
      digitStrides[i] += coefficient * dim.stride;
    }
    if (most >= dim.extent)
      return std::nullopt;
  }
  std::array<int64_t, 3> result = {0, 0, 0};
  for (int which = 0; which < 3; ++which) {
    // Of the digits that have more than one value, each spans the next.
    int64_t span = -1;
    size_t first = map.getFirstDigit(which);
    for (size_t i = map.digits[which].size(); i-- > 0;) {
      int64_t extent = map.digits[which][i], stride = digitStrides[first + i];
      if (extent == 1)
        continue;
      if (span < 0)
        result[which] = stride;
      else if (stride != span)
        return std::nullopt;
      span = stride * extent;
    }
    // A single row or column has any stride, also that of neighbours.
    if (span < 0 && which > 0)
      result[which] = 1;
  }
  return result;
}
