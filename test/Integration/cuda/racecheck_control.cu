// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compute-sanitizer's racecheck makes of handshakes between two blocks.
//
//   nvcc -gencode=arch=compute_90a,code=sm_90a racecheck_control.cu -o control
//   for mode in 0 1 2 3 4; do
//     compute-sanitizer --tool racecheck --racecheck-report hazard ./control $mode
//   done
//
// Each block of a cluster writes its shared memory, and its neighbour reads it, twice
// over. The modes differ in how the neighbour learns of the writes:
//   0  a barrier of the cluster
//   1  barrier 0 of the block, then one arrival that releases at cluster scope
//   2  as 1, with barrier 1 for the same threads: PTX gives both one meaning
//   3  an arrival of each thread
//   4  as 1, with an arrival that releases to its own block alone: wrong
// Modes 1 to 4 are told that the memory may be written again by an arrival of each warp,
// behind bar.warp.sync.
#include <cstdint>
#include <cstdio>

static constexpr int threads = 128, rounds = 2;

__device__ uint32_t sharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ uint32_t inBlock(uint32_t address, uint32_t rank) {
  uint32_t result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(result)
               : "r"(address), "r"(rank));
  return result;
}

__device__ void clusterBarrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

__device__ void arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                   barrier)
               : "memory");
}

__device__ void arriveForOwnBlock(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier)
               : "memory");
}

__device__ void wait(uint32_t barrier, uint32_t parity) {
  uint32_t done;
  do
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  while (!done);
}

__global__ void __cluster_dims__(2, 1, 1) exchange(float *out, int mode) {
  __shared__ float values[threads];
  __shared__ alignas(8) uint64_t full, empty;
  uint32_t rank = blockIdx.x % 2, peer = rank ^ 1;
  int thread = threadIdx.x;
  if (thread == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(&full)),
                 "r"(mode == 3 ? threads : 1));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" ::"r"(sharedAddress(&empty)));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  clusterBarrier();
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (mode != 0 && round > 0)
      wait(sharedAddress(&empty), (round - 1) % 2);
    values[thread] = rank * 1000 + thread + round;
    uint32_t theirFull = inBlock(sharedAddress(&full), peer);
    if (mode == 0)
      clusterBarrier();
    if (mode == 1 || mode == 4)
      asm volatile("bar.sync 0, 128;" ::: "memory");
    if (mode == 2)
      asm volatile("bar.sync 1, 128;" ::: "memory");
    if (mode == 3 || ((mode == 1 || mode == 2) && thread == 0))
      arrive(theirFull);
    if (mode == 4 && thread == 0)
      arriveForOwnBlock(theirFull);
    if (mode != 0)
      wait(sharedAddress(&full), round % 2);
    float value;
    asm volatile("ld.shared::cluster.f32 %0, [%1];"
                 : "=f"(value)
                 : "r"(inBlock(sharedAddress(&values[thread]), peer))
                 : "memory");
    sum += value;
    if (mode == 0)
      clusterBarrier();
    __syncwarp();
    if (mode != 0 && thread % 32 == 0)
      arrive(inBlock(sharedAddress(&empty), peer));
  }
  clusterBarrier();
  out[blockIdx.x * threads + thread] = sum;
}

int main(int count, char **arguments) {
  constexpr int blocks = 4;
  int mode = count > 1 ? arguments[1][0] - '0' : 0;
  float *device = nullptr, host[blocks * threads];
  cudaMalloc(&device, sizeof(host));
  exchange<<<blocks, threads>>>(device, mode);
  cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int block = 0; block < blocks; ++block)
    for (int thread = 0; thread < threads; ++thread)
      wrong += host[block * threads + thread] !=
               rounds * ((block % 2 ? 0 : 1000) + thread) + 1;
  std::printf("mode %d: %d wrong, %s\n", mode, wrong,
              cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
