// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma: where the threads of a warpgroup meet.
#include "../lib/Error.h"
#include "BlockRunner.h"
#include "Wgmma.h"

#include <algorithm>
#include <cstring>

using namespace tile::rt;

static constexpr unsigned groupThreads = 128;

// Accumulators that may pass from one wgmma to the next at a time.
static constexpr size_t maxResults = 32;

/// A hash of a thread's accumulators: 16-bit ones come two to a register.
static uint64_t hashAccumulators(const void *accumulators, int32_t n,
                                 int32_t flags) {
  bool isHalf = (flags >> TILE_SIM_WGMMA_D & 15) == TILE_SIM_F16;
  const auto *words = static_cast<const uint32_t *>(accumulators);
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0, e = isHalf ? n / 4 : n / 2; i < e; ++i)
    hash = (hash ^ words[i]) * 0x100000001b3u;
  return hash;
}

/// Registers that the thread may have touched since it waited for wgmma need a
/// fence; accumulators that pass from one wgmma to the next do not.
void BlockRunner::checkWgmmaFence(Fiber &fiber, const void *accumulators,
                                  const void *registersA, int32_t n,
                                  int32_t flags, int32_t site) {
  if (fiber.wgmmaFenced)
    return;
  const std::vector<uint64_t> &results = fiber.wgmmaResults;
  if (!registersA && flags & TILE_SIM_WGMMA_ADD &&
      std::find(results.begin(), results.end(),
                hashAccumulators(accumulators, n, flags)) != results.end())
    return;
  misuse(fiber, site, "missing wgmma.fence",
         "expected a wgmma.fence between the thread's last access of the "
         "registers and this wgmma, but there is none");
}

void BlockRunner::wgmma(Fiber &fiber, void *accumulators,
                        const void *registersA, uint64_t descriptorA,
                        uint64_t descriptorB, int32_t n, int32_t flags,
                        int32_t site) {
  unsigned own = fiber.index % threadsPerBlock;
  if (own / groupThreads * groupThreads + groupThreads > threadsPerBlock)
    misuse(fiber, site, "wrong wgmma",
           format("expected a warpgroup of 128 threads, but the block has %u",
                  threadsPerBlock));
  checkWgmmaFence(fiber, accumulators, registersA, n, flags, site);
  unsigned groupsPerBlock = (threadsPerBlock + groupThreads - 1) / groupThreads;
  unsigned number = fiber.rank * groupsPerBlock + own / groupThreads;
  Warpgroup &group = warpgroups[number];
  if (!group.arrived) {
    group.descriptors[0] = descriptorA;
    group.descriptors[1] = descriptorB;
    group.n = n;
    group.flags = flags;
    group.site = site;
    group.hasRegisters = registersA;
  } else if (group.site != site) {
    misuse(fiber, site, "warpgroup divergence",
           "expected all threads of the warpgroup at one wgmma, but others "
           "wait at another");
  } else if (group.descriptors[0] != descriptorA ||
             group.descriptors[1] != descriptorB) {
    bool isB = group.descriptors[0] == descriptorA;
    misuse(fiber, site, "wrong wgmma",
           format("expected one descriptor of %c in the warpgroup, but got "
                  "0x%llx and 0x%llx",
                  isB ? 'B' : 'A',
                  static_cast<unsigned long long>(group.descriptors[isB]),
                  static_cast<unsigned long long>(isB ? descriptorB
                                                      : descriptorA)));
  }
  if (registersA)
    storeRowsA(registersA, own % groupThreads, group.rows);
  fiber.arguments = accumulators;
  if (++group.arrived < groupThreads) {
    fiber.barrier = static_cast<int32_t>(number);
    fiber.count = 0;
    return suspend(fiber, WaitKind::Warpgroup, site);
  }
  group.arrived = 0;
  runWgmma(fiber, number);
}

