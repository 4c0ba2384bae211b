// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: checks and launches the steps of an entry.
#include "Choice.h"
#include "Error.h"
#include "Handles.h"
#include "Prepare.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

using namespace tile::rt;

namespace {
/// A kernel that is ready to be launched.
struct ReadyLaunch {
  int kernel;
  LaunchShape shape;
  PackedArguments arguments;
};

/// A call of an entry whose arguments were looked at one by one.
struct Call {
  const TileRtModuleImpl &module;
  const Entry *entry = nullptr;
  const TileRtArgument *args = nullptr;
  TileRtLaunchOptions options = {};

  const Artifact &artifact() const { return module.artifact; }
  const DeviceLimits &limits() const { return module.device->limits(); }
  Workspace workspace() const {
    return {options.workspace, options.workspaceBytes};
  }
};
} // namespace

static bool listsKernel(const Artifact &artifact, const GemmStep &step,
                        const char *name) {
  for (const Choice &choice : step.choices)
    if (artifact.kernels[choice.kernel].name == name)
      return true;
  return false;
}

static std::string checkWorkspace(const TileRtLaunchOptions &options) {
  constexpr uintptr_t alignment = 256;
  uintptr_t past = reinterpret_cast<uintptr_t>(options.workspace) % alignment;
  if (options.workspaceBytes < 0 ||
      (!options.workspace && options.workspaceBytes > 0))
    return format("expected a workspace of at least 0 bytes, and 0 without an "
                  "address, but got %lld at %p",
                  static_cast<long long>(options.workspaceBytes),
                  options.workspace);
  if (past)
    return format("expected a workspace on a %llu-byte boundary, but got one "
                  "%llu past it",
                  static_cast<unsigned long long>(alignment),
                  static_cast<unsigned long long>(past));
  return "";
}

/// The option of a launch as the device takes it; nothing for a number that is
/// none.
static std::optional<ProgrammaticLaunch>
programmaticLaunch(const TileRtLaunchOptions &options) {
  switch (static_cast<int>(options.programmaticLaunch)) {
  case TILE_RT_PROGRAMMATIC_WHERE_IT_GAINS:
    return ProgrammaticLaunch::WhereItGains;
  case TILE_RT_PROGRAMMATIC_NEVER:
    return ProgrammaticLaunch::Never;
  case TILE_RT_PROGRAMMATIC_ALWAYS:
    return ProgrammaticLaunch::Always;
  }
  return std::nullopt;
}

/// Makes the checks that all functions on entries have in common.
static TileRtStatus beginCall(const char *entryName, const TileRtArgument *args,
                              int32_t count, const TileRtLaunchOptions *options,
                              Call &call) {
  call.args = args;
  if (options)
    call.options = *options;
  call.entry = call.artifact().findEntry(entryName);
  if (!call.entry)
    return fail(TILE_RT_NOT_FOUND,
                format("the artifact has no entry '%s'", entryName));
  const char *forced = call.options.kernel;
  bool listed = !forced;
  for (const GemmStep &step : call.entry->steps)
    listed = listed || listsKernel(call.artifact(), step, forced);
  if (!listed)
    return fail(TILE_RT_NOT_FOUND,
                format("entry '%s' has no kernel '%s'", entryName, forced));
  std::string reason = checkWorkspace(call.options);
  if (reason.empty() && !programmaticLaunch(call.options))
    reason = format("expected a TileRtProgrammaticLaunch from 0 to 2 as the "
                    "option programmaticLaunch, but got %d",
                    static_cast<int>(call.options.programmaticLaunch));
  if (reason.empty())
    reason = checkArguments(*call.entry, args, count);
  return reason.empty() ? TILE_RT_SUCCESS
                        : fail(TILE_RT_INVALID_ARGUMENT, reason);
}

