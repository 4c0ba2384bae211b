// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrivals and waits order memory as far as their scopes say, not as far as a
// GPU usually does.

#include "SimulatorHelpers.h"

using namespace tiletest;

namespace {
class MemoryScope : public BodyTest {
protected:
  /// Two blocks, two rounds: block 1 reads what block 0 wrote, and lets it go
  /// for block 0 to write again. Scopes as attributes, "" for the default.
  std::string handOver(const std::string &commit, const std::string &wait,
                       const std::string &release, const std::string &acquire);
};
} // namespace

static const char *kCluster = "{scope = #nvvm.mem_scope<cluster>} ";

/// A wait for `parity` of the mbarrier `barrier`.
static std::string waitFor(const char *barrier, const char *parity,
                           const std::string &scope) {
  return std::string("scf.while : () -> () {\n%w = nvvm.mbarrier.try_wait ") +
         barrier + ", " + parity + ", %ticks " + scope +
         ": !llvm.ptr<3>, i32, i32 -> i1\n"
         "%again = arith.xori %w, %true : i1\n"
         "scf.condition(%again)\n} do {\nscf.yield\n}\n";
}

std::string MemoryScope::handOver(const std::string &commit,
                                  const std::string &wait,
                                  const std::string &release,
                                  const std::string &acquire) {
  // %bar of block 1 is full, %empty of block 0 is empty; one thread arrives.
  std::string body = R"(
    %true = arith.constant true
    %empty = llvm.getelementptr %smem[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    scf.if %first {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %full1 = nvvm.mapa %bar, %c1 : !llvm.ptr<3> -> !llvm.ptr<7>
    %empty0 = nvvm.mapa %empty, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    %theirs = nvvm.mapa %mine, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    %isWriter = arith.cmpi eq, %rank, %c0 : i32
    %r = scf.if %isWriter -> i32 {
      llvm.store %tid, %mine : i32, !llvm.ptr<3> loc("the first store")
      nvvm.bar.warp.sync %all : i32
      scf.if %first {
        nvvm.mbarrier.arrive %full1 COMMIT: !llvm.ptr<7>
      }
      ACQUIRE
      llvm.store %bid, %mine : i32, !llvm.ptr<3> loc("the second store")
      scf.yield %c0 : i32
    } else {
      WAIT
      %v = llvm.load %theirs : !llvm.ptr<7> -> i32 loc("the load")
      nvvm.bar.warp.sync %all : i32
      scf.if %first {
        nvvm.mbarrier.arrive %empty0 RELEASE: !llvm.ptr<7>
      }
      scf.yield %v : i32
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait)";
  body = substitute(body, "COMMIT", commit);
  body = substitute(body, "RELEASE", release);
  body = substitute(body, "WAIT", waitFor("%bar", "%c0", wait));
  body = substitute(body, "ACQUIRE", waitFor("%empty", "%c0", acquire));
  return run(body, 32, 2, 2);
}

TEST_F(MemoryScope, ClusterOrdersBlocks) {
  ASSERT_EQ(handOver(kCluster, kCluster, kCluster, kCluster), "");
  EXPECT_EQ(out[32 + 7], 7);
}

TEST_F(MemoryScope, ReleaseToTheBlockDoesNotReachAnother) {
  // What split-K kernels did: the loads of block 1 may still be on their way.
  std::string text = handOver(kCluster, kCluster, "", kCluster);
  EXPECT_HAS(text, "race on shared memory: shared store of 4 bytes");
  EXPECT_HAS(text, "at the second store, and a load of byte ");
  EXPECT_HAS(text, "of block (1,0,0) at the load");
  EXPECT_HAS(text, "arrive there and the wait here have the scope of the "
                   "cluster");
  text = handOver("", kCluster, kCluster, kCluster);
  EXPECT_HAS(text, "at the load, and a store of byte ");
  EXPECT_HAS(text, "of block (0,0,0) at the first store");
}

TEST_F(MemoryScope, AcquireFromTheBlockDoesNotReachAnother) {
  EXPECT_HAS(handOver(kCluster, "", kCluster, kCluster), "at the load, and");
  EXPECT_HAS(handOver(kCluster, kCluster, kCluster, ""),
             "at the second store, and");
}

TEST_F(MemoryScope, RelaxedArrivalsAreNotModelled) {
  compile(R"(
    gpu.func @k(%b: !llvm.ptr<3>) kernel {
      nvvm.mbarrier.arrive %b : !llvm.ptr<3>
      gpu.return
    })");
  ASSERT_TRUE(module);
  EXPECT_HAS(diagnose(R"(
    gpu.func @k(%b: !llvm.ptr<3>) kernel {
      nvvm.mbarrier.arrive %b {relaxed = true} : !llvm.ptr<3>
      gpu.return
    })"),
             "expected an op that the simulator models, but got "
             "'nvvm.mbarrier.arrive'");
}
