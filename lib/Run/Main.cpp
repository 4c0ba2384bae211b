// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The course of tile-run: open, compile, bind, launch, check, time, write.
#include "tile/Run/Run.h"

#include "Check.h"
#include "Compile.h"
#include "Launch.h"
#include "Options.h"
#include "OutputFile.h"
#include "Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

/// Exit codes.
enum { Passed = 0, CheckFailed = 1, Failed = 2 };

static int fail(const Twine &sentence, int code = Failed) {
  llvm::outs().flush();
  llvm::errs() << "tile-run: " << sentence << "\n";
  return code;
}

namespace {

/// What is open for the whole run.
struct Session {
  explicit Session(const RunOptions &options) : options(options) {}

  const RunOptions &options;
  std::vector<OutputFile> outputs;
  std::optional<OutputFile> artifactFile;
  std::unique_ptr<llvm::MemoryBuffer> text;
  /// One for each --arg; empty for `null`.
  std::vector<std::optional<NpyFile>> inputs;
  DeviceHandle device;
  TileRtDeviceInfo deviceInfo = {};
  std::string chip;
  CompiledFile compiled;
  ModuleHandle module;
  llvm::json::Object manifest;
  std::vector<ArtifactEntry> entries;
  BoundEntry bound;
  DeviceEntry launched;
};

} // namespace

/// Opens every file that is named, so that a wrong path stops before any work.
static int openFiles(Session &session) {
  const RunOptions &options = session.options;
  std::vector<std::string> paths = options.outputs;
  if (!options.saveArtifact.empty())
    paths.push_back(options.saveArtifact);
  for (const std::string &path : paths) {
    Result<OutputFile> file = OutputFile::create(path);
    if (!file)
      return fail(path + ": " + file.getReason());
    session.outputs.push_back(std::move(*file));
  }
  if (!options.saveArtifact.empty()) {
    session.artifactFile.emplace(std::move(session.outputs.back()));
    session.outputs.pop_back();
  }
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(options.file);
  if (!text) {
    std::string why = text.getError().message();
    why[0] = llvm::toLower(why[0]);
    return fail(options.file + ": cannot be read: " + why);
  }
  session.text = std::move(*text);
  for (const std::string &path : options.inputs) {
    session.inputs.emplace_back();
    if (path == "null")
      continue;
    Result<NpyFile> file = openNpy(path);
    if (!file)
      return fail(path + ": " + file.getReason());
    session.inputs.back().emplace(std::move(*file));
  }
  return Passed;
}

/// Opens the device and settles the chip.
static int openDevice(Session &session) {
  const RunOptions &options = session.options;
  if (!options.chip.empty())
    if (std::optional<std::string> reason = checkChip(options.chip))
      return fail(*reason);
  session.chip = options.chip;
  // What is only compiled needs a device at most to tell the chip.
  if (!options.runs() && !options.chip.empty())
    return Passed;
  TileRtDevice device = nullptr;
  if (tileRtDeviceOpen(options.device.c_str(), &device))
    return fail("--device=" + options.device + ": " + tileRtGetLastError());
  session.device.reset(device);
  tileRtDeviceGetInfo(device, &session.deviceInfo);
  if (session.chip.empty())
    session.chip = session.deviceInfo.kind == TILE_RT_DEVICE_CUDA
                       ? session.deviceInfo.chip
                       : "sm_80";
  // A device that is newer than this LLVM runs code for an older one.
  if (options.chip.empty() && checkChip(session.chip))
    session.chip = "sm_90";
  return Passed;
}

/// Gets the artifact: compiled, or as it is in the file.
static int compile(Session &session) {
  const RunOptions &options = session.options;
  if (isArtifact(session.text->getBuffer())) {
    StringRef option = !options.schedule.empty() ? "schedule"
                       : !options.chip.empty()   ? "chip"
                       : options.cubin           ? "cubin"
                                                 : "";
    if (!option.empty())
      return fail("--" + option + ": expected a .mlir file to compile, but " +
                  options.file + " is an artifact");
    session.compiled.artifact = session.text->getBuffer().str();
  } else {
    bool simulator =
        session.deviceInfo.kind == TILE_RT_DEVICE_SIM || session.artifactFile;
    mlir::FailureOr<CompiledFile> compiled =
        compileText(std::move(session.text), options, session.chip, simulator);
    if (failed(compiled))
      return Failed; // The diagnostic has been printed.
    session.compiled = std::move(*compiled);
  }
  llvm::Expected<ArtifactView> view = parseArtifact(session.compiled.artifact);
  if (!view)
    return fail(options.file + ": " + llvm::toString(view.takeError()));
  if (options.printPTX) {
    if (view->ptx.empty())
      return fail(options.file + ": expected an artifact with PTX, but it has "
                                 "none");
    llvm::outs() << view->ptx;
  }
  if (const llvm::json::Object *target = view->manifest.getObject("target"))
    session.chip = target->getString("chip").value_or("").str();
  session.manifest = std::move(view->manifest);
  if (session.artifactFile)
    if (std::optional<std::string> reason =
            session.artifactFile->write(session.compiled.artifact))
      return fail(options.saveArtifact + ": " + *reason);
  return Passed;
}

