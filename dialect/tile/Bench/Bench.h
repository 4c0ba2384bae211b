// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tools that measure: tile-bench against cuBLASLt, tile-tune schedules.
#ifndef TILE_BENCH_BENCH_H
#define TILE_BENCH_BENCH_H

namespace tile {

/// The body of the tool `tile-bench`. Returns the exit code: 0 when every point
/// was measured and every result is right; 1 when a point failed; 2 when
/// nothing could be measured: a wrong command line, no CUDA device, no
/// cuBLASLt; 3 when a kernel did not end. `tile-bench --help` describes the command line.
int tileBenchMain(int argc, char **argv);

/// The body of the tool `tile-tune`, which measures candidate schedules and
/// keeps the fastest in a table. Exit codes are those of `tile-bench`, with 1
/// when a problem has no schedule that runs.
int tileTuneMain(int argc, char **argv);

} // namespace tile

#endif // TILE_BENCH_BENCH_H
