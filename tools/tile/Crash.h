// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A crash of a tool as one sentence and exit code 2.
#ifndef TILE_TOOLS_TILE_CRASH_H
#define TILE_TOOLS_TILE_CRASH_H

/// From now on a crash or a fatal error of LLVM, on any thread, ends the
/// process with code 2 and a sentence that names the tool, its input and where
/// it happened, in place of a stack dump. Unfinished output files are removed.
/// TILE_STACK_DUMP=1 in the environment leaves LLVM's dump as it is, for who
/// mends the defect.
void reportCrashes(int argc, char **argv);

#endif // TILE_TOOLS_TILE_CRASH_H
