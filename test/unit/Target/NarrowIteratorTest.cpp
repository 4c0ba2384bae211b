// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators over elements of 8 and 16 bits, on the simulator: they move bits,
// also those of floats that LLVM does not have.

#include "SimulatorHelpers.h"

#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"

#include <random>

using namespace tiletest;

namespace {

constexpr const char *kKernel = R"(
!g = !tile.view<ELEMENT, global, (?, ?{div = VECTOR}) : (?{div = VECTOR}, 1), align = 16>
!o = !tile.view<ELEMENT, global, (?, ?) : (?, 1)>
!list = !tile.view<i32, global, (?) : (1)>
!s = !tile.view<ELEMENT, shared, (32, WIDTH) : (WIDTH, 1), align = 16>
!w = !tile.view<ELEMENT, shared, S<2, BASE, 3> o 0 o (32, WIDTH) : (WIDTH, 1), align = 1024>
#map = #tile.strip_mined<tile = [32, WIDTH], contiguous = 1, threads = 128, elements = VECTOR>
#one = #tile.strip_mined<tile = [32, WIDTH], contiguous = 1, threads = 128, elements = 1>
!first = !tile.iterator<!g, #map, advance = 1, predicated, residue>
!walk = !tile.iterator<!g, #map, advance = 1, predicated, steady>
!stage = !tile.iterator<!s, #map>
!swizzled = !tile.iterator<!w, #map>
!gather = !tile.iterator<!g, #map, advance = 1, predicated, residue, gather = #tile.gather<dim = 0, indices = !list>>
!lower = !tile.iterator<!o, #one, advance = 1, predicated, steady, triangle = #tile.triangle<lower, diagonal = unit>>
!single = !tile.iterator<!o, #one, advance = 1, predicated, residue>
!mapped = !tile.iterator<!g, #map, advance = 1, masked>
!f = vector<VECTORxELEMENT>
gpu.module @m {
gpu.func @k(%in: !llvm.ptr<1>, %o0: !llvm.ptr<1>, %o1: !llvm.ptr<1>, %o2: !llvm.ptr<1>, %o3: !llvm.ptr<1>,
            %ip: !llvm.ptr<1>, %m: index, %n: index, %ld: index) kernel
    attributes {known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = tile.make_view %in, (%m, %n {div = VECTOR}) : (%ld {div = VECTOR}, 1) : !llvm.ptr<1> -> !g
  %s = tile.alloc_shared : !s
  %w = tile.alloc_shared : !w

  // Asynchronously to shared memory, by way of a swizzle, and out.
  %read = tile.make_iterator %a(0, 0), %t vectors : !first
  %stage = tile.make_iterator %s(0, 0), %t vectors : !stage
  %swizzled = tile.make_iterator %w(0, 0), %t vectors : !swizzled
  tile.copy_async %read, %stage : !first, !stage
  tile.async_commit_group
  tile.async_wait_group 0
  gpu.barrier
  tile.copy %stage, %swizzled : !stage, !swizzled
  gpu.barrier
  %d0 = tile.make_view %o0, (%m, %n {div = VECTOR}) : (%ld {div = VECTOR}, 1) : !llvm.ptr<1> -> !g
  %to0 = tile.make_iterator %d0(0, 0), %t vectors : !first
  tile.copy %swizzled, %to0 : !swizzled, !first
  %next = tile.iterator_advance %read : !first
  %next0 = tile.iterator_advance %to0 : !first
  %second = tile.iterator_load %next : !walk -> !f
  tile.iterator_store %second, %next0 : !f, !walk

  // Rows of a list.
  %list = tile.make_view %ip, (%m) : (1) : !llvm.ptr<1> -> !list
  %d1 = tile.make_view %o1, (%m, %n {div = VECTOR}) : (%ld {div = VECTOR}, 1) : !llvm.ptr<1> -> !g
  %rows = tile.make_iterator %a(0, 0), %t indices %list vectors : !gather
  %to1 = tile.make_iterator %d1(0, 0), %t vectors : !first
  tile.copy %rows, %to1 : !gather, !first

  // As a mapped matrix.
  %d2 = tile.make_view %o2, (%m, %n {div = VECTOR}) : (%ld {div = VECTOR}, 1) : !llvm.ptr<1> -> !g
  %from2 = tile.make_iterator %a(0, 0), %t : !mapped
  %to2 = tile.make_iterator %d2(0, 0), %t : !mapped
  %third = tile.iterator_load %from2 : !mapped -> !f
  tile.iterator_store %third, %to2 : !f, !mapped

  // A triangle with a diagonal of ones, element by element.
  %b = tile.make_view %in, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !o
  %d3 = tile.make_view %o3, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !o
  %from3 = tile.make_iterator %b(0, 0), %t : !lower
  %to3 = tile.make_iterator %d3(0, 0), %t : !single
  %fourth = tile.iterator_load %from3 : !lower -> !f
  tile.iterator_store %fourth, %to3 : !f, !single
  gpu.return
}
}
)";