/// Evaluates the choices of a step that may be taken; without `all` only as far
/// as it takes to know which one is.
static std::vector<Candidate> findCandidates(const Call &call,
                                             const GemmStep &step,
                                             const GemmProblem &problem,
                                             const Workspace &workspace,
                                             bool all = false) {
  const Artifact &artifact = call.artifact();
  const char *forced = call.options.kernel;
  if (forced && !listsKernel(artifact, step, forced))
    forced = nullptr;
  bool haveCosts = std::any_of(
      step.choices.begin(), step.choices.end(), [&](const Choice &choice) {
        return artifact.kernels[choice.kernel].cost.has_value();
      });
  std::vector<Candidate> candidates;
  for (const Choice &choice : step.choices) {
    if (forced && artifact.kernels[choice.kernel].name != forced)
      continue;
    candidates.push_back(
        evaluateChoice(artifact, choice, problem, call.limits(), workspace));
    if (!all && !haveCosts && candidates.back().reason.empty())
      break;
  }
  return candidates;
}

/// Why the candidates before `end` were not taken.
static std::string describePassedOver(const Artifact &artifact,
                                      const std::vector<Candidate> &candidates,
                                      size_t end) {
  std::string text;
  for (size_t i = 0; i < end; ++i) {
    const Candidate &candidate = candidates[i];
    text += (text.empty() ? "" : "; ") +
            describeChoice(artifact, *candidate.choice) + ": ";
    if (!candidate.reason.empty())
      text += candidate.reason;
    else if (candidate.nanoseconds)
      text += format("%.1f us are expected, and %.1f us of the chosen one",
                     *candidate.nanoseconds / 1000,
                     *candidates[end].nanoseconds / 1000);
    else
      text += "does not say what it costs, and the chosen one does";
  }
  return text;
}

/// Why no candidate can run, by what the caller can do about it: the least
/// workspace that would do, else what the first ones lack. A list of all would
/// be thousands of characters; tileRtEntryGetChoices has it.
static std::string describeFailure(const Artifact &artifact,
                                   const std::vector<Candidate> &candidates) {
  constexpr size_t shown = 3;
  std::vector<Candidate> first;
  for (const Candidate &candidate : candidates)
    if (candidate.lacksWorkspace &&
        (first.empty() ||
         candidate.workspaceBytes < first.front().workspaceBytes))
      first = {candidate};
  if (first.empty())
    first.assign(candidates.begin(),
                 candidates.begin() + std::min(shown, candidates.size()));
  std::string text = "no kernel of the artifact fits the operands: " +
                     describePassedOver(artifact, first, first.size());
  if (size_t others = candidates.size() - first.size())
    text += format("; and %zu other choices, which tileRtEntryGetChoices tells",
                   others);
  return text;
}

static TileRtStatus addLaunch(const Call &call, int kernel,
                              const GemmProblem &problem,
                              std::vector<ReadyLaunch> &launches) {
  const KernelFacts &facts = call.artifact().kernels[kernel];
  ReadyLaunch &ready = launches.emplace_back();
  ready.kernel = kernel;
  std::string reason =
      computeShape(facts, problem, call.limits(),
                   call.module.code->countActiveClusters(kernel), ready.shape);
  if (!reason.empty())
    return fail(TILE_RT_INVALID_ARGUMENT, reason);
  reason = packArguments(facts, problem, *call.module.device, ready.arguments);
  return reason.empty()
             ? TILE_RT_SUCCESS
             : fail(TILE_RT_DRIVER_ERROR, facts.name + ": " + reason);
}

/// Builds a step's problem. `info` is written as far as things got.
static TileRtStatus beginStep(const Call &call, const GemmStep &step,
                              GemmProblem &problem, TileRtLaunchInfo &info) {
  std::string reason = buildProblem(step, call.args, problem);
  info.m = problem.m;
  info.n = problem.n;
  info.k = problem.k;
  info.batch = problem.batch;
  info.expectedNanoseconds = -1;
  return reason.empty() ? TILE_RT_SUCCESS
                        : fail(TILE_RT_INVALID_ARGUMENT, reason);
}

