// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread-map attributes: what they derive from their formula.
#include "tile/IR/ThreadMapFormulas.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

static PitchLinear toPitchLinear(ArrayRef<int64_t> pair) {
  return {pair[0], pair[1]};
}

/// The extents of a tile (rows, columns) as (contiguous, strided).
static PitchLinear toPitchLinear(ArrayRef<int64_t> tile, int64_t contiguous) {
  return {tile[contiguous], tile[1 - contiguous]};
}

/// The formula of a map that stands on another.
static Result<PitchLinearMap>
transform(ThreadMapAttrInterface base,
          function_ref<Result<PitchLinearMap>(const PitchLinearMap &)> apply) {
  Result<PitchLinearMap> map = getPitchLinearMap(base);
  if (!map)
    return map.takeReason();
  return apply(*map);
}

template <typename AttrT>
static PitchLinear getTile(AttrT map) {
  return toPitchLinear(map.getTile(), map.getContiguous());
}

template <typename AttrT>
static Result<PitchLinearMap> makeWarps(AttrT map, WarpOrder order) {
  return makeWarpMap(order, getTile(map), map.getThreads(),
                     toPitchLinear(map.getWarp()), map.getElements());
}

Result<PitchLinearMap> tile::getPitchLinearMap(Attribute map) {
  return TypeSwitch<Attribute, Result<PitchLinearMap>>(map)
      .Case([](StripMinedMapAttr map) {
        return makeStripMined(getTile(map), map.getThreads(),
                              map.getElements());
      })
      .Case([](ThreadContiguousMapAttr map) {
        return makeThreadContiguous(getTile(map), map.getThreads(),
                                    map.getElements());
      })
      .Case([](ThreadStridedMapAttr map) {
        return makeThreadStrided(getTile(map), map.getThreads(),
                                 map.getElements());
      })
      .Case(
          [](WarpRakedMapAttr map) { return makeWarps(map, WarpOrder::Raked); })
      .Case([](StridedWarpRakedMapAttr map) {
        return makeWarps(map, WarpOrder::StridedRaked);
      })
      .Case([](WarpStripedMapAttr map) {
        return makeWarps(map, WarpOrder::Striped);
      })
      .Case([](ThreadTileMapAttr map) {
        return makeThreadTile(getTile(map), map.getThreads());
      })
      .Case([](TransposedSimtMapAttr map) {
        return transform(map.getBase(), transposeSimt);
      })
      .Case([](TransposedThreadTileMapAttr map) {
        return transform(map.getBase(), transposeThreadTile);
      })
      .Case([](TransposedMapAttr map) {
        return transform(map.getBase(), [&](const PitchLinearMap &base) {
          return transposeWarps(base, toPitchLinear(map.getWarp()));
        });
      })
      .Case([](InterleavedOutputMapAttr map) {
        return makeInterleavedOutput(toPitchLinear(map.getWarps()),
                                     toPitchLinear(map.getIterations()),
                                     map.getThreads(), map.getElements());
      })
      .Case([](InterleavedConvOutputMapAttr map) {
        // Written (rows, columns); the columns are contiguous.
        return makeInterleavedConvOutput(
            {map.getWarps()[1], map.getWarps()[0]},
            {map.getIterations()[1], map.getIterations()[0]}, map.getThreads(),
            map.getElements());
      })
      .Default([](Attribute) {
        return Reason("expected a pitch-linear thread map");
      });
}

Result<OutputTileMap> tile::getOutputTileMap(Attribute map) {
  return TypeSwitch<Attribute, Result<OutputTileMap>>(map)
      .Case([](OutputTileMapAttr map) {
        return makeOutputTile(
            *OutputAxes::get(map.getShape()), *OutputAxes::get(map.getCount()),
            map.getThreads(), map.getElements(), map.getBits());
      })
      .Case([](OutputTileOnMapAttr map) -> Result<OutputTileMap> {
        Result<PitchLinearMap> base = getPitchLinearMap(map.getBase());
        if (!base)
          return base.takeReason();
        return makeOutputTileOn(*base, *OutputAxes::get(map.getShape()),
                                *OutputAxes::get(map.getIterations()),
                                *OutputAxes::get(map.getDelta()),
                                *OutputAxes::get(map.getCount()));
      })
      .Default([](Attribute) {
        return Reason("expected the thread map of an output tile");
      });
}

