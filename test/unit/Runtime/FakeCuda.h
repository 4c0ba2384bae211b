/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the double of the CUDA driver was asked to do, and how it shall behave.
 */
#ifndef TILE_TEST_UNIT_RUNTIME_FAKECUDA_H
#define TILE_TEST_UNIT_RUNTIME_FAKECUDA_H

/* What a tensor map of the double holds, at most 128 bytes. */
struct FakeTensorMap {
  unsigned long long base, dims[3], strides[2];
  unsigned box[3];
  int type, rank, swizzle;
};

struct FakeCuda {
  /* Behaviour, set by the test. */
  int devices, capability, initResult, faultAtSynchronize, argumentCount;
  /* The argument that is a tensor map; -1 for none. */
  int mapArgument;
  /* The calling thread's context stack. */
  int depth, current;
  /* Live objects. */
  int retained, modules, allocations, streams;
  /* The last calls. */
  int moduleLoads, moduleDevice, launches, launchDevice, maxDynamicShared;
  unsigned grid, block, shared;
  unsigned cluster;
  int nonPortableClusters, tensorMaps;
  /* Whether streams are captured, and whether the last launch was programmatic.
   * A captured launch is the one node in front of the next; a test may put
   * another there, of another type (0 is a kernel), or none (-1). */
  int capturing, programmatic, frontType;
  void *front;
  struct FakeTensorMap map;
  char kernels[16][128];
  void *stream;
  char image[4096], kernel[128];
  unsigned long long arguments[32];
};

#endif /* TILE_TEST_UNIT_RUNTIME_FAKECUDA_H */
