// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator behind the Device interface. Launches are synchronous.
#include "../lib/Artifact.h"
#include "../lib/Device.h"
#include "../lib/Error.h"
#include "ObjectLoader.h"
#include "TensorMap.h"
#include "WorkerPool.h"

#include "tile/Atoms/Chips.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace tile::rt;

using Long = long long;

// What a block or a cluster may have: the most that any chip offers.
static constexpr int64_t sharedMemoryLimit = tile::kMaxSharedBytes;
static constexpr int64_t clusterLimit = tile::Chip::kMaxClusterBlocks;
// How often the threads of a cluster go back to the begin of a loop: some
// seconds of empty loops.
static constexpr uint64_t defaultSteps = uint64_t(1) << 32;
// More host threads than this bring nothing and cost stacks.
static constexpr long maxDefaultThreads = 16, maxThreads = 128;

namespace {
class SimDevice;

class SimModule : public DeviceModule {
public:
  SimModule(SimDevice &device, const Artifact &artifact)
      : device(device), artifact(artifact) {}

  TileRtStatus load();
  void describeKernel(int index, TileRtKernelInfo &info) const override {
    info.sharedBytes = artifact.kernels[index].simSharedBytes;
  }
  TileRtStatus launch(int index, const LaunchShape &shape, void **args,
                      void *stream) override;
  AccessCounts getAccessCounts() override {
    std::lock_guard<std::mutex> lock(countsMutex);
    return counts;
  }

private:
  using Function = void (*)(TileSimContext *, void **);

  SimDevice &device;
  const Artifact &artifact;
  LoadedObject object;
  /// Null for a kernel without simulator code.
  std::vector<Function> functions;
  AccessCounts counts;
  std::mutex countsMutex;
};

class SimDevice : public Device {
public:
  SimDevice(unsigned threads);

  const TileRtDeviceInfo &info() const override { return facts; }
  const DeviceLimits &limits() const override { return limitFacts; }
  std::string encodeTensorMap(void *map,
                              const TensorMapFacts &facts) const override {
    return encodeSimTensorMap(map, facts);
  }
  TileRtStatus synchronize() override {
    settle();
    return TILE_RT_SUCCESS;
  }
  TileRtStatus loadModule(const Artifact &artifact,
                          std::unique_ptr<DeviceModule> &module) override;
  TileRtStatus allocate(int64_t bytes, void *&address) override;
  void release(void *address) override;
  TileRtStatus write(void *address, const void *host, int64_t bytes,
                     void *) override {
    settle();
    if (bytes)
      std::memcpy(address, host, bytes);
    return TILE_RT_SUCCESS;
  }
  TileRtStatus read(void *host, const void *address, int64_t bytes,
                    void *) override {
    settle();
    if (bytes)
      std::memcpy(host, address, bytes);
    return TILE_RT_SUCCESS;
  }
  TileRtStatus copy(void *target, const void *source, int64_t bytes,
                    void *) override {
    settle();
    if (bytes)
      std::memmove(target, source, bytes);
    return TILE_RT_SUCCESS;
  }
  TileRtStatus fill(void *address, uint8_t value, int64_t bytes,
                    void *) override {
    settle();
    std::memset(address, value, bytes);
    return TILE_RT_SUCCESS;
  }
  TileRtStatus createStream(void *&stream) override {
    stream = nullptr;
    return TILE_RT_SUCCESS;
  }
  void destroyStream(void *) override {}
  TileRtStatus synchronizeStream(void *) override {
    settle();
    return TILE_RT_SUCCESS;
  }
  TileRtStatus createEvent(void *&event) override {
    event = new Clock::time_point();
    return TILE_RT_SUCCESS;
  }
  void destroyEvent(void *event) override {
    delete static_cast<Clock::time_point *>(event);
  }
  TileRtStatus recordEvent(void *event, void *) override {
    *static_cast<Clock::time_point *>(event) = Clock::now();
    return TILE_RT_SUCCESS;
  }
  TileRtStatus elapsed(void *start, void *stop, double &milliseconds) override {
    std::chrono::duration<double, std::milli> time =
        *static_cast<Clock::time_point *>(stop) -
        *static_cast<Clock::time_point *>(start);
    milliseconds = time.count();
    return TILE_RT_SUCCESS;
  }

  /// Held by a launch and by whoever changes the memory map.
  std::mutex mutex;
  AddressMap memory;
  WorkerPool pool;
  /// What the last launch touched, if nothing has waited for it since: a launch
  /// that waits itself for those in front of it may run beside it.
  TouchedMemory touched;

private:
  using Clock = std::chrono::steady_clock;
  /// All launches are over.
  void settle() {
    std::lock_guard<std::mutex> lock(mutex);
    touched.clear();
  }
  TileRtDeviceInfo facts = {};
  DeviceLimits limitFacts;
};
} // namespace

SimDevice::SimDevice(unsigned threads) : pool(threads) {
  facts.kind = TILE_RT_DEVICE_SIM;
  std::snprintf(facts.name, sizeof(facts.name), "simulator");
  std::snprintf(facts.chip, sizeof(facts.chip), "sim");
  facts.multiprocessors = static_cast<int32_t>(threads);
  facts.sharedMemoryLimit = sharedMemoryLimit;
  limitFacts.sharedMemory = sharedMemoryLimit;
  limitFacts.multiprocessors = facts.multiprocessors;
}

TileRtStatus SimDevice::allocate(int64_t bytes, void *&address) {
  std::lock_guard<std::mutex> lock(mutex);
  address = memory.allocate(bytes);
  if (!address)
    return fail(TILE_RT_OUT_OF_MEMORY,
                format("no memory for a buffer of %lld bytes", Long(bytes)));
  return TILE_RT_SUCCESS;
}

