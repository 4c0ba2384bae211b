// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a step's choices runs a problem.
#include "Choice.h"

#include "Cost.h"
#include "Error.h"
#include "Prepare.h"

#include <limits>

using namespace tile::rt;

using Long = long long;

Workspace Workspace::unlimited() {
  // Aligned as any workspace, and more.
  return {reinterpret_cast<void *>(uintptr_t(1) << 20),
          std::numeric_limits<int64_t>::max()};
}

/// The reason why a prepared problem cannot run in any workspace, "" when it
/// can.
static std::string findReason(const Artifact &artifact, const Choice &choice,
                              const PreparedProblem &prepared,
                              const DeviceLimits &limits) {
  for (const PackStep &pack : prepared.packs) {
    const KernelFacts &kernel = artifact.kernels[pack.kernel];
    std::string reason = whyNot(kernel, pack.problem, limits);
    if (!reason.empty())
      return kernel.name + ": " + reason;
  }
  return whyNot(artifact.kernels[choice.kernel], prepared.problem, limits);
}

Candidate tile::rt::evaluateChoice(const Artifact &artifact,
                                   const Choice &choice,
                                   const GemmProblem &problem,
                                   const DeviceLimits &limits,
                                   const Workspace &workspace) {
  Candidate candidate{&choice, "", std::nullopt, 0};
  // Requirements on copies are looked at even where there is no room for them.
  PreparedProblem prepared;
  candidate.reason = prepareProblem(
      artifact, choice, problem,
      workspace.data ? workspace.data : Workspace::unlimited().data, prepared);
  if (!candidate.reason.empty())
    return candidate;
  candidate.workspaceBytes = prepared.workspaceBytes;
  candidate.reason = findReason(artifact, choice, prepared, limits);
  candidate.lacksWorkspace =
      candidate.reason.empty() && prepared.workspaceBytes > workspace.bytes;
  if (candidate.lacksWorkspace)
    candidate.reason =
        format("needs %lld bytes of workspace, the call has %lld",
               Long(prepared.workspaceBytes), Long(workspace.bytes));
  const KernelFacts &kernel = artifact.kernels[choice.kernel];
  if (!kernel.cost)
    return candidate;
  double total = estimateGemm(kernel, prepared.problem, limits);
  for (const PackStep &pack : prepared.packs) {
    const KernelFacts &packKernel = artifact.kernels[pack.kernel];
    if (!packKernel.cost)
      return candidate;
    total += estimatePack(packKernel, pack.problem);
  }
  candidate.nanoseconds = total;
  return candidate;
}

int tile::rt::pickCandidate(const std::vector<Candidate> &candidates) {
  int best = -1;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate &candidate = candidates[i];
    if (!candidate.reason.empty())
      continue;
    bool better = best < 0;
    if (!better && candidate.nanoseconds) {
      const std::optional<double> &least = candidates[best].nanoseconds;
      better = !least || *candidate.nanoseconds < *least;
    }
    if (better)
      best = static_cast<int>(i);
  }
  return best;
}

std::string tile::rt::describePrepare(const Artifact &artifact,
                                      const Choice &choice) {
  std::string text;
  for (const PrepareFacts &facts : choice.prepare)
    text += (text.empty() ? "" : ", ") + artifact.kernels[facts.kernel].name +
            " of " + operandName(facts.operand);
  return text;
}

std::string tile::rt::describeChoice(const Artifact &artifact,
                                     const Choice &choice) {
  std::string prepare = describePrepare(artifact, choice);
  return artifact.kernels[choice.kernel].name +
         (prepare.empty() ? "" : " after " + prepare);
}
