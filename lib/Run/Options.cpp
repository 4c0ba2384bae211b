// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of tile-run's options, their parser and the help text.
#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

/// Why a value was refused; nothing when it was taken.
using Refusal = std::optional<std::string>;

namespace {

enum class Takes { Nothing, Value, ValueAfterEquals };

/// One row of the table. `parse` gets the value, "" without one.
struct Option {
  const char *name;
  Takes takes;
  const char *metavar;
  const char *help;
  Refusal (*parse)(RunOptions &options, StringRef value);
};

} // namespace

/// An extent or offset beyond this can only be a mistake, and sums of a few of
/// them still fit.
static constexpr int64_t kMostElements = int64_t(1) << 48;

static Refusal parseInteger(StringRef text, int64_t least, int64_t most,
                            int64_t &result) {
  if (text.getAsInteger(10, result) || result < least || result > most)
    return ("expected an integer from " + Twine(least) + " to " + Twine(most) +
            ", but got '" + text + "'")
        .str();
  return std::nullopt;
}

static Refusal parseNumber(StringRef text, double &result) {
  if (!text.empty() && !text.getAsDouble(result))
    return std::nullopt;
  bool negative = text.consume_front("-");
  if (text.equals_insensitive("nan"))
    result = NAN;
  else if (text.equals_insensitive("inf"))
    result = negative ? -INFINITY : INFINITY;
  else
    return ("expected a number, but got '" + text + "'").str();
  return std::nullopt;
}

static Refusal parseRandom(RunOptions &options, StringRef value) {
  llvm::SmallVector<StringRef, 4> parts;
  value.split(parts, ',');
  RandomExtents extents;
  if (value == "types") {
    extents.fromTypes = true;
    options.random = extents;
    return std::nullopt;
  }
  if (parts.size() == 4)
    extents.batch = 0;
  if (parts.size() != 3 && parts.size() != 4)
    return ("expected M,N,K or M,N,K,batch or types, but got '" + value + "'")
        .str();
  int64_t *targets[] = {&extents.m, &extents.n, &extents.k,
                        extents.batch ? &*extents.batch : nullptr};
  for (size_t i = 0; i < parts.size(); ++i)
    if (Refusal refusal =
            parseInteger(parts[i].trim(), 0, kMostElements, *targets[i]))
      return refusal;
  options.random = extents;
  return std::nullopt;
}

/// Splits `name=value`; the name is empty when there is no '='.
static std::pair<StringRef, StringRef> splitName(StringRef text) {
  size_t at = text.find('=');
  if (at == StringRef::npos)
    return {"", text};
  return {text.take_front(at), text.drop_front(at + 1)};
}

static Refusal parseScalar(RunOptions &options, StringRef name,
                           StringRef value) {
  double number = 0;
  if (Refusal refusal = parseNumber(value, number))
    return refusal;
  options.scalars.push_back({name.str(), number});
  return std::nullopt;
}

static Refusal parseNamedScalar(RunOptions &options, StringRef text) {
  auto [name, value] = splitName(text);
  if (name.empty())
    return ("expected NAME=VALUE, but got '" + text + "'").str();
  return parseScalar(options, name, value);
}

static Refusal parseFill(RunOptions &options, StringRef text) {
  auto [name, value] = splitName(text);
  if (name.empty())
    return ("expected OPERAND=VALUE, but got '" + text + "'").str();
  double number = 0;
  if (value == "null") {
    options.fills.push_back({name.str(), std::nullopt});
    return std::nullopt;
  }
  if (Refusal refusal = parseNumber(value, number))
    return refusal;
  options.fills.push_back({name.str(), number});
  return std::nullopt;
}

static Refusal parseExtra(std::vector<Setting<int64_t>> &settings,
                          StringRef text) {
  auto [name, value] = splitName(text);
  int64_t number = 0;
  if (Refusal refusal = parseInteger(value, 0, kMostElements, number))
    return refusal;
  settings.push_back({name.str(), number});
  return std::nullopt;
}

static Refusal setText(std::string &target, StringRef value) {
  if (value.empty())
    return "expected a value, but got none";
  target = value.str();
  return std::nullopt;
}

static Refusal addPath(std::vector<std::string> &paths, StringRef value) {
  paths.emplace_back();
  return setText(paths.back(), value);
}

static Refusal setFlag(bool &flag) {
  flag = true;
  return std::nullopt;
}

