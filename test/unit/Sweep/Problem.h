// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One gemm problem of the sweep: sizes, types, where each operand lies,
// scalars.
#ifndef TILE_TEST_UNIT_SWEEP_PROBLEM_H
#define TILE_TEST_UNIT_SWEEP_PROBLEM_H

#include "Support/ElementType.h"

#include <array>
#include <optional>
#include <string>

namespace tile::sweep {

using Element = tile::ElementType;

/// Bytes of one element.
inline int64_t bytesOf(Element element) { return getInfo(element).bytes; }
/// The element type as MLIR and the manifest spell it.
inline const char *nameOf(Element element) {
  return getInfo(element).name.data();
}

/// What lies in the logical elements of an operand; Subnormal numbers are
/// random, too.
enum class Content { Random, NaN, Inf, Null, Subnormal };

/// Where an operand lies in memory and how its type says so.
struct Operand {
  /// Unit stride along the rows' index instead of the columns'.
  bool columnMajor = false;
  /// Elements between one line's end and the next one's start.
  int64_t padding = 0;
  /// Elements by which the base lies past a 256-byte boundary.
  int64_t offset = 0;
  /// Elements between the last line of a matrix and the next matrix of a batch.
  int64_t batchGap = 0;
  /// Rank 2 in a batched problem: one matrix for all batches.
  bool shared = false;
  /// Strides (batch, row, column) instead of those that the fields above give.
  std::optional<std::array<int64_t, 3>> strides;
  Content content = Content::Random;
};

/// How much of the operands the program knows when it is compiled.
enum class Typing {
  /// The unit stride is static, all else dynamic.
  UnitStride,
  /// Every extent and stride is dynamic.
  Dynamic,
  /// Every extent and stride is static.
  Static
};

/// D = alpha * A * B + beta * C.
struct Problem {
  /// The element type of A, and of the others that name none of their own; C
  /// has that of D.
  Element element = Element::F32;
  std::optional<Element> elementB, elementD;
  int64_t m = 1, n = 1, k = 1;
  /// Matrices of a batch; without a value all operands have rank 2.
  std::optional<int64_t> batch;
  Operand a, b, c, d;
  /// Whether the program has an operand C, and scalar beta with it.
  bool hasC = true;
  /// D is exactly C.
  bool inPlace = false;
  double alpha = 1, beta = 0;
  Typing typing = Typing::UnitStride;
  /// A schedule as text; empty: the compiler's choice.
  std::string schedule;
  /// The chip to compile for on the simulator; empty: sm_90a for narrow factors,
  /// else the setting's.
  std::string chip;
  /// The host function's name.
  std::string entry = "gemm";

  /// Whether factors of f32 are multiplied as tf32: the schedule asks for it.
  bool tf32 = false;
  /// Whether partial sums are promoted.
  bool promotedSums = false;
  /// How the schedule splits K: into so many parts of whole tiles of `tileK`.
  /// Part i is the first that counts for the i-th part of `tileM` rows, or
  /// columns where D is column-major.
  struct Split {
    int64_t parts = 1, tileM = 1, tileK = 1;
  } split;

  /// Whether factors have 16 or 8 bits, or are cut to tf32: sums are f32 or i32
  /// then, in any order.
  bool isNarrow() const { return bytesOf(element) < 4 || tf32; }
  /// Whether the problem has alpha, and beta if it has a C: integers have none.
  bool hasScalars() const { return !getInfo(element).isInteger(); }
  /// The type of alpha and beta.
  Element scalarType() const { return isNarrow() ? Element::F32 : element; }
  /// The problem in one line, for messages.
  std::string describe() const;
  /// Sets the order of A and B from two bits.
  void setOrders(int bits) {
    a.columnMajor = bits & 1;
    b.columnMajor = bits & 2;
  }
  /// Sets the padding of all operands, each different.
  void setPadding(bool padded) {
    a.padding = padded ? 3 : 0;
    b.padding = padded ? 5 : 0;
    c.padding = padded ? 2 : 0;
    d.padding = padded ? 7 : 0;
  }
  /// Sets pitches that are multiples of 16 bytes, as tensor maps need them,
  /// each with `blocks` times 16 bytes to spare.
  void setTensorPadding(int64_t blocks = 1);
};

/// Extents and strides (batch, row, column) of an operand, in elements, and the
/// range of its offsets.
struct Geometry {
  std::array<int64_t, 3> extents = {1, 1, 1}, strides = {0, 0, 1};
  /// Offsets of the lowest and the highest element from element (0, 0, 0).
  int64_t low = 0, high = 0;
  bool empty() const { return !extents[0] || !extents[1] || !extents[2]; }
  int64_t at(int64_t batch, int64_t row, int64_t column) const {
    return batch * strides[0] + row * strides[1] + column * strides[2];
  }
};

/// The geometry of operand `name` ('A' to 'D').
Geometry geometryOf(const Problem &problem, char name);

/// The element type of operand `name`.
Element elementOf(const Problem &problem, char name);

/// The operand `name`.
const Operand &operandOf(const Problem &problem, char name);

/// The program of a problem: a module with one entry. Problems with the
/// same text share one compiled program.
std::string programOf(const Problem &problem);

} // namespace tile::sweep

#endif // TILE_TEST_UNIT_SWEEP_PROBLEM_H
