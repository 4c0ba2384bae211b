// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each cell of a layout's picture says, and which colour it has.
#include "tile/Layout/Print.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile;

int64_t tile::getBank(int64_t offset, int64_t elementBytes) {
  // Exact for negative offsets and for products beyond 64 bits as well: 2^64 is
  // a multiple of the 128 bytes after which banks repeat.
  return (uint64_t(offset) * uint64_t(elementBytes) / 4) % kNumBanks;
}

static std::optional<Reason> checkOptions(const PictureOptions &options) {
  if (options.elementBytes < 1 || options.elementBytes > 128)
    return Reason("expected elements of 1 to 128 bytes, but got " +
                  llvm::Twine(options.elementBytes));
  return std::nullopt;
}

static Reason tooManyCells(const llvm::Twine &count) {
  return Reason("expected at most " + llvm::Twine(kMaxPictureCells) +
                " cells in a picture, but got " + count);
}

static std::string describePlace(int64_t row, int64_t column) {
  return ("row " + llvm::Twine(row) + ", column " + llvm::Twine(column)).str();
}

static std::string bankCaption(const PictureOptions &options) {
  return ("colour is the shared-memory bank of elements of " +
          llvm::Twine(options.elementBytes) +
          (options.elementBytes == 1 ? " byte" : " bytes"))
      .str();
}

/// A coordinate as short as possible: `(3,0)`.
static std::string shortLabel(const IntTuple &value) {
  std::string label = value.str();
  llvm::erase(label, ' ');
  return label;
}

//===----------------------------------------------------------------------===//
// Plain and swizzled layouts
//===----------------------------------------------------------------------===//

/// The cell of one element. The highlight is left to the caller.
static PictureCell makeCell(const IntTuple &value, int64_t row, int64_t column,
                            const PictureOptions &options) {
  PictureCell cell;
  cell.label = shortLabel(value);
  cell.description = describePlace(row, column) +
                     (value.isInt() ? ": offset " : ": coordinate ") +
                     value.str();
  if (!value.isInt())
    return cell;
  int64_t bank = getBank(value.getInt().getValue(), options.elementBytes);
  cell.color = bank;
  if (options.banks) {
    cell.bank = bank;
    cell.description += (", bank " + llvm::Twine(bank)).str();
  }
  return cell;
}

Result<Picture> tile::makePicture(const ComposedLayout &layout,
                                  const PictureOptions &options) {
  if (std::optional<Reason> reason = checkOptions(options))
    return *reason;
  if (!layout.isStatic())
    return Reason("expected a layout of constants, but got " + layout.str());
  bool hasBasis = layout.getLayout().hasBasis();
  if (options.highlightThread)
    return Reason("expected a thread-value layout to highlight a thread in, "
                  "but got " +
                  layout.str());
  if (hasBasis && options.banks)
    return Reason("expected integer strides to find banks, but got " +
                  layout.str());
  if (hasBasis && options.highlightValue)
    return Reason("expected integer strides to highlight an offset, but got " +
                  layout.str());
  Int size = layout.size();
  if (!size.isStatic() || size.getValue() > kMaxPictureCells)
    return tooManyCells(size.str());

  Picture picture;
  picture.title = layout.str();
  picture.caption = hasBasis ? "cells are coordinates" : bankCaption(options);
  picture.rows =
      layout.rank() > 1 ? layout.getLayout()[0].size().getValue() : 1;
  picture.columns = size.getValue() / picture.rows;
  picture.cells.reserve(size.getValue());
  // Coordinates are written with all their modes: (1, 0), where the layout
  // leaves zeros at the end out.
  IntTuple zero = layout.getLayout().coshape().mapLeaves(
      [](const IntTuple &) { return IntTuple(0); });
  for (int64_t row = 0; row < picture.rows; ++row) {
    for (int64_t column = 0; column < picture.columns; ++column) {
      Result<IntTuple> value = layout(row + picture.rows * column);
      if (value && hasBasis)
        value = addValues(*value, zero);
      if (!value)
        return value.takeReason();
      PictureCell cell = makeCell(*value, row, column, options);
      if (options.highlightValue)
        cell.highlighted = value->isStatic(*options.highlightValue);
      picture.hasHighlight |= cell.highlighted;
      picture.cells.push_back(std::move(cell));
    }
  }
  if (options.highlightValue && !picture.hasHighlight)
    return Reason("expected an offset of " + layout.str() +
                  " to highlight, but got " +
                  llvm::Twine(*options.highlightValue));
  return picture;
}

