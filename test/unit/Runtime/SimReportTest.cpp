// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's reports: what they find, what they say, what comes after.
#include "AddressMap.h"
#include "RuntimeTestHelpers.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

using namespace tiletest;

namespace {
class SimReport : public DeviceTest {
protected:
  static constexpr int32_t genericLoad = 0, globalLoad = 2, globalStore = 3;

  /// Makes one access by thread 37 of block 1; "" when it is in order.
  std::string touch(const void *address, int64_t size, int32_t alignment,
                    int32_t kind) {
    if (!module)
      load(rawArtifact({"touch"}));
    int32_t thread = 37, block = 1;
    TileRtStatus status = launch(
        "touch", 2, 64, {&address, &size, &alignment, &kind, &thread, &block});
    return status == TILE_RT_SUCCESS ? "" : tileRtGetLastError();
  }

  static std::string hex(const void *address) {
    char text[32];
    std::snprintf(text, sizeof(text), "0x%" PRIxPTR,
                  reinterpret_cast<uintptr_t>(address));
    return text;
  }
};
} // namespace

TEST(SimBounds, OfAllocationsToTheByte) {
  tile::rt::Allocation allocation;
  allocation.begin = 4096;
  allocation.bytes = 16;
  EXPECT_TRUE(allocation.contains(4096, 16));
  EXPECT_FALSE(allocation.contains(4096, 17));
  EXPECT_TRUE(allocation.contains(4111, 1));
  EXPECT_FALSE(allocation.contains(4112, 1));
  EXPECT_FALSE(allocation.contains(4095, 1));
  EXPECT_TRUE(allocation.contains(4108, 4));
  EXPECT_FALSE(allocation.contains(4109, 4));
}

TEST_F(SimReport, OutOfBoundsPastTheEnd) {
  open();
  char *p = allocate<char>(4096);
  EXPECT_EQ(touch(p + 4080, 16, 16, globalLoad), "");
  EXPECT_EQ(touch(p + 4100, 16, 4, globalLoad),
            "simulator: out-of-bounds global load of 16 bytes in kernel "
            "'touch', block (1,0,0), thread (37,0,0) at k.mlir:11:3: address " +
                hex(p + 4100) +
                " is 4 bytes past the end of a 4096-byte allocation");
  EXPECT_HAS(touch(p + 4096, 1, 1, globalStore),
             "global store of 1 byte in kernel");
  EXPECT_HAS(tileRtGetLastError(), "is 0 bytes past the end of a 4096-byte");
  EXPECT_HAS(touch(p + 4084, 16, 4, globalLoad),
             "lies in a 4096-byte allocation, but the access ends 4 bytes past "
             "its end");
}

TEST_F(SimReport, BoundsAreThoseOfTheAllocationNotOfThePage) {
  open();
  char *p = allocate<char>(1001);
  EXPECT_EQ(touch(p + 1000, 1, 1, globalLoad), "");
  EXPECT_HAS(touch(p + 1001, 1, 1, globalLoad),
             "is 0 bytes past the end of a 1001-byte allocation");
  char *empty = allocate<char>(0);
  ASSERT_NE(empty, nullptr);
  EXPECT_HAS(touch(empty, 1, 1, globalLoad), "0-byte allocation");
}

TEST_F(SimReport, OutOfBoundsBeforeTheBegin) {
  open();
  char *p = allocate<char>(64);
  EXPECT_HAS(touch(p - 8, 8, 8, globalStore),
             "is 8 bytes before a 64-byte allocation");
  EXPECT_HAS(touch(p + (int64_t(1) << 45), 8, 8, globalLoad),
             "is in no allocation");
  EXPECT_HAS(
      touch(reinterpret_cast<void *>(~uintptr_t(0) - 7), 16, 8, globalLoad),
      "is in no allocation");
}

