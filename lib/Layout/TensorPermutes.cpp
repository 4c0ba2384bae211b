// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that are stored as permuted tensors, as layouts.
#include "tile/Layout/TensorPermutes.h"

#include <optional>

using namespace tile;

using Digits = llvm::SmallVector<Int, 4>;

Result<Layout> tile::permuteDigits(llvm::ArrayRef<Digits> modes,
                                   llvm::ArrayRef<int64_t> order) {
  llvm::SmallVector<Int> extents;
  for (const Digits &mode : modes)
    extents.append(mode.begin(), mode.end());
  llvm::SmallVector<std::optional<Int>> strides(extents.size());
  Int stride = 1;
  for (int64_t digit : order) {
    if (digit < 0 || digit >= int64_t(extents.size()) || strides[digit])
      return Reason("expected each of the " + std::to_string(extents.size()) +
                    " digits once in the order, but got digit " +
                    std::to_string(digit));
    strides[digit] = stride;
    stride = stride * extents[digit];
  }
  if (order.size() != extents.size())
    return Reason("expected each of the " + std::to_string(extents.size()) +
                  " digits once in the order, but got " +
                  std::to_string(order.size()) + " digits");
  llvm::SmallVector<IntTuple> shapes, steps;
  unsigned next = 0;
  for (const Digits &mode : modes) {
    llvm::SmallVector<IntTuple> shape, step;
    for (const Int &extent : mode) {
      shape.push_back(extent);
      step.push_back(*strides[next++]);
    }
    bool isLeaf = mode.size() == 1;
    shapes.push_back(isLeaf ? shape[0] : IntTuple::tuple(shape));
    steps.push_back(isLeaf ? step[0] : IntTuple::tuple(step));
  }
  return Layout::get(IntTuple::tuple(shapes), IntTuple::tuple(steps));
}

/// `extent` / `factor`, or why the factor does not split the extent.
static Result<Int> split(const char *what, const Int &extent, int64_t factor) {
  if (factor < 1)
    return Reason("expected a positive factor of the " + std::string(what) +
                  ", but got " + std::to_string(factor));
  if (extent.isMultipleOf(factor))
    return floorDiv(extent, factor);
  std::string known = extent.isStatic()
                          ? std::to_string(extent.getValue())
                          : "a number known to be a multiple of " +
                                std::to_string(extent.getDivisor());
  return Reason("expected " + std::string(what) + " that are a multiple of " +
                std::to_string(factor) + ", but got " + known);
}

/// The factor of two along the columns, unless it overflows.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? 0 : product;
}

Result<Layout> tile::permute0213RowMajor(const Int &rows, const Int &columns,
                                         int64_t a, int64_t b) {
  Result<Int> i = split("rows", rows, a), l = split("columns", columns, b);
  if (!i || !l)
    return i ? l.takeReason() : i.takeReason();
  // Row-major: the last digit of a row number is the fastest.
  return permuteDigits({Digits{a, *i}, Digits{*l, b}}, {2, 0, 3, 1});
}

Result<Layout> tile::permute0213ColumnMajor(const Int &rows, const Int &columns,
                                            int64_t a, int64_t b) {
  Result<Int> i = split("rows", rows, a), l = split("columns", columns, b);
  if (!i || !l)
    return i ? l.takeReason() : i.takeReason();
  return permuteDigits({Digits{*i, a}, Digits{b, *l}}, {0, 2, 1, 3});
}

Result<Layout> tile::permute20314RowMajor(const Int &rows, const Int &columns,
                                          int64_t a, int64_t b, int64_t c) {
  Result<Int> i = split("rows", rows, a),
              m = split("columns", columns, multiply(b, c));
  if (!i || !m)
    return i ? m.takeReason() : i.takeReason();
  return permuteDigits({Digits{a, *i}, Digits{*m, c, b}}, {2, 0, 3, 1, 4});
}

Result<Layout> tile::permute02413ColumnMajor(const Int &rows,
                                             const Int &columns, int64_t a,
                                             int64_t b, int64_t c) {
  Result<Int> i = split("rows", rows, a),
              m = split("columns", columns, multiply(b, c));
  if (!i || !m)
    return i ? m.takeReason() : i.takeReason();
  return permuteDigits({Digits{*i, a}, Digits{b, c, *m}}, {0, 2, 4, 1, 3});
}

Result<Layout> tile::permuteBatch0213RowMajor(const Int &rows,
                                              const Int &columns,
                                              const Int &batches, int64_t a) {
  Result<Int> i = split("batches", batches, a);
  if (!i)
    return i.takeReason();
  return permuteDigits({Digits{rows}, Digits{columns}, Digits{a, *i}},
                       {1, 2, 0, 3});
}

Result<Layout> tile::permuteBatch0321ColumnMajor(const Int &rows,
                                                 const Int &columns,
                                                 const Int &batches,
                                                 int64_t a) {
  Result<Int> i = split("batches", batches, a);
  if (!i)
    return i.takeReason();
  return permuteDigits({Digits{rows}, Digits{columns}, Digits{a, *i}},
                       {0, 2, 1, 3});
}

Result<Layout> tile::unpermute20314RowMajor(const Int &rows, const Int &columns,
                                            int64_t a, int64_t b, int64_t c) {
  Result<Int> i = split("rows", rows, b),
              m = split("columns", columns, multiply(a, c));
  if (!i || !m)
    return i ? m.takeReason() : i.takeReason();
  return permuteDigits({Digits{*i, b}, Digits{*m, a, c}}, {2, 4, 1, 3, 0});
}

Result<Layout> tile::unpermute02413ColumnMajor(const Int &rows,
                                               const Int &columns, int64_t a,
                                               int64_t b, int64_t c) {
  Result<Int> i = split("rows", rows, b),
              m = split("columns", columns, multiply(a, c));
  if (!i || !m)
    return i ? m.takeReason() : i.takeReason();
  return permuteDigits({Digits{*i, b}, Digits{*m, a, c}}, {0, 3, 1, 4, 2});
}

Result<Layout> tile::unpermuteBatch0213RowMajor(const Int &rows,
                                                const Int &columns,
                                                const Int &batches, int64_t a) {
  Result<Int> j = split("columns", columns, a);
  if (!j)
    return j.takeReason();
  return permuteDigits({Digits{rows}, Digits{*j, a}, Digits{batches}},
                       {1, 0, 2, 3});
}

Result<Layout> tile::unpermuteBatch0321ColumnMajor(const Int &rows,
                                                   const Int &columns,
                                                   const Int &batches,
                                                   int64_t a) {
  Result<Int> i = split("rows", rows, a);
  if (!i)
    return i.takeReason();
  return permuteDigits({Digits{*i, a}, Digits{columns}, Digits{batches}},
                       {0, 2, 1, 3});
}
