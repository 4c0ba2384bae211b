// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of matrices by a warp, on the simulator: which lane has which element.

#include "SimulatorHelpers.h"

#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"

using namespace tiletest;

namespace {

/// A tile of a view of shared memory, both static.
struct MatrixTile {
  /// The view without element type and memory, and its extents.
  std::string layout;
  int64_t rows, columns;
  /// Bytes of an element, the tile, and where it starts.
  int64_t bytes = 2;
  int64_t tileRows = 16, tileColumns = 16;
  int64_t row = 0, column = 0;
  int64_t along = 0;
  bool isTransposed = false;
};

class MatrixLoad : public HopperTest {
protected:
  /// What element (row, column) of the view is.
  static uint32_t getElement(int64_t row, int64_t column) {
    return static_cast<uint32_t>(row * 131 + column * 7 + row * column * 5);
  }

  /// Fills the view, loads a tile, and stores what each lane has of it.
  void compileLoad(const MatrixTile &tile) {
    std::string element = "i" + std::to_string(8 * tile.bytes);
    std::string view =
        "!tile.view<" + element + ", shared, " + tile.layout + ">";
    int64_t size = tile.tileRows * tile.tileColumns / 32;
    std::string fragment =
        "vector<" + std::to_string(size) + "x" + element + ">";
    auto constant = [](const char *name, int64_t number) {
      return "  %" + std::string(name) + " = arith.constant " +
             std::to_string(number) + " : index\n";
    };
    std::string text =
        R"(gpu.module @m {
gpu.func @k(%out: !llvm.ptr<1>, %row: index, %column: index) kernel
    attributes {known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %v = tile.alloc_shared : )" +
        view + "\n" + constant("zero", 0) + constant("one", 1) +
        constant("rows", tile.rows) + constant("columns", tile.columns) +
        constant("lanes", 32) + constant("size", size) + R"(
  %c131 = arith.constant 131 : index
  %c7 = arith.constant 7 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %t to %rows step %lanes {
    scf.for %j = %zero to %columns step %one {
      %a = arith.muli %i, %c131 : index
      %b = arith.muli %j, %c7 : index
      %ij = arith.muli %i, %j : index
      %c = arith.muli %ij, %c5 : index
      %ab = arith.addi %a, %b : index
      %abc = arith.addi %ab, %c : index
      %x = arith.index_cast %abc : index to )" +
        element + R"(
      tile.view_store %x, %v(%i, %j) : )" +
        element + ", " + view + R"(
    }
  }
  gpu.barrier
  %f = tile.load_matrix %v(%row {div = 16}, %column {div = 16}), %t tile [)" +
        std::to_string(tile.tileRows) + ", " +
        std::to_string(tile.tileColumns) + "] along " +
        std::to_string(tile.along) + " : " + view + " -> " + fragment + R"(
  %at = arith.muli %t, %size : index
  %at64 = arith.index_cast %at : index to i64
  %to = llvm.getelementptr %out[%at64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, )" +
        element + R"(
  llvm.store %f, %to {alignment = )" +
        std::to_string(tile.bytes) + " : i64} : " + fragment + R"(, !llvm.ptr<1>
  gpu.return
}
})";
    mlir::DialectRegistry registry;
    tile::registerAllDialects(registry);
    mlir::MLIRContext context(registry);
    auto source =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
    ASSERT_TRUE(source);
    ASSERT_TRUE(
        succeeded(tile::lowerToFloor3(*source, tile::CompileOptions())));
    auto object = tile::translateToSimulator(*source);
    ASSERT_TRUE(succeeded(object));
    loadObject(*object);
  }

  template <typename T>
  void check(const MatrixTile &tile) {
    SCOPED_TRACE(tile.layout + ", " + std::to_string(tile.tileRows) + " by " +
                 std::to_string(tile.tileColumns));
    ASSERT_EQ(int64_t(sizeof(T)), tile.bytes);
    compileLoad(tile);
    if (HasFatalFailure())
      return;
    int64_t size = tile.tileRows * tile.tileColumns / 32;
    T *out = allocate<T>(32 * size);
    int64_t row = tile.row, column = tile.column;
    ASSERT_EQ(launch({&out, &row, &column}, 32), "");
    // Matrices of 8 rows, and 16 bytes of columns; square if transposed.
    int64_t width = tile.isTransposed ? 8 : 16 / tile.bytes;
    int64_t matrixRows = tile.tileRows / 8,
            matrixColumns = tile.tileColumns / width, perLane = width / 4;
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t i = 0; i < size; ++i) {
        int64_t matrix = i / perLane;
        int64_t r =
            tile.along == 0 ? matrix % matrixRows : matrix / matrixColumns;
        int64_t c =
            tile.along == 0 ? matrix / matrixRows : matrix % matrixColumns;
        T expected = static_cast<T>(
            getElement(row + 8 * r + lane / 4,
                       column + width * c + lane % 4 * perLane + i % perLane));
        ASSERT_EQ(out[lane * size + i], expected)
            << "element " << i << " of lane " << lane;
      }
  }
};

} // namespace

TEST_F(MatrixLoad, OfHalves) {
  const char *swizzled = "S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024";
  for (auto [rows, columns] :
       {std::pair(8, 8), std::pair(16, 8), std::pair(8, 16), std::pair(16, 16),
        std::pair(32, 16), std::pair(16, 48)})
    for (int64_t along : {0, 1})
      check<uint16_t>({swizzled, 64, 64, 2, rows, columns, 16, 16, along});
  // Rows that are padded, and sections of 32 elements side by side.
  check<uint16_t>({"(32, 48) : (72, 1), align = 16", 32, 48, 2, 32, 32, 0, 16});
  check<uint16_t>({"#tile.shared_operand<tensor_op, shape = [32, 64], "
                   "contiguous = 1, bits = 16, section = 32>, align = 1024",
                   32, 64, 2, 16, 32, 16, 32, 1});
}

TEST_F(MatrixLoad, Transposes) {
  const char *swizzled = "S<3, 3, 3> o 0 o (64, 64) : (1, 64), align = 1024";
  for (auto [rows, columns] :
       {std::pair(8, 8), std::pair(16, 8), std::pair(8, 16), std::pair(16, 16),
        std::pair(64, 16)})
    for (int64_t along : {0, 1})
      check<uint16_t>({swizzled, 64, 64, 2, rows, columns, 0, 32, along, true});
  check<uint16_t>({"#tile.shared_operand<tensor_op, shape = [64, 16], "
                   "contiguous = 0, bits = 16, section = 64>, align = 1024",
                   64, 16, 2, 32, 16, 32, 0, 0, true});
}

TEST_F(MatrixLoad, OfOtherWidths) {
  check<uint8_t>({"S<2, 4, 3> o 0 o (32, 64) : (64, 1), align = 512", 32, 64, 1,
                  16, 32, 16, 32});
  check<uint8_t>({"(16, 32) : (48, 1), align = 16", 16, 32, 1, 8, 16, 0, 16});
  check<uint32_t>({"S<3, 2, 3> o 0 o (32, 32) : (32, 1), align = 1024", 32, 32,
                   4, 16, 8, 16, 16});
  check<uint32_t>(
      {"(16, 32) : (36, 1), align = 16", 16, 32, 4, 16, 16, 0, 16, 1});
}
