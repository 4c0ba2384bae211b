// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator runs correct kernels: indices, barriers, registers, threads.
#include "RuntimeTestHelpers.h"

#include <chrono>
#include <cmath>
#include <thread>

using namespace tiletest;

namespace {
class SimRun : public DeviceTest {};
} // namespace

TEST_F(SimRun, ThreadAndBlockIndicesInThreeDimensions) {
  load(rawArtifact({"identify"}));
  int32_t *out = allocate<int32_t>(24 * 30);
  int64_t grid[3] = {2, 3, 4}, block[3] = {5, 3, 2};
  void *args[] = {&out};
  TileRtKernel kernel;
  ASSERT_OK(tileRtModuleGetKernel(module, "identify", &kernel));
  ASSERT_OK(tileRtKernelLaunch(kernel, grid, block, 0, args, nullptr));
  for (int i = 0; i < 24 * 30; ++i)
    ASSERT_EQ(out[i], i / 30 * 1000 + i % 30) << i;
}

TEST_F(SimRun, SeventyThousandBlocks) {
  load(rawArtifact({"identify"}));
  int32_t *out = allocate<int32_t>(70000);
  ASSERT_OK(launch("identify", 70000, 1, {&out}));
  for (int i = 0; i < 70000; ++i)
    ASSERT_EQ(out[i], i * 1000) << i;
}

TEST_F(SimRun, BarrierOrdersSharedMemory) {
  load(rawArtifact({"reverse"}));
  for (int threads : {1, 2, 31, 32, 33, 255, 256, 1000, 1024}) {
    float *in = allocate(threads), *out = allocate(threads);
    for (int i = 0; i < threads; ++i)
      in[i] = static_cast<float>(i + 1);
    int32_t withBarrier = 1;
    ASSERT_OK(launch("reverse", 1, threads, {&in, &out, &withBarrier}));
    for (int i = 0; i < threads; ++i)
      ASSERT_EQ(out[i], static_cast<float>(threads - i)) << threads;
  }
}

TEST_F(SimRun, VectorRegistersSurviveBarriers) {
  if (!__builtin_cpu_supports("avx2"))
    GTEST_SKIP() << "this processor has no AVX2";
  load(rawArtifact({"vectors"}));
  float *out = allocate(8 * 256);
  ASSERT_OK(launch("vectors", 1, 256, {&out}));
  for (int t = 0; t < 256; ++t)
    for (int lane = 0; lane < 8; ++lane)
      ASSERT_EQ(out[8 * t + lane], lane * (15.0f + 6 * t) + 30) << t;
}

TEST_F(SimRun, ImportsResolveToTheMathLibrary) {
  load(rawArtifact({"math"}));
  double *out = allocate<double>(6);
  out[5] = 1;
  ASSERT_OK(launch("math", 1, 1, {&out}));
  EXPECT_EQ(out[0], std::fma(0.75, 0.75, 1.0));
  EXPECT_EQ(out[1], double(std::fmaf(0.75f, 0.75f, 1.0f)));
  EXPECT_EQ(out[2], std::exp2(0.75));
  EXPECT_EQ(out[3], double(std::log(0.75f)));
  EXPECT_EQ(out[4], std::tanh(0.75));
  EXPECT_EQ(out[5], 0.0);
}

TEST_F(SimRun, RelativeRelocations) {
  load(rawArtifact({"relative"}));
  int32_t *out = allocate<int32_t>(1);
  ASSERT_OK(launch("relative", 1, 1, {&out}));
  EXPECT_EQ(*out, 77);
}

TEST_F(SimRun, DataOfTheObjectBelongsToTheModule) {
  load(rawArtifact({"data"}));
  int32_t *out = allocate<int32_t>(2);
  ASSERT_OK(launch("data", 1, 1, {&out}));
  EXPECT_EQ(out[0], 20);
  EXPECT_EQ(out[1], 6);
  TileRtModule second;
  std::string artifact = rawArtifact({"data"});
  ASSERT_OK(
      tileRtModuleLoad(device, artifact.data(), artifact.size(), &second));
  TileRtKernel kernel;
  ASSERT_OK(tileRtModuleGetKernel(second, "data", &kernel));
  int64_t one[3] = {1, 1, 1};
  void *args[] = {&out};
  ASSERT_OK(tileRtKernelLaunch(kernel, one, one, 0, args, nullptr));
  EXPECT_EQ(out[1], 6);
  tileRtModuleUnload(second);
}

