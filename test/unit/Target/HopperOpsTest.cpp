// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp operations, mbarriers, named barriers and clusters on the simulator.

#include "SimulatorHelpers.h"

using namespace tiletest;

namespace {
class HopperOps : public BodyTest {};
} // namespace

TEST_F(HopperOps, Shuffles) {
  struct {
    const char *kind, *clamp;
    int (*from)(int lane);
  } cases[] = {
      {"idx", "31", [](int) { return 3; }},
      {"up", "0", [](int lane) { return lane < 3 ? lane : lane - 3; }},
      {"down", "31", [](int lane) { return lane > 28 ? lane : lane + 3; }},
      {"bfly", "31", [](int lane) { return lane ^ 3; }},
      // In segments of eight lanes.
      {"idx", "0x181f", [](int lane) { return (lane & 24) | 3; }},
  };
  for (auto [kind, clamp, from] : cases) {
    ASSERT_EQ(run(std::string("%clamp = arith.constant ") + clamp +
                      " : i32\n%r = nvvm.shfl.sync " + kind +
                      " %all, %tid, %c3, %clamp : i32 -> i32",
                  64),
              "");
    for (int t = 0; t < 64; ++t)
      EXPECT_EQ(out[t], t / 32 * 32 + from(t % 32)) << kind << " " << t;
  }
  ASSERT_EQ(run(R"(
    %f = arith.uitofp %tid : i32 to f32
    %s = nvvm.shfl.sync up %all, %f, %c1, %c0 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    %v = llvm.extractvalue %s[0] : !llvm.struct<(f32, i1)>
    %ok = llvm.extractvalue %s[1] : !llvm.struct<(f32, i1)>
    %i = arith.fptosi %v : f32 to i32
    %r = arith.select %ok, %i, %all : i32)",
                32),
            "");
  for (int t = 0; t < 32; ++t)
    EXPECT_EQ(out[t], t - 1);
}

TEST_F(HopperOps, ElectionsVotesAndReductions) {
  ASSERT_EQ(run(R"(
    %e = nvvm.elect.sync -> i1
    %r = arith.extui %e : i1 to i32)",
                64),
            "");
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(out[t], t % 32 == 0);
  ASSERT_EQ(run(R"(
    %odd0 = arith.andi %tid, %c1 : i32
    %odd = arith.cmpi ne, %odd0, %c0 : i32
    %r = nvvm.vote.sync ballot %all, %odd -> i32)",
                32),
            "");
  EXPECT_EQ(static_cast<uint32_t>(out[5]), 0xaaaaaaaau);
  ASSERT_EQ(run("%r = nvvm.redux.sync add %tid, %all : i32 -> i32", 32), "");
  EXPECT_EQ(out[9], 31 * 16);
}

TEST_F(HopperOps, CollectivesThatNobodyElseComesTo) {
  std::string text = run(R"(
    %r = scf.if %first -> i32 {
      %e = nvvm.elect.sync -> i1 loc("the election")
      %x = arith.extui %e : i1 to i32
      scf.yield %x : i32
    } else {
      gpu.barrier
      scf.yield %c0 : i32
    })",
                         32);
  EXPECT_HAS(text, "1 thread, the first of them thread (0,0,0), waits for the "
                   "lanes 0xffffffff of the warp at the election");
  text = run("%r = nvvm.shfl.sync idx %c1, %tid, %c0, %c31 : i32 -> i32", 32);
  EXPECT_HAS(text, "wrong lane mask");
  text = run(R"(
    %r = scf.if %first -> i32 {
      %x = nvvm.shfl.sync idx %all, %tid, %c0, %c31 : i32 -> i32
      scf.yield %x : i32
    } else {
      %x = nvvm.shfl.sync idx %all, %tid, %c0, %c31 : i32 -> i32 loc("other")
      scf.yield %x : i32
    })",
             32);
  EXPECT_HAS(text, "warp divergence");
}

