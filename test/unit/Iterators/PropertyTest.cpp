// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random maps, extents and moves: a walk's accesses are those of the layout.
#include "Walk.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

class WalkProperty : public ::testing::Test {
protected:
  WalkProperty() { loadDialects(context); }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  int64_t pickFrom(std::vector<int64_t> numbers) {
    return numbers[pick(0, numbers.size() - 1)];
  }

  /// A random map that its verifier accepts.
  ThreadMapAttrInterface makeMap() {
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    while (true) {
      std::string tile =
          std::to_string(pickFrom({1, 2, 3, 4, 6, 8, 10, 16, 24, 32})) + ", " +
          std::to_string(pickFrom({1, 2, 3, 4, 6, 8, 12, 16, 32, 64}));
      std::string text = "tile = [" + tile +
                         "], contiguous = " + std::to_string(pick(0, 1)) +
                         ", threads = " +
                         std::to_string(pickFrom({1, 2, 3, 4, 8, 16, 32, 64}));
      std::string elements =
          ", elements = " + std::to_string(pickFrom({1, 2, 3, 4, 8}));
      std::string warp = pick(0, 1) ? ", warp = [4, 2]" : ", warp = [2, 4]";
      std::string coverage = pick(0, 3) ? "" : ", coverage = padded";
      std::string map;
      switch (pick(0, 8)) {
      case 0:
      case 1:
        map = "strip_mined<" + text + elements + coverage;
        break;
      case 2:
        map = "thread_contiguous<" + text + elements + coverage;
        break;
      case 3:
        map = "thread_strided<" + text + elements + coverage;
        break;
      case 4:
        map = "warp_raked<" + text + warp + elements + coverage;
        break;
      case 5:
        map = "strided_warp_raked<" + text + warp + elements + coverage;
        break;
      case 6:
        map = "warp_striped<" + text + warp + elements + coverage;
        break;
      case 7:
        map = "thread_tile<" + text + coverage;
        break;
      case 8:
        map = "transposed_simt<base = #tile.strip_mined<" + text +
              ", elements = 1>";
        break;
      }
      auto attr = dyn_cast_or_null<ThreadMapAttrInterface>(
          parseAttribute("#tile." + map + ">", &context));
      if (attr)
        return attr;
    }
  }

  /// A walk over a matrix of random extents and strides from a random start.
  Walk makeWalk(ThreadMapAttrInterface map) {
    Walk walk;
    llvm::raw_string_ostream(walk.map) << map;
    SmallVector<int64_t, 2> tile = map.getTileShape();
    walk.elementType = pick(0, 1) ? "f32" : "f16";
    walk.unitDim = pick(-1, 1);
    for (int64_t dim : {0, 1}) {
      walk.extent[dim] = pick(1, 3 * tile[dim] + 2);
      walk.start[dim] = pick(0, 2) * tile[dim];
    }
    int64_t inner = walk.unitDim == 0 ? 0 : 1;
    walk.stride[inner] = walk.unitDim == -1 ? pick(1, 3) : 1;
    walk.stride[1 - inner] =
        walk.stride[inner] * (walk.extent[inner] + pickFrom({0, 1, 4, 8}));
    walk.advance = pick(-1, 1);
    // A map that reaches beyond its tile needs predicates.
    walk.predicated = mayLeaveTile(map) || pick(0, 4);
    walk.residue = walk.predicated && walk.advance >= 0 && pick(0, 3);
    walk.random = walk.predicated && pick(0, 1);
    walk.divisors = pick(0, 1);
    walk.unroll = pick(0, 1);
    return walk;
  }

  /// An extent, rounded up, as two modes. The second one is more than 1: a walk
  /// may go on behind it, where nothing is known of the stride of a single
  /// element.
  IntTuple splitExtent(int64_t &extent) {
    int64_t inner = pickFrom({1, 2, 3, 4, 8});
    extent = std::max<int64_t>(2, (extent + inner - 1) / inner) * inner;
    return IntTuple::tuple({inner, extent / inner});
  }

