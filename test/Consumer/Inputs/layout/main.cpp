// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composes two layouts.
#include "tile/Layout/Algebra.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  tile::Result<tile::Layout> layout =
      composition(*tile::Layout::parse("(10, 2) : (16, 4)"),
                  *tile::Layout::parse("(3, 4) : (1, 5)"));
  llvm::outs() << (layout ? layout->str() : layout.getReason()) << "\n";
  return layout ? 0 : 1;
}
