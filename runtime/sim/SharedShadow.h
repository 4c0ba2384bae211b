// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who touched which shared byte last: finds races and uninitialised reads.
//
// Two accesses of different threads are ordered when barriers, mbarriers or the
// wait for an asynchronous operation lie between them; see VectorClocks.h. The
// memory is that of all blocks of a cluster, one behind the other.
//
// A cell stands for a 4-byte word and holds its last writer and two different
// readers since then, which is enough to find a race if there is one: a writer
// races with a reader unless it is the only reader itself. Only with vector
// clocks can a third reader matter; those go to a side table. A word that is
// accessed in parts is split: its four bytes get cells of their own.
#ifndef TILE_RT_SIM_SHAREDSHADOW_H
#define TILE_RT_SIM_SHAREDSHADOW_H

#include "VectorClocks.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tile::rt {

/// The earlier access of a race.
struct SharedAccess {
  uint32_t clock = 0;
  int32_t site = -1;
  uint16_t thread = 0;
};

/// What is wrong with an access.
struct SharedConflict {
  /// NoFence: ordered, but the store is not visible to the asynchronous proxy.
  enum Kind { None, Uninitialised, Race, NoFence } kind = None;
  /// Race and NoFence: the other access.
  SharedAccess other;
  bool otherStores = false;
  /// Offset of the first byte concerned.
  uint64_t offset = 0;
};

class SharedShadow {
public:
  /// Starts a block of `threads` threads and `bytes` bytes, none of them
  /// initialised.
  void beginBlock(unsigned threads, uint64_t bytes);

  /// Checks and records an access of `size` bytes at `offset`, which lies
  /// inside the shared memory. True when it is in order; else conflict() says
  /// why not.
  bool access(unsigned thread, uint64_t offset, uint64_t size, bool isStore,
              int32_t site) {
    if (((offset | size) & 3) == 0) {
      Cell *cell = &words[offset / 4], *end = cell + size / 4;
      for (; cell != end; ++cell) {
        if (cell->split)
          return accessBytes(thread, (cell - words.data()) * 4,
                             (end - cell) * 4, isStore ? Store : Load, site);
        if (!(isStore ? store(*cell, thread, site)
                      : load(*cell, thread, site))) {
          found.offset = (cell - words.data()) * 4;
          return false;
        }
      }
      return true;
    }
    return accessBytes(thread, offset, size, isStore ? Store : Load, site);
  }

  /// The same for an atomic access: atomic accesses are no race with each
  /// other, but with all others.
  bool accessAtomic(unsigned thread, uint64_t offset, uint64_t size,
                    bool isStore, int32_t site) {
    return accessBytes(thread, offset, size, isStore ? AtomicStore : AtomicLoad,
                       site);
  }

  /// An access by an asynchronous operation: by pseudo-thread `column` at
  /// `clock`, ordered after what `view` says. `offset` and `size` are multiples
  /// of 4.
  bool accessAsync(const ClockView &view, unsigned column, uint32_t clock,
                   uint64_t offset, uint64_t size, bool isStore, int32_t site);

  /// Makes the bytes such that every access by a thread is a race with
  /// `column`, until the block ends or a store by `forget`.
  void reserve(uint64_t offset, uint64_t size, unsigned column, int32_t site);
  /// Makes the bytes those of a copy that is under way: every access is a race
  /// until `forget`.
  void reservePending(uint64_t offset, uint64_t size, int32_t site);
  /// The clock of such a copy, which nobody ever knows.
  static constexpr uint32_t pendingClock = ~uint32_t(0);
  /// Ends that: `thread` has stored to the bytes.
  void forget(uint64_t offset, uint64_t size, unsigned thread, int32_t site);

  const SharedConflict &conflict() const { return found; }

  VectorClocks clocks;

