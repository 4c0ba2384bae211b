// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA device against a double of the driver: contexts, JIT, errors.
#include "CudaDriver.h"
#include "FakeCuda.h"
#include "HopperManifest.h"
#include "TensorMap.h"

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
    state->cluster = 0;
    state->nonPortableClusters = state->tensorMaps = 0;
    state->mapArgument = -1;
    state->capturing = state->programmatic = 0;
    state->frontType = -1;
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
    // A kernel of 22 arguments, which are looked for.
    uint64_t value = 0;
    std::vector<void *> args(22, &value);
    ASSERT_OK(
        tileRtKernelLaunch(kernel, grid, block, 99, args.data(), nullptr));
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
  uint64_t value = 0;
  std::vector<void *> args(22, &value);
  ASSERT_OK(tileRtKernelLaunch(kernel, one, one, 0, args.data(), wrapped));
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

namespace {
class Hopper : public Cuda {
protected:
  std::string artifact(const HopperManifest &manifest) {
    return makeArtifact(manifest.text(),
                        {{"ptx", "gemm_map gemm_v1 pack_r pack_c"}});
  }
};
} // namespace

TEST_F(Hopper, TensorMapsAreEncoded) {
  open("cuda");
  load(artifact({}));
  char *p = allocate<char>(1 << 16);
  fake()->mapArgument = 23;
  ASSERT_OK(gemm({matrix(p, 20, 40, 48), matrix(p + 8192, 40, 8, 12),
                  matrix(p + 16384, 20, 8, 8), matrix(p + 32768, 20, 8, 16),
                  scalar(2)}));
  EXPECT_STREQ(fake()->kernel, "gemm_map");
  EXPECT_EQ(fake()->cluster, 0u) << "cuLaunchKernel for a single block";
  EXPECT_EQ(fake()->tensorMaps, 2);
  const FakeTensorMap &map = fake()->map;
  EXPECT_EQ(map.base, reinterpret_cast<uintptr_t>(p + 8192));
  EXPECT_EQ(map.type, 7);
  EXPECT_EQ(map.rank, 2);
  EXPECT_EQ(map.dims[0], 8u);
  EXPECT_EQ(map.dims[1], 40u);
  EXPECT_EQ(map.strides[0], 48u);
  EXPECT_EQ(map.box[0], 16u);
  EXPECT_EQ(map.box[1], 16u);
  EXPECT_EQ(map.swizzle, 2);
  // The same matrices again: nothing is encoded. Another one: one map is.
  ASSERT_OK(gemm({matrix(p, 20, 40, 48), matrix(p + 8192, 40, 8, 12),
                  matrix(p + 16384, 20, 8, 8), matrix(p + 32768, 20, 8, 16),
                  scalar(2)}));
  EXPECT_EQ(fake()->tensorMaps, 2);
  EXPECT_EQ(fake()->map.base, reinterpret_cast<uintptr_t>(p + 8192));
  ASSERT_OK(gemm({matrix(p, 20, 40, 48), matrix(p + 8192, 40, 8, 16),
                  matrix(p + 16384, 20, 8, 8), matrix(p + 32768, 20, 8, 16),
                  scalar(2)}));
  EXPECT_EQ(fake()->tensorMaps, 3);
  EXPECT_EQ(fake()->map.strides[0], 64u);
}

TEST_F(Hopper, ClustersAndPersistentGrids) {
  open("cuda");
  HopperManifest manifest;
  manifest.grid = "{\"tile\": [16, 16], \"persistent\": true, "
                  "\"cluster_tile\": [2, 1]}";
  manifest.cluster = "[2, 1, 1]";
  manifest.fields = ", \"dynamic_shared_bytes\": 65536";
  load(artifact(manifest));
  EXPECT_EQ(fake()->maxDynamicShared, 232448 - 2048);
  EXPECT_EQ(fake()->nonPortableClusters, 0);
  char *p = allocate<char>(1 << 20);
  // 16 x 20 tiles are 160 clusters in the 50 slots that the driver counts: 4
  // waves of 40.
  ASSERT_OK(gemm({matrix(p, 240, 8, 8), matrix(p + 65536, 8, 320, 320),
                  matrix(nullptr, 240, 320, 320),
                  matrix(p + 131072, 240, 320, 320), scalar(0)}));
  EXPECT_EQ(fake()->cluster, 2u);
  EXPECT_EQ(fake()->grid, 80u);
  EXPECT_EQ(fake()->shared, 65536u);
  EXPECT_EQ(info.cluster, 2);
}

