// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch needs to know of a kernel: one struct and one table of fields
// for the attribute, the manifest of an artifact and the runtime. Plain C++,
// since the runtime knows neither LLVM nor MLIR.
#ifndef TILE_FACTS_LAUNCHFACTS_H
#define TILE_FACTS_LAUNCHFACTS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile {

/// Where a field may be written. What the kernel itself tells, its name, block
/// and memory, stands in the manifest only, so that nothing is said twice.
enum class FieldPlace { Everywhere, ManifestOnly };

/// One field of the launch facts: its key, what it says, and the least and the
/// greatest value of its integers.
struct FactField {
  const char *key;
  const char *summary;
  int64_t low = 0, high = 0;
  FieldPlace place = FieldPlace::Everywhere;
};

/// An operand or a number of the problem, by name. `number` is what the runtime
/// makes of it.
struct ProblemName {
  std::string name;
  int number = -1;
};

/// One argument of a kernel: which address or number it takes, such as
/// `A.data`, `A.stride[0]`, `M` or `alpha`.
struct KernelParameter {
  enum class Source {
    // Of an operand.
    Data,
    Extent,
    Stride,
    BatchStride,
    TensorMap,
    /// 1 if the operand's optional tensor map is there, otherwise 0.
    TensorMapLegal,
    // Of the copy that a pack kernel makes.
    Packed,
    PackedStride,
    PackedBatchStride,
    // Of the problem.
    Size,
    Scalar
  };
  Source source = Source::Data;
  /// The operand, the size or the scalar.
  ProblemName of;
  /// Extent and Stride: of which matrix dimension, 0 = rows, 1 = columns.
  int dim = 0;

  bool isOfOperand() const { return source < Source::Size; }
  /// The name as it is written: "A.stride[0]".
  std::string str() const;
  static std::optional<KernelParameter> parse(std::string_view name);
};

/// Type of a kernel's argument; `Other` is one that no parameter can have.
enum class ParameterType { Pointer, I32, I64, F32, F64, TensorMap, Other };

/// The name of a type in a manifest, such as "ptr".
const char *getParameterTypeName(ParameterType type);
std::optional<ParameterType> parseParameterType(std::string_view name);
/// Whether an argument that takes `source` can have a type.
bool canHaveType(KernelParameter::Source source, ParameterType type);

/// How many blocks a problem takes.
struct GridFacts {
  /// Rows and columns of D; 0 for a pack kernel.
  std::array<int64_t, 2> tile = {0, 0};
  std::array<int64_t, 2> clusterTile = {1, 1};
  int64_t split = 1;
  bool persistent = false;
  /// Rows and columns of X; 0 for other kernels.
  std::array<int64_t, 2> packTile = {0, 0};

  static constexpr int64_t kLargestTile = 1 << 20;

  template <typename Self, typename Visitor>
  static void forEachField(Self &self, Visitor &&visit) {
    static const GridFacts none;
    visit(FactField{"tile", "rows and columns of D that one block computes", 1,
                    kLargestTile},
          self.tile, none.tile);
    visit(
        FactField{
            "cluster_tile",
            "tiles of D, down and across, that a cluster computes side by "
            "side",
            1, 16},
        self.clusterTile, none.clusterTile);
    visit(FactField{"split", "blocks that share a tile, each with a part of K",
                    1, 1 << 16},
          self.split, none.split);
    visit(
        FactField{
            "persistent",
            "whether blocks walk over tiles, so that as many suffice as run "
            "at a time"},
        self.persistent, none.persistent);
    visit(
        FactField{
            "pack_tile",
            "of a kernel that packs an operand: rows and columns that one "
            "block copies",
            1, kLargestTile},
        self.packTile, none.packTile);
  }
};

/// What a kernel demands of one operand beyond what every kernel does.
struct OperandRequirement {
  ProblemName operand;
  /// Matrix dimension that must have stride 1, or -1.
  int64_t unitStride = -1;
  int64_t alignment = 1;
  int64_t strideMultiple = 1;
  int64_t extentMultiple = 1;

  template <typename Self, typename Visitor>
  static void forEachField(Self &self, Visitor &&visit) {
    static const OperandRequirement none;
    visit(FactField{"operand", "the operand that the requirement is about"},
          self.operand, none.operand);
    visit(
        FactField{
            "unit_stride",
            "matrix dimension that must have stride 1: 0 rows, 1 columns, "
            "-1 neither",
            -1, 1},
        self.unitStride, none.unitStride);
    visit(FactField{"alignment",
                    "bytes that the base must be a multiple of, a power of 2",
                    1, 1 << 20},
          self.alignment, none.alignment);
    visit(
        FactField{"stride_multiple",
                  "elements that the other matrix stride and the batch stride "
                  "must be multiples of",
                  1, 1 << 20},
        self.strideMultiple, none.strideMultiple);
    visit(
        FactField{
            "extent_multiple",
            "elements that the extent of the unit-stride dimension must be "
            "a multiple of",
            1, 1 << 20},
        self.extentMultiple, none.extentMultiple);
  }
};

