// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's math library for the GPU, linked only when a kernel calls it.

#include "Libdevice.h"

#include "tile/Target/Cubin.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace tile;
using namespace mlir;

/// The declared functions of libdevice that are called.
static std::vector<std::string> unresolved(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        function.getName().starts_with("__nv_"))
      names.push_back(function.getName().str());
  return names;
}

static std::string findLibdevice() {
  for (const std::string &directory : cudaToolkitDirectories()) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, "nvvm", "libdevice", "libdevice.10.bc");
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return {};
}

/// Answers what libdevice asks of the compiler: square roots inside of its
/// functions round to nearest, so that the error bounds of CUDA's default hold.
/// What else it asks LLVM answers.
static void answerQuestions(llvm::Module &module) {
  llvm::Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(reflect->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    llvm::StringRef name;
    if (!call || !llvm::getConstantStringInfo(call->getArgOperand(0), name) ||
        name != "__CUDA_PREC_SQRT")
      continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 1));
    call->eraseFromParent();
  }
}

LogicalResult tile::linkLibdevice(llvm::Module &module, llvm::StringRef path,
                                  Operation *op) {
  std::vector<std::string> names = unresolved(module);
  if (names.empty())
    return success();
  std::string file = path.empty() ? findLibdevice() : path.str();
  if (file.empty())
    return op->emitError() << "expected libdevice.10.bc of a CUDA toolkit (in "
                              "CUDA_HOME or /usr/local/cuda) for the math "
                              "function '"
                           << names.front() << "', but found none";

  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(file, diagnostic, module.getContext());
  if (!library)
    return op->emitError() << "expected LLVM bitcode in '" << file
                           << "', but got: " << diagnostic.getMessage();
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &added) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !added.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(module, std::move(library),
                                llvm::Linker::LinkOnlyNeeded, internalize))
    return op->emitError() << "expected '" << file
                           << "' to link with the kernels, but it does not";
  names = unresolved(module);
  if (!names.empty())
    return op->emitError() << "expected a function of libdevice, but got '"
                           << names.front() << "', which '" << file
                           << "' does not define";
  answerQuestions(module);
  // libdevice asks whether to flush denormals; kernels here never do.
  module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", uint32_t(0));
  return success();
}
