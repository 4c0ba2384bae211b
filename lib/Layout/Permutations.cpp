// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of matrices that are stored with permuted modes.
#include "tile/Layout/Permutations.h"

using namespace tile;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

Result<Layout> tile::getPermutedLayout(ArrayRef<Int> rows,
                                       ArrayRef<Int> columns,
                                       ArrayRef<unsigned> stored) {
  SmallVector<Int> extents(rows);
  extents.append(columns.begin(), columns.end());
  if (stored.size() != extents.size())
    return Reason("expected an order of " + Twine(extents.size()) +
                  " modes, but got " + Twine(stored.size()));
  SmallVector<Int> strides(extents.size(), Int());
  Int stride = 1;
  for (unsigned mode : llvm::reverse(stored)) {
    if (mode >= extents.size() || !strides[mode].isStatic(0))
      return Reason("expected an order that names each of " +
                    Twine(extents.size()) + " modes once, but got " +
                    Twine(mode));
    strides[mode] = stride;
    stride = stride * extents[mode];
  }
  // Layouts have the fastest mode first.
  auto collect = [&](size_t begin, size_t end, ArrayRef<Int> values) {
    SmallVector<IntTuple> leaves;
    for (size_t i = end; i-- > begin;)
      leaves.push_back(values[i]);
    return leaves.size() == 1 ? leaves.front() : IntTuple::tuple(leaves);
  };
  size_t split = rows.size(), end = extents.size();
  return Layout::get(IntTuple::tuple({collect(0, split, extents),
                                      collect(split, end, extents)}),
                     IntTuple::tuple({collect(0, split, strides),
                                      collect(split, end, strides)}));
}

/// What is left of an extent after factors; a constant must be divisible.
static Result<Int> divide(const Int &extent, ArrayRef<int64_t> factors) {
  Int product = 1;
  for (int64_t factor : factors) {
    if (factor < 1)
      return Reason("expected positive extents of modes, but got " +
                    Twine(factor));
    product = product * Int(factor);
  }
  if (product.isInvalid())
    return Reason(product.getInvalidReason());
  if (extent.isStatic() && extent.getValue() % product.getValue() != 0)
    return Reason("expected an extent that is a multiple of " + product.str() +
                  ", but got " + extent.str());
  return floorDiv(extent, product);
}

Result<Layout> tile::getTensorPermutation(llvm::StringRef digits,
                                          bool columnMajor, bool inverse,
                                          const Int &rows, const Int &columns,
                                          ArrayRef<int64_t> sizes) {
  if (digits != "0213" && digits != "20314" && digits != "02413")
    return Reason("expected 0213, 20314 or 02413, but got " + digits);
  size_t rank = digits.size();
  if (sizes.size() + 2 != rank)
    return Reason("expected the extents of " + Twine(rank - 2) +
                  " modes, but got " + Twine(sizes.size()));
  SmallVector<unsigned> permuted, inOrder;
  for (char digit : digits) {
    inOrder.push_back(permuted.size());
    permuted.push_back(digit - '0');
  }
  // The modes of the matrix that is walked, of which two are its rows, and how
  // they are stored: by the number that they have before the permutation.
  ArrayRef<unsigned> walked = inverse ? permuted : inOrder;
  ArrayRef<unsigned> stored = inverse ? inOrder : permuted;
  // The first and the last mode have what the others leave.
  SmallVector<Int> extents(rank, Int());
  for (size_t i = 0; i < rank; ++i) {
    bool isRow = i < 2;
    unsigned mode = walked[i];
    if (mode != 0 && mode != rank - 1) {
      extents[mode] = sizes[mode - 1];
      continue;
    }
    SmallVector<int64_t> others;
    for (size_t k = isRow ? 0 : 2, e = isRow ? 2 : rank; k < e; ++k)
      if (k != i)
        others.push_back(sizes[walked[k] - 1]);
    Result<Int> left = divide(isRow ? rows : columns, others);
    if (!left)
      return left.takeReason();
    extents[mode] = *left;
  }
  // Row-major modes are numbered from the slowest on, column-major ones from
  // the fastest.
  SmallVector<unsigned> order;
  for (unsigned mode : stored)
    order.push_back(llvm::find(walked, mode) - walked.begin());
  SmallVector<Int> modes;
  for (unsigned mode : walked)
    modes.push_back(extents[mode]);
  if (!columnMajor)
    return getPermutedLayout(ArrayRef(modes).take_front(2),
                             ArrayRef(modes).drop_front(2), order);
  std::reverse(modes.begin(), modes.end());
  std::reverse(order.begin(), order.end());
  for (unsigned &number : order)
    number = rank - 1 - number;
  // Now the columns come first.
  Result<Layout> layout =
      getPermutedLayout(ArrayRef(modes).take_front(rank - 2),
                        ArrayRef(modes).take_back(2), order);
  if (!layout)
    return layout;
  return Layout::concat({(*layout)[1], (*layout)[0]});
}

Result<Layout> tile::getBatchPermutation(bool columnMajor, bool inverse,
                                         const Int &rows, const Int &columns,
                                         int64_t size, const Int &batches) {
  const Int &slow = columnMajor ? columns : rows;
  const Int &fast = columnMajor ? rows : columns;
  Int count = size;
  IntTuple slowShape = slow, fastShape = fast, batchShape = batches, slowStride,
           fastStride = 1, batchStride;
  if (inverse) {
    // A row of `size` matrices.
    Result<Int> length = divide(fast, {size});
    if (!length)
      return length.takeReason();
    slowStride = *length;
    fastShape = IntTuple::tuple({*length, count});
    fastStride = IntTuple::tuple({Int(1), *length * slow});
    batchStride = fast * slow;
  } else {
    Result<Int> groups = divide(batches, {size});
    if (!groups)
      return groups.takeReason();
    slowStride = fast * count;
    batchShape = IntTuple::tuple({count, *groups});
    batchStride = IntTuple::tuple({fast, fast * count * slow});
  }
  if (columnMajor) {
    std::swap(slowShape, fastShape);
    std::swap(slowStride, fastStride);
  }
  return Layout::get(IntTuple::tuple({slowShape, fastShape, batchShape}),
                     IntTuple::tuple({slowStride, fastStride, batchStride}));
}
