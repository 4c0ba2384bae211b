// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on memory barriers, and the barrier of the cluster.
#include "../lib/Error.h"
#include "BlockRunner.h"

#include <algorithm>

using namespace tile::rt;

using Long = long long;

static constexpr uint64_t barrierBytes = 8;

unsigned BlockRunner::addColumn(AsyncKind kind) {
  columnKinds.push_back(kind);
  return shadow.clocks.addColumn();
}

uint64_t BlockRunner::sharedOffset(Fiber &fiber, const void *address,
                                   uint64_t size, const char *what,
                                   int32_t site) {
  uint64_t offset = reinterpret_cast<uintptr_t>(address) -
                    reinterpret_cast<uintptr_t>(fiber.context.shared);
  if (offset < launch->sharedBytes && size <= launch->sharedBytes - offset)
    return offset;
  misuse(fiber, site, "out-of-bounds shared memory",
         format("expected %s of %llu bytes inside of the block's %llu bytes of "
                "shared memory, but got one at offset %lld",
                what, static_cast<unsigned long long>(size),
                static_cast<unsigned long long>(launch->sharedBytes),
                Long(offset)));
}

void BlockRunner::checkAlive(Fiber &fiber, unsigned rank, const char *what,
                             int32_t site) {
  if (!liveInBlock[rank])
    misuse(fiber, site, "block that has exited",
           format("expected a live block %u of the cluster for the %s, but all "
                  "its threads have exited",
                  rank, what));
}

int BlockRunner::findBarrier(Fiber &fiber, void *address, bool mayBeRemote,
                             int32_t site) {
  uint64_t offset = reinterpret_cast<uintptr_t>(address) -
                    reinterpret_cast<uintptr_t>(shared);
  uint64_t rank = offset / windowBytes, inside = offset % windowBytes;
  bool inShared = rank < uint64_t(launch->cluster) &&
                  inside + barrierBytes <= launch->sharedBytes;
  if (!inShared || (!mayBeRemote && rank != fiber.rank))
    misuse(fiber, site, "wrong mbarrier",
           format("expected an address in the block's shared memory, but got "
                  "0x%llx",
                  static_cast<unsigned long long>(
                      reinterpret_cast<uintptr_t>(address))));
  if (inside % barrierBytes)
    misuse(fiber, site, "misaligned mbarrier",
           format("expected a shared offset that is a multiple of 8, but got "
                  "0x%llx",
                  static_cast<unsigned long long>(inside)));
  if (rank != fiber.rank)
    checkAlive(fiber, static_cast<unsigned>(rank), "mbarrier", site);
  int number = mbarriers.find(rank * shadowStride + inside);
  if (number < 0)
    misuse(fiber, site, "wrong mbarrier",
           format("expected an initialised mbarrier, but there is none at "
                  "shared offset 0x%llx of block %d of the cluster",
                  static_cast<unsigned long long>(inside), int(rank)));
  return number;
}

/// Whoever uses an mbarrier must be behind its initialisation, or behind a
/// barrier of the cluster that came after a fence of it.
void BlockRunner::checkInitialised(Fiber &fiber, int number, bool asynchronous,
                                   int32_t site) {
  const MBarrier &barrier = mbarriers[number];
  bool past = shadow.clocks.ordered(fiber.index, barrier.thread, barrier.clock);
  if (!past && barrier.fenced && barrier.fencePhase < fiber.clusterPassed)
    past = true;
  bool needsFence = asynchronous || barrier.rank != fiber.rank;
  if (past && (barrier.fenced || !needsFence))
    return;
  misuse(
      fiber, site, "mbarrier used too early",
      format("expected %s between the mbarrier's initialisation by thread "
             "%u of block %u of the cluster and this use, but there is none",
             past ? "a fence.mbarrier.init or fence.proxy.async" : "a barrier",
             barrier.thread % threadsPerBlock, barrier.rank));
}

