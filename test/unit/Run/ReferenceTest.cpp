// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference against a plain triple loop, and the faults that it must find.
#include "Reference.h"
#include "Random.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace tile;

namespace {

/// A problem in which D is what a correct kernel computes.
template <class T>
struct Example {
  Example(int64_t batch, int64_t m, int64_t n, int64_t k, double alpha = 1,
          double beta = 0)
      : a(batch * m * k), b(batch * k * n), c(batch * m * n), d(batch * m * n) {
    fill(a, 1);
    fill(b, 2);
    fill(c, 3);
    problem.type = sizeof(T) == 4 ? ElementType::F32 : ElementType::F64;
    problem.batch = batch;
    problem.m = m;
    problem.n = n;
    problem.k = k;
    problem.alpha = alpha;
    problem.beta = beta;
    problem.ulps = static_cast<double>(k) + 2;
    problem.a = {a.data(), {m * k, k, 1}};
    problem.b = {b.data(), {k * n, n, 1}};
    problem.c = {c.data(), {m * n, n, 1}};
    problem.d = {d.data(), {m * n, n, 1}};
    for (int64_t s = 0; s < batch; ++s)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j)
          d[(s * m + i) * n + j] = compute(s, i, j);
  }

  T compute(int64_t s, int64_t i, int64_t j) const {
    const ReferenceProblem &p = problem;
    T sum = 0;
    for (int64_t k = 0; k < p.k; ++k)
      sum += a[(s * p.m + i) * p.k + k] * b[(s * p.k + k) * p.n + j];
    T result = static_cast<T>(p.alpha) * sum;
    if (p.beta != 0)
      result += static_cast<T>(p.beta) * c[(s * p.m + i) * p.n + j];
    return result;
  }

  static void fill(std::vector<T> &values, uint64_t seed) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<T>(randomNormal(seed, i));
  }

  std::vector<T> a, b, c, d;
  ReferenceProblem problem;
};

} // namespace

template <class T>
static void acceptsCorrectResults() {
  for (auto [m, n, k] : {std::tuple(1, 1, 1), std::tuple(33, 31, 7),
                         std::tuple(64, 70, 300), std::tuple(5, 90, 257)}) {
    Example<T> example(2, m, n, k, 1.5, -0.5);
    CheckResult result = checkGemm(example.problem);
    EXPECT_EQ(result.failures, 0);
    EXPECT_EQ(result.checked, 2 * m * n);
    EXPECT_EQ(result.total, 2 * m * n);
    EXPECT_GE(result.worst.index[0], 0);
    EXPECT_LE(result.worst.error, result.worst.tolerance);
  }
}

TEST(Reference, AcceptsCorrectResults) {
  acceptsCorrectResults<float>();
  acceptsCorrectResults<double>();
}

TEST(Reference, TheReferenceIsMoreExactThanTheResult) {
  // The errors of a correct result are neither all 0 nor near the bound.
  Example<double> example(1, 64, 64, 200);
  CheckResult result = checkGemm(example.problem);
  EXPECT_GT(result.worst.error, 0);
  EXPECT_LT(result.worst.error, result.worst.tolerance / 10);
}

TEST(Reference, FindsOneWrongElement) {
  for (int64_t at : {int64_t(0), int64_t(1234), int64_t(2 * 40 * 50 - 1)}) {
    Example<float> example(2, 40, 50, 30);
    example.d[at] += 0.01f;
    CheckResult result = checkGemm(example.problem);
    EXPECT_EQ(result.failures, 1);
    ElementIndex expected = {at / 2000, at / 50 % 40, at % 50};
    EXPECT_EQ(result.worst.index, expected);
    EXPECT_EQ(result.firstFailure.index, expected);
    EXPECT_NEAR(result.firstFailure.error, 0.01, 1e-4);
  }
}

TEST(Reference, FindsAMissingTermOfALongSum) {
  constexpr int64_t k = 4096;
  Example<float> example(1, 8, 8, k);
  example.d[27] -= example.a[3 * k + 100] * example.b[100 * 8 + 3];
  example.problem.ulps = 16;
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
}

TEST(Reference, AlphaAndBetaZeroDoNotReadOperands) {
  Example<float> example(1, 9, 9, 5, 0, 2);
  for (float &value : example.a)
    value = NAN;
  example.problem.b.data = nullptr;
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  example.d[3] = NAN; // What a kernel that reads A would make.
  EXPECT_EQ(checkGemm(example.problem).failures, 1);

  Example<float> other(1, 9, 9, 5, 1, 0);
  other.problem.c.data = nullptr;
  EXPECT_EQ(checkGemm(other.problem).failures, 0);
}

TEST(Reference, NoTermsLeaveBetaTimesC) {
  Example<float> example(1, 9, 9, 0, 1, 3);
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  example.d[5] = NAN;
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
}

