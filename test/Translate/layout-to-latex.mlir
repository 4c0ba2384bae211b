// RUN: tile-translate --layout-to-latex --highlight-thread=1 --banks --memory='(2, 4) : (4, 1)' %s | FileCheck %s

// CHECK: \documentclass[tikz,border=4pt]{standalone}
// CHECK: \definecolor{c31}{HTML}{{[{][0-9A-F]+[}]}}
// CHECK: \begin{document}
// CHECK-NEXT: \begin{tikzpicture}
// CHECK: tile.load\_a: ((2, 2), (2, 1, 1)) : ((2@e1, 1@e0), (1@e1, 1@e1, 2@e0))
// CHECK: \faded{0}{0}{c0}{T0V0\bank{0}}
// CHECK: \hit{2}{0}{c1}{T1V0\bank{2}}
// CHECK: \end{tikzpicture}
// CHECK: \end{document}

module attributes {
  tile.load_a = #tile.strip_mined<tile = [2, 4], contiguous = 1, threads = 4, elements = 2>
} {}