void BlockRunner::initBarrier(Fiber &fiber, void *address, int32_t count,
                              int32_t site) {
  uint64_t inside =
      sharedOffset(fiber, address, barrierBytes, "an mbarrier", site);
  if (inside % barrierBytes)
    misuse(fiber, site, "misaligned mbarrier",
           format("expected a shared offset that is a multiple of 8, but got "
                  "0x%llx",
                  static_cast<unsigned long long>(inside)));
  if (count < 1 || count > MBarrier::maxCount)
    misuse(fiber, site, "wrong mbarrier",
           format("expected a count from 1 to 2^20 - 1, but got %d", count));
  uint64_t offset = fiber.rank * shadowStride + inside;
  if (mbarriers.find(offset) >= 0)
    misuse(fiber, site, "wrong mbarrier",
           format("expected memory without a live mbarrier, but there is one "
                  "at shared offset 0x%llx",
                  static_cast<unsigned long long>(inside)));
  check(fiber, reinterpret_cast<uintptr_t>(address), barrierBytes, barrierBytes,
        TILE_SIM_SHARED | TILE_SIM_STORE, site);
  if (!mbarrierColumn)
    mbarrierColumn = addColumn(AsyncKind::MBarrier);
  shadow.reserve(offset, barrierBytes, mbarrierColumn, site);
  MBarrier &barrier = mbarriers[mbarriers.insert(offset)];
  barrier.rank = fiber.rank;
  barrier.expected = barrier.pending = count;
  barrier.thread = fiber.index;
  barrier.clock = shadow.clocks.clock(fiber.index);
  barrier.site = site;
}

void BlockRunner::invalidateBarrier(Fiber &fiber, void *address, int32_t site) {
  int number = findBarrier(fiber, address, false, site);
  checkInitialised(fiber, number, false, site);
  MBarrier &barrier = mbarriers[number];
  if (!barrier.waiters.empty())
    misuse(fiber, site, "wrong mbarrier",
           "expected an mbarrier for which no thread waits");
  mbarriers.erase(barrier.offset);
  shadow.forget(barrier.offset, barrierBytes, fiber.index, site);
}

void BlockRunner::fenceBarrierInit(Fiber &fiber) {
  for (MBarrier &barrier : mbarriers.all())
    if (barrier.thread == fiber.index && !barrier.fenced) {
      barrier.fenced = true;
      barrier.fencePhase = clusterPhase;
    }
}

/// Changes the counts of an mbarrier, and completes the phase if that is due.
void BlockRunner::changeBarrier(Fiber &current, int number, int32_t arrivals,
                                int64_t bytes, int32_t site) {
  MBarrier &barrier = mbarriers[number];
  auto where = static_cast<unsigned long long>(barrier.offset -
                                               barrier.rank * shadowStride);
  if (arrivals > barrier.pending)
    misuse(current, site, "mbarrier overflow",
           format("expected at most %d more arrivals of %d in phase %llu of "
                  "the mbarrier at shared offset 0x%llx, but got %d",
                  barrier.pending, barrier.expected,
                  static_cast<unsigned long long>(barrier.phase), where,
                  arrivals));
  barrier.pending -= arrivals;
  barrier.bytes += bytes;
  bool tooMany = barrier.pending == 0 && barrier.bytes < 0;
  if (tooMany || barrier.bytes > MBarrier::maxBytes ||
      barrier.bytes < -MBarrier::maxBytes)
    misuse(current, site, "mbarrier overflow",
           format("expected %s in phase %llu of the mbarrier at shared offset "
                  "0x%llx, but %lld are pending",
                  tooMany ? "as many bytes as are announced"
                          : "less than 2^20 bytes",
                  static_cast<unsigned long long>(barrier.phase), where,
                  Long(barrier.bytes)));
  if (barrier.pending || barrier.bytes)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  std::swap(barrier.completed, barrier.arriving);
  barrier.arriving.clear();
  idlePolls = 0;
  std::vector<uint16_t> waiters;
  std::swap(waiters, barrier.waiters);
  if (!waiters.empty())
    barrier.observed = barrier.phase;
  for (uint16_t index : waiters) {
    acquireBarrier(fibers[index], barrier);
    makeReady(fibers[index]);
  }
}

/// Adds what `fiber` knows to the phase at which it arrives, as its scope says.
void BlockRunner::releaseToBarrier(Fiber &fiber, MBarrier &barrier,
                                   bool toCluster) {
  bool local = barrier.rank == fiber.rank;
  if (local)
    shadow.clocks.release(fiber.index, barrier.arriving.block);
  else
    shadow.clocks.releaseColumns(fiber.index, barrier.arriving.block);
  if (launch->cluster == 1)
    return;
  if (local || toCluster)
    shadow.clocks.release(fiber.index, barrier.arriving.cluster);
  else
    shadow.clocks.releaseColumns(fiber.index, barrier.arriving.cluster);
}

/// Teaches `fiber` what the last phase released, as far as its wait acquires.
void BlockRunner::acquireBarrier(Fiber &fiber, const MBarrier &barrier) {
  bool wide = launch->cluster > 1 && fiber.acquiresCluster;
  shadow.clocks.acquire(fiber.index, wide ? barrier.completed.cluster
                                          : barrier.completed.block);
}

