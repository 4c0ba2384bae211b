// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of layouts as SVG.
#include "PrintColors.h"

#include "llvm/Support/raw_ostream.h"

using namespace tile;

/// Text sizes in pixels, and how wide a character of a monospaced face is at
/// most (0.61 em in the faces that browsers come with).
static constexpr int64_t kFontSize = 12;
static constexpr int64_t kSmallFontSize = 10;
static constexpr double kCharWidth = 0.61 * kFontSize;
/// Around the picture.
static constexpr int64_t kMargin = 12;
/// From this many rows or columns on, both edges of the table are numbered.
static constexpr int64_t kBothEdges = 24;

/// Prints text with the characters that XML reserves written out.
static void printEscaped(llvm::raw_ostream &os, llvm::StringRef text) {
  for (char c : text) {
    if (c == '<')
      os << "&lt;";
    else if (c == '>')
      os << "&gt;";
    else if (c == '&')
      os << "&amp;";
    else if (c == '"')
      os << "&quot;";
    else if (static_cast<unsigned char>(c) >= ' ')
      os << c;
  }
}

static int64_t getTextWidth(size_t characters) {
  return int64_t(characters * kCharWidth) + 1;
}

namespace {
/// Where the parts of a picture are, in pixels from its upper left corner.
struct Geometry {
  int64_t cellWidth = 20, cellHeight = 20;
  int64_t left, top, width, height;
  bool bothEdges;

  explicit Geometry(const Picture &picture) {
    size_t characters = std::to_string(picture.columns - 1).size();
    for (const PictureCell &cell : picture.cells) {
      characters = std::max(characters, cell.label.size());
      if (cell.bank)
        cellHeight = 32;
    }
    cellWidth = std::max(cellWidth, getTextWidth(characters) + 6);
    bothEdges = picture.rows > kBothEdges || picture.columns > kBothEdges;
    int64_t edge = getTextWidth(std::to_string(picture.rows - 1).size()) + 8;
    left = kMargin + edge;
    // Title, caption, numbers of columns.
    top = kMargin + 20 + 18 + 20;
    width = left + picture.columns * cellWidth + (bothEdges ? edge : 0);
    width = std::max(width, kMargin + getTextWidth(picture.title.size()));
    width = std::max(width, kMargin + getTextWidth(picture.caption.size()));
    width += kMargin;
    height = top + picture.rows * cellHeight + (bothEdges ? 20 : 0) + kMargin;
  }

  int64_t getX(int64_t column) const { return left + column * cellWidth; }
  int64_t getY(int64_t row) const { return top + row * cellHeight; }
};
} // namespace

static void printEdges(const Picture &picture, const Geometry &at,
                       llvm::raw_ostream &os) {
  auto print = [&](int64_t x, int64_t y, int64_t number,
                   llvm::StringRef anchor) {
    os << "<text class=\"" << anchor << "\" x=\"" << x << "\" y=\"" << y
       << "\">" << number << "</text>\n";
  };
  for (int64_t column = 0; column < picture.columns; ++column) {
    int64_t x = at.getX(column) + at.cellWidth / 2;
    print(x, at.top - 6, column, "m");
    if (at.bothEdges)
      print(x, at.getY(picture.rows) + 15, column, "m");
  }
  for (int64_t row = 0; row < picture.rows; ++row) {
    int64_t y = at.getY(row) + at.cellHeight / 2 + 4;
    print(at.left - 5, y, row, "e");
    if (at.bothEdges)
      print(at.getX(picture.columns) + 5, y, row, "s");
  }
}

static void printCell(const PictureCell &cell, int64_t x, int64_t y,
                      const Geometry &at, bool faded, llvm::raw_ostream &os) {
  os << "<g class=\"";
  if (cell.color)
    os << 'c' << *cell.color;
  else
    os << 'n';
  if (cell.highlighted)
    os << " h";
  if (faded)
    os << " f";
  os << "\">";
  if (!cell.description.empty()) {
    os << "<title>";
    printEscaped(os, cell.description);
    os << "</title>";
  }
  // A thick frame stays inside its cell.
  int64_t inset = cell.highlighted ? 1 : 0;
  os << "<rect x=\"" << x + inset << "\" y=\"" << y + inset << "\" width=\""
     << at.cellWidth - 2 * inset << "\" height=\"" << at.cellHeight - 2 * inset
     << "\"/>";
  int64_t middle = x + at.cellWidth / 2;
  if (!cell.label.empty()) {
    os << "<text x=\"" << middle << "\" y=\"" << y + 14 << "\">";
    printEscaped(os, cell.label);
    os << "</text>";
  }
  if (cell.bank)
    os << "<text class=\"b\" x=\"" << middle << "\" y=\"" << y + 27 << "\">b"
       << *cell.bank << "</text>";
  os << "</g>\n";
}

static void printPicture(const Picture &picture, const Geometry &at, int64_t y,
                         llvm::raw_ostream &os) {
  os << "<g transform=\"translate(0,";
  os << y << ")\">\n<text class=\"s t\" x=\"" << kMargin << "\" y=\""
     << kMargin + 14 << "\">";
  printEscaped(os, picture.title);
  os << "</text>\n<text class=\"s\" x=\"" << kMargin << "\" y=\""
     << kMargin + 32 << "\">";
  printEscaped(os, picture.caption);
  os << "</text>\n";
  printEdges(picture, at, os);
  for (int64_t row = 0; row < picture.rows; ++row) {
    for (int64_t column = 0; column < picture.columns; ++column) {
      const PictureCell &cell = picture.at(row, column);
      printCell(cell, at.getX(column), at.getY(row), at,
                picture.hasHighlight && !cell.highlighted, os);
    }
  }
  os << "</g>\n";
}

static void printStyle(llvm::raw_ostream &os) {
  os << "<style>\n"
     << "text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;"
     << "font-size:" << kFontSize << "px;fill:#000;text-anchor:middle}\n"
     << "rect{stroke:#777;stroke-width:1}\n"
     << ".s{text-anchor:start}.e{text-anchor:end}.t{font-weight:bold}\n"
     << ".b{font-size:" << kSmallFontSize << "px}\n"
     << ".n rect{fill:#fff}\n"
     << ".h rect{stroke:#000;stroke-width:2}.h text{font-weight:bold}\n"
     << ".f rect{fill-opacity:.2}.f text{fill:#666}\n";
  for (int64_t color = 0; color < kNumColors; ++color)
    os << ".c" << color << " rect{fill:#" << kColors[color] << "}\n";
  os << "</style>\n";
}

void tile::printSVG(llvm::ArrayRef<Picture> pictures, llvm::raw_ostream &os) {
  int64_t width = 0, height = 0;
  for (const Picture &picture : pictures) {
    Geometry geometry(picture);
    width = std::max(width, geometry.width);
    height += geometry.height;
  }
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
     << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' '
     << height << "\">\n";
  printStyle(os);
  os << "<rect width=\"" << width << "\" height=\"" << height
     << "\" style=\"fill:#fff;stroke:none\"/>\n";
  int64_t y = 0;
  for (const Picture &picture : pictures) {
    Geometry geometry(picture);
    printPicture(picture, geometry, y, os);
    y += geometry.height;
  }
  os << "</svg>\n";
}
