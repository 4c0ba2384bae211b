// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp-specialised schedule: every trip count of its pipeline, tiles around
// the edges of a problem, clusters, layouts, types, batches and scalars.
//
// The simulator is opened with one host thread, which is one multiprocessor:
// one block, or cluster, goes through all tiles, so that a problem has as many
// waves as it has tiles (of clusters).
#include "Setting.h"

#include <cstring>

using namespace tile::sweep;

namespace {

/// Parameters of a schedule, as it prints.
struct Special {
  int64_t m = 64, n = 16, k = 16;
  int stages = 2, consumers = 1, clusterM = 1, clusterN = 1;
  int defer = 0, split = 1, tf32 = 0, staged = 0;
  bool pingPong = false, swap = false, rasterN = false;
  int group = 8;

  std::string str() const {
    auto number = [](const char *name, int64_t value) {
      return std::string(", ") + name + " = " + std::to_string(value);
    };
    auto flag = [](const char *name, bool value) {
      return std::string(", ") + name + (value ? " = true" : " = false");
    };
    return "#tile.warp_specialized<tile = [" + std::to_string(m) + ", " +
           std::to_string(n) + ", " + std::to_string(k) + "]" +
           number("stages", stages) + number("consumers", consumers) +
           (pingPong ? ", mode = pingpong" : "") + ", cluster = [" +
           std::to_string(clusterM) + ", " + std::to_string(clusterN) + "]" +
           number("swizzle_size", group) +
           (rasterN ? ", raster_order = n" : "") + flag("swap_ab", swap) +
           flag("overlap_epilogue", defer) + number("split_k", split) +
           flag("tf32", tf32) + flag("use_tma_store", staged) + ">";
  }
};

/// The ways in which consumers share the work: alone, a tile each, or a tile
/// together, which is stored during the next one or whose K blocks share.
enum class Consumers { One, Cooperative, PingPong, Deferred, Split };
constexpr Consumers kAllConsumers[] = {Consumers::One, Consumers::Cooperative,
                                       Consumers::PingPong, Consumers::Deferred,
                                       Consumers::Split};

Special special(Consumers consumers) {
  Special result;
  result.consumers = consumers == Consumers::One ? 1 : 2;
  result.pingPong = consumers == Consumers::PingPong;
  if (consumers == Consumers::Deferred)
    result.defer = 1;
  if (consumers == Consumers::Split)
    result.split = 2;
  if (result.consumers == 2 && !result.pingPong)
    result.m = 128;
  return result;
}

/// A problem of one schedule; sizes are set by each test.
Problem problemOf(const Special &schedule, Element element = Element::BF16) {
  Problem problem;
  problem.element = element;
  problem.tf32 = schedule.tf32;
  problem.schedule = schedule.str();
  problem.hasC = false;
  return problem;
}

/// Solves with kernels that read A and B in place, unless `mayCopy`.
testing::AssertionResult solveSpecial(const Problem &problem,
                                      bool mayCopy = false,
                                      int multiprocessors = 1) {
  Outcome outcome;
  testing::AssertionResult result =
      Setting::get(multiprocessors).solve(problem, &outcome);
  if (!result)
    return result;
  if (!outcome.kernel.empty() && outcome.kernel.rfind("ws_", 0) != 0)
    return testing::AssertionFailure()
           << problem.describe() << ": the kernel is " << outcome.kernel;
  if (!mayCopy && !outcome.prepare.empty())
    return testing::AssertionFailure()
           << problem.describe() << ": copied " << outcome.prepare;
  return testing::AssertionSuccess();
}

/// Whether to run a case: one of `share`, or all of them with --full.
class Sample {
public:
  explicit Sample(uint64_t share, uint64_t seed = 1)
      : share(share), random(seed) {}
  bool take() {
    bool chosen = random.next() % share == 0;
    return chosen || Setting::get().isFull();
  }

private:
  uint64_t share;
  Random random;
};

class TensorCores : public testing::TestWithParam<Consumers> {};

std::string nameOfConsumers(const testing::TestParamInfo<Consumers> &info) {
  static const char *const names[] = {"OneConsumer", "Cooperative", "PingPong",
                                      "Deferred", "Split"};
  return names[static_cast<int>(info.param)];
}

} // namespace

