// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random mapped iterators against the definition, element by element.
#include "MappedWalk.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  /// A number in [first, last].
  int64_t pick(int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(engine);
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }

private:
  std::mt19937 engine;
};

/// The digits of `index` times their strides, added to the coordinate; false
/// if the index is beyond the leaves.
bool addDigits(const std::vector<MappedLeaf> &leaves, int64_t index,
               std::vector<int64_t> &coordinate) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    bool isLast = i + 1 == leaves.size();
    int64_t digit = isLast ? index : index % leaves[i].extent;
    if (isLast && index >= leaves[i].extent)
      return false;
    coordinate[leaves[i].mode] += digit * leaves[i].stride;
    index /= leaves[i].extent;
  }
  return true;
}

/// What a walk accesses, said once more.
MappedDefinition getDefinition(const MappedWalk &walk) {
  return [walk](int64_t row, int64_t column) -> std::optional<int64_t> {
    if ((walk.fill == "lower" && row < column) ||
        (walk.fill == "upper" && row > column))
      return std::nullopt;
    if (walk.indices) {
      if (row >= int64_t(walk.indices->size()))
        return std::nullopt;
      row = (*walk.indices)[row];
      if (row < 0)
        return std::nullopt;
    }
    std::vector<int64_t> at = walk.origin;
    at.resize(walk.shape.size(), 0);
    if (walk.rows.empty())
      at = {row, column};
    else if (!addDigits(walk.rows, row, at) ||
             !addDigits(walk.columns, column, at))
      return std::nullopt;
    int64_t offset = 0;
    // The last coordinate is swizzled once it is known to exist.
    auto quotient = [&](size_t mode) {
      return at[mode] / (walk.divide.empty() ? 1 : walk.divide[mode]);
    };
    int64_t swizzled = quotient(at.size() - 1);
    for (size_t i = 0; i < walk.xorBits.size(); i += 4)
      swizzled ^= (quotient(walk.xorBits[i + 2]) >> walk.xorBits[i + 3] &
                   ((int64_t(1) << walk.xorBits[i]) - 1))
                  << walk.xorBits[i + 1];
    offset += (swizzled - quotient(at.size() - 1)) * walk.stride.back();
    for (size_t mode = 0; mode < at.size(); ++mode) {
      int64_t divisor = walk.divide.empty() ? 1 : walk.divide[mode];
      if (at[mode] < 0 || at[mode] % divisor != 0 ||
          at[mode] / divisor >= walk.shape[mode])
        return std::nullopt;
      offset += at[mode] / divisor * walk.stride[mode];
    }
    return offset;
  };
}

const char *kMaps[] = {
    "#tile.strip_mined<tile = [8, 16], contiguous = 1, threads = 32, elements "
    "= 4>",
    "#tile.strip_mined<tile = [16, 8], contiguous = 0, threads = 16, elements "
    "= 4>",
    "#tile.strip_mined<tile = [6, 16], contiguous = 1, threads = 32, elements "
    "= 2, coverage = padded>",
    "#tile.warp_raked<tile = [16, 32], contiguous = 1, threads = 32, warp = "
    "[4, 8], elements = 8>",
    "#tile.output_tile<shape = [32, 4, 2, 1, 1], count = [1, 2, 1, 1, 2], "
    "threads = 64, elements = 4, bits = 32>",
};

