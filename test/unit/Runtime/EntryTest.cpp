// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries: the gemm contract's checks, the choice of kernel, the numbers.
#include "RuntimeTestHelpers.h"

#include <array>
#include <limits>
#include <random>

using namespace tiletest;

namespace {
class Entry : public DeviceTest {
protected:
  /// The error of a launch that must be refused; without touching memory.
  std::string refused(std::vector<TileRtArgument> args,
                      TileRtStatus expected = TILE_RT_INVALID_ARGUMENT,
                      const TileRtLaunchOptions *options = nullptr) {
    EXPECT_EQ(gemm(std::move(args), options), expected);
    return tileRtGetLastError();
  }

  /// Which kernel a dry run takes.
  std::string chosen(std::vector<TileRtArgument> args) {
    TileRtLaunchOptions options = {};
    options.dryRun = 1;
    EXPECT_OK(gemm(std::move(args), &options));
    return info.kernel ? info.kernel : "none";
  }

  /// Addresses far apart that nobody follows.
  static char *fake(int number) {
    return reinterpret_cast<char *>(uintptr_t(number + 1) << 40);
  }

  std::vector<TileRtArgument> square(int64_t n, float beta = 0) {
    return {matrix(fake(0), n, n, n), matrix(fake(1), n, n, n),
            matrix(fake(2), n, n, n), matrix(fake(3), n, n, n), scalar(beta)};
  }
};

const float notANumber = std::numeric_limits<float>::quiet_NaN();
} // namespace

TEST_F(Entry, NumbersForAllLayoutsPitchesAndOffsets) {
  load(GemmManifest().artifact());
  std::mt19937 random(3);
  std::uniform_real_distribution<float> value(-1, 1);
  int vectorRuns = 0, scalarRuns = 0;
  for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                         {16, 16, 16},
                         {33, 20, 17},
                         {20, 36, 12}}) {
    for (int layout = 0; layout < 16; ++layout) {
      for (int64_t pad : {0, 4, 5}) {
        int64_t rows[4] = {m, k, m, m}, columns[4] = {k, n, n, n};
        float *base[4];
        TileRtArgument args[4];
        for (int i = 0; i < 4; ++i) {
          bool columnMajor = layout >> i & 1;
          int64_t inner = columnMajor ? rows[i] : columns[i];
          int64_t outer = columnMajor ? columns[i] : rows[i];
          int64_t pitch = inner + pad, offset = pad == 5 ? 1 : 0;
          float *p = allocate(outer * pitch + offset);
          for (int64_t j = 0; j < outer * pitch + offset; ++j)
            p[j] = notANumber;
          base[i] = p + offset;
          for (int64_t o = 0; o < outer; ++o)
            for (int64_t j = 0; j < inner && i < 3; ++j)
              base[i][o * pitch + j] = value(random);
          args[i] = matrix(base[i], rows[i], columns[i],
                           columnMajor ? 1 : pitch, columnMajor ? pitch : 1);
        }
        ASSERT_OK(gemm({args[0], args[1], args[2], args[3], scalar(0.5f)}));
        (std::string(info.kernel) == "gemm_v4" ? vectorRuns : scalarRuns)++;
        auto at = [&](int i, int64_t row, int64_t column) {
          const int64_t *s = args[i].as.tensor.strides;
          return double(base[i][row * s[0] + column * s[1]]);
        };
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            double sum = 0.5 * at(2, i, j);
            for (int64_t l = 0; l < k; ++l)
              sum += at(0, i, l) * at(1, l, j);
            ASSERT_NEAR(at(3, i, j), sum, 1e-5)
                << m << "x" << n << "x" << k << " layout " << layout;
          }
        }
        for (TileRtBuffer buffer : buffers)
          tileRtBufferDestroy(buffer);
        buffers.clear();
      }
    }
  }
  EXPECT_GT(vectorRuns, 2);
  EXPECT_GT(scalarRuns, 100);
}

