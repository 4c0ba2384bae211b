// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line.
#include "Options.h"

#include "gtest/gtest.h"

using namespace tile;
using namespace tile::bench;

static std::string reasonOf(std::vector<const char *> arguments) {
  Result<Options> options = parseOptions(arguments);
  return options ? "parsed" : options.getReason();
}

TEST(OptionsTest, Defaults) {
  Result<Options> options = parseOptions({"--point=f32,1,2,3"});
  ASSERT_TRUE(options) << options.getReason();
  EXPECT_EQ(options->points.size(), 1u);
  EXPECT_EQ(options->device, "cuda");
  EXPECT_EQ(options->rounds, 11);
  EXPECT_TRUE(options->cublas);
  EXPECT_TRUE(options->regime == Regime::Hot);
  EXPECT_TRUE(options->context == Context::Chain);
  EXPECT_TRUE(options->submission == Submission::Graph);
}

TEST(OptionsTest, ValuesWithAndWithoutEquals) {
  Result<Options> options = parseOptions(
      {"--point", "f32,1,2,3", "--rounds", "5", "--regime=burst", "--no-cublas",
       "--schedules=#tile.simt<tile = [1, 2, 3]>", "--schedules=default",
       "--json=a.json", "--device=cuda:1", "--seconds=3"});
  ASSERT_TRUE(options) << options.getReason();
  EXPECT_EQ(options->rounds, 5);
  EXPECT_TRUE(options->regime == Regime::Burst);
  EXPECT_FALSE(options->cublas);
  ASSERT_EQ(options->schedules.size(), 2u);
  EXPECT_EQ(options->schedules[0], "#tile.simt<tile = [1, 2, 3]>");
  EXPECT_EQ(options->json, "a.json");
  EXPECT_EQ(options->device, "cuda:1");
  EXPECT_DOUBLE_EQ(options->seconds, 3);
}

TEST(OptionsTest, RefusesTheSimulatorByName) {
  EXPECT_EQ(reasonOf({"--device=sim"}),
            "--device: the simulator's times mean nothing: expected a CUDA "
            "device, but got 'sim'");
}

TEST(OptionsTest, ReasonsNameTheOption) {
  EXPECT_EQ(reasonOf({}), "expected points to measure (--suite=FILE or "
                          "--point=f32,4096,4096,4096), but got none");
  EXPECT_EQ(reasonOf({"--frobnicate"}), "expected an option of tile-bench, but "
                                        "got '--frobnicate'; see --help");
  EXPECT_EQ(reasonOf({"suite"}),
            "expected an option, but got 'suite'; see --help");
  EXPECT_EQ(reasonOf({"--rounds"}),
            "--rounds: expected a value, but got nothing");
  EXPECT_EQ(reasonOf({"--rounds=0"}),
            "--rounds: expected a number from 1 to 10000, but got '0'");
  EXPECT_EQ(reasonOf({"--regime=cold"}),
            "--regime: expected hot or burst, but got 'cold'");
  EXPECT_EQ(reasonOf({"--context=front"}),
            "--context: expected chain, behind or elementwise, but got "
            "'front'");
  EXPECT_EQ(reasonOf({"--launch=queue"}),
            "--launch: expected graph or stream, but got 'queue'");
  EXPECT_EQ(reasonOf({"--programmatic=no"}),
            "--programmatic: expected where-it-gains, never or always, but got "
            "'no'");
  EXPECT_EQ(reasonOf({"--device=gpu"}),
            "--device: expected cuda or cuda:N, but got 'gpu'");
  EXPECT_EQ(reasonOf({"--json="}), "--json: expected a path, but got nothing");
  EXPECT_EQ(reasonOf({"--suite=/no/such/file"}),
            "--suite: cannot read /no/such/file: No such file or directory");
  EXPECT_EQ(reasonOf({"--point=f32,1"}),
            "--point: expected a type and the extents M, N and K, but got 2 of "
            "these 4");
}

TEST(OptionsTest, ContextAndSubmission) {
  Result<Options> options = parseOptions(
      {"--point=f32,1,2,3", "--context=elementwise", "--launch=stream"});
  ASSERT_TRUE(options) << options.getReason();
  EXPECT_TRUE(options->context == Context::Elementwise);
  EXPECT_TRUE(options->submission == Submission::Stream);
  options = parseOptions({"--point=f32,1,2,3", "--context", "behind"});
  ASSERT_TRUE(options) << options.getReason();
  EXPECT_TRUE(options->context == Context::Behind);
}

TEST(OptionsTest, HelpNeedsNoPoints) {
  Result<Options> options = parseOptions({"--help"});
  ASSERT_TRUE(options) << options.getReason();
  EXPECT_TRUE(options->help);
}

TEST(OptionsTest, HelpNamesEveryOption) {
  for (const char *name :
       {"suite",      "point",     "schedules", "device",    "regime",
        "rounds",     "seconds",   "budget",    "quick",     "class",
        "algorithms", "finalists", "jobs",      "json",      "csv",
        "svg",        "cublaslt",  "chip",      "no-cublas", "tuning-table",
        "cubin",      "dynamic",   "context",   "launch",
        "programmatic"})
    EXPECT_NE(getHelpText().find(std::string("--") + name), std::string::npos)
        << name;
}

TEST(OptionsTest, ClassesChoosePoints) {
  Result<Options> options = parseOptions(
      {"--point=f32,1,2,3,@a", "--point=f32,4,{5,6},7,@b", "--class=c,b"});
  ASSERT_TRUE(options) << options.getReason();
  ASSERT_EQ(options->points.size(), 2u);
  EXPECT_EQ(options->points[0].n, 5);
  EXPECT_EQ(options->points[1].n, 6);
  EXPECT_EQ(reasonOf({"--point=f32,1,2,3,@a", "--class=b"}),
            "--class: expected a class that some point is in, but got 'b'");
}

TEST(OptionsTest, QuickLowersTheEffort) {
  Result<Options> options = parseOptions({"--point=f32,1,2,3", "--quick"});
  ASSERT_TRUE(options);
  Effort quick = getEffort(*options);
  EXPECT_EQ(quick.rounds, 5);
  EXPECT_FALSE(quick.checkAll);
  options->rounds = 3;
  EXPECT_EQ(getEffort(*options).rounds, 3);
  options->quick = false;
  EXPECT_GT(getEffort(*options).finalBatch, quick.finalBatch);
}

TEST(OptionsTest, EachToolHasItsOptions) {
  Result<Options> options = parseOptions(
      {"--point=f32,1,2,3", "--table=a.jsonl", "--again", "--candidates=5"},
      Tool::Tune);
  ASSERT_TRUE(options) << options.getReason();
  EXPECT_EQ(options->table, "a.jsonl");
  EXPECT_TRUE(options->again);
  EXPECT_EQ(options->candidates, 5);
  EXPECT_EQ(reasonOf({"--point=f32,1,2,3", "--again"}),
            "expected an option of tile-bench, but got '--again'; see --help");
  EXPECT_EQ(parseOptions({"--json=x"}, Tool::Tune).getReason(),
            "expected an option of tile-tune, but got '--json=x'; see --help");
  for (const char *name :
       {"suite", "point", "class", "table", "again", "candidates", "schedules",
        "device", "chip", "cubin", "jobs", "regime", "rounds", "seconds",
        "finalists", "quick", "context", "launch", "programmatic"})
    EXPECT_NE(getHelpText(Tool::Tune).find(std::string("--") + name),
              std::string::npos)
        << name;
}
