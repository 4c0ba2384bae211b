// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The judge of results: right ones pass, every kind of wrong one does not.
#include "Check.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

using namespace tile;
using namespace tile::bench;

namespace {
/// A problem with the noise that its operands repeat, on the simulator.
class CheckTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    point = *parsePoint(GetParam());
    noises = {shareNoise(*point.type), shareNoise(*point.typeB), nullptr};
    if (point.beta != 0)
      noises.c = shareNoise(*point.typeD);
    ASSERT_TRUE(noises.a && noises.b);
    // A starts near the end of the noise, so that it wraps around.
    set.startA = Noise::period - 5;
    set.startB = 12345;
    set.startC = 777;
  }

  /// Noise takes a while to make: one for all tests of a type.
  static const Noise *shareNoise(const ElementTypeInfo &type) {
    static std::map<const ElementTypeInfo *, std::unique_ptr<Noise>> noises;
    std::unique_ptr<Noise> &slot = noises[&type];
    TileRtDevice device = nullptr;
    if (!slot && tileRtDeviceOpen("sim", &device) == TILE_RT_SUCCESS)
      if (Result<std::unique_ptr<Noise>> made = Noise::create(device, type))
        slot = std::move(*made);
    tileRtDeviceClose(device);
    return slot.get();
  }

  /// An element of a matrix of the batch.
  static double value(const Noise &noise, int64_t start, const Placement &place,
                      int64_t matrix, int64_t row, int64_t column) {
    return noise.at(start + matrix * place.batchStride + row * place.rowStride +
                    column * place.columnStride);
  }

  /// D as a device would leave it, with `round` applied to each operand, of the
  /// first `depth` products.
  template <class Round>
  std::vector<char> compute(Round round, int64_t depth) const {
    Placement a = point.a(), b = point.b(), d = point.d();
    std::vector<char> bytes(d.elements() * point.typeD->bytes,
                            static_cast<char>(0xFF));
    for (int64_t row = 0; row < point.batch * point.m; ++row)
      for (int64_t j = 0; j < point.n; ++j) {
        int64_t matrix = row / point.m, i = row % point.m;
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k)
          sum += round(value(*noises.a, set.startA, a, matrix, i, k)) *
                 round(value(*noises.b, set.startB, b, matrix, k, j));
        sum *= point.alpha;
        if (noises.c)
          sum += point.beta * value(*noises.c, set.startC, d, matrix, i, j);
        point.typeD->encode(sum, at(bytes, row, j));
      }
    return bytes;
  }
  std::vector<char> compute() const {
    return compute([](double x) { return x; }, point.k);
  }

  /// `row` counts through the batch.
  char *at(std::vector<char> &bytes, int64_t row, int64_t column) const {
    return bytes.data() +
           (row * point.d().rowStride + column) * point.typeD->bytes;
  }

  Point point;
  Noises noises;
  OperandSet set;
};
/// Problems with padding, and sums of some length.
class PaddedCheckTest : public CheckTest {};
/// Types in which no error hides behind rounding.
class WideCheckTest : public CheckTest {};
/// Types in which it does.
class NarrowCheckTest : public CheckTest {};
} // namespace

TEST_P(CheckTest, AcceptsTheRightResult) {
  Verdict verdict = Reference(point, noises, set).check(compute());
  EXPECT_EQ(verdict.wrong, "");
  EXPECT_GE(verdict.samples,
            std::min<int64_t>(4096, point.batch * point.m * point.n));
  EXPECT_LE(verdict.maxError, 1.01 * point.typeD->roundoff);
  EXPECT_LE(verdict.toleranceUsed, 1);
}

TEST_P(WideCheckTest, FindsEveryWrongElement) {
  Reference reference(point, noises, set);
  std::vector<char> right = compute();
  // A prime stride reaches samples and elements between them.
  for (int64_t index = 0; index < point.m * point.n; index += 397) {
    std::vector<char> wrong = right;
    char *element = at(wrong, index / point.n, index % point.n);
    double right = point.typeD->decode(element);
    point.typeD->encode(right + 0.5, element);
    EXPECT_NE(reference.check(wrong).wrong, "") << index;
  }
}

TEST_P(CheckTest, FindsAnUnwrittenElement) {
  Reference reference(point, noises, set);
  std::vector<char> wrong = compute();
  std::memset(at(wrong, point.m / 2, point.n / 3), 0xFF, point.typeD->bytes);
  EXPECT_NE(reference.check(wrong).wrong, "");
}

TEST_P(PaddedCheckTest, FindsWrittenPadding) {
  std::vector<char> wrong = compute();
  *at(wrong, 1, point.n) = 0;
  EXPECT_EQ(Reference(point, noises, set).check(wrong).wrong,
            "the padding after row 1 was written");
}

TEST_P(PaddedCheckTest, FindsOperandsRoundedToTF32) {
  std::vector<char> wrong = compute(
      [](double x) {
        int exponent;
        double fraction = std::frexp(x, &exponent);
        return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)),
                          exponent - 11);
      },
      point.k);
  EXPECT_NE(Reference(point, noises, set).check(wrong).wrong, "");
}

