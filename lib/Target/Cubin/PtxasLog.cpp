// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads registers, shared memory and spills out of what `ptxas -v` prints.

#include "tile/Target/Cubin.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tile;

/// The number directly before `unit` in `line`, as 128 in "Used 128 registers".
static int64_t numberBefore(llvm::StringRef line, llvm::StringRef unit) {
  size_t at = line.find(unit);
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef text = line.take_front(at).rtrim();
  llvm::StringRef digits =
      text.take_back(text.size() - (text.find_last_not_of("0123456789") + 1));
  int64_t number = 0;
  return digits.getAsInteger(10, number) ? 0 : number;
}

/// The text between the first pair of quotes at or after `from`.
static llvm::StringRef quoted(llvm::StringRef line, size_t from) {
  size_t open = line.find('\'', from);
  if (open == llvm::StringRef::npos)
    return {};
  return line.slice(open + 1, line.find('\'', open + 1));
}

/// Lines look like
///   ptxas info    : Compiling entry function 'k' for 'sm_80'
///   ptxas info    : Function properties for k
///       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
///   ptxas info    : Used 24 registers, used 1 barriers, 4224 bytes smem
void tile::parsePtxasLog(llvm::StringRef log,
                         std::vector<PtxasKernelInfo> &kernels,
                         std::vector<std::string> &warnings) {
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    line = line.trim();
    llvm::StringRef entry = "Compiling entry function";
    if (size_t at = line.find(entry); at != llvm::StringRef::npos) {
      PtxasKernelInfo info;
      llvm::StringRef name = quoted(line, at);
      info.name = name.str();
      info.chip =
          quoted(line, line.find(" for ", name.end() - line.begin())).str();
      kernels.push_back(std::move(info));
      continue;
    }
    if (line.starts_with("ptxas warning") ||
        line.contains("Potential Performance Loss")) {
      warnings.push_back(line.str());
      continue;
    }
    if (kernels.empty())
      continue;
    PtxasKernelInfo &info = kernels.back();
    if (line.contains("bytes spill stores")) {
      info.stackBytes = numberBefore(line, "bytes stack frame");
      info.spillStoreBytes = numberBefore(line, "bytes spill stores");
      info.spillLoadBytes = numberBefore(line, "bytes spill loads");
    } else if (line.contains(": Used ")) {
      info.registers = numberBefore(line, "registers");
      info.barriers = numberBefore(line, "barriers");
      info.sharedBytes = numberBefore(line, "bytes smem");
    }
  }
}
