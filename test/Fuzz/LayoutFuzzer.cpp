// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: the parsers of tuples, layouts, attributes and types.
//
// An input that starts with `#tile.` or `!tile.` goes to the attribute or type
// parser of the dialect, any other to the parsers of the layout library. What
// is accepted has to print as text that reads back as the same. Each corpus
// file is one input. A long run:
//
//   tile-layout-fuzzer -dict=layouts.dict -max_len=256 -runs=1000000 corpus
#include "tile/IR/Tile.h"
#include "tile/Layout/Print.h"
#include "tile/Layout/Tiler.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;

/// Attributes and types stay in a context for good; a new one from time to time
/// bounds the memory.
static constexpr unsigned kRunsPerContext = 8192;

[[noreturn]] static void fail(const llvm::Twine &what, llvm::StringRef text) {
  llvm::errs() << what << ": " << text << '\n';
  abort();
}

/// The text of a value of the library reads back as the same value.
template <class T>
static void checkRoundTrip(const T &value) {
  std::string text = value.str();
  Result<T> again = T::parse(text);
  if (!again)
    fail(again.getReason(), text);
  if (*again != value)
    fail("reads back as " + again->str(), text);
}

/// The same for attributes and types.
template <class T>
static void checkRoundTrip(T value,
                           llvm::function_ref<T(llvm::StringRef)> parse) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os);
  if (parse(text) != value)
    fail("does not read back as the same", text);
}

static void runLibrary(llvm::StringRef text) {
  if (Result<IntTuple> tuple = IntTuple::parse(text))
    checkRoundTrip(*tuple);
  if (Result<Layout> layout = Layout::parse(text))
    checkRoundTrip(*layout);
  if (Result<Tiler> tiler = Tiler::parse(text))
    checkRoundTrip(*tiler);
  Result<ComposedLayout> layout = ComposedLayout::parse(text);
  if (!layout)
    return;
  checkRoundTrip(*layout);
  Int size = layout->size();
  if (!size.isStatic() || size.getValue() > 256)
    return;
  std::string drawn;
  llvm::raw_string_ostream os(drawn);
  if (Result<Picture> picture = makePicture(*layout))
    printText(*picture, os);
  if (Result<Picture> picture = makeThreadValuePicture(layout->getLayout()))
    printText(*picture, os);
}

static void runDialect(llvm::StringRef text) {
  // libFuzzer calls one function again and again; there is no other place.
  static std::unique_ptr<MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % kRunsPerContext == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<TileDialect>();
  }
  // Refusals are expected, and silent.
  ScopedDiagnosticHandler silence(context.get(),
                                  [](Diagnostic &) { return success(); });
  if (text.front() == '#') {
    auto parse = [&](llvm::StringRef text) {
      return parseAttribute(text, context.get());
    };
    if (Attribute attribute = parse(text))
      checkRoundTrip<Attribute>(attribute, parse);
  } else {
    auto parse = [&](llvm::StringRef text) {
      return parseType(text, context.get());
    };
    if (Type type = parse(text))
      checkRoundTrip<Type>(type, parse);
  }
}

/// LLVM's allocators poison their memory where they are compiled with a
/// sanitizer; those in the libraries of LLVM are not, and know nothing of it.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_leaks=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (text.starts_with("#tile.") || text.starts_with("!tile."))
    runDialect(text);
  else
    runLibrary(text);
  return 0;
}
