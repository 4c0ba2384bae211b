// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random operands on the device, whose values the host knows.
#ifndef TILE_LIB_BENCH_OPERANDS_H
#define TILE_LIB_BENCH_OPERANDS_H

#include "CudaApi.h"
#include "Suite.h"

#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <vector>

namespace tile::bench {

/// A device allocation that frees itself.
struct BufferDeleter {
  void operator()(TileRtBuffer buffer) const { tileRtBufferDestroy(buffer); }
};
using UniqueBuffer =
    std::unique_ptr<std::remove_pointer_t<TileRtBuffer>, BufferDeleter>;

/// Allocates device memory. The reason is the runtime's.
Result<UniqueBuffer> allocate(TileRtDevice device, int64_t bytes);

/// A list of random numbers of the normal distribution N(0, 1), of integers with
/// a standard deviation of 40, rounded to a type, on the host and on the device. Operands repeat it: element i of an
/// operand is number (start + i) modulo the period, i counting elements in
/// memory with the padding. The period is prime, so no two lines of a matrix
/// begin at the same number.
class Noise {
public:
  static constexpr int64_t period = 4194301;

  static Result<std::unique_ptr<Noise>> create(TileRtDevice device,
                                               const ElementTypeInfo &type,
                                               bool tf32 = false);

  /// The number at a position from 0.
  double at(int64_t position) const { return values[position % period]; }
  const std::vector<double> &getValues() const { return values; }

  /// Queues copies that fill `elements` elements at `address`.
  std::optional<std::string> fill(const CudaApi &cuda, CuAddress address,
                                  int64_t start, int64_t elements) const;

private:
  std::vector<double> values;
  UniqueBuffer buffer;
  int64_t bytes = 0;
};

/// The noise of each operand of a point, by its type. C's is null when there
/// is no C.
struct Noises {
  const Noise *a = nullptr, *b = nullptr, *c = nullptr;
};

/// One operand set: addresses of A, B, C (null if there is none) and D, and
/// where A, B and C start in their noise.
struct OperandSet {
  void *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
  int64_t startA = 0, startB = 0, startC = 0;
};

/// The operand sets of a point, among which launches rotate, so that a launch
/// does not find its operands in L2.
class OperandSets {
public:
  /// Makes as many sets as it takes to hold `rotationBytes`, at least one, and
  /// no more than fit in `limitBytes`. Padding is NaN.
  static Result<OperandSets> create(TileRtDevice device, const CudaApi &cuda,
                                    const Noises &noises, const Point &point,
                                    int64_t rotationBytes, int64_t limitBytes);

  int size() const { return static_cast<int>(sets.size()); }
  const OperandSet &operator[](int index) const { return sets[index]; }

  /// Makes every byte of D of a set 0xFF: NaN in each type.
  std::optional<std::string> poison(const CudaApi &cuda, int index) const;
  /// Copies D of a set to the host, padding included. Returns why not.
  std::optional<std::string> read(int index, std::vector<char> &bytes) const;
  /// Copies some lines of D, numbered through the batch, to where a copy of all
  /// of D has them; the other bytes are left as they are. Returns why not.
  std::optional<std::string> readLines(int index, llvm::ArrayRef<int64_t> lines,
                                       std::vector<char> &bytes) const;
  int64_t resultBytes() const { return bytesD; }

private:
  UniqueBuffer pool;
  std::vector<OperandSet> sets;
  /// Bytes of D, and of one of its lines with the padding.
  int64_t bytesD = 0, lineBytesD = 0;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_OPERANDS_H
