/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Compiles D = A * B for float32 matrices of any size, and launches it.
 *
 *   cc gemm.c $(pkg-config --cflags --libs tile tile-rt) -o gemm && ./gemm auto */
#include <stdio.h>
#include <stdlib.h>
#include <tile-c/tile-c.h>
#include <tile-rt/tile-rt.h>
enum { M = 40, N = 24, K = 16 };

/* Ends the program with the sentence of whichever library refused a call. */
static void fail(const char *sentence) {
  fprintf(stderr, "error: %s\n", sentence);
  exit(1);
}
#define TILE(call) ((call) == TILE_SUCCESS ? (void)0 : fail(tileGetLastError()))
#define RT(call) ((call) == TILE_RT_SUCCESS ? (void)0 : fail(tileRtGetLastError()))

static TileRtArgument matrix(TileRtBuffer buffer, int64_t rows, int64_t columns) {
  TileRtTensor tensor = {
      tileRtBufferGetAddress(buffer), TILE_RT_F32, 2, {rows, columns}, {columns, 1}};
  return (TileRtArgument){TILE_RT_TENSOR, {.tensor = tensor}};
}

int main(int argc, char **argv) {
  TileRtDevice device;
  TileRtDeviceInfo info;
  RT(tileRtDeviceOpen(argc > 1 ? argv[1] : "auto", &device));
  RT(tileRtDeviceGetInfo(device, &info));

  TileContext context;
  TileModule problem;
  TileArtifact artifact;
  TileGemmDescriptor gemm;
  TileCompileOptions options = {0}; /* for the simulator, any chip will do */
  if (info.kind == TILE_RT_DEVICE_CUDA) options.chip = info.chip, options.device = info.name;
  TILE(tileGemmDescriptorInit(&gemm)); /* f32, row-major, any extents and pitches */
  TILE(tileContextCreate(&context));
  TILE(tileModuleCreateGemm(context, &gemm, &problem));
  TILE(tileCompile(problem, &options, &artifact));
  const void *bytes;
  size_t size;
  TileRtModule module;
  TILE(tileArtifactGetData(artifact, &bytes, &size));
  RT(tileRtModuleLoad(device, bytes, size, &module));
  static float a[M * K], b[K * N], d[M * N];
  for (int i = 0; i < M * K; ++i) a[i] = (float)(i % 7);
  for (int i = 0; i < K * N; ++i) b[i] = (float)(i % 5);
  TileRtBuffer A, B, D;
  RT(tileRtBufferCreate(device, sizeof a, &A));
  RT(tileRtBufferCreate(device, sizeof b, &B));
  RT(tileRtBufferCreate(device, sizeof d, &D));
  RT(tileRtBufferWrite(A, 0, a, sizeof a, NULL));
  RT(tileRtBufferWrite(B, 0, b, sizeof b, NULL));
  TileRtArgument arguments[] = {matrix(A, M, K), matrix(B, K, N), matrix(D, M, N)};
  RT(tileRtLaunchEntry(module, "gemm", arguments, 3, NULL, NULL, NULL));
  RT(tileRtBufferRead(D, 0, d, sizeof d, NULL));
  printf("on %s: d[1][2] = %g\n", info.name, d[1 * N + 2]);
  return 0;
}
