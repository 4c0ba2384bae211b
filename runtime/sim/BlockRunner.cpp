// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the fibers of a cluster from wait to wait.
#include "BlockRunner.h"

#include "../lib/Error.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace tile::rt;

static constexpr unsigned warpThreads = 32, warpgroupThreads = 128;
// How often threads that poll look in vain before that counts as a deadlock.
static constexpr unsigned maxIdlePolls = 1000;

BlockRunner::~BlockRunner() {
  if (mapping)
    munmap(mapping, mappedBytes);
}

bool BlockRunner::beginLaunch(const SimLaunch &next) {
  launch = &next;
  threadsPerBlock = next.threads();
  warpsPerBlock = (threadsPerBlock + warpThreads - 1) / warpThreads;
  unsigned blocks = next.cluster, threads = threadsPerBlock * blocks;
  if (!stacks.reserve(threads))
    return false;
  fibers.resize(threads);
  ready.resize(threads);
  uint64_t wanted = (blocks + 1) * windowBytes;
  if (mappedBytes < wanted) {
    if (mapping)
      munmap(mapping, mappedBytes);
    void *fresh =
        mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
    mapping = fresh == MAP_FAILED ? nullptr : static_cast<uint8_t *>(fresh);
    mappedBytes = mapping ? wanted : 0;
  }
  if (!mapping)
    return false;
  shared = mapping +
           (windowBytes - reinterpret_cast<uintptr_t>(mapping) % windowBytes) %
               windowBytes;
  // Cells of the shadow are words, and 16 bytes are copied at a time.
  shadowStride = (next.sharedBytes + 15) / 16 * 16;
  for (unsigned i = 0; i < threads; ++i) {
    Fiber &fiber = fibers[i];
    TileSimContext &context = fiber.context;
    unsigned x = next.block[0], y = next.block[1], own = i % threadsPerBlock;
    context.tid[0] = static_cast<int32_t>(own % x);
    context.tid[1] = static_cast<int32_t>(own / x % y);
    context.tid[2] = static_cast<int32_t>(own / (x * y));
    fiber.runner = this;
    fiber.index = static_cast<uint16_t>(i);
    fiber.rank = static_cast<uint16_t>(i / threadsPerBlock);
    for (int axis = 0; axis < 3; ++axis) {
      context.ntid[axis] = next.block[axis];
      context.nctaid[axis] = next.grid[axis];
      context.clusterCtaid[axis] = axis ? 0 : fiber.rank;
      context.clusterNctaid[axis] = axis ? 1 : next.cluster;
      context.nclusterid[axis] =
          axis ? next.grid[axis] : next.grid[0] / next.cluster;
    }
    context.clusterRank = fiber.rank;
    context.clusterSize = next.cluster;
    context.fiber = &fiber;
    context.shared = sharedOf(fiber.rank);
    context.sharedBytes = static_cast<int64_t>(next.sharedBytes);
  }
  // What was allocated then may be freed now.
  for (Recent &allocation : recent)
    allocation = Recent();
  return true;
}

void Fiber::begin(void *newStack) {
  stack = newStack;
  stackTop = reinterpret_cast<uintptr_t>(newStack);
  state = Ready;
  clusterArrived = acquiresCluster = false;
  stores.clear();
  storeGroup = storeColumn = clusterArrivals = clusterPassed = 0;
  copies.clear();
  copyGroup = 0;
  wgmmaClock = 0;
  wgmmaGroups.clear();
  wgmmaFenced = false;
  wgmmaResults.clear();
  steps = 0;
}