//===----------------------------------------------------------------------===//
// Thread-value layouts
//===----------------------------------------------------------------------===//

namespace {
/// One value of one thread, and the element of the tile that it is.
struct Ownership {
  int64_t thread = 0, value = 0, row = 0, column = 0;
};
} // namespace

/// The constants of a value with basis strides, (row, column).
static std::optional<std::pair<int64_t, int64_t>>
getCoordinate(const IntTuple &value) {
  int64_t numbers[2] = {0, 0};
  if (value.rank() > 2)
    return std::nullopt;
  for (unsigned mode = 0; mode < value.rank(); ++mode) {
    if (!value[mode].isInt() || !value[mode].getInt().isStatic())
      return std::nullopt;
    numbers[mode] = value[mode].getInt().getValue();
  }
  return std::make_pair(numbers[0], numbers[1]);
}

/// The numbers of threads and of values, checked.
static Result<std::pair<int64_t, int64_t>>
getExtents(const ComposedLayout &composed) {
  const Layout &layout = composed.getLayout();
  if (!composed.isStatic())
    return Reason("expected a layout of constants, but got " + composed.str());
  if (layout.isLeaf() || layout.rank() != 2)
    return Reason(
        "expected a layout of two modes, (threads, values), but got " +
        composed.str());
  Int size = layout.size();
  if (!size.isStatic() || size.getValue() > kMaxPictureCells)
    return tooManyCells(size.str());
  return std::make_pair(layout[0].size().getValue(),
                        layout[1].size().getValue());
}

/// Every value of every thread, values of thread 0 first. `rows` splits the
/// values of integer strides.
static Result<std::vector<Ownership>> enumerate(const ComposedLayout &layout,
                                                int64_t threads, int64_t values,
                                                int64_t rows) {
  std::vector<Ownership> owners;
  owners.reserve(threads * values);
  for (int64_t thread = 0; thread < threads; ++thread) {
    for (int64_t value = 0; value < values; ++value) {
      Result<IntTuple> element = layout(thread + threads * value);
      if (!element)
        return element.takeReason();
      auto coordinate = getCoordinate(*element);
      if (!coordinate)
        return Reason("expected strides n@e0 (rows), n@e1 (columns) or "
                      "integers, but got " +
                      layout.getLayout().getStride().str());
      auto [row, column] = *coordinate;
      if (!layout.getLayout().hasBasis() && row >= 0) {
        column = row / rows;
        row = row % rows;
      }
      if (row < 0 || column < 0)
        return Reason("expected elements of a tile, but got " + element->str() +
                      " for thread " + llvm::Twine(thread) + ", value " +
                      llvm::Twine(value));
      owners.push_back({thread, value, row, column});
    }
  }
  return owners;
}

static std::optional<Reason> checkHighlight(const PictureOptions &options,
                                            int64_t threads, int64_t values) {
  auto check = [](std::optional<int64_t> number, int64_t count,
                  llvm::StringRef what) -> std::optional<Reason> {
    if (!number || (*number >= 0 && *number < count))
      return std::nullopt;
    return Reason("expected a " + what + " from 0 to " +
                  llvm::Twine(count - 1) + " to highlight, but got " +
                  llvm::Twine(*number));
  };
  if (std::optional<Reason> reason =
          check(options.highlightThread, threads, "thread"))
    return reason;
  return check(options.highlightValue, values, "value");
}

/// Writes the owners into the cells of a picture whose extents are known.
static void fillCells(Picture &picture, llvm::ArrayRef<Ownership> owners,
                      const PictureOptions &options) {
  bool wanted = options.highlightThread || options.highlightValue;
  std::vector<int64_t> count(picture.rows * picture.columns, 0);
  picture.cells.resize(count.size());
  for (const Ownership &owner : owners) {
    int64_t index = owner.row * picture.columns + owner.column;
    PictureCell &cell = picture.cells[index];
    std::string words = ("thread " + llvm::Twine(owner.thread) + " value " +
                         llvm::Twine(owner.value))
                            .str();
    if (count[index]++ == 0) {
      cell.label =
          ("T" + llvm::Twine(owner.thread) + "V" + llvm::Twine(owner.value))
              .str();
      cell.description = describePlace(owner.row, owner.column) + ": " + words;
      cell.color = owner.thread % kNumColors;
    } else if (count[index] <= 4) {
      // A tooltip names the first four.
      cell.description += ", " + words;
    }
    if (wanted &&
        options.highlightThread.value_or(owner.thread) == owner.thread &&
        options.highlightValue.value_or(owner.value) == owner.value)
      cell.highlighted = picture.hasHighlight = true;
  }
  for (auto [cell, owned] : llvm::zip_equal(picture.cells, count))
    if (owned > 1)
      cell.label += ("+" + llvm::Twine(owned - 1)).str();
}

