// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by TMA on the simulator: boxes, swizzles, edges, wrong uses.

#include "SimulatorHelpers.h"

using namespace tiletest;

namespace {
class TensorCopy : public HopperTest {
protected:
  /// Ends of a load kernel: `wait` before the words of the box go to `out`.
  static std::string loadKernel(int rank, const std::string &wait,
                                const std::string &before = "");
  static std::string storeKernel(int rank, const std::string &fence,
                                 const std::string &after);
  std::string load(const tile::rt::TensorMapFacts &facts,
                   const std::vector<int32_t> &at, int32_t expected = -1,
                   int32_t offset = 0);
  std::string store(const tile::rt::TensorMapFacts &facts,
                    const std::vector<int32_t> &at);

  static constexpr const char *wait =
      "nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !llvm.ptr<3>, i32, "
      "i32";
  static constexpr const char *fence =
      "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = "
      "#nvvm.shared_space<cta>}";
  static constexpr const char *waitStore =
      "nvvm.cp.async.bulk.commit.group\n"
      "nvvm.cp.async.bulk.wait_group 0 {read}";
  std::vector<uint8_t> out;
  std::string loadText, storeText;
};
} // namespace

/// %x, %y, ... as arguments, and as a list of coordinates.
static std::string coordinates(int rank, bool typed) {
  std::string text;
  for (int i = 0; i < rank; ++i)
    text += std::string(i ? ", " : "") + "%x" + std::to_string(i) +
            (typed ? ": i32" : "");
  return text;
}

static const char *kCommon = R"(
  %smem = llvm.mlir.addressof @tile_dynamic_shared : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %ticks = arith.constant 1000 : i32
  %first = arith.cmpi eq, %tid, %c0 : i32
)";

/// The barrier lies at offset 0, the box at 1024 + %offset.
std::string TensorCopy::loadKernel(int rank, const std::string &wait,
                                   const std::string &before) {
  return std::string(kDynamicShared) + "gpu.func @k(%map: " + kMapArgument +
         ", %out: !llvm.ptr<1>, %words: i32, %bytes: i32, %offset: i32, " +
         coordinates(rank, true) +
         ") kernel attributes {known_block_size = array<i32: 32, 1, 1>} {" +
         kCommon + R"(
  %bar = llvm.getelementptr %smem[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %box0 = llvm.getelementptr %smem[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %box = llvm.getelementptr %box0[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  scf.if %first {
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
  }
  gpu.barrier
  )" + before +
         R"(
  nvvm.mbarrier.arrive.expect_tx %bar, %bytes, predicate = %first : !llvm.ptr<3>, i32, i1
  nvvm.cp.async.bulk.tensor.shared.cluster.global %box, %map, %bar, box[)" +
         coordinates(rank, false) +
         R"(] predicate = %first : !llvm.ptr<3>, !llvm.ptr loc("the load")
  )" + wait +
         R"(
  scf.for %i = %tid to %words step %c32 : i32 {
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %s = llvm.getelementptr %box[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %s : !llvm.ptr<3> -> i32 loc("the read")
    llvm.store %v, %p : i32, !llvm.ptr<1>
  }
  gpu.return
})";
}

/// Byte i of the box's memory is i mod 251.
std::string TensorCopy::storeKernel(int rank, const std::string &fence,
                                    const std::string &after) {
  return std::string(kDynamicShared) + "gpu.func @k(%map: " + kMapArgument +
         ", %bytes: i32, " + coordinates(rank, true) +
         ") kernel attributes {known_block_size = array<i32: 32, 1, 1>} {" +
         kCommon + R"(
  %c251 = arith.constant 251 : i32
  scf.for %i = %tid to %bytes step %c32 : i32 {
    %s = llvm.getelementptr %smem[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %r = arith.remui %i, %c251 : i32
    %v = arith.trunci %r : i32 to i8
    llvm.store %v, %s : i8, !llvm.ptr<3> loc("the write")
  }
  )" + fence +
         R"(
  gpu.barrier
  scf.if %first {
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %smem, box[)" +
         coordinates(rank, false) +
         R"(] : !llvm.ptr, !llvm.ptr<3> loc("the store")
    )" + after +
         R"(
  }
  gpu.return
})";
}

static int64_t boxBytes(const tile::rt::TensorMapFacts &facts) {
  int64_t bytes = facts.elementBytes;
  for (int i = 0; i < facts.rank; ++i)
    bytes *= facts.box[i];
  return bytes;
}

