// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Correctness sweep of tile.gemm, on the simulator or on a CUDA device.
#include "Setting.h"

#include <cstdio>
#include <cstring>

using namespace tile::sweep;

static constexpr const char *usage =
    "usage: TileSweep [--device=sim|cuda|cuda:N] [--full] [--gtest_...]\n"
    "  --device  where the kernels run (sim)\n"
    "  --full    also the problems that take minutes\n";

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string device = "sim";
  bool full = false;
  for (int i = 1; i < argc; ++i) {
    if (!std::strncmp(argv[i], "--device=", 9)) {
      device = argv[i] + 9;
    } else if (!std::strcmp(argv[i], "--full")) {
      full = true;
    } else {
      std::fprintf(stderr, "error: unknown argument '%s'\n%s", argv[i], usage);
      return 2;
    }
  }
  Setting &setting = Setting::get();
  std::string reason = setting.open(device, full);
  if (!reason.empty()) {
    std::fprintf(stderr, "error: device '%s': %s\n", device.c_str(),
                 reason.c_str());
    return 2;
  }
  int code = RUN_ALL_TESTS();
  std::printf("%lld problems, %lld programs on %s\n",
              static_cast<long long>(setting.getProblemCount()),
              static_cast<long long>(setting.getProgramCount()),
              device.c_str());
  return code;
}
