// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids, expected times, copies in the workspace, and what follows from them.
#include "Choice.h"
#include "Cost.h"
#include "Prepare.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tile::rt;

namespace {
KernelFacts makeKernel(int64_t rows, int64_t columns) {
  KernelFacts kernel;
  kernel.name = "gemm";
  kernel.grid.emplace().tile = {rows, columns};
  kernel.dynamicSharedBytes = 100000;
  return kernel;
}

KernelFacts makePack() {
  KernelFacts pack;
  pack.name = "pack";
  pack.grid.emplace().packTile = {32, 64};
  return pack;
}

/// f16 operands, row-major and dense.
GemmProblem makeProblem(int64_t m, int64_t n, int64_t k, int64_t batch = 1) {
  GemmProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.batch = batch;
  p.alpha = 1;
  const int64_t rows[] = {m, k, m, m}, columns[] = {k, n, n, n};
  for (int i = 0; i < NumOperands; ++i) {
    bool used = i != OperandC;
    p.operands[i] = {reinterpret_cast<void *>(uintptr_t(i + 1) << 40),
                     TILE_RT_F16,
                     {batch, rows[i], columns[i]},
                     {rows[i] * columns[i], columns[i], 1},
                     used,
                     used};
  }
  return p;
}

DeviceLimits h200() {
  DeviceLimits limits;
  limits.sharedMemory = 232448;
  limits.multiprocessors = 132;
  return limits;
}

int64_t gridOf(const KernelFacts &kernel, const GemmProblem &problem,
               const DeviceLimits &limits = h200(),
               int64_t activeClusters = 0) {
  LaunchShape shape;
  EXPECT_EQ(computeShape(kernel, problem, limits, activeClusters, shape), "");
  EXPECT_EQ(shape.cluster[0], kernel.cluster[0]);
  EXPECT_EQ(shape.grid[1] * shape.grid[2], 1);
  return shape.grid[0];
}
} // namespace

TEST(Grid, TilesAreRoundedUpToWholeClusters) {
  KernelFacts kernel = makeKernel(128, 256);
  EXPECT_EQ(gridOf(kernel, makeProblem(1000, 1000, 8)), 8 * 4);
  kernel.cluster[0] = 2;
  kernel.grid->clusterTile[0] = 2;
  EXPECT_EQ(gridOf(kernel, makeProblem(1000, 1000, 8)), 8 * 4);
  EXPECT_EQ(gridOf(kernel, makeProblem(100, 1000, 8)), 2 * 4);
  kernel.grid->clusterTile[0] = 1;
  kernel.grid->clusterTile[1] = 2;
  EXPECT_EQ(gridOf(kernel, makeProblem(100, 100, 8, 3)), 3 * 2);
  kernel.grid->split = 4;
  EXPECT_EQ(gridOf(kernel, makeProblem(100, 100, 8, 3)), 3 * 2 * 4);
}

TEST(Grid, APersistentKernelHasNoMoreBlocksThanItsWavesNeed) {
  KernelFacts kernel = makeKernel(128, 128);
  kernel.grid->persistent = true;
  // 10 x 10 tiles in 132 slots: one wave.
  EXPECT_EQ(gridOf(kernel, makeProblem(1280, 1280, 8)), 100);
  // 15 x 20 tiles: 3 waves of 100.
  EXPECT_EQ(gridOf(kernel, makeProblem(15 * 128, 20 * 128, 8)), 100);
  // 64 x 64 tiles: ceil(4096 / 132) = 32 waves of 128.
  EXPECT_EQ(gridOf(kernel, makeProblem(8192, 8192, 8)), 128);
  kernel.cluster[0] = 2;
  kernel.grid->clusterTile[0] = 2;
  // 16 x 20 tiles are 160 clusters in 66 slots: 3 waves of 54 clusters.
  EXPECT_EQ(gridOf(kernel, makeProblem(15 * 128, 20 * 128, 8)), 108);
  // A device of fewer multiprocessors than a cluster has blocks.
  DeviceLimits small = h200();
  small.multiprocessors = 1;
  EXPECT_EQ(gridOf(kernel, makeProblem(1280, 1280, 8), small), 2);
  // The driver knows better: 160 clusters in 60 slots, 3 waves as well, and in
  // 50, 4 of 40.
  EXPECT_EQ(gridOf(kernel, makeProblem(15 * 128, 20 * 128, 8), h200(), 60),
            108);
  EXPECT_EQ(gridOf(kernel, makeProblem(15 * 128, 20 * 128, 8), h200(), 50), 80);
}

TEST(Grid, TooManyTiles) {
  KernelFacts kernel = makeKernel(1, 1);
  kernel.grid->persistent = true;
  kernel.grid->split = 2;
  LaunchShape shape;
  EXPECT_EQ(
      computeShape(kernel, makeProblem(1 << 30, 1, 8), h200(), 0, shape),
      "expected at most 2147483647 blocks, but got 1073741824 x 1 tiles in "
      "each of 1 matrices, each in 2 parts");
}

