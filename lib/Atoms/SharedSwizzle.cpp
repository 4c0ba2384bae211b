// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a layout of shared memory whose accesses meet in no bank.
#include "tile/Atoms/SharedSwizzle.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tile;

static constexpr int64_t kBanks = 32, kBankBytes = 4, kVectorBytes = 16;
/// Bytes of a row of all banks, and after how many a swizzle repeats at most:
/// what shared memory can be aligned to.
static constexpr int64_t kLineBytes = kBanks * kBankBytes, kMostPeriod = 1024;

int64_t tile::countBankConflicts(const ComposedLayout &layout,
                                 const SharedPhase &phase,
                                 int64_t elementBytes) {
  // Lanes that read one word of a bank are served together.
  llvm::DenseSet<int64_t> words;
  std::array<int64_t, kBanks> uses{};
  int64_t rows = layout.getLayout()[0].size().getValue();
  for (const std::array<int64_t, 2> &lane : phase.lanes) {
    int64_t first = layout.at(lane[0] + rows * lane[1]) * elementBytes;
    int64_t end = first + phase.elements * elementBytes;
    for (int64_t word = first / kBankBytes; word * kBankBytes < end; ++word)
      if (words.insert(word).second)
        ++uses[word % kBanks];
  }
  return *std::max_element(uses.begin(), uses.end()) - 1;
}

/// The layout with a pitch; null where the algebra refuses it.
static Layout makeLayout(std::array<int64_t, 2> extents, int64_t contiguous,
                         int64_t pitch) {
  std::array<int64_t, 2> strides{1, 1};
  strides[1 - contiguous] = pitch;
  Result<Layout> layout =
      Layout::get(IntTuple::constants(extents), IntTuple::constants(strides));
  return layout ? *layout : Layout();
}

/// The layout in sections of a line of the contiguous dimension, one behind the
/// other, so that what differs from row to row lies in the same bits of all.
static Layout makeSections(std::array<int64_t, 2> extents, int64_t contiguous,
                           int64_t elementBytes) {
  int64_t line = kLineBytes / elementBytes, extent = extents[contiguous];
  if (extent <= line || extent % line != 0)
    return makeLayout(extents, contiguous, extent);
  int64_t rows = extents[1 - contiguous];
  IntTuple shapes[2] = {IntTuple(extents[0]), IntTuple(extents[1])};
  IntTuple strides[2] = {IntTuple(line), IntTuple(line)};
  shapes[contiguous] = IntTuple::constants({line, extent / line});
  strides[contiguous] = IntTuple::constants({1, line * rows});
  Result<Layout> layout =
      Layout::get(IntTuple::tuple({shapes[0], shapes[1]}),
                  IntTuple::tuple({strides[0], strides[1]}));
  return layout ? *layout : Layout();
}

static llvm::SmallVector<ComposedLayout, 0>
listCandidates(std::array<int64_t, 2> extents, int64_t contiguous,
               int64_t elementBytes, BankSpread spread) {
  int64_t vector = std::max<int64_t>(kVectorBytes / elementBytes, 1);
  llvm::SmallVector<ComposedLayout, 0> candidates;
  if (spread == BankSpread::Padding) {
    for (int64_t i = 0; i < kLineBytes / kVectorBytes; ++i)
      candidates.push_back(ComposedLayout(
          makeLayout(extents, contiguous, extents[contiguous] + i * vector)));
    return candidates;
  }
  Layout plain = makeSections(extents, contiguous, elementBytes);
  candidates.push_back(ComposedLayout(plain));
  int64_t base = llvm::Log2_64(vector), size = extents[0] * extents[1];
  for (int64_t bits = 1; bits <= 3; ++bits)
    for (int64_t shift = bits; shift <= 10; ++shift) {
      Result<Swizzle> swizzle = Swizzle::get(bits, base, shift);
      if (!swizzle || size % swizzle->getPeriod() != 0 ||
          swizzle->getPeriod() * elementBytes > kMostPeriod)
        continue;
      Result<ComposedLayout> layout =
          ComposedLayout::get(*swizzle, Int(0), plain);
      if (layout)
        candidates.push_back(*layout);
    }
  return candidates;
}

ComposedLayout tile::findSharedLayout(std::array<int64_t, 2> extents,
                                      int64_t contiguous, int64_t elementBytes,
                                      llvm::ArrayRef<SharedPhase> phases,
                                      BankSpread spread) {
  llvm::SmallVector<ComposedLayout, 0> candidates =
      listCandidates(extents, contiguous, elementBytes, spread);
  auto count = [&](const ComposedLayout &layout, int64_t least) {
    int64_t conflicts = 0;
    for (const SharedPhase &phase : phases) {
      conflicts += countBankConflicts(layout, phase, elementBytes);
      if (conflicts >= least)
        break;
    }
    return conflicts;
  };
  const ComposedLayout *best = nullptr;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const ComposedLayout &layout : candidates) {
    int64_t conflicts = count(layout, least);
    if (conflicts >= least)
      continue;
    best = &layout;
    least = conflicts;
    if (least == 0)
      break;
  }
  return *best;
}
