// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the reference row by row, in the way that Reference.h describes.
#include "Reference.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

using namespace tile::sweep;

namespace {
template <typename T>
struct Wide;
template <>
struct Wide<float> {
  using Type = double;
};
template <>
struct Wide<double> {
  using Type = long double;
};

/// One row of D before the epilogue.
template <typename T>
struct Row {
  std::vector<T> bits;
  std::vector<typename Wide<T>::Type> sum, magnitude;
  /// The bits of each part of K.
  std::vector<std::vector<T>> parts;
};
} // namespace

/// Adds a * b[0..n) to a row.
template <typename T>
static inline __attribute__((always_inline)) void
addProducts(T a, const T *b, int64_t n, T *bits, typename Wide<T>::Type *sum,
            typename Wide<T>::Type *magnitude) {
  using W = typename Wide<T>::Type;
  for (int64_t j = 0; j < n; ++j) {
    W product = W(a) * W(b[j]);
    sum[j] += product;
    magnitude[j] += product < 0 ? -product : product;
    if constexpr (sizeof(T) == 4)
      bits[j] = __builtin_fmaf(a, b[j], bits[j]);
    else
      bits[j] = __builtin_fma(a, b[j], bits[j]);
  }
}

template <typename T>
static void addPortable(T a, const T *b, Row<T> &row) {
  addProducts(a, b, static_cast<int64_t>(row.bits.size()), row.bits.data(),
              row.sum.data(), row.magnitude.data());
}

#if defined(__x86_64__)
template <typename T>
__attribute__((target("avx2,fma"))) static void addWithFMA(T a, const T *b,
                                                           Row<T> &row) {
  addProducts(a, b, static_cast<int64_t>(row.bits.size()), row.bits.data(),
              row.sum.data(), row.magnitude.data());
}
#endif

template <typename T>
static void add(T a, const T *b, Row<T> &row) {
#if defined(__x86_64__)
  static const bool hasFMA =
      __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
  if (hasFMA)
    return addWithFMA(a, b, row);
#endif
  addPortable(a, b, row);
}

/// Adds up the products of a row, and the bits part by part.
template <typename T>
static void addRow(const Problem &p, int64_t k, int64_t i, const Image &a,
                   int64_t batchA, const std::vector<T> &b, Row<T> &row) {
  row.sum.assign(p.n, 0);
  row.magnitude.assign(p.n, 0);
  row.parts.assign(p.split.parts, {});
  int64_t tiles = (k + p.split.tileK - 1) / p.split.tileK;
  int64_t size = (tiles + p.split.parts - 1) / p.split.parts * p.split.tileK;
  for (int64_t part = 0; part < p.split.parts; ++part) {
    row.bits.assign(p.n, 0);
    int64_t end =
        part + 1 == p.split.parts ? k : std::min(k, (part + 1) * size);
    for (int64_t kk = std::min(k, part * size); kk < end; ++kk)
      add(a.at<T>(batchA, i, kk), &b[kk * p.n], row);
    row.parts[part] = row.bits;
  }
  if (p.split.parts == 1)
    return;
  for (int64_t j = 0; j < p.n; ++j) {
    int64_t rowOfTile = (p.d.columnMajor ? j : i) % p.split.tileM;
    int64_t first = rowOfTile / (p.split.tileM / p.split.parts);
    row.bits[j] = row.parts[first][j];
    for (int64_t next = 1; next < p.split.parts; ++next)
      row.bits[j] += row.parts[(first + next) % p.split.parts][j];
  }
}

/// The wrong element of a comparison in words.
template <typename T>
static std::string describe(int64_t batch, int64_t i, int64_t j, T got, T bits,
                            double want, double bound) {
  char text[256];
  std::snprintf(text, sizeof(text),
                "D(%lld, %lld, %lld) is %.17g, want %.17g within %.3g (by "
                "fused multiply-adds "
                "in order: %.17g)",
                static_cast<long long>(batch), static_cast<long long>(i),
                static_cast<long long>(j), static_cast<double>(got), want,
                bound, static_cast<double>(bits));
  return text;
}

template <typename T>
static std::string compareAs(const Problem &p, const Image &a, const Image &b,
                             const Image &c, const Image &d, bool inOrder) {
  using W = typename Wide<T>::Type;
  int64_t k = p.alpha == 0 ? 0 : p.k;
  T alpha = static_cast<T>(p.alpha), beta = static_cast<T>(p.beta);
  W unit = std::numeric_limits<T>::epsilon() / 2;
  W scale = W(1.01L) * W(k + 2) * unit;
  W tiny = W(k + 2) * std::numeric_limits<T>::denorm_min();
  int64_t batches = d.getGeometry().extents[0];
  bool sharedB = b.getGeometry().extents[0] == 1;
  std::string first;
  int64_t wrong = 0;
  std::vector<T> packed(k * p.n);
  Row<T> row;
  for (int64_t batch = 0; batch < batches; ++batch) {
    if (batch == 0 || !sharedB)
      for (int64_t kk = 0; kk < k; ++kk)
        for (int64_t j = 0; j < p.n; ++j)
          packed[kk * p.n + j] = b.at<T>(sharedB ? 0 : batch, kk, j);
    for (int64_t i = 0; i < p.m; ++i) {
      int64_t batchA = a.getGeometry().extents[0] == 1 ? 0 : batch;
      addRow(p, k, i, a, batchA, packed, row);
      for (int64_t j = 0; j < p.n; ++j) {
        bool readC = p.hasC && beta != 0;
        T old = readC
                    ? c.at<T>(c.getGeometry().extents[0] == 1 ? 0 : batch, i, j)
                    : T(0);
        T bits = alpha * row.bits[j];
        if (p.hasC)
          bits = std::fma(beta, old, bits);
        W want = W(alpha) * row.sum[j] + (readC ? W(beta) * W(old) : W(0));
        W size = std::fabs(W(alpha)) * row.magnitude[j] +
                 (readC ? std::fabs(W(beta) * W(old)) : W(0));
        W bound = scale * size + tiny;
        T got = d.at<T>(batch, i, j);
        bool same = !inOrder || std::memcmp(&got, &bits, sizeof(T)) == 0;
        bool close = std::fabs(W(got) - want) <= bound;
        if (std::isnan(bits))
          same = close = std::isnan(got);
        if (std::isinf(want))
          close = W(got) == want;
        if (same && close)
          continue;
        if (wrong++ == 0)
          first = describe<T>(batch, i, j, got, bits, static_cast<double>(want),
                              static_cast<double>(bound));
      }
    }
  }
  if (wrong == 0)
    return "";
  return first + "; " + std::to_string(wrong) + " of " +
         std::to_string(batches * p.m * p.n) + " elements are wrong";
}

std::string tile::sweep::compare(const Problem &problem, const Image &a,
                                 const Image &b, const Image &c, const Image &d,
                                 bool inOrder) {
  if (problem.isNarrow())
    return compareNarrow(problem, a, b, c, d);
  if (problem.element == Element::F32)
    return compareAs<float>(problem, a, b, c, d, inOrder);
  return compareAs<double>(problem, a, b, c, d, inOrder);
}
