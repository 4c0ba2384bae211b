// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of matrices that are stored with permuted modes.
#ifndef TILE_LAYOUT_PERMUTATIONS_H
#define TILE_LAYOUT_PERMUTATIONS_H

#include "tile/Layout/Layout.h"

namespace tile {

// A matrix whose rows and columns are split into modes, and which is stored
// with those modes in another order, is a layout with nested modes. An iterator
// over a view with such a layout permutes as it loads or stores: nothing else
// is needed. Two steps say which layout.
//
//   128 rows are (32, 4), 96 columns are (2, 48), slowest first. The modes are
//   numbered 0 1 | 2 3 and stored in the order 0 2 1 3:
//
//     row    i = 4 * i0 + i1
//     column j = 48 * j2 + j3
//     offset   = ((i0 * 2 + j2) * 4 + i1) * 48 + j3
//
//   which is ((4, 32), (48, 2)) : ((48, 384), (1, 192)).

/// The layout (rows, columns) of a matrix whose rows have the extents `rows`
/// and whose columns have the extents `columns`, both slowest first and
/// numbered in one go. They are stored compactly in the order `stored`, slowest
/// first, which names each mode once.
Result<Layout> getPermutedLayout(llvm::ArrayRef<Int> rows,
                                 llvm::ArrayRef<Int> columns,
                                 llvm::ArrayRef<unsigned> stored);

/// The permutations of a matrix that CUTLASS has names for: `digits` is 0213
/// (with `sizes` the extents of modes 1 and 2), 20314 or 02413 (those of modes
/// 1, 2 and 3). Modes 0 and 1 are the rows, the others the columns, numbered
/// from the slowest on for a row-major matrix (Tensor4DPermute0213RowMajor),
/// from the fastest on for a column-major one. The inverse takes a matrix that
/// is stored so, of the first two of the permuted modes by the others, back to
/// where it came from. Extents may be known at run time; constants are checked
/// to be divisible.
Result<Layout> getTensorPermutation(llvm::StringRef digits, bool columnMajor,
                                    bool inverse, const Int &rows,
                                    const Int &columns,
                                    llvm::ArrayRef<int64_t> sizes);

/// The layout (rows, columns, batch) of a batch of matrices, the rows (columns,
/// where column-major) of `size` of them stored one behind the other. Matrix z
/// is element (z mod size, z / size) of the batch mode:
///
///   Tensor4DPermuteBMM0213RowMajor: ((z / size * M + i) * size + z mod size)
///   * N + j; Tensor4DPermuteBMM0321ColumnMajor swaps rows and columns.
///
/// The inverse walks the long rows (columns), and goes to matrices that are
/// stored one behind the other.
Result<Layout> getBatchPermutation(bool columnMajor, bool inverse,
                                   const Int &rows, const Int &columns,
                                   int64_t size, const Int &batches);

} // namespace tile

#endif // TILE_LAYOUT_PERMUTATIONS_H
