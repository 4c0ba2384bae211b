// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tile::jit`: mistakes and where they are, the cache, arguments, reports.
#include "tile/Jit/Jit.h"
#include "tile/DSL/Epilogue.h"
#include "tile/DSL/Mainloop.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace tile::dsl;
using namespace tile::jit;

namespace {

const Jit &getJit() {
  static Jit jit = *Jit::open("sim");
  return jit;
}

/// Stages a kernel on one tensor and gives what is wrong with it.
template <typename Body>
std::string fail(const Body &body) {
  auto kernel = getJit().compile("wrong", 32, body);
  return kernel ? "" : kernel.getReason();
}

/// "…/JitTest.cpp:LINE: error: ", as a diagnostic of that line begins.
std::string at(unsigned line) {
  return std::string(__FILE__) + ":" + std::to_string(line) + ": error: ";
}

#define EXPECT_MISTAKE(LINE, SENTENCE, ...)                                    \
  do {                                                                         \
    std::string reason = fail(__VA_ARGS__);                                    \
    EXPECT_TRUE(llvm::StringRef(reason).starts_with(at(LINE)))                 \
        << "expected line " << (LINE) << ", but got " << reason;               \
    EXPECT_TRUE(llvm::StringRef(reason).contains(SENTENCE)) << reason;         \
    EXPECT_EQ(llvm::StringRef(reason).count("error: "), 1u) << reason;         \
  } while (false)

TEST(JitMistakes, OperandsOfTwoTypes) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    Val i = threadId(scope);
    Val three = i32Constant(scope, 3);
    line = __LINE__ + 1;
    Val sum = i + three;
    a.view.store(a.view.load({sum, sum}, 1), {i, i});
  };
  fail(body);
  EXPECT_MISTAKE(line, "expected operands of one type, but got index and i32",
                 body);
}

TEST(JitMistakes, CoordinateOfOneDimension) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    Val i = threadId(scope);
    line = __LINE__ + 1;
    Val element = a.view.load({i}, 1);
    a.view.store(element, {i, i});
  };
  fail(body);
  EXPECT_MISTAKE(line, "expected a coordinate that fits", body);
}

TEST(JitMistakes, ValueThatWasNeverSet) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    Val i = threadId(scope), element;
    line = __LINE__ + 1;
    a.view.store(element, {i, i});
    a.view.store(element, {i, i});
  };
  fail(body);
  EXPECT_MISTAKE(line, "a variable that was never set", body);
}

TEST(JitMistakes, InALoop) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    Val i = threadId(scope), sum = zeros(scope, scope.builder.getF32Type(), 1);
    forLoop(scope, a.extent(1), carry(sum), [&](Val j) {
      Val pair = a.view.load({i, j}, 1);
      line = __LINE__ + 1;
      sum = concatenate({pair, sum});
    });
    a.view.store(sum, {i, i});
  };
  fail(body);
  EXPECT_MISTAKE(line, "to keep its type, vector<1xf32>, but got vector<2xf32>",
                 body);
}

TEST(JitMistakes, TextOfAThreadMap) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    line = __LINE__ + 1;
    auto map = parse<tile::ThreadMapAttrInterface>(
        scope, "#tile.strip_mined<tile = [32, 32], contigous = 1>");
    a.view.iterate(0, 0, threadId(scope), map, Walk{});
  };
  fail(body);
  EXPECT_MISTAKE(line, "contigous", body);
}

TEST(JitMistakes, AttributeOfAnotherKind) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    line = __LINE__ + 1;
    parse<tile::ThreadMapAttrInterface>(scope, "3 : i32");
  };
  fail(body);
  EXPECT_MISTAKE(line, "expected another kind of attribute, but got '3 : i32'",
                 body);
}

