// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector clocks in shared rows: joins, fences and columns.
#include "VectorClocks.h"

#include <algorithm>

using namespace tile::rt;

// Clocks run on from block to block; before they wrap, the shadow forgets.
static constexpr uint32_t lastStart = 0xf0000000u;
// Columns that fit before all rows grow.
static constexpr unsigned spareColumns = 32;

VectorClocks::~VectorClocks() {
  for (Row *row : allRows)
    delete row;
}

void VectorClocks::begin(unsigned threads) {
  for (Row *row : allRows)
    row->uses = 0;
  freeRows = allRows;
  acquireStep = columnStep = fenceStep = Step();
  rowOf.assign(threads, nullptr);
  if (now > lastStart)
    now = 0;
  threadCount = columns = threads;
  rowWords = 2 * (threads + spareColumns);
  rows = async = false;
  first = ++now;
  clocks.assign(threads, now);
  fenced.assign(threads, 0);
  current.assign(threads, nullptr);
}

VectorClocks::Row *VectorClocks::makeRow() {
  Row *row;
  if (freeRows.empty()) {
    row = new Row;
    allRows.push_back(row);
  } else {
    row = freeRows.back();
    freeRows.pop_back();
  }
  row->words.assign(rowWords, 0);
  row->id = ++lastId;
  row->uses = 0;
  return row;
}

void VectorClocks::setRow(unsigned thread, Row *row) {
  Row *old = rowOf[thread];
  ++row->uses;
  rowOf[thread] = row;
  current[thread] = row->words.data();
  if (old && --old->uses == 0)
    freeRows.push_back(old);
}

/// A step keeps its row alive, so that it can be used again.
void VectorClocks::remember(Step &step, uint64_t from, uint64_t by, Row *to) {
  ++to->uses;
  if (step.to && --step.to->uses == 0)
    freeRows.push_back(step.to);
  step = {from, by, to};
}

void VectorClocks::forgetSteps() {
  for (Step *step : {&acquireStep, &columnStep, &fenceStep}) {
    if (step->to && --step->to->uses == 0)
      freeRows.push_back(step->to);
    *step = Step();
  }
}

void VectorClocks::startRows() {
  rows = true;
  Row *row = makeRow();
  // Whoever is not past a clock is known up to the one before.
  for (unsigned u = 0; u < threadCount; ++u)
    row->words[2 * u] = clocks[u] - 1;
  for (unsigned t = 0; t < threadCount; ++t)
    setRow(t, row);
}

void VectorClocks::reserveColumns(unsigned count) {
  if (2 * count <= rowWords)
    return;
  rowWords = 2 * (count + count / 2);
  for (Row *row : allRows)
    row->words.resize(rowWords, 0);
  for (unsigned t = 0; t < threadCount; ++t)
    if (rowOf[t])
      current[t] = rowOf[t]->words.data();
}

unsigned VectorClocks::addColumn() {
  async = true;
  reserveColumns(columns + 1);
  if (!rows)
    startRows();
  return columns++;
}

static void joinInto(std::vector<uint32_t> &into,
                     const std::vector<uint32_t> &from) {
  if (into.size() < from.size())
    into.resize(from.size(), 0);
  uint32_t *a = into.data();
  const uint32_t *b = from.data();
  for (size_t i = 0, e = from.size(); i < e; ++i)
    a[i] = std::max(a[i], b[i]);
}

void VectorClocks::passBarrier(const std::vector<uint16_t> &participants,
                               bool whole, const ReleasedClocks *released) {
  if (whole && !async) {
    if (rows) {
      forgetSteps();
      for (unsigned t = 0; t < threadCount; ++t) {
        if (Row *old = rowOf[t]; old && --old->uses == 0)
          freeRows.push_back(old);
        rowOf[t] = nullptr;
      }
      rows = false;
    }
  } else {
    if (!rows)
      startRows();
    Row *joined = makeRow();
    uint64_t last = 0;
    for (uint16_t p : participants) {
      if (rowOf[p]->id == last)
        continue;
      last = rowOf[p]->id;
      joinInto(joined->words, rowOf[p]->words);
    }
    if (released)
      joinInto(joined->words, released->words);
    for (uint16_t p : participants) {
      joined->words[2 * p] = clocks[p];
      joined->words[2 * p + 1] = std::max(joined->words[2 * p + 1], fenced[p]);
    }
    for (uint16_t p : participants)
      setRow(p, joined);
  }
  ++now;
  for (uint16_t p : participants)
    clocks[p] = now;
}

