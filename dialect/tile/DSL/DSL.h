// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language: C++ that stages tile operations as it runs.
#ifndef TILE_DSL_DSL_H
#define TILE_DSL_DSL_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace tile::dsl {

/// Where operations are staged: an insertion point and a location.
struct Scope {
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// An SSA value with arithmetic. Operands have one type: index, i32, i1 or a
/// float; integers are non-negative, so that division is unsigned. Constants
/// fold as they are staged.
class Val {
public:
  Val() = default;
  Val(Scope &scope, mlir::Value value) : scope(&scope), value(value) {}
  operator mlir::Value() const { return value; }
  mlir::Value get() const { return value; }
  mlir::Type getType() const { return value.getType(); }
  Scope &getScope() const { return *scope; }
  explicit operator bool() const { return static_cast<bool>(value); }

  /// The value in another integer type (index, i32, i64), zero-extended.
  Val cast(mlir::Type type) const;
  /// A constant of this value's type.
  Val constant(int64_t number) const;

private:
  Scope *scope = nullptr;
  mlir::Value value;
};

/// The variables that a loop carries, each under its own name: before the loop
/// they have the initial values, in its body those of the iteration, after it
/// the last ones. A variable is a `Val`, or a struct of some with a member
/// `carry(Carried &)`. One that is null is left alone, so that a kernel names
/// what it may carry, and only a kernel that has it pays.
///
///   Val acc = ..., stage = ...;
///   forLoop(scope, tiles, carry(acc, stage), [&](Val tile) {
///     acc = mma(atom, load(stage), b, acc);
///     stage = stage + 1;
///   });
///   store(acc);
class Carried {
public:
  void add(Val &variable) {
    if (variable)
      variables.push_back(&variable);
  }
  template <typename Struct>
  void add(Struct &variable) {
    variable.carry(*this);
  }
  llvm::ArrayRef<Val *> get() const { return variables; }

private:
  llvm::SmallVector<Val *> variables;
};

/// The variables, in this order; they must outlive the loop.
template <typename... Variables>
Carried carry(Variables &...variables) {
  Carried carried;
  (carried.add(variables), ...);
  return carried;
}

Val operator+(Val a, Val b);
Val operator-(Val a, Val b);
Val operator*(Val a, Val b);
/// Unsigned quotient and remainder.
Val operator/(Val a, Val b);
Val operator%(Val a, Val b);
Val operator+(Val a, int64_t b);
Val operator-(Val a, int64_t b);
Val operator*(Val a, int64_t b);
Val operator/(Val a, int64_t b);
Val operator%(Val a, int64_t b);
/// Unsigned comparisons; `==` on floats is ordered.
Val operator<(Val a, Val b);
Val operator<=(Val a, int64_t b);
Val operator>=(Val a, Val b);
Val equal(Val a, Val b);
/// Unsigned minimum; quotient rounded up; `condition ? a : b`.
Val min(Val a, Val b);
Val ceilDiv(Val a, int64_t b);
Val select(Val condition, Val a, Val b);
/// Of two conditions.
Val both(Val a, Val b);
Val either(Val a, Val b);

/// Constants.
Val indexConstant(Scope &scope, int64_t number);
Val floatConstant(Scope &scope, mlir::Type type, double number);
Val i32Constant(Scope &scope, int64_t number);
/// The vector with elements rounded to another float type.
Val truncate(Val vector, mlir::Type elementType);
/// The vector with elements extended to another float type.
Val extend(Val vector, mlir::Type elementType);
/// A vector of `size` zeros.
Val zeros(Scope &scope, mlir::Type elementType, int64_t size);
/// `size` copies of a scalar.
Val splat(Val scalar, int64_t size);
/// Elements [first, first + size) of a one-dimensional vector.
Val extractSlice(Val vector, int64_t first, int64_t size);
/// The elements of one-dimensional vectors, one after the other.
Val concatenate(llvm::ArrayRef<Val> vectors);
/// The vector followed by elements of no particular value, `size` in all.
Val widen(Val vector, int64_t size);
/// Sum of float vectors.
Val addf(Val a, Val b);
/// a * b + c, rounded once, element by element.
Val fma(Val a, Val b, Val c);
/// Element-wise product of float vectors.
Val mulf(Val a, Val b);

/// A leaf of a shape, stride or coordinate: a constant or a value, with what
/// is known to divide it.
struct Leaf {
  Leaf(int64_t constant) : constant(constant) {}
  Leaf(int constant) : constant(constant) {}
  Leaf(Val value, int64_t divisor = 1) : value(value), divisor(divisor) {}
  Val value;
  int64_t constant = 0;
  int64_t divisor = 1;
};

/// A tile iterator of the current thread.
class Iterator {
public:
  Iterator() = default;
  explicit Iterator(Val value) : value(value) {}
  Val get() const { return value; }
  void carry(Carried &carried) { carried.add(value); }
  IteratorType getType() const {
    return mlir::cast<IteratorType>(value.getType());
  }
  /// The view, the thread map, and the elements of a fragment.
  ViewType getView() const;
  ThreadMapAttrInterface getMap() const;
  int64_t getFragmentSize() const;

