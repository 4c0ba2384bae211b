// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the fields of a JSON manifest and words the first error.
#ifndef TILE_RT_LIB_MANIFESTREADER_H
#define TILE_RT_LIB_MANIFESTREADER_H

#include "Artifact.h"

// JSON_NOEXCEPTION turns what nlohmann-json would throw into an abort, so every
// access looks at the type first.
#include <nlohmann/json.hpp>

namespace tile::rt {

using Json = nlohmann::json;

/// Reads fields and keeps the first error with the path to its place. After an
/// error every further read fails, so callers test once at the end.
class ManifestReader {
public:
  std::string error;

  /// A place in the manifest: a value and the path to it.
  struct Place {
    const Json *value;
    std::string path;
    bool isNull() const { return !value || value->is_null(); }
    bool isArray() const { return value && value->is_array(); }
    size_t size() const { return isArray() ? value->size() : 0; }
  };

  bool ok() const { return error.empty(); }

  /// Makes "expected `what` at ..., but got ..." the error.
  void expected(const Place &place, const std::string &what);

  Place at(const Place &object, const char *key);
  Place at(const Place &array, size_t index) {
    return {&(*array.value)[index], array.path + "/" + std::to_string(index)};
  }

  /// The place, after checking that it is an array.
  Place array(const Place &object, const char *key, bool optional = false);
  /// The place at a path such as "requires/0/operand", as far as there is one.
  Place find(const Place &object, std::string_view path);
  /// Makes a key of an object that is not among `known` the error.
  void checkKeys(const Place &object, const std::string &what,
                 const std::vector<std::string> &known);
  /// An array of exactly `size` integers in [low, high].
  void integers(const Place &list, int64_t *result, size_t size,
                const char *what, int64_t low, int64_t high);

  bool integer(const Place &place, int64_t &result, int64_t low, int64_t high);
  /// As integer(), with a default for an absent or null field.
  void optionalInteger(const Place &place, int64_t &result, int64_t low,
                       int64_t high) {
    if (!place.isNull())
      integer(place, result, low, high);
  }

  /// A finite number of at least 0; absent or null leaves the default.
  void optionalNumber(const Place &place, double &result);
  void optionalBool(const Place &place, bool &result);

  bool string(const Place &place, std::string &result);
  void optionalString(const Place &place, std::string &result) {
    if (!place.isNull())
      string(place, result);
  }
  void strings(const Place &place, std::vector<std::string> &result) {
    for (size_t i = 0; i < place.size() && ok(); ++i)
      string(at(place, i), result.emplace_back());
  }

  /// The name of an operand from A to `last`.
  bool operand(const Place &place, int &result, int last = OperandD);
};

/// The operand of this name, A to X; nullopt if there is none.
std::optional<int> operandFromName(std::string_view name);

/// Reads one element of the manifest's "kernels".
void readKernel(ManifestReader &reader, const ManifestReader::Place &place,
                KernelFacts &kernel);

} // namespace tile::rt

#endif // TILE_RT_LIB_MANIFESTREADER_H
