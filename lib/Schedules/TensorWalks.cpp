// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensors tensor copies can read as the operands of a GEMM.
#include "TensorWalks.h"

#include "Im2col.h"
#include "Kernel.h"

#include "tile/Atoms/TensorMapRules.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Most dimensions of a tensor map.
static constexpr size_t kMostDims = 5;
/// Most elements between the pixels of a box.
static constexpr int64_t kMostTraversal = 8;

namespace {

/// The search for one operand's walk.
class WalkFinder {
public:
  WalkFinder(StringRef name, MatrixMap map, int64_t dimK, int64_t tileK,
             int64_t elementBytes, bool pixelsAlongK = false)
      : name(name), elementBytes(elementBytes) {
    walk.map = std::move(map);
    walk.dimK = dimK;
    walk.tileK = tileK;
    walk.pixelsAlongK = pixelsAlongK;
  }

  Result<TensorWalk> find();

private:
  std::optional<Reason> checkTensor() const;
  std::optional<Reason> findTile();
  std::optional<Reason> findPixels();
  std::optional<unsigned> findDimOf(size_t digit) const;
  size_t getLastOfFilter() const;
  SmallVector<size_t> getPixelDigits() const;
  int64_t getDigitExtent(size_t digit) const;
  bool isOutermostPure(unsigned dim, size_t digit) const;
  Reason no(const Twine &why) const {
    return Reason("tensor copies cannot read " + Twine(name) +
                  " in place: " + why);
  }

  StringRef name;
  int64_t elementBytes;
  TensorWalk walk;
};

} // namespace

size_t WalkFinder::getLastOfFilter() const {
  int kind = walk.getFilterKind();
  return walk.map.getFirstDigit(kind) + walk.map.digits[kind].size() - 1;
}

int64_t WalkFinder::getDigitExtent(size_t digit) const {
  for (const std::vector<int64_t> &list : walk.map.digits) {
    if (digit < list.size())
      return list[digit];
    digit -= list.size();
  }
  return 1;
}

/// The digits of pixels, or of rows, that have more than one value.
SmallVector<size_t> WalkFinder::getPixelDigits() const {
  SmallVector<size_t> digits;
  int kind = walk.getPixelKind();
  size_t first = walk.map.getFirstDigit(kind);
  for (size_t i = 0; i < walk.map.digits[kind].size(); ++i)
    if (walk.map.digits[kind][i] > 1)
      digits.push_back(first + i);
  return digits;
}

/// The dimension in which alone a digit counts, by steps of 1.
std::optional<unsigned> WalkFinder::findDimOf(size_t digit) const {
  std::optional<unsigned> found;
  for (auto [i, dim] : llvm::enumerate(walk.map.dims)) {
    if (dim.coefficients[digit] == 0)
      continue;
    if (found || dim.coefficients[digit] != 1)
      return std::nullopt;
    found = i;
  }
  return found;
}

/// What every tensor map asks.
std::optional<Reason> WalkFinder::checkTensor() const {
  if (walk.map.digits[walk.getFilterKind()].empty())
    return no("its matrices are numbers");
  if (walk.map.dims.size() > kMostDims)
    return no("it has more than 5 dimensions");
  for (const MatrixMapDim &dim : walk.map.dims) {
    if (dim.divisor != 1)
      return no("some elements between those of the tensor are 0");
    if (dim.extent > TensorMapLimits::kMaxExtent)
      return no("it has an extent beyond 2^32");
    if (dim.extent > 1 && dim.stride != 1 &&
        (dim.stride == 0 ||
         dim.stride * elementBytes % TensorMapLimits::kAlignment != 0 ||
         dim.stride * elementBytes >= TensorMapLimits::kStrideEnd))
      return no("it has a stride of " + Twine(dim.stride) +
                " elements, and a tensor map needs multiples of 16 bytes");
  }
  return std::nullopt;
}

/// A tile of one digit of rows by the last one of K.
std::optional<Reason> WalkFinder::findTile() {
  size_t last = getLastOfFilter();
  SmallVector<size_t> rows = getPixelDigits();
  std::optional<unsigned> depth = findDimOf(last), row;
  if (rows.size() == 1)
    row = findDimOf(rows.front());
  if (!depth || !row || *depth == *row)
    return no("its rows and its columns are not dimensions of the tensor");
  bool kMajor = walk.map.dims[*depth].stride == 1;
  if (!kMajor && walk.map.dims[*row].stride != 1)
    return no("neither rows nor columns are contiguous");
  unsigned inner = kMajor ? *depth : *row, outer = kMajor ? *row : *depth;
  walk.order = {inner};
  for (unsigned i = 0; i < walk.map.dims.size(); ++i)
    if (i != inner && i != outer)
      walk.order.push_back(i);
  walk.order.push_back(outer);
  return std::nullopt;
}

