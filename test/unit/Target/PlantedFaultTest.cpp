// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults planted in correct kernels, and the sentence that finds each.

#include "SimulatorHelpers.h"

#include <cstdlib>

using namespace tiletest;

namespace {
class PlantedFault : public BodyTest {
protected:
  /// Launches kernel `index` of the module with pointers as arguments.
  std::string launchBeside(int index, std::vector<void *> pointers,
                           bool programmatic) {
    std::vector<void *> arguments;
    for (void *&pointer : pointers)
      arguments.push_back(&pointer);
    tile::rt::LaunchShape shape{{1, 1, 1}, {32, 1, 1}, 0};
    if (programmatic)
      shape.programmatic = tile::rt::ProgrammaticLaunch::Always;
    return module->launch(index, shape, arguments.data(), nullptr) ==
                   TILE_RT_SUCCESS
               ? ""
               : tileRtGetLastError();
  }
};

/// Sets an environment variable for a while.
struct Environment {
  Environment(const char *name, const char *value) : name(name) {
    setenv(name, value, 1);
  }
  ~Environment() { unsetenv(name); }
  const char *name;
};
} // namespace

static const char *kNothing = "%r = arith.constant 0 : i32\n";

//===----------------------------------------------------------------------===//
// Barriers and exits
//===----------------------------------------------------------------------===//

TEST_F(PlantedFault, OneThreadAtABarrierThatTheOthersLeft) {
  std::string text = run(R"(
    scf.if %first {
      gpu.barrier loc("the barrier")
    })" + std::string(kNothing),
                         32);
  EXPECT_HAS(text, "barrier divergence in kernel 'k', block (0,0,0), thread "
                   "(0,0,0) at the barrier: expected all threads of the warp "
                   "at barrier 0, but 31 of its 32 have exited");
  // A whole warp may leave.
  EXPECT_EQ(run(R"(
    scf.if %low {
      gpu.barrier
    })" + std::string(kNothing),
                64),
            "");
}

/// Two blocks: each reads what block 1 wrote, after a barrier of the cluster,
/// and exits after what END says.
static std::string readOther(const std::string &init, const std::string &end) {
  return substitute(substitute(R"(
    llvm.store %tid, %mine : i32, !llvm.ptr<3>
    INIT
    %there = nvvm.mapa %mine, %c1 : !llvm.ptr<3> -> !llvm.ptr<7>
    %r = llvm.load %there : !llvm.ptr<7> -> i32 loc("the load")
    END)",
                               "INIT", init),
                    "END", end);
}

TEST_F(PlantedFault, ExitWhileOthersRead) {
  std::string both = "nvvm.cluster.arrive\nnvvm.cluster.wait\n";
  EXPECT_EQ(run(readOther(both, both), 32, 2, 2), "");
  // The block that is read waits for nobody, and is still there by chance.
  std::string text =
      run(readOther(both, "nvvm.cluster.arrive\n"), 32, 2, 2);
  EXPECT_HAS(text, "block that may have exited in kernel 'k', block (0,0,0)");
  EXPECT_HAS(text, "at the load: expected block 1 of the cluster to wait for "
                   "this access of its shared memory before its threads exit");
}

/// Block 1 arrives at an mbarrier of block 0, which waits for that.
static const char *kRemoteArrival = R"(
    scf.if %first {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive.relaxed
    CLUSTERWAIT
    %there = nvvm.mapa %bar, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    %isSecond = arith.cmpi eq, %rank, %c1 : i32
    %arrives = arith.andi %isSecond, %first : i1
    scf.if %arrives {
      nvvm.mbarrier.arrive %there : !llvm.ptr<7> loc("the arrival")
    }
    %isFirst = arith.cmpi eq, %rank, %c0 : i32
    scf.if %isFirst {
      WAIT
    }
    %r = arith.constant 0 : i32)";

