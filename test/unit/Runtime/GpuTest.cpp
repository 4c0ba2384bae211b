// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA device on a real GPU; skipped by name where there is none.
#include "RuntimeTestHelpers.h"

#include <cstdlib>
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

// Each block loads the first box of A, 16 x 8 floats, with a tensor map, and
// writes it to its own 128 elements of D with 1000 times its rank in the
// cluster added.
static const char *const cornerPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry corner(.param .u64 d, .param .align 64 .b8 map[128])
{
  .reg .pred %p, %q;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  .reg .f32 %f<4>;
  .shared .align 128 .b8 box[512];
  .shared .align 8 .b64 full;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p, %r1, 0;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd1, %rd1;
  @%p mbarrier.init.shared::cta.b64 [full], 1;
  @%p fence.mbarrier_init.release.cluster;
  bar.sync 0;
  @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 512;
  mov.u32 %r2, 0;
  @%p cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [box], [%rd1, {%r2, %r2}], [full];
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %q, [full], 0;
  @!%q bra wait;
  mov.u32 %r3, box;
  shl.b32 %r4, %r1, 2;
  add.u32 %r3, %r3, %r4;
  ld.shared.f32 %f1, [%r3];
  mov.u32 %r5, %cluster_ctarank;
  cvt.rn.f32.u32 %f2, %r5;
  fma.rn.f32 %f3, %f2, 0f447A0000, %f1;
  mov.u32 %r6, %ctaid.x;
  mad.lo.u32 %r7, %r6, 128, %r1;
  ld.param.u64 %rd2, [d];
  cvta.to.global.u64 %rd3, %rd2;
  mul.wide.u32 %rd4, %r7, 4;
  add.s64 %rd5, %rd3, %rd4;
  st.global.f32 [%rd5], %f3;
  ret;
}
)";

TEST_F(Gpu, AClusterLoadsThroughATensorMap) {
  TileRtDeviceInfo facts;
  ASSERT_OK(tileRtDeviceGetInfo(device, &facts));
  if (std::atoi(facts.chip + 3) < 90)
    GTEST_SKIP() << facts.chip << " has no tensor maps";
  std::string tensor = "{\"kind\": \"tensor\", \"type\": \"f32\", "
                       "\"shape\": [null, null]}";
  load(makeArtifact(
      "\"version\": 1, \"target\": {\"chip\": \"sm_90\"}, \"kernels\": "
      "[{\"name\": \"corner\", \"block\": [128, 1, 1], \"cluster\": [2, 1, "
      "1], \"grid\": {\"tile\": [16, 16], \"cluster_tile\": [1, 2]}, "
      "\"parameters\": [\"D.data\", \"A.tensor_map\"], \"parameter_types\": "
      "[\"ptr\", \"tensor_map\"], \"tensor_maps\": [{\"operand\": \"A\", "
      "\"contiguous\": 1, \"box\": [8, 16], \"swizzle\": 0}]}], "
      "\"entries\": [{\"name\": \"gemm\", \"arguments\": [" +
          tensor + ", " + tensor + ", " + tensor +
          "], \"steps\": [{\"op\": \"gemm\", \"A\": 0, \"B\": 1, \"D\": 2, "
          "\"alpha\": {\"value\": 1}, \"beta\": {\"value\": 0}, "
          "\"kernels\": [\"corner\"]}]}]",
      {{"ptx", cornerPtx}}));
  // A of 10 x 6 in rows of 20: what the box has beyond it is zero.
  std::vector<float> a(200, -1), d(10 * 32);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 6; ++j)
      a[20 * i + j] = static_cast<float>(10 * i + j + 1);
  float *memory = allocate(1024);
  ASSERT_OK(tileRtBufferWrite(buffers[0], 0, a.data(), 800, nullptr));
  ASSERT_OK(gemm({matrix(memory, 10, 6, 20), matrix(memory + 256, 6, 32, 32),
                  matrix(memory + 512, 10, 32, 32)}));
  EXPECT_EQ(info.grid[0], 2);
  EXPECT_EQ(info.cluster, 2);
  ASSERT_OK(tileRtBufferRead(buffers[0], 2048, d.data(), 1024, nullptr));
  for (int block = 0; block < 2; ++block)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 8; ++j)
        EXPECT_EQ(d[128 * block + 8 * i + j],
                  1000.0f * static_cast<float>(block) +
                      (i < 10 && j < 6 ? a[20 * i + j] : 0))
            << block << ": " << i << ", " << j;
}
