// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a product's work is dealt out when tiles do not fill the last wave.
#include "tile/Layout/StreamK.h"

#include <algorithm>
#include <string>

using namespace tile;

/// A stream-K block has at least so many iterations.
static constexpr int64_t kLeastIterations = 2;
/// A group of tiles for reuse in L2.
static constexpr int64_t kGroupRows = 8, kGroupColumns = 4;
/// Tiles are grouped if so much of the groups is filled.
static constexpr float kGroupEfficiency = 0.85f;
/// Interleaving needs so many waves.
static constexpr int64_t kInterleavedWaves = 4;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t StreamKPlan::getIterationsPerRegion() const {
  return regions ? streamTiles * iterations / regions : 0;
}
int64_t StreamKPlan::getIterationsPerBlock() const {
  return blocksPerRegion ? getIterationsPerRegion() / blocksPerRegion : 0;
}

namespace {
/// A number of stream-K blocks, and the iterations that it saves.
struct Choice {
  int64_t blocks = 0, savings = -1;
};
} // namespace

/// What adding up costs, in iterations: a start for each wave, the partners of
/// a tile, and, where blocks end within tiles, a part of the work.
static int64_t getFixupCost(int64_t blocks, int64_t tiles, int64_t waves,
                            int64_t work) {
  bool isAligned = blocks % tiles == 0;
  // Blocks that do not begin with a tile meet one partner more.
  int64_t partners = isAligned ? blocks / tiles : ceilDiv(blocks, tiles) + 1;
  float cost = 2.0f * float(waves);
  cost += isAligned ? 0.0f : 0.02f * float(partners) * float(work);
  cost += 2.0f * float(partners);
  return int64_t(cost);
}

/// The number of blocks that saves the most against whole tiles.
static Choice chooseBlocks(int64_t tiles, int64_t iterations, int64_t available,
                           int64_t occupancy, bool mayBePartial) {
  Choice best;
  best.savings = INT64_MIN;
  int64_t all = tiles * iterations,
          whole = iterations * ceilDiv(tiles, available);
  int64_t first = mayBePartial ? std::min(available, tiles + 1) : available,
          last = std::min(available * occupancy, all / kLeastIterations);
  for (int64_t blocks = first; blocks <= last; ++blocks) {
    int64_t waves = ceilDiv(blocks, available),
            work = ceilDiv(all, blocks) * waves,
            savings = whole - work - getFixupCost(blocks, tiles, waves, work);
    if (savings >= best.savings)
      best = {blocks, savings};
  }
  return best;
}

/// Decides how many tiles stream-K blocks take, and how many these are.
static void chooseTiles(const StreamKProblem &problem, int64_t tiles,
                        int64_t iterations, int64_t &streamTiles,
                        int64_t &streamBlocks) {
  int64_t available = problem.available, occupancy = problem.occupancy;
  int64_t fullWaves = tiles / available, rest = tiles % available;
  streamTiles = streamBlocks = 0;
  auto take = [&](int64_t number, int64_t share, bool mayBePartial) {
    Choice choice =
        chooseBlocks(number, iterations, available, share, mayBePartial);
    if (choice.savings < 0)
      return false;
    streamTiles = number;
    streamBlocks = choice.blocks;
    return true;
  };
  if (rest == 0)
    return;
  // The last wave alone, beside the full ones that run with it.
  if (fullWaves < occupancy) {
    take(rest, occupancy - fullWaves, true);
    return;
  }
  if (occupancy > 1 && fullWaves % occupancy == occupancy - 1 &&
      take(rest, 1, true))
    return;
  // The last full wave and what follows it.
  take(rest + available, occupancy - (fullWaves - 1) % occupancy, false);
}

/// Whether the tiles of stream-K blocks lie in groups that are whole.
static bool liesInGroups(const StreamKPlan &plan, int64_t groupColumns) {
  if (plan.streamTiles == 0)
    return true;
  int64_t group = (plan.streamTiles - 1) / (kGroupRows * kGroupColumns),
          row = group / groupColumns,
          column = row > 0 ? groupColumns - 1 : group % groupColumns;
  return (row + 1) * kGroupRows < plan.tiles[0] &&
         (column + 1) * kGroupColumns < plan.tiles[1];
}

