// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stopwatch against a driver whose clock the test sets.
#include "Measure.h"

#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace tile::bench;

namespace {
/// What the doubles of the driver's functions share. A launch of contestant i
/// on set s is logged as (i, s) and takes i + 1 milliseconds.
struct Fake {
  double clock = 0;
  bool capturing = false;
  int graphs = 0, captures = 0;
  std::vector<std::pair<int, int>> captured;
  std::map<uintptr_t, std::vector<std::pair<int, int>>> executables;
  std::map<CuEvent, double> events;
  /// The contestant of each batch that ran, in order.
  std::vector<int> batches;
};
} // namespace

static Fake *fake;

/// The stopwatch's driver: as much of it as it calls.
static void installFake(CudaApi &cuda) {
  cuda.GetErrorName = [](CuResult, const char **s) { return *s = "NAME", 0; };
  cuda.GetErrorString = [](CuResult, const char **s) { return *s = "text", 0; };
  cuda.MemsetD8Async = [](CuAddress, unsigned char, size_t, CuStream) {
    return fake->clock += 1000, 0;
  };
  cuda.EventCreate = [](CuEvent *event, unsigned) {
    static uintptr_t next = 1;
    return *event = reinterpret_cast<CuEvent>(next++), 0;
  };
  cuda.EventDestroy = [](CuEvent) { return 0; };
  cuda.EventRecord = [](CuEvent event, CuStream) {
    return fake->events[event] = fake->clock, 0;
  };
  cuda.EventSynchronize = [](CuEvent) { return 0; };
  cuda.EventElapsedTime = [](float *time, CuEvent start, CuEvent stop) {
    *time = static_cast<float>(fake->events[stop] - fake->events[start]);
    return 0;
  };
  cuda.StreamBeginCapture = [](CuStream, int) {
    fake->captured.clear();
    ++fake->captures;
    return fake->capturing = true, 0;
  };
  cuda.StreamEndCapture = [](CuStream, CuGraph *graph) {
    *graph = reinterpret_cast<CuGraph>(uintptr_t(1));
    return fake->capturing = false, 0;
  };
  cuda.GraphInstantiate = [](CuGraphExec *exec, CuGraph, unsigned long long) {
    uintptr_t name = 100 + fake->executables.size();
    fake->executables[name] = fake->captured;
    ++fake->graphs;
    return *exec = reinterpret_cast<CuGraphExec>(name), 0;
  };
  cuda.GraphUpload = [](CuGraphExec, CuStream) { return 0; };
  cuda.GraphDestroy = [](CuGraph) { return 0; };
  cuda.GraphExecDestroy = [](CuGraphExec) { return --fake->graphs, 0; };
  cuda.GraphLaunch = [](CuGraphExec exec, CuStream) {
    const auto &nodes = fake->executables[reinterpret_cast<uintptr_t>(exec)];
    for (auto [contestant, set] : nodes)
      fake->clock += contestant + 1;
    fake->batches.push_back(nodes.front().first);
    return 0;
  };
}

namespace {
class MeasureTest : public testing::Test {
protected:
  MeasureTest() : stopwatch(cuda, Regime::Hot, Submission::Graph, 0, 1) {
    fake = &state;
    installFake(cuda);
    stopwatch.open();
    for (int i = 0; i < 3; ++i)
      contestants[i].launch = [i](int set) -> std::optional<std::string> {
        if (fake->capturing)
          fake->captured.push_back({i, set});
        else
          fake->clock += i + 1;
        return std::nullopt;
      };
  }
  void prepareAll(int sets, double milliseconds, int least) {
    for (Contestant &contestant : contestants)
      stopwatch.prepare(contestant, sets, milliseconds, least);
  }

  Fake state;
  CudaApi cuda;
  Stopwatch stopwatch;
  Contestant contestants[3];
};
} // namespace

TEST_F(MeasureTest, BatchesHaveTheTimeAskedForAndWholeTurns) {
  prepareAll(/*sets=*/4, /*milliseconds=*/10, /*least=*/3);
  EXPECT_EQ(contestants[0].launches, 12); // 10 of 1 ms, up to a multiple of 4
  EXPECT_EQ(contestants[1].launches, 8);  // 5 of 2 ms
  EXPECT_EQ(contestants[2].launches, 4);  // 4 of 3 ms
  for (auto &[name, nodes] : state.executables)
    for (size_t i = 0; i < nodes.size(); ++i)
      EXPECT_EQ(nodes[i].second, static_cast<int>(i % 4));
}

TEST_F(MeasureTest, ManySetsDoNotMakeALongBatchLonger) {
  prepareAll(/*sets=*/100, /*milliseconds=*/10, /*least=*/3);
  EXPECT_EQ(contestants[0].launches, 10);
}

TEST_F(MeasureTest, AtLeastSoManyLaunches) {
  prepareAll(/*sets=*/1, /*milliseconds=*/0.5, /*least=*/3);
  for (const Contestant &contestant : contestants)
    EXPECT_EQ(contestant.launches, 3);
}

