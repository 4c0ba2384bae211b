// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPUs as data: what an architecture can do, and how large and fast a
// product is. Nothing else in the project knows a number of a chip.
#ifndef TILE_ATOMS_CHIPS_H
#define TILE_ATOMS_CHIPS_H

#include <cstdint>
#include <cstring>

// The header needs no library: the runtime includes it, too.
//
// A row is a product, such as the H200, or an architecture, such as sm_90a,
// which has the numbers of its most common product. Capabilities are those of
// the PTX ISA for the architecture; sizes are those of the CUDA programming
// guide; multiprocessors, clocks and bandwidths those that NVIDIA publishes.
// Rates are what a kernel reaches: measured on an H200 under load, estimated
// from the published numbers for all others, for which no card was at hand.
namespace tile {

struct Chip {
  /// As `--chip` takes it: "sm_90a", "h200".
  const char *name;
  /// What the driver's name of the device begins with; "" for an architecture.
  const char *device;
  /// The architecture that code is made for, as PTX spells it.
  const char *architecture;
  /// Compute capability times ten.
  int sm;
  int multiprocessors;
  /// Most shared memory of a thread block that opts in to it.
  int64_t sharedBytes;
  /// Floating-point operations of a multiprocessor in a nanosecond: of 16 bits
  /// on the tensor cores, and of f32 on the fused multiply-add units.
  double tensorFlopsPerNs, fmaFlopsPerNs;
  /// Bytes of device memory in a nanosecond, for all multiprocessors together.
  double memoryBytesPerNs;

  /// Shared memory of a thread block that does not opt in to more.
  static constexpr int64_t kStaticSharedBytes = 48 * 1024;
  /// 32-bit registers of a multiprocessor, and the most of a thread.
  static constexpr int64_t kRegisters = 65536, kThreadRegisters = 255;
  /// Thread blocks of a cluster on every chip that has clusters, and with the
  /// opt-in that the driver calls non-portable.
  static constexpr int64_t kClusterBlocks = 8, kMaxClusterBlocks = 16;

  constexpr bool hasAsyncCopies() const { return sm >= 80; }
  constexpr bool hasMmaSync() const { return sm >= 70; }
  constexpr bool hasMmaSync8Bits() const { return sm >= 89; }
  /// Whether tensor cores multiply f64 at more than the rate of the fused
  /// multiply-add units.
  constexpr bool hasFastDoubles() const { return sm == 80 || sm == 90; }
  constexpr bool hasTensorMaps() const { return sm >= 90; }
  constexpr bool hasClusters() const { return sm >= 90; }
  constexpr bool hasWgmma() const { return sm == 90 && isSpecific(); }
  constexpr bool hasTcgen05() const {
    return sm >= 100 && sm < 120 && isSpecific();
  }
  /// Whether code for the architecture runs on it alone, as that for sm_90a.
  constexpr bool isSpecific() const {
    const char *end = architecture;
    while (*end)
      ++end;
    return end[-1] == 'a';
  }
  constexpr bool isProduct() const { return *device; }

  /// Bytes that a multiprocessor receives in a nanosecond, by what the rows of
  /// tiles start at multiples of: lines of L2, sectors, or less. Measured on an
  /// H200, and taken for all.
  static constexpr double getArrivalBytesPerNs(int64_t rowAlignment) {
    return rowAlignment % 128 == 0 ? 130 : rowAlignment % 32 == 0 ? 90 : 52;
  }

