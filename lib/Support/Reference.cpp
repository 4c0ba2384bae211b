// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference GEMM: blocked, on all cores, on all elements or on a sample.
#include "Support/Reference.h"

#include "Support/Parallel.h"
#include "Support/Random.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cmath>
#include <limits>

using namespace tile;

static constexpr int64_t kBlock = 32;  ///< rows and columns of one task
static constexpr int64_t kDepth = 256; ///< terms packed at a time
static constexpr int64_t kLanes = 8;   ///< columns summed in registers

namespace {

/// The indices to check, in increasing order.
struct Selection {
  std::vector<int64_t> batches, rows, columns;
};

/// The results of a block: the sums, and the sums of the terms' magnitudes.
template <class Sum>
struct Block {
  Sum sums[kBlock][kBlock];
  Sum magnitudes[kBlock][kBlock];
};

/// One task: part of the rows and columns of one batch.
struct Task {
  int64_t batch;
  llvm::ArrayRef<int64_t> rows, columns;
};

} // namespace

/// `count` of the numbers below `extent`: one from each of `count` equal parts,
/// the first and the last one always.
static std::vector<int64_t> sampleIndices(int64_t extent, int64_t count,
                                          uint64_t seed) {
  std::vector<int64_t> indices(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t begin = extent / count * i + std::min(i, extent % count);
    int64_t size = extent / count + (i < extent % count);
    indices[i] = begin + hashIndex(seed, i) % size;
  }
  if (count) {
    indices.back() = extent - 1;
    indices.front() = 0;
  }
  return indices;
}

static Selection selectElements(const ReferenceProblem &p) {
  // In floating point because the product may not fit.
  double work = double(p.batch) * double(p.m) * double(p.n) * double(p.k);
  int64_t batches = p.batch, rows = p.m, columns = p.n;
  if (work > double(p.fullCheckLimit)) {
    // The sample takes about as long as the largest full check. Batches share
    // it, so that each gets a square of rows and columns.
    int64_t target =
        std::clamp<int64_t>(p.fullCheckLimit / p.k, 1 << 16, 1 << 18);
    batches = std::min<int64_t>(p.batch, 16);
    int64_t share = llvm::divideCeil(target, batches);
    int64_t side = static_cast<int64_t>(std::ceil(std::sqrt(double(share))));
    rows = std::min(p.m, side);
    columns = std::min<int64_t>(p.n, llvm::divideCeil(share, rows));
    rows = std::min<int64_t>(p.m, llvm::divideCeil(share, columns));
    batches =
        std::min<int64_t>(p.batch, llvm::divideCeil(target, rows * columns));
  }
  return {sampleIndices(p.batch, batches, p.seed),
          sampleIndices(p.m, rows, p.seed + 1),
          sampleIndices(p.n, columns, p.seed + 2)};
}

/// Reads an element. The usual types come first because the call through the
/// table takes longer than the loads.
static double load(const HostMatrix &matrix, int64_t b, int64_t i, int64_t j) {
  if (matrix.at)
    return matrix.at(b, i, j);
  int64_t index =
      b * matrix.strides[0] + i * matrix.strides[1] + j * matrix.strides[2];
  if (matrix.type == ElementType::F32)
    return static_cast<const float *>(matrix.data)[index];
  if (matrix.type == ElementType::F64)
    return static_cast<const double *>(matrix.data)[index];
  const ElementTypeInfo &info = getInfo(matrix.type);
  return info.decode(static_cast<const char *>(matrix.data) +
                     index * info.bytes);
}

double tile::loadElement(const HostMatrix &matrix, const ElementIndex &at) {
  return load(matrix, at[0], at[1], at[2]);
}

/// Adds the terms [0, depth) of packed rows and columns to a block.
template <class Sum>
static void multiplyPacked(const Sum (&a)[kBlock][kDepth],
                           const Sum (&b)[kDepth][kBlock], int64_t rows,
                           int64_t depth, Block<Sum> &block) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < kBlock; j += kLanes) {
      Sum sums[kLanes] = {}, magnitudes[kLanes] = {};
      for (int64_t k = 0; k < depth; ++k)
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          Sum product = a[i][k] * b[k][j + lane];
          sums[lane] += product;
          magnitudes[lane] += std::abs(product);
        }
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        block.sums[i][j + lane] += sums[lane];
        block.magnitudes[i][j + lane] += magnitudes[lane];
      }
    }
}