// P01: from no step along K to two rounds of the ring and one more.
TEST_P(TensorCores, EachTripCountOfEachNumberOfStages) {
  for (int stages = 1; stages <= 8; ++stages) {
    Special schedule = special(GetParam());
    schedule.stages = stages;
    for (int64_t trips = 0; trips <= 2 * stages + 1; ++trips) {
      Problem problem = problemOf(schedule);
      // Three tiles, so that consumers that take turns are out of step.
      problem.m = 2 * schedule.m + 5;
      problem.n = 11;
      problem.k = trips * schedule.k - (trips ? trips % 3 * 5 : 0);
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
    }
  }
}

// The same with sums that are added up outside of the tensor cores, of factors
// of 16 and of 8 bits.
TEST_P(TensorCores, PromotedSumsOfEachTripCount) {
  for (Element element : {Element::BF16, Element::F8E4M3FN})
    for (int stages : {1, 2, 4}) {
      Special schedule = special(GetParam());
      schedule.stages = stages;
      schedule.k = element == Element::BF16 ? 16 : 32;
      for (int64_t trips = 0; trips <= 2 * stages + 1; ++trips) {
        Problem problem = problemOf(schedule);
        problem.promotedSums = true;
        problem.element = element;
        problem.elementB = element;
        if (element == Element::F8E4M3FN)
          problem.elementD = Element::F32;
        problem.b.columnMajor = true;
        problem.m = 2 * schedule.m + 5;
        problem.n = 11;
        problem.k = trips * schedule.k - (trips ? trips % 3 * 5 : 0);
        problem.setTensorPadding();
        ASSERT_TRUE(solveSpecial(problem));
      }
    }
}

// P02: the ring goes on from one tile to the next, whatever the trips.
TEST_P(TensorCores, FiveTilesOfEachTripCount) {
  for (auto [clusterM, clusterN] :
       {std::pair(1, 1), std::pair(2, 1), std::pair(1, 2)}) {
    Special schedule = special(GetParam());
    // Blocks that share K are a cluster already.
    if (schedule.split > 1 && clusterM * clusterN > 1)
      continue;
    schedule.stages = 3;
    schedule.group = 2;
    schedule.clusterM = clusterM;
    schedule.clusterN = clusterN;
    for (int64_t trips = 1; trips <= 7; ++trips) {
      Problem problem = problemOf(schedule);
      problem.m = clusterM * schedule.m;
      problem.n = 5 * clusterN * schedule.n;
      problem.k = trips * schedule.k;
      problem.setTensorPadding();
      for (int multiprocessors : {1, 2})
        ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/false, multiprocessors));
    }
  }
}

TEST_P(TensorCores, AroundTheEdgesOfTiles) {
  Special schedule = special(GetParam());
  schedule.n = 64;
  schedule.k = 64;
  schedule.rasterN = GetParam() == Consumers::One;
  schedule.group = 2;
  Sample sample(12, 7);
  for (int64_t dm : {-8, -1, 0, 1, 8})
    for (int64_t dn : {-8, -1, 0, 1, 8})
      for (int64_t k : {1, 7, 8, 9, 16, 56, 63, 64, 65, 72, 127, 129})
        for (bool inPlace : {true, false}) {
          if (!sample.take())
            continue;
          Problem problem = problemOf(schedule);
          problem.m = schedule.m + dm;
          problem.n = schedule.n + dn;
          problem.k = k;
          // A pitch of odd length takes copies, and stores by each thread.
          inPlace ? problem.setTensorPadding() : problem.setPadding(true);
          ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/!inPlace));
        }
}

