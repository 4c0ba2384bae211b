// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a kernel's launch facts from the manifest, by the table of their
// fields.
#include "Error.h"
#include "ManifestReader.h"

using namespace tile::rt;
using tile::FactField;
using Reader = ManifestReader;
using Place = ManifestReader::Place;

namespace {
/// Reads the fields of one record.
struct FactsReader {
  Reader &reader;

  void read(const Place &place, const FactField &, bool &value) {
    reader.optionalBool(place, value);
  }
  void read(const Place &place, const FactField &field, int64_t &value) {
    reader.integer(place, value, field.low, field.high);
  }
  void read(const Place &place, const FactField &, double &value) {
    reader.optionalNumber(place, value);
  }
  void read(const Place &place, const FactField &, std::string &value) {
    reader.string(place, value);
  }
  void read(const Place &place, const FactField &, tile::ProblemName &value) {
    reader.string(place, value.name);
  }
  void read(const Place &place, const FactField &, Parameter &value) {
    std::string name;
    if (!reader.string(place, name))
      return;
    std::optional<Parameter> parsed = Parameter::parse(name);
    if (!parsed)
      return reader.expected(place, tile::describeParameters(name));
    value = *parsed;
  }
  void read(const Place &place, const FactField &, ParameterType &value) {
    std::string name;
    if (!reader.string(place, name))
      return;
    std::optional<ParameterType> parsed = tile::parseParameterType(name);
    if (!parsed)
      return reader.expected(place, "the name of a type, such as ptr or i64");
    value = *parsed;
  }
  template <size_t N>
  void read(const Place &place, const FactField &field,
            std::array<int64_t, N> &values) {
    reader.integers(place, values.data(), N,
                    N == 2 || N == 3 ? "extents" : "numbers", field.low,
                    field.high);
  }
  template <typename T>
  void read(const Place &place, const FactField &field,
            std::vector<T> &values) {
    if (!place.isArray())
      return reader.expected(place, "an array");
    for (size_t i = 0; i < place.size() && reader.ok(); ++i)
      read(reader.at(place, i), field, values.emplace_back());
  }
  template <typename T>
  void read(const Place &place, const FactField &field,
            std::optional<T> &value) {
    read(place, field, value.emplace());
  }
  template <typename T>
  void read(const Place &place, const FactField &field, T &record) {
    readRecord(place, field.key, record);
  }

  /// Reads a record. A key that is no field is an error, since it may be a
  /// requirement that was mistyped. Null stands for a field that is absent.
  template <typename T>
  void readRecord(const Place &place, const std::string &what, T &record) {
    if (!reader.ok())
      return;
    if (!place.value || !place.value->is_object())
      return reader.expected(place, "an object");
    std::vector<std::string> keys = tile::listKeys<T>(/*inManifest=*/true);
    reader.checkKeys(place, what, keys);
    T::forEachField(record,
                    [&](const FactField &field, auto &member, const auto &) {
                      Place item = reader.at(place, field.key);
                      if (reader.ok() && !item.isNull())
                        read(item, field, member);
                    });
  }
};
} // namespace

/// Gives the names in the facts their numbers.
static void numberNames(KernelFacts &kernel) {
  auto operand = [](tile::ProblemName &name) {
    name.number = operandFromName(name.name).value_or(-1);
  };
  for (Parameter &parameter : kernel.parameters) {
    if (parameter.isOfOperand()) {
      operand(parameter.of);
      continue;
    }
    static constexpr const char *names[] = {"M", "N", "K", "batch"};
    for (int i = 0; i < 4; ++i)
      if (parameter.of.name == names[i])
        parameter.of.number = i;
    if (parameter.source == Parameter::Source::Scalar)
      parameter.of.number =
          parameter.of.name == "alpha" ? ScalarAlpha : ScalarBeta;
  }
  for (TensorMapSpec &map : kernel.tensorMaps)
    operand(map.operand);
  for (OperandRequirement &requirement : kernel.requirements)
    operand(requirement.operand);
}

void tile::rt::readKernel(Reader &reader, const Place &place,
                          KernelFacts &kernel) {
  FactsReader facts{reader};
  facts.readRecord(place, "a kernel's facts",
                   static_cast<tile::LaunchFacts &>(kernel));
  for (const char *needed : {"name", "block"})
    if (reader.ok() && reader.at(place, needed).isNull())
      return reader.expected(reader.at(place, needed), "a value");
  // A kernel that is launched by hand need not say what its arguments take.
  bool byHand = !kernel.grid && kernel.parameters.empty();
  if (reader.ok() && !byHand &&
      kernel.parameterTypes.size() != kernel.parameters.size())
    return reader.expected(
        reader.at(place, "parameter_types"),
        format("%zu types, one for each parameter", kernel.parameters.size()));
  if (!reader.ok())
    return;
  if (tile::FactsBreach breach = tile::checkFacts(kernel))
    return reader.expected(reader.find(place, breach.path), breach.expected);
  numberNames(kernel);
}
