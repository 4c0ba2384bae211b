// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact's manifest: every fact that a launch needs, as JSON.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "tile/Target/Artifact.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace mlir;
namespace json = llvm::json;

static constexpr StringLiteral kFactsAttr = "tile.launch_facts";

static std::string printed(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << attribute;
  return text;
}

/// `attribute` as JSON. A unit is null; an attribute that has no JSON
/// counterpart, such as a schedule, is its own text.
static json::Value toJSON(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, json::Value>(attribute)
      .Case<UnitAttr>([](UnitAttr) { return nullptr; })
      .Case<BoolAttr>([](BoolAttr value) { return value.getValue(); })
      .Case<IntegerAttr>([](IntegerAttr value) { return value.getInt(); })
      .Case<FloatAttr>([](FloatAttr value) { return value.getValueAsDouble(); })
      .Case<StringAttr>([](StringAttr value) { return value.str(); })
      .Case<SymbolRefAttr>(
          [](SymbolRefAttr value) { return value.getLeafReference().str(); })
      .Case<ArrayAttr>([](ArrayAttr value) {
        json::Array array;
        for (Attribute element : value)
          array.push_back(toJSON(element));
        return json::Value(std::move(array));
      })
      .Case<DictionaryAttr>([](DictionaryAttr value) {
        json::Object object;
        for (NamedAttribute entry : value)
          object[entry.getName().str()] = toJSON(entry.getValue());
        return json::Value(std::move(object));
      })
      .Case<DenseI64ArrayAttr>([](DenseI64ArrayAttr value) {
        return json::Value(json::Array(value.asArrayRef()));
      })
      .Case<DenseI32ArrayAttr>([](DenseI32ArrayAttr value) {
        return json::Value(json::Array(value.asArrayRef()));
      })
      .Default([](Attribute value) { return printed(value); });
}

/// Registers per chip of the kernel `name`, or null.
static json::Value registersOf(StringRef name,
                               ArrayRef<PtxasKernelInfo> ptxas) {
  json::Object registers;
  for (const PtxasKernelInfo &info : ptxas)
    if (info.name == name)
      registers[info.chip] = info.registers;
  if (registers.empty())
    return nullptr;
  return json::Value(std::move(registers));
}

/// A parameter's type as the manifest spells it.
static std::string describeParameter(gpu::GPUFuncOp function, unsigned i) {
  if (function.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
    return "tensor_map";
  Type type = function.getArgumentTypes()[i];
  if (isa<LLVM::LLVMPointerType>(type))
    return "ptr";
  // An index has 64 bits on every target.
  if (type.isIndex())
    return "i64";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Bytes of the static shared memory that a kernel names itself.
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

/// Adds what a kernel that was written by hand leaves out.
static LogicalResult completeFacts(gpu::GPUFuncOp function,
                                   json::Object &kernel) {
  unsigned arguments = function.getNumArguments();
  const json::Array *names = kernel.getArray("parameters");
  if (names && !kernel.get("parameter_types")) {
    if (names->size() != arguments)
      return function.emitError()
             << "expected 'parameters' to name each of the " << arguments
             << " arguments of the kernel '" << function.getName()
             << "', but got " << names->size();
    json::Array types;
    for (unsigned i = 0; i < arguments; ++i)
      types.push_back(describeParameter(function, i));
    kernel["parameter_types"] = std::move(types);
  }
  if (!kernel.get("shared_bytes"))
    kernel["shared_bytes"] = countShared(function);
  if (!kernel.get("schedule"))
    kernel["schedule"] = "written by hand";
  return success();
}

static FailureOr<json::Object> describeKernel(gpu::GPUFuncOp function,
                                              ArrayRef<PtxasKernelInfo> ptxas) {
  auto facts = function->getAttrOfType<DictionaryAttr>(kFactsAttr);
  if (!facts)
    return function.emitError()
           << "expected the attribute '" << kFactsAttr
           << "' on a kernel of an artifact, but got none on '"
           << function.getName() << "'";
  json::Object kernel;
  for (NamedAttribute entry : facts)
    kernel[entry.getName().str()] = toJSON(entry.getValue());
  kernel["name"] = function.getName().str();
  if (std::optional<ArrayRef<int32_t>> block = function.getKnownBlockSize())
    kernel["block"] = json::Array(*block);
  else if (!kernel.get("block"))
    return function.emitError()
           << "expected a known block size for the kernel '"
           << function.getName() << "', but got none";
  if (failed(completeFacts(function, kernel)))
    return failure();
  kernel["registers"] = registersOf(function.getName(), ptxas);
  return kernel;
}

FailureOr<json::Array> tile::describeKernels(Operation *module,
                                             ArrayRef<PtxasKernelInfo> ptxas) {
  json::Array kernels;
  WalkResult result = module->walk([&](gpu::GPUFuncOp function) {
    if (!function.isKernel())
      return WalkResult::advance();
    FailureOr<json::Object> kernel = describeKernel(function, ptxas);
    if (failed(kernel))
      return WalkResult::interrupt();
    kernels.push_back(std::move(*kernel));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return kernels;
}

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

static json::Object describeStep(const ArtifactStep &step) {
  json::Object object{{"op", step.op},
                      {"A", step.a},
                      {"B", step.b},
                      {"D", step.d},
                      {"alpha", describeScalar(step.alpha)},
                      {"beta", describeScalar(step.beta)}};
  describeChoices(step, object);
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
  json::Object manifest{
      {"version", 1},
      {"producer", "tile " TILE_VERSION_STRING ", LLVM " LLVM_VERSION_STRING},
      {"target",
       json::Object{{"chip", artifact.chip}, {"ptx", artifact.ptxVersion}}},
      {"entries", std::move(entries)},
      {"kernels", json::Array(artifact.kernels)}};
  if (artifact.simulator)
    manifest["sim"] = describeSimulator(*artifact.simulator);
  return manifest;
}
