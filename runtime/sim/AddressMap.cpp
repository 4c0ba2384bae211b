// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's global memory: allocations between guard gaps.
#include "AddressMap.h"

#include <algorithm>
#include <sys/mman.h>

using namespace tile::rt;

static constexpr uint64_t pageBytes = 4096;
// x86-64 user space has 47 bits; anything near it is refused without overflow.
static constexpr uint64_t maxBytes = uint64_t(1) << 47;

static uint64_t roundToPages(uint64_t bytes) {
  return std::max((bytes + pageBytes - 1) / pageBytes, uint64_t(1)) * pageBytes;
}

static bool beginsAfter(uintptr_t address, const Allocation &allocation) {
  return address < allocation.begin;
}

static void unmap(const Allocation &allocation) {
  munmap(reinterpret_cast<void *>(allocation.begin - AddressMap::guardBytes),
         roundToPages(allocation.bytes) + 2 * AddressMap::guardBytes);
}

AddressMap::~AddressMap() {
  for (const Allocation &allocation : allocations)
    unmap(allocation);
}

void *AddressMap::allocate(uint64_t bytes) {
  if (bytes > maxBytes)
    return nullptr;
  uint64_t inside = roundToPages(bytes), total = inside + 2 * guardBytes;
  void *mapping = mmap(nullptr, total, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  uint8_t *begin = static_cast<uint8_t *>(mapping) + guardBytes;
  if (mprotect(begin, inside, PROT_READ | PROT_WRITE)) {
    munmap(mapping, total);
    return nullptr;
  }
  Allocation allocation{reinterpret_cast<uintptr_t>(begin), bytes};
  allocations.insert(std::upper_bound(allocations.begin(), allocations.end(),
                                      allocation.begin, beginsAfter),
                     allocation);
  return begin;
}

void AddressMap::release(void *address) {
  uintptr_t begin = reinterpret_cast<uintptr_t>(address);
  auto it = std::upper_bound(allocations.begin(), allocations.end(), begin,
                             beginsAfter);
  if (it == allocations.begin() || (--it)->begin != begin)
    return;
  unmap(*it);
  allocations.erase(it);
}

const Allocation *AddressMap::below(uintptr_t address) const {
  auto it = std::upper_bound(allocations.begin(), allocations.end(), address,
                             beginsAfter);
  return it == allocations.begin() ? nullptr : &*--it;
}

const Allocation *AddressMap::above(uintptr_t address) const {
  auto it = std::upper_bound(allocations.begin(), allocations.end(), address,
                             beginsAfter);
  return it == allocations.end() ? nullptr : &*it;
}
