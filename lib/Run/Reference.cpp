// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference GEMM: blocked, on all cores, on all elements or on a sample.
#include "Reference.h"

#include "Parallel.h"
#include "Random.h"
#include "llvm/Support/MathExtras.h"
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

template <class T>
static T load(const HostMatrix &matrix, int64_t b, int64_t i, int64_t j) {
  return static_cast<const T *>(
      matrix.data)[b * matrix.strides[0] + i * matrix.strides[1] +
                   j * matrix.strides[2]];
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

template <class T, class Sum>
static void multiplyBlock(const ReferenceProblem &p, const Task &task,
                          Block<Sum> &block) {
  static thread_local Sum a[kBlock][kDepth], b[kDepth][kBlock];
  int64_t rows = task.rows.size(), columns = task.columns.size();
  for (int64_t i = 0; i < kBlock; ++i)
    for (int64_t j = 0; j < kBlock; ++j)
      block.sums[i][j] = block.magnitudes[i][j] = 0;
  if (p.alpha == 0)
    return;
  for (int64_t begin = 0; begin < p.k; begin += kDepth) {
    int64_t depth = std::min(kDepth, p.k - begin);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < depth; ++k)
        a[i][k] = load<T>(p.a, task.batch, task.rows[i], begin + k);
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < kBlock; ++j)
        b[k][j] = j < columns
                      ? load<T>(p.b, task.batch, begin + k, task.columns[j])
                      : T(0);
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

template <class T, class Sum>
static CheckResult compareBlock(const ReferenceProblem &p, const Task &task,
                                const Block<Sum> &block) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double roundoff = std::numeric_limits<T>::epsilon() / 2;
  const Sum largest = std::numeric_limits<T>::max();
  CheckResult result;
  for (size_t i = 0; i < task.rows.size(); ++i)
    for (size_t j = 0; j < task.columns.size(); ++j) {
      ElementIndex at = {task.batch, task.rows[i], task.columns[j]};
      Sum expected = 0, magnitude = 0;
      // 0 times an infinite operand must not make a NaN.
      if (p.alpha != 0) {
        expected = Sum(p.alpha) * block.sums[i][j];
        magnitude = std::abs(Sum(p.alpha)) * block.magnitudes[i][j];
      }
      if (p.beta != 0) {
        Sum term = Sum(p.beta) * Sum(load<T>(p.c, at[0], at[1], at[2]));
        expected += term;
        magnitude += std::abs(term);
      }
      T got = load<T>(p.d, at[0], at[1], at[2]);
      double error = std::isfinite(expected) && std::isfinite(got)
                         ? double(std::abs(Sum(got) - expected))
                         : distance(got, double(expected));
      double tolerance =
          p.ulps * roundoff * double(magnitude) +
          double(p.k + 3) * double(std::numeric_limits<T>::denorm_min());
      ++result.checked;
      if (std::isfinite(expected) &&
          std::max(magnitude, block.magnitudes[i][j]) >= largest) {
        ++result.overflowing;
        continue;
      }
      if (!std::isfinite(expected))
        tolerance = 0;
      CheckResult::Element element{at, double(got), double(expected), error,
                                   tolerance};
      // An infinite distance never passes, also when the bound overflowed.
      bool passes = error <= tolerance && error != infinity;
      CheckResult one;
      one.worst = element;
      one.failures = !passes;
      if (!passes)
        one.firstFailure = element;
      merge(result, one);
    }
  return result;
}

template <class T, class Sum>
static CheckResult checkTyped(const ReferenceProblem &p) {
  Selection selection = selectElements(p);
  llvm::ArrayRef<int64_t> rows = selection.rows, columns = selection.columns;
  int64_t rowTasks = (rows.size() + kBlock - 1) / kBlock;
  int64_t columnTasks = (columns.size() + kBlock - 1) / kBlock;
  int64_t count = selection.batches.size() * rowTasks * columnTasks;
  std::vector<CheckResult> results(getThreadCount(count));
  parallelFor(count, [&](int64_t index, unsigned thread) {
    int64_t column = index % columnTasks * kBlock;
    int64_t row = index / columnTasks % rowTasks * kBlock;
    Task task{selection.batches[index / columnTasks / rowTasks],
              rows.drop_front(row).take_front(kBlock),
              columns.drop_front(column).take_front(kBlock)};
    Block<Sum> block;
    multiplyBlock<T>(p, task, block);
    merge(results[thread], compareBlock<T>(p, task, block));
  });
  CheckResult result;
  for (const CheckResult &part : results)
    merge(result, part);
  result.total = p.batch * p.m * p.n;
  return result;
}

CheckResult tile::checkGemm(const ReferenceProblem &problem) {
  // Extended precision keeps the reference's own error out of the comparison.
  return problem.type == ElementType::F32
             ? checkTyped<float, double>(problem)
             : checkTyped<double, long double>(problem);
}
