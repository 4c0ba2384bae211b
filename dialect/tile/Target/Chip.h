// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM knows about a chip: its name, its generation, its oldest PTX.

#ifndef TILE_TARGET_CHIP_H
#define TILE_TARGET_CHIP_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tile {

/// One GPU chip, as LLVM's NVPTX backend describes it.
struct ChipInfo {
  std::string name;            ///< as PTX spells it: sm_90a
  unsigned sm = 0;             ///< compute capability times ten: 90
  bool archSpecific = false;   ///< sm_90a: instructions of this chip only
  bool familySpecific = false; ///< sm_100f: instructions of this family
  unsigned minPTX = 0; ///< oldest PTX version (times ten) with this chip
};

/// Looks `name`, or the architecture of that product, up among the chips of the
/// linked LLVM. Reports one error
/// through `emitError` when it is not one of them.
mlir::FailureOr<ChipInfo>
lookupChip(llvm::StringRef name,
           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The architecture of a chip: sm_90a for h200, and what has no row in the
/// table of chips (tile/Atoms/Chips.h) as it is.
std::string getArchitecture(llvm::StringRef chip);

/// The chip to compile for when the code is to run on one device only, by the
/// architecture and the name that its driver gives: the product where the table
/// of chips has it, else what `getCodeChip` says of the architecture.
std::string getDeviceChip(llvm::StringRef architecture, llvm::StringRef name);

/// The chip to compile for when the code is to run on a device of chip `device`
/// only: with what that chip alone has, sm_90a for sm_90, where LLVM knows it.
std::string getCodeChip(llvm::StringRef device);

/// The names of all chips that the linked LLVM can emit PTX for, oldest first.
std::vector<std::string> listChips();

/// The newest PTX version (times ten) that the linked LLVM can write.
unsigned newestPTXVersion();

/// The PTX version (times ten) used when none is asked for: 8.0, which every
/// driver since CUDA 12.0 accepts, or the chip's oldest version if that is
/// newer. A newer version would shut out drivers and gain no instruction that
/// a kernel for that chip uses.
unsigned defaultPTXVersion(const ChipInfo &chip);

/// Settles the PTX version for `chip`: the default if `requested` is 0, else
/// `requested` if LLVM can write it and the chip exists in it. Reports one
/// error through `emitError` otherwise.
mlir::FailureOr<unsigned>
resolvePTXVersion(const ChipInfo &chip, unsigned requested,
                  llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Formats a PTX version as PTX spells it: 80 is "8.0".
std::string formatPTXVersion(unsigned version);

} // namespace tile

#endif // TILE_TARGET_CHIP_H
