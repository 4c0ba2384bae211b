// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The course of tile-run: open, compile, bind, launch, check, time, write.
#include "tile/Run/Run.h"

#include "Check.h"
#include "Compile.h"
#include "Launch.h"
#include "Options.h"
#include "Report.h"
#include "Support/InputFile.h"
#include "Support/OutputFile.h"
#include "Support/Process.h"

#include "tile/Atoms/Chips.h"
#include "tile/Target/Chip.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// What is open for the whole run.
struct Job {
  explicit Job(const RunOptions &options)
      : options(options), report(chooseStream(options)),
        progress(llvm::errs(), isTerminal()) {}

  /// The text goes where nothing else does.
  static llvm::raw_ostream *chooseStream(const RunOptions &options) {
    if (options.json == "-")
      return nullptr;
    bool taken = llvm::is_contained(options.outputs, "-") ||
                 options.saveArtifact == "-";
    return taken ? &llvm::errs() : &llvm::outs();
  }

  /// Prints a sentence, which is also what the JSON says.
  int fail(const Twine &sentence, int code = Failed) {
    progress.end();
    std::string text = sentence.str();
    report.facts["error"] = text;
    return failTool(text, code);
  }

  const RunOptions &options;
  Report report;
  Progress progress;
  std::vector<OutputFile> outputs;
  std::optional<OutputFile> artifactFile, jsonFile;
  std::unique_ptr<llvm::MemoryBuffer> text;
  /// One for each --arg; empty for `null`.
  std::vector<std::optional<NpyFile>> inputs;
  /// One for each --expected.
  std::vector<NpyFile> expected;
  DeviceHandle device;
  TileRtDeviceInfo deviceInfo = {};
  std::string chip;
  std::string artifact;
  ModuleHandle module;
  std::vector<ArtifactEntry> entries;
  BoundEntry bound;
  DeviceEntry launched;
  CheckRequest checkRequest;
};

} // namespace

/// Refuses outputs that would replace the program, or one another.
static int checkOutputPaths(Job &job) {
  const RunOptions &options = job.options;
  std::vector<std::pair<std::string, StringRef>> paths;
  for (const std::string &path : options.outputs)
    paths.push_back({"--out", path});
  if (!options.saveArtifact.empty())
    paths.push_back({"--save-artifact", options.saveArtifact});
  if (!options.json.empty())
    paths.push_back({"--json", options.json});
  for (auto [i, output] : llvm::enumerate(paths)) {
    auto [option, path] = output;
    if (isSameFile(path, options.file))
      return job.fail(option + ": expected another file than " + options.file +
                      ", which is compiled, but got " + path);
    for (const auto &[other, taken] : llvm::ArrayRef(paths).take_front(i))
      if (path == taken && path != "/dev/null")
        return job.fail(option + ": expected another file than that of " +
                        other + ", but got " + path + " twice");
  }
  return Passed;
}

static int openOutput(Job &job, const std::string &path,
                      std::optional<OutputFile> &target) {
  if (path.empty())
    return Passed;
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return job.fail(path + ": " + file.getReason());
  target.emplace(std::move(*file));
  return Passed;
}

/// Opens every file that is named, so that a wrong path stops before any work.
static int openFiles(Job &job) {
  const RunOptions &options = job.options;
  if (int code = checkOutputPaths(job))
    return code;
  if (int code = openOutput(job, options.json, job.jsonFile))
    return code;
  for (const std::string &path : options.outputs) {
    std::optional<OutputFile> file;
    if (int code = openOutput(job, path, file))
      return code;
    job.outputs.push_back(std::move(*file));
  }
  if (int code = openOutput(job, options.saveArtifact, job.artifactFile))
    return code;
  Result<std::unique_ptr<llvm::MemoryBuffer>> text = readFile(options.file);
  if (!text)
    return job.fail(options.file + ": " + text.getReason());
  job.text = std::move(*text);
  auto read = [&](const std::string &path) -> std::optional<NpyFile> {
    job.progress.begin("reading " + path);
    Result<NpyFile> file = openNpy(path);
    job.progress.end();
    if (file)
      return std::move(*file);
    job.fail(path + ": " + file.getReason());
    return std::nullopt;
  };
  for (const std::string &path : options.inputs) {
    job.inputs.emplace_back();
    if (path != "null" && !(job.inputs.back() = read(path)))
      return Failed;
  }
  for (const std::string &path : options.expected) {
    std::optional<NpyFile> file = read(path);
    if (!file)
      return Failed;
    job.expected.push_back(std::move(*file));
  }
  return Passed;
}

