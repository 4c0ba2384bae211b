// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f16 and bf16 on the fused multiply-add units: types, layouts, edges of tiles,
// widths of accesses, batches, scalars, strides of any kind.
#include "Setting.h"

#include <cstring>
#include <iterator>

using namespace tile::sweep;

namespace {

struct Case {
  const char *schedule;
  int64_t m, n, k;
};

/// The schedules that are selected, and others: fragments of more elements than
/// an access to f32, tiles that are no powers of two, fragments of one element.
const Case kCases[] = {
    {"#tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [16, 8], "
     "min_blocks = 2>",
     128, 128, 8},
    {"#tile.simt<tile = [64, 64, 32], warps = [2, 2], thread = [8, 4], "
     "min_blocks = 3>",
     64, 64, 32},
    {"#tile.simt<tile = [32, 64, 32], warps = [2, 2], thread = [4, 4], "
     "min_blocks = 4>",
     32, 64, 32},
    {"#tile.simt<tile = [64, 32, 16], warps = [1, 1], thread = [8, 8]>", 64, 32,
     16},
    {"#tile.simt<tile = [96, 96, 24], warps = [3, 3], thread = [8, 4]>", 96, 96,
     24},
    {"#tile.simt<tile = [4, 8, 8], warps = [1, 1], thread = [1, 1]>", 4, 8, 8},
};
constexpr const char *kSmall =
    "#tile.simt<tile = [32, 32, 16], warps = [1, 1], thread = [8, 4]>";

struct Types {
  Element a, d;
};
constexpr Types kTypes[] = {{Element::F16, Element::F16},
                            {Element::F16, Element::F32},
                            {Element::BF16, Element::BF16},
                            {Element::BF16, Element::F32}};

Problem problemOf(const Types &types, const char *schedule, int64_t m,
                  int64_t n, int64_t k) {
  Problem problem;
  problem.element = types.a;
  problem.elementD = types.d;
  problem.schedule = schedule;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.beta = 0.5;
  return problem;
}

/// Solves, without a workspace to copy to, with a kernel whose name ends in
/// `suffix`.
testing::AssertionResult solveWith(const Problem &problem,
                                   const std::string &suffix) {
  Outcome outcome;
  testing::AssertionResult result = solve(problem, &outcome);
  if (!result)
    return result;
  size_t position = outcome.kernel.rfind(suffix);
  if (outcome.kernel.rfind("simt_", 0) != 0 || position == std::string::npos ||
      position + suffix.size() != outcome.kernel.size() ||
      !outcome.prepare.empty())
    return testing::AssertionFailure()
           << problem.describe() << ": the kernel is " << outcome.kernel
           << " after " << outcome.prepare << ", want one that ends in "
           << suffix;
  return testing::AssertionSuccess();
}

} // namespace

TEST(NarrowSimt, EachTypeInEachLayout) {
  for (int type = 0; type < 4; ++type)
    for (int orders = 0; orders < 16; ++orders) {
      // A quarter of the combinations, each order and each type among them.
      if (!Setting::get().isFull() && (orders + orders / 4 + type) % 4)
        continue;
      Problem problem = problemOf(kTypes[type], kSmall, 37, 71, 29);
      problem.setOrders(orders);
      problem.d.columnMajor = orders & 4;
      problem.c.columnMajor = orders & 8;
      problem.alpha = -1.25;
      // Odd pitches, and ones that 16-byte accesses take, of extents that do.
      problem.setPadding(true);
      ASSERT_TRUE(solveWith(problem, "_v1"));
      problem.m = 40;
      problem.n = 72;
      problem.k = 24;
      problem.setTensorPadding();
      // A C that runs across D is read one element at a time.
      ASSERT_TRUE(solveWith(problem, "_v8"));
    }
}

TEST(NarrowSimt, AroundTheEdgesOfTiles) {
  int turn = 0;
  for (size_t i = 0; i < std::size(kCases); ++i)
    for (int orders = 0; orders < 4; ++orders) {
      const Case &c = kCases[i];
      for (int64_t m : {c.m - 1, c.m, c.m + 8})
        for (int64_t n : {c.n, c.n + 1, 2 * c.n - 8})
          for (int64_t k : {c.k - 1, c.k, c.k + 8, 3 * c.k + 1}) {
            // A fifth of the combinations, all of them over the schedules.
            if (!Setting::get().isFull() && ++turn % 5)
              continue;
            Problem problem =
                problemOf(kTypes[(i + orders) % 4], c.schedule, m, n, k);
            problem.setOrders(orders);
            problem.d.columnMajor = orders == 2;
            turn % 2 ? problem.setPadding(true) : problem.setTensorPadding();
            ASSERT_TRUE(solve(problem));
          }
    }
}