static Refusal parseTime(RunOptions &options, StringRef value) {
  options.time = true;
  return value.empty() ? std::nullopt
                       : parseInteger(value, 1, 1000000, options.repetitions);
}

static Refusal parseSeed(RunOptions &options, StringRef value) {
  if (value.getAsInteger(10, options.seed))
    return ("expected an integer from 0 to " + Twine(UINT64_MAX) +
            ", but got '" + value + "'")
        .str();
  return std::nullopt;
}

static const Option kOptions[] = {
    {"arg", Takes::Value, "A.npy",
     "an input array; once for each input (see below), or 'null' for C; - is "
     "standard input",
     [](RunOptions &options, StringRef value) {
       return addPath(options.inputs, value);
     }},
    {"out", Takes::Value, "D.npy",
     "where to write a result; once for each result, in order; - is standard "
     "output, and the report goes to stderr then",
     [](RunOptions &options, StringRef value) {
       return addPath(options.outputs, value);
     }},
    {"random", Takes::Value, "M,N,K[,BATCH] | types",
     "inputs of random numbers of mean 0 and variance 1, or of integers with "
     "a standard deviation of 40; of these extents, or of those that the "
     "types say",
     [](RunOptions &options, StringRef value) {
       return parseRandom(options, value);
     }},
    {"seed", Takes::Value, "N", "another set of random numbers (default: 0)",
     [](RunOptions &options, StringRef value) {
       return parseSeed(options, value);
     }},
    {"fill", Takes::Value, "OPERAND=VALUE",
     "with --random: fill an input with one number, nan or inf, or pass a null "
     "pointer",
     [](RunOptions &options, StringRef value) {
       return parseFill(options, value);
     }},
    {"alpha", Takes::Value, "VALUE", "the argument alpha (default: 1)",
     [](RunOptions &options, StringRef value) {
       return parseScalar(options, "alpha", value);
     }},
    {"beta", Takes::Value, "VALUE",
     "the argument beta (default: 1, and 0 when C is null)",
     [](RunOptions &options, StringRef value) {
       return parseScalar(options, "beta", value);
     }},
    {"scalar", Takes::Value, "N=VALUE",
     "the scalar argument at position N, counted from 0",
     [](RunOptions &options, StringRef value) {
       return parseNamedScalar(options, value);
     }},
    {"pitch", Takes::Value, "[OPERAND=]EXTRA",
     "leave EXTRA elements between rows (or columns, of a column-major "
     "operand) and matrices; they hold NaN",
     [](RunOptions &options, StringRef value) {
       return parseExtra(options.pitches, value);
     }},
    {"offset", Takes::Value, "[OPERAND=]ELEMENTS",
     "start operands this many elements after a 256-byte boundary",
     [](RunOptions &options, StringRef value) {
       return parseExtra(options.offsets, value);
     }},
    {"entry", Takes::Value, "NAME",
     "the function to run, when the file has several",
     [](RunOptions &options, StringRef value) {
       return setText(options.entry, value);
     }},
    {"device", Takes::Value, "auto|cuda|cuda:N|sim",
     "where to run (default: auto, a CUDA device or else the simulator)",
     [](RunOptions &options, StringRef value) {
       return setText(options.device, value);
     }},
    {"chip", Takes::Value, "GPU",
     "the GPU to compile for, as sm_80, sm_90a, h200 or rtx4090 (default: that "
     "of the device; sm_90a for the simulator)",
     [](RunOptions &options, StringRef value) {
       return setText(options.chip, value);
     }},
    {"schedule", Takes::Value, "'#tile.simt<...>'",
     "the schedule of every problem in the file (default: chosen)",
     [](RunOptions &options, StringRef value) {
       return setText(options.schedule, value);
     }},
    {"tuning-table", Takes::Value, "FILE",
     "a table of measured schedules, as tile-tune writes it",
     [](RunOptions &options, StringRef value) {
       return setText(options.tuningTable, value);
     }},
    {"kernel", Takes::Value, "NAME",
     "the kernel to launch (default: of those whose requirements hold the "
     "cheapest, or else the first)",
     [](RunOptions &options, StringRef value) {
       return setText(options.kernel, value);
     }},
    {"no-workspace", Takes::Nothing, "",
     "launch without memory for copies of operands",
     [](RunOptions &options, StringRef) {
       return setFlag(options.noWorkspace);
     }},
    {"check", Takes::Nothing, "",
     "compare the result with a float64 reference, and look for writes outside "
     "of it",
     [](RunOptions &options, StringRef) { return setFlag(options.check); }},
    {"expected", Takes::Value, "D.npy",
     "compare the result with an array, within the tolerance of --check; once "
     "for each result, in order",
     [](RunOptions &options, StringRef value) {
       return addPath(options.expected, value);
     }},
    {"json", Takes::ValueAfterEquals, "FILE",
     "write the report as JSON, see docs/Tools.md (default: to standard "
     "output, "
     "in place of the text)",
     [](RunOptions &options, StringRef value) {
       options.json = value.empty() ? "-" : value.str();
       return Refusal();
     }},
    {"time", Takes::ValueAfterEquals, "N",
     "time N launches (default: about one second of them)",
     [](RunOptions &options, StringRef value) {
       return parseTime(options, value);
     }},
    {"count-accesses", Takes::Nothing, "",
     "on the simulator, count sectors of global memory and bank conflicts of "
     "shared memory, access by access",
     [](RunOptions &options, StringRef) {
       return setFlag(options.countAccesses);
     }},
    {"print-ptx", Takes::Nothing, "",
     "print the PTX; runs nothing without --arg or --random",
     [](RunOptions &options, StringRef) { return setFlag(options.printPTX); }},
    {"cubin", Takes::Nothing, "",
     "assemble with ptxas too, which tells the registers without a GPU",
     [](RunOptions &options, StringRef) { return setFlag(options.cubin); }},
    {"save-artifact", Takes::Value, "FILE",
     "write the compiled artifact; runs nothing without --arg or --random",
     [](RunOptions &options, StringRef value) {
       return setText(options.saveArtifact, value);
     }},
    {"trust-artifact", Takes::Nothing, "",
     "let the simulator run the code of an artifact FILE in this process",
     [](RunOptions &options, StringRef) {
       return setFlag(options.trustArtifact);
     }},
    {"help", Takes::Nothing, "", "print this text",
     [](RunOptions &options, StringRef) { return setFlag(options.help); }},
    {"version", Takes::Nothing, "", "print the version",
     [](RunOptions &options, StringRef) { return setFlag(options.version); }},
};

