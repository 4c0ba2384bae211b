// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared-memory shadow: the slow paths and the clocks.
#include "SharedShadow.h"

#include <algorithm>

using namespace tile::rt;

void SharedShadow::beginBlock(unsigned threads, uint64_t size) {
  for (uint32_t word : splitWords)
    words[word].split = 0;
  splitWords.clear();
  moreReaders.clear();
  uint32_t before = clocks.base();
  clocks.begin(threads);
  if (clocks.base() < before) {
    words.clear();
    bytes.clear();
  }
  uint64_t wordCount = (size + 3) / 4;
  if (words.size() < wordCount)
    words.resize(wordCount);
  found = SharedConflict();
}

void SharedShadow::passBarrier(const std::vector<uint16_t> &participants,
                               bool whole, const ReleasedClocks *released) {
  clocks.passBarrier(participants, whole, released);
  if (!clocks.hasRows())
    moreReaders.clear();
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
  SharedAccess access{clocks.clock(thread), site,
                      static_cast<uint16_t>(thread)};
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

bool SharedShadow::noFence(const Cell &cell) {
  race(cell.writer, cell.writeClock, cell.writeSite, true);
  found.kind = SharedConflict::NoFence;
  return false;
}

bool SharedShadow::loadAsync(Cell &cell, const ClockView &view, unsigned column,
                             uint32_t clock, int32_t site) {
  if (cell.writeClock < clocks.base())
    return uninitialised();
  if (!clocks.fencedFor(view, cell.writer, cell.writeClock))
    return clocks.ordered(view, cell.writer, cell.writeClock)
               ? noFence(cell)
               : race(cell.writer, cell.writeClock, cell.writeSite, true);
  for (int i = 0; i < 2; ++i) {
    if (cell.reader[i] == column ||
        clocks.ordered(view, cell.reader[i], cell.readClock[i])) {
      cell.reader[i] = static_cast<uint16_t>(column);
      cell.readClock[i] = clock;
      cell.readSite[i] = site;
      return true;
    }
  }
  moreReaders[&cell].push_back({clock, site, static_cast<uint16_t>(column)});
  return true;
}

bool SharedShadow::storeAsync(Cell &cell, const ClockView &view,
                              unsigned column, uint32_t clock, int32_t site) {
  if (!clocks.fencedFor(view, cell.writer, cell.writeClock))
    return clocks.ordered(view, cell.writer, cell.writeClock)
               ? noFence(cell)
               : race(cell.writer, cell.writeClock, cell.writeSite, true);
  for (int i = 0; i < 2; ++i)
    if (!clocks.ordered(view, cell.reader[i], cell.readClock[i]))
      return race(cell.reader[i], cell.readClock[i], cell.readSite[i], false);
  if (auto it = moreReaders.find(&cell); it != moreReaders.end()) {
    for (const SharedAccess &reader : it->second)
      if (!clocks.ordered(view, reader.thread, reader.clock))
        return race(reader.thread, reader.clock, reader.site, false);
    moreReaders.erase(it);
  }
  cell.writer = static_cast<uint16_t>(column);
  cell.writeClock = clock;
  cell.writeSite = site;
  cell.readClock[0] = cell.readClock[1] = 0;
  return true;
}

bool SharedShadow::accessAsync(const ClockView &view, unsigned column,
                               uint32_t clock, uint64_t offset, uint64_t size,
                               bool isStore, int32_t site) {
  auto one = [&](Cell &cell) {
    return isStore ? storeAsync(cell, view, column, clock, site)
                   : loadAsync(cell, view, column, clock, site);
  };
  for (uint64_t at = offset, end = offset + size; at < end; at += 4) {
    Cell &word = words[at / 4];
    bool fine = true;
    for (uint64_t i = 0; i < (word.split ? 4u : 1u) && fine; ++i) {
      found.offset = at + i;
      fine = one(word.split ? bytes[at + i] : word);
    }
    if (!fine)
      return false;
  }
  return true;
}

void SharedShadow::reserve(uint64_t offset, uint64_t size, unsigned column,
                           int32_t site) {
  for (uint64_t at = offset; at < offset + size; at += 4) {
    Cell &word = words[at / 4];
    for (uint64_t i = 0; i < (word.split ? 4u : 1u); ++i) {
      Cell &cell = word.split ? bytes[at + i] : word;
      cell.writer = static_cast<uint16_t>(column);
      cell.writeClock = clocks.tick();
      cell.writeSite = site;
      cell.readClock[0] = cell.readClock[1] = 0;
    }
  }
}

void SharedShadow::reservePending(uint64_t offset, uint64_t size,
                                  int32_t site) {
  for (uint64_t at = offset; at < offset + size; at += 4) {
    Cell &word = words[at / 4];
    for (uint64_t i = 0; i < (word.split ? 4u : 1u); ++i) {
      Cell &cell = word.split ? bytes[at + i] : word;
      // The first number behind the threads, of which no thread ever knows such
      // a clock.
      cell.writer = static_cast<uint16_t>(clocks.threads());
      cell.writeClock = pendingClock;
      cell.writeSite = site;
      cell.readClock[0] = cell.readClock[1] = 0;
    }
  }
}

void SharedShadow::forget(uint64_t offset, uint64_t size, unsigned thread,
                          int32_t site) {
  for (uint64_t at = offset; at < offset + size; at += 4) {
    Cell &word = words[at / 4];
    for (uint64_t i = 0; i < (word.split ? 4u : 1u); ++i) {
      Cell &cell = word.split ? bytes[at + i] : word;
      cell.writer = static_cast<uint16_t>(thread);
      cell.writeClock = clocks.clock(thread);
      cell.writeSite = site;
    }
  }
}