TEST_F(Hopper, ProgrammaticWhereItGains) {
  open("cuda");
  HopperManifest manifest;
  manifest.fields = ", \"programmatic_launch\": true";
  load(artifact(manifest));
  char *p = allocate<char>(1 << 16);
  auto isProgrammatic = [&](const char *kernel,
                            TileRtProgrammaticLaunch when =
                                TILE_RT_PROGRAMMATIC_WHERE_IT_GAINS) {
    TileRtLaunchOptions options = {};
    options.kernel = kernel;
    options.programmaticLaunch = when;
    EXPECT_OK(gemm({matrix(p, 20, 40, 48), matrix(p + 8192, 40, 8, 12),
                    matrix(p + 16384, 20, 8, 8), matrix(p + 32768, 20, 8, 16),
                    scalar(2)},
                   &options));
    EXPECT_STREQ(fake()->kernel, kernel);
    return fake()->programmatic != 0;
  };
  // In a stream it always gains.
  EXPECT_TRUE(isProgrammatic("gemm_map"));
  EXPECT_FALSE(isProgrammatic("gemm_map", TILE_RT_PROGRAMMATIC_NEVER));
  EXPECT_FALSE(isProgrammatic("gemm_v1", TILE_RT_PROGRAMMATIC_ALWAYS))
      << "a kernel that does not wait itself";
  // The first node of a graph, one behind its like, one behind a kernel that
  // does not let it start early.
  fake()->capturing = 1;
  EXPECT_FALSE(isProgrammatic("gemm_map"));
  EXPECT_TRUE(isProgrammatic("gemm_map"));
  EXPECT_FALSE(isProgrammatic("gemm_map", TILE_RT_PROGRAMMATIC_NEVER));
  EXPECT_FALSE(isProgrammatic("gemm_v1"));
  EXPECT_FALSE(isProgrammatic("gemm_map"));
  EXPECT_TRUE(isProgrammatic("gemm_map"));
  // Behind somebody else's kernel, and behind a copy.
  char other[] = "other";
  fake()->front = other;
  EXPECT_FALSE(isProgrammatic("gemm_map"));
  fake()->frontType = 1;
  EXPECT_FALSE(isProgrammatic("gemm_map"));
  fake()->frontType = 1;
  EXPECT_TRUE(isProgrammatic("gemm_map", TILE_RT_PROGRAMMATIC_ALWAYS));
}

TEST_F(Hopper, ANumberThatIsNoProgrammaticLaunch) {
  open("cuda");
  load(artifact({}));
  TileRtLaunchOptions options = {};
  options.programmaticLaunch = static_cast<TileRtProgrammaticLaunch>(3);
  EXPECT_EQ(gemm({}, &options), TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(),
               "expected a TileRtProgrammaticLaunch from 0 to 2 as the option "
               "programmaticLaunch, but got 3");
}

TEST_F(Hopper, LargeClustersAreAllowedAtLoad) {
  open("cuda");
  HopperManifest manifest;
  manifest.grid = "{\"tile\": [16, 16], \"cluster_tile\": [4, 4]}";
  manifest.cluster = "[16, 1, 1]";
  load(artifact(manifest));
  EXPECT_EQ(fake()->nonPortableClusters, 1);
}

TEST_F(Hopper, CopiesAreLaunchedFirst) {
  open("cuda");
  load(artifact({}));
  char *p = allocate<char>(1 << 16);
  char *workspace = allocate<char>(1 << 16);
  workspace += -reinterpret_cast<uintptr_t>(workspace) & 255;
  TileRtLaunchOptions options = {};
  options.workspace = workspace;
  options.workspaceBytes = 1 << 15;
  fake()->argumentCount = 10;
  ASSERT_OK(
      gemm({matrix(p + 4, 20, 40, 41), matrix(p + 8192, 40, 8, 9),
            matrix(nullptr, 20, 8, 8), matrix(p + 32768, 20, 8, 16), scalar(0)},
           &options));
  ASSERT_EQ(fake()->launches, 3);
  EXPECT_STREQ(fake()->kernels[0], "pack_r");
  EXPECT_STREQ(fake()->kernels[1], "pack_r");
  EXPECT_STREQ(fake()->kernels[2], "gemm_map");
  EXPECT_EQ(fake()->arguments[0], reinterpret_cast<uintptr_t>(workspace));
  // 20 * 40 * 4 bytes of A are 3200, in 4096.
  EXPECT_EQ(fake()->arguments[1],
            reinterpret_cast<uintptr_t>(workspace + 4096));
  EXPECT_EQ(fake()->arguments[8], 40u);
}

TEST_F(Hopper, AnOlderDeviceTakesAnotherKernel) {
  fake()->capability = 80;
  open("cuda");
  load(artifact({}));
  char *p = allocate<char>(1 << 16);
  ASSERT_OK(
      gemm({matrix(p, 8, 8, 8), matrix(p + 8192, 8, 8, 8),
            matrix(nullptr, 8, 8, 8), matrix(p + 32768, 8, 8, 8), scalar(0)}));
  EXPECT_STREQ(info.kernel, "gemm_v1");
  EXPECT_HAS(info.passedOver, "gemm_map: needs tensor maps, which sm_90 has "
                              "first, and this device is sm_80");
}

TEST_F(Hopper, ADriverWithoutTensorMapsIsAReason) {
  tile::rt::CudaDriver driver = {};
  char map[128];
  EXPECT_EQ(tile::rt::encodeCudaTensorMap(driver, map, {}),
            "the CUDA driver is too old: it has no function "
            "cuTensorMapEncodeTiled");
}
