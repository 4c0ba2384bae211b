// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: devices, modules and kernels.
#include "Error.h"
#include "Handles.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

using namespace tile::rt;

using Long = long long;

/// Parses "cuda" or "cuda:N"; -1 when it is neither.
static int cudaOrdinal(const char *spec) {
  if (!std::strcmp(spec, "cuda"))
    return 0;
  if (std::strncmp(spec, "cuda:", 5) || !spec[5])
    return -1;
  int ordinal = 0;
  for (const char *digit = spec + 5; *digit; ++digit) {
    if (*digit < '0' || *digit > '9' || ordinal > 9999)
      return -1;
    ordinal = ordinal * 10 + (*digit - '0');
  }
  return ordinal;
}

TileRtStatus tileRtDeviceOpen(const char *spec, TileRtDevice *device) {
  if (!spec || !device)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device name and an output, but got null");
  std::shared_ptr<Device> opened;
  TileRtStatus status;
  if (!std::strcmp(spec, "sim")) {
    status = openSimDevice(opened);
  } else if (!std::strcmp(spec, "auto")) {
    status = openCudaDevice(0, opened);
    if (status == TILE_RT_NO_DEVICE)
      status = openSimDevice(opened);
  } else if (int ordinal = cudaOrdinal(spec); ordinal >= 0) {
    status = openCudaDevice(ordinal, opened);
  } else {
    return fail(
        TILE_RT_INVALID_ARGUMENT,
        format("expected a device 'auto', 'cuda', 'cuda:N' or 'sim', but "
               "got '%.60s'",
               spec));
  }
  if (status != TILE_RT_SUCCESS)
    return status;
  *device = new TileRtDeviceImpl{std::move(opened)};
  return TILE_RT_SUCCESS;
}

void tileRtDeviceClose(TileRtDevice device) { delete device; }

