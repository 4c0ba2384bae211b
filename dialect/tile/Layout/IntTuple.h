// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested tuples of integers: shapes, strides and coordinates.
#ifndef TILE_LAYOUT_INTTUPLE_H
#define TILE_LAYOUT_INTTUPLE_H

#include "tile/Layout/Int.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tile {

/// An immutable nested tuple. A leaf is an integer, the wildcard `_` ("the
/// whole mode", in coordinates and tilers), or an integer scaled basis vector
/// `2@1@0` (a stride whose layout has coordinates as values).
///
/// A rank-1 tuple `(4)` differs from the leaf `4`.
class IntTuple {
public:
  /// The leaf 0.
  IntTuple() = default;
  IntTuple(int64_t constant) : value(constant) {}
  IntTuple(int constant) : value(constant) {}
  IntTuple(Int integer) : value(std::move(integer)) {}

  static IntTuple tuple(llvm::ArrayRef<IntTuple> elements);
  /// A tuple of constants.
  static IntTuple constants(llvm::ArrayRef<int64_t> values);
  static IntTuple wildcard();
  /// `scale` times the unit vector of the mode at `path`, outermost index
  /// first: basis(2, {0, 1}) prints as `2@1@0` (innermost first, as CuTe does).
  /// An empty path gives the plain integer.
  static IntTuple basis(Int scale, llvm::ArrayRef<int64_t> path);

  bool isTuple() const { return kind == Kind::Tuple; }
  bool isLeaf() const { return kind != Kind::Tuple; }
  bool isInt() const { return kind == Kind::Int; }
  bool isWildcard() const { return kind == Kind::Wildcard; }
  bool isBasis() const { return kind == Kind::Basis; }
  /// An integer leaf with this constant.
  bool isStatic(int64_t constant) const {
    return isInt() && value.isStatic(constant);
  }

  /// The integer of an Int leaf, or the scale of a basis leaf.
  const Int &getInt() const {
    assert((isInt() || isBasis()) && "no integer here");
    return value;
  }
  /// The mode path of a basis leaf, outermost first.
  llvm::ArrayRef<int64_t> getPath() const;
  /// Number of modes; 1 for a leaf.
  unsigned rank() const;
  /// Levels of nesting; 0 for a leaf.
  unsigned depth() const;
  /// The mode with this number; element 0 of a leaf is the leaf itself.
  const IntTuple &operator[](unsigned index) const;
  /// Modes for iteration (a leaf is one mode).
  unsigned size() const { return rank(); }
  const IntTuple *begin() const;
  const IntTuple *end() const { return begin() + size(); }
  llvm::ArrayRef<IntTuple> getModes() const { return {begin(), end()}; }

  /// Every leaf is a constant (or a basis with a constant scale).
  bool isStatic() const;
  bool hasWildcard() const;
  bool hasBasis() const;
  /// The reason of the first invalid integer inside, if there is one.
  std::optional<std::string> findInvalid() const;

  /// The leaves from left to right.
  llvm::SmallVector<IntTuple, 4> getLeaves() const;
  /// One flat tuple of the leaves; a leaf stays a leaf.
  IntTuple flatten() const;
  /// The tuple with `function` applied to each leaf.
  IntTuple
  mapLeaves(llvm::function_ref<IntTuple(const IntTuple &)> function) const;
  /// Symbols replaced by integers.
  IntTuple substitute(llvm::ArrayRef<Int> values) const;
  /// Every anonymous `?` as a symbol of its own, numbered from `next` on.
  IntTuple withSymbols(unsigned &next) const;
  /// Dynamic leaves without their expressions (the type of the tuple).
  IntTuple withoutExprs() const;

  bool operator==(const IntTuple &other) const;
  bool operator!=(const IntTuple &other) const { return !(*this == other); }

  /// Prints the house syntax: `(4, (2, ?{div = 8}), _)`, `1@0`.
  void print(llvm::raw_ostream &os, bool symbols = false) const;
  std::string str(bool symbols = false) const;

  /// Reads the house syntax or CuTe's printed form (`(_4,(_2,3))`). In the
  /// latter a number without underscore is known at run time only; `runTime`
  /// decides what it becomes (a constant by default).
  static Result<IntTuple>
  parse(llvm::StringRef text,
        llvm::function_ref<Int(int64_t)> runTime = nullptr);

private:
  enum class Kind : uint8_t { Int, Wildcard, Basis, Tuple };
  struct Storage;

  Int value;
  std::shared_ptr<const Storage> storage;
  Kind kind = Kind::Int;
};

llvm::hash_code hash_value(const IntTuple &tuple);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const IntTuple &tuple);

/// A mode path for messages: `[0, 1]`.
std::string printPath(llvm::ArrayRef<int64_t> path);

} // namespace tile

#endif // TILE_LAYOUT_INTTUPLE_H