/// Builds a step's problem and chooses what runs it; `chosen` stays without a
/// choice when the problem is empty.
static TileRtStatus chooseStep(const Call &call, const GemmStep &step,
                               const Workspace &workspace, GemmProblem &problem,
                               const Choice *&chosen, TileRtLaunchInfo &info) {
  chosen = nullptr;
  TileRtStatus status = beginStep(call, step, problem, info);
  if (status != TILE_RT_SUCCESS || problem.empty())
    return status;
  std::vector<Candidate> candidates =
      findCandidates(call, step, problem, workspace);
  int picked = pickCandidate(candidates);
  std::string passedOver = describePassedOver(
      call.artifact(), candidates, picked < 0 ? candidates.size() : picked);
  std::snprintf(info.passedOver, sizeof(info.passedOver), "%s",
                passedOver.c_str());
  const char *forced = call.options.kernel;
  if (picked < 0)
    return fail(TILE_RT_REQUIREMENT,
                forced && listsKernel(call.artifact(), step, forced)
                    ? "kernel " + passedOver + "; it was asked for by name"
                    : describeFailure(call.artifact(), candidates));
  chosen = candidates[picked].choice;
  info.workspaceBytes = candidates[picked].workspaceBytes;
  info.expectedNanoseconds = candidates[picked].nanoseconds.value_or(-1);
  return TILE_RT_SUCCESS;
}