/// Finds the entry to run. The runtime has checked the manifest.
static const ArtifactEntry *findEntry(Session &session) {
  const std::string &name = session.options.entry;
  std::vector<std::string> names;
  for (const ArtifactEntry &entry : session.entries) {
    if (entry.name == name || (name.empty() && session.entries.size() == 1))
      return &entry;
    names.push_back("@" + entry.name);
  }
  std::string list = llvm::join(names, ", ");
  if (name.empty())
    fail(session.options.file + ": expected --entry to name one of " + list +
         ", but got none");
  else
    fail("--entry: expected one of " + list + ", but got '" + name + "'");
  return nullptr;
}

/// Loads the artifact and puts the arguments on the device.
static int prepare(Session &session) {
  const RunOptions &options = session.options;
  const std::string &artifact = session.compiled.artifact;
  TileRtModule module = nullptr;
  if (tileRtModuleLoad(session.device.get(), artifact.data(), artifact.size(),
                       &module))
    return fail(options.file + ": " + tileRtGetLastError());
  session.module.reset(module);
  session.entries = readEntries(session.manifest);
  const ArtifactEntry *entry = findEntry(session);
  if (!entry)
    return Failed;
  // The simulator checks every access against the allocation's exact bounds and
  // names the operation; on a GPU only canaries can tell.
  bool isSimulator = session.deviceInfo.kind == TILE_RT_DEVICE_SIM;
  std::vector<const NpyFile *> files;
  for (const std::optional<NpyFile> &file : session.inputs)
    files.push_back(file ? &*file : nullptr);
  Result<BoundEntry> bound =
      bindArguments(*entry, options, files, isSimulator ? 0 : 4096);
  if (!bound)
    return fail(bound.getReason());
  session.bound = std::move(*bound);
  if (options.check)
    if (std::optional<std::string> reason = findUncheckable(session.bound))
      return fail(*reason);
  Result<DeviceEntry> launched =
      uploadEntry(session.device.get(), module, session.bound, options.kernel);
  if (!launched)
    return fail(launched.getReason());
  session.launched = std::move(*launched);
  return Passed;
}

/// Launches once, or only makes the checks of a launch. The runtime speaks of A
/// and B: adds which files they are.
static int launch(Session &session, bool dryRun) {
  std::optional<std::string> reason = launchEntry(session.launched, dryRun);
  if (!reason)
    return Passed;
  std::vector<std::string> origins;
  for (const BoundArgument &argument : session.bound.arguments)
    if (!session.inputs.empty() && argument.isTensor() && argument.read)
      origins.push_back(argument.name + " is " + argument.origin);
  return fail(session.options.file + ": @" + session.bound.entry->name + ": " +
              *reason +
              (origins.empty() ? "" : " (" + llvm::join(origins, ", ") + ")"));
}

static int readImages(Session &session, Images &images) {
  for (auto [number, argument] : llvm::enumerate(session.bound.arguments)) {
    images.emplace_back();
    if (!argument.image || (!argument.written && !session.options.check))
      continue;
    Result<std::unique_ptr<char[]>> image =
        readBack(session.launched, argument, number);
    if (!image)
      return fail(image.getReason());
    images.back() = std::move(*image);
  }
  return Passed;
}

static int writeOutputs(Session &session, Report &report,
                        const Images &images) {
  for (auto [file, number] :
       llvm::zip(session.outputs, session.bound.outputs)) {
    const BoundArgument &argument = session.bound.arguments[number];
    const char *data =
        images[number].get() + argument.first * getElementBytes(argument.type);
    bool fortranOrder = argument.columnMajor && argument.sizes.size() == 2;
    std::string bytes = formatNpy(argument.type, data, argument.sizes,
                                  argument.strides, fortranOrder);
    if (std::optional<std::string> reason = file.write(bytes))
      return fail(file.getPath() + ": " + *reason);
    report.add("written", argument.name + " to " + file.getPath());
  }
  return Passed;
}

static int runEntry(Session &session) {
  const RunOptions &options = session.options;
  if (int code = prepare(session))
    return code;
  if (int code = launch(session, /*dryRun=*/true))
    return code;
  Report report(llvm::outs());
  reportSetup(report, session.device.get(), session.chip, options.file,
              session.bound);
  if (int code = launch(session, /*dryRun=*/false))
    return code;
  reportLaunch(report, session.bound, session.compiled, session.launched,
               session.manifest);
  // Before the timed launches, which write in place again.
  Images images;
  if (int code = readImages(session, images))
    return code;
  if (options.time) {
    Result<Timing> timing = timeEntry(session.launched, options.repetitions);
    if (!timing)
      return fail(timing.getReason());
    reportTiming(report, *timing, session.launched);
  }
  if (int code = writeOutputs(session, report, images))
    return code;
  if (!options.check)
    return Passed;
  bool isRandom = options.random && options.fills.empty();
  EntryCheck check = checkEntry(session.bound, images, isRandom, options.seed);
  reportCheck(report, session.bound, check);
  if (check.passed())
    return Passed;
  return fail(options.file + ": @" + session.bound.entry->name + ": " +
                  describeFailure(session.bound, check),
              CheckFailed);
}

int tile::tileRunMain(int argc, char **argv) {
  Result<RunOptions> options =
      parseOptions(llvm::ArrayRef<const char *>(argv, argc).drop_front());
  if (!options)
    return fail(options.getReason());
  if (options->help || options->version) {
    llvm::outs() << (options->help ? getHelpText()
                                   : std::string("tile-run ") +
                                         tileRtGetVersion() + "\n");
    return Passed;
  }
  Session session(*options);
  if (int code = openFiles(session))
    return code;
  if (int code = openDevice(session))
    return code;
  if (int code = compile(session))
    return code;
  return options->runs() ? runEntry(session) : Passed;
}
