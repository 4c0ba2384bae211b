// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM as a library: target machines, an optimisation pipeline, code emission.

#include "Backend.h"
#include "SwizzledAddresses.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

using namespace tile;

void tile::initializeBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

/// Level 3 is no better than 2 here: NVPTX writes the same text, only slower.
static llvm::CodeGenOptLevel codegenLevel(unsigned level) {
  switch (level) {
  case 0:
    return llvm::CodeGenOptLevel::None;
  case 1:
    return llvm::CodeGenOptLevel::Less;
  default:
    return llvm::CodeGenOptLevel::Default;
  }
}

std::unique_ptr<llvm::TargetMachine>
tile::createTargetMachine(const BackendOptions &options) {
  initializeBackends();
  llvm::Triple triple(options.triple);
  std::string reason;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return nullptr;
  llvm::TargetOptions targetOptions;
  // An fma is written as one; nothing else may become one.
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, options.cpu, options.features, targetOptions, options.relocModel,
      options.codeModel, codegenLevel(options.optLevel)));
}

namespace {
/// Turns LLVM errors into errors at one MLIR op.
struct ForwardingHandler : llvm::DiagnosticHandler {
  ForwardingHandler(mlir::Operation *op, std::shared_ptr<unsigned> errors)
      : op(op), errors(std::move(errors)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    ++*errors;
    op->emitError() << "LLVM: " << text;
    return true;
  }

  mlir::Operation *op;
  std::shared_ptr<unsigned> errors;
};
} // namespace

std::shared_ptr<unsigned> tile::forwardDiagnostics(llvm::LLVMContext &context,
                                                   mlir::Operation *op) {
  auto errors = std::make_shared<unsigned>(0);
  context.setDiagnosticHandler(std::make_unique<ForwardingHandler>(op, errors));
  return errors;
}

static llvm::InstCombinePass createInstCombine() {
  return llvm::InstCombinePass(
      llvm::InstCombineOptions().setMaxIterations(1).setVerifyFixpoint(false));
}

/// Cleans up what lowering leaves behind: repeated address arithmetic, masks
/// tested twice, values that do not change in a loop. Small loops of constant
/// trip count are unrolled, so that fragments in memory become registers. Made
/// here and not parsed from text, since LLVM's parser of pipelines refers to
/// all of its passes, 3 MB of each binary.
static llvm::FunctionPassManager createKernelPipeline() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(createInstCombine());
  llvm::LoopPassManager invariants;
  invariants.addPass(llvm::LoopRotatePass());
  invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(invariants),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass()));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::GVNPass());
  passes.addPass(createInstCombine());
  passes.addPass(SwizzledAddressesPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

/// Packs the independent FMAs of a thread into the host's vector registers.
static llvm::FunctionPassManager createVectorizePipeline() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SLPVectorizerPass());
  passes.addPass(createInstCombine());
  return passes;
}

/// Whether a function with a body is called anywhere.
static bool hasCalls(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return !function.isDeclaration() && !function.use_empty();
  });
}

void tile::optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                          unsigned level, bool vectorize) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = vectorize;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::ModulePassManager passes;
  if (level == 0) {
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  } else if (hasCalls(module)) {
    passes = builder.buildPerModuleDefaultPipeline(
        level == 1   ? llvm::OptimizationLevel::O1
        : level == 2 ? llvm::OptimizationLevel::O2
                     : llvm::OptimizationLevel::O3);
  } else {
    passes.addPass(
        llvm::createModuleToFunctionPassAdaptor(createKernelPipeline()));
    if (vectorize)
      passes.addPass(
          llvm::createModuleToFunctionPassAdaptor(createVectorizePipeline()));
  }
  passes.run(module, modules);
}

bool tile::emitModule(llvm::Module &module, llvm::TargetMachine &machine,
                      llvm::CodeGenFileType type,
                      llvm::SmallVectorImpl<char> &output) {
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type,
                                  /*DisableVerify=*/true))
    return false;
  passes.run(module);
  return true;
}
