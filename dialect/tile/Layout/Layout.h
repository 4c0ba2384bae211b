// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts: functions from coordinates to indices, as a shape and a stride.
#ifndef TILE_LAYOUT_LAYOUT_H
#define TILE_LAYOUT_LAYOUT_H

#include "tile/Layout/IntTuple.h"

namespace tile {

// What a layout is
// ================
//
// A layout `shape : stride` is a function. Its domain is the set of
// coordinates inside the shape, its values are indices (or, with scaled-basis
// strides, coordinates again). `(4, 8) : (8, 1)` takes the coordinate (i, j)
// to 8 i + j: a row-major 4 x 8 matrix.
//
// Three kinds of coordinate name the same element of ((2, 2), 8) : ((1, 16),
// 2):
//   * hierarchical, ((1, 1), 3): 1*1 + 1*16 + 3*2                      = 23;
//   * one number a mode,  (3, 3): 3 in shape (2, 2) is (1, 1)          = 23;
//   * a single number,       15 : 15 in shape (4, 8) is (3, 3)         = 23.
// A number is split colexicographically: the first mode runs fastest. The
// last mode takes the whole rest, so a layout is defined beyond its size too:
// (4, 8) : (8, 1) maps 33 to (1, 8), that is 16.
//
// The algebra builds layouts from layouts. Its heart is composition,
// R(i) = A(B(i)). With A = (6, 2) : (8, 2) and B = (4, 3) : (3, 1), B walks A
// in steps of three: mode 0 of B visits A(0), A(3), A(6), A(9) = 0, 24, 2, 26,
// which is itself the layout (2, 2) : (24, 2), and mode 1 visits
// A(0), A(1), A(2) = 0, 8, 16. The two are independent (no carry from one
// into the other), so R = ((2, 2), 3) : ((24, 2), 8). Where the modes do
// carry into each other no layout with B's profile is the composition, and
// `composition` (Algebra.h) says which modes, where and by how much.
//
// Everything else is derived from it: a complement C of B covers what B leaves
// out, `logical_divide` is A o (B, C), `logical_product` repeats A over its
// complement, the inverses turn an index back into a coordinate.
//
// All values here are immutable and cheap to copy. Nothing asserts on input:
// what cannot be built comes back as a Result whose reason is one sentence.

/// One leaf mode of a layout: an extent and a stride (an integer or a scaled
/// basis vector).
struct LeafMode {
  Int extent;
  IntTuple stride;
};

/// A shape and a congruent stride.
class Layout {
public:
  /// The layout 1 : 0.
  Layout() : shape(1), stride(0) {}

  /// Checks that both have the same nesting, that extents are positive
  /// integers, that strides are integers or scaled basis vectors (of modes
  /// below 64) and that no integer has left the 64-bit range. The reason names
  /// the mode path.
  static Result<Layout> get(const IntTuple &shape, const IntTuple &stride);
  /// The compact layout of a shape, first mode fastest: (4, 8) : (1, 4). A
  /// mode of extent 1 gets stride 0.
  static Result<Layout> compact(const IntTuple &shape);
  /// One layout whose modes are the given layouts. Its size is invalid when
  /// the product of theirs leaves the 64-bit range.
  static Layout concat(llvm::ArrayRef<Layout> modes);
  /// The same with that checked.
  static Result<Layout> getConcat(llvm::ArrayRef<Layout> modes);

  const IntTuple &getShape() const { return shape; }
  const IntTuple &getStride() const { return stride; }

  /// Number of modes; 1 for a leaf.
  unsigned rank() const { return shape.rank(); }
  unsigned depth() const { return shape.depth(); }
  bool isLeaf() const { return shape.isLeaf(); }
  /// The mode with this number as a layout.
  Layout operator[](unsigned index) const;
  /// Extents and strides are constants.
  bool isStatic() const { return shape.isStatic() && stride.isStatic(); }
  /// Values are coordinates, not indices.
  bool hasBasis() const { return stride.hasBasis(); }
  /// The leaf modes from left to right.
  llvm::SmallVector<LeafMode, 4> getLeafModes() const;

  /// Number of coordinates: the product of the extents.
  Int size() const;
  /// Span of the image, max - min + 1: 4 : -2 has cosize 7. With basis
  /// strides, the product of the spans of the coordinate's modes.
  Int cosize() const;
  /// The span of the image a mode: a leaf for integer strides.
  IntTuple coshape() const;

  /// The value at a coordinate, which may be a single number, one number a
  /// mode, or as deep as the shape: an index, or a coordinate where the strides
  /// are scaled basis vectors. Works on constants and symbols.
  Result<IntTuple> operator()(const IntTuple &coordinate) const;
  /// The value at an index of a static layout with integer strides, for
  /// brute force. Wraps modulo 2^64 instead of reporting overflow.
  int64_t at(int64_t index) const;

  Layout substitute(llvm::ArrayRef<Int> values) const;
  /// Every anonymous `?` as a symbol of its own, shape before stride. Run an
  /// operation on the result, then `withoutExprs`, to infer the type of a
  /// dynamic result.
  Layout withSymbols(unsigned &next) const;
  Layout withoutExprs() const;

  bool operator==(const Layout &other) const {
    return shape == other.shape && stride == other.stride;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }

  /// Prints `(4, 8) : (1, 4)`.
  void print(llvm::raw_ostream &os, bool symbols = false) const;
  std::string str(bool symbols = false) const;
  /// Reads the house syntax or CuTe's printed form `(_4,_8):(_1,_4)`.
  static Result<Layout>
  parse(llvm::StringRef text,
        llvm::function_ref<Int(int64_t)> runTime = nullptr);

private:
  Layout(IntTuple shape, IntTuple stride)
      : shape(std::move(shape)), stride(std::move(stride)) {}

  IntTuple shape, stride;
};

llvm::hash_code hash_value(const Layout &layout);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Layout &layout);

/// Index of a coordinate: the sum of coordinate times stride over the leaves,
/// where a number that stands for a tuple of modes is split first.
Result<IntTuple> crd2idx(const IntTuple &coordinate, const IntTuple &shape,
                         const IntTuple &stride);
/// The same with the compact stride of the shape.
Result<IntTuple> crd2idx(const IntTuple &coordinate, const IntTuple &shape);
/// The coordinate with the shape's nesting that an index stands for: 23 in
/// (4, (2, 3)) is (3, (1, 2)). The last mode is not wrapped: 40 in (4, 8) is
/// (0, 10). Tuples of indices are split mode by mode.
Result<IntTuple> idx2crd(const IntTuple &index, const IntTuple &shape);

/// The sum of two layout values: integers, or coordinates, where the shorter
/// one is padded with zeros.
Result<IntTuple> addValues(const IntTuple &lhs, const IntTuple &rhs);
/// A stride (integer or basis vector) times a number.
IntTuple scaleStride(const IntTuple &stride, const Int &factor);
/// True when two stride leaves are equal in every run.
bool isSameStride(const IntTuple &lhs, const IntTuple &rhs);

} // namespace tile

#endif // TILE_LAYOUT_LAYOUT_H
