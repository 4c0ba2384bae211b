// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-translate: from a file to PTX, cubin, an artifact or a picture.
#include "Tools.h"

#include "Support/InputFile.h"
#include "Support/OutputFile.h"
#include "Support/Process.h"
#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/Translations.h"
#include "tile/Translate/LayoutTranslations.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;
namespace cl = llvm::cl;

namespace {

/// The command line, beside the options of the translations.
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("<input file>"),
                             cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("Output filename"),
                              cl::value_desc("filename"), cl::init("-")};
  cl::opt<bool> splitInput{"split-input-file",
                           cl::desc("Translate the parts between lines "
                                    "// ----- one by one"),
                           cl::init(false)};
  cl::opt<bool> verifyDiagnostics{
      "verify-diagnostics",
      cl::desc("Compare the diagnostics with expected-error comments"),
      cl::init(false)};
  // Required, but said so by us: the library says it once for each name.
  cl::list<const Translation *, bool, TranslationParser> translations{
      "", cl::desc("Translations to perform")};
};

} // namespace

/// Lists the names of the translations, for a sentence.
static std::string listTranslations() {
  std::string names;
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (name.contains("-to-"))
      names += (names.empty() ? "--" : ", --") + name.str();
  return names;
}

/// Translates one buffer, an input or a part of it.
static LogicalResult translateBuffer(const Options &options,
                                     const Translation &translation,
                                     std::unique_ptr<llvm::MemoryBuffer> buffer,
                                     raw_ostream &output) {
  MLIRContext context;
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  if (options.verifyDiagnostics) {
    SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
    // Whether it fails is for the comments to say.
    (void)translation(sources, output, &context);
    return handler.verify();
  }
  SourceMgrDiagnosticHandler handler(*sources, &context);
  return translation(sources, output, &context);
}

static int translateFile(const Options &options,
                         const Translation &translation) {
  const std::string &input = options.input, &output = options.output;
  if (output != "-" && isSameFile(input, output))
    return failTool("-o: expected another file than the input, but got " +
                    output);
  Result<std::unique_ptr<llvm::MemoryBuffer>> text = readFile(input);
  if (!text)
    return failTool(input + ": " + text.getReason());
  Result<OutputFile> file = OutputFile::create(output);
  if (!file)
    return failTool(output + ": " + file.getReason());
  std::string result;
  llvm::raw_string_ostream stream(result);
  LogicalResult translated = splitAndProcessBuffer(
      std::move(*text),
      [&](std::unique_ptr<llvm::MemoryBuffer> part, raw_ostream &out) {
        return translateBuffer(options, translation, std::move(part), out);
      },
      stream, options.splitInput ? kDefaultSplitMarker : "");
  if (failed(translated))
    return Failed;
  if (std::optional<std::string> reason = file->write(result))
    return failTool((output == "-" ? std::string("standard output") : output) +
                    ": " + *reason);
  return Passed;
}

int tileTranslateMain(int argc, char **argv) {
  TranslationHooks hooks;
  hooks.registerDialects = registerAllDialects;
  hooks.lowerToFloor3 = [](ModuleOp module, const LoweringChoices &choices) {
    CompileOptions options;
    options.chip = choices.chip;
    options.schedule = choices.schedule;
    options.tuningTable = choices.tuningTable;
    return lowerToFloor3(module, options);
  };
  hooks.collectEntries = collectEntries;
  registerTileTranslations(std::move(hooks));
  registerArtifactTranslations();
  registerLayoutTranslations(registerAllDialects);
  Options options;
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerTranslationCLOptions();
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Tile's translation driver\n",
                                   &llvm::errs()))
    return Failed;
  if (options.translations.size() != 1)
    return failTool("expected one translation of " + listTranslations() +
                    ", but got " +
                    (options.translations.empty()
                         ? std::string("none")
                         : std::to_string(options.translations.size())));
  return translateFile(options, *options.translations[0]);
}
