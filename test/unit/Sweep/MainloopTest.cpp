// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loops of the embedded language, over iterators with other thread
// maps than the schedules have; and what they say of iterators that will not
// do.
#include "Setting.h"

#include "tile/DSL/Mainloop.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace tile::sweep;
using namespace tile::dsl;

namespace {

constexpr int64_t kTileM = 32, kTileN = 32, kTileK = 8;

/// A host function, and a kernel without a body.
const char *kProgram = R"mlir(
!m = memref<?x?xf32, strided<[?, 1], offset: ?>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>,
                %m: i64, %n: i64, %k: i64, %lda: i64, %ldb: i64, %ldd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "test", grid = {tile = [32, 32]},
                      parameters = [A.data, B.data, D.data, M, N, K,
                                    A.stride[0], B.stride[0], D.stride[0]]>} {
      gpu.return
    }
  }
  func.func @gemm(%A: !m, %B: !m, %D: !m, %alpha: f32) {
    tile.launch [@kernels::@k] ins(%A, %B : !m, !m) outs(%D : !m) alpha(%alpha : f32)
    return
  }
}
)mlir";

/// Thread maps of A, 32 by 8, and B, 8 by 32.
struct Maps {
  const char *name, *a, *b;
  /// Global memory is walked by iterators over mapped matrices.
  bool mapped = false;
};

const Maps kMaps[] = {
    {"WarpRaked",
     "#tile.warp_raked<tile = [32, 8], contiguous = 1, threads = 64, warp = "
     "[2, 16], elements = 4>",
     "#tile.warp_striped<tile = [8, 32], contiguous = 1, threads = 64, warp = "
     "[8, 4], elements = 4>"},
    {"AnyLayout",
     "#tile.tv_map<tile = [32, 8], layout = ((8, 8), (1, 4)) : ((1@e1, 1@e0), "
     "(0, 8@e0))>",
     "#tile.tv_map<tile = [8, 32], layout = ((32, 2), (1, 4)) : ((1@e1, 4@e0), "
     "(0, 1@e0))>"},
    {"AcrossTheRows",
     "#tile.strip_mined<tile = [32, 8], contiguous = 0, threads = 64, elements "
     "= 4>",
     "#tile.strip_mined<tile = [8, 32], contiguous = 0, threads = 64, elements "
     "= 4>"},
    {"Mapped",
     "#tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 64, elements "
     "= 4>",
     "#tile.strip_mined<tile = [8, 32], contiguous = 1, threads = 64, elements "
     "= 4>",
     /*mapped=*/true}};

/// What a kernel's body is built of.
struct Parts {
  Mainloop loop;
  View d;
  Val row, column, thread;
};

tile::ThreadMapAttrInterface parseMap(mlir::MLIRContext *context,
                                      const char *text) {
  return mlir::cast<tile::ThreadMapAttrInterface>(
      mlir::parseAttribute(text, context));
}

/// The same walk over the view as a matrix that is mapped to itself.
Iterator toMapped(Scope &scope, Iterator iterator) {
  tile::IteratorType old = iterator.getType();
  std::string text;
  llvm::raw_string_ostream(text)
      << "!tile.iterator<" << old.getView() << ", " << old.getMap()
      << ", advance = " << old.getAdvance() << ", masked>";
  mlir::Type type = mlir::parseType(text, old.getContext());
  auto made = iterator.get().get().getDefiningOp<tile::MakeIteratorOp>();
  return Iterator(
      Val(scope, tile::MakeIteratorOp::create(
                     scope.builder, scope.loc, type, made.getView(),
                     made.getCoordOperands(), made.getCoordAttr(),
                     made.getThread())));
}