TEST_P(TensorCores, LayoutsOfAllOperands) {
  Sample sample(3, 3);
  for (int orders = 0; orders < 16; ++orders)
    for (Element result : {Element::BF16, Element::F32}) {
      bool hasC = orders & 8;
      if (!sample.take())
        continue;
      Special schedule = special(GetParam());
      schedule.n = 48;
      schedule.k = 64;
      Problem problem = problemOf(schedule);
      problem.elementD = result;
      problem.setOrders(orders);
      problem.d.columnMajor = orders & 4;
      problem.hasC = hasC;
      problem.c.columnMajor = orders & 1;
      problem.beta = hasC ? 0.5 : 0;
      problem.m = 150;
      problem.n = 104;
      problem.k = 136;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
    }
}

TEST_P(TensorCores, FactorsCutToTF32) {
  Sample sample(3, 11);
  for (int orders = 0; orders < 16; ++orders)
    for (auto [m, n, k] :
         {std::array<int64_t, 3>{1, 1, 1}, {150, 104, 70}, {131, 37, 100}}) {
      if (!sample.take())
        continue;
      Special schedule = special(GetParam());
      schedule.n = 48;
      schedule.k = 0;
      schedule.tf32 = 1;
      Problem problem = problemOf(schedule, Element::F32);
      problem.setOrders(orders);
      problem.d.columnMajor = problem.c.columnMajor = orders & 4;
      problem.hasC = orders & 8;
      problem.alpha = -1.25;
      problem.beta = problem.hasC ? 0.5 : 0;
      problem.m = m;
      problem.n = n;
      problem.k = k;
      problem.setTensorPadding();
      // Only what is contiguous along K is multiplied in place.
      ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/(orders & 3) != 2));
      problem.setPadding(true);
      ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/true));
    }
}

TEST_P(TensorCores, Integers) {
  for (int orders = 0; orders < 8; ++orders)
    for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 0},
                           {1, 1, 1},
                           {150, 104, 300},
                           {131, 37, 129}}) {
      if (m == 1 && orders != 2)
        continue;
      Special schedule = special(GetParam());
      schedule.n = 48;
      schedule.k = 0;
      Problem problem = problemOf(schedule, Element::I8);
      problem.elementD = Element::I32;
      problem.setOrders(orders);
      problem.d.columnMajor = orders & 4;
      problem.m = m;
      problem.n = n;
      problem.k = k;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/(orders & 3) != 2));
      problem.setPadding(true);
      ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/true));
    }
}

TEST_P(TensorCores, SameBitsEachTime) {
  Special schedule = special(GetParam());
  schedule.stages = 3;
  schedule.n = 32;
  Problem problem = problemOf(schedule);
  problem.m = 200;
  problem.n = 72;
  problem.k = 120;
  problem.setTensorPadding();
  Outcome first;
  ASSERT_TRUE(Setting::get(1).solve(problem, &first));
  int runs = Setting::get().isSimulator() ? 10 : 100;
  for (int i = 1; i < runs; ++i) {
    Outcome again = Setting::get(1).run(problem);
    ASSERT_EQ(again.status, TILE_RT_SUCCESS) << again.error;
    ASSERT_EQ(
        std::memcmp(first.d->data(), again.d->data(), first.d->getBytes()), 0)
        << "run " << i;
  }
}