MappedWalk makeWalk(Random &random) {
  MappedWalk walk;
  walk.map = kMaps[random.pick(0, std::size(kMaps) - 1)];
  walk.elementType = random.chance(50) ? "i32" : "i16";
  bool isIdentity = random.chance(30);
  int64_t modes = isIdentity ? 2 : random.pick(1, 4);
  int64_t stride = 1;
  walk.stride.resize(modes);
  for (int64_t mode = modes - 1; mode >= 0; --mode) {
    int64_t extent = random.pick(1, 40);
    if (random.chance(50))
      extent *= mode + 1 == modes ? 8 : 1;
    walk.shape.insert(walk.shape.begin(), extent);
    walk.stride[mode] = stride;
    stride *= extent + (random.chance(30) ? random.pick(1, 8) : 0);
  }
  if (random.chance(20))
    walk.stride[random.pick(0, modes - 1)] = random.pick(1, 30);
  if (!isIdentity) {
    for (auto *leaves : {&walk.rows, &walk.columns})
      for (int64_t i = 0, e = random.pick(1, 3); i < e; ++i) {
        int64_t step = random.chance(60) ? 1 : random.pick(-2, 3);
        // A stride of zero is no multiple of a basis vector.
        leaves->push_back(
            {random.pick(1, 9), step ? step : 1, random.pick(0, modes - 1)});
      }
    // Often: columns run along the last mode, and leaves hold whole tiles.
    if (random.chance(60))
      walk.columns[0] = {8 * random.pick(1, 8), 1, modes - 1,
                         random.chance(50)};
    if (random.chance(50))
      for (int64_t mode = 0; mode < modes; ++mode)
        walk.origin.push_back(random.chance(50) ? 8 * random.pick(-1, 1)
                                                : random.pick(-4, 6));
    if (random.chance(30))
      for (int64_t mode = 0; mode < modes; ++mode)
        walk.divide.push_back(random.chance(50) ? 1 : random.pick(2, 3));
  }
  if (random.chance(15))
    walk.fill = random.chance(50) ? "lower" : "upper";
  if (random.chance(15)) {
    std::vector<int64_t> indices(random.pick(1, 40));
    for (int64_t &index : indices)
      index = random.pick(-1, 30);
    walk.indices = indices;
  }
  // Two bits of a coordinate into the last one, whose extent they permute.
  if (random.chance(25)) {
    walk.xorBits = {2, random.pick(0, 2), random.pick(0, modes - 1),
                    random.pick(4, 5)};
    if (random.chance(40)) {
      walk.xorBits.insert(
          walk.xorBits.end(),
          {1, random.pick(0, 3), random.pick(0, modes - 1), random.pick(4, 5)});
    }
    int64_t period = 128;
    walk.shape.back() = (walk.shape.back() + period - 1) / period * period;
  }
  walk.advance = random.pick(0, 1);
  walk.start = {random.chance(60) ? 0 : 32, random.chance(60) ? 0 : 32};
  // The padded map's tile is no divisor of 32.
  if (llvm::StringRef(walk.map).contains("padded"))
    walk.start[0] = random.pick(0, 1) * 6;
  switch (random.pick(0, 2)) {
  case 0:
    walk.constants = true;
    break;
  case 1:
    walk.divisors = false;
    break;
  }
  // What xor permutes must be known.
  if (!walk.constants)
    walk.xorBits.clear();
  walk.unroll = random.chance(50);
  return walk;
}

/// One of the divisors of the number of accesses; half the time one.
int64_t pickSteps(Random &random, int64_t accesses) {
  int64_t steps = random.chance(50) ? 1 : random.pick(1, accesses);
  while (accesses % steps != 0)
    --steps;
  return steps;
}

