// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that simulator code calls, and the table of all its imports.
#include "BlockRunner.h"
#include "Conversions.h"
#include "ObjectLoader.h"
#include "Print.h"
#include "WarpOps.h"

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

void tile_sim_count(TileSimContext *context, const void *address, int64_t size,
                    int32_t on, int32_t kind, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->count(fiber, reinterpret_cast<uintptr_t>(address),
                      static_cast<uint64_t>(size), on != 0, kind, site);
}

void tile_sim_local(TileSimContext *context, const void *address, int64_t size,
                    const void *base, int64_t bytes, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->checkLocal(
      fiber, reinterpret_cast<uintptr_t>(address), static_cast<uint64_t>(size),
      reinterpret_cast<uintptr_t>(base), static_cast<uint64_t>(bytes), site);
}

void tile_sim_step(TileSimContext *context, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->step(fiber, site);
}

void tile_sim_barrier(TileSimContext *context, int32_t id, int32_t count,
                      int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->barrier(fiber, id, count, true, site);
}

void tile_sim_barrier_arrive(TileSimContext *context, int32_t id, int32_t count,
                             int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->barrier(fiber, id, count, false, site);
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

int32_t tile_sim_print(TileSimContext *context, const char *format,
                       const void *arguments, int32_t site) {
  int32_t count = print(format, arguments);
  Fiber &fiber = fiberOf(context);
  if (count < 0)
    fiber.runner->misuse(fiber, site, "wild pointer of printf",
                         "expected a format and arguments that can be read, "
                         "but got an address where nothing lies");
  return count;
}

static void runWarp(TileSimContext *context, int32_t mask,
                    WarpOperation operation, WarpArguments &arguments,
                    int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->collective(fiber, static_cast<uint32_t>(mask), operation,
                           &arguments, site);
}

int32_t tile_sim_shuffle(TileSimContext *context, int32_t mask, int32_t value,
                         int32_t offset, int32_t clamp, int32_t kind,
                         int32_t *valid, int32_t site) {
  WarpArguments arguments;
  arguments.kind = kind;
  arguments.value = value;
  arguments.offset = offset;
  arguments.clamp = clamp;
  runWarp(context, mask, WarpShuffle, arguments, site);
  if (valid)
    *valid = arguments.valid;
  return arguments.result;
}

int32_t tile_sim_elect(TileSimContext *context, int32_t mask, int32_t site) {
  WarpArguments arguments;
  runWarp(context, mask, WarpElect, arguments, site);
  return arguments.result;
}

int32_t tile_sim_vote(TileSimContext *context, int32_t mask, int32_t predicate,
                      int32_t kind, int32_t site) {
  WarpArguments arguments;
  arguments.kind = kind;
  arguments.value = predicate;
  runWarp(context, mask, WarpVote, arguments, site);
  return arguments.result;
}

int32_t tile_sim_redux(TileSimContext *context, int32_t mask, int32_t value,
                       int32_t kind, int32_t site) {
  WarpArguments arguments;
  arguments.kind = kind;
  arguments.value = value;
  runWarp(context, mask, WarpRedux, arguments, site);
  return arguments.result;
}

void tile_sim_warp_sync(TileSimContext *context, int32_t mask, int32_t site) {
  WarpArguments arguments;
  runWarp(context, mask, WarpSync, arguments, site);
}

static void moveMatrix(TileSimContext *context, WarpOperation operation,
                       const void *address, const int32_t *values,
                       int32_t count, int32_t transpose, int32_t site) {
  WarpArguments arguments;
  arguments.address = static_cast<uint8_t *>(const_cast<void *>(address));
  arguments.registers = const_cast<int32_t *>(values);
  arguments.count = count;
  arguments.transpose = transpose != 0;
  runWarp(context, -1, operation, arguments, site);
}

void tile_sim_ldmatrix(TileSimContext *context, const void *address,
                       int32_t *values, int32_t count, int32_t transpose,
                       int32_t site) {
  moveMatrix(context, WarpLoadMatrix, address, values, count, transpose, site);
}

void tile_sim_stmatrix(TileSimContext *context, void *address,
                       const int32_t *values, int32_t count, int32_t transpose,
                       int32_t site) {
  moveMatrix(context, WarpStoreMatrix, address, values, count, transpose, site);
}

void tile_sim_mma(TileSimContext *context, void *sums, const void *a,
                  const void *b, int32_t shape, int32_t types, int32_t site) {
  WarpArguments arguments;
  arguments.sums = sums;
  arguments.a = a;
  arguments.b = b;
  arguments.kind = shape;
  arguments.value = types;
  runWarp(context, -1, WarpMultiply, arguments, site);
}

void tile_sim_mbarrier_init(TileSimContext *context, void *barrier,
                            int32_t count, int32_t predicate, int32_t site) {
  Fiber &fiber = fiberOf(context);
  if (predicate)
    fiber.runner->initBarrier(fiber, barrier, count, site);
}

void tile_sim_mbarrier_inval(TileSimContext *context, void *barrier,
                             int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->invalidateBarrier(fiber, barrier, site);
}

int64_t tile_sim_mbarrier_arrive(TileSimContext *context, void *barrier,
                                 int32_t count, int32_t bytes, int32_t mode,
                                 int32_t predicate, int32_t site) {
  Fiber &fiber = fiberOf(context);
  return predicate ? fiber.runner->arriveBarrier(fiber, barrier, count, bytes,
                                                 mode, site)
                   : 0;
}

void tile_sim_mbarrier_complete_tx(TileSimContext *context, void *barrier,
                                   int32_t bytes, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->completeBytes(fiber, barrier, bytes, site);
}

int32_t tile_sim_mbarrier_wait(TileSimContext *context, void *barrier,
                               int64_t phase, int32_t mode, int32_t site) {
  Fiber &fiber = fiberOf(context);
  return fiber.runner->waitBarrier(fiber, barrier, phase, mode, site);
}

void tile_sim_tensor_load(TileSimContext *context, void *destination,
                          const void *map, void *barrier,
                          const int32_t *coordinates, int32_t rank,
                          int32_t mask, int32_t predicate, int32_t site) {
  Fiber &fiber = fiberOf(context);
  if (predicate)
    fiber.runner->loadTensor(fiber, destination, map, barrier,
                             {coordinates, rank, /*im2col=*/false}, mask, site);
}

void tile_sim_tensor_load_im2col(TileSimContext *context, void *destination,
                                 const void *map, void *barrier,
                                 const int32_t *coordinates, int32_t rank,
                                 int32_t mask, int32_t predicate,
                                 int32_t site) {
  Fiber &fiber = fiberOf(context);
  if (predicate)
    fiber.runner->loadTensor(fiber, destination, map, barrier,
                             {coordinates, rank, /*im2col=*/true}, mask, site);
}

void tile_sim_tensor_store(TileSimContext *context, const void *map,
                           const void *source, const int32_t *coordinates,
                           int32_t rank, int32_t predicate, int32_t site) {
  Fiber &fiber = fiberOf(context);
  if (predicate)
    fiber.runner->storeTensor(fiber, map, source,
                              {coordinates, rank, /*im2col=*/false}, site);
}

void tile_sim_tensor_prefetch(TileSimContext *context, const void *map,
                              int32_t predicate, int32_t site) {
  Fiber &fiber = fiberOf(context);
  if (predicate)
    fiber.runner->readMap(fiber, map, site);
}

void tile_sim_bulk_commit(TileSimContext *context) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->commitStores(fiber);
}

