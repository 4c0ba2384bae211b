// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-opt: runs passes on a file.
#include "Tools.h"

#include "Support/InputFile.h"
#include "Support/OutputFile.h"
#include "Support/Process.h"
#include "tile/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
namespace cl = llvm::cl;

static int runPasses(llvm::StringRef input, llvm::StringRef output,
                     mlir::DialectRegistry &registry,
                     const mlir::MlirOptMainConfig &config) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> text = readFile(input);
  if (!text)
    return failTool(input + ": " + text.getReason());
  Result<OutputFile> file = OutputFile::create(output);
  if (!file)
    return failTool(output + ": " + file.getReason());
  // Written whole after success: a failure leaves the old file alone.
  std::string result;
  llvm::raw_string_ostream stream(result);
  bool passed = succeeded(
      mlir::MlirOptMain(stream, std::move(*text), registry, config));
  // On a terminal, what there is of a failed run is worth a look.
  if (passed || output == "-")
    if (std::optional<std::string> reason = file->write(result))
      return failTool((output == "-" ? "standard output" : output) + ": " +
                      *reason);
  return passed ? Passed : Failed;
}

int tileOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  std::string help =
      mlir::registerCLIOptions("Tile's pass driver\n", registry);
  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"),
                             cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("Output filename"),
                              cl::value_desc("filename"), cl::init("-"));
  // An error is a sentence, not a listing of the module that it is in, unless
  // the command line asks for that.
  constexpr llvm::StringLiteral kPrintOp = "mlir-print-op-on-diagnostic";
  std::string quiet = ("--" + kPrintOp + "=false").str();
  llvm::SmallVector<const char *> arguments(argv, argv + argc);
  if (llvm::none_of(arguments, [&](llvm::StringRef argument) {
        return argument.contains(kPrintOp);
      }))
    arguments.insert(arguments.begin() + 1, quiet.c_str());
  if (!cl::ParseCommandLineOptions(static_cast<int>(arguments.size()),
                                   arguments.data(), help, &llvm::errs()))
    return Failed;
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldListPasses()) {
    mlir::printRegisteredPasses();
    return Passed;
  }
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ",");
    llvm::outs() << "\n";
    return Passed;
  }
  return runPasses(input, output, registry, config);
}