template <class Sum>
static void multiplyBlock(const ReferenceProblem &p, const Task &task,
                          Block<Sum> &block) {
  static thread_local Sum a[kBlock][kDepth], b[kDepth][kBlock];
  int64_t rows = task.rows.size(), columns = task.columns.size();
  auto factor = [&](double value) { return p.tf32 ? cutToTF32(value) : value; };
  for (int64_t i = 0; i < kBlock; ++i)
    for (int64_t j = 0; j < kBlock; ++j)
      block.sums[i][j] = block.magnitudes[i][j] = 0;
  if (p.alpha == 0)
    return;
  for (int64_t begin = 0; begin < p.k; begin += kDepth) {
    int64_t depth = std::min(kDepth, p.k - begin);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < depth; ++k)
        a[i][k] = factor(load(p.a, task.batch, task.rows[i], begin + k));
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < kBlock; ++j)
        b[k][j] =
            j < columns
                ? factor(load(p.b, task.batch, begin + k, task.columns[j]))
                : 0;
    multiplyPacked(a, b, rows, depth, block);
  }
}

/// Whether `a` comes before `b` in row-major order; -1 marks no element.
static bool isBefore(const ElementIndex &a, const ElementIndex &b) {
  return b[0] < 0 || (a[0] >= 0 && a < b);
}

static void merge(CheckResult &into, const CheckResult &from) {
  into.checked += from.checked;
  into.overflowing += from.overflowing;
  into.failures += from.failures;
  if (from.worst.index[0] >= 0 &&
      (into.worst.index[0] < 0 || from.worst.error > into.worst.error ||
       (from.worst.error == into.worst.error &&
        isBefore(from.worst.index, into.worst.index))))
    into.worst = from.worst;
  if (from.failures &&
      isBefore(from.firstFailure.index, into.firstFailure.index))
    into.firstFailure = from.firstFailure;
}

/// The distance of a result from its reference. Infinite when one is finite and
/// the other is not, or when both are infinities of different signs.
static double distance(double got, double expected) {
  if (std::isnan(expected) || std::isnan(got))
    return std::isnan(expected) == std::isnan(got)
               ? 0
               : std::numeric_limits<double>::infinity();
  return got == expected ? 0 : std::abs(got - expected);
}

/// The type in which a kernel sums: that of D, and f32 where D is smaller.
static ElementType getSumType(ElementType result) {
  return getElementBytes(result) < 4 ? ElementType::F32 : result;
}

namespace {

/// What an element of D must be.
struct Expectation {
  double value = 0, tolerance = 0;
  /// The distance of D from the value; infinite where only one is finite.
  double error = 0;
};

/// A sum and the sum of its terms' magnitudes.
template <class Sum>
struct Terms {
  Sum sum = 0, magnitude = 0;

  /// The positive terms, and the negative ones: a partial sum lies between
  /// them in whatever order the terms are added.
  Sum above() const { return (magnitude + sum) / 2; }
  Sum below() const { return (magnitude - sum) / 2; }
};

} // namespace

/// What the type has for a number beyond its largest: an infinity, or NaN.
static double roundInfinity(const ElementTypeInfo &info, bool negative) {
  char bits[8];
  info.encode(negative ? -INFINITY : INFINITY, bits);
  return info.decode(bits);
}

/// A sum of integers as 32 bits hold it. It is exact: 2^53 is far away.
static double wrapAround(double sum) {
  double rest = std::fmod(sum, 0x1p32);
  if (rest < -0x1p31)
    rest += 0x1p32;
  return rest >= 0x1p31 ? rest - 0x1p32 : rest;
}

