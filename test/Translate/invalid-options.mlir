// RUN: not tile-translate --layout-to-text --name=pla %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tile-translate --layout-to-text --name=map --banks %s 2>&1 | FileCheck %s --check-prefix=BANKS
// RUN: not tile-translate --layout-to-text --name=map --memory=nowhere %s 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not tile-translate --layout-to-text --name=map --banks --memory='(4, 4) : (4, 1)' %s 2>&1 | FileCheck %s --check-prefix=EXTENTS
// RUN: not tile-translate --layout-to-text --name=map --highlight-thread=4 %s 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: not tile-translate --layout-to-text --name=plain --highlight-thread=0 %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not tile-translate --layout-to-text --name=plain --highlight-value=8 %s 2>&1 | FileCheck %s --check-prefix=OFFSET
// RUN: not tile-translate --layout-to-text --name=plain --element-bytes=129 %s 2>&1 | FileCheck %s --check-prefix=BYTES

// NAME: error: expected --name to be one of 'tile.map', 'tile.plain', but got 'pla'
// BANKS: invalid-options.mlir:[[@LINE+8]]:1: error: 'tile.map' cannot be drawn: expected a layout of the tile in memory to find banks, but got none
// MEMORY: error: expected the name or the text of a layout for --memory, but got 'nowhere': expected an integer at column 0, but got 'n'
// EXTENTS: error: 'tile.map' cannot be drawn: expected a layout of constants with 2 by 4 elements to find banks, but got (4, 4) : (4, 1)
// THREAD: error: 'tile.map' cannot be drawn: expected a thread from 0 to 3 to highlight, but got 4
// PLAIN: error: 'tile.plain' cannot be drawn: expected a thread-value layout to highlight a thread in, but got (2, 4) : (4, 1)
// OFFSET: error: 'tile.plain' cannot be drawn: expected an offset of (2, 4) : (4, 1) to highlight, but got 8
// BYTES: error: 'tile.plain' cannot be drawn: expected elements of 1 to 128 bytes, but got 129

module attributes {
  tile.plain = #tile.layout<(2, 4) : (4, 1)>,
  tile.map = #tile.strip_mined<tile = [2, 4], contiguous = 1, threads = 4, elements = 2>
} {}
