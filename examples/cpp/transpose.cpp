// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// D = the transpose of A, through shared memory that is swizzled.
#include "Tutorial.h"

using namespace tile::dsl;
using tile::jit::Tensor;

// A block moves 32 by 32 elements. Who reads what of A's tile: the threads of a
// warp are side by side in one row. Who writes what of D's: 8 threads are side
// by side, in 4 rows. Both touch whole sectors of global memory only.
static constexpr int64_t edge = 32, threads = 256;
static const char *const readers =
    "#tile.strip_mined<tile = [32, 32], contiguous = 1, threads = 256, "
    "elements = 1>";
static const char *const writers =
    "#tile.warp_raked<tile = [32, 32], contiguous = 1, threads = 256, "
    "warp = [8, 4], elements = 1>";

/// `layout` says where the elements of a tile are in shared memory.
static auto compileTranspose(const tile::jit::Jit &jit, const char *layout) {
  auto body = [layout](Scope &scope, Tensor<float> a, Tensor<float> d) {
    Val thread = threadId(scope), block = blockId(scope);
    Val tilesOfRow = ceilDiv(a.extent(1), edge);
    Leaf row(block / tilesOfRow * edge, edge);
    Leaf column(block % tilesOfRow * edge, edge);
    auto in = parse<tile::ThreadMapAttrInterface>(scope, readers);
    auto out = parse<tile::ThreadMapAttrInterface>(scope, writers);
    Walk masked{tile::IteratorType::kNoAdvance, /*predicated=*/true};

    View tile = allocShared(scope, scope.builder.getF32Type(), layout, 1024);
    a.view.iterate(row, column, thread, in, masked)
        .copyTo(tile.iterate(0, 0, thread, in, Walk{}));
    barrier(scope);
    // The same memory with rows and columns exchanged: no element moves.
    View across = tile.transpose();
    across.iterate(0, 0, thread, out, Walk{})
        .copyTo(d.view.iterate(column, row, thread, out, masked));
  };
  return tutorial::check(jit.compile("transpose", threads, body));
}

/// The most words of one bank that a warp wanted at a time.
static int getWays(const tile::jit::AnyKernel &kernel) {
  int ways = 0;
  for (const tile::jit::AccessCount &count : kernel.getAccessCounts())
    if (count.isShared)
      ways = std::max(ways, count.ways);
  return ways;
}

int main(int argc, char **argv) {
  auto jit = tutorial::openDevice(argc, argv);
  auto plain = compileTranspose(jit, "(32, 32) : (32, 1)");
  // The swizzle of 128 bytes that tensor copies have, too: the number of a row
  // modulo 8 is xor-ed to that of the 16 bytes in the row. Then 8 rows of 4
  // neighbouring columns, which a warp reads, lie in 32 banks.
  auto swizzled = compileTranspose(jit, "S<3, 2, 3> o 0 o (32, 32) : (32, 1)");
  tutorial::writePTX(argc, argv, swizzled);

  constexpr int64_t m = 100, n = 203;
  constexpr int64_t blocks = (m + edge - 1) / edge * ((n + edge - 1) / edge);
  tutorial::Random<float, 2> a(jit, {m, n}, /*pitch=*/210);
  for (auto *transpose : {&plain, &swizzled}) {
    auto d = tutorial::check(jit.makeArray<float>({n, m}, /*pitch=*/m + 3));
    tutorial::check(transpose->launch(blocks, a.array, d));
    if (tutorial::compare(d, 0, [&](int64_t i, int64_t j) { return a(j, i); }))
      return 1;
  }
  // Only the simulator counts.
  if (getWays(plain) == 0)
    return 0;
  std::printf("words of one bank at a time: %d, and %d with the swizzle\n",
              getWays(plain), getWays(swizzled));
  return getWays(plain) == 8 && getWays(swizzled) == 1 ? 0 : 1;
}