  /// The fragment of the current tile; masked elements are zero.
  Val load() const;
  /// The elements of `count` accesses from `first` on.
  Val load(int64_t first, int64_t count) const;
  void store(Val fragment) const;
  void store(Val fragment, int64_t first, int64_t count) const;
  /// Copies the current tile to that of another iterator with the same map.
  void copyTo(Iterator destination) const;
  /// Starts to copy the current tile, in global memory, to that of an iterator
  /// over shared memory with the same map.
  void copyAsyncTo(Iterator destination) const;
  /// The same of `count` accesses from `first` on.
  void copyAsyncTo(Iterator destination, int64_t first, int64_t count) const;
  /// The iterator at the next tile.
  Iterator advance() const;
  /// The iterator with every access masked if `condition` holds.
  Iterator clearMask(Val condition) const;
  /// The iterator `offset` elements further on.
  Iterator addPointerOffset(Val offset) const;
  Iterator addPointerOffset(int64_t offset) const;

private:
  Val value;
};

/// How an iterator walks: along `advance` (or not at all), predicated or not.
struct Walk {
  int64_t advance = IteratorType::kNoAdvance;
  bool predicated = false;
};

/// A view of memory.
class View {
public:
  View() = default;
  explicit View(Val value) : value(value) {}
  Val get() const { return value; }
  ViewType getType() const { return mlir::cast<ViewType>(value.getType()); }

  /// Thread `thread`'s iterator over tiles, at the tile that starts at
  /// (row, column).
  Iterator iterate(Leaf row, Leaf column, Val thread,
                   ThreadMapAttrInterface map, Walk walk) const;
  /// The two-dimensional view of one stage of a (rows, columns, stages) view.
  View stage(int64_t number) const;
  /// The view of the first two modes, at one place in each of the others.
  View at(llvm::ArrayRef<Leaf> rest) const;
  /// The same memory under another static layout, behind the same swizzle.
  View reshape(const Layout &layout) const;
  /// The `size` elements from a coordinate on along the dimension of stride 1,
  /// as one access of up to 16 bytes.
  Val load(llvm::ArrayRef<Leaf> coord, int64_t size) const;
  void store(Val vector, llvm::ArrayRef<Leaf> coord) const;

private:
  Val value;
};

/// A global view of two dimensions behind a pointer.
View makeView(Scope &scope, Val pointer, mlir::Type elementType,
              llvm::ArrayRef<Leaf> shape, llvm::ArrayRef<Leaf> stride,
              int64_t align = 1);
/// Shared memory with a static layout.
View allocShared(Scope &scope, mlir::Type elementType,
                 llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> stride);

/// Shared memory with a static layout behind a swizzle, its base aligned to
/// `align` bytes.
View allocShared(Scope &scope, mlir::Type elementType,
                 const ComposedLayout &layout, int64_t align);

/// for (i = first; i < last; i += step), all of one integer type.
void forRange(Scope &scope, Val first, Val last, Val step, Carried carried,
              llvm::function_ref<void(Val)> body);
/// for (i = 0; i < count; ++i).
void forLoop(Scope &scope, Val count, Carried carried,
             llvm::function_ref<void(Val)> body);
/// if (condition) then; else otherwise (which may be null).
void ifThen(Scope &scope, Val condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);

/// The barrier of the thread block.
void barrier(Scope &scope);
/// Closes a group of asynchronous copies of the thread.
void commitCopies(Scope &scope);
/// Waits until all but `pending` groups of copies are complete.
void waitCopies(Scope &scope, int64_t pending);
/// Index of the current thread and block along x, in index type.
Val threadId(Scope &scope);
Val blockId(Scope &scope);
/// Number of blocks along x, in index type.
Val gridSize(Scope &scope);

/// acc + a * b for one step of an atom.
Val mma(MmaAtomAttrInterface atom, Val a, Val b, Val acc);

} // namespace tile::dsl

#endif // TILE_DSL_DSL_H
