// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a lowered function on the host, and records its memory accesses.
#ifndef TILE_TEST_UNIT_ITERATORS_INTERPRETER_H
#define TILE_TEST_UNIT_ITERATORS_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace tile::test {

/// What iterators lower to is arithmetic on integers, loops and memory
/// accesses. The interpreter does just that, as the operations of upstream say:
/// a golden walk is compared with what the lowered IR does, not with a second
/// model of the lowering. Memory is not there; a load yields zeros, or what a
/// function says is at its address.

/// One memory access, also one whose predicate is off.
struct RecordedAccess {
  bool isStore = false;
  /// Bytes from the pointer that was passed in, and bytes of one element.
  int64_t address = 0, elementBytes = 1;
  /// The predicate of each element.
  std::vector<bool> lanes;
  /// The elements that are stored.
  std::vector<int64_t> values;
};

/// A scalar, or the elements of a vector.
using RuntimeValue = std::vector<int64_t>;

/// What a run leaves behind.
struct Recording {
  std::vector<RecordedAccess> accesses;
  std::vector<RuntimeValue> results;
  /// Operations that were run.
  int64_t steps = 0;
  /// Why the run ended early; empty if it did not.
  std::string error;
};

/// The accesses of a run that are made: whether it is a store, where, how wide,
/// and what is stored.
using MadeAccess =
    std::tuple<bool, int64_t, int64_t, size_t, std::vector<int64_t>>;
std::vector<MadeAccess> listAccesses(const Recording &recording);

/// A list of indices in memory: loads of it yield them, and are not recorded.
/// Reading beyond it is an error.
struct IndexMemory {
  std::vector<int64_t> values;
  int64_t elementBytes = 4;
  /// The argument that points to it.
  static RuntimeValue getPointer() { return {0, 1}; }
};

/// The element at an address, in bytes.
using MemoryContents = std::function<int64_t(int64_t address)>;

/// A function of one block, translated once and run for many threads. The
/// function must outlive it.
class Program {
public:
  explicit Program(mlir::func::FuncOp function);
  Program(Program &&);
  ~Program();

  Recording run(const std::vector<RuntimeValue> &arguments,
                MemoryContents memory = nullptr,
                const IndexMemory *indices = nullptr) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// Runs a function of one block once.
Recording run(mlir::func::FuncOp function,
              const std::vector<RuntimeValue> &arguments,
              MemoryContents memory = nullptr,
              const IndexMemory *indices = nullptr);

/// Parses a module and lowers its iterators; the error if that fails. With
/// `viaViews`, they are rewritten on views and layouts before.
mlir::OwningOpRef<mlir::ModuleOp> lower(mlir::MLIRContext &context,
                                        const std::string &text, bool unroll,
                                        std::string &error,
                                        bool viaViews = false);

/// The dialects that tests of iterators need.
void loadDialects(mlir::MLIRContext &context);

} // namespace tile::test

#endif // TILE_TEST_UNIT_ITERATORS_INTERPRETER_H