TEST_F(PlantedFault, DrainOfAProducerIsMissing) {
  std::string body =
      substitute(kRemoteArrival, "CLUSTERWAIT", "nvvm.cluster.wait");
  EXPECT_EQ(run(substitute(body, "WAIT",
                           "nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : "
                           "!llvm.ptr<3>, i32, i32"),
                32, 2, 2),
            "");
  // Were the arriving block the second one to run, the first would be gone.
  std::string text = run(substitute(body, "WAIT", "gpu.barrier"), 32, 2, 2);
  EXPECT_HAS(text, "block");
  EXPECT_HAS(text, "exited");
  EXPECT_HAS(text, "at the arrival");
}

TEST_F(PlantedFault, NoClusterWaitAfterTheInitialisation) {
  std::string body = substitute(kRemoteArrival, "CLUSTERWAIT", "");
  EXPECT_HAS(run(substitute(body, "WAIT",
                            "nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : "
                            "!llvm.ptr<3>, i32, i32"),
                 32, 2, 2),
             "mbarrier used too early");
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

static const char *kCount = R"(
    scf.if %first {
      llvm.store %c0, %data : i32, !llvm.ptr<3> loc("the store")
    }
    BEFORE
    %o = llvm.atomicrmw add %data, %c1 monotonic : !llvm.ptr<3>, i32 loc("the atomic")
    AFTER
    %r = llvm.load %data : !llvm.ptr<3> -> i32 loc("the load"))";

TEST_F(PlantedFault, AtomicsAreNoRaceWithEachOther) {
  std::string right = substitute(substitute(kCount, "BEFORE", "gpu.barrier"),
                                 "AFTER", "gpu.barrier");
  ASSERT_EQ(run(right, 64), "");
  EXPECT_EQ(out[17], 64);
  EXPECT_HAS(run(substitute(substitute(kCount, "BEFORE", ""), "AFTER",
                            "gpu.barrier"),
                 64),
             "shared load of 4 bytes");
  std::string text = run(
      substitute(substitute(kCount, "BEFORE", "gpu.barrier"), "AFTER", ""), 64);
  EXPECT_HAS(text, "race on shared memory");
  EXPECT_HAS(text, "with no barrier between them");
}

TEST_F(PlantedFault, AtomicsOrderWhatTheySay) {
  // Thread 32 sees the flag that thread 0 has set, and reads its data.
  std::string body = R"(
    %r = scf.if %low -> i32 {
      scf.if %first {
        llvm.store %c3, %mine : i32, !llvm.ptr<3>
      }
      %o = llvm.atomicrmw add %smem, %c1 RELEASE : !llvm.ptr<3>, i32
      scf.yield %c0 : i32
    } else {
      %z = llvm.atomicrmw add %smem, %c0 ACQUIRE : !llvm.ptr<3>, i32
      %v = llvm.load %data : !llvm.ptr<3> -> i32 loc("the load")
      scf.yield %v : i32
    })";
  std::string start = R"(
    scf.if %first {
      llvm.store %c0, %smem : i32, !llvm.ptr<3>
    }
    gpu.barrier)";
  auto with = [&](const char *release, const char *acquire) {
    return run(start + substitute(substitute(body, "RELEASE", release),
                                  "ACQUIRE", acquire),
               64);
  };
  ASSERT_EQ(with("release", "acquire"), "");
  EXPECT_EQ(out[40], 3);
  EXPECT_EQ(with("acq_rel", "seq_cst"), "");
  EXPECT_HAS(with("monotonic", "acquire"), "at the load");
  EXPECT_HAS(with("release", "monotonic"), "at the load");
}

//===----------------------------------------------------------------------===//
// What would end the process
//===----------------------------------------------------------------------===//