TEST_F(SimRun, PartialBarriersOrderTheirThreads) {
  load(rawArtifact({"partial"}));
  int32_t mode = 0;
  EXPECT_OK(launch("partial", 3, 128, {&mode}));
}

TEST_F(SimRun, ExitedThreadsAreNotWaitedFor) {
  load(rawArtifact({"barriers"}));
  int32_t mode = 5;
  EXPECT_OK(launch("barriers", 2, 128, {&mode}));
}

TEST_F(SimRun, NeighbouringBytesAreNoRace) {
  load(rawArtifact({"bytes"}));
  for (int32_t mode : {0, 2})
    EXPECT_OK(launch("bytes", 2, 64, {&mode}));
}

TEST_F(SimRun, TwoDevicesAtOnce) {
  std::string artifact = rawArtifact({"identify"});
  auto work = [&](int rounds) {
    TileRtDevice own;
    TileRtModule code;
    TileRtBuffer buffer;
    ASSERT_OK(tileRtDeviceOpen("sim", &own));
    ASSERT_OK(tileRtModuleLoad(own, artifact.data(), artifact.size(), &code));
    ASSERT_OK(tileRtBufferCreate(own, 4 * 64 * 8, &buffer));
    // Handles keep what they need alive.
    tileRtDeviceClose(own);
    void *out = tileRtBufferGetAddress(buffer);
    TileRtKernel kernel;
    ASSERT_OK(tileRtModuleGetKernel(code, "identify", &kernel));
    int64_t grid[3] = {8, 1, 1}, block[3] = {64, 1, 1};
    void *args[] = {&out};
    for (int i = 0; i < rounds; ++i)
      ASSERT_OK(tileRtKernelLaunch(kernel, grid, block, 0, args, nullptr));
    int32_t last;
    ASSERT_OK(tileRtBufferRead(buffer, 4 * (64 * 8 - 1), &last, 4, nullptr));
    EXPECT_EQ(last, 7063);
    tileRtModuleUnload(code);
    tileRtBufferDestroy(buffer);
  };
  std::thread other(work, 200);
  work(200);
  other.join();
}

TEST_F(SimRun, OneDeviceFromManyThreads) {
  load(rawArtifact({"identify"}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        TileRtBuffer buffer;
        ASSERT_OK(tileRtBufferCreate(device, 4 * 64 * 3, &buffer));
        int32_t *out = static_cast<int32_t *>(tileRtBufferGetAddress(buffer));
        ASSERT_OK(launch("identify", 3, 64, {&out}));
        EXPECT_EQ(out[64 * 3 - 1], 2063);
        tileRtBufferDestroy(buffer);
      }
    });
  }
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(SimRun, KernelInfo) {
  load(GemmManifest().artifact());
  TileRtKernel kernel;
  TileRtKernelInfo facts;
  ASSERT_OK(tileRtModuleGetKernel(module, "gemm_v1", &kernel));
  ASSERT_OK(tileRtKernelGetInfo(kernel, &facts));
  EXPECT_STREQ(facts.name, "gemm_v1");
  EXPECT_STREQ(facts.schedule, "#tile.simt<>");
  EXPECT_EQ(facts.block[0], 256);
  EXPECT_EQ(facts.sharedBytes, 2048);
  EXPECT_EQ(facts.registers, -1);
  EXPECT_EQ(facts.localBytes, -1);
}

// Generous, so that a loaded machine passes; a launch that starts threads or
// maps stacks anew would not.
TEST_F(SimRun, SmallLaunchesAreQuick) {
  load(rawArtifact({"meet"}));
  int32_t barriers = 6;
  ASSERT_OK(launch("meet", 1, 256, {&barriers}));
  auto start = std::chrono::steady_clock::now();
  constexpr int launches = 200;
  for (int i = 0; i < launches; ++i)
    ASSERT_OK(launch("meet", 1, 256, {&barriers}));
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start;
  RecordProperty("microseconds_per_launch",
                 static_cast<int>(1000 * time.count() / launches));
  EXPECT_LT(time.count() / launches, 2.0);
}