TEST_F(MeasureTest, RoundsTimeEachOnceInNewOrders) {
  prepareAll(2, 10, 3);
  stopwatch.runRounds({&contestants[0], &contestants[1], &contestants[2]}, 20,
                      3, 1000);
  std::set<std::vector<int>> orders;
  ASSERT_EQ(state.batches.size(), 60u);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> order(state.batches.begin() + 3 * round,
                           state.batches.begin() + 3 * round + 3);
    orders.insert(order);
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 3u);
  }
  EXPECT_GT(orders.size(), 3u);
  // Microseconds of one launch; the memory that was written before a batch does
  // not count.
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(contestants[i].samples.size(), 20u);
    for (double sample : contestants[i].samples)
      EXPECT_NEAR(sample, 1000.0 * (i + 1), 0.1);
  }
}

TEST_F(MeasureTest, StopsWhenTheTimeIsOver) {
  prepareAll(2, 10, 3);
  stopwatch.runRounds({&contestants[0]}, 1000, 3, 0);
  EXPECT_EQ(contestants[0].samples.size(), 3u);
}

TEST_F(MeasureTest, FailureInCaptureEndsTheCapture) {
  contestants[1].launch = [](int) -> std::optional<std::string> {
    if (fake->capturing)
      return "refused";
    return fake->clock += 1, std::nullopt;
  };
  prepareAll(2, 10, 3);
  EXPECT_EQ(contestants[1].failure, "refused");
  EXPECT_FALSE(state.capturing);
  // The others are not disturbed, and the failed one is left out.
  stopwatch.runRounds({&contestants[0], &contestants[1], &contestants[2]}, 4, 3,
                      1000);
  EXPECT_EQ(contestants[0].samples.size(), 4u);
  EXPECT_EQ(contestants[1].samples.size(), 0u);
  EXPECT_EQ(contestants[2].samples.size(), 4u);
}

TEST_F(MeasureTest, FailureOfTheDriverIsASentence) {
  cuda.GraphLaunch = [](CuGraphExec, CuStream) { return 700; };
  prepareAll(2, 10, 3);
  stopwatch.runRounds({&contestants[0]}, 4, 3, 1000);
  EXPECT_EQ(contestants[0].failure, "cuGraphLaunch failed: text (NAME)");
  EXPECT_TRUE(contestants[0].samples.empty());
}

TEST_F(MeasureTest, ReleaseFreesEveryGraph) {
  prepareAll(2, 10, 3);
  EXPECT_EQ(state.graphs, 3);
  stopwatch.prepare(contestants[0], 2, 10, 3);
  EXPECT_EQ(state.graphs, 3);
  for (Contestant &contestant : contestants)
    stopwatch.release(contestant);
  EXPECT_EQ(state.graphs, 0);
}

TEST_F(MeasureTest, AStreamIsLaunchedIntoOneByOne) {
  Stopwatch stream(cuda, Regime::Hot, Submission::Stream, 0, 1);
  ASSERT_EQ(stream.open(), std::nullopt);
  stream.prepare(contestants[1], /*sets=*/4, /*milliseconds=*/10, /*least=*/3);
  stream.prepare(contestants[0], /*sets=*/1, /*milliseconds=*/1e6, 3);
  EXPECT_EQ(state.captures, 0);
  EXPECT_EQ(contestants[1].launches, 8);
  EXPECT_EQ(contestants[0].launches, 128) << "more would hold the host up";
  std::vector<int> sets;
  contestants[1].launch = [&](int set) -> std::optional<std::string> {
    sets.push_back(set);
    return fake->clock += 2, std::nullopt;
  };
  stream.runRounds({&contestants[1]}, 2, 2, 1000);
  EXPECT_EQ(sets, (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2,
                                    3}));
  ASSERT_EQ(contestants[1].samples.size(), 2u);
  ASSERT_EQ(contestants[1].hostSamples.size(), 2u);
  for (double sample : contestants[1].samples)
    EXPECT_NEAR(sample, 2000, 0.1);
}

TEST_F(MeasureTest, AGraphHasNoHostTimeOfALaunch) {
  prepareAll(2, 10, 3);
  stopwatch.runRounds({&contestants[0]}, 3, 3, 1000);
  EXPECT_EQ(contestants[0].samples.size(), 3u);
  EXPECT_TRUE(contestants[0].hostSamples.empty());
}

TEST_F(MeasureTest, WhatStandsInFrontIsSubtracted) {
  Contestant contestant;
  contestant.samples = {10, 12};
  contestant.hostSamples = {5, 6};
  subtractFromSamples(contestant, 3, 2);
  EXPECT_EQ(contestant.samples, (std::vector<double>{7, 9}));
  EXPECT_EQ(contestant.hostSamples, (std::vector<double>{3, 4}));
}