TEST(Reference, EmptyResults) {
  Example<float> example(1, 0, 9, 4);
  CheckResult result = checkGemm(example.problem);
  EXPECT_EQ(result.checked, 0);
  EXPECT_EQ(result.total, 0);
  EXPECT_EQ(result.worst.index[0], -1);
}

TEST(Reference, NaNAndInfinityMustBeWhereTheyBelong) {
  Example<float> example(1, 4, 4, 3);
  example.a[0] = INFINITY; // Row 0 becomes infinite.
  EXPECT_EQ(checkGemm(example.problem).failures, 4);
  for (int j = 0; j < 4; ++j)
    example.d[j] = example.b[j] > 0 ? INFINITY : -INFINITY;
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  example.d[0] = -example.d[0];
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
  example.d[0] = NAN;
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
  example.a[0] = NAN;
  for (int j = 0; j < 4; ++j)
    example.d[j] = NAN;
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  example.d[7] = INFINITY;
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
}

TEST(Reference, OverflowingElementsAreCountedNotCompared) {
  Example<float> example(1, 2, 2, 2);
  for (int k = 0; k < 2; ++k) {
    example.a[k] = k ? -1e30f : 1e30f;
    for (int j = 0; j < 2; ++j)
      example.b[k * 2 + j] = 1e30f;
  }
  // In float32 the products overflow; their sum in float64 is 0.
  example.d[0] = NAN;
  example.d[1] = INFINITY;
  for (int j = 0; j < 2; ++j)
    example.d[2 + j] = example.compute(0, 1, j);
  CheckResult result = checkGemm(example.problem);
  EXPECT_EQ(result.overflowing, 2);
  EXPECT_EQ(result.failures, 0);
}

TEST(Reference, SubnormalResults) {
  Example<float> example(1, 1, 1, 2);
  example.a = {0x1p-100f, 0x1p-100f};
  example.b = {0x1p-48f, 0x1p-49f};
  example.d = {0x1p-148f};
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
}

TEST(Reference, StridesAndSharedBatches) {
  // B is shared by the batches, A is column-major.
  Example<float> example(3, 6, 7, 5);
  std::vector<float> a(example.a.size());
  for (int64_t s = 0; s < 3; ++s)
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t k = 0; k < 5; ++k)
        a[s * 30 + k * 6 + i] = example.a[s * 30 + i * 5 + k];
  for (int64_t s = 1; s < 3; ++s)
    std::copy_n(example.b.begin(), 35, example.b.begin() + s * 35);
  for (int64_t s = 0; s < 3; ++s)
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 7; ++j)
        example.d[s * 42 + i * 7 + j] = example.compute(s, i, j);
  example.problem.a = {a.data(), {30, 1, 6}};
  example.problem.b.strides[0] = 0;
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
}

TEST(Reference, SampleHasTheFirstAndTheLastElement) {
  Example<float> example(1, 700, 600, 1);
  example.problem.fullCheckLimit = 0;
  CheckResult clean = checkGemm(example.problem);
  EXPECT_GE(clean.checked, 1 << 16);
  EXPECT_LT(clean.checked, clean.total);
  EXPECT_EQ(clean.failures, 0);
  example.d.front() += 1;
  example.d.back() += 1;
  CheckResult result = checkGemm(example.problem);
  EXPECT_EQ(result.failures, 2);
  EXPECT_EQ(result.firstFailure.index, (ElementIndex{0, 0, 0}));
}

TEST(Reference, SampleFindsAWrongTile) {
  Example<float> example(1, 700, 600, 1);
  example.problem.fullCheckLimit = 0;
  for (int64_t i = 256; i < 320; ++i)
    for (int64_t j = 128; j < 192; ++j)
      example.d[i * 600 + j] = 0;
  EXPECT_GT(checkGemm(example.problem).failures, 100);
}

TEST(Reference, SampleOfManyBatches) {
  Example<float> example(1000, 20, 20, 2);
  example.problem.fullCheckLimit = 0;
  CheckResult result = checkGemm(example.problem);
  EXPECT_GE(result.checked, 1 << 16);
  EXPECT_LT(result.checked, result.total);
  example.d.back() += 1;
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
}

TEST(Random, SumsRoundAsThoseOfRealNumbers) {
  // The error of a long sum is about half a unit of checkGemm, in both types.
  Example<double> example(1, 32, 32, 1000);
  CheckResult result = checkGemm(example.problem);
  double units = result.worst.error / result.worst.tolerance * 1002;
  EXPECT_GT(units, 1);
  EXPECT_LT(units, 8);
}

TEST(Random, MeanAndVariance) {
  double sum = 0, squares = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    double value = randomNormal(5, i);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0, 0.02);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NE(randomNormal(5, 0), randomNormal(6, 0));
}