/// Whether a dimension's index is a digit of rows, or one of the batch.
bool WalkFinder::isOutermostPure(unsigned number, size_t digit) const {
  const MatrixMapDim &dim = walk.map.dims[number];
  size_t batches = walk.map.digits[0].size();
  for (size_t i = batches; i < dim.coefficients.size(); ++i)
    if (i != digit && dim.coefficients[i] != 0 && getDigitExtent(i) > 1)
      return false;
  return dim.constant == 0;
}

/// Rows of pixels: of each digit but the first, a dimension over which a filter
/// moves.
std::optional<Reason> WalkFinder::findPixels() {
  size_t rank = walk.map.dims.size(), last = getLastOfFilter();
  int rows = walk.getPixelKind();
  std::optional<unsigned> depth = findDimOf(last);
  if (!depth || walk.map.dims[*depth].stride != 1)
    return no("neighbouring channels do not neighbour each other in memory");
  if (rank < 3)
    return no("it has no pixels");
  walk.order = {*depth};
  size_t first = walk.map.getFirstDigit(rows),
         count = walk.map.digits[rows].size();
  // Corners share bits, and so do offsets.
  int64_t corner = rank == 3 ? 1 << 15 : rank == 4 ? 128 : 16;
  int64_t mostOffset = rank == 3 ? 0xffff : rank == 4 ? 0xff : 0x1f;
  SmallVector<bool> used(rank, false);
  used[*depth] = true;
  for (size_t i = count; i-- > 0 && walk.order.size() + 1 < rank;) {
    std::optional<unsigned> found;
    for (unsigned number = 0; number < rank; ++number)
      if (walk.map.dims[number].coefficients[first + i] != 0) {
        if (found || used[number])
          return no("a digit of its rows moves in several dimensions");
        found = number;
      }
    if (!found)
      return no("a digit of its rows moves in no dimension");
    used[*found] = true;
    walk.order.push_back(*found);
    const MatrixMapDim &dim = walk.map.dims[*found];
    int64_t step = dim.coefficients[first + i], reach = 0;
    for (size_t j = 0; j < dim.coefficients.size(); ++j) {
      bool ofRows = j >= first && j < first + count;
      if (j == first + i || dim.coefficients[j] == 0 || getDigitExtent(j) == 1)
        continue;
      if (ofRows || j < walk.map.digits[0].size() || dim.coefficients[j] < 0)
        return no("pixels move in other ways than a filter's elements");
      reach += dim.coefficients[j] * (getDigitExtent(j) - 1);
    }
    int64_t upper = dim.constant + (getDigitExtent(first + i) - 1) * step -
                    (dim.extent - 1);
    if (step < 1 || step > kMostTraversal || reach > mostOffset ||
        dim.constant < -corner || dim.constant >= corner || upper < -corner ||
        upper >= corner)
      return no("its margins, strides or filter are too large for tensor "
                "copies of pixels");
    walk.lower.push_back(dim.constant);
    walk.upper.push_back(upper);
    walk.traversal.push_back(step);
  }
  // The outermost dimension counts images.
  auto *outermost = llvm::find(used, false);
  unsigned number = outermost - used.begin();
  if (walk.order.size() + 1 != rank || !isOutermostPure(number, first))
    return no("its rows are not the pixels of images");
  walk.order.push_back(number);
  return std::nullopt;
}

Result<TensorWalk> WalkFinder::find() {
  if (std::optional<Reason> reason = checkTensor())
    return *reason;
  bool pixels = walk.pixelsAlongK || getPixelDigits().size() > 1;
  if (std::optional<Reason> reason = pixels ? findPixels() : findTile())
    return *reason;
  const MatrixMapDim &inner = walk.map.dims[*findDimOf(getLastOfFilter())];
  int64_t extent = getDigitExtent(getLastOfFilter());
  if (walk.pixelsAlongK) {
    // A chunk of neighbours is as wide as the swizzle.
    int64_t chunk = 128 / elementBytes;
    if (extent % chunk != 0)
      return no("its " + Twine(extent) + " channels are no multiple of " +
                Twine(chunk));
    return walk;
  }
  // What is past the last digit of K must read as zeros, and not as another
  // group's elements.
  if (extent % walk.tileK != 0 &&
      (inner.extent != extent || inner.constant != 0))
    return no("K of a group, " + Twine(extent) +
              ", is not a multiple of the tile's " + Twine(walk.tileK));
  return walk;
}

