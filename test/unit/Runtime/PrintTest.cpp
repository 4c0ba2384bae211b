// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels print on the simulator: conversions of printf, 8 bytes each.
#include "Print.h"

#include "gtest/gtest.h"

#include <cstring>
#include <limits>

using namespace tile::rt;

namespace {
/// Arguments as a kernel packs them.
struct Arguments {
  char bytes[64] = {};
  size_t used = 0;

  template <typename T>
  Arguments &add(T value) {
    static_assert(sizeof(T) == 8);
    std::memcpy(bytes + used, &value, 8);
    used += 8;
    return *this;
  }
};

std::string printed(const char *format, const Arguments &arguments,
                    int32_t count) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(print(format, arguments.bytes), count) << format;
  return ::testing::internal::GetCapturedStdout();
}
} // namespace

TEST(SimPrint, Integers) {
  Arguments arguments;
  arguments.add(int64_t(-5)).add(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(printed("%lld, %lld\n", arguments, 2),
            "-5, -9223372036854775808\n");
  EXPECT_EQ(printed("%d|%ld", arguments, 2), "-5|-9223372036854775808");
  EXPECT_EQ(
      printed("%6d|%-6lld|", Arguments().add(int64_t(42)).add(int64_t(7)), 2),
      "    42|7     |");
  EXPECT_EQ(
      printed("%llx %llu", Arguments().add(int64_t(-1)).add(int64_t(-1)), 2),
      "ffffffffffffffff 18446744073709551615");
}

TEST(SimPrint, Floats) {
  Arguments arguments;
  arguments.add(-0.15).add(1e300).add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(printed("%g %g %g", arguments, 3), "-0.15 1e+300 inf");
  EXPECT_EQ(printed("%.3f", arguments, 1), "-0.150");
  // Longer than a line, but within bounds.
  EXPECT_EQ(printed("%.1f", Arguments().add(1e300), 1).size(), 303u);
}

TEST(SimPrint, TextAndWhatIsNoConversion) {
  EXPECT_EQ(printed("100%% of it", Arguments(), 0), "100% of it");
  EXPECT_EQ(printed("%q %", Arguments(), 0), "%q %");
  EXPECT_EQ(printed("", Arguments(), 0), "");
}
