// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places the buffers of a kernel in its dynamic shared memory.
#include "tile/Atoms/SharedPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using llvm::Twine;

/// What the pattern of a 128-byte swizzle needs; nothing needs more.
static constexpr int64_t kMaxAlignment = 1024;

static std::optional<Reason> checkBuffer(const SharedBuffer &buffer) {
  if (buffer.bytes < 0)
    return Reason("expected a size of at least 0 bytes for " + buffer.name +
                  ", but got " + Twine(buffer.bytes));
  if (buffer.alignment < 1 || buffer.alignment > kMaxAlignment ||
      !llvm::isPowerOf2_64(buffer.alignment))
    return Reason("expected a power of two from 1 to 1024 as alignment of " +
                  buffer.name + ", but got " + Twine(buffer.alignment));
  return std::nullopt;
}

/// `A 98304, B 98304`.
static std::string printSizes(llvm::ArrayRef<SharedBuffer> buffers) {
  std::string text;
  for (const SharedBuffer &buffer : buffers)
    text += (text.empty() ? "" : ", ") + buffer.name + " " +
            std::to_string(buffer.bytes);
  return text;
}

Result<SharedPlan> tile::planSharedMemory(llvm::ArrayRef<SharedBuffer> buffers,
                                          int64_t limitBytes) {
  for (const SharedBuffer &buffer : buffers)
    if (std::optional<Reason> reason = checkBuffer(buffer))
      return *reason;

  SharedPlan plan;
  plan.offsets.resize(buffers.size());
  for (int64_t alignment = kMaxAlignment; alignment > 0; alignment /= 2)
    for (auto [index, buffer] : llvm::enumerate(buffers)) {
      if (buffer.alignment != alignment)
        continue;
      plan.alignment = std::max(plan.alignment, alignment);
      int64_t offset = llvm::alignTo(plan.totalBytes, alignment);
      plan.offsets[index] = offset;
      if (llvm::AddOverflow(offset, buffer.bytes, plan.totalBytes) ||
          plan.totalBytes > int64_t(1) << 62)
        return Reason("expected at most " + Twine(limitBytes) +
                      " bytes of shared memory, but got " + buffer.name +
                      " of " + Twine(buffer.bytes) + " bytes");
    }
  if (plan.totalBytes > limitBytes)
    return Reason("expected at most " + Twine(limitBytes) +
                  " bytes of shared memory, but got " + Twine(plan.totalBytes) +
                  " (" + printSizes(buffers) + ")");
  return plan;
}