/// Views, iterators and a loop of 64 threads for one tile of the result.
Parts makeParts(Scope &scope, mlir::ValueRange arguments, const Maps &maps,
                int64_t stages) {
  mlir::MLIRContext *context = scope.builder.getContext();
  mlir::Type f32 = scope.builder.getF32Type();
  auto number = [&](unsigned i) {
    return Val(scope, arguments[i]).cast(scope.builder.getIndexType());
  };
  Val m = number(3), n = number(4), k = number(5);
  View a = makeView(scope, Val(scope, arguments[0]), f32, {m, k},
                    {number(6), 1}),
       b = makeView(scope, Val(scope, arguments[1]), f32, {k, n},
                    {number(7), 1}),
       d = makeView(scope, Val(scope, arguments[2]), f32, {m, n},
                    {number(8), 1});
  Val columns = ceilDiv(n, kTileN), id = blockId(scope);
  Val row = id / columns * kTileM, column = id % columns * kTileN;
  Val thread = threadId(scope);
  // Rows of A, and columns of B, lie side by side in shared memory.
  constexpr int64_t pitchA = kTileM + 4, pitchB = kTileN;
  View sharedA = allocShared(scope, f32, {kTileM, kTileK, stages},
                             {1, pitchA, pitchA * kTileK}),
       sharedB = allocShared(scope, f32, {kTileK, kTileN, stages},
                             {pitchB, 1, pitchB * kTileK});
  auto atom = mlir::cast<tile::MmaAtomAttrInterface>(mlir::parseAttribute(
      "#tile.simt_mma<warps = [1, 2], lanes = [8, 4], thread = [4, 4], vector "
      "= 4>",
      context));
  auto mapA = parseMap(context, maps.a), mapB = parseMap(context, maps.b);
  auto fragmentA =
      tile::TVMapAttr::get(context, {kTileM, 1}, atom.getALayout());
  auto fragmentB =
      tile::TVMapAttr::get(context, {1, kTileN}, atom.getBLayout());
  MainloopOperand operandA{
      "A",
      a.iterate(Leaf(row, kTileM), 0, thread, mapA, Walk{1, true}),
      sharedA.stage(0).iterate(0, 0, thread, mapA, Walk{}),
      sharedA.stage(0).iterate(0, 0, thread, fragmentA, Walk{}),
      pitchA * kTileK,
      pitchA};
  MainloopOperand operandB{
      "B",
      b.iterate(0, Leaf(column, kTileN), thread, mapB, Walk{0, true}),
      sharedB.stage(0).iterate(0, 0, thread, mapB, Walk{}),
      sharedB.stage(0).iterate(0, 0, thread, fragmentB, Walk{}),
      pitchB * kTileK,
      pitchB};
  if (maps.mapped)
    for (MainloopOperand *operand : {&operandA, &operandB})
      operand->global = toMapped(scope, operand->global);
  return {Mainloop{atom, operandA, operandB, kTileK, ceilDiv(k, kTileK)}, d,
          row, column, thread};
}

/// Builds the body; 0 stages: staged in registers.
bool buildBody(mlir::ModuleOp module, const Maps &maps, int64_t stages) {
  mlir::gpu::GPUFuncOp kernel;
  module.walk([&](mlir::gpu::GPUFuncOp found) { kernel = found; });
  mlir::OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Scope scope{builder, kernel.getLoc()};
  Parts parts =
      makeParts(scope, kernel.getArguments(), maps, stages ? stages : 2);
  Val acc = zeros(scope, builder.getF32Type(), 16);
  mlir::FailureOr<Val> sum = stages
                                 ? mmaMultistage(scope, parts.loop, stages, acc)
                                 : mmaPipelined(scope, parts.loop, acc);
  if (failed(sum))
    return false;
  auto map = tile::TVMapAttr::get(kernel.getContext(), {kTileM, kTileN},
                                  parts.loop.atom.getCLayout());
  parts.d
      .iterate(Leaf(parts.row, kTileM), Leaf(parts.column, kTileN),
               parts.thread, map,
               Walk{tile::IteratorType::kNoAdvance, /*predicated=*/true})
      .store(*sum);
  return true;
}

class Mainloops : public testing::TestWithParam<std::tuple<Maps, int>> {};

} // namespace

TEST_P(Mainloops, EachTripCount) {
  const auto &[maps, stages] = GetParam();
  if (!Setting::get().isSimulator())
    GTEST_SKIP() << "compiled for the simulator only";
  Compiled compiled =
      compileChanged(kProgram, MutationPoint::Kernels,
                     [&, maps = maps, stages = stages](mlir::ModuleOp module) {
                       return buildBody(module, maps, stages);
                     });
  ASSERT_EQ(compiled.error, "");
  Setting &setting = Setting::get();
  std::string error;
  TileRtModule module = setting.loadArtifact(compiled.artifact, error);
  ASSERT_TRUE(module) << error;
  for (int64_t trips = 0; trips <= 2 * std::max(stages, 2) + 1; ++trips) {
    Problem problem;
    problem.hasC = false;
    problem.m = 45;
    problem.n = 70;
    problem.k = trips * kTileK - (trips ? trips % 4 : 0);
    problem.setPadding(trips % 2);
    EXPECT_TRUE(setting.solve(problem, nullptr, module));
  }
  tileRtModuleUnload(module);
}

INSTANTIATE_TEST_SUITE_P(
    Iterators, Mainloops,
    testing::Combine(testing::ValuesIn(kMaps), testing::Values(0, 2, 3)),
    [](const testing::TestParamInfo<std::tuple<Maps, int>> &info) {
      return std::string(std::get<0>(info.param).name) + "_" +
             std::to_string(std::get<1>(info.param));
    });