/// Opens the device and settles the chip.
static int openDevice(Job &job) {
  const RunOptions &options = job.options;
  if (!options.chip.empty())
    if (std::optional<std::string> reason = checkChip(options.chip))
      return job.fail(*reason);
  job.chip = options.chip;
  // What is only compiled needs a device at most to tell the chip.
  if (!options.runs() && !options.chip.empty())
    return Passed;
  TileRtDevice device = nullptr;
  if (tileRtDeviceOpen(options.device.c_str(), &device))
    return job.fail("--device=" + options.device + ": " + tileRtGetLastError());
  job.device.reset(device);
  tileRtDeviceGetInfo(device, &job.deviceInfo);
  if (options.countAccesses && job.deviceInfo.kind != TILE_RT_DEVICE_SIM)
    return job.fail("--count-accesses: expected --device=sim, which counts, but "
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
      return job.fail("--" + option + ": expected a .mlir file to compile, but " +
                  options.file + " is an artifact");
    if (options.runs() && !options.trustArtifact &&
        job.deviceInfo.kind == TILE_RT_DEVICE_SIM)
      return job.fail(options.file + ": expected --trust-artifact, since the "
                                 "simulator runs the code of this artifact in "
                                 "this process");
    job.artifact = job.text->getBuffer().str();
  } else {
    bool simulator =
        job.deviceInfo.kind == TILE_RT_DEVICE_SIM || job.artifactFile;
    job.progress.begin("compiling " + options.file);
    mlir::FailureOr<std::string> compiled = compileText(
        std::move(job.text), options, job.chip, simulator, job.progress);
    job.progress.end();
    if (failed(compiled)) {
      // The diagnostic has been printed.
      job.report.facts["error"] = options.file + ": cannot be compiled";
      return Failed;
    }
    job.artifact = std::move(*compiled);
  }
  llvm::Expected<ArtifactView> view = parseArtifact(job.artifact);
  if (!view)
    return job.fail(options.file + ": " + llvm::toString(view.takeError()));
  if (options.printPTX) {
    if (view->ptx.empty())
      return job.fail(options.file + ": expected an artifact with PTX, but it has "
                                 "none");
    llvm::outs() << view->ptx;
  }
  if (const llvm::json::Object *target = view->manifest.getObject("target"))
    job.chip = target->getString("chip").value_or("").str();
  if (job.artifactFile)
    if (std::optional<std::string> reason =
            job.artifactFile->write(job.artifact))
      return job.fail(options.saveArtifact + ": " + *reason);
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
  if (names.empty())
    job.fail(job.options.file +
             ": expected a public function with a tile.gemm on its arguments, "
             "but found none; a private one is no entry, and neither is one "
             "that only calls others");
  else if (name.empty())
    job.fail(job.options.file + ": expected --entry to name one of " + list +
         ", but got none");
  else
    job.fail("--entry: expected one of " + list + ", but got '" + name + "'");
  return nullptr;
}

/// Loads the artifact and puts the arguments on the device.
static int prepare(Job &job) {
  const RunOptions &options = job.options;
  const std::string &artifact = job.artifact;
  TileRtModule module = nullptr;
  if (tileRtModuleLoad(job.device.get(), artifact.data(), artifact.size(),
                       &module))
    return job.fail(options.file + ": " + tileRtGetLastError());
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
    return job.fail(bound.getReason());
  job.bound = std::move(*bound);
  job.checkRequest.reference = options.check;
  for (const NpyFile &file : job.expected)
    job.checkRequest.expected.push_back(&file);
  if (options.compares())
    if (std::optional<std::string> reason =
            findUncheckable(job.bound, job.checkRequest))
      return job.fail(*reason);
  Result<DeviceEntry> launched =
      uploadEntry(job.device.get(), module, job.bound, options.kernel,
                  !options.noWorkspace, job.progress);
  if (!launched)
    return job.fail(launched.getReason());
  job.launched = std::move(*launched);
  return Passed;
}

/// Launches once, or only makes the checks of a launch. The runtime speaks of A
/// and B: adds which files they are.
static int launch(Job &job, bool dryRun) {
  const RunOptions &options = job.options;
  job.progress.begin("running @" + job.bound.entry->name + " on " +
                     job.deviceInfo.name);
  std::optional<std::string> reason = launchEntry(job.launched, dryRun);
  job.progress.end();
  if (!reason)
    return Passed;
  std::string kernels = listKernels(job.launched);
  if (!options.kernel.empty() && !kernels.empty() &&
      !llvm::is_contained(llvm::split(kernels, ", "), options.kernel))
    return job.fail("--kernel: expected one of the kernels of @" +
                    job.bound.entry->name + " (" + kernels + "), but got '" +
                    options.kernel + "'");
  std::vector<std::string> origins;
  for (const BoundArgument &argument : job.bound.arguments)
    if (!job.inputs.empty() && argument.isTensor() && argument.read)
      origins.push_back(argument.name + " is " + argument.origin);
  return job.fail(options.file + ": @" + job.bound.entry->name + ": " +
                  *reason +
                  (origins.empty() ? ""
                                   : " (" + llvm::join(origins, ", ") + ")"));
}