bool BlockRunner::runCluster(int64_t number) {
  int32_t across = launch->grid[0] / launch->cluster;
  blockIndex[0] = static_cast<int32_t>(number % across) * launch->cluster;
  blockIndex[1] = static_cast<int32_t>(number / across % launch->grid[1]);
  blockIndex[2] = static_cast<int32_t>(number / across / launch->grid[1]);
  unsigned threads = static_cast<unsigned>(fibers.size());
  for (unsigned i = 0; i < threads; ++i) {
    Fiber &fiber = fibers[i];
    TileSimContext &context = fiber.context;
    for (int axis = 0; axis < 3; ++axis)
      context.ctaid[axis] = context.clusterid[axis] = blockIndex[axis];
    context.ctaid[0] += fiber.rank;
    context.clusterid[0] /= launch->cluster;
    fiber.begin(stacks.prepare(i, fiberMain, &fiber));
    fiber.overlaps = launch->before != nullptr;
    if (launch->cluster > 1)
      fiber.remote.assign(launch->cluster, Fiber::RemoteAccess());
    ready[i] = static_cast<uint16_t>(i);
  }
  barriers.assign(barrierCount * launch->cluster, Barrier());
  warps.resize(size_t(warpsPerBlock) * launch->cluster);
  for (std::vector<Collective> &warp : warps)
    warp.clear();
  warpgroups.assign((threads + warpgroupThreads - 1) / warpgroupThreads +
                        launch->cluster,
                    Warpgroup());
  live = threads;
  liveInBlock.assign(launch->cluster, threadsPerBlock);
  fault = SimFault();
  mbarriers.clear(shadowStride * launch->cluster);
  mbarrierColumn = 0;
  columnKinds.clear();
  loads.clear();
  pollers.clear();
  idlePolls = clusterArrived = 0;
  clusterPhase = 0;
  clusterArriving.clear();
  clusterCompleted.clear();
  exits.assign(launch->cluster, ReleasedClocks());
  exitPhases.assign(launch->cluster, 0);
  atomicClocks.clear();
  gridWaits.clear();
  clusterSteps = 0;
  shadow.beginBlock(threads, shadowStride * launch->cluster);
  // NaN in every format, should unchecked code read it.
  for (int32_t rank = 0; rank < launch->cluster; ++rank)
    std::memset(sharedOf(rank), 0xff, launch->sharedBytes);

  readyHead = threads == 1 ? 0 : 1;
  readyCount = threads - 1;
  tile_rt_fiber_switch(&hostStack, fibers[0].stack);
  if (launch->counts) {
    std::lock_guard<std::mutex> lock(*launch->countsMutex);
    counters.endBlock(*launch->counts);
  }
  if (launch->touched && !touched.empty()) {
    std::lock_guard<std::mutex> lock(*launch->touchedMutex);
    for (auto [begin, kinds] : touched)
      (*launch->touched)[begin] |= kinds;
    touched.clear();
  }
  if (fault.kind == SimFault::None)
    return true;
  // The next block finds no copies under way.
  for (const Fiber &fiber : fibers)
    for (const AsyncCopy &copy : fiber.copies)
      shadow.forget(fiber.rank * shadowStride + copy.destination, copy.size,
                    fiber.index, copy.site);
  return false;
}

std::string BlockRunner::report() const {
  SimPlace place;
  place.kernel = launch->kernel;
  place.sites = launch->sites;
  for (int axis = 0; axis < 3; ++axis) {
    place.block[axis] = blockIndex[axis];
    place.blockExtents[axis] = launch->block[axis];
  }
  place.clusterSize = launch->cluster;
  place.sharedBegin = reinterpret_cast<uintptr_t>(shared);
  place.windowBytes = windowBytes;
  place.shadowStride = std::max<uint64_t>(shadowStride, 1);
  place.sharedBytes = launch->sharedBytes;
  place.columns = &columnKinds;
  place.memory = launch->memory;
  return describeFault(fault, place);
}

void BlockRunner::fiberMain(void *argument) {
  Fiber &fiber = *static_cast<Fiber *>(argument);
  BlockRunner &runner = *fiber.runner;
  runner.launch->function(&fiber.context, runner.launch->args);
  runner.exitThread(fiber);
  runner.switchToNext(fiber);
  __builtin_unreachable();
}

