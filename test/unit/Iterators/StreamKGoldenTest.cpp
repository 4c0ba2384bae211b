// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden stream-K decompositions against plans and the lowered IR.
#include "../IR/GoldenLines.h"
#include "Interpreter.h"
#include "tile/Layout/StreamK.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Object;

namespace {

using Numbers = std::vector<int64_t>;

std::string writePlan(const StreamKPlan &plan) {
  return "#tile.stream_k<tiles = " + format({plan.tiles[0], plan.tiles[1]}) +
         ", iterations = " + std::to_string(plan.iterations) +
         ", stream = " + std::to_string(plan.streamTiles) +
         ", regions = " + std::to_string(plan.regions) +
         ", blocks = " + std::to_string(plan.blocksPerRegion) +
         ", big = " + std::to_string(plan.bigBlocks) +
         ", grouped = " + std::to_string(plan.isGrouped) +
         ", interleaved = " + std::to_string(plan.interleaved) + ">";
}

/// The lowered operations of a plan.
class Plan {
public:
  Plan(MLIRContext &context, const StreamKPlan &plan, std::string &error)
      : hasStream(plan.streamTiles > 0) {
    std::string text = writePlan(plan);
    auto function = [](const std::string &name, const std::string &results,
                       const std::string &body) {
      return "func.func @" + name + "(%x: index) -> (" + results + ") {\n" +
             body + "}\n";
    };
    std::string program =
        function("block", "index",
                 "  %0 = tile.stream_k_block " + text +
                     " at %x\n  return %0 : index\n") +
        function("tile", "index, index",
                 "  %0, %1 = tile.stream_k_tile " + text +
                     " of %x\n  return %0, %1 : index, index\n");
    if (hasStream)
      program += function("range", "index, index",
                          "  %0, %1 = tile.stream_k_iterations " + text +
                              " of %x\n  return %0, %1 : index, index\n") +
                 function("owner", "index",
                          "  %0 = tile.stream_k_owner " + text +
                              " of %x\n  return %0 : index\n");
    module = lower(context, program, true, error);
  }
  explicit operator bool() const { return bool(module); }

  /// The results for 0, 1, …, one behind the other.
  Numbers run(const char *name, int64_t count, std::string &error) {
    Numbers numbers;
    auto function = module->lookupSymbol<func::FuncOp>(name);
    for (int64_t x = 0; function && x < count; ++x) {
      Recording recording = tile::test::run(function, {{x}});
      error += recording.error;
      for (const RuntimeValue &value : recording.results)
        numbers.push_back(value.front());
    }
    return numbers;
  }