  /// A layout of a walk's extents, with nested modes stored in any order.
  Layout makeNestedLayout(Walk &walk, bool isPadded) {
    IntTuple shape = IntTuple::tuple(
        {splitExtent(walk.extent[0]), splitExtent(walk.extent[1])});
    std::vector<size_t> order{0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), random);
    SmallVector<IntTuple> extents = shape.getLeaves(), strides(4);
    int64_t stride = 1;
    for (size_t mode : order) {
      strides[mode] = stride;
      stride *= extents[mode].getInt().getValue();
      if (isPadded)
        stride += pickFrom({0, 0, 1, 8});
    }
    return *Layout::get(
        shape, IntTuple::tuple({IntTuple::tuple({strides[0], strides[1]}),
                                IntTuple::tuple({strides[2], strides[3]})}));
  }

  Swizzle makeSwizzle() {
    int64_t bits = pick(1, 3);
    return *Swizzle::get(bits, pick(0, 3), bits + pick(0, 2));
  }

  /// Makes a walk one of the other kinds.
  void makeKind(Walk &walk, ThreadMapAttrInterface map) {
    switch (pick(0, 4)) {
    case 0:
      walk.layout = makeNestedLayout(walk, true);
      // Without predicates, all elements of a tile must exist.
      walk.predicated = true;
      if (pick(0, 1)) {
        walk.space = "shared";
        walk.swizzle = makeSwizzle();
      }
      break;
    case 1: {
      // Layouts one after the other; the last one is that of the view.
      walk.permute.push_back(
          *ComposedLayout::get(makeSwizzle(), 0, makeNestedLayout(walk, true)));
      if (pick(0, 1)) {
        int64_t values = walk.permute.back().cosize()->getValue();
        int64_t half = (values + 1) / 2;
        walk.permute.push_back(*Layout::get(IntTuple::tuple({2, half}),
                                            IntTuple::tuple({half, 1})));
      }
      walk.layout =
          *Layout::get(IntTuple::tuple({*walk.permute.back().cosize()}),
                       IntTuple::tuple({pickFrom({1, 1, 2})}));
      break;
    }
    case 2:
    case 3: {
      WalkGather gather;
      gather.dim = pick(0, 1);
      gather.block = pickFrom({1, 1, 2, 4});
      gather.base = pick(0, 1);
      gather.wide = pick(0, 1);
      gather.extent = walk.extent[gather.dim];
      gather.length = pick(1, 3 * map.getTileShape()[gather.dim] + 2);
      // A list of distinct places of which some are none. What is beyond its
      // end is there, but must not be read where that is tested.
      walk.predicated = true;
      walk.residue &= walk.advance >= 0;
      int64_t blocks = gather.extent / gather.block + 2;
      for (int64_t i = 0; i < 4096; ++i)
        gather.indices.push_back(pick(-1, blocks) + gather.base);
      if (pick(0, 1))
        walk.layout = makeNestedLayout(walk, false);
      gather.extent = walk.extent[gather.dim];
      walk.extent[gather.dim] = gather.length * gather.block;
      if (pick(0, 1))
        walk.extent[gather.dim] = gather.walked =
            pick(1, walk.extent[gather.dim]);
      walk.gather = gather;
      break;
    }
    case 4:
      walk.triangle = pick(0, 1) ? "lower" : "upper";
      walk.diagonal =
          std::vector<std::string>{"stored", "unit", "zero"}[pick(0, 2)];
      walk.predicated = true;
      walk.residue = false;
      if (pick(0, 2) == 0)
        walk.layout = makeNestedLayout(walk, true);
      break;
    }
  }

  /// Writes random moves, each with a load behind it, and says which tiles they
  /// come to.
  std::vector<WalkWindow> writeMoves(Walk &walk, ThreadMapAttrInterface map,
                                     int64_t perTile) {
    SmallVector<int64_t, 2> tile = map.getTileShape();
    Oracle oracle(walk, {tile[0], tile[1]});
    std::vector<WalkWindow> windows;
    std::string type = "!iter", it = "%it0";
    bool inResidue = walk.residue;
    // Where the layout of a matrix has modes, or a list has its indices,
    // nothing lies in front of it; behind it the last mode goes on.
    bool isFolded = walk.layout || walk.gather;
    auto mayRetreat = [&](int64_t dim) {
      return !isFolded || (walk.predicated && dim != walk.advance);
    };
    int64_t accesses = getAccessPattern(map).getNumAccesses();
    auto load = [&] {
      std::string name = "  %f" + std::to_string(windows.size());
      auto write = [&](const std::string &suffix, const std::string &part,
                       int64_t count) {
        walk.body += name + suffix + " = tile.iterator_load " + it + part +
                     " : " + type + " -> vector<" +
                     std::to_string(perTile / accesses * count) + "x" +
                     walk.elementType + ">\n";
      };
      // All accesses at once, or the first ones and then the others.
      int64_t first = pick(0, 3) ? 0 : pick(0, accesses - 1);
      if (first > 0)
        write("a", " accesses [0, " + std::to_string(first) + "]", first);
      if (first > 0)
        write("b",
              " accesses [" + std::to_string(first) + ", " +
                  std::to_string(accesses - first) + "]",
              accesses - first);
      else
        write("", "", accesses);
      windows.push_back(oracle.getWindow());
    };
    load();
    for (int64_t k = 1, e = pick(1, 4); k <= e; ++k) {
      std::string next = "%it" + std::to_string(k);
      bool atRandom =
          (walk.random || !walk.predicated) && (walk.advance < 0 || pick(0, 1));
      if (atRandom) {
        std::array<int64_t, 2> by{pick(0, 2), pick(0, 2)};
        for (int64_t dim : {0, 1})
          if (!(inResidue && dim == walk.advance) && mayRetreat(dim))
            by[dim] -= pick(0, 1);
        std::string offset =
            "(" + std::to_string(by[0]) + ", " + std::to_string(by[1]) + ")";
        if (pick(0, 2) == 0) {
          // A look at another tile does not move.
          walk.body += "  %g" + std::to_string(k) +
                       " = tile.iterator_load_with_tile_offset " + it + offset +
                       " : " + type + " -> vector<" + std::to_string(perTile) +
                       "x" + walk.elementType + ">\n";
          Oracle there = oracle;
          there.addTileOffset(by);
          windows.push_back(there.getWindow());
          by = {0, 0};
          offset = "(0, 0)";
        }
        walk.body += "  " + next + " = tile.iterator_add_tile_offset " + it +
                     offset + " : " + type + "\n";
        oracle.addTileOffset(by);
        if (walk.advance >= 0 && by[walk.advance] != 0)
          inResidue = false;
      } else if (walk.advance >= 0) {
        bool back = !inResidue && mayRetreat(walk.advance) && pick(0, 3) == 0;
        walk.body += "  " + next + " = tile.iterator_" +
                     (back ? "retreat " : "advance ") + it + " : " + type +
                     "\n";
        std::array<int64_t, 2> by{0, 0};
        by[walk.advance] = back ? -1 : 1;
        oracle.addTileOffset(by);
        inResidue = false;
      } else {
        break;
      }
      if (!inResidue)
        type = "!steady";
      it = next;
      load();
    }
    return windows;
  }

  /// The type of a walk's iterator, in its first phase.
  IteratorType getType(const Walk &walk) {
    std::string text = walk.writeIterator(walk.predicated && walk.residue &&
                                          walk.advance >= 0);
    auto replace = [&](StringRef name, const std::string &type) {
      if (size_t at = text.find(name); at != std::string::npos)
        text.replace(at, name.size(), type);
    };
    replace("!view", walk.writeView());
    replace("!list", std::string("!tile.view<") +
                         (walk.gather && walk.gather->wide ? "i64" : "i32") +
                         ", global, (?) : (1)>");
    return dyn_cast_or_null<IteratorType>(parseType(text, &context));
  }

  void check(int64_t number, bool otherKinds);
  void compareOnViews(int64_t number, bool otherKinds);

  MLIRContext context;
  std::mt19937 random{20240607};
};

