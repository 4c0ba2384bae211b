// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA device: the driver's primary context behind the Device interface.
#include "Artifact.h"
#include "CudaDriver.h"
#include "Device.h"
#include "Error.h"
#include "TensorMap.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <vector>

using namespace tile::rt;

// Numbers of the driver's enumerations.
enum DeviceAttribute {
  MaxSharedPerBlock = 8,
  MultiprocessorCount = 16,
  ComputeMajor = 75,
  ComputeMinor = 76,
  MaxSharedPerBlockOptIn = 97
};
enum FunctionAttribute {
  StaticSharedBytes = 1,
  LocalBytes = 3,
  RegisterCount = 4,
  MaxDynamicShared = 8,
  NonPortableClusterAllowed = 14
};
// The largest cluster that every chip with clusters runs.
static constexpr int64_t portableCluster = 8;
enum JitOption { JitErrorLog = 5, JitErrorLogBytes = 6 };

namespace {
class CudaDevice;

/// The loaded kernels that let the next one start before they have ended.
class TriggeringKernels {
public:
  void add(CuFunction function) {
    std::lock_guard<std::mutex> lock(mutex);
    functions.insert(function);
  }
  void remove(CuFunction function) {
    std::lock_guard<std::mutex> lock(mutex);
    functions.erase(function);
  }
  bool contains(CuFunction function) const {
    std::lock_guard<std::mutex> lock(mutex);
    return functions.count(function) != 0;
  }

private:
  mutable std::mutex mutex;
  std::set<CuFunction> functions;
};

class CudaModule : public DeviceModule {
public:
  CudaModule(CudaDevice &device) : device(device) {}
  ~CudaModule() override;

  TileRtStatus load(const Artifact &artifact);
  int64_t countActiveClusters(int index) const override {
    return kernels[index].activeClusters;
  }
  void describeKernel(int index, TileRtKernelInfo &info) const override;
  TileRtStatus launch(int index, const LaunchShape &shape, void **args,
                      void *stream) override;

private:
  struct Kernel {
    CuFunction function = nullptr;
    int registers = -1, localBytes = -1, activeClusters = 0;
  };
  TileRtStatus loadCode(const Artifact &artifact);
  void findActiveClusters(Kernel &kernel, const KernelFacts &facts) const;

  bool startsEarly(ProgrammaticLaunch programmatic, CuStream stream) const;

  CudaDevice &device;
  CuModule module = nullptr;
  std::vector<Kernel> kernels;
};

class CudaDevice : public Device {
public:
  ~CudaDevice() override {
    if (context)
      driver.PrimaryCtxRelease(id);
  }

  TileRtStatus open(int ordinal);

  const TileRtDeviceInfo &info() const override { return facts; }
  const DeviceLimits &limits() const override { return limitFacts; }
  std::string encodeTensorMap(void *map,
                              const TensorMapFacts &facts) const override;
  TileRtStatus synchronize() override;
  TileRtStatus loadModule(const Artifact &artifact,
                          std::unique_ptr<DeviceModule> &module) override;
  TileRtStatus allocate(int64_t bytes, void *&address) override;
  void release(void *address) override;
  TileRtStatus write(void *address, const void *host, int64_t bytes,
                     void *stream) override;
  TileRtStatus read(void *host, const void *address, int64_t bytes,
                    void *stream) override;
  TileRtStatus copy(void *target, const void *source, int64_t bytes,
                    void *stream) override;
  TileRtStatus fill(void *address, uint8_t value, int64_t bytes,
                    void *stream) override;
  TileRtStatus createStream(void *&stream) override;
  void destroyStream(void *stream) override;
  TileRtStatus synchronizeStream(void *stream) override;
  TileRtStatus createEvent(void *&event) override;
  void destroyEvent(void *event) override;
  TileRtStatus recordEvent(void *event, void *stream) override;
  TileRtStatus elapsed(void *start, void *stop, double &milliseconds) override;

  int attribute(DeviceAttribute which) const {
    int value = 0;
    driver.DeviceGetAttribute(&value, which, id);
    return value;
  }

  CudaDriver driver = {};
  CuContext context = nullptr;
  TriggeringKernels triggering;

private:
  /// Binds the context and makes one driver call.
  template <typename... Parameters, typename... Args>
  TileRtStatus call(CuResult (*function)(Parameters...), const char *name,
                    Args... args) const;

  void findLimits(int major);