void BlockRunner::exitThread(Fiber &fiber) {
  if (!fiber.stores.empty())
    misuse(fiber, fiber.stores.front().site, "unfinished tensor store",
           "the thread exits without waiting for the bulk group that reads its "
           "block's shared memory");
  performCopies(fiber, fiber.copyGroup);
  fiber.state = Fiber::Exited;
  if (launch->cluster > 1) {
    shadow.clocks.release(fiber.index, exits[fiber.rank]);
    uint32_t &phases = exitPhases[fiber.rank];
    phases = std::max(phases, fiber.clusterPassed);
  }
  --live;
  --liveInBlock[fiber.rank];
  // Those who wait for all threads no longer wait for this one.
  for (int id = 0; id < barrierCount; ++id)
    if (complete(fiber.rank, id))
      releaseBarrier(fiber, fiber.rank, id);
  finishCollectives(fiber, fiber.rank * warpsPerBlock +
                               fiber.index % threadsPerBlock / warpThreads);
  if (fiber.clusterArrived && fiber.clusterPhase == clusterPhase)
    --clusterArrived;
  if (clusterArrived && clusterArrived == live)
    releaseCluster();
  if (liveInBlock[fiber.rank])
    return;
  for (const TensorLoad &load : loads)
    for (const TensorLoad::Target &target : load.targets)
      if (target.rank == fiber.rank)
        misuse(fibers[load.thread], load.site, "unfinished tensor load",
               "its last destination's block exits before the copy arrives");
  if (!live && launch->cluster > 1)
    checkExits();
}

/// What reaches the shared memory of another block must find it there: that
/// block must know of it before its last thread exits. Whether the block was
/// still there this time depends on who ran first.
void BlockRunner::checkExits() {
  auto knows = [&](unsigned rank, unsigned thread, auto access) {
    // Who arrives at the cluster's barrier, relaxed or not, comes from there.
    if (exitPhases[rank] > access.arrivals)
      return true;
    const std::vector<uint32_t> &words = exits[rank].words;
    return 2 * thread < words.size() && words[2 * thread] >= access.clock;
  };
  auto report = [&](unsigned thread, unsigned rank, int32_t site,
                    const char *what) {
    misuse(fibers[thread], site, "block that may have exited",
           format("expected block %u of the cluster to wait for this %s before "
                  "its threads exit, but nothing orders them",
                  rank, what));
  };
  for (const Fiber &fiber : fibers)
    for (unsigned rank = 0; rank < fiber.remote.size(); ++rank)
      if (const Fiber::RemoteAccess &access = fiber.remote[rank];
          access.clock && !knows(rank, fiber.index, access))
        report(fiber.index, rank, access.site, "access of its shared memory");
  for (const MBarrier &barrier : mbarriers.all()) {
    const MBarrier::Touch &touch = barrier.touched;
    int number = static_cast<int>(&barrier - mbarriers.all().data());
    if (mbarriers.find(barrier.offset) == number &&
        touch.phases > barrier.observed &&
        !knows(barrier.rank, touch.thread, touch))
      report(touch.thread, barrier.rank, touch.site,
             "operation on its mbarrier");
  }
}

/// After many passes through loops: others go on, for which the thread may
/// wait, or the launch ends.
void BlockRunner::endTurn(Fiber &fiber, int32_t site) {
  clusterSteps += stepsOfTurn;
  if (launch->steps && clusterSteps > launch->steps)
    misuse(fiber, site, "endless loop",
           format("expected the threads of the cluster to end after at most "
                  "%llu passes through loops, but they go on; the environment "
                  "variable TILE_SIM_STEPS sets another limit",
                  static_cast<unsigned long long>(launch->steps)));
  if (readyCount == 0)
    advance();
  makeReady(fiber);
  switchToNext(fiber);
}

bool BlockRunner::complete(unsigned rank, int id) const {
  const Barrier &barrier = barriers[rank * barrierCount + id];
  return barrier.arrived &&
         barrier.arrived == (barrier.count
                                 ? static_cast<unsigned>(barrier.count)
                                 : liveInBlock[rank]);
}

