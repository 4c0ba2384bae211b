// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The judge of results: right ones pass, every kind of wrong one does not.
#include "Check.h"

#include "gtest/gtest.h"
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
    noise = shareNoise(*point.type);
    ASSERT_TRUE(noise);
    // A starts near the end of the noise, so that it wraps around.
    set.startA = Noise::period - 5;
    set.startB = 12345;
  }

  /// Noise takes a while to make: one for all tests of a type.
  static const Noise *shareNoise(const ElementType &type) {
    static std::map<const ElementType *, std::unique_ptr<Noise>> noises;
    std::unique_ptr<Noise> &slot = noises[&type];
    TileRtDevice device = nullptr;
    if (!slot && tileRtDeviceOpen("sim", &device) == TILE_RT_SUCCESS)
      if (Result<std::unique_ptr<Noise>> made = Noise::create(device, type))
        slot = std::move(*made);
    tileRtDeviceClose(device);
    return slot.get();
  }

  double value(int64_t start, const Placement &place, int64_t row,
               int64_t column) const {
    return noise->at(start + row * place.rowStride +
                     column * place.columnStride);
  }

  /// D as a device would leave it, with `round` applied to each operand.
  template <class Round>
  std::vector<char> compute(Round round) const {
    Placement a = point.a(), b = point.b(), d = point.d();
    std::vector<char> bytes(d.elements() * point.type->bytes,
                            static_cast<char>(0xFF));
    for (int64_t i = 0; i < point.m; ++i)
      for (int64_t j = 0; j < point.n; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < point.k; ++k)
          sum += round(value(set.startA, a, i, k)) *
                 round(value(set.startB, b, k, j));
        point.type->encode(sum, at(bytes, i, j));
      }
    return bytes;
  }
  std::vector<char> compute() const {
    return compute([](double x) { return x; });
  }

  char *at(std::vector<char> &bytes, int64_t row, int64_t column) const {
    return bytes.data() +
           (row * point.d().rowStride + column) * point.type->bytes;
  }

  Point point;
  const Noise *noise = nullptr;
  OperandSet set;
};
/// Problems with padding, and sums of some length.
class PaddedCheckTest : public CheckTest {};
} // namespace

TEST_P(CheckTest, AcceptsTheRightResult) {
  Verdict verdict = Reference(point, *noise, set).check(compute());
  EXPECT_EQ(verdict.wrong, "");
  EXPECT_GE(verdict.samples, std::min<int64_t>(4096, point.m * point.n));
  EXPECT_LT(verdict.maxError, 4 * point.type->accumulatorRoundoff);
}

TEST_P(CheckTest, FindsEveryWrongElement) {
  Reference reference(point, *noise, set);
  std::vector<char> right = compute();
  // A prime stride reaches samples and elements between them.
  for (int64_t index = 0; index < point.m * point.n; index += 397) {
    std::vector<char> wrong = right;
    char *element = at(wrong, index / point.n, index % point.n);
    point.type->encode(point.type->decode(element) + 0.5, element);
    EXPECT_NE(reference.check(wrong).wrong, "") << index;
  }
}

TEST_P(CheckTest, FindsAnUnwrittenElement) {
  Reference reference(point, *noise, set);
  std::vector<char> wrong = compute();
  std::memset(at(wrong, point.m / 2, point.n / 3), 0xFF, point.type->bytes);
  EXPECT_NE(reference.check(wrong).wrong, "");
}

TEST_P(PaddedCheckTest, FindsWrittenPadding) {
  std::vector<char> wrong = compute();
  *at(wrong, 1, point.n) = 0;
  EXPECT_EQ(Reference(point, *noise, set).check(wrong).wrong,
            "the padding after row 1 was written");
}

TEST_P(PaddedCheckTest, FindsOperandsRoundedToTF32) {
  std::vector<char> wrong = compute([](double x) {
    int exponent;
    double fraction = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
  });
  EXPECT_NE(Reference(point, *noise, set).check(wrong).wrong, "");
}

INSTANTIATE_TEST_SUITE_P(Points, CheckTest,
                         testing::Values("f32 1 1 1", "f32 3 200 7 nt",
                                         "f32 150 170 300 nn",
                                         "f32 150 170 64 tt pitch=8",
                                         "f64 100 90 80 tn pitch=16"));
INSTANTIATE_TEST_SUITE_P(Points, PaddedCheckTest,
                         testing::Values("f32 150 170 300 nn pitch=4",
                                         "f32 150 170 64 tt pitch=8",
                                         "f64 100 90 80 tn pitch=16"));
