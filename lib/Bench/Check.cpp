// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results against float64: exact samples, and a checksum of every row.
#include "Check.h"

#include "Parallel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <random>

using namespace tile;
using namespace tile::bench;
using llvm::formatv;

static constexpr int64_t wantedSamples = 4096;
/// Rows and columns to sample, a little more than the root of that.
static constexpr int64_t wantedLines = 66;
static constexpr double toleratedRoundings = 16;

/// `count` distinct indices below `extent`: the first, the last, and random
/// ones.
static std::vector<int64_t> chooseIndices(int64_t extent, int64_t count,
                                          uint64_t seed) {
  std::vector<int64_t> result;
  if (count == extent) {
    for (int64_t i = 0; i < extent; ++i)
      result.push_back(i);
    return result;
  }
  std::mt19937_64 random(seed);
  // One from each of `count` equal parts: distinct, and spread.
  for (int64_t i = 0; i < count; ++i) {
    int64_t begin = extent * i / count, end = extent * (i + 1) / count;
    result.push_back(begin + static_cast<int64_t>(random() % (end - begin)));
  }
  result.front() = 0;
  result.back() = extent - 1;
  return result;
}

Reference::Reference(const Point &point, const Noise &noise,
                     const OperandSet &set)
    : point(point) {
  computeSamples(noise, set);
  computeChecksums(noise, set);
}

/// A line of a matrix as numbers: row or column `index`, whichever `row` says.
static std::vector<double> gather(const Noise &noise, int64_t start,
                                  const Placement &place, bool row,
                                  int64_t index) {
  std::vector<double> line(row ? place.columns : place.rows);
  int64_t base = index * (row ? place.rowStride : place.columnStride);
  int64_t stride = row ? place.columnStride : place.rowStride;
  for (size_t i = 0; i < line.size(); ++i)
    line[i] = noise.at(start + base + static_cast<int64_t>(i) * stride);
  return line;
}

void Reference::computeSamples(const Noise &noise, const OperandSet &set) {
  int64_t rowCount = std::min(point.m, wantedLines);
  int64_t columnCount = std::min(
      point.n, std::max(wantedLines, static_cast<int64_t>(llvm::divideCeil(
                                         wantedSamples, rowCount))));
  rowCount = std::min(point.m,
                      std::max(rowCount, static_cast<int64_t>(llvm::divideCeil(
                                             wantedSamples, columnCount))));
  std::vector<int64_t> rows = chooseIndices(point.m, rowCount, 1);
  std::vector<int64_t> columns = chooseIndices(point.n, columnCount, 2);

  std::vector<std::vector<double>> linesA(rowCount), linesB(columnCount);
  parallelFor(rowCount, 0, [&](int64_t i) {
    linesA[i] = gather(noise, set.startA, point.a(), /*row=*/true, rows[i]);
  });
  parallelFor(columnCount, 0, [&](int64_t i) {
    linesB[i] = gather(noise, set.startB, point.b(), /*row=*/false, columns[i]);
  });
  samples.resize(rowCount * columnCount);
  parallelFor(rowCount, 0, [&](int64_t i) {
    for (int64_t j = 0; j < columnCount; ++j) {
      const double *a = linesA[i].data(), *b = linesB[j].data();
      double value = 0, magnitude = 0;
      for (int64_t k = 0; k < point.k; ++k) {
        value += a[k] * b[k];
        magnitude += std::fabs(a[k] * b[k]);
      }
      samples[i * columnCount + j] = {rows[i], columns[j], value, magnitude};
    }
  });
}

/// Calls `use(values, count)` for the pieces of `count` consecutive numbers of
/// the noise from `position` that do not wrap around.
template <class Use>
static void forPieces(const Noise &noise, int64_t position, int64_t count,
                      Use use) {
  while (count > 0) {
    position %= Noise::period;
    int64_t piece = std::min(count, Noise::period - position);
    use(noise.getValues().data() + position, piece);
    position += piece;
    count -= piece;
  }
}