  CuDeviceId id = 0;
  TileRtDeviceInfo facts = {};
  DeviceLimits limitFacts;
  mutable TensorMapCache tensorMaps;
};

/// Makes the device's context current for the life of the object and then gives
/// the thread back the one it had.
class Binding {
public:
  Binding(const CudaDevice &device) : device(device) {
    result = device.driver.CtxPushCurrent(device.context);
  }
  ~Binding() {
    CuContext ignored;
    if (result == 0)
      device.driver.CtxPopCurrent(&ignored);
  }
  Binding(const Binding &) = delete;
  Binding &operator=(const Binding &) = delete;

  TileRtStatus status() const {
    return device.driver.check(result, "cuCtxPushCurrent");
  }

private:
  const CudaDevice &device;
  CuResult result;
};
} // namespace

static CuAddress deviceAddress(const void *address) {
  return reinterpret_cast<uintptr_t>(address);
}

TileRtStatus CudaDevice::open(int ordinal) {
  TileRtStatus status = loadCudaDriver(driver);
  if (status != TILE_RT_SUCCESS)
    return status;
  int count = 0;
  driver.DeviceGetCount(&count);
  if (count == 0)
    return fail(TILE_RT_NO_DEVICE,
                "no CUDA device: the driver is installed but "
                "finds none; use --device=sim");
  if (ordinal >= count)
    return fail(TILE_RT_NO_DEVICE,
                format("expected a CUDA device from 0 to %d, but got %d",
                       count - 1, ordinal));
  status = driver.check(driver.DeviceGet(&id, ordinal), "cuDeviceGet");
  if (status != TILE_RT_SUCCESS)
    return status;
  facts.kind = TILE_RT_DEVICE_CUDA;
  facts.ordinal = ordinal;
  driver.DeviceGetName(facts.name, sizeof(facts.name), id);
  int major = attribute(ComputeMajor), minor = attribute(ComputeMinor);
  std::snprintf(facts.chip, sizeof(facts.chip), "sm_%d%d", major, minor);
  facts.multiprocessors = attribute(MultiprocessorCount);
  facts.sharedMemoryLimit =
      std::max(attribute(MaxSharedPerBlock), attribute(MaxSharedPerBlockOptIn));
  size_t memory = 0;
  driver.DeviceTotalMem(&memory, id);
  facts.memoryBytes = static_cast<int64_t>(memory);
  driver.DriverGetVersion(&facts.driverVersion);
  findLimits(major);
  return driver.check(driver.PrimaryCtxRetain(&context, id),
                      "cuDevicePrimaryCtxRetain");
}

void CudaDevice::findLimits(int major) {
  limitFacts.sharedMemory = facts.sharedMemoryLimit;
  limitFacts.multiprocessors = std::max(facts.multiprocessors, 1);
  if (major < 9)
    limitFacts.noClusters = limitFacts.noTensorMaps =
        std::string("which sm_90 has first, and this device is ") + facts.chip;
  if (!driver.LaunchKernelEx)
    limitFacts.noClusters = "for which the CUDA driver is too old: it has no "
                            "function cuLaunchKernelEx";
  if (!driver.TensorMapEncodeTiled)
    limitFacts.noTensorMaps = "for which the CUDA driver is too old: it has no "
                              "function cuTensorMapEncodeTiled";
}

template <typename... Parameters, typename... Args>
TileRtStatus CudaDevice::call(CuResult (*function)(Parameters...),
                              const char *name, Args... args) const {
  Binding binding(*this);
  if (TileRtStatus status = binding.status())
    return status;
  return driver.check(function(args...), name);
}

std::string CudaDevice::encodeTensorMap(void *map,
                                        const TensorMapFacts &facts) const {
  if (tensorMaps.find(facts, map))
    return "";
  // The driver looks the address up in the current context.
  Binding binding(*this);
  if (binding.status())
    return "cuCtxPushCurrent failed";
  std::string reason = encodeCudaTensorMap(driver, map, facts);
  if (reason.empty())
    tensorMaps.add(facts, map);
  return reason;
}

TileRtStatus CudaDevice::synchronize() {
  return call(driver.CtxSynchronize, "cuCtxSynchronize");
}

TileRtStatus CudaDevice::allocate(int64_t bytes, void *&address) {
  Binding binding(*this);
  if (TileRtStatus status = binding.status())
    return status;
  CuAddress result = 0;
  // The driver refuses 0 bytes; an empty matrix still wants an address.
  CuResult code = driver.MemAlloc(&result, std::max<int64_t>(bytes, 1));
  address = reinterpret_cast<void *>(static_cast<uintptr_t>(result));
  return driver.check(
      code, "cuMemAlloc",
      format("%lld bytes", static_cast<long long>(bytes)).c_str());
}