TEST_F(SimReport, ANeighbouringAllocationIsOutOfReach) {
  open();
  char *first = allocate<char>(4096), *second = allocate<char>(4096);
  for (char *p : {first, second})
    for (int64_t distance : {int64_t(4096), int64_t(1) << 20, int64_t(8) << 20})
      EXPECT_HAS(touch(p + distance, 4, 4, globalLoad), "out-of-bounds")
          << distance;
}

TEST_F(SimReport, FreedMemoryIsNoLongerAccessible) {
  open();
  TileRtBuffer buffer;
  ASSERT_OK(tileRtBufferCreate(device, 4096, &buffer));
  void *p = tileRtBufferGetAddress(buffer);
  EXPECT_EQ(touch(p, 4, 4, globalLoad), "");
  tileRtBufferDestroy(buffer);
  EXPECT_HAS(touch(p, 4, 4, globalLoad), "out-of-bounds");
}

TEST_F(SimReport, NullPointer) {
  EXPECT_EQ(touch(reinterpret_cast<void *>(16), 4, 4, globalLoad),
            "simulator: null pointer in a global load of 4 bytes in kernel "
            "'touch', block (1,0,0), thread (37,0,0) at k.mlir:11:3: address "
            "0x10 is 16 bytes past the null pointer");
  EXPECT_HAS(touch(nullptr, 4, 4, genericLoad), "null pointer");
}

TEST_F(SimReport, Misaligned) {
  open();
  char *p = allocate<char>(4096);
  EXPECT_EQ(touch(p + 20, 16, 16, globalLoad),
            "simulator: misaligned global load of 16 bytes in kernel 'touch', "
            "block (1,0,0), thread (37,0,0) at k.mlir:11:3: address " +
                hex(p + 20) + " is 4 bytes past a 16-byte boundary");
  EXPECT_EQ(touch(p + 20, 16, 4, globalLoad), "");
  EXPECT_EQ(touch(p + 1, 1, 1, globalLoad), "");
}

TEST_F(SimReport, SharedOutOfBounds) {
  load(rawArtifact({"uninitialised"}, 1024));
  int64_t offset = 1020, size = 8;
  EXPECT_HAS(launchError("uninitialised", 1, 1, {&offset, &size}),
             "out-of-bounds shared load of 8 bytes in kernel 'uninitialised', "
             "block (0,0,0), thread (0,0,0) at k.mlir:15:3");
  EXPECT_HAS(tileRtGetLastError(),
             "lies in a 1024-byte shared memory, but the access ends 4 bytes "
             "past its end");
  offset = 1028, size = 4;
  EXPECT_HAS(launchError("uninitialised", 1, 1, {&offset, &size}),
             "is 4 bytes past the end of a 1024-byte shared memory");
  offset = -4;
  EXPECT_HAS(launchError("uninitialised", 1, 1, {&offset, &size}),
             "is 4 bytes before a 1024-byte shared memory");
}

TEST_F(SimReport, UninitialisedSharedRead) {
  load(rawArtifact({"uninitialised", "reverse"}, 4096));
  // What an earlier block or launch stored does not count.
  float *in = allocate(256), *out = allocate(256);
  int32_t withBarrier = 1;
  ASSERT_OK(launch("reverse", 2, 256, {&in, &out, &withBarrier}));
  int64_t offset = 64, size = 4;
  EXPECT_EQ(launchError("uninitialised", 1, 1, {&offset, &size}),
            "simulator: uninitialised shared load of 4 bytes in kernel "
            "'uninitialised', block (0,0,0), thread (0,0,0) at k.mlir:15:3: "
            "byte 64 of the block's 4096 bytes of shared memory was never "
            "stored");
  offset = 7, size = 1;
  EXPECT_HAS(launchError("uninitialised", 1, 1, {&offset, &size}),
             "uninitialised shared load of 1 byte");
}

TEST_F(SimReport, OneUninitialisedByteOfAWord) {
  load(rawArtifact({"bytes"}));
  int32_t mode = 5;
  EXPECT_HAS(launchError("bytes", 1, 64, {&mode}), "byte 6 of the block's");
}