TEST(MappedProperty, WalksAreWhatTheyAreDefinedToBe) {
  MLIRContext context;
  loadDialects(context);
  Random random(20260101);
  int64_t elements = 0, valid = 0, refused = 0;
  for (int number = 0; number < 600; ++number) {
    MappedWalk walk = makeWalk(random);
    auto map = cast<ThreadMapAttrInterface>(parseAttribute(walk.map, &context));
    AccessPattern pattern = getAccessPattern(map);
    int64_t accesses = pattern.getNumAccesses();
    walk.steps = pickSteps(random, accesses);
    walk.fragment = accesses / walk.steps * pattern.vector;
    std::vector<int64_t> jumps{1, random.pick(0, 3), 1};
    walk.writeBody(4, random.chance(50),
                   random.chance(50) ? jumps : std::vector<int64_t>());
    bool jumped = walk.body.find(" by ") != std::string::npos;
    std::string error;
    LoweredMappedWalk lowered(context, walk, error);
    if (!lowered) {
      // An origin that cuts vectors is the one thing that may be refused.
      ASSERT_NE(error.find("expected an origin along mode"), std::string::npos)
          << error << "\n"
          << walk.write();
      ++refused;
      continue;
    }
    MappedDefinition define = getDefinition(walk);
    for (int64_t t : {int64_t(0), int64_t(1), random.pick(2, 15)}) {
      std::vector<WalkTile> ours = lowered.run(t, error);
      ASSERT_EQ(error, "") << walk.write();
      ASSERT_EQ(ours.size(), 4u);
      int64_t k = 0;
      for (int64_t position = 0; position < 4; ++position) {
        WalkTile expected = getMappedTile(walk, map, t, k, define);
        ASSERT_EQ(ours[position].size(), expected.size());
        for (size_t e = 0; e < expected.size(); ++e) {
          ASSERT_TRUE(ours[position][e] == expected[e])
              << "walk " << number << ", thread " << t << ", position "
              << position << ", element " << e << ": "
              << ours[position][e].offset
              << (ours[position][e].valid ? " on" : " off") << " instead of "
              << expected[e].offset << (expected[e].valid ? " on" : " off")
              << "\n"
              << walk.write();
          ++elements;
          valid += expected[e].valid;
        }
        k += jumped && position < 3 ? jumps[position] : 1;
      }
    }
  }
  // The walks are neither all masked nor all whole.
  EXPECT_GT(valid, elements / 20);
  EXPECT_LT(valid, elements * 19 / 20);
  EXPECT_LT(refused, 100);
}

// Rewritten on views and layouts, a walk makes the same accesses, of the same
// width and in the same order.
TEST(MappedProperty, OnViewsTheAccessesAreTheSame) {
  MLIRContext context;
  loadDialects(context);
  Random random(20260202);
  int64_t accesses = 0, stores = 0, wide = 0, compared = 0;
  for (int number = 0; number < 150; ++number) {
    MappedWalk walk = makeWalk(random);
    auto map = cast<ThreadMapAttrInterface>(parseAttribute(walk.map, &context));
    AccessPattern pattern = getAccessPattern(map);
    int64_t count = pattern.getNumAccesses();
    walk.steps = random.chance(50) && count % 2 == 0 ? 2 : 1;
    walk.fragment = count / walk.steps * pattern.vector;
    walk.writeBody(3, random.chance(50),
                   random.chance(50)
                       ? std::vector<int64_t>{1, random.pick(0, 3)}
                       : std::vector<int64_t>());
    // Off for some threads, and on again; elsewhere.
    walk.body += "  %three = arith.constant 3 : index\n"
                 "  %some = arith.cmpi ult, %t, %three : index\n"
                 "  %off = tile.iterator_clear_mask %it1, %some : !iter\n"
                 "  tile.iterator_store %frag, %off : !frag, !iter\n"
                 "  %on = tile.iterator_enable_mask %off : !iter\n"
                 "  %far = arith.constant 64 : index\n"
                 "  %moved = tile.iterator_add_pointer_offset %on, %far : !iter\n"
                 "  %x = tile.iterator_load %moved : !iter -> !frag\n";
    std::string error;
    LoweredMappedWalk iterators(context, walk, error),
        views(context, walk, error, /*viaViews=*/true);
    ASSERT_EQ(bool(iterators), bool(views)) << error << "\n" << walk.write();
    if (!iterators)
      continue;
    ++compared;
    for (int64_t t : {int64_t(0), int64_t(3), random.pick(4, 15)}) {
      auto expected = listAccesses(iterators.record(t, error)),
           got = listAccesses(views.record(t, error));
      ASSERT_EQ(error, "") << walk.write();
      ASSERT_EQ(got, expected) << "walk " << number << ", thread " << t << "\n"
                               << walk.write();
      accesses += got.size();
      for (const MadeAccess &access : got) {
        stores += std::get<0>(access);
        wide += std::get<3>(access) > 1;
      }
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(accesses, 1000);
  EXPECT_GT(stores, 200);
  EXPECT_GT(wide, 50);
  llvm::outs() << compared << " walks, " << accesses << " accesses, " << stores
               << " of them stores, " << wide << " of vectors\n";
}

/// Loads at some positions under masks: the words of the first one without some
/// bits; the next one; that one cleared; the one after it, still cleared; that
/// one enabled again.
void writeMaskedBody(MappedWalk &walk, const std::vector<uint32_t> &words) {
  std::string type = "vector<" + std::to_string(words.size()) + "xi32>";
  std::string body =
                  "  %m0 = tile.iterator_get_mask %it0 : !iter -> " + type + "\n",
              list;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string n = std::to_string(i);
    body += "  %w" + n + " = vector.extract %m0[" + n + "] : i32 from " + type +
            "\n  %c" + n + " = arith.constant " +
            std::to_string(int32_t(words[i])) + " : i32\n  %a" + n +
            "x = arith.andi %w" + n + ", %c" + n + " : i32\n";
    list += (i ? ", %a" : "%a") + n + "x";
  }
  body += "  %m1 = vector.from_elements " + list + " : " + type +
          "\n  %s0 = tile.iterator_set_mask %it0, %m1 : !iter, " + type + R"(
  %true = arith.constant true
  %false = arith.constant false
  %f0 = tile.iterator_load %s0 : !iter -> !frag
  %s1 = tile.iterator_advance %s0 : !iter
  %s2 = tile.iterator_clear_mask %s1, %false : !iter
  %f1 = tile.iterator_load %s2 : !iter -> !frag
  %s3 = tile.iterator_clear_mask %s2, %true : !iter
  %f2 = tile.iterator_load %s3 : !iter -> !frag
  %s4 = tile.iterator_advance %s3 : !iter
  %f3 = tile.iterator_load %s4 : !iter -> !frag
  %s5 = tile.iterator_enable_mask %s4 : !iter
  %f4 = tile.iterator_load %s5 : !iter -> !frag
)";
  walk.body = body;
}