TEST(JitMistakes, SharedMemory) {
  unsigned line = 0;
  auto layout = [&](Scope &scope, Tensor<float> a) {
    line = __LINE__ + 1;
    allocShared(scope, scope.builder.getF32Type(), "(32, 32) : (32)", 16);
  };
  fail(layout);
  EXPECT_MISTAKE(line, "expected", layout);
  auto stage = [&](Scope &scope, Tensor<float> a) {
    View view = allocShared(scope, scope.builder.getF32Type(), {8, 8}, {8, 1});
    line = __LINE__ + 1;
    view.stage(0);
  };
  fail(stage);
  EXPECT_MISTAKE(line, "expected a coordinate", stage);
}

/// What is wrong with a collective is at its call, not inside of the library.
TEST(JitMistakes, Collective) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    Mainloop loop;
    loop.tiles = ceilDiv(a.extent(1), 8);
    line = __LINE__ + 1;
    (void)mmaMultistage(scope, loop, 3,
                        zeros(scope, scope.builder.getF32Type(), 16));
  };
  fail(body);
  EXPECT_MISTAKE(line, "for a main loop, but got one that was never set", body);
}

/// The body of an epilogue has lines of its own.
TEST(JitMistakes, BodyOfAnEpilogue) {
  unsigned line = 0;
  auto body = [&](Scope &scope, Tensor<float> a) {
    TileOrder order;
    order.tileM = order.tileN = 8;
    TileScheduler tiles(scope, order, a.extent(0), a.extent(1));
    Epilogue epilogue;
    epilogue.map = parse<tile::ThreadMapAttrInterface>(
        scope, "#tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, "
               "elements = 1>");
    epilogue.thread = threadId(scope);
    epilogue.target = [&](Val) { return a.view; };
    epilogue.body = [&](Val sums, llvm::ArrayRef<Val>) {
      line = __LINE__ + 1;
      return mulf(sums, floatConstant(scope, scope.builder.getF32Type(), 2));
    };
    emitEpilogue(scope, epilogue, zeros(scope, scope.builder.getF32Type(), 2),
                 tiles.locate(tiles.getFirst()));
  };
  fail(body);
  EXPECT_MISTAKE(line, "expected operands of one type", body);
}

TEST(Jit, ThreadsOfABlock) {
  unsigned line = __LINE__ + 1;
  auto kernel = getJit().compile("large", 2048, [](Scope &, Tensor<float>) {});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.getReason(),
            at(line) + "expected a kernel of 1 to 1024 threads, but got 2048");
}

/// D = factor * A, one thread an element.
auto compileScale(const Jit &jit, double factor) {
  return jit.compile(
      "scale", 32, [=](Scope &scope, Tensor<float, 1> a, Tensor<float, 1> d) {
        Val i = blockId(scope) * 32 + threadId(scope);
        ifThen(scope, i < d.extent(0), [&] {
          Val number = floatConstant(scope, scope.builder.getF32Type(), factor);
          d.view.store(a.view.load({i}, 1) * splat(number, 1), {i});
        });
      });
}

TEST(Jit, SameOperationsAreCompiledOnce) {
  Jit jit = *Jit::open("sim");
  auto a = *jit.makeArray<float>({5}), d = *jit.makeArray<float>({5});
  ASSERT_EQ(a.write({1, 2, 3, 4, 5}), std::nullopt);
  for (double factor : {2.0, 3.0, 2.0}) {
    auto scale = compileScale(jit, factor);
    ASSERT_TRUE(scale) << scale.getReason();
    ASSERT_EQ(scale->launch(1, a, d), std::nullopt);
    EXPECT_EQ((*d.read())[4], 5 * factor);
  }
  EXPECT_EQ(jit.getNumKernels(), 2);
}

