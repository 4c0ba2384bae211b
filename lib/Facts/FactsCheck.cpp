// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the fields of launch facts fit each other.
#include "tile/Facts/Expression.h"
#include "tile/Facts/LaunchFacts.h"

#include <algorithm>

using namespace tile;
using Source = KernelParameter::Source;

const TensorMapSpec *
LaunchFacts::findTensorMap(std::string_view operand) const {
  for (const TensorMapSpec &spec : tensorMaps)
    if (spec.operand.name == operand)
      return &spec;
  return nullptr;
}

std::vector<std::string> tile::getOperandNames(const LaunchFacts &facts) {
  if (facts.isPack())
    return {"X"};
  if (facts.grid)
    return {"A", "B", "C", "D"};
  return {"A", "B", "C", "D", "X"};
}

static std::string at(std::string_view list, size_t index,
                      std::string_view key = "") {
  std::string path = std::string(list) + "/" + std::to_string(index);
  return key.empty() ? path : path + "/" + std::string(key);
}

static bool contains(const std::vector<std::string> &names,
                     const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

static FactsBreach checkShape(const LaunchFacts &facts) {
  if (facts.block[0] * facts.block[1] * facts.block[2] > 1024)
    return {"block", "at most 1024 threads",
            std::to_string(facts.block[0] * facts.block[1] * facts.block[2])};
  if (facts.cluster[1] != 1 || facts.cluster[2] != 1)
    return {"cluster", "1 in y and z", ""};
  if (!facts.grid)
    return {};
  const GridFacts &grid = *facts.grid;
  if (facts.isPack() && facts.isGemm())
    return {"grid/pack_tile", "no pack_tile beside a tile", ""};
  if (!facts.isPack() && !facts.isGemm())
    return {"grid", "a tile or a pack_tile", ""};
  int64_t cluster = facts.cluster[0];
  if (facts.isPack())
    return cluster == 1
               ? FactsBreach()
               : FactsBreach{"cluster",
                             "no cluster of a kernel with a pack_tile", ""};
  // Only then are there always whole clusters.
  int64_t side = grid.clusterTile[0] * grid.clusterTile[1];
  bool whole =
      grid.split == 1 ? side == cluster : side * grid.split % cluster == 0;
  if (!whole)
    return {"grid/cluster_tile",
            "tiles that fill clusters of " + std::to_string(cluster),
            std::to_string(side) +
                (grid.split == 1
                     ? ""
                     : ", each in " + std::to_string(grid.split) + " parts")};
  return {};
}

/// Whether a kernel that solves a problem may have an operand: one of the
/// problem, or E0 to E7 of its epilogue.
static bool isKnownOperand(const LaunchFacts &facts,
                           const std::vector<std::string> &operands,
                           const std::string &name) {
  bool ofEpilogue = !facts.isPack() && findEpilogueOperand(name) >= 0;
  return ofEpilogue || contains(operands, name);
}

/// Checks the map of a tensor whose im2col an operand is.
static FactsBreach checkTensor(const TensorMapSpec &map, size_t number) {
  size_t rank = map.extents.size();
  auto expect = [&](const char *key, size_t wanted, size_t got) {
    return FactsBreach{at("tensor_maps", number, key),
                       std::to_string(wanted) + " numbers",
                       std::to_string(got)};
  };
  if (rank == 0) {
    bool none = map.strides.empty() && map.lower.empty() && map.upper.empty() &&
                map.traversal.empty();
    return none ? FactsBreach()
                : FactsBreach{at("tensor_maps", number, "extents"),
                              "the extents of a tensor", "none"};
  }
  if (rank < 2 || rank > 5)
    return {at("tensor_maps", number, "extents"), "2 to 5 extents",
            std::to_string(rank)};
  if (map.strides.size() != rank - 1)
    return expect("strides", rank - 1, map.strides.size());
  size_t between = map.isIm2col() ? rank - 2 : 0;
  if (map.traversal.size() != between)
    return expect("traversal", between, map.traversal.size());
  if (map.lower.size() != between)
    return expect("lower", between, map.lower.size());
  if (map.upper.size() != between)
    return expect("upper", between, map.upper.size());
  return {};
}

static FactsBreach checkTensorMaps(const LaunchFacts &facts) {
  static const std::vector<std::string> operands = {"A", "B", "C", "D"};
  for (size_t i = 0; i < facts.tensorMaps.size(); ++i) {
    const TensorMapSpec &map = facts.tensorMaps[i];
    if (!isKnownOperand(facts, operands, map.operand.name))
      return {at("tensor_maps", i, "operand"), listNames(operands),
              map.operand.name};
    if (facts.findTensorMap(map.operand.name) != &map)
      return {at("tensor_maps", i, "operand"),
              "an operand without another tensor map", map.operand.name};
    if (map.contiguous < 0)
      return {at("tensor_maps", i, "contiguous"), "0 or 1", "none"};
    if (map.box[0] < 1 || map.box[1] < 1)
      return {at("tensor_maps", i, "box"), "2 extents", "none"};
    if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 &&
        map.swizzle != 128)
      return {at("tensor_maps", i, "swizzle"), "0, 32, 64 or 128",
              std::to_string(map.swizzle)};
    if (FactsBreach breach = checkTensor(map, i))
      return breach;
  }
  return {};
}

