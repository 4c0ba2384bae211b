// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an artifact file to a C header that holds it, and to text for people.

#include "tile/Target/Artifact.h"
#include "tile/Target/Translations.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace mlir;
namespace cl = llvm::cl;

/// Parses the one buffer of `sources`. The view points into it.
static FailureOr<ArtifactView> readArtifact(const llvm::SourceMgr &sources,
                                            StringRef &bytes,
                                            MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  bytes = buffer->getBuffer();
  llvm::Expected<ArtifactView> view = parseArtifact(bytes);
  if (view)
    return std::move(*view);
  emitError(FileLineColLoc::get(context, buffer->getBufferIdentifier(), 0, 0))
      << llvm::toString(view.takeError());
  return failure();
}

static std::string describeBlob(StringRef name, StringRef blob) {
  return (name +
          (blob.empty() ? ": none" : ": " + Twine(blob.size()) + " bytes"))
      .str();
}

/// One line on its size and its code, then the manifest.
static void printText(StringRef bytes, const ArtifactView &view,
                      raw_ostream &output) {
  output << "// artifact of " << bytes.size() << " bytes; "
         << describeBlob("PTX", view.ptx) << ", "
         << describeBlob("cubin", view.cubin) << ", "
         << describeBlob("simulator code", view.simulator) << "\n"
         << llvm::formatv("{0:2}",
                          llvm::json::Value(llvm::json::Object(view.manifest)))
         << "\n";
}

/// Whether C has `name` for a variable, as far as letters go.
static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// The names of a list of objects of the manifest, for a comment.
static std::string listNames(const llvm::json::Object &manifest,
                             StringRef list) {
  std::string names;
  if (const llvm::json::Array *items = manifest.getArray(list))
    for (const llvm::json::Value &item : *items)
      if (const llvm::json::Object *object = item.getAsObject())
        if (std::optional<StringRef> name = object->getString("name"))
          // A name is text from a file: no comment ends in it.
          if (!name->contains("*/"))
            names += (names.empty() ? "" : ", ") + name->str();
  return names.empty() ? "none" : names;
}

static void printHeader(StringRef symbol, StringRef bytes,
                        const ArtifactView &view, raw_ostream &output) {
  std::string guard = symbol.upper() + "_H";
  output << "/* An artifact of Tile for tileRtModuleLoad(device, " << symbol
         << ", sizeof " << symbol
         << ", &module).\n * Entries: " << listNames(view.manifest, "entries")
         << "\n * Kernels: " << listNames(view.manifest, "kernels")
         << "\n * Made by tile-translate --artifact-to-header. */\n#ifndef "
         << guard << "\n#define " << guard << "\n\nstatic const unsigned char "
         << symbol << "[" << bytes.size() << "] = {";
  for (auto [i, byte] : llvm::enumerate(bytes))
    output << (i % 20 ? ","
               : i    ? ",\n"
                      : "\n")
           << static_cast<unsigned>(static_cast<unsigned char>(byte));
  output << "};\n\n#endif /* " << guard << " */\n";
}

void tile::registerArtifactTranslations() {
  auto symbol = std::make_shared<cl::opt<std::string>>(
      "symbol",
      cl::desc("the name of the array that --artifact-to-header writes"),
      cl::value_desc("name"), cl::init("tile_artifact"));
  TranslateRegistration(
      "artifact-to-text", "an artifact file to text: its size and its manifest",
      [](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &output,
         MLIRContext *context) {
        StringRef bytes;
        FailureOr<ArtifactView> view = readArtifact(*sources, bytes, context);
        if (succeeded(view))
          printText(bytes, *view, output);
        return success(succeeded(view));
      });
  TranslateRegistration(
      "artifact-to-header", "an artifact file to a C header that holds it",
      [symbol](const std::shared_ptr<llvm::SourceMgr> &sources,
               raw_ostream &output, MLIRContext *context) -> LogicalResult {
        if (!isIdentifier(*symbol))
          return emitError(UnknownLoc::get(context))
                 << "--symbol: expected a name of letters, digits and _, but "
                    "got '"
                 << *symbol << "'";
        StringRef bytes;
        FailureOr<ArtifactView> view = readArtifact(*sources, bytes, context);
        if (succeeded(view))
          printHeader(*symbol, bytes, *view, output);
        return success(succeeded(view));
      });
}
