/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Kernels for the simulator's tests, written by hand against its ABI.
 *
 * Compiled to the kind of object that an artifact carries; see CMakeLists.txt.
 * The site numbers are indices into the table in RuntimeTestHelpers.h.
 */
#include "tile-sim-abi.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define KERNEL(name)                                                           \
  void tile_sim_kernel_##name(TileSimContext *ctx, void **args)
#define ARG(type, index) (*(type *)args[index])

enum {
  GlobalLoad = TILE_SIM_GLOBAL | TILE_SIM_LOAD,
  GlobalStore = TILE_SIM_GLOBAL | TILE_SIM_STORE,
  SharedLoad = TILE_SIM_SHARED | TILE_SIM_LOAD,
  SharedStore = TILE_SIM_SHARED | TILE_SIM_STORE
};

static float loadFloat(TileSimContext *ctx, const float *p, int kind,
                       int site) {
  tile_sim_check(ctx, p, 4, 4, kind, site);
  return *p;
}

static void storeFloat(TileSimContext *ctx, float *p, float value, int kind,
                       int site) {
  tile_sim_check(ctx, p, 4, 4, kind, site);
  *p = value;
}

/* out[global thread] = block * 1000 + thread */
KERNEL(identify) {
  int32_t *out = ARG(int32_t *, 0);
  int64_t block = ctx->ctaid[0] +
                  (int64_t)ctx->nctaid[0] *
                      (ctx->ctaid[1] + (int64_t)ctx->nctaid[1] * ctx->ctaid[2]);
  int32_t thread =
      ctx->tid[0] + ctx->ntid[0] * (ctx->tid[1] + ctx->ntid[1] * ctx->tid[2]);
  int64_t threads = (int64_t)ctx->ntid[0] * ctx->ntid[1] * ctx->ntid[2];
  int32_t *p = out + block * threads + thread;
  tile_sim_check(ctx, p, 4, 4, GlobalStore, 0);
  *p = (int32_t)(block * 1000 + thread);
}

/* One access by thread `who` of block `where`: address, size, alignment, kind.
 */
KERNEL(touch) {
  int32_t who = ARG(int32_t, 4), where = ARG(int32_t, 5);
  if (ctx->tid[0] == who && ctx->ctaid[0] == where)
    tile_sim_check(ctx, ARG(const void *, 0), ARG(int64_t, 1), ARG(int32_t, 2),
                   ARG(int32_t, 3), 1);
}

/* out[i] = in[n - 1 - i] through shared memory; args: in, out, with barrier */
KERNEL(reverse) {
  const float *in = ARG(const float *, 0);
  float *out = ARG(float *, 1), *tile = (float *)ctx->shared;
  int t = ctx->tid[0], n = ctx->ntid[0];
  storeFloat(ctx, tile + t, loadFloat(ctx, in + t, GlobalLoad, 2), SharedStore,
             3);
  if (ARG(int32_t, 2))
    tile_sim_barrier(ctx, 0, 0, 4);
  storeFloat(ctx, out + t, loadFloat(ctx, tile + (n - 1 - t), SharedLoad, 5),
             GlobalStore, 6);
}

/* Reads what nobody wrote, at a byte offset. */
KERNEL(uninitialised) {
  tile_sim_check(ctx, ctx->shared + ARG(int64_t, 0), ARG(int64_t, 1), 1,
                 SharedLoad, 5);
}

/* mode 0: every thread its own byte; 1: threads 2k and 2k+1 the same byte;
 * 2: own bytes, then after a barrier words; 3: the same without the barrier;
 * 4: a store after two readers of the word; 5: one byte of a word is missing.
 */
KERNEL(bytes) {
  int32_t mode = ARG(int32_t, 0), t = ctx->tid[0], n = ctx->ntid[0];
  uint8_t *byte = ctx->shared + (mode == 1 ? t / 2 * 2 : t);
  if (mode == 5 && t == 6)
    byte = ctx->shared;
  if (mode == 4) {
    if (t == 0)
      tile_sim_check(ctx, ctx->shared, 4, 4, SharedStore, 3);
    tile_sim_barrier(ctx, 0, 0, 4);
    tile_sim_check(ctx, ctx->shared, t == 2 ? 2 : 4, 2,
                   t == 2 ? SharedStore : SharedLoad, 5);
    return;
  }
  if (mode == 5 && t == 6) {
    tile_sim_barrier(ctx, 0, 0, 4);
    return;
  }
  tile_sim_check(ctx, byte, 1, 1, SharedStore, 3);
  if (mode != 3)
    tile_sim_barrier(ctx, 0, 0, 4);
  if (mode >= 2 && t < n / 4)
    tile_sim_check(ctx, ctx->shared + 4 * t, 4, 4, SharedLoad, 5);
}

