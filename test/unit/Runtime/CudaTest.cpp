// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA device against a double of the driver: contexts, JIT, errors.
#include "FakeCuda.h"
#include "RuntimeTestHelpers.h"

#include <dlfcn.h>
#include <thread>

using namespace tiletest;

namespace {
class Cuda : public DeviceTest {
protected:
  void SetUp() override {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    auto find =
        library ? reinterpret_cast<FakeCuda *(*)()>(dlsym(library, "fakeCuda"))
                : nullptr;
    ASSERT_NE(find, nullptr) << "the driver's double was not found";
    FakeCuda *state = find();
    state->devices = 2;
    state->capability = 90;
    state->initResult = state->faultAtSynchronize = state->argumentCount = 0;
    state->moduleLoads = state->launches = 0;
    fake = find;
  }

  void TearDown() override {
    DeviceTest::TearDown();
    // Nothing is left behind, and the thread's context is as it was.
    EXPECT_EQ(fake()->depth, 0);
    EXPECT_EQ(fake()->retained, 0);
    EXPECT_EQ(fake()->modules, 0);
    EXPECT_EQ(fake()->allocations, 0);
    EXPECT_EQ(fake()->streams, 0);
  }

  std::string artifact(std::vector<TestBlob> blobs) {
    return makeArtifact(GemmManifest().text(), blobs);
  }

  std::string loadError(const std::string &bytes) {
    EXPECT_NE(tileRtModuleLoad(device, bytes.data(), bytes.size(), &module),
              TILE_RT_SUCCESS);
    return tileRtGetLastError();
  }

  FakeCuda *(*fake)() = nullptr;
  const std::string ptx = "// ptx with gemm_v4 and gemm_v1";
};
} // namespace

TEST_F(Cuda, FactsOfTheDevice) {
  open("auto");
  TileRtDeviceInfo facts;
  ASSERT_OK(tileRtDeviceGetInfo(device, &facts));
  EXPECT_EQ(facts.kind, TILE_RT_DEVICE_CUDA);
  EXPECT_STREQ(facts.name, "Fake GPU 0");
  EXPECT_STREQ(facts.chip, "sm_90");
  EXPECT_EQ(facts.multiprocessors, 132);
  EXPECT_EQ(facts.sharedMemoryLimit, 232448);
  EXPECT_EQ(facts.driverVersion, 12040);
}

TEST_F(Cuda, WithoutADevice) {
  EXPECT_EQ(tileRtDeviceOpen("cuda:2", &device), TILE_RT_NO_DEVICE);
  EXPECT_STREQ(tileRtGetLastError(),
               "expected a CUDA device from 0 to 1, but got 2");
  fake()->devices = 0;
  EXPECT_EQ(tileRtDeviceOpen("cuda", &device), TILE_RT_NO_DEVICE);
  EXPECT_STREQ(tileRtGetLastError(), "no CUDA device: the driver is installed "
                                     "but finds none; use --device=sim");
  fake()->initResult = 100;
  EXPECT_EQ(tileRtDeviceOpen("cuda", &device), TILE_RT_NO_DEVICE);
  EXPECT_HAS(tileRtGetLastError(), "no CUDA device: cuInit failed");
  open("auto");
  TileRtDeviceInfo facts;
  ASSERT_OK(tileRtDeviceGetInfo(device, &facts));
  EXPECT_EQ(facts.kind, TILE_RT_DEVICE_SIM);
}

TEST_F(Cuda, AFreshThreadLaunchesWithoutAContext) {
  open("cuda:1");
  load(artifact({{"ptx", ptx}}));
  float *p = allocate(64);
  EXPECT_EQ(fake()->depth, 0);
  std::thread([&] {
    EXPECT_OK(
        gemm({matrix(p, 2, 2, 2), matrix(p + 8, 2, 2, 2),
              matrix(p + 16, 2, 2, 2), matrix(p + 24, 2, 2, 2), scalar(0)}));
    EXPECT_EQ(fake()->depth, 0);
  }).join();
  EXPECT_EQ(fake()->launches, 1);
  EXPECT_EQ(fake()->launchDevice, 1);
  EXPECT_EQ(fake()->moduleDevice, 1);
}