/// Decides on groups, or evens out the waves of data-parallel blocks.
static void placeParallelBlocks(const StreamKProblem &problem,
                                StreamKPlan &plan, int64_t parallelTiles) {
  int64_t groupColumns = ceilDiv(plan.tiles[1], kGroupColumns),
          grouped = ceilDiv(plan.tiles[0], kGroupRows) * groupColumns *
                    kGroupRows * kGroupColumns;
  plan.parallelBlocks = parallelTiles;
  if (liesInGroups(plan, groupColumns) &&
      parallelTiles >= 2 * problem.multiprocessors * problem.occupancy &&
      float(parallelTiles) / float(grouped) > kGroupEfficiency) {
    plan.isGrouped = true;
    plan.parallelBlocks = grouped;
    return;
  }
  if (plan.streamWaves == 0)
    return;
  // Waves that would not fill the multiprocessors are taken by the first ones.
  int64_t waves = ceilDiv(parallelTiles, problem.available),
          excess = (plan.streamWaves + waves) % problem.occupancy;
  if (plan.firstWaveTiles + excess > parallelTiles / problem.available)
    return;
  plan.firstWaveTiles += excess;
  plan.parallelBlocks -= excess * problem.available;
}

Result<StreamKPlan> tile::planStreamK(const StreamKProblem &problem) {
  static constexpr int64_t kLargest = int64_t(1) << 31;
  for (int i = 0; i < 3; ++i)
    if (problem.extent[i] < 1 || problem.extent[i] >= kLargest ||
        problem.tile[i] < 1 || problem.tile[i] >= kLargest)
      return Reason("expected extents between 1 and 2^31 - 1, but got " +
                    std::to_string(problem.extent[i]) + " in tiles of " +
                    std::to_string(problem.tile[i]));
  for (int64_t number : {problem.split, problem.multiprocessors,
                         problem.available, problem.occupancy})
    if (number < 1 || number > 1 << 16)
      return Reason("expected between 1 and 65536 multiprocessors, blocks on "
                    "each and splits, but got " +
                    std::to_string(number));
  if (problem.fragments < 0 || problem.fragments > 1 << 16)
    return Reason("expected between 0 and 65536 fragments, but got " +
                  std::to_string(problem.fragments));
  StreamKPlan plan;
  for (int i : {0, 1})
    plan.tiles[i] = ceilDiv(problem.extent[i], problem.tile[i]);
  plan.iterations = ceilDiv(problem.extent[2], problem.tile[2]);
  int64_t tiles, work, unused;
  if (__builtin_mul_overflow(plan.tiles[0], plan.tiles[1], &tiles) ||
      __builtin_mul_overflow(tiles, plan.iterations, &work) ||
      __builtin_mul_overflow(work, problem.split, &unused) ||
      work >= int64_t(1) << 48)
    return Reason("expected less than 2^48 iterations of all tiles, but got " +
                  std::to_string(plan.tiles[0]) + " × " +
                  std::to_string(plan.tiles[1]) + " × " +
                  std::to_string(plan.iterations));
  int64_t blocks = 0;
  if (!problem.isBatched && problem.split > 1) {
    plan.streamTiles = tiles;
    blocks = tiles * problem.split;
  } else if (!problem.isBatched && problem.available > 1) {
    chooseTiles(problem, tiles, plan.iterations, plan.streamTiles, blocks);
  }
  if (blocks > 0) {
    plan.streamWaves = ceilDiv(blocks, problem.available);
    int64_t all = plan.streamTiles * plan.iterations;
    blocks = std::min(blocks, all);
    // A split of every tile: each is a region of its own.
    bool isSplit = blocks > plan.streamTiles && blocks % plan.streamTiles == 0;
    plan.regions = isSplit ? plan.streamTiles : 1;
    plan.blocksPerRegion = blocks / plan.regions;
    plan.bigBlocks = all % blocks / plan.regions;
    if (problem.fragments > 0 && plan.streamWaves < problem.occupancy &&
        blocks > 2 * plan.streamTiles)
      plan.reductionBlocks = plan.streamTiles * problem.fragments;
  }
  // CUTLASS decides on interleaving before there are data-parallel blocks.
  if (blocks > 0 && problem.occupancy > 1 &&
      problem.multiprocessors == problem.available &&
      plan.streamWaves * problem.available + plan.reductionBlocks >
          2 * problem.available)
    plan.interleaved = problem.available;
  placeParallelBlocks(problem, plan, tiles - plan.streamTiles);
  plan.parallelStart = plan.streamWaves * problem.available;
  plan.reductionStart = plan.parallelStart + plan.parallelBlocks;
  plan.idleStart = plan.reductionStart + plan.reductionBlocks;
  plan.blocks = plan.idleStart;
  if (plan.interleaved)
    plan.blocks = std::max(plan.blocks, kInterleavedWaves * problem.available);
  return plan;
}
