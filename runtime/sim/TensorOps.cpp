// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor copies by TMA, checked when they start and made as late as can be.
#include "../lib/Error.h"
#include "BlockRunner.h"
#include "HostMemory.h"

#include <algorithm>
#include <cstring>

using namespace tile::rt;

// What a copy moves at a time, and how shared memory must be aligned for it.
static constexpr uint64_t chunkBytes = 16, boxAlignment = 128;

const SimTensorMap &BlockRunner::readMap(Fiber &fiber, const void *map,
                                         int32_t site) {
  auto address = reinterpret_cast<uintptr_t>(map);
  if (map && !isReadable(map))
    misuse(fiber, site, "wild tensor map",
           format("expected the address of 128 bytes that can be read, but got "
                  "0x%llx",
                  static_cast<unsigned long long>(address)));
  if (!map || address % tensorMapAlignment)
    misuse(
        fiber, site, "misaligned tensor map",
        format("expected an address that is a multiple of 64, but got 0x%llx",
               static_cast<unsigned long long>(address)));
  const auto &facts = *static_cast<const SimTensorMap *>(map);
  if (facts.magic != SimTensorMap::theMagic)
    misuse(fiber, site, "wrong tensor map",
           "expected 128 bytes made by the runtime's tensor map encoder, but "
           "got others");
  return facts;
}

/// Bytes of a row that a store writes: up to the 16-byte boundary behind the
/// tensor's extent, if the box goes as far.
static uint64_t storedBytes(const SimTensorMap &map, const TensorMapRow &row) {
  uint64_t rest =
      (chunkBytes - (row.global + row.bytes) % chunkBytes) % chunkBytes;
  return std::min(row.bytes + rest, map.rowBytes() - row.skipped);
}

BoxStart BlockRunner::checkBox(Fiber &fiber, const SimTensorMap &map,
                               const BoxPlace &place, bool isStore,
                               int32_t site) {
  if (place.rank != map.rank)
    misuse(fiber, site, "wrong tensor copy",
           format("expected %d coordinates as the tensor map has dimensions, "
                  "but got %d",
                  map.rank, place.rank));
  if (place.im2col != bool(map.im2col))
    misuse(fiber, site, "wrong tensor copy",
           place.im2col ? "expected the tensor map of an im2col copy, but got "
                          "that of a copy of tiles"
                        : "expected the tensor map of a copy of tiles, but got "
                          "that of an im2col copy");
  BoxStart start;
  std::copy(place.coordinates, place.coordinates + place.rank,
            start.coordinates);
  // A copy takes offsets of as many bits together, whatever the rank is.
  int32_t most = map.rank == 3 ? 0xffff : map.rank == 4 ? 0xff : 0x1f;
  for (int i = 0; place.im2col && i + 2 < place.rank; ++i) {
    start.offsets[i] = place.coordinates[place.rank + i];
    if (start.offsets[i] < 0 || start.offsets[i] > most)
      misuse(fiber, site, "wrong tensor copy",
             format("expected an offset of 0 to %d, but got %d", most,
                    start.offsets[i]));
  }
  forEachRow(map, start, [&](const TensorMapRow &row) {
    if (!row.bytes)
      return;
    check(fiber, row.global, isStore ? storedBytes(map, row) : row.bytes, 1,
          TILE_SIM_GLOBAL | (isStore ? TILE_SIM_STORE : TILE_SIM_LOAD), site);
  });
  return start;
}

void BlockRunner::accessAsync(Fiber &fiber, const ClockView &view,
                              unsigned rank, uint64_t offset, uint64_t size,
                              unsigned column, uint32_t clock, bool isStore,
                              const char *what, int32_t site) {
  if (shadow.accessAsync(view, column, clock, rank * shadowStride + offset,
                         size, isStore, site))
    return;
  SimFault wrong;
  wrong.kind = SimFault::SharedConflictFound;
  wrong.thread = fiber.index;
  wrong.site = site;
  wrong.address = reinterpret_cast<uintptr_t>(sharedOf(rank) + offset);
  wrong.size = size;
  wrong.what = what;
  wrong.isShared = true;
  wrong.conflict = shadow.conflict();
  abandon(fiber, wrong);
}

void BlockRunner::accessBox(Fiber &fiber, const ClockView &view, unsigned rank,
                            uint64_t offset, const SimTensorMap &map,
                            unsigned column, uint32_t clock, bool isStore,
                            const char *what, int32_t site) {
  // A swizzle moves chunks inside of blocks that the box fills, except where
  // its rows are shorter.
  bool dense = !map.swizzleBytes || map.rowBytes() == map.swizzleBytes;
  uint64_t bytes = map.boxBytes(), pattern = 8 * map.swizzleBytes;
  if (dense && (!pattern || (offset % pattern == 0 && bytes % pattern == 0)))
    return accessAsync(fiber, view, rank, offset, bytes, column, clock, isStore,
                       what, site);
  for (uint64_t at = 0; at < bytes; at += chunkBytes)
    accessAsync(fiber, view, rank, swizzleOffset(offset + at, map.swizzleBytes),
                chunkBytes, column, clock, isStore, what, site);
}

