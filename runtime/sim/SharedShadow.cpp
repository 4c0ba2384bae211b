// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared-memory shadow: the slow paths and the clocks.
#include "SharedShadow.h"

#include <algorithm>

using namespace tile::rt;

// Clocks run on from block to block; before they wrap, all cells are forgotten.
static constexpr uint32_t lastStart = 0xf0000000u;

void SharedShadow::beginBlock(unsigned threads, uint64_t size) {
  for (uint32_t word : splitWords)
    words[word].split = 0;
  splitWords.clear();
  moreReaders.clear();
  if (now > lastStart) {
    words.clear();
    bytes.clear();
    now = 0;
  }
  uint64_t wordCount = (size + 3) / 4;
  if (words.size() < wordCount)
    words.resize(wordCount);
  threadCount = threads;
  partial = false;
  base = ++now;
  clocks.assign(threads, now);
  found = SharedConflict();
}

void SharedShadow::startVectorClocks() {
  seen.assign(size_t(threadCount) * threadCount, 0);
  for (unsigned t = 0; t < threadCount; ++t)
    for (unsigned u = 0; u < threadCount; ++u)
      seen[size_t(t) * threadCount + u] = clocks[u] - 1;
  partial = true;
}

void SharedShadow::passBarrier(const std::vector<uint16_t> &participants,
                               bool whole) {
  if (whole) {
    partial = false;
    moreReaders.clear();
  } else {
    if (!partial)
      startVectorClocks();
    std::vector<uint32_t> joined(threadCount, 0);
    for (uint16_t p : participants) {
      const uint32_t *row = &seen[size_t(p) * threadCount];
      for (unsigned u = 0; u < threadCount; ++u)
        joined[u] = std::max(joined[u], row[u]);
    }
    for (uint16_t p : participants)
      joined[p] = clocks[p];
    for (uint16_t p : participants)
      std::copy(joined.begin(), joined.end(),
                seen.begin() + size_t(p) * threadCount);
  }
  ++now;
  for (uint16_t p : participants)
    clocks[p] = now;
}

bool SharedShadow::uninitialised() {
  found.kind = SharedConflict::Uninitialised;
  return false;
}

bool SharedShadow::race(unsigned other, uint32_t clock, int32_t site,
                        bool otherStores) {
  found.kind = SharedConflict::Race;
  found.other = {clock, site, static_cast<uint16_t>(other)};
  found.otherStores = otherStores;
  return false;
}

bool SharedShadow::accessBytes(unsigned thread, uint64_t offset, uint64_t size,
                               bool isStore, int32_t site) {
  if (bytes.size() < words.size() * 4)
    bytes.resize(words.size() * 4);
  for (uint64_t end = offset + size; offset < end;) {
    Cell &word = words[offset / 4];
    bool whole = offset % 4 == 0 && end - offset >= 4;
    if (!whole && !word.split) {
      auto more = moreReaders.find(&word);
      for (int i = 0; i < 4; ++i) {
        Cell &cell = bytes[offset / 4 * 4 + i];
        cell = word;
        if (more != moreReaders.end())
          moreReaders[&cell] = more->second;
        more = moreReaders.find(&word);
      }
      word.split = 1;
      splitWords.push_back(static_cast<uint32_t>(offset / 4));
    }
    Cell &cell = word.split ? bytes[offset] : word;
    if (!(isStore ? store(cell, thread, site) : load(cell, thread, site))) {
      found.offset = offset;
      return false;
    }
    offset += word.split ? 1 : 4;
  }
  return true;
}

bool SharedShadow::rememberReader(Cell &cell, unsigned thread, int32_t site) {
  std::vector<SharedAccess> &readers = moreReaders[&cell];
  SharedAccess access{clocks[thread], site, static_cast<uint16_t>(thread)};
  for (SharedAccess &reader : readers) {
    if (ordered(thread, reader.thread, reader.clock)) {
      reader = access;
      return true;
    }
  }
  readers.push_back(access);
  return true;
}

bool SharedShadow::checkMoreReaders(const Cell &cell, unsigned thread) {
  auto it = moreReaders.find(&cell);
  if (it == moreReaders.end())
    return true;
  for (const SharedAccess &reader : it->second)
    if (!ordered(thread, reader.thread, reader.clock))
      return race(reader.thread, reader.clock, reader.site, false);
  moreReaders.erase(it);
  return true;
}
