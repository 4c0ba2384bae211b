// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that simulator code calls, and the table of all its imports.
#include "BlockRunner.h"
#include "ObjectLoader.h"

#include <cmath>
#include <cstring>

using namespace tile::rt;

static Fiber &fiberOf(TileSimContext *context) {
  return *static_cast<Fiber *>(context->fiber);
}

void tile_sim_check(TileSimContext *context, const void *address, int64_t size,
                    int32_t alignment, int32_t kind, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->check(fiber, reinterpret_cast<uintptr_t>(address),
                      static_cast<uint64_t>(size), alignment, kind, site);
}

void tile_sim_barrier(TileSimContext *context, int32_t id, int32_t count,
                      int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->barrier(fiber, id, count, site);
}

/// Ends the launch with a fault that has a place and nothing else.
static void abandon(TileSimContext *context, SimFault::Kind kind,
                    int32_t site) {
  Fiber &fiber = fiberOf(context);
  SimFault fault;
  fault.kind = kind;
  fault.thread = fiber.index;
  fault.site = site;
  fiber.runner->abandon(fiber, fault);
}

void tile_sim_division(TileSimContext *context, int32_t site) {
  abandon(context, SimFault::Division, site);
}

void tile_sim_trap(TileSimContext *context, int32_t site) {
  abandon(context, SimFault::Trap, site);
}

template <typename Function>
static constexpr SimImport import(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

// A libm name in both precisions, and the C library's pointers to them.
#define TILE_RT_MATH1(name)                                                    \
  import(#name, static_cast<double (*)(double)>(::name)),                      \
      import(#name "f", static_cast<float (*)(float)>(::name##f))
#define TILE_RT_MATH2(name)                                                    \
  import(#name, static_cast<double (*)(double, double)>(::name)),              \
      import(#name "f", static_cast<float (*)(float, float)>(::name##f))

const SimImport *tile::rt::simImports(size_t &count) {
  static const SimImport table[] = {
      import("tile_sim_barrier", tile_sim_barrier),
      import("tile_sim_check", tile_sim_check),
      import("tile_sim_division", tile_sim_division),
      import("tile_sim_trap", tile_sim_trap),
      import("memcpy",
             static_cast<void *(*)(void *, const void *, size_t)>(std::memcpy)),
      import("memmove", static_cast<void *(*)(void *, const void *, size_t)>(
                            std::memmove)),
      import("memset",
             static_cast<void *(*)(void *, int, size_t)>(std::memset)),
      import("fma", static_cast<double (*)(double, double, double)>(::fma)),
      import("fmaf", static_cast<float (*)(float, float, float)>(::fmaf)),
      TILE_RT_MATH1(acos),
      TILE_RT_MATH1(asin),
      TILE_RT_MATH1(atan),
      TILE_RT_MATH1(cbrt),
      TILE_RT_MATH1(ceil),
      TILE_RT_MATH1(cos),
      TILE_RT_MATH1(cosh),
      TILE_RT_MATH1(erf),
      TILE_RT_MATH1(erfc),
      TILE_RT_MATH1(exp),
      TILE_RT_MATH1(exp2),
      TILE_RT_MATH1(expm1),
      TILE_RT_MATH1(fabs),
      TILE_RT_MATH1(floor),
      TILE_RT_MATH1(log),
      TILE_RT_MATH1(log10),
      TILE_RT_MATH1(log1p),
      TILE_RT_MATH1(log2),
      TILE_RT_MATH1(nearbyint),
      TILE_RT_MATH1(rint),
      TILE_RT_MATH1(round),
      TILE_RT_MATH1(sin),
      TILE_RT_MATH1(sinh),
      TILE_RT_MATH1(sqrt),
      TILE_RT_MATH1(tan),
      TILE_RT_MATH1(tanh),
      TILE_RT_MATH1(trunc),
      TILE_RT_MATH2(atan2),
      TILE_RT_MATH2(copysign),
      TILE_RT_MATH2(fmax),
      TILE_RT_MATH2(fmin),
      TILE_RT_MATH2(fmod),
      TILE_RT_MATH2(pow),
  };
  count = sizeof(table) / sizeof(table[0]);
  return table;
}