TEST_F(HopperOps, MatricesThroughSharedMemory) {
  // Stored by rows and loaded transposed: register 0 of lane l holds elements
  // (2 (l % 4), l / 4) and the next of a matrix whose element (i, j) is
  // 8 i + j.
  std::string attributes =
      "shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = "
      "#nvvm.ld_st_matrix_elt_type<b16>";
  ASSERT_EQ(run(R"(
    %c16 = arith.constant 16 : i32
    %c65537 = arith.constant 65537 : i32
    %c65536 = arith.constant 65536 : i32
    %row = llvm.mul %lane, %c16 : i32
    %at = llvm.getelementptr %data[%row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %e0 = arith.muli %lane, %c2 : i32
    %e1 = arith.muli %e0, %c65537 : i32
    %e = arith.addi %e1, %c65536 : i32
    %o = arith.addi %e, %c64 : i32
    nvvm.stmatrix %at, %e, %o {layout = #nvvm.mma_layout<row>, )" +
                    attributes + R"(} : !llvm.ptr<3>, i32, i32
    nvvm.bar.warp.sync %all : i32
    %l = nvvm.ldmatrix %at {num = 2 : i32, layout = #nvvm.mma_layout<col>, )" +
                    attributes +
                    R"(} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %r = llvm.extractvalue %l[0] : !llvm.struct<(i32, i32)>)",
                32),
            "");
  for (int l = 0; l < 32; ++l) {
    int element = 8 * (l % 4 * 2) + l / 4;
    EXPECT_EQ(out[l], element | (element + 8) << 16) << l;
  }
  EXPECT_HAS(run(R"(
    %at = llvm.getelementptr %data[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.stmatrix %at, %c0 {layout = #nvvm.mma_layout<row>, )" +
                     attributes + R"(} : !llvm.ptr<3>, i32
    %r = arith.constant 0 : i32)",
                 32),
             "misaligned shared store of 16 bytes");
}

TEST_F(HopperOps, PairsOfNarrowFloats) {
  for (const char *type : {"f16", "bf16"}) {
    std::string text = R"(
    %hi = arith.constant -1.5 : f32
    %lo = arith.constant 3.0 : f32
    %v = nvvm.convert.f32x2.to.TYPEx2 %hi, %lo {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xTYPE>
    %r = llvm.bitcast %v : vector<2xTYPE> to i32)";
    ASSERT_EQ(run(substitute(text, "TYPE", type), 32), "");
    EXPECT_EQ(static_cast<uint32_t>(out[0]),
              type[0] == 'f' ? 0xbe004200u : 0xbfc04040u);
  }
}

TEST_F(HopperOps, MBarrierOrdersMemory) {
  // The low warp writes and arrives, the high one waits and reads.
  std::string write = R"(
    %r = scf.if %low -> i32 {
      llvm.store %tid, %mine : i32, !llvm.ptr<3>
      ARRIVE
      scf.yield %c0 : i32
    } else {
      WAIT
      %i = arith.subi %tid, %c32 : i32
      %s = llvm.getelementptr %data[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %v = llvm.load %s : !llvm.ptr<3> -> i32
      scf.yield %v : i32
    })";
  const char *arrive = "%st = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64";
  const char *waits[] = {
      "nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !llvm.ptr<3>, i32, "
      "i32",
      "scf.while : () -> () {\n"
      "%w = nvvm.mbarrier.test.wait %bar, %c0 : !llvm.ptr<3>, i32 -> i1\n"
      "%again = arith.cmpi eq, %w, %false : i1\n"
      "scf.condition(%again)\n} do {\nscf.yield\n}",
      "scf.while : () -> () {\n"
      "%w = nvvm.mbarrier.try_wait %bar, %c0 : !llvm.ptr<3>, i32 -> i1\n"
      "%again = arith.cmpi eq, %w, %false : i1\n"
      "scf.condition(%again)\n} do {\nscf.yield\n}"};
  for (const char *wait : waits) {
    std::string body =
        "%false = arith.constant false\n" + initBarrier("32") +
        substitute(substitute(write, "ARRIVE", arrive), "WAIT", wait);
    ASSERT_EQ(run(body, 64), "") << wait;
    for (int t = 32; t < 64; ++t)
      EXPECT_EQ(out[t], t - 32);
  }
  std::string body =
      "%false = arith.constant false\n" + initBarrier("32") +
      substitute(substitute(write, "ARRIVE", arrive), "WAIT", "");
  EXPECT_HAS(run(body, 64), "with no barrier between them");
  // Nobody arrives, and the others look again and again.
  body = "%false = arith.constant false\n" + initBarrier("32") +
         substitute(substitute(write, "ARRIVE", ""), "WAIT", waits[1]);
  EXPECT_HAS(run(body, 64), "32 threads, the first of them thread (32,0,0), "
                            "wait for the phase of parity 0 of the mbarrier at "
                            "shared offset 0x0 (in phase 0, 32 of 32 arrivals "
                            "and 0 bytes pending)");
}

TEST_F(HopperOps, MBarrierMisuse) {
  std::string done = "\n%r = arith.constant 0 : i32";
  auto arrive = std::string("nvvm.mbarrier.arrive %bar : !llvm.ptr<3>");
  EXPECT_HAS(run(initBarrier("31") +
                     "nvvm.mbarrier.arrive %bar, %c32 : !llvm.ptr<3>" + done,
                 32),
             "expected at most 31 more arrivals of 31 in phase 0 of the "
             "mbarrier at shared offset 0x0, but got 32");
  EXPECT_EQ(run(initBarrier("32") + arrive + done, 32), "");
  EXPECT_HAS(run(arrive + done, 32), "expected an initialised mbarrier");
  EXPECT_HAS(run(initBarrier("0") + done, 32),
             "expected a count from 1 to 2^20 - 1, but got 0");
  EXPECT_HAS(run(initBarrier("1") + R"(
    %off = llvm.getelementptr %bar[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    nvvm.mbarrier.arrive %off : !llvm.ptr<3>)" +
                     done,
                 32),
             "misaligned mbarrier");
  EXPECT_HAS(run(initBarrier("1") + R"(
    %x = llvm.load %bar : !llvm.ptr<3> -> i32)" +
                     done,
                 32),
             "belongs to the mbarrier that was initialised at");
  EXPECT_HAS(run(R"(
    scf.if %first {
      nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32
    }
    nvvm.bar.warp.sync %all : i32
    %e = arith.cmpi ne, %tid, %c0 : i32
    nvvm.mbarrier.arrive %bar : !llvm.ptr<3>)" +
                     done,
                 64),
             "mbarrier used too early");
  EXPECT_HAS(run(initBarrier("1") + R"(
    scf.if %first {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    })" + done,
                 32),
             "expected memory without a live mbarrier");
  EXPECT_EQ(run(initBarrier("1") + R"(
    scf.if %first {
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    })" + done,
                32),
            "");
}

