// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts that say thread and value without being a thread map, swizzled ones
// too, in all three forms, with banks and highlights.
// RUN: tile-translate --layout-to-text --thread-value --name=map --highlight-thread=1 %s | FileCheck %s --check-prefix=MAP --match-full-lines --strict-whitespace
// RUN: tile-translate --layout-to-text --thread-value --name=map --banks --memory=smem %s | FileCheck %s --check-prefix=BANKS
// RUN: tile-translate --layout-to-text --thread-value --name=offsets --highlight-value=1 --banks --element-bytes=2 %s | FileCheck %s --check-prefix=OFFSETS
// RUN: tile-translate --layout-to-text --thread-value --name=swizzled --highlight-thread=2 --highlight-value=0 --banks %s | FileCheck %s --check-prefix=SWIZZLED
// RUN: tile-translate --layout-to-svg --thread-value --name=swizzled --highlight-thread=2 --banks %s | FileCheck %s --check-prefix=SVG
// RUN: tile-translate --layout-to-latex --thread-value --name=swizzled --highlight-thread=2 --banks %s | FileCheck %s --check-prefix=LATEX
// RUN: tile-translate --layout-to-latex --name=smem --banks --highlight-value=5 %s | FileCheck %s --check-prefix=PLAIN-LATEX
// RUN: tile-translate --thread-map-to-latex --name=load --highlight-warp=0 %s | FileCheck %s --check-prefix=MAP-LATEX
// RUN: tile-translate --layout-to-text --name=kernel %s | FileCheck %s --check-prefix=VIEW
// RUN: not tile-translate --layout-to-text --thread-value --name=row %s 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not tile-translate --layout-to-text --thread-value --name=map --banks %s 2>&1 | FileCheck %s --check-prefix=NO-MEMORY

// MAP:tile.map: ((2, 2), 2) : ((2@e1, 1@e0), 1@e1)
// MAP-NEXT:       0      1      2      3
// MAP-NEXT:  +------+------+------+------+
// MAP-NEXT:0 | T0V0 | T0V1 |[T1V0]|[T1V1]|
// MAP-NEXT:1 | T2V0 | T2V1 | T3V0 | T3V1 |
// MAP-NEXT:  +------+------+------+------+

// BANKS: 0 | T0V0 b0 | T0V1 b1 | T1V0 b2 | T1V1 b3 |
// BANKS-NEXT: 1 | T2V0 b5 | T2V1 b4 | T3V0 b7 | T3V1 b6 |

// OFFSETS: 0 | T0V0 b0 |[T0V1 b0]| T1V0 b1 |[T1V1 b1]| T2V0 b2 |[T2V1 b2]| T3V0 b3 |[T3V1 b3]|

// Thread 2 is in the second row, where the swizzle exchanges neighbours.
// SWIZZLED: tile.swizzled: S<1, 0, 2> o 0 o (4, 2) : (2, 1)
// SWIZZLED: 0 | T0V0 b0 | T0V1 b1 | T1V0 b2 | T1V1 b3 | T2V1 b4 |[T2V0 b5]| T3V1 b6 | T3V0 b7 |

// SVG: <g class="c2 h"><title>row 0, column 4: thread 2 value 1, offset 4, bank 4</title>
// LATEX: \hit{4}{0}{c2}{T2V1\bank{4}}
// PLAIN-LATEX: \hit{0}{1}{c5}{5\bank{5}}
// MAP-LATEX: \begin{tikzpicture}
// MAP-LATEX: \hit

// A view is drawn with its swizzle.
// VIEW: kernel.%0: S<1, 6, 1> o 0 o (2, 128) : (128, 1)
// VIEW: 1 | 192 |

// ROW: error: 'tile.row' cannot be drawn: expected a layout of two modes, (threads, values), but got 8 : 1
// NO-MEMORY: error: 'tile.map' cannot be drawn: expected a layout of the tile in memory to find banks, but got none

module attributes {
  tile.map = #tile.layout<((2, 2), 2) : ((2@e1, 1@e0), 1@e1)>,
  tile.offsets = #tile.layout<(4, 2) : (2, 1)>,
  tile.swizzled = #tile.layout<S<1, 0, 2> o 0 o (4, 2) : (2, 1)>,
  tile.smem = #tile.layout<S<1, 0, 2> o 0 o (2, 4) : (4, 1)>,
  tile.row = #tile.layout<8 : 1>,
  tile.load = #tile.strip_mined<tile = [4, 4], contiguous = 1, threads = 4, elements = 2>
} {
  func.func @kernel() {
    %0 = tile.alloc_shared : !tile.view<f32, shared, S<1, 6, 1> o 0 o (2, 128) : (128, 1), align = 1024>
    return
  }
}