TEST_F(PlantedFault, DivisionOfVectorsAndByMinusOne) {
  std::string vector = R"(
    %v = vector.from_elements %c64, %c64, %c64, %DIVISOR : vector<4xi32>
    %x = vector.from_elements %c64, %c64, %c64, %c64 : vector<4xi32>
    %q = arith.divsi %x, %v : vector<4xi32> loc("the division")
    %r = vector.extract %q[3] : i32 from vector<4xi32>)";
  ASSERT_EQ(run(substitute(vector, "%DIVISOR", "%c2"), 32), "");
  EXPECT_EQ(out[3], 32);
  EXPECT_HAS(run(substitute(vector, "%DIVISOR", "%c0"), 32),
             "integer division by zero or overflow in kernel 'k', block "
             "(0,0,0), thread (0,0,0) at the division");
  // The smallest number over a constant -1.
  EXPECT_HAS(run(R"(
    %shifted = arith.shli %c1, %c31 : i32
    %n = arith.addi %shifted, %tid : i32
    %r = arith.divsi %n, %all : i32 loc("the division"))",
                 32),
             "integer division by zero or overflow");
  EXPECT_EQ(run("%r = arith.divsi %tid, %all : i32", 32), "");
  EXPECT_EQ(out[5], -5);
}

TEST_F(PlantedFault, LocalMemoryOutOfBounds) {
  std::string body = R"(
    %n = arith.constant COUNT : i32
    %slots = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    %i = arith.addi %tid, %c1 : i32
    %at = llvm.getelementptr %slots[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %tid, %at : i32, !llvm.ptr loc("the store")
    %r = llvm.load %at : !llvm.ptr -> i32)";
  ASSERT_EQ(run(substitute(body, "COUNT", "33"), 32), "");
  EXPECT_EQ(out[31], 31);
  EXPECT_HAS(run(substitute(body, "COUNT", "32"), 32),
             "out-of-bounds local or constant memory in kernel 'k', block "
             "(0,0,0), thread (31,0,0) at the store: expected 4 bytes inside "
             "of a variable of 128, but got them at offset 128");
  // As much as a GPU thread may have, and more than that.
  ASSERT_EQ(run(substitute(body, "COUNT", "131072"), 32), "");
  EXPECT_EQ(out[7], 7);
  EXPECT_HAS(diagnose(R"(
    gpu.func @k(%p: !llvm.ptr) kernel {
      %n = llvm.mlir.constant(131073 : i32) : i32
      %slots = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
      llvm.store %slots, %p : !llvm.ptr, !llvm.ptr
      gpu.return
    })"),
             "expected at most 524288 bytes of local memory for a thread, but "
             "got 524292 in 'k'");
}

TEST_F(PlantedFault, ConstantsOutOfBounds) {
  compile(R"(
    llvm.mlir.global internal constant @table(dense<7> : tensor<4xi32>) : !llvm.array<4 x i32>
    gpu.func @k(%out: !llvm.ptr<1>, %i: i32) kernel {
      %t = llvm.mlir.addressof @table : !llvm.ptr
      %at = llvm.getelementptr %t[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %at : !llvm.ptr -> i32 loc("the load")
      llvm.store %v, %out : i32, !llvm.ptr<1>
      gpu.return
    })");
  ASSERT_TRUE(module);
  auto *memory = allocate<int32_t>(1);
  int32_t index = 3;
  EXPECT_EQ(launch({&memory, &index}, 1), "");
  EXPECT_EQ(*memory, 7);
  index = 4;
  EXPECT_HAS(launch({&memory, &index}, 1),
             "at the load: expected 4 bytes inside of a variable of 16, but "
             "got them at offset 16");
}

TEST_F(PlantedFault, Recursion) {
  EXPECT_HAS(diagnose(R"(
    llvm.func internal @f(%n: i32) -> i32 {
      %r = llvm.call @f(%n) : (i32) -> i32
      llvm.return %r : i32
    }
    gpu.func @k(%p: !llvm.ptr<1>) kernel {
      %c = llvm.mlir.constant(1 : i32) : i32
      %r = llvm.call @f(%c) : (i32) -> i32
      llvm.store %r, %p : i32, !llvm.ptr<1>
      gpu.return
    })"),
             "expected functions that do not call themselves in the simulator, "
             "but 'f' does");
}

TEST_F(PlantedFault, WildPointers) {
  std::string load = R"(
    scf.if %first {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      %n = llvm.mlir.constant(4398046511104 : i64) : i64
      %map = llvm.inttoptr %n : i64 to !llvm.ptr
      %box = llvm.addrspacecast %data : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %box, %map, %bar, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr loc("the load")
    })";
  EXPECT_HAS(run(load + kNothing, 32),
             "wild tensor map in kernel 'k', block (0,0,0), thread (0,0,0) at "
             "the load: expected the address of 128 bytes that can be read, "
             "but got 0x40000000000");
}