static const Option *findOption(StringRef name) {
  for (const Option &option : kOptions)
    if (name == option.name)
      return &option;
  return nullptr;
}

static Reason unknownOption(StringRef name) {
  StringRef nearest;
  unsigned distance = 4;
  for (const Option &option : kOptions) {
    unsigned d = name.edit_distance(option.name, true, distance);
    if (d < distance) {
      nearest = option.name;
      distance = d;
    }
  }
  return Reason("unknown option --" + name +
                (nearest.empty() ? "; --help lists the options"
                                 : "; did you mean --" + nearest + "?"));
}

/// Standard input and output serve one purpose each.
static Refusal checkStreams(const RunOptions &options) {
  auto count = [](const std::vector<std::string> &paths) {
    return llvm::count(paths, "-");
  };
  if (count(options.inputs) + count(options.expected) + (options.file == "-") >
      1)
    return "expected - once among the file, --arg and --expected, but got it "
           "several times: there is one standard input";
  if (count(options.outputs) + (options.json == "-") +
          (options.saveArtifact == "-") + options.printPTX >
      1)
    return "expected one of --out=-, --save-artifact=-, --json and --print-ptx "
           "for standard output, but got several";
  return std::nullopt;
}

/// What only makes sense together, or apart.
static Refusal checkCombination(const RunOptions &options) {
  if (options.file.empty())
    return "expected a .mlir or artifact file, but got none; --help says more";
  if (options.random && !options.inputs.empty())
    return "expected either --arg or --random, but got both";
  if (!options.fills.empty() && !options.random)
    return "expected --random together with --fill, but got none";
  if (Refusal refusal = checkStreams(options))
    return refusal;
  if (options.runs())
    return std::nullopt;
  if (!options.outputs.empty() || options.compares() || options.time ||
      options.countAccesses ||
      (!options.printPTX && options.saveArtifact.empty()))
    return "expected the inputs, as --arg A.npy for each or --random=M,N,K, "
           "but "
           "got none";
  return std::nullopt;
}