TEST_F(HopperOps, NamedBarriersWithArrivals) {
  std::string body = R"(
    %r = scf.if %low -> i32 {
      llvm.store %tid, %mine : i32, !llvm.ptr<3>
      ARRIVE
      scf.yield %c0 : i32
    } else {
      nvvm.barrier id = %c3 number_of_threads = %c64
      %i = arith.subi %tid, %c32 : i32
      %s = llvm.getelementptr %data[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %v = llvm.load %s : !llvm.ptr<3> -> i32
      scf.yield %v : i32
    })";
  ASSERT_EQ(run(substitute(body, "ARRIVE",
                           "nvvm.barrier.arrive id = %c3 number_of_threads = "
                           "%c64"),
                64),
            "");
  EXPECT_EQ(out[40], 8);
  EXPECT_HAS(run(substitute(body, "ARRIVE", ""), 64),
             "32 threads, the first of them thread (32,0,0), wait at barrier 3 "
             "for 64 threads at kernels.mlir");
}

static const char *kReadNeighbour = R"(
    llvm.store %bid, %mine : i32, !llvm.ptr<3>
    SYNC
    %n0 = arith.addi %rank, %c1 : i32
    %size = nvvm.read.ptx.sreg.cluster.nctarank : i32
    %next = arith.remui %n0, %size : i32
    %there = nvvm.mapa %mine, %next : !llvm.ptr<3> -> !llvm.ptr<7>
    %r = llvm.load %there : !llvm.ptr<7> -> i32 loc("the read")
    END)";
static const char *kArrive = "nvvm.cluster.arrive\n";
static const char *kWait = "nvvm.cluster.wait\n";

