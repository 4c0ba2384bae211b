// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of the tools in the one binary.
#ifndef TILE_TOOLS_TILE_TOOLS_H
#define TILE_TOOLS_TILE_TOOLS_H

int tileLspServerMain(int argc, char **argv);
int tileOptMain(int argc, char **argv);
int tileReduceMain(int argc, char **argv);
int tileTranslateMain(int argc, char **argv);

#endif // TILE_TOOLS_TILE_TOOLS_H
