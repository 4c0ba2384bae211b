// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with more than one problem.
#include "Setting.h"

using namespace tile::sweep;

TEST(Programs, SeveralEntriesOfOneModule) {
  // Types, operands and schedules differ: no kernel may be taken for another.
  Problem first;
  first.m = 37;
  first.n = 21;
  first.k = 19;
  first.alpha = 1.5;
  first.beta = 0.5;
  std::vector<Problem> problems(5, first);
  problems[1].hasC = false;
  problems[2].element = Element::F64;
  problems[3].batch = 2;
  problems[4].a.columnMajor = true;
  std::string text, error;
  for (size_t i = 0; i < problems.size(); ++i) {
    problems[i].entry = "gemm" + std::to_string(i);
    text += programOf(problems[i]);
  }
  TileRtModule module = Setting::get().load(text, error);
  ASSERT_TRUE(module) << error;
  for (const Problem &problem : problems)
    EXPECT_TRUE(Setting::get().solve(problem, nullptr, module));
}

TEST(Programs, TwoStepsOfOneEntry) {
  // E = A * B, then D = E * B: the second step reads what the first one wrote.
  const char *text = R"(
    !mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
    func.func @chain(%A: !mat, %B: !mat, %E: !mat, %D: !mat) {
      tile.gemm ins(%A, %B : !mat, !mat) outs(%E : !mat)
      tile.gemm ins(%E, %B : !mat, !mat) outs(%D : !mat)
      return
    }
  )";
  std::string error;
  TileRtModule module = Setting::get().load(text, error);
  ASSERT_TRUE(module) << error;
  static constexpr int64_t n = 20;
  std::vector<float> contents(4 * n * n);
  Random random(7);
  for (float &number : contents)
    number = static_cast<float>(random.number());
  Buffer buffer(Setting::get().getDevice(), contents.size() * 4);
  ASSERT_TRUE(buffer);
  ASSERT_EQ(tileRtBufferWrite(buffer.get(), 0, contents.data(),
                              contents.size() * 4, nullptr),
            TILE_RT_SUCCESS);
  std::vector<TileRtArgument> arguments(4);
  for (int i = 0; i < 4; ++i) {
    arguments[i].kind = TILE_RT_TENSOR;
    arguments[i].as.tensor = {
        buffer.address() + i * n * n * 4, TILE_RT_F32, 2, {n, n, 0}, {n, 1, 0}};
  }
  ASSERT_EQ(tileRtLaunchEntry(module, "chain", arguments.data(), 4, nullptr,
                              nullptr, nullptr),
            TILE_RT_SUCCESS)
      << tileRtGetLastError();
  std::vector<float> want = contents;
  for (int step = 0; step < 2; ++step)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t k = 0; k < n; ++k)
          sum = __builtin_fmaf(want[(step ? 2 : 0) * n * n + i * n + k],
                               want[n * n + k * n + j], sum);
        want[(2 + step) * n * n + i * n + j] = sum;
      }
  ASSERT_EQ(tileRtBufferRead(buffer.get(), 0, contents.data(),
                             contents.size() * 4, nullptr),
            TILE_RT_SUCCESS);
  EXPECT_EQ(contents, want);
}