// C and results of 32 bits pass through shared memory where tensor maps
// describe them, and a row of D does not end between 16 bytes.
TEST_P(TensorCores, StagedCAndResults) {
  Sample sample(20, 13);
  for (Element result : {Element::F32, Element::BF16})
    for (int64_t width : {8, 48, 64, 72, 136})
      for (int orders = 0; orders < 4; ++orders)
        for (bool hasC : {true, false})
          for (bool inPlace : {false, true}) {
            // 16-bit results without C are stored as without `staged`.
            if ((inPlace && !hasC) || (!hasC && result == Element::BF16) ||
                !sample.take())
              continue;
            Special schedule = special(GetParam());
            schedule.n = width;
            schedule.k = 64;
            schedule.staged = 1;
            if (schedule.split > 1 && width % 16)
              continue;
            Problem problem = problemOf(schedule);
            problem.elementD = result;
            problem.d.columnMajor = orders & 1;
            problem.c.columnMajor = inPlace ? orders & 1 : orders & 2;
            problem.hasC = hasC;
            problem.inPlace = inPlace;
            problem.alpha = -1.25;
            for (auto [m, n] : {std::pair<int64_t, int64_t>(1, 1),
                                {2 * schedule.m, 2 * width},
                                {schedule.m + 5, width + 4},
                                {schedule.m + 3, width + 1},
                                {3 * schedule.m - 8, 3 * width - 8}})
              for (double beta : {0.5, 0.0}) {
                if (beta == 0 && (!hasC || m > 1))
                  continue;
                problem.beta = hasC ? beta : 0;
                problem.m = m;
                problem.n = n;
                problem.k = 72;
                problem.setTensorPadding();
                if (inPlace)
                  problem.c.padding = problem.d.padding;
                ASSERT_TRUE(solveSpecial(problem));
              }
            // No tensor map describes C, or D.
            problem.k = 8;
            problem.setTensorPadding();
            problem.c.padding += 1;
            problem.d.padding += inPlace;
            ASSERT_TRUE(solveSpecial(problem));
          }
}

TEST_P(TensorCores, StagedInBatches) {
  for (int shared = 0; shared < 2; ++shared)
    for (Element result : {Element::F32, Element::F16}) {
      Special schedule = special(GetParam());
      schedule.staged = 1;
      schedule.n = 32;
      Problem problem = problemOf(schedule, Element::F16);
      problem.elementD = result;
      problem.batch = 3;
      problem.hasC = true;
      problem.beta = 2;
      problem.c.shared = shared;
      problem.m = schedule.m + 8;
      problem.n = 40;
      problem.k = 24;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
    }
}

INSTANTIATE_TEST_SUITE_P(Gemm, TensorCores, testing::ValuesIn(kAllConsumers),
                         nameOfConsumers);

TEST(TensorCoreTiles, EachWidth) {
  Sample sample(3, 5);
  for (int64_t n = 8; n <= 256; n += 8) {
    // Narrow ones, the widest, and those beside 64 and 128 always.
    bool always = n <= 24 || n == 72 || n == 136 || n == 256;
    if (!sample.take() && !always)
      continue;
    for (bool columnMajorB : {false, true}) {
      // Where B lies along its columns, rows of 64 elements are loaded.
      if (columnMajorB != (n / 8 % 2 == 0) && !Setting::get().isFull())
        continue;
      Special schedule;
      schedule.n = n;
      schedule.k = 64;
      Problem problem = problemOf(schedule);
      problem.b.columnMajor = columnMajorB;
      problem.m = 70;
      problem.n = n + 8;
      problem.k = 72;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
    }
  }
}

TEST(TensorCoreTiles, OperandsThatChangePlaces) {
  for (int orders = 0; orders < 8; ++orders) {
    Special schedule;
    schedule.swap = true;
    schedule.n = 24;
    schedule.k = 64;
    Problem problem = problemOf(schedule);
    problem.setOrders(orders);
    problem.d.columnMajor = orders & 4;
    problem.m = 27;
    problem.n = 136;
    problem.k = 80;
    problem.setTensorPadding();
    ASSERT_TRUE(solveSpecial(problem));
  }
}

TEST(TensorCoreTiles, DepthsOfAStage) {
  for (Element element : {Element::F16, Element::F8E5M2})
    for (int64_t bytes : {32, 64, 128, 256}) {
      Special schedule;
      schedule.k = bytes / bytesOf(element);
      Problem problem = problemOf(schedule, element);
      problem.elementD = Element::F16;
      problem.b.columnMajor = true;
      problem.m = 65;
      problem.n = 24;
      problem.k = 5 * schedule.k / 2;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
    }
}

