// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides compositions of constants by enumeration and words refusals.
#include "CompositionCheck.h"

using namespace tile;
using namespace tile::detail;

/// Larger compositions are decided by the rule alone.
static constexpr int64_t kMaxEnumeration = 65536;

namespace {
/// A flat left-hand side of constants.
struct FlatFunction {
  llvm::SmallVector<std::pair<int64_t, int64_t>> modes;

  int64_t operator()(int64_t index) const {
    uint64_t sum = 0;
    for (unsigned k = 0; k + 1 < modes.size(); ++k) {
      sum += uint64_t(index % modes[k].first) * uint64_t(modes[k].second);
      index /= modes[k].first;
    }
    return int64_t(sum + uint64_t(index) * uint64_t(modes.back().second));
  }
};
} // namespace

static std::optional<FlatFunction> getFunction(llvm::ArrayRef<LeafMode> lhs) {
  FlatFunction function;
  for (const LeafMode &mode : lhs) {
    if (!mode.extent.isStatic() || !mode.stride.isInt() ||
        !mode.stride.isStatic())
      return std::nullopt;
    function.modes.push_back(
        {mode.extent.getValue(), mode.stride.getInt().getValue()});
  }
  return function;
}

std::optional<llvm::SmallVector<LeafMode, 4>>
detail::fitLayout(llvm::function_ref<int64_t(int64_t)> function, int64_t size) {
  llvm::SmallVector<LeafMode, 4> modes;
  llvm::SmallVector<std::pair<int64_t, int64_t>> constants;
  int64_t step = 1, rest = size;
  while (rest > 1) {
    int64_t stride = function(step), run = 2;
    while (run < rest &&
           uint64_t(function(step * run)) == uint64_t(stride) * uint64_t(run))
      ++run;
    if (rest % run != 0)
      return std::nullopt;
    modes.push_back({run, IntTuple(Int(stride))});
    constants.push_back({run, stride});
    step *= run;
    rest /= run;
  }
  for (int64_t i = 0; i < size; ++i) {
    uint64_t value = 0;
    int64_t index = i;
    for (const auto &[extent, stride] : constants) {
      value += uint64_t(index % extent) * uint64_t(stride);
      index /= extent;
    }
    if (int64_t(value) != function(i))
      return std::nullopt;
  }
  if (modes.empty())
    modes.push_back({1, 0});
  return modes;
}

/// "mode [0]" or "modes [0] and [1]": the modes that a coordinate moves.
static std::string nameModes(llvm::ArrayRef<WalkedLeaf> leaves,
                             llvm::ArrayRef<int64_t> coordinate) {
  llvm::SmallVector<std::string> names;
  bool top = false;
  for (unsigned l = 0; l < leaves.size(); ++l)
    if (coordinate[l] != 0) {
      std::string name = printPath(leaves[l].path);
      // A plain number for a mode at the top.
      if (leaves[l].path.size() == 1)
        name = std::to_string(leaves[l].path.front());
      names.push_back(name);
      top |= leaves[l].path.empty();
    }
  if (top)
    return "the right-hand side carries into itself";
  if (names.size() == 1)
    return "mode " + names.front() +
           " of the right-hand side carries into itself";
  std::string text = "modes ";
  for (unsigned i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text + " of the right-hand side carry into each other";
}

namespace {
/// The first coordinate at which the parts do not add up.
struct Carry {
  llvm::SmallVector<int64_t> coordinate;
  int64_t index, expected, actual;
};
} // namespace

/// Compares the sum of the parts with the left-hand side, coordinate by
/// coordinate, up to a limit.
static std::optional<Carry> findCarry(const FlatFunction &function,
                                      llvm::ArrayRef<WalkedLeaf> leaves,
                                      int64_t size) {
  auto partValue = [](const WalkedLeaf &leaf, int64_t index) {
    uint64_t sum = 0;
    for (const LeafMode &part : leaf.parts) {
      int64_t extent = part.extent.getValue();
      sum +=
          uint64_t(index % extent) * uint64_t(part.stride.getInt().getValue());
      index /= extent;
    }
    return sum;
  };
  Carry carry;
  carry.coordinate.assign(leaves.size(), 0);
  for (int64_t index = 0; index < size; ++index) {
    uint64_t inner = 0, actual = 0;
    int64_t rest = index;
    for (unsigned l = 0; l < leaves.size(); ++l) {
      int64_t extent = leaves[l].extent.getValue();
      carry.coordinate[l] = rest % extent;
      rest /= extent;
      inner +=
          uint64_t(carry.coordinate[l]) * uint64_t(leaves[l].step.getValue());
      actual += partValue(leaves[l], carry.coordinate[l]);
    }
    int64_t expected = function(int64_t(inner));
    if (expected == int64_t(actual))
      continue;
    carry.index = index;
    carry.expected = expected;
    carry.actual = int64_t(actual);
    return carry;
  }
  return std::nullopt;
}

static Reason wordCarry(llvm::ArrayRef<WalkedLeaf> leaves, const Carry &carry) {
  return Reason(nameModes(leaves, carry.coordinate) + " at index " +
                llvm::Twine(carry.index) + ": expected " +
                llvm::Twine(carry.expected) + ", but got " +
                llvm::Twine(carry.actual));
}

/// The reason of a refusal that no coordinate can illustrate.
static Reason wordUnknown(llvm::ArrayRef<WalkedLeaf> leaves) {
  std::string modes;
  for (const WalkedLeaf &leaf : leaves) {
    if (leaf.reason)
      return *leaf.reason;
    modes += (modes.empty() ? "" : ", ") + leaf.extent.str() + " : " +
             leaf.step.str();
  }
  return Reason("expected modes of the right-hand side that are known not to "
                "carry into each other, but got " +
                modes);
}

std::optional<Reason>
detail::enumerateComposition(llvm::ArrayRef<LeafMode> lhs,
                             llvm::SmallVectorImpl<WalkedLeaf> &leaves) {
  std::optional<FlatFunction> function = getFunction(lhs);
  Int size = 1;
  bool steps = true, walked = true;
  for (const WalkedLeaf &leaf : leaves) {
    size = size * leaf.extent;
    steps &= leaf.step.isStatic();
    walked &= !leaf.reason;
  }
  if (!function || !steps || !size.isStatic())
    return wordUnknown(leaves);
  if (size.getValue() > kMaxEnumeration) {
    // Too large to decide; show a carry if there is one near the start.
    if (walked)
      if (std::optional<Carry> carry =
              findCarry(*function, leaves, kMaxEnumeration))
        return wordCarry(leaves, *carry);
    return wordUnknown(leaves);
  }
  for (WalkedLeaf &leaf : leaves) {
    // The shown stride of an extent-1 mode is the rule's business.
    if (leaf.extent.isStatic(1) && !leaf.reason)
      continue;
    auto value = [&](int64_t index) {
      return (*function)(
          int64_t(uint64_t(index) * uint64_t(leaf.step.getValue())));
    };
    if (std::optional<llvm::SmallVector<LeafMode, 4>> fit =
            fitLayout(value, leaf.extent.getValue())) {
      leaf.parts = *fit;
      continue;
    }
    if (leaf.reason)
      return leaf.reason;
    llvm::ArrayRef<WalkedLeaf> alone(leaf);
    if (std::optional<Carry> carry =
            findCarry(*function, alone, leaf.extent.getValue()))
      return wordCarry(alone, *carry);
    return wordUnknown(leaves);
  }
  if (std::optional<Carry> carry =
          findCarry(*function, leaves, size.getValue()))
    return wordCarry(leaves, *carry);
  return std::nullopt;
}