TEST(NarrowSimt, SchedulesGiveTheSameBits) {
  for (const Types &types : {kTypes[0], kTypes[3]}) {
    std::vector<uint8_t> first;
    for (const Case &c : kCases)
      for (bool padded : {false, true}) {
        Problem problem = problemOf(types, c.schedule, 72, 40, 56);
        problem.d.padding = padded ? 3 : 0;
        problem.a.padding = padded ? 3 : 0;
        Outcome outcome;
        ASSERT_TRUE(solve(problem, &outcome));
        // Without what lies between the rows.
        std::vector<uint8_t> bytes;
        int64_t size = bytesOf(types.d);
        for (int64_t row = 0; row < problem.m; ++row) {
          const uint8_t *start =
              outcome.d->data() +
              (outcome.d->getBase() + outcome.d->getGeometry().at(0, row, 0)) *
                  size;
          bytes.insert(bytes.end(), start, start + problem.n * size);
        }
        if (first.empty())
          first = bytes;
        EXPECT_EQ(first, bytes) << c.schedule;
      }
  }
}

TEST(NarrowSimt, Batches) {
  for (int shared = 0; shared < 8; ++shared) {
    for (int type = 0; type < 4; ++type) {
      if (!Setting::get().isFull() && (shared + type) % 4)
        continue;
      Problem problem = problemOf(kTypes[type], kSmall, 20, 36, 12);
      problem.batch = 3;
      problem.beta = -1;
      problem.a.shared = shared & 1;
      problem.b.shared = shared & 2;
      problem.c.shared = shared & 4;
      problem.setPadding(shared & 1);
      problem.a.batchGap = 11;
      problem.d.batchGap = 17;
      ASSERT_TRUE(solve(problem));
    }
  }
}

TEST(NarrowSimt, WhatIsNotRead) {
  for (const Types &types : kTypes)
    for (bool padded : {false, true}) {
      Problem problem = problemOf(types, kSmall, 40, 40, 48);
      problem.setPadding(padded);
      for (Content content : {Content::NaN, Content::Inf, Content::Null})
        for (double beta : {0.0, -0.0}) {
          problem.c.content = content;
          problem.beta = beta;
          EXPECT_TRUE(solve(problem));
        }
      problem.c.content = Content::Random;
      for (Content content : {Content::NaN, Content::Null})
        for (double beta : {0.0, 0.5}) {
          problem.a.content = problem.b.content = content;
          problem.alpha = 0;
          problem.beta = beta;
          EXPECT_TRUE(solve(problem));
        }
      problem.alpha = 1;
      problem.k = 0;
      for (double beta : {0.0, 2.0}) {
        problem.beta = beta;
        problem.c.content = beta == 0 ? Content::NaN : Content::Random;
        EXPECT_TRUE(solve(problem));
      }
    }
}

TEST(NarrowSimt, WithoutCAndInPlaceOfC) {
  for (const Types &types : kTypes) {
    Problem problem = problemOf(types, kSmall, 40, 40, 48);
    Outcome apart, together;
    ASSERT_TRUE(solve(problem, &apart));
    problem.inPlace = true;
    ASSERT_TRUE(solve(problem, &together));
    EXPECT_EQ(
        std::memcmp(apart.d->data(), together.d->data(), apart.d->getBytes()),
        0);
    problem.inPlace = false;
    problem.hasC = false;
    problem.beta = 0;
    EXPECT_TRUE(solve(problem));
  }
}

TEST(NarrowSimt, StridesOfAnyKind) {
  for (const Types &types : kTypes) {
    // Known at run time only, with a unit stride along either dimension.
    for (int orders = 0; orders < 4; ++orders) {
      Problem problem = problemOf(types, kSmall, 40, 40, 48);
      problem.typing = Typing::Dynamic;
      problem.setOrders(orders);
      problem.d.columnMajor = orders == 1;
      EXPECT_TRUE(solve(problem));
      problem.a.offset = problem.d.offset = 1;
      EXPECT_TRUE(solveWith(problem, "_v1"));
    }
    // None, and operands that are one row, or run backwards.
    Problem problem = problemOf(types, kSmall, 33, 21, 19);
    problem.typing = Typing::Dynamic;
    problem.a.strides = {{0, 2 * 19 + 5, 2}};
    problem.b.strides = {{0, -23, 1}};
    problem.c.strides = {{0, 0, 1}};
    problem.d.strides = {{0, 3, 3 * 33 + 1}};
    EXPECT_TRUE(solveWith(problem, "_v1"));
  }
}
