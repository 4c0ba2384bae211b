// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How warps access memory, by enumeration of their lanes.
#include "tile/Transforms/AccessFigures.h"

#include "ThreadValues.h"

#include "tile/IR/ThreadMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace tile;

static constexpr int64_t kLanes = 32, kSectorBytes = 32;
/// Banks of shared memory, and bytes of a word in them.
static constexpr int64_t kBanks = 32, kBankBytes = 4;
/// Bytes of the widest memory access of one thread.
static constexpr int64_t kWidestAccess = 16;

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

/// The number of the unit that a byte is in; views may run backwards.
static int64_t unitOf(int64_t address, int64_t bytes) {
  return llvm::divideFloorSigned(address, bytes);
}

/// Counts the wavefronts of the lanes that are served at a time.
static void addTurn(AccessFigures &figures, int64_t warp, int64_t firstLane,
                    ArrayRef<std::optional<int64_t>> addresses) {
  // The words of each bank that are wanted, each with its first lane.
  std::map<int64_t, int64_t> words[kBanks];
  for (auto [lane, address] : llvm::enumerate(addresses)) {
    if (!address)
      continue;
    int64_t last = unitOf(*address + figures.bytes - 1, kBankBytes);
    for (int64_t word = unitOf(*address, kBankBytes); word <= last; ++word)
      words[word - kBanks * unitOf(word, kBanks)].try_emplace(
          word, firstLane + int64_t(lane));
  }
  auto *most = std::max_element(
      std::begin(words), std::end(words),
      [](const auto &a, const auto &b) { return a.size() < b.size(); });
  auto ways = static_cast<int64_t>(most->size());
  if (ways == 0)
    return;
  figures.wavefronts += ways;
  ++figures.leastWavefronts;
  if (ways > 1 && ways > figures.ways) {
    auto first = most->begin(), second = std::next(first);
    figures.conflict = BankConflict{
        warp, {first->second, second->second}, most - std::begin(words)};
  }
  figures.ways = std::max(figures.ways, ways);
}

