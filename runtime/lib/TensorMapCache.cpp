// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps encoded tensor maps, as programs launch on the same matrices again.
#include "TensorMap.h"

#include <algorithm>
#include <cstring>

using namespace tile::rt;

bool tile::rt::operator==(const TensorMapFacts &a, const TensorMapFacts &b) {
  return a.base == b.base && a.elementBytes == b.elementBytes &&
         a.rank == b.rank && std::equal(a.dims, a.dims + 5, b.dims) &&
         std::equal(a.strides, a.strides + 4, b.strides) &&
         std::equal(a.box, a.box + 5, b.box) && a.im2col == b.im2col &&
         std::equal(a.lower, a.lower + 3, b.lower) &&
         std::equal(a.upper, a.upper + 3, b.upper) &&
         std::equal(a.traversal, a.traversal + 3, b.traversal) &&
         a.swizzleBytes == b.swizzleBytes && a.type == b.type;
}

static size_t hash(const TensorMapFacts &facts) {
  uint64_t result = reinterpret_cast<uintptr_t>(facts.base);
  auto mix = [&](int64_t number) {
    result = (result ^ static_cast<uint64_t>(number)) * 0x9E3779B97F4A7C15u;
  };
  for (int64_t number : facts.dims)
    mix(number);
  for (int64_t number : facts.strides)
    mix(number);
  for (int32_t number : facts.box)
    mix(number);
  for (int i = 0; i < 3; ++i) {
    mix(facts.lower[i]);
    mix(facts.upper[i]);
    mix(facts.traversal[i]);
  }
  mix(facts.type * 256 + facts.swizzleBytes);
  return result >> 32;
}

bool TensorMapCache::find(const TensorMapFacts &facts, void *map128) const {
  const Set &set = sets[hash(facts) % sets.size()];
  std::lock_guard<std::mutex> lock(mutex);
  for (const Entry &entry : set.entries) {
    if (!(entry.facts == facts))
      continue;
    std::memcpy(map128, entry.map, tensorMapBytes);
    return true;
  }
  return false;
}

void TensorMapCache::add(const TensorMapFacts &facts, const void *map128) {
  Set &set = sets[hash(facts) % sets.size()];
  std::lock_guard<std::mutex> lock(mutex);
  Entry &entry = set.entries[set.oldest++ % set.entries.size()];
  entry.facts = facts;
  std::memcpy(entry.map, map128, tensorMapBytes);
}