TEST_F(Entry, ArgumentsAreChecked) {
  GemmManifest manifest;
  manifest.shapeOfA = "[64, null]";
  manifest.stridesOfA = "[null, 1]";
  load(manifest.artifact());
  auto args = square(64);
  EXPECT_EQ(chosen(args), "gemm_v4");
  EXPECT_EQ(refused({args[0], args[1]}),
            "expected 5 arguments for entry 'gemm', but got 2");
  EXPECT_EQ(refused({args[0], args[1], args[2], args[4], args[4]}),
            "expected argument 3 to be a tensor, but got a scalar");
  EXPECT_EQ(refused({args[0], args[1], args[2], args[3], args[3]}),
            "expected argument 4 to be a scalar, but got a tensor");
  auto wrong = args;
  wrong[1].as.tensor.type = TILE_RT_F64;
  EXPECT_EQ(refused(wrong),
            "expected argument 1 to have type f32, but got f64");
  wrong[1].as.tensor.type = static_cast<TileRtType>(77);
  EXPECT_EQ(refused(wrong),
            "expected argument 1 to have type f32, but got an unknown one");
  wrong = args;
  wrong[2].as.tensor.rank = 3;
  EXPECT_EQ(refused(wrong), "expected argument 2 to have rank 2, but got 3");
  wrong[2].as.tensor.rank = TILE_RT_MAX_RANK + 1;
  EXPECT_EQ(refused(wrong),
            "expected argument 2 to have a rank of 0 to 5, but got 6");
  wrong = args;
  wrong[0] = matrix(fake(0), 65, 64, 64);
  EXPECT_EQ(refused(wrong),
            "expected argument 0 to have extent 64 in dimension 0, but got 65");
  wrong[0] = matrix(fake(0), 64, 64, 128, 2);
  EXPECT_EQ(refused(wrong),
            "expected argument 0 to have stride 1 in dimension 1, but got 2");
  wrong = args;
  wrong[1] = matrix(fake(1), 64, -3, 64);
  EXPECT_EQ(refused(wrong), "expected argument 1 to have an extent of at least "
                            "0 in dimension 1, but got -3");
  EXPECT_EQ(tileRtLaunchEntry(module, "conv", args.data(), 5, nullptr, nullptr,
                              nullptr),
            TILE_RT_NOT_FOUND);
  EXPECT_STREQ(tileRtGetLastError(), "the artifact has no entry 'conv'");
}

TEST_F(Entry, ShapesMustAgree) {
  load(GemmManifest().artifact());
  auto args = square(8);
  auto with = [&](int number, TileRtArgument argument) {
    auto copy = args;
    copy[number] = argument;
    return refused(copy);
  };
  EXPECT_EQ(
      with(0, matrix(fake(0), 8, 64, 64)),
      "expected A and B to agree on K, but got 64 columns of A and 8 rows "
      "of B");
  EXPECT_EQ(with(1, matrix(fake(1), 1, 8, 8)),
            "expected A and B to agree on K, but got 8 columns of A and 1 row "
            "of B");
  EXPECT_EQ(with(0, matrix(fake(0), 7, 8, 8)),
            "expected A to have 8 rows as D has, but got 7");
  EXPECT_EQ(with(1, matrix(fake(1), 8, 9, 9)),
            "expected B to have 8 columns as D has, but got 9");
  EXPECT_EQ(with(2, matrix(fake(2), 8, 1, 1)),
            "expected C to be 8 x 8 as D is, but got 8 x 1");
  EXPECT_EQ(info.m, 8);
  EXPECT_EQ(info.kernel, nullptr);
}

TEST_F(Entry, BatchesAndSharedOperands) {
  GemmManifest manifest;
  manifest.rank = 3;
  load(manifest.artifact());
  auto args = std::vector<TileRtArgument>{
      batched(fake(0), 5, 4, 4, 16, 4), batched(fake(1), 5, 4, 4, 16, 4),
      batched(fake(2), 5, 4, 4, 16, 4), batched(fake(3), 5, 4, 4, 16, 4),
      scalar(0)};
  EXPECT_EQ(chosen(args), "gemm_v4");
  EXPECT_EQ(info.batch, 5);
  EXPECT_EQ(info.grid[0], 5);
  args[1].as.tensor.sizes[0] = 4;
  EXPECT_EQ(refused(args), "expected B to have 5 matrices as D has, but got 4");
}

