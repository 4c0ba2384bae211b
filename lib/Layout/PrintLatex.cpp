// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of layouts as LaTeX, drawn with TikZ.
#include "PrintColors.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

/// Prints text with the characters that LaTeX reserves written out.
static void printEscaped(llvm::raw_ostream &os, llvm::StringRef text) {
  for (char c : text) {
    if (llvm::StringRef("#$%&_{}").contains(c))
      os << '\\' << c;
    else if (c == '\\')
      os << "\\textbackslash{}";
    else if (c == '~')
      os << "\\textasciitilde{}";
    else if (c == '^')
      os << "\\textasciicircum{}";
    else if (static_cast<unsigned char>(c) >= ' ')
      os << c;
  }
}

static void printPreamble(llvm::raw_ostream &os) {
  os << "% More than about 5000 cells need lualatex: the memory of pdflatex is "
        "fixed.\n"
     << "\\documentclass[tikz,border=4pt]{standalone}\n"
     << "\\usepackage[T1]{fontenc}\n\\usepackage{lmodern}\n"
     << "\\definecolor{n}{HTML}{FFFFFF}\n";
  for (int64_t color = 0; color < kNumColors; ++color)
    os << "\\definecolor{c" << color << "}{HTML}{" << kColors[color] << "}\n";
  // \cell{column}{row}{colour}{label}: a plain cell, one that steps back, and
  // one that is highlighted. A label may end in \bank{number}.
  os << R"(\newcommand{\bank}[1]{\\\tiny b#1}
\newcommand{\words}[4]{\pgftext[at=\pgfpointxy{#2+.5}{-#3-.5}]
  {\scriptsize\ttfamily#1\shortstack{#4}}}
\newcommand{\cell}[4]{\fill[#3] (#1,-#2) rectangle ++(1,-1);
  \words{}{#1}{#2}{#4}}
\newcommand{\faded}[4]{\fill[#3!20] (#1,-#2) rectangle ++(1,-1);
  \words{\color{gray}}{#1}{#2}{#4}}
\newcommand{\hit}[4]{\fill[#3] (#1,-#2) rectangle ++(1,-1);
  \draw[line width=1pt] ([shift={(.5pt,-.5pt)}]#1,-#2)
    rectangle ([shift={(-.5pt,.5pt)}]#1+1,-#2-1);
  \words{\bfseries}{#1}{#2}{#4}}
)"
     << "\\begin{document}\n";
}

static void printCell(const PictureCell &cell, int64_t row, int64_t column,
                      bool faded, llvm::raw_ostream &os) {
  os << (cell.highlighted ? "\\hit"
         : faded          ? "\\faded"
                          : "\\cell")
     << '{' << column << "}{" << row << "}{";
  if (cell.color)
    os << 'c' << *cell.color;
  else
    os << 'n';
  os << "}{";
  printEscaped(os, cell.label);
  if (cell.bank)
    os << "\\bank{" << *cell.bank << '}';
  os << "}\n";
}

static void printPicture(const Picture &picture, llvm::raw_ostream &os) {
  size_t characters = std::to_string(picture.columns - 1).size();
  bool banks = false;
  for (const PictureCell &cell : picture.cells) {
    characters = std::max(characters, cell.label.size());
    banks |= cell.bank.has_value();
  }
  // A character of \scriptsize typewriter type is 0.13 cm wide.
  double width = std::max(0.55, 0.14 * characters + 0.15);
  os << "\\begin{tikzpicture}[x=" << llvm::format("%.2f", width)
     << "cm,y=" << (banks ? "0.8" : "0.55") << "cm]\n"
     << "\\node[anchor=south west,align=left,inner xsep=0pt] at (0,1) "
     << "{\\small\\ttfamily ";
  printEscaped(os, picture.title);
  os << "\\\\\\footnotesize ";
  printEscaped(os, picture.caption);
  os << "};\n";
  for (int64_t column = 0; column < picture.columns; ++column)
    os << "\\node[anchor=south] at (" << column
       << ".5,0) {\\scriptsize\\ttfamily " << column << "};\n";
  for (int64_t row = 0; row < picture.rows; ++row)
    os << "\\node[anchor=east] at (0,-" << row << ".5) {\\scriptsize\\ttfamily "
       << row << "};\n";
  for (int64_t row = 0; row < picture.rows; ++row) {
    for (int64_t column = 0; column < picture.columns; ++column) {
      const PictureCell &cell = picture.at(row, column);
      printCell(cell, row, column, picture.hasHighlight && !cell.highlighted,
                os);
    }
  }
  os << "\\draw[gray,step={(1,1)}] (0,0) grid (" << picture.columns << ",-"
     << picture.rows << ");\n\\end{tikzpicture}\n";
}

void tile::printLatex(llvm::ArrayRef<Picture> pictures, llvm::raw_ostream &os) {
  printPreamble(os);
  for (const Picture &picture : pictures)
    printPicture(picture, os);
  os << "\\end{document}\n";
}