int64_t BlockRunner::arriveBarrier(Fiber &fiber, void *address, int32_t count,
                                   int64_t bytes, int32_t mode, int32_t site) {
  int number = findBarrier(fiber, address, true, site);
  checkInitialised(fiber, number, false, site);
  MBarrier &barrier = mbarriers[number];
  auto state = static_cast<int64_t>(barrier.phase);
  if (count < 0 || count > MBarrier::maxCount || bytes < 0 ||
      bytes > MBarrier::maxBytes)
    misuse(fiber, site, "wrong mbarrier",
           format("expected a count and a number of bytes less than 2^20, but "
                  "got %d and %lld",
                  count, Long(bytes)));
  if (mode & TILE_SIM_ARRIVE_DROPS)
    barrier.expected -= count;
  // To expect bytes is not to arrive: it releases nothing.
  if (count)
    releaseToBarrier(fiber, barrier, mode & TILE_SIM_ARRIVE_CLUSTER);
  if (barrier.rank != fiber.rank)
    barrier.touched = {barrier.phase + 1, fiber.index,
                       shadow.clocks.clock(fiber.index),
                       fiber.clusterArrivals, site};
  changeBarrier(fiber, number, count, bytes, site);
  return state;
}

void BlockRunner::completeBytes(Fiber &fiber, void *address, int64_t bytes,
                                int32_t site) {
  int number = findBarrier(fiber, address, true, site);
  checkInitialised(fiber, number, false, site);
  changeBarrier(fiber, number, 0, -bytes, site);
}

bool BlockRunner::waitBarrier(Fiber &fiber, void *address, int64_t phase,
                              int32_t mode, int32_t site) {
  int number = findBarrier(fiber, address, false, site);
  checkInitialised(fiber, number, false, site);
  // A state is the phase itself.
  auto parity = static_cast<uint32_t>(phase & 1);
  if (!(mode & TILE_SIM_WAIT_STATE) && (phase < 0 || phase > 1))
    misuse(fiber, site, "wrong mbarrier",
           format("expected a parity of 0 or 1, but got %lld", Long(phase)));
  fiber.acquiresCluster = mode & TILE_SIM_WAIT_CLUSTER;
  if (mbarriers[number].passed(parity)) {
    mbarriers[number].observed = mbarriers[number].phase;
    acquireBarrier(fiber, mbarriers[number]);
    return true;
  }
  fiber.barrier = number;
  fiber.count = static_cast<int32_t>(parity);
  if (mode & TILE_SIM_WAIT_BLOCKS) {
    mbarriers[number].waiters.push_back(fiber.index);
    suspend(fiber, WaitKind::MBarrier, site);
    return true;
  }
  // It sees what was so when it looked, but looks again only when no other
  // thread has anything to do.
  pollers.push_back(fiber.index);
  suspend(fiber, WaitKind::Poll, site);
  return false;
}

void BlockRunner::arriveCluster(Fiber &fiber, bool relaxed, int32_t site) {
  if (fiber.clusterArrived)
    misuse(fiber, site, "wrong cluster barrier",
           "expected a cluster.wait between two arrivals");
  fiber.clusterArrived = true;
  ++fiber.clusterArrivals;
  fiber.clusterPhase = clusterPhase;
  if (!relaxed)
    shadow.clocks.release(fiber.index, clusterArriving);
  if (++clusterArrived == live)
    releaseCluster();
}

void BlockRunner::releaseCluster() {
  clusterArrived = 0;
  ++clusterPhase;
  std::swap(clusterCompleted, clusterArriving);
  clusterArriving.clear();
  for (Fiber &fiber : fibers)
    if (fiber.state == Fiber::Waiting && fiber.wait == WaitKind::Cluster) {
      fiber.clusterPassed = clusterPhase;
      shadow.clocks.acquire(fiber.index, clusterCompleted);
      makeReady(fiber);
    }
}

void BlockRunner::waitCluster(Fiber &fiber, int32_t site) {
  if (!fiber.clusterArrived)
    misuse(fiber, site, "wrong cluster barrier",
           "expected a cluster.arrive before the wait");
  fiber.clusterArrived = false;
  if (fiber.clusterPhase != clusterPhase) {
    fiber.clusterPassed = clusterPhase;
    return shadow.clocks.acquire(fiber.index, clusterCompleted);
  }
  fiber.barrier = fiber.count = 0;
  suspend(fiber, WaitKind::Cluster, site);
}

void *BlockRunner::mapToRank(Fiber &fiber, void *address, int32_t rank,
                             int32_t site) {
  if (rank < 0 || rank >= launch->cluster)
    misuse(fiber, site, "wrong mapa",
           format("expected a block of the cluster from 0 to %d, but got %d",
                  launch->cluster - 1, rank));
  uint64_t inside = sharedOffset(fiber, address, 0, "an address", site);
  return sharedOf(rank) + inside;
}
