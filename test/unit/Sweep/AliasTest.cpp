// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// D in the memory of other operands: exactly C is right, all else is refused.
#include "Setting.h"

#include <cstring>

using namespace tile::sweep;

TEST(Aliasing, InPlaceEqualsOutOfPlace) {
  for (Element element : {Element::F32, Element::F64})
    for (bool columns : {false, true})
      for (bool batched : {false, true})
        for (auto [m, n, k] : {std::array<int64_t, 3>{5, 7, 9},
                               {68, 132, 20},
                               {129, 65, 17},
                               {8, 8, 0}}) {
          Problem apart;
          apart.element = element;
          apart.m = m;
          apart.n = n;
          apart.k = k;
          if (batched)
            apart.batch = 3;
          apart.beta = 0.5;
          apart.c.columnMajor = apart.d.columnMajor = columns;
          apart.c.padding = apart.d.padding = n % 2 ? 3 : 0;
          Problem within = apart;
          within.inPlace = true;
          Outcome first, second;
          ASSERT_TRUE(solve(apart, &first));
          ASSERT_TRUE(solve(within, &second));
          ASSERT_EQ(first.d->getBytes(), second.d->getBytes());
          EXPECT_EQ(std::memcmp(first.d->data(), second.d->data(),
                                first.d->getBytes()),
                    0)
              << within.describe();
        }
}

namespace {

/// Operands inside one allocation, at positions in elements.
class Shared : public testing::Test {
protected:
  static constexpr int64_t kElements = 4096;

  void SetUp() override {
    TileRtDevice device = Setting::get().getDevice();
    buffer = Buffer(device, kElements * 4);
    ASSERT_TRUE(buffer);
    contents.resize(kElements);
    for (int64_t i = 0; i < kElements; ++i)
      contents[i] = 1.0f + static_cast<float>(i % 97) / 64;
    write();
    problem.m = 6;
    problem.n = 8;
    problem.k = 4;
    problem.beta = 1;
  }

  void write() {
    ASSERT_EQ(tileRtBufferWrite(buffer.get(), 0, contents.data(), kElements * 4,
                                nullptr),
              TILE_RT_SUCCESS);
  }

  /// Launches with the operands at these positions. Returns the error or "".
  std::string launch(int64_t a, int64_t b, int64_t c, int64_t d) {
    std::string error;
    TileRtModule module = Setting::get().load(programOf(problem), error);
    if (!module)
      return error;
    std::vector<TileRtArgument> arguments = argumentsOf(problem);
    int64_t positions[] = {a, b, c, d};
    for (int i = 0; i < 4; ++i)
      dataOf(arguments, static_cast<char>('A' + i)) =
          buffer.address() + positions[i] * 4;
    TileRtStatus status = tileRtLaunchEntry(module, "gemm", arguments.data(), 6,
                                            nullptr, nullptr, nullptr);
    if (status == TILE_RT_SUCCESS)
      return "";
    EXPECT_EQ(status, TILE_RT_INVALID_ARGUMENT);
    return tileRtGetLastError();
  }

  /// Expects a refusal that names D and `other`, and memory left alone.
  void expectRefused(char other, int64_t a, int64_t b, int64_t c, int64_t d) {
    std::string error = launch(a, b, c, d);
    EXPECT_NE(error.find("got D at "), std::string::npos) << error;
    EXPECT_NE(error.find(std::string("overlapping ") + other + " at "),
              std::string::npos)
        << error;
    std::vector<float> after(kElements);
    ASSERT_EQ(
        tileRtBufferRead(buffer.get(), 0, after.data(), kElements * 4, nullptr),
        TILE_RT_SUCCESS);
    EXPECT_EQ(after, contents);
  }

  /// Expects the result that the contents before the launch give.
  void expectSolved(int64_t a, int64_t b, int64_t c, int64_t d) {
    ASSERT_EQ(launch(a, b, c, d), "");
    std::vector<float> after(kElements);
    ASSERT_EQ(
        tileRtBufferRead(buffer.get(), 0, after.data(), kElements * 4, nullptr),
        TILE_RT_SUCCESS);
    Geometry ga = geometryOf(problem, 'A'), gb = geometryOf(problem, 'B'),
             gc = geometryOf(problem, 'C'), gd = geometryOf(problem, 'D');
    std::vector<float> want = contents;
    for (int64_t i = 0; i < problem.m; ++i)
      for (int64_t j = 0; j < problem.n; ++j) {
        float sum = 0;
        for (int64_t k = 0; k < problem.k; ++k)
          sum = __builtin_fmaf(contents[a + ga.at(0, i, k)],
                               contents[b + gb.at(0, k, j)], sum);
        want[d + gd.at(0, i, j)] =
            __builtin_fmaf(static_cast<float>(problem.beta),
                           contents[c + gc.at(0, i, j)], sum);
      }
    EXPECT_EQ(after, want);
  }

  Problem problem;
  Buffer buffer;
  std::vector<float> contents;
};

} // namespace

TEST_F(Shared, DOnA) { expectRefused('A', 0, 1000, 2000, 0); }
TEST_F(Shared, DOnBByOneElement) {
  // B has 4 x 8 elements from 1000 on; D begins at its last one.
  expectRefused('B', 0, 1000, 2000, 1031);
}
TEST_F(Shared, DEndsInA) { expectRefused('A', 1047, 3000, 2000, 1000); }
TEST_F(Shared, DOneElementPastC) { expectRefused('C', 0, 1000, 2000, 2001); }
TEST_F(Shared, DOneRowPastC) { expectRefused('C', 0, 1000, 2000, 2008); }

TEST_F(Shared, DIsCTransposed) {
  problem.n = 6;
  problem.c.columnMajor = true;
  expectRefused('C', 0, 1000, 2000, 2000);
}

TEST_F(Shared, DWithAnotherPitchThanC) {
  problem.d.padding = 1;
  expectRefused('C', 0, 1000, 2000, 2000);
}

TEST_F(Shared, DNextToOthersIsFine) {
  // A ends where D begins, B begins where D ends.
  expectSolved(1000 - 24, 1048, 2000, 1000);
}

TEST_F(Shared, InterleavedColumnsAreFine) {
  // The left and the right half of a matrix with 16 columns.
  problem.c.padding = problem.d.padding = 8;
  expectSolved(0, 1000, 2000, 2008);
}

TEST_F(Shared, InterleavedColumnsThatTouchAreRefused) {
  problem.c.padding = problem.d.padding = 7;
  expectRefused('C', 0, 1000, 2000, 2008);
}

TEST_F(Shared, EvenAndOddColumnsAreFine) {
  problem.typing = Typing::Dynamic;
  problem.c.strides = problem.d.strides = std::array<int64_t, 3>{0, 16, 2};
  expectSolved(0, 1000, 2000, 2001);
}

TEST_F(Shared, InputsMayShareMemory) {
  // A, B and C on top of one another.
  expectSolved(0, 3, 1, 1000);
}

TEST_F(Shared, DOnCThatIsNotReadIsFine) {
  problem.beta = 0;
  expectSolved(0, 1000, 2000, 2001);
}

TEST_F(Shared, DOnAThatIsNotReadIsFine) {
  problem.alpha = 0;
  std::string error = launch(0, 1000, 2000, 1);
  EXPECT_EQ(error, "");
}

TEST_F(Shared, DOnItselfIsRefused) {
  problem.typing = Typing::Dynamic;
  problem.d.strides = {0, 1, 1};
  std::string error = launch(0, 1000, 2000, 3000);
  EXPECT_NE(
      error.find("expected the elements of D to have different addresses"),
      std::string::npos)
      << error;
}
