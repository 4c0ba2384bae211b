// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selection: of all families' proposals the legal one with the least estimate.
#include "WarpSpecializedModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tile;

const Chip &tile::getChip(StringRef name) {
  const Chip *chip = findNearestChip(name.str().c_str());
  return name.empty() || !chip ? getDefaultChip() : *chip;
}

namespace {

/// A proposal and who makes it.
struct Entry : ScheduleProposal {
  const ScheduleFamily *family;
};

/// What the families of all dialects say of a problem.
struct Proposals {
  /// By estimate.
  SmallVector<Entry, 0> entries;
  /// Why families that would be for the problem propose nothing.
  SmallVector<std::pair<const ScheduleFamily *, std::string>, 2> refusals;
};

} // namespace

static SmallVector<const ScheduleFamily *> listFamilies(MLIRContext *context) {
  SmallVector<const ScheduleFamily *> families;
  for (Dialect *dialect : context->getLoadedDialects())
    if (auto *schedules =
            dialect->getRegisteredInterface<ScheduleDialectInterface>())
      for (const ScheduleFamily &family : schedules->getFamilies())
        families.push_back(&family);
  return families;
}

static Proposals collect(GemmOp gemm, const Chip &chip) {
  Proposals result;
  for (const ScheduleFamily *family : listFamilies(gemm.getContext())) {
    Result<SmallVector<ScheduleProposal>> proposed =
        family->propose(gemm, chip);
    if (!proposed) {
      result.refusals.push_back({family, proposed.getReason()});
      continue;
    }
    for (ScheduleProposal &proposal : *proposed)
      result.entries.push_back({{proposal}, family});
  }
  // Equal ones stay in the order of the families.
  sortByTime(result.entries);
  return result;
}

/// The first proposal that is legal; where none is, the first reason why not.
static Result<Entry> takeFirst(GemmOp gemm, const Chip &chip,
                               const Proposals &proposals) {
  std::optional<std::string> reason;
  if (!proposals.refusals.empty())
    reason = proposals.refusals.front().second;
  for (const Entry &entry : proposals.entries) {
    std::optional<std::string> refusal =
        checkSchedule(gemm, entry.schedule, chip);
    if (!refusal)
      return entry;
    if (!reason)
      reason = refusal;
  }
  return Reason(reason.value_or(
      "expected the schedules of a dialect to be registered, by "
      "registerAllDialects or registerScheduleInterfaces, but got none"));
}

/// Appends to `choice` the schedules of other families that take operands as
/// they are.
static void addFallbacks(GemmOp gemm, const Chip &chip, const Entry &entry,
                         ScheduleChoice &choice) {
  SmallVector<Attribute> schedules{choice.schedule};
  auto list = dyn_cast<ArrayAttr>(choice.schedule);
  if (list)
    schedules.assign(list.begin(), list.end());
  std::string others;
  for (const ScheduleFamily *family : listFamilies(gemm.getContext())) {
    if (family == entry.family || !family->getFallback)
      continue;
    Attribute other = family->getFallback(gemm, chip);
    if (!other || checkSchedule(gemm, other, chip))
      continue;
    schedules.push_back(other);
    others += ("; " + family->units +
               " where copies of operands do not pay, "
               "or have no workspace")
                  .str();
  }
  if (others.empty())
    return;
  choice.schedule = ArrayAttr::get(gemm.getContext(), schedules);
  if (!list)
    choice.reason += others;
}

Result<ScheduleChoice> tile::selectSchedule(GemmOp gemm, const Chip &chip) {
  Proposals proposals = collect(gemm, chip);
  Result<Entry> best = takeFirst(gemm, chip, proposals);
  if (!best)
    return best.takeReason();
  Attribute schedule = best->schedule;
  ScheduleChoice choice{schedule, best->family->describe(gemm, schedule, chip)};
  // What a faster family lacks, who reads the reason can often mend.
  for (const auto &[family, refusal] : proposals.refusals)
    choice.reason += ("; not " + family->units + ": " + refusal).str();
  if (best->family->mayCopy && best->family->mayCopy(gemm, choice.schedule))
    addFallbacks(gemm, chip, *best, choice);
  return choice;
}

SmallVector<Attribute> tile::candidateSchedules(GemmOp gemm, const Chip &chip) {
  Result<Entry> best = takeFirst(gemm, chip, collect(gemm, chip));
  if (!best)
    return {};
  SmallVector<Attribute> result = best->family->listCandidates(gemm, chip);
  llvm::erase_if(result, [&](Attribute schedule) {
    return checkSchedule(gemm, schedule, chip).has_value();
  });
  return result;
}
