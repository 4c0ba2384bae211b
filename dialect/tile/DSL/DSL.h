// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language: C++ that stages tile operations as it runs.
#ifndef TILE_DSL_DSL_H
#define TILE_DSL_DSL_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace tile::dsl {

/// A line of the C++ that stages a kernel. What a kernel calls has one as its
/// last argument, by default that of the call.
struct CallSite {
  const char *file = nullptr;
  unsigned line = 0;

  static constexpr CallSite here(const char *file = __builtin_FILE(),
                                 unsigned line = __builtin_LINE()) {
    return CallSite{file, line};
  }
};

/// Where operations are staged: an insertion point and a location.
struct Scope {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Operations have the place of the call that stages them, instead of one
  /// location for all, so that a diagnostic and a report of the simulator name
  /// the line of C++. A schedule leaves it off: its lines tell a user nothing.
  bool locatesCalls = false;
  /// A mistake was reported. What follows from it is not.
  bool hasFailed = false;
  /// Functions of the language that are running; see `Call`.
  unsigned depth = 0;
};

/// A function of the language while it runs: what it stages has the place of
/// its call, also through other functions. A function of your own that has one
/// counts as one line as well.
class Call {
public:
  Call(Scope &scope, CallSite site);
  ~Call() { scope.depth = depth; }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

private:
  Scope &scope;
  unsigned depth;
};

/// The body of a loop or an epilogue while a function of the language runs it:
/// its lines are the caller's again.
class Body {
public:
  explicit Body(Scope &scope, unsigned depth = 0)
      : scope(scope), depth(scope.depth), loc(scope.loc) {
    scope.depth = depth;
  }
  ~Body() {
    scope.depth = depth;
    scope.loc = loc;
  }
  Body(const Body &) = delete;
  Body &operator=(const Body &) = delete;

private:
  Scope &scope;
  unsigned depth;
  mlir::Location loc;
};

/// Reports a mistake where the scope is, unless one was reported before.
void reportMistake(Scope &scope, const llvm::Twine &sentence);

/// An SSA value with arithmetic. Operands have one type: index, i32, i1 or a
/// float, or vectors of one; integers are non-negative, so that division is
/// unsigned. Constants fold as they are staged. A value that was never set, or
/// types that do not fit, are reported once, and what they are used for is not
/// set either.
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
  Val cast(mlir::Type type, CallSite site = CallSite::here()) const;
  /// A constant of this value's type.
  Val constant(int64_t number, CallSite site = CallSite::here()) const;

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

/// The left side of an operator. Operators have no default arguments: the place
/// comes with the conversion.
struct Term {
  Term(Val value, CallSite site = CallSite::here())
      : value(value), site(site) {}
  Val value;
  CallSite site;
};

Val operator+(Term a, Val b);
Val operator-(Term a, Val b);
Val operator*(Term a, Val b);
/// Unsigned quotient and remainder; of floats, the quotient.
Val operator/(Term a, Val b);
Val operator%(Term a, Val b);
Val operator+(Term a, int64_t b);
Val operator-(Term a, int64_t b);
Val operator*(Term a, int64_t b);
Val operator/(Term a, int64_t b);
Val operator%(Term a, int64_t b);
/// Unsigned comparisons.
Val operator<(Term a, Val b);
Val operator<=(Term a, int64_t b);
Val operator>=(Term a, Val b);
/// Of floats, ordered.
Val equal(Val a, Val b, CallSite site = CallSite::here());
/// Unsigned minimum; quotient rounded up; `condition ? a : b`.
Val min(Val a, Val b, CallSite site = CallSite::here());
Val ceilDiv(Val a, int64_t b, CallSite site = CallSite::here());
Val select(Val condition, Val a, Val b, CallSite site = CallSite::here());
/// Of two conditions.
Val both(Val a, Val b, CallSite site = CallSite::here());
Val either(Val a, Val b, CallSite site = CallSite::here());

/// Constants.
Val indexConstant(Scope &scope, int64_t number,
                  CallSite site = CallSite::here());
Val floatConstant(Scope &scope, mlir::Type type, double number,
                  CallSite site = CallSite::here());
Val i32Constant(Scope &scope, int64_t number, CallSite site = CallSite::here());
/// The vector with elements rounded to another float type.
Val truncate(Val vector, mlir::Type elementType,
             CallSite site = CallSite::here());
/// The vector with elements extended to another float type.
Val extend(Val vector, mlir::Type elementType,
           CallSite site = CallSite::here());
/// A vector of `size` zeros.
Val zeros(Scope &scope, mlir::Type elementType, int64_t size,
          CallSite site = CallSite::here());
/// `size` copies of a scalar.
Val splat(Val scalar, int64_t size, CallSite site = CallSite::here());
/// Elements [first, first + size) of a one-dimensional vector.
Val extractSlice(Val vector, int64_t first, int64_t size,
                 CallSite site = CallSite::here());