static FactsBreach checkParameters(const LaunchFacts &facts,
                                   const std::vector<std::string> &operands) {
  for (size_t i = 0; i < facts.parameters.size(); ++i) {
    const KernelParameter &parameter = facts.parameters[i];
    bool known = parameter.isOfOperand()
                     ? isKnownOperand(facts, operands, parameter.of.name)
                     : !facts.isPack() || parameter.of.name == "batch";
    if (!known)
      return {at("parameters", i),
              facts.isPack() ? "a parameter of X, or batch"
                             : "a parameter of " + listNames(operands),
              parameter.str()};
    bool ofMap = parameter.source == Source::TensorMap ||
                 parameter.source == Source::TensorMapLegal;
    if (ofMap && !facts.findTensorMap(parameter.of.name))
      return {at("parameters", i), "an operand that tensor_maps describes",
              parameter.str()};
    if (parameter.source >= Source::Packed && parameter.isOfOperand() &&
        parameter.of.name != "X")
      return {at("parameters", i), "a copy of X, the operand that is packed",
              parameter.str()};
  }
  const std::vector<ParameterType> &types = facts.parameterTypes;
  for (size_t i = 0; i < std::min(types.size(), facts.parameters.size()); ++i)
    if (!canHaveType(facts.parameters[i].source, types[i]))
      return {at("parameter_types", i),
              "a type that fits parameter '" + facts.parameters[i].str() + "'",
              getParameterTypeName(types[i])};
  return {};
}

static FactsBreach checkRequirements(const LaunchFacts &facts,
                                     const std::vector<std::string> &operands) {
  for (size_t i = 0; i < facts.requirements.size(); ++i) {
    const OperandRequirement &requirement = facts.requirements[i];
    const std::string &name = requirement.operand.name;
    if (!isKnownOperand(facts, operands, name))
      return {at("requires", i, "operand"), listNames(operands), name};
    // A kernel that does not get an operand requires nothing of it.
    std::vector<std::string> given;
    for (const KernelParameter &parameter : facts.parameters)
      if (parameter.isOfOperand() && !contains(given, parameter.of.name))
        given.push_back(parameter.of.name);
    if (!contains(given, name))
      return {at("requires", i, "operand"),
              given.empty()
                  ? "an operand among the parameters"
                  : "an operand among the parameters, " + listNames(given),
              name};
    int64_t alignment = requirement.alignment;
    if (alignment & (alignment - 1))
      return {at("requires", i, "alignment"), "a power of 2",
              std::to_string(alignment)};
  }
  return {};
}

FactsBreach tile::checkFacts(const LaunchFacts &facts) {
  std::vector<std::string> operands = getOperandNames(facts);
  if (FactsBreach breach = checkShape(facts))
    return breach;
  if (FactsBreach breach = checkTensorMaps(facts))
    return breach;
  if (FactsBreach breach = checkParameters(facts, operands))
    return breach;
  if (FactsBreach breach = checkRequirements(facts, operands))
    return breach;
  if (facts.cost && facts.cost->slots == 0)
    return {"cost/slots", "a number above 0", "0"};
  if (!facts.factors.empty() && facts.factors != "tf32")
    return {"factors", "'tf32'", "'" + facts.factors + "'"};
  return {};
}
