// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that are stored as permuted tensors, as layouts.
#ifndef TILE_LAYOUT_TENSORPERMUTES_H
#define TILE_LAYOUT_TENSORPERMUTES_H

#include "tile/Layout/Layout.h"

namespace tile {

// A matrix whose rows and columns are each split into digits is a tensor, and
// its digits may be stored in any order. That is a layout of the matrix. With
// M = 8 rows split as (4, 2), N = 6 columns as (3, 2), and the order column
// digit 0, row digit 0, column digit 1, row digit 1 (fastest first), the
// strides are the running product 1, 3, 12, 24 of the extents in that order:
//
//   ((4, 2), (3, 2)) : ((3, 24), (1, 12))
//
// A number of rows is split with its first digit fastest, as in every layout.

/// The compact layout of a tensor's digits in another order. Mode i of the
/// result has the extents `modes[i]`; `order` lists all digits, numbered
/// through, fastest first.
Result<Layout> permuteDigits(llvm::ArrayRef<llvm::SmallVector<Int, 4>> modes,
                             llvm::ArrayRef<int64_t> order);

/// The permutations that CUTLASS names, with the factors that it writes as
/// template parameters. Extents may be known at run time only; a factor that
/// does not divide its extent, or is not known to, is refused.

/// [M/a, a, b, N/b] -> [M/a, b, a, N/b], stored row-major. Its own inverse
/// with a and b exchanged.
Result<Layout> permute0213RowMajor(const Int &rows, const Int &columns,
                                   int64_t a, int64_t b);
/// The same on the column-major reading of the matrix: the first digit of each
/// extent is the fastest, and so it is in the result.
Result<Layout> permute0213ColumnMajor(const Int &rows, const Int &columns,
                                      int64_t a, int64_t b);
/// [M/a, a, b, c, N/(bc)] -> [b, M/a, c, a, N/(bc)], stored row-major.
Result<Layout> permute20314RowMajor(const Int &rows, const Int &columns,
                                    int64_t a, int64_t b, int64_t c);
/// [M/a, a, b, c, N/(bc)] -> [M/a, b, N/(bc), a, c], stored column-major.
Result<Layout> permute02413ColumnMajor(const Int &rows, const Int &columns,
                                       int64_t a, int64_t b, int64_t c);
/// Batches [B/a, a, M, N] -> [B/a, M, a, N], row-major: (row, column, batch).
Result<Layout> permuteBatch0213RowMajor(const Int &rows, const Int &columns,
                                        const Int &batches, int64_t a);
/// Batches [B/a, a, M, N] whose rows are followed by the a batches, then the
/// columns, column-major: (row, column, batch).
Result<Layout> permuteBatch0321ColumnMajor(const Int &rows, const Int &columns,
                                           const Int &batches, int64_t a);

/// The inverses walk a matrix that is stored so, the first two of the permuted
/// digits by the others, and lead back to where its elements came from; extents
/// are those that are walked, factors those of the permutation. (The inverse of
/// 0213 is 0213 with a and b exchanged.)

/// [b, M/b] by [c, a, N/(ac)] -> [M/b, a, b, c, N/(ac)], row-major.
Result<Layout> unpermute20314RowMajor(const Int &rows, const Int &columns,
                                      int64_t a, int64_t b, int64_t c);
/// [M/b, b] by [N/(ac), a, c] -> [M/b, a, b, c, N/(ac)], column-major.
Result<Layout> unpermute02413ColumnMajor(const Int &rows, const Int &columns,
                                         int64_t a, int64_t b, int64_t c);
/// Rows of a matrices -> matrices one behind the other: (row, column, batch).
Result<Layout> unpermuteBatch0213RowMajor(const Int &rows, const Int &columns,
                                          const Int &batches, int64_t a);
/// The same of columns, column-major.
Result<Layout> unpermuteBatch0321ColumnMajor(const Int &rows,
                                             const Int &columns,
                                             const Int &batches, int64_t a);

} // namespace tile

#endif // TILE_LAYOUT_TENSORPERMUTES_H
