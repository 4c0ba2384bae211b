// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async on the simulator: what it copies, when it is visible, wrong uses.

#include "SimulatorHelpers.h"

#include <numeric>

using namespace tiletest;

namespace {
class AsyncCopy : public HopperTest {
protected:
  /// Thread t copies 16 bytes, of which `copied` are read, from element `first`
  /// + 4 t of x to slot t; after `between`, it loads slot (t + 1) mod 32 and
  /// stores it to out.
  std::string run(const std::string &between, int32_t copied = 16,
                  int64_t first = 0, int32_t size = 16,
                  const std::string &before = "") {
    compile(std::string(kDynamicShared) + R"(
gpu.func @k(%x: !llvm.ptr<1>, %out: !llvm.ptr<1>, %copied: i32, %first: i64)
    kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %smem = llvm.mlir.addressof @tile_dynamic_shared : !llvm.ptr<3>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  %e = arith.muli %t, %c4 : i32
  %e64 = arith.extui %e : i32 to i64
  %at = arith.addi %e64, %first : i64
  %src = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %own = llvm.getelementptr %smem[%e] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %t1 = arith.addi %t, %c1 : i32
  %u = arith.remui %t1, %c32 : i32
  %ue = arith.muli %u, %c4 : i32
  %other = llvm.getelementptr %smem[%ue] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %to = llvm.getelementptr %out[%e] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
)" + before +
            R"(
  nvvm.cp.async.shared.global %own, %src, )" +
            std::to_string(size) + ", cache = " + (size == 16 ? "cg" : "ca") +
            R"(, %copied : !llvm.ptr<3>, !llvm.ptr<1>, i32 loc("the copy")
)" + between +
            R"(
  %v = llvm.load %other {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32> loc("the load")
  llvm.store %v, %to {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  gpu.return
})");
    x = allocate<int32_t>(128);
    std::iota(x, x + 128, 1);
    out = allocate<int32_t>(128, -1);
    return launch({&x, &out, &copied, &first}, 32, 512);
  }

  static constexpr const char *done = R"(
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  gpu.barrier
)";
  int32_t *x = nullptr, *out = nullptr;
};
} // namespace

TEST_F(AsyncCopy, CopiesWhatIsWaitedFor) {
  EXPECT_EQ(run(done), "");
  for (int i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], x[(i + 4) % 128]);
}

TEST_F(AsyncCopy, FillsWithZeros) {
  EXPECT_EQ(run(done, 4), "");
  for (int i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], i % 4 ? 0 : x[(i + 4) % 128]);
  // A source of no bytes is not read, wherever it is.
  EXPECT_EQ(run(done, 0, int64_t(1) << 40), "");
  for (int i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], 0);
}

