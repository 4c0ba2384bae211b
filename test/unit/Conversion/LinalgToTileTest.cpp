// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The patterns from linalg to problems, as a pass of an embedder's applies
// them.
#include "tile/Conversion/Passes.h"
#include "tile/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "gtest/gtest.h"

using namespace mlir;

static constexpr const char *kText = R"(
func.func @f(%A: memref<4x8xf32>, %B: memref<6x8xf32>, %C: memref<6x4xf32>,
             %D: memref<4x6xf32>, %E: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%D : memref<4x6xf32>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                 affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
    ins(%A, %B : memref<4x8xf32>, memref<6x8xf32>) outs(%D : memref<4x6xf32>)
  linalg.matmul ins(%D, %C : memref<4x6xf32>, memref<6x4xf32>)
    outs(%E : memref<4x4xf32>)
  linalg.exp ins(%E : memref<4x4xf32>) outs(%E : memref<4x4xf32>)
  return
}
)";

template <typename Op>
static unsigned count(ModuleOp module) {
  unsigned number = 0;
  module.walk([&](Op) { ++number; });
  return number;
}

TEST(LinalgToTile, PatternsConvertWhatTheyCan) {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kText, &context);
  ASSERT_TRUE(module);
  context.loadDialect<tile::TileDialect, memref::MemRefDialect>();
  RewritePatternSet patterns(&context);
  tile::populateLinalgToTilePatterns(patterns);
  ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));
  EXPECT_EQ(count<tile::GemmOp>(*module), 2u);
  EXPECT_EQ(count<linalg::FillOp>(*module), 0u);
  // The element-wise operation is the second one's epilogue.
  EXPECT_EQ(count<linalg::LinalgOp>(*module), 0u);
  EXPECT_EQ(count<tile::YieldOp>(*module), 1u);
}

TEST(LinalgToTile, SaysWhyNot) {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kText, &context);
  ASSERT_TRUE(module);
  std::string before, after, reason;
  llvm::raw_string_ostream(before) << *module;
  IRRewriter rewriter(&context);
  module->walk([&](linalg::ExpOp op) {
    EXPECT_TRUE(failed(tile::convertContraction(rewriter, op, reason)));
  });
  EXPECT_NE(reason.find("expected the dialects tile, memref and arith"),
            std::string::npos)
      << reason;
  context.loadDialect<tile::TileDialect, memref::MemRefDialect>();
  module->walk([&](linalg::ExpOp op) {
    EXPECT_TRUE(failed(tile::convertContraction(rewriter, op, reason)));
  });
  EXPECT_NE(reason.find("expected a sum over an index"), std::string::npos)
      << reason;
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
}
