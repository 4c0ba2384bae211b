// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma on the simulator: element types, layouts, descriptors, wrong uses.

#include "SimulatorHelpers.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <random>

using namespace tiletest;

namespace {
/// An element type: its name in PTX, its bits, and how to read them.
struct Element {
  const char *name;
  int bytes, exponent, mantissa; ///< exponent 0: an integer, -1: with sign
  bool infinite = true;

  double value(uint32_t bits) const {
    if (exponent <= 0)
      return exponent ? double(int8_t(bits)) : double(bits);
    int e = bits >> mantissa & ((1 << exponent) - 1);
    int m = bits & ((1 << mantissa) - 1);
    int bias = (1 << (exponent - 1)) - 1;
    double magnitude = e ? std::ldexp(m + (1 << mantissa), e - bias - mantissa)
                         : std::ldexp(m, 1 - bias - mantissa);
    return bits >> (exponent + mantissa) & 1 ? -magnitude : magnitude;
  }

  /// Random bits of a finite number of moderate size.
  uint32_t random(std::mt19937 &random) const {
    if (exponent <= 0)
      return random() & 0xff;
    uint32_t sign = random() & 1, bias = (1 << (exponent - 1)) - 1;
    uint32_t e = bias - 3 + random() % 6;
    return sign << (exponent + mantissa) | e << mantissa |
           (random() & ((1 << mantissa) - 1));
  }
};

const Element half{"f16", 2, 5, 10}, bfloat{"bf16", 2, 8, 7};
const Element tf32{"tf32", 4, 8, 23}, e4m3{"e4m3", 1, 4, 3};
const Element e5m2{"e5m2", 1, 5, 2}, s8{"s8", 1, -1, 0}, u8{"u8", 1, 0, 0};

/// One matrix in shared memory: rows of M or N, 32 bytes of K out of more.
struct Operand {
  const Element *type = &half;
  int swizzle = 128;
  bool transposed = false, negate = false;
  /// Bytes from the start to what the descriptor names.
  int shift = 0;
};

struct Case {
  int n = 64;
  Operand a, b;
  std::string d = "f32";
  bool add = true;
};

class Wgmma : public HopperTest {
protected:
  std::string kernel(const Case &c);
  std::string run(const Case &c);
  /// Changes the descriptors' fields before the launch.
  std::function<void(int64_t &, int64_t &)> edit;
  double microseconds = 0;
  int repetitions = 1;
};
} // namespace

