// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: checks and launches the steps of an entry.
#include "Error.h"
#include "Gemm.h"
#include "Handles.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tile::rt;

namespace {
/// A step that is ready to be launched; `kernel` is -1 for an empty problem.
struct ReadyStep {
  int kernel = -1;
  LaunchShape shape;
  PackedArguments arguments;
};
} // namespace

/// Chooses the kernel of one step. `passedOver` gets the reasons of the others.
static TileRtStatus chooseKernel(const TileRtModuleImpl &module,
                                 const GemmStep &step,
                                 const GemmProblem &problem, const char *forced,
                                 int &chosen, std::string &passedOver) {
  int64_t limit = module.device->info().sharedMemoryLimit;
  chosen = -1;
  for (int index : step.kernels) {
    const KernelFacts &kernel = module.artifact.kernels[index];
    if (forced && kernel.name != forced)
      continue;
    std::string reason = whyNot(kernel, problem, limit);
    if (reason.empty()) {
      chosen = index;
      return TILE_RT_SUCCESS;
    }
    if (!passedOver.empty())
      passedOver += "; ";
    passedOver += kernel.name + ": " + reason;
  }
  if (forced)
    return fail(TILE_RT_REQUIREMENT,
                "kernel " + passedOver + "; it was asked for by name");
  return fail(TILE_RT_REQUIREMENT,
              "no kernel of the artifact fits the operands: " + passedOver);
}

/// Checks one step and fills `ready`. `info` is written as far as things got.
static TileRtStatus prepareStep(const TileRtModuleImpl &module,
                                const Entry &entry, const GemmStep &step,
                                const TileRtArgument *args, const char *forced,
                                ReadyStep &ready, TileRtLaunchInfo &info) {
  GemmProblem problem;
  std::string reason = buildProblem(entry, step, args, problem);
  info.m = problem.m;
  info.n = problem.n;
  info.k = problem.k;
  info.batch = problem.batch;
  if (!reason.empty())
    return fail(TILE_RT_INVALID_ARGUMENT, reason);
  if (problem.empty())
    return TILE_RT_SUCCESS;

  bool listed = false;
  for (int index : step.kernels)
    listed |= forced && module.artifact.kernels[index].name == forced;
  std::string passedOver;
  TileRtStatus status =
      chooseKernel(module, step, problem, listed ? forced : nullptr,
                   ready.kernel, passedOver);
  std::snprintf(info.passedOver, sizeof(info.passedOver), "%s",
                passedOver.c_str());
  if (status != TILE_RT_SUCCESS)
    return status;
  const KernelFacts &kernel = module.artifact.kernels[ready.kernel];
  reason = computeShape(kernel, problem, ready.shape);
  if (!reason.empty())
    return fail(TILE_RT_INVALID_ARGUMENT, reason);
  packArguments(kernel, problem, ready.arguments);
  info.kernel = kernel.name.c_str();
  for (int i = 0; i < 3; ++i) {
    info.grid[i] = ready.shape.grid[i];
    info.block[i] = ready.shape.block[i];
  }
  return TILE_RT_SUCCESS;
}

static bool listsKernel(const TileRtModuleImpl &module, const Entry &entry,
                        const char *name) {
  for (const GemmStep &step : entry.steps)
    for (int index : step.kernels)
      if (module.artifact.kernels[index].name == name)
        return true;
  return false;
}

TileRtStatus tileRtLaunchEntry(TileRtModule module, const char *entryName,
                               const TileRtArgument *args, int32_t count,
                               const TileRtLaunchOptions *options,
                               TileRtStream stream, TileRtLaunchInfo *info) {
  if (!module || !entryName || (!args && count > 0))
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a module, an entry and arguments, but got null");
  static constexpr TileRtLaunchOptions defaults = {nullptr, 0, 0};
  if (!options)
    options = &defaults;
  int64_t capacity = info ? std::max(options->infoCapacity, 1) : 0;
  if (info)
    std::memset(info, 0, capacity * sizeof(*info));
  const Entry *entry = module->artifact.findEntry(entryName);
  if (!entry)
    return fail(TILE_RT_NOT_FOUND,
                format("the artifact has no entry '%s'", entryName));
  if (options->kernel && !listsKernel(*module, *entry, options->kernel))
    return fail(TILE_RT_NOT_FOUND, format("entry '%s' has no kernel '%s'",
                                          entryName, options->kernel));
  void *native = nullptr;
  TileRtStatus status = nativeStream(module->device.get(), stream, native);
  if (status != TILE_RT_SUCCESS)
    return status;
  std::string reason = checkArguments(*entry, args, count);
  if (!reason.empty())
    return fail(TILE_RT_INVALID_ARGUMENT, reason);

  std::vector<ReadyStep> ready(entry->steps.size());
  for (size_t i = 0; i < ready.size(); ++i) {
    TileRtLaunchInfo ignored = {};
    status =
        prepareStep(*module, *entry, entry->steps[i], args, options->kernel,
                    ready[i], int64_t(i) < capacity ? info[i] : ignored);
    if (status != TILE_RT_SUCCESS)
      return status;
  }
  if (options->dryRun)
    return TILE_RT_SUCCESS;
  for (ReadyStep &step : ready) {
    if (step.kernel < 0)
      continue;
    status = module->code->launch(step.kernel, step.shape,
                                  step.arguments.pointers.data(), native);
    if (status != TILE_RT_SUCCESS)
      return status;
  }
  return TILE_RT_SUCCESS;
}
