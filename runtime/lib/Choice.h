// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a step's choices runs a problem.
#ifndef TILE_RT_LIB_CHOICE_H
#define TILE_RT_LIB_CHOICE_H

#include "Gemm.h"

namespace tile::rt {

/// Memory of the caller for copies of operands.
struct Workspace {
  void *data = nullptr;
  int64_t bytes = 0;

  /// More than any choice needs, of which nothing is ever read or written.
  static Workspace unlimited();
};

/// A choice and what is known of it for one problem.
struct Candidate {
  const Choice *choice;
  /// Why it cannot run; "" when it can.
  std::string reason;
  /// Expected time, when the kernel and all that prepares for it state a cost.
  std::optional<double> nanoseconds;
  int64_t workspaceBytes = 0;
  /// Whether it could run in a workspace of so many bytes.
  bool lacksWorkspace = false;
};

/// Finds out whether `choice` can run `problem`, and what it costs.
Candidate evaluateChoice(const Artifact &artifact, const Choice &choice,
                         const GemmProblem &problem, const DeviceLimits &limits,
                         const Workspace &workspace);

/// The number of the candidate to take, -1 when none can run: the cheapest of
/// those that have a cost, else the first one. Of two equal ones the first.
int pickCandidate(const std::vector<Candidate> &candidates);

/// The kernel's name and what prepares for it: "gemm_tma after pack_16b_r of
/// A".
std::string describeChoice(const Artifact &artifact, const Choice &choice);

/// What prepares: "pack_16b_r of A, pack_16b_c of B", or "".
std::string describePrepare(const Artifact &artifact, const Choice &choice);

} // namespace tile::rt

#endif // TILE_RT_LIB_CHOICE_H
