// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel prints.
#ifndef TILE_RT_SIM_PRINT_H
#define TILE_RT_SIM_PRINT_H

#include <cstdint>

namespace tile::rt {

/// Prints to the standard output, at once and as a whole. The format knows %%,
/// %d, %i, %u and %x of 8 bytes (with or without ll), and %e, %f and
/// %g; flags, width and precision are passed on. Returns the number of
/// arguments that it took.
int32_t print(const char *format, const void *arguments);

} // namespace tile::rt

#endif // TILE_RT_SIM_PRINT_H