/// The product of a matrix of noise and a vector.
static std::vector<double> multiply(const Noise &noise, int64_t start,
                                    const Placement &place,
                                    const std::vector<double> &x) {
  std::vector<double> y(place.rows, 0.0);
  if (!place.transposed) {
    parallelFor(place.rows, 0, [&](int64_t row) {
      const double *factor = x.data();
      double sum = 0;
      forPieces(noise, start + row * place.rowStride, place.columns,
                [&](const double *values, int64_t count) {
                  for (int64_t i = 0; i < count; ++i)
                    sum += values[i] * factor[i];
                  factor += count;
                });
      y[row] = sum;
    });
    return y;
  }
  // Columns are contiguous: each thread takes a band of rows through all of
  // them.
  constexpr int64_t band = 512;
  parallelFor(llvm::divideCeil(place.rows, band), 0, [&](int64_t part) {
    int64_t begin = part * band, end = std::min(place.rows, begin + band);
    for (int64_t column = 0; column < place.columns; ++column) {
      double *sum = y.data() + begin, factor = x[column];
      forPieces(noise, start + column * place.columnStride + begin, end - begin,
                [&](const double *values, int64_t count) {
                  for (int64_t i = 0; i < count; ++i)
                    sum[i] += values[i] * factor;
                  sum += count;
                });
    }
  });
  return y;
}

void Reference::computeChecksums(const Noise &noise, const OperandSet &set) {
  // Weights around 1 in both signs: none hides its column.
  std::mt19937_64 random(3);
  double squares = 0, magnitude = 0;
  for (int64_t j = 0; j < point.n; ++j) {
    double weight = 0.5 + static_cast<double>(random() >> 11) * 0x1p-53;
    weights.push_back(random() & 1 ? weight : -weight);
    squares += weight * weight;
  }
  checksums = multiply(noise, set.startA, point.a(),
                       multiply(noise, set.startB, point.b(), weights));
  for (const Sample &sample : samples)
    magnitude = std::max(magnitude, sample.magnitude);
  // Rounding errors of a row's elements are independent.
  checksumTolerance =
      toleratedRoundings *
      (point.type->accumulatorRoundoff + point.type->resultRoundoff) *
      magnitude * std::sqrt(squares);
}

std::string Reference::checkPadding(const std::vector<char> &d) const {
  Placement place = point.d();
  int64_t bytes = point.type->bytes;
  for (int64_t row = 0; row < place.rows; ++row) {
    const char *line = d.data() + row * place.pitch() * bytes;
    for (int64_t i = place.columns * bytes; i < place.pitch() * bytes; ++i)
      if (line[i] != static_cast<char>(0xFF))
        return formatv("the padding after row {0} was written", row);
  }
  return "";
}

std::string Reference::checkRows(const std::vector<char> &d) const {
  Placement place = point.d();
  const ElementType &type = *point.type;
  std::vector<double> sums(place.rows, 0.0);
  parallelFor(place.rows, 0, [&](int64_t row) {
    const char *line = d.data() + row * place.pitch() * type.bytes;
    double sum = 0;
    for (int64_t j = 0; j < place.columns; ++j)
      sum += weights[j] * type.decode(line + j * type.bytes);
    sums[row] = sum;
  });
  for (int64_t row = 0; row < place.rows; ++row)
    // Written so that NaN is an error.
    if (!(std::fabs(sums[row] - checksums[row]) <= checksumTolerance))
      return formatv("expected row {0} to have the checksum {1:e6} within "
                     "{2:e2}, but got {3:e6}",
                     row, checksums[row], checksumTolerance, sums[row]);
  return "";
}

Verdict Reference::check(const std::vector<char> &d) const {
  Verdict verdict;
  const ElementType &type = *point.type;
  Placement place = point.d();
  double errors = 0, squares = 0;
  for (const Sample &sample : samples) {
    int64_t index = sample.row * place.rowStride + sample.column;
    double got = type.decode(d.data() + index * type.bytes);
    double error = std::fabs(got - sample.value);
    double tolerance =
        toleratedRoundings * type.accumulatorRoundoff * sample.magnitude +
        type.resultRoundoff * std::fabs(sample.value);
    if (!(error <= tolerance) && verdict.wrong.empty())
      verdict.wrong =
          formatv("expected element ({0}, {1}) to be {2:e8} within {3:e2}, but "
                  "got {4:e8}",
                  sample.row, sample.column, sample.value, tolerance, got);
    errors += error * error;
    squares += sample.value * sample.value;
    if (sample.magnitude > 0 && !(error / sample.magnitude <= verdict.maxError))
      verdict.maxError = error / sample.magnitude;
  }
  verdict.samples = static_cast<int64_t>(samples.size());
  verdict.relativeError = squares > 0 ? std::sqrt(errors / squares) : 0;
  if (verdict.wrong.empty())
    verdict.wrong = checkRows(d);
  if (verdict.wrong.empty())
    verdict.wrong = checkPadding(d);
  return verdict;
}