/// The elements of one-dimensional vectors, one after the other.
Val concatenate(llvm::ArrayRef<Val> vectors, CallSite site = CallSite::here());
/// The vector followed by elements of no particular value, `size` in all.
Val widen(Val vector, int64_t size, CallSite site = CallSite::here());
/// Sum of float vectors.
Val addf(Val a, Val b, CallSite site = CallSite::here());
/// a * b + c, rounded once, element by element.
Val fma(Val a, Val b, Val c, CallSite site = CallSite::here());
/// Element-wise product of float vectors.
Val mulf(Val a, Val b, CallSite site = CallSite::here());
/// The greater of two floats, or of each two elements; NaN where one is.
Val maximum(Val a, Val b, CallSite site = CallSite::here());
/// 2 to the power of each element, f32, by the approximate instruction.
Val exp2(Val a, CallSite site = CallSite::here());

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
  Val load(CallSite site = CallSite::here()) const;
  /// The elements of `count` accesses from `first` on.
  Val load(int64_t first, int64_t count,
           CallSite site = CallSite::here()) const;
  void store(Val fragment, CallSite site = CallSite::here()) const;
  void store(Val fragment, int64_t first, int64_t count,
             CallSite site = CallSite::here()) const;
  /// Copies the current tile to that of another iterator with the same map.
  void copyTo(Iterator destination, CallSite site = CallSite::here()) const;
  /// Starts to copy the current tile, in global memory, to that of an iterator
  /// over shared memory with the same map.
  void copyAsyncTo(Iterator destination,
                   CallSite site = CallSite::here()) const;
  /// The same of `count` accesses from `first` on.
  void copyAsyncTo(Iterator destination, int64_t first, int64_t count,
                   CallSite site = CallSite::here()) const;
  /// The iterator at the next tile.
  Iterator advance(CallSite site = CallSite::here()) const;
  /// The iterator with every access masked if `condition` holds.
  Iterator clearMask(Val condition, CallSite site = CallSite::here()) const;
  /// The iterator `offset` elements further on.
  Iterator addPointerOffset(Val offset, CallSite site = CallSite::here()) const;
  Iterator addPointerOffset(int64_t offset,
                            CallSite site = CallSite::here()) const;

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
                   ThreadMapAttrInterface map, Walk walk,
                   CallSite site = CallSite::here()) const;
  /// The two-dimensional view of one stage of a (rows, columns, stages) view.
  View stage(int64_t number, CallSite site = CallSite::here()) const;
  /// The view of the first two modes, at one place in each of the others.
  View at(llvm::ArrayRef<Leaf> rest, CallSite site = CallSite::here()) const;
  /// The same memory under another static layout, behind the same swizzle.
  View reshape(const Layout &layout, CallSite site = CallSite::here()) const;
  /// The same memory with rows and columns exchanged, of a static layout.
  View transpose(CallSite site = CallSite::here()) const;
  /// The `size` elements from a coordinate on along the dimension of stride 1,
  /// as one access of up to 16 bytes.
  Val load(llvm::ArrayRef<Leaf> coord, int64_t size,
           CallSite site = CallSite::here()) const;
  void store(Val vector, llvm::ArrayRef<Leaf> coord,
             CallSite site = CallSite::here()) const;

private:
  Val value;
};

/// A global view of any number of dimensions behind a pointer.
View makeView(Scope &scope, Val pointer, mlir::Type elementType,
              llvm::ArrayRef<Leaf> shape, llvm::ArrayRef<Leaf> stride,
              int64_t align = 1, CallSite site = CallSite::here());
/// Shared memory with a static layout.
View allocShared(Scope &scope, mlir::Type elementType,
                 llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> stride,
                 CallSite site = CallSite::here());

/// Shared memory with a static layout behind a swizzle, its base aligned to
/// `align` bytes.
View allocShared(Scope &scope, mlir::Type elementType,
                 const ComposedLayout &layout, int64_t align,
                 CallSite site = CallSite::here());

/// The same, of a layout as text: `S<5, 0, 5> o 0 o (32, 32) : (32, 1)`.
View allocShared(Scope &scope, mlir::Type elementType, llvm::StringRef layout,
                 int64_t align, CallSite site = CallSite::here());

/// for (i = first; i < last; i += step), all of one integer type.
void forRange(Scope &scope, Val first, Val last, Val step, Carried carried,
              llvm::function_ref<void(Val)> body,
              CallSite site = CallSite::here());
/// for (i = 0; i < count; ++i).
void forLoop(Scope &scope, Val count, Carried carried,
             llvm::function_ref<void(Val)> body,
             CallSite site = CallSite::here());
/// if (condition) then; else otherwise (which may be null).
void ifThen(Scope &scope, Val condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr,
            CallSite site = CallSite::here());

/// The barrier of the thread block.
void barrier(Scope &scope, CallSite site = CallSite::here());
/// Closes a group of asynchronous copies of the thread.
void commitCopies(Scope &scope, CallSite site = CallSite::here());
/// Waits until all but `pending` groups of copies are complete.
void waitCopies(Scope &scope, int64_t pending,
                CallSite site = CallSite::here());
/// Index of the current thread and block along x, in index type.
Val threadId(Scope &scope, CallSite site = CallSite::here());
Val blockId(Scope &scope, CallSite site = CallSite::here());
/// Number of blocks along x, in index type.
Val gridSize(Scope &scope, CallSite site = CallSite::here());

/// acc + a * b for one step of an atom.
Val mma(MmaAtomAttrInterface atom, Val a, Val b, Val acc,
        CallSite site = CallSite::here());

/// An attribute from its text, such as a thread map or an atom; null after a
/// mistake.
mlir::Attribute parseAttribute(Scope &scope, llvm::StringRef text,
                               CallSite site = CallSite::here());

/// The same, of a kind: `parse<ThreadMapAttrInterface>(scope, "#tile…")`.
template <typename Attr>
Attr parse(Scope &scope, llvm::StringRef text,
           CallSite site = CallSite::here()) {
  mlir::Attribute attribute = parseAttribute(scope, text, site);
  auto found = mlir::dyn_cast_or_null<Attr>(attribute);
  if (attribute && !found) {
    Call call(scope, site);
    reportMistake(scope,
                  "expected another kind of attribute, but got '" + text + "'");
  }
  return found;
}

} // namespace tile::dsl

#endif // TILE_DSL_DSL_H
