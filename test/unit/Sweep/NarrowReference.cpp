// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference for factors of 16 and 8 bits, and of tf32, as Reference.h
// describes it.
#include "Reference.h"

#include <cmath>
#include <cstdio>

using namespace tile;
using namespace tile::sweep;

namespace {

/// An operand's elements of one batch as numbers, packed by rows.
struct Numbers {
  std::vector<double> values;
  int64_t columns = 0;
  double at(int64_t row, int64_t column) const {
    return values[row * columns + column];
  }
};

} // namespace

static double load(const sweep::Problem &problem, char name, const Image &image,
                   int64_t batch, int64_t row, int64_t column) {
  const ElementTypeInfo &info = getInfo(elementOf(problem, name));
  const Geometry &geometry = image.getGeometry();
  int64_t position =
      image.getBase() +
      geometry.at(geometry.extents[0] == 1 ? 0 : batch, row, column);
  return info.decode(image.data() + position * info.bytes);
}

static Numbers unpack(const sweep::Problem &problem, char name,
                      const Image &image, int64_t batch) {
  Numbers result;
  int64_t rows = image.getGeometry().extents[1];
  result.columns = image.getGeometry().extents[2];
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < result.columns; ++j)
      result.values.push_back(load(problem, name, image, batch, i, j));
  if (problem.tf32)
    for (double &value : result.values)
      value = cutToTF32(value);
  return result;
}

std::string tile::sweep::compareNarrow(const sweep::Problem &p, const Image &a,
                                       const Image &b, const Image &c,
                                       const Image &d) {
  const ElementTypeInfo &info = getInfo(elementOf(p, 'D'));
  int64_t depth = p.alpha == 0 ? 0 : p.k;
  bool readC = p.hasC && p.beta != 0;
  double sums = !p.hasScalars()           ? 0
                : bytesOf(p.element) == 1 ? 0x1p-11
                                          : 2 * double(depth + 2) * 0x1p-24;
  std::string first;
  int64_t wrong = 0, batches = d.getGeometry().extents[0];
  std::vector<double> sum(p.n), magnitude(p.n);
  for (int64_t batch = 0; batch < batches; ++batch) {
    // Where the sum is empty, A and B may hold anything.
    Numbers left, right;
    if (depth) {
      left = unpack(p, 'A', a, batch);
      right = unpack(p, 'B', b, batch);
    }
    for (int64_t i = 0; i < p.m; ++i) {
      sum.assign(p.n, 0);
      magnitude.assign(p.n, 0);
      for (int64_t k = 0; k < depth; ++k) {
        double factor = left.at(i, k);
        const double *row = &right.values[k * p.n];
        for (int64_t j = 0; j < p.n; ++j) {
          sum[j] += factor * row[j];
          magnitude[j] += std::fabs(factor * row[j]);
        }
      }
      for (int64_t j = 0; j < p.n; ++j) {
        double added = readC ? p.beta * load(p, 'C', c, batch, i, j) : 0;
        double want = p.alpha * sum[j] + added;
        double bound = 2 * info.roundoff * std::fabs(want) +
                       sums * std::fabs(p.alpha) * magnitude[j] +
                       2 * 0x1p-24 * std::fabs(added) + info.smallest;
        double got = load(p, 'D', d, batch, i, j);
        bool right = std::isnan(want)   ? std::isnan(got)
                     : std::isinf(want) ? got == want
                                        : std::fabs(got - want) <= bound;
        if (right || wrong++ > 0)
          continue;
        char text[256];
        std::snprintf(text, sizeof(text),
                      "D(%lld, %lld, %lld) is %.9g, want %.9g within %.3g",
                      static_cast<long long>(batch), static_cast<long long>(i),
                      static_cast<long long>(j), got, want, bound);
        first = text;
      }
    }
  }
  if (wrong == 0)
    return "";
  return first + "; " + std::to_string(wrong) + " of " +
         std::to_string(batches * p.m * p.n) + " elements are wrong";
}
