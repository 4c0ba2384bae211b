/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A double of libcuda.so.1: two devices, strict about contexts, in host memory.
 *
 * Every call that needs a current context fails without one, as the driver's
 * do. The tests look inside through fakeCuda().
 */
#include "FakeCuda.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidDevice = 101,
  NoBinary = 209,
  InvalidPtx = 218,
  InvalidContext = 201,
  NotFound = 500,
  IllegalAddress = 700
};

static struct FakeCuda state = {
    .devices = 2, .capability = 90, .mapArgument = -1};
static __thread int stack[16], depth;

struct FakeCuda *fakeCuda(void) {
  state.depth = depth;
  state.current = depth ? stack[depth - 1] : -1;
  return &state;
}

#define NEED_CONTEXT()                                                         \
  if (depth == 0)                                                              \
  return InvalidContext

int cuInit(unsigned flags) { return flags ? InvalidValue : state.initResult; }
int cuDriverGetVersion(int *v) { return *v = 12040, 0; }
int cuGetErrorName(int e, const char **s) {
  *s = e == IllegalAddress   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
       : e == InvalidPtx     ? "CUDA_ERROR_INVALID_PTX"
       : e == InvalidContext ? "CUDA_ERROR_INVALID_CONTEXT"
       : e == OutOfMemory    ? "CUDA_ERROR_OUT_OF_MEMORY"
                             : NULL;
  return *s ? 0 : InvalidValue;
}
int cuGetErrorString(int e, const char **s) {
  *s = e == IllegalAddress ? "an illegal memory access was encountered"
       : e == InvalidPtx   ? "a PTX JIT compilation failed"
       : e == OutOfMemory  ? "out of memory"
                           : NULL;
  return *s ? 0 : InvalidValue;
}
int cuDeviceGetCount(int *n) { return *n = state.devices, 0; }
int cuDeviceGet(int *d, int i) {
  return i < 0 || i >= state.devices ? InvalidDevice : (*d = i, 0);
}
int cuDeviceGetName(char *s, int n, int d) {
  return snprintf(s, n, "Fake GPU %d", d), 0;
}
int cuDeviceGetAttribute(int *v, int a, int d) {
  (void)d;
  *v = a == 75   ? state.capability / 10
       : a == 76 ? state.capability % 10
       : a == 16 ? 132
       : a == 8  ? 49152
       : a == 97 ? 232448
                 : 0;
  return 0;
}
int cuDeviceTotalMem_v2(size_t *n, int d) { return *n = 1u << 30, d < 0; }
int cuDevicePrimaryCtxRetain(void **c, int d) {
  ++state.retained;
  *c = (void *)(uintptr_t)(d + 1);
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int d) { return --state.retained, d < 0; }
int cuCtxPushCurrent_v2(void *c) {
  stack[depth++] = (int)(uintptr_t)c - 1;
  return 0;
}
int cuCtxPopCurrent_v2(void **c) {
  NEED_CONTEXT();
  *c = (void *)(uintptr_t)(stack[--depth] + 1);
  return 0;
}
int cuCtxSynchronize(void) {
  NEED_CONTEXT();
  return state.faultAtSynchronize;
}
int cuModuleLoadDataEx(void **m, const void *image, unsigned n, int *options,
                       void **values) {
  NEED_CONTEXT();
  snprintf(state.image, sizeof(state.image), "%s", (const char *)image);
  ++state.moduleLoads;
  if (strstr(state.image, "broken cubin"))
    return NoBinary;
  if (strstr(state.image, "broken ptx")) {
    for (unsigned i = 0; i < n; ++i)
      if (options[i] == 5)
        strcpy(values[i], "ptxas fatal : line 3; expected ';'\n");
    return InvalidPtx;
  }
  state.moduleDevice = stack[depth - 1];
  *m = &state;
  ++state.modules;
  return 0;
}
int cuModuleUnload(void *m) {
  NEED_CONTEXT();
  return --state.modules, m != &state;
}
int cuModuleGetFunction(void **f, void *m, const char *name) {
  NEED_CONTEXT();
  (void)m;
  if (!strstr(state.image, name))
    return NotFound;
  *f = strdup(name);
  return 0;
}
int cuFuncGetAttribute(int *v, int a, void *f) {
  NEED_CONTEXT();
  *v = a == 4 ? 128 : a == 3 ? 16 : a == 1 ? 2048 : 0;
  return f == NULL;
}
int cuFuncSetAttribute(void *f, int a, int v) {
  NEED_CONTEXT();
  if (a == 8)
    state.maxDynamicShared = v;
  if (a == 14)
    state.nonPortableClusters = v;
  return f == NULL;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **args, void **extra) {
  NEED_CONTEXT();
  (void)extra;
  snprintf(state.kernel, sizeof(state.kernel), "%s", (const char *)f);
  state.grid = gx * gy * gz;
  state.block = bx * by * bz;
  state.shared = shared;
  state.stream = stream;
  state.launchDevice = stack[depth - 1];
  if (args && state.argumentCount)
    for (int i = 0; i < state.argumentCount; ++i)
      memcpy(&state.arguments[i], args[i], 8);
  if (args && state.mapArgument >= 0)
    memcpy(&state.map, args[state.mapArgument], sizeof(state.map));
  state.programmatic = 0;
  if (state.capturing) {
    state.front = f;
    state.frontType = 0;
  }
  if (state.launches < 16)
    snprintf(state.kernels[state.launches], sizeof(state.kernels[0]), "%s",
             (const char *)f);
  ++state.launches;
  return 0;
}

struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    unsigned cluster[3];
    int allowed;
  } value;
};
struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void *stream;
  struct LaunchAttribute *attributes;
  unsigned attributeCount;
};
int cuLaunchKernelEx(const struct LaunchConfig *c, void *f, void **args,
                     void **extra) {
  state.cluster = 1;
  for (unsigned i = 0; i < c->attributeCount; ++i)
    if (c->attributes[i].id == 4)
      state.cluster = c->attributes[i].value.cluster[0] *
                      c->attributes[i].value.cluster[1] *
                      c->attributes[i].value.cluster[2];
  if (c->grid[0] % state.cluster)
    return InvalidValue;
  int result = cuLaunchKernel(f, c->grid[0], c->grid[1], c->grid[2],
                              c->block[0], c->block[1], c->block[2], c->shared,
                              c->stream, args, extra);
  for (unsigned i = 0; i < c->attributeCount; ++i)
    if (c->attributes[i].id == 6)
      state.programmatic = c->attributes[i].value.allowed;
  return result;
}
int cuStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id,
                              void **graph, void *const **nodes,
                              size_t *count) {
  NEED_CONTEXT();
  (void)stream, (void)id, (void)graph;
  *status = state.capturing;
  *nodes = &state.front;
  *count = state.capturing && state.frontType >= 0;
  return 0;
}
int cuGraphNodeGetType(void *node, int *type) {
  *type = state.frontType;
  return node != state.front;
}
/* The driver's CUDA_KERNEL_NODE_PARAMS_v2: 72 bytes, the function first. */
int cuGraphKernelNodeGetParams_v2(void *node, void **parameters) {
  if (state.frontType != 0)
    return InvalidValue;
  memset(parameters, 0, 72);
  parameters[0] = node;
  return 0;
}
/* Fewer than the 132 multiprocessors have room for: 50 clusters of 2. */
int cuOccupancyMaxActiveClusters(int *n, void *f,
                                 const struct LaunchConfig *c) {
  NEED_CONTEXT();
  if (!f || c->attributeCount != 1 || c->attributes[0].id != 4 ||
      c->grid[0] % c->attributes[0].value.cluster[0] || !c->block[0])
    return InvalidValue;
  *n = 100 / (int)c->attributes[0].value.cluster[0];
  return 0;
}
/* The rules that cuda.h documents, for maps without interleaving. */
int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *base,
                           const uint64_t *dims, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
  static const unsigned swizzles[] = {0, 32, 64, 128};
  if ((uintptr_t)map % 64 || type < 0 || type > 9 || rank < 1 || rank > 3 ||
      (uintptr_t)base % 16 || interleave || swizzle < 0 || swizzle > 3 ||
      promotion < 0 || promotion > 3 || fill)
    return InvalidValue;
  unsigned inner = box[0] * sizes[type];
  if (inner % 16 || (swizzle && inner > swizzles[swizzle]))
    return InvalidValue;
  for (uint32_t i = 0; i < rank; ++i) {
    if (dims[i] < 1 || dims[i] > 1ull << 32 || box[i] < 1 || box[i] > 256 ||
        steps[i] != 1)
      return InvalidValue;
    if (i + 1 < rank && (strides[i] % 16 || strides[i] >= 1ull << 40))
      return InvalidValue;
  }
  struct FakeTensorMap *m = map;
  memset(m, 0, sizeof(*m));
  m->base = (uintptr_t)base;
  m->type = type;
  m->rank = (int)rank;
  m->swizzle = swizzle;
  for (uint32_t i = 0; i < rank; ++i) {
    m->dims[i] = dims[i];
    m->box[i] = box[i];
    if (i + 1 < rank)
      m->strides[i] = strides[i];
  }
  ++state.tensorMaps;
  return 0;
}
int cuMemAlloc_v2(unsigned long long *p, size_t n) {
  NEED_CONTEXT();
  if (n == 0)
    return InvalidValue;
  if (n > 1u << 30)
    return OutOfMemory;
  *p = (uintptr_t)malloc(n);
  ++state.allocations;
  return 0;
}
int cuMemFree_v2(unsigned long long p) {
  NEED_CONTEXT();
  free((void *)(uintptr_t)p);
  return --state.allocations, 0;
}
int cuMemcpyHtoDAsync_v2(unsigned long long d, const void *s, size_t n,
                         void *q) {
  NEED_CONTEXT();
  (void)q;
  return memcpy((void *)(uintptr_t)d, s, n), 0;
}
int cuMemcpyDtoHAsync_v2(void *d, unsigned long long s, size_t n, void *q) {
  NEED_CONTEXT();
  (void)q;
  return memcpy(d, (void *)(uintptr_t)s, n), 0;
}
int cuMemcpyDtoDAsync_v2(unsigned long long d, unsigned long long s, size_t n,
                         void *q) {
  NEED_CONTEXT();
  (void)q;
  return memcpy((void *)(uintptr_t)d, (void *)(uintptr_t)s, n), 0;
}
int cuMemsetD8Async(unsigned long long d, unsigned char v, size_t n, void *q) {
  NEED_CONTEXT();
  (void)q;
  return memset((void *)(uintptr_t)d, v, n), 0;
}
int cuStreamCreate(void **s, unsigned flags) {
  NEED_CONTEXT();
  ++state.streams;
  return *s = malloc(1), flags != 0;
}
int cuStreamDestroy_v2(void *s) {
  NEED_CONTEXT();
  free(s);
  return --state.streams, 0;
}
int cuStreamSynchronize(void *s) {
  NEED_CONTEXT();
  (void)s;
  return state.faultAtSynchronize;
}
int cuEventCreate(void **e, unsigned flags) {
  NEED_CONTEXT();
  return *e = malloc(1), flags != 0;
}
int cuEventDestroy_v2(void *e) {
  NEED_CONTEXT();
  return free(e), 0;
}
int cuEventRecord(void *e, void *s) {
  NEED_CONTEXT();
  (void)s;
  return e == NULL;
}
int cuEventSynchronize(void *e) {
  NEED_CONTEXT();
  return e == NULL;
}
int cuEventElapsedTime(float *ms, void *a, void *b) {
  NEED_CONTEXT();
  return *ms = 1.5f, !a || !b;
}