  /// How many clusters run at a time. The parts of a chip that a cluster must
  /// lie in have unlike numbers of multiprocessors: 30 clusters of 4 and 15 of
  /// 8 on the 132 of an H200.
  constexpr double countClusters(int64_t blocks) const {
    if (blocks < 4)
      return static_cast<double>(multiprocessors) / blocks;
    return multiprocessors * 30 / 132 * 4 / blocks;
  }
};

/// The share of the published peak, with the clock under load, that was
/// measured on an H200: 5380 of 4096 · 1.83 operations in a nanosecond, 50 of
/// 62 TFLOP/s of f32, 4200 of 4800 GB/s.
inline constexpr double kTensorShare = 0.72, kFmaShare = 0.8,
                        kMemoryShare = 0.875;

/// A chip by published numbers: clock in GHz, operations of a multiprocessor in
/// a cycle, and GB/s.
constexpr Chip makeChip(const char *name, const char *device,
                        const char *architecture, int sm, int multiprocessors,
                        int sharedKiB, double clock, double tensorFlops,
                        double fmaFlops, double memory) {
  return {name,
          device,
          architecture,
          sm,
          multiprocessors,
          sharedKiB * int64_t(1024),
          tensorFlops * clock * kTensorShare,
          fmaFlops * clock * kFmaShare,
          memory * kMemoryShare};
}

// clang-format off
/// The first row of an architecture is its default. Names of devices that begin
/// with others come before these.
inline constexpr Chip kChips[] = {
    // name, device, architecture, sm, multiprocessors, shared KiB,
    //   GHz, tensor and FMA operations a cycle, GB/s
    makeChip("sm_50", "", "sm_50", 50, 16, 48, 1.20, 0, 256, 192),
    makeChip("sm_70", "", "sm_70", 70, 80, 96, 1.53, 1024, 128, 900),
    makeChip("v100", "Tesla V100", "sm_70", 70, 80, 96, 1.53, 1024, 128, 900),
    makeChip("sm_72", "", "sm_72", 72, 8, 96, 1.38, 1024, 128, 137),
    makeChip("sm_75", "", "sm_75", 75, 40, 64, 1.59, 1024, 128, 320),
    makeChip("t4", "Tesla T4", "sm_75", 75, 40, 64, 1.59, 1024, 128, 320),
    makeChip("sm_80", "", "sm_80", 80, 108, 163, 1.41, 2048, 128, 2039),
    makeChip("a100", "NVIDIA A100", "sm_80", 80, 108, 163, 1.41, 2048, 128, 2039),
    makeChip("a30", "NVIDIA A30", "sm_80", 80, 56, 163, 1.44, 2048, 128, 933),
    makeChip("sm_86", "", "sm_86", 86, 72, 99, 1.70, 1024, 256, 600),
    makeChip("a10", "NVIDIA A10", "sm_86", 86, 72, 99, 1.70, 1024, 256, 600),
    makeChip("rtx3090", "NVIDIA GeForce RTX 3090", "sm_86", 86, 82, 99, 1.70, 512, 256, 936),
    makeChip("sm_87", "", "sm_87", 87, 16, 163, 1.30, 2048, 256, 205),
    makeChip("orin", "Orin", "sm_87", 87, 16, 163, 1.30, 2048, 256, 205),
    makeChip("sm_89", "", "sm_89", 89, 142, 99, 2.52, 1024, 256, 864),
    makeChip("l40s", "NVIDIA L40S", "sm_89", 89, 142, 99, 2.52, 1024, 256, 864),
    makeChip("l40", "NVIDIA L40", "sm_89", 89, 142, 99, 2.49, 1024, 256, 864),
    makeChip("l4", "NVIDIA L4", "sm_89", 89, 58, 99, 2.04, 1024, 256, 300),
    makeChip("rtx4090", "NVIDIA GeForce RTX 4090", "sm_89", 89, 128, 99, 2.52, 512, 256, 1008),
    makeChip("sm_90", "", "sm_90", 90, 132, 227, 1.83, 1024, 256, 4800),
    {"sm_90a", "", "sm_90a", 90, 132, 227 * 1024, 5380, 50e3 / 132, 4200},
    {"h200", "NVIDIA H200", "sm_90a", 90, 132, 227 * 1024, 5380, 50e3 / 132, 4200},
    makeChip("h100-pcie", "NVIDIA H100 PCIe", "sm_90a", 90, 114, 227, 1.62, 4096, 256, 2000),
    makeChip("h100-nvl", "NVIDIA H100 NVL", "sm_90a", 90, 132, 227, 1.70, 4096, 256, 3900),
    makeChip("h100", "NVIDIA H100", "sm_90a", 90, 132, 227, 1.83, 4096, 256, 3350),
    makeChip("h20", "NVIDIA H20", "sm_90a", 90, 78, 227, 1.83, 1024, 256, 4000),
    makeChip("gh200", "NVIDIA GH200", "sm_90a", 90, 132, 227, 1.83, 4096, 256, 4000),
    makeChip("sm_100", "", "sm_100", 100, 148, 227, 1.85, 1024, 256, 8000),
    makeChip("sm_100a", "", "sm_100a", 100, 148, 227, 1.85, 8192, 256, 8000),
    makeChip("b200", "NVIDIA B200", "sm_100a", 100, 148, 227, 1.85, 8192, 256, 8000),
    makeChip("sm_103a", "", "sm_103a", 103, 148, 227, 1.85, 8192, 256, 8000),
    makeChip("b300", "NVIDIA B300", "sm_103a", 103, 148, 227, 1.85, 8192, 256, 8000),
    makeChip("sm_110a", "", "sm_110a", 110, 20, 227, 1.57, 8192, 256, 273),
    makeChip("thor", "NVIDIA Thor", "sm_110a", 110, 20, 227, 1.57, 8192, 256, 273),
    makeChip("sm_120", "", "sm_120", 120, 170, 99, 2.41, 512, 256, 1792),
    makeChip("sm_120a", "", "sm_120a", 120, 170, 99, 2.41, 512, 256, 1792),
    makeChip("rtx5090", "NVIDIA GeForce RTX 5090", "sm_120a", 120, 170, 99, 2.41, 512, 256, 1792),
    makeChip("rtx-pro-6000", "NVIDIA RTX PRO 6000", "sm_120a", 120, 188, 99, 2.62, 1024, 256, 1792),
    makeChip("sm_121a", "", "sm_121a", 121, 48, 99, 2.42, 512, 256, 273),
};
// clang-format on

/// The chip that is compiled for where neither a user nor a device says one.
inline constexpr const char *kDefaultChip = "sm_90a";

constexpr bool isSameText(const char *a, const char *b) {
  for (; *a && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}

/// The row with a name; null if there is none.
constexpr const Chip *findChip(const char *name) {
  for (const Chip &chip : kChips)
    if (isSameText(chip.name, name))
      return &chip;
  return nullptr;
}

/// The number in "sm_90a"; 0 for another text.
constexpr int getComputeCapability(const char *name) {
  if (name[0] != 's' || name[1] != 'm' || name[2] != '_')
    return 0;
  int number = 0;
  for (name += 3; *name >= '0' && *name <= '9' && number < 10000; ++name)
    number = 10 * number + (*name - '0');
  return number;
}

/// The row with a name, or for an architecture that has none the latest one
/// without 'a' that is not later; null if it is neither.
constexpr const Chip *findNearestChip(const char *name) {
  if (const Chip *chip = findChip(name))
    return chip;
  int sm = getComputeCapability(name);
  const Chip *nearest = nullptr;
  for (const Chip &chip : kChips)
    if (chip.sm <= sm && !chip.isProduct() && !chip.isSpecific())
      nearest = &chip;
  return nearest;
}

/// The default chip's row.
constexpr const Chip &getDefaultChip() { return *findChip(kDefaultChip); }

/// The product whose driver's name begins as `device` does; null for one that
/// has no row.
inline const Chip *findProduct(const char *device) {
  for (const Chip &chip : kChips)
    if (chip.isProduct() &&
        !std::strncmp(chip.device, device, std::strlen(chip.device)))
      return &chip;
  return nullptr;
}

/// The most shared memory that a thread block has on any chip.
constexpr int64_t getMaxSharedBytes() {
  int64_t most = 0;
  for (const Chip &chip : kChips)
    if (chip.sharedBytes > most)
      most = chip.sharedBytes;
  return most;
}
inline constexpr int64_t kMaxSharedBytes = getMaxSharedBytes();

} // namespace tile

#endif // TILE_ATOMS_CHIPS_H
