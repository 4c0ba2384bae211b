/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the double of the CUDA driver was asked to do, and how it shall behave.
 */
#ifndef TILE_TEST_UNIT_RUNTIME_FAKECUDA_H
#define TILE_TEST_UNIT_RUNTIME_FAKECUDA_H

struct FakeCuda {
  /* Behaviour, set by the test. */
  int devices, capability, initResult, faultAtSynchronize, argumentCount;
  /* The calling thread's context stack. */
  int depth, current;
  /* Live objects. */
  int retained, modules, allocations, streams;
  /* The last calls. */
  int moduleLoads, moduleDevice, launches, launchDevice, maxDynamicShared;
  unsigned grid, block, shared;
  void *stream;
  char image[4096], kernel[128];
  unsigned long long arguments[32];
};

#endif /* TILE_TEST_UNIT_RUNTIME_FAKECUDA_H */
