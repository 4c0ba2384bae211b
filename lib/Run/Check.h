// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is the result right, and was nothing else written?
#ifndef TILE_LIB_RUN_CHECK_H
#define TILE_LIB_RUN_CHECK_H

#include "Launch.h"
#include "Support/Reference.h"

namespace tile {

/// The contents of each tensor's allocation after the launch; empty for
/// scalars, null pointers, and tensors that were not read back.
using Images = std::vector<Image>;

/// What a check compares with, and how.
struct CheckRequest {
  /// Compare with a sum in higher precision.
  bool reference = true;
  /// What each argument that is written must be, in the order of
  /// BoundEntry::outputs; empty for none.
  std::vector<const NpyFile *> expected;
  /// The operands have mean 0, which allows a smaller tolerance.
  bool isRandom = false;
  /// Chooses the sample.
  uint64_t seed = 0;
  /// Of each step, whether f32 factors are multiplied as tf32.
  std::vector<bool> tf32;
};

/// One comparison of one step's result.
struct StepCheck {
  unsigned step = 0;
  /// "float64", or the path of a file.
  std::string against;
  CheckResult result;
  Tolerance tolerance;
};

/// What is known after a check.
struct EntryCheck {
  std::vector<StepCheck> steps;
  /// What was written that should not have been; empty if nothing was.
  std::vector<std::string> strayWrites;

  bool passed() const;
  /// The first comparison in which every element was left out, null if none.
  const StepCheck *findVacuous() const;
};

/// Why the steps of an entry cannot be checked one by one, or not with these
/// files; nothing if they can. An intermediate result that a later step
/// overwrites is such a reason.
std::optional<std::string> findUncheckable(const BoundEntry &bound,
                                           const CheckRequest &request);

/// Compares each step with what its operands should make, and looks for changes
/// of anything but results. All tensors must have been read back, and
/// `findUncheckable` must have found nothing.
EntryCheck checkEntry(const BoundEntry &bound, const Images &after,
                      const CheckRequest &request, Progress &progress);

} // namespace tile

#endif // TILE_LIB_RUN_CHECK_H
