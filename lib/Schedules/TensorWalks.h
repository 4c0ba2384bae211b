// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensors tensor copies can read as the operands of a GEMM.
#ifndef TILE_LIB_SCHEDULES_TENSORWALKS_H
#define TILE_LIB_SCHEDULES_TENSORWALKS_H

#include "tile/DSL/TmaProducer.h"

namespace tile {

/// How tensor copies read both operands of a problem of which one, at least, is
/// the im2col of a tensor; nothing for one that they read as the matrix it is.
struct TensorWalks {
  std::optional<dsl::TensorWalk> a, b;
};

/// The walks in blocks of `tileK` elements, or the reason why tensor copies
/// cannot read the tensors, as a sentence.
Result<TensorWalks> planTensorWalks(GemmOp gemm, int64_t tileK);

/// Whether a tile's columns start where chunks of neighbours do, which they
/// must where pixels run along K. `swapped`: the kernel's rows are the columns.
bool fitsTensorWalks(WarpSpecializedScheduleAttr schedule,
                     const TensorWalks &walks, bool swapped);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_TENSORWALKS_H
