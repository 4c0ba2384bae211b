// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What problems mean, against loops written out.
#include "tile/Facts/Problem.h"

#include <gtest/gtest.h>
#include <random>

using namespace tile;

/// Small integers, so that sums are exact in any order.
static std::vector<double> randomValues(size_t count) {
  static std::mt19937 random(7);
  std::vector<double> values(count);
  for (double &value : values)
    value = double(int(random() % 9)) - 4;
  return values;
}

static HostOperand makeDense(std::vector<int64_t> extents,
                             const std::vector<double> &values) {
  HostOperand operand;
  operand.strides.assign(extents.size(), 1);
  for (size_t i = extents.size() - 1; i-- > 0;)
    operand.strides[i] = operand.strides[i + 1] * extents[i + 1];
  operand.extents = std::move(extents);
  operand.data = values.data();
  return operand;
}

TEST(Problem, ABatchedGemmSharesAMatrix) {
  Problem problem = makeGemmProblem(2, 3, 3, 3);
  EXPECT_EQ(problem.findOperand("C"), 2);
  EXPECT_EQ(problem.findOperand("E"), -1);
  int64_t m = 3, n = 4, k = 5, batch = 2;
  std::vector<double> a = randomValues(m * k), b = randomValues(batch * k * n),
                      c = randomValues(batch * m * n), d;
  std::vector<HostOperand> operands = {
      makeDense({m, k}, a), makeDense({batch, k, n}, b),
      makeDense({batch, m, n}, c), makeDense({batch, m, n}, d)};
  std::vector<int64_t> sizes;
  ASSERT_EQ(findSizes(problem, operands, sizes), "");
  EXPECT_EQ(sizes, (std::vector<int64_t>{batch, m, n, k}));
  for (int64_t z = 0; z < batch; ++z)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0, magnitude = 0;
        for (int64_t l = 0; l < k; ++l) {
          double product = a[i * k + l] * b[(z * k + l) * n + j];
          sum += product;
          magnitude += std::abs(product);
        }
        double added = c[(z * m + i) * n + j];
        ReferenceElement element =
            evaluateElement(problem, operands, sizes, {2, -3}, {z, i, j});
        EXPECT_EQ(element.value, 2 * sum - 3 * added);
        EXPECT_EQ(element.magnitude, 2 * magnitude + 3 * std::abs(added));
      }
}

// alpha = 0 and K = 0 do not look at A and B, beta = 0 not at C.
TEST(Problem, WhatIsNotReadIsNotRead) {
  Problem problem = makeGemmProblem(2, 2, 2, 2);
  std::vector<double> nan(16, NAN), one(16, 1);
  std::vector<HostOperand> operands = {
      makeDense({4, 4}, nan), makeDense({4, 4}, nan), makeDense({4, 4}, one),
      makeDense({4, 4}, one)};
  std::vector<int64_t> sizes = {4, 4, 4};
  EXPECT_EQ(evaluateElement(problem, operands, sizes, {0, 3}, {1, 2}).value, 3);
  operands[2].data = nullptr;
  EXPECT_EQ(evaluateElement(problem, operands, sizes, {0, 3}, {1, 2}).value, 0);
  operands[0] = operands[1] = makeDense({4, 4}, one);
  operands[2] = makeDense({4, 4}, nan);
  EXPECT_EQ(evaluateElement(problem, operands, sizes, {1, 0}, {1, 2}).value, 4);
  sizes[2] = 0;
  EXPECT_EQ(evaluateElement(problem, operands, sizes, {1, 0}, {1, 2}).value, 0);
}

TEST(Problem, SizesThatContradictEachOther) {
  Problem problem = makeGemmProblem(2, 2, 0, 2);
  std::vector<double> values(64);
  std::vector<HostOperand> operands = {makeDense({4, 5}, values),
                                       makeDense({6, 4}, values),
                                       makeDense({4, 4}, values)};
  std::vector<int64_t> sizes;
  EXPECT_EQ(findSizes(problem, operands, sizes),
            "expected A and B to agree on K, but got 5 and 6");
  operands[1] = makeDense({5, 4, 1}, values);
  EXPECT_EQ(findSizes(problem, operands, sizes),
            "expected B to have rank 2, but got 3");
}

/// A convolution of an image (n, h, w, c) with filters (k, r, s, c) to
/// (n, p, q, k), with stride 2 and a margin of 1.
static Problem makeConvolution() {
  Problem problem;
  problem.op = "conv";
  problem.sizes = {"n", "p", "q", "k", "r", "s", "c"};
  auto index = [](std::vector<int64_t> coefficients, int64_t constant = 0) {
    return AccessIndex{constant, std::move(coefficients)};
  };
  AccessIndex n = index({1, 0, 0, 0, 0, 0, 0}),
              p = index({0, 1, 0, 0, 0, 0, 0}),
              q = index({0, 0, 1, 0, 0, 0, 0}),
              k = index({0, 0, 0, 1, 0, 0, 0}),
              r = index({0, 0, 0, 0, 1, 0, 0}),
              s = index({0, 0, 0, 0, 0, 1, 0}),
              c = index({0, 0, 0, 0, 0, 0, 1}),
              h = index({0, 2, 0, 0, 1, 0, 0}, -1),
              w = index({0, 0, 2, 0, 0, 1, 0}, -1);
  problem.operands = {{"image", OperandRole::Factor, {n, h, w, c}},
                      {"filter", OperandRole::Factor, {k, r, s, c}},
                      {"result", OperandRole::Result, {n, p, q, k}}};
  return problem;
}

TEST(Problem, AConvolutionHasOperandsOfRankFour) {
  Problem problem = makeConvolution();
  int64_t N = 2, H = 7, W = 6, C = 3, K = 4, R = 3, S = 3, P = 4, Q = 3;
  std::vector<double> image = randomValues(N * H * W * C),
                      filter = randomValues(K * R * S * C), none;
  std::vector<HostOperand> operands = {makeDense({N, H, W, C}, image),
                                       makeDense({K, R, S, C}, filter),
                                       makeDense({N, P, Q, K}, none)};
  std::vector<int64_t> sizes;
  ASSERT_EQ(findSizes(problem, operands, sizes), "");
  EXPECT_EQ(sizes, (std::vector<int64_t>{N, P, Q, K, R, S, C}));
  for (int64_t n = 0; n < N; ++n)
    for (int64_t p = 0; p < P; ++p)
      for (int64_t q = 0; q < Q; ++q)
        for (int64_t k = 0; k < K; ++k) {
          double sum = 0;
          for (int64_t r = 0; r < R; ++r)
            for (int64_t s = 0; s < S; ++s)
              for (int64_t c = 0; c < C; ++c) {
                int64_t h = 2 * p + r - 1, w = 2 * q + s - 1;
                if (h >= 0 && h < H && w >= 0 && w < W)
                  sum += image[((n * H + h) * W + w) * C + c] *
                         filter[((k * R + r) * S + s) * C + c];
              }
          EXPECT_EQ(
              evaluateElement(problem, operands, sizes, {}, {n, p, q, k}).value,
              sum);
        }
}
