// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The course of tile-run: open, compile, bind, launch, check, time, write.
#include "tile/Run/Run.h"

#include "Check.h"
#include "Compile.h"
#include "Launch.h"
#include "Options.h"
#include "Support/OutputFile.h"
#include "Report.h"

#include "tile/Atoms/Chips.h"
#include "tile/Target/Chip.h"
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
struct Job {
  explicit Job(const RunOptions &options) : options(options) {}

  const RunOptions &options;
  std::vector<OutputFile> outputs;
  std::optional<OutputFile> artifactFile;
  std::unique_ptr<llvm::MemoryBuffer> text;
  /// One for each --arg; empty for `null`.
  std::vector<std::optional<NpyFile>> inputs;
  DeviceHandle device;
  TileRtDeviceInfo deviceInfo = {};
  std::string chip;
  std::string artifact;
  ModuleHandle module;
  std::vector<ArtifactEntry> entries;
  BoundEntry bound;
  DeviceEntry launched;
};

} // namespace

/// Opens every file that is named, so that a wrong path stops before any work.
static int openFiles(Job &job) {
  const RunOptions &options = job.options;
  std::vector<std::string> paths = options.outputs;
  if (!options.saveArtifact.empty())
    paths.push_back(options.saveArtifact);
  for (const std::string &path : paths) {
    Result<OutputFile> file = OutputFile::create(path);
    if (!file)
      return fail(path + ": " + file.getReason());
    job.outputs.push_back(std::move(*file));
  }
  if (!options.saveArtifact.empty()) {
    job.artifactFile.emplace(std::move(job.outputs.back()));
    job.outputs.pop_back();
  }
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(options.file);
  if (!text) {
    std::string why = text.getError().message();
    why[0] = llvm::toLower(why[0]);
    return fail(options.file + ": cannot be read: " + why);
  }
  job.text = std::move(*text);
  for (const std::string &path : options.inputs) {
    job.inputs.emplace_back();
    if (path == "null")
      continue;
    Result<NpyFile> file = openNpy(path);
    if (!file)
      return fail(path + ": " + file.getReason());
    job.inputs.back().emplace(std::move(*file));
  }
  return Passed;
}

/// Opens the device and settles the chip.
static int openDevice(Job &job) {
  const RunOptions &options = job.options;
  if (!options.chip.empty())
    if (std::optional<std::string> reason = checkChip(options.chip))
      return fail(*reason);
  job.chip = options.chip;
  // What is only compiled needs a device at most to tell the chip.
  if (!options.runs() && !options.chip.empty())
    return Passed;
  TileRtDevice device = nullptr;
  if (tileRtDeviceOpen(options.device.c_str(), &device))
    return fail("--device=" + options.device + ": " + tileRtGetLastError());
  job.device.reset(device);
  tileRtDeviceGetInfo(device, &job.deviceInfo);
  if (options.countAccesses && job.deviceInfo.kind != TILE_RT_DEVICE_SIM)
    return fail("--count-accesses: expected --device=sim, which counts, but "
                "got " +
                Twine(job.deviceInfo.name));
  // The simulator knows the instructions of the default chip.
  if (job.chip.empty())
    job.chip = job.deviceInfo.kind == TILE_RT_DEVICE_CUDA
                   ? getDeviceChip(job.deviceInfo.chip, job.deviceInfo.name)
                   : kDefaultChip;
  // A device that is newer than this LLVM runs code for an older one.
  if (options.chip.empty() && checkChip(job.chip))
    job.chip = "sm_90";
  if (options.chip.empty() && job.deviceInfo.kind == TILE_RT_DEVICE_CUDA &&
      !findProduct(job.deviceInfo.name))
    llvm::errs() << "tile-run: note: the table of chips has no "
                 << job.deviceInfo.name
                 << "; schedules are chosen by the numbers of " << job.chip
                 << '\n';
  return Passed;
}

/// Gets the artifact: compiled, or as it is in the file.
static int compile(Job &job) {
  const RunOptions &options = job.options;
  if (isArtifact(job.text->getBuffer())) {
    StringRef option = !options.schedule.empty()      ? "schedule"
                       : !options.chip.empty()        ? "chip"
                       : !options.tuningTable.empty() ? "tuning-table"
                       : options.cubin                ? "cubin"
                       : options.countAccesses        ? "count-accesses"
                                                      : "";
    if (!option.empty())
      return fail("--" + option + ": expected a .mlir file to compile, but " +
                  options.file + " is an artifact");
    if (options.runs() && !options.trustArtifact &&
        job.deviceInfo.kind == TILE_RT_DEVICE_SIM)
      return fail(options.file + ": expected --trust-artifact, since the "
                                 "simulator runs the code of this artifact in "
                                 "this process");
    job.artifact = job.text->getBuffer().str();
  } else {
    bool simulator =
        job.deviceInfo.kind == TILE_RT_DEVICE_SIM || job.artifactFile;
    mlir::FailureOr<std::string> compiled =
        compileText(std::move(job.text), options, job.chip, simulator);
    if (failed(compiled))
      return Failed; // The diagnostic has been printed.
    job.artifact = std::move(*compiled);
  }
  llvm::Expected<ArtifactView> view = parseArtifact(job.artifact);
  if (!view)
    return fail(options.file + ": " + llvm::toString(view.takeError()));
  if (options.printPTX) {
    if (view->ptx.empty())
      return fail(options.file + ": expected an artifact with PTX, but it has "
                                 "none");
    llvm::outs() << view->ptx;
  }
  if (const llvm::json::Object *target = view->manifest.getObject("target"))
    job.chip = target->getString("chip").value_or("").str();
  if (job.artifactFile)
    if (std::optional<std::string> reason =
            job.artifactFile->write(job.artifact))
      return fail(options.saveArtifact + ": " + *reason);
  return Passed;
}

