// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by cp.async, checked when they start and made when they are waited
// for.
#include "../lib/Error.h"
#include "BlockRunner.h"

#include <cstring>

using namespace tile::rt;

void BlockRunner::copyAsync(Fiber &fiber, void *destination, const void *source,
                            int32_t size, int32_t copied, int32_t site) {
  if (copied < 0 || copied > size)
    misuse(fiber, site, "wrong asynchronous copy",
           format("expected to copy between 0 and %d bytes, but got %d", size,
                  copied));
  auto from = reinterpret_cast<uintptr_t>(source);
  if (copied)
    check(fiber, from, static_cast<uint64_t>(copied), size,
          TILE_SIM_GLOBAL | TILE_SIM_LOAD, site);
  else if (from & (size - 1))
    failAccess(fiber, SimFault::Misaligned, from, 0, size,
               TILE_SIM_GLOBAL | TILE_SIM_LOAD, site);
  // The store comes after what the thread has seen when it starts the copy, and
  // before nothing until the thread has waited.
  auto bytes = static_cast<uint64_t>(size);
  check(fiber, reinterpret_cast<uintptr_t>(destination), bytes, size,
        TILE_SIM_SHARED | TILE_SIM_STORE, site);
  AsyncCopy copy;
  copy.source = from;
  copy.destination = reinterpret_cast<uintptr_t>(destination) -
                     reinterpret_cast<uintptr_t>(fiber.context.shared);
  copy.size = size;
  copy.copied = copied;
  copy.group = fiber.copyGroup;
  copy.site = site;
  shadow.reservePending(fiber.rank * shadowStride + copy.destination, bytes,
                        site);
  fiber.copies.push_back(copy);
}

void BlockRunner::waitCopies(Fiber &fiber, int32_t pending) {
  // Groups up to this one; copies without a group are not waited for.
  performCopies(fiber, int64_t(fiber.copyGroup) - 1 - pending);
}

/// Makes the thread's copies of all groups up to `lastGroup`; the thread has
/// stored them now.
void BlockRunner::performCopies(Fiber &fiber, int64_t lastGroup) {
  size_t done = 0;
  for (; done < fiber.copies.size(); ++done) {
    const AsyncCopy &copy = fiber.copies[done];
    if (int64_t(copy.group) > lastGroup)
      break;
    uint8_t *target = fiber.context.shared + copy.destination;
    std::memset(target, 0, copy.size);
    if (copy.copied)
      std::memcpy(target, reinterpret_cast<const void *>(copy.source),
                  copy.copied);
    shadow.forget(fiber.rank * shadowStride + copy.destination, copy.size,
                  fiber.index, copy.site);
  }
  fiber.copies.erase(fiber.copies.begin(), fiber.copies.begin() + done);
}
