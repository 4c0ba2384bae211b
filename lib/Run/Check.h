// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is the result right, and was nothing else written?
#ifndef TILE_LIB_RUN_CHECK_H
#define TILE_LIB_RUN_CHECK_H

#include "Arguments.h"
#include "Support/Reference.h"

namespace tile {

/// The contents of each tensor's allocation after the launch; null for scalars,
/// null pointers, and tensors that were not read back.
using Images = std::vector<std::unique_ptr<char[]>>;

/// What is known after a check.
struct EntryCheck {
  /// One for each step.
  std::vector<CheckResult> steps;
  /// For each step.
  std::vector<Tolerance> tolerances;
  /// What was written that should not have been; empty if nothing was.
  std::vector<std::string> strayWrites;

  bool passed() const;
};

/// Why the steps of an entry cannot be checked one by one; nothing if they can.
/// An intermediate result that a later step overwrites is such a reason.
std::optional<std::string> findUncheckable(const BoundEntry &bound);

/// Checks each step against the reference, with the operands that it had, and
/// that nothing but elements of results has changed. All tensors must have been
/// read back, and `findUncheckable` must have found nothing. `isRandom` says
/// that the operands have mean 0, which allows a smaller tolerance.
/// `tf32` says of each step whether f32 factors are multiplied as tf32.
EntryCheck checkEntry(const BoundEntry &bound, const Images &after,
                      bool isRandom, uint64_t seed,
                      const std::vector<bool> &tf32);

/// The element as `D[3, 17]`.
std::string formatElement(const BoundArgument &argument,
                          const ElementIndex &index);

} // namespace tile

#endif // TILE_LIB_RUN_CHECK_H