  /// All threads that take part in a barrier go on from here. `whole` when no
  /// other thread lives.
  void passBarrier(const std::vector<uint16_t> &participants, bool whole,
                   const ReleasedClocks *released = nullptr);

private:
  struct Cell {
    uint32_t writeClock, readClock[2];
    int32_t writeSite, readSite[2];
    uint16_t writer, reader[2];
    /// Whether the bytes have cells of their own; whether the last stores were
    /// atomic: then all of them are in `atomics`.
    uint8_t split, atomic;
  };
  enum Mode { Load, Store, AtomicLoad, AtomicStore };

  bool ordered(unsigned thread, unsigned other, uint32_t clock) const {
    return clocks.ordered(thread, other, clock);
  }

  bool load(Cell &cell, unsigned thread, int32_t site) {
    if (cell.writeClock < clocks.base())
      return uninitialised();
    if (cell.atomic && !afterAtomics(cell, thread))
      return false;
    if (!ordered(thread, cell.writer, cell.writeClock))
      return race(cell.writer, cell.writeClock, cell.writeSite, true);
    // A reader that is ordered before this access is covered by it.
    for (int i = 0; i < 2; ++i) {
      if (ordered(thread, cell.reader[i], cell.readClock[i])) {
        cell.reader[i] = static_cast<uint16_t>(thread);
        cell.readClock[i] = clocks.clock(thread);
        cell.readSite[i] = site;
        return true;
      }
    }
    return !clocks.hasRows() || rememberReader(cell, thread, site);
  }

  bool store(Cell &cell, unsigned thread, int32_t site) {
    if (cell.atomic && !afterAtomics(cell, thread))
      return false;
    if (!ordered(thread, cell.writer, cell.writeClock))
      return race(cell.writer, cell.writeClock, cell.writeSite, true);
    for (int i = 0; i < 2; ++i)
      if (!ordered(thread, cell.reader[i], cell.readClock[i]))
        return race(cell.reader[i], cell.readClock[i], cell.readSite[i], false);
    if (clocks.hasRows() && !checkMoreReaders(cell, thread))
      return false;
    cell.writer = static_cast<uint16_t>(thread);
    cell.writeClock = clocks.clock(thread);
    cell.writeSite = site;
    cell.readClock[0] = cell.readClock[1] = 0;
    cell.atomic = 0;
    return true;
  }

  SharedAccess plainStore(const Cell &cell) const;
  bool loadAtomic(Cell &cell, unsigned thread, int32_t site);
  bool storeAtomic(Cell &cell, unsigned thread, int32_t site);
  bool one(Cell &cell, unsigned thread, Mode mode, int32_t site);
  bool afterReaders(const Cell &cell, unsigned thread);
  bool afterAtomics(const Cell &cell, unsigned thread);
  bool afterAtomics(const Cell &cell, const ClockView &view);
  bool uninitialised();
  bool race(unsigned other, uint32_t clock, int32_t site, bool otherStores);
  bool accessBytes(unsigned thread, uint64_t offset, uint64_t size, Mode mode,
                   int32_t site);
  bool rememberReader(Cell &cell, unsigned thread, int32_t site);
  bool checkMoreReaders(const Cell &cell, unsigned thread);
  bool loadAsync(Cell &cell, const ClockView &view, unsigned column,
                 uint32_t clock, int32_t site);
  bool storeAsync(Cell &cell, const ClockView &view, unsigned column,
                  uint32_t clock, int32_t site);
  bool noFence(const Cell &cell);

  std::vector<Cell> words, bytes;
  std::vector<uint32_t> splitWords;
  std::unordered_map<const Cell *, std::vector<SharedAccess>> moreReaders;
  /// The last plain store, and the last atomic store of each thread since then.
  struct AtomicStores {
    SharedAccess plain;
    std::vector<SharedAccess> stores;
  };
  std::unordered_map<const Cell *, AtomicStores> atomics;
  SharedConflict found;
};

} // namespace tile::rt

#endif // TILE_RT_SIM_SHAREDSHADOW_H
