// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error sentences of the runtime: formatting and the thread's last error.
#ifndef TILE_RT_LIB_ERROR_H
#define TILE_RT_LIB_ERROR_H

#include "tile-rt/tile-rt.h"

#include <string>

namespace tile::rt {

/// printf into a string.
std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));

/// Makes `message` the calling thread's last error and returns `status`, so
/// that a failing function ends with `return fail(status, message)`.
TileRtStatus fail(TileRtStatus status, std::string message);

} // namespace tile::rt

#endif // TILE_RT_LIB_ERROR_H