std::string Wgmma::kernel(const Case &c) {
  bool packed = c.d == "f16";
  int registers = c.n / (packed ? 4 : 2);
  std::string element = c.d == "f32" ? "f32" : "i32";
  std::string type = "!llvm.struct<(" + element;
  for (int i = 1; i < registers; ++i)
    type += ", " + element;
  type += ")>";
  auto operand = [](const Operand &o, bool isB) {
    return "[#nvvm.wgmma_type<" + std::string(o.type->name) +
           ">, #nvvm.wgmma_scale_in<" + (o.negate ? "neg" : "one") +
           ">, #nvvm.mma_layout<" + (o.transposed != isB ? "col" : "row") +
           ">]";
  };
  std::string text = std::string(kDynamicShared) + R"(
gpu.func @k(%in: !llvm.ptr<1>, %words: i32, %fa: i64, %fb: i64,
            %acc: !llvm.ptr<1>, %times: i32) kernel
    attributes {known_block_size = array<i32: 128, 1, 1>} {
  %smem = llvm.mlir.addressof @tile_dynamic_shared : !llvm.ptr<3>
  %base = llvm.ptrtoint %smem : !llvm.ptr<3> to i64
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  scf.for %i = %tid to %words step %c128 : i32 {
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %s = llvm.getelementptr %smem[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.store %v, %s : i32, !llvm.ptr<3>
  }
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  gpu.barrier
  %low = arith.constant 0x3FFFF : i64
  %c4 = arith.constant 4 : i64
  %b0 = arith.andi %base, %low : i64
  %start = arith.shrui %b0, %c4 : i64
  %da = arith.addi %fa, %start : i64
  %db = arith.addi %fb, %start : i64
  %mine = llvm.getelementptr %acc[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, TYPE
  %old = llvm.load %mine : !llvm.ptr<1> -> TYPE
  nvvm.wgmma.fence.aligned
  %new = scf.for %i = %c0 to %times step %c1 iter_args(%x = %old) -> (TYPE) : i32 {
    %y = nvvm.wgmma.mma_async %da, %db, %x, SHAPE : TYPE -> TYPE loc("the wgmma")
    scf.yield %y : TYPE
  }
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %new, %mine : TYPE, !llvm.ptr<1>
  gpu.return
})";
  std::string shape = "#nvvm.shape<m = 64, n = " + std::to_string(c.n) +
                      ", k = " + std::to_string(32 / c.a.type->bytes) +
                      ">, D [#nvvm.wgmma_type<" + c.d +
                      ">, #nvvm.wgmma_scale_out<" + (c.add ? "one" : "zero") +
                      ">], A " + operand(c.a, false) + ", B " +
                      operand(c.b, true);
  return substitute(substitute(text, "SHAPE", shape), "TYPE", type);
}

/// Where element (row, k) of an operand lies, as TMA would put it there, for
/// `rows` rows; sets the descriptor's fields. The matrix in memory has more
/// than 32 bytes of K where the swizzle is wider.
static int place(const Operand &o, int rows, int row, int k, int64_t &fields) {
  int bytes = o.type->bytes, swizzle = o.swizzle, offset;
  int64_t modes[] = {0, 3, 2, 0, 1};
  int64_t mode = modes[swizzle / 32], leading = 16, stride;
  if (!o.transposed) {
    int inRow = k * bytes + o.shift;
    if (swizzle) {
      offset = row * swizzle + inRow;
      stride = 8 * swizzle;
    } else {
      // Core matrices of 8 x 16 bytes, those of one K behind each other.
      leading = rows * 16;
      stride = 128;
      offset = inRow / 16 * rows * 16 + row * 16 + inRow % 16;
    }
  } else {
    int across = swizzle ? swizzle / bytes : 8; // elements of a chunk of rows
    int pitch = swizzle ? swizzle : 16, depth = 16;
    int chunk = row / across;
    offset = (chunk * depth + k) * pitch + row % across * bytes;
    leading = swizzle ? depth * pitch : 8 * pitch;
    stride = swizzle ? 8 * pitch : depth * pitch;
  }
  int unit = swizzle / 16;
  if (unit)
    offset ^= (offset / 128 % unit) * 16;
  fields = leading / 16 << 16 | stride / 16 << 32 | mode << 62;
  return offset;
}

std::string Wgmma::run(const Case &c) {
  compile(kernel(c));
  if (!module)
    return "not compiled";
  std::mt19937 random(c.n);
  int k = 32 / c.a.type->bytes, bytes = 32768 + 65536;
  auto *memory = allocate<uint8_t>(bytes, 0xff);
  int64_t fieldsA = 0, fieldsB = 0;
  auto fill = [&](const Operand &o, int rows, int start, int64_t &fields) {
    std::vector<double> values(rows * k);
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < k; ++i) {
        uint32_t bits = o.type->random(random);
        int offset = start + place(o, rows, row, i, fields);
        std::memcpy(memory + offset, &bits, o.type->bytes);
        if (o.type == &tf32)
          bits &= ~0x1fffu;
        values[row * k + i] = o.type->value(bits) * (o.negate ? -1 : 1);
      }
    fields |= (start + o.shift) / 16;
    return values;
  };
  std::vector<double> a = fill(c.a, 64, 0, fieldsA);
  std::vector<double> b = fill(c.b, c.n, 32768, fieldsB);
  if (edit)
    edit(fieldsA, fieldsB);

  int registers = c.n / 2;
  int registerBytes = c.d == "f16" ? 2 : 4;
  auto *acc = allocate<uint8_t>(128 * registers * registerBytes);
  std::vector<double> d(64 * c.n);
  auto at = [&](int thread, int i) -> double & {
    int row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
    return d[row * c.n + i / 4 * 8 + thread % 4 * 2 + i % 2];
  };
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < registers; ++i) {
      uint8_t *place = acc + (t * registers + i) * registerBytes;
      if (c.d == "f32") {
        float value = std::ldexp(float(random() % 1000), -7);
        std::memcpy(place, &value, 4);
        at(t, i) = value;
      } else if (c.d == "f16") {
        uint16_t bits = half.random(random);
        std::memcpy(place, &bits, 2);
        at(t, i) = half.value(bits);
      } else {
        int32_t value = int32_t(random() % 2000) - 1000;
        std::memcpy(place, &value, 4);
        at(t, i) = value;
      }
    }
  int32_t words = bytes / 4, times = repetitions;
  auto start = std::chrono::steady_clock::now();
  std::string error =
      launch({&memory, &words, &fieldsA, &fieldsB, &acc, &times}, 128, bytes);
  microseconds = std::chrono::duration<double, std::micro>(
                     std::chrono::steady_clock::now() - start)
                     .count();
  if (!error.empty() || repetitions > 1)
    return error;
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < registers; ++i) {
      const uint8_t *place = acc + (t * registers + i) * registerBytes;
      int row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8,
          column = i / 4 * 8 + t % 4 * 2 + i % 2;
      double sum = c.add ? at(t, i) : 0;
      for (int j = 0; j < k; ++j)
        sum += a[row * k + j] * b[column * k + j];
      double got, expected = sum;
      if (c.d == "f32") {
        float value;
        std::memcpy(&value, place, 4);
        got = value;
        expected = float(sum);
      } else if (c.d == "f16") {
        uint16_t bits;
        std::memcpy(&bits, place, 2);
        got = half.value(bits);
        // Half a unit in the last place.
        if (std::abs(got - sum) <= std::abs(sum) * 0x1p-11 + 0x1p-25)
          expected = got;
      } else {
        int32_t value;
        std::memcpy(&value, place, 4);
        got = value;
      }
      if (got != expected) {
        ADD_FAILURE() << "at (" << row << ", " << column << "): " << got
                      << " for " << expected;
        return "wrong";
      }
    }
  return "";
}

