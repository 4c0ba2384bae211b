// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets of 2^31 elements and more, in allocations of which little is touched.
#include "Setting.h"

#include <cmath>
#include <limits>

using namespace tile::sweep;

namespace {

/// Few elements far apart: written and read one by one.
class Sparse {
public:
  /// A canary on either side of each element of D.
  static constexpr float canary = -12345.5f;

  explicit Sparse(const Problem &problem) : problem(problem) {}

  /// Runs the problem. Returns "" or what is wrong.
  std::string run() {
    std::string error;
    TileRtModule module = Setting::get().load(programOf(problem), error);
    if (!module)
      return error;
    std::vector<TileRtArgument> arguments = argumentsOf(problem);
    for (char name : {'A', 'B', 'C', 'D'}) {
      error = place(name, arguments);
      if (!error.empty())
        return error;
    }
    if (tileRtLaunchEntry(module, "gemm", arguments.data(),
                          static_cast<int32_t>(arguments.size()), nullptr,
                          nullptr, nullptr) != TILE_RT_SUCCESS)
      return tileRtGetLastError();
    return check();
  }

private:
  using Values = std::vector<float>;

  float &value(char name, int64_t b, int64_t i, int64_t j) {
    Geometry geometry = geometryOf(problem, name);
    return values[name - 'A']
                 [(b * geometry.extents[1] + i) * geometry.extents[2] + j];
  }

  template <typename Action>
  static void forEach(const Geometry &geometry, Action action) {
    for (int64_t b = 0; b < geometry.extents[0]; ++b)
      for (int64_t i = 0; i < geometry.extents[1]; ++i)
        for (int64_t j = 0; j < geometry.extents[2]; ++j)
          action(b, i, j);
  }

  bool write(char name, int64_t position, float number) {
    return tileRtBufferWrite(buffers[name - 'A'].get(), position * 4, &number,
                             4, nullptr) == TILE_RT_SUCCESS;
  }

  float read(int64_t position) {
    float number = std::numeric_limits<float>::quiet_NaN();
    if (tileRtBufferRead(buffers[3].get(), position * 4, &number, 4, nullptr) !=
        TILE_RT_SUCCESS)
      ADD_FAILURE() << tileRtGetLastError();
    return number;
  }

  std::string place(char name, std::vector<TileRtArgument> &arguments) {
    Geometry geometry = geometryOf(problem, name);
    Buffer &buffer = buffers[name - 'A'];
    buffer = Buffer(Setting::get().getDevice(),
                    (geometry.high + 1 + 2 * Image::guard) * 4);
    if (!buffer)
      return tileRtGetLastError();
    dataOf(arguments, name) = buffer.address() + Image::guard * 4;
    Random random(name);
    Values &numbers = values[name - 'A'];
    numbers.resize(geometry.extents[0] * geometry.extents[1] *
                   geometry.extents[2]);
    bool good = true;
    // Surroundings first: elements next to one another overwrite them.
    float around =
        name == 'D' ? canary : std::numeric_limits<float>::quiet_NaN();
    forEach(geometry, [&](int64_t b, int64_t i, int64_t j) {
      for (int64_t step : {-1, 1})
        good &= write(name, Image::guard + geometry.at(b, i, j) + step, around);
    });
    forEach(geometry, [&](int64_t b, int64_t i, int64_t j) {
      float number = static_cast<float>(random.number());
      value(name, b, i, j) = number;
      good &= write(name, Image::guard + geometry.at(b, i, j),
                    name == 'D' ? canary : number);
    });
    return good ? "" : tileRtGetLastError();
  }

  std::string check() {
    Geometry d = geometryOf(problem, 'D');
    std::map<int64_t, float> expected;
    forEach(d, [&](int64_t b, int64_t i, int64_t j) {
      for (int64_t step : {-1, 1})
        expected.emplace(d.at(b, i, j) + step, canary);
    });
    forEach(d, [&](int64_t b, int64_t i, int64_t j) {
      float sum = 0;
      for (int64_t k = 0; k < problem.k; ++k)
        sum = std::fma(value('A', b, i, k), value('B', b, k, j), sum);
      float alpha = static_cast<float>(problem.alpha),
            beta = static_cast<float>(problem.beta);
      expected[d.at(b, i, j)] =
          std::fma(beta, value('C', b, i, j), alpha * sum);
    });
    for (auto [offset, want] : expected) {
      float got = read(Image::guard + offset);
      if (got != want)
        return "at offset " + std::to_string(offset) + " of D: got " +
               std::to_string(got) + ", want " + std::to_string(want);
    }
    return "";
  }

  Problem problem;
  Buffer buffers[4];
  Values values[4];
};

Problem small() {
  Problem problem;
  problem.m = 5;
  problem.n = 4;
  problem.k = 3;
  problem.alpha = 1.5;
  problem.beta = 0.5;
  return problem;
}

} // namespace

TEST(BigOffsets, Pitch) {
  // The last row of a 5-row operand lies 2.4e9 elements, more than 2^31, from
  // the first one; with the wide pitch also more than 2^32 bytes * 2.
  for (char name : {'A', 'B', 'C', 'D'})
    for (bool dynamic : {false, true}) {
      Problem problem = small();
      problem.typing = dynamic ? Typing::Dynamic : Typing::UnitStride;
      problem.k = problem.m;
      const_cast<Operand &>(operandOf(problem, name)).padding = 600000000;
      EXPECT_EQ(Sparse(problem).run(), "") << problem.describe();
    }
}

TEST(BigOffsets, VectorPath) {
  for (char name : {'A', 'B', 'C', 'D'}) {
    Problem problem = small();
    problem.k = 4;
    const_cast<Operand &>(operandOf(problem, name)).padding = 800000000;
    EXPECT_EQ(Sparse(problem).run(), "") << problem.describe();
  }
}

TEST(BigOffsets, ColumnMajor) {
  for (char name : {'A', 'B', 'C', 'D'}) {
    Problem problem = small();
    problem.k = 5;
    Operand &operand = const_cast<Operand &>(operandOf(problem, name));
    operand.columnMajor = true;
    operand.padding = 800000000;
    EXPECT_EQ(Sparse(problem).run(), "") << problem.describe();
  }
}

TEST(BigOffsets, BatchStride) {
  for (char name : {'A', 'B', 'C', 'D'}) {
    Problem problem = small();
    problem.batch = 4;
    const_cast<Operand &>(operandOf(problem, name)).batchGap = 1100000000;
    EXPECT_EQ(Sparse(problem).run(), "") << problem.describe();
  }
}

TEST(BigOffsets, StaticStrideBeyond32Bits) {
  Problem problem = small();
  problem.m = 2;
  problem.typing = Typing::Static;
  problem.a.padding = 5000000000;
  problem.d.padding = 4294967296;
  EXPECT_EQ(Sparse(problem).run(), "") << problem.describe();
}