void tile_sim_bulk_wait(TileSimContext *context, int32_t pending) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->waitStores(fiber, pending);
}

void tile_sim_async_copy(TileSimContext *context, void *destination,
                         const void *source, int32_t size, int32_t copied,
                         int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->copyAsync(fiber, destination, source, size, copied, site);
}

void tile_sim_async_commit(TileSimContext *context) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->commitCopies(fiber);
}

void tile_sim_async_wait(TileSimContext *context, int32_t pending) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->waitCopies(fiber, pending);
}

void tile_sim_fence_proxy(TileSimContext *context) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->fenceProxy(fiber);
}

void tile_sim_fence_mbarrier_init(TileSimContext *context) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->fenceBarrierInit(fiber);
}

void tile_sim_wgmma(TileSimContext *context, void *accumulators,
                    int64_t descriptorA, int64_t descriptorB, int32_t n,
                    int32_t flags, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->wgmma(fiber, accumulators, nullptr,
                      static_cast<uint64_t>(descriptorA),
                      static_cast<uint64_t>(descriptorB), n, flags, site);
}

void tile_sim_wgmma_registers(TileSimContext *context, void *accumulators,
                              const void *registersA, int64_t descriptorB,
                              int32_t n, int32_t flags, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->wgmma(fiber, accumulators, registersA, 0,
                      static_cast<uint64_t>(descriptorB), n, flags, site);
}

void tile_sim_wgmma_fence(TileSimContext *context) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->fenceWgmma(fiber);
}

void tile_sim_wgmma_commit(TileSimContext *context) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->commitWgmma(fiber);
}

void tile_sim_wgmma_wait(TileSimContext *context, int32_t pending) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->waitWgmma(fiber, pending);
}

