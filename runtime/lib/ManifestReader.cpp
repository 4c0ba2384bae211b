// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the fields of a JSON manifest and words the first error.
#include "ManifestReader.h"

#include "Error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

using namespace tile::rt;
using Place = ManifestReader::Place;

void ManifestReader::expected(const Place &place, const std::string &what) {
  if (!ok())
    return;
  error = "malformed artifact: expected " + what + " at manifest path '" +
          place.path + "', but got " +
          (place.value ? place.value->type_name() : "nothing");
  if (place.value && (place.value->is_number() || place.value->is_string())) {
    // Foreign bytes in an error sentence are cut and escaped.
    std::string text = place.value->dump(
        -1, ' ', true, nlohmann::detail::error_handler_t::replace);
    error += " " + text.substr(0, 60);
  }
}

Place ManifestReader::at(const Place &object, const char *key) {
  Place place{nullptr, object.path + "/" + key};
  if (object.value && object.value->is_object()) {
    auto it = object.value->find(key);
    if (it != object.value->end())
      place.value = &*it;
  }
  return place;
}

Place ManifestReader::array(const Place &object, const char *key,
                            bool optional) {
  Place place = at(object, key);
  if (!place.isArray() && !(optional && place.isNull()))
    expected(place, "an array");
  return place;
}

Place ManifestReader::find(const Place &object, std::string_view path) {
  Place place = object;
  while (!path.empty()) {
    std::string step(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    if (place.isArray()) {
      size_t index = std::strtoul(step.c_str(), nullptr, 10);
      if (index >= place.size())
        break;
      place = at(place, index);
    } else {
      place = at(place, step.c_str());
    }
  }
  return place;
}

void ManifestReader::checkKeys(const Place &object, const std::string &what,
                               const std::vector<std::string> &known) {
  if (!ok() || !object.value || !object.value->is_object())
    return;
  for (auto it = object.value->begin(); it != object.value->end(); ++it) {
    const std::string &key = it.key();
    if (std::find(known.begin(), known.end(), key) != known.end())
      continue;
    expected(object, tile::describeKeys(what, key, known));
    // Foreign bytes in an error sentence are cut and escaped.
    error +=
        " with the key " +
        Json(key)
            .dump(-1, ' ', true, nlohmann::detail::error_handler_t::replace)
            .substr(0, 60);
    return;
  }
}

void ManifestReader::integers(const Place &list, int64_t *result, size_t size,
                              const char *what, int64_t low, int64_t high) {
  if (!list.isArray())
    return expected(list, "an array");
  if (list.size() != size)
    return expected(list, std::to_string(size) + " " + what);
  for (size_t i = 0; i < size && ok(); ++i)
    integer(at(list, i), result[i], low, high);
}

bool ManifestReader::integer(const Place &place, int64_t &result, int64_t low,
                             int64_t high) {
  bool fits = place.value && place.value->is_number_integer();
  if (fits && place.value->is_number_unsigned())
    fits = place.value->get<uint64_t>() <=
           uint64_t(std::numeric_limits<int64_t>::max());
  int64_t number = fits ? place.value->get<int64_t>() : 0;
  if (!fits || number < low || number > high) {
    expected(place,
             format("an integer in [%lld, %lld]", static_cast<long long>(low),
                    static_cast<long long>(high)));
    return false;
  }
  result = number;
  return ok();
}

void ManifestReader::optionalNumber(const Place &place, double &result) {
  if (place.isNull())
    return;
  double number = place.value->is_number() ? place.value->get<double>() : -1;
  if (!(number >= 0) || !std::isfinite(number))
    return expected(place, "a number of at least 0");
  result = number;
}

void ManifestReader::optionalBool(const Place &place, bool &result) {
  if (place.isNull())
    return;
  if (!place.value->is_boolean())
    return expected(place, "true or false");
  result = place.value->get<bool>();
}

bool ManifestReader::string(const Place &place, std::string &result) {
  if (!place.value || !place.value->is_string()) {
    expected(place, "a string");
    return false;
  }
  result = place.value->get_ref<const std::string &>();
  // Names become C strings in the API.
  if (result.find('\0') != std::string::npos) {
    expected(place, "a string without NUL");
    return false;
  }
  return ok();
}

bool ManifestReader::operand(const Place &place, int &result, int last) {
  std::string name;
  if (!string(place, name))
    return false;
  std::optional<int> found = operandFromName(name);
  if (!found || *found > last) {
    expected(place, last == OperandX   ? "A, B, C, D or X"
                    : last == OperandD ? "A, B, C or D"
                                       : "A, B or C");
    return false;
  }
  result = *found;
  return ok();
}

std::optional<int> tile::rt::operandFromName(std::string_view name) {
  for (int i = 0; i < NumAllOperands; ++i)
    if (name == operandName(i))
      return i;
  return std::nullopt;
}
