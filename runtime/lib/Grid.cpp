// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks a kernel is launched with.
#include "Error.h"
#include "Gemm.h"

#include <algorithm>
#include <limits>

using namespace tile::rt;

using Long = long long;

static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

namespace {
/// The tiles of one matrix, in whole clusters, and how many blocks each takes.
struct Tiles {
  int64_t rows, columns, matrices, split;
};
} // namespace

static Tiles countTiles(const KernelFacts &kernel, const GemmProblem &problem) {
  if (kernel.isPack()) {
    const GemmOperand &x = problem.operands[OperandX];
    return {ceilDiv(x.extents[1], kernel.grid->packTile[0]),
            ceilDiv(x.extents[2], kernel.grid->packTile[1]), problem.batch, 1};
  }
  const int64_t extents[2] = {problem.m, problem.n};
  int64_t tiles[2];
  for (int i = 0; i < 2; ++i)
    tiles[i] = ceilDiv(ceilDiv(extents[i], kernel.grid->tile[i]),
                       kernel.grid->clusterTile[i]) *
               kernel.grid->clusterTile[i];
  return {tiles[0], tiles[1], problem.batch, kernel.grid->split};
}

double tile::rt::countBlocks(const KernelFacts &kernel,
                             const GemmProblem &problem) {
  Tiles tiles = countTiles(kernel, problem);
  return double(tiles.rows) * double(tiles.columns) * double(tiles.matrices) *
         double(tiles.split);
}

std::string tile::rt::computeShape(const KernelFacts &kernel,
                                   const GemmProblem &problem,
                                   const DeviceLimits &limits,
                                   int64_t activeClusters, LaunchShape &shape) {
  Tiles tiles = countTiles(kernel, problem);
  int64_t blocks = 0;
  constexpr int64_t limit = std::numeric_limits<int32_t>::max();
  if (__builtin_mul_overflow(tiles.rows, tiles.columns, &blocks) ||
      __builtin_mul_overflow(blocks, tiles.matrices, &blocks) ||
      __builtin_mul_overflow(blocks, tiles.split, &blocks) || blocks > limit)
    return format(
        "expected at most %lld blocks, but got %lld x %lld tiles in "
        "each of %lld matrices%s",
        Long(limit), Long(tiles.rows), Long(tiles.columns),
        Long(tiles.matrices),
        tiles.split == 1
            ? ""
            : format(", each in %lld parts", Long(tiles.split)).c_str());
  if (kernel.grid->persistent) {
    int64_t clusters = blocks / kernel.cluster[0];
    int64_t slots =
        activeClusters
            ? activeClusters
            : std::max<int64_t>(limits.multiprocessors / kernel.cluster[0], 1);
    // No more than the last wave keeps busy.
    int64_t waves = ceilDiv(clusters, slots);
    blocks = ceilDiv(clusters, waves) * kernel.cluster[0];
  }
  shape = LaunchShape();
  shape.grid[0] = blocks;
  shape.grid[1] = shape.grid[2] = 1;
  for (int i = 0; i < 3; ++i)
    shape.block[i] = kernel.block[i];
  shape.cluster[0] = kernel.cluster[0];
  shape.programmatic = kernel.programmatic ? ProgrammaticLaunch::WhereItGains
                                           : ProgrammaticLaunch::Never;
  shape.dynamicSharedBytes = kernel.dynamicSharedBytes;
  return "";
}
