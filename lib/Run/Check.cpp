// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what a launch left in memory with the reference and with canaries.
#include "Check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tile;

bool EntryCheck::passed() const {
  return strayWrites.empty() && llvm::all_of(steps, [](const auto &step) {
           return step.failures == 0;
         });
}

std::optional<std::string> tile::findUncheckable(const BoundEntry &bound) {
  std::vector<bool> written(bound.arguments.size());
  for (const ArtifactStep &step : bound.entry->steps) {
    if (written[step.d])
      return "--check: expected each argument to be written by one problem of "
             "@" +
             bound.entry->name + ", but " + bound.arguments[step.d].name +
             " is written by several";
    written[step.d] = true;
  }
  return std::nullopt;
}

/// A view of an operand, with the batch as its first dimension.
static HostMatrix viewOf(const BoundArgument &argument, const char *image) {
  HostMatrix matrix;
  matrix.type = argument.type;
  if (!image)
    return matrix;
  matrix.data = image + argument.first * getElementBytes(argument.type);
  size_t rank = argument.strides.size();
  for (size_t i = 0; i < rank; ++i)
    matrix.strides[3 - rank + i] = argument.strides[i];
  return matrix;
}

static CheckResult checkStep(const BoundEntry &bound, const ArtifactStep &step,
                             const Images &after,
                             const std::vector<bool> &written,
                             Tolerance &tolerance, bool isRandom, uint64_t seed,
                             bool tf32) {
  // An operand that an earlier step wrote has its final contents already; any
  // other one is read as it was before the launch.
  auto operand = [&](unsigned number) {
    const BoundArgument &argument = bound.arguments[number];
    return viewOf(argument,
                  written[number] ? after[number].get() : argument.image.get());
  };
  const BoundArgument &d = bound.arguments[step.d];
  size_t rank = d.sizes.size();
  ReferenceProblem problem;
  problem.batch = rank == 3 ? d.sizes[0] : 1;
  problem.m = d.sizes[rank - 2];
  problem.n = d.sizes[rank - 1];
  problem.k = bound.arguments[step.a].sizes.back();
  problem.a = operand(step.a);
  problem.b = operand(step.b);
  if (step.c)
    problem.c = operand(*step.c);
  problem.d = viewOf(d, after[step.d].get());
  problem.alpha = getScalar(step.alpha, bound);
  problem.beta = getScalar(step.beta, bound);
  // A step that reads another one's result does not have independent operands.
  bool independent =
      isRandom && llvm::none_of(written, [](bool w) { return w; });
  problem.tf32 = tf32;
  tolerance = findTolerance(bound.arguments[step.a].type, d.type, problem.k,
                            independent, tf32);
  problem.tolerance = tolerance;
  problem.seed = seed;
  if (d.type == ElementType::F64)
    problem.fullCheckLimit = int64_t(1) << 29;
  return checkGemm(problem);
}

/// Looks for a change outside of the elements of a result.
static std::optional<std::string> findStrayWrite(const BoundArgument &argument,
                                                 const char *after) {
  int64_t bytes = getElementBytes(argument.type);
  int64_t slots = argument.imageBytes / bytes;
  if (argument.countElements() == slots)
    return std::nullopt;
  // A byte for each slot, because threads set them.
  std::vector<char> isElement(slots);
  forEachElement(argument,
                 [&](int64_t index, int64_t) { isElement[index] = 1; });
  int64_t count = 0, firstIndex = 0;
  for (int64_t i = 0; i < slots; ++i)
    if (!isElement[i] &&
        std::memcmp(after + i * bytes, argument.image.get() + i * bytes, bytes))
      if (count++ == 0)
        firstIndex = i - argument.first;
  if (!count)
    return std::nullopt;
  return std::to_string(count) + " elements outside of " + argument.name +
         " were written, the first " + std::to_string(std::abs(firstIndex)) +
         (firstIndex < 0 ? " before" : " after") + " " + argument.name +
         "'s first element";
}

EntryCheck tile::checkEntry(const BoundEntry &bound, const Images &after,
                            bool isRandom, uint64_t seed,
                            const std::vector<bool> &tf32) {
  EntryCheck check;
  std::vector<bool> written(bound.arguments.size());
  for (auto [i, step] : llvm::enumerate(bound.entry->steps)) {
    Tolerance tolerance;
    check.steps.push_back(checkStep(bound, step, after, written, tolerance,
                                    isRandom, seed, tf32[i]));
    check.tolerances.push_back(tolerance);
    written[step.d] = true;
  }
  for (auto [argument, image] : llvm::zip_equal(bound.arguments, after)) {
    if (!image)
      continue;
    if (argument.written) {
      if (std::optional<std::string> stray =
              findStrayWrite(argument, image.get()))
        check.strayWrites.push_back(*stray);
    } else if (std::memcmp(image.get(), argument.image.get(),
                           argument.imageBytes)) {
      check.strayWrites.push_back(argument.name +
                                  ", which is only read, was written");
    }
  }
  return check;
}

std::string tile::formatElement(const BoundArgument &argument,
                                const ElementIndex &index) {
  std::string text = argument.name + "[";
  if (argument.sizes.size() == 3)
    text += std::to_string(index[0]) + ", ";
  return text + std::to_string(index[1]) + ", " + std::to_string(index[2]) +
         "]";
}
