// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// D = A + B of vectors: from a lambda to a launched kernel.
#include "Tutorial.h"

using namespace tile::dsl;
using tile::jit::Tensor;

int main(int argc, char **argv) {
  auto jit = tutorial::openDevice(argc, argv);

  // The lambda runs once, here, and stages what every thread will do.
  constexpr int64_t threads = 256;
  auto add = tutorial::check(
      jit.compile("add", threads,
                  [](Scope &scope, Tensor<float, 1> a, Tensor<float, 1> b,
                     Tensor<float, 1> d) {
                    Val i = blockId(scope) * threads + threadId(scope);
                    ifThen(scope, i < d.extent(0), [&] {
                      Val sum = a.view.load({i}, 1) + b.view.load({i}, 1);
                      d.view.store(sum, {i});
                    });
                  }));
  tutorial::writePTX(argc, argv, add);

  // More blocks than whole ones: the last threads have nothing to do.
  constexpr int64_t n = 1000;
  tutorial::Random<float, 1> a(jit, {n}), b(jit, {n});
  auto d = tutorial::check(jit.makeArray<float>({n}));
  tutorial::check(add.launch((n + threads - 1) / threads, a.array, b.array, d));

  std::printf("on %s: ", jit.getDeviceName().c_str());
  return tutorial::compare(d, 1e-6,
                           [&](int64_t, int64_t i) { return a(i) + b(i); });
}