/// Multiplies when the last thread of the warpgroup has come.
void BlockRunner::runWgmma(Fiber &fiber, unsigned number) {
  Warpgroup &group = warpgroups[number];
  unsigned first = fiber.rank * threadsPerBlock +
                   fiber.index % threadsPerBlock / groupThreads * groupThreads;
  int typeA = group.flags & 15, typeB = group.flags >> TILE_SIM_WGMMA_B & 15;
  int typeD = group.flags >> TILE_SIM_WGMMA_D & 15, n = group.n;
  int k = 32 / static_cast<int>(wgmmaElementBytes(typeA));

  if (!group.column)
    group.column = addColumn(AsyncKind::Wgmma);
  uint32_t clock = shadow.clocks.tick();
  ClockView view = shadow.clocks.viewOf(first, groupThreads);
  auto read = [&](int operand, unsigned rows, bool transposed,
                  std::vector<uint32_t> &chunks) {
    WgmmaMatrix matrix;
    std::string reason = matrix.decode(group.descriptors[operand], transposed);
    if (!reason.empty())
      misuse(fiber, group.site, "wrong matrix descriptor",
             format("%s in descriptor 0x%llx of %c", reason.c_str(),
                    static_cast<unsigned long long>(group.descriptors[operand]),
                    "AB"[operand]));
    matrix.chunks(rows, chunks);
    for (uint32_t chunk : chunks) {
      if (chunk + 16 > launch->sharedBytes)
        misuse(
            fiber, group.site, "out-of-bounds wgmma",
            format("expected a matrix %c inside of the block's %llu bytes of "
                   "shared memory, but descriptor 0x%llx reads 16 bytes at "
                   "offset 0x%x",
                   "AB"[operand],
                   static_cast<unsigned long long>(launch->sharedBytes),
                   static_cast<unsigned long long>(group.descriptors[operand]),
                   chunk));
      accessAsync(fiber, view, fiber.rank, chunk, 16, group.column, clock,
                  false, operand ? "wgmma read of B" : "wgmma read of A",
                  group.site);
    }
  };
  bool mMajor = group.flags & TILE_SIM_WGMMA_M_MAJOR;
  bool nMajor = group.flags & TILE_SIM_WGMMA_N_MAJOR;
  if (group.hasRegisters) {
    chunksA.resize(2 * 64);
    for (unsigned i = 0; i < chunksA.size(); ++i)
      chunksA[i] = 16 * i;
  } else {
    read(0, 64, mMajor, chunksA);
  }
  read(1, n, nMajor, chunksB);

  matrixA.resize(64 * 32);
  matrixB.resize(256 * 32);
  accumulator.resize(64 * 256);
  const uint8_t *memory = fiber.context.shared;
  readWgmmaMatrix(group.hasRegisters ? group.rows : memory, chunksA, 64, typeA,
                  mMajor, group.flags & TILE_SIM_WGMMA_NEGATE_A, false,
                  matrixA.data());
  readWgmmaMatrix(memory, chunksB, n, typeB, nMajor,
                  group.flags & TILE_SIM_WGMMA_NEGATE_B, true, matrixB.data());
  if (!(group.flags & TILE_SIM_WGMMA_ADD))
    std::fill_n(accumulator.begin(), 64 * n, 0.0);
  for (unsigned t = 0; t < groupThreads; ++t)
    if (group.flags & TILE_SIM_WGMMA_ADD)
      loadAccumulator(fibers[first + t].arguments, t, typeD, n,
                      accumulator.data());
  multiplyWgmma(matrixA.data(), matrixB.data(), accumulator.data(), k, n);
  for (unsigned t = 0; t < groupThreads; ++t) {
    Fiber &other = fibers[first + t];
    storeAccumulator(other.arguments, t, typeD, n,
                     group.flags & TILE_SIM_WGMMA_SATURATE, accumulator.data());
    other.wgmmaClock = clock;
    if (other.wgmmaResults.size() == maxResults)
      other.wgmmaResults.erase(other.wgmmaResults.begin());
    other.wgmmaResults.push_back(
        hashAccumulators(other.arguments, n, group.flags));
    if (&other != &fiber)
      makeReady(other);
  }
}

void BlockRunner::waitWgmma(Fiber &fiber, int32_t pending) {
  // The registers are the thread's again.
  fiber.wgmmaFenced = false;
  std::vector<uint32_t> &groups = fiber.wgmmaGroups;
  if (groups.size() <= static_cast<size_t>(pending))
    return;
  size_t done = groups.size() - pending;
  uint32_t clock = groups[done - 1];
  groups.erase(groups.begin(), groups.begin() + done);
  if (!clock)
    return;
  unsigned groupsPerBlock = (threadsPerBlock + groupThreads - 1) / groupThreads;
  unsigned number = fiber.rank * groupsPerBlock +
                    fiber.index % threadsPerBlock / groupThreads;
  shadow.clocks.acquire(fiber.index, warpgroups[number].column, clock);
}