void SimDevice::release(void *address) {
  std::lock_guard<std::mutex> lock(mutex);
  touched.erase(reinterpret_cast<uintptr_t>(address));
  memory.release(address);
}

TileRtStatus SimDevice::loadModule(const Artifact &artifact,
                                   std::unique_ptr<DeviceModule> &module) {
  auto result = std::make_unique<SimModule>(*this, artifact);
  TileRtStatus status = result->load();
  if (status == TILE_RT_SUCCESS)
    module = std::move(result);
  return status;
}

/// Whether this processor runs code compiled for `cpu`; false for an unknown
/// name.
static bool hostRuns(const std::string &cpu) {
  __builtin_cpu_init();
  if (cpu.empty() || cpu == "x86-64")
    return true;
  bool v2 =
      __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  if (cpu == "x86-64-v2")
    return v2;
  bool v3 = v2 && __builtin_cpu_supports("avx2") &&
            __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
            __builtin_cpu_supports("bmi2");
  if (cpu == "x86-64-v3")
    return v3;
  return cpu == "x86-64-v4" && v3 && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

TileRtStatus SimModule::load() {
  const Blob *blob = artifact.findBlob("sim");
  if (!blob)
    return fail(TILE_RT_BAD_ARTIFACT,
                "the artifact has no code for the simulator");
  if (!hostRuns(artifact.simCpu))
    return fail(
        TILE_RT_BAD_ARTIFACT,
        "expected simulator code that this processor runs, but got code "
        "for " +
            artifact.simCpu);
  std::string reason = object.load(blob->bytes);
  if (!reason.empty())
    return fail(TILE_RT_BAD_ARTIFACT, reason);
  for (const KernelFacts &facts : artifact.kernels) {
    void *address =
        facts.simSymbol.empty() ? nullptr : object.find(facts.simSymbol);
    if (!address && !facts.simSymbol.empty())
      return fail(TILE_RT_BAD_ARTIFACT,
                  format("the artifact's simulator code has no function '%s'",
                         facts.simSymbol.c_str()));
    functions.push_back(reinterpret_cast<Function>(address));
  }
  return TILE_RT_SUCCESS;
}

/// How often a cluster's threads may go back to the begin of a loop; 0: as
/// often as they want.
static uint64_t getStepLimit() {
  const char *text = std::getenv("TILE_SIM_STEPS");
  char *end = nullptr;
  uint64_t steps = text ? std::strtoull(text, &end, 10) : 0;
  return text && end != text && !*end ? steps : defaultSteps;
}

TileRtStatus SimModule::launch(int index, const LaunchShape &shape, void **args,
                               void *) {
  const KernelFacts &facts = artifact.kernels[index];
  if (!functions[index])
    return fail(TILE_RT_BAD_ARTIFACT,
                format("the artifact has no simulator code for kernel '%s'",
                       facts.name.c_str()));
  int64_t sharedBytes = facts.simSharedBytes + shape.dynamicSharedBytes;
  if (sharedBytes > sharedMemoryLimit)
    return fail(TILE_RT_INVALID_ARGUMENT,
                format("expected at most %lld bytes of shared memory, but got "
                       "%lld static and %lld dynamic",
                       Long(sharedMemoryLimit), Long(facts.simSharedBytes),
                       Long(shape.dynamicSharedBytes)));
  const int64_t *cluster = shape.cluster;
  if (cluster[0] < 1 || cluster[0] > clusterLimit || cluster[1] != 1 ||
      cluster[2] != 1 || shape.grid[0] % cluster[0])
    return fail(TILE_RT_INVALID_ARGUMENT,
                format("expected a cluster of 1 to %lld blocks along x that "
                       "divides the grid of %lld, but got %lld x %lld x %lld",
                       Long(clusterLimit), Long(shape.grid[0]),
                       Long(cluster[0]), Long(cluster[1]), Long(cluster[2])));
  SimLaunch launch;
  launch.cluster = static_cast<int32_t>(cluster[0]);
  launch.function = functions[index];
  launch.args = args;
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = static_cast<int32_t>(shape.grid[i]);
    launch.block[i] = static_cast<int32_t>(shape.block[i]);
  }
  launch.sharedBytes = sharedBytes;
  launch.kernel = facts.name.c_str();
  launch.sites = &artifact.simSites;
  launch.memory = &device.memory;
  launch.counts = &counts;
  launch.countsMutex = &countsMutex;
  launch.steps = getStepLimit();
  std::lock_guard<std::mutex> lock(device.mutex);
  std::mutex touchedMutex;
  TouchedMemory before = std::move(device.touched);
  device.touched.clear();
  launch.touched = &device.touched;
  launch.touchedMutex = &touchedMutex;
  if (shape.programmatic != ProgrammaticLaunch::Never && !before.empty())
    launch.before = &before;
  bool outOfMemory;
  std::string report = device.pool.run(launch, outOfMemory);
  if (outOfMemory)
    return fail(TILE_RT_OUT_OF_MEMORY,
                format("no memory for the stacks of %u simulated threads",
                       launch.threads()));
  return report.empty() ? TILE_RT_SUCCESS : fail(TILE_RT_LAUNCH_FAILED, report);
}

static unsigned defaultThreads() {
  if (const char *text = std::getenv("TILE_SIM_THREADS")) {
    long count = std::strtol(text, nullptr, 10);
    if (count > 0)
      return static_cast<unsigned>(std::min(count, maxThreads));
  }
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return static_cast<unsigned>(std::clamp(cores, 1L, maxDefaultThreads));
}

TileRtStatus tile::rt::openSimDevice(std::shared_ptr<Device> &device) {
  device = std::make_shared<SimDevice>(defaultThreads());
  return TILE_RT_SUCCESS;
}