/// The map of an operand with strides, over the digits of K that the other one
/// has; nothing if its strides are not known.
static std::optional<MatrixMap> makeMap(Value operand, int64_t dimK,
                                        const std::vector<int64_t> &depth) {
  auto type = cast<MemRefType>(operand.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  MatrixMap map;
  bool batched = type.getRank() == 3;
  int64_t lead = batched ? 1 : 0;
  if (batched)
    map.digits[0] = {type.getDimSize(0)};
  map.digits[1 + dimK] = depth;
  map.digits[2 - dimK] = {type.getDimSize(lead + 1 - dimK)};
  size_t count = map.countDigits();
  auto add = [&](int64_t extent, int64_t stride, size_t digit) {
    MatrixMapDim &dim = map.dims.emplace_back();
    dim.extent = extent;
    dim.stride = stride;
    dim.coefficients.assign(count, 0);
    dim.coefficients[digit] = 1;
  };
  if (batched)
    add(type.getDimSize(0), strides[0], 0);
  // Digits of K with a stride each, of which neighbours that nest are one.
  int64_t stride = strides[lead + dimK];
  size_t first = map.getFirstDigit(static_cast<int>(1 + dimK));
  int64_t inner = depth.back(), outer = 1;
  add(inner, stride, first + depth.size() - 1);
  for (size_t i = 0; i + 1 < depth.size(); ++i)
    outer *= depth[i];
  if (outer > 1) {
    MatrixMapDim &dim = map.dims.emplace_back();
    dim.extent = outer;
    dim.stride = stride * inner;
    dim.coefficients.assign(count, 0);
    int64_t weight = 1;
    for (size_t i = depth.size() - 1; i-- > 0; weight *= depth[i])
      dim.coefficients[first + i] = weight;
  }
  add(type.getDimSize(lead + 1 - dimK), strides[lead + 1 - dimK],
      map.getFirstDigit(static_cast<int>(2 - dimK)));
  return map;
}

Result<TensorWalks> tile::planTensorWalks(GemmOp gemm, int64_t tileK) {
  Im2colAttr a = getIm2col(gemm.getA()), b = getIm2col(gemm.getB());
  std::optional<MatrixMap> mapA, mapB;
  int64_t bytes =
      cast<MemRefType>(gemm.getA().getType()).getElementTypeBitWidth() / 8;
  // Pixels along K beside a matrix whose rows are pixels, too.
  if (!a && b && getKnownUnitDim(gemm.getA()) == 0) {
    Result<TensorWalk> walk = WalkFinder("B", b.getMatrixMap(), /*dimK=*/0,
                                         tileK, bytes, /*pixelsAlongK=*/true)
                                  .find();
    if (walk)
      return TensorWalks{std::nullopt, *walk};
    return walk.takeReason();
  }
  if (a)
    mapA = a.getMatrixMap();
  if (b)
    mapB = b.getMatrixMap();
  if (mapA && !mapB && !mapA->digits[2].empty())
    mapB = makeMap(gemm.getB(), /*dimK=*/0, mapA->digits[2]);
  if (mapB && !mapA && !mapB->digits[1].empty())
    mapA = makeMap(gemm.getA(), /*dimK=*/1, mapB->digits[1]);
  if (!mapA || !mapB || mapA->digits[2] != mapB->digits[1])
    return Reason("tensor copies read A and B in place where both are tensors "
                  "of known strides, with the same digits of K");
  Result<TensorWalk> walkA =
      WalkFinder("A", *mapA, /*dimK=*/1, tileK, bytes).find();
  if (!walkA)
    return walkA.takeReason();
  Result<TensorWalk> walkB =
      WalkFinder("B", *mapB, /*dimK=*/0, tileK, bytes).find();
  if (!walkB)
    return walkB.takeReason();
  return TensorWalks{*walkA, *walkB};
}

bool tile::fitsTensorWalks(WarpSpecializedScheduleAttr schedule,
                           const TensorWalks &walks, bool swapped) {
  if (!walks.b->pixelsAlongK)
    return true;
  // Of 16 bits, the only ones that wgmma transposes.
  constexpr int64_t chunk = 64;
  return schedule.getTile()[swapped ? 0 : 1] % chunk == 0;
}
