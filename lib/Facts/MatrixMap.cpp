// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access maps from matrices to tensors: their elements, their text, and what a
// sound one is.
#include "tile/Facts/MatrixMap.h"

#include <charconv>

using namespace tile;

/// What extents, strides and constants may be: products of two, and sums of a
/// few of these, fit 64 bits.
static constexpr int64_t kLargest = int64_t(1) << 40;
static constexpr int64_t kMostElements = int64_t(1) << 60;
static constexpr size_t kMostDigits = 16, kMostDims = 8;

int64_t MatrixMap::getExtent(int which) const {
  int64_t extent = 1;
  for (int64_t digit : digits[which])
    extent *= digit;
  return extent;
}

size_t MatrixMap::getFirstDigit(int which) const {
  size_t first = 0;
  for (int i = 0; i < which; ++i)
    first += digits[i].size();
  return first;
}

bool MatrixMap::findIndex(int64_t batch, int64_t row, int64_t column,
                          int64_t *result) const {
  const int64_t numbers[3] = {batch, row, column};
  int64_t values[kMostDigits];
  size_t end = countDigits();
  for (int which = 2; which >= 0; --which) {
    int64_t rest = numbers[which];
    for (size_t i = digits[which].size(); i-- > 0;) {
      values[--end] = rest % digits[which][i];
      rest /= digits[which][i];
    }
  }
  for (const MatrixMapDim &dim : dims) {
    int64_t index = dim.constant;
    for (size_t i = 0; i < dim.coefficients.size(); ++i)
      index += dim.coefficients[i] * values[i];
    if (index < 0 || index % dim.divisor != 0 ||
        index / dim.divisor >= dim.extent)
      return false;
    *result++ = index / dim.divisor;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void print(std::string &text, const std::vector<int64_t> &list) {
  text += "[";
  for (size_t i = 0; i < list.size(); ++i)
    text += (i ? ", " : "") + std::to_string(list[i]);
  text += "]";
}

std::string MatrixMap::str() const {
  std::string text;
  for (const std::vector<int64_t> &list : digits)
    print(text, list);
  for (const MatrixMapDim &dim : dims) {
    text += " ";
    print(text, {dim.extent, dim.stride, dim.divisor, dim.constant});
    print(text, dim.coefficients);
  }
  return text;
}

/// Reads `[1, 2]` off the front of a text.
static bool readList(std::string_view &text, std::vector<int64_t> &list) {
  auto skip = [&] {
    while (!text.empty() && text.front() == ' ')
      text.remove_prefix(1);
  };
  auto take = [&](char c) {
    skip();
    if (text.empty() || text.front() != c)
      return false;
    text.remove_prefix(1);
    return true;
  };
  if (!take('['))
    return false;
  if (take(']'))
    return true;
  do {
    skip();
    int64_t number = 0;
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
      return false;
    text.remove_prefix(end - text.data());
    list.push_back(number);
  } while (take(','));
  return take(']');
}

std::string MatrixMap::parse(std::string_view text, MatrixMap &map) {
  const std::string malformed = "expected lists of integers in brackets";
  map = MatrixMap();
  for (std::vector<int64_t> &list : map.digits)
    if (!readList(text, list))
      return malformed;
  while (!text.empty()) {
    std::vector<int64_t> numbers;
    MatrixMapDim &dim = map.dims.emplace_back();
    if (!readList(text, numbers) || !readList(text, dim.coefficients))
      return malformed;
    if (numbers.size() != 4)
      return "expected extent, stride, divisor and constant of a dimension, "
             "but got " +
             std::to_string(numbers.size()) + " numbers";
    dim.extent = numbers[0];
    dim.stride = numbers[1];
    dim.divisor = numbers[2];
    dim.constant = numbers[3];
  }
  return checkMatrixMap(map);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string outOfRange(const char *what, int64_t low, int64_t got) {
  return std::string("expected ") + what + " of " + std::to_string(low) +
         " to 2^40, but got " + std::to_string(got);
}

std::string tile::checkMatrixMap(const MatrixMap &map) {
  if (map.countDigits() > kMostDigits)
    return "expected at most " + std::to_string(kMostDigits) +
           " digits, but got " + std::to_string(map.countDigits());
  if (map.dims.empty() || map.dims.size() > kMostDims)
    return "expected a tensor of 1 to " + std::to_string(kMostDims) +
           " dimensions, but got " + std::to_string(map.dims.size());
  int64_t elements = 1;
  for (const std::vector<int64_t> &list : map.digits)
    for (int64_t extent : list) {
      if (extent < 0 || extent > kLargest)
        return outOfRange("digits", 0, extent);
      if (__builtin_mul_overflow(elements, extent > 1 ? extent : 1,
                                 &elements) ||
          elements > kMostElements)
        return "expected at most 2^60 elements of the matrices, but got more";
    }
  for (const MatrixMapDim &dim : map.dims) {
    if (dim.extent < 0 || dim.extent > kLargest)
      return outOfRange("extents", 0, dim.extent);
    if (dim.stride < 0 || dim.stride > kLargest)
      return outOfRange("strides", 0, dim.stride);
    if (dim.divisor < 1 || dim.divisor > kLargest)
      return outOfRange("divisors", 1, dim.divisor);
    if (dim.coefficients.size() != map.countDigits())
      return "expected a coefficient for each of " +
             std::to_string(map.countDigits()) + " digits, but got " +
             std::to_string(dim.coefficients.size());
    // Neither an index nor an offset overflows.
    __int128 reach = dim.constant < 0 ? -__int128(dim.constant) : dim.constant;
    size_t digit = 0;
    for (const std::vector<int64_t> &list : map.digits)
      for (int64_t extent : list) {
        __int128 coefficient = dim.coefficients[digit++];
        reach += (coefficient < 0 ? -coefficient : coefficient) *
                 (extent > 1 ? extent - 1 : 0);
      }
    if (reach > kMostElements ||
        __int128(dim.extent) * dim.stride > kMostElements)
      return "expected indices and offsets below 2^60, but got larger ones";
  }
  return "";
}