/* 0: halves of the block at two barriers; 1: lanes of a warp at two sites;
 * 2: counts that differ; 3: a count that cannot be; 4: identifier 16;
 * 5: half of the threads exit, the rest meet; 6: a trap; 7: a division */
KERNEL(barriers) {
  int32_t mode = ARG(int32_t, 0), t = ctx->tid[0], half = ctx->ntid[0] / 2;
  switch (mode) {
  case 0:
    tile_sim_barrier(ctx, t < half ? 0 : 1, 0, t < half ? 4 : 7);
    return;
  case 1:
    tile_sim_barrier(ctx, 0, 0, t % 32 < 16 ? 4 : 7);
    return;
  case 2:
    tile_sim_barrier(ctx, 2, t < 32 ? 64 : 0, t < 32 ? 4 : 7);
    return;
  case 3:
    tile_sim_barrier(ctx, 0, 33, 4);
    return;
  case 4:
    tile_sim_barrier(ctx, 16, 0, 4);
    return;
  case 5:
    if (t >= half)
      tile_sim_barrier(ctx, 0, 0, 4);
    return;
  case 6:
    if (t == 3)
      tile_sim_trap(ctx, 8);
    return;
  case 7:
    if (t == 5)
      tile_sim_division(ctx, 8);
    return;
  }
}

/* Warp 0 writes, barrier 1 joins warps 0 and 1, warp 1 reads: in order. With
 * mode 1 warp 2 reads as well, and with mode 2 warp 1 reads, and warp 0 writes
 * again without waiting. With mode 3 warps 1 to 3 read, and only 1 and 2 are
 * waited for. With mode 4 warps 0 and 1 read, and warp 0 writes. */
KERNEL(partial) {
  int32_t mode = ARG(int32_t, 0), t = ctx->tid[0], warp = t / 32, lane = t % 32;
  uint8_t *word = ctx->shared + 4 * lane;
  if (mode >= 3) {
    if (warp == 0)
      tile_sim_check(ctx, word, 4, 4, SharedStore, 3);
    tile_sim_barrier(ctx, 0, 0, 4);
  }
  if (mode == 4) {
    if (warp < 2)
      tile_sim_check(ctx, word, 4, 4, SharedLoad, 5);
    // Lets warp 1 read before warp 0 goes on.
    if (warp == 0) {
      tile_sim_barrier(ctx, 1, 32, 4);
      tile_sim_check(ctx, word, 4, 4, SharedStore, 6);
    }
    return;
  }
  if (mode == 3) {
    if (warp != 0)
      tile_sim_check(ctx, word, 4, 4, SharedLoad, 5);
    if (warp != 3)
      tile_sim_barrier(ctx, 1, 96, 4);
    if (warp == 0)
      tile_sim_check(ctx, word, 4, 4, SharedStore, 6);
    return;
  }
  if (warp == 0)
    tile_sim_check(ctx, word, 4, 4, SharedStore, 3);
  if (warp < 2)
    tile_sim_barrier(ctx, 1, 64, 4);
  if (warp == 1 || (warp == 2 && mode == 1))
    tile_sim_check(ctx, word, 4, 4, SharedLoad, 5);
  if (warp == 0 && mode == 2)
    tile_sim_check(ctx, word, 4, 4, SharedStore, 6);
  tile_sim_barrier(ctx, 0, 0, 7);
  if (warp == 3)
    tile_sim_check(ctx, word, 4, 4, SharedStore, 6);
}

/* args: number of barriers. For timing. */
KERNEL(meet) {
  for (int32_t i = 0; i < ARG(int32_t, 0); ++i)
    tile_sim_barrier(ctx, 0, 0, 4);
}

