// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random operands on the device, whose values the host knows.
#include "Operands.h"

#include "Support/Parallel.h"
#include "Support/Random.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace tile;
using namespace tile::bench;

/// Operands begin on multiples of this: whole pages of a cache, and more than
/// any access or library asks for.
static constexpr int64_t placement = 1024;
/// More sets only make tiny problems slow to prepare.
static constexpr int64_t maxSets = 512;

static CuAddress deviceAddress(const void *address) {
  return reinterpret_cast<uintptr_t>(address);
}

/// A well-mixed 64-bit number for each index.
static uint64_t mix(uint64_t index) {
  return mixBits((index + 1) * kSplitMixStep);
}

/// A number of N(0, 1), by Box and Muller.
static double normal(uint64_t index) {
  double u = ((mix(2 * index) >> 11) + 1) * 0x1p-53;
  double v = (mix(2 * index + 1) >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
}

/// A number of the noise: for integers, most of an i8's range; as tf32, one
/// that tensor cores take as it is.
static double draw(uint64_t index, const ElementTypeInfo &type, bool tf32) {
  double number = normal(index) * (type.isInteger() ? 40 : 1);
  return tf32 ? cutToTF32(number) : number;
}

Result<UniqueBuffer> tile::bench::allocate(TileRtDevice device, int64_t bytes) {
  TileRtBuffer buffer = nullptr;
  if (tileRtBufferCreate(device, bytes, &buffer) != TILE_RT_SUCCESS)
    return Reason(tileRtGetLastError());
  return UniqueBuffer(buffer);
}

Result<std::unique_ptr<Noise>> Noise::create(TileRtDevice device,
                                             const ElementTypeInfo &type,
                                             bool tf32) {
  auto noise = std::make_unique<Noise>();
  noise->bytes = type.bytes;
  noise->values.resize(period);
  std::vector<char> encoded(period * type.bytes);
  constexpr int64_t band = 1 << 16;
  parallelFor(llvm::divideCeil(period, band), [&](int64_t part) {
    int64_t end = std::min(period, (part + 1) * band);
    for (int64_t i = part * band; i < end; ++i) {
      char *bits = &encoded[i * type.bytes];
      type.encode(draw(i, type, tf32), bits);
      noise->values[i] = type.decode(bits);
    }
  });
  Result<UniqueBuffer> buffer = allocate(device, encoded.size());
  if (!buffer)
    return buffer.takeReason();
  noise->buffer = std::move(*buffer);
  if (tileRtBufferWrite(noise->buffer.get(), 0, encoded.data(), encoded.size(),
                        nullptr) != TILE_RT_SUCCESS)
    return Reason(tileRtGetLastError());
  return noise;
}

std::optional<std::string> Noise::fill(const CudaApi &cuda, CuAddress address,
                                       int64_t start, int64_t elements) const {
  CuAddress source = deviceAddress(tileRtBufferGetAddress(buffer.get()));
  for (int64_t done = 0; done < elements;) {
    int64_t position = (start + done) % period;
    int64_t count = std::min(elements - done, period - position);
    if (auto reason =
            cuda.check(cuda.MemcpyDtoDAsync(address + done * bytes,
                                            source + position * bytes,
                                            count * bytes, cuda.stream),
                       "cuMemcpyDtoDAsync"))
      return reason;
    done += count;
  }
  return std::nullopt;
}

/// Queues the noise of an operand, and NaN in what lies between its lines.
static std::optional<std::string>
fillOperand(const CudaApi &cuda, const Noise &noise, const Placement &place,
            int64_t bytes, void *address, int64_t start) {
  if (auto reason =
          noise.fill(cuda, deviceAddress(address), start, place.elements()))
    return reason;
  int64_t padding = place.pitch() - place.lineLength();
  if (padding == 0)
    return std::nullopt;
  return cuda.check(
      cuda.MemsetD2D8Async(deviceAddress(address) + place.lineLength() * bytes,
                           place.pitch() * bytes, 0xFF, padding * bytes,
                           place.lines() * place.batch, cuda.stream),
      "cuMemsetD2D8Async");
}

Result<OperandSets>
OperandSets::create(TileRtDevice device, const CudaApi &cuda,
                    const Noises &noises, const Point &point,
                    int64_t rotationBytes, int64_t limitBytes) {
  Placement a = point.a(), b = point.b(), d = point.d();
  auto room = [&](const Placement &place, const ElementTypeInfo &type) {
    return static_cast<int64_t>(
        llvm::alignTo(place.elements() * type.bytes, placement));
  };
  int64_t roomA = room(a, *point.type), roomB = room(b, *point.typeB),
          roomD = room(d, *point.typeD), roomC = noises.c ? roomD : 0;
  int64_t setBytes = roomA + roomB + roomC + roomD;
  if (setBytes > limitBytes)
    return Reason(
        llvm::formatv("expected operands of at most {0} MB, which are "
                      "free on the device, but got {1} MB",
                      limitBytes / 1000000, setBytes / 1000000)
            .str());
  int64_t count =
      std::min<int64_t>(llvm::divideCeil(rotationBytes, setBytes), maxSets);
  count = std::max<int64_t>(1, std::min(count, limitBytes / setBytes));
  Result<UniqueBuffer> pool = allocate(device, count * setBytes);
  if (!pool)
    return pool.takeReason();
  OperandSets result;
  result.pool = std::move(*pool);
  result.bytesD = d.elements() * point.typeD->bytes;
  result.lineBytesD = d.pitch() * point.typeD->bytes;
  char *next = static_cast<char *>(tileRtBufferGetAddress(result.pool.get()));
  for (int64_t i = 0; i < count; ++i) {
    OperandSet set;
    set.a = next;
    set.b = next + roomA;
    set.c = noises.c ? next + roomA + roomB : nullptr;
    set.d = next + roomA + roomB + roomC;
    next += setBytes;
    set.startA = mix(4 * i + 1000003) % Noise::period;
    set.startB = mix(4 * i + 2000003) % Noise::period;
    set.startC = mix(4 * i + 3000003) % Noise::period;
    if (auto reason = fillOperand(cuda, *noises.a, a, point.type->bytes, set.a,
                                  set.startA))
      return Reason(*reason);
    if (auto reason = fillOperand(cuda, *noises.b, b, point.typeB->bytes, set.b,
                                  set.startB))
      return Reason(*reason);
    if (set.c)
      if (auto reason = fillOperand(cuda, *noises.c, d, point.typeD->bytes,
                                    set.c, set.startC))
        return Reason(*reason);
    result.sets.push_back(set);
  }
  if (auto reason = cuda.check(cuda.StreamSynchronize(cuda.stream),
                               "cuStreamSynchronize"))
    return Reason(*reason);
  return result;
}

std::optional<std::string> OperandSets::poison(const CudaApi &cuda,
                                               int index) const {
  return cuda.check(cuda.MemsetD8Async(deviceAddress(sets[index].d), 0xFF,
                                       bytesD, cuda.stream),
                    "cuMemsetD8Async");
}

std::optional<std::string> OperandSets::read(int index,
                                             std::vector<char> &bytes) const {
  bytes.resize(bytesD);
  int64_t offset = static_cast<char *>(sets[index].d) -
                   static_cast<char *>(tileRtBufferGetAddress(pool.get()));
  if (tileRtBufferRead(pool.get(), offset, bytes.data(), bytesD, nullptr) !=
      TILE_RT_SUCCESS)
    return std::string(tileRtGetLastError());
  return std::nullopt;
}

std::optional<std::string>
OperandSets::readLines(int index, llvm::ArrayRef<int64_t> lines,
                       std::vector<char> &bytes) const {
  bytes.resize(bytesD);
  int64_t start = static_cast<char *>(sets[index].d) -
                  static_cast<char *>(tileRtBufferGetAddress(pool.get()));
  for (int64_t line : lines)
    if (tileRtBufferRead(pool.get(), start + line * lineBytesD,
                         bytes.data() + line * lineBytesD, lineBytesD,
                         nullptr) != TILE_RT_SUCCESS)
      return std::string(tileRtGetLastError());
  return std::nullopt;
}
