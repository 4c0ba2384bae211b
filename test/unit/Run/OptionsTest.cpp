// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line: what is understood, and what is said of what is not.
#include "Options.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace tile;

static Result<RunOptions> parse(std::vector<const char *> arguments) {
  return parseOptions(arguments);
}

static std::string reasonOf(std::vector<const char *> arguments) {
  return parse(std::move(arguments)).getReason();
}

TEST(Options, BothSpellingsOfAValue) {
  Result<RunOptions> options =
      parse({"--random=1,2,3", "f.mlir", "--out", "d.npy", "--alpha", "-1.5",
             "--check", "--time", "--seed=7"});
  ASSERT_TRUE(options.succeeded()) << options.getReason();
  EXPECT_EQ(options->file, "f.mlir");
  EXPECT_EQ(options->random->n, 2);
  EXPECT_FALSE(options->random->batch);
  EXPECT_EQ(options->outputs, std::vector<std::string>{"d.npy"});
  EXPECT_EQ(options->scalars[0].value, -1.5);
  EXPECT_TRUE(options->check && options->time);
  EXPECT_EQ(options->repetitions, 0);
  EXPECT_EQ(options->seed, 7u);
}

TEST(Options, NamedValues) {
  Result<RunOptions> options = parse(
      {"f.mlir", "--random=1,2,3,4", "--pitch=A=3", "--pitch=5", "--offset=2=1",
       "--fill=C=nan", "--fill=A=null", "--scalar=4=-inf", "--time=20"});
  ASSERT_TRUE(options.succeeded()) << options.getReason();
  EXPECT_EQ(*options->random->batch, 4);
  EXPECT_EQ(options->pitches[0].name, "A");
  EXPECT_EQ(options->pitches[1].name, "");
  EXPECT_EQ(options->pitches[1].value, 5);
  EXPECT_EQ(options->offsets[0].name, "2");
  EXPECT_TRUE(std::isnan(*options->fills[0].value));
  EXPECT_FALSE(options->fills[1].value);
  EXPECT_EQ(options->scalars[0].value, -INFINITY);
  EXPECT_EQ(options->repetitions, 20);
}

TEST(Options, ANumberBehindTimeIsItsValue) {
  for (std::vector<const char *> arguments :
       {std::vector<const char *>{"f.mlir", "--random=1,2,3", "--time", "5"},
        {"--time", "5", "f.mlir", "--random=1,2,3"}}) {
    Result<RunOptions> options = parse(arguments);
    ASSERT_TRUE(options.succeeded()) << options.getReason();
    EXPECT_EQ(options->repetitions, 5);
    EXPECT_EQ(options->file, "f.mlir");
  }
}

TEST(Options, StandardStreamsServeOnePurpose) {
  EXPECT_TRUE(
      parse({"f.mlir", "--arg=-", "--out=-", "--json=r.json"}).succeeded());
  EXPECT_EQ(parse({"f.mlir", "--random=1,2,3", "--json"})->json, "-");
  EXPECT_EQ(reasonOf({"-", "--arg=-"}),
            "expected - once among the file, --arg and --expected, but got it "
            "several times: there is one standard input");
  for (const char *other : {"--out=-", "--save-artifact=-", "--print-ptx"})
    EXPECT_EQ(reasonOf({"f.mlir", "--random=1,2,3", "--json", other}),
              "expected one of --out=-, --save-artifact=-, --json and "
              "--print-ptx for standard output, but got several");
}

TEST(Options, ExpectedComparesWithoutCheck) {
  Result<RunOptions> options =
      parse({"f.mlir", "--random=1,2,3", "--expected", "d.npy"});
  ASSERT_TRUE(options.succeeded()) << options.getReason();
  EXPECT_TRUE(options->compares());
  EXPECT_FALSE(options->check);
  EXPECT_TRUE(parse({"f.mlir", "--print-ptx", "--expected=d.npy"}).failed());
}

TEST(Options, CompilingNeedsNoInputs) {
  EXPECT_TRUE(parse({"f.mlir", "--print-ptx"}).succeeded());
  EXPECT_TRUE(parse({"f.mlir", "--save-artifact=f.tile"}).succeeded());
  EXPECT_TRUE(parse({"--help"}).succeeded());
  EXPECT_TRUE(parse({"--", "--odd-name.mlir"}).failed());
}

TEST(Options, Mistakes) {
  EXPECT_EQ(
      reasonOf({}),
      "expected a .mlir or artifact file, but got none; --help says more");
  EXPECT_EQ(reasonOf({"f.mlir", "--chek"}),
            "unknown option --chek; did you mean --check?");
  EXPECT_EQ(reasonOf({"f.mlir", "--utterly-unknown"}),
            "unknown option --utterly-unknown; --help lists the options");
  EXPECT_EQ(reasonOf({"f.mlir", "--out"}),
            "--out: expected a value (D.npy), but got none");
  EXPECT_EQ(reasonOf({"f.mlir", "--out", "--check"}),
            "--out: expected a value (D.npy), but got none");
  EXPECT_EQ(reasonOf({"f.mlir", "--out="}),
            "--out: expected a value, but got none");
  EXPECT_EQ(reasonOf({"f.mlir", "--check=yes"}),
            "--check: expected no value, but got 'yes'");
  EXPECT_EQ(reasonOf({"f.mlir", "--random=1,2"}),
            "--random: expected M,N,K or M,N,K,batch or types, but got '1,2'");
  EXPECT_EQ(reasonOf({"f.mlir", "--random=1,-2,3"}),
            "--random: expected an integer from 0 to 281474976710656, but got "
            "'-2'");
  EXPECT_EQ(reasonOf({"f.mlir", "--random=400000000000000,8,8"}),
            "--random: expected an integer from 0 to 281474976710656, but got "
            "'400000000000000'");
  EXPECT_EQ(reasonOf({"f.mlir", "--pitch=A=x"}),
            "--pitch: expected an integer from 0 to 281474976710656, but got "
            "'x'");
  EXPECT_EQ(reasonOf({"f.mlir", "--seed=-1"}),
            "--seed: expected an integer from 0 to 18446744073709551615, but "
            "got '-1'");
  EXPECT_EQ(reasonOf({"f.mlir", "--alpha=one"}),
            "--alpha: expected a number, but got 'one'");
  EXPECT_EQ(reasonOf({"f.mlir", "--alpha="}),
            "--alpha: expected a number, but got ''");
  EXPECT_EQ(reasonOf({"f.mlir", "--time=0"}),
            "--time: expected an integer from 1 to 1000000, but got '0'");
  EXPECT_EQ(reasonOf({"f.mlir", "--time="}),
            "--time: expected a value (N) after =, but got none");
  EXPECT_EQ(reasonOf({"f.mlir", "--fill=nan"}),
            "--fill: expected OPERAND=VALUE, but got 'nan'");
  EXPECT_EQ(reasonOf({"a.mlir", "b.mlir"}),
            "expected one file, but got 'a.mlir' and 'b.mlir'");
  EXPECT_EQ(reasonOf({"f.mlir", "--random=1,2,3", "--arg=a.npy"}),
            "expected either --arg or --random, but got both");
  EXPECT_EQ(
      reasonOf({"f.mlir", "--check", "--print-ptx"}),
      "expected the inputs, as --arg A.npy for each or --random=M,N,K, but "
      "got none");
}

TEST(Options, HelpFitsATerminal) {
  llvm::SmallVector<llvm::StringRef, 64> lines;
  std::string text = getHelpText();
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    EXPECT_LE(line.size(), 80u) << line.str();
}