void CudaDevice::release(void *address) {
  Binding binding(*this);
  driver.MemFree(deviceAddress(address));
}

TileRtStatus CudaDevice::write(void *address, const void *host, int64_t bytes,
                               void *stream) {
  Binding binding(*this);
  if (TileRtStatus status = binding.status())
    return status;
  CuStream queue = static_cast<CuStream>(stream);
  if (TileRtStatus status =
          driver.check(bytes ? driver.MemcpyHtoDAsync(deviceAddress(address),
                                                      host, bytes, queue)
                             : 0,
                       "cuMemcpyHtoDAsync"))
    return status;
  return driver.check(driver.StreamSynchronize(queue), "cuStreamSynchronize");
}

TileRtStatus CudaDevice::read(void *host, const void *address, int64_t bytes,
                              void *stream) {
  Binding binding(*this);
  if (TileRtStatus status = binding.status())
    return status;
  CuStream queue = static_cast<CuStream>(stream);
  if (TileRtStatus status =
          driver.check(bytes ? driver.MemcpyDtoHAsync(
                                   host, deviceAddress(address), bytes, queue)
                             : 0,
                       "cuMemcpyDtoHAsync"))
    return status;
  return driver.check(driver.StreamSynchronize(queue), "cuStreamSynchronize");
}

TileRtStatus CudaDevice::copy(void *target, const void *source, int64_t bytes,
                              void *stream) {
  if (bytes == 0)
    return TILE_RT_SUCCESS;
  return call(driver.MemcpyDtoDAsync, "cuMemcpyDtoDAsync",
              deviceAddress(target), deviceAddress(source), bytes,
              static_cast<CuStream>(stream));
}

TileRtStatus CudaDevice::fill(void *address, uint8_t value, int64_t bytes,
                              void *stream) {
  if (bytes == 0)
    return TILE_RT_SUCCESS;
  return call(driver.MemsetD8Async, "cuMemsetD8Async", deviceAddress(address),
              value, bytes, static_cast<CuStream>(stream));
}

TileRtStatus CudaDevice::createStream(void *&stream) {
  return call(driver.StreamCreate, "cuStreamCreate",
              reinterpret_cast<CuStream *>(&stream), 0);
}

void CudaDevice::destroyStream(void *stream) {
  Binding binding(*this);
  driver.StreamDestroy(static_cast<CuStream>(stream));
}

TileRtStatus CudaDevice::synchronizeStream(void *stream) {
  return call(driver.StreamSynchronize, "cuStreamSynchronize",
              static_cast<CuStream>(stream));
}

TileRtStatus CudaDevice::createEvent(void *&event) {
  return call(driver.EventCreate, "cuEventCreate",
              reinterpret_cast<CuEvent *>(&event), 0);
}

void CudaDevice::destroyEvent(void *event) {
  Binding binding(*this);
  driver.EventDestroy(static_cast<CuEvent>(event));
}

TileRtStatus CudaDevice::recordEvent(void *event, void *stream) {
  return call(driver.EventRecord, "cuEventRecord", static_cast<CuEvent>(event),
              static_cast<CuStream>(stream));
}

TileRtStatus CudaDevice::elapsed(void *start, void *stop,
                                 double &milliseconds) {
  Binding binding(*this);
  if (TileRtStatus status = binding.status())
    return status;
  if (TileRtStatus status =
          driver.check(driver.EventSynchronize(static_cast<CuEvent>(stop)),
                       "cuEventSynchronize"))
    return status;
  float result = 0;
  if (TileRtStatus status = driver.check(
          driver.EventElapsedTime(&result, static_cast<CuEvent>(start),
                                  static_cast<CuEvent>(stop)),
          "cuEventElapsedTime"))
    return status;
  milliseconds = result;
  return TILE_RT_SUCCESS;
}

TileRtStatus CudaDevice::loadModule(const Artifact &artifact,
                                    std::unique_ptr<DeviceModule> &module) {
  auto result = std::make_unique<CudaModule>(*this);
  TileRtStatus status = result->load(artifact);
  if (status == TILE_RT_SUCCESS)
    module = std::move(result);
  return status;
}

CudaModule::~CudaModule() {
  if (!module)
    return;
  Binding binding(device);
  device.driver.CtxSynchronize();
  for (const Kernel &kernel : kernels)
    device.triggering.remove(kernel.function);
  device.driver.ModuleUnload(module);
}

/// Whether a chip's code names one architecture only: sm_90a, sm_120f.
static bool isArchitectureSpecific(const std::string &chip) {
  return !chip.empty() && (chip.back() < '0' || chip.back() > '9');
}

