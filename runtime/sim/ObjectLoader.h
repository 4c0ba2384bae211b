// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads an x86-64 ELF relocatable object into executable memory.
#ifndef TILE_RT_SIM_OBJECTLOADER_H
#define TILE_RT_SIM_OBJECTLOADER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tile::rt {

/// A function that loaded code may call.
struct SimImport {
  const char *name;
  void *address;
};

/// The fixed table of imports: tile_sim_*, memcpy and friends, libm.
const SimImport *simImports(size_t &count);

/// An object in memory. Code is mapped read + execute, read-only data
/// read-only, the rest read + write; nothing is both writable and executable.
class LoadedObject {
public:
  LoadedObject() = default;
  ~LoadedObject();
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;

  /// Copies, links and protects `object`. Returns the reason when the bytes are
  /// no object of this kind, "" on success. Reads no byte outside `object`,
  /// whatever it says of itself.
  std::string load(std::string_view object);

  /// The address of a global function, or null.
  void *find(const std::string &symbol) const;

private:
  friend class ObjectReader;
  uint8_t *memory = nullptr;
  size_t bytes = 0;
  std::unordered_map<std::string, void *> functions;
};

} // namespace tile::rt

#endif // TILE_RT_SIM_OBJECTLOADER_H
