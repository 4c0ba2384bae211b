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
  atomics.clear();
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

bool SharedShadow::afterReaders(const Cell &cell, unsigned thread) {
  for (int i = 0; i < 2; ++i)
    if (!ordered(thread, cell.reader[i], cell.readClock[i]))
      return race(cell.reader[i], cell.readClock[i], cell.readSite[i], false);
  return !clocks.hasRows() || checkMoreReaders(cell, thread);
}

bool SharedShadow::afterAtomics(const Cell &cell, unsigned thread) {
  auto it = atomics.find(&cell);
  if (it == atomics.end())
    return true;
  for (const SharedAccess &store : it->second.stores)
    if (!ordered(thread, store.thread, store.clock))
      return race(store.thread, store.clock, store.site, true);
  return true;
}

bool SharedShadow::afterAtomics(const Cell &cell, const ClockView &view) {
  auto it = atomics.find(&cell);
  if (it == atomics.end())
    return true;
  for (const SharedAccess &store : it->second.stores) {
    if (clocks.fencedFor(view, store.thread, store.clock))
      continue;
    bool isOrdered = clocks.ordered(view, store.thread, store.clock);
    race(store.thread, store.clock, store.site, true);
    if (isOrdered)
      found.kind = SharedConflict::NoFence;
    return false;
  }
  return true;
}

/// The last plain store at a cell.
SharedAccess SharedShadow::plainStore(const Cell &cell) const {
  // The flag may be one of an earlier block: then nothing is known.
  if (cell.atomic)
    if (auto it = atomics.find(&cell); it != atomics.end())
      return it->second.plain;
  return {cell.writeClock, cell.writeSite, cell.writer};
}

/// Is not recorded: a plain store that races with atomic loads only is not
/// found.
bool SharedShadow::loadAtomic(Cell &cell, unsigned thread, int32_t) {
  if (cell.writeClock < clocks.base())
    return uninitialised();
  SharedAccess plain = plainStore(cell);
  if (!ordered(thread, plain.thread, plain.clock))
    return race(plain.thread, plain.clock, plain.site, true);
  return true;
}

bool SharedShadow::storeAtomic(Cell &cell, unsigned thread, int32_t site) {
  SharedAccess plain = plainStore(cell);
  if (!ordered(thread, plain.thread, plain.clock))
    return race(plain.thread, plain.clock, plain.site, true);
  if (!afterReaders(cell, thread))
    return false;
  AtomicStores &known = atomics[&cell];
  if (!cell.atomic)
    known.stores.clear();
  known.plain = plain;
  SharedAccess access{clocks.clock(thread), site,
                      static_cast<uint16_t>(thread)};
  auto own = std::find_if(
      known.stores.begin(), known.stores.end(),
      [&](const SharedAccess &store) { return store.thread == thread; });
  if (own == known.stores.end())
    known.stores.push_back(access);
  else
    *own = access;
  cell.writer = access.thread;
  cell.writeClock = access.clock;
  cell.writeSite = site;
  cell.readClock[0] = cell.readClock[1] = 0;
  cell.atomic = 1;
  return true;
}

bool SharedShadow::one(Cell &cell, unsigned thread, Mode mode, int32_t site) {
  switch (mode) {
  case Load:
    return load(cell, thread, site);
  case Store:
    return store(cell, thread, site);
  case AtomicLoad:
    return loadAtomic(cell, thread, site);
  case AtomicStore:
    return storeAtomic(cell, thread, site);
  }
  return false;
}

bool SharedShadow::accessBytes(unsigned thread, uint64_t offset, uint64_t size,
                               Mode mode, int32_t site) {
  if (bytes.size() < words.size() * 4)
    bytes.resize(words.size() * 4);
  for (uint64_t end = offset + size; offset < end;) {
    Cell &word = words[offset / 4];
    bool whole = offset % 4 == 0 && end - offset >= 4;
    if (!whole && !word.split) {
      for (int i = 0; i < 4; ++i) {
        Cell &cell = bytes[offset / 4 * 4 + i];
        cell = word;
        if (auto more = moreReaders.find(&word); more != moreReaders.end()) {
          std::vector<SharedAccess> readers = more->second;
          moreReaders[&cell] = std::move(readers);
        }
        if (auto more = atomics.find(&word); more != atomics.end()) {
          AtomicStores stores = more->second;
          atomics[&cell] = std::move(stores);
        }
      }
      word.split = 1;
      splitWords.push_back(static_cast<uint32_t>(offset / 4));
    }
    Cell &cell = word.split ? bytes[offset] : word;
    if (!one(cell, thread, mode, site)) {
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
  if (cell.atomic && !afterAtomics(cell, view))
    return false;
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
  if (cell.atomic && !afterAtomics(cell, view))
    return false;
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
  cell.atomic = 0;
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
      cell.atomic = 0;
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
      cell.atomic = 0;
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
      cell.atomic = 0;
      cell.writer = static_cast<uint16_t>(thread);
      cell.writeClock = clocks.clock(thread);
      cell.writeSite = site;
    }
  }
}