void VectorClocks::release(unsigned thread, ReleasedClocks &into) {
  if (!rows)
    startRows();
  if (into.lastRow != rowOf[thread]->id) {
    joinInto(into.words, rowOf[thread]->words);
    into.lastRow = rowOf[thread]->id;
  }
  uint32_t *own = &into.words[2 * thread];
  own[0] = clocks[thread];
  own[1] = std::max(own[1], fenced[thread]);
  into.version = ++lastId;
  clocks[thread] = ++now;
}

void VectorClocks::releaseColumns(unsigned thread, ReleasedClocks &into) {
  if (!rows)
    startRows();
  const std::vector<uint32_t> &row = rowOf[thread]->words;
  if (into.words.size() < row.size())
    into.words.resize(row.size(), 0);
  for (size_t i = 2 * size_t(threadCount); i < row.size(); ++i)
    into.words[i] = std::max(into.words[i], row[i]);
  into.version = ++lastId;
}

void VectorClocks::release(unsigned column, uint32_t clock,
                           ReleasedClocks &into) {
  if (into.words.size() < rowWords)
    into.words.resize(rowWords, 0);
  into.words[2 * column] = std::max(into.words[2 * column], clock);
  into.version = ++lastId;
}

void VectorClocks::acquire(unsigned thread, const ReleasedClocks &from) {
  if (!from.version)
    return;
  if (!rows)
    startRows();
  Row *row = rowOf[thread];
  if (acquireStep.to && acquireStep.from == row->id &&
      acquireStep.by == from.version)
    return setRow(thread, acquireStep.to);
  uint64_t id = row->id;
  Row *joined = makeRow();
  joinInto(joined->words, rowOf[thread]->words);
  joinInto(joined->words, from.words);
  remember(acquireStep, id, from.version, joined);
  setRow(thread, joined);
}

void VectorClocks::acquire(unsigned thread, unsigned column, uint32_t clock) {
  Row *row = rowOf[thread];
  if (row->words[2 * column] >= clock)
    return;
  uint64_t by = uint64_t(column) << 32 | clock;
  if (columnStep.to && columnStep.from == row->id && columnStep.by == by)
    return setRow(thread, columnStep.to);
  uint64_t id = row->id;
  Row *joined = makeRow();
  joined->words = row->words;
  joined->words[2 * column] = clock;
  remember(columnStep, id, by, joined);
  setRow(thread, joined);
}

void VectorClocks::fenceProxy(unsigned thread) {
  async = true;
  if (!rows)
    startRows();
  fenced[thread] = clocks[thread];
  clocks[thread] = ++now;
  Row *row = rowOf[thread];
  if (fenceStep.to && fenceStep.from == row->id)
    return setRow(thread, fenceStep.to);
  uint64_t id = row->id;
  Row *after = makeRow();
  after->words = row->words;
  for (unsigned u = 0; u < threadCount; ++u)
    after->words[2 * u + 1] =
        std::max(after->words[2 * u + 1], after->words[2 * u]);
  remember(fenceStep, id, 1, after);
  setRow(thread, after);
}

ClockView VectorClocks::viewOf(unsigned start, unsigned count) {
  bool same = true;
  for (unsigned t = start + 1; t < start + count; ++t)
    same &= rowOf[t] == rowOf[start];
  if (same)
    return {current[start], start, true};
  // What a thread did itself is known to it, whatever its row says.
  groupWords.assign(rowWords, ~uint32_t(0));
  std::vector<uint32_t> own(2 * count, ~uint32_t(0));
  for (unsigned t = start; t < start + count; ++t) {
    const uint32_t *row = current[t];
    for (unsigned i = 0; i < 2; ++i) {
      for (unsigned u = start; u < start + count; ++u)
        if (u != t)
          own[2 * (u - start) + i] =
              std::min(own[2 * (u - start) + i], row[2 * u + i]);
    }
    uint32_t *words = groupWords.data();
    for (unsigned i = 0; i < rowWords; ++i)
      words[i] = std::min(words[i], row[i]);
  }
  std::copy(own.begin(), own.end(), groupWords.begin() + 2 * start);
  return {groupWords.data(), start, true};
}