TEST(TensorCoreClusters, AlongBothSides) {
  for (auto [clusterM, clusterN] :
       {std::pair(2, 1), std::pair(1, 2), std::pair(4, 1), std::pair(1, 4),
        std::pair(2, 2), std::pair(4, 2)})
    for (int orders = 0; orders < 4; ++orders) {
      if (!Setting::get().isFull() && (orders + clusterM) % 2)
        continue;
      Special schedule = special(clusterM > clusterN ? Consumers::PingPong
                                                     : Consumers::Cooperative);
      schedule.clusterM = clusterM;
      schedule.clusterN = clusterN;
      schedule.n = 64;
      schedule.k = 64;
      schedule.stages = 3;
      Problem problem = problemOf(schedule);
      problem.setOrders(orders);
      // The last cluster has blocks that are outside as a whole.
      problem.m = schedule.m * (clusterM + 1) - 3;
      problem.n = schedule.n * (clusterN + 1) - 8;
      problem.k = 200;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
      problem.m = 1;
      problem.n = 1;
      problem.k = 8;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
    }
}

TEST(TensorCoreClusters, PartsOfK) {
  for (int split : {2, 4, 8})
    for (Element result : {Element::BF16, Element::F32})
      for (bool columnMajor : {false, true}) {
        Special schedule;
        schedule.split = split;
        schedule.n = 64;
        schedule.k = 64;
        Problem problem = problemOf(schedule);
        problem.elementD = result;
        problem.d.columnMajor = columnMajor;
        problem.hasC = true;
        problem.beta = 0.5;
        // From no block along K for most parts to several for each.
        for (int64_t k : {8, 64, 200, 64 * 2 * split + 8}) {
          problem.m = 70;
          problem.n = 72;
          problem.k = k;
          problem.setTensorPadding();
          ASSERT_TRUE(solveSpecial(problem));
        }
      }
}

TEST(TensorCoreTypes, EachCombination) {
  struct Types {
    Element a, b, d;
  };
  for (auto [a, b, d] : {Types{Element::F16, Element::F16, Element::F16},
                         {Element::F16, Element::F16, Element::F32},
                         {Element::BF16, Element::BF16, Element::BF16},
                         {Element::BF16, Element::BF16, Element::F32},
                         {Element::F8E4M3FN, Element::F8E4M3FN, Element::BF16},
                         {Element::F8E4M3FN, Element::F8E5M2, Element::F16},
                         {Element::F8E5M2, Element::F8E4M3FN, Element::F32},
                         {Element::F8E5M2, Element::F8E5M2, Element::BF16}}) {
    Special schedule = special(Consumers::Cooperative);
    schedule.n = 32;
    schedule.k = 0;
    Problem problem = problemOf(schedule, a);
    problem.elementB = b;
    problem.elementD = d;
    problem.b.columnMajor = true;
    problem.hasC = true;
    problem.alpha = -1.25;
    for (double beta : {0.0, 0.5}) {
      problem.beta = beta;
      for (auto [m, n, k] :
           {std::array<int64_t, 3>{1, 1, 1}, {129, 40, 144}, {131, 37, 200}}) {
        problem.m = m;
        problem.n = n;
        problem.k = k;
        problem.setTensorPadding();
        ASSERT_TRUE(solveSpecial(problem));
        // Odd pitches: copies, and for D and C one element at a time.
        problem.setPadding(true);
        ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/true));
      }
    }
  }
}

TEST(TensorCoreTypes, EightBitsInEachLayout) {
  // wgmma reads 8 bits along K only: the others are transposed on the way.
  for (int orders = 0; orders < 4; ++orders) {
    Special schedule;
    schedule.k = 0;
    schedule.n = 32;
    Problem problem = problemOf(schedule, Element::F8E4M3FN);
    problem.elementD = Element::BF16;
    problem.setOrders(orders);
    problem.m = 80;
    problem.n = 48;
    problem.k = 160;
    problem.setTensorPadding();
    ASSERT_TRUE(solveSpecial(problem, /*mayCopy=*/orders != 2));
  }
}