void BlockRunner::barrier(Fiber &fiber, int32_t id, int32_t count, bool waits,
                          int32_t site) {
  SimFault wrong;
  wrong.thread = fiber.index;
  wrong.site = site;
  wrong.barrier = id;
  wrong.count = count;
  if (id < 0 || id >= barrierCount || count < 0 || count % warpThreads ||
      static_cast<unsigned>(count) > threadsPerBlock) {
    wrong.kind = SimFault::BadBarrier;
    abandon(fiber, wrong);
  }
  Barrier &barrier = barriers[fiber.rank * barrierCount + id];
  if (barrier.arrived && barrier.count != count) {
    wrong.kind = SimFault::BarrierCounts;
    wrong.otherThread = barrier.last;
    wrong.otherCount = barrier.count;
    wrong.otherSite = barrier.site;
    abandon(fiber, wrong);
  }
  barrier.last = fiber.index;
  barrier.count = count;
  barrier.site = site;
  ++barrier.arrived;
  if (!waits) {
    shadow.clocks.release(fiber.index, barrier.released);
    if (complete(fiber.rank, id))
      releaseBarrier(fiber, fiber.rank, id);
    return;
  }
  fiber.barrier = id;
  fiber.count = count;
  fiber.site = site;
  fiber.wait = WaitKind::Barrier;
  fiber.state = Fiber::Waiting;
  if (complete(fiber.rank, id))
    releaseBarrier(fiber, fiber.rank, id);
  switchToNext(fiber);
}

/// A thread that waits at a barrier while others of its warp have exited.
void BlockRunner::checkWholeWarp(Fiber &fiber) {
  unsigned own = fiber.index % threadsPerBlock;
  unsigned first = own / warpThreads * warpThreads, exited = 0;
  unsigned end = std::min(first + warpThreads, threadsPerBlock);
  for (unsigned i = first; i < end; ++i)
    exited += fibers[fiber.rank * threadsPerBlock + i].state == Fiber::Exited;
  if (exited)
    misuse(fiber, fiber.site, "barrier divergence",
           format("expected all threads of the warp at barrier %d, but %u of "
                  "its %u have exited",
                  fiber.barrier, exited, end - first));
}

void BlockRunner::releaseBarrier(Fiber &current, unsigned rank, int id) {
  Barrier &barrier = barriers[rank * barrierCount + id];
  participants.clear();
  const Fiber *warpFirst = nullptr;
  for (unsigned i = 0; i < threadsPerBlock; ++i) {
    Fiber &fiber = fibers[rank * threadsPerBlock + i];
    if (fiber.state != Fiber::Waiting || fiber.wait != WaitKind::Barrier ||
        fiber.barrier != id)
      continue;
    // Barriers are aligned: the threads of a warp come to the same one.
    if (!warpFirst ||
        warpFirst->index % threadsPerBlock / warpThreads != i / warpThreads) {
      warpFirst = &fiber;
      checkWholeWarp(fiber);
    } else if (warpFirst->site != fiber.site) {
      SimFault wrong;
      wrong.kind = SimFault::BarrierDivergence;
      wrong.thread = fiber.index;
      wrong.site = fiber.site;
      wrong.barrier = id;
      wrong.otherThread = warpFirst->index;
      wrong.otherSite = warpFirst->site;
      abandon(current, wrong);
    }
    participants.push_back(fiber.index);
  }
  bool arrivals = barrier.released.version != 0;
  shadow.passBarrier(participants, !arrivals && participants.size() == live,
                     arrivals ? &barrier.released : nullptr);
  barrier.arrived = 0;
  barrier.released.clear();
  for (uint16_t index : participants)
    makeReady(fibers[index]);
}

void BlockRunner::makeReady(Fiber &fiber) {
  fiber.state = Fiber::Ready;
  unsigned tail = readyHead + readyCount;
  if (tail >= ready.size())
    tail -= static_cast<unsigned>(ready.size());
  ready[tail] = fiber.index;
  ++readyCount;
}

void BlockRunner::suspend(Fiber &fiber, WaitKind kind, int32_t site) {
  fiber.wait = kind;
  fiber.site = site;
  fiber.state = Fiber::Waiting;
  switchToNext(fiber);
}

void BlockRunner::switchToNext(Fiber &from) {
  while (readyCount == 0) {
    if (live && advance())
      continue;
    if (live)
      fillDeadlock();
    tile_rt_fiber_switch(&from.stack, hostStack);
    return;
  }
  Fiber &next = fibers[ready[readyHead]];
  if (++readyHead == ready.size())
    readyHead = 0;
  --readyCount;
  if (&next != &from)
    tile_rt_fiber_switch(&from.stack, next.stack);
}

