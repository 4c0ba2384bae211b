// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor of any rank as the matrices of a GEMM, by an access map: what the
// im2col of a convolution is before anyone writes it to memory. Plain C++, for
// the runtime and for who checks results.
#ifndef TILE_FACTS_MATRIXMAP_H
#define TILE_FACTS_MATRIXMAP_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tile {

/// One dimension of the tensor: its extent, its stride in elements, and the
/// index that a matrix element has there,
///
///   (constant + sum of coefficients[i] * digit[i]) / divisor.
///
/// Where the division leaves a rest, or the index is outside of the extent, the
/// matrix element is 0.
struct MatrixMapDim {
  int64_t extent = 1, stride = 0, divisor = 1, constant = 0;
  /// One for each digit of the batch, the rows and the columns, in this order.
  std::vector<int64_t> coefficients;
};

/// Matrices whose elements are elements of a tensor, or 0. The number of a
/// matrix, a row and a column are each a number of several digits, the last of
/// which runs fastest.
///
/// Example: the image of a filter of 3 x 3 with a margin of 1 has rows of the
/// digits (n, p, q), columns of the digits (r, s, c), and the tensor's indices
/// are n, p + r - 1, q + s - 1 and c.
struct MatrixMap {
  /// Extents of the digits of the batch, the rows and the columns; none stand
  /// for an extent of 1.
  std::array<std::vector<int64_t>, 3> digits;
  std::vector<MatrixMapDim> dims;

  /// Matrices, rows or columns.
  int64_t getExtent(int which) const;
  size_t countDigits() const {
    return digits[0].size() + digits[1].size() + digits[2].size();
  }
  /// The digit of a kind as its number among all.
  size_t getFirstDigit(int which) const;

  /// Gives the index of an element in each dimension of the tensor; false where
  /// it is 0.
  bool findIndex(int64_t batch, int64_t row, int64_t column,
                 int64_t *index) const;

  /// The map as text, and back; the reason if the text is none, "" otherwise.
  std::string str() const;
  static std::string parse(std::string_view text, MatrixMap &map);
};

/// What is wrong with a map as a sentence; "" if nothing is. No offset or
/// extent of a sound map overflows.
std::string checkMatrixMap(const MatrixMap &map);

} // namespace tile

#endif // TILE_FACTS_MATRIXMAP_H