TEST(Jit, ScalarsAndLaunchesOfNothing) {
  auto fill = getJit().compile("fill", 32,
                               [](Scope &scope, Tensor<float, 1> d,
                                  Scalar<float> value, Scalar<int64_t> first) {
                                 Val i = threadId(scope) + first;
                                 ifThen(scope, i < d.extent(0), [&] {
                                   d.view.store(splat(value, 1), {i});
                                 });
                               });
  ASSERT_TRUE(fill) << fill.getReason();
  auto d = *getJit().makeArray<float>({6});
  EXPECT_EQ(fill->launch(0, d, 7.0f, 0), std::nullopt);
  EXPECT_EQ(*d.read(), std::vector<float>(6, 0.0f));
  EXPECT_EQ(fill->launch(1, d, 7.5f, 4), std::nullopt);
  EXPECT_EQ(*d.read(), (std::vector<float>{0, 0, 0, 0, 7.5, 7.5}));
}

TEST(Jit, WhatATensorMustBe) {
  auto copy =
      getJit().compile("copy", 32, [](Scope &scope, Tensor<float, 2, 4> a) {
        Val i = threadId(scope);
        ifThen(scope, i < a.extent(0),
               [&] { a.view.store(a.view.load({i, 0}, 4), {i, 0}); });
      });
  ASSERT_TRUE(copy) << copy.getReason();
  auto a = *getJit().makeArray<float>({3, 8});
  EXPECT_EQ(copy->launch(1, a), std::nullopt);
  auto refuse = [&](TensorRef<float, 2> ref) {
    return copy->launch(1, ref).value_or("");
  };
  TensorRef<float, 2> ref = a;
  ref.extents[1] = 6;
  EXPECT_EQ(refuse(ref), "argument 0: expected a last extent that is a "
                         "multiple of 4, but got 6");
  ref = a;
  ref.strides[0] = 9;
  EXPECT_EQ(refuse(ref), "argument 0: expected strides that are multiples of 4 "
                         "elements, but got 9");
  ref = a;
  ref.strides[1] = 2;
  EXPECT_EQ(refuse(ref), "argument 0: expected stride 1 along the last "
                         "dimension, but got 2");
  ref = a;
  ++ref.data;
  EXPECT_EQ(refuse(ref), "argument 0: expected a base on a boundary of 16 "
                         "bytes, but got 4");
  ref.data = nullptr;
  EXPECT_EQ(refuse(ref),
            "argument 0: expected memory for its elements, but got none");
  ref.extents[0] = 0;
  EXPECT_EQ(refuse(ref), "");
}

/// The simulator's report names the line of C++ that staged the access.
TEST(Jit, ReportOfTheSimulator) {
  unsigned line = 0;
  auto wrong = getJit().compile(
      "wrong", 32, [&](Scope &scope, Tensor<float, 1> a, Tensor<float, 1> d) {
        Val i = threadId(scope);
        Val element = a.view.load({i}, 1);
        line = __LINE__ + 1;
        d.view.store(element, {i});
      });
  ASSERT_TRUE(wrong) << wrong.getReason();
  auto a = *getJit().makeArray<float>({32}),
       d = *getJit().makeArray<float>({8});
  std::string report = wrong->launch(1, a, d).value_or("");
  EXPECT_NE(report.find("JitTest.cpp:" + std::to_string(line)),
            std::string::npos)
      << report;
}

TEST(Jit, DevicesThatAreNone) {
  auto jit = Jit::open("toaster");
  ASSERT_FALSE(jit);
  EXPECT_NE(jit.getReason().find("toaster"), std::string::npos);
}

TEST(Jit, FloatsOf16Bits) {
  for (float value : {0.0f, 1.0f, -2.5f, 65504.0f, 5.9604645e-8f}) {
    EXPECT_EQ(float(F16(value)), value);
  }
  EXPECT_EQ(F16(1.0f).bits, 0x3c00);
  EXPECT_EQ(BF16(1.0f).bits, 0x3f80);
  // Half way between two neighbours: to the even one.
  EXPECT_EQ(float(BF16(1.00390625f)), 1.0f);
  EXPECT_EQ(float(BF16(1.01171875f)), 1.015625f);
}

} // namespace
