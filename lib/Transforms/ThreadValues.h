// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an index is for each thread of a block, as far as that can be told.
#ifndef TILE_LIB_TRANSFORMS_THREADVALUES_H
#define TILE_LIB_TRANSFORMS_THREADVALUES_H

#include "mlir/IR/Value.h"
#include <optional>
#include <string>

namespace tile {

/// Evaluates index arithmetic on gpu.thread_id x. What is the same for all
/// threads but not known counts as 0 where it is added, so that the result is
/// right up to a number that all threads share; anywhere else it is a reason to
/// give up.
class ThreadValues {
public:
  /// The value of thread `thread`, or nothing, with a reason.
  std::optional<int64_t> evaluate(mlir::Value value, int64_t thread);
  /// Why the last value that could not be evaluated could not be.
  const std::string &getReason() const { return reason; }

private:
  /// `varies`: depends on the thread; `exact`: nothing was taken for 0.
  struct Number {
    int64_t value = 0;
    bool varies = false, exact = true;
  };
  std::optional<Number> compute(mlir::Value value, int64_t thread,
                                unsigned depth);
  std::optional<Number> fail(mlir::Value value);

  std::string reason;
};

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_THREADVALUES_H