TEST_F(Wgmma, KMajorOfEachTypeAndSwizzle) {
  for (const Element *type : {&half, &bfloat, &tf32, &e4m3, &e5m2})
    for (int swizzle : {0, 32, 64, 128}) {
      Case c;
      c.a.type = c.b.type = type;
      c.a.swizzle = c.b.swizzle = swizzle;
      EXPECT_EQ(run(c), "") << type->name << " " << swizzle;
    }
}

TEST_F(Wgmma, MNMajorOfEachSwizzle) {
  for (int swizzle : {0, 32, 64, 128})
    for (bool both : {false, true}) {
      Case c;
      c.n = 128;
      c.a.swizzle = swizzle;
      c.b.swizzle = both ? swizzle : 128;
      c.a.transposed = true;
      c.b.transposed = both;
      EXPECT_EQ(run(c), "") << swizzle << " " << both;
    }
  Case c;
  c.n = 136;
  c.b.transposed = true;
  EXPECT_EQ(run(c), "");
}

TEST_F(Wgmma, StepsAlongKInsideOfTheSwizzle) {
  for (int step : {32, 64, 96}) {
    Case c;
    c.a.shift = step;
    c.b.shift = 96 - step;
    EXPECT_EQ(run(c), "") << step;
  }
}

TEST_F(Wgmma, EachWidth) {
  for (int n : {8, 16, 24, 72, 176, 248, 256}) {
    Case c;
    c.n = n;
    EXPECT_EQ(run(c), "") << n;
  }
}

TEST_F(Wgmma, MixedFloatsNegatedAndWithoutD) {
  Case c;
  c.a.type = &e4m3;
  c.b.type = &e5m2;
  c.a.negate = true;
  c.add = false;
  EXPECT_EQ(run(c), "");
  c.b.negate = true;
  c.add = true;
  EXPECT_EQ(run(c), "");
}

TEST_F(Wgmma, HalfAccumulators) {
  Case c;
  c.d = "f16";
  EXPECT_EQ(run(c), "");
  c.a.type = c.b.type = &e4m3;
  EXPECT_EQ(run(c), "");
}

