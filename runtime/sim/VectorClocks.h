// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each simulated thread knows to have happened: vector clocks in rows.
//
// Each thread carries a clock that every release moves on, so that an access is
// named by (thread, clock). A row says, for each thread, up to which clock its
// accesses are known to have happened, and up to which clock its stores have
// passed a proxy fence, so that TMA and wgmma see them. An asynchronous
// operation is an access by a pseudo-thread (a column of its own): whoever
// waits for the operation learns of the column's clock.
//
// Rows are immutable and shared: all threads that leave a barrier have the same
// row, and the same step from the same row is made once. 128 threads that wait
// for one mbarrier so cost about as much as one.
//
// While every barrier is one of all threads there are no rows at all: then an
// earlier access is known exactly when its clock is smaller than one's own.
#ifndef TILE_RT_SIM_VECTORCLOCKS_H
#define TILE_RT_SIM_VECTORCLOCKS_H

#include <cstdint>
#include <vector>

namespace tile::rt {

/// What several threads have released together, for others to acquire.
struct ReleasedClocks {
  std::vector<uint32_t> words;
  uint64_t lastRow = 0;
  /// Names this state; 0 while nothing was released.
  uint64_t version = 0;

  void clear() {
    words.clear();
    lastRow = version = 0;
  }
};

/// What an asynchronous operation may rely on, of one thread or of several.
struct ClockView {
  const uint32_t *words = nullptr;
  /// The thread, or the first of a group whose members all know it.
  unsigned thread = 0;
  bool group = false;
};

class VectorClocks {
public:
  /// Forgets everything and starts with `threads` threads at one clock.
  void begin(unsigned threads);

  /// Clocks smaller than this belong to an earlier run.
  uint32_t base() const { return first; }
  uint32_t clock(unsigned thread) const { return clocks[thread]; }
  /// Whether rows are in use.
  bool hasRows() const { return rows; }
  unsigned threads() const { return threadCount; }

  /// Whether `thread` knows of what `other` did at `clock`.
  bool ordered(unsigned thread, unsigned other, uint32_t clock) const {
    if (other == thread)
      return true;
    if (!rows)
      return clock < clocks[thread];
    return clock < first || current[thread][2 * other] >= clock;
  }

  /// Whether an asynchronous operation with `view` comes after what `other` did
  /// at `clock`.
  bool ordered(const ClockView &view, unsigned other, uint32_t clock) const {
    return clock < first || (other == view.thread && !view.group) ||
           view.words[2 * other] >= clock;
  }

  /// The same for a store, which a thread's own fence or a fence behind it must
  /// have made visible to the asynchronous proxy.
  bool fencedFor(const ClockView &view, unsigned other, uint32_t clock) const {
    if (clock < first)
      return true;
    if (other >= threadCount)
      return view.words[2 * other] >= clock;
    if (other == view.thread && !view.group)
      return clock <= fenced[other];
    return view.words[2 * other + 1] >= clock;
  }

  /// A barrier: `participants` learn all that one of them knows, and what was
  /// `released` by those who do not wait, if not null. `whole` when no other
  /// thread lives.
  void passBarrier(const std::vector<uint16_t> &participants, bool whole,
                   const ReleasedClocks *released);

  /// Adds what `thread` knows, itself included, to `into`.
  void release(unsigned thread, ReleasedClocks &into);
  /// Adds only what `thread` knows of columns: operations that it waited for,
  /// itself or through others.
  void releaseColumns(unsigned thread, ReleasedClocks &into);
  /// Adds what a column did up to `clock`.
  void release(unsigned column, uint32_t clock, ReleasedClocks &into);
  /// Teaches `thread` what was released.
  void acquire(unsigned thread, const ReleasedClocks &from);
  /// Teaches `thread` that `column` has completed what it did up to `clock`.
  void acquire(unsigned thread, unsigned column, uint32_t clock);
  /// fence.proxy.async of `thread`.
  void fenceProxy(unsigned thread);

  /// A new pseudo-thread. From now on there are rows.
  unsigned addColumn();
  /// The next clock, for an operation of a column.
  uint32_t tick() { return ++now; }

  ClockView viewOf(unsigned thread) const {
    return {current[thread], thread, false};
  }
  /// What all threads from `start` on know, `count` of them; valid until the
  /// next call of any function that is not const.
  ClockView viewOf(unsigned start, unsigned count);

private:
  struct Row {
    std::vector<uint32_t> words;
    uint64_t id = 0;
    unsigned uses = 0;
  };
  /// The last step from one row to another.
  struct Step {
    uint64_t from = 0, by = 0;
    Row *to = nullptr;
  };

  void startRows();
  Row *makeRow();
  void setRow(unsigned thread, Row *row);
  void remember(Step &step, uint64_t from, uint64_t by, Row *to);
  void forgetSteps();
  void reserveColumns(unsigned count);

  unsigned threadCount = 0, columns = 0, rowWords = 0;
  uint32_t now = 0, first = 0;
  bool rows = false, async = false;
  std::vector<uint32_t> clocks;
  /// Up to which of its own clocks a thread has fenced.
  std::vector<uint32_t> fenced;
  std::vector<Row *> rowOf;
  std::vector<const uint32_t *> current; ///< the words of rowOf
  std::vector<Row *> freeRows, usedRows;
  std::vector<Row *> allRows;
  uint64_t lastId = 0;
  Step acquireStep, columnStep, fenceStep;
  std::vector<uint32_t> groupWords;

public:
  ~VectorClocks();
};

} // namespace tile::rt

#endif // TILE_RT_SIM_VECTORCLOCKS_H
