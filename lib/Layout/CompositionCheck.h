// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides compositions of constants by enumeration and words refusals.
#ifndef TILE_LIB_LAYOUT_COMPOSITIONCHECK_H
#define TILE_LIB_LAYOUT_COMPOSITIONCHECK_H

#include "tile/Layout/Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile::detail {

/// A leaf of the right-hand side and the modes that its walk gave.
struct WalkedLeaf {
  llvm::SmallVector<int64_t, 4> path;
  Int extent;
  Int step;
  llvm::SmallVector<LeafMode, 4> parts;
  /// Why the rule refused the leaf; its parts are incomplete then.
  std::optional<Reason> reason;
};

/// Finds the modes of each leaf by enumeration and checks that they add up.
/// Nothing on success (the leaves' parts are then set); otherwise the reason.
std::optional<Reason>
enumerateComposition(llvm::ArrayRef<LeafMode> lhs,
                     llvm::SmallVectorImpl<WalkedLeaf> &leaves);

/// The coalesced modes of the one layout with values f(0), ..., f(size - 1),
/// if there is one. f(0) must be 0.
///
///   0 24 2 26: f(1) = 24 and f(2) is not 48, so the first mode is 2 : 24;
///   of the even indices, 0 2, the next is 2 : 2.
std::optional<llvm::SmallVector<LeafMode, 4>>
fitLayout(llvm::function_ref<int64_t(int64_t)> function, int64_t size);

} // namespace tile::detail

#endif // TILE_LIB_LAYOUT_COMPOSITIONCHECK_H