TEST(TensorCoreBatches, OneThreeAndMany) {
  for (Consumers consumers : kAllConsumers) {
    Special schedule = special(consumers);
    for (int64_t batch : {1, 3, 300}) {
      if (batch == 300 && consumers != Consumers::PingPong &&
          !Setting::get().isFull())
        continue;
      Problem problem = problemOf(schedule);
      problem.batch = batch;
      problem.m = problem.n = 16;
      problem.k = 8;
      problem.setTensorPadding();
      ASSERT_TRUE(solveSpecial(problem));
      problem.a.batchGap = 8;
      problem.b.batchGap = 16;
      problem.d.batchGap = 24;
      ASSERT_TRUE(solveSpecial(problem));
    }
  }
}

TEST(TensorCoreBatches, SharedOperands) {
  for (int shared = 0; shared < 8; ++shared) {
    Special schedule;
    schedule.k = 64;
    Problem problem = problemOf(schedule);
    problem.batch = 3;
    problem.m = 70;
    problem.n = 24;
    problem.k = 80;
    problem.hasC = true;
    problem.beta = -1;
    problem.a.shared = shared & 1;
    problem.b.shared = shared & 2;
    problem.c.shared = shared & 4;
    problem.setTensorPadding();
    ASSERT_TRUE(solveSpecial(problem));
  }
}

TEST(TensorCoreScalars, WhatIsNotRead) {
  for (Element result : {Element::BF16, Element::F32}) {
    Special schedule = special(Consumers::Cooperative);
    schedule.n = 32;
    schedule.k = 64;
    Problem problem = problemOf(schedule);
    problem.elementD = result;
    problem.hasC = true;
    problem.m = 150;
    problem.n = 37;
    problem.k = 100;
    problem.setTensorPadding();
    // S02: beta = 0 never reads C.
    for (Content content : {Content::NaN, Content::Inf, Content::Null})
      for (double beta : {0.0, -0.0}) {
        problem.c.content = content;
        problem.beta = beta;
        EXPECT_TRUE(solveSpecial(problem));
      }
    problem.c.content = Content::Random;
    problem.beta = 2;
    EXPECT_TRUE(solveSpecial(problem));
    // S06: alpha = 0 reads neither A nor B.
    for (Content content : {Content::NaN, Content::Null})
      for (double beta : {0.0, 0.5}) {
        problem.a.content = problem.b.content = content;
        problem.alpha = 0;
        problem.beta = beta;
        EXPECT_TRUE(solveSpecial(problem));
      }
    // S03: an empty sum.
    problem.alpha = 1;
    problem.k = 0;
    for (double beta : {0.0, 1.0, 2.0}) {
      problem.beta = beta;
      problem.c.content = beta == 0 ? Content::NaN : Content::Random;
      EXPECT_TRUE(solveSpecial(problem));
    }
  }
}

TEST(TensorCoreScalars, ResultInPlaceOfC) {
  Special schedule = special(Consumers::PingPong);
  schedule.n = 32;
  Problem problem = problemOf(schedule);
  problem.hasC = true;
  problem.beta = 0.5;
  problem.m = 150;
  problem.n = 40;
  problem.k = 48;
  problem.setTensorPadding();
  Outcome apart, together;
  ASSERT_TRUE(Setting::get(1).solve(problem, &apart));
  problem.inPlace = true;
  ASSERT_TRUE(Setting::get(1).solve(problem, &together));
  EXPECT_EQ(
      std::memcmp(apart.d->data(), together.d->data(), apart.d->getBytes()), 0);
}

// G16, T02: a tensor store clips at 16 bytes, which may not be what it does
// where a row of D ends between.
TEST(TensorCoreStores, RowsThatEndBetween16Bytes) {
  for (bool columnMajor : {false, true})
    for (int64_t extent = 49; extent <= 65; ++extent)
      for (int64_t blocks : {0, 1}) {
        Special schedule;
        schedule.n = 64;
        schedule.k = 64;
        Problem problem = problemOf(schedule, Element::F16);
        problem.d.columnMajor = columnMajor;
        problem.m = columnMajor ? extent : 64;
        problem.n = columnMajor ? 64 : extent;
        problem.k = 64;
        problem.setTensorPadding(blocks);
        ASSERT_TRUE(solveSpecial(problem));
      }
}
