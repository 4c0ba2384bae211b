// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules other than the default: every legal one must give the same bits.
#include "Setting.h"

using namespace tile::sweep;

namespace {
struct Case {
  const char *schedule;
  Element element;
  int64_t tileM, tileN, tileK, parts = 1;
};

const Case kCases[] = {
    {"#tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], "
     "min_blocks = 2>",
     Element::F32, 128, 128, 8},
    {"#tile.simt<tile = [128, 128, 16], warps = [2, 4], thread = [8, 8]>",
     Element::F32, 128, 128, 16},
    {"#tile.simt<tile = [128, 64, 8], warps = [4, 1], thread = [8, 8]>",
     Element::F32, 128, 64, 8},
    {"#tile.simt<tile = [64, 128, 16], warps = [1, 4], thread = [8, 8]>",
     Element::F32, 64, 128, 16},
    {"#tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4], "
     "min_blocks = 4>",
     Element::F32, 64, 64, 8},
    {"#tile.simt<tile = [64, 32, 8], warps = [2, 1], thread = [8, 4], "
     "swizzle_size = "
     "1>",
     Element::F32, 64, 32, 8},
    {"#tile.simt<tile = [32, 32, 16], warps = [1, 1], thread = [4, 8]>",
     Element::F32, 32, 32, 16},
    {"#tile.simt<tile = [32, 16, 8], warps = [1, 1], thread = [4, 4]>",
     Element::F32, 32, 16, 8},
    {"#tile.simt<tile = [16, 16, 4], warps = [1, 1], thread = [2, 4]>",
     Element::F32, 16, 16, 4},
    {"#tile.simt<tile = [8, 16, 8], warps = [1, 1], thread = [2, 2]>",
     Element::F32, 8, 16, 8},
    {"#tile.simt<tile = [4, 8, 8], warps = [1, 1], thread = [1, 1]>",
     Element::F32, 4, 8, 8},
    {"#tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4], "
     "min_blocks = 2>",
     Element::F64, 64, 64, 8},
    {"#tile.simt<tile = [64, 64, 16], warps = [2, 2], thread = [4, 8]>",
     Element::F64, 64, 64, 16},
    {"#tile.simt<tile = [128, 64, 8], warps = [4, 2], thread = [8, 4]>",
     Element::F64, 128, 64, 8},
    {"#tile.simt<tile = [32, 32, 8], warps = [1, 1], thread = [8, 4]>",
     Element::F64, 32, 32, 8},
    {"#tile.simt<tile = [16, 16, 16], warps = [1, 1], thread = [4, 2]>",
     Element::F64, 16, 16, 16},
};

/// Those whose blocks share a tile along K give bits of their own.
const Case kSplitCases[] = {
    {"#tile.simt<tile = [64, 128, 16], warps = [2, 2], thread = [8, 8], "
     "min_blocks = 3, split_k = 2>",
     Element::F32, 64, 128, 16, 2},
    {"#tile.simt<tile = [32, 64, 32], warps = [2, 2], thread = [4, 4], "
     "min_blocks = 4, split_k = 8>",
     Element::F32, 32, 64, 32, 8},
    {"#tile.simt<tile = [96, 32, 8], warps = [1, 1], thread = [12, 8], "
     "split_k = 3>",
     Element::F32, 96, 32, 8, 3},
    {"#tile.simt<tile = [64, 32, 16], warps = [2, 1], thread = [8, 4], "
     "stages = 3, split_k = 4>",
     Element::F32, 64, 32, 16, 4},
    {"#tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4], "
     "split_k = 4>",
     Element::F64, 64, 64, 8, 4},
};

class Schedules : public testing::TestWithParam<Case> {};

std::string nameOfCase(const testing::TestParamInfo<Case> &info) {
  const Case &c = info.param;
  return std::to_string(c.tileM) + "x" + std::to_string(c.tileN) + "x" +
         std::to_string(c.tileK) + "_" + nameOf(c.element) + "_" +
         (c.parts > 1 ? "in" + std::to_string(c.parts) : "") +
         std::to_string(info.index);
}
} // namespace

TEST_P(Schedules, AroundItsTiles) {
  const Case &c = GetParam();
  for (int orders = 0; orders < 4; ++orders) {
    Problem problem;
    problem.element = c.element;
    problem.schedule = c.schedule;
    problem.split = {c.parts, c.tileM, c.tileK};
    problem.setOrders(orders);
    problem.d.columnMajor = orders == 2;
    problem.alpha = -1.25;
    problem.beta = 0.5;
    int turn = orders;
    for (int64_t m : {c.tileM - 1, c.tileM, c.tileM + 4})
      for (int64_t n : {c.tileN, c.tileN + 1, 2 * c.tileN - 4})
        for (int64_t k : {c.tileK - 1, c.tileK, c.tileK + 4, 3 * c.tileK + 1,
                          c.parts * c.tileK + c.tileK + 3}) {
          // A third of the combinations, all of them over the four orders.
          if (!Setting::get().isFull() && ++turn % 3)
            continue;
          problem.m = m;
          problem.n = n;
          problem.k = k;
          problem.setPadding(turn % 2);
          ASSERT_TRUE(solve(problem));
        }
  }
}

INSTANTIATE_TEST_SUITE_P(Gemm, Schedules, testing::ValuesIn(kCases),
                         nameOfCase);
INSTANTIATE_TEST_SUITE_P(GemmInParts, Schedules, testing::ValuesIn(kSplitCases),
                         nameOfCase);

TEST(SchedulesTogether, GiveTheSameBits) {
  for (Element element : {Element::F32, Element::F64}) {
    std::vector<uint8_t> first;
    for (const Case &c : kCases) {
      if (c.element != element)
        continue;
      Problem problem;
      problem.element = element;
      problem.schedule = c.schedule;
      problem.m = 70;
      problem.n = 41;
      problem.k = 37;
      problem.beta = 0.5;
      Outcome outcome;
      ASSERT_TRUE(solve(problem, &outcome));
      std::vector<uint8_t> bytes(outcome.d->data(),
                                 outcome.d->data() + outcome.d->getBytes());
      if (first.empty())
        first = bytes;
      EXPECT_EQ(first, bytes) << c.schedule;
    }
  }
}
