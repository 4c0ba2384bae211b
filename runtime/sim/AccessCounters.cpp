// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins the accesses of lanes to requests, and counts sectors and wavefronts.
#include "AccessCounters.h"

#include <algorithm>

using namespace tile::rt;

static constexpr uint64_t sectorBytes = 32, bankBytes = 4, banks = 32;
// Bytes that shared memory serves at a time.
static constexpr uint64_t turnBytes = bankBytes * banks;

void AccessTotals::add(const AccessTotals &other) {
  requests += other.requests;
  sectors += other.sectors;
  bytes += other.bytes;
  wavefronts += other.wavefronts;
  leastWavefronts += other.leastWavefronts;
  ways = std::max(ways, other.ways);
}

void AccessCounters::record(unsigned warp, unsigned lane, unsigned lanesOfWarp,
                            const AccessPlace &place, uintptr_t address,
                            uint64_t size, bool on) {
  Queue &queue = queues[{place, warp}];
  uint64_t number = queue.next[lane]++ - queue.first;
  if (queue.open.size() <= number)
    queue.open.resize(number + 1);
  Request &request = queue.open[number];
  request.arrived |= 1u << lane;
  request.size = std::max(request.size, size);
  if (on) {
    request.on |= 1u << lane;
    request.addresses[lane] = address;
  }
  uint32_t all = lanesOfWarp >= lanes ? ~0u : (1u << lanesOfWarp) - 1;
  while (!queue.open.empty() && queue.open.front().arrived == all) {
    count(queue.open.front(), place.isShared, counts[place]);
    queue.open.erase(queue.open.begin());
    ++queue.first;
  }
}

/// How many different units of `unitBytes` the lanes from `first` to `last`
/// touch, listed in `units`.
template <typename Lanes>
static void listUnits(const Lanes &addresses, uint32_t on, unsigned first,
                      unsigned last, uint64_t size, uint64_t unitBytes,
                      std::vector<uint64_t> &units) {
  units.clear();
  for (unsigned lane = first; lane < last; ++lane) {
    if (!(on >> lane & 1))
      continue;
    uint64_t begin = addresses[lane] / unitBytes,
             end = (addresses[lane] + size - 1) / unitBytes;
    for (uint64_t unit = begin; unit <= end; ++unit)
      units.push_back(unit);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
}

void AccessCounters::count(const Request &request, bool isShared,
                           AccessTotals &totals) {
  if (!request.on || !request.size)
    return;
  ++totals.requests;
  std::vector<uint64_t> units;
  if (!isShared) {
    listUnits(request.addresses, request.on, 0, lanes, request.size,
              sectorBytes, units);
    totals.sectors += units.size();
    listUnits(request.addresses, request.on, 0, lanes, request.size, 1, units);
    totals.bytes += units.size();
    return;
  }
  unsigned atATime = static_cast<unsigned>(
      std::clamp<uint64_t>(turnBytes / request.size, 1, lanes));
  for (unsigned first = 0; first < lanes; first += atATime) {
    listUnits(request.addresses, request.on, first, first + atATime,
              request.size, bankBytes, units);
    if (units.empty())
      continue;
    uint32_t wanted[banks] = {};
    for (uint64_t word : units)
      ++wanted[word % banks];
    uint32_t most = *std::max_element(wanted, wanted + banks);
    totals.wavefronts += most;
    ++totals.leastWavefronts;
    totals.ways = std::max(totals.ways, most);
  }
}

void AccessCounters::endBlock(AccessCounts &into) {
  for (auto &[key, queue] : queues)
    for (const Request &request : queue.open)
      count(request, key.first.isShared, counts[key.first]);
  queues.clear();
  for (const auto &[place, totals] : counts)
    if (totals.requests)
      into[place].add(totals);
  counts.clear();
}
