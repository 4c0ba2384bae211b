// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact's manifest: every fact that a launch needs, as JSON.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "tile/IR/Tile.h"
#include "tile/Target/Artifact.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace mlir;
namespace json = llvm::json;

/// The registers that ptxas reported for a kernel, by chip.
static std::vector<RegisterCount>
findRegisters(StringRef name, ArrayRef<PtxasKernelInfo> ptxas) {
  std::vector<RegisterCount> registers;
  for (const PtxasKernelInfo &info : ptxas)
    if (info.name == name)
      registers.push_back({info.chip, info.registers});
  return registers;
}

/// Bytes of the static shared memory that a kernel names.
static int64_t countShared(gpu::GPUFuncOp function) {
  DataLayout layout = DataLayout::closest(function);
  SmallPtrSet<Operation *, 4> globals;
  int64_t bytes = 0;
  function.walk([&](LLVM::AddressOfOp address) {
    auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
        address, address.getGlobalNameAttr());
    if (global && global.getAddrSpace() == 3 && globals.insert(global).second)
      bytes += layout.getTypeSize(global.getGlobalType()).getFixedValue();
  });
  return bytes;
}

/// Adds what the kernel itself tells: its block, the types of its arguments,
/// its shared memory.
static LogicalResult completeFacts(gpu::GPUFuncOp function,
                                   LaunchFacts &facts) {
  std::optional<ArrayRef<int32_t>> block = function.getKnownBlockSize();
  if (!block)
    return function.emitError()
           << "expected a known block size for the kernel '"
           << function.getName() << "', but got none";
  llvm::copy(*block, facts.block.begin());
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    facts.parameterTypes.push_back(getParameterType(function, i));
  facts.sharedBytes = countShared(function);
  if (auto bytes = function->getAttrOfType<IntegerAttr>(kDynamicSharedBytes))
    facts.dynamicSharedBytes = bytes.getInt();
  if (facts.schedule.empty())
    facts.schedule = "written by hand";
  return success();
}

static FailureOr<LaunchFacts> describeKernel(gpu::GPUFuncOp function,
                                             ArrayRef<PtxasKernelInfo> ptxas) {
  auto attribute = function->getAttrOfType<LaunchFactsAttr>(kLaunchFacts);
  if (!attribute)
    return function.emitError()
           << "expected the attribute '" << kLaunchFacts
           << "' on a kernel of an artifact, but got none on '"
           << function.getName() << "'";
  LaunchFacts facts = attribute.getFacts();
  facts.name = function.getName().str();
  if (failed(completeFacts(function, facts)))
    return failure();
  facts.registers = findRegisters(function.getName(), ptxas);
  return facts;
}