/// A tensor map that a kernel takes by value.
struct TensorMapSpec {
  ProblemName operand;
  /// Matrix dimension of unit stride, which is the map's innermost one.
  int64_t contiguous = -1;
  std::array<int64_t, 2> box = {0, 0};
  int64_t swizzle = 0;
  bool batched = false;
  bool optional = false;
  /// Of a map of a tensor whose im2col the operand is: its extents, innermost
  /// first, the strides of all but the innermost, and for each dimension
  /// between the innermost and the outermost the first and the last pixel that
  /// a box may start at, and the distance of its pixels. The last three are
  /// empty where boxes are tiles.
  std::vector<int64_t> extents, strides, lower, upper, traversal;

  bool isIm2col() const { return !traversal.empty(); }

  template <typename Self, typename Visitor>
  static void forEachField(Self &self, Visitor &&visit) {
    static const TensorMapSpec none;
    visit(FactField{"operand", "the operand that the map describes"},
          self.operand, none.operand);
    visit(
        FactField{
            "contiguous",
            "matrix dimension of unit stride, the innermost of the map: 0 "
            "rows, 1 columns",
            0, 1},
        self.contiguous, none.contiguous);
    visit(FactField{"box", "elements of one copy, innermost dimension first", 1,
                    256},
          self.box, none.box);
    visit(FactField{"swizzle", "0, 32, 64 or 128 bytes", 0, 128}, self.swizzle,
          none.swizzle);
    visit(
        FactField{"batched", "whether the batch is the map's third dimension"},
        self.batched, none.batched);
    visit(
        FactField{"optional",
                  "whether the kernel can do without the map, as its parameter "
                  "`X.tensor_map_legal` says"},
        self.optional, none.optional);
    visit(
        FactField{"extents",
                  "of a tensor whose im2col the operand is: extents, innermost "
                  "dimension first",
                  1, int64_t(1) << 32},
        self.extents, none.extents);
    visit(FactField{"strides",
                    "strides of all but the innermost dimension, in elements",
                    0, int64_t(1) << 40},
          self.strides, none.strides);
    visit(
        FactField{
            "lower",
            "where boxes of pixels start at the least, for each dimension "
            "between innermost and outermost",
            -(1 << 15), 1 << 15},
        self.lower, none.lower);
    visit(FactField{"upper", "where they end, counted from the last element",
                    -(1 << 15), 1 << 15},
          self.upper, none.upper);
    visit(FactField{"traversal", "distance of neighbouring pixels of a box", 1,
                    8},
          self.traversal, none.traversal);
  }
};

/// What a launch takes, in nanoseconds.
struct CostFacts {
  double fixed = 0, tile = 0, k = 0, bytes = 0, slots = 1;

  template <typename Self, typename Visitor>
  static void forEachField(Self &self, Visitor &&visit) {
    static const CostFacts none;
    visit(
        FactField{"fixed_ns", "nanoseconds of a launch that computes nothing"},
        self.fixed, none.fixed);
    visit(FactField{"tile_ns", "nanoseconds of a tile without its walk over K"},
          self.tile, none.tile);
    visit(FactField{"k_ns", "nanoseconds of a tile for each element along K"},
          self.k, none.k);
    visit(FactField{"bytes_ns", "nanoseconds of each byte in global memory"},
          self.bytes, none.bytes);
    visit(FactField{"slots", "blocks that a multiprocessor runs at a time"},
          self.slots, none.slots);
  }
};

/// Registers of a thread that ptxas reported for one chip.
struct RegisterCount {
  std::string chip;
  int64_t count = 0;

  template <typename Self, typename Visitor>
  static void forEachField(Self &self, Visitor &&visit) {
    static const RegisterCount none;
    visit(FactField{"chip", "the chip for which ptxas assembled the kernel"},
          self.chip, none.chip);
    visit(FactField{"count", "registers of a thread", 0, 1 << 10}, self.count,
          none.count);
  }
};

/// A kernel's launch facts.
struct LaunchFacts {
  std::string name, schedule;
  std::array<int64_t, 3> block = {1, 1, 1};
  std::array<int64_t, 3> cluster = {1, 1, 1};
  /// Nothing when the kernel can only be launched by hand.
  std::optional<GridFacts> grid;
  bool programmatic = false;
  std::string factors;
  std::vector<KernelParameter> parameters;
  std::vector<ParameterType> parameterTypes;
  std::vector<OperandRequirement> requirements;
  std::vector<TensorMapSpec> tensorMaps;
  std::optional<CostFacts> cost;
  int64_t sharedBytes = 0, dynamicSharedBytes = 0;
  std::vector<RegisterCount> registers;

