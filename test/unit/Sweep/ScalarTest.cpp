// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alpha, beta, K = 0, empty problems: what is read, and what is launched.
#include "Setting.h"

#include <cmath>
#include <limits>

using namespace tile::sweep;

static constexpr Element kElements[] = {Element::F32, Element::F64};

namespace {
Problem start(Element element, int64_t m = 65, int64_t n = 33, int64_t k = 16) {
  Problem problem;
  problem.element = element;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.setPadding(true);
  return problem;
}
} // namespace

TEST(Scalars, BetaZeroNeverReadsC) {
  // Both paths, edge tiles and whole ones.
  for (Element element : kElements)
    for (Content content : {Content::NaN, Content::Inf, Content::Null})
      for (auto [m, n, k] :
           {std::array<int64_t, 3>{65, 33, 16}, {128, 128, 8}, {8, 8, 8}}) {
        Problem problem = start(element, m, n, k);
        problem.setPadding(m % 2);
        problem.c.content = content;
        EXPECT_TRUE(solve(problem));
        problem.beta = -0.0;
        EXPECT_TRUE(solve(problem));
      }
}

TEST(Scalars, BetaZeroOnASmallTile) {
  Problem problem = start(Element::F32);
  problem.c.content = Content::NaN;
  problem.schedule =
      "#tile.simt<tile = [64, 32, 8], warps = [2, 1], thread = [8, 4]>";
  EXPECT_TRUE(solve(problem));
}

TEST(Scalars, BetaReadsC) {
  // A NaN in C reaches D as soon as beta is not 0.
  Problem problem = start(Element::F32, 8, 8, 8);
  problem.c.content = Content::NaN;
  problem.beta = 1;
  Outcome outcome;
  EXPECT_TRUE(solve(problem, &outcome));
  EXPECT_TRUE(std::isnan(outcome.d->at<float>(0, 0, 0)));
}

TEST(Scalars, AlphaAndBeta) {
  for (Element element : kElements)
    for (double alpha : {1.0, -1.25, 0.0, 3.0, 1e-3})
      for (double beta : {0.0, 1.0, 0.5, -2.0}) {
        Problem problem = start(element);
        problem.alpha = alpha;
        problem.beta = beta;
        EXPECT_TRUE(solve(problem));
      }
}

TEST(Scalars, AlphaZeroReadsNeitherANorB) {
  for (Element element : kElements)
    for (Content content : {Content::NaN, Content::Inf, Content::Null})
      for (double beta : {0.0, 1.0, 0.5})
        for (double alpha : {0.0, -0.0}) {
          Problem problem = start(element);
          problem.setPadding(beta == 1);
          problem.a.content = problem.b.content = content;
          problem.alpha = alpha;
          problem.beta = beta;
          EXPECT_TRUE(solve(problem));
        }
}

TEST(Scalars, AlphaReadsAAndB) {
  for (char name : {'A', 'B'}) {
    Problem problem = start(Element::F32, 8, 8, 8);
    (name == 'A' ? problem.a : problem.b).content = Content::NaN;
    Outcome outcome;
    EXPECT_TRUE(solve(problem, &outcome));
    EXPECT_TRUE(std::isnan(outcome.d->at<float>(0, 0, 0)));
  }
}

TEST(Scalars, InfinitiesAndNaNFollowArithmetic) {
  Problem problem = start(Element::F64, 9, 9, 9);
  problem.alpha = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(solve(problem));
  Problem none = problem;
  none.k = 0;
  EXPECT_TRUE(solve(none));
  problem.alpha = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(solve(problem));
  problem.alpha = 1;
  problem.beta = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(solve(problem));
}

TEST(Scalars, SubnormalsAreKept) {
  // Each operand in turn, so that products, alpha * acc and D are subnormal.
  for (Element element : kElements)
    for (char name : {'A', 'B', 'C'}) {
      Problem problem = start(element);
      const_cast<Operand &>(operandOf(problem, name)).content =
          Content::Subnormal;
      problem.alpha = name == 'C' ? 0 : 0.75;
      problem.beta = name == 'C' ? 0.5 : 0;
      Outcome outcome;
      EXPECT_TRUE(solve(problem, &outcome));
      double first = element == Element::F32 ? outcome.d->at<float>(0, 0, 0)
                                             : outcome.d->at<double>(0, 0, 0);
      EXPECT_NE(first, 0);
    }
}

TEST(Scalars, NoProducts) {
  // K = 0: D = beta * C, and C is not read when beta is 0.
  for (Element element : kElements)
    for (double beta : {2.0, 0.0, 1.0})
      for (Content inputs : {Content::Random, Content::Null})
        for (auto [m, n] : {std::pair<int64_t, int64_t>{8, 8}, {65, 130}}) {
          Problem problem = start(element, m, n, 0);
          problem.setPadding(n == 130);
          problem.beta = beta;
          problem.a.content = problem.b.content = inputs;
          if (beta == 0)
            problem.c.content = Content::NaN;
          Outcome outcome;
          EXPECT_TRUE(solve(problem, &outcome));
          EXPECT_NE(outcome.kernel, "");
        }
}

TEST(Scalars, NoProductsWithoutC) {
  Problem problem = start(Element::F32, 9, 5, 0);
  problem.hasC = false;
  EXPECT_TRUE(solve(problem));
}

TEST(Scalars, EmptyProblemsLaunchNothing) {
  for (Element element : kElements)
    for (auto [m, n, k] :
         {std::array<int64_t, 3>{0, 5, 7}, {5, 0, 7}, {0, 0, 0}, {0, 5, 0}})
      for (Content content : {Content::Random, Content::Null}) {
        Problem problem = start(element, m, n, k);
        problem.beta = 1;
        problem.a.content = problem.b.content = problem.c.content =
            problem.d.content = content;
        Outcome outcome;
        EXPECT_TRUE(solve(problem, &outcome));
        EXPECT_EQ(outcome.kernel, "");
        EXPECT_EQ(outcome.blocks, 0);
      }
}

TEST(Scalars, EmptyBatchLaunchesNothing) {
  for (Content content : {Content::Random, Content::Null}) {
    Problem problem = start(Element::F32, 5, 6, 7);
    problem.batch = 0;
    problem.beta = 1;
    problem.a.content = problem.b.content = problem.c.content =
        problem.d.content = content;
    Outcome outcome;
    EXPECT_TRUE(solve(problem, &outcome));
    EXPECT_EQ(outcome.kernel, "");
  }
}

TEST(Scalars, MissingOperandsThatAreReadAreErrors) {
  for (char name : {'A', 'B', 'C', 'D'}) {
    Problem problem = start(Element::F32, 5, 6, 7);
    problem.beta = 1;
    const_cast<Operand &>(operandOf(problem, name)).content = Content::Null;
    Outcome outcome = Setting::get().run(problem);
    EXPECT_EQ(outcome.status, TILE_RT_INVALID_ARGUMENT);
    EXPECT_EQ(outcome.error, std::string("expected ") + name +
                                 " to have an address, but got null");
  }
}