static int readImages(Job &job, Images &images) {
  for (auto [number, argument] : llvm::enumerate(job.bound.arguments)) {
    images.emplace_back();
    if (!argument.isTensor() || argument.null ||
        (!argument.written && !job.options.compares()))
      continue;
    Result<Image> image = readBack(job.launched, argument, number);
    if (!image)
      return job.fail(image.getReason());
    images.back() = std::move(*image);
  }
  return Passed;
}

static int writeOutputs(Job &job, const Images &images) {
  for (auto [file, number] : llvm::zip(job.outputs, job.bound.outputs)) {
    const BoundArgument &argument = job.bound.arguments[number];
    job.progress.begin("writing " + file.getPath());
    OutputFile &target = file;
    std::optional<std::string> reason = writeNpy(
        argument.type, viewOf(argument, images[number].data).data,
        argument.sizes, argument.strides,
        argument.columnMajor && argument.sizes.size() == 2,
        [&](StringRef piece) { return target.append(piece); });
    if (!reason)
      reason = target.commit();
    job.progress.end();
    if (reason)
      return job.fail(file.getPath() + ": " + *reason);
  }
  return Passed;
}

/// Reports the outcome of a comparison. Returns the exit code.
static int judge(Job &job, const EntryCheck &check) {
  reportCheck(job.report, job.bound, check);
  job.report.facts["passed"] = check.passed();
  std::string where =
      job.options.file + ": @" + job.bound.entry->name + ": ";
  if (!check.passed())
    return job.fail(where + describeFailure(job.bound, check), CheckFailed);
  if (const StepCheck *step = check.findVacuous())
    return job.fail(where + "expected an element that can be compared with " +
                    step->against + ", but all " +
                    Twine(step->result.total) + " may overflow");
  return Passed;
}

static int runEntry(Job &job) {
  const RunOptions &options = job.options;
  if (int code = prepare(job))
    return code;
  if (int code = launch(job, /*dryRun=*/true))
    return code;
  reportSetup(job.report, job.device.get(), getArchitecture(job.chip),
              options.file, job.bound);
  if (int code = launch(job, /*dryRun=*/false))
    return code;
  reportLaunch(job.report, job.bound, job.launched);
  if (options.countAccesses)
    reportAccesses(job.report, job.module.get());
  // All of this before the timed launches, which write in place again.
  Images images;
  if (int code = readImages(job, images))
    return code;
  EntryCheck check;
  if (options.compares()) {
    job.checkRequest.isRandom = options.random && options.fills.empty();
    job.checkRequest.seed = options.seed;
    for (const TileRtLaunchInfo &info : job.launched.info)
      job.checkRequest.tf32.push_back(
          info.kernel &&
          getKernelInfo(job.module.get(), info.kernel).multipliesAsTf32);
    check = checkEntry(job.bound, images, job.checkRequest, job.progress);
  }
  if (int code = writeOutputs(job, images))
    return code;
  if (options.time) {
    job.progress.begin("timing @" + job.bound.entry->name);
    Result<Timing> timing = timeEntry(job.launched, options.repetitions);
    job.progress.end();
    if (!timing)
      return job.fail(timing.getReason());
    reportTiming(job.report, *timing, job.launched);
  }
  for (auto [file, number] : llvm::zip(job.outputs, job.bound.outputs))
    reportWritten(job.report, job.bound.arguments[number], file.getPath());
  return options.compares() ? judge(job, check) : int(Passed);
}

static int runJob(Job &job) {
  if (int code = openFiles(job))
    return code;
  if (int code = openDevice(job))
    return code;
  if (int code = compile(job))
    return code;
  return job.options.runs() ? runEntry(job) : int(Passed);
}

/// Writes the report as JSON, where it was asked for.
static int writeReport(Job &job, int code) {
  if (!job.jsonFile)
    return code;
  llvm::json::Object &facts = job.report.facts;
  facts["tool"] = "tile-run";
  facts["version"] = std::string(tileRtGetVersion());
  facts["file"] = job.options.file;
  facts["exit_code"] = code;
  std::string text =
      llvm::formatv("{0:2}\n", llvm::json::Value(std::move(facts)));
  if (std::optional<std::string> reason = job.jsonFile->write(text))
    return failTool((job.options.json == "-" ? "standard output"
                                             : job.options.json) +
                    ": " + *reason);
  return code;
}

int tile::tileRunMain(int argc, char **argv) {
  Result<RunOptions> options =
      parseOptions(llvm::ArrayRef<const char *>(argv, argc).drop_front());
  if (!options)
    return failTool(options.getReason());
  if (options->help || options->version) {
    llvm::outs() << (options->help ? getHelpText()
                                   : std::string("tile-run ") +
                                         tileRtGetVersion() + "\n");
    return Passed;
  }
  Job job(*options);
  return writeReport(job, runJob(job));
}
