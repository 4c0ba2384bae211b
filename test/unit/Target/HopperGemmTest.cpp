// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole warp-specialised GEMM on the simulator, right and in many ways wrong.

#include "HopperGemm.h"

#include <chrono>
#include <random>

using namespace tiletest;

namespace {
class HopperGemm : public HopperTest {
protected:
  /// Runs the kernel for M x N x K; the error, or "" if D is right.
  std::string run(const GemmOptions &options, int m, int n, int k) {
    compile(hopperGemm(options));
    if (!module)
      return "not compiled";
    int pitch = (k + 7) / 8 * 8, pitchD = (n + 7) / 8 * 8;
    auto *a = allocate<uint16_t>(size_t(m) * pitch, 0x7fc0);
    auto *b = allocate<uint16_t>(size_t(n) * pitch, 0x7fc0);
    auto *d = allocate<uint16_t>(size_t(m) * pitchD, 0x4242);
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    auto fill = [&](uint16_t *x, int rows) {
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < k; ++column)
          x[row * pitch + column] = toBFloat(normal(random));
    };
    fill(a, m);
    fill(b, n);
    MapBytes mapA =
        mapMatrix(a, 2, k, m, pitch, 64, 128 / options.cluster, 128);
    MapBytes mapB = mapMatrix(b, 2, k, n, pitch, 64, 64, 128);
    MapBytes mapD = mapMatrix(d, 2, n, m, pitchD, 64, 64, 128);
    int32_t blocks = (k + 63) / 64;
    int64_t across = (n + 63) / 64;
    across = (across + options.cluster - 1) / options.cluster * options.cluster;
    auto start = std::chrono::steady_clock::now();
    std::string error =
        launch({&mapA, &mapB, &mapD, &blocks}, 384, options.sharedBytes(),
               across, (m + 127) / 128, options.cluster);
    std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now() - start;
    RecordProperty("microseconds", std::to_string(time.count()));
    if (!error.empty())
      return error;
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column) {
        double sum = 0, bound = 0;
        for (int i = 0; i < k; ++i) {
          double product = double(fromBFloat(a[row * pitch + i])) *
                           fromBFloat(b[column * pitch + i]);
          sum += product;
          bound += std::abs(product);
        }
        double got = fromBFloat(d[row * pitchD + column]);
        if (!(std::abs(got - sum) <=
              std::abs(sum) / 256 + bound * k * 0x1p-24)) {
          ADD_FAILURE() << "at (" << row << ", " << column << "): " << got
                        << " for " << sum;
          return "wrong";
        }
      }
    return "";
  }
};
} // namespace

TEST_F(HopperGemm, OneTile) { EXPECT_EQ(run({}, 128, 64, 64), ""); }

TEST_F(HopperGemm, ManyStagesAndBlocks) {
  EXPECT_EQ(run({}, 256, 128, 1024), "");
}

TEST_F(HopperGemm, RaggedEdges) { EXPECT_EQ(run({}, 200, 72, 344), ""); }

TEST_F(HopperGemm, NoDepth) {
  GemmOptions options;
  compile(hopperGemm(options));
  auto *d = allocate<uint16_t>(128 * 64, 0x4242);
  MapBytes map = mapMatrix(d, 2, 64, 128, 64, 64, 64, 128);
  int32_t blocks = 0;
  EXPECT_EQ(launch({&map, &map, &map, &blocks}, 384, options.sharedBytes()),
            "");
  for (int i = 0; i < 128 * 64; ++i)
    ASSERT_EQ(d[i], 0) << i;
}

TEST_F(HopperGemm, MulticastInAClusterOfTwo) {
  GemmOptions options;
  options.cluster = 2;
  EXPECT_EQ(run(options, 128, 128, 64), "");
  EXPECT_EQ(run(options, 200, 200, 520), "");
}

TEST_F(HopperGemm, MulticastInAClusterOfFour) {
  GemmOptions options;
  options.cluster = 4;
  EXPECT_EQ(run(options, 128, 256, 320), "");
}

TEST_F(HopperGemm, NoWaitForFull) {
  GemmOptions options;
  options.waitFull = false;
  std::string text = run(options, 128, 64, 64);
  EXPECT_HAS(text, "wgmma read of A of 16 bytes");
}

TEST_F(HopperGemm, NoWaitForEmpty) {
  GemmOptions options;
  options.waitEmpty = false;
  EXPECT_HAS(run(options, 128, 64, 512), "mbarrier overflow");
}

TEST_F(HopperGemm, StageReleasedBeforeWgmmaIsDone) {
  GemmOptions options;
  options.waitWgmma = false;
  std::string text = run(options, 128, 64, 512);
  EXPECT_HAS(text, "race on shared memory: tensor load of");
  EXPECT_HAS(text, "by the wgmma at");
  EXPECT_HAS(text, "with no wait for its wgmma group");
}

TEST_F(HopperGemm, StageNeverReleased) {
  GemmOptions options;
  options.arriveEmpty = false;
  std::string text = run(options, 128, 64, 512);
  EXPECT_HAS(text, "deadlock in kernel 'gemm', block (0,0,0)");
  EXPECT_HAS(text, "1 thread, the first of them thread (0,0,0), waits for the "
                   "phase of parity 0 of the mbarrier at shared offset "
                   "0x16018 (in phase 0, 2 of 2 arrivals and 0 bytes pending)");
}

TEST_F(HopperGemm, TooManyBytesExpected) {
  GemmOptions options;
  options.expectedBytes += 16;
  std::string text = run(options, 128, 64, 64);
  EXPECT_HAS(text, "deadlock");
  EXPECT_HAS(text, "0 of 1 arrivals and 16 bytes pending");
}

TEST_F(HopperGemm, TooFewBytesExpected) {
  GemmOptions options;
  options.expectedBytes -= 16;
  EXPECT_HAS(run(options, 128, 64, 64), "mbarrier overflow");
}

TEST_F(HopperGemm, NoProxyFence) {
  GemmOptions options;
  options.fenceProxy = false;
  std::string text = run(options, 128, 64, 64);
  EXPECT_HAS(text, "missing proxy fence for shared memory: tensor store of");
}

TEST_F(HopperGemm, NoWaitForTheStore) {
  GemmOptions options;
  options.waitStore = false;
  EXPECT_HAS(run(options, 128, 64, 64), "unfinished tensor store");
}

TEST_F(HopperGemm, NoFenceOfTheInitialisation) {
  GemmOptions options;
  options.fenceInit = false;
  EXPECT_HAS(run(options, 128, 64, 64), "mbarrier used too early");
}
