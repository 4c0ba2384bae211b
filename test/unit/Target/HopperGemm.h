// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp-specialised GEMM at floor 3, written by hand: TMA loads, full and
// empty mbarriers, wgmma, stmatrix, TMA stores.
#ifndef TILE_TEST_UNIT_TARGET_HOPPERGEMM_H
#define TILE_TEST_UNIT_TARGET_HOPPERGEMM_H

#include "SimulatorHelpers.h"

namespace tiletest {

/// What the kernel looks like, and which of its steps are left out.
struct GemmOptions {
  int stages = 3;
  /// Blocks of the cluster, next to each other along N: A is multicast.
  int cluster = 1;
  bool waitFull = true, waitEmpty = true, fenceProxy = true, waitStore = true;
  bool waitWgmma = true, arriveEmpty = true, fenceInit = true;
  int expectedBytes = 16384 + 8192;

  static constexpr int rows = 128, columns = 64, depth = 64;
  /// A stages, B stages, D staging, then the barriers.
  int offsetB() const { return stages * 16384; }
  int offsetD() const { return offsetB() + stages * 8192; }
  int offsetFull() const { return offsetD() + 16384; }
  int offsetEmpty() const { return offsetFull() + 8 * stages; }
  int sharedBytes() const { return offsetEmpty() + 8 * stages; }
};

/// The accumulators of m64n64, as text.
inline std::string accumulatorType() {
  std::string type = "!llvm.struct<(f32";
  for (int i = 1; i < 32; ++i)
    type += ", f32";
  return type + ")>";
}

/// D (128 x 64 tiles) = A (M x K) * B (N x K) transposed, bf16; 384 threads.
/// Arguments: maps of A, B and D, and the blocks of 64 along K.
inline std::string hopperGemm(const GemmOptions &options) {
  auto when = [](bool on, const char *text) { return on ? text : ""; };
  std::string init;
  for (int s = 0; s < options.stages; ++s) {
    std::string n = std::to_string(s);
    init += "%cf" + n + " = arith.constant " +
            std::to_string(options.offsetFull() + 8 * s) + " : i32\n" + "%af" +
            n + " = arith.addi %base, %cf" + n + " : i32\n" + "%pf" + n +
            " = llvm.inttoptr %af" + n + " : i32 to !llvm.ptr<3>\n" +
            "nvvm.mbarrier.init %pf" + n + ", %c1 : !llvm.ptr<3>, i32\n" +
            "%ce" + n + " = arith.constant " +
            std::to_string(options.offsetEmpty() + 8 * s) + " : i32\n" + "%ae" +
            n + " = arith.addi %base, %ce" + n + " : i32\n" + "%pe" + n +
            " = llvm.inttoptr %ae" + n + " : i32 to !llvm.ptr<3>\n" +
            "nvvm.mbarrier.init %pe" + n + ", %arrivals : !llvm.ptr<3>, i32\n";
  }
  // Every block of the cluster releases the stage of every block.
  std::string release;
  for (int rank = 0; rank < options.cluster; ++rank) {
    std::string n = std::to_string(rank);
    release += "%rank" + n + " = arith.constant " + n + " : i32\n%remote" + n +
               " = nvvm.mapa %pe, %rank" + n +
               " : !llvm.ptr<3> -> !llvm.ptr<7>\n" +
               "nvvm.mbarrier.arrive %remote" + n +
               " {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>\n";
  }
  std::string loadA;
  if (options.cluster == 1)
    loadA = "nvvm.cp.async.bulk.tensor.shared.cluster.global %sa7, %a, %pf, "
            "box [%k, %m0] : !llvm.ptr<7>, !llvm.ptr\n";
  else
    // Each block loads its share of the rows and sends it to all.
    loadA = "nvvm.cp.async.bulk.tensor.shared.cluster.global %sa7, %a, %pf, "
            "box [%k, %mShare] multicast_mask = %mask : !llvm.ptr<7>, "
            "!llvm.ptr\n";

  std::string product;
  std::string ring = accumulatorType();
  std::string last = "%acc";
  for (int k = 0; k < 4; ++k) {
    std::string n = std::to_string(k);
    product += "%adv" + n + " = arith.constant " + std::to_string(2 * k) +
               " : i64\n%da" + n + " = arith.addi %descA, %adv" + n +
               " : i64\n%db" + n + " = arith.addi %descB, %adv" + n +
               " : i64\n%acc" + n + " = nvvm.wgmma.mma_async %da" + n +
               ", %db" + n + ", " + last +
               ", #nvvm.shape<m = 64, n = 64, k = 16>, D [#nvvm.wgmma_type<f32>"
               ", #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, "
               "#nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B "
               "[#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, "
               "#nvvm.mma_layout<col>] : " +
               ring + " -> " + ring + "\n";
    last = "%acc" + n;
  }

  std::string epilogue;
  for (int j = 0; j < 4; ++j) {
    std::string n = std::to_string(j), registers;
    for (int i = 0; i < 4; ++i) {
      std::string r = n + "_" + std::to_string(i);
      int e = 8 * j + 2 * i;
      auto element = [&](int index, const std::string &name) {
        return name + " = llvm.extractvalue %sum[" + std::to_string(index) +
               "] : " + ring + "\n";
      };
      epilogue += element(e, "%x" + r) + element(e + 1, "%y" + r) + "%v" + r +
                  " = vector.from_elements %x" + r + ", %y" + r +
                  " : vector<2xf32>\n%w" + r + " = llvm.fptrunc %v" + r +
                  " : vector<2xf32> to vector<2xbf16>\n%r" + r +
                  " = llvm.bitcast %w" + r + " : vector<2xbf16> to i32\n";
      registers += (i ? ", %r" : "%r") + r;
    }
    epilogue +=
        "%cj" + n + " = arith.constant " + std::to_string(2 * j) +
        " : i32\n%ch" + n + " = arith.addi %half, %cj" + n + " : i32\n%sw" + n +
        " = arith.xori %ch" + n + ", %l7 : i32\n%by" + n + " = arith.muli %sw" +
        n + ", %c16 : i32\n%ad" + n + " = arith.addi %rowAddress, %by" + n +
        " : i32\n%pd" + n + " = llvm.inttoptr %ad" + n +
        " : i32 to !llvm.ptr<3>\nnvvm.stmatrix %pd" + n + ", " + registers +
        " {layout = #nvvm.mma_layout<row>, shape = "
        "#nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = "
        "#nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, "
        "i32\n";
  }

  std::string text = std::string(kDynamicShared) + R"(
gpu.func @gemm(%a: MAP, %b: MAP, %d: MAP, %blocks: i32) kernel
    attributes {known_block_size = array<i32: 384, 1, 1>} {
  %smem = llvm.mlir.addressof @tile_dynamic_shared : !llvm.ptr<3>
  %base = llvm.ptrtoint %smem : !llvm.ptr<3> to i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %bx = nvvm.read.ptx.sreg.ctaid.x : i32
  %by = nvvm.read.ptx.sreg.ctaid.y : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %all = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c4 = arith.constant 4 : i32
  %ticks = arith.constant 10000000 : i32
  %arrivals = arith.constant ARRIVALS : i32
  %stages = arith.constant STAGES : i32
  %sizeA = arith.constant 16384 : i32
  %sizeB = arith.constant 8192 : i32
  %offB = arith.constant OFFB : i32
  %offD = arith.constant OFFD : i32
  %offF = arith.constant OFFF : i32
  %offE = arith.constant OFFE : i32
  %m0 = arith.muli %by, %c128 : i32
  %n0 = arith.muli %bx, %c64 : i32
  %wg0 = arith.divui %tid, %c128 : i32
  %wg = nvvm.shfl.sync idx %all, %wg0, %c0, %c31 : i32 -> i32
  %first = arith.cmpi eq, %tid, %c0 : i32
  scf.if %first {
    INIT
    FENCES
    nvvm.prefetch tensormap, %a : !llvm.ptr
    nvvm.prefetch tensormap, %b : !llvm.ptr
  }
  SYNC
  %isProducer = arith.cmpi eq, %wg, %c0 : i32
  scf.if %isProducer {
    nvvm.setmaxregister decrease 40
    %warp = arith.divui %tid, %c32 : i32
    %isWarp0 = arith.cmpi eq, %warp, %c0 : i32
    scf.if %isWarp0 {
      %leader = nvvm.elect.sync -> i1
      scf.if %leader {
        scf.for %i = %c0 to %blocks step %c1 : i32 {
          %stage = arith.remui %i, %stages : i32
          %round = arith.divui %i, %stages : i32
          %parity = arith.andi %round, %c1 : i32
          %flipped = arith.xori %parity, %c1 : i32
          %s8 = arith.muli %stage, %c8 : i32
          %fo = arith.addi %s8, %offF : i32
          %fa = arith.addi %base, %fo : i32
          %pf = llvm.inttoptr %fa : i32 to !llvm.ptr<3>
          %eo = arith.addi %s8, %offE : i32
          %ea = arith.addi %base, %eo : i32
          %pe = llvm.inttoptr %ea : i32 to !llvm.ptr<3>
          WAITEMPTY
          %bytes = arith.constant BYTES : i32
          nvvm.mbarrier.arrive.expect_tx %pf, %bytes : !llvm.ptr<3>, i32
          %k = arith.muli %i, %c64 : i32
          %soA = arith.muli %stage, %sizeA : i32
          %saBase = arith.addi %base, %soA : i32
          %shareRows = arith.constant SHAREROWS : i32
          %shareRow = arith.muli %rank, %shareRows : i32
          %mShare = arith.addi %m0, %shareRow : i32
          %shareBytes = arith.muli %shareRow, %c128 : i32
          %sa = arith.addi %saBase, %shareBytes : i32
          %sa3 = llvm.inttoptr %sa : i32 to !llvm.ptr<3>
          %sa7 = llvm.addrspacecast %sa3 : !llvm.ptr<3> to !llvm.ptr<7>
          %mask = arith.constant MASK : i16
          LOADA
          %soB0 = arith.muli %stage, %sizeB : i32
          %soB = arith.addi %soB0, %offB : i32
          %sb = arith.addi %base, %soB : i32
          %sb3 = llvm.inttoptr %sb : i32 to !llvm.ptr<3>
          %sb7 = llvm.addrspacecast %sb3 : !llvm.ptr<3> to !llvm.ptr<7>
          nvvm.cp.async.bulk.tensor.shared.cluster.global %sb7, %b, %pf, box [%k, %n0] : !llvm.ptr<7>, !llvm.ptr
        }
      }
    }
  } else {
    nvvm.setmaxregister increase 232
    %consumer = arith.subi %wg, %c1 : i32
    %zero = llvm.mlir.zero : ACC
    %bits18 = arith.constant 0x3FFFF : i32
    %fields = arith.constant 0x4000004000010000 : i64
    %sum = scf.for %i = %c0 to %blocks step %c1 iter_args(%acc = %zero) -> (ACC) : i32 {
      %stage = arith.remui %i, %stages : i32
      %round = arith.divui %i, %stages : i32
      %parity = arith.andi %round, %c1 : i32
      %s8 = arith.muli %stage, %c8 : i32
      %fo = arith.addi %s8, %offF : i32
      %fa = arith.addi %base, %fo : i32
      %pf = llvm.inttoptr %fa : i32 to !llvm.ptr<3>
      %eo = arith.addi %s8, %offE : i32
      %ea = arith.addi %base, %eo : i32
      %pe = llvm.inttoptr %ea : i32 to !llvm.ptr<3>
      WAITFULL
      %soA = arith.muli %stage, %sizeA : i32
      %half64 = arith.muli %consumer, %sizeB : i32
      %sa0 = arith.addi %base, %soA : i32
      %sa = arith.addi %sa0, %half64 : i32
      %soB0 = arith.muli %stage, %sizeB : i32
      %soB = arith.addi %soB0, %offB : i32
      %sb = arith.addi %base, %soB : i32
      %saLow = arith.andi %sa, %bits18 : i32
      %sa4 = arith.shrui %saLow, %c4 : i32
      %saWide = arith.extui %sa4 : i32 to i64
      %descA = arith.ori %saWide, %fields : i64
      %sbLow = arith.andi %sb, %bits18 : i32
      %sb4 = arith.shrui %sbLow, %c4 : i32
      %sbWide = arith.extui %sb4 : i32 to i64
      %descB = arith.ori %sbWide, %fields : i64
      nvvm.wgmma.fence.aligned
      PRODUCT
      nvvm.wgmma.commit.group.sync.aligned
      WAITWGMMA
      %t0 = arith.remui %tid, %c128 : i32
      %isFirst = arith.cmpi eq, %t0, %c0 : i32
      NAMED
      scf.if %isFirst {
        ARRIVEEMPTY
      }
      scf.yield LAST : ACC
    }
    nvvm.wgmma.wait.group.sync.aligned 0
    %t = arith.remui %tid, %c128 : i32
    %w = arith.divui %t, %c32 : i32
    %lane = arith.remui %tid, %c32 : i32
    %l7 = arith.andi %lane, %c7 : i32
    %l8 = arith.andi %lane, %c8 : i32
    %half = arith.divui %lane, %c16 : i32
    %w16 = arith.muli %w, %c16 : i32
    %r0 = arith.addi %w16, %l8 : i32
    %row = arith.addi %r0, %l7 : i32
    %rowBytes = arith.muli %row, %c128 : i32
    %part = arith.muli %consumer, %sizeB : i32
    %dBase0 = arith.addi %base, %offD : i32
    %dBase = arith.addi %dBase0, %part : i32
    %rowAddress = arith.addi %dBase, %rowBytes : i32
    EPILOGUE
    FENCEPROXY
    %id = arith.addi %consumer, %c1 : i32
    nvvm.barrier id = %id number_of_threads = %c128
    %isLeader = arith.cmpi eq, %t, %c0 : i32
    scf.if %isLeader {
      %ps = llvm.inttoptr %dBase : i32 to !llvm.ptr<3>
      %mPart = arith.muli %consumer, %c64 : i32
      %m = arith.addi %m0, %mPart : i32
      nvvm.cp.async.bulk.tensor.global.shared.cta %d, %ps, box [%n0, %m] : !llvm.ptr, !llvm.ptr<3>
      nvvm.cp.async.bulk.commit.group
      WAITSTORE
    }
  }
  END
  gpu.return
})";
  bool clustered = options.cluster > 1;
  text = substitute(text, "MAP,", std::string(kMapArgument) + ",");
  text = substitute(text, "INIT\n", init + "\n");
  text = substitute(text, "FENCES",
                    when(options.fenceInit, "nvvm.fence.mbarrier.init"));
  text = substitute(text, "SYNC\n",
                    clustered ? "nvvm.cluster.arrive.relaxed {aligned}\n"
                                "nvvm.cluster.wait {aligned}\n"
                              : "gpu.barrier\n");
  text = substitute(text, "END\n",
                    clustered ? "nvvm.cluster.arrive.relaxed {aligned}\n"
                                "nvvm.cluster.wait {aligned}\n"
                              : "\n");
  text = substitute(text, "WAITEMPTY",
                    when(options.waitEmpty,
                         "nvvm.mbarrier.try_wait.parity %pe, %flipped, %ticks "
                         ": !llvm.ptr<3>, i32, i32"));
  text = substitute(text, "WAITFULL",
                    when(options.waitFull,
                         "nvvm.mbarrier.try_wait.parity %pf, %parity, %ticks : "
                         "!llvm.ptr<3>, i32, i32"));
  text = substitute(text, "LOADA", loadA);
  text = substitute(text, "PRODUCT", product);
  text = substitute(
      text, "WAITWGMMA",
      when(options.waitWgmma, "nvvm.wgmma.wait.group.sync.aligned 0"));
  text = substitute(text, "NAMED",
                    "%nid = arith.addi %consumer, %c1 : i32\n"
                    "nvvm.barrier id = %nid number_of_threads = %c128");
  text = substitute(text, "ARRIVEEMPTY",
                    options.arriveEmpty ? release : std::string());
  text = substitute(text, "LAST", last);
  text = substitute(text, "EPILOGUE", epilogue);
  text = substitute(text, "FENCEPROXY",
                    when(options.fenceProxy,
                         "nvvm.fence.proxy {kind = "
                         "#nvvm.proxy_kind<async.shared>, space = "
                         "#nvvm.shared_space<cta>}"));
  text = substitute(text, "WAITSTORE",
                    when(options.waitStore, "nvvm.cp.async.bulk.wait_group 0"));
  auto number = [&](const char *name, int value) {
    text = substitute(text, name, std::to_string(value));
  };
  number("ARRIVALS", 2 * options.cluster);
  number("SHAREROWS", clustered ? 128 / options.cluster : 0);
  number("MASK", (1 << options.cluster) - 1);
  number("STAGES", options.stages);
  number("BYTES", options.expectedBytes);
  number("OFFB", options.offsetB());
  number("OFFD", options.offsetD());
  number("OFFF", options.offsetFull());
  number("OFFE", options.offsetEmpty());
  return substitute(text, "ACC", ring);
}

} // namespace tiletest

#endif // TILE_TEST_UNIT_TARGET_HOPPERGEMM_H