/// How often the layout says that each address of a window is accessed: once
/// for each of its elements, whoever does it.
std::map<int64_t, int64_t> countWindow(const Walk &walk, ArrayRef<int64_t> tile,
                                       const WalkWindow &window) {
  std::map<int64_t, int64_t> counts;
  for (int64_t i = 0; i < tile[0]; ++i)
    for (int64_t j = 0; j < tile[1]; ++j) {
      int64_t row = window.origin[0] + i, column = window.origin[1] + j;
      auto isInside = [](int64_t number, std::optional<int64_t> limit) {
        return !limit || (number >= 0 && number < *limit);
      };
      if (!isInside(row, window.limit[0]) ||
          !isInside(column, window.limit[1]) || !walk.isInTriangle(row, column))
        continue;
      std::array<int64_t, 2> at{row, column};
      if (!walk.gather || walk.gather->lookUp(at[walk.gather->dim]))
        ++counts[walk.getOffset(at[0], at[1])];
    }
  return counts;
}

void WalkProperty::check(int64_t number, bool otherKinds) {
  int64_t walks = 0, tiles = 0, elements = 0;
  for (; walks < number; ++walks) {
    ThreadMapAttrInterface map = makeMap();
    AccessPattern pattern = getAccessPattern(map);
    int64_t perTile = pattern.vector * pattern.getNumAccesses();
    if (perTile > 256)
      continue;
    Walk walk = makeWalk(map);
    if (otherKinds)
      makeKind(walk, map);
    std::vector<WalkWindow> windows = writeMoves(walk, map, perTile);
    std::string error;
    LoweredWalk lowered(context, walk, error);
    ASSERT_TRUE(bool(lowered)) << error << "\n" << walk.write();
    std::vector<std::map<int64_t, int64_t>> counts(windows.size());
    for (int64_t t = 0; t < map.getThreads(); ++t) {
      std::vector<WalkTile> ours = lowered.run(t, perTile, error);
      ASSERT_TRUE(error.empty()) << error << "\n" << walk.write();
      ASSERT_EQ(ours.size(), windows.size()) << walk.write();
      for (size_t k = 0; k < windows.size(); ++k) {
        ASSERT_TRUE(ours[k] == Oracle::getTile(walk, map, t, windows[k]))
            << "thread " << t << ", tile " << k << ", extent " << walk.extent[0]
            << " x " << walk.extent[1] << ", start " << walk.start[0] << ", "
            << walk.start[1] << "\n"
            << walk.write();
        for (const WalkElement &element : ours[k])
          if (element.valid)
            ++counts[k][element.offset];
        elements += ours[k].size();
      }
    }
    tiles += windows.size();
    for (size_t k = 0; k < windows.size(); ++k)
      ASSERT_EQ(counts[k], countWindow(walk, map.getTileShape(), windows[k]))
          << "tile " << k << "\n"
          << walk.write();
  }
  llvm::outs() << walks << " walks, " << tiles << " tiles, " << elements
               << " elements\n";
  llvm::outs().flush();
}