TEST(Grid, OfAPackKernel) {
  GemmProblem problem;
  problem.batch = 3;
  problem.operands[OperandX].extents[1] = 65;
  problem.operands[OperandX].extents[2] = 64;
  EXPECT_EQ(gridOf(makePack(), problem), 3 * 3);
}

TEST(Cost, WavesOrBytes) {
  KernelFacts kernel = makeKernel(128, 128);
  kernel.grid->persistent = true;
  kernel.cost = CostFacts{2000, 500, 10, 0, 1};
  // 300 blocks, before the persistent rule, are 3 waves.
  GemmProblem problem = makeProblem(15 * 128, 20 * 128, 64);
  EXPECT_DOUBLE_EQ(estimateGemm(kernel, problem, h200()),
                   2000 + 3 * (500 + 640));
  kernel.cost->slots = 1.5;
  EXPECT_DOUBLE_EQ(estimateGemm(kernel, problem, h200()),
                   2000 + 2 * (500 + 640));
  // Where memory takes longer, it counts; of equals, the one with less to do
  // besides is the cheaper.
  kernel.cost->bytes = 1;
  double memory = 2 * (1920. * 64 + 64 * 2560 + 1920. * 2560);
  EXPECT_NEAR(estimateGemm(kernel, problem, h200()), 2000 + memory, 1);
  kernel.cost->bytes = 2280 / memory;
  EXPECT_DOUBLE_EQ(estimateGemm(kernel, problem, h200()),
                   2000 + 2280 * std::pow(2, 0.25));
  kernel.cost->tile = 100;
  EXPECT_LT(estimateGemm(kernel, problem, h200()), 2000 + 2280 * 1.1);
  kernel.cost->tile = 500;
  // Nothing of A and B is read, and nothing multiplied.
  kernel.cost->bytes = 0;
  problem.operands[OperandA].used = problem.operands[OperandB].used = false;
  EXPECT_DOUBLE_EQ(estimateGemm(kernel, problem, h200()), 2000 + 2 * 500);
}

TEST(Cost, ASharedMatrixCountsOnce) {
  KernelFacts kernel = makeKernel(128, 128);
  kernel.cost = CostFacts{0, 0, 0, 1, 1};
  GemmProblem problem = makeProblem(8, 8, 8, 10);
  problem.operands[OperandB].strides[0] = 0;
  EXPECT_DOUBLE_EQ(estimateGemm(kernel, problem, h200()),
                   2. * 64 * (10 + 1 + 10));
}

TEST(Cost, APackReadsAndWrites) {
  KernelFacts pack = makePack();
  pack.cost = CostFacts{1000, 0, 0, 0.5, 1};
  GemmProblem problem;
  problem.packed.type = TILE_RT_F16;
  const int64_t extents[] = {2, 10, 30}, strides[] = {320, 32, 1};
  std::copy_n(extents, 3, problem.packed.extents);
  std::copy_n(strides, 3, problem.packed.strides);
  EXPECT_EQ(estimatePack(pack, problem), 1000 + 0.5 * 2 * 2 * 2 * 10 * 30);
}

namespace {
struct Copies : ::testing::Test {
  Copies() {
    artifact.kernels = {makeKernel(128, 128), makePack()};
    choice.kernel = 0;
    choice.prepare = {{OperandA, 1, 1, 64}, {OperandB, 1, 0, 8}};
  }

  std::string prepare() {
    return prepareProblem(artifact, choice, problem, base, prepared);
  }

  Artifact artifact;
  Choice choice;
  GemmProblem problem = makeProblem(100, 40, 60, 2);
  char *base = reinterpret_cast<char *>(uintptr_t(1) << 50);
  PreparedProblem prepared;
};
} // namespace

TEST_F(Copies, ArePackedOneAfterTheOther) {
  ASSERT_EQ(prepare(), "");
  const GemmOperand &a = prepared.problem.operands[OperandA];
  const GemmOperand &b = prepared.problem.operands[OperandB];
  EXPECT_EQ(a.data, base);
  EXPECT_EQ(a.strides[2], 1);
  EXPECT_EQ(a.strides[1], 64);
  EXPECT_EQ(a.strides[0], 6400);
  // 2 * 100 * 64 * 2 = 25600 bytes.
  EXPECT_EQ(b.data, base + 25600);
  EXPECT_EQ(b.strides[1], 1);
  EXPECT_EQ(b.strides[2], 64);
  EXPECT_EQ(b.strides[0], 40 * 64);
  // 2 * 40 * 64 * 2 = 10240.
  EXPECT_EQ(prepared.workspaceBytes, 25600 + 10240);
  EXPECT_EQ(prepared.problem.operands[OperandD].data,
            problem.operands[OperandD].data);

  ASSERT_EQ(prepared.packs.size(), 2u);
  const GemmProblem &pack = prepared.packs[1].problem;
  EXPECT_EQ(prepared.packs[1].kernel, 1);
  EXPECT_EQ(pack.batch, 2);
  EXPECT_EQ(pack.operands[OperandX].data, problem.operands[OperandB].data);
  EXPECT_EQ(pack.operands[OperandX].extents[1], 60);
  EXPECT_EQ(pack.packed.data, b.data);
}