TileRtStatus tileRtDeviceGetInfo(TileRtDevice device, TileRtDeviceInfo *info) {
  if (!device || !info)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device and an output, but got null");
  *info = device->device->info();
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtDeviceSynchronize(TileRtDevice device) {
  if (!device)
    return fail(TILE_RT_INVALID_ARGUMENT, "expected a device, but got null");
  return device->device->synchronize();
}

static TileRtStatus loadModule(TileRtDevice device, std::string bytes,
                               TileRtModule *module) {
  auto result = std::make_unique<TileRtModuleImpl>();
  result->device = device->device;
  std::string reason = parseArtifact(std::move(bytes), result->artifact);
  if (!reason.empty())
    return fail(TILE_RT_BAD_ARTIFACT, reason);
  TileRtStatus status =
      result->device->loadModule(result->artifact, result->code);
  if (status != TILE_RT_SUCCESS)
    return status;
  for (size_t i = 0; i < result->artifact.kernels.size(); ++i)
    result->kernels.push_back({result.get(), static_cast<int>(i)});
  *module = result.release();
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtModuleLoad(TileRtDevice device, const void *data,
                              size_t size, TileRtModule *module) {
  if (!device || !module || (!data && size))
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device, data and an output, but got null");
  return loadModule(device, std::string(static_cast<const char *>(data), size),
                    module);
}

TileRtStatus tileRtModuleLoadFile(TileRtDevice device, const char *path,
                                  const TileRtModuleOptions *options,
                                  TileRtModule *module) {
  if (!device || !module || !path)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device, a path and an output, but got null");
  bool trusted = options && options->trustsHostCode;
  if (device->device->info().kind == TILE_RT_DEVICE_SIM && !trusted)
    return fail(TILE_RT_INVALID_ARGUMENT,
                format("expected trustsHostCode to be set for '%s', whose code "
                       "the simulator runs in this process: set it for a file "
                       "that you trust",
                       path));
  auto ioError = [&] {
    return fail(TILE_RT_IO_ERROR,
                format("cannot read '%s': %s", path, std::strerror(errno)));
  };
  std::FILE *file = std::fopen(path, "rb");
  if (!file)
    return ioError();
  std::string bytes;
  char chunk[1 << 16];
  while (size_t got = std::fread(chunk, 1, sizeof(chunk), file))
    bytes.append(chunk, got);
  bool failed = std::ferror(file);
  TileRtStatus status = failed ? ioError() : TILE_RT_SUCCESS;
  std::fclose(file);
  if (failed)
    return status;
  return loadModule(device, std::move(bytes), module);
}

void tileRtModuleUnload(TileRtModule module) { delete module; }

const char *tileRtModuleGetManifest(TileRtModule module, size_t *length) {
  if (length)
    *length = module ? module->artifact.manifest.size() : 0;
  return module ? module->artifact.manifest.c_str() : "";
}

TileRtStatus tileRtModuleGetBlob(TileRtModule module, const char *name,
                                 const void **data, size_t *size) {
  if (!module || !name || !data || !size)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a module, a name and outputs, but got null");
  const Blob *blob = module->artifact.findBlob(name);
  if (!blob)
    return fail(TILE_RT_NOT_FOUND,
                format("the artifact has no blob '%s'", name));
  *data = blob->bytes.data();
  *size = blob->bytes.size();
  return TILE_RT_SUCCESS;
}

int32_t tileRtModuleGetEntryCount(TileRtModule module) {
  return module ? static_cast<int32_t>(module->artifact.entries.size()) : 0;
}

const char *tileRtModuleGetEntryName(TileRtModule module, int32_t index) {
  if (index < 0 || index >= tileRtModuleGetEntryCount(module))
    return nullptr;
  return module->artifact.entries[index].name.c_str();
}

int32_t tileRtModuleGetStepCount(TileRtModule module, const char *entry) {
  const Entry *found =
      module && entry ? module->artifact.findEntry(entry) : nullptr;
  return found ? static_cast<int32_t>(found->steps.size()) : -1;
}

int32_t tileRtModuleGetKernelCount(TileRtModule module) {
  return module ? static_cast<int32_t>(module->kernels.size()) : 0;
}

const char *tileRtModuleGetKernelName(TileRtModule module, int32_t index) {
  if (index < 0 || index >= tileRtModuleGetKernelCount(module))
    return nullptr;
  return module->artifact.kernels[index].name.c_str();
}

TileRtStatus tileRtModuleGetAccessCounts(TileRtModule module,
                                         TileRtAccessCount *counts,
                                         int32_t capacity, int32_t *total) {
  if (!module || !total || (capacity > 0 && !counts))
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a module and outputs, but got null");
  const std::vector<std::string> &sites = module->artifact.simSites;
  *total = 0;
  for (const auto &[place, totals] : module->code->getAccessCounts()) {
    int32_t number = (*total)++;
    if (number >= capacity)
      continue;
    TileRtAccessCount &count = counts[number];
    bool known = place.site >= 0 && size_t(place.site) < sites.size();
    count.site = known ? sites[place.site].c_str() : "an unknown location";
    count.isStore = place.isStore;
    count.isShared = place.isShared;
    count.requests = static_cast<int64_t>(totals.requests);
    count.sectors = static_cast<int64_t>(totals.sectors);
    count.bytes = static_cast<int64_t>(totals.bytes);
    count.wavefronts = static_cast<int64_t>(totals.wavefronts);
    count.leastWavefronts = static_cast<int64_t>(totals.leastWavefronts);
    count.ways = static_cast<int32_t>(totals.ways);
  }
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtModuleGetKernel(TileRtModule module, const char *name,
                                   TileRtKernel *kernel) {
  if (!module || !name || !kernel)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a module, a name and an output, but got null");
  int index = module->artifact.findKernel(name);
  if (index < 0)
    return fail(TILE_RT_NOT_FOUND,
                format("the artifact has no kernel '%s'", name));
  *kernel = &module->kernels[index];
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtKernelGetInfo(TileRtKernel kernel, TileRtKernelInfo *info) {
  if (!kernel || !info)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a kernel and an output, but got null");
  const KernelFacts &facts = kernel->module->artifact.kernels[kernel->index];
  info->name = facts.name.c_str();
  info->schedule = facts.schedule.c_str();
  for (int i = 0; i < 3; ++i)
    info->block[i] = static_cast<int32_t>(facts.block[i]);
  info->sharedBytes = facts.sharedBytes;
  info->registers = -1;
  info->localBytes = -1;
  info->dynamicSharedBytes = facts.dynamicSharedBytes;
  info->cluster = static_cast<int32_t>(facts.cluster[0]);
  info->reason = kernel->module->artifact.findReason(kernel->index);
  info->multipliesAsTf32 = facts.factors == "tf32";
  info->assembledRegisters = -1;
  info->assembledChip = "";
  if (!facts.registers.empty()) {
    info->assembledRegisters = static_cast<int32_t>(facts.registers[0].count);
    info->assembledChip = facts.registers[0].chip.c_str();
  }
  kernel->module->code->describeKernel(kernel->index, *info);
  return TILE_RT_SUCCESS;
}

std::string tile::rt::checkLaunch(const LaunchShape &shape) {
  static constexpr int64_t gridLimits[] = {std::numeric_limits<int32_t>::max(),
                                           65535, 65535};
  static constexpr int64_t blockLimits[] = {1024, 1024, 64};
  static constexpr char axes[] = "xyz";
  for (int i = 0; i < 3; ++i) {
    if (shape.grid[i] < 1 || shape.grid[i] > gridLimits[i])
      return format("expected a grid of 1 to %lld in %c, but got %lld",
                    Long(gridLimits[i]), axes[i], Long(shape.grid[i]));
    if (shape.cluster[i] < 1 || shape.grid[i] % shape.cluster[i])
      return format("expected a grid of whole clusters of %lld in %c, but got "
                    "%lld",
                    Long(shape.cluster[i]), axes[i], Long(shape.grid[i]));
    if (shape.block[i] < 1 || shape.block[i] > blockLimits[i])
      return format("expected a block of 1 to %lld in %c, but got %lld",
                    Long(blockLimits[i]), axes[i], Long(shape.block[i]));
  }
  int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  if (threads > 1024)
    return format("expected at most 1024 threads in a block, but got %lld",
                  Long(threads));
  if (shape.dynamicSharedBytes < 0)
    return format("expected at least 0 bytes of dynamic shared memory, but got "
                  "%lld",
                  Long(shape.dynamicSharedBytes));
  return "";
}

/// Returns which argument is missing, "" if none is.
static std::string checkPointers(const KernelFacts &facts, void **args) {
  size_t count = facts.parameterTypes.size();
  if (count && !args)
    return format("expected the %zu argument%s of kernel '%s', but got null",
                  count, count == 1 ? "" : "s", facts.name.c_str());
  for (size_t i = 0; i < count; ++i)
    if (!args[i])
      return format("expected %zu arguments of kernel '%s', but got null for "
                    "argument %zu",
                    count, facts.name.c_str(), i);
  return "";
}

TileRtStatus tileRtKernelLaunch(TileRtKernel kernel, const int64_t grid[3],
                                const int64_t block[3],
                                int64_t dynamicSharedBytes, void **args,
                                TileRtStream stream) {
  if (!kernel || !grid || !block)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a kernel, a grid and a block, but got null");
  LaunchShape shape{{grid[0], grid[1], grid[2]},
                    {block[0], block[1], block[2]},
                    dynamicSharedBytes};
  shape.cluster[0] = kernel->module->artifact.kernels[kernel->index].cluster[0];
  std::string reason = checkLaunch(shape);
  if (reason.empty())
    reason =
        checkPointers(kernel->module->artifact.kernels[kernel->index], args);
  if (!reason.empty())
    return fail(TILE_RT_INVALID_ARGUMENT, reason);
  TileRtModuleImpl &module = *kernel->module;
  void *native = nullptr;
  TileRtStatus status = nativeStream(module.device.get(), stream, native);
  if (status != TILE_RT_SUCCESS)
    return status;
  return module.code->launch(kernel->index, shape, args, native);
}
