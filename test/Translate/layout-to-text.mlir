// RUN: tile-translate --layout-to-text --name=plain %s | FileCheck %s --check-prefix=PLAIN --match-full-lines --strict-whitespace
// RUN: tile-translate --layout-to-text --name=tile.plain --banks --element-bytes=8 --highlight-value=5 %s | FileCheck %s --check-prefix=BANKS --match-full-lines --strict-whitespace
// RUN: tile-translate --layout-to-text --name=swizzled %s | FileCheck %s --check-prefix=SWIZZLED --match-full-lines --strict-whitespace
// RUN: tile-translate --layout-to-text --name=text %s | FileCheck %s --check-prefix=TEXT
// RUN: tile-translate --layout-to-text --name=load --highlight-thread=2 %s | FileCheck %s --check-prefix=THREAD --match-full-lines --strict-whitespace
// RUN: tile-translate --layout-to-text --name=load --highlight-thread=2 --highlight-value=1 %s | FileCheck %s --check-prefix=VALUE
// RUN: tile-translate --layout-to-text --name=load --banks --memory=plain %s | FileCheck %s --check-prefix=MEMORY
// RUN: tile-translate --layout-to-text --name=load --banks --memory='S<1, 0, 3> o 0 o (2, 4) : (8, 1)' %s | FileCheck %s --check-prefix=MEMORY-TEXT
// RUN: tile-translate --layout-to-text --name=atom.A %s | FileCheck %s --check-prefix=ATOM
// RUN: tile-translate --layout-to-text %s | FileCheck %s --check-prefix=ALL
// RUN: tile-translate --layout-to-text --name=compose %s | FileCheck %s --check-prefix=RESULT

// PLAIN:tile.plain: (2, 4) : (4, 1)
// PLAIN-NEXT:    0   1   2   3
// PLAIN-NEXT:  +---+---+---+---+
// PLAIN-NEXT:0 | 0 | 1 | 2 | 3 |
// PLAIN-NEXT:1 | 4 | 5 | 6 | 7 |
// PLAIN-NEXT:  +---+---+---+---+
// PLAIN-NOT:{{.}}

// BANKS:tile.plain: (2, 4) : (4, 1)
// BANKS-NEXT:        0       1       2       3
// BANKS-NEXT:  +-------+-------+-------+-------+
// BANKS-NEXT:0 |  0 b0 |  1 b2 |  2 b4 |  3 b6 |
// BANKS-NEXT:1 |  4 b8 |[5 b10]| 6 b12 | 7 b14 |

// SWIZZLED:tile.swizzled: S<1, 0, 2> o 0 o (2, 4) : (4, 1)
// SWIZZLED-NEXT:    0   1   2   3
// SWIZZLED-NEXT:  +---+---+---+---+
// SWIZZLED-NEXT:0 | 0 | 1 | 2 | 3 |
// SWIZZLED-NEXT:1 | 5 | 4 | 7 | 6 |

// TEXT: tile.text: S<1, 0, 2> o 0 o (2, 4) : (4, 1)
// TEXT: 1 | 5 | 4 | 7 | 6 |

// THREAD:tile.load: ((2, 2), (2, 1, 1)) : ((2@e1, 1@e0), (1@e1, 1@e1, 2@e0))
// THREAD-NEXT:       0      1      2      3
// THREAD-NEXT:  +------+------+------+------+
// THREAD-NEXT:0 | T0V0 | T0V1 | T1V0 | T1V1 |
// THREAD-NEXT:1 |[T2V0]|[T2V1]| T3V0 | T3V1 |

// VALUE: 1 | T2V0 |[T2V1]| T3V0 |

// MEMORY: 1 | T2V0 b4 | T2V1 b5 | T3V0 b6 | T3V1 b7 |
// MEMORY-TEXT: 1 |  T2V0 b9 |  T2V1 b8 | T3V0 b11 | T3V1 b10 |

// Each row of A is read by the four threads of a row of lanes.
// ATOM: tile.atom.A: ((4, 8, 1, 1), (1, 1)) : ((0, 1@e0, 0, 8@e0), (1@e0, 8@e0))
// ATOM: 0 |  T0V0+3 |
// ATOM-NEXT: 1 |  T4V0+3 |

// Attributes in the order of their names, then results.
// ALL: tile.atom.A:
// ALL: {{^$}}
// ALL: tile.atom.B:
// ALL: tile.atom.C:
// ALL: tile.load:
// ALL: tile.plain:
// ALL: tile.swizzled:
// ALL: tile.text:
// ALL: tile.type: 4 : 2
// ALL: compose.%0: (2, 8) : (16, 1)
// ALL-NOT: compose.%1

// RESULT-NOT: tile.
// RESULT: compose.%0: (2, 8) : (16, 1)
// RESULT-NEXT: 0 1 2 3 4 5 6 7
// RESULT-NEXT: +----+
// RESULT-NEXT: 0 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
// RESULT-NEXT: 1 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 |

module attributes {
  tile.plain = #tile.layout<(2, 4) : (4, 1)>,
  tile.swizzled = #tile.layout<S<1, 0, 2> o 0 o (2, 4) : (4, 1)>,
  tile.text = "S<1, 0, 2> o 0 o (2, 4) : (4, 1)",
  tile.type = !tile.layout<4 : 2>,
  tile.chip = "sm_80",
  tile.load = #tile.strip_mined<tile = [2, 4], contiguous = 1, threads = 4, elements = 2>,
  tile.atom = #tile.simt_mma<warps = [1, 1], lanes = [8, 4], thread = [1, 1], vector = 1>
} {
  func.func @compose(%a: !tile.layout<(4, 8) : (8, 1)>, %b: !tile.layout<16 : 2>, %n: index) {
    %0 = tile.composition %a, %b : !tile.layout<(4, 8) : (8, 1)>, !tile.layout<16 : 2>
    // What is known at run time only is left out.
    %1 = tile.make_layout (4, %n) : (1, 4)
    return
  }
}
