// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, buffers, streams and events of the C API.
#include "RuntimeTestHelpers.h"

#include <cstdlib>
#include <dlfcn.h>
#include <thread>

using namespace tiletest;

extern "C" TileRtStatus tileRtHeaderInC(void);

namespace {
class Device : public DeviceTest {};

bool haveDriver() { return dlopen("libcuda.so.1", RTLD_NOW) != nullptr; }
} // namespace

TEST_F(Device, UnknownNamesAreRefused) {
  for (const char *spec : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x",
                           "sim:0", "cuda:99999999999"}) {
    EXPECT_EQ(tileRtDeviceOpen(spec, &device), TILE_RT_INVALID_ARGUMENT)
        << spec;
    EXPECT_HAS(
        tileRtGetLastError(),
        "expected a device 'auto', 'cuda', 'cuda:N' or 'sim', but got '" +
            std::string(spec) + "'");
  }
  EXPECT_EQ(device, nullptr);
}

TEST_F(Device, WithoutADriverOneSentenceSaysSo) {
  if (haveDriver())
    GTEST_SKIP() << "this machine has a CUDA driver";
  EXPECT_EQ(tileRtDeviceOpen("cuda", &device), TILE_RT_NO_DEVICE);
  EXPECT_STREQ(tileRtGetLastError(), "no CUDA driver: libcuda.so.1 was not "
                                     "found; use --device=sim");
  open("auto");
  TileRtDeviceInfo facts;
  ASSERT_OK(tileRtDeviceGetInfo(device, &facts));
  EXPECT_EQ(facts.kind, TILE_RT_DEVICE_SIM);
}

TEST_F(Device, FactsOfTheSimulator) {
  setenv("TILE_SIM_THREADS", "3", 1);
  open();
  unsetenv("TILE_SIM_THREADS");
  TileRtDeviceInfo facts;
  ASSERT_OK(tileRtDeviceGetInfo(device, &facts));
  EXPECT_EQ(facts.kind, TILE_RT_DEVICE_SIM);
  EXPECT_STREQ(facts.name, "simulator");
  EXPECT_STREQ(facts.chip, "sim");
  EXPECT_EQ(facts.multiprocessors, 3);
  EXPECT_EQ(facts.sharedMemoryLimit, 232448);
  EXPECT_OK(tileRtDeviceSynchronize(device));
}

TEST_F(Device, ErrorsBelongToTheirThread) {
  EXPECT_NE(tileRtDeviceOpen("here", &device), TILE_RT_SUCCESS);
  std::thread([&] {
    EXPECT_STREQ(tileRtGetLastError(), "");
    EXPECT_NE(tileRtDeviceOpen("there", &device), TILE_RT_SUCCESS);
    EXPECT_HAS(tileRtGetLastError(), "'there'");
  }).join();
  EXPECT_HAS(tileRtGetLastError(), "'here'");
}

TEST_F(Device, BuffersCopyInsideTheirRangeOnly) {
  open();
  TileRtBuffer buffer;
  ASSERT_OK(tileRtBufferCreate(device, 10, &buffer));
  buffers.push_back(buffer);
  EXPECT_EQ(tileRtBufferGetSize(buffer), 10);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tileRtBufferGetAddress(buffer)) % 256,
            0u);
  char in[10] = "abcdefghi", out[10] = "";
  ASSERT_OK(tileRtBufferWrite(buffer, 0, in, 10, nullptr));
  ASSERT_OK(tileRtBufferFill(buffer, 3, 2, 'x', nullptr));
  ASSERT_OK(tileRtBufferRead(buffer, 2, out, 5, nullptr));
  EXPECT_STREQ(out, "cxxfg");
  EXPECT_OK(tileRtBufferWrite(buffer, 10, nullptr, 0, nullptr));
  const int64_t wrong[][2] = {{0, 11}, {10, 1}, {11, 0},
                              {-1, 1}, {0, -1}, {5, INT64_MAX}};
  for (auto &[offset, bytes] : wrong) {
    EXPECT_EQ(tileRtBufferRead(buffer, offset, out, bytes, nullptr),
              TILE_RT_INVALID_ARGUMENT);
    EXPECT_EQ(tileRtBufferWrite(buffer, offset, in, bytes, nullptr),
              TILE_RT_INVALID_ARGUMENT);
    EXPECT_EQ(tileRtBufferFill(buffer, offset, bytes, 0, nullptr),
              TILE_RT_INVALID_ARGUMENT);
  }
  EXPECT_HAS(tileRtGetLastError(), "expected a range inside a 10-byte buffer, "
                                   "but got 9223372036854775807 bytes at "
                                   "offset 5");
}

TEST_F(Device, BuffersThatCannotBe) {
  open();
  TileRtBuffer buffer;
  EXPECT_EQ(tileRtBufferCreate(device, -1, &buffer), TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtBufferCreate(device, INT64_MAX, &buffer),
            TILE_RT_OUT_OF_MEMORY);
  EXPECT_HAS(tileRtGetLastError(),
             "no memory for a buffer of 9223372036854775807 bytes");
}