TEST_F(Copies, TakeMultiplesOf1024Bytes) {
  choice.prepare.pop_back();
  problem = makeProblem(100, 40, 60);
  ASSERT_EQ(prepare(), "");
  EXPECT_EQ(prepared.workspaceBytes, 13312);
}

TEST_F(Copies, AMatrixOfAllBatchesIsCopiedOnce) {
  problem.operands[OperandA].strides[0] = 0;
  ASSERT_EQ(prepare(), "");
  EXPECT_EQ(prepared.packs[0].problem.batch, 1);
  EXPECT_EQ(prepared.problem.operands[OperandA].strides[0], 0);
  EXPECT_EQ(prepared.workspaceBytes, 13312 + 10240);
  artifact.kernels[0].tensorMaps = {{{"A", OperandA}, 1, {64, 64}, 128, true}};
  ASSERT_EQ(prepare(), "");
  EXPECT_EQ(prepared.packs[0].problem.batch, 2);
  EXPECT_EQ(prepared.problem.operands[OperandA].strides[0], 6400);
}

TEST_F(Copies, OfWhatIsNotUsedAreNotMade) {
  problem.operands[OperandA].used = problem.operands[OperandB].used = false;
  ASSERT_EQ(prepare(), "");
  EXPECT_EQ(prepared.packs.size(), 0u);
  EXPECT_EQ(prepared.workspaceBytes, 0);
}

TEST_F(Copies, ThatAreTooLarge) {
  problem.operands[OperandA].extents[1] = int64_t(1) << 60;
  EXPECT_EQ(prepare(), "the copy of A does not fit 63 bits of address");
}

TEST_F(Copies, NeedTheirWorkspace) {
  auto evaluate = [&](Workspace workspace) {
    return evaluateChoice(artifact, choice, problem, h200(), workspace);
  };
  EXPECT_EQ(evaluate(Workspace::unlimited()).reason, "");
  EXPECT_EQ(evaluate({base, 35840}).reason, "");
  EXPECT_EQ(evaluate({base, 35839}).reason,
            "needs 35840 bytes of workspace, the call has 35839");
  EXPECT_EQ(evaluate({}).reason,
            "needs 35840 bytes of workspace, the call has 0");
  EXPECT_EQ(evaluate({}).workspaceBytes, 35840);
}

TEST_F(Copies, HoldTheRequirementsOfTheKernel) {
  artifact.kernels[0].tensorMaps = {{{"A", OperandA}, 1, {64, 64}, 128, true}};
  Choice direct{0, {}};
  problem.operands[OperandA].data =
      reinterpret_cast<void *>((uintptr_t(1) << 40) + 2);
  EXPECT_NE(
      evaluateChoice(artifact, direct, problem, h200(), {base, 1 << 20}).reason,
      "");
  EXPECT_EQ(
      evaluateChoice(artifact, choice, problem, h200(), {base, 1 << 20}).reason,
      "");
  EXPECT_EQ(describeChoice(artifact, choice),
            "gemm after pack of A, pack of B");
  EXPECT_EQ(describeChoice(artifact, direct), "gemm");
}

// Rows of a copy end in zeros, which a kernel may read; the pitch counts.
TEST_F(Copies, MeetExtentsByTheirPitch) {
  OperandRequirement requirement;
  requirement.operand = {"A", OperandA};
  requirement.unitStride = 1;
  requirement.extentMultiple = 8;
  artifact.kernels[0].requirements = {requirement};
  auto evaluate = [&](const Choice &of) {
    return evaluateChoice(artifact, of, problem, h200(), {base, 1 << 20});
  };
  EXPECT_EQ(evaluate({0, {}}).reason, "A has 60 columns, not a multiple of 8");
  EXPECT_EQ(evaluate(choice).reason, "");
  // A pitch of 60 is none.
  choice.prepare[0].pitchMultiple = 4;
  EXPECT_EQ(evaluate(choice).reason, "A has 60 columns, not a multiple of 8");
}