void BlockRunner::loadTensor(Fiber &fiber, void *destination, const void *map,
                             void *barrier, const BoxPlace &place, int32_t mask,
                             int32_t site) {
  TensorLoad load;
  load.map = readMap(fiber, map, site);
  load.thread = fiber.index;
  load.clock = shadow.clocks.clock(fiber.index);
  load.arrivals = fiber.clusterArrivals;
  load.site = site;
  load.start = checkBox(fiber, load.map, place, false, site);
  load.destination = sharedOffset(fiber, destination, load.map.boxBytes(),
                                  "a destination", site);
  if (load.destination % boxAlignment)
    misuse(fiber, site, "misaligned tensor load",
           format("expected a shared offset that is a multiple of 128, but got "
                  "0x%llx",
                  static_cast<unsigned long long>(load.destination)));
  uint32_t blocks = mask < 0 ? 1u << fiber.rank : static_cast<uint32_t>(mask);
  if (!blocks || blocks >> launch->cluster)
    misuse(fiber, site, "wrong tensor load",
           format("expected a mask of the cluster's %d blocks, but got 0x%x",
                  launch->cluster, blocks));
  uint64_t barrierOffset = sharedOffset(fiber, barrier, 8, "an mbarrier", site);
  for (unsigned target = 0; blocks >> target; ++target) {
    if (!(blocks >> target & 1))
      continue;
    checkAlive(fiber, target, "tensor load", site);
    int number =
        findBarrier(fiber, sharedOf(target) + barrierOffset, true, site);
    checkInitialised(fiber, number, true, site);
    if (!mbarriers[number].column)
      mbarriers[number].column = addColumn(AsyncKind::TensorLoad);
    uint32_t clock = shadow.clocks.tick();
    accessBox(fiber, shadow.clocks.viewOf(fiber.index), target,
              load.destination, load.map, mbarriers[number].column, clock, true,
              "tensor load", site);
    load.targets.push_back({target, number, clock});
  }
  loads.push_back(std::move(load));
}

void BlockRunner::completeLoad(const TensorLoad &load) {
  uint64_t rowBytes = load.map.rowBytes();
  for (const TensorLoad::Target &target : load.targets) {
    uint8_t *memory = sharedOf(target.rank);
    forEachRow(load.map, load.start, [&](const TensorMapRow &row) {
      uint8_t buffer[256 * 8];
      std::memset(buffer, 0, rowBytes);
      if (row.bytes)
        std::memcpy(buffer + row.skipped,
                    reinterpret_cast<const void *>(row.global), row.bytes);
      for (uint64_t at = 0; at < rowBytes; at += chunkBytes)
        std::memcpy(memory + swizzleOffset(load.destination + row.shared + at,
                                           load.map.swizzleBytes),
                    buffer + at, chunkBytes);
    });
  }
  auto bytes = static_cast<int64_t>(load.map.boxBytes());
  for (const TensorLoad::Target &target : load.targets) {
    MBarrier &barrier = mbarriers[target.barrier];
    if (barrier.rank != fibers[load.thread].rank)
      barrier.touched = {barrier.phase + 1, load.thread, load.clock,
                         load.arrivals, load.site};
    for (ReleasedClocks *clocks :
         {&barrier.arriving.block, &barrier.arriving.cluster})
      shadow.clocks.release(barrier.column, target.clock, *clocks);
    changeBarrier(fibers[load.thread], target.barrier, 0, -bytes, load.site);
  }
}

void BlockRunner::storeTensor(Fiber &fiber, const void *map, const void *source,
                              const BoxPlace &place, int32_t site) {
  TensorStore store;
  store.map = readMap(fiber, map, site);
  store.start = checkBox(fiber, store.map, place, true, site);
  uint64_t offset =
      sharedOffset(fiber, source, store.map.boxBytes(), "a source", site);
  if (offset % boxAlignment)
    misuse(fiber, site, "misaligned tensor store",
           format("expected a shared offset that is a multiple of 128, but got "
                  "0x%llx",
                  static_cast<unsigned long long>(offset)));
  if (!fiber.storeColumn)
    fiber.storeColumn = addColumn(AsyncKind::TensorStore);
  store.clock = shadow.clocks.tick();
  store.group = fiber.storeGroup;
  store.site = site;
  store.source = offset;
  accessBox(fiber, shadow.clocks.viewOf(fiber.index), fiber.rank, offset,
            store.map, fiber.storeColumn, store.clock, false, "tensor store",
            site);
  fiber.stores.push_back(store);
}

void BlockRunner::performStore(Fiber &fiber, const TensorStore &store) {
  const uint8_t *memory = fiber.context.shared;
  forEachRow(store.map, store.start, [&](const TensorMapRow &row) {
    if (!row.bytes)
      return;
    uint8_t buffer[256 * 8];
    for (uint64_t at = 0; at < store.map.rowBytes(); at += chunkBytes)
      std::memcpy(buffer + at,
                  memory + swizzleOffset(store.source + row.shared + at,
                                         store.map.swizzleBytes),
                  chunkBytes);
    std::memcpy(reinterpret_cast<void *>(row.global), buffer + row.skipped,
                storedBytes(store.map, row));
  });
}

void BlockRunner::waitStores(Fiber &fiber, int32_t pending) {
  // Groups up to this one; operations without a group are not waited for.
  int64_t last = int64_t(fiber.storeGroup) - 1 - pending;
  size_t done = 0;
  for (; done < fiber.stores.size(); ++done) {
    const TensorStore &store = fiber.stores[done];
    if (int64_t(store.group) > last)
      break;
    performStore(fiber, store);
    shadow.clocks.acquire(fiber.index, fiber.storeColumn, store.clock);
  }
  fiber.stores.erase(fiber.stores.begin(), fiber.stores.begin() + done);
}