/// Finds the entry to run. The runtime has checked the manifest.
static const ArtifactEntry *findEntry(Job &job) {
  const std::string &name = job.options.entry;
  std::vector<std::string> names;
  for (const ArtifactEntry &entry : job.entries) {
    if (entry.name == name || (name.empty() && job.entries.size() == 1))
      return &entry;
    names.push_back("@" + entry.name);
  }
  std::string list = llvm::join(names, ", ");
  if (name.empty())
    fail(job.options.file + ": expected --entry to name one of " + list +
         ", but got none");
  else
    fail("--entry: expected one of " + list + ", but got '" + name + "'");
  return nullptr;
}

/// Loads the artifact and puts the arguments on the device.
static int prepare(Job &job) {
  const RunOptions &options = job.options;
  const std::string &artifact = job.artifact;
  TileRtModule module = nullptr;
  if (tileRtModuleLoad(job.device.get(), artifact.data(), artifact.size(),
                       &module))
    return fail(options.file + ": " + tileRtGetLastError());
  job.module.reset(module);
  job.entries = readEntries(module);
  const ArtifactEntry *entry = findEntry(job);
  if (!entry)
    return Failed;
  // The simulator checks every access against the allocation's exact bounds and
  // names the operation; on a GPU only canaries can tell.
  bool isSimulator = job.deviceInfo.kind == TILE_RT_DEVICE_SIM;
  std::vector<const NpyFile *> files;
  for (const std::optional<NpyFile> &file : job.inputs)
    files.push_back(file ? &*file : nullptr);
  Result<BoundEntry> bound =
      bindArguments(*entry, options, files, isSimulator ? 0 : 4096);
  if (!bound)
    return fail(bound.getReason());
  job.bound = std::move(*bound);
  if (options.check)
    if (std::optional<std::string> reason = findUncheckable(job.bound))
      return fail(*reason);
  Result<DeviceEntry> launched =
      uploadEntry(job.device.get(), module, job.bound, options.kernel,
                  !options.noWorkspace);
  if (!launched)
    return fail(launched.getReason());
  job.launched = std::move(*launched);
  return Passed;
}

/// Launches once, or only makes the checks of a launch. The runtime speaks of A
/// and B: adds which files they are.
static int launch(Job &job, bool dryRun) {
  std::optional<std::string> reason = launchEntry(job.launched, dryRun);
  if (!reason)
    return Passed;
  std::vector<std::string> origins;
  for (const BoundArgument &argument : job.bound.arguments)
    if (!job.inputs.empty() && argument.isTensor() && argument.read)
      origins.push_back(argument.name + " is " + argument.origin);
  return fail(job.options.file + ": @" + job.bound.entry->name + ": " +
              *reason +
              (origins.empty() ? "" : " (" + llvm::join(origins, ", ") + ")"));
}

static int readImages(Job &job, Images &images) {
  for (auto [number, argument] : llvm::enumerate(job.bound.arguments)) {
    images.emplace_back();
    if (!argument.image || (!argument.written && !job.options.check))
      continue;
    Result<std::unique_ptr<char[]>> image =
        readBack(job.launched, argument, number);
    if (!image)
      return fail(image.getReason());
    images.back() = std::move(*image);
  }
  return Passed;
}

static int writeOutputs(Job &job, Report &report, const Images &images) {
  for (auto [file, number] : llvm::zip(job.outputs, job.bound.outputs)) {
    const BoundArgument &argument = job.bound.arguments[number];
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

static int runEntry(Job &job) {
  const RunOptions &options = job.options;
  if (int code = prepare(job))
    return code;
  if (int code = launch(job, /*dryRun=*/true))
    return code;
  Report report(llvm::outs());
  reportSetup(report, job.device.get(), getArchitecture(job.chip), options.file,
              job.bound);
  if (int code = launch(job, /*dryRun=*/false))
    return code;
  reportLaunch(report, job.bound, job.launched);
  if (options.countAccesses)
    reportAccesses(report, job.module.get());
  // Before the timed launches, which write in place again.
  Images images;
  if (int code = readImages(job, images))
    return code;
  if (options.time) {
    Result<Timing> timing = timeEntry(job.launched, options.repetitions);
    if (!timing)
      return fail(timing.getReason());
    reportTiming(report, *timing, job.launched);
  }
  if (int code = writeOutputs(job, report, images))
    return code;
  if (!options.check)
    return Passed;
  bool isRandom = options.random && options.fills.empty();
  std::vector<bool> tf32;
  TileRtModule module = job.module.get();
  for (const TileRtLaunchInfo &info : job.launched.info)
    tf32.push_back(info.kernel &&
                   getKernelInfo(module, info.kernel).multipliesAsTf32);
  EntryCheck check =
      checkEntry(job.bound, images, isRandom, options.seed, tf32);
  reportCheck(report, job.bound, check);
  if (check.passed())
    return Passed;
  return fail(options.file + ": @" + job.bound.entry->name + ": " +
                  describeFailure(job.bound, check),
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
  Job job(*options);
  if (int code = openFiles(job))
    return code;
  if (int code = openDevice(job))
    return code;
  if (int code = compile(job))
    return code;
  return options->runs() ? runEntry(job) : Passed;
}
