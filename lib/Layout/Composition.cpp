// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composition of layouts, and the proof that it is what it claims to be.
#include "CompositionCheck.h"
#include "tile/Layout/Algebra.h"
#include <map>

using namespace tile;
using namespace tile::detail;

// How it works
// ============
//
// The left-hand side A is first made flat: modes n_0 : a_0, ..., n_m : a_m,
// the last one without end. An index x has the digits
//   x = e_0 + n_0 (e_1 + n_1 (e_2 + ...)),   A(x) = sum of e_k a_k.
// A mode s : d of the right-hand side visits A(0), A(d), A(2 d), ... As long
// as no digit overflows, the digits of j d are j times the digits of d, so
// A(j d) = j A(d): one mode of extent r = min_k ceil(n_k / e_k) and stride
// A(d). After r steps the walk goes on with the stride r d, and so forth.
//
//   A = (6, 2) : (8, 2), mode 4 : 3. d = 3 has the digit 3 of 6, r = 2: mode
//   2 : 24. Then d = 6 has the digits (0, 1), without limit: mode 2 : 2.
//   Together (2, 2) : (24, 2).
//
// The parts of all modes together must not overflow a digit either:
//   sum of (r - 1) e_k  <  n_k   for every digit but the last.
// Since A is flat in the coalesced sense (a_{k+1} is not n_k a_k) a carry
// changes the value, so that this is also necessary, except for coincidences
// of several carries that cancel. Constants of a moderate size therefore get a
// second chance by enumeration, and the result is exact for them.

namespace {

using Modes = llvm::SmallVector<LeafMode, 4>;

/// A mode of the result: `extent` steps of `step` in the domain of the
/// left-hand side, whose digits there are `digits`.
struct Part {
  Int extent;
  Int step;
  IntTuple stride;
  llvm::SmallVector<Int, 4> digits;
  bool negative = false;
};

/// The parts of one leaf of the right-hand side.
struct LeafParts {
  /// Mode path of the leaf in the right-hand side.
  llvm::SmallVector<int64_t, 4> path;
  LeafMode mode;
  llvm::SmallVector<Part, 2> parts;
  /// Why the walk ended early, if it did.
  std::optional<Reason> reason;
};

} // namespace

/// A as flat modes with the same values everywhere, beyond its size too: a
/// last mode of extent 1 stays when its stride does not continue the others.
static Modes flattenLhs(const Layout &lhs) {
  Modes flat;
  Modes modes = lhs.getLeafModes();
  for (unsigned i = 0; i < modes.size(); ++i) {
    const LeafMode &mode = modes[i];
    bool last = i + 1 == modes.size();
    if (mode.extent.isStatic(1) && !last)
      continue;
    if (!flat.empty() &&
        isSameStride(scaleStride(flat.back().stride, flat.back().extent),
                     mode.stride))
      flat.back().extent = flat.back().extent * mode.extent;
    else
      flat.push_back(mode);
  }
  if (flat.empty())
    flat.push_back({1, 0});
  return flat;
}

/// The least value that an extent can have.
static int64_t leastExtent(const Int &extent) {
  return std::max(extent.getLower(),
                  extent.isStatic() ? extent.getValue() : extent.getDivisor());
}

/// The digits of a non-negative step in the flat left-hand side.
static Result<llvm::SmallVector<Int, 4>> getDigits(const Modes &lhs,
                                                   const Int &step) {
  llvm::SmallVector<Int, 4> digits;
  Int rest = step;
  for (unsigned k = 0; k < lhs.size(); ++k) {
    const Int &extent = lhs[k].extent;
    if (k + 1 == lhs.size() || rest.isStatic(0)) {
      digits.push_back(rest);
      rest = 0;
    } else if (rest.isMultipleOf(extent)) {
      digits.push_back(0);
      rest = floorDiv(rest, extent);
    } else if (rest.isStatic() && extent.isStatic()) {
      digits.push_back(mod(rest, extent));
      rest = floorDiv(rest, extent);
    } else if (extent.isMultipleOf(rest) ||
               (rest.isStatic() && rest.getValue() < leastExtent(extent))) {
      digits.push_back(rest);
      rest = 0;
    } else {
      return Reason("expected a step that is known to divide extent " +
                    extent.str() +
                    " of the left-hand side or to be a multiple of it, but "
                    "got " +
                    step.str());
    }
  }
  return digits;
}