TEST_F(SimReport, MissingBarrierIsARace) {
  load(rawArtifact({"reverse"}));
  float *in = allocate(256), *out = allocate(256);
  int32_t withBarrier = 0;
  // Thread 0 reads before thread 255 writes: uninitialised, or a race, and the
  // order of the threads is fixed.
  EXPECT_HAS(launchError("reverse", 1, 256, {&in, &out, &withBarrier}),
             "uninitialised shared load of 4 bytes in kernel 'reverse', block "
             "(0,0,0), thread (0,0,0) at k.mlir:15:3");
  withBarrier = 1;
  EXPECT_OK(launch("reverse", 1, 256, {&in, &out, &withBarrier}));
}

TEST_F(SimReport, RaceNamesBothThreadsAndBothPlaces) {
  load(rawArtifact({"bytes"}));
  int32_t mode = 1;
  EXPECT_EQ(
      launchError("bytes", 1, 64, {&mode}),
      "simulator: race on shared memory: shared store of 1 byte at offset "
      "0 in kernel 'bytes', block (0,0,0), thread (1,0,0) at k.mlir:13:3, "
      "and a store of byte 0 by thread (0,0,0) at k.mlir:13:3, with no "
      "barrier between them");
}

TEST_F(SimReport, StoreAfterTwoReadersIsARace) {
  load(rawArtifact({"bytes"}));
  int32_t mode = 4;
  EXPECT_HAS(launchError("bytes", 1, 3, {&mode}),
             "shared store of 2 bytes at offset 0 in kernel 'bytes', block "
             "(0,0,0), thread (2,0,0) at k.mlir:15:3, and a load of byte 0 by "
             "thread (");
}

TEST_F(SimReport, LoadOfAWordWithoutTheBarrier) {
  load(rawArtifact({"bytes"}));
  int32_t mode = 3;
  EXPECT_HAS(launchError("bytes", 1, 4, {&mode}), "thread (0,0,0)");
}

TEST_F(SimReport, PartialBarrierLeavesOthersUnordered) {
  load(rawArtifact({"partial"}));
  int32_t mode = 1;
  EXPECT_HAS(launchError("partial", 1, 128, {&mode}), "thread (64,0,0)");
  mode = 2;
  EXPECT_HAS(launchError("partial", 1, 128, {&mode}), "race on shared memory");
  // Three readers, of which the writer waits for two.
  mode = 3;
  EXPECT_HAS(launchError("partial", 1, 128, {&mode}),
             "and a load of byte 0 by thread (96,0,0) at k.mlir:15:3");
  // The writer is one of the two readers.
  mode = 4;
  EXPECT_HAS(launchError("partial", 1, 128, {&mode}),
             "thread (0,0,0) at k.mlir:16:3, and a load of byte 0 by thread "
             "(32,0,0) at k.mlir:15:3");
}

TEST_F(SimReport, Deadlock) {
  load(rawArtifact({"barriers"}));
  int32_t mode = 0;
  EXPECT_EQ(launchError("barriers", 3, 64, {&mode}),
            "simulator: deadlock in kernel 'barriers', block (0,0,0): 32 "
            "threads, the first of them thread (0,0,0), wait at barrier 0 for "
            "all threads at k.mlir:14:3, 32 threads, the first of them thread "
            "(32,0,0), wait at barrier 1 for all threads at k.mlir:17:3");
}

TEST_F(SimReport, BarrierDivergence) {
  load(rawArtifact({"barriers"}));
  int32_t mode = 1;
  EXPECT_EQ(
      launchError("barriers", 1, 64, {&mode}),
      "simulator: barrier divergence in kernel 'barriers', block (0,0,0), "
      "thread (16,0,0) at k.mlir:17:3: it waits at barrier 0, where "
      "thread (0,0,0) of the same warp waits at k.mlir:14:3");
  mode = 2;
  EXPECT_HAS(launchError("barriers", 1, 128, {&mode}),
             "thread (32,0,0) at k.mlir:17:3: it waits at barrier 2 for all "
             "threads, but thread (31,0,0) waits there for 64 at k.mlir:14:3");
}