TEST_F(Copies, HaveACostOfTheirOwn) {
  artifact.kernels[0].cost = CostFacts{2000, 0, 0, 0, 1};
  EXPECT_FALSE(
      evaluateChoice(artifact, choice, problem, h200(), {}).nanoseconds);
  artifact.kernels[1].cost = CostFacts{300, 0, 0, 0, 1};
  EXPECT_EQ(evaluateChoice(artifact, choice, problem, h200(), {}).nanoseconds,
            2600);
}

TEST(Pick, TheCheapestOrElseTheFirst) {
  using Times = std::vector<std::optional<double>>;
  // A negative time stands for a choice that cannot run.
  auto pick = [](const Times &times) {
    std::vector<Candidate> candidates;
    for (std::optional<double> time : times)
      candidates.push_back({nullptr, time && *time < 0 ? "no" : "", time, 0});
    return pickCandidate(candidates);
  };
  EXPECT_EQ(pick({}), -1);
  EXPECT_EQ(pick({-1, -1}), -1);
  EXPECT_EQ(pick({std::nullopt, std::nullopt}), 0);
  EXPECT_EQ(pick({-1, std::nullopt, std::nullopt}), 1);
  EXPECT_EQ(pick({30, 10, 20}), 1);
  EXPECT_EQ(pick({30, -1, 20}), 2);
  EXPECT_EQ(pick({10, 10}), 0);
  // What states a cost comes before what does not.
  EXPECT_EQ(pick({std::nullopt, 1e9, std::nullopt}), 1);
}

TEST(WhyNot, ClustersAndTensorMaps) {
  DeviceLimits old = h200();
  old.noClusters = old.noTensorMaps = "which sm_90 has first";
  KernelFacts kernel = makeKernel(128, 128);
  GemmProblem problem = makeProblem(128, 128, 128);
  EXPECT_EQ(whyNot(kernel, problem, old), "");
  kernel.tensorMaps = {{{"A", OperandA}, 1, {64, 64}, 128, false}};
  EXPECT_EQ(whyNot(kernel, problem, h200()), "");
  EXPECT_EQ(whyNot(kernel, problem, old),
            "needs tensor maps, which sm_90 has first");
  kernel.cluster[0] = 2;
  EXPECT_EQ(whyNot(kernel, problem, old),
            "needs clusters, which sm_90 has first");
  kernel.dynamicSharedBytes = 300000;
  EXPECT_EQ(whyNot(kernel, problem, h200()),
            "needs 300000 bytes of shared memory, a block of this device has "
            "232448");
}

TEST(WhyNot, AllSharedMemoryThereIs) {
  KernelFacts kernel = makeKernel(128, 128);
  GemmProblem problem = makeProblem(128, 128, 128);
  kernel.dynamicSharedBytes = h200().sharedMemory;
  EXPECT_EQ(whyNot(kernel, problem, h200()), "");
  kernel.sharedBytes = 1;
  EXPECT_EQ(whyNot(kernel, problem, h200()),
            "needs 232449 bytes of shared memory, a block of this device has "
            "232448");
}

// A vector of the second matrix is where the batch stride says.
TEST(WhyNot, BatchStrides) {
  KernelFacts kernel = makeKernel(128, 128);
  kernel.requirements = {{{"A", OperandA}, 1, 16, 8, 8}};
  GemmProblem problem = makeProblem(64, 64, 64, /*batch=*/2);
  EXPECT_EQ(whyNot(kernel, problem, h200()), "");
  problem.operands[OperandA].strides[0] += 4;
  EXPECT_EQ(whyNot(kernel, problem, h200()),
            "batch stride of A is 4100, not a multiple of 8");
  problem.operands[OperandA].strides[0] = -4096;
  EXPECT_EQ(whyNot(kernel, problem, h200()), "");
}

TEST(WhyNot, StridesThatNoAddressDependsOn) {
  KernelFacts kernel = makeKernel(128, 128);
  kernel.requirements = {{{"A", OperandA}, 1, 16, 8, 8}};
  kernel.parameters = {{Parameter::Source::Stride, {"A", OperandA}, 0},
                       {Parameter::Source::BatchStride, {"A", OperandA}}};
  kernel.parameterTypes = {ParameterType::I32, ParameterType::I32};
  GemmProblem problem = makeProblem(64, 64, 64);
  GemmOperand &a = problem.operands[OperandA];
  a.strides[0] = INT64_MAX;
  EXPECT_EQ(whyNot(kernel, problem, h200()), "");
  a.strides[1] = 65;
  EXPECT_EQ(whyNot(kernel, problem, h200()),
            "row stride of A is 65, not a multiple of 8");
  a.strides[1] = int64_t(1) << 33;
  EXPECT_EQ(whyNot(kernel, problem, h200()),
            "row stride of A is 8589934592, which does not fit 32 bits");
  a.extents[1] = problem.m = 1;
  EXPECT_EQ(whyNot(kernel, problem, h200()), "");
}
