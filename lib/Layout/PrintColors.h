// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The colours of pictures of layouts.
#ifndef TILE_LIB_LAYOUT_PRINTCOLORS_H
#define TILE_LIB_LAYOUT_PRINTCOLORS_H

#include "tile/Layout/Print.h"

namespace tile {

/// Ordered by hue. Any two differ by at least 0.08 in OKLab (about four times
/// what an eye can tell apart), and black text on them has a contrast of at
/// least 8 : 1.
inline constexpr llvm::StringLiteral kColors[kNumColors] = {
    "A2C0BA", "00B4AE", "90FCFC", "00DEFC", "7EA8C0", "00A8FC", "84BAFC",
    "CCC6FC", "A890FC", "CCA2EA", "FC9CFC", "DE7ED2", "BA96B4", "F67890",
    "FCEAEA", "FCB4B4", "DE9C84", "FC7E48", "F6A236", "FCCC7E", "CCBA7E",
    "FCF0AE", "AEA260", "C6B400", "F6EA4E", "9CD85A", "C0E4B4", "A8FC8A",
    "8AC07E", "54B44E", "00D89C", "30FCC6"};

} // namespace tile

#endif // TILE_LIB_LAYOUT_PRINTCOLORS_H
