// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of a contraction's operands that are those of a GEMM.
#include "Contraction.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace mlir;
using namespace tile;

namespace {

using Loops = SmallVector<unsigned, 2>;

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

/// The loops of an operand, one for each of its dimensions.
static Loops getLoops(AffineMap map) {
  Loops loops;
  for (AffineExpr index : map.getResults())
    loops.push_back(cast<AffineDimExpr>(index).getPosition());
  return loops;
}

static std::optional<std::string> findRoles(linalg::LinalgOp op,
                                            LoopRoles &roles) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [map, name] : llvm::zip(maps, StringRef("ABD")))
    if (!map.isProjectedPermutation())
      return std::string("expected a loop for each index of ") + name +
             ", but got an index that is a constant or is computed";
  Loops a = getLoops(maps[0]), b = getLoops(maps[1]), d = getLoops(maps[2]);
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
  for (unsigned loop = 0, e = op.getNumLoops(); loop < e; ++loop)
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

/// The views of A, B and D.
struct GemmPlan {
  ViewPlan views[3];

  GemmPlan(linalg::LinalgOp op, const LoopRoles &roles) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    static const Loops none;
    views[0] =
        planView(getLoops(maps[0]),
                 {roles.sharesA ? &none : &roles.batch, &roles.m, &roles.k});
    views[1] =
        planView(getLoops(maps[1]),
                 {roles.sharesB ? &none : &roles.batch, &roles.k, &roles.n});
    views[2] = planView(getLoops(maps[2]), {&roles.batch, &roles.m, &roles.n});
  }

  /// The first operand that would need a copy, or 3.
  unsigned findCopy(linalg::LinalgOp op) const {
    for (unsigned i = 0; i < 3; ++i)
      if (!isView(op->getOperand(i), views[i]))
        return i;
    return 3;
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

FailureOr<ContractionViews> tile::createContractionViews(RewriterBase &rewriter,
                                                         linalg::LinalgOp op,
                                                         std::string &reason) {
  LoopRoles roles;
  if (std::optional<std::string> why = findRoles(op, roles)) {
    reason = std::move(*why);
    return failure();
  }
  for (const LoopRoles &way : listWays(roles)) {
    GemmPlan plan(op, way);
    if (unsigned copy = plan.findCopy(op); copy < 3) {
      if (reason.empty())
        reason =
            std::string("expected strides of ") + "ABD"[copy] +
            " by which its indices for " +
            (way.batch.size() > 1 ? "the batch" : "rows, columns or the sum") +
            " are one, but it would have to be copied";
      continue;
    }
    reason.clear();
    Location loc = op.getLoc();
    ContractionViews views;
    views.a = createView(rewriter, loc, op->getOperand(0), plan.views[0]);
    views.b = createView(rewriter, loc, op->getOperand(1), plan.views[1]);
    views.d = createView(rewriter, loc, op->getOperand(2), plan.views[2]);
    return views;
  }
  return failure();
}