namespace {

/// What `verifyMainloop` says of a loop that `change` made worse; "" if it is
/// fine.
std::string complain(const std::function<void(Scope &, Parts &)> &change,
                     int64_t stages = 3, const Maps &maps = kMaps[0]) {
  std::string text;
  Compiled compiled = compileChanged(
      kProgram, MutationPoint::Kernels, [&](mlir::ModuleOp module) {
        mlir::ScopedDiagnosticHandler handler(
            module.getContext(), [&](mlir::Diagnostic &diagnostic) {
              text += diagnostic.str();
              for (mlir::Diagnostic &note : diagnostic.getNotes())
                text += "; note: " + note.str();
              return mlir::success();
            });
        mlir::gpu::GPUFuncOp kernel;
        module.walk([&](mlir::gpu::GPUFuncOp found) { kernel = found; });
        mlir::OpBuilder builder(kernel.getContext());
        builder.setInsertionPointToStart(&kernel.getBody().front());
        Scope scope{builder, kernel.getLoc()};
        Parts parts = makeParts(scope, kernel.getArguments(), maps, 3);
        change(scope, parts);
        bool fine = succeeded(verifyMainloop(scope, parts.loop, stages));
        EXPECT_EQ(fine, text.empty());
        return true;
      });
  return text;
}

/// The iterator with some of its type's properties changed; it is not run.
Iterator retype(Scope &scope, Iterator iterator, int64_t advance,
                bool predicated) {
  tile::IteratorType old = iterator.getType();
  auto type =
      tile::IteratorType::get(old.getContext(), old.getView(), old.getMap(),
                              advance, predicated, tile::IteratorPhase::Steady);
  auto made = iterator.get().get().getDefiningOp<tile::MakeIteratorOp>();
  return Iterator(Val(scope, tile::MakeIteratorOp::create(
                                 scope.builder, scope.loc, type, made.getView(),
                                 made.getCoordOperands(), made.getCoordAttr(),
                                 made.getThread())));
}

} // namespace

TEST(MainloopConcepts, AreNamed) {
  EXPECT_EQ(complain([](Scope &, Parts &) {}), "");
  EXPECT_EQ(complain([](Scope &scope, Parts &parts) {
              Iterator &global = parts.loop.a.global;
              global =
                  retype(scope, global, tile::IteratorType::kNoAdvance, true);
            }),
            "expected a forward tile iterator for the walk over global memory "
            "of A in a main loop, but this one has no advance dimension; note: "
            "the same with advance = 0 or advance = 1 would do");
  EXPECT_EQ(complain([](Scope &scope, Parts &parts) {
              Iterator &global = parts.loop.b.global;
              global = retype(scope, global, 0, false);
            }),
            "expected a masked tile iterator for the walk over global memory "
            "of B in a main loop, but this one has no predicates; note: the "
            "same with predicated would do");
  EXPECT_EQ(
      complain([](Scope &, Parts &parts) {
        parts.loop.a.sharedStore = parts.loop.a.sharedLoad;
      }),
      "expected a writeable tile iterator for the stores to shared memory of A "
      "in a main loop, but this one has elements that no thread or more than "
      "one thread owns; note: one whose thread map gives every element exactly "
      "one thread would do, such as #tile.strip_mined<…>");
}

TEST(MainloopConcepts, OtherRules) {
  EXPECT_EQ(complain([](Scope &, Parts &parts) {
              parts.loop.a.sharedLoad = parts.loop.a.sharedStore;
              parts.loop.b.sharedLoad = parts.loop.b.sharedStore;
            }),
            "");
  auto has = [](const std::string &text, const char *part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(complain([](Scope &, Parts &parts) {
        parts.loop.a.sharedStore = parts.loop.b.sharedStore;
      }),
      "expected one thread map on both sides of the copy of A to shared "
      "memory, but got #tile.warp_raked<");
  has(complain([](Scope &scope, Parts &parts) {
        View doubles =
            allocShared(scope, scope.builder.getF64Type(), {32, 8}, {1, 32});
        parts.loop.a.sharedLoad =
            doubles.iterate(0, 0, parts.thread,
                            parts.loop.a.sharedLoad.getType().getMap(), Walk{});
      }),
      "expected one element type in the iterators of A, but got 'f32' and "
      "'f64'");
  has(complain([](Scope &scope, Parts &parts) {
        View wide =
            allocShared(scope, scope.builder.getF32Type(), {32, 8}, {1, 32});
        parts.loop.a.sharedLoad = wide.iterate(
            0, 0, parts.thread,
            parseMap(scope.builder.getContext(),
                     "#tile.strip_mined<tile = [32, 8], contiguous = 0, "
                     "threads = 32, elements = 4>"),
            Walk{});
      }),
      "expected fragments of A with the 4 values that the mma atom takes, but "
      "the iterator over shared memory loads 8");
  has(complain(
          [](Scope &scope, Parts &parts) {
            Iterator &global = parts.loop.a.global;
            std::string text;
            llvm::raw_string_ostream(text)
                << "!tile.iterator<" << global.getView() << ", "
                << global.getMap() << ", steps = 2, advance = 1, masked>";
            auto cast = mlir::UnrealizedConversionCastOp::create(
                scope.builder, scope.loc,
                mlir::parseType(text, scope.builder.getContext()),
                global.get().get());
            global = Iterator(Val(scope, cast.getResult(0)));
          },
          3, kMaps[1]),
      "expected a walk over global memory that moves all 4 elements of A in "
      "one step, but got 2");
  has(complain([](Scope &, Parts &parts) { parts.loop.b.stageStride = 0; }),
      "expected stages of B that are at least one element apart, but got 0");
  has(complain([](Scope &, Parts &parts) { parts.loop.steps = 0; }),
      "expected at least one mma step in a tile, but got 0");
  has(complain([](Scope &, Parts &) {}, 1),
      "expected a main loop of between 2 and 64 stages, but got 1");
}
