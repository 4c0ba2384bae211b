// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA device on a real GPU; skipped by name where there is none.
#include "RuntimeTestHelpers.h"

#include <thread>

using namespace tiletest;

namespace {
class Gpu : public DeviceTest {
protected:
  void SetUp() override {
    TileRtStatus status = tileRtDeviceOpen("cuda", &device);
    if (status == TILE_RT_NO_DEVICE)
      GTEST_SKIP() << tileRtGetLastError();
    ASSERT_OK(status);
  }

  static std::string artifact(const std::string &ptx) {
    return makeArtifact("\"version\": 1, \"target\": {\"chip\": \"sm_80\"}, "
                        "\"kernels\": [{\"name\": \"identify\", \"block\": "
                        "[64, 1, 1]}]",
                        {{"ptx", ptx}});
  }
};

// out[global thread] = block * 1000 + thread
const char *const identifyPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry identify(.param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mad.lo.s32 %r5, %r1, 1000, %r3;
  mul.wide.s32 %rd3, %r4, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r5;
  ret;
}
)";
} // namespace

TEST_F(Gpu, AKernelRunsFromAFreshThread) {
  load(artifact(identifyPtx));
  constexpr int64_t blocks = 70000, threads = 64;
  TileRtBuffer buffer;
  ASSERT_OK(tileRtBufferCreate(device, blocks * threads * 4, &buffer));
  buffers.push_back(buffer);
  TileRtStream stream;
  TileRtEvent start, stop;
  ASSERT_OK(tileRtStreamCreate(device, &stream));
  ASSERT_OK(tileRtEventCreate(device, &start));
  ASSERT_OK(tileRtEventCreate(device, &stop));
  std::thread([&] {
    TileRtKernel kernel;
    ASSERT_OK(tileRtModuleGetKernel(module, "identify", &kernel));
    void *out = tileRtBufferGetAddress(buffer), *args[] = {&out};
    int64_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
    ASSERT_OK(tileRtEventRecord(start, stream));
    ASSERT_OK(tileRtKernelLaunch(kernel, grid, block, 0, args, stream));
    ASSERT_OK(tileRtEventRecord(stop, stream));
  }).join();
  double milliseconds = -1;
  ASSERT_OK(tileRtEventElapsed(start, stop, &milliseconds));
  EXPECT_GT(milliseconds, 0);
  std::vector<int32_t> result(blocks * threads);
  ASSERT_OK(
      tileRtBufferRead(buffer, 0, result.data(), blocks * threads * 4, stream));
  for (int64_t i = 0; i < blocks * threads; ++i)
    ASSERT_EQ(result[i], i / threads * 1000 + i % threads) << i;
  TileRtKernel kernel;
  TileRtKernelInfo facts;
  ASSERT_OK(tileRtModuleGetKernel(module, "identify", &kernel));
  ASSERT_OK(tileRtKernelGetInfo(kernel, &facts));
  EXPECT_GT(facts.registers, 0);
  EXPECT_EQ(facts.localBytes, 0);
  tileRtEventDestroy(start);
  tileRtEventDestroy(stop);
  tileRtStreamDestroy(stream);
}

TEST_F(Gpu, TheDriversCompilerExplainsBadPtx) {
  std::string bytes = artifact(".version 7.0\n.target sm_80\n.oops\n");
  EXPECT_NE(tileRtModuleLoad(device, bytes.data(), bytes.size(), &module),
            TILE_RT_SUCCESS);
  EXPECT_HAS(tileRtGetLastError(), "cuModuleLoadDataEx failed: ");
  EXPECT_HAS(tileRtGetLastError(), "line 3");
}

TEST_F(Gpu, BuffersRoundTrip) {
  TileRtBuffer buffer;
  ASSERT_OK(tileRtBufferCreate(device, 1000, &buffer));
  buffers.push_back(buffer);
  std::vector<char> in(1000), out(1000);
  for (int i = 0; i < 1000; ++i)
    in[i] = static_cast<char>(i * 7);
  ASSERT_OK(tileRtBufferWrite(buffer, 0, in.data(), 1000, nullptr));
  ASSERT_OK(tileRtBufferFill(buffer, 100, 3, 9, nullptr));
  ASSERT_OK(tileRtBufferRead(buffer, 0, out.data(), 1000, nullptr));
  for (int i = 100; i < 103; ++i)
    in[i] = 9;
  EXPECT_EQ(in, out);
}
