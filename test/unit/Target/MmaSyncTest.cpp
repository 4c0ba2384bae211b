// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every mma.sync atom on the simulator, from text: fragments laid out as the
// table says give the numbers of a plain loop.

#include "SimulatorHelpers.h"

#include "tile/Atoms/MmaAtoms.h"
#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tiletest;
using tile::MmaAtom;

namespace {

/// Bits of an element, and how a small integer looks in it.
struct Type {
  explicit Type(const std::string &name)
      : name(name), bits(llvm::StringSwitch<int>(name)
                             .Cases({"i4", "u4"}, 4)
                             .Cases({"i8", "u8", "f8E4M3FN", "f8E5M2"}, 8)
                             .Cases({"f16", "bf16"}, 16)
                             .Case("f64", 64)
                             .Default(32)) {}

  /// As memory has it.
  std::string getStored() const {
    return name == "tf32"   ? "f32"
           : name[0] == 'u' ? "i" + name.substr(1)
                            : name;
  }
  bool isSigned() const { return name[0] != 'u'; }

  uint64_t encode(int value) const {
    if (name[0] == 'i' || name[0] == 'u')
      return static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
    double number = value;
    uint64_t image;
    std::memcpy(&image, &number, 8);
    if (bits == 64)
      return image;
    // Sign, exponent and mantissa of a number that is exact in all types.
    auto [exponentBits, mantissaBits] =
        llvm::StringSwitch<std::pair<int, int>>(name)
            .Case("f8E4M3FN", {4, 3})
            .Case("f8E5M2", {5, 2})
            .Case("f16", {5, 10})
            .Case("bf16", {8, 7})
            .Default({8, 23});
    if (value == 0)
      return 0;
    uint64_t exponent =
        (image >> 52 & 2047) - 1023 + ((uint64_t(1) << (exponentBits - 1)) - 1);
    return image >> 63 << (bits - 1) | exponent << mantissaBits |
           (image & ((uint64_t(1) << 52) - 1)) >> (52 - mantissaBits);
  }

  std::string name;
  int bits;
};

class MmaSync : public HopperTest {
protected:
  /// out[lane] = a[lane] * b[lane] + c[lane], fragments in bytes.
  void compileAtom(const MmaAtom &atom, const std::string &attribute) {
    auto vector = [](const std::string &type, int64_t count) {
      return "vector<" + std::to_string(count) + "x" + Type(type).getStored() +
             ">";
    };
    std::string a = vector(atom.a, atom.m * atom.k / 32),
                b = vector(atom.b, atom.n * atom.k / 32),
                c = vector(atom.c, atom.m * atom.n / 32);
    // As words, which memory has of elements of every width.
    auto load = [](const std::string &name, const std::string &type,
                   int64_t bits) {
      int64_t words = bits / 32;
      std::string image = "vector<" + std::to_string(words) + "xi32>";
      return "  %" + name + "n = arith.constant " + std::to_string(words) +
             " : i64\n  %" + name + "i = arith.muli %lane, %" + name +
             "n : i64\n  %" + name + "p = llvm.getelementptr %" + name + "[%" +
             name + "i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32\n  %" +
             name + "w = llvm.load %" + name +
             "p {alignment = 4 : i64} : !llvm.ptr<1> "
             "-> " +
             image + "\n  %" + name + "v = vector.bitcast %" + name +
             "w : " + image + " to " + type + "\n";
    };
    int64_t sumBits = atom.m * atom.n / 32 * Type(atom.c).bits;
    std::string image = "vector<" + std::to_string(sumBits / 32) + "xi32>";
    std::string text =
        R"(gpu.module @m {
gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel
    attributes {known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %lane = arith.index_cast %t : index to i64
)" + load("a", a, atom.m * atom.k / 32 * Type(atom.a).bits) +
        load("b", b, atom.n * atom.k / 32 * Type(atom.b).bits) +
        load("c", c, sumBits) + "  %d = tile.mma %av, %bv, %cv atom(" +
        attribute + ") : " + a + ", " + b + ", " + c +
        "\n  %dw = vector.bitcast %d : " + c + " to " + image +
        "\n  llvm.store %dw, %cp {alignment = 4 : i64} : " + image +
        ", !llvm.ptr<1>\n  gpu.return\n}\n}\n";
    mlir::DialectRegistry registry;
    tile::registerAllDialects(registry);
    mlir::MLIRContext context(registry);
    auto source =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
    ASSERT_TRUE(source) << text;
    ASSERT_TRUE(succeeded(tile::lowerToFloor3(*source, tile::CompileOptions())))
        << text;
    auto object = tile::translateToSimulator(*source);
    ASSERT_TRUE(succeeded(object));
    loadObject(*object);
  }

  /// Element `value` of `lane` in the bits of all fragments.
  static void put(uint8_t *memory, const tile::Layout &layout, int64_t lane,
                  int64_t value, const Type &type, int number) {
    int64_t values = layout.size().getValue() / 32;
    int64_t at = (lane * values + value) * type.bits;
    uint64_t image = type.encode(number);
    for (int bit = 0; bit < type.bits; ++bit)
      if (image >> bit & 1)
        memory[(at + bit) / 8] |= static_cast<uint8_t>(1 << (at + bit) % 8);
  }

  /// Small integers, which all types have, so that sums are exact in all.
  static int getNumber(int64_t row, int64_t k, int64_t seed, const Type &type) {
    int64_t number = (row * 7 + k * 5 + row * k * 3 + seed) % 5;
    return static_cast<int>(type.isSigned() ? number - 2 : number);
  }

