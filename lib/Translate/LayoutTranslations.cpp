// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers the translations that draw layouts: to text, SVG and LaTeX.
#include "tile/Translate/LayoutTranslations.h"

#include "Drawable.h"
#include "ThreadMapPicture.h"
#include "tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile;
namespace cl = llvm::cl;

namespace {
/// The command line of the translations.
struct LayoutOptions {
  cl::opt<std::string> name{
      "name", cl::desc("the layout to draw; all of the input if absent"),
      cl::value_desc("name")};
  cl::opt<int64_t> highlightThread{"highlight-thread",
                                   cl::desc("thread whose cells stand out"),
                                   cl::value_desc("N")};
  cl::opt<int64_t> highlightValue{
      "highlight-value",
      cl::desc("value of a thread, or offset of a layout, that stands out"),
      cl::value_desc("N")};
  cl::opt<bool> banks{"banks",
                      cl::desc("write the shared-memory bank into each cell"),
                      cl::init(false)};
  cl::opt<int64_t> elementBytes{"element-bytes",
                                cl::desc("bytes of an element, for banks"),
                                cl::value_desc("N"), cl::init(4)};
  cl::opt<std::string> memory{
      "memory",
      cl::desc("where a thread map's tile lies, for banks: a layout, or the "
               "name of one in the input"),
      cl::value_desc("layout")};
  cl::opt<bool> threadValue{
      "thread-value",
      cl::desc("draw layouts of two modes as (thread, value) layouts"),
      cl::init(false)};
  cl::opt<int64_t> iteration{
      "iteration",
      cl::desc("the one iteration of a thread map to draw; all of "
               "them if absent"),
      cl::value_desc("N")};
  cl::opt<int64_t> highlightWarp{
      "highlight-warp", cl::desc("warp of a thread map whose cells stand out"),
      cl::value_desc("N")};

  ThreadMapPictureOptions threadMap() const {
    ThreadMapPictureOptions options;
    if (iteration.getNumOccurrences())
      options.iteration = iteration;
    if (highlightWarp.getNumOccurrences())
      options.highlightWarp = highlightWarp;
    if (highlightThread.getNumOccurrences())
      options.highlightThread = highlightThread;
    return options;
  }
  PictureOptions picture() const {
    PictureOptions options;
    if (highlightThread.getNumOccurrences())
      options.highlightThread = highlightThread;
    if (highlightValue.getNumOccurrences())
      options.highlightValue = highlightValue;
    options.banks = banks;
    options.elementBytes = elementBytes;
    return options;
  }
};

/// What all translations share; lives as long as the last of them.
struct LayoutState {
  std::function<void(DialectRegistry &)> registerDialects;
  LayoutOptions options;
};
} // namespace

/// The names of the input's layouts for messages, up to eight of them.
static std::string listNames(ArrayRef<Drawable> drawables) {
  std::string list;
  for (const Drawable &drawable : drawables.take_front(8))
    list += (list.empty() ? "'" : ", '") + drawable.name + "'";
  if (drawables.size() > 8)
    list += (", and " + Twine(drawables.size() - 8) + " more").str();
  return list;
}

/// Skips white space and comments.
static StringRef skipBlanks(StringRef text) {
  while (true) {
    text = text.ltrim();
    if (!text.starts_with("//"))
      return text;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
}

/// Where `text`, a part of the main buffer, starts.
static FileLineColLoc getStart(llvm::SourceMgr &sourceMgr, StringRef text,
                               MLIRContext *context) {
  unsigned buffer = sourceMgr.getMainFileID();
  auto [line, column] = sourceMgr.getLineAndColumn(
      llvm::SMLoc::getFromPointer(text.data()), buffer);
  return FileLineColLoc::get(
      context, sourceMgr.getMemoryBuffer(buffer)->getBufferIdentifier(), line,
      column);
}

/// Parses the attribute at the start of `text`. The parser of attributes counts
/// lines and columns from there; errors are moved to their place in the file.
static Attribute parseAttributeAt(FileLineColLoc start, StringRef text,
                                  size_t &consumed) {
  MLIRContext *context = start.getContext();
  std::optional<std::pair<Location, std::string>> error;
  SmallVector<std::string> notes;
  Attribute attribute;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      Location loc = start;
      if (auto local = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
        loc = FileLineColLoc::get(
            start.getFilename(), start.getLine() + local.getLine() - 1,
            local.getColumn() +
                (local.getLine() == 1 ? start.getColumn() - 1 : 0));
      if (error)
        return success();
      error = {loc, diagnostic.str()};
      for (Diagnostic &note : diagnostic.getNotes())
        notes.push_back(note.str());
      return success();
    });
    attribute = parseAttribute(text, context, Type(), &consumed);
  }
  if (error) {
    InFlightDiagnostic report = emitError(error->first) << error->second;
    for (const std::string &note : notes)
      report.attachNote() << note;
  }
  return attribute;
}

/// Reads attributes that stand alone, one behind the other.
static FailureOr<SmallVector<Drawable>>
readAttributes(llvm::SourceMgr &sourceMgr, StringRef text,
               MLIRContext *context) {
  SmallVector<Drawable> drawables;
  while (!(text = skipBlanks(text)).empty()) {
    size_t consumed = 0;
    FileLineColLoc loc = getStart(sourceMgr, text, context);
    Attribute attribute = parseAttributeAt(loc, text, consumed);
    if (!attribute)
      return failure();
    size_t before = drawables.size();
    collectDrawables(attribute, "", loc, drawables);
    if (drawables.size() == before)
      return emitError(loc) << "expected a layout, a thread map or a multiply "
                               "atom, but got "
                            << attribute;
    text = text.drop_front(consumed);
  }
  return drawables;
}