/// Adds to each cell the bank of its element in memory.
static std::optional<Reason>
addBanks(Picture &picture, const std::optional<ComposedLayout> &memory,
         const PictureOptions &options) {
  if (!memory)
    return Reason("expected a layout of the tile in memory to find banks, but "
                  "got none");
  int64_t elements = picture.rows * picture.columns;
  if (!memory->isStatic() || memory->getLayout().hasBasis() ||
      !memory->size().isStatic(elements) ||
      (memory->rank() > 1 &&
       !memory->getLayout()[0].size().isStatic(picture.rows)))
    return Reason("expected a layout of constants with " +
                  llvm::Twine(picture.rows) + " by " +
                  llvm::Twine(picture.columns) +
                  " elements to find banks, but got " + memory->str());
  for (int64_t row = 0; row < picture.rows; ++row) {
    for (int64_t column = 0; column < picture.columns; ++column) {
      Result<IntTuple> offset = (*memory)(row + picture.rows * column);
      if (!offset)
        return offset.takeReason();
      int64_t number = offset->getInt().getValue();
      PictureCell &cell = picture.cells[row * picture.columns + column];
      cell.bank = getBank(number, options.elementBytes);
      if (cell.description.empty())
        cell.description = describePlace(row, column) + ": no thread";
      cell.description += (", offset " + llvm::Twine(number) + ", bank " +
                           llvm::Twine(*cell.bank))
                              .str();
    }
  }
  return std::nullopt;
}

Result<Picture>
tile::makeThreadValuePicture(const ComposedLayout &layout,
                             std::optional<TileExtents> tile,
                             const std::optional<ComposedLayout> &memory,
                             const PictureOptions &options) {
  if (std::optional<Reason> reason = checkOptions(options))
    return *reason;
  Result<std::pair<int64_t, int64_t>> extents = getExtents(layout);
  if (!extents)
    return extents.takeReason();
  auto [threads, values] = *extents;
  if (std::optional<Reason> reason = checkHighlight(options, threads, values))
    return *reason;
  if (tile && (tile->rows < 1 || tile->columns < 1))
    return Reason("expected positive tile extents, but got " +
                  llvm::Twine(tile->rows) + " by " +
                  llvm::Twine(tile->columns));
  Result<std::vector<Ownership>> owners =
      enumerate(layout, threads, values, tile ? tile->rows : 1);
  if (!owners)
    return owners.takeReason();

  Picture picture;
  picture.title = layout.str();
  picture.caption = "colour is the thread";
  picture.rows = tile ? tile->rows : 1;
  picture.columns = tile ? tile->columns : 1;
  for (const Ownership &owner : *owners) {
    if (std::max(owner.row, owner.column) >= kMaxPictureCells)
      return Reason("expected rows and columns below " +
                    llvm::Twine(kMaxPictureCells) + " in a picture, but got (" +
                    llvm::Twine(owner.row) + ", " + llvm::Twine(owner.column) +
                    ") for thread " + llvm::Twine(owner.thread) + ", value " +
                    llvm::Twine(owner.value));
    if (!tile) {
      picture.rows = std::max(picture.rows, owner.row + 1);
      picture.columns = std::max(picture.columns, owner.column + 1);
    } else if (owner.row >= tile->rows || owner.column >= tile->columns) {
      return Reason("expected elements of a " + llvm::Twine(tile->rows) +
                    " by " + llvm::Twine(tile->columns) + " tile, but got (" +
                    llvm::Twine(owner.row) + ", " + llvm::Twine(owner.column) +
                    ") for thread " + llvm::Twine(owner.thread) + ", value " +
                    llvm::Twine(owner.value));
    }
  }
  if (picture.columns > kMaxPictureCells / picture.rows)
    return tooManyCells(llvm::Twine(picture.rows) + " by " +
                        llvm::Twine(picture.columns));
  fillCells(picture, *owners, options);
  if (!options.banks)
    return picture;
  // Without a tile, integers are offsets into memory themselves.
  std::optional<ComposedLayout> own = memory;
  if (!own && !tile && !layout.getLayout().hasBasis())
    if (Result<Layout> offsets = Layout::get(picture.columns, 1))
      own = ComposedLayout(*offsets);
  if (std::optional<Reason> reason = addBanks(picture, own, options))
    return *reason;
  return picture;
}
