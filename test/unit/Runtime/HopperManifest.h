// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manifest of a gemm whose first kernel takes tensor maps.
#ifndef TILE_TEST_UNIT_RUNTIME_HOPPERMANIFEST_H
#define TILE_TEST_UNIT_RUNTIME_HOPPERMANIFEST_H

#include "RuntimeTestHelpers.h"

namespace tiletest {

/// D = A * B + beta * C of f32 with three choices: `gemm_map` on the operands,
/// `gemm_map` on copies, `gemm_v1`. Members are JSON.
struct HopperManifest {
  int rank = 2;
  std::string block = "[256, 1, 1]";
  std::string grid = "{\"tile\": [16, 16]}";
  std::string cluster = "null";
  /// Of gemm_map.
  std::string fields;
  std::string maps =
      "[{\"operand\": \"A\", \"contiguous\": 1, \"box\": [8, 16], \"swizzle\": "
      "32, \"batched\": false}, {\"operand\": \"B\", \"contiguous\": 1, "
      "\"box\": [16, 16], \"swizzle\": 64, \"batched\": false}]";
  std::string cost = "null", simpleCost = "null", packCost = "null";
  std::string prepare =
      "[{\"operand\": \"A\", \"kernel\": \"pack_r\", \"contiguous\": 1, "
      "\"pitch_multiple\": 8}, {\"operand\": \"B\", \"kernel\": \"pack_r\", "
      "\"contiguous\": 1, \"pitch_multiple\": 8}]";
  /// Steps behind the first one, each with a comma before it.
  std::string moreSteps;
  std::string choices() const {
    return "[{\"kernel\": \"gemm_map\"}, {\"kernel\": \"gemm_map\", "
           "\"prepare\": " +
           prepare + "}, {\"kernel\": \"gemm_v1\", \"prepare\": []}]";
  }

  static std::string list(const std::vector<std::string> &texts) {
    std::string result;
    for (const std::string &text : texts)
      result += (result.empty() ? "\"" : ", \"") + text + "\"";
    return "[" + result + "]";
  }

  std::string kernel(const std::string &name, const std::string &ownGrid,
                     const std::vector<std::string> &parameters,
                     const std::string &own) const {
    std::vector<std::string> types;
    for (const std::string &parameter : parameters) {
      std::string last = parameter.substr(parameter.find('.') + 1);
      types.push_back(last == "data" || last == "packed"  ? "ptr"
                      : last == "tensor_map"              ? "tensor_map"
                      : last == "alpha" || last == "beta" ? "f32"
                                                          : "i64");
    }
    return "{\"name\": \"" + name + "\", \"block\": " + block +
           ", \"grid\": " + ownGrid + ", \"parameters\": " + list(parameters) +
           ", \"parameter_types\": " + list(types) +
           ", \"shared_bytes\": 2048" + own + "}";
  }

  std::string text() const {
    std::vector<std::string> gemm = {"A.data", "B.data", "C.data", "D.data",
                                     "M",      "N",      "K",      "batch"};
    for (const char *operand : {"A", "B", "C", "D"})
      for (const char *name : {".stride[0]", ".stride[1]", ".batch_stride"})
        gemm.push_back(std::string(operand) + name);
    gemm.insert(gemm.end(), {"alpha", "beta"});
    std::vector<std::string> withMaps = gemm;
    withMaps.insert(withMaps.end(), {"A.tensor_map", "B.tensor_map"});
    std::vector<std::string> pack = {"X.data",
                                     "X.stride[0]",
                                     "X.stride[1]",
                                     "X.batch_stride",
                                     "X.packed",
                                     "X.packed_stride",
                                     "X.packed_batch_stride",
                                     "X.extent[0]",
                                     "X.extent[1]",
                                     "batch"};
    std::string packGrid = "{\"pack_tile\": [16, 16]}";
    std::string packFields = ", \"cost\": " + packCost;
    std::string dynamic = rank == 2 ? "[null, null]" : "[null, null, null]";
    std::string tensor =
        "{\"kind\": \"tensor\", \"type\": \"f32\", \"shape\": " + dynamic + "}";
    return "\"version\": 1, \"target\": {\"chip\": \"sm_80\"}, \"kernels\": [" +
           kernel("gemm_map", grid, withMaps,
                  ", \"cluster\": " + cluster + ", \"tensor_maps\": " + maps +
                      ", \"cost\": " + cost + fields) +
           ", " +
           kernel("gemm_v1", "{\"tile\": [16, 16]}", gemm,
                  ", \"cost\": " + simpleCost) +
           ", " + kernel("pack_r", packGrid, pack, packFields) + ", " +
           kernel("pack_c", packGrid, pack, packFields) +
           "], \"entries\": [{\"name\": \"gemm\", \"arguments\": [" + tensor +
           ", " + tensor + ", " + tensor + ", " + tensor +
           ", {\"kind\": \"scalar\", \"type\": \"f32\"}], \"steps\": [{\"op\": "
           "\"gemm\", \"A\": 0, \"B\": 1, \"C\": 2, \"D\": 3, \"alpha\": "
           "{\"value\": 1}, \"beta\": {\"argument\": 4}, \"choices\": " +
           choices() + "}" + moreSteps + "]}], " +
           simSection({"gemm_map", "gemm_v1", "pack_r", "pack_c"}, 2048);
  }

#ifdef TILE_TEST_KERNELS
  std::string artifact() const {
    return makeArtifact(text(), {{"sim", kernelObject()}});
  }
#endif
};

} // namespace tiletest

#endif // TILE_TEST_UNIT_RUNTIME_HOPPERMANIFEST_H
