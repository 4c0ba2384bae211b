// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference against a plain triple loop, and the faults that it must find.
#include "Support/Reference.h"

#include "Support/Random.h"

#include "gtest/gtest.h"
#include <atomic>
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
    constexpr ElementType type =
        sizeof(T) == 4 ? ElementType::F32 : ElementType::F64;
    problem.batch = batch;
    problem.m = m;
    problem.n = n;
    problem.k = k;
    problem.alpha = alpha;
    problem.beta = beta;
    problem.tolerance = findTolerance(type, type, k, /*independent=*/false);
    problem.a = {a.data(), {m * k, k, 1}, type};
    problem.b = {b.data(), {k * n, n, 1}, type};
    problem.c = {c.data(), {m * n, n, 1}, type};
    problem.d = {d.data(), {m * n, n, 1}, type};
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
  example.problem.tolerance =
      findTolerance(ElementType::F32, ElementType::F32, k, true);
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
  EXPECT_EQ(result.checked, 2);
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
  example.problem.a = {a.data(), {30, 1, 6}, ElementType::F32};
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

namespace {

/// A problem with factors and a result of small types. D is what a tensor core
/// computes: sums in float32, cut to the type of D.
struct MixedExample {
  MixedExample(ElementType a, ElementType b, ElementType d, int64_t m,
               int64_t n, int64_t k)
      : m(m), n(n), k(k) {
    std::vector<double> left = fill(a, m * k, 1, problem.a);
    std::vector<double> right = fill(b, k * n, 2, problem.b);
    std::vector<double> added = fill(d, m * n, 3, problem.c);
    problem.a.strides[1] = k;
    problem.b.strides[1] = n;
    problem.m = m;
    problem.n = n;
    problem.k = k;
    problem.alpha = 1.5;
    problem.beta = -0.5;
    problem.tolerance = findTolerance(a, d, k, /*independent=*/true);
    fill(d, m * n, 4, problem.d);
    problem.c.strides[1] = problem.d.strides[1] = n;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += static_cast<float>(left[i * k + l] * right[l * n + j]);
        set(i, j, 1.5f * sum - 0.5f * static_cast<float>(added[i * n + j]));
      }
  }

  /// Rounds a number to the type of D and stores it.
  void set(int64_t i, int64_t j, double value) {
    const ElementTypeInfo &info = getInfo(problem.d.type);
    info.encode(value, images[3].data() + (i * n + j) * info.bytes);
  }

  double get(int64_t i, int64_t j) const {
    const ElementTypeInfo &info = getInfo(problem.d.type);
    return info.decode(images[3].data() + (i * n + j) * info.bytes);
  }

  std::vector<double> fill(ElementType type, int64_t count, uint64_t seed,
                           HostMatrix &matrix) {
    const ElementTypeInfo &info = getInfo(type);
    std::vector<char> &image = images[seed - 1];
    image.resize(count * info.bytes);
    std::vector<double> values(count);
    for (int64_t i = 0; i < count; ++i) {
      info.encode(randomNormal(seed, i), image.data() + i * info.bytes);
      values[i] = info.decode(image.data() + i * info.bytes);
    }
    matrix = {image.data(), {0, 0, 1}, type};
    return values;
  }

  int64_t m, n, k;
  std::vector<char> images[4];
  ReferenceProblem problem;
};

} // namespace

TEST(MixedReference, AcceptsCorrectResultsAndFindsWrongOnes) {
  using T = ElementType;
  for (auto [a, b, d] :
       {std::tuple(T::F16, T::F16, T::F16), std::tuple(T::F16, T::F16, T::F32),
        std::tuple(T::BF16, T::BF16, T::BF16),
        std::tuple(T::BF16, T::BF16, T::F32),
        std::tuple(T::F8E4M3FN, T::F8E5M2, T::F16),
        std::tuple(T::F8E5M2, T::F8E5M2, T::F32)}) {
    MixedExample example(a, b, d, 40, 50, 300);
    CheckResult result = checkGemm(example.problem);
    EXPECT_EQ(result.failures, 0) << getInfo(a).name.str();
    EXPECT_EQ(result.checked, 2000);
    EXPECT_EQ(result.overflowing, 0);
    // A result is off by at most half of what the rounding of D allows.
    EXPECT_LT(result.worst.error, result.worst.tolerance * 0.6);
    example.set(7, 9, example.get(7, 9) + 4);
    result = checkGemm(example.problem);
    EXPECT_EQ(result.failures, 1);
    EXPECT_EQ(result.firstFailure.index, (ElementIndex{0, 7, 9}));
  }
}

TEST(MixedReference, FindsAMissingTermOfALongSum) {
  // 16-bit factors only: the bound of 8-bit ones hides a single term.
  MixedExample example(ElementType::F16, ElementType::F16, ElementType::F32, 8,
                       8, 4096);
  double term = 1.5 *
                getInfo(ElementType::F16).decode(example.images[0].data()) *
                getInfo(ElementType::F16).decode(example.images[1].data());
  ASSERT_GT(std::abs(term), 0.05);
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  example.set(0, 0, example.get(0, 0) - term);
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
}

