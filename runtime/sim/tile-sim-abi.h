/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Interface between simulator code in an artifact and the simulator device.
 *
 * Simulator code is an x86-64 ELF relocatable object (large code model, static
 * relocation, no TLS). For each kernel it defines
 *
 *   void tile_sim_kernel_<name>(TileSimContext *context, void **args);
 *
 * which the simulator calls once for each GPU thread, on a fiber of its own.
 * args[i] points to the bytes of the kernel's argument i. The object may import
 * the functions below and those of simImports() (fma, memcpy, libm names).
 */
#ifndef TILE_SIM_ABI_H
#define TILE_SIM_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a GPU thread knows of itself. The order of the members is fixed: code
 * in artifacts reads them by offset. */
typedef struct TileSimContext {
  /** threadIdx, blockIdx, blockDim, gridDim; offsets 0, 12, 24, 36. */
  int32_t tid[3], ctaid[3], ntid[3], nctaid[3];
  /** The block's shared memory, 1024-byte aligned; offset 48. */
  uint8_t *shared;
  /** Its size in bytes, static and dynamic; offset 56. */
  int64_t sharedBytes;
  /** The simulator's own; offset 64. */
  void *fiber;
} TileSimContext;

/** Bits of `kind` of tile_sim_check. */
enum {
  TILE_SIM_LOAD = 0,
  TILE_SIM_STORE = 1,
  TILE_SIM_GENERIC = 0 << 1,
  TILE_SIM_GLOBAL = 1 << 1,
  TILE_SIM_SHARED = 2 << 1
};

/** Waits until `count` threads of the block (0: all that have not exited) wait
 * at barrier `id`, 0 to 15. `site` is an index into the manifest's sim.sites,
 * here and below; an index out of range is an unknown location. */
void tile_sim_barrier(TileSimContext *context, int32_t id, int32_t count,
                      int32_t site);

/** Checks an access of `size` bytes before it is made: bounds, `alignment` in
 * bytes, and for shared memory initialisation and races. Does not return when
 * the access is wrong: the launch ends with a report. */
void tile_sim_check(TileSimContext *context, const void *address, int64_t size,
                    int32_t alignment, int32_t kind, int32_t site);

/** Ends the launch with a report of an integer division by zero, or of one
 * whose quotient overflows: the processor would end the process. */
void tile_sim_division(TileSimContext *context, int32_t site);

/** Ends the launch with a report. Does not return. */
void tile_sim_trap(TileSimContext *context, int32_t site);

#ifdef __cplusplus
}
#endif

#endif /* TILE_SIM_ABI_H */