bool BlockRunner::advance() {
  if (!loads.empty()) {
    TensorLoad load = std::move(loads.front());
    loads.pop_front();
    completeLoad(load);
    return true;
  }
  if (pollers.empty() || ++idlePolls > maxIdlePolls)
    return false;
  for (uint16_t index : pollers)
    makeReady(fibers[index]);
  pollers.clear();
  return true;
}

void BlockRunner::fillDeadlock() {
  fault = SimFault();
  fault.kind = SimFault::Deadlock;
  for (const Fiber &fiber : fibers) {
    if (fiber.state != Fiber::Waiting) {
      ++fault.exited;
      continue;
    }
    bool known = false;
    for (SimFault::Waiting &group : fault.waiting) {
      if (group.kind != fiber.wait || group.barrier != fiber.barrier ||
          group.count != fiber.count || group.site != fiber.site)
        continue;
      ++group.threads;
      known = true;
      break;
    }
    if (known)
      continue;
    SimFault::Waiting group{fiber.wait, fiber.barrier, fiber.count, fiber.site,
                            1,          fiber.index};
    if (fiber.wait == WaitKind::MBarrier || fiber.wait == WaitKind::Poll) {
      const MBarrier &barrier = mbarriers[fiber.barrier];
      group.rank = barrier.rank;
      group.offset = barrier.offset - barrier.rank * shadowStride;
      group.phase = barrier.phase;
      group.pending = barrier.pending;
      group.expected = barrier.expected;
      group.bytes = barrier.bytes;
    }
    fault.waiting.push_back(group);
  }
}

void BlockRunner::abandon(Fiber &fiber, const SimFault &wrong) {
  fault = wrong;
  // The other fibers are simply left where they are: kernel code owns nothing.
  tile_rt_fiber_switch(&fiber.stack, hostStack);
  __builtin_unreachable();
}

void BlockRunner::misuse(Fiber &fiber, int32_t site, const char *what,
                         std::string sentence) {
  fault = SimFault();
  fault.kind = SimFault::Misuse;
  fault.thread = fiber.index;
  fault.site = site;
  fault.heading = what;
  fault.sentence = std::move(sentence);
  // Whichever fiber runs, nobody comes back to it.
  void *stack;
  tile_rt_fiber_switch(&stack, hostStack);
  __builtin_unreachable();
}

void BlockRunner::failAccess(Fiber &fiber, SimFault::Kind kind,
                             uintptr_t address, uint64_t size,
                             int32_t alignment, int32_t access, int32_t site) {
  SimFault wrong;
  wrong.kind = kind;
  wrong.thread = fiber.index;
  wrong.site = site;
  wrong.address = address;
  wrong.size = size;
  wrong.alignment = alignment;
  wrong.isStore = access & TILE_SIM_STORE;
  uint64_t offset = address - reinterpret_cast<uintptr_t>(shared);
  wrong.isShared = (access & TILE_SIM_SPACE) >= TILE_SIM_SHARED ||
                   ((access & TILE_SIM_SPACE) == TILE_SIM_GENERIC &&
                    offset < windowBytes * launch->cluster);
  if (kind == SimFault::SharedConflictFound)
    wrong.conflict = shadow.conflict();
  abandon(fiber, wrong);
}

void BlockRunner::count(Fiber &fiber, uintptr_t address, uint64_t size, bool on,
                        int32_t kind, int32_t site) {
  if (!launch->counts)
    return;
  int space = kind & TILE_SIM_SPACE;
  AccessPlace place;
  place.site = site;
  place.isStore = kind & TILE_SIM_STORE;
  place.isShared = space == TILE_SIM_SHARED || space == TILE_SIM_CLUSTER ||
                   (space == TILE_SIM_GENERIC &&
                    address - reinterpret_cast<uintptr_t>(shared) <
                        windowBytes * launch->cluster);
  unsigned own = fiber.index % threadsPerBlock;
  unsigned warp = own / warpThreads;
  counters.record(fiber.rank * warpsPerBlock + warp, own % warpThreads,
                  std::min(warpThreads, threadsPerBlock - warp * warpThreads),
                  place, address, size, on);
}
