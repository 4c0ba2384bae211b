// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool tile-compile: makes artifacts of many problems at once.
#ifndef TILE_COMPILE_COMPILE_H
#define TILE_COMPILE_COMPILE_H

namespace tile {

/// The body of the tool `tile-compile`. Returns the exit code: 0 when every
/// artifact was written, 2 when one was not; the others are there all the same.
/// `tile-compile --help` describes the command line.
int tileCompileMain(int argc, char **argv);

} // namespace tile

#endif // TILE_COMPILE_COMPILE_H