TEST_P(NarrowCheckTest, FindsAWrongSample) {
  Reference reference(point, noises, set);
  std::vector<char> wrong = compute();
  char *corner = at(wrong, point.batch * point.m - 1, point.n - 1);
  point.typeD->encode(point.typeD->decode(corner) + 2 * std::sqrt(point.k),
                      corner);
  EXPECT_NE(reference.check(wrong, /*strict=*/false).wrong, "");
}

TEST_P(NarrowCheckTest, FindsASumThatIsShort) {
  Reference reference(point, noises, set);
  auto same = [](double x) { return x; };
  // One step of a tensor core: too little for the bound of an element.
  int64_t step = point.type->bytes == 1 ? 32 : 16;
  std::vector<char> wrong = compute(same, point.k - step);
  EXPECT_NE(reference.check(wrong).wrong, "");
}

TEST_P(NarrowCheckTest, FindsARowOfAnotherMatrix) {
  Reference reference(point, noises, set);
  std::vector<char> wrong = compute();
  int64_t row = point.m / 2;
  std::memcpy(at(wrong, row, 0), at(wrong, row + 1, 0),
              point.n * point.typeD->bytes);
  EXPECT_NE(reference.check(wrong).wrong, "");
}

TEST_P(NarrowCheckTest, LooksAtSampledRowsAloneWhenAsked) {
  Reference reference(point, noises, set);
  std::vector<char> wrong = compute();
  llvm::ArrayRef<int64_t> rows = reference.sampledRows();
  ASSERT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  int64_t row = 0;
  while (row < int64_t(rows.size()) && rows[row] == row)
    ++row;
  ASSERT_LT(row, point.batch * point.m);
  std::memset(at(wrong, row, 0), 0xFF, point.n * point.typeD->bytes);
  EXPECT_NE(reference.check(wrong).wrong, "");
  EXPECT_EQ(reference.check(wrong, true, Reference::Extent::SampledRows).wrong,
            "");
}

// The contract, in exact numbers.
TEST(ToleranceTest, OfEachType) {
  auto of = [](const char *text) { return toleranceOf(*parsePoint(text)); };
  Tolerance f32 = of("f32 1 1 4096");
  EXPECT_EQ(f32.ofMagnitude, 0x1p-20);
  EXPECT_EQ(f32.ofValue, 0x1p-24);
  EXPECT_EQ(f32.ofNorm, 0);
  Tolerance bf16 = of("bf16 1 1 4096");
  EXPECT_EQ(bf16.ofMagnitude, 2 * 4096 * 0x1p-24);
  EXPECT_EQ(bf16.ofValue, 0x1p-7);
  EXPECT_DOUBLE_EQ(bf16.ofNorm, 1.01 * (256 * 0x1p-23 + 0x1p-8));
  EXPECT_EQ(of("bf16:f32 1 1 4096").ofValue, 0x1p-23);
  EXPECT_EQ(of("f16 1 1 16").ofValue, 0x1p-10);
  Tolerance f8 = of("f8E4M3FN 1 1 4096");
  EXPECT_EQ(f8.ofMagnitude, 0x1p-11);
  EXPECT_EQ(f8.ofValue, 0x1p-7);
  EXPECT_EQ(of("f8E5M2:f16 1 1 8").ofValue, 0x1p-10);
}

INSTANTIATE_TEST_SUITE_P(
    Points, CheckTest,
    testing::Values("f32 1 1 1", "f32 3 200 7 nt", "f32 150 170 300 nn",
                    "f32 150 170 64 tt pitch=8", "f64 100 90 80 tn pitch=16",
                    "f32 30 20 10 batch=40 alpha=0.5 beta=2", "bf16 1 1 1",
                    "bf16 1 5000 3 nt", "f16 100 90 80 tn pitch=8",
                    "bf16:f32 40 50 60 tt batch=11 pitch=8",
                    "bf16 40 50 60 nt batch=3 alpha=2 beta=-1 pitch=8",
                    "f8E4M3FN 100 90 256 nt", "f8E4M3FN*f8E5M2:f16 50 60 70 tn",
                    "f8E5M2:f32 100 90 80 tt", "i8 100 90 64 nt",
                    "tf32 50 60 300 nt"));
INSTANTIATE_TEST_SUITE_P(Points, WideCheckTest,
                         testing::Values("f32 1 1 1", "f32 3 200 7 nt",
                                         "f32 150 170 300 nn",
                                         "f32 150 170 64 tt pitch=8",
                                         "f64 100 90 80 tn pitch=16"));
INSTANTIATE_TEST_SUITE_P(Points, NarrowCheckTest,
                         testing::Values("bf16 200 150 512 nt",
                                         "f16 200 90 512 tn pitch=8",
                                         "bf16:f32 150 150 512 nn beta=1",
                                         "bf16 50 60 256 tt batch=20 pitch=8",
                                         "f8E4M3FN 200 150 512 nt",
                                         "f8E5M2:f16 200 150 512 nt",
                                         "tf32 200 150 512 nt"));
INSTANTIATE_TEST_SUITE_P(Points, PaddedCheckTest,
                         testing::Values("f32 150 170 300 nn pitch=4",
                                         "f32 150 170 64 tt pitch=8",
                                         "f64 100 90 80 tn pitch=16"));
