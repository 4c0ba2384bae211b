// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places the buffers of a kernel in its dynamic shared memory.
#ifndef TILE_ATOMS_SHAREDPLAN_H
#define TILE_ATOMS_SHAREDPLAN_H

#include "tile/Layout/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace tile {

/// A buffer in shared memory.
struct SharedBuffer {
  /// For messages: `A`, `full barriers`.
  std::string name;
  int64_t bytes = 0;
  /// A power of two: 8 for mbarriers, 128 for TMA boxes, 1024 for tiles with a
  /// 128-byte swizzle.
  int64_t alignment = 1;
};

/// Where the buffers are.
struct SharedPlan {
  /// Byte offsets in the order of the buffers.
  llvm::SmallVector<int64_t> offsets;
  int64_t totalBytes = 0;
  /// What the base of the shared memory has to be aligned to.
  int64_t alignment = 1;
};

/// Buffers follow each other by decreasing alignment, in the given order where
/// it is equal; none overlap. Tiles so come before barriers, and padding only
/// follows a buffer whose size is no multiple of its own alignment.
///
/// Example: barriers of 24 bytes (8), A of 16384 (1024) and B of 1000 (1024)
/// are at 17384, 0 and 16384: 17408 bytes in all.
///
/// A reason, with the sizes, if the total exceeds `limitBytes`, what the
/// chip has for a thread block.
Result<SharedPlan> planSharedMemory(llvm::ArrayRef<SharedBuffer> buffers,
                                    int64_t limitBytes);

} // namespace tile

#endif // TILE_ATOMS_SHAREDPLAN_H