TEST_F(HopperOps, SharedMemoryOfTheCluster) {
  std::string both = std::string(kArrive) + kWait;
  std::string text =
      substitute(substitute(kReadNeighbour, "SYNC", both), "END", both);
  for (int cluster : {1, 2, 4, 8}) {
    ASSERT_EQ(run(text, 32, 8, cluster), "") << cluster;
    for (int b = 0; b < 8; ++b)
      EXPECT_EQ(out[32 * b + 5], b / cluster * cluster + (b + 1) % cluster);
  }
  text = substitute(
      substitute(kReadNeighbour, "SYNC",
                 "nvvm.cluster.arrive.relaxed\n" + std::string(kWait)),
      "END", both);
  EXPECT_HAS(run(text, 32, 2, 2), "race on shared memory: shared load of 4 "
                                  "bytes");
  text = substitute(substitute(kReadNeighbour, "SYNC", ""), "END", both);
  EXPECT_HAS(run(text, 32, 2, 2), "uninitialised shared load");
}

TEST_F(HopperOps, BlocksThatExitTooEarly) {
  std::string both = std::string(kArrive) + kWait;
  // The second block reads after the first one has gone.
  std::string text = substitute(kReadNeighbour, "SYNC", both);
  text = substitute(text, "END", "");
  EXPECT_HAS(run(text, 32, 2, 2), "block that has exited");
}

TEST_F(HopperOps, ClusterBarrierMisuse) {
  std::string done = "\n%r = arith.constant 0 : i32";
  EXPECT_HAS(run(kWait + done, 32), "expected a cluster.arrive before");
  EXPECT_HAS(run(kArrive + std::string(kArrive) + done, 64, 2, 2),
             "expected a cluster.wait between two arrivals");
  EXPECT_HAS(run(R"(
    scf.if %low {
      nvvm.cluster.arrive
      nvvm.cluster.wait loc("the wait")
    } else {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    })" + done,
                 33, 2, 2),
             "64 threads, the first of them thread (0,0,0) of block (0,0,0), "
             "wait for all threads of the cluster at the wait");
  EXPECT_HAS(
      run("%x = nvvm.mapa %bar, %c2 : !llvm.ptr<3> -> !llvm.ptr<7>" + done, 32,
          2, 2),
      "expected a block of the cluster from 0 to 1, but got 2");
}

TEST_F(HopperOps, RemoteArrivals) {
  // Both blocks arrive at the barrier of the first one.
  std::string text = R"(
    scf.if %first {
      nvvm.mbarrier.init %bar, %c2 : !llvm.ptr<3>, i32
      FENCE
    }
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    scf.if %first {
      %there = nvvm.mapa %bar, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
      nvvm.mbarrier.arrive %there {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
    }
    %isFirst = arith.cmpi eq, %rank, %c0 : i32
    scf.if %isFirst {
      nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    }
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    %r = arith.constant 1 : i32)";
  ASSERT_EQ(
      run(substitute(text, "FENCE", "nvvm.fence.mbarrier.init"), 32, 4, 2), "");
  EXPECT_EQ(out[100], 1);
  EXPECT_HAS(run(substitute(text, "FENCE", ""), 32, 4, 2),
             "mbarrier used too early");
}

TEST_F(HopperOps, RegistersOfTheCluster) {
  std::string body = R"(
    %id = nvvm.read.ptx.sreg.clusterid.x : i32
    %count = nvvm.read.ptx.sreg.nclusterid.x : i32
    %in = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    %of = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    %c10 = arith.constant 10 : i32
    %r0 = arith.muli %id, %c10 : i32
    %r1 = arith.addi %r0, %count : i32
    %r2 = arith.muli %r1, %c10 : i32
    %r3 = arith.addi %r2, %in : i32
    %r4 = arith.muli %r3, %c10 : i32
    %r = arith.addi %r4, %of : i32)";
  ASSERT_EQ(run(body, 32, 6, 2), "");
  for (int b = 0; b < 6; ++b)
    EXPECT_EQ(out[32 * b], b / 2 * 1000 + 300 + b % 2 * 10 + 2);
}

TEST_F(HopperOps, ClustersThatDoNotDivideTheGrid) {
  std::string done = "%r = arith.constant 0 : i32";
  EXPECT_HAS(run(done, 32, 3, 2), "expected a cluster of 1 to 16 blocks");
  EXPECT_HAS(run(done, 32, 32, 32), "expected a cluster of 1 to 16 blocks");
}