TEST_F(Entry, ARank2OperandIsSharedByTheBatch) {
  GemmManifest manifest;
  manifest.rank = 3;
  manifest.shapeOfA = "[null, null]";
  manifest.stridesOfA = "[null, null]";
  load(manifest.artifact());
  float *a = allocate(4), *b = allocate(12), *d = allocate(12);
  for (int i = 0; i < 4; ++i)
    a[i] = static_cast<float>(i + 1);
  for (int i = 0; i < 12; ++i)
    b[i] = static_cast<float>(i);
  ASSERT_OK(gemm({matrix(a, 2, 2, 2), batched(b, 3, 2, 2, 4, 2),
                  batched(nullptr, 3, 2, 2, 4, 2), batched(d, 3, 2, 2, 4, 2),
                  scalar(0)}));
  for (int i = 0; i < 3; ++i)
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 2; ++column)
        EXPECT_EQ(d[4 * i + 2 * row + column],
                  a[2 * row] * b[4 * i + column] +
                      a[2 * row + 1] * b[4 * i + 2 + column]);
}

TEST_F(Entry, EmptyProblemsSucceedWithoutALaunch) {
  load(GemmManifest().artifact());
  EXPECT_OK(
      gemm({matrix(nullptr, 0, 5, 5), matrix(nullptr, 5, 3, 3),
            matrix(nullptr, 0, 3, 3), matrix(nullptr, 0, 3, 3), scalar(1)}));
  EXPECT_EQ(info.kernel, nullptr);
  EXPECT_EQ(info.n, 3);
  EXPECT_OK(
      gemm({matrix(nullptr, 5, 5, 5), matrix(nullptr, 5, 0, 0),
            matrix(nullptr, 5, 0, 0), matrix(nullptr, 5, 0, 0), scalar(1)}));
  // Shapes are looked at even so.
  EXPECT_HAS(
      refused({matrix(nullptr, 0, 5, 5), matrix(nullptr, 6, 3, 3),
               matrix(nullptr, 0, 3, 3), matrix(nullptr, 0, 3, 3), scalar(1)}),
      "agree on K");
}

TEST_F(Entry, EmptyKStillAppliesBeta) {
  load(GemmManifest().artifact());
  float *c = allocate(64), *d = allocate(64);
  for (int i = 0; i < 64; ++i)
    c[i] = static_cast<float>(i);
  auto run = [&](float beta) {
    ASSERT_OK(gemm({matrix(nullptr, 8, 0, 0), matrix(nullptr, 0, 8, 8),
                    matrix(c, 8, 8, 8), matrix(d, 8, 8, 8), scalar(beta)}));
    for (int i = 0; i < 64; ++i)
      ASSERT_EQ(d[i], beta == 0 ? 0 : beta * static_cast<float>(i));
  };
  run(2);
  run(1);
  c[5] = notANumber;
  run(0);
}

TEST_F(Entry, BetaZeroDoesNotReadC) {
  load(GemmManifest().artifact());
  float *a = allocate(64), *b = allocate(64), *d = allocate(64);
  for (int i = 0; i < 64; ++i)
    a[i] = b[i] = 1;
  ASSERT_OK(gemm({matrix(a, 8, 8, 8), matrix(b, 8, 8, 8),
                  matrix(nullptr, 8, 8, 8), matrix(d, 8, 8, 8), scalar(0)}));
  EXPECT_EQ(d[63], 8);
  EXPECT_EQ(refused({matrix(a, 8, 8, 8), matrix(b, 8, 8, 8),
                     matrix(nullptr, 8, 8, 8), matrix(d, 8, 8, 8), scalar(-1)}),
            "expected C to have an address, but got null");
}

