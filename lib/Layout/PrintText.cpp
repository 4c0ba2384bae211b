// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of layouts as tables of text.
#include "tile/Layout/Print.h"

#include "llvm/Support/raw_ostream.h"

using namespace tile;

static std::string getText(const PictureCell &cell) {
  if (!cell.bank)
    return cell.label;
  return (cell.label + " b" + llvm::Twine(*cell.bank)).str();
}

static void printRight(llvm::raw_ostream &os, llvm::StringRef text,
                       size_t width) {
  os.indent(width - text.size()) << text;
}

void tile::printText(const Picture &picture, llvm::raw_ostream &os) {
  size_t width = std::to_string(picture.columns - 1).size();
  for (const PictureCell &cell : picture.cells)
    width = std::max(width, getText(cell).size());
  size_t margin = std::to_string(picture.rows - 1).size();

  os << picture.title << '\n';
  os.indent(margin + 2);
  for (int64_t column = 0; column < picture.columns; ++column) {
    // Right above the cell's last character.
    os << ' ';
    printRight(os, std::to_string(column), width);
    os << (column + 1 < picture.columns ? "  " : "\n");
  }
  auto printRule = [&] {
    os.indent(margin + 1) << '+';
    for (int64_t column = 0; column < picture.columns; ++column)
      os << std::string(width + 2, '-') << '+';
    os << '\n';
  };
  printRule();
  for (int64_t row = 0; row < picture.rows; ++row) {
    printRight(os, std::to_string(row), margin);
    os << " |";
    for (int64_t column = 0; column < picture.columns; ++column) {
      const PictureCell &cell = picture.at(row, column);
      os << (cell.highlighted ? '[' : ' ');
      printRight(os, getText(cell), width);
      os << (cell.highlighted ? ']' : ' ') << '|';
    }
    os << '\n';
  }
  printRule();
}
