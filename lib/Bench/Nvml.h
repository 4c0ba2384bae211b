// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the card, from NVML where it is installed.
#ifndef TILE_LIB_BENCH_NVML_H
#define TILE_LIB_BENCH_NVML_H

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>

namespace tile::bench {

/// What the card says of itself at one moment; nothing where it does not say.
struct CardState {
  /// Clocks in MHz. They are what the card intends: under a power cap it may
  /// run slower for part of the time.
  std::optional<unsigned> smClock, memoryClock;
  /// Power in mW: drawn, and the limit in force.
  std::optional<unsigned> power, powerLimit;
  /// Temperature in degrees Celsius.
  std::optional<unsigned> temperature;

  /// In words, for example "1755 MHz, 652 of 700 W, 58 C"; "" when nothing is
  /// known.
  std::string describe() const;
};

/// NVML with one card. Everything is optional: without NVML nothing is known.
class Nvml {
public:
  /// `pciBusId` names the card as the CUDA driver writes it.
  explicit Nvml(llvm::StringRef pciBusId);
  ~Nvml();
  Nvml(const Nvml &) = delete;
  Nvml &operator=(const Nvml &) = delete;

  CardState read() const;
  /// Version of the installed driver, for example "580.65.06"; "" if unknown.
  std::string driverVersion() const;
  /// Why nothing is known; "" when NVML works.
  const std::string &missing() const { return reason; }

private:
  struct Functions;
  std::unique_ptr<Functions> functions;
  void *card = nullptr;
  std::string reason;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_NVML_H
