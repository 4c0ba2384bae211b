// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of layouts: as a table of text, as SVG, as LaTeX.
#ifndef TILE_LAYOUT_PRINT_H
#define TILE_LAYOUT_PRINT_H

#include "tile/Layout/Swizzle.h"
#include <vector>

namespace tile {

// A layout is drawn in two steps: makePicture evaluates it, and decides what
// each cell says and which colour it has; printText, printSVG and printLatex
// draw what they are given. Mode 0 runs down, mode 1 across; further modes
// follow inside the columns, first mode fastest. A layout of one mode is a row.

/// Pictures of more cells, or of more (thread, value) pairs, are refused.
inline constexpr int64_t kMaxPictureCells = int64_t(1) << 16;
/// Shared memory has this many banks of four bytes.
inline constexpr int64_t kNumBanks = 32;
/// Colours there are; thread t and thread t + 32 have the same.
inline constexpr int64_t kNumColors = 32;

/// What to show of a layout.
struct PictureOptions {
  /// The thread whose cells stand out (thread-value layouts).
  std::optional<int64_t> highlightThread;
  /// The value that stands out: in a thread-value layout the number of a value
  /// (of every thread, or of highlightThread), otherwise an offset.
  std::optional<int64_t> highlightValue;
  /// Writes the shared-memory bank into each cell.
  bool banks = false;
  /// Bytes of one element, 1 to 128; the bank is that of the first byte.
  int64_t elementBytes = 4;
};

/// The bank of the first byte of the element at an offset (in elements):
/// offset * elementBytes / 4 mod 32, rounded down for negative offsets.
int64_t getBank(int64_t offset, int64_t elementBytes);

/// One cell of a picture.
struct PictureCell {
  /// What it says: `12`, `(3,0)`, `T5V0`; `T5V0+3` where three more pairs of
  /// thread and value share the element; empty for an element without owner.
  std::string label;
  /// The same in words, for tooltips: `row 1, column 4: offset 12, bank 12`.
  std::string description;
  /// 0 to 31, if banks are shown.
  std::optional<int64_t> bank;
  /// 0 to 31: the bank, or the (first) thread modulo 32. None: white.
  std::optional<int64_t> color;
  bool highlighted = false;
};

/// A layout, evaluated.
struct Picture {
  /// The layout in house syntax; a caller may put a name in front.
  std::string title;
  /// What the colours mean; one sentence without a period.
  std::string caption;
  int64_t rows = 0, columns = 0;
  /// Row by row.
  std::vector<PictureCell> cells;
  /// Some cell is highlighted; the others step back.
  bool hasHighlight = false;

  const PictureCell &at(int64_t row, int64_t column) const {
    return cells[row * columns + column];
  }
};

/// The picture of a plain or swizzled layout: cells hold offsets (coordinates
/// for scaled-basis strides), and their colour is the bank. Refused, with the
/// reason: dynamic layouts, more than kMaxPictureCells elements, a highlighted
/// thread or an offset that the layout does not have.
Result<Picture> makePicture(const ComposedLayout &layout,
                            const PictureOptions &options = {});

/// The extents of the tile that a thread-value layout maps to.
struct TileExtents {
  int64_t rows = 1, columns = 1;
};

/// The picture of a thread-value layout, (thread, value) -> element of a tile:
/// cells hold the thread and the value, and their colour is the thread.
///
/// The strides are `n@e0` (rows) and `n@e1` (columns), or integers; then the
/// layout's value is the number of an element of the tile, counted down the
/// columns (a row without `tile`). Without `tile` the picture is as large as
/// the elements need. `memory` says where the tile's elements lie, for banks; a
/// row of integers without `tile` are offsets into memory themselves.
///
///   ((2, 2), 2) : ((2@e1, 1@e0), 1@e1)   is   T0V0 T0V1 T1V0 T1V1
///                                             T2V0 T2V1 T3V0 T3V1
Result<Picture> makeThreadValuePicture(
    const ComposedLayout &layout,
    std::optional<TileExtents> tile = std::nullopt,
    const std::optional<ComposedLayout> &memory = std::nullopt,
    const PictureOptions &options = {});

/// A table with the numbers of rows and columns at its edge, in the manner of
/// CuTe's print_layout; highlighted cells in brackets.
///
///   (2, 4) : (4, 1)
///       0   1   2   3
///     +---+---+---+---+
///   0 | 0 | 1 | 2 | 3 |
///   1 | 4 | 5 | 6 | 7 |
///     +---+---+---+---+
void printText(const Picture &picture, llvm::raw_ostream &os);

/// One SVG document with the pictures below each other, in natural size (cells
/// of at least 20 by 20 pixels). Cells tell in a tooltip what they are.
void printSVG(llvm::ArrayRef<Picture> pictures, llvm::raw_ostream &os);

/// One LaTeX document of class standalone, a TikZ picture a page. The memory of
/// pdflatex suffices for about 5000 cells, lualatex takes any number.
void printLatex(llvm::ArrayRef<Picture> pictures, llvm::raw_ostream &os);

} // namespace tile

#endif // TILE_LAYOUT_PRINT_H