void tile_sim_grid_wait(TileSimContext *context) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->waitGrids(fiber);
}

void tile_sim_cluster_arrive(TileSimContext *context, int32_t relaxed,
                             int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->arriveCluster(fiber, relaxed != 0, site);
}

void tile_sim_cluster_wait(TileSimContext *context, int32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.runner->waitCluster(fiber, site);
}

void *tile_sim_mapa(TileSimContext *context, void *address, int32_t rank,
                    int32_t site) {
  Fiber &fiber = fiberOf(context);
  return fiber.runner->mapToRank(fiber, address, rank, site);
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
      import("tile_sim_async_commit", tile_sim_async_commit),
      import("tile_sim_async_copy", tile_sim_async_copy),
      import("tile_sim_async_wait", tile_sim_async_wait),
      import("tile_sim_barrier", tile_sim_barrier),
      import("tile_sim_barrier_arrive", tile_sim_barrier_arrive),
      import("tile_sim_bulk_commit", tile_sim_bulk_commit),
      import("tile_sim_bulk_wait", tile_sim_bulk_wait),
      import("tile_sim_check", tile_sim_check),
      import("tile_sim_cluster_arrive", tile_sim_cluster_arrive),
      import("tile_sim_cluster_wait", tile_sim_cluster_wait),
      import("tile_sim_count", tile_sim_count),
      import("tile_sim_division", tile_sim_division),
      import("tile_sim_elect", tile_sim_elect),
      import("tile_sim_fence_mbarrier_init", tile_sim_fence_mbarrier_init),
      import("tile_sim_fence_proxy", tile_sim_fence_proxy),
      import("tile_sim_grid_wait", tile_sim_grid_wait),
      import("tile_sim_ldmatrix", tile_sim_ldmatrix),
      import("tile_sim_local", tile_sim_local),
      import("tile_sim_mapa", tile_sim_mapa),
      import("tile_sim_mbarrier_arrive", tile_sim_mbarrier_arrive),
      import("tile_sim_mbarrier_complete_tx", tile_sim_mbarrier_complete_tx),
      import("tile_sim_mbarrier_init", tile_sim_mbarrier_init),
      import("tile_sim_mbarrier_inval", tile_sim_mbarrier_inval),
      import("tile_sim_mbarrier_wait", tile_sim_mbarrier_wait),
      import("tile_sim_mma", tile_sim_mma),
      import("tile_sim_print", tile_sim_print),
      import("tile_sim_redux", tile_sim_redux),
      import("tile_sim_shuffle", tile_sim_shuffle),
      import("tile_sim_step", tile_sim_step),
      import("tile_sim_stmatrix", tile_sim_stmatrix),
      import("tile_sim_tensor_load", tile_sim_tensor_load),
      import("tile_sim_tensor_load_im2col", tile_sim_tensor_load_im2col),
      import("tile_sim_tensor_prefetch", tile_sim_tensor_prefetch),
      import("tile_sim_tensor_store", tile_sim_tensor_store),
      import("tile_sim_trap", tile_sim_trap),
      import("tile_sim_vote", tile_sim_vote),
      import("tile_sim_warp_sync", tile_sim_warp_sync),
      import("tile_sim_wgmma", tile_sim_wgmma),
      import("tile_sim_wgmma_commit", tile_sim_wgmma_commit),
      import("tile_sim_wgmma_fence", tile_sim_wgmma_fence),
      import("tile_sim_wgmma_registers", tile_sim_wgmma_registers),
      import("tile_sim_wgmma_wait", tile_sim_wgmma_wait),
      import("memcpy",
             static_cast<void *(*)(void *, const void *, size_t)>(std::memcpy)),
      import("memmove", static_cast<void *(*)(void *, const void *, size_t)>(
                            std::memmove)),
      import("memset",
             static_cast<void *(*)(void *, int, size_t)>(std::memset)),
      import("fma", static_cast<double (*)(double, double, double)>(::fma)),
      import("fmaf", static_cast<float (*)(float, float, float)>(::fmaf)),
      import("__extendhfsf2", extendHalfToFloat),
      import("__truncdfbf2", truncateDoubleToBFloat),
      import("__truncdfhf2", truncateDoubleToHalf),
      import("__truncsfbf2", truncateFloatToBFloat),
      import("__truncsfhf2", truncateFloatToHalf),
      TILE_RT_MATH1(acos),
      TILE_RT_MATH1(acosh),
      TILE_RT_MATH1(asin),
      TILE_RT_MATH1(asinh),
      TILE_RT_MATH1(atan),
      TILE_RT_MATH1(atanh),
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
      TILE_RT_MATH1(roundeven),
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