/* Checked shared traffic; args: rounds. For timing. */
KERNEL(traffic) {
  int t = ctx->tid[0];
  uint8_t *mine = ctx->shared + 16 * t;
  tile_sim_check(ctx, mine, 16, 16, SharedStore, 3);
  tile_sim_barrier(ctx, 0, 0, 4);
  for (int32_t i = 0; i < ARG(int32_t, 0); ++i)
    tile_sim_check(ctx, ctx->shared + 16 * ((t + i) & 255), 16, 16, SharedLoad,
                   5);
}

/* Checked global traffic over three arrays; args: a, b, c, rounds. */
KERNEL(stream) {
  const float *p[3] = {ARG(float *, 0), ARG(float *, 1), ARG(float *, 2)};
  for (int32_t i = 0, n = ARG(int32_t, 3); i < n; ++i)
    tile_sim_check(ctx, p[i % 3] + 4 * ctx->tid[0], 16, 16, GlobalLoad, 2);
}

/* Vector registers that live across barriers; args: out (8 floats a thread). */
typedef float Float8 __attribute__((vector_size(32)));
__attribute__((target("avx2,fma"))) KERNEL(vectors) {
  Float8 sum[6];
  for (int i = 0; i < 6; ++i)
    sum[i] = (Float8){0, 1, 2, 3, 4, 5, 6, 7} * (float)(i + ctx->tid[0]);
  for (int round = 0; round < 5; ++round) {
    tile_sim_barrier(ctx, 0, 0, 4);
    for (int i = 0; i < 6; ++i)
      sum[i] += (Float8){1, 1, 1, 1, 1, 1, 1, 1};
  }
  Float8 total = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5];
  float *out = ARG(float *, 0) + 8 * ctx->tid[0];
  tile_sim_check(ctx, out, 32, 32, GlobalStore, 6);
  memcpy(out, &total, 32);
}

/* The imports; args: out (doubles). */
KERNEL(math) {
  double *out = ARG(double *, 0);
  volatile double x = 0.75;
  volatile float y = 0.75f;
  tile_sim_check(ctx, out, 48, 8, GlobalStore, 6);
  out[0] = fma(x, x, 1.0);
  out[1] = fmaf(y, y, 1.0f);
  out[2] = exp2(x);
  out[3] = logf(y);
  out[4] = tanh(x);
  memset(&out[5], 0, 8);
}

/* A global variable and a constant table of the object, with relocations to
 * data. */
static const int32_t table[4] = {10, 20, 30, 40};
static const int32_t *const pointers[2] = {&table[1], &table[3]};
int32_t counter = 5;
KERNEL(data) {
  int32_t *out = ARG(int32_t *, 0);
  tile_sim_check(ctx, out, 8, 4, GlobalStore, 6);
  out[0] = *pointers[ctx->tid[0] & 1];
  out[1] = ++counter;
}

/* Fails in every block, in block 0 last; args: rounds to wait, bad address. */
KERNEL(late) {
  volatile int64_t wait = ctx->ctaid[0] == 0 ? ARG(int64_t, 0) : 0;
  while (wait > 0)
    --wait;
  tile_sim_check(ctx, ARG(void *, 1), 4, 4, GlobalLoad, 2);
}

/* Relocations relative to the instruction, to code and to another section:
 * out[0] = 77. */
const int32_t relativeConstant = 77;
void relativeStore(int32_t *out, int32_t value) { *out = value; }
__asm__(".text\n"
        ".globl tile_sim_kernel_relative\n"
        ".type tile_sim_kernel_relative, @function\n"
        "tile_sim_kernel_relative:\n"
        "  movq (%rsi), %rax\n"
        "  movq (%rax), %rdi\n"
        "  movl relativeConstant(%rip), %esi\n"
        "  jmp relativeStore\n"
        ".size tile_sim_kernel_relative, . - tile_sim_kernel_relative\n");

/* D = alpha A B + beta C, one element a thread, tiles of 16 x 16. Parameters as
 * in RuntimeTestHelpers.h. */
typedef struct Strides {
  int64_t rows, columns, batch;
} Strides;

