// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text to a cubin through ptxas, and what ptxas says about each kernel.

#ifndef TILE_TARGET_CUBIN_H
#define TILE_TARGET_CUBIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// What `ptxas -v` reports about one kernel.
struct PtxasKernelInfo {
  std::string name;            ///< the entry's name
  std::string chip;            ///< the chip compiled for, as sm_90a
  int64_t registers = 0;       ///< per thread
  int64_t sharedBytes = 0;     ///< static shared memory, bytes
  int64_t stackBytes = 0;      ///< stack frame per thread, bytes
  int64_t spillStoreBytes = 0; ///< bytes of spill stores
  int64_t spillLoadBytes = 0;  ///< bytes of spill loads
  int64_t barriers = 0;        ///< hardware barriers used
};

/// The result of one run of ptxas.
struct CubinResult {
  std::string cubin;                    ///< the ELF image
  std::vector<PtxasKernelInfo> kernels; ///< in the order of the log
  std::vector<std::string> warnings;    ///< warnings and performance notes
};

/// How ptxas runs.
struct CubinOptions {
  /// The ptxas to use; empty: `findPtxas`.
  std::string ptxas;
  /// 0 to 4, as ptxas's -O.
  unsigned optLevel = 3;
  /// Keep line information (needs PTX with .loc).
  bool debugLineInfo = false;
};

/// Where ptxas is: the environment variable TILE_PTXAS, then PATH, then
/// CUDA_HOME/bin, CUDA_PATH/bin, and /usr/local/cuda/bin. Nothing if absent.
std::optional<std::string> findPtxas();

/// The directories in which a CUDA toolkit may be: CUDA_HOME, CUDA_PATH and
/// /usr/local/cuda, those that are set.
std::vector<std::string> cudaToolkitDirectories();

/// Parses the log of `ptxas -v` into `kernels` and `warnings`.
void parsePtxasLog(llvm::StringRef log, std::vector<PtxasKernelInfo> &kernels,
                   std::vector<std::string> &warnings);

/// Assembles `ptx` for `chip`. The error is one sentence when ptxas is absent
/// and carries ptxas's own words when it rejects the text.
llvm::Expected<CubinResult> assemblePTX(llvm::StringRef ptx,
                                        llvm::StringRef chip,
                                        const CubinOptions &options = {});

} // namespace tile

#endif // TILE_TARGET_CUBIN_H