namespace {

/// One element of D, by a sum of `terms` times 1, of type `type`.
struct OneElement {
  ElementType factors = ElementType::F16, type = ElementType::F16;
  std::vector<double> terms;
  double alpha = 1, beta = 0, c = 0;

  CheckResult check(double got) const {
    ReferenceProblem problem;
    problem.m = problem.n = 1;
    problem.k = static_cast<int64_t>(terms.size());
    problem.alpha = alpha;
    problem.beta = beta;
    problem.a.at = [this](int64_t, int64_t, int64_t k) { return terms[k]; };
    problem.b.at = [](int64_t, int64_t, int64_t) { return 1.0; };
    problem.c.at = [this](int64_t, int64_t, int64_t) { return c; };
    problem.d.type = type;
    problem.d.at = [=](int64_t, int64_t, int64_t) { return got; };
    problem.tolerance =
        findTolerance(factors, type, problem.k, /*independent=*/false);
    return checkGemm(problem);
  }

  bool accepts(double got) const {
    CheckResult result = check(got);
    EXPECT_EQ(result.checked, 1);
    EXPECT_EQ(result.overflowing, 0);
    return result.failures == 0;
  }
  bool isLeftOut(double got) const {
    CheckResult result = check(got);
    EXPECT_EQ(result.checked + result.overflowing, 1);
    EXPECT_EQ(result.failures, 0);
    return result.overflowing == 1;
  }
};

/// Factors and results that have a largest number.
const std::pair<ElementType, ElementType> floats[] = {
    {ElementType::F32, ElementType::F32},
    {ElementType::F64, ElementType::F64},
    {ElementType::F16, ElementType::F16},
    {ElementType::BF16, ElementType::BF16},
    {ElementType::F16, ElementType::F32},
    {ElementType::F8E4M3FN, ElementType::F16},
    {ElementType::F8E5M2, ElementType::BF16}};

} // namespace

TEST(Reference, BeyondTheTypeOnlyItsInfinityPasses) {
  for (auto [factors, type] : floats) {
    double largest = getInfo(type).largest;
    for (double sign : {1.0, -1.0}) {
      OneElement element{factors, type, {sign * largest, sign * largest / 2}};
      EXPECT_TRUE(element.accepts(sign * INFINITY));
      for (double wrong : {64.0, sign * largest, -sign * INFINITY, 0.0,
                           double(NAN)})
        EXPECT_FALSE(element.accepts(wrong)) << wrong;
    }
  }
}

TEST(Reference, BeyondTheTypeByAlphaAndByBeta) {
  OneElement scaled{ElementType::F16, ElementType::F16, {-60000}, -2};
  EXPECT_TRUE(scaled.accepts(INFINITY));
  EXPECT_FALSE(scaled.accepts(-INFINITY));
  EXPECT_FALSE(scaled.accepts(65504));
  OneElement added{ElementType::F16, ElementType::F16, {60000}, 1, -3, 60000};
  EXPECT_TRUE(added.accepts(-INFINITY));
  EXPECT_FALSE(added.accepts(-65504));
}

TEST(Reference, TheBandAroundTheLimitIsLeftOutAndNotCounted) {
  for (auto [factors, type] : floats) {
    const ElementTypeInfo &info = getInfo(type);
    OneElement edge{factors, type, {info.largest}};
    for (double got : {info.largest, double(INFINITY), 1.0})
      EXPECT_TRUE(edge.isLeftOut(got));
    // Far enough below it is compared again.
    OneElement below{factors, type, {info.largest * 0.9}};
    EXPECT_FALSE(below.accepts(INFINITY));
    EXPECT_FALSE(below.accepts(1));
    EXPECT_TRUE(below.accepts(info.largest * 0.9));
  }
}

TEST(Reference, OverflowOnTheWayIsLeftOut) {
  // In one order of the sum both infinities meet, in another the result is 0.
  OneElement both{ElementType::F32, ElementType::F32, {3e38, 3e38, -3e38, -3e38}};
  EXPECT_TRUE(both.isLeftOut(NAN));
  // A sum that alpha brings back into the range.
  OneElement back{ElementType::F32, ElementType::F32, {3e38, 3e38}, 0.25};
  EXPECT_TRUE(back.isLeftOut(INFINITY));
  // Negative terms that cannot overflow by themselves leave one answer.
  OneElement sure{ElementType::F32, ElementType::F32, {3e38, 3e38, 3e38, -1e38}};
  EXPECT_TRUE(sure.accepts(INFINITY));
  EXPECT_FALSE(sure.accepts(NAN));
}

