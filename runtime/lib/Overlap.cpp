// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overlap of strided views as a bounded search for integer combinations.
//
// Elements of a and b share a byte when the difference of their addresses lies
// in a small window. The difference is a sum of c_i * s_i, one term for each
// different stride s_i, with every c_i in an interval. The strides are taken
// from the largest down; what the smaller ones can still reach bounds c_i to
// very few values where strides nest, as those of matrices do.
#include "Overlap.h"

#include <algorithm>
#include <vector>

using namespace tile::rt;

// Products of 64-bit extents and strides in intermediate sums.
__extension__ typedef __int128 Wide;

namespace {
struct Term {
  Wide stride, low, high;
};
struct Window {
  Wide low, high;
};
} // namespace

static constexpr int searchBudget = 100000;

bool tile::rt::spanFits(const int64_t *extents, const int64_t *strides,
                        int rank, int64_t elementBytes) {
  constexpr Wide limit = Wide(1) << 62;
  Wide span = elementBytes;
  for (int i = 0; i < rank; ++i) {
    if (extents[i] <= 1)
      continue;
    Wide stride = strides[i] < 0 ? -Wide(strides[i]) : Wide(strides[i]);
    if (stride >= limit || extents[i] >= limit ||
        (stride > 0 && extents[i] - 1 > limit / stride))
      return false;
    Wide reach = (extents[i] - 1) * stride;
    if (reach > limit / elementBytes)
      return false;
    span += reach * elementBytes;
    if (span > limit)
      return false;
  }
  return true;
}

static Wide floorDiv(Wide a, Wide b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/// Is there a sum of terms[from..] in the window? True when the budget is
/// spent.
static bool reaches(const std::vector<Term> &terms, size_t from, Window window,
                    int &budget) {
  if (--budget < 0)
    return true;
  if (from == terms.size())
    return window.low <= 0 && 0 <= window.high;
  Wide restLow = 0, restHigh = 0;
  for (size_t i = from + 1; i < terms.size(); ++i) {
    restLow += terms[i].low * terms[i].stride;
    restHigh += terms[i].high * terms[i].stride;
  }
  const Term &term = terms[from];
  Wide low = -floorDiv(-(window.low - restHigh), term.stride);
  Wide high = floorDiv(window.high - restLow, term.stride);
  low = std::max(low, term.low);
  high = std::min(high, term.high);
  if (from + 1 == terms.size())
    return low <= high;
  for (Wide c = low; c <= high; ++c)
    if (reaches(terms, from + 1,
                {window.low - c * term.stride, window.high - c * term.stride},
                budget))
      return true;
  return false;
}

/// Adds c * stride with c in [low, high], joining it with an equal stride.
static void addTerm(std::vector<Term> &terms, Wide stride, Wide low,
                    Wide high) {
  if (stride < 0) {
    stride = -stride;
    std::swap(low, high);
    low = -low;
    high = -high;
  }
  if (stride == 0 || (low == 0 && high == 0))
    return;
  for (Term &term : terms) {
    if (term.stride != stride)
      continue;
    term.low += low;
    term.high += high;
    return;
  }
  terms.push_back({stride, low, high});
}

static void sortTerms(std::vector<Term> &terms) {
  std::sort(terms.begin(), terms.end(),
            [](const Term &a, const Term &b) { return a.stride > b.stride; });
}

bool tile::rt::viewsOverlap(const View &a, const View &b) {
  if (a.empty() || b.empty())
    return false;
  std::vector<Term> terms;
  for (int i = 0; i < View::kRank; ++i) {
    addTerm(terms, a.strides[i], 0, Wide(a.extents[i]) - 1);
    addTerm(terms, b.strides[i], 1 - Wide(b.extents[i]), 0);
  }
  sortTerms(terms);
  Wide delta = Wide(b.base) - Wide(a.base);
  int budget = searchBudget;
  return reaches(terms, 0,
                 {delta - a.elementBytes + 1, delta + b.elementBytes - 1},
                 budget);
}

bool tile::rt::viewRepeats(const View &view) {
  if (view.empty())
    return false;
  std::vector<Term> terms;
  for (int i = 0; i < View::kRank; ++i) {
    if (view.extents[i] > 1 && view.strides[i] == 0)
      return true;
    // Equal strides are not joined: (1, -1) is a repetition, not nothing.
    if (view.extents[i] > 1) {
      Wide stride =
          view.strides[i] < 0 ? -Wide(view.strides[i]) : Wide(view.strides[i]);
      terms.push_back(
          {stride, 1 - Wide(view.extents[i]), Wide(view.extents[i]) - 1});
    }
  }
  sortTerms(terms);
  // The first coefficient that is not zero may be taken as positive.
  int budget = searchBudget;
  Window window{1 - Wide(view.elementBytes), Wide(view.elementBytes) - 1};
  for (size_t first = 0; first < terms.size(); ++first) {
    std::vector<Term> rest(terms.begin() + first, terms.end());
    rest[0].low = 1;
    if (reaches(rest, 0, window, budget))
      return true;
  }
  return false;
}
