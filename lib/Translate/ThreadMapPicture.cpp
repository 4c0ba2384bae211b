// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of thread maps: the number of the thread on each access of a tile.
#include "ThreadMapPicture.h"

#include "tile/IR/ThreadMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

static constexpr int64_t kWarp = 32;

/// Why a number is not one of `count`, or nothing.
static std::optional<Reason>
checkNumber(StringRef name, std::optional<int64_t> number, int64_t count) {
  if (!number || (*number >= 0 && *number < count))
    return std::nullopt;
  return Reason("expected " + name + " between 0 and " + Twine(count - 1) +
                ", but got " + Twine(*number));
}

/// What colours and brackets mean.
static std::string getCaption(const AccessPattern &pattern, int64_t width,
                              const ThreadMapPictureOptions &options,
                              ArrayRef<int64_t> tile) {
  std::string text = llvm::formatv(
      "a cell is {0} element{1} along the {2}, its number the thread", width,
      width == 1 ? "" : "s", pattern.vectorDim == 1 ? "columns" : "rows");
  if (options.iteration)
    text += llvm::formatv("; iteration {0} of {1}", *options.iteration,
                          pattern.getNumAccesses());
  SmallVector<int64_t> masked = getMaskedAccesses(pattern, tile);
  if (!masked.empty())
    text +=
        llvm::formatv("; {0} of {1} accesses need a mask, the first of "
                      "them {2}",
                      masked.size(), pattern.getNumAccesses(), masked.front());
  return text;
}

Result<Picture>
tile::makeThreadMapPicture(ThreadMapAttrInterface map,
                           const ThreadMapPictureOptions &options) {
  AccessPattern pattern = getAccessPattern(map);
  SmallVector<int64_t, 2> tile = map.getTileShape();
  int64_t threads = pattern.getNumThreads();
  int64_t accesses = pattern.getNumAccesses();
  for (const std::optional<Reason> &reason :
       {checkNumber("an iteration", options.iteration, accesses),
        checkNumber("a warp", options.highlightWarp,
                    llvm::divideCeil(threads, kWarp)),
        checkNumber("a thread", options.highlightThread, threads)})
    if (reason)
      return *reason;

  // Accesses begin at multiples of `width` along their dimension.
  int64_t width = pattern.vector, dim = pattern.vectorDim;
  width = std::gcd(width, tile[dim]);
  for (const auto *modes : {&pattern.threads, &pattern.iterations})
    for (const MapMode &mode : *modes)
      if (mode.dim == dim && mode.size > 1)
        width = std::gcd(width, mode.stride);
  Picture picture;
  picture.rows = tile[0] / (dim == 0 ? width : 1);
  picture.columns = tile[1] / (dim == 1 ? width : 1);
  if (picture.rows * picture.columns > kMaxPictureCells)
    return Reason("expected at most " + Twine(kMaxPictureCells) +
                  " accesses in a picture, but got " + Twine(picture.rows) +
                  " by " + Twine(picture.columns));
  llvm::raw_string_ostream(picture.title) << map;
  picture.caption = getCaption(pattern, width, options, tile);
  picture.hasHighlight = options.highlightWarp || options.highlightThread;
  picture.cells.resize(picture.rows * picture.columns);
  SmallVector<int64_t> owners(picture.cells.size(), 0);
  for (int64_t t = 0; t < threads; ++t) {
    auto [row0, column0] = pattern.getThreadOffset(t);
    for (int64_t i = 0; i < accesses; ++i) {
      if (options.iteration && i != *options.iteration)
        continue;
      auto [rows, columns] = pattern.getAccessOffset(i);
      for (int64_t v = 0; v < pattern.vector; v += width) {
        int64_t row = row0 + rows + (dim == 0 ? v : 0);
        int64_t column = column0 + columns + (dim == 1 ? v : 0);
        if (row >= tile[0] || column >= tile[1])
          continue;
        int64_t number = row / (dim == 0 ? width : 1) * picture.columns +
                         column / (dim == 1 ? width : 1);
        PictureCell &cell = picture.cells[number];
        if (owners[number]++ == 0) {
          cell.label = std::to_string(t);
          cell.color = t % kNumColors;
        }
        cell.description +=
            (cell.description.empty()
                 ? llvm::formatv("row {0}, column {1}: ", row, column).str()
                 : "; ") +
            llvm::formatv("thread {0}, iteration {1}", t, i).str();
        cell.highlighted |=
            options.highlightWarp == t / kWarp || options.highlightThread == t;
      }
    }
  }
  for (auto [cell, count] : llvm::zip_equal(picture.cells, owners))
    if (count > 1)
      cell.label += "+" + std::to_string(count - 1);
  return picture;
}