TEST(Reference, UnderflowIsToleratedAndNoMore) {
  // (K + 3) times the smallest float32, and one of the smaller type.
  OneElement f32{ElementType::F32, ElementType::F32, {0x1p-140}};
  double unit = 0x1p-149;
  EXPECT_TRUE(f32.accepts(0x1p-140 + 4 * unit));
  EXPECT_FALSE(f32.accepts(0x1p-140 + 6 * unit));
  OneElement f16{ElementType::F16, ElementType::F16, {0x1p-20}};
  EXPECT_TRUE(f16.accepts(0x1p-20 + 0x1p-24));
  EXPECT_FALSE(f16.accepts(0x1p-20 + 3 * 0x1p-24));
  OneElement f64{ElementType::F64, ElementType::F64, {0x1p-1070}};
  EXPECT_TRUE(f64.accepts(0x1p-1070 + 4 * 0x1p-1074));
  EXPECT_FALSE(f64.accepts(0x1p-1070 + 6 * 0x1p-1074));
}

TEST(Reference, GivenNumbersTakeThePlaceOfTheSum) {
  Example<float> example(2, 10, 12, 30);
  std::vector<float> given = example.d;
  example.problem.expected = example.problem.d;
  example.problem.expected->data = given.data();
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  given[17] += 0.01f;
  CheckResult result = checkGemm(example.problem);
  EXPECT_EQ(result.failures, 1);
  EXPECT_EQ(result.firstFailure.index, (ElementIndex{0, 1, 5}));
  EXPECT_EQ(result.firstFailure.expected, given[17]);
  // Infinities and NaNs are expected where they are given.
  given[17] = INFINITY;
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
  example.d[17] = INFINITY;
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  given[17] = NAN;
  EXPECT_EQ(checkGemm(example.problem).failures, 1);
}

TEST(Reference, ProgressEndsWithAllOfIt) {
  Example<float> example(1, 100, 100, 10);
  std::atomic<double> most = 0;
  example.problem.progress = [&](double part) {
    for (double old = most; old < part && !most.compare_exchange_weak(old, part);)
      ;
  };
  EXPECT_EQ(checkGemm(example.problem).failures, 0);
  EXPECT_EQ(most, 1);
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

/// One element: the sum of products of `factors` with 1.
template <class Factor, class Sum>
CheckResult checkSum(const std::vector<Factor> &factors, Sum result,
                     ElementType type, ElementType sumType, bool tf32) {
  std::vector<Factor> ones(factors.size(), 1);
  auto k = static_cast<int64_t>(factors.size());
  ReferenceProblem problem;
  problem.m = problem.n = 1;
  problem.k = k;
  problem.a = {factors.data(), {0, k, 1}, type};
  problem.b = {ones.data(), {0, 1, 1}, type};
  problem.d = {&result, {0, 1, 1}, sumType};
  problem.tf32 = tf32;
  problem.tolerance =
      findTolerance(type, sumType, k, /*independent=*/false, tf32);
  return checkGemm(problem);
}

TEST(Reference, FactorsCutToTF32) {
  // tf32 keeps ten bits behind the point: 1 + 2^-11 is 1, and not rounded up.
  std::vector<float> factors{1 + 0x1p-11f, -1 - 0x1.8p-11f, 2 + 0x1p-9f};
  float cut = 1 - 1 + 2 + 0x1p-9f, full = cut + 0x1p-11f - 0x1.8p-11f;
  ElementType f32 = ElementType::F32;
  EXPECT_EQ(checkSum(factors, cut, f32, f32, true).failures, 0);
  EXPECT_EQ(checkSum(factors, full, f32, f32, true).failures, 1);
  EXPECT_EQ(checkSum(factors, full, f32, f32, false).failures, 0);
  EXPECT_EQ(checkSum(factors, cut, f32, f32, false).failures, 1);
}

TEST(Reference, IntegersAreExact) {
  std::vector<int8_t> factors{-128, 127, 127, 100};
  ElementType i8 = ElementType::I8, i32 = ElementType::I32;
  EXPECT_EQ(checkSum(factors, int32_t(226), i8, i32, false).failures, 0);
  EXPECT_EQ(checkSum(factors, int32_t(227), i8, i32, false).failures, 1);
}

TEST(Reference, IntegersWrapAround) {
  OneElement element{ElementType::I8, ElementType::I32, {}};
  element.terms.assign(200000, 16384);
  double sum = 200000.0 * 16384;
  EXPECT_TRUE(element.accepts(sum - 0x1p32));
  EXPECT_FALSE(element.accepts(sum - 0x1p32 + 1));
  EXPECT_FALSE(element.accepts(0x7fffffff));
  for (double &term : element.terms)
    term = -term;
  EXPECT_TRUE(element.accepts(0x1p32 - sum));
  element.terms = {-0x1p31};
  EXPECT_TRUE(element.accepts(-0x1p31));
  element.terms = {0x1p31};
  EXPECT_TRUE(element.accepts(-0x1p31));
}