/// Appends what the moves do not do: a pointer offset, a mask that some threads
/// clear, read, set and enable, a comparison, and a store.
void writeMore(Walk &walk, ThreadMapAttrInterface map, int64_t perTile,
               int64_t numWords) {
  std::string fragment =
      "vector<" + std::to_string(perTile) + "x" + walk.elementType + ">\n";
  std::string moved = "%it0";
  if (!walk.gather) {
    moved = "%moved";
    walk.body +=
        "  %offset = arith.constant 16 : index\n"
        "  %moved = tile.iterator_add_pointer_offset %it0, %offset : "
        "!iter\n"
        "  %m = tile.iterator_load %moved : !iter -> " +
        fragment +
        "  %far = tile.iterator_load_with_pointer_offset %moved, %offset : "
        "!iter -> " +
        fragment;
  }
  if (walk.predicated) {
    auto load = [&](const std::string &it, const std::string &type = "!iter") {
      walk.body += "  %of" + it.substr(1) + " = tile.iterator_load " + it +
                   " : " + type + " -> " + fragment;
    };
    auto mask = [&](const std::string &name, const std::string &text) {
      walk.body += "  " + name + " = tile.iterator_" + text + "\n";
    };
    std::string words = "vector<" + std::to_string(numWords) + "xi32>";
    walk.body += "  %three = arith.constant 3 : index\n"
                 "  %some = arith.cmpi ult, %t, %three : index\n";
    mask("%masked", "clear_mask " + moved + ", %some : !iter");
    load("%masked");
    if (walk.advance >= 0) {
      mask("%after", "advance %masked : !iter");
      load("%after", "!steady");
    }
    // The words of one iterator, with some bits turned off, in another.
    mask("%words", "get_mask " + moved + " : !iter -> " + words);
    walk.body += "  %bits = arith.constant dense<1431633925> : " + words +
                 "\n  %fewer = arith.andi %words, %bits : " + words + "\n";
    mask("%set", "set_mask %masked, %fewer : !iter, " + words);
    load("%set");
    mask("%cleared", "clear_mask %set, %some : !iter");
    load("%cleared");
    mask("%again", "get_mask %cleared : !iter -> " + words);
    mask("%back", "set_mask " + moved + ", %again : !iter, " + words);
    load("%back");
    // What does not exist is nowhere in particular where an index or a nested
    // mode is behind.
    if (!walk.gather && !walk.layout && walk.triangle.empty()) {
      mask("%all", "enable_mask %masked : !iter");
      load("%all");
    }
    if (walk.advance >= 0) {
      mask("%then", "advance %set : !iter");
      load("%then", "!steady");
      walk.body += "  %e0 = tile.iterator_equal %after, %then : !steady\n";
      mask("%same", "clear_mask %then, %e0 : !steady");
      load("%same", "!steady");
    }
  }
  if (!hasOneOwner(map))
    return;
  walk.fragment = perTile;
  walk.body += "  tile.iterator_store %frag, " + moved + " : !frag, !iter\n";
}

