// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel put together from the collectives of the embedded language. What is
// between the lines of docs/Collectives.md stands there, too.
#include "Setting.h"

#include "tile/DSL/Epilogue.h"
#include "tile/DSL/Mainloop.h"
#include "tile/DSL/TileScheduler.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace tile::sweep;
using namespace tile::dsl;

namespace {

/// A host function, and a kernel without a body.
const char *kProgram = R"mlir(
!m = memref<?x?xf32, strided<[?, 1], offset: ?>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>,
                %lda: i64, %ldb: i64, %ldc: i64, %ldd: i64,
                %m: i64, %n: i64, %k: i64, %alpha: f32, %beta: f32) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "test", grid = {tile = [32, 32], persistent = true},
                      parameters = [A.data, B.data, C.data, D.data,
                                    A.stride[0], B.stride[0], C.stride[0], D.stride[0],
                                    M, N, K, alpha, beta]>} {
      gpu.return
    }
  }
  func.func @gemm(%A: !m, %B: !m, %C: !m, %D: !m, %alpha: f32, %beta: f32) {
    tile.launch [@kernels::@k] ins(%A, %B, %C : !m, !m, !m) outs(%D : !m)
      alpha(%alpha : f32) beta(%beta : f32)
    return
  }
}
)mlir";

using llvm::ArrayRef;
using tile::ThreadMapAttrInterface;

template <typename Attr>
Attr parse(Scope &scope, const char *text) {
  return mlir::cast<Attr>(
      mlir::parseAttribute(text, scope.builder.getContext()));
}

// The body of the kernel: docs/Collectives.md
/// D = alpha * A * B + beta * C, of f32, by 64 threads for each block.
void buildKernel(Scope &scope, View a, View b, View c, View d, Val m, Val n,
                 Val k, Val alpha, Val beta) {
  mlir::MLIRContext *context = scope.builder.getContext();
  mlir::Type f32 = scope.builder.getF32Type();
  Val thread = threadId(scope);

  // The tile scheduler: blocks walk over tiles, two rows of tiles together.
  TileOrder order;
  order.tileM = order.tileN = 32;
  order.swizzleSize = 2;
  order.persistent = true;
  TileScheduler tiles(scope, order, m, n);

  // Producer and main loop: who copies what, and who multiplies what.
  constexpr int64_t tileK = 8, stages = 3, pitch = 36;
  auto mapA = parse<ThreadMapAttrInterface>(
      scope, "#tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 64, "
             "elements = 1>");
  auto mapB = parse<ThreadMapAttrInterface>(
      scope, "#tile.strip_mined<tile = [8, 32], contiguous = 1, threads = 64, "
             "elements = 1>");
  auto atom = parse<tile::MmaAtomAttrInterface>(
      scope, "#tile.simt_mma<warps = [1, 2], lanes = [8, 4], thread = [4, 4], "
             "vector = 4>");
  auto fragmentA = tile::TVMapAttr::get(context, {32, 1}, atom.getALayout());
  auto fragmentB = tile::TVMapAttr::get(context, {1, 32}, atom.getBLayout());
  View sharedA =
      allocShared(scope, f32, {32, tileK, stages}, {1, pitch, pitch * tileK});
  View sharedB =
      allocShared(scope, f32, {tileK, 32, stages}, {pitch, 1, pitch * tileK});
  auto getSums = [&](const OutputTile &tile) {
    MainloopOperand operandA{
        "A",
        a.iterate(Leaf(tile.row, 32), 0, thread, mapA, Walk{1, true}),
        sharedA.stage(0).iterate(0, 0, thread, mapA, Walk{}),
        sharedA.stage(0).iterate(0, 0, thread, fragmentA, Walk{}),
        /*stageStride=*/pitch * tileK,
        /*stepStride=*/pitch};
    MainloopOperand operandB{
        "B",
        b.iterate(0, Leaf(tile.column, 32), thread, mapB, Walk{0, true}),
        sharedB.stage(0).iterate(0, 0, thread, mapB, Walk{}),
        sharedB.stage(0).iterate(0, 0, thread, fragmentB, Walk{}),
        /*stageStride=*/pitch * tileK,
        /*stepStride=*/pitch};
    Mainloop loop{atom, operandA, operandB, /*steps=*/tileK, ceilDiv(k, tileK)};
    return mmaMultistage(scope, loop, stages, zeros(scope, f32, 16));
  };

  // The epilogue: four sums at a time, with the elements of C that belong to
  // them, which are not read where beta is 0.
  Epilogue epilogue;
  epilogue.map = tile::TVMapAttr::get(context, {32, 32}, atom.getCLayout());
  epilogue.thread = thread;
  epilogue.rowDivisor = epilogue.columnDivisor = 32;
  epilogue.piece = 4;
  epilogue.target = [=](Val) { return d; };
  epilogue.sources = {{[=](Val) { return c; }, beta}};
  epilogue.body = [=](Val sums, ArrayRef<Val> sources) {
    Val scaled = mulf(splat(alpha, 4), sums);
    return fma(splat(beta, 4), sources[0], scaled);
  };

  forRange(scope, tiles.getFirst(), tiles.getEnd(), tiles.getStep(), carry(),
           [&](Val id) {
             OutputTile tile = tiles.locate(id);
             mlir::FailureOr<Val> sums = getSums(tile);
             // Everyone has read the last stage before the next tile comes.
             barrier(scope);
             if (succeeded(sums))
               emitEpilogue(scope, epilogue, *sums, tile);
           });
}
// End of the body.

bool buildBody(mlir::ModuleOp module) {
  mlir::gpu::GPUFuncOp kernel;
  module.walk([&](mlir::gpu::GPUFuncOp found) { kernel = found; });
  mlir::OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Scope scope{builder, kernel.getLoc()};
  auto argument = [&](unsigned i) {
    return Val(scope, kernel.getArguments()[i]);
  };
  auto number = [&](unsigned i) {
    return argument(i).cast(builder.getIndexType());
  };
  auto view = [&](unsigned i, unsigned rows, unsigned columns) {
    return makeView(scope, argument(i), builder.getF32Type(),
                    {number(rows), number(columns)}, {number(4 + i), 1});
  };
  constexpr unsigned kM = 8, kN = 9, kK = 10;
  buildKernel(scope, view(0, kM, kK), view(1, kK, kN), view(2, kM, kN),
              view(3, kM, kN), number(kM), number(kN), number(kK), argument(11),
              argument(12));
  return true;
}

} // namespace

TEST(Collectives, KernelOfTheDocumentation) {
  if (!Setting::get().isSimulator())
    GTEST_SKIP() << "compiled for the simulator only";
  Compiled compiled =
      compileChanged(kProgram, MutationPoint::Kernels, buildBody);
  ASSERT_EQ(compiled.error, "");
  Setting &setting = Setting::get();
  std::string error;
  TileRtModule module = setting.loadArtifact(compiled.artifact, error);
  ASSERT_TRUE(module) << error;
  // More tiles than blocks, an odd number of rows of tiles, ragged edges.
  for (int64_t k : {0, 5, 24, 61}) {
    Problem problem;
    problem.m = 150;
    problem.n = 333;
    problem.k = k;
    problem.alpha = 1.5;
    problem.beta = k == 24 ? 0 : -0.5;
    problem.setPadding(3);
    EXPECT_TRUE(setting.solve(problem, nullptr, module));
  }
  tileRtModuleUnload(module);
}
