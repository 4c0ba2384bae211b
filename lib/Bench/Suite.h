// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The points of a benchmark: problems, how they lie in memory, their schedules.
#ifndef TILE_LIB_BENCH_SUITE_H
#define TILE_LIB_BENCH_SUITE_H

#include "ElementType.h"
#include "tile/Layout/Result.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tile::bench {

/// A matrix as it lies in memory. Strides and sizes count elements.
struct Placement {
  int64_t rows = 0, columns = 0;
  int64_t rowStride = 0, columnStride = 0;

  /// Distance of two lines, rows or columns, of contiguous elements.
  int64_t pitch() const { return transposed ? columnStride : rowStride; }
  /// Elements in a line.
  int64_t lineLength() const { return transposed ? rows : columns; }
  /// Number of lines.
  int64_t lines() const { return transposed ? columns : rows; }
  /// Elements from the first to the end of the last line's pitch.
  int64_t elements() const { return pitch() * lines(); }

  /// Whether the lines are columns.
  bool transposed = false;
};

/// D = A * B in one type: A is m by k, B is k by n, D is m by n and row-major.
struct Point {
  const ElementType *type = nullptr;
  int64_t m = 0, n = 0, k = 0;
  /// Whether the operand is column-major.
  bool transposeA = false, transposeB = false;
  /// Each pitch is its extent rounded up to a multiple of this.
  int64_t pitchMultiple = 1;
  /// Schedules to try, as text; "default" is the one that the compiler selects.
  std::vector<std::string> schedules;

  Placement a() const;
  Placement b() const;
  Placement d() const;
  /// Floating-point operations, 2 m n k.
  double flops() const;
  /// The point in words, for example "f32 4096x4096x4096 nn".
  std::string label() const;
};

/// Parses one point: a type, three extents, and optionally a layout, a pitch
/// and schedules, separated by blanks or commas:
///
///   f32 4095 4097 4099 nt pitch=4 #tile.simt<tile = [128, 128, 8], …>
///
/// The layout has a letter for A and one for B: n is row-major, t column-major
/// (the operand is stored transposed). The reason does not repeat the text.
Result<Point> parsePoint(llvm::StringRef text);

/// Parses a suite: one point a line, `//` starts a comment line. The reason
/// names the line.
Result<std::vector<Point>> parseSuite(llvm::StringRef text);

/// Parses a file of schedules: one a line, `//` starts a comment line.
Result<std::vector<std::string>> parseSchedules(llvm::StringRef text);

/// The point as MLIR text: one function @gemm on the operands A, B and D, with
/// static extents and strides, or with dynamic ones.
std::string formatProblem(const Point &point, bool dynamic);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_SUITE_H