  /// Whether blocks have every iteration once, in order, evenly; and whether a
  /// tile's first iteration is its owner's.
  void check(const StreamKPlan &plan, Differences &differences) {
    std::string error;
    int64_t blocks = plan.regions * plan.blocksPerRegion, next = 0;
    Numbers ranges = run("range", blocks, error),
            owners = run("owner", plan.streamTiles, error);
    for (int64_t b = 0; b < blocks; ++b) {
      int64_t share = ranges[2 * b + 1] - ranges[2 * b];
      if (ranges[2 * b] != next || share < plan.getIterationsPerBlock() ||
          share > plan.getIterationsPerBlock() + 1)
        differences.push_back("block " + std::to_string(b) + " has " +
                              std::to_string(share) + " iterations");
      next = ranges[2 * b + 1];
    }
    if (next != plan.streamTiles * plan.iterations)
      differences.push_back("blocks have " + std::to_string(next) +
                            " iterations");
    for (size_t tile = 0; tile < owners.size(); ++tile) {
      int64_t first = tile * plan.iterations, owner = owners[tile];
      if (owner < 0 || owner >= blocks || ranges[2 * owner] > first ||
          ranges[2 * owner + 1] <= first)
        differences.push_back("tile " + std::to_string(tile) +
                              " is not its owner's");
    }
    Numbers numbers = run("block", plan.blocks, error);
    llvm::sort(numbers);
    for (size_t b = 0; b < numbers.size(); ++b)
      if (numbers[b] != int64_t(b))
        differences.push_back("blocks are no permutation");
    if (!error.empty())
      differences.push_back(error);
  }

private:
  bool hasStream;
  OwningOpRef<ModuleOp> module;
};

/// Whether every tile has its own place.
void checkTiles(const StreamKPlan &plan, Plan &lowered,
                Differences &differences) {
  std::string error;
  int64_t count = plan.isGrouped ? plan.parallelBlocks + plan.streamTiles
                                 : plan.tiles[0] * plan.tiles[1];
  Numbers places = lowered.run("tile", count, error);
  std::vector<int64_t> seen(plan.tiles[0] * plan.tiles[1]);
  for (int64_t t = 0; t < count; ++t)
    if (places[2 * t] < plan.tiles[0] && places[2 * t + 1] < plan.tiles[1])
      ++seen[places[2 * t] * plan.tiles[1] + places[2 * t + 1]];
  if (llvm::any_of(seen, [](int64_t times) { return times != 1; }))
    differences.push_back("a tile is not visited once");
}

TEST(StreamKGolden, Decompositions) {
  MLIRContext context;
  loadDialects(context);
  unsigned passed = 0, covered = 0;
  for (const Object &line :
       readGolden("threadblock_swizzle.jsonl", "TILE_GOLDEN_SWIZZLES")) {
    if (line.getString("class") != llvm::StringRef("ThreadblockSwizzleStreamK"))
      continue;
    ++covered;
    Differences differences;
    StreamKProblem problem;
    Numbers extent = getNumbers(line, "problem"),
            tile = getNumbers(line, "tile");
    for (int i = 0; i < 3; ++i) {
      problem.extent[i] = extent[i];
      problem.tile[i] = tile[i];
    }
    problem.split = *line.getInteger("split");
    problem.isBatched = *line.getString("mode") == llvm::StringRef("kBatched");
    problem.multiprocessors = *line.getInteger("device_sms");
    problem.available = *line.getInteger("avail_sms");
    problem.occupancy = *line.getInteger("sm_occupancy");
    problem.fragments = *line.getInteger("epilogue_acc_fragments");
    Result<StreamKPlan> plan = planStreamK(problem);
    std::string error;
    if (!plan) {
      differences.push_back(plan.getReason());
    } else {
      auto check = [&](const char *key, Numbers ours) {
        compare(differences, line, key, ours);
      };
      check("iters_per_tile", {plan->iterations});
      check("dp_blocks", {plan->parallelBlocks});
      check("dp_first_wave_tiles", {plan->firstWaveTiles});
      check("reduction_blocks", {plan->reductionBlocks});
      check("sk_waves", {plan->streamWaves});
      check("sk_tiles", {plan->streamTiles});
      check("sk_big_blocks_per_region", {plan->bigBlocks});
      check("sk_iters_per_region", {plan->getIterationsPerRegion()});
      check("cohort_raster", {plan->isGrouped});
      check("remap_block_indices", {plan->interleaved != 0});
      check("sk_regions", {plan->regions});
      check("sk_blocks_per_region", {plan->blocksPerRegion});
      check("sk_iters_per_normal_block", {plan->getIterationsPerBlock()});
      check("num_blocks", {plan->blocks});
      check("grid", {plan->blocks, 1, problem.isBatched ? problem.split : 1});
      check("dp_start_block", {plan->parallelStart});
      check("reduce_start_block", {plan->reductionStart});
      check("padding_start_block", {plan->idleStart});
      Plan lowered(context, *plan, error);
      if (!lowered) {
        differences.push_back(error);
      } else {
        check("block_idx", lowered.run("block", plan->blocks, error));
        check(
            "sk_block_iter_extents",
            lowered.run("range", plan->regions * plan->blocksPerRegion, error));
        check("tile_idx_to_mn",
              lowered.run("tile", getNumbers(line, "tile_idx_to_mn").size() / 2,
                          error));
        check("sk_tile_first_block",
              lowered.run("owner", plan->streamTiles, error));
        lowered.check(*plan, differences);
        checkTiles(*plan, lowered, differences);
      }
      if (!error.empty())
        differences.push_back(error);
    }
    passed += differences.empty();
    if (!differences.empty())
      llvm::outs() << "difference: " << describe(line)
                   << "\n  ours: " << join(differences) << "\n";
  }
  llvm::outs() << "golden stream_k: " << passed << " of " << covered
               << " lines\n";
  llvm::outs().flush();
  EXPECT_EQ(passed, covered);
  EXPECT_GT(covered, 0u);
}

TEST(StreamKProperty, EveryIterationOnce) {
  MLIRContext context;
  loadDialects(context);
  std::mt19937 engine(7);
  auto pick = [&](int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(engine);
  };
  int streams = 0;
  for (int number = 0; number < 150; ++number) {
    StreamKProblem problem;
    for (int i = 0; i < 3; ++i) {
      problem.tile[i] = 16;
      problem.extent[i] = pick(1, i < 2 ? 300 : 900);
    }
    problem.multiprocessors = pick(1, 40);
    problem.available = pick(1, problem.multiprocessors);
    if (pick(0, 1))
      problem.available = problem.multiprocessors;
    problem.occupancy = pick(1, 3);
    problem.split = pick(0, 3) ? 1 : pick(1, 5);
    problem.fragments = pick(0, 4);
    Result<StreamKPlan> plan = planStreamK(problem);
    ASSERT_TRUE(plan) << plan.getReason();
    std::string error;
    Plan lowered(context, *plan, error);
    ASSERT_TRUE(lowered) << error << " " << writePlan(*plan);
    Differences differences;
    lowered.check(*plan, differences);
    checkTiles(*plan, lowered, differences);
    EXPECT_EQ(join(differences), "") << writePlan(*plan);
    streams += plan->streamTiles > 0;
  }
  EXPECT_GT(streams, 20);
}

TEST(StreamK, Refusals) {
  StreamKProblem problem;
  problem.extent[1] = 0;
  EXPECT_EQ(planStreamK(problem).getReason(),
            "expected extents between 1 and 2^31 - 1, but got 0 in tiles of 1");
  problem.extent[1] = 1;
  problem.occupancy = 0;
  EXPECT_EQ(planStreamK(problem).getReason(),
            "expected between 1 and 65536 multiprocessors, blocks on each and "
            "splits, but got 0");
  problem.occupancy = 1;
  problem.fragments = -1;
  EXPECT_EQ(planStreamK(problem).getReason(),
            "expected between 0 and 65536 fragments, but got -1");
  problem.fragments = 0;
  for (int64_t &extent : problem.extent)
    extent = int64_t(1) << 20;
  EXPECT_EQ(planStreamK(problem).getReason(),
            "expected less than 2^48 iterations of all tiles, but got 1048576 "
            "× 1048576 × 1048576");
}

} // namespace