  void check(const MmaAtom &atom) {
    std::string attribute =
        "#tile.mma_sync<shape = [" + std::to_string(atom.m) + ", " +
        std::to_string(atom.n) + ", " + std::to_string(atom.k) +
        "], a = " + spell(atom.a) + ", b = " + spell(atom.b) +
        ", acc = " + atom.c + ">";
    SCOPED_TRACE(attribute);
    compileAtom(atom, attribute);
    if (HasFatalFailure())
      return;
    Type typeA(atom.a), typeB(atom.b), typeC(atom.c);
    auto *a = allocate<uint8_t>(atom.m * atom.k * 8),
         *b = allocate<uint8_t>(atom.n * atom.k * 8),
         *c = allocate<uint8_t>(atom.m * atom.n * 8),
         *expected = allocate<uint8_t>(atom.m * atom.n * 8);
    auto fill = [](uint8_t *memory, const tile::Layout &layout,
                   const Type &type, int64_t rows, auto &&number) {
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t i = 0, e = layout.size().getValue() / 32; i < e; ++i) {
          int64_t element = layout.at(lane + 32 * i);
          put(memory, layout, lane, i, type,
              number(element % rows, element / rows));
        }
    };
    auto numberA = [&](int64_t m, int64_t k) {
      return getNumber(m, k, 1, typeA);
    };
    auto numberB = [&](int64_t n, int64_t k) {
      return getNumber(n, k, 2, typeB);
    };
    auto numberC = [&](int64_t m, int64_t n) {
      return getNumber(m, n, 3, Type("f32"));
    };
    fill(a, atom.aLayout, typeA, atom.m, numberA);
    fill(b, atom.bLayout, typeB, atom.n, numberB);
    fill(c, atom.cLayout, typeC, atom.m, numberC);
    fill(expected, atom.cLayout, typeC, atom.m, [&](int64_t m, int64_t n) {
      int sum = numberC(m, n);
      for (int64_t k = 0; k < atom.k; ++k)
        sum += numberA(m, k) * numberB(n, k);
      return sum;
    });
    ASSERT_EQ(launch({&a, &b, &c}, 32), "");
    EXPECT_EQ(std::memcmp(c, expected, atom.m * atom.n * typeC.bits / 8), 0);
  }

private:
  static std::string spell(const std::string &type) {
    return type[0] == 'u' ? "ui" + type.substr(1) : type;
  }
};

} // namespace

TEST_F(MmaSync, EveryAtom) {
  int count = 0;
  for (const MmaAtom &atom : tile::getMmaAtoms()) {
    if (atom.threads != 32 || !atom.variant.empty() || atom.a == "u1" ||
        atom.a.rfind("complex", 0) == 0)
      continue;
    check(atom);
    ++count;
  }
  EXPECT_GE(count, 40);
}

// As the nvvm dialect has it: every lane has ones of A and of B, so that each
// sum grows by k.
TEST_F(MmaSync, OfTheNVVMDialect) {
  compile(R"(
gpu.func @k(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %a = arith.constant dense<1.0> : vector<2xf16>
  %c = arith.constant 0.5 : f32
  %0 = nvvm.mma.sync A[%a, %a, %a, %a] B[%a, %a] C[%c, %c, %c, %c]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
      : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %b = arith.constant 0x02020202 : i32
  %z = arith.constant 5 : i32
  %1 = nvvm.mma.sync A[%b, %b] B[%b] C[%z, %z, %z, %z]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>,
       multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
      : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %f = llvm.extractvalue %0[3] : !llvm.struct<(f32, f32, f32, f32)>
  %i = llvm.extractvalue %1[2] : !llvm.struct<(i32, i32, i32, i32)>
  %j = arith.sitofp %i : i32 to f32
  %s = arith.addf %f, %j : f32
  llvm.store %s, %out : f32, !llvm.ptr<1>
  gpu.return
})");
  ASSERT_TRUE(module);
  auto *out = allocate<float>(1);
  ASSERT_EQ(launch({&out}, 32), "");
  EXPECT_EQ(*out, 0.5f + 16 + 5 + 4 * 16);
}

// What the table does not have is refused by name.
TEST_F(MmaSync, QuadPairsAreRefused) {
  EXPECT_HAS(diagnose(R"(
gpu.func @k(%a: vector<2xf16>, %c: vector<2xf16>) kernel {
  %0 = nvvm.mma.sync A[%a, %a] B[%a, %a] C[%c, %c, %c, %c]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>}
      : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  gpu.return
})"),
             "expected an op that the simulator models, but got "
             "'nvvm.mma.sync'");
}

TEST_F(MmaSync, NeedsAllLanes) {
  compile(R"(
gpu.func @k(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c7 = arith.constant 7 : i32
  %low = arith.cmpi ult, %tid, %c7 : i32
  scf.if %low {
    %z = arith.constant 0 : i32
    %f = arith.constant 0.0 : f64
    %0 = llvm.inline_asm "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$2}, {$3}, {$4, $5};", "=d,=d,d,d,d,d" %f, %f, %f, %f : (f64, f64, f64, f64) -> !llvm.struct<(f64, f64)>
    %1 = llvm.extractvalue %0[0] : !llvm.struct<(f64, f64)>
    llvm.store %1, %out : f64, !llvm.ptr<1>
  }
  gpu.return
})");
  ASSERT_TRUE(module);
  auto *out = allocate<double>(1);
  EXPECT_HAS(launch({&out}, 32), "expected all 32 lanes");
}
