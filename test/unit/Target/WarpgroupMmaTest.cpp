// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile.warpgroup_mma on the simulator: each type, A in shared memory and in
// registers, both majors, and all widths, against sums that are exact.
#include "SimulatorHelpers.h"
#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"

#include <cmath>
#include <random>

using namespace tiletest;

namespace {
/// An element type of a factor.
struct Factor {
  /// In the atom, and in memory.
  const char *name, *stored;
  int bytes;

  bool isInteger() const { return name[0] == 'i' || name[0] == 'u'; }
};

const Factor kHalf{"f16", "f16", 2}, kBrain{"bf16", "bf16", 2};
const Factor kTF32{"tf32", "f32", 4}, kE4M3{"f8E4M3FN", "f8E4M3FN", 1};
const Factor kE5M2{"f8E5M2", "f8E5M2", 1};
const Factor kS8{"i8", "i8", 1}, kU8{"ui8", "i8", 1};

/// Bits of a random factor, and the number that the hardware takes them for.
/// Floats are small integers, so that all sums are exact.
double makeFactor(const Factor &type, std::mt19937 &random, uint32_t &bits) {
  if (type.isInteger()) {
    bits = random() & 0xff;
    return type.name[0] == 'u' ? double(bits) : double(int8_t(bits));
  }
  int value = static_cast<int>(random() % 9) - 4;
  if (&type == &kTF32) {
    auto number = static_cast<float>(value);
    std::memcpy(&bits, &number, 4);
    // The hardware ignores these.
    bits |= random() & 0x1fff;
    return value;
  }
  // Sign, exponent and mantissa of a small integer.
  int mantissa =
      type.bytes == 2 ? (&type == &kHalf ? 10 : 7) : (&type == &kE4M3 ? 3 : 2);
  int width = 8 * type.bytes - 1 - mantissa, magnitude = std::abs(value);
  bits = value < 0 ? 1u << (8 * type.bytes - 1) : 0;
  if (magnitude) {
    int exponent = std::ilogb(magnitude);
    bits |= static_cast<uint32_t>(exponent + (1 << (width - 1)) - 1)
                << mantissa |
            (static_cast<uint32_t>(std::ldexp(magnitude, mantissa - exponent)) &
             ((1u << mantissa) - 1));
  }
  return value;
}

struct Case {
  const Factor *a = &kBrain, *b = &kBrain;
  int n = 64;
  /// Atoms along M.
  int atoms = 1;
  bool registerA = false, transposeA = false, transposeB = false;
  /// How often A times B is added.
  int times = 1;

  /// Elements along K: rows of 128 bytes, or 16-bit columns of as many.
  int k() const { return 128 / a->bytes; }
  int rows() const { return 64 * atoms; }
};

class WarpgroupMma : public HopperTest {
protected:
  void compileTile(const std::string &text) {
    mlir::DialectRegistry registry;
    tile::registerAllDialects(registry);
    mlir::MLIRContext context(registry);
    auto source =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
    ASSERT_TRUE(source) << text;
    tile::CompileOptions options;
    ASSERT_TRUE(succeeded(tile::lowerToFloor3(*source, options)));
    auto object = tile::translateToSimulator(*source);
    ASSERT_TRUE(succeeded(object));
    loadObject(*object);
  }
  std::string run(const Case &c);
};
} // namespace

/// The type of an operand's view; MN-major in chunks of 64 elements.
static std::string viewOf(const Factor &type, int rows, int k,
                          bool transposed) {
  int base = type.bytes == 1 ? 4 : type.bytes == 2 ? 3 : 2;
  std::string layout =
      transposed
          ? "((64, " + std::to_string(rows / 64) + "), " + std::to_string(k) +
                ") : ((1, " + std::to_string(64 * k) + "), 64)"
          : "(" + std::to_string(rows) + ", " + std::to_string(k) + ") : (" +
                std::to_string(k) + ", 1)";
  return "!tile.view<" + std::string(type.stored) + ", shared, S<3, " +
         std::to_string(base) + ", 3> o 0 o " + layout + ", align = 1024>";
}