/// What D must be by the sum of products, before alpha, and by alpha and beta;
/// nothing where more than one answer is right.
template <class Sum>
static std::optional<Expectation> expect(const ReferenceProblem &p,
                                         const Terms<Sum> &products, Sum added,
                                         double got) {
  const ElementTypeInfo &info = getInfo(p.d.type);
  const ElementTypeInfo &sumInfo = getInfo(getSumType(p.d.type));
  Terms<Sum> result = {added, std::abs(added)};
  // 0 times an infinite operand must not make a NaN.
  if (p.alpha != 0) {
    result.sum += Sum(p.alpha) * products.sum;
    result.magnitude += std::abs(Sum(p.alpha)) * products.magnitude;
  }
  if (info.isInteger()) {
    double value = wrapAround(double(result.sum));
    return Expectation{value, 0, distance(got, value)};
  }
  if (!std::isfinite(result.sum))
    return Expectation{double(result.sum), 0, distance(got, result.sum)};
  double scaled = double(result.magnitude - std::abs(added));
  double underflow = double(p.k + 3) * sumInfo.smallest +
                     (p.d.type == sumInfo.type ? 0 : info.smallest);
  double tolerance = p.tolerance.product * scaled +
                     p.tolerance.added * double(std::abs(added)) +
                     p.tolerance.result * double(std::abs(result.sum)) +
                     underflow;
  Sum limit = sumInfo.largest, size = std::abs(result.sum);
  bool negative = result.sum < 0;
  if (std::max(result.magnitude, products.magnitude) < limit &&
      double(size) + tolerance < info.largest) {
    double error = std::isfinite(got) ? double(std::abs(Sum(got) - result.sum))
                                      : distance(got, double(result.sum));
    return Expectation{double(result.sum), tolerance, error};
  }
  // Partial sums that overflow the other way would meet it in a NaN.
  Sum other = negative ? result.above() : result.below();
  other = std::max(other, negative == (p.alpha < 0) ? products.below()
                                                    : products.above());
  if (double(size) - tolerance <= info.largest || other >= limit)
    return std::nullopt;
  double value = roundInfinity(info, negative);
  return Expectation{value, 0, distance(got, value)};
}

/// The same where someone else's numbers are given.
template <class Sum>
static Expectation expectGiven(const ReferenceProblem &p,
                               const Terms<Sum> &products, Sum added,
                               double value, double got) {
  if (!std::isfinite(value) || getInfo(p.d.type).isInteger())
    return {value, 0, distance(got, value)};
  double roundoff = p.tolerance.result + getInfo(p.expected->type).roundoff;
  double scaled =
      p.alpha == 0 ? 0 : double(std::abs(Sum(p.alpha)) * products.magnitude);
  return {value,
          p.tolerance.product * scaled +
              p.tolerance.added * double(std::abs(added)) +
              roundoff * std::abs(value) +
              double(p.k + 3) * getInfo(getSumType(p.d.type)).smallest +
              getInfo(p.d.type).smallest,
          distance(got, value)};
}

/// What the epilogue makes of a sum that is known to within a tolerance, and
/// how far a device's result may be from that: as far as the results of the
/// ends of the sum's range, some roundings of the largest number on the way,
/// and that of D. Nothing where it may be beyond D's largest number.
template <class Sum>
static std::optional<Expectation> expectEpilogue(const ReferenceProblem &p,
                                                 const Terms<Sum> &products,
                                                 ElementIndex at, double got) {
  // Roundings on the way: of arithmetic, half a unit; of a function, a few.
  constexpr double kRoundings = 32;
  const ReferenceEpilogue &epilogue = *p.epilogue;
  const ElementTypeInfo &info = getInfo(p.d.type);
  const ElementTypeInfo &sumInfo = getInfo(getSumType(p.d.type));
  bool isEmpty = p.alpha == 0;
  double sum = isEmpty ? 0 : double(Sum(p.alpha) * products.sum);
  double error = (isEmpty ? 0
                          : p.tolerance.product * std::fabs(p.alpha) *
                                double(products.magnitude)) +
                 double(p.k + 3) * sumInfo.smallest;
  std::vector<double> arguments{sum};
  if (epilogue.hasC)
    arguments.push_back(load(p.c, at[0], at[1], at[2]));
  for (const HostMatrix &operand : epilogue.operands)
    arguments.push_back(load(operand, at[0], at[1], at[2]));
  ExpressionValue value = evaluateExpression(epilogue.expression, arguments);
  if (!std::isfinite(value.value))
    return Expectation{value.value, 0, distance(got, value.value)};
  double tolerance = kRoundings * sumInfo.roundoff * value.magnitude +
                     p.tolerance.result * std::fabs(value.value) +
                     info.smallest;
  double spread = 0;
  for (double end : {sum - error, sum + error}) {
    arguments[0] = end;
    spread = std::max(
        spread,
        std::fabs(evaluateExpression(epilogue.expression, arguments).value -
                  value.value));
  }
  tolerance += spread;
  if (!(std::fabs(value.value) + tolerance < info.largest))
    return std::nullopt;
  return Expectation{value.value, tolerance, distance(got, value.value)};
}

