// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The points of a benchmark: problems, how they lie in memory, their schedules.
#ifndef TILE_LIB_BENCH_SUITE_H
#define TILE_LIB_BENCH_SUITE_H

#include "Support/ElementType.h"
#include "tile/Layout/Result.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tile::bench {

/// Matrices of a batch as they lie in memory. Strides and sizes count elements.
struct Placement {
  int64_t rows = 0, columns = 0, batch = 1;
  int64_t rowStride = 0, columnStride = 0, batchStride = 0;

  /// Distance of two lines, rows or columns, of contiguous elements.
  int64_t pitch() const { return transposed ? columnStride : rowStride; }
  /// Elements in a line.
  int64_t lineLength() const { return transposed ? rows : columns; }
  /// Number of lines of a matrix.
  int64_t lines() const { return transposed ? columns : rows; }
  /// Elements from the first to the end of the last line's pitch. The batch
  /// adds no padding of its own.
  int64_t elements() const { return batchStride * batch; }

  /// Whether the lines are columns.
  bool transposed = false;
};

/// D = alpha * A * B + beta * C: A is m by k, B is k by n, C and D are m by n
/// and row-major, with one matrix of each for each of the batch.
struct Point {
  /// Types of A, of B, and of C and D.
  const ElementTypeInfo *type = nullptr, *typeB = nullptr, *typeD = nullptr;
  /// Operands of f32 are multiplied as tf32.
  bool tf32 = false;
  int64_t m = 0, n = 0, k = 0, batch = 1;
  /// Whether the operand is column-major.
  bool transposeA = false, transposeB = false;
  /// Each pitch is its extent rounded up to a multiple of this.
  int64_t pitchMultiple = 1;
  /// Partial sums are promoted, by ours and by cuBLASLt.
  bool promotedSums = false;
  /// There is a C when beta is not 0.
  double alpha = 1, beta = 0;
  /// Schedules to try, as text; "default" is the one that the compiler selects.
  std::vector<std::string> schedules;
  /// What the point is an example of, such as "large"; for summaries.
  std::vector<std::string> classes;

  Placement a() const;
  Placement b() const;
  Placement d() const;
  /// Floating-point operations of the products, 2 m n k for each matrix.
  double flops() const;
  /// The types in words, for example "bf16" or "f8E4M3FN*f8E5M2:f32".
  std::string typeName() const;
  /// "n" or "t" for A and for B.
  std::string layoutName() const;
  /// The point in words, for example "f32 4096x4096x4096 nn".
  std::string label() const;
  /// Type of alpha and beta.
  const ElementTypeInfo &scalarType() const;
  /// Whether alpha is an argument: beta is one when there is a C.
  bool hasAlpha() const { return alpha != 1 || beta != 0; }
};

/// The type of D where a point does not say: that of the operands, for 8-bit
/// floats bf16, and for i8 i32.
const ElementTypeInfo *defaultResultType(const ElementTypeInfo &operand);

/// A number as C's %g writes it: 0.5, 2.
std::string formatNumber(double value);

/// Parses one point: a type, three extents, and optionally more, separated by
/// blanks or commas:
///
///   bf16 4095 4097 4099 nt pitch=8 batch=2 alpha=2 beta=1 @odd
///   f32 4095 4097 4099 nt #tile.simt<tile = [128, 128, 8], …>
///
/// The extent `=` repeats the one before. A type is that of all operands, or
/// `A:D`, or `A*B:D`, for example bf16:f32. The layout has a letter for A and
/// one for B: n is row-major, t column-major (the operand is stored
/// transposed). `@name` puts the point in a class. The reason does not repeat
/// the text.
Result<Point> parsePoint(llvm::StringRef text);

/// Parses a suite: points, one a line. `//` starts a comment line. Braces
/// abbreviate: `bf16 {16,64} {4096 512,512 4096} nt` is four points. A line of
/// classes alone, `@large`, is where the following points belong, up to the
/// next such line (`@` alone: none). The reason names the line.
Result<std::vector<Point>> parseSuite(llvm::StringRef text);

/// The lines that a line with braces stands for, the last brace varying
/// fastest: `a{b,c}{d,e}` is abd, abe, acd, ace.
Result<std::vector<std::string>> expandBraces(llvm::StringRef line);

/// Parses a file of schedules: one a line, `//` starts a comment line.
Result<std::vector<std::string>> parseSchedules(llvm::StringRef text);

/// The point as MLIR text: one function @gemm on the operands A, B, C if there
/// is one, D, and alpha and beta where they are not 1 and 0, with static
/// extents and strides, or with dynamic ones.
std::string formatProblem(const Point &point, bool dynamic);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_SUITE_H