  template <typename Self, typename Visitor>
  static void forEachField(Self &self, Visitor &&visit) {
    static const LaunchFacts none;
    constexpr auto manifest = FieldPlace::ManifestOnly;
    visit(FactField{"name", "the kernel's name", 0, 0, manifest}, self.name,
          none.name);
    visit(FactField{"schedule", "the schedule that the kernel was built by, as "
                                "text"},
          self.schedule, none.schedule);
    visit(FactField{"block", "threads of a block in x, y and z", 1, 1024,
                    manifest},
          self.block, none.block);
    visit(FactField{"cluster",
                    "blocks of a cluster in x, y and z; 1 in y and z", 1, 16},
          self.cluster, none.cluster);
    visit(FactField{"grid", "from what the number of blocks follows; a kernel "
                            "without it can only be launched by hand"},
          self.grid, none.grid);
    visit(
        FactField{
            "programmatic_launch",
            "whether the kernel waits itself, by griddepcontrol, for those "
            "in front of it in the stream"},
        self.programmatic, none.programmatic);
    visit(
        FactField{"factors", "`tf32` when f32 operands are multiplied as tf32"},
        self.factors, none.factors);
    visit(FactField{"parameters", "what each argument of the kernel takes"},
          self.parameters, none.parameters);
    visit(FactField{"parameter_types",
                    "the type of each argument: ptr, i32, i64, f32, f64, "
                    "tensor_map or other",
                    0, 0, manifest},
          self.parameterTypes, none.parameterTypes);
    visit(FactField{"requires", "what the kernel requires of operands"},
          self.requirements, none.requirements);
    visit(FactField{"tensor_maps", "the tensor maps among the arguments"},
          self.tensorMaps, none.tensorMaps);
    visit(FactField{"cost",
                    "what a launch is expected to take; of kernels that "
                    "say so the runtime launches the cheapest"},
          self.cost, none.cost);
    visit(FactField{"shared_bytes", "static shared memory of a block in bytes",
                    0, 1 << 30, manifest},
          self.sharedBytes, none.sharedBytes);
    visit(FactField{"dynamic_shared_bytes",
                    "dynamic shared memory of a block in bytes", 0, 1 << 30,
                    manifest},
          self.dynamicSharedBytes, none.dynamicSharedBytes);
    visit(FactField{"registers",
                    "registers of a thread on the chips that ptxas "
                    "assembled for",
                    0, 0, manifest},
          self.registers, none.registers);
  }

  bool isGemm() const { return grid && grid->tile[0] != 0; }
  bool isPack() const { return grid && grid->packTile[0] != 0; }
  /// The tensor map of an operand, null if there is none.
  const TensorMapSpec *findTensorMap(std::string_view operand) const;
};

/// The operands that facts may name: X, the one that a pack kernel copies, or
/// those of the problem.
std::vector<std::string> getOperandNames(const LaunchFacts &facts);

/// What is wrong with launch facts, at a path such as "requires/0/operand":
/// `expected`, and `got` where the value alone does not say it.
struct FactsBreach {
  std::string path, expected, got;
  explicit operator bool() const { return !expected.empty(); }
};

/// Checks what no single field can be checked for: that fields fit each other.
FactsBreach checkFacts(const LaunchFacts &facts);

/// The facts as the attribute spells them between its angle brackets, without
/// fields that have their default, and without those of the manifest.
std::string formatFacts(const LaunchFacts &facts);

/// The name among `known` that is nearest to `name`; "" when none is near.
std::string findNearest(std::string_view name,
                        const std::vector<std::string> &known);
/// `"a, b or c"`.
std::string listNames(const std::vector<std::string> &names);

/// The keys of a struct of facts that may stand in an attribute, or in a
/// manifest.
template <typename Facts>
std::vector<std::string> listKeys(bool inManifest) {
  std::vector<std::string> keys;
  Facts facts;
  Facts::forEachField(facts, [&](const FactField &field, auto &, const auto &) {
    if (inManifest || field.place == FieldPlace::Everywhere)
      keys.push_back(field.key);
  });
  return keys;
}

/// "a field of the launch facts, such as 'grid'", for a key that is none.
std::string describeKeys(std::string_view where, std::string_view key,
                         const std::vector<std::string> &known);

/// "a parameter such as 'A.stride[0]'", for a name that is none.
std::string describeParameters(std::string_view name);

/// The fields as the table of docs/LaunchFacts.md.
std::string formatFieldTable();

inline bool operator==(const LaunchFacts &a, const LaunchFacts &b) {
  return formatFacts(a) == formatFacts(b);
}

} // namespace tile

#endif // TILE_FACTS_LAUNCHFACTS_H