/// A(step): the strides weighted by the digits.
static Result<IntTuple> getStride(const Modes &lhs,
                                  llvm::ArrayRef<Int> digits) {
  IntTuple sum = 0;
  for (unsigned k = 0; k < lhs.size(); ++k) {
    IntTuple term = scaleStride(lhs[k].stride, digits[k]);
    if (term.isStatic(0))
      continue;
    if (sum.isStatic(0))
      sum = term;
    else if (sum.getPath() == term.getPath())
      sum = IntTuple::basis(sum.getInt() + term.getInt(), sum.getPath());
    else
      return Reason("expected a step within one mode of the coordinate, but "
                    "got strides " +
                    sum.str() + " and " + term.str());
  }
  return sum;
}

/// The number of steps without overflow of any digit; nothing when there is no
/// limit.
static Result<std::optional<Int>> getRun(const Modes &lhs,
                                         llvm::ArrayRef<Int> digits) {
  std::optional<Int> run;
  for (unsigned k = 0; k + 1 < lhs.size(); ++k) {
    if (digits[k].isStatic(0))
      continue;
    Int steps = ceilDiv(lhs[k].extent, digits[k]);
    if (run && !(run->isStatic() && steps.isStatic()))
      return Reason("expected constant extents where a step has several "
                    "digits, but got " +
                    lhs[k].extent.str());
    run = run ? min(*run, steps) : steps;
  }
  return run;
}

static IntTuple negate(const IntTuple &stride) {
  return IntTuple::basis(-stride.getInt(), stride.getPath());
}

/// The stride that an extent-1 mode shows; it has no influence on values.
static IntTuple nominalStride(const Modes &lhs, const Int &step) {
  Int rest = step;
  for (unsigned k = 0; k + 1 < lhs.size(); ++k)
    rest = ceilDiv(rest, lhs[k].extent);
  return scaleStride(lhs.back().stride, rest.isStatic() ? rest : Int(0));
}

/// "mode [0, 1] of ", or nothing for a right-hand side without modes.
static std::string nameMode(llvm::ArrayRef<int64_t> path) {
  return path.empty() ? std::string() : "mode " + printPath(path) + " of ";
}

/// Walks one leaf of the right-hand side through the left-hand side.
static std::optional<Reason> walk(const Modes &lhs, LeafParts &leaf) {
  Int rest = leaf.mode.extent, step = leaf.mode.stride.getInt();
  bool negative = step.isStatic() && step.getValue() < 0;
  if (negative)
    step = -step;
  if (step.isInvalid())
    return Reason(step.getInvalidReason());
  auto emit = [&](const Int &extent, const IntTuple &stride,
                  llvm::SmallVector<Int, 4> digits) {
    leaf.parts.push_back({extent, step, negative ? negate(stride) : stride,
                          std::move(digits), negative});
  };
  if (rest.isStatic(1) || step.isStatic(0)) {
    emit(rest, step.isStatic(0) ? IntTuple(0) : nominalStride(lhs, step),
         llvm::SmallVector<Int, 4>(lhs.size(), Int(0)));
    return std::nullopt;
  }
  while (true) {
    Result<llvm::SmallVector<Int, 4>> digits = getDigits(lhs, step);
    if (!digits)
      return digits.takeReason();
    Result<IntTuple> stride = getStride(lhs, *digits);
    if (!stride)
      return stride.takeReason();
    Result<std::optional<Int>> run = getRun(lhs, *digits);
    if (!run)
      return run.takeReason();
    if (!*run || rest.isAtMost(**run)) {
      emit(rest, *stride, *digits);
      return std::nullopt;
    }
    const Int &steps = **run;
    if (!rest.isMultipleOf(steps))
      return Reason(
          "expected extent of " + nameMode(leaf.path) +
          "the right-hand side to be a multiple of " +
          floorDiv(leaf.mode.extent * steps, rest).str() +
          ", after which its steps of " + leaf.mode.stride.str() +
          " carry into the next mode of the left-hand side, but got " +
          leaf.mode.extent.str());
    emit(steps, *stride, *digits);
    rest = floorDiv(rest, steps);
    step = step * steps;
  }
}