static std::string kernel(const Case &c) {
  std::string text = R"(
!bytes_a = !tile.view<i8, shared, S<3, 4, 3> o 0 o (ROWS, 128) : (128, 1), align = 1024>
!bytes_b = !tile.view<i8, shared, S<3, 4, 3> o 0 o (COLUMNS, 128) : (128, 1), align = 1024>
!from_a = !tile.iterator<!tile.view<i8, global, (ROWS, 128) : (128, 1), align = 16>, #tile.strip_mined<tile = [ROWS, 128], contiguous = 1, threads = 128, elements = 8>, steady>
!from_b = !tile.iterator<!tile.view<i8, global, (COLUMNS, 128) : (128, 1), align = 16>, #tile.strip_mined<tile = [COLUMNS, 128], contiguous = 1, threads = 128, elements = 8>, steady>
!to_a = !tile.iterator<!bytes_a, #tile.strip_mined<tile = [ROWS, 128], contiguous = 1, threads = 128, elements = 8>, steady>
!to_b = !tile.iterator<!bytes_b, #tile.strip_mined<tile = [COLUMNS, 128], contiguous = 1, threads = 128, elements = 8>, steady>
!words_a = !tile.iterator<!tile.view<i8, global, (ROWS, 128) : (128, 1), align = 16>, #tile.tv_map<tile = [ROWS, 128], layout = ((4, 8, 4), (4, 2, 2, 4, ATOMS)) : ((4@e1, 1@e0, 16@e0), (1@e1, 8@e0, 16@e1, 32@e1, 64@e0))>, steady>
!view_a = VIEW_A
!view_b = VIEW_B
!acc = !tile.accumulator<#tile.wgmma<n = COLUMNS, a = NAME_A, b = NAME_B, acc = SUM, a_in = PLACE>, count = [ATOMS, 1]>
#result = #tile.tv_map<tile = [ROWS, COLUMNS], layout = ((4, 8, 4), (2, 2, OCTETS, ATOMS)) : ((2@e1, 1@e0, 16@e0), (1@e1, 8@e0, 8@e1, 64@e0))>
!global_d = !tile.view<SUM, global, (ROWS, COLUMNS) : (COLUMNS, 1), align = 16>
!to_d = !tile.iterator<!global_d, #result, steady>
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %times: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c1 = arith.constant 1 : index
      %thread = gpu.thread_id x
      %global_a = tile.make_view %a, (ROWS, 128) : (128, 1) : !llvm.ptr<1> -> !tile.view<i8, global, (ROWS, 128) : (128, 1), align = 16>
      %global_b = tile.make_view %b, (COLUMNS, 128) : (128, 1) : !llvm.ptr<1> -> !tile.view<i8, global, (COLUMNS, 128) : (128, 1), align = 16>
      %global_d = tile.make_view %d, (ROWS, COLUMNS) : (COLUMNS, 1) : !llvm.ptr<1> -> !global_d
      %bytes_b = tile.alloc_shared : !bytes_b
      %from_b = tile.make_iterator %global_b(0, 0), %thread : !from_b
      %to_b = tile.make_iterator %bytes_b(0, 0), %thread : !to_b
      tile.copy %from_b, %to_b : !from_b, !to_b
      LOAD_A
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %pointer_b = tile.view_pointer %bytes_b : !bytes_b
      %view_b = tile.make_view %pointer_b, SHAPE_B : !llvm.ptr<3> -> !view_b
      %first = tile.warpgroup_mma %operand, %view_b : OPERAND, !view_b -> !acc
      %sums = scf.for %i = %c1 to %times step %c1 iter_args(%acc = %first) -> (!acc) {
        %next = tile.warpgroup_mma %operand, %view_b acc(%acc : !acc) : OPERAND, !view_b -> !acc
        scf.yield %next : !acc
      }
      %done = tile.warpgroup_wait %sums pending(0) : !acc
      %fragment = tile.accumulator_fragment %done : !acc -> vector<SIZExSUM>
      %to_d = tile.make_iterator %global_d(0, 0), %thread : !to_d
      tile.iterator_store %fragment, %to_d : vector<SIZExSUM>, !to_d
      gpu.return
    }
  }
})";
  auto shapeOf = [&](int rows, bool transposed) {
    std::string view = viewOf(kBrain, rows, c.k(), transposed);
    size_t begin = view.find("o 0 o ") + 6;
    return view.substr(begin, view.find(", align") - begin);
  };
  int elements = 32 * c.atoms * c.k() / 64;
  std::string fragment =
      "vector<" + std::to_string(elements) + "x" + c.a->stored + ">";
  text = substitute(text, "LOAD_A",
                    c.registerA ? R"(
      %words_a = tile.make_iterator %global_a(0, 0), %thread : !words_a
      %words = tile.iterator_load %words_a : !words_a -> vector<WORDSxi8>
      %operand = vector.bitcast %words : vector<WORDSxi8> to OPERAND)"
                                : R"(
      %bytes_a = tile.alloc_shared : !bytes_a
      %from_a = tile.make_iterator %global_a(0, 0), %thread : !from_a
      %to_a = tile.make_iterator %bytes_a(0, 0), %thread : !to_a
      tile.copy %from_a, %to_a : !from_a, !to_a
      %pointer_a = tile.view_pointer %bytes_a : !bytes_a
      %operand = tile.make_view %pointer_a, SHAPE_A : !llvm.ptr<3> -> !view_a)");
  const std::pair<const char *, std::string> values[] = {
      {"VIEW_A", viewOf(*c.a, c.rows(), c.k(), c.transposeA)},
      {"VIEW_B", viewOf(*c.b, c.n, c.k(), c.transposeB)},
      {"SHAPE_A", shapeOf(c.rows(), c.transposeA)},
      {"SHAPE_B", shapeOf(c.n, c.transposeB)},
      {"OPERAND", c.registerA ? fragment : "!view_a"},
      {"NAME_A", c.a->name},
      {"NAME_B", c.b->name},
      {"PLACE", c.registerA ? "register" : "shared"},
      {"SUM", c.a->isInteger() ? "i32" : "f32"},
      {"SIZE", std::to_string(c.atoms * c.n / 2)},
      {"WORDS", std::to_string(c.atoms * 64)},
      {"OCTETS", std::to_string(c.n / 8)},
      {"ATOMS", std::to_string(c.atoms)},
      {"ROWS", std::to_string(c.rows())},
      {"COLUMNS", std::to_string(c.n)},
  };
  for (const auto &[name, value] : values)
    text = substitute(text, name, value);
  return text;
}

