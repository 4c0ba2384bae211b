// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordinary kernel to launch in front of what is timed.
#include "Front.h"

#include <algorithm>

using namespace tile::bench;

static constexpr unsigned threadsOfBlock = 256;
/// More blocks take further turns; every card of today is full with as many.
static constexpr int64_t mostBlocks = 4096;
static constexpr int64_t wordBytes = 16;

// Without the exclusive or with a parameter, which is 0, ptxas could drop the
// store of what was loaded from the same place.
static const char *const code = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry rewrite(.param .u64 address, .param .u64 words, .param .u32 zero)
{
  .reg .pred %done;
  .reg .b32 %block, %threads, %thread, %blocks, %zero, %a, %b, %c, %d;
  .reg .b64 %base, %words, %index, %wide, %step, %at;
  ld.param.u64 %base, [address];
  ld.param.u64 %words, [words];
  ld.param.u32 %zero, [zero];
  cvta.to.global.u64 %base, %base;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mov.u32 %blocks, %nctaid.x;
  mul.wide.u32 %index, %block, %threads;
  cvt.u64.u32 %wide, %thread;
  add.u64 %index, %index, %wide;
  mul.wide.u32 %step, %blocks, %threads;
next:
  setp.ge.u64 %done, %index, %words;
  @%done bra end;
  shl.b64 %at, %index, 4;
  add.u64 %at, %base, %at;
  ld.global.v4.u32 {%a, %b, %c, %d}, [%at];
  xor.b32 %a, %a, %zero;
  xor.b32 %b, %b, %zero;
  xor.b32 %c, %c, %zero;
  xor.b32 %d, %d, %zero;
  st.global.v4.u32 [%at], {%a, %b, %c, %d};
  add.u64 %index, %index, %step;
  bra next;
end:
  ret;
}
)";

FrontKernel::~FrontKernel() {
  if (module)
    cuda.ModuleUnload(module);
}

std::optional<std::string> FrontKernel::load() {
  if (auto reason =
          cuda.check(cuda.ModuleLoadData(&module, code), "cuModuleLoadData"))
    return reason;
  return cuda.check(cuda.ModuleGetFunction(&function, module, "rewrite"),
                    "cuModuleGetFunction");
}

std::optional<std::string> FrontKernel::launch(const void *address,
                                               int64_t bytes) const {
  CuAddress base = reinterpret_cast<uintptr_t>(address);
  uint64_t words = static_cast<uint64_t>(bytes / wordBytes);
  uint32_t zero = 0;
  void *arguments[] = {&base, &words, &zero};
  int64_t blocks = (int64_t(words) + threadsOfBlock - 1) / threadsOfBlock;
  unsigned grid =
      static_cast<unsigned>(std::clamp<int64_t>(blocks, 1, mostBlocks));
  return cuda.check(cuda.LaunchKernel(function, grid, 1, 1, threadsOfBlock, 1,
                                      1, 0, cuda.stream, arguments, nullptr),
                    "cuLaunchKernel");
}