TEST_F(Entry, AlphaZeroDoesNotReadAOrB) {
  GemmManifest manifest;
  manifest.alpha = "{\"argument\": 4}";
  manifest.beta = "{\"value\": 2}";
  load(manifest.artifact());
  float *c = allocate(64), *d = allocate(64);
  for (int i = 0; i < 64; ++i)
    c[i] = static_cast<float>(i);
  ASSERT_OK(gemm({matrix(nullptr, 8, 8, 8), matrix(nullptr, 8, 8, 8),
                  matrix(c, 8, 8, 8), matrix(d, 8, 8, 8), scalar(0)}));
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(d[i], 2.0f * static_cast<float>(i));
  EXPECT_EQ(refused({matrix(nullptr, 8, 8, 8), matrix(nullptr, 8, 8, 8),
                     matrix(c, 8, 8, 8), matrix(d, 8, 8, 8), scalar(1)}),
            "expected A to have an address, but got null");
}

TEST_F(Entry, AnAbsentCNeedsBetaZero) {
  GemmManifest manifest;
  manifest.withC = false;
  load(manifest.artifact());
  auto args = square(8);
  EXPECT_EQ(chosen(args), "gemm_v4");
  args[4] = scalar(0.5f);
  EXPECT_EQ(refused(args),
            "expected beta to be 0 without an operand C, but got 0.5");
}

TEST_F(Entry, DMayBeExactlyC) {
  load(GemmManifest().artifact());
  float *a = allocate(64), *b = allocate(64), *c = allocate(80);
  for (int i = 0; i < 64; ++i) {
    a[i] = b[i] = 1;
    c[i] = static_cast<float>(i);
  }
  ASSERT_OK(gemm({matrix(a, 8, 8, 8), matrix(b, 8, 8, 8), matrix(c, 8, 8, 8),
                  matrix(c, 8, 8, 8), scalar(0.5f)}));
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(c[i], 8 + 0.5f * static_cast<float>(i));
  // Shifted, or of another stride: no.
  EXPECT_HAS(refused({matrix(a, 8, 8, 8), matrix(b, 8, 8, 8),
                      matrix(c, 8, 8, 8), matrix(c + 8, 8, 8, 8), scalar(1)}),
             "expected D to be exactly C or apart from it, but got D at 0x");
  EXPECT_HAS(refused({matrix(a, 8, 8, 8), matrix(b, 8, 8, 8),
                      matrix(c, 8, 8, 8), matrix(c, 8, 8, 1, 8), scalar(1)}),
             "overlapping C at 0x");
  // What is not read cannot be overwritten.
  EXPECT_OK(gemm({matrix(a, 8, 8, 8), matrix(b, 8, 8, 8), matrix(c, 8, 8, 8),
                  matrix(c + 8, 8, 8, 8), scalar(0)}));
}

TEST_F(Entry, OverlapWithAOrBIsAnError) {
  load(GemmManifest().artifact());
  auto args = square(8);
  args[3] = matrix(fake(0) + 4 * 63, 8, 8, 8);
  EXPECT_HAS(refused(args), "expected D to be apart from A and B, but got D at "
                            "0x100000000fc overlapping A at 0x10000000000");
  args[3] = matrix(fake(0) + 4 * 64, 8, 8, 8);
  EXPECT_EQ(chosen(args), "gemm_v4");
  args[3] = matrix(fake(1) - 4, 8, 8, 8);
  EXPECT_HAS(refused(args), "overlapping B");
  // Column blocks of one buffer interleave without touching.
  args[0] = matrix(fake(0), 8, 8, 16);
  args[3] = matrix(fake(0) + 32, 8, 8, 16);
  EXPECT_EQ(chosen(args), "gemm_v4");
  args[3] = matrix(fake(0) + 28, 8, 8, 16);
  EXPECT_HAS(refused(args), "overlapping A");
}

TEST_F(Entry, DMustNotRepeatAnAddress) {
  load(GemmManifest().artifact());
  auto args = square(8);
  args[3] = matrix(fake(3), 8, 8, 0);
  EXPECT_EQ(refused(args),
            "expected the elements of D to have different "
            "addresses, but got extents 1 x 8 x 8 and strides 0, "
            "0, 1");
  args[3] = matrix(fake(3), 8, 8, 7);
  EXPECT_HAS(refused(args), "different addresses");
  // A broadcast operand is fine, and so is a negative stride.
  args = square(8);
  args[0] = matrix(fake(0), 8, 8, 0);
  args[1] = matrix(fake(1), 8, 8, -8);
  EXPECT_EQ(chosen(args), "gemm_v4");
}