TEST_F(Device, LargeBuffersAreCommittedLazily) {
  open();
  int64_t bytes = int64_t(64) << 30;
  char *p = allocate<char>(bytes);
  ASSERT_NE(p, nullptr);
  p[0] = 1;
  p[bytes - 1] = 2;
  EXPECT_EQ(p[bytes / 2], 0);
}

TEST_F(Device, StreamsAndEvents) {
  open();
  TileRtStream stream;
  TileRtEvent start, stop;
  ASSERT_OK(tileRtStreamCreate(device, &stream));
  ASSERT_OK(tileRtEventCreate(device, &start));
  ASSERT_OK(tileRtEventCreate(device, &stop));
  double milliseconds;
  EXPECT_EQ(tileRtEventElapsed(start, stop, &milliseconds),
            TILE_RT_INVALID_ARGUMENT);
  ASSERT_OK(tileRtEventRecord(start, stream));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_OK(tileRtEventRecord(stop, nullptr));
  ASSERT_OK(tileRtEventElapsed(start, stop, &milliseconds));
  EXPECT_GE(milliseconds, 5);
  EXPECT_LT(milliseconds, 5000);
  EXPECT_OK(tileRtStreamSynchronize(stream));
  void *native = nullptr;
  TileRtStream wrapped;
  EXPECT_EQ(tileRtStreamWrap(device, native, &wrapped),
            TILE_RT_INVALID_ARGUMENT);

  TileRtDevice other;
  TileRtBuffer buffer;
  ASSERT_OK(tileRtDeviceOpen("sim", &other));
  ASSERT_OK(tileRtBufferCreate(other, 4, &buffer));
  EXPECT_EQ(tileRtBufferFill(buffer, 0, 4, 0, stream),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(), "expected a stream of the same device, "
                                     "but got one of another");
  tileRtBufferDestroy(buffer);
  tileRtDeviceClose(other);
  tileRtStreamDestroy(stream);
  tileRtEventDestroy(start);
  tileRtEventDestroy(stop);
}

TEST_F(Device, NullHandlesAreErrorsOrNothing) {
  TileRtBuffer buffer;
  TileRtModule other;
  EXPECT_EQ(tileRtDeviceOpen(nullptr, &device), TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtDeviceOpen("sim", nullptr), TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtDeviceSynchronize(nullptr), TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtBufferCreate(nullptr, 1, &buffer), TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtModuleLoad(nullptr, "", 0, &other), TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtStreamSynchronize(nullptr), TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(
      tileRtLaunchEntry(nullptr, "gemm", nullptr, 0, nullptr, nullptr, nullptr),
      TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtModuleGetEntryCount(nullptr), 0);
  EXPECT_EQ(tileRtModuleGetKernelName(nullptr, 0), nullptr);
  int32_t total = 0;
  EXPECT_EQ(tileRtModuleGetAccessCounts(nullptr, nullptr, 0, &total),
            TILE_RT_INVALID_ARGUMENT);
  tileRtDeviceClose(nullptr);
  tileRtModuleUnload(nullptr);
  tileRtBufferDestroy(nullptr);
  tileRtStreamDestroy(nullptr);
  tileRtEventDestroy(nullptr);
}

TEST_F(Device, NamesOfTypesAndStatuses) {
  EXPECT_STREQ(tileRtTypeName(TILE_RT_BF16), "bf16");
  EXPECT_EQ(tileRtTypeSize(TILE_RT_F64), 8);
  EXPECT_EQ(tileRtTypeName(static_cast<TileRtType>(99)), nullptr);
  EXPECT_STREQ(tileRtStatusName(TILE_RT_LAUNCH_FAILED), "launch failed");
  EXPECT_STREQ(tileRtGetVersion(), "0.1.0");
}

TEST_F(Device, TheHeaderIsC) { EXPECT_EQ(tileRtHeaderInC(), TILE_RT_SUCCESS); }

// The shared library is what other programs load, beside whatever else.
TEST_F(Device, TheSharedLibraryExportsItsApiOnly) {
  void *library = dlopen(TILE_RT_SHARED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto version =
      reinterpret_cast<const char *(*)()>(dlsym(library, "tileRtGetVersion"));
  ASSERT_NE(version, nullptr);
  EXPECT_STREQ(version(), tileRtGetVersion());
  auto openDevice = reinterpret_cast<decltype(&tileRtDeviceOpen)>(
      dlsym(library, "tileRtDeviceOpen"));
  auto closeDevice = reinterpret_cast<decltype(&tileRtDeviceClose)>(
      dlsym(library, "tileRtDeviceClose"));
  ASSERT_TRUE(openDevice && closeDevice);
  TileRtDevice other;
  ASSERT_EQ(openDevice("sim", &other), TILE_RT_SUCCESS);
  closeDevice(other);
  for (const char *hidden :
       {"tile_sim_check", "tile_rt_fiber_switch",
        "_ZN4tile2rt4failE12TileRtStatusNSt7__cxx1112basic_"
        "stringIcSt11char_traitsIcESaIcEEE"})
    EXPECT_EQ(dlsym(library, hidden), nullptr) << hidden;
  EXPECT_EQ(dlclose(library), 0);
}