std::string TensorCopy::load(const tile::rt::TensorMapFacts &facts,
                             const std::vector<int32_t> &at, int32_t expected,
                             int32_t offset) {
  compile(loadText.empty() ? loadKernel(facts.rank, wait) : loadText);
  MapBytes map;
  EXPECT_EQ(tile::rt::encodeSimTensorMap(map.bytes, facts), "");
  auto bytes = static_cast<int32_t>(boxBytes(facts));
  auto *target = allocate<uint8_t>(bytes);
  int32_t words = bytes / 4;
  if (expected < 0)
    expected = bytes;
  std::vector<void *> arguments{&map, &target, &words, &expected, &offset};
  for (const int32_t &x : at)
    arguments.push_back(const_cast<int32_t *>(&x));
  std::string error = launch(arguments, 32, 1024 + bytes + 64);
  out.assign(target, target + bytes);
  return error;
}

std::string TensorCopy::store(const tile::rt::TensorMapFacts &facts,
                              const std::vector<int32_t> &at) {
  compile(storeText.empty() ? storeKernel(facts.rank, fence, waitStore)
                            : storeText);
  MapBytes map;
  EXPECT_EQ(tile::rt::encodeSimTensorMap(map.bytes, facts), "");
  auto bytes = static_cast<int32_t>(boxBytes(facts));
  std::vector<void *> arguments{&map, &bytes};
  for (const int32_t &x : at)
    arguments.push_back(const_cast<int32_t *>(&x));
  return launch(arguments, 32, bytes);
}

/// Where byte `inner` of row `row` of a box lies.
static int swizzled(int row, int inner, int rowBytes, int swizzle) {
  int offset = row * rowBytes + inner;
  return swizzle ? offset ^ (offset / 128 % (swizzle / 16)) * 16 : offset;
}

TEST_F(TensorCopy, LoadsWithEachSwizzleAndZeroesOutside) {
  auto *tensor = allocate<uint16_t>(48 * 100);
  for (int i = 0; i < 48 * 100; ++i)
    tensor[i] = static_cast<uint16_t>(i + 1);
  struct {
    int swizzle, box;
  } cases[] = {{0, 8}, {0, 64}, {32, 16}, {64, 32}, {128, 64}, {128, 32}};
  for (auto [swizzle, box] : cases)
    for (auto [x, y] :
         {std::pair{0, 0}, {40, 90}, {-3, -2}, {8, 200}, {-64, 0}}) {
      tile::rt::TensorMapFacts facts;
      facts.base = tensor;
      facts.elementBytes = 2;
      facts.rank = 2;
      facts.dims[0] = 45;
      facts.dims[1] = 95;
      facts.strides[0] = 96;
      facts.box[0] = box;
      facts.box[1] = 24;
      facts.swizzleBytes = swizzle;
      ASSERT_EQ(load(facts, {x, y}), "");
      for (int row = 0; row < 24; ++row)
        for (int column = 0; column < box; ++column) {
          uint16_t got;
          std::memcpy(&got, &out[swizzled(row, 2 * column, 2 * box, swizzle)],
                      2);
          int r = y + row, c = x + column;
          bool inside = r >= 0 && r < 95 && c >= 0 && c < 45;
          ASSERT_EQ(got, inside ? tensor[48 * r + c] : 0)
              << swizzle << " " << box << " at " << row << ", " << column;
        }
    }
}

TEST_F(TensorCopy, LoadsOfOneToFiveDimensions) {
  auto *tensor = allocate<uint8_t>(32 * 3 * 4 * 5 * 6);
  for (int i = 0; i < 32 * 3 * 4 * 5 * 6; ++i)
    tensor[i] = static_cast<uint8_t>(i % 255 + 1);
  for (int rank = 1; rank <= 5; ++rank) {
    tile::rt::TensorMapFacts facts;
    facts.base = tensor;
    facts.elementBytes = 1;
    facts.rank = rank;
    int64_t stride = 32;
    for (int i = 0; i < rank; ++i) {
      facts.dims[i] = i ? i + 2 : 32;
      facts.box[i] = i ? 2 : 16;
      if (i) {
        facts.strides[i - 1] = stride;
        stride *= facts.dims[i];
      }
    }
    // One past the end of the last dimension.
    std::vector<int32_t> at{16, 1, 1, 1, 1};
    at.resize(rank);
    if (rank > 1)
      at[rank - 1] = static_cast<int32_t>(facts.dims[rank - 1]) - 1;
    ASSERT_EQ(load(facts, at), "") << rank;
    for (size_t i = 0; i < out.size(); ++i) {
      size_t rest = i / 16, source = 16 + i % 16;
      bool inside = true;
      for (int d = 1; d < rank; ++d) {
        size_t x = at[d] + rest % 2;
        rest /= 2;
        inside &= x < size_t(facts.dims[d]);
        source += x * facts.strides[d - 1];
      }
      ASSERT_EQ(out[i], inside ? tensor[source] : 0) << rank << " " << i;
    }
  }
}