/// Chooses what runs a step and appends what it launches.
static TileRtStatus readyStep(const Call &call, const GemmStep &step,
                              std::vector<ReadyLaunch> &launches,
                              TileRtLaunchInfo &info) {
  GemmProblem problem;
  const Choice *choice;
  TileRtStatus status =
      chooseStep(call, step, call.workspace(), problem, choice, info);
  if (status != TILE_RT_SUCCESS || !choice)
    return status;
  PreparedProblem prepared;
  prepareProblem(call.artifact(), *choice, problem, call.options.workspace,
                 prepared);
  for (const PackStep &pack : prepared.packs) {
    status = addLaunch(call, pack.kernel, pack.problem, launches);
    if (status != TILE_RT_SUCCESS)
      return status;
  }
  status = addLaunch(call, choice->kernel, prepared.problem, launches);
  if (status != TILE_RT_SUCCESS)
    return status;
  const LaunchShape &shape = launches.back().shape;
  info.kernel = call.artifact().kernels[choice->kernel].name.c_str();
  for (int i = 0; i < 3; ++i) {
    info.grid[i] = shape.grid[i];
    info.block[i] = shape.block[i];
  }
  info.cluster = shape.cluster[0];
  // An operand that is not used is not copied.
  if (!prepared.packs.empty())
    std::snprintf(info.prepare, sizeof(info.prepare), "%s",
                  describePrepare(call.artifact(), *choice).c_str());
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtLaunchEntry(TileRtModule module, const char *entryName,
                               const TileRtArgument *args, int32_t count,
                               const TileRtLaunchOptions *options,
                               TileRtStream stream, TileRtLaunchInfo *info) {
  if (!module || !entryName || (!args && count > 0))
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a module, an entry and arguments, but got null");
  int64_t capacity =
      info ? std::max(options ? options->infoCapacity : 0, 1) : 0;
  if (info)
    std::memset(info, 0, capacity * sizeof(*info));
  Call call{*module};
  TileRtStatus status = beginCall(entryName, args, count, options, call);
  if (status != TILE_RT_SUCCESS)
    return status;
  void *native = nullptr;
  status = nativeStream(module->device.get(), stream, native);
  if (status != TILE_RT_SUCCESS)
    return status;

  std::vector<ReadyLaunch> launches;
  const std::vector<GemmStep> &steps = call.entry->steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    TileRtLaunchInfo ignored = {};
    status = readyStep(call, steps[i], launches,
                       int64_t(i) < capacity ? info[i] : ignored);
    if (status != TILE_RT_SUCCESS)
      return status;
  }
  if (call.options.dryRun)
    return TILE_RT_SUCCESS;
  for (ReadyLaunch &launch : launches) {
    ProgrammaticLaunch &programmatic = launch.shape.programmatic;
    if (programmatic != ProgrammaticLaunch::Never)
      programmatic = *programmaticLaunch(call.options);
    status = module->code->launch(launch.kernel, launch.shape,
                                  launch.arguments.pointers.data(), native);
    if (status != TILE_RT_SUCCESS)
      return status;
  }
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtEntryGetWorkspaceSize(
    TileRtModule module, const char *entryName, const TileRtArgument *args,
    int32_t count, const TileRtLaunchOptions *options, int64_t *bytes) {
  if (!module || !entryName || (!args && count > 0) || !bytes)
    return fail(TILE_RT_INVALID_ARGUMENT, "expected a module, an entry, "
                                          "arguments and an output, but got "
                                          "null");
  Call call{*module};
  TileRtLaunchOptions named = {};
  named.kernel = options ? options->kernel : nullptr;
  TileRtStatus status = beginCall(entryName, args, count, &named, call);
  if (status != TILE_RT_SUCCESS)
    return status;
  int64_t most = 0;
  for (const GemmStep &step : call.entry->steps) {
    GemmProblem problem;
    const Choice *choice;
    TileRtLaunchInfo info = {};
    status =
        chooseStep(call, step, Workspace::unlimited(), problem, choice, info);
    if (status != TILE_RT_SUCCESS)
      return status;
    most = std::max(most, info.workspaceBytes);
  }
  *bytes = most;
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtEntryGetChoices(TileRtModule module, const char *entryName,
                                   const TileRtArgument *args, int32_t count,
                                   const TileRtLaunchOptions *options,
                                   int32_t step, TileRtChoice *choices,
                                   int32_t capacity, int32_t *total) {
  if (!module || !entryName || (!args && count > 0) ||
      (!choices && capacity > 0) || !total)
    return fail(TILE_RT_INVALID_ARGUMENT, "expected a module, an entry, "
                                          "arguments and outputs, but got "
                                          "null");
  Call call{*module};
  TileRtStatus status = beginCall(entryName, args, count, options, call);
  if (status != TILE_RT_SUCCESS)
    return status;
  const std::vector<GemmStep> &steps = call.entry->steps;
  if (step < 0 || size_t(step) >= steps.size())
    return fail(TILE_RT_INVALID_ARGUMENT,
                format("expected a step from 0 to %zu, but got %d",
                       steps.size() - 1, step));
  GemmProblem problem;
  TileRtLaunchInfo ignored = {};
  status = beginStep(call, steps[step], problem, ignored);
  if (status != TILE_RT_SUCCESS)
    return status;
  std::vector<Candidate> candidates;
  if (!problem.empty())
    candidates = findCandidates(call, steps[step], problem, call.workspace(),
                                /*all=*/true);
  int picked = pickCandidate(candidates);
  *total = static_cast<int32_t>(candidates.size());
  for (int32_t i = 0; i < std::min(*total, capacity); ++i) {
    const Candidate &candidate = candidates[i];
    TileRtChoice &choice = choices[i];
    choice = {};
    choice.kernel =
        call.artifact().kernels[candidate.choice->kernel].name.c_str();
    std::snprintf(choice.prepare, sizeof(choice.prepare), "%s",
                  describePrepare(call.artifact(), *candidate.choice).c_str());
    std::snprintf(choice.reason, sizeof(choice.reason), "%s",
                  candidate.reason.c_str());
    choice.workspaceBytes = candidate.workspaceBytes;
    choice.expectedNanoseconds = candidate.nanoseconds.value_or(-1);
    choice.chosen = i == picked;
  }
  return TILE_RT_SUCCESS;
}