class NarrowIterators : public HopperTest {
protected:
  static std::string replace(std::string text, const std::string &from,
                             const std::string &to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }

  /// Moves a matrix of elements of type T; `one` are the bits of the number 1,
  /// and no element has bits beyond `used`.
  template <typename T>
  void check(const std::string &element, T one, T used = static_cast<T>(-1)) {
    SCOPED_TRACE(element);
    constexpr int64_t vector = 16 / sizeof(T), width = 4 * vector;
    std::string text = replace(kKernel, "ELEMENT", element);
    text = replace(text, "VECTOR", std::to_string(vector));
    text = replace(text, "WIDTH", std::to_string(width));
    text = replace(text, "BASE", sizeof(T) == 1 ? "4" : "3");
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

    // The second tile is whole, the first one has the rest; 29 of 32 rows.
    int64_t rows = 29, columns = width + 3 * vector, pitch = columns + vector;
    T *in = allocate<T>(rows * pitch);
    std::mt19937 random(7);
    for (int64_t i = 0; i < rows * pitch; ++i)
      in[i] = static_cast<T>(random()) & used;
    std::vector<T *> out(4);
    for (T *&memory : out)
      memory = allocate<T>(rows * pitch, kCanary<T>);
    int32_t *list = allocate<int32_t>(rows);
    for (int64_t i = 0; i < rows; ++i)
      list[i] = (i * 5 + 3) % rows;
    ASSERT_EQ(launch({&in, &out[0], &out[1], &out[2], &out[3], &list, &rows,
                      &columns, &pitch},
                     128),
              "");
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < pitch; ++j) {
        auto at = [&](int64_t row) { return in[row * pitch + j]; };
        bool inside = j < columns, inResidue = j < 3 * vector;
        T expected[] = {
            inside ? at(i) : kCanary<T>,
            inResidue ? at(list[i]) : kCanary<T>,
            j < width ? at(i) : kCanary<T>,
            !inResidue ? kCanary<T>
            : i == j   ? one
                       : (i > j ? at(i) : T(0)),
        };
        for (int64_t kind = 0; kind < 4; ++kind)
          ASSERT_EQ(out[kind][i * pitch + j], expected[kind])
              << "kind " << kind << " at (" << i << ", " << j << ")";
      }
  }

  template <typename T>
  static constexpr T kCanary = static_cast<T>(0x5AA5);
};

} // namespace

TEST_F(NarrowIterators, OfBytes) {
  check<uint8_t>("i8", 1);
  check<uint8_t>("f8E4M3FN", 0x38);
  check<uint8_t>("f8E5M2", 0x3C);
}

TEST_F(NarrowIterators, OfHalves) {
  check<uint16_t>("i16", 1);
  check<uint16_t>("f16", 0x3C00);
  // Processors without bf16 go by way of f32, which marks signalling NaNs.
  check<uint16_t>("bf16", 0x3F80, 0xBFFF);
}
