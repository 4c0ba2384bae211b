// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results against float64: exact samples, and a checksum of every row.
#include "Check.h"

#include "Support/Parallel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace tile;
using namespace tile::bench;
using llvm::formatv;

static constexpr int64_t wantedSamples = 4096;
/// Matrices of a batch to sample.
static constexpr int64_t wantedMatrices = 8;
static constexpr double toleratedRoundings = 16;

/// Half of the distance from 1 to the next number in which the sum over K of a
/// point's products is kept.
static double getSumRoundoff(const Point &point) {
  switch (point.type->type) {
  case ElementType::F64:
    return 0x1p-53;
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return 0x1p-14;
  case ElementType::I8:
  case ElementType::I32:
    return 0; // Exact.
  default:
    return 0x1p-24;
  }
}

Tolerance tile::bench::toleranceOf(const Point &point) {
  Tolerance result;
  if (point.type->isInteger())
    return result;
  double accumulator = getSumRoundoff(point);
  double k = static_cast<double>(point.k);
  if (point.tf32) {
    result.ofValue = 2 * point.typeD->roundoff;
    result.ofMagnitude = 2 * k * accumulator;
    result.ofNorm =
        1.01 * (std::ceil(k / 8) * 2 * accumulator + point.typeD->roundoff);
    return result;
  }
  if (!point.type->isNarrow()) {
    result.ofMagnitude = toleratedRoundings * accumulator;
    result.ofValue = point.typeD->roundoff;
    return result;
  }
  result.ofValue = 2 * point.typeD->roundoff;
  if (point.type->bytes == 2) {
    result.ofMagnitude = 2 * k * accumulator;
    result.ofNorm = std::ceil(k / 16) * 2 * accumulator;
  } else {
    result.ofMagnitude = 0x1p-11;
    result.ofNorm = std::ceil(k / 32) * 2 * accumulator;
  }
  // The hundredth is for the sums in float64.
  result.ofNorm = 1.01 * (result.ofNorm + point.typeD->roundoff);
  return result;
}

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

