// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks accesses of memory that is not the block's own shared memory.
#include "BlockRunner.h"

#include "../lib/Error.h"

using namespace tile::rt;

// Below it no allocation can lie; every system keeps these pages unmapped.
static constexpr uintptr_t nullBytes = 4096;

/// An access that is not one of the block's own shared memory.
void BlockRunner::checkElsewhere(Fiber &fiber, uintptr_t address, uint64_t size,
                                 int32_t alignment, int32_t kind,
                                 int32_t site) {
  int space = kind & TILE_SIM_SPACE;
  uint64_t offset = address - reinterpret_cast<uintptr_t>(shared);
  uint64_t rank = offset / windowBytes, inside = offset % windowBytes;
  if (space != TILE_SIM_SHARED && rank < uint64_t(launch->cluster) &&
      inside < launch->sharedBytes && size <= launch->sharedBytes - inside) {
    checkAlive(fiber, static_cast<unsigned>(rank), "access of shared memory",
               site);
    if (rank != fiber.rank)
      fiber.remote[rank] = {shadow.clocks.clock(fiber.index),
                            fiber.clusterArrivals, site};
    if (!accessShared(fiber, rank * shadowStride + inside, size, kind, site))
      failAccess(fiber, SimFault::SharedConflictFound, address, size, alignment,
                 kind, site);
    return;
  }
  if (space != TILE_SIM_GENERIC)
    failAccess(fiber, SimFault::OutOfBounds, address, size, alignment, kind,
               site);
  // Local memory whose pointer went through a branch or a loop: between here,
  // on the same stack, and where that begins.
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (address >= here && address < fiber.stackTop &&
      size <= fiber.stackTop - address)
    return;
  checkGlobal(fiber, address, size, alignment, kind, site);
}

void BlockRunner::checkGlobal(Fiber &fiber, uintptr_t address, uint64_t size,
                              int32_t alignment, int32_t kind, int32_t site) {
  const Allocation *allocation = launch->memory->below(address);
  if (!allocation || !allocation->contains(address, size))
    failAccess(fiber,
               address < nullBytes ? SimFault::NullPointer
                                   : SimFault::OutOfBounds,
               address, size, alignment, kind, site);
  touch(fiber, *allocation, kind, site);
}

/// Whether the thread is behind a griddepcontrol.wait of its cluster.
bool BlockRunner::knowsGridWait(Fiber &fiber) {
  for (const SharedAccess &wait : gridWaits)
    if (shadow.clocks.ordered(fiber.index, wait.thread, wait.clock)) {
      fiber.overlaps = false;
      return true;
    }
  return false;
}

/// Takes down what the launch does with an allocation. The launch in front may
/// still do the same, unless the thread has waited for it.
void BlockRunner::touch(Fiber &fiber, const Allocation &allocation,
                        int32_t kind, int32_t site) {
  uint8_t bit = touchOf(kind);
  touched[allocation.begin] |= bit;
  if (fiber.overlaps && !knowsGridWait(fiber)) {
    bool isStore = kind & TILE_SIM_STORE;
    auto before = launch->before->find(allocation.begin);
    if (before != launch->before->end() &&
        (before->second & 2 || (isStore && before->second)))
      misuse(fiber, site, "race with the launch in front",
             format("expected a griddepcontrol.wait before this %s, but there "
                    "is none, and the launch in front %s the same allocation",
                    isStore ? "store" : "load",
                    before->second & 2 ? "stores to" : "loads from"));
    return;
  }
  for (Recent &known : recent)
    if (known.bytes && known.begin == allocation.begin) {
      known.touched |= bit;
      return;
    }
  Recent &known = recent[nextRecent];
  static_cast<Allocation &>(known) = allocation;
  known.touched = bit;
  nextRecent = (nextRecent + 1) % 4;
}

/// Atomic accesses that acquire and release order the threads at that place.
bool BlockRunner::accessAtomic(Fiber &fiber, uint64_t offset, uint64_t size,
                               int32_t kind, int32_t site) {
  if (!shadow.accessAtomic(fiber.index, offset, size, kind & TILE_SIM_STORE,
                           site))
    return false;
  if (kind & TILE_SIM_ACQUIRE)
    shadow.clocks.acquire(fiber.index, atomicClocks[offset]);
  if (kind & TILE_SIM_RELEASE)
    shadow.clocks.release(fiber.index, atomicClocks[offset]);
  return true;
}

void BlockRunner::checkLocal(Fiber &fiber, uintptr_t address, uint64_t size,
                             uintptr_t base, uint64_t bytes, int32_t site) {
  uint64_t offset = address - base;
  if (offset <= bytes && size <= bytes - offset)
    return;
  misuse(fiber, site, "out-of-bounds local or constant memory",
         format("expected %llu bytes inside of a variable of %llu, but got "
                "them at offset %lld",
                static_cast<unsigned long long>(size),
                static_cast<unsigned long long>(bytes),
                static_cast<long long>(offset)));
}
