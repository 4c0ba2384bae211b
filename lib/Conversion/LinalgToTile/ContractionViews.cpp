// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of a contraction's operands that are those of a GEMM.
#include "Contraction.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace mlir;
using namespace tile;

namespace {

/// The loops of a contraction by what they count. Batches and rows or columns
/// are in the order of the result, the others in that of A.
struct LoopRoles {
  Loops batch, m, n, k;
  /// The batch is one of the rows' loops, and B is the same for all; or of the
  /// columns', and A is.
  bool sharesA = false, sharesB = false;
};

/// A view of one operand: the order of its dimensions, which of them become
/// one, and in front of which a dimension of extent 1 is added.
struct ViewPlan {
  SmallVector<int64_t> permutation;
  SmallVector<ReassociationIndices> groups;
  /// For each dimension of the view: whether it is one that was added.
  SmallVector<bool> added;

  bool isTransposed() const {
    return !llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
  }
  bool isCollapsed() const { return groups.size() < permutation.size(); }
  bool isExpanded() const { return llvm::is_contained(added, true); }
};

} // namespace

std::optional<Loops> tile::getLoops(AffineMap map) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  Loops loops;
  for (AffineExpr index : map.getResults())
    loops.push_back(cast<AffineDimExpr>(index).getPosition());
  return loops;
}

static std::optional<std::string> findRoles(const GemmOperands &operands,
                                            LoopRoles &roles) {
  const Loops &a = operands.a.loops, &b = operands.b.loops,
              &d = operands.d.loops;
  auto has = [](const Loops &loops, unsigned loop) {
    return llvm::is_contained(loops, loop);
  };
  for (unsigned loop : d) {
    if (!has(a, loop) && !has(b, loop))
      return "expected each loop of the result in an input, but loop " +
             std::to_string(loop) + " is in none";
    (has(a, loop) ? has(b, loop) ? roles.batch : roles.m : roles.n)
        .push_back(loop);
  }
  for (unsigned loop : llvm::concat<const unsigned>(a, b))
    if (!has(d, loop) && (!has(a, loop) || !has(b, loop)))
      return "expected each loop that is summed in both inputs, but loop " +
             std::to_string(loop) + " is in one alone";
  for (unsigned loop : a)
    if (!has(d, loop))
      roles.k.push_back(loop);
  return std::nullopt;
}

/// The plan of an operand whose dimensions belong to `parts`: its batch if
/// there is one, and two that a matrix always has.
static ViewPlan planView(const Loops &loops,
                         std::array<const Loops *, 3> parts) {
  ViewPlan plan;
  for (const Loops *part : parts) {
    if (part->empty() && part == parts.front())
      continue;
    plan.added.push_back(part->empty());
    if (part->empty())
      continue;
    ReassociationIndices &group = plan.groups.emplace_back();
    for (unsigned loop : *part) {
      group.push_back(static_cast<int64_t>(plan.permutation.size()));
      plan.permutation.push_back(llvm::find(loops, loop) - loops.begin());
    }
  }
  return plan;
}

/// Whether strides let the planned view be one without a copy.
static bool isView(Value operand, const ViewPlan &plan) {
  auto type = cast<MemRefType>(operand.getType());
  if (!plan.isCollapsed())
    return true;
  if (plan.isTransposed()) {
    SmallVector<int64_t> strides, shape;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return false;
    SmallVector<int64_t> permuted;
    for (int64_t dim : plan.permutation) {
      shape.push_back(type.getDimSize(dim));
      permuted.push_back(strides[dim]);
    }
    type = MemRefType::get(
        shape, type.getElementType(),
        StridedLayoutAttr::get(type.getContext(), offset, permuted));
  }
  return memref::CollapseShapeOp::isGuaranteedCollapsible(type, plan.groups);
}

/// Adds dimensions of extent 1, each beside one that is there.
static Value expand(RewriterBase &rewriter, Location loc, Value operand,
                    const ViewPlan &plan) {
  auto type = cast<MemRefType>(operand.getType());
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(rewriter, loc, operand);
  SmallVector<OpFoldResult> newSizes;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups(type.getRank());
  unsigned next = 0;
  for (auto [dim, isAdded] : llvm::enumerate(plan.added)) {
    if (!groups.empty())
      groups[isAdded ? (next ? next - 1 : 0) : next].push_back(
          static_cast<int64_t>(dim));
    shape.push_back(isAdded ? 1 : type.getDimSize(next));
    newSizes.push_back(isAdded ? rewriter.getIndexAttr(1) : sizes[next]);
    next += !isAdded;
  }
  return memref::ExpandShapeOp::create(rewriter, loc, shape, operand, groups,
                                       newSizes);
}

static Value createView(RewriterBase &rewriter, Location loc, Value operand,
                        const ViewPlan &plan) {
  if (plan.isTransposed()) {
    SmallVector<unsigned> permutation(plan.permutation.begin(),
                                      plan.permutation.end());
    operand = memref::TransposeOp::create(
        rewriter, loc, operand,
        AffineMapAttr::get(
            AffineMap::getPermutationMap(permutation, rewriter.getContext())));
  }
  if (plan.isCollapsed())
    operand =
        memref::CollapseShapeOp::create(rewriter, loc, operand, plan.groups);
  if (plan.isExpanded())
    operand = expand(rewriter, loc, operand, plan);
  return operand;
}

