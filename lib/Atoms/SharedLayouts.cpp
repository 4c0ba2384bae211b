// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared-memory layouts that wgmma and TMA understand.
#include "tile/Atoms/SharedLayouts.h"
#include "tile/Layout/ComposedAlgebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using llvm::Twine;

Result<ComposedLayout> tile::getSharedAtom(Major major, int swizzleBytes,
                                           int64_t elementBits) {
  if (!llvm::is_contained({8, 16, 32, 64}, elementBits))
    return Reason("expected elements of 8, 16, 32 or 64 bits, but got " +
                  Twine(elementBits));
  if (!llvm::is_contained({0, 32, 64, 128}, swizzleBytes))
    return Reason("expected a swizzle of 0, 32, 64 or 128 bytes, but got " +
                  Twine(swizzleBytes));
  int64_t row = std::max(swizzleBytes, 16) * 8 / elementBits;
  Result<Layout> layout = major == Major::K
                              ? Layout::get(IntTuple::constants({8, row}),
                                            IntTuple::constants({row, 1}))
                              : Layout::get(IntTuple::constants({row, 8}),
                                            IntTuple::constants({1, row}));
  if (!layout)
    return layout.takeReason();
  if (swizzleBytes == 0)
    return ComposedLayout(*layout);
  // On bytes it is S<b, 4, 3>.
  Result<Swizzle> swizzle = Swizzle::get(llvm::Log2_64(swizzleBytes / 16),
                                         4 - llvm::Log2_64(elementBits / 8), 3);
  if (!swizzle)
    return swizzle.takeReason();
  return ComposedLayout::get(*swizzle, 0, *layout);
}

Result<ComposedLayout> tile::getSharedLayout(Major major, int swizzleBytes,
                                             int64_t elementBits, int64_t mn,
                                             int64_t k) {
  Result<ComposedLayout> atom = getSharedAtom(major, swizzleBytes, elementBits);
  if (!atom)
    return atom;
  const IntTuple &shape = atom->getLayout().getShape();
  int64_t rows = shape[0].getInt().getValue();
  int64_t columns = shape[1].getInt().getValue();
  if (mn < rows || k < columns || mn % rows != 0 || k % columns != 0)
    return Reason("expected a tile of a multiple of " + Twine(rows) + " x " +
                  Twine(columns) + " elements (mn x k), but got " + Twine(mn) +
                  " x " + Twine(k));
  IntTuple order = major == Major::K ? IntTuple::constants({0, 1})
                                     : IntTuple::constants({1, 0});
  return tileToShape(*atom, IntTuple::constants({mn, k}), order);
}

int tile::getWidestSwizzle(int64_t elementBits, int64_t extent) {
  for (int bytes : {128, 64, 32})
    if (extent > 0 && extent * elementBits % (8 * bytes) == 0)
      return bytes;
  return 0;
}