TEST_F(TensorCopy, StoresAreClippedToWholeChunks) {
  for (int swizzle : {0, 64, 128}) {
    auto *tensor = allocate<uint8_t>(10 * 80, 0xee);
    tile::rt::TensorMapFacts facts;
    facts.base = tensor;
    facts.elementBytes = 1;
    facts.rank = 2;
    facts.dims[0] = 70;
    facts.dims[1] = 9;
    facts.strides[0] = 80;
    facts.box[0] = swizzle ? swizzle : 64;
    facts.box[1] = 8;
    facts.swizzleBytes = swizzle;
    ASSERT_EQ(store(facts, {48, 5}), "");
    for (int row = 0; row < 10; ++row)
      for (int column = 0; column < 80; ++column) {
        // Columns 70 to 79 share a chunk of 16 bytes with column 69.
        bool inside = row >= 5 && row < 9 && column >= 48;
        int byte = swizzled(row - 5, column - 48, facts.box[0], swizzle) % 251;
        ASSERT_EQ(tensor[80 * row + column], inside ? byte : 0xee)
            << swizzle << " at " << row << ", " << column;
      }
  }
}

namespace {
/// A matrix of 64 x 64 halves, 128 bytes a row.
class WrongTensorCopy : public TensorCopy {
protected:
  void SetUp() override {
    TensorCopy::SetUp();
    facts.base = allocate<uint16_t>(64 * 64);
    facts.elementBytes = 2;
    facts.rank = 2;
    facts.dims[0] = facts.dims[1] = 64;
    facts.strides[0] = 128;
    facts.box[0] = 64;
    facts.box[1] = 8;
  }
  tile::rt::TensorMapFacts facts;
};
} // namespace

TEST_F(WrongTensorCopy, NoWait) {
  loadText = loadKernel(2, "");
  std::string text = load(facts, {0, 0});
  EXPECT_HAS(text, "race on shared memory: shared load of 4 bytes");
  EXPECT_HAS(text, "at the read");
  EXPECT_HAS(text, "by the tensor load at the load, with no wait for its "
                   "mbarrier between them");
}

TEST_F(WrongTensorCopy, OnlyOneThreadWaits) {
  loadText = loadKernel(2, std::string("scf.if %first {\n") + wait + "\n}");
  EXPECT_HAS(load(facts, {0, 0}), "with no wait for its mbarrier");
  loadText = loadKernel(2,
                        std::string("scf.if %first {\n") + wait +
                            "\n}\nnvvm.bar.warp.sync %all : i32",
                        "%all = arith.constant -1 : i32");
  EXPECT_EQ(load(facts, {0, 0}), "");
}