Reference::Reference(const Point &point, const Noises &noises,
                     const OperandSet &set)
    : point(point), tolerance(toleranceOf(point)) {
  computeSamples(noises, set);
  computeChecksums(noises, set);
  computeChecksumTolerance();
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

void Reference::computeSamples(const Noises &noises, const OperandSet &set) {
  int64_t batchCount = std::min(point.batch, wantedMatrices);
  int64_t wanted = llvm::divideCeil(wantedSamples, batchCount);
  // A little more than the root of that many rows and columns.
  int64_t lines = static_cast<int64_t>(std::sqrt(wanted)) + 2;
  auto fill = [&](int64_t other) {
    return std::max<int64_t>(lines, llvm::divideCeil(wanted, other));
  };
  int64_t rowCount = std::min(point.m, lines);
  int64_t columnCount = std::min(point.n, fill(rowCount));
  rowCount = std::min(point.m, fill(columnCount));
  std::vector<int64_t> matrices = chooseIndices(point.batch, batchCount, 4);
  std::vector<int64_t> rowsOfEach = chooseIndices(point.m, rowCount, 1);
  std::vector<int64_t> columns = chooseIndices(point.n, columnCount, 2);

  Placement placeA = point.a(), placeB = point.b(), placeD = point.d();
  int64_t total = batchCount * rowCount;
  std::vector<std::vector<double>> linesA(total);
  std::vector<std::vector<double>> linesB(batchCount * columnCount);
  parallelFor(total, [&](int64_t i) {
    int64_t matrix = matrices[i / rowCount];
    linesA[i] = gather(*noises.a, set.startA + matrix * placeA.batchStride,
                       placeA, /*row=*/true, rowsOfEach[i % rowCount]);
  });
  parallelFor(linesB.size(), [&](int64_t i) {
    int64_t matrix = matrices[i / columnCount];
    linesB[i] = gather(*noises.b, set.startB + matrix * placeB.batchStride,
                       placeB, /*row=*/false, columns[i % columnCount]);
  });
  samples.resize(total * columnCount);
  for (int64_t i = 0; i < total; ++i)
    rows.push_back(matrices[i / rowCount] * point.m + rowsOfEach[i % rowCount]);
  parallelFor(samples.size(), [&](int64_t i) {
    int64_t line = i / columnCount, j = i % columnCount;
    const double *a = linesA[line].data();
    const double *b = linesB[line / rowCount * columnCount + j].data();
    double value = 0, magnitude = 0;
    for (int64_t k = 0; k < point.k; ++k) {
      value += a[k] * b[k];
      magnitude += std::fabs(a[k] * b[k]);
    }
    value *= point.alpha;
    magnitude *= std::fabs(point.alpha);
    if (noises.c) {
      double c =
          point.beta *
          noises.c->at(set.startC + rows[line] * placeD.pitch() + columns[j]);
      value += c;
      magnitude += std::fabs(c);
    }
    samples[i] = {rows[line], columns[j], value, magnitude};
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

/// The products of the matrices of a batch of noise and vectors: matrix i times
/// the vector from `x[i * xStride]`, one after the other.
static std::vector<double> multiply(const Noise &noise, int64_t start,
                                    const Placement &place,
                                    const std::vector<double> &x,
                                    int64_t xStride) {
  std::vector<double> y(place.rows * place.batch, 0.0);
  if (!place.transposed) {
    // Rows of all matrices are evenly apart.
    parallelFor(place.rows * place.batch, [&](int64_t row) {
      const double *factor = x.data() + row / place.rows * xStride;
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
  int64_t bands = llvm::divideCeil(place.rows, band);
  parallelFor(bands * place.batch, [&](int64_t part) {
    int64_t matrix = part / bands;
    int64_t begin = part % bands * band,
            end = std::min(place.rows, begin + band);
    for (int64_t column = 0; column < place.columns; ++column) {
      double *sum = y.data() + matrix * place.rows + begin;
      double factor = x[matrix * xStride + column];
      forPieces(noise,
                start + matrix * place.batchStride +
                    column * place.columnStride + begin,
                end - begin, [&](const double *values, int64_t count) {
                  for (int64_t i = 0; i < count; ++i)
                    sum[i] += values[i] * factor;
                  sum += count;
                });
    }
  });
  return y;
}

void Reference::computeChecksums(const Noises &noises, const OperandSet &set) {
  // Weights around 1 in both signs: none hides its column.
  std::mt19937_64 random(3);
  for (int64_t j = 0; j < point.n; ++j) {
    double weight = 0.5 + static_cast<double>(random() >> 11) * 0x1p-53;
    weights.push_back(random() & 1 ? weight : -weight);
  }
  checksums =
      multiply(*noises.a, set.startA, point.a(),
               multiply(*noises.b, set.startB, point.b(), weights, 0), point.k);
  for (double &checksum : checksums)
    checksum *= point.alpha;
  if (!noises.c)
    return;
  std::vector<double> added =
      multiply(*noises.c, set.startC, point.d(), weights, 0);
  for (size_t i = 0; i < checksums.size(); ++i)
    checksums[i] += point.beta * added[i];
}

void Reference::computeChecksumTolerance() {
  double magnitude = 0, squares = 0;
  for (const Sample &sample : samples) {
    magnitude = std::max(magnitude, sample.magnitude);
    squares += sample.value * sample.value;
  }
  double norm = std::sqrt(
      std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0));
  // Rounding errors of a row's elements are independent. Six deviations do not
  // occur.
  if (tolerance.ofNorm > 0)
    checksumTolerance =
        6 * tolerance.ofNorm * std::sqrt(squares / samples.size()) * norm;
  else if (point.type->isInteger())
    // The checksum itself is rounded, in float64.
    checksumTolerance = toleratedRoundings * 0x1p-50 * magnitude * norm;
  else
    checksumTolerance = toleratedRoundings *
                        (getSumRoundoff(point) + point.typeD->roundoff) *
                        magnitude * norm;
}

std::string Reference::checkPadding(const std::vector<char> &d,
                                    llvm::ArrayRef<int64_t> rows) const {
  Placement place = point.d();
  int64_t bytes = point.typeD->bytes;
  for (int64_t row : rows) {
    const char *line = d.data() + row * place.pitch() * bytes;
    for (int64_t i = place.columns * bytes; i < place.pitch() * bytes; ++i)
      if (line[i] != static_cast<char>(0xFF))
        return formatv("the padding after row {0} was written", row);
  }
  return "";
}

std::string Reference::checkRows(const std::vector<char> &d,
                                 llvm::ArrayRef<int64_t> rows) const {
  Placement place = point.d();
  const ElementTypeInfo &type = *point.typeD;
  std::vector<double> sums(rows.size(), 0.0);
  parallelFor(rows.size(), [&](int64_t i) {
    const char *line = d.data() + rows[i] * place.pitch() * type.bytes;
    double sum = 0;
    for (int64_t j = 0; j < place.columns; ++j)
      sum += weights[j] * type.decode(line + j * type.bytes);
    sums[i] = sum;
  });
  for (size_t i = 0; i < rows.size(); ++i) {
    double expected = checksums[rows[i]];
    // Written so that NaN is an error.
    if (!(std::fabs(sums[i] - expected) <= checksumTolerance))
      return formatv("expected row {0} to have the checksum {1:e6} within "
                     "{2:e2}, but got {3:e6}",
                     rows[i], expected, checksumTolerance, sums[i]);
  }
  return "";
}

Verdict Reference::check(const std::vector<char> &d, bool strict,
                         Extent extent) const {
  Verdict verdict;
  const ElementTypeInfo &type = *point.typeD;
  int64_t pitch = point.d().pitch();
  double errors = 0, squares = 0;
  for (const Sample &sample : samples) {
    int64_t index = sample.row * pitch + sample.column;
    double got = type.decode(d.data() + index * type.bytes);
    double error = std::fabs(got - sample.value);
    double tolerated = tolerance.ofMagnitude * sample.magnitude +
                       tolerance.ofValue * std::fabs(sample.value);
    if (!(error <= tolerated) && verdict.wrong.empty())
      verdict.wrong =
          formatv("expected element ({0}, {1}) to be {2:e8} within {3:e2}, but "
                  "got {4:e8}",
                  sample.row, sample.column, sample.value, tolerated, got);
    errors += error * error;
    squares += sample.value * sample.value;
    if (sample.magnitude > 0 && !(error / sample.magnitude <= verdict.maxError))
      verdict.maxError = error / sample.magnitude;
    if (tolerated > 0 && !(error / tolerated <= verdict.toleranceUsed))
      verdict.toleranceUsed = error / tolerated;
  }
  verdict.samples = static_cast<int64_t>(samples.size());
  verdict.relativeError = squares > 0 ? std::sqrt(errors / squares) : 0;
  if (strict && tolerance.ofNorm > 0 && verdict.wrong.empty() &&
      verdict.relativeError > tolerance.ofNorm)
    verdict.wrong =
        formatv("expected the samples to be within {0:e2} of the reference in "
                "norm, but got {1:e2}",
                tolerance.ofNorm, verdict.relativeError);
  std::vector<int64_t> all;
  llvm::ArrayRef<int64_t> looked = rows;
  if (extent == Extent::All) {
    all.resize(point.batch * point.m);
    std::iota(all.begin(), all.end(), 0);
    looked = all;
  }
  if (verdict.wrong.empty())
    verdict.wrong = checkRows(d, looked);
  if (verdict.wrong.empty())
    verdict.wrong = checkPadding(d, looked);
  return verdict;
}