TEST(MappedProperty, MasksGuardTheAccesses) {
  MLIRContext context;
  loadDialects(context);
  Random random(20260102);
  int64_t masked = 0, valid = 0;
  for (int number = 0; number < 200; ++number) {
    MappedWalk walk = makeWalk(random);
    auto map = cast<ThreadMapAttrInterface>(parseAttribute(walk.map, &context));
    AccessPattern pattern = getAccessPattern(map);
    int64_t accesses = pattern.getNumAccesses();
    walk.steps = pickSteps(random, accesses);
    walk.fragment = accesses / walk.steps * pattern.vector;
    // How wide accesses are is the type's to say.
    std::string error;
    walk.body = "";
    auto parsed = parseSourceString<ModuleOp>(walk.write(), &context);
    if (!parsed)
      continue;
    IteratorType type;
    parsed->walk([&](MakeIteratorOp op) {
      type = cast<IteratorType>(op.getResult().getType());
    });
    std::vector<uint32_t> words;
    for (int64_t i = 0; i < type.getNumMaskWords(); ++i)
      words.push_back(random.pick(0, 0xffffffff));
    writeMaskedBody(walk, words);
    LoweredMappedWalk lowered(context, walk, error);
    ASSERT_TRUE(lowered) << error << walk.write();
    MappedDefinition define = getDefinition(walk);
    int64_t t = random.pick(0, 15);
    std::vector<WalkTile> ours = lowered.run(t, error);
    ASSERT_EQ(error, "") << walk.write();
    ASSERT_EQ(ours.size(), 5u);
    int64_t positions[] = {0, 1, 1, 2, 2};
    for (int64_t load = 0; load < 5; ++load) {
      WalkTile expected = getMappedTile(walk, map, t, positions[load], define);
      for (size_t e = 0; e < expected.size(); ++e) {
        size_t access = e / type.getAccessWidth();
        bool isOn = load == 0 ? words[access / 32] >> access % 32 & 1
                              : load == 1 || load == 4;
        if (!isOn)
          expected[e] = {0, false};
        ASSERT_TRUE(ours[load][e] == expected[e])
            << "walk " << number << ", thread " << t << ", load " << load
            << ", element " << e << "\n"
            << walk.write();
        valid += expected[e].valid;
        masked += !isOn;
      }
    }
  }
  EXPECT_GT(valid, 500);
  EXPECT_GT(masked, 500);
}

} // namespace
