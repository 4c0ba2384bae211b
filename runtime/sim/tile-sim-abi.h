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
  /** The block's index in its cluster, the cluster's extents, the cluster's
   * index and the grid's extents in clusters; offsets 72, 84, 96, 108. */
  int32_t clusterCtaid[3], clusterNctaid[3], clusterid[3], nclusterid[3];
  /** The block's number in its cluster, and their count; offsets 120, 124. */
  int32_t clusterRank, clusterSize;
} TileSimContext;

/** Bits of `kind` of tile_sim_check. */
enum {
  TILE_SIM_LOAD = 0,
  TILE_SIM_STORE = 1,
  TILE_SIM_GENERIC = 0 << 1,
  TILE_SIM_GLOBAL = 1 << 1,
  TILE_SIM_SHARED = 2 << 1,
  /** Shared memory of any block of the cluster. */
  TILE_SIM_CLUSTER = 3 << 1,
  TILE_SIM_SPACE = 3 << 1,
  /** An atomic access, and whether it acquires, releases. */
  TILE_SIM_ATOMIC = 1 << 3,
  TILE_SIM_ACQUIRE = 1 << 4,
  TILE_SIM_RELEASE = 1 << 5
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

/** Checks that an access of `size` bytes lies inside of the `bytes` bytes at
 * `base`, which are one variable: local memory, a constant, an argument. */
void tile_sim_local(TileSimContext *context, const void *address, int64_t size,
                    const void *base, int64_t bytes, int32_t site);

/** A thread goes back to the begin of a loop. Ends the launch with a report
 * when the cluster's threads have done so too often; now and then lets the
 * others go on. */
void tile_sim_step(TileSimContext *context, int32_t site);

/** Counts an access that every lane of the warp comes to, and that this one
 * makes if `on`; only in code that was compiled to count. */
void tile_sim_count(TileSimContext *context, const void *address, int64_t size,
                    int32_t on, int32_t kind, int32_t site);

/** Ends the launch with a report of an integer division by zero, or of one
 * whose quotient overflows: the processor would end the process. */
void tile_sim_division(TileSimContext *context, int32_t site);

/** Ends the launch with a report. Does not return. */
void tile_sim_trap(TileSimContext *context, int32_t site);

/** Prints to the standard output as the vprintf of a GPU does: `arguments`
 * holds integers and doubles of 8 bytes each. A conversion with another length
 * is printed as it stands. Returns the number of arguments. */
int32_t tile_sim_print(TileSimContext *context, const char *format,
                       const void *arguments, int32_t site);

/** Arrives at barrier `id` for `count` threads without waiting. */
void tile_sim_barrier_arrive(TileSimContext *context, int32_t id, int32_t count,
                             int32_t site);

/* Warps. All lanes of `mask` that have not exited come to one call. */

/** Bits 0 to 1 of `kind`: bfly, up, down, idx. `valid` may be null. */
int32_t tile_sim_shuffle(TileSimContext *context, int32_t mask, int32_t value,
                         int32_t offset, int32_t clamp, int32_t kind,
                         int32_t *valid, int32_t site);
/** 1 for the lowest lane of `mask`, 0 for the others. */
int32_t tile_sim_elect(TileSimContext *context, int32_t mask, int32_t site);
/** `kind`: any, all, ballot, uni. */
int32_t tile_sim_vote(TileSimContext *context, int32_t mask, int32_t predicate,
                      int32_t kind, int32_t site);
/** `kind`: add, and, max, min, or, umax, umin, xor. */
int32_t tile_sim_redux(TileSimContext *context, int32_t mask, int32_t value,
                       int32_t kind, int32_t site);
void tile_sim_warp_sync(TileSimContext *context, int32_t mask, int32_t site);
/** `count` (1, 2 or 4) matrices of 8 x 8 16-bit elements; `address` is the
 * lane's row. */
void tile_sim_ldmatrix(TileSimContext *context, const void *address,
                       int32_t *values, int32_t count, int32_t transpose,
                       int32_t site);
void tile_sim_stmatrix(TileSimContext *context, void *address,
                       const int32_t *values, int32_t count, int32_t transpose,
                       int32_t site);

/* Memory barriers. The object in memory is opaque; the simulator keeps its
 * state elsewhere. `predicate` 0 does nothing, here and below. */

void tile_sim_mbarrier_init(TileSimContext *context, void *barrier,
                            int32_t count, int32_t predicate, int32_t site);
void tile_sim_mbarrier_inval(TileSimContext *context, void *barrier,
                             int32_t site);
/** Bits of `mode` of tile_sim_mbarrier_arrive: is expected no longer; releases
 * to the cluster and not just to the block. */
enum { TILE_SIM_ARRIVE_DROPS = 1, TILE_SIM_ARRIVE_CLUSTER = 2 };
/** Expects `bytes` more, then arrives `count` times (0: only expects). Returns
 * the state before. */
int64_t tile_sim_mbarrier_arrive(TileSimContext *context, void *barrier,
                                 int32_t count, int32_t bytes, int32_t mode,
                                 int32_t predicate, int32_t site);
void tile_sim_mbarrier_complete_tx(TileSimContext *context, void *barrier,
                                   int32_t bytes, int32_t site);
/** Bits of `mode` of tile_sim_mbarrier_wait: waits and does not only look; for
 * a state and not a parity; acquires from the cluster and not just from the
 * block. */
enum {
  TILE_SIM_WAIT_BLOCKS = 1,
  TILE_SIM_WAIT_STATE = 2,
  TILE_SIM_WAIT_CLUSTER = 4
};
/** Whether the phase of the given parity (or state) has completed. */
int32_t tile_sim_mbarrier_wait(TileSimContext *context, void *barrier,
                               int64_t phase, int32_t mode, int32_t site);

/* Tensor copies. `map` points to the 128 bytes of a tensor map. */

/** Copies the box at `coordinates` to `destination`, in this block (`mask` < 0)
 * or at the same offset in each block of the cluster whose bit is set. */
void tile_sim_tensor_load(TileSimContext *context, void *destination,
                          const void *map, void *barrier,
                          const int32_t *coordinates, int32_t rank,
                          int32_t mask, int32_t predicate, int32_t site);
/** The same of pixels: behind the coordinates stand the offsets of the
 * dimensions between the innermost and the outermost. */
void tile_sim_tensor_load_im2col(TileSimContext *context, void *destination,
                                 const void *map, void *barrier,
                                 const int32_t *coordinates, int32_t rank,
                                 int32_t mask, int32_t predicate, int32_t site);
void tile_sim_tensor_store(TileSimContext *context, const void *map,
                           const void *source, const int32_t *coordinates,
                           int32_t rank, int32_t predicate, int32_t site);
void tile_sim_tensor_prefetch(TileSimContext *context, const void *map,
                              int32_t predicate, int32_t site);
void tile_sim_bulk_commit(TileSimContext *context);
void tile_sim_bulk_wait(TileSimContext *context, int32_t pending);

/* cp.async: copies of one thread to its block's shared memory. */

/** Starts to copy the first `copied` of `size` (4, 8 or 16) bytes and to fill
 * the rest with zeros. Nobody may touch the destination until the thread has
 * waited for the copy's group, and other threads until a barrier after that. */
void tile_sim_async_copy(TileSimContext *context, void *destination,
                         const void *source, int32_t size, int32_t copied,
                         int32_t site);
void tile_sim_async_commit(TileSimContext *context);
void tile_sim_async_wait(TileSimContext *context, int32_t pending);

/** Makes the thread's earlier accesses visible to TMA and wgmma. */
void tile_sim_fence_proxy(TileSimContext *context);
void tile_sim_fence_mbarrier_init(TileSimContext *context);

/* Warpgroups: 128 threads, the first of which is a multiple of 128. */

/** Element types of tile_sim_wgmma; the numbers of the nvvm dialect. */
enum {
  TILE_SIM_F16 = 0,
  TILE_SIM_TF32 = 1,
  TILE_SIM_U8 = 2,
  TILE_SIM_S8 = 3,
  TILE_SIM_BF16 = 5,
  TILE_SIM_E4M3 = 6,
  TILE_SIM_E5M2 = 7,
  TILE_SIM_F32 = 8,
  TILE_SIM_S32 = 9
};
/** Bits of `flags` of tile_sim_wgmma: types of A, B and D in 4 bits each, then
 * D is an input; A, B negated; A, B with M, N contiguous; saturation. */
enum {
  TILE_SIM_WGMMA_B = 4,
  TILE_SIM_WGMMA_D = 8,
  TILE_SIM_WGMMA_ADD = 1 << 12,
  TILE_SIM_WGMMA_NEGATE_A = 1 << 13,
  TILE_SIM_WGMMA_NEGATE_B = 1 << 14,
  TILE_SIM_WGMMA_M_MAJOR = 1 << 15,
  TILE_SIM_WGMMA_N_MAJOR = 1 << 16,
  TILE_SIM_WGMMA_SATURATE = 1 << 17
};
/** D (64 x n) = A (64 x 32 bytes) * B (32 bytes x n) + D, all in one call;
 * `accumulators` are the thread's registers, replaced. */
void tile_sim_wgmma(TileSimContext *context, void *accumulators,
                    int64_t descriptorA, int64_t descriptorB, int32_t n,
                    int32_t flags, int32_t site);
/** The same with A in `registersA`, 16 bytes of the thread. */
void tile_sim_wgmma_registers(TileSimContext *context, void *accumulators,
                              const void *registersA, int64_t descriptorB,
                              int32_t n, int32_t flags, int32_t site);
/** Types of tile_sim_mma beside those of tile_sim_wgmma, and the places of m, n
 * and k, 10 bits each, in its `shape`. */
enum { TILE_SIM_S4 = 10, TILE_SIM_U4 = 11, TILE_SIM_F64 = 12 };
enum { TILE_SIM_MMA_N = 10, TILE_SIM_MMA_K = 20 };
/** mma.sync of all 32 lanes: D (m x n) = A (m x k) * B (k x n) + D; `sums`,
 * `a` and `b` are the lane's registers, of 8 bytes for f64, else of 4; `sums`
 * are replaced. `types` has those of A, B and D as tile_sim_wgmma has. */
void tile_sim_mma(TileSimContext *context, void *sums, const void *a,
                  const void *b, int32_t shape, int32_t types, int32_t site);

/** Orders the thread's accesses of registers before those of wgmma. */
void tile_sim_wgmma_fence(TileSimContext *context);
void tile_sim_wgmma_commit(TileSimContext *context);
void tile_sim_wgmma_wait(TileSimContext *context, int32_t pending);

/** griddepcontrol.wait: the launch in front is over. */
void tile_sim_grid_wait(TileSimContext *context);

/* Clusters. */

void tile_sim_cluster_arrive(TileSimContext *context, int32_t relaxed,
                             int32_t site);
void tile_sim_cluster_wait(TileSimContext *context, int32_t site);
/** The address in block `rank` of the cluster of what lies at `address` here.
 */
void *tile_sim_mapa(TileSimContext *context, void *address, int32_t rank,
                    int32_t site);

#ifdef __cplusplus
}
#endif

#endif /* TILE_SIM_ABI_H */