TEST_F(WrongTensorCopy, OverBytesThatAreStillRead) {
  loadText = loadKernel(2, wait, R"(
    %mine = llvm.getelementptr %box[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %tid, %mine : i32, !llvm.ptr<3> loc("the write"))");
  EXPECT_HAS(load(facts, {0, 0}), "missing proxy fence for shared memory: "
                                  "tensor load of 1024 bytes");
  loadText = loadKernel(2, wait, R"(
    %second = arith.cmpi eq, %tid, %c1 : i32
    scf.if %second {
      llvm.store %tid, %box : i32, !llvm.ptr<3> loc("the write")
    }
    %all = arith.constant -1 : i32
    %e = nvvm.elect.sync -> i1)");
  EXPECT_HAS(load(facts, {0, 0}), "a store of byte 1024 by thread (1,0,0) at "
                                  "the write, with no barrier between them");
}

TEST_F(WrongTensorCopy, WrongNumberOfBytes) {
  EXPECT_HAS(load(facts, {0, 0}, 1040), "deadlock");
  EXPECT_HAS(load(facts, {0, 0}, 1008), "mbarrier overflow");
}

TEST_F(WrongTensorCopy, MulticastBeyondTheCluster) {
  for (const char *mask : {"0", "2", "3"}) {
    loadText = substitute(
        loadKernel(2, wait,
                   std::string("%mask = arith.constant ") + mask +
                       " : i16\n%there = llvm.addrspacecast %box : "
                       "!llvm.ptr<3> to !llvm.ptr<7>"),
        "predicate = %first : !llvm.ptr<3>, !llvm.ptr",
        "multicast_mask = %mask predicate = %first : !llvm.ptr<7>, !llvm.ptr");
    loadText = substitute(loadText, "global %box,", "global %there,");
    EXPECT_HAS(load(facts, {0, 0}), "expected a mask of the cluster's 1 "
                                    "blocks, but got 0x" +
                                        std::string(mask));
  }
}

TEST_F(WrongTensorCopy, MisalignedDestination) {
  EXPECT_HAS(load(facts, {0, 0}, -1, 64), "misaligned tensor load");
}

TEST_F(WrongTensorCopy, DestinationOutOfBounds) {
  std::string text = load(facts, {0, 0}, -1, 128);
  EXPECT_HAS(text, "out-of-bounds shared memory");
  EXPECT_HAS(text, "a destination of 1024 bytes");
}

TEST_F(WrongTensorCopy, TensorLargerThanItsAllocation) {
  facts.dims[1] = 65;
  EXPECT_HAS(load(facts, {0, 60}), "out-of-bounds global load of 128 bytes");
  EXPECT_HAS(store(facts, {0, 60}), "out-of-bounds global store of 128 bytes");
}

TEST_F(WrongTensorCopy, CoordinatesOfAnotherRank) {
  loadText = loadKernel(3, wait);
  EXPECT_HAS(load(facts, {0, 0, 0}), "expected 2 coordinates");
}

TEST_F(WrongTensorCopy, NotATensorMap) {
  compile(loadKernel(2, wait));
  MapBytes map = {};
  auto *target = allocate<uint8_t>(1024);
  int32_t words = 256, bytes = 1024, zero = 0;
  EXPECT_HAS(
      launch({&map, &target, &words, &bytes, &zero, &zero, &zero}, 32, 2048),
      "wrong tensor map");
}

TEST_F(WrongTensorCopy, BlockExitsBeforeTheLoad) {
  loadText = loadKernel(2, "%none = arith.constant 0 : i32");
  loadText = substitute(loadText, "to %words step", "to %none step");
  EXPECT_HAS(load(facts, {0, 0}), "unfinished tensor load");
}

TEST_F(WrongTensorCopy, StoreWithoutFenceOrBarrier) {
  storeText = storeKernel(2, "", waitStore);
  EXPECT_HAS(store(facts, {0, 0}), "missing proxy fence");
  storeText = substitute(storeKernel(2, fence, waitStore), "gpu.barrier", "");
  EXPECT_HAS(store(facts, {0, 0}), "uninitialised tensor store of 1024 bytes");
}

TEST_F(WrongTensorCopy, SourceChangedBeforeItWasRead) {
  std::string change =
      "llvm.store %c0, %smem : i32, !llvm.ptr<3> loc(\"the change\")\n";
  storeText = storeKernel(2, fence, change + waitStore);
  std::string text = store(facts, {0, 0});
  EXPECT_HAS(text, "at the change, and a load of byte 0 by the tensor store at "
                   "the store, with no wait for its bulk group");
  storeText = storeKernel(2, fence, waitStore + ("\n" + change));
  EXPECT_EQ(store(facts, {0, 0}), "");
}

TEST_F(WrongTensorCopy, WaitForOlderGroupsOnly) {
  storeText = storeKernel(2, fence,
                          "nvvm.cp.async.bulk.commit.group\n"
                          "nvvm.cp.async.bulk.wait_group 1 {read}");
  EXPECT_HAS(store(facts, {0, 0}), "unfinished tensor store");
}

TEST_F(WrongTensorCopy, FactsThatNoMapHas) {
  MapBytes map;
  auto reason = [&](auto change) {
    tile::rt::TensorMapFacts wrong = facts;
    change(wrong);
    return tile::rt::encodeSimTensorMap(map.bytes, wrong);
  };
  EXPECT_HAS(reason([](auto &f) { f.base = static_cast<char *>(f.base) + 8; }),
             "base address");
  EXPECT_HAS(reason([](auto &f) { f.strides[0] = 136; }), "stride");
  EXPECT_HAS(reason([](auto &f) { f.box[1] = 257; }), "box of 1 to 256");
  EXPECT_HAS(reason([](auto &f) { f.box[0] = 4; }), "multiple of 16 bytes");
  EXPECT_HAS(reason([](auto &f) { f.swizzleBytes = 64; }), "at most 64 bytes");
  EXPECT_HAS(reason([](auto &f) { f.dims[1] = 0; }), "extent of 1 to 2^32");
  EXPECT_HAS(reason([](auto &f) { f.rank = 6; }), "1 to 5 dimensions");
  EXPECT_HAS(reason([](auto &f) { f.elementBytes = 3; }), "1, 2, 4 or 8");
  EXPECT_HAS(reason([](auto &f) { f.swizzleBytes = 16; }), "swizzle of 0");
}