TEST_F(Entry, AddressesAreMultiplesOfTheElement) {
  load(GemmManifest().artifact());
  auto args = square(8);
  args[0] = matrix(fake(0) + 2, 8, 8, 8);
  EXPECT_EQ(refused(args), "expected the address of A to be a multiple of 4 "
                           "bytes, but got one 2 past it");
}

TEST_F(Entry, TheFirstKernelWhoseRequirementsHoldIsTaken) {
  load(GemmManifest().artifact());
  auto args = square(64);
  EXPECT_EQ(chosen(args), "gemm_v4");
  EXPECT_STREQ(info.passedOver, "");
  auto reason = [&](int number, TileRtArgument argument, float beta = 0) {
    auto copy = args;
    copy[number] = argument;
    copy[4] = scalar(beta);
    EXPECT_EQ(chosen(copy), "gemm_v1");
    return std::string(info.passedOver);
  };
  EXPECT_EQ(reason(0, matrix(fake(0) + 4, 64, 64, 64)),
            "gemm_v4: base of A is 4 bytes past a 16-byte boundary");
  EXPECT_EQ(reason(1, matrix(fake(1), 64, 64, 65)),
            "gemm_v4: row stride of B is 65, not a multiple of 4");
  EXPECT_EQ(reason(3, matrix(fake(3), 64, 64, 1, 64)),
            "gemm_v4: column stride of D is 64, not 1");
  // C counts only when it is read.
  EXPECT_EQ(reason(2, matrix(fake(2) + 8, 64, 64, 64), 1),
            "gemm_v4: base of C is 8 bytes past a 16-byte boundary");
  args[2] = matrix(fake(2) + 8, 64, 64, 64);
  EXPECT_EQ(chosen(args), "gemm_v4");
  args = square(63);
  args[0] = matrix(fake(0), 63, 63, 64);
  args[1] = matrix(fake(1), 63, 63, 64);
  args[3] = matrix(fake(3), 63, 63, 64);
  EXPECT_EQ(chosen(args), "gemm_v1");
  EXPECT_STREQ(info.passedOver,
               "gemm_v4: A has 63 columns, not a multiple of 4");
  // The pitch of a single row is never used.
  EXPECT_EQ(
      chosen({matrix(fake(0), 1, 64, 3), matrix(fake(1), 64, 64, 64),
              matrix(fake(2), 1, 64, 5), matrix(fake(3), 1, 64, 7), scalar(1)}),
      "gemm_v4");
}

TEST_F(Entry, ThreeCallsWithTheMiddleOneMisaligned) {
  load(GemmManifest().artifact());
  float *a = allocate(80), *b = allocate(64), *d = allocate(64);
  for (int i = 0; i < 80; ++i)
    a[i] = static_cast<float>(i);
  for (int i = 0; i < 64; ++i)
    b[i] = i % 9 == 0 ? 1.0f : 0.0f;
  for (int shift : {0, 1, 0}) {
    ASSERT_OK(gemm({matrix(a + shift, 8, 8, 8), matrix(b, 8, 8, 8),
                    matrix(nullptr, 8, 8, 8), matrix(d, 8, 8, 8), scalar(0)}));
    EXPECT_STREQ(info.kernel, shift ? "gemm_v1" : "gemm_v4");
    EXPECT_EQ(d[10], static_cast<float>(10 + shift));
  }
}

TEST_F(Entry, AKernelAskedForByName) {
  load(GemmManifest().artifact());
  auto args = square(64);
  TileRtLaunchOptions options = {};
  options.kernel = "gemm_v1";
  options.dryRun = 1;
  EXPECT_OK(gemm(args, &options));
  EXPECT_STREQ(info.kernel, "gemm_v1");
  EXPECT_STREQ(info.passedOver, "");
  args[0] = matrix(fake(0) + 4, 64, 64, 64);
  options.kernel = "gemm_v4";
  EXPECT_EQ(refused(args, TILE_RT_REQUIREMENT, &options),
            "kernel gemm_v4: base of A is 4 bytes past a 16-byte boundary; it "
            "was asked for by name");
  options.kernel = "gemm_v2";
  EXPECT_EQ(refused(args, TILE_RT_NOT_FOUND, &options),
            "entry 'gemm' has no kernel 'gemm_v2'");
}

