// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of the tutorial share: a device, numbers, a comparison.
#ifndef TILE_EXAMPLES_CPP_TUTORIAL_H
#define TILE_EXAMPLES_CPP_TUTORIAL_H

#include "tile/Jit/Jit.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace tutorial {

/// The value, or the end of the program with the reason why there is none.
template <typename T>
T check(tile::Result<T> result) {
  if (result)
    return std::move(*result);
  std::fprintf(stderr, "%s\n", result.getReason().c_str());
  std::exit(1);
}
inline void check(const tile::jit::Failure &failure) {
  if (!failure)
    return;
  std::fprintf(stderr, "%s\n", failure->c_str());
  std::exit(1);
}

/// The device that the command line names: PROGRAM [DEVICE [FILE]], where the
/// PTX of the kernel goes to FILE.
inline tile::jit::Jit openDevice(int argc, char **argv) {
  tile::jit::Options options;
  options.ptx = argc > 2;
  options.countAccesses = true;
  return check(tile::jit::Jit::open(argc > 1 ? argv[1] : "auto", options));
}

inline void writePTX(int argc, char **argv,
                     const tile::jit::AnyKernel &kernel) {
  if (argc < 3)
    return;
  std::string text = kernel.getPTX();
  std::FILE *file = std::fopen(argv[2], "w");
  if (!file || std::fwrite(text.data(), 1, text.size(), file) != text.size() ||
      std::fclose(file) != 0) {
    std::perror(argv[2]);
    std::exit(1);
  }
}

/// A tensor of random numbers from -1 to 1 on the host and the device, with NaN
/// between the rows, which no kernel may read.
template <typename T, int Rank>
struct Random {
  tile::jit::Array<T, Rank> array;
  std::vector<T> host;

  Random(const tile::jit::Jit &jit, const int64_t (&extents)[Rank],
         int64_t pitch = 0)
      : array(check(jit.makeArray<T>(extents, pitch))),
        host(array.size(), T(NAN)) {
    std::mt19937 generator(static_cast<unsigned>(host.size()));
    std::uniform_real_distribution<float> number(-1, 1);
    int64_t columns = extents[Rank - 1];
    int64_t rows = Rank == 1 ? 1 : extents[0];
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        host[i * getPitch() + j] = T(number(generator));
    check(array.write(host));
  }

  int64_t getPitch() const { return Rank == 1 ? 0 : array.getRef().strides[0]; }
  double operator()(int64_t i, int64_t j = 0) const {
    return static_cast<float>(host[Rank == 1 ? i : i * getPitch() + j]);
  }
};

/// Compares D with float64, element by element, and says how far it is off; a
/// difference of more than `tolerance` is exit code 1, and so is an element
/// between rows that is not 0 any more.
template <typename T, int Rank, typename Expected>
int compare(const tile::jit::Array<T, Rank> &d, double tolerance,
            Expected expected) {
  std::vector<T> got = check(d.read());
  const auto &ref = d.getRef();
  int64_t rows = Rank == 1 ? 1 : ref.extents[0];
  int64_t columns = ref.extents[Rank - 1];
  int64_t pitch = Rank == 1 ? columns : ref.strides[0];
  double worst = 0;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < pitch; ++j) {
      double element = static_cast<float>(got[i * pitch + j]);
      double error = std::fabs(element - (j < columns ? expected(i, j) : 0.0));
      // Not `error > tolerance`, which NaN would pass.
      if (!(error <= tolerance)) {
        std::printf("d[%ld][%ld] = %g is off by %g\n", long(i), long(j),
                    element, error);
        return 1;
      }
      worst = std::max(worst, error);
    }
  std::printf("%ld elements agree with float64 to %.1e\n", long(rows * columns),
              worst);
  return 0;
}

} // namespace tutorial

#endif // TILE_EXAMPLES_CPP_TUTORIAL_H