void tile::addRequest(AccessFigures &figures, int64_t warp,
                      ArrayRef<std::optional<int64_t>> addresses) {
  if (llvm::none_of(addresses, [](const auto &address) { return !!address; }))
    return;
  ++figures.requests;
  if (figures.isShared) {
    int64_t atATime =
        std::clamp<int64_t>(kBanks * kBankBytes / figures.bytes, 1, kLanes);
    for (int64_t lane = 0, e = addresses.size(); lane < e; lane += atATime)
      addTurn(figures, warp, lane,
              addresses.slice(lane, std::min(atATime, e - lane)));
    return;
  }
  SmallVector<int64_t> begins;
  for (const std::optional<int64_t> &address : addresses)
    if (address)
      begins.push_back(*address);
  llvm::sort(begins);
  // Behind the last byte, and the last sector, that has been counted.
  int64_t counted = begins.front();
  int64_t sector = unitOf(begins.front(), kSectorBytes);
  for (int64_t begin : begins) {
    int64_t end = begin + figures.bytes;
    figures.usedBytes += end - std::min(end, std::max(begin, counted));
    counted = std::max(counted, end);
    int64_t first = std::max(sector, unitOf(begin, kSectorBytes));
    int64_t last = unitOf(end - 1, kSectorBytes);
    if (last < first)
      continue;
    figures.sectors += last - first + 1;
    sector = last + 1;
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {
/// The layout of a view with numbers for what is known at run time only.
struct AssumedLayout {
  ComposedLayout layout;
  bool assumesPitch = false;
  /// Layouts that the coordinate goes through before.
  SmallVector<ComposedLayout> permute;

  /// Bytes from the base to the element at (row, column), or deeper.
  Result<int64_t> getAddress(const IntTuple &coordinate, int64_t bytes) const {
    IntTuple place = coordinate;
    for (const ComposedLayout &permutation : permute) {
      Result<IntTuple> next = permutation(place);
      if (!next)
        return next.takeReason();
      place = *next;
    }
    Result<IntTuple> offset = layout(place);
    if (!offset)
      return offset.takeReason();
    Int address = offset->isInt() ? offset->getInt() * Int(bytes) : Int(-1);
    if (!offset->isInt() || !address.isStatic())
      return Reason("expected offsets that 64 bits can count, but got the "
                    "layout " +
                    layout.str());
    return address.getValue();
  }
};
} // namespace

/// Puts numbers for run-time strides: multiples of what is known to divide them
/// and of a sector, far enough apart that nothing overlaps.
static Result<AssumedLayout> assumeLayout(ViewType view) {
  if (view.getSpace() != MemorySpace::Global &&
      view.getSpace() != MemorySpace::Shared)
    return Reason(Twine("it is in ") + stringifyMemorySpace(view.getSpace()) +
                  " memory, not in global memory or the block's own");
  AssumedLayout assumed;
  const Layout &layout = view.getLayout();
  int64_t sector = std::max<int64_t>(1, kSectorBytes / view.getElementBytes());
  int64_t distance = int64_t(1) << 16;
  auto stride = layout.getStride().mapLeaves([&](const IntTuple &leaf) {
    if (leaf.isStatic())
      return leaf;
    assumed.assumesPitch = true;
    int64_t divisor = leaf.getInt().getDivisor();
    // A divisor that is too large to count with leaves the range, which
    // Layout::get reports.
    Int number = Int(divisor) * Int(sector) * Int(distance);
    distance <<= 12;
    return IntTuple(number);
  });
  auto shape = layout.getShape().mapLeaves([](const IntTuple &leaf) {
    return leaf.isStatic() ? leaf : IntTuple(int64_t(1) << 12);
  });
  if (assumed.assumesPitch && view.getSpace() == MemorySpace::Shared)
    return Reason("bank conflicts follow from strides that are known when it "
                  "is compiled, but this view has the layout " +
                  layout.str());
  Result<Layout> numbers = Layout::get(shape, stride);
  if (!numbers)
    return numbers.takeReason();
  Result<ComposedLayout> composed =
      ComposedLayout::get(view.getSwizzle(), Int(0), *numbers);
  if (!composed)
    return composed.takeReason();
  assumed.layout = *composed;
  return assumed;
}

static AccessFigures makeFigures(ViewType view, bool isStore, int64_t width) {
  AccessFigures figures;
  figures.isStore = isStore;
  figures.isShared = view.getSpace() == MemorySpace::Shared;
  figures.width = width;
  figures.bytes = width * view.getElementBytes();
  return figures;
}

/// Adds the requests of `threads` threads, each at the coordinate that
/// `getCoordinate` says (none: it takes no part).
static std::optional<Reason>
addRequests(AccessFigures &figures, const AssumedLayout &layout,
            int64_t elementBytes, int64_t threads,
            function_ref<std::optional<IntTuple>(int64_t)> getCoordinate) {
  for (int64_t first = 0; first < threads; first += kLanes) {
    SmallVector<std::optional<int64_t>> addresses;
    for (int64_t t = first; t < std::min(threads, first + kLanes); ++t) {
      std::optional<IntTuple> coordinate = getCoordinate(t);
      addresses.emplace_back();
      if (!coordinate)
        continue;
      Result<int64_t> address = layout.getAddress(*coordinate, elementBytes);
      if (!address)
        return address.takeReason();
      addresses.back() = *address;
    }
    addRequest(figures, first / kLanes, addresses);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Iterators
//===----------------------------------------------------------------------===//

/// What keeps the accesses of an iterator from being `wanted` elements wide.
static std::string explainWidth(IteratorType iterator, int64_t width) {
  int64_t bytes = iterator.getView().getElementBytes();
  int64_t vector = getAccessPattern(iterator.getMap()).vector;
  if (width * bytes >= kWidestAccess)
    return "";
  if (width >= std::gcd(vector, std::max<int64_t>(1, kWidestAccess / bytes)))
    return llvm::formatv("its thread map has {0} element{1} an access", vector,
                         vector == 1 ? "" : "s");
  for (const WidthBound &bound : iterator.getWidthBounds())
    if (bound.elements <= width)
      return bound.fact;
  return "the tile and the threads' places in it are multiples of no more";
}

/// Adds the requests for the accesses [begin, begin + count) of a map.
/// `getCoordinate` says where the element (row, column) of a tile is (none: it
/// is not accessed).
static std::optional<Reason> addAccesses(
    AccessFigures &figures, const AssumedLayout &layout, ViewType view,
    ThreadMapAttrInterface map, int64_t begin, int64_t count,
    function_ref<std::optional<IntTuple>(int64_t, int64_t)> getCoordinate) {
  AccessPattern pattern = getAccessPattern(map);
  int64_t bytes = view.getElementBytes();
  figures.assumesPitch = layout.assumesPitch;
  figures.wantedWidth =
      std::gcd(pattern.vector, std::max<int64_t>(1, kWidestAccess / bytes));
  figures.accesses = count * (pattern.vector / figures.width);
  SmallVector<int64_t, 2> tile = map.getTileShape();
  for (int64_t i = begin; i < begin + count; ++i) {
    auto [rows, columns] = pattern.getAccessOffset(i);
    for (int64_t part = 0; part < pattern.vector; part += figures.width) {
      std::optional<Reason> reason =
          addRequests(figures, layout, bytes, pattern.getNumThreads(),
                      [&, rows = rows, columns = columns](
                          int64_t t) -> std::optional<IntTuple> {
                        auto [row, column] = pattern.getThreadOffset(t);
                        int64_t at[2] = {row + rows, column + columns};
                        at[pattern.vectorDim] += part;
                        if (at[0] >= tile[0] || at[1] >= tile[1])
                          return std::nullopt;
                        return getCoordinate(at[0], at[1]);
                      });
      if (reason)
        return reason;
    }
  }
  return std::nullopt;
}

/// Splits a number over the leaves of one mode of a map of coordinates, and
/// adds what the digits move. False if it is beyond an extent that is known.
static bool addDigits(ArrayRef<LeafMode> leaves, int64_t number,
                      MutableArrayRef<int64_t> coordinate) {
  // Extents of run time are taken for larger than a tile.
  constexpr int64_t kLarge = int64_t(1) << 20;
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    int64_t extent = leaf.extent.isStatic() ? leaf.extent.getValue() : kLarge;
    bool isLast = i + 1 == leaves.size();
    if (isLast && number >= extent)
      return false;
    extent = std::max<int64_t>(1, extent);
    if (leaf.stride.isBasis())
      coordinate[leaf.stride.getPath()[0]] +=
          number % extent * leaf.stride.getInt().getValue();
    number /= extent;
  }
  return true;
}

/// The element of the view for an element of a mapped matrix whose tile starts
/// at (0, 0), at the origin of the view; none if it is not one.
static std::optional<IntTuple>
getMappedCoordinate(IteratorType iterator, int64_t row, int64_t column) {
  const Layout &layout = iterator.getView().getLayout();
  Layout coords = iterator.getCoordinateLayout();
  SmallVector<int64_t> at(layout.rank(), 0);
  if (!addDigits(coords[0].getLeafModes(), row, at) ||
      !addDigits(coords[1].getLeafModes(), column, at))
    return std::nullopt;
  for (auto [mode, c] : llvm::enumerate(at)) {
    if (iterator.isDivided()) {
      int64_t divisor = iterator.getDivide()[mode].getInt().getValue();
      if (c % divisor != 0)
        return std::nullopt;
      c /= divisor;
    }
    const Int &extent = layout.getShape()[mode].getInt();
    if (extent.isStatic() && (c < 0 || c >= extent.getValue()))
      return std::nullopt;
  }
  for (ArrayRef<int64_t> list = iterator.getXorBits(); !list.empty();
       list = list.drop_front(4)) {
    int64_t bits = at[list[2]] >> list[3] & ((int64_t(1) << list[0]) - 1);
    at.back() ^= bits << list[1];
  }
  return IntTuple::constants(at);
}

/// Why the addresses of an iterator are not known, if they are not.
static std::optional<Reason> findUnknown(IteratorType iterator) {
  if (iterator.getGather())
    return Reason("its coordinates are looked up when it runs");
  if (!iterator.isMapped())
    return std::nullopt;
  auto isKnown = [](const IntTuple &leaf) {
    return !leaf.isBasis() || leaf.getInt().isStatic();
  };
  if (llvm::all_of(iterator.getCoordinateLayout().getStride().getLeaves(),
                   isKnown) &&
      (!iterator.isDivided() || iterator.getDivide().isStatic()))
    return std::nullopt;
  return Reason("the steps of its coordinates are known at run time only");
}

/// The figures of a tile, or of its first step.
static Result<AccessFigures>
getIteratorFigures(IteratorType iterator, bool isStore, int64_t width,
                   std::optional<ArrayRef<int64_t>> accesses) {
  if (std::optional<Reason> reason = findUnknown(iterator))
    return *reason;
  Result<AssumedLayout> layout = assumeLayout(iterator.getView());
  if (!layout)
    return layout.takeReason();
  for (LayoutAttr permutation : iterator.getPermute())
    layout->permute.push_back(permutation.getValue());
  AccessFigures figures = makeFigures(iterator.getView(), isStore, width);
  figures.narrowing = explainWidth(iterator, width);
  std::optional<Reason> reason =
      addAccesses(figures, *layout, iterator.getView(), iterator.getMap(),
                  accesses ? (*accesses)[0] : 0,
                  accesses ? (*accesses)[1] : iterator.getStepAccesses(),
                  [&](int64_t row, int64_t column) -> std::optional<IntTuple> {
                    if (iterator.isMapped())
                      return getMappedCoordinate(iterator, row, column);
                    return IntTuple::constants({row, column});
                  });
  if (reason)
    return *reason;
  return figures;
}

Result<AccessFigures>
tile::getAccessFigures(IteratorType iterator, bool isStore,
                       std::optional<ArrayRef<int64_t>> accesses) {
  return getIteratorFigures(iterator, isStore, iterator.getAccessWidth(),
                            accesses);
}

Result<AccessFigures> tile::getAccessFigures(CopyAsyncOp copy, bool isStore) {
  IteratorType iterator =
      isStore ? copy.getDestination().getType() : copy.getSource().getType();
  Result<AccessFigures> figures = getIteratorFigures(
      iterator, isStore, copy.getAccessWidth(), copy.getAccesses());
  // Both sides have to prove a width; the other one may be the narrower.
  if (figures && copy.getAccessWidth() < iterator.getAccessWidth())
    figures->narrowing = "the other side of the copy proves no more";
  return figures;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Result<AccessFigures> tile::getAccessFigures(ViewType view,
                                             const IntTuple &coord,
                                             ValueRange coordOperands,
                                             Type accessType, bool isStore,
                                             int64_t threads) {
  Result<AssumedLayout> layout = assumeLayout(view);
  if (!layout)
    return layout.takeReason();
  auto vector = dyn_cast<VectorType>(accessType);
  AccessFigures figures =
      makeFigures(view, isStore, vector ? vector.getNumElements() : 1);
  figures.assumesPitch = layout->assumesPitch;
  figures.accesses = 1;
  figures.wantedWidth = figures.width;
  ThreadValues values;
  std::optional<Reason> failure =
      addRequests(figures, *layout, view.getElementBytes(), threads,
                  [&](int64_t t) -> std::optional<IntTuple> {
                    unsigned next = 0;
                    bool known = true;
                    auto numbers = coord.mapLeaves([&](const IntTuple &leaf) {
                      if (leaf.isStatic())
                        return leaf;
                      std::optional<int64_t> number =
                          values.evaluate(coordOperands[next++], t);
                      known &= number.has_value();
                      return IntTuple(number.value_or(0));
                    });
                    if (!known)
                      return std::nullopt;
                    return numbers;
                  });
  if (failure)
    return *failure;
  if (!values.getReason().empty())
    return Reason(values.getReason());
  return figures;
}

Result<AccessFigures> tile::getAccessFigures(LoadMatrixOp load) {
  ViewType view = load.getView().getType();
  Result<AssumedLayout> layout = assumeLayout(view);
  if (!layout)
    return layout.takeReason();
  constexpr int64_t rows = 8;
  AccessFigures figures = makeFigures(view, false, load.getVector());
  figures.wantedWidth = figures.width;
  SmallVector<int64_t, 2> matrices = load.getMatrices();
  int64_t dim = load.getContiguousDim(), along = load.getAlong();
  int64_t size[2] = {rows, rows}, start[2];
  size[dim] = load.getVector();
  for (int64_t d : {0, 1}) {
    const Int &leaf = load.getCoord()[d].getInt();
    start[d] = leaf.isStatic() ? leaf.getValue() : 0;
  }
  int64_t total = matrices[0] * matrices[1];
  for (int64_t first = 0; first < total; first += 4) {
    ++figures.accesses;
    std::optional<Reason> reason =
        addRequests(figures, *layout, view.getElementBytes(), kLanes,
                    [&](int64_t lane) -> std::optional<IntTuple> {
                      int64_t matrix = first + lane / rows;
                      if (matrix >= total)
                        return std::nullopt;
                      int64_t place[2];
                      place[along] = matrix % matrices[along];
                      place[1 - along] = matrix / matrices[along];
                      int64_t at[2];
                      for (int64_t d : {0, 1})
                        at[d] = start[d] + place[d] * size[d] +
                                (d == dim ? 0 : lane % rows);
                      return IntTuple::constants({at[0], at[1]});
                    });
    if (reason)
      return *reason;
  }
  return figures;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Threads of the block that an operation runs in; 0 if that is not known.
static int64_t getBlockThreads(Operation *op) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  std::optional<ArrayRef<int32_t>> block;
  if (kernel)
    block = kernel.getKnownBlockSize();
  if (!block)
    return 0;
  // Coordinates follow from the number along x alone.
  return (*block)[1] == 1 && (*block)[2] == 1 ? (*block)[0] : 0;
}

template <typename OpT>
static Result<AccessFigures> getViewFigures(OpT op, Type type, bool isStore) {
  int64_t threads = getBlockThreads(op);
  if (!threads)
    return Reason("the threads of a block are known in kernels with a "
                  "known_block_size along x");
  return getAccessFigures(op.getView().getType(), op.getCoord(),
                          op.getCoordOperands(), type, isStore, threads);
}

void tile::forEachAccessFigures(
    Operation *op,
    function_ref<void(Location, const Result<AccessFigures> &)> report) {
  auto iterator = [&](IteratorType type, bool isStore,
                      std::optional<ArrayRef<int64_t>> accesses = {}) {
    report(op->getLoc(), getAccessFigures(type, isStore, accesses));
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](IteratorLoadOp load) {
        iterator(load.getIterator().getType(), false, load.getAccesses());
      })
      .Case([&](IteratorStoreOp store) {
        iterator(store.getIterator().getType(), true, store.getAccesses());
      })
      .Case<IteratorLoadWithPointerOffsetOp, IteratorLoadWithTileOffsetOp>(
          [&](auto load) { iterator(load.getIterator().getType(), false); })
      .Case<IteratorStoreWithPointerOffsetOp, IteratorStoreWithTileOffsetOp>(
          [&](auto store) { iterator(store.getIterator().getType(), true); })
      .Case([&](CopyOp copy) {
        iterator(copy.getSource().getType(), false);
        iterator(copy.getDestination().getType(), true);
      })
      .Case([&](CopyAsyncOp copy) {
        for (bool isStore : {false, true})
          report(op->getLoc(), getAccessFigures(copy, isStore));
      })
      .Case([&](LoadMatrixOp load) {
        report(op->getLoc(), getAccessFigures(load));
      })
      .Case([&](ViewLoadOp load) {
        if (load.getView().getType().getSpace() != MemorySpace::Register)
          report(op->getLoc(), getViewFigures(load, load.getType(), false));
      })
      .Case([&](ViewStoreOp store) {
        if (store.getView().getType().getSpace() != MemorySpace::Register)
          report(op->getLoc(),
                 getViewFigures(store, store.getValue().getType(), true));
      });
}

/// `16`, or `2.5`, the mean of `total` over `count`.
static std::string mean(int64_t total, int64_t count) {
  if (count == 0)
    return "0";
  if (total % count == 0)
    return std::to_string(total / count);
  return llvm::formatv("{0:F2}", double(total) / double(count));
}

std::string tile::describeFigures(const AccessFigures &figures) {
  std::string text =
      llvm::formatv("{0} {1}, {2} access{3} of {4} byte{5} a thread: ",
                    figures.isShared ? "shared" : "global",
                    figures.isStore ? "store" : "load", figures.accesses,
                    figures.accesses == 1 ? "" : "es", figures.bytes,
                    figures.bytes == 1 ? "" : "s");
  if (!figures.isShared)
    return text +
           llvm::formatv("{0} sector{1} a request, {2} of {3} bytes used",
                         mean(figures.sectors, figures.requests),
                         figures.sectors == figures.requests ? "" : "s",
                         mean(figures.usedBytes, figures.sectors), kSectorBytes)
               .str();
  if (figures.ways <= 1)
    return text + "no bank conflicts, " +
           mean(figures.wavefronts, figures.requests) + " wavefront" +
           (figures.wavefronts == figures.requests ? "" : "s") + " a request";
  const BankConflict &conflict = *figures.conflict;
  return text +
         llvm::formatv("{0}-way bank conflict (lanes {1} and {2} of warp {3} "
                       "in bank {4}), {5} wavefronts a request where {6} would "
                       "do",
                       figures.ways, conflict.lanes[0], conflict.lanes[1],
                       conflict.warp, conflict.bank,
                       mean(figures.wavefronts, figures.requests),
                       mean(figures.leastWavefronts, figures.requests))
             .str();
}
