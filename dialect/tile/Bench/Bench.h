// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool tile-bench: times kernels against cuBLASLt in one process.
#ifndef TILE_BENCH_BENCH_H
#define TILE_BENCH_BENCH_H

namespace tile {

/// The body of the tool `tile-bench`. Returns the exit code: 0 when every point
/// was measured and every result is right; 1 when a point failed; 2 when
/// nothing could be measured: a wrong command line, no CUDA device, no
/// cuBLASLt. `tile-bench --help` describes the command line.
int tileBenchMain(int argc, char **argv);

} // namespace tile

#endif // TILE_BENCH_BENCH_H