TEST_F(Cuda, TwoDevicesInOneThread) {
  std::string bytes = artifact({{"ptx", ptx}});
  for (int ordinal : {0, 1, 0}) {
    TileRtDevice own;
    TileRtModule code;
    TileRtKernel kernel;
    ASSERT_OK(tileRtDeviceOpen(ordinal ? "cuda:1" : "cuda:0", &own));
    ASSERT_OK(tileRtModuleLoad(own, bytes.data(), bytes.size(), &code));
    tileRtDeviceClose(own);
    ASSERT_OK(tileRtModuleGetKernel(code, "gemm_v1", &kernel));
    int64_t grid[3] = {7, 1, 1}, block[3] = {32, 2, 1};
    ASSERT_OK(tileRtKernelLaunch(kernel, grid, block, 99, nullptr, nullptr));
    EXPECT_EQ(fake()->launchDevice, ordinal);
    EXPECT_EQ(fake()->grid, 7u);
    EXPECT_EQ(fake()->block, 64u);
    EXPECT_EQ(fake()->shared, 99u);
    EXPECT_STREQ(fake()->kernel, "gemm_v1");
    tileRtModuleUnload(code);
  }
}

TEST_F(Cuda, KernelInfoComesFromTheDriver) {
  open("cuda");
  load(artifact({{"ptx", ptx}}));
  TileRtKernel kernel;
  TileRtKernelInfo facts;
  ASSERT_OK(tileRtModuleGetKernel(module, "gemm_v4", &kernel));
  ASSERT_OK(tileRtKernelGetInfo(kernel, &facts));
  EXPECT_EQ(facts.registers, 128);
  EXPECT_EQ(facts.localBytes, 16);
  EXPECT_EQ(facts.sharedBytes, 2048);
  EXPECT_EQ(fake()->maxDynamicShared, 232448 - 2048);
}

TEST_F(Cuda, ArgumentsArePackedAsTheManifestSays) {
  open("cuda");
  load(artifact({{"ptx", ptx}}));
  char *p = allocate<char>(1 << 16);
  fake()->argumentCount = 20;
  ASSERT_OK(gemm({matrix(p, 20, 40, 48), matrix(p + 8192, 40, 8, 12),
                  matrix(p + 16384, 20, 8, 8), matrix(p + 32768, 20, 8, 16),
                  scalar(2)}));
  EXPECT_STREQ(fake()->kernel, "gemm_v4");
  EXPECT_EQ(fake()->grid, 2u);
  auto address = reinterpret_cast<uintptr_t>(p);
  const unsigned long long expected[] = {address,
                                         address + 8192,
                                         address + 16384,
                                         address + 32768,
                                         20,
                                         8,
                                         40,
                                         1,
                                         48,
                                         1,
                                         0,
                                         12,
                                         1,
                                         0,
                                         8,
                                         1,
                                         0,
                                         16,
                                         1,
                                         0};
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(fake()->arguments[i], expected[i]) << i;
}

TEST_F(Cuda, ACubinOfTheChipComesFirst) {
  open("cuda");
  std::string names = " with gemm_v4 and gemm_v1";
  auto cubin = [&](const std::string &text, const std::string &chip) {
    return TestBlob{"cubin", text + names, ", \"chip\": \"" + chip + "\""};
  };
  auto loaded = [&](std::vector<TestBlob> blobs) {
    std::string bytes = artifact(blobs);
    TileRtModule code = nullptr;
    EXPECT_OK(tileRtModuleLoad(device, bytes.data(), bytes.size(), &code));
    tileRtModuleUnload(code);
    return std::string(fake()->image).substr(0, 5);
  };
  EXPECT_EQ(loaded({{"ptx", ptx}, cubin("cubin", "sm_90")}), "cubin");
  EXPECT_EQ(loaded({{"ptx", ptx}, cubin("cubin", "sm_90a")}), "cubin");
  EXPECT_EQ(loaded({{"ptx", ptx}, cubin("cubin", "sm_80")}), "// pt");
  EXPECT_EQ(loaded({{"ptx", ptx}, cubin("cubin", "sm_100")}), "// pt");
  fake()->moduleLoads = 0;
  EXPECT_EQ(loaded({{"ptx", ptx}, cubin("broken cubin", "sm_90")}), "// pt");
  EXPECT_EQ(fake()->moduleLoads, 2);
}