/// Whether a cubin for `chip` may run on a device of chip `device`: same major
/// version, and a minor one that is not larger.
static bool cubinFits(const std::string &chip, const std::string &device) {
  if (isArchitectureSpecific(chip))
    return chip.substr(0, chip.size() - 1) == device;
  return chip.size() == device.size() && chip.size() > 4 &&
         chip.substr(0, chip.size() - 1) ==
             device.substr(0, device.size() - 1) &&
         chip.back() <= device.back();
}

/// The number in "sm_90a"; 0 when there is none.
static int chipNumber(const std::string &chip) {
  int number = 0;
  for (char c : chip)
    if (c >= '0' && c <= '9' && number < 100000)
      number = number * 10 + (c - '0');
  return number;
}

TileRtStatus CudaModule::loadCode(const Artifact &artifact) {
  const CudaDriver &driver = device.driver;
  std::string chip = device.info().chip;
  for (const Blob &blob : artifact.blobs) {
    // Copied because the driver wants the image aligned.
    if (blob.name.compare(0, 5, "cubin") || !cubinFits(blob.chip, chip))
      continue;
    std::string image(blob.bytes);
    if (driver.ModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr) ==
        0)
      return TILE_RT_SUCCESS;
    module = nullptr;
  }
  const Blob *blob = artifact.findBlob("ptx");
  if (!blob)
    return fail(TILE_RT_BAD_ARTIFACT,
                format("the artifact has no code for %s: no PTX, and no cubin "
                       "that fits",
                       chip.c_str()));
  if (isArchitectureSpecific(artifact.chip)
          ? !cubinFits(artifact.chip, chip)
          : chipNumber(artifact.chip) > chipNumber(chip))
    return fail(TILE_RT_BAD_ARTIFACT,
                format("expected an artifact that runs on %s, but got one for "
                       "%s",
                       chip.c_str(), artifact.chip.c_str()));
  std::string text(blob->bytes);
  std::vector<char> log(16384, '\0');
  int options[] = {JitErrorLog, JitErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  CuResult result =
      driver.ModuleLoadDataEx(&module, text.c_str(), 2, options, values);
  if (result != 0)
    module = nullptr;
  size_t length = std::strlen(log.data());
  while (length && (log[length - 1] == '\n' || log[length - 1] == ' '))
    log[--length] = '\0';
  return driver.check(result, "cuModuleLoadDataEx", log.data());
}

/// Clusters are of one part of the chip, and those parts are not alike: fewer
/// fit than the number of multiprocessors says.
void CudaModule::findActiveClusters(Kernel &kernel,
                                    const KernelFacts &facts) const {
  const CudaDriver &driver = device.driver;
  if (facts.cluster[0] == 1 || !driver.OccupancyMaxActiveClusters)
    return;
  CuLaunchAttribute attribute = {};
  attribute.id = cuLaunchAttributeCluster;
  attribute.value.cluster[0] = static_cast<unsigned>(facts.cluster[0]);
  attribute.value.cluster[1] = attribute.value.cluster[2] = 1;
  CuLaunchConfig config = {};
  config.attributes = &attribute;
  config.attributeCount = 1;
  config.grid[0] = static_cast<unsigned>(facts.cluster[0]);
  config.grid[1] = config.grid[2] = 1;
  for (int i = 0; i < 3; ++i)
    config.block[i] = static_cast<unsigned>(facts.block[i]);
  config.sharedBytes = static_cast<unsigned>(facts.dynamicSharedBytes);
  // What the driver does not say is not known.
  if (driver.OccupancyMaxActiveClusters(&kernel.activeClusters, kernel.function,
                                        &config) != 0)
    kernel.activeClusters = 0;
}

TileRtStatus CudaModule::load(const Artifact &artifact) {
  const CudaDriver &driver = device.driver;
  Binding binding(device);
  if (TileRtStatus status = binding.status())
    return status;
  if (TileRtStatus status = loadCode(artifact))
    return status;
  for (const KernelFacts &facts : artifact.kernels) {
    Kernel &kernel = kernels.emplace_back();
    if (driver.ModuleGetFunction(&kernel.function, module,
                                 facts.name.c_str()) != 0)
      return fail(TILE_RT_BAD_ARTIFACT,
                  format("the artifact's device code has no kernel '%s'",
                         facts.name.c_str()));
    if (facts.programmatic)
      device.triggering.add(kernel.function);
    // Asking now also loads lazily loaded code, which a launch during stream
    // capture must not do.
    driver.FuncGetAttribute(&kernel.registers, RegisterCount, kernel.function);
    driver.FuncGetAttribute(&kernel.localBytes, LocalBytes, kernel.function);
    int shared = 0;
    driver.FuncGetAttribute(&shared, StaticSharedBytes, kernel.function);
    // A failure shows at a launch that needs more than the default.
    driver.FuncSetAttribute(kernel.function, MaxDynamicShared,
                            static_cast<int>(device.info().sharedMemoryLimit) -
                                shared);
    if (facts.cluster[0] > portableCluster)
      driver.FuncSetAttribute(kernel.function, NonPortableClusterAllowed, 1);
    findActiveClusters(kernel, facts);
  }
  return TILE_RT_SUCCESS;
}

