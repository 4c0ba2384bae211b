// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one block at a time: a fiber for each GPU thread, barriers between them.
#ifndef TILE_RT_SIM_BLOCKRUNNER_H
#define TILE_RT_SIM_BLOCKRUNNER_H

#include "AddressMap.h"
#include "Fiber.h"
#include "Report.h"
#include "SharedShadow.h"
#include "tile-sim-abi.h"

#include <string>
#include <vector>

namespace tile::rt {

/// One launch, as every host thread sees it.
struct SimLaunch {
  void (*function)(TileSimContext *, void **);
  void **args;
  int32_t grid[3];
  int32_t block[3];
  uint64_t sharedBytes;
  const char *kernel;
  const std::vector<std::string> *sites;
  const AddressMap *memory;

  unsigned threads() const { return block[0] * block[1] * block[2]; }
  int64_t blocks() const { return int64_t(grid[0]) * grid[1] * grid[2]; }
};

class BlockRunner;

/// A GPU thread. The context comes first, so that the kernel's pointer to it is
/// one to the fiber.
struct Fiber {
  enum State : uint8_t { Ready, Waiting, Exited };

  TileSimContext context;
  BlockRunner *runner;
  void *stack;
  /// Waiting: at which barrier, for how many, where.
  int32_t barrier, count, site;
  uint16_t index;
  State state;
};

/// A host thread's equipment to run blocks: stacks, shared memory, shadow. All
/// of it is reused from block to block and from launch to launch.
///
/// Threads run in the order of their numbers, each until its next barrier, so a
/// kernel behaves the same every time. The switch goes from fiber to fiber
/// without a scheduler in between.
class BlockRunner {
public:
  BlockRunner() = default;
  ~BlockRunner();
  BlockRunner(const BlockRunner &) = delete;
  BlockRunner &operator=(const BlockRunner &) = delete;

  /// Makes room for the launch, which must outlive its last runBlock(). False
  /// when memory is short.
  bool beginLaunch(const SimLaunch &launch);

  /// Runs block `number`, counted with x fastest. False when it failed: then
  /// report() words why, once.
  bool runBlock(int64_t number);

  /// The sentence of the failed block.
  std::string report() const;

  /// tile_sim_check, on a fiber. Does not return when the access is wrong.
  void check(Fiber &fiber, uintptr_t address, uint64_t size, int32_t alignment,
             int32_t kind, int32_t site) {
    if (alignment > 1 && (address & (alignment - 1)))
      failAccess(fiber, SimFault::Misaligned, address, size, alignment, kind,
                 site);
    int space = kind & (TILE_SIM_GLOBAL | TILE_SIM_SHARED);
    if (space == TILE_SIM_GLOBAL) {
      for (const Allocation &allocation : recent)
        if (allocation.contains(address, size))
          return;
      return checkGlobal(fiber, address, size, alignment, kind, site);
    }
    uint64_t offset = address - reinterpret_cast<uintptr_t>(shared);
    if (offset < launch->sharedBytes && size <= launch->sharedBytes - offset) {
      if (!shadow.access(fiber.index, offset, size, kind & TILE_SIM_STORE,
                         site))
        failAccess(fiber, SimFault::SharedConflictFound, address, size,
                   alignment, kind, site);
      return;
    }
    if (space == TILE_SIM_SHARED)
      failAccess(fiber, SimFault::OutOfBounds, address, size, alignment, kind,
                 site);
    checkGlobal(fiber, address, size, alignment, kind, site);
  }

  /// tile_sim_barrier, on a fiber.
  void barrier(Fiber &fiber, int32_t id, int32_t count, int32_t site);

  /// Ends the block with `fault`, on a fiber. Never returns.
  [[noreturn]] void abandon(Fiber &fiber, const SimFault &fault);

private:
  static constexpr int barrierCount = 16;
  struct Barrier {
    unsigned arrived = 0;
    /// Number of an arrived thread; they all agree on the count.
    uint16_t last = 0;
  };

  static void fiberMain(void *argument);
  void checkGlobal(Fiber &fiber, uintptr_t address, uint64_t size,
                   int32_t alignment, int32_t kind, int32_t site);
  [[noreturn]] void failAccess(Fiber &fiber, SimFault::Kind kind,
                               uintptr_t address, uint64_t size,
                               int32_t alignment, int32_t access, int32_t site);
  /// Makes all threads at barrier `id` ready; `current` is the running one.
  void releaseBarrier(Fiber &current, int id);
  bool complete(int id, int32_t count) const;
  /// Leaves `from`, which waits or has exited, for the next ready fiber.
  void switchToNext(Fiber &from);
  void fillDeadlock();

  const SimLaunch *launch = nullptr;
  int32_t blockIndex[3] = {};
  FiberStacks stacks;
  std::vector<Fiber> fibers;
  /// Numbers of the ready fibers, first come first served, in a ring.
  std::vector<uint16_t> ready;
  unsigned readyHead = 0, readyCount = 0;
  unsigned live = 0;
  Barrier barriers[barrierCount];
  std::vector<uint16_t> participants;
  void *hostStack = nullptr;

  uint8_t *shared = nullptr;
  uint64_t sharedCapacity = 0;
  SharedShadow shadow;
  /// The allocations used last.
  Allocation recent[4];
  unsigned nextRecent = 0;
  SimFault fault;
};

} // namespace tile::rt

#endif // TILE_RT_SIM_BLOCKRUNNER_H
