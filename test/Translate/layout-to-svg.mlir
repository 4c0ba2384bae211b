// RUN: tile-translate --layout-to-svg %s --banks --element-bytes=2 -o %t.svg
// RUN: FileCheck %s --input-file=%t.svg
// The document is well-formed XML.
// RUN: %python -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" %t.svg
// A 128 by 64 tile: each of 8192 cells is there, in natural size.
// RUN: grep -c 'width="36" height="32"' %t.svg | FileCheck %s --check-prefix=COUNT
// RUN: tile-translate --layout-to-svg %s --highlight-value=64 | FileCheck %s --check-prefix=HIGHLIGHT

// CHECK: <svg xmlns="http://www.w3.org/2000/svg" width="[[WIDTH:[0-9]+]]" height="[[HEIGHT:[0-9]+]]" viewBox="0 0 [[WIDTH]] [[HEIGHT]]">
// CHECK: tile.smem: S&lt;3, 3, 3&gt; o 0 o (128, 64) : (64, 1)</text>
// CHECK: colour is the shared-memory bank of elements of 2 bytes</text>
// Row 1 starts with the second group of eight: offset 72, 144 bytes.
// CHECK: <g class="c4"><title>row 1, column 0: offset 72, bank 4</title><rect {{.*}}>72</text>{{.*}}>b4</text></g>
// CHECK: </svg>

// COUNT: {{^}}8192{{$}}

// HIGHLIGHT: <g class="c0 f"><title>row 0, column 0: offset 0</title>
// HIGHLIGHT: <g class="c0 h"><title>row 1, column 8: offset 64</title>

module attributes {tile.smem = #tile.layout<S<3, 3, 3> o 0 o (128, 64) : (64, 1)>} {}