TEST_F(Wgmma, Integers) {
  for (const Element *a : {&s8, &u8})
    for (const Element *b : {&s8, &u8}) {
      Case c;
      c.d = "s32";
      c.a.type = a;
      c.b.type = b;
      EXPECT_EQ(run(c), "") << a->name << b->name;
    }
}

TEST_F(Wgmma, DescriptorOutOfBounds) {
  edit = [](int64_t &, int64_t &b) { b += 65536 / 16 - 64; };
  std::string text = run({});
  EXPECT_HAS(text, "out-of-bounds wgmma");
  EXPECT_HAS(text, "at the wgmma");
}

TEST_F(Wgmma, DescriptorThatStartsInsideOfThePattern) {
  edit = [](int64_t &a, int64_t &) { a += 128 / 16; };
  EXPECT_HAS(run({}), "expected a start that is a multiple of the swizzle's "
                      "1024 bytes");
}

TEST_F(Wgmma, DescriptorWithABaseOffset) {
  edit = [](int64_t &, int64_t &b) { b |= int64_t(1) << 49; };
  EXPECT_HAS(run({}), "expected base offset 0, but got 1");
}

TEST_F(Wgmma, DescriptorsThatDifferBetweenThreads) {
  std::string text = kernel({});
  text = substitute(text, "%db = arith.addi %fb, %start : i64",
                    "%wide = arith.extui %tid : i32 to i64\n"
                    "%other = arith.addi %fb, %wide : i64\n"
                    "%db = arith.addi %other, %start : i64");
  compile(text);
  auto *memory = allocate<uint8_t>(65536);
  auto *acc = allocate<float>(128 * 32);
  int64_t fields = int64_t(1) << 62 | int64_t(64) << 32;
  int32_t words = 16384, times = 1;
  EXPECT_HAS(
      launch({&memory, &words, &fields, &fields, &acc, &times}, 128, 65536),
      "expected one descriptor of B in the warpgroup");
}

TEST_F(Wgmma, MissingProxyFence) {
  std::string text = substitute(
      kernel({}),
      "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = "
      "#nvvm.shared_space<cta>}",
      "");
  compile(text);
  auto *memory = allocate<uint8_t>(65536);
  auto *acc = allocate<float>(128 * 32);
  int64_t fields = int64_t(1) << 62 | int64_t(64) << 32;
  int32_t words = 16384, times = 1;
  EXPECT_HAS(
      launch({&memory, &words, &fields, &fields, &acc, &times}, 128, 65536),
      "missing proxy fence for shared memory: wgmma read of A");
}

TEST_F(Wgmma, MissingRegisterFence) {
  std::string fence = "nvvm.wgmma.fence.aligned";
  auto launchIt = [&](const std::string &text) {
    compile(text);
    auto *memory = allocate<uint8_t>(65536);
    auto *acc = allocate<float>(128 * 32);
    int64_t fields = int64_t(1) << 62 | int64_t(64) << 32;
    int32_t words = 16384, times = 3;
    return launch({&memory, &words, &fields, &fields, &acc, &times}, 128,
                  65536);
  };
  Case c;
  EXPECT_HAS(launchIt(substitute(kernel(c), fence, "")),
             "missing wgmma.fence in kernel 'k', block (0,0,0), thread "
             "(0,0,0) at the wgmma: expected a wgmma.fence between the "
             "thread's last access of the registers and this wgmma");
  // After a wait the registers are the thread's. Accumulators that it leaves
  // alone pass to the next wgmma without a fence.
  std::string wait = "nvvm.wgmma.commit.group.sync.aligned\n"
                     "nvvm.wgmma.wait.group.sync.aligned 0\n"
                     "scf.yield";
  EXPECT_EQ(launchIt(substitute(kernel(c), "scf.yield", wait)), "");
  c.add = false;
  EXPECT_HAS(launchIt(substitute(kernel(c), "scf.yield", wait)),
             "missing wgmma.fence");
}