void CudaModule::describeKernel(int index, TileRtKernelInfo &info) const {
  info.registers = kernels[index].registers;
  info.localBytes = kernels[index].localBytes;
}

/// Whether a launch in `stream` is made a programmatic one.
bool CudaModule::startsEarly(ProgrammaticLaunch programmatic,
                             CuStream stream) const {
  const CudaDriver &driver = device.driver;
  // A driver that is too old for a programmatic launch makes an ordinary one.
  if (programmatic == ProgrammaticLaunch::Never || !driver.LaunchKernelEx)
    return false;
  if (programmatic == ProgrammaticLaunch::Always ||
      !driver.StreamGetCaptureInfo || !driver.GraphNodeGetType ||
      !driver.GraphKernelNodeGetParams)
    return true;
  int status = cuCaptureNone;
  const CuGraphNode *inFront = nullptr;
  size_t count = 0;
  if (driver.StreamGetCaptureInfo(stream, &status, nullptr, nullptr, &inFront,
                                  &count) != 0)
    return false;
  if (status == cuCaptureNone)
    return true;
  for (size_t i = 0; i < count; ++i) {
    int type = -1;
    CuKernelNode node = {};
    if (driver.GraphNodeGetType(inFront[i], &type) != 0 ||
        type != cuGraphNodeKernel ||
        driver.GraphKernelNodeGetParams(inFront[i], &node) != 0 ||
        !device.triggering.contains(node.function))
      return false;
  }
  return count > 0;
}

TileRtStatus CudaModule::launch(int index, const LaunchShape &shape,
                                void **args, void *stream) {
  Binding binding(device);
  if (TileRtStatus status = binding.status())
    return status;
  const int64_t *grid = shape.grid, *block = shape.block;
  const int64_t *cluster = shape.cluster;
  CuFunction function = kernels[index].function;
  CuStream queue = static_cast<CuStream>(stream);
  bool clustered = cluster[0] * cluster[1] * cluster[2] > 1;
  bool programmatic = startsEarly(shape.programmatic, queue);
  if (!clustered && !programmatic)
    return device.driver.check(
        device.driver.LaunchKernel(
            function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
            shape.dynamicSharedBytes, queue, args, nullptr),
        "cuLaunchKernel");
  if (!device.driver.LaunchKernelEx)
    return fail(TILE_RT_REQUIREMENT,
                "the kernel runs in clusters, " + device.limits().noClusters);
  CuLaunchAttribute attributes[2] = {};
  CuLaunchConfig config = {};
  config.attributes = attributes;
  if (clustered) {
    CuLaunchAttribute &attribute = attributes[config.attributeCount++];
    attribute.id = cuLaunchAttributeCluster;
    for (int i = 0; i < 3; ++i)
      attribute.value.cluster[i] = static_cast<unsigned>(cluster[i]);
  }
  if (programmatic) {
    CuLaunchAttribute &attribute = attributes[config.attributeCount++];
    attribute.id = cuLaunchAttributeProgrammatic;
    attribute.value.allowed = 1;
  }
  for (int i = 0; i < 3; ++i) {
    config.grid[i] = static_cast<unsigned>(grid[i]);
    config.block[i] = static_cast<unsigned>(block[i]);
  }
  config.sharedBytes = static_cast<unsigned>(shape.dynamicSharedBytes);
  config.stream = queue;
  return device.driver.check(
      device.driver.LaunchKernelEx(&config, function, args, nullptr),
      "cuLaunchKernelEx");
}

TileRtStatus tile::rt::openCudaDevice(int ordinal,
                                      std::shared_ptr<Device> &device) {
  auto result = std::make_shared<CudaDevice>();
  TileRtStatus status = result->open(ordinal);
  if (status == TILE_RT_SUCCESS)
    device = std::move(result);
  return status;
}