FailureOr<std::vector<LaunchFacts>>
tile::describeKernels(Operation *module, ArrayRef<PtxasKernelInfo> ptxas) {
  std::vector<LaunchFacts> kernels;
  WalkResult result = module->walk([&](gpu::GPUFuncOp function) {
    if (!function.isKernel())
      return WalkResult::advance();
    FailureOr<LaunchFacts> kernel = describeKernel(function, ptxas);
    if (failed(kernel))
      return WalkResult::interrupt();
    kernels.push_back(std::move(*kernel));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return kernels;
}

namespace {
/// Launch facts as JSON, by the table of their fields. Fields without a value
/// are left out.
struct FactsWriter {
  json::Object object;

  template <typename Member>
  void operator()(const FactField &field, const Member &member,
                  const Member &) {
    if (std::optional<json::Value> value = write(member))
      object[field.key] = std::move(*value);
  }

  template <typename T>
  static json::Value writeRecord(const T &record) {
    FactsWriter writer;
    T::forEachField(record, writer);
    return std::move(writer.object);
  }
  static std::optional<json::Value> write(bool value) { return value; }
  static std::optional<json::Value> write(int64_t value) { return value; }
  static std::optional<json::Value> write(double value) { return value; }
  static std::optional<json::Value> write(const std::string &value) {
    if (value.empty())
      return std::nullopt;
    return json::fixUTF8(value);
  }
  static std::optional<json::Value> write(const ProblemName &value) {
    return value.name;
  }
  static std::optional<json::Value> write(const KernelParameter &value) {
    return value.str();
  }
  static std::optional<json::Value> write(ParameterType value) {
    return getParameterTypeName(value);
  }
  template <size_t N>
  static std::optional<json::Value> write(const std::array<int64_t, N> &list) {
    // Extents of 0 stand for a grid of another kind.
    if (llvm::is_contained(list, 0))
      return std::nullopt;
    return json::Value(json::Array(list));
  }
  template <typename T>
  static std::optional<json::Value> write(const std::optional<T> &value) {
    if (!value)
      return std::nullopt;
    return writeRecord(*value);
  }
  template <typename T>
  static std::optional<json::Value> write(const std::vector<T> &list) {
    if (list.empty())
      return std::nullopt;
    json::Array array;
    for (const T &value : list)
      array.push_back(*write(value));
    return json::Value(std::move(array));
  }
  template <typename T>
  static std::optional<json::Value> write(const T &record) {
    return writeRecord(record);
  }
};
} // namespace

static json::Array describeExtents(ArrayRef<std::optional<int64_t>> values) {
  json::Array array;
  for (std::optional<int64_t> value : values)
    array.push_back(value ? json::Value(*value) : json::Value(nullptr));
  return array;
}

static json::Object describeScalar(const ArtifactScalar &scalar) {
  if (scalar.argument)
    return json::Object{{"argument", *scalar.argument}};
  return json::Object{{"value", scalar.value}};
}

static json::Object describeChoice(const ArtifactChoice &choice) {
  json::Array prepare;
  for (const ArtifactPrepare &copy : choice.prepare)
    prepare.push_back(json::Object{{"operand", copy.operand},
                                   {"kernel", copy.kernel},
                                   {"contiguous", copy.contiguous},
                                   {"pitch_multiple", copy.pitchMultiple}});
  return json::Object{{"kernel", choice.kernel},
                      {"prepare", std::move(prepare)}};
}

/// Adds "choices", or "kernels" where nothing is prepared and names will do.
static void describeChoices(const ArtifactStep &step, json::Object &object) {
  bool prepares = llvm::any_of(
      step.choices, [](const auto &choice) { return !choice.prepare.empty(); });
  json::Array array;
  for (const ArtifactChoice &choice : step.choices)
    array.push_back(prepares ? json::Value(describeChoice(choice))
                             : json::Value(choice.kernel));
  object[prepares ? "choices" : "kernels"] = std::move(array);
}

static json::Object describeMatrix(const ArtifactMatrix &matrix) {
  json::Object object{{"extents", json::Array(matrix.extents)}};
  if (matrix.map.empty())
    object["strides"] = json::Array(matrix.strides);
  else
    object["map"] = matrix.map;
  return object;
}

/// The operands that are not arguments as they are, by name.
static json::Object describeMatrices(const ArtifactStep &step) {
  json::Object object;
  for (auto [name, matrix] :
       llvm::zip_equal(ArrayRef{"A", "B", "C", "D"}, step.matrices))
    if (matrix)
      object[name] = describeMatrix(*matrix);
  return object;
}

static json::Object describeStep(const ArtifactStep &step) {
  json::Object object{{"op", step.op},
                      {"A", step.a},
                      {"B", step.b},
                      {"D", step.d},
                      {"alpha", describeScalar(step.alpha)},
                      {"beta", describeScalar(step.beta)}};
  if (!step.epilogue.empty()) {
    json::Array operands;
    for (const ArtifactEpilogueOperand &operand : step.epilogueOperands) {
      json::Object own{{"argument", operand.argument},
                       {"indices", json::Array(operand.indices)}};
      if (operand.matrix)
        own["matrix"] = describeMatrix(*operand.matrix);
      operands.push_back(std::move(own));
    }
    object["epilogue"] = json::Object{{"expression", step.epilogue},
                                      {"operands", std::move(operands)}};
  }
  if (json::Object matrices = describeMatrices(step); !matrices.empty())
    object["matrices"] = std::move(matrices);
  describeChoices(step, object);
  if (!step.reason.empty())
    object["reason"] = json::fixUTF8(step.reason);
  object["C"] = step.c ? json::Value(*step.c) : json::Value(nullptr);
  return object;
}

static json::Object describeEntry(const ArtifactEntry &entry) {
  json::Array arguments, steps;
  for (const ArtifactArgument &argument : entry.arguments) {
    bool isTensor = argument.kind == ArtifactArgument::Kind::Tensor;
    json::Object object{{"kind", isTensor ? "tensor" : "scalar"},
                        {"type", argument.type}};
    if (isTensor) {
      object["shape"] = describeExtents(argument.shape);
      object["strides"] = describeExtents(argument.strides);
    }
    arguments.push_back(std::move(object));
  }
  for (const ArtifactStep &step : entry.steps)
    steps.push_back(describeStep(step));
  return json::Object{{"name", entry.name},
                      {"arguments", std::move(arguments)},
                      {"steps", std::move(steps)}};
}

static json::Object describeSimulator(const SimulatorObject &simulator) {
  json::Object kernels;
  for (const SimKernel &kernel : simulator.kernels)
    kernels[kernel.name] = json::Object{{"symbol", kernel.symbol},
                                        {"shared_bytes", kernel.sharedBytes}};
  json::Array sites;
  for (const std::string &site : simulator.sites)
    sites.push_back(json::fixUTF8(site));
  return json::Object{{"cpu", simulator.cpu},
                      {"kernels", std::move(kernels)},
                      {"sites", std::move(sites)}};
}

json::Object tile::buildManifest(const Artifact &artifact) {
  json::Array entries;
  for (const ArtifactEntry &entry : artifact.entries)
    entries.push_back(describeEntry(entry));
  json::Array kernels;
  for (const LaunchFacts &facts : artifact.kernels)
    kernels.push_back(FactsWriter::writeRecord(facts));
  json::Object manifest{
      {"version", 1},
      {"producer", "tile " TILE_VERSION_STRING ", LLVM " LLVM_VERSION_STRING},
      {"target",
       json::Object{{"chip", artifact.chip}, {"ptx", artifact.ptxVersion}}},
      {"entries", std::move(entries)},
      {"kernels", std::move(kernels)}};
  if (artifact.simulator)
    manifest["sim"] = describeSimulator(*artifact.simulator);
  return manifest;
}