// One group of two is over: what the other one reads is still being read.
TEST_F(Wgmma, WaitForTheOlderGroupOnly) {
  std::string text = kernel({});
  size_t begin = text.find("%y = nvvm.wgmma"), end = text.find('\n', begin);
  std::string second = text.substr(begin, end - begin);
  second = substitute(substitute(second, "%y = ", "%z = "), "%x,", "%old,");
  second = substitute(second, "%da, %db", "%da2, %da2");
  std::string last = "nvvm.wgmma.wait.group.sync.aligned 0";
  text = substitute(text, last, R"(
    %c512 = arith.constant 512 : i64
    %da2 = arith.addi %da, %c512 : i64
    )" + second + R"(
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    gpu.barrier
    %over = llvm.getelementptr %smem[PLACE] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %c0, %over : i32, !llvm.ptr<3> loc("the store")
    )" + last);
  auto storeAt = [&](const char *place) {
    // One thread only stores.
    std::string one = substitute(substitute(text, "PLACE", place),
                                 "llvm.store %c0, %over",
                                 "%isFirst = arith.cmpi eq, %tid, %c0 : i32\n"
                                 "scf.if %isFirst {\nllvm.store %c0, %over");
    one = substitute(one, "loc(\"the store\")", "loc(\"the store\")\n}");
    compile(one);
    auto *memory = allocate<uint8_t>(65536);
    auto *acc = allocate<float>(128 * 32);
    int64_t fields = int64_t(1) << 62 | int64_t(64) << 32;
    int32_t words = 16384, times = 1;
    return launch({&memory, &words, &fields, &fields, &acc, &times}, 128,
                  65536);
  };
  EXPECT_EQ(storeAt("0"), "");
  std::string found = storeAt("8192");
  EXPECT_HAS(found, "race on shared memory: shared store of 4 bytes at offset "
                    "8192");
  EXPECT_HAS(found, "with no wait for its wgmma group between them");
}

TEST_F(Wgmma, SumsReadBeforeTheWait) {
  std::string wait = "nvvm.wgmma.wait.group.sync.aligned 0";
  EXPECT_EQ(diagnose(kernel({})), "");
  std::string expected = "expected a wgmma.wait_group between a wgmma and this "
                         "use of its accumulators, but there is a way without "
                         "one";
  EXPECT_HAS(diagnose(substitute(kernel({}), wait, "")), expected);
  // One group may be left, and there is only one.
  EXPECT_HAS(diagnose(substitute(kernel({}), wait,
                                 "nvvm.wgmma.wait.group.sync.aligned 1")),
             expected);
  // No group at all.
  EXPECT_HAS(
      diagnose(substitute(kernel({}), "nvvm.wgmma.commit.group.sync.aligned",
                          "")),
      expected);
  // A wait in one of two ways.
  EXPECT_HAS(diagnose(substitute(kernel({}), wait,
                                 "%some = arith.cmpi eq, %tid, %c0 : i32\n"
                                 "scf.if %some {\n" +
                                     wait + "\n}")),
             expected);
}

TEST_F(Wgmma, OneThreadIsMissing) {
  std::string text = substitute(
      kernel({}), "nvvm.wgmma.fence.aligned",
      "nvvm.wgmma.fence.aligned\n%c5 = arith.constant 5 : i32\n%is5 = arith.cmpi eq, %tid, %c5 : i32\n"
      "%count = arith.select %is5, %c0, %times : i32\n");
  text = substitute(text, "to %times step", "to %count step");
  compile(text);
  auto *memory = allocate<uint8_t>(65536);
  auto *acc = allocate<float>(128 * 32);
  int64_t fields = int64_t(1) << 62 | int64_t(64) << 32;
  int32_t words = 16384, times = 1;
  EXPECT_HAS(
      launch({&memory, &words, &fields, &fields, &acc, &times}, 128, 65536),
      "127 threads, the first of them thread (0,0,0), wait for the other "
      "threads of the warpgroup in wgmma at the wgmma");
}

// Not a check of speed, which depends on the machine: a record of it.
TEST_F(Wgmma, ManyProducts) {
  Case c;
  c.n = 256;
  c.a.type = c.b.type = &bfloat;
  ASSERT_EQ(run(c), "");
  double once = microseconds;
  repetitions = 201;
  ASSERT_EQ(run(c), "");
  RecordProperty("nanosecondsEach",
                 static_cast<int>((microseconds - once) * 5));
}
