// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread maps drawn with the numbers of their threads.
// RUN: tile-translate --thread-map-to-text --name=load %s | FileCheck %s --check-prefix=ALL --match-full-lines --strict-whitespace
// RUN: tile-translate --thread-map-to-text --name=load --iteration=1 --highlight-thread=2 %s | FileCheck %s --check-prefix=ONE
// RUN: tile-translate --thread-map-to-text --name=warps --highlight-warp=1 %s | FileCheck %s --check-prefix=WARP
// RUN: tile-translate --thread-map-to-text --name=shared %s | FileCheck %s --check-prefix=SHARED
// RUN: tile-translate --thread-map-to-text %s | FileCheck %s --check-prefix=NAMES
// RUN: tile-translate --thread-map-to-svg --name=padded --highlight-warp=0 %s -o %t.svg
// RUN: FileCheck %s --check-prefix=SVG --input-file=%t.svg
// RUN: %python -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" %t.svg
// RUN: not tile-translate --thread-map-to-text --name=load --iteration=2 %s 2>&1 | FileCheck %s --check-prefix=ITERATION
// RUN: not tile-translate --thread-map-to-text --name=load --highlight-warp=1 %s 2>&1 | FileCheck %s --check-prefix=NO-WARP
// RUN: echo '#tile.layout<4 : 1>' | not tile-translate --thread-map-to-text 2>&1 | FileCheck %s --check-prefix=NO-MAP
// RUN: echo '#tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8, iterations = 8>' | not tile-translate --thread-map-to-text 2>&1 | FileCheck %s --check-prefix=NOTE

// ALL:tile.load: #tile.strip_mined<tile = [4, 4], contiguous = 1, threads = 4, elements = 2>
// ALL-NEXT:    0   1
// ALL-NEXT:  +---+---+
// ALL-NEXT:0 | 0 | 1 |
// ALL-NEXT:1 | 2 | 3 |
// ALL-NEXT:2 | 0 | 1 |
// ALL-NEXT:3 | 2 | 3 |
// ALL-NEXT:  +---+---+
// ALL-NOT:{{.}}

// ONE: 0 | | |
// ONE-NEXT: 1 | | |
// ONE-NEXT: 2 | 0 | 1 |
// ONE-NEXT: 3 |[2]| 3 |

// WARP: 3 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 |
// WARP-NEXT: 4 |[32]|[33]|[34]|[35]|[36]|[37]|[38]|[39]|

// Two threads share each element.
// SHARED: 0 | 0+1 |
// SHARED-NEXT: 1 | 2+1 |

// NAMES-NOT: tile.layout
// NAMES: tile.load:
// NAMES: tile.padded:
// NAMES: tile.shared:
// NAMES: tile.warps:

// SVG: a cell is 4 elements along the columns, its number the thread; 1 of 2 accesses need a mask, the first of them 1
// SVG: <g class="c1 h"><title>row 0, column 4: thread 1, iteration 0</title>

// ITERATION: error: 'tile.load' cannot be drawn: expected an iteration between 0 and 1, but got 2
// NO-WARP: error: 'tile.load' cannot be drawn: expected a warp between 0 and 0, but got 1
// NO-MAP: error: expected a thread map, but got layouts only
// NOTE: error: expected the iterations that follow from tile, threads and elements: 128 threads × 8 iterations × 8 elements = 8192, but the tile has 4096 elements
// NOTE: note: use iterations = 4

module attributes {
  tile.layout = #tile.layout<(2, 4) : (4, 1)>,
  tile.load = #tile.strip_mined<tile = [4, 4], contiguous = 1, threads = 4, elements = 2>,
  tile.padded = #tile.strip_mined<tile = [10, 16], contiguous = 1, threads = 32, elements = 4, coverage = padded>,
  tile.shared = #tile.tv_map<tile = [4, 1], layout = ((2, 4), 1) : ((0, 1@e0), 0)>,
  tile.warps = #tile.warp_raked<tile = [8, 64], contiguous = 1, threads = 64, warp = [8, 4], elements = 8>
} {}