template <class Sum>
static CheckResult compareBlock(const ReferenceProblem &p, const Task &task,
                                const Block<Sum> &block) {
  CheckResult result;
  for (size_t i = 0; i < task.rows.size(); ++i)
    for (size_t j = 0; j < task.columns.size(); ++j) {
      ElementIndex at = {task.batch, task.rows[i], task.columns[j]};
      Terms<Sum> products = {block.sums[i][j], block.magnitudes[i][j]};
      Sum added = 0;
      if (p.beta != 0 && !p.epilogue)
        added = Sum(p.beta) * Sum(load(p.c, at[0], at[1], at[2]));
      double got = load(p.d, at[0], at[1], at[2]);
      std::optional<Expectation> expected =
          p.epilogue && !p.expected ? expectEpilogue(p, products, at, got)
          : p.expected
              ? expectGiven(p, products, added,
                            load(*p.expected, at[0], at[1], at[2]), got)
              : expect(p, products, added, got);
      if (!expected) {
        ++result.overflowing;
        continue;
      }
      CheckResult::Element element{at, got, expected->value, expected->error,
                                   expected->tolerance};
      // An infinite distance never passes, also when the bound overflowed.
      bool passes = element.error <= element.tolerance &&
                    element.error != std::numeric_limits<double>::infinity();
      CheckResult one;
      one.checked = 1;
      one.worst = element;
      one.failures = !passes;
      if (!passes)
        one.firstFailure = element;
      merge(result, one);
    }
  return result;
}

template <class Sum>
static CheckResult checkWith(const ReferenceProblem &p) {
  Selection selection = selectElements(p);
  llvm::ArrayRef<int64_t> rows = selection.rows, columns = selection.columns;
  int64_t rowTasks = (rows.size() + kBlock - 1) / kBlock;
  int64_t columnTasks = (columns.size() + kBlock - 1) / kBlock;
  int64_t count = selection.batches.size() * rowTasks * columnTasks;
  std::vector<CheckResult> results(getThreadCount(count));
  std::atomic<int64_t> done = 0;
  parallelFor(count, [&](int64_t index, unsigned thread) {
    int64_t column = index % columnTasks * kBlock;
    int64_t row = index / columnTasks % rowTasks * kBlock;
    Task task{selection.batches[index / columnTasks / rowTasks],
              rows.drop_front(row).take_front(kBlock),
              columns.drop_front(column).take_front(kBlock)};
    Block<Sum> block;
    multiplyBlock(p, task, block);
    merge(results[thread], compareBlock(p, task, block));
    if (p.progress)
      p.progress(double(++done) / double(count));
  });
  CheckResult result;
  for (const CheckResult &part : results)
    merge(result, part);
  result.total = p.batch * p.m * p.n;
  return result;
}

CheckResult tile::checkGemm(const ReferenceProblem &problem) {
  // Extended precision keeps the reference's own error out of the comparison.
  return problem.d.type == ElementType::F64 ? checkWith<long double>(problem)
                                            : checkWith<double>(problem);
}

Tolerance tile::findTolerance(ElementType factors, ElementType result,
                              int64_t k, bool independent, bool tf32) {
  constexpr double unit = 0x1p-24;
  double terms = static_cast<double>(k) + 2;
  // The random error has a standard deviation of about 0.6 units whatever K is;
  // these are never reached by chance.
  constexpr double randomUnits = 16, randomUnitsCut = 64;
  double twice = 2 * getInfo(result).roundoff;
  double sumUnits =
      independent ? std::min(2 * terms, randomUnitsCut) : 2 * terms;
  switch (factors) {
  case ElementType::I8:
  case ElementType::I32:
    return {};
  case ElementType::F32:
  case ElementType::F64: {
    if (tf32)
      return {sumUnits * unit, 4 * unit, twice};
    double units = independent ? std::min(terms, randomUnits) : terms;
    double sum = units * getInfo(result).roundoff;
    return {sum, sum, 0};
  }
  case ElementType::F16:
  case ElementType::BF16: {
    return {sumUnits * unit, 4 * unit, twice};
  }
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    break;
  }
  return {0x1p-11, 4 * unit, twice};
}
