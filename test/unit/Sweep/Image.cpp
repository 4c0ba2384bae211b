// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills operands and finds writes that went astray.
#include "Image.h"

#include "Support/Random.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace tile;
using namespace tile::sweep;

uint64_t Random::next() {
  state += kSplitMixStep;
  return mixBits(state);
}

double Random::number() {
  double unit = static_cast<double>((next() >> 11) | 1) * 0x1p-53;
  double result = unit * 1.5 - 0.5;
  return result == 0 ? 0.25 : result;
}

/// Calls `action(offset)` for each logical element.
template <typename Action>
static void forEachElement(const Geometry &geometry, Action action) {
  for (int64_t b = 0; b < geometry.extents[0]; ++b)
    for (int64_t i = 0; i < geometry.extents[1]; ++i)
      for (int64_t j = 0; j < geometry.extents[2]; ++j)
        action(geometry.at(b, i, j));
}

template <typename T, typename Bits>
static void fill(std::vector<uint8_t> &bytes, const Geometry &geometry,
                 int64_t base, const sweep::Problem &problem, char name,
                 Bits padding) {
  int64_t count = static_cast<int64_t>(bytes.size() / sizeof(T));
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(&bytes[i * sizeof(T)], &padding, sizeof(T));
  if (name == 'D')
    return;
  uint64_t seed = name;
  for (int64_t number :
       {problem.m, problem.n, problem.k, problem.batch.value_or(0)})
    seed = seed * 1000003 + static_cast<uint64_t>(number);
  Random random(seed);
  Content content = operandOf(problem, name).content;
  T *elements = reinterpret_cast<T *>(bytes.data()) + base;
  forEachElement(geometry, [&](int64_t offset) {
    double number = random.number();
    if (content == Content::Subnormal)
      number = std::ldexp(number, std::numeric_limits<T>::min_exponent - 3);
    T value = static_cast<T>(number);
    if (content == Content::NaN)
      value = std::numeric_limits<T>::quiet_NaN();
    if (content == Content::Inf)
      value = std::numeric_limits<T>::infinity();
    elements[offset] = value;
  });
}

/// The same for types that the host has no arithmetic for.
static void fillNarrow(std::vector<uint8_t> &bytes, const Geometry &geometry,
                       int64_t base, const sweep::Problem &problem, char name) {
  const tile::ElementTypeInfo &info = tile::getInfo(elementOf(problem, name));
  // In each type a quiet NaN; 8 bits have no place for a payload.
  uint16_t padding = info.type == Element::F16        ? 0x7e23
                     : info.type == Element::BF16     ? 0x7fc3
                     : info.type == Element::F8E4M3FN ? 0x7f
                                                      : 0x7e;
  if (name == 'D')
    padding |= 0x18;
  for (size_t i = 0; i < bytes.size(); i += info.bytes)
    std::memcpy(&bytes[i], &padding, info.bytes);
  if (name == 'D')
    return;
  uint64_t seed = name;
  for (int64_t number :
       {problem.m, problem.n, problem.k, problem.batch.value_or(0)})
    seed = seed * 1000003 + static_cast<uint64_t>(number);
  Random random(seed);
  Content content = operandOf(problem, name).content;
  forEachElement(geometry, [&](int64_t offset) {
    double number = random.number();
    // Most of the range of an i8.
    if (info.isInteger())
      number = 170 * number - 40;
    if (content == Content::Subnormal)
      number *= info.smallest * 4;
    if (content == Content::NaN)
      number = std::numeric_limits<double>::quiet_NaN();
    if (content == Content::Inf)
      number = std::numeric_limits<double>::infinity();
    info.encode(number, &bytes[(base + offset) * info.bytes]);
  });
}

Image::Image(const sweep::Problem &problem, char name)
    : geometry(geometryOf(problem, name)),
      elementBytes(bytesOf(elementOf(problem, name))) {
  base = guard + operandOf(problem, name).offset - geometry.low;
  int64_t count = base + geometry.high + !geometry.empty();
  if (name == 'D')
    count += guard;
  bytes.resize(count * elementBytes);
  // Quiet NaNs with a payload; the canary's is not that of any computation.
  Element element = elementOf(problem, name);
  if (bytesOf(element) < 4)
    fillNarrow(bytes, geometry, base, problem, name);
  else if (element == Element::F32 || element == Element::I32)
    fill<float, uint32_t>(bytes, geometry, base, problem, name,
                          name == 'D' ? 0x7fc5a3d1u : 0x7fc00123u);
  else
    fill<double, uint64_t>(bytes, geometry, base, problem, name,
                           name == 'D' ? 0x7ff8c5a3d1e2b4f6u
                                       : 0x7ff8000000000123u);
}

void Image::copyLogical(const Image &other) {
  for (int64_t b = 0; b < geometry.extents[0]; ++b)
    for (int64_t i = 0; i < geometry.extents[1]; ++i)
      for (int64_t j = 0; j < geometry.extents[2]; ++j)
        std::memcpy(&bytes[(base + geometry.at(b, i, j)) * elementBytes],
                    &other.bytes[(other.base + other.geometry.at(b, i, j)) *
                                 elementBytes],
                    elementBytes);
}

int64_t Image::findForeignWrite(const Image &before) const {
  int64_t count = getBytes() / elementBytes;
  std::vector<bool> logical(count, false);
  forEachElement(geometry,
                 [&](int64_t offset) { logical[base + offset] = true; });
  for (int64_t i = 0; i < count; ++i)
    if (!logical[i] &&
        std::memcmp(&bytes[i * elementBytes], &before.bytes[i * elementBytes],
                    elementBytes) != 0)
      return i;
  return -1;
}