/// Compares what a walk does with what it does on views; counts the stores.
void WalkProperty::compareOnViews(int64_t number, bool otherKinds) {
  int64_t walks = 0, accesses = 0, stores = 0;
  while (walks < number) {
    ThreadMapAttrInterface map = makeMap();
    AccessPattern pattern = getAccessPattern(map);
    int64_t perTile = pattern.vector * pattern.getNumAccesses();
    if (perTile > (otherKinds ? 24 : 64))
      continue;
    Walk walk = makeWalk(map);
    if (otherKinds)
      makeKind(walk, map);
    writeMoves(walk, map, perTile);
    IteratorType type = getType(walk);
    ASSERT_TRUE(type) << walk.write();
    writeMore(walk, map, perTile,
              llvm::divideCeil(type.getNumPredicates(), 32));
    ++walks;
    std::string error;
    LoweredWalk iterators(context, walk, error),
        views(context, walk, error, /*viaViews=*/true);
    ASSERT_TRUE(bool(iterators) && bool(views)) << error << "\n"
                                                << walk.write();
    for (int64_t t = 0; t < map.getThreads(); ++t) {
      Recording expected = iterators.record(t), got = views.record(t);
      ASSERT_EQ(expected.error + got.error, "") << walk.write();
      auto list = listAccesses(got);
      ASSERT_EQ(list, listAccesses(expected))
          << "thread " << t << ", extent " << walk.extent[0] << " x "
          << walk.extent[1] << "\n"
          << walk.write();
      accesses += list.size();
      stores += llvm::count_if(
          list, [](const auto &access) { return std::get<0>(access); });
    }
  }
  EXPECT_GT(stores, 1000);
  llvm::outs() << walks << " walks, " << accesses << " accesses, " << stores
               << " of them stores\n";
  llvm::outs().flush();
}

// Rewritten on views and layouts, an iterator makes the same accesses, of the
// same width and in the same order.
TEST_F(WalkProperty, OnViewsTheAccessesAreTheSame) {
  compareOnViews(50, false);
}
TEST_F(WalkProperty, OnViewsTheAccessesOfOtherKindsAreTheSame) {
  compareOnViews(60, true);
}

// The set of (address, valid) of all threads is that of the layout function,
// and each thread has its elements in the order of its map. The same of nested
// and swizzled layouts, permutations, gathers and triangles.
TEST_F(WalkProperty, AccessesAreThoseOfTheLayout) { check(600, false); }
TEST_F(WalkProperty, AccessesOfOtherKindsAreThoseOfTheLayout) {
  check(400, true);
}

} // namespace