/// Reads the input, whichever of the two forms it has.
static FailureOr<SmallVector<Drawable>>
readInput(const std::shared_ptr<llvm::SourceMgr> &sourceMgr,
          MLIRContext *context) {
  StringRef text =
      sourceMgr->getMemoryBuffer(sourceMgr->getMainFileID())->getBuffer();
  // No alias of a module may have a dot in its name.
  if (skipBlanks(text).starts_with("#tile."))
    return readAttributes(*sourceMgr, text, context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context));
  if (!module)
    return failure();
  SmallVector<Drawable> drawables = collectDrawables(*module);
  if (drawables.empty())
    return module->emitError()
           << "expected a layout, a thread map or a multiply atom among the "
              "attributes and results of the module, but got none";
  return drawables;
}

/// The layout that `--memory` means.
static Result<std::optional<ComposedLayout>>
findMemory(StringRef wanted, ArrayRef<Drawable> drawables) {
  if (wanted.empty())
    return std::optional<ComposedLayout>();
  for (const Drawable &drawable : drawables)
    if (!drawable.tile && drawable.isCalled(wanted))
      return std::optional<ComposedLayout>(drawable.layout);
  Result<ComposedLayout> layout = ComposedLayout::parse(wanted);
  if (!layout)
    return Reason("expected the name or the text of a layout for --memory, but "
                  "got '" +
                  wanted + "': " + layout.getReason());
  return std::optional<ComposedLayout>(*layout);
}

/// The picture of a thread map, with its name in front.
static Result<Picture> drawThreadMap(const Drawable &drawable,
                                     const LayoutOptions &options) {
  Result<Picture> picture =
      makeThreadMapPicture(drawable.map, options.threadMap());
  if (picture && !drawable.name.empty())
    picture->title = drawable.name + ": " + picture->title;
  return picture;
}

/// Makes the pictures that the command line asks for: of thread maps with the
/// numbers of threads, or of everything as a layout.
static FailureOr<SmallVector<Picture>>
makePictures(const LayoutState &state, bool threadMaps,
             const std::shared_ptr<llvm::SourceMgr> &sourceMgr,
             MLIRContext *context) {
  DialectRegistry registry;
  registry.insert<TileDialect>();
  if (state.registerDialects)
    state.registerDialects(registry);
  context->appendDialectRegistry(registry);
  // An error is one sentence, without a dump of the module.
  context->printOpOnDiagnostic(false);
  FailureOr<SmallVector<Drawable>> drawables = readInput(sourceMgr, context);
  if (failed(drawables))
    return failure();
  const LayoutOptions &options = state.options;
  Location loc = UnknownLoc::get(context);
  Result<std::optional<ComposedLayout>> memory =
      findMemory(options.memory, *drawables);
  if (!memory)
    return emitError(loc) << memory.getReason();

  SmallVector<Picture> pictures;
  for (const Drawable &drawable : *drawables) {
    if (!options.name.empty() && !drawable.isCalled(options.name))
      continue;
    if (threadMaps && !drawable.map)
      continue;
    Result<Picture> picture =
        threadMaps
            ? drawThreadMap(drawable, options)
            : draw(drawable, *memory, options.picture(), options.threadValue);
    if (!picture) {
      InFlightDiagnostic error = emitError(drawable.loc);
      if (!drawable.name.empty())
        error << "'" << drawable.name << "' cannot be drawn: ";
      return error << picture.getReason();
    }
    pictures.push_back(std::move(*picture));
  }
  if (pictures.empty() && options.name.empty())
    return emitError(loc) << "expected a thread map, but got layouts only";
  if (pictures.empty())
    return emitError(loc) << "expected --name to be one of "
                          << listNames(*drawables) << ", but got '"
                          << options.name << "'";
  return pictures;
}

void tile::registerLayoutTranslations(
    std::function<void(DialectRegistry &)> registerDialects) {
  auto state = std::make_shared<LayoutState>();
  state->registerDialects = std::move(registerDialects);
  using Printer = void (*)(ArrayRef<Picture>, raw_ostream &);
  auto add = [&](StringRef name, StringRef description, Printer print,
                 bool threadMaps = false) {
    TranslateRegistration(name, description,
                          [state, print, threadMaps](
                              const std::shared_ptr<llvm::SourceMgr> &sourceMgr,
                              raw_ostream &output, MLIRContext *context) {
                            FailureOr<SmallVector<Picture>> pictures =
                                makePictures(*state, threadMaps, sourceMgr,
                                             context);
                            if (failed(pictures))
                              return failure();
                            print(*pictures, output);
                            return success();
                          });
  };
  Printer printTexts = [](ArrayRef<Picture> pictures, raw_ostream &output) {
    llvm::interleave(
        pictures, [&](const Picture &picture) { printText(picture, output); },
        [&] { output << '\n'; });
  };
  add("layout-to-text", "layouts to tables of text", printTexts);
  add("layout-to-svg", "layouts to one SVG picture", printSVG);
  add("layout-to-latex", "layouts to one LaTeX document, a page each",
      printLatex);
  add("thread-map-to-text", "thread maps to tables of thread numbers",
      printTexts, /*threadMaps=*/true);
  add("thread-map-to-latex", "thread maps to one LaTeX document, a page each",
      printLatex, /*threadMaps=*/true);
  add("thread-map-to-svg", "thread maps to one SVG picture", printSVG,
      /*threadMaps=*/true);
}
