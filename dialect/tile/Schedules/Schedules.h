// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a problem becomes kernels: schedules, their legality and selection.
#ifndef TILE_SCHEDULES_SCHEDULES_H
#define TILE_SCHEDULES_SCHEDULES_H

#include "tile/IR/ScheduleInterfaces.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectInterface.h"

namespace tile {

/// A schedule or a list of them, and the sentence that says why it was chosen.
struct ScheduleChoice {
  mlir::Attribute schedule;
  std::string reason;
};

/// A schedule, or a list, that may suit a problem.
struct ScheduleProposal {
  mlir::Attribute schedule;
  /// What a launch takes by the model of its family; for extents that are known
  /// at run time only, of a large problem.
  double ns = 0;
};

/// Schedules of one kind, among which its model ranks.
struct ScheduleFamily {
  /// What multiplies, for sentences: "the tensor cores".
  llvm::StringRef units;
  /// Schedules for a problem on a chip, best first and not yet checked; none
  /// where the family has nothing to do with the problem's types, and the
  /// reason where the chip or the operands are not for it.
  Result<llvm::SmallVector<ScheduleProposal>> (*propose)(GemmOp, const Chip &);
  /// One sentence that says why a proposal is the best of the family.
  std::string (*describe)(GemmOp, mlir::Attribute, const Chip &);
  /// Schedules that are worth measuring.
  llvm::SmallVector<mlir::Attribute> (*listCandidates)(GemmOp, const Chip &);
  /// The schedule that takes operands as they are, to stand beside another that
  /// may have to copy them; null if the family has none.
  mlir::Attribute (*getFallback)(GemmOp, const Chip &) = nullptr;
  /// Whether a schedule may copy operands before.
  bool (*mayCopy)(GemmOp, mlir::Attribute) = nullptr;
};

/// The families of a dialect: selection looks at those of all that are loaded.
class ScheduleDialectInterface
    : public mlir::DialectInterface::Base<ScheduleDialectInterface> {
public:
  ScheduleDialectInterface(mlir::Dialect *dialect) : Base(dialect) {}
  virtual llvm::ArrayRef<ScheduleFamily> getFamilies() const = 0;
};

/// Makes the dialect's schedules implement ScheduleAttrInterface, and its
/// families known to selection. Passes that need it depend on it.
void registerScheduleInterfaces(mlir::DialectRegistry &registry);

/// The chip with a name, "sm_90a" or "h200"; for "" the default one, and for an
/// architecture without a row the nearest older one.
const Chip &getChip(llvm::StringRef name);

/// The schedule for a problem, from what is known of its extents and strides:
/// the one with the least estimate of all families. The reason says why there
/// is none.
Result<ScheduleChoice> selectSchedule(GemmOp gemm, const Chip &chip);

/// Schedules worth measuring for a problem, each legal for it: those of the
/// family that selection takes.
llvm::SmallVector<mlir::Attribute> candidateSchedules(GemmOp gemm,
                                                      const Chip &chip);

/// The plans of a schedule, or of all of a list; or why one of them cannot be
/// used.
Result<llvm::SmallVector<SchedulePlan>>
planSchedule(GemmOp gemm, mlir::Attribute schedule, const Chip &chip);

/// Why a schedule or a list of them cannot be used; nothing if it can.
std::optional<std::string> checkSchedule(GemmOp gemm, mlir::Attribute schedule,
                                         const Chip &chip);

} // namespace tile

#endif // TILE_SCHEDULES_SCHEDULES_H
