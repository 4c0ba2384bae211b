// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of the benchmark: the device, the libraries, and the points.
#ifndef TILE_LIB_BENCH_SETTING_H
#define TILE_LIB_BENCH_SETTING_H

#include "Compile.h"
#include "CublasLt.h"
#include "CudaApi.h"
#include "Front.h"
#include "Measure.h"
#include "Nvml.h"
#include "Operands.h"
#include "Options.h"
#include "Results.h"
#include "Watchdog.h"

#include <map>
#include <memory>

namespace tile::bench {

/// Closes a device.
struct DeviceDeleter {
  void operator()(TileRtDevice device) const { tileRtDeviceClose(device); }
};
/// Destroys a stream.
struct StreamDeleter {
  void operator()(TileRtStream stream) const { tileRtStreamDestroy(stream); }
};

/// What all points share. The members are destroyed in reverse order: what
/// lives in the CUDA context goes before the context.
struct Setting {
  explicit Setting(const Options &options) : options(options) {}

  const Options &options;
  std::unique_ptr<std::remove_pointer_t<TileRtDevice>, DeviceDeleter> device;
  TileRtDeviceInfo info = {};
  CudaApi cuda;
  std::unique_ptr<Nvml> nvml;
  std::unique_ptr<std::remove_pointer_t<TileRtStream>, StreamDeleter> stream;
  std::unique_ptr<CublasLt> cublas;
  UniqueBuffer workspace, scratch;
  /// One for each element type that occurred.
  std::map<std::pair<ElementType, bool>, std::unique_ptr<Noise>> noises;
  std::unique_ptr<Stopwatch> stopwatch;
  /// What stands in front of launches, unless they stand behind each other.
  std::unique_ptr<FrontKernel> front;
  CompileSettings compile;
  std::string toolchain;
  /// Watches first launches; null: nobody does.
  std::unique_ptr<Watchdog> watchdog;

  /// Opens everything. Returns why nothing can be measured.
  std::optional<std::string> open();
  /// The noise of a type, made when it is first asked for.
  Result<const Noise *> noise(const ElementTypeInfo &type, bool tf32);
  /// The noise of each operand of a point.
  Result<Noises> noisesOf(const Point &point);
  /// Why the device can do no more, after a fault of a kernel for example;
  /// nothing while it works.
  std::optional<std::string> deviceFault() const;
};

/// One of ours on its way from text to the device.
struct Candidate {
  /// The schedule's text, or "default".
  std::string schedule;
  CompiledCandidate compiled;
  std::unique_ptr<LoadedCandidate> loaded;
  /// Why it cannot run; "" if it can.
  std::string failure;
  double loadMilliseconds = 0;

  void compile(const Point &point, const CompileSettings &settings);
  /// Loads what was compiled, unless that failed.
  void load(Setting &setting, const Point &point);
};

/// The schedules to measure for a point: its own and those of the options; the
/// compiler's choice if there are none.
std::vector<Candidate> listCandidates(const Options &options,
                                      const Point &point);

/// Checks and times all implementations of a point.
PointResult runPoint(Setting &setting, const Point &point,
                     std::vector<Candidate> candidates, const Effort &effort);

} // namespace tile::bench

#endif // TILE_LIB_BENCH_SETTING_H