Result<RunOptions> tile::parseOptions(llvm::ArrayRef<const char *> arguments) {
  RunOptions options;
  bool optionsEnded = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef text = arguments[i];
    if (!optionsEnded && text == "--") {
      optionsEnded = true;
      continue;
    }
    if (optionsEnded || !text.starts_with("-") || text == "-") {
      if (!options.file.empty())
        return Reason("expected one file, but got '" + Twine(options.file) +
                      "' and '" + text + "'");
      options.file = text.str();
      continue;
    }
    StringRef name = text == "-h" ? "help" : text.ltrim('-');
    size_t equals = name.find('=');
    bool hasValue = equals != StringRef::npos;
    StringRef value = hasValue ? name.drop_front(equals + 1) : "";
    name = name.take_front(equals);
    const Option *option = findOption(name);
    if (!option)
      return unknownOption(name);
    if (hasValue && option->takes == Takes::Nothing)
      return Reason("--" + name + ": expected no value, but got '" + value +
                    "'");
    // `--time 5`: no file has such a name.
    if (!hasValue && name == "time" && i + 1 < arguments.size() &&
        llvm::all_of(StringRef(arguments[i + 1]), llvm::isDigit))
      value = arguments[++i];
    if (!hasValue && option->takes == Takes::Value) {
      if (i + 1 == arguments.size() ||
          StringRef(arguments[i + 1]).starts_with("--"))
        return Reason("--" + name + ": expected a value (" + option->metavar +
                      "), but got none");
      value = arguments[++i];
    }
    if (hasValue && value.empty() && option->takes == Takes::ValueAfterEquals)
      return Reason("--" + name + ": expected a value (" + option->metavar +
                    ") after =, but got none");
    if (Refusal refusal = option->parse(options, value))
      return Reason("--" + name + ": " + *refusal);
  }
  if (options.help || options.version)
    return options;
  if (Refusal refusal = checkCombination(options))
    return Reason(*refusal);
  return options;
}

/// Appends an option and its description, which is broken into lines.
static void appendHelp(std::string &text, std::string left, StringRef help) {
  constexpr size_t column = 26, width = 80;
  // A long left side stands alone on its line.
  if (left.size() + 2 > column) {
    text += left + "\n";
    left.clear();
  }
  while (!help.empty()) {
    size_t length = help.size();
    if (length > width - column)
      length = help.rfind(' ', width - column);
    left.resize(column, ' ');
    text += left + help.take_front(length).str() + "\n";
    left.clear();
    help = help.drop_front(length).ltrim(' ');
  }
}

std::string tile::getHelpText() {
  std::string text =
      "usage: tile-run FILE [options]\n"
      "\n"
      "Compiles the tile.gemm of FILE (.mlir, or an artifact that was saved\n"
      "before), runs it on a CUDA device or on the simulator, and reports "
      "how.\n"
      "\n"
      "options (--name=value or --name value):\n";
  for (const Option &option : kOptions) {
    std::string left = std::string("  --") + option.name;
    if (option.takes == Takes::Value)
      left += std::string(" ") + option.metavar;
    if (option.takes == Takes::ValueAfterEquals)
      left += std::string("[=") + option.metavar + "]";
    appendHelp(text, left, option.help);
  }
  text +=
      "\n"
      "The function's arguments, in order: an argument that is read (A, B, C)\n"
      "takes the next --arg; one that is only written (D) is allocated in the\n"
      "shape that the others give it; one that is C and D at once takes an "
      "--arg\n"
      "and is written in place. Each argument that is written takes an --out, "
      "in\n"
      "order, or none of them does. Numbers come from --alpha, --beta or\n"
      "--scalar. An OPERAND is A, B, C, D, or the number of an argument, "
      "counted\n"
      "from 0.\n"
      "\n"
      "Arrays are .npy files as NumPy writes them: little-endian float16,\n"
      "float32, float64, int8 or int32 as the argument says (float16 is\n"
      "widened to float32 where need be), in C order for row-major arguments\n"
      "and Fortran order for column-major ones. The other order is transposed\n"
      "while reading, and the report says so.\n"
      "NumPy has no bf16, f8E4M3FN and f8E5M2: their files hold\n"
      "the bits, as uint16 ('<u2') and uint8 ('|u1').\n"
      "\n"
      "exit code: 0 success, and right with --check and --expected; 1 a\n"
      "comparison failed, or something else was written; 2 any other failure,\n"
      "with one sentence on stderr. An interrupt ends it by the signal.\n";
  return text;
}