TEST_F(Cuda, WhatTheDriversCompilerSaysIsTheError) {
  open("cuda");
  EXPECT_EQ(loadError(artifact({{"ptx", "broken ptx"}})),
            "cuModuleLoadDataEx failed: a PTX JIT compilation failed "
            "(CUDA_ERROR_INVALID_PTX): ptxas fatal : line 3; expected ';'");
  EXPECT_EQ(loadError(artifact({{"ptx", "gemm_v4 only"}})),
            "the artifact's device code has no kernel 'gemm_v1'");
  EXPECT_EQ(loadError(artifact({{"sim", "x"}})),
            "the artifact has no code for sm_90: no PTX, and no cubin that "
            "fits");
  fake()->capability = 75;
  TileRtDevice old;
  ASSERT_OK(tileRtDeviceOpen("cuda", &old));
  std::string bytes = artifact({{"ptx", ptx}});
  EXPECT_EQ(tileRtModuleLoad(old, bytes.data(), bytes.size(), &module),
            TILE_RT_BAD_ARTIFACT);
  EXPECT_STREQ(
      tileRtGetLastError(),
      "expected an artifact that runs on sm_75, but got one for sm_80");
  tileRtDeviceClose(old);
}

TEST_F(Cuda, BuffersStreamsAndEvents) {
  open("cuda");
  TileRtStream stream, wrapped;
  ASSERT_OK(tileRtStreamCreate(device, &stream));
  int marker;
  ASSERT_OK(tileRtStreamWrap(device, &marker, &wrapped));
  TileRtBuffer buffer;
  ASSERT_OK(tileRtBufferCreate(device, 8, &buffer));
  char out[9] = "";
  ASSERT_OK(tileRtBufferWrite(buffer, 0, "12345678", 8, stream));
  ASSERT_OK(tileRtBufferFill(buffer, 2, 3, 'x', nullptr));
  ASSERT_OK(tileRtBufferRead(buffer, 0, out, 8, wrapped));
  EXPECT_STREQ(out, "12xxx678");
  TileRtBuffer empty;
  ASSERT_OK(tileRtBufferCreate(device, 0, &empty));
  tileRtBufferDestroy(empty);
  EXPECT_EQ(tileRtBufferCreate(device, int64_t(1) << 40, &empty),
            TILE_RT_OUT_OF_MEMORY);
  EXPECT_STREQ(tileRtGetLastError(),
               "cuMemAlloc failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY): "
               "1099511627776 bytes");
  TileRtEvent start, stop;
  ASSERT_OK(tileRtEventCreate(device, &start));
  ASSERT_OK(tileRtEventCreate(device, &stop));
  ASSERT_OK(tileRtEventRecord(start, stream));
  ASSERT_OK(tileRtEventRecord(stop, stream));
  double milliseconds;
  ASSERT_OK(tileRtEventElapsed(start, stop, &milliseconds));
  EXPECT_EQ(milliseconds, 1.5);

  load(artifact({{"ptx", ptx}}));
  TileRtKernel kernel;
  int64_t one[3] = {1, 1, 1};
  ASSERT_OK(tileRtModuleGetKernel(module, "gemm_v4", &kernel));
  ASSERT_OK(tileRtKernelLaunch(kernel, one, one, 0, nullptr, wrapped));
  EXPECT_EQ(fake()->stream, &marker);

  fake()->faultAtSynchronize = 700;
  EXPECT_EQ(tileRtStreamSynchronize(stream), TILE_RT_LAUNCH_FAILED);
  EXPECT_STREQ(tileRtGetLastError(),
               "cuStreamSynchronize failed: an illegal memory access was "
               "encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
  EXPECT_EQ(tileRtDeviceSynchronize(device), TILE_RT_LAUNCH_FAILED);
  tileRtEventDestroy(start);
  tileRtEventDestroy(stop);
  tileRtBufferDestroy(buffer);
  tileRtStreamDestroy(wrapped);
  tileRtStreamDestroy(stream);
}