TEST_F(PlantedFault, EndlessLoopsEnd) {
  Environment limit("TILE_SIM_STEPS", "200000");
  std::string loop = R"(
    %true = arith.constant true
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    } loc("the loop"))";
  std::string text = run(loop + kNothing, 32);
  EXPECT_HAS(text, "endless loop in kernel 'k', block (0,0,0), thread (");
  EXPECT_HAS(text, "expected the threads of the cluster to end after at most "
                   "200000 passes through loops");
}

TEST_F(PlantedFault, WaitsForAFlagGoOnWhenOthersHaveHadTheirTurn) {
  // Thread 0 waits for what thread 63 does.
  std::string body = R"(
    scf.if %first {
      llvm.store %c0, %smem : i32, !llvm.ptr<3>
    }
    gpu.barrier
    %last = arith.constant 63 : i32
    %isLast = arith.cmpi eq, %tid, %last : i32
    scf.if %first {
      scf.while : () -> () {
        %v = llvm.atomicrmw add %smem, %c0 acquire : !llvm.ptr<3>, i32
        %again = arith.cmpi eq, %v, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
    scf.if %isLast {
      %o = llvm.atomicrmw add %smem, %c1 release : !llvm.ptr<3>, i32
    })";
  EXPECT_EQ(run(body + kNothing, 64), "");
}

//===----------------------------------------------------------------------===//
// Launches beside each other
//===----------------------------------------------------------------------===//

TEST_F(PlantedFault, KernelThatDoesNotWaitForTheOneInFront) {
  std::string text = R"(
    gpu.func @write(%x: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %x[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %tid, %p : i32, !llvm.ptr<1>
      gpu.return
    }
    gpu.func @read(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %x[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %q = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      EARLY
      WAIT
      %v = llvm.load %p : !llvm.ptr<1> -> i32 loc("the load")
      llvm.store %v, %q : i32, !llvm.ptr<1>
      gpu.return
    })";
  auto *x = allocate<int32_t>(32), *y = allocate<int32_t>(32);
  auto both = [&](const char *early, const char *wait, bool programmatic) {
    compile(substitute(substitute(text, "EARLY", early), "WAIT", wait));
    std::string first = launchBeside(0, {x}, false);
    return first.empty() ? launchBeside(1, {x, y}, programmatic) : first;
  };
  const char *wait = "nvvm.griddepcontrol wait";
  ASSERT_EQ(both("", wait, true), "");
  EXPECT_EQ(y[9], 9);
  // A plain launch comes when the one in front is over.
  EXPECT_EQ(both("", "", false), "");
  EXPECT_HAS(both("", "", true),
             "race with the launch in front in kernel 'read', block (0,0,0), "
             "thread (0,0,0) at the load: expected a griddepcontrol.wait "
             "before this load, but there is none, and the launch in front "
             "stores to the same allocation");
  // What the kernel in front does not touch may be written early.
  EXPECT_EQ(both("llvm.store %tid, %q : i32, !llvm.ptr<1>", wait, true), "");
  EXPECT_HAS(both("llvm.store %tid, %p : i32, !llvm.ptr<1>", wait, true),
             "before this store");
}
