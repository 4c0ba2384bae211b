// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether an address of the host can be read.
#ifndef TILE_RT_SIM_HOSTMEMORY_H
#define TILE_RT_SIM_HOSTMEMORY_H

namespace tile::rt {

/// Whether the eight bytes around `address` whose first is a multiple of eight
/// can be read: a pointer that a kernel hands over may point anywhere.
bool isReadable(const void *address);

} // namespace tile::rt

#endif // TILE_RT_SIM_HOSTMEMORY_H