TEST_F(Entry, NoKernelFits) {
  GemmManifest manifest;
  manifest.kernels = {"gemm_v4"};
  load(manifest.artifact());
  auto args = square(64);
  args[0] = matrix(fake(0) + 4, 64, 64, 64);
  EXPECT_EQ(
      refused(args, TILE_RT_REQUIREMENT),
      "no kernel of the artifact fits the operands: gemm_v4: base of A is "
      "4 bytes past a 16-byte boundary");
}

TEST_F(Entry, SharedMemoryBeyondTheDevice) {
  GemmManifest manifest;
  manifest.sharedBytes = "300000";
  manifest.kernels = {"gemm_v1"};
  load(manifest.artifact());
  EXPECT_EQ(
      refused(square(64), TILE_RT_REQUIREMENT),
      "no kernel of the artifact fits the operands: gemm_v1: needs 300000 "
      "bytes of shared memory, a block of this device has 232448");
}

TEST_F(Entry, ExtentsThatDoNotFitTheParameter) {
  GemmManifest manifest;
  manifest.extentType = "i32";
  manifest.kernels = {"gemm_v1"};
  load(manifest.artifact());
  int64_t large = int64_t(1) << 31;
  EXPECT_EQ(
      refused({matrix(fake(0), 1, large, large), matrix(fake(1), large, 1, 1),
               matrix(fake(2), 1, 1, 1), matrix(fake(3), 1, 1, 1), scalar(0)},
              TILE_RT_REQUIREMENT),
      "no kernel of the artifact fits the operands: gemm_v1: K is "
      "2147483648, which does not fit 32 bits");
}

TEST_F(Entry, TheGridIsComputedIn64Bits) {
  GemmManifest manifest;
  manifest.tile = "[1, 1]";
  load(manifest.artifact());
  auto huge = [&](int64_t m, int64_t n) {
    return std::vector<TileRtArgument>{
        matrix(fake(0), m, 1, 1), matrix(fake(1), 1, n, n),
        matrix(fake(2), m, n, n), matrix(fake(30000), m, n, n), scalar(0)};
  };
  EXPECT_EQ(chosen(huge(INT32_MAX, 1)), "gemm_v1");
  EXPECT_EQ(info.grid[0], INT32_MAX);
  EXPECT_EQ(refused(huge(int64_t(1) << 31, 1)),
            "expected at most 2147483647 blocks, but got 2147483648 x 1 tiles "
            "in each of 1 matrices");
  EXPECT_HAS(refused(huge(int64_t(1) << 30, int64_t(1) << 30)),
             "1073741824 x 1073741824 tiles");
  EXPECT_HAS(refused(huge(int64_t(1) << 34, int64_t(1) << 34)),
             "expected the offsets of D to fit 62 bits");
}

TEST_F(Entry, OffsetsBeyondTwoToThe31Elements) {
  load(GemmManifest().artifact());
  // 20 GiB views of which a few pages are ever written.
  int64_t pitch = int64_t(600000000) * 3;
  float *a = allocate(2 * pitch + 16), *d = allocate(2 * pitch + 16);
  float *b = allocate(64);
  for (int i = 0; i < 8; ++i)
    b[9 * i] = 1;
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 8; ++i)
      a[row * pitch + i] = static_cast<float>(10 * row + i);
  ASSERT_OK(
      gemm({matrix(a, 3, 8, pitch), matrix(b, 8, 8, 8),
            matrix(nullptr, 3, 8, 8), matrix(d, 3, 8, pitch), scalar(0)}));
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(d[row * pitch + i], static_cast<float>(10 * row + i));
}