static void gemmBody(TileSimContext *ctx, void **args) {
  enum { Tile = 16 };
  int64_t m = ARG(int64_t, 4), n = ARG(int64_t, 5), k = ARG(int64_t, 6);
  Strides s[4];
  for (int i = 0; i < 4; ++i)
    s[i] = (Strides){ARG(int64_t, 8 + 3 * i), ARG(int64_t, 9 + 3 * i),
                     ARG(int64_t, 10 + 3 * i)};
  float alpha = ARG(float, 20), beta = ARG(float, 21);
  int64_t tilesM = (m + Tile - 1) / Tile, tilesN = (n + Tile - 1) / Tile;
  int64_t number = ctx->ctaid[0], batch = number / (tilesM * tilesN);
  int64_t rest = number % (tilesM * tilesN);
  int ty = ctx->tid[0] / Tile, tx = ctx->tid[0] % Tile;
  int64_t row = rest / tilesN * Tile + ty, column = rest % tilesN * Tile + tx;
  const float *a = ARG(const float *, 0) + batch * s[0].batch;
  const float *b = ARG(const float *, 1) + batch * s[1].batch;
  float *sharedA = (float *)ctx->shared, *sharedB = sharedA + Tile * Tile;
  float sum = 0;
  for (int64_t step = 0; alpha != 0 && step < k; step += Tile) {
    float x = 0, y = 0;
    if (row < m && step + tx < k)
      x = loadFloat(ctx, a + row * s[0].rows + (step + tx) * s[0].columns,
                    GlobalLoad, 2);
    if (step + ty < k && column < n)
      y = loadFloat(ctx, b + (step + ty) * s[1].rows + column * s[1].columns,
                    GlobalLoad, 2);
    storeFloat(ctx, sharedA + ty * Tile + tx, x, SharedStore, 3);
    storeFloat(ctx, sharedB + ty * Tile + tx, y, SharedStore, 3);
    tile_sim_barrier(ctx, 0, 0, 4);
    for (int i = 0; i < Tile; ++i)
      sum = fmaf(loadFloat(ctx, sharedA + ty * Tile + i, SharedLoad, 5),
                 loadFloat(ctx, sharedB + i * Tile + tx, SharedLoad, 5), sum);
    tile_sim_barrier(ctx, 0, 0, 7);
  }
  if (row >= m || column >= n)
    return;
  float result = alpha * sum;
  if (beta != 0)
    result += beta * loadFloat(ctx,
                               ARG(const float *, 2) + batch * s[2].batch +
                                   row * s[2].rows + column * s[2].columns,
                               GlobalLoad, 2);
  storeFloat(ctx,
             ARG(float *, 3) + batch * s[3].batch + row * s[3].rows +
                 column * s[3].columns,
             result, GlobalStore, 6);
}

KERNEL(gemm_v4) { gemmBody(ctx, args); }
KERNEL(gemm_v1) { gemmBody(ctx, args); }

/* As gemm_v1, with tensor maps of A and B as arguments 22 and 23. */
KERNEL(gemm_map) {
  if ((uintptr_t)args[22] % 64 || (uintptr_t)args[23] % 64)
    tile_sim_trap(ctx, 8);
  gemmBody(ctx, args);
}

/* Copies X in tiles of 16 x 16, one element a thread; args: X.data,
 * X.stride[0], X.stride[1], X.batch_stride, X.packed, X.packed_stride,
 * X.packed_batch_stride, X.extent[0], X.extent[1], batch. */
static void packBody(TileSimContext *ctx, void **args, int contiguous) {
  enum { Tile = 16 };
  int64_t rows = ARG(int64_t, 7), columns = ARG(int64_t, 8);
  int64_t tilesM = (rows + Tile - 1) / Tile,
          tilesN = (columns + Tile - 1) / Tile;
  int64_t batch = ctx->ctaid[0] / (tilesM * tilesN);
  int64_t rest = ctx->ctaid[0] % (tilesM * tilesN);
  int64_t row = rest / tilesN * Tile + ctx->tid[0] / Tile;
  int64_t column = rest % tilesN * Tile + ctx->tid[0] % Tile;
  if (row >= rows || column >= columns || batch >= ARG(int64_t, 9))
    return;
  float value = loadFloat(ctx,
                          ARG(const float *, 0) + batch * ARG(int64_t, 3) +
                              row * ARG(int64_t, 1) + column * ARG(int64_t, 2),
                          GlobalLoad, 2);
  int64_t pitch = ARG(int64_t, 5);
  storeFloat(ctx,
             ARG(float *, 4) + batch * ARG(int64_t, 6) +
                 (contiguous ? row * pitch + column : column * pitch + row),
             value, GlobalStore, 6);
}

KERNEL(pack_r) { packBody(ctx, args, 1); }
KERNEL(pack_c) { packBody(ctx, args, 0); }
