// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of launch facts, its page in the documentation, and nearest names.
#include "tile/Facts/LaunchFacts.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace tile;

// The page is for people; that it says what the code says is for this test.
TEST(LaunchFacts, ThePageHasTheTableOfTheCode) {
  std::ifstream file(std::string(TILE_TEST_DIR) + "/../docs/LaunchFacts.md");
  std::string page{std::istreambuf_iterator<char>(file), {}};
  std::string end = "<!-- end of the table -->";
  size_t begin = page.find("| field | value | where |");
  size_t until = page.find(end);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(until, std::string::npos);
  EXPECT_EQ(page.substr(begin, until - begin), formatFieldTable());
}

TEST(LaunchFacts, EveryFieldHasAKeyOfItsOwnAndASummary) {
  std::vector<std::string> keys = listKeys<LaunchFacts>(/*inManifest=*/true);
  EXPECT_EQ(keys.size(), 15u);
  LaunchFacts facts;
  LaunchFacts::forEachField(facts, [&](const FactField &field, auto &,
                                       const auto &) {
    EXPECT_NE(std::string(field.summary), "") << field.key;
    EXPECT_EQ(std::count(keys.begin(), keys.end(), field.key), 1) << field.key;
  });
}

TEST(LaunchFacts, NearestNames) {
  std::vector<std::string> keys = {"requires", "alignment", "grid"};
  EXPECT_EQ(findNearest("requirez", keys), "requires");
  EXPECT_EQ(findNearest("Grid", keys), "grid");
  EXPECT_EQ(findNearest("align", keys), "alignment");
  EXPECT_EQ(findNearest("gird", keys), "grid");
  EXPECT_EQ(findNearest("x", keys), "");
  EXPECT_EQ(findNearest("", keys), "");
  EXPECT_EQ(findNearest(std::string(1 << 20, 'a'), keys), "");
}

TEST(LaunchFacts, ParametersReadAsTheyAreWritten) {
  for (const char *name :
       {"A.data", "X.extent[1]", "D.stride[0]", "B.batch_stride",
        "C.tensor_map", "C.tensor_map_legal", "X.packed", "X.packed_stride",
        "X.packed_batch_stride", "M", "N", "K", "batch", "alpha", "beta"}) {
    std::optional<KernelParameter> parameter = KernelParameter::parse(name);
    ASSERT_TRUE(parameter) << name;
    EXPECT_EQ(parameter->str(), name);
  }
  for (const char *name : {"", "A", "L", "A.", "A.stride", "A.stride[2]",
                           "A.stride[0", "A.data[0]", "A.dat", "gamma"})
    EXPECT_FALSE(KernelParameter::parse(name)) << name;
}

// One pair of facts that differ in each field are different.
TEST(LaunchFacts, TextTellsThemApart) {
  LaunchFacts facts, other;
  EXPECT_TRUE(facts == other);
  EXPECT_EQ(formatFacts(facts), "");
  other.grid.emplace().tile = {64, 32};
  EXPECT_FALSE(facts == other);
  EXPECT_EQ(formatFacts(other), "grid = {tile = [64, 32]}");
  other.cost.emplace().k = 0.1;
  EXPECT_EQ(formatFacts(other),
            "grid = {tile = [64, 32]}, cost = {k_ns = 0.1}");
}
