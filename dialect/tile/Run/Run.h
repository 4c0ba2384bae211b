// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool tile-run: compiles, launches, checks and times the kernels of a
// file.
#ifndef TILE_RUN_RUN_H
#define TILE_RUN_RUN_H

namespace tile {

/// The body of the tool `tile-run`. Returns the exit code: 0 when the launch
/// succeeded and, with --check, the result is right; 1 when the check failed; 2
/// for any other failure. `tile-run --help` describes the command line.
int tileRunMain(int argc, char **argv);

} // namespace tile

#endif // TILE_RUN_RUN_H