namespace {

/// The views of A, B, D and what the epilogue reads.
struct GemmPlan {
  ViewPlan views[3];
  SmallVector<ViewPlan> others;
  SmallVector<SmallVector<int64_t>> indices;
  SmallVector<bool> isWhole;

  GemmPlan(const GemmOperands &operands, const LoopRoles &roles) {
    static const Loops none;
    views[0] = planView(operands.a.loops, {roles.sharesA ? &none : &roles.batch,
                                           &roles.m, &roles.k});
    views[1] = planView(operands.b.loops, {roles.sharesB ? &none : &roles.batch,
                                           &roles.k, &roles.n});
    views[2] = planView(operands.d.loops, {&roles.batch, &roles.m, &roles.n});
  }

  /// Plans the views of what the epilogue reads; returns why there are none.
  std::optional<std::string> planOthers(const GemmOperands &operands,
                                        const LoopRoles &roles) {
    for (const IndexedOperand &other : operands.others)
      if (std::optional<std::string> why =
              planOther(other, operands.d.loops, roles))
        return why;
    return std::nullopt;
  }

  /// The first operand that would need a copy, in the words of a message.
  StringRef findCopy(const GemmOperands &operands) const {
    if (!isView(operands.a.memref, views[0]))
      return "A";
    if (!isView(operands.b.memref, views[1]))
      return "B";
    if (!isView(operands.d.memref, views[2]))
      return "D";
    for (auto [other, plan] : llvm::zip(operands.others, others))
      if (!isView(other.memref, plan))
        return "an operand of the epilogue";
    return "";
  }

private:
  std::optional<std::string> planOther(const IndexedOperand &other,
                                       const Loops &d, const LoopRoles &roles) {
    std::array<const Loops *, 3> parts{&roles.batch, &roles.m, &roles.n};
    SmallVector<int64_t> own;
    isWhole.push_back(other.loops.size() == d.size());
    if (isWhole.back()) {
      others.push_back(planView(other.loops, parts));
      own = roles.batch.empty() ? SmallVector<int64_t>{1, 2}
                                : SmallVector<int64_t>{0, 1, 2};
      indices.push_back(own);
      return std::nullopt;
    }
    ViewPlan plan;
    for (auto [index, part] : llvm::enumerate(parts)) {
      auto present = llvm::count_if(*part, [&](unsigned loop) {
        return llvm::is_contained(other.loops, loop);
      });
      if (present == 0)
        continue;
      if (present != static_cast<int64_t>(part->size()))
        return std::string("expected an operand of the epilogue with all or "
                           "none of the indices that are ") +
               (index == 0   ? "batches"
                : index == 1 ? "rows"
                             : "columns") +
               " of the GEMM, but got some";
      own.push_back(static_cast<int64_t>(index));
      plan.added.push_back(false);
      ReassociationIndices &group = plan.groups.emplace_back();
      for (unsigned loop : *part) {
        group.push_back(static_cast<int64_t>(plan.permutation.size()));
        plan.permutation.push_back(llvm::find(other.loops, loop) -
                                   other.loops.begin());
      }
    }
    if (own.empty())
      return std::string("expected an index for each operand of the epilogue, "
                         "but got a memref of rank 0");
    others.push_back(plan);
    indices.push_back(own);
    return std::nullopt;
  }
};

} // namespace

/// The ways to see the loops as those of a batch of GEMMs, the best first: one
/// large GEMM; then, where its rows or columns lie too far apart to be one
/// index, a batch of those.
static SmallVector<LoopRoles> listWays(const LoopRoles &roles) {
  SmallVector<LoopRoles> ways{roles};
  if (!roles.batch.empty())
    return ways;
  auto split = [&](Loops LoopRoles::*member, bool LoopRoles::*shares) {
    if ((roles.*member).size() < 2)
      return;
    LoopRoles way = roles;
    way.batch.push_back((way.*member).front());
    (way.*member).erase((way.*member).begin());
    way.*shares = true;
    ways.push_back(way);
  };
  split(&LoopRoles::m, &LoopRoles::sharesB);
  split(&LoopRoles::n, &LoopRoles::sharesA);
  return ways;
}

FailureOr<GemmViews> tile::createGemmViews(RewriterBase &rewriter, Location loc,
                                           const GemmOperands &operands,
                                           std::string &reason) {
  LoopRoles roles;
  if (std::optional<std::string> why = findRoles(operands, roles)) {
    reason = std::move(*why);
    return failure();
  }
  for (const LoopRoles &way : listWays(roles)) {
    GemmPlan plan(operands, way);
    std::optional<std::string> why = plan.planOthers(operands, way);
    if (!why)
      if (StringRef copy = plan.findCopy(operands); !copy.empty())
        why =
            ("expected strides of " + copy + " by which its indices for " +
             (way.batch.size() > 1 ? "the batch" : "rows, columns or the sum") +
             " are one, but it would have to be copied")
                .str();
    if (why) {
      if (reason.empty())
        reason = std::move(*why);
      continue;
    }
    reason.clear();
    GemmViews views;
    views.a = createView(rewriter, loc, operands.a.memref, plan.views[0]);
    views.b = createView(rewriter, loc, operands.b.memref, plan.views[1]);
    views.d = createView(rewriter, loc, operands.d.memref, plan.views[2]);
    for (auto [other, view] : llvm::zip(operands.others, plan.others))
      views.others.push_back(createView(rewriter, loc, other.memref, view));
    views.indices = std::move(plan.indices);
    views.isWhole = std::move(plan.isWhole);
    return views;
  }
  return failure();
}
