// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a cluster of blocks at a time: a fiber for each GPU thread.
#ifndef TILE_RT_SIM_BLOCKRUNNER_H
#define TILE_RT_SIM_BLOCKRUNNER_H

#include "AccessCounters.h"
#include "AddressMap.h"
#include "Fiber.h"
#include "MBarrier.h"
#include "Report.h"
#include "SharedShadow.h"
#include "TensorMap.h"
#include "tile-sim-abi.h"

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tile::rt {

/// Which allocations a launch loads from (bit 0) and stores to (bit 1), by
/// where they begin.
using TouchedMemory = std::map<uintptr_t, uint8_t>;

/// One launch, as every host thread sees it.
struct SimLaunch {
  void (*function)(TileSimContext *, void **);
  void **args;
  int32_t grid[3];
  int32_t block[3];
  /// Blocks of a cluster, all along x.
  int32_t cluster = 1;
  uint64_t sharedBytes;
  const char *kernel;
  const std::vector<std::string> *sites;
  const AddressMap *memory;
  /// Where accesses are added up, and what guards that.
  AccessCounts *counts = nullptr;
  std::mutex *countsMutex = nullptr;
  /// What the launch touches, and what guards that; what the launch in front
  /// touched, if this one may run beside it.
  TouchedMemory *touched = nullptr;
  std::mutex *touchedMutex = nullptr;
  const TouchedMemory *before = nullptr;
  /// How often the threads of a cluster may go back to the begin of a loop; 0:
  /// as often as they want.
  uint64_t steps = 0;

  /// Of a block.
  unsigned threads() const { return block[0] * block[1] * block[2]; }
  int64_t clusters() const {
    return int64_t(grid[0] / cluster) * grid[1] * grid[2];
  }
};

class BlockRunner;

/// Where code says that a copy starts: coordinates, and behind them the offsets
/// of pixels.
struct BoxPlace {
  const int32_t *coordinates;
  int32_t rank;
  bool im2col;
};

/// A copy from shared to global memory that nobody has waited for.
struct TensorStore {
  SimTensorMap map;
  BoxStart start;
  uint64_t source; ///< offset in the block's shared memory
  uint32_t clock, group;
  int32_t site;
};

/// A cp.async that its thread has not waited for.
struct AsyncCopy {
  uintptr_t source;
  uint64_t destination; ///< offset in the block's shared memory
  int32_t size, copied;
  uint32_t group;
  int32_t site;
};

/// A copy from global to shared memory that has not arrived.
struct TensorLoad {
  SimTensorMap map;
  BoxStart start;
  unsigned thread;
  uint32_t clock, arrivals; ///< of the thread
  int32_t site;
  struct Target {
    unsigned rank;
    int barrier;
    uint32_t clock;
  };
  uint64_t destination; ///< offset in each target's shared memory
  std::vector<Target> targets;
};

/// A GPU thread. The context comes first, so that the kernel's pointer to it is
/// one to the fiber.
struct Fiber {
  enum State : uint8_t { Ready, Waiting, Exited };

  TileSimContext context;
  BlockRunner *runner;
  void *stack;
  /// Where its stack begins, at the highest address that kernel code uses.
  uintptr_t stackTop;
  /// Waiting: for what, and where. A named barrier and its count, an mbarrier
  /// and the phase; the arguments of a collective operation.
  WaitKind wait;
  int32_t barrier, count, site;
  void *arguments;
  /// Number in the cluster, and the block's number there.
  uint16_t index, rank;
  State state;
  /// Whether the last wait for an mbarrier acquires from the whole cluster.
  bool acquiresCluster;
  /// Has arrived at the cluster's barrier of this phase, and not waited.
  bool clusterArrived;
  uint32_t clusterPhase;
  /// Phases of the cluster's barrier at which it has arrived, and that it has
  /// waited for.
  uint32_t clusterArrivals, clusterPassed;
  /// The last access of each block's shared memory but its own.
  struct RemoteAccess {
    uint32_t clock = 0, arrivals = 0;
    int32_t site = -1;
  };
  std::vector<RemoteAccess> remote;
  /// Has not waited for the launch in front, which may still run.
  bool overlaps;
  /// How often it has gone back to the begin of a loop.
  uint64_t steps;
  /// Copies to global memory, and the group that takes the next one.
  std::vector<TensorStore> stores;
  uint32_t storeGroup;
  unsigned storeColumn;
  /// Copies by cp.async, oldest first, and the group that takes the next one.
  std::vector<AsyncCopy> copies;
  uint32_t copyGroup;
  /// The last wgmma, and that of each group since the last wait.
  uint32_t wgmmaClock;
  std::vector<uint32_t> wgmmaGroups;
  /// Whether a wgmma.fence follows the last wait for wgmma; hashes of the
  /// accumulators that the last ones left.
  bool wgmmaFenced;
  std::vector<uint64_t> wgmmaResults;

  void begin(void *newStack);
};

/// A host thread's equipment to run clusters: stacks, shared memory, shadow.
/// All of it is reused from cluster to cluster and from launch to launch.
///
/// Threads run in the order of their numbers, each until it has to wait, so a
/// kernel behaves the same every time. The switch goes from fiber to fiber
/// without a scheduler in between. Copies by TMA happen as late as can be: into
/// shared memory when no thread can run without them, out of it when the thread
/// waits for them; those by cp.async when their thread waits for them.
class BlockRunner {
public:
  BlockRunner() = default;
  ~BlockRunner();
  BlockRunner(const BlockRunner &) = delete;
  BlockRunner &operator=(const BlockRunner &) = delete;

  /// Makes room for the launch, which must outlive its last runCluster().
  /// False when memory is short.
  bool beginLaunch(const SimLaunch &launch);

  /// Runs cluster `number`, counted with x fastest. False when it failed: then
  /// report() words why, once.
  bool runCluster(int64_t number);

  /// The sentence of the failed cluster.
  std::string report() const;

  /// tile_sim_check, on a fiber. Does not return when the access is wrong.
  void check(Fiber &fiber, uintptr_t address, uint64_t size, int32_t alignment,
             int32_t kind, int32_t site) {
    if (alignment > 1 && (address & (alignment - 1)))
      failAccess(fiber, SimFault::Misaligned, address, size, alignment, kind,
                 site);
    int space = kind & TILE_SIM_SPACE;
    if (space == TILE_SIM_GLOBAL) {
      for (const Recent &allocation : recent)
        if (allocation.contains(address, size) &&
            allocation.touched & touchOf(kind) && !fiber.overlaps)
          return;
      return checkGlobal(fiber, address, size, alignment, kind, site);
    }
    uint64_t offset =
        address - reinterpret_cast<uintptr_t>(fiber.context.shared);
    if (offset < launch->sharedBytes && size <= launch->sharedBytes - offset) {
      if (!accessShared(fiber, fiber.rank * shadowStride + offset, size, kind,
                        site))
        failAccess(fiber, SimFault::SharedConflictFound, address, size,
                   alignment, kind, site);
      return;
    }
    checkElsewhere(fiber, address, size, alignment, kind, site);
  }

  /// tile_sim_local, on a fiber.
  void checkLocal(Fiber &fiber, uintptr_t address, uint64_t size,
                  uintptr_t base, uint64_t bytes, int32_t site);

  /// tile_sim_step, on a fiber.
  void step(Fiber &fiber, int32_t site) {
    if ((++fiber.steps & (stepsOfTurn - 1)) == 0)
      endTurn(fiber, site);
  }

  /// tile_sim_count, on a fiber.
  void count(Fiber &fiber, uintptr_t address, uint64_t size, bool on,
             int32_t kind, int32_t site);

  /// tile_sim_barrier and tile_sim_barrier_arrive, on a fiber.
  void barrier(Fiber &fiber, int32_t id, int32_t count, bool waits,
               int32_t site);

  /// A collective operation of the lanes in `mask`; `arguments` are a lane's
  /// own. Returns when all lanes have their results.
  void collective(Fiber &fiber, uint32_t mask, int operation, void *arguments,
                  int32_t site);

  void initBarrier(Fiber &fiber, void *address, int32_t count, int32_t site);
  void invalidateBarrier(Fiber &fiber, void *address, int32_t site);
  int64_t arriveBarrier(Fiber &fiber, void *address, int32_t count,
                        int64_t bytes, int32_t mode, int32_t site);
  void completeBytes(Fiber &fiber, void *address, int64_t bytes, int32_t site);
  bool waitBarrier(Fiber &fiber, void *address, int64_t phase, int32_t mode,
                   int32_t site);

  void loadTensor(Fiber &fiber, void *destination, const void *map,
                  void *barrier, const BoxPlace &place, int32_t mask,
                  int32_t site);
  void storeTensor(Fiber &fiber, const void *map, const void *source,
                   const BoxPlace &place, int32_t site);
  void commitStores(Fiber &fiber) { ++fiber.storeGroup; }
  void waitStores(Fiber &fiber, int32_t pending);

  void copyAsync(Fiber &fiber, void *destination, const void *source,
                 int32_t size, int32_t copied, int32_t site);
  void commitCopies(Fiber &fiber) { ++fiber.copyGroup; }
  void waitCopies(Fiber &fiber, int32_t pending);
  const SimTensorMap &readMap(Fiber &fiber, const void *map, int32_t site);

  void fenceProxy(Fiber &fiber) {
    shadow.clocks.fenceProxy(fiber.index);
    fenceBarrierInit(fiber);
  }
  void fenceBarrierInit(Fiber &fiber);

  /// A is in `registersA`, 16 bytes of the thread, or if that is null, where
  /// `descriptorA` says.
  void wgmma(Fiber &fiber, void *accumulators, const void *registersA,
             uint64_t descriptorA, uint64_t descriptorB, int32_t n,
             int32_t flags, int32_t site);
  void commitWgmma(Fiber &fiber) {
    fiber.wgmmaGroups.push_back(fiber.wgmmaClock);
  }
  void fenceWgmma(Fiber &fiber) {
    fiber.wgmmaFenced = true;
    fiber.wgmmaResults.clear();
  }
  void waitWgmma(Fiber &fiber, int32_t pending);

  /// griddepcontrol.wait.
  void waitGrids(Fiber &fiber) {
    fiber.overlaps = false;
    gridWaits.push_back({shadow.clocks.clock(fiber.index), -1, fiber.index});
  }

  void arriveCluster(Fiber &fiber, bool relaxed, int32_t site);
  void waitCluster(Fiber &fiber, int32_t site);
  void *mapToRank(Fiber &fiber, void *address, int32_t rank, int32_t site);

  /// Ends the cluster with `fault`, on a fiber. Never returns.
  [[noreturn]] void abandon(Fiber &fiber, const SimFault &fault);
  /// The same for a rule that an operation breaks: `what` and a sentence.
  [[noreturn]] void misuse(Fiber &fiber, int32_t site, const char *what,
                           std::string sentence);

private:
  static constexpr int barrierCount = 16;
  struct Barrier {
    unsigned arrived = 0;
    /// Number of an arrived thread, its count and place.
    uint16_t last = 0;
    int32_t count = 0, site = -1;
    ReleasedClocks released; ///< by those who do not wait
  };
  /// Lanes of a warp on their way to an operation.
  struct Collective {
    uint32_t mask, arrived;
    int operation;
    int32_t site;
  };
  /// Threads of a warpgroup on their way to a wgmma, and its pseudo-thread.
  struct Warpgroup {
    unsigned arrived = 0, column = 0;
    uint64_t descriptors[2];
    int32_t n, flags, site;
    /// A from registers: 64 rows of 32 bytes.
    bool hasRegisters;
    uint8_t rows[64 * 32];
  };

  /// An allocation that a check has found, and what was done there.
  struct Recent : Allocation {
    uint8_t touched = 0;
  };
  static uint8_t touchOf(int32_t kind) { return kind & TILE_SIM_STORE ? 2 : 1; }

  static void fiberMain(void *argument);
  void exitThread(Fiber &fiber);
  void checkExits();
  void endTurn(Fiber &fiber, int32_t site);
  bool accessShared(Fiber &fiber, uint64_t offset, uint64_t size, int32_t kind,
                    int32_t site) {
    return kind & TILE_SIM_ATOMIC
               ? accessAtomic(fiber, offset, size, kind, site)
               : shadow.access(fiber.index, offset, size, kind & TILE_SIM_STORE,
                               site);
  }
  bool accessAtomic(Fiber &fiber, uint64_t offset, uint64_t size, int32_t kind,
                    int32_t site);
  void touch(Fiber &fiber, const Allocation &allocation, int32_t kind,
             int32_t site);
  bool knowsGridWait(Fiber &fiber);
  void checkElsewhere(Fiber &fiber, uintptr_t address, uint64_t size,
                      int32_t alignment, int32_t kind, int32_t site);
  void checkGlobal(Fiber &fiber, uintptr_t address, uint64_t size,
                   int32_t alignment, int32_t kind, int32_t site);
  [[noreturn]] void failAccess(Fiber &fiber, SimFault::Kind kind,
                               uintptr_t address, uint64_t size,
                               int32_t alignment, int32_t access, int32_t site);

  /// Makes all threads at barrier `id` of block `rank` ready; `current` is the
  /// running one.
  void releaseBarrier(Fiber &current, unsigned rank, int id);
  bool complete(unsigned rank, int id) const;
  void checkWholeWarp(Fiber &fiber);
  void releaseCluster();
  void makeReady(Fiber &fiber);
  /// Lets the fiber wait for `kind`, until someone makes it ready.
  void suspend(Fiber &fiber, WaitKind kind, int32_t site);
  /// Leaves `from`, which waits or has exited, for the next ready fiber.
  void switchToNext(Fiber &from);
  /// With no fiber ready: lets the oldest copy arrive, or those look again who
  /// poll. False when there is nothing that could help.
  bool advance();
  void fillDeadlock();

  void runCollective(unsigned warp, const Collective &collective);
  void finishCollectives(Fiber &current, unsigned warp);
  uint32_t liveLanes(unsigned warp) const;
  void moveMatrices(unsigned warp, const Collective &collective);
  void runWgmma(Fiber &fiber, unsigned group);
  void checkWgmmaFence(Fiber &fiber, const void *accumulators,
                       const void *registersA, int32_t n, int32_t flags,
                       int32_t site);

  /// The number of the live mbarrier at `address`; reports anything else.
  int findBarrier(Fiber &fiber, void *address, bool mayBeRemote, int32_t site);
  void checkInitialised(Fiber &fiber, int number, bool asynchronous,
                        int32_t site);
  void releaseToBarrier(Fiber &fiber, MBarrier &barrier, bool toCluster);
  void acquireBarrier(Fiber &fiber, const MBarrier &barrier);
  void changeBarrier(Fiber &current, int number, int32_t arrivals,
                     int64_t bytes, int32_t site);
  void completeLoad(const TensorLoad &load);
  void performStore(Fiber &fiber, const TensorStore &store);
  void performCopies(Fiber &fiber, int64_t lastGroup);
  /// Checks what a copy of the box reads or writes in global memory.
  BoxStart checkBox(Fiber &fiber, const SimTensorMap &map,
                    const BoxPlace &place, bool isStore, int32_t site);
  /// Checks the box at `offset` of block `rank` for an asynchronous operation.
  void accessBox(Fiber &fiber, const ClockView &view, unsigned rank,
                 uint64_t offset, const SimTensorMap &map, unsigned column,
                 uint32_t clock, bool isStore, const char *what, int32_t site);
  void accessAsync(Fiber &fiber, const ClockView &view, unsigned rank,
                   uint64_t offset, uint64_t size, unsigned column,
                   uint32_t clock, bool isStore, const char *what,
                   int32_t site);
  /// The offset of `address` in the block's own shared memory, of `size` bytes
  /// that lie inside; reports anything else.
  uint64_t sharedOffset(Fiber &fiber, const void *address, uint64_t size,
                        const char *what, int32_t site);
  void checkAlive(Fiber &fiber, unsigned rank, const char *what, int32_t site);
  uint8_t *sharedOf(unsigned rank) const { return shared + rank * windowBytes; }
  unsigned addColumn(AsyncKind kind);

  /// Blocks see their shared memory in windows of this size, below 4 GiB: an
  /// address fits in 32 bits, and its low 18 bits are the offset, as matrix
  /// descriptors have it.
  static constexpr uint64_t windowBytes = 256 * 1024;
  /// Passes through a loop after which others have their turn; a power of two.
  static constexpr uint64_t stepsOfTurn = 1 << 16;

  const SimLaunch *launch = nullptr;
  int32_t blockIndex[3] = {}; ///< of the cluster's first block
  unsigned threadsPerBlock = 0, warpsPerBlock = 0;
  FiberStacks stacks;
  std::vector<Fiber> fibers;
  /// Numbers of the ready fibers, first come first served, in a ring.
  std::vector<uint16_t> ready;
  unsigned readyHead = 0, readyCount = 0;
  unsigned live = 0;
  std::vector<unsigned> liveInBlock;
  std::vector<Barrier> barriers; ///< barrierCount of each block
  std::vector<uint16_t> participants;
  void *hostStack = nullptr;

  std::vector<std::vector<Collective>> warps;
  std::vector<Warpgroup> warpgroups;
  std::vector<double> matrixA, matrixB, accumulator;
  std::vector<uint32_t> chunksA, chunksB;

  MBarrierTable mbarriers;
  unsigned mbarrierColumn = 0;
  std::vector<AsyncKind> columnKinds;
  std::deque<TensorLoad> loads;
  std::vector<uint16_t> pollers;
  unsigned idlePolls = 0;

  unsigned clusterArrived = 0;
  uint32_t clusterPhase = 0;
  ReleasedClocks clusterArriving, clusterCompleted;
  /// What the threads of each block knew when they exited.
  std::vector<ReleasedClocks> exits;
  /// The most phases of the cluster's barrier that one of them had waited for.
  std::vector<uint32_t> exitPhases;
  /// Clocks that releasing atomic accesses left, by where they lie.
  std::unordered_map<uint64_t, ReleasedClocks> atomicClocks;
  std::vector<SharedAccess> gridWaits;
  TouchedMemory touched;
  uint64_t clusterSteps = 0;

  uint8_t *mapping = nullptr, *shared = nullptr;
  uint64_t mappedBytes = 0, shadowStride = 0;
  SharedShadow shadow;
  AccessCounters counters;
  /// The allocations used last.
  Recent recent[4];
  unsigned nextRecent = 0;
  SimFault fault;
};

} // namespace tile::rt

#endif // TILE_RT_SIM_BLOCKRUNNER_H