TEST_F(AsyncCopy, CopiesAsLateAsCanBe) {
  // What the source holds when the thread waits is what arrives.
  EXPECT_EQ(run(std::string(R"(
  nvvm.cp.async.commit.group
  llvm.store %c7, %src : i32, !llvm.ptr<1>
  nvvm.cp.async.wait.group 0
  gpu.barrier)")),
            "");
  EXPECT_EQ(out[0], 7);
}

TEST_F(AsyncCopy, NeedsWaitOfItsGroup) {
  const char *sentence = "the cp.async at the copy";
  std::string text = run("nvvm.cp.async.commit.group\n gpu.barrier");
  EXPECT_HAS(text, "race on shared memory: shared load of 16 bytes");
  EXPECT_HAS(text, sentence);
  EXPECT_HAS(text, "with no wait for its group between them");
  // A copy that is in no group is not waited for.
  EXPECT_HAS(run("nvvm.cp.async.wait.group 0\n gpu.barrier"), sentence);
  // Nor one of the groups that may be pending.
  EXPECT_HAS(run("nvvm.cp.async.commit.group\n"
                 "nvvm.cp.async.wait.group 1\n gpu.barrier"),
             sentence);
  // An empty group counts as one.
  EXPECT_EQ(run("nvvm.cp.async.commit.group\n nvvm.cp.async.commit.group\n"
                "nvvm.cp.async.wait.group 1\n gpu.barrier"),
            "");
}

TEST_F(AsyncCopy, NeedsBarrierForOthers) {
  const char *noBarrier = "nvvm.cp.async.commit.group\n"
                          "nvvm.cp.async.wait.group 0";
  EXPECT_HAS(run(noBarrier), "uninitialised shared load of 16 bytes");
  std::string text = run(noBarrier, 16, 0, 16, R"(
  %v7 = vector.broadcast %c7 : i32 to vector<4xi32>
  llvm.store %v7, %own : vector<4xi32>, !llvm.ptr<3>
  gpu.barrier
)");
  EXPECT_HAS(text, "thread (1,0,0) at the copy");
  EXPECT_HAS(text, "a load of byte 16 by thread (0,0,0) at the load");
  EXPECT_HAS(text, "with no barrier between them");
}

TEST_F(AsyncCopy, BelongsToNobodyUntilThen) {
  // Not even to the thread itself.
  EXPECT_HAS(
      run(std::string("llvm.store %c7, %own : i32, !llvm.ptr<3>") + done),
      "shared store of 4 bytes");
  EXPECT_HAS(
      run(std::string("%w = llvm.load %own : !llvm.ptr<3> -> i16") + done),
      "shared load of 2 bytes");
  // Two copies to one place have no order.
  EXPECT_HAS(run(std::string("nvvm.cp.async.shared.global %own, %src, 4, cache "
                             "= ca : !llvm.ptr<3>, !llvm.ptr<1>") +
                 done),
             "by the cp.async at kernels.mlir");
}

TEST_F(AsyncCopy, ComesAfterTheAccessesBefore) {
  // The thread's own store is in front of it, another one's load is not.
  EXPECT_EQ(run(done, 16, 0, 16, "llvm.store %c7, %own : i32, !llvm.ptr<3>"),
            "");
  EXPECT_EQ(out[0], x[4]);
  std::string text = run(done, 16, 0, 16, R"(
  llvm.store %c7, %own : i32, !llvm.ptr<3>
  gpu.barrier
  %early = llvm.load %other : !llvm.ptr<3> -> i32 loc("the early load")
)");
  EXPECT_HAS(text, "shared store of 16 bytes");
  EXPECT_HAS(text, "at the early load");
}

TEST_F(AsyncCopy, ChecksBounds) {
  EXPECT_HAS(run(done, 16, 4), "out-of-bounds global load of 16 bytes");
  EXPECT_HAS(run(done, 16, 4), "thread (31,0,0) at the copy");
  EXPECT_HAS(run(done, 8, 1), "misaligned global load of 8 bytes");
  EXPECT_HAS(run(done, 0, 1), "misaligned global load of 0 bytes");
  EXPECT_HAS(run(done, 17),
             "expected to copy between 0 and 16 bytes, but got 17");
  EXPECT_HAS(run(done, -1),
             "expected to copy between 0 and 16 bytes, but got -1");
}

TEST_F(AsyncCopy, ChecksSharedMemory) {
  compile(std::string(kDynamicShared) + R"(
gpu.func @k(%x: !llvm.ptr<1>, %at: i32) kernel
    attributes {known_block_size = array<i32: 1, 1, 1>} {
  %smem = llvm.mlir.addressof @tile_dynamic_shared : !llvm.ptr<3>
  %to = llvm.getelementptr %smem[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.cp.async.shared.global %to, %x, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  gpu.return
})");
  int32_t *x = allocate<int32_t>(4);
  int32_t at = 56;
  // A thread that ends has waited.
  EXPECT_EQ(launch({&x, &at}, 1, 64), "");
  at = 64;
  EXPECT_HAS(launch({&x, &at}, 1, 64), "out-of-bounds shared store of 8 bytes");
  at = 4;
  EXPECT_HAS(launch({&x, &at}, 1, 64), "misaligned shared store of 8 bytes");
}

TEST_F(AsyncCopy, LeavesNothingBehindAfterAFault) {
  EXPECT_NE(run("nvvm.cp.async.commit.group\n gpu.barrier"), "");
  int32_t copied = 16;
  int64_t first = 0;
  // The same threads and memory: the copies that were under way are forgotten,
  // so that the same race is found, not one with a copy of the last launch.
  EXPECT_HAS(launch({&x, &out, &copied, &first}, 32, 512),
             "shared load of 16 bytes");
}