/// The dimension along which the accesses of a map of a formula run.
static int64_t getContiguousOf(Attribute map) {
  return TypeSwitch<Attribute, int64_t>(map)
      .Case<StripMinedMapAttr, ThreadContiguousMapAttr, ThreadStridedMapAttr,
            WarpRakedMapAttr, StridedWarpRakedMapAttr, WarpStripedMapAttr,
            ThreadTileMapAttr>([](auto map) { return map.getContiguous(); })
      .Case<TransposedSimtMapAttr, TransposedThreadTileMapAttr,
            TransposedMapAttr>(
          [](auto map) { return 1 - map.getBase().getContiguousDim(); })
      .Default([](Attribute) { return int64_t(1); });
}

namespace {
/// What every map of a formula answers.
struct DerivedMap {
  AccessPattern pattern;
  SmallVector<int64_t, 2> tile;
};
} // namespace

static DerivedMap derive(Attribute attr) {
  int64_t contiguous = getContiguousOf(attr);
  DerivedMap derived;
  derived.tile = {1, 1};
  if (Result<PitchLinearMap> map = getPitchLinearMap(attr)) {
    derived.pattern = getPattern(*map, contiguous);
    derived.tile[contiguous] = map->tile.contiguous;
    derived.tile[1 - contiguous] = map->tile.strided;
  } else if (Result<OutputTileMap> map = getOutputTileMap(attr)) {
    derived.pattern = getPattern(*map);
    derived.tile = map->getTileShape();
  }
  return derived;
}

/// Defines the methods of ThreadMapAttrInterface for a map of a formula.
#define TILE_DERIVED_MAP(ATTR)                                                 \
  SmallVector<int64_t, 2> ATTR::getTileShape() const {                         \
    return derive(*this).tile;                                                 \
  }                                                                            \
  int64_t ATTR::getElementsPerAccess() const {                                 \
    return derive(*this).pattern.vector;                                       \
  }                                                                            \
  int64_t ATTR::getContiguousDim() const { return getContiguousOf(*this); }    \
  Layout ATTR::getTVLayout() const { return toTVLayout(derive(*this).pattern); }

TILE_DERIVED_MAP(StripMinedMapAttr)
TILE_DERIVED_MAP(ThreadContiguousMapAttr)
TILE_DERIVED_MAP(ThreadStridedMapAttr)
TILE_DERIVED_MAP(WarpRakedMapAttr)
TILE_DERIVED_MAP(StridedWarpRakedMapAttr)
TILE_DERIVED_MAP(WarpStripedMapAttr)
TILE_DERIVED_MAP(ThreadTileMapAttr)
TILE_DERIVED_MAP(TransposedSimtMapAttr)
TILE_DERIVED_MAP(TransposedThreadTileMapAttr)
TILE_DERIVED_MAP(TransposedMapAttr)
TILE_DERIVED_MAP(OutputTileMapAttr)
TILE_DERIVED_MAP(OutputTileOnMapAttr)
TILE_DERIVED_MAP(InterleavedOutputMapAttr)
TILE_DERIVED_MAP(InterleavedConvOutputMapAttr)
#undef TILE_DERIVED_MAP

int64_t TransposedSimtMapAttr::getThreads() const {
  return getBase().getThreads();
}
int64_t TransposedThreadTileMapAttr::getThreads() const {
  return getBase().getThreads();
}
int64_t TransposedMapAttr::getThreads() const { return getBase().getThreads(); }
int64_t OutputTileOnMapAttr::getThreads() const {
  return getBase().getThreads();
}

//===----------------------------------------------------------------------===//
// TVMapAttr
//===----------------------------------------------------------------------===//

SmallVector<int64_t, 2> TVMapAttr::getTileShape() const {
  return SmallVector<int64_t, 2>(getTile());
}

int64_t TVMapAttr::getThreads() const {
  Int size = getLayout()[0].size();
  return size.getValue();
}

int64_t TVMapAttr::getElementsPerAccess() const {
  return getLayout()[1].getShape().getLeaves()[0].getInt().getValue();
}

int64_t TVMapAttr::getContiguousDim() const {
  IntTuple stride = getLayout()[1].getStride().getLeaves()[0];
  return stride.isBasis() ? stride.getPath()[0] : 0;
}

Layout TVMapAttr::getTVLayout() const { return getLayout(); }