//===----------------------------------------------------------------------===//
// Carries between parts
//===----------------------------------------------------------------------===//

/// True when the parts nest as digits of a mixed radix below `extent`:
/// e_0 n_0 <= e_1, e_1 n_1 <= e_2, ..., the last e n <= extent, in some order.
static bool nestsBelow(llvm::ArrayRef<std::pair<Int, Int>> parts,
                       const Int &extent) {
  llvm::SmallVector<unsigned> order;
  for (unsigned i = 0; i < parts.size(); ++i)
    order.push_back(i);
  if (order.size() > 6)
    return false;
  do {
    bool nests = true;
    for (unsigned i = 0; i < order.size() && nests; ++i) {
      const auto &[count, digit] = parts[order[i]];
      const Int &bound =
          i + 1 < order.size() ? parts[order[i + 1]].second : extent;
      nests = (count * digit).isAtMost(bound);
    }
    if (nests)
      return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

/// True when no digit of the left-hand side overflows for any coordinate.
static bool isCarryFree(const Modes &lhs, llvm::ArrayRef<LeafParts> leaves) {
  if (lhs.size() == 1)
    return true;
  bool positive = false, negative = false;
  for (const LeafParts &leaf : leaves)
    for (const Part &part : leaf.parts) {
      if (part.extent.isStatic(1) || part.step.isStatic(0))
        continue;
      (part.negative ? negative : positive) = true;
    }
  if (positive && negative)
    return false;
  for (unsigned k = 0; k + 1 < lhs.size(); ++k) {
    llvm::SmallVector<std::pair<Int, Int>> parts;
    Int sum = 0;
    for (const LeafParts &leaf : leaves)
      for (const Part &part : leaf.parts) {
        if (part.extent.isStatic(1) || part.digits[k].isStatic(0))
          continue;
        parts.push_back({part.extent, part.digits[k]});
        sum = sum + (part.extent - Int(1)) * part.digits[k];
      }
    // A single part never overflows: its run ends before that.
    if (parts.size() <= 1)
      continue;
    const Int &extent = lhs[k].extent;
    bool below = sum.isStatic() ? sum.getValue() < leastExtent(extent)
                                : nestsBelow(parts, extent);
    if (!below)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Builds the parts of all leaves that walk the same left-hand side.
static std::optional<Reason>
composeGroup(const Layout &lhs, llvm::MutableArrayRef<LeafParts> leaves) {
  Modes flat = flattenLhs(lhs);
  bool walkable = true;
  for (LeafParts &leaf : leaves) {
    leaf.reason = walk(flat, leaf);
    walkable &= !leaf.reason;
  }
  if (walkable && isCarryFree(flat, leaves))
    return std::nullopt;

  // The rule refuses; constants of a moderate size are decided exactly.
  llvm::SmallVector<WalkedLeaf, 4> walked;
  for (const LeafParts &leaf : leaves) {
    WalkedLeaf entry{leaf.path,
                     leaf.mode.extent,
                     leaf.mode.stride.getInt(),
                     {},
                     leaf.reason};
    for (const Part &part : leaf.parts)
      entry.parts.push_back({part.extent, part.stride});
    walked.push_back(std::move(entry));
  }
  if (std::optional<Reason> reason = enumerateComposition(flat, walked))
    return reason;
  for (unsigned i = 0; i < leaves.size(); ++i) {
    leaves[i].parts.clear();
    for (const LeafMode &part : walked[i].parts)
      leaves[i].parts.push_back({part.extent, 0, part.stride, {}, false});
  }
  return std::nullopt;
}

static void collectLeaves(const IntTuple &shape, const IntTuple &stride,
                          llvm::SmallVectorImpl<int64_t> &path,
                          llvm::SmallVectorImpl<LeafParts> &leaves) {
  if (shape.isLeaf()) {
    LeafParts leaf;
    leaf.path.assign(path.begin(), path.end());
    leaf.mode = {shape.getInt(), stride};
    leaves.push_back(std::move(leaf));
    return;
  }
  for (unsigned i = 0; i < shape.rank(); ++i) {
    path.push_back(i);
    collectLeaves(shape[i], stride[i], path, leaves);
    path.pop_back();
  }
}

/// The shape of the right-hand side with each leaf replaced by its parts.
static IntTuple assemble(const IntTuple &profile,
                         llvm::ArrayRef<LeafParts> &leaves, bool stride) {
  if (profile.isLeaf()) {
    llvm::SmallVector<IntTuple, 4> values;
    for (const Part &part : leaves.front().parts)
      values.push_back(stride ? part.stride : IntTuple(part.extent));
    leaves = leaves.drop_front();
    return values.size() == 1 ? values.front() : IntTuple::tuple(values);
  }
  llvm::SmallVector<IntTuple, 4> modes;
  for (const IntTuple &mode : profile)
    modes.push_back(assemble(mode, leaves, stride));
  return IntTuple::tuple(modes);
}

Result<Layout> tile::composition(const Layout &lhs, const Layout &rhs) {
  llvm::SmallVector<int64_t> path;
  llvm::SmallVector<LeafParts, 4> leaves;
  collectLeaves(rhs.getShape(), rhs.getStride(), path, leaves);

  // Leaves with a basis stride walk one mode of the left-hand side each.
  std::map<std::vector<int64_t>, llvm::SmallVector<unsigned>> groups;
  for (unsigned i = 0; i < leaves.size(); ++i) {
    llvm::ArrayRef<int64_t> basis = leaves[i].mode.stride.getPath();
    if (basis.empty() && rhs.hasBasis() && leaves[i].mode.stride.isStatic(0))
      continue;
    groups[std::vector<int64_t>(basis.begin(), basis.end())].push_back(i);
  }
  const std::vector<int64_t> *previous = nullptr;
  for (const auto &[basis, members] : groups) {
    if (previous && previous->size() < basis.size() &&
        std::equal(previous->begin(), previous->end(), basis.begin()))
      return Reason("expected strides of which none walks inside another's "
                    "mode, but got " +
                    rhs.getStride().str());
    previous = &basis;
    Result<Layout> mode = getMode(lhs, basis);
    if (!mode)
      return mode;
    llvm::SmallVector<LeafParts, 4> group;
    for (unsigned i : members)
      group.push_back(leaves[i]);
    if (std::optional<Reason> reason = composeGroup(*mode, group))
      return *reason;
    for (unsigned i = 0; i < members.size(); ++i)
      leaves[members[i]] = std::move(group[i]);
  }
  for (LeafParts &leaf : leaves)
    if (leaf.parts.empty())
      leaf.parts.push_back({leaf.mode.extent, 0, 0, {}, false});

  llvm::ArrayRef<LeafParts> forShape = leaves, forStride = leaves;
  IntTuple shape = assemble(rhs.getShape(), forShape, false);
  IntTuple stride = assemble(rhs.getShape(), forStride, true);
  return Layout::get(shape, stride);
}

Result<Layout> tile::composition(const Layout &lhs, const Tiler &rhs) {
  if (rhs.isWildcard())
    return lhs;
  if (rhs.isLayout())
    return composition(lhs, rhs.getLayout());
  if (rhs.rank() > lhs.rank())
    return Reason("expected a tiler of at most the rank " +
                  llvm::Twine(lhs.rank()) + " of " + lhs.str() + ", but got " +
                  rhs.str());
  llvm::SmallVector<Layout, 4> modes;
  for (unsigned i = 0; i < rhs.rank(); ++i) {
    Result<Layout> mode = composition(lhs[i], rhs.getModes()[i]);
    if (!mode)
      return mode;
    modes.push_back(*mode);
  }
  return Layout::getConcat(modes);
}

Result<Layout> tile::withShape(const Layout &layout, const IntTuple &shape) {
  Result<Layout> compact = Layout::compact(shape);
  if (!compact)
    return compact;
  return composition(layout, *compact);
}

Result<Layout> tile::reshape(const Layout &layout, const IntTuple &shape) {
  Result<Int> size = product(shape);
  if (!size)
    return size.takeReason();
  if (!size->isSameAs(layout.size()))
    return Reason("expected a shape of size " + layout.size().str() +
                  ", but got " + shape.str() + " of size " + size->str());
  return withShape(layout, shape);
}
