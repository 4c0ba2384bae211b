// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads NVML and reads clocks, power and temperature. Reads only.
#include "Nvml.h"

#include "llvm/Support/FormatVariadic.h"
#include <dlfcn.h>

using namespace tile::bench;

// Numbers of NVML's enumerations.
static constexpr int clockSm = 1, clockMemory = 2, sensorGpu = 0;

/// Every function used: name without "nvml", exported symbol, parameters.
#define TILE_BENCH_NVML_FUNCTIONS(X)                                           \
  X(Init, "nvmlInit_v2", ())                                                   \
  X(Shutdown, "nvmlShutdown", ())                                              \
  X(SystemGetDriverVersion, "nvmlSystemGetDriverVersion", (char *, unsigned))  \
  X(DeviceGetHandle, "nvmlDeviceGetHandleByPciBusId_v2",                       \
    (const char *, void **))                                                   \
  X(DeviceGetClockInfo, "nvmlDeviceGetClockInfo", (void *, int, unsigned *))   \
  X(DeviceGetPowerUsage, "nvmlDeviceGetPowerUsage", (void *, unsigned *))      \
  X(DeviceGetPowerLimit, "nvmlDeviceGetEnforcedPowerLimit",                    \
    (void *, unsigned *))                                                      \
  X(DeviceGetTemperature, "nvmlDeviceGetTemperature", (void *, int, unsigned *))

struct Nvml::Functions {
#define TILE_BENCH_DECLARE(name, symbol, parameters) int(*name) parameters;
  TILE_BENCH_NVML_FUNCTIONS(TILE_BENCH_DECLARE)
#undef TILE_BENCH_DECLARE
};

Nvml::Nvml(llvm::StringRef pciBusId) {
  // Never closed: other parts of the process may use it.
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    reason = "libnvidia-ml.so.1 was not found";
    return;
  }
  auto loaded = std::make_unique<Functions>();
#define TILE_BENCH_RESOLVE(name, symbol, parameters)                           \
  loaded->name = reinterpret_cast<int(*) parameters>(dlsym(library, symbol));  \
  if (!loaded->name) {                                                         \
    reason = "libnvidia-ml.so.1 has no function " symbol;                      \
    return;                                                                    \
  }
  TILE_BENCH_NVML_FUNCTIONS(TILE_BENCH_RESOLVE)
#undef TILE_BENCH_RESOLVE
  if (int status = loaded->Init()) {
    reason = llvm::formatv("nvmlInit failed with status {0}", status);
    return;
  }
  functions = std::move(loaded);
  int status = functions->DeviceGetHandle(pciBusId.str().c_str(), &card);
  if (status != 0) {
    card = nullptr;
    reason = llvm::formatv("NVML does not find the card: status {0}", status);
  }
}

Nvml::~Nvml() {
  if (functions)
    functions->Shutdown();
}

std::string Nvml::driverVersion() const {
  char version[96] = "";
  if (!functions ||
      functions->SystemGetDriverVersion(version, sizeof(version)) != 0)
    return "";
  return version;
}

CardState Nvml::read() const {
  CardState state;
  if (!card)
    return state;
  unsigned value = 0;
  if (functions->DeviceGetClockInfo(card, clockSm, &value) == 0)
    state.smClock = value;
  if (functions->DeviceGetClockInfo(card, clockMemory, &value) == 0)
    state.memoryClock = value;
  if (functions->DeviceGetPowerUsage(card, &value) == 0)
    state.power = value;
  if (functions->DeviceGetPowerLimit(card, &value) == 0)
    state.powerLimit = value;
  if (functions->DeviceGetTemperature(card, sensorGpu, &value) == 0)
    state.temperature = value;
  return state;
}

std::string CardState::describe() const {
  std::string text;
  auto add = [&](std::string part) {
    text += (text.empty() ? "" : ", ") + part;
  };
  if (smClock)
    add(llvm::formatv("{0} MHz", *smClock));
  if (power && powerLimit)
    add(llvm::formatv("{0} of {1} W", (*power + 500) / 1000,
                      (*powerLimit + 500) / 1000));
  else if (power)
    add(llvm::formatv("{0} W", (*power + 500) / 1000));
  if (temperature)
    add(llvm::formatv("{0} C", *temperature));
  return text;
}
