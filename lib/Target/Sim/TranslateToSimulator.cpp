// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from a floor-3 gpu.module to an object for the simulator.

#include "tile/Target/Simulator.h"

#include "../Common/Backend.h"
#include "../Common/Modules.h"
#include "LowerNVVM.h"
#include "SimulatorABI.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tile/Target/Translations.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/TargetParser/Host.h"

using namespace tile;
using namespace mlir;

std::string tile::defaultSimulatorCPU() {
#if defined(__x86_64__)
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  bool all =
      llvm::all_of(ArrayRef<StringRef>{"avx", "avx2", "bmi", "bmi2", "f16c",
                                       "fma", "lzcnt", "movbe", "xsave"},
                   [&](StringRef name) { return features.lookup(name); });
  if (all)
    return "x86-64-v3";
#endif
  return "x86-64";
}

/// What the simulator's loader resolves beside its own functions.
static bool isImport(StringRef name) {
  static constexpr StringLiteral others[] = {
      "memcpy",       "memmove",       "memset",       "fma",
      "fmaf",         "__extendhfsf2", "__truncdfbf2", "__truncdfhf2",
      "__truncsfbf2", "__truncsfhf2"};
  static constexpr StringLiteral math[] = {
      "acos",      "acosh",     "asin",      "asinh",     "atan",
      "atan2",     "atanh",     "cbrt",      "ceil",      "copysign",
      "cos",       "cosh",      "erf",       "erfc",      "exp",
      "exp2",      "expm1",     "fabs",      "floor",     "fmax",
      "fmin",      "fmod",      "log",       "log10",     "log1p",
      "log2",      "nearbyint", "pow",       "rint",      "round",
      "roundeven", "sin",       "sinh",      "sqrt",      "tan",
      "tanh",      "trunc"};
  if (isSimulatorFunction(name) || llvm::is_contained(others, name))
    return true;
  if (llvm::is_contained(math, name))
    return true;
  return name.consume_back("f") && llvm::is_contained(math, name);
}

/// Reports the first symbol that the simulator's loader would not find.
static LogicalResult checkImports(StringRef bytes, Operation *op) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(bytes, "simulator object"));
  if (!object)
    return op->emitError() << "expected LLVM to write an ELF object, but got: "
                           << llvm::toString(object.takeError());
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() &&
        !isImport(*name))
      return op->emitError() << "expected only functions that the simulator "
                                "provides, but got '"
                             << *name << "'";
  }
  return success();
}

/// What every function needs on a fiber's stack in anonymous memory.
static void setFunctionAttributes(llvm::Module &module) {
  for (llvm::Function &function : module) {
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (function.isDeclaration())
      continue;
    function.addFnAttr("no-jump-tables", "true");
  }
}

static FailureOr<OwningOpRef<ModuleOp>>
lowerKernels(Operation *root, SimulatorObject &result,
             const SimulatorOptions &options) {
  StageTimer timer(options.times, "lower");
  FailureOr<OwningOpRef<ModuleOp>> kernels = cloneKernels(root);
  if (failed(kernels))
    return failure();
  gpu::GPUModuleOp module = getKernels(**kernels);
  SmallVector<std::string> sites;
  SmallVector<SimKernel> simKernels;
  if (failed(instrumentAccesses(module, sites, options.count)) ||
      failed(lowerKernelsToLLVM(module, KernelTarget::Simulator)) ||
      failed(lowerNVVMToSimulator(module, sites, simKernels)))
    return failure();
  unwrapKernels(**kernels);
  result.sites.assign(sites.begin(), sites.end());
  result.kernels.assign(simKernels.begin(), simKernels.end());
  return kernels;
}

FailureOr<SimulatorObject>
tile::translateToSimulator(Operation *root, const SimulatorOptions &options) {
  auto emitError = [&] { return root->emitError(); };
  loadTargetDialects(*root->getContext());

  SimulatorObject result;
  result.cpu = options.cpu.empty() ? defaultSimulatorCPU() : options.cpu;
  FailureOr<OwningOpRef<ModuleOp>> kernels =
      lowerKernels(root, result, options);
  if (failed(kernels))
    return failure();

  BackendOptions backend;
  backend.triple = "x86_64-unknown-linux-gnu";
  backend.cpu = result.cpu;
  backend.optLevel = options.optLevel;
  // The object is loaded anywhere, far from the functions that it calls.
  backend.codeModel = llvm::CodeModel::Large;
  backend.relocModel = llvm::Reloc::Static;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(backend);
  if (!machine)
    return emitError() << "expected an LLVM with the X86 back end", failure();

  llvm::LLVMContext context;
  std::shared_ptr<unsigned> errors = forwardDiagnostics(context, root);
  std::unique_ptr<llvm::Module> module;
  {
    StageTimer timer(options.times, "translate");
    module = translateModuleToLLVMIR(**kernels, context, "tile");
    if (!module)
      return failure();
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
    setFunctionAttributes(*module);
  }
  {
    StageTimer timer(options.times, "optimise");
    optimizeModule(*module, *machine, options.optLevel, /*vectorize=*/true);
  }
  StageTimer timer(options.times, "codegen");
  llvm::SmallString<0> bytes;
  if (!emitModule(*module, *machine, llvm::CodeGenFileType::ObjectFile, bytes))
    return emitError() << "expected LLVM to write an object, but it cannot",
           failure();
  if (*errors || failed(checkImports(bytes, root)))
    return failure();
  result.object = bytes.str().str();
  return result;
}
