// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every problem of up to 9 x 9 x 9, and sizes around the edges of the tiles.
#include "Setting.h"

using namespace tile::sweep;

namespace {

/// Operand orders (bit 0: A, bit 1: B column-major) and element type.
class Sweep : public testing::TestWithParam<std::tuple<int, Element>> {
protected:
  int orders() const { return std::get<0>(GetParam()); }
  Problem start() const {
    Problem problem;
    problem.setOrders(orders());
    problem.element = std::get<1>(GetParam());
    return problem;
  }
};

std::string
nameOfSweep(const testing::TestParamInfo<std::tuple<int, Element>> &info) {
  int orders = std::get<0>(info.param);
  return std::string(orders & 1 ? "ColumnA" : "RowA") +
         (orders & 2 ? "ColumnB" : "RowB") + "_" +
         nameOf(std::get<1>(info.param));
}

/// Stops a loop over thousands of problems after a few failures.
bool tooMany() {
  return testing::UnitTest::GetInstance()
             ->current_test_info()
             ->result()
             ->total_part_count() > 4;
}

} // namespace

TEST_P(Sweep, UpTo9) {
  Problem problem = start();
  problem.alpha = 1.5;
  problem.beta = -0.75;
  for (bool padded : {false, true}) {
    problem.setPadding(padded);
    for (problem.m = 1; problem.m <= 9; ++problem.m)
      for (problem.n = 1; problem.n <= 9; ++problem.n)
        for (problem.k = 1; problem.k <= 9 && !tooMany(); ++problem.k)
          EXPECT_TRUE(solve(problem));
  }
}

/// Sizes around the default tiles, one more edge along each dimension.
static std::vector<std::array<int64_t, 3>> edgeSizes(Element element) {
  std::vector<int64_t> edges =
      element == Element::F32 ? std::vector<int64_t>{120, 127, 128, 129, 136}
                              : std::vector<int64_t>{56, 63, 64, 65, 72};
  static constexpr int64_t depths[] = {0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65};
  std::vector<std::array<int64_t, 3>> sizes;
  for (int64_t m : edges)
    for (int64_t n : edges)
      sizes.push_back({m, n, depths[sizes.size() % std::size(depths)]});
  for (int64_t edge : edges)
    for (int64_t k : {0, 1, 7, 8, 9, 15, 16}) {
      bool tall = sizes.size() % 2;
      sizes.push_back({tall ? edge : k + 1, tall ? k + 1 : edge, k});
    }
  return sizes;
}

TEST_P(Sweep, AroundTileEdges) {
  Problem problem = start();
  std::vector<std::array<int64_t, 3>> sizes = edgeSizes(problem.element);
  ASSERT_EQ(sizes.size(), 60u);
  for (size_t i = 0; i < sizes.size() && !tooMany(); ++i) {
    problem.m = sizes[i][0];
    problem.n = sizes[i][1];
    problem.k = sizes[i][2];
    problem.alpha = i % 3 ? -1.25 : 1;
    problem.beta = i % 2 ? 0.5 : 0;
    for (bool padded : {false, true}) {
      problem.setPadding(padded);
      EXPECT_TRUE(solve(problem));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gemm, Sweep,
                         testing::Combine(testing::Range(0, 4),
                                          testing::Values(Element::F32,
                                                          Element::F64)),
                         nameOfSweep);