TEST_F(SimReport, WrongBarrierAndTrap) {
  load(rawArtifact({"barriers"}));
  int32_t mode = 3;
  EXPECT_HAS(launchError("barriers", 1, 64, {&mode}),
             "but got identifier 0 and count 33");
  mode = 4;
  EXPECT_HAS(launchError("barriers", 1, 64, {&mode}),
             "but got identifier 16 and count 0");
  mode = 6;
  EXPECT_EQ(launchError("barriers", 1, 64, {&mode}),
            "simulator: trap in kernel 'barriers', block (0,0,0), thread "
            "(3,0,0) at k.mlir:18:3");
  mode = 7;
  EXPECT_EQ(launchError("barriers", 1, 64, {&mode}),
            "simulator: integer division by zero or overflow in kernel "
            "'barriers', block (0,0,0), thread (5,0,0) at k.mlir:18:3");
}

TEST_F(SimReport, TheFirstFailedBlockIsReportedEveryTime) {
  load(rawArtifact({"identify"}));
  // Blocks 20 to 99 all fail; block 20 is the first.
  int32_t *out = allocate<int32_t>(20 * 64);
  for (int i = 0; i < 50; ++i)
    EXPECT_HAS(launchError("identify", 100, 64, {&out}),
               "block (20,0,0), thread (0,0,0) at k.mlir:10:3");
}

TEST_F(SimReport, ALaterBlockThatFailsSoonerIsNotReported) {
  setenv("TILE_SIM_THREADS", "2", 1);
  open();
  unsetenv("TILE_SIM_THREADS");
  load(rawArtifact({"late"}));
  // Long enough for the other host thread to wake up.
  int64_t rounds = 20000000;
  void *bad = reinterpret_cast<void *>(64);
  EXPECT_HAS(launchError("late", 2, 1, {&rounds, &bad}), "block (0,0,0)");
}

TEST_F(SimReport, TheDeviceGoesOnAfterAReport) {
  load(rawArtifact({"barriers", "reverse", "bytes"}));
  float *in = allocate(256), *out = allocate(256);
  for (int i = 0; i < 256; ++i)
    in[i] = static_cast<float>(i);
  for (int32_t mode : {0, 1, 3, 6}) {
    launchError("barriers", 4, 256, {&mode});
    int32_t withBarrier = 1;
    ASSERT_OK(launch("reverse", 1, 256, {&in, &out, &withBarrier}));
    for (int i = 0; i < 256; ++i)
      ASSERT_EQ(out[i], static_cast<float>(255 - i));
  }
}

TEST_F(SimReport, LaunchesThatCannotBe) {
  load(rawArtifact({"identify"}));
  auto error = [&](int64_t blocks, int64_t threads) {
    EXPECT_EQ(launch("identify", blocks, threads, {}),
              TILE_RT_INVALID_ARGUMENT);
    return std::string(tileRtGetLastError());
  };
  EXPECT_EQ(error(0, 1), "expected a grid of 1 to 2147483647 in x, but got 0");
  EXPECT_EQ(error(int64_t(1) << 31, 1),
            "expected a grid of 1 to 2147483647 in x, but got 2147483648");
  EXPECT_EQ(error(1, 1025), "expected a block of 1 to 1024 in x, but got 1025");
  int64_t one[3] = {1, 1, 1}, block[3] = {1024, 2, 1};
  TileRtKernel kernel;
  ASSERT_OK(tileRtModuleGetKernel(module, "identify", &kernel));
  EXPECT_EQ(tileRtKernelLaunch(kernel, one, block, 0, nullptr, nullptr),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(),
               "expected at most 1024 threads in a block, but got 2048");
  EXPECT_EQ(tileRtKernelLaunch(kernel, one, one, 1 << 20, nullptr, nullptr),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(), "expected at most 232448 bytes of shared "
                                     "memory, but got 4096 static and 1048576 "
                                     "dynamic");
}