std::string WarpgroupMma::run(const Case &c) {
  module.reset();
  compileTile(kernel(c));
  if (!module)
    return "not compiled";
  std::mt19937 random(c.n);
  int k = c.k();
  // Rows of K, or for a transposed operand, chunks of 64 rows, K by K.
  auto fill = [&](const Factor &type, int rows, bool transposed,
                  std::vector<double> &values) {
    auto *bytes = allocate<uint8_t>(rows * 128);
    values.resize(rows * k);
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < k; ++i) {
        uint32_t bits = 0;
        values[row * k + i] = makeFactor(type, random, bits);
        int index =
            transposed ? (row / 64 * k + i) * 64 + row % 64 : row * k + i;
        std::memcpy(bytes + index * type.bytes, &bits, type.bytes);
      }
    return bytes;
  };
  std::vector<double> a, b;
  uint8_t *bytesA = fill(*c.a, c.rows(), c.transposeA, a);
  uint8_t *bytesB = fill(*c.b, c.n, c.transposeB, b);
  auto *d = allocate<uint32_t>(c.rows() * c.n);
  int64_t times = c.times;
  std::string error = launch({&bytesA, &bytesB, &d, &times}, 128);
  if (!error.empty())
    return error;
  for (int row = 0; row < c.rows(); ++row)
    for (int column = 0; column < c.n; ++column) {
      double sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[row * k + i] * b[column * k + i];
      sum *= c.times;
      double got;
      if (c.a->isInteger()) {
        sum = static_cast<int32_t>(
            static_cast<uint32_t>(static_cast<int64_t>(sum)));
        got = static_cast<int32_t>(d[row * c.n + column]);
      } else {
        float value;
        std::memcpy(&value, &d[row * c.n + column], 4);
        got = value;
      }
      if (got != sum) {
        ADD_FAILURE() << "at (" << row << ", " << column << "): " << got
                      << " for " << sum;
        return "wrong";
      }
    }
  return "";
}

TEST_F(WarpgroupMma, EachTypeAndPlaceOfA) {
  for (auto [a, b] : {std::pair(&kHalf, &kHalf),
                      {&kBrain, &kBrain},
                      {&kTF32, &kTF32},
                      {&kE4M3, &kE5M2},
                      {&kE5M2, &kE4M3},
                      {&kS8, &kS8},
                      {&kS8, &kU8},
                      {&kU8, &kS8},
                      {&kU8, &kU8}})
    for (bool registerA : {false, true}) {
      Case c;
      c.a = a;
      c.b = b;
      c.registerA = registerA;
      EXPECT_EQ(run(c), "") << a->name << " " << b->name << " " << registerA;
    }
}

TEST_F(WarpgroupMma, Widths) {
  for (int n : {8, 24, 32, 48, 112, 176, 240, 256})
    for (const Factor *type : {&kTF32, &kS8})
      for (bool registerA : {false, true}) {
        Case c;
        c.a = c.b = type;
        c.n = n;
        c.registerA = registerA;
        EXPECT_EQ(run(c), "") << n << " " << type->name << " " << registerA;
      }
  for (int n : {40, 200}) {
    Case c;
    c.a = c.b = &kTF32;
    c.n = n;
    EXPECT_EQ(run(c), "") << n;
  }
}

TEST_F(WarpgroupMma, Majors) {
  for (bool transposeA : {false, true})
    for (bool registerA : {false, true}) {
      if (transposeA && registerA)
        continue;
      Case c;
      c.n = 128;
      c.transposeA = transposeA;
      c.transposeB = true;
      c.registerA = registerA;
      EXPECT_EQ(run(c), "") << transposeA << " " << registerA;
    }
}

TEST_F(WarpgroupMma, SeveralAtomsAlongM) {
  for (const Factor *type : {&kHalf, &kTF32, &kS8})
    for (bool registerA : {false, true}) {
      Case c;
      c.a = c.b = type;
      c.atoms = 3;
      c.n = 16;
      c.registerA = registerA;
      c.times = 3;
      EXPECT_EQ(run(c), "") << type->name << " " << registerA;
    }
}

TEST_F(WarpgroupMma, IntegersWrap) {
  for (bool registerA : {false, true}) {
    Case c;
    c.a = c.b = &kU8;
    c.n = 8;
    c.registerA = registerA;
    // About 2^14 times 128 times 3000: past 2^32.
    c.times = 3000;
    EXPECT_EQ(run(c), "") << registerA;
  }
}