TEST_F(Entry, BatchesBeyond65535) {
  // One thread a block: K = 0 leaves D = beta * C, which needs no other.
  GemmManifest manifest;
  manifest.rank = 3;
  manifest.block = "[1, 1, 1]";
  load(manifest.artifact());
  for (int64_t batch : {65536, 65537}) {
    float *c = allocate(batch), *d = allocate(batch);
    for (int64_t i = 0; i < batch; ++i)
      c[i] = static_cast<float>(i);
    ASSERT_OK(gemm({batched(nullptr, batch, 1, 0, 1, 1),
                    batched(nullptr, batch, 0, 1, 1, 1),
                    batched(c, batch, 1, 1, 1, 1),
                    batched(d, batch, 1, 1, 1, 1), scalar(2)}));
    EXPECT_EQ(info.grid[0], batch);
    for (int64_t i = 0; i < batch; ++i)
      ASSERT_EQ(d[i], 2 * static_cast<float>(i)) << i;
  }
}

TEST_F(Entry, StepsRunInOrderAndAreCheckedFirst) {
  GemmManifest manifest;
  manifest.secondStep = true;
  load(manifest.artifact());
  EXPECT_EQ(tileRtModuleGetStepCount(module, "gemm"), 2);
  float *p = allocate(4 * 16);
  for (int i = 0; i < 16; ++i) {
    p[i] = static_cast<float>(i);
    p[16 + i] = i % 5 == 0 ? 1.0f : 0.0f;
  }
  std::vector<TileRtArgument> args = {
      matrix(p, 4, 4, 4), matrix(p + 16, 4, 4, 4), matrix(p + 32, 4, 4, 4),
      matrix(p + 48, 4, 4, 4), scalar(0)};
  TileRtLaunchInfo infos[2];
  TileRtLaunchOptions options = {};
  options.infoCapacity = 2;
  ASSERT_OK(tileRtLaunchEntry(module, "gemm", args.data(), 5, &options, nullptr,
                              infos));
  EXPECT_STREQ(infos[0].kernel, "gemm_v4");
  EXPECT_STREQ(infos[1].kernel, "gemm_v1");
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(p[32 + i], 2 * static_cast<float>(i));
  // The second step is wrong (its D repeats an address): the first one must not
  // run either.
  args[2] = matrix(p + 32, 4, 4, 0);
  p[48] = -1;
  EXPECT_EQ(tileRtLaunchEntry(module, "gemm", args.data(), 5, &options, nullptr,
                              infos),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(p[48], -1);
  options.kernel = "gemm_v4";
  args[2] = matrix(p + 32, 4, 4, 4);
  ASSERT_OK(tileRtLaunchEntry(module, "gemm", args.data(), 5, &options, nullptr,
                              infos));
  EXPECT_STREQ(infos[1].kernel, "gemm_v1");
}

TEST_F(Entry, AReportOfTheKernelIsTheLaunchsError) {
  load(GemmManifest().artifact());
  float *a = allocate(63), *b = allocate(64), *d = allocate(64);
  EXPECT_EQ(gemm({matrix(a, 8, 8, 8), matrix(b, 8, 8, 8),
                  matrix(nullptr, 8, 8, 8), matrix(d, 8, 8, 8), scalar(0)}),
            TILE_RT_LAUNCH_FAILED);
  EXPECT_HAS(tileRtGetLastError(),
             "simulator: out-of-bounds global load of 4 bytes in kernel "
             "'gemm_v4', block (0,0,0), thread (119,0,0) at k.mlir:12:3");
  EXPECT_HAS(tileRtGetLastError(),
             "is 0 bytes past the end of a 252-byte allocation");
}

TEST_F(Entry, TheSameInputGivesTheSameBits) {
  load(GemmManifest().artifact());
  float *a = allocate(100 * 100), *b = allocate(100 * 100);
  float *d = allocate(100 * 100);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> value(-1, 1);
  for (int i = 0; i < 10000; ++i) {
    a[i] = value(random);
    b[i] = value(random);
  }
  std::vector<float> first;
  for (int round = 0; round < 10; ++round) {
    ASSERT_OK(gemm({matrix(a, 100, 100, 100), matrix(b, 100, 100, 100),
                    matrix(nullptr, 100, 100, 100), matrix(d, 100, 100, 100),
                    scalar(0)}));
    if (round == 0)
      first.assign(d, d + 10000);
    ASSERT_EQ(std::memcmp(first.data(), d, 40000), 0) << round;
  }
}
