// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One point: compile, check, screen, and time in shuffled rounds.
#include "Check.h"
#include "Setting.h"
#include "Support/Parallel.h"

#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <numeric>

using namespace tile;
using namespace tile::bench;

/// Operand sets hold at least this much together, and several times the L2.
static constexpr int64_t rotationBytes = 300'000'000;
static constexpr int64_t rotationOverL2 = 5;
static constexpr int leastRounds = 3;
/// Milliseconds of rest are for the final rounds; many are screened.
static constexpr int screeningRest = 10;
/// Results up to this size are checked whole each time.
static constexpr int64_t alwaysCheckedBytes = 32'000'000;

/// What a small kernel in front of a GEMM writes of A.
static constexpr int64_t smallFrontBytes = 64 * 1024;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

namespace {
/// A point while it is run. Contestants [0, ours.size()) are ours, the others
/// cuBLASLt's.
class PointRun {
public:
  PointRun(Setting &setting, const Point &point,
           std::vector<Candidate> candidates, const Effort &effort)
      : setting(setting), effort(effort), candidates(std::move(candidates)) {
    result.point = point;
  }

  PointResult run() {
    Clock::time_point begin = Clock::now();
    result.before = setting.nvml->read();
    if (std::optional<std::string> failure = prepare())
      result.failure = *failure;
    else
      measure();
    for (Contestant &contestant : contestants)
      setting.stopwatch->release(contestant);
    setting.stopwatch->release(front);
    result.otherSeconds = secondsSince(begin) - result.roundSeconds;
    return std::move(result);
  }

private:
  std::optional<std::string> prepare();
  void describeCandidates();
  std::optional<std::string> allocateWorkspace();
  void checkOurs();
  void poseToCublas();
  void measure();
  void screen();
  void chooseFinalists();
  void runFinal();
  void recheck();
  void conclude();

  int count() const { return static_cast<int>(contestants.size()); }
  bool isOurs(int index) const { return index < int(result.ours.size()); }
  Entry &entry(int index) {
    return isOurs(index) ? result.ours[index]
                         : result.cublas[index - result.ours.size()];
  }
  /// Queues what stands in front of a launch on an operand set.
  std::optional<std::string> launchFront(int set) const;
  /// The contestants that can run and are in the list, and the kernel in front
  /// of them, alone.
  std::vector<Contestant *> pick(llvm::ArrayRef<int> indices);
  void subtractFront(llvm::ArrayRef<int> indices);
  void checkResult(int index, bool first);

  Setting &setting;
  const Effort effort;
  PointResult result;
  std::vector<Candidate> candidates;
  /// What our kernels may need beside their operands.
  UniqueBuffer workspace;
  std::unique_ptr<CublasProblem> problem;
  std::optional<OperandSets> sets;
  std::optional<Reference> reference;
  std::vector<Contestant> contestants;
  /// The kernel in front of the others, alone; never ready without one.
  Contestant front;
  std::vector<int> finalists;
  /// D as it was last read, kept because memory is slow to come by.
  std::vector<char> hostD;
};
} // namespace

void PointRun::describeCandidates() {
  result.ours.resize(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate &candidate = candidates[i];
    Entry &entry = result.ours[i];
    entry.name = candidate.schedule;
    entry.failure = candidate.failure;
    entry.reason = candidate.compiled.reason;
    entry.compileMilliseconds = candidate.compiled.milliseconds;
    entry.loadMilliseconds = candidate.loadMilliseconds;
    if (candidate.loaded && setting.toolchain.empty())
      setting.toolchain = candidate.loaded->toolchain();
  }
}

void PointRun::poseToCublas() {
  if (!setting.cublas)
    return;
  Result<std::unique_ptr<CublasProblem>> posed = CublasProblem::create(
      *setting.cublas, result.point, setting.options.algorithms,
      tileRtBufferGetSize(setting.workspace.get()));
  if (!posed) {
    result.noReference = posed.getReason();
    return;
  }
  problem = std::move(*posed);
  for (int i = 0; i < problem->size(); ++i)
    result.cublas.emplace_back().name = problem->describe(i);
}

std::optional<std::string> PointRun::allocateWorkspace() {
  int64_t bytes = 0;
  for (const Candidate &candidate : candidates)
    if (candidate.loaded)
      bytes = std::max(bytes, candidate.loaded->workspaceBytes((*sets)[0]));
  if (bytes == 0)
    return std::nullopt;
  Result<UniqueBuffer> memory = allocate(setting.device.get(), bytes);
  if (!memory)
    return memory.getReason();
  workspace = std::move(*memory);
  return std::nullopt;
}

std::optional<std::string> PointRun::prepare() {
  describeCandidates();
  Result<Noises> noises = setting.noisesOf(result.point);
  if (!noises)
    return noises.getReason();
  size_t free = 0, total = 0;
  if (auto reason = setting.cuda.check(setting.cuda.MemGetInfo(&free, &total),
                                       "cuMemGetInfo"))
    return reason;
  // A part stays free for the workspace of our kernels.
  Result<OperandSets> made = OperandSets::create(
      setting.device.get(), setting.cuda, *noises, result.point,
      std::max(rotationBytes, rotationOverL2 * setting.cuda.l2Bytes),
      static_cast<int64_t>(free / 10 * 6));
  if (!made)
    return made.getReason();
  sets.emplace(std::move(*made));
  result.sets = sets->size();
  if (auto reason = allocateWorkspace())
    return reason;
  reference.emplace(result.point, *noises, (*sets)[0]);
  poseToCublas();

  contestants.resize(result.ours.size() + result.cublas.size());
  void *cublasWorkspace = tileRtBufferGetAddress(setting.workspace.get());
  for (int i = 0; i < count(); ++i) {
    if (isOurs(i)) {
      contestants[i].failure = result.ours[i].failure;
      LoadedCandidate *candidate = candidates[i].loaded.get();
      contestants[i].launch = [this, candidate](int set) {
        auto failure = launchFront(set);
        return failure
                   ? failure
                   : candidate->launch((*sets)[set], workspace.get(),
                                       setting.options.programmatic);
      };
      continue;
    }
    int algorithm = i - static_cast<int>(result.ours.size());
    contestants[i].launch = [this, algorithm, cublasWorkspace](int set) {
      auto failure = launchFront(set);
      return failure ? failure
                     : problem->run(algorithm, (*sets)[set], cublasWorkspace,
                                    setting.cuda.stream);
    };
  }
  front.launch = [this](int set) { return launchFront(set); };
  if (!setting.front)
    front.failure = "nothing stands in front of a launch";
  return std::nullopt;
}

std::optional<std::string> PointRun::launchFront(int set) const {
  if (!setting.front)
    return std::nullopt;
  const OperandSet &operands = (*sets)[set];
  if (setting.options.context == Context::Elementwise)
    return setting.front->launch(operands.d, sets->resultBytes());
  const Placement a = result.point.a();
  int64_t bytes = a.batchStride * a.batch * result.point.type->bytes;
  return setting.front->launch(operands.a, std::min(bytes, smallFrontBytes));
}

std::vector<Contestant *> PointRun::pick(llvm::ArrayRef<int> indices) {
  std::vector<Contestant *> picked;
  for (int index : indices)
    if (contestants[index].failure.empty())
      picked.push_back(&contestants[index]);
  if (front.failure.empty())
    picked.push_back(&front);
  return picked;
}

/// Leaves of the samples of contestants what they add to the kernel in front.
void PointRun::subtractFront(llvm::ArrayRef<int> indices) {
  double device = summarize(front.samples).median;
  double host = summarize(front.hostSamples).median;
  for (int index : indices)
    subtractFromSamples(contestants[index], device, host);
  result.frontMicroseconds = device;
  front.samples.clear();
  front.hostSamples.clear();
}

/// Runs a contestant on poisoned output and judges what it wrote. A failure
/// goes to the contestant.
void PointRun::checkResult(int index, bool first) {
  Contestant &contestant = contestants[index];
  if (!contestant.failure.empty())
    return;
  // Gigabytes take longer to fetch than to compute.
  bool whole = sets->resultBytes() <= alwaysCheckedBytes ||
               (first && effort.checkAll && isOurs(index));
  auto failure = sets->poison(setting.cuda, 0);
  {
    Watchdog::Guard guard(setting.watchdog.get(),
                          result.point.label() + ": " + entry(index).name);
    if (!failure)
      failure = contestant.launch(0);
    if (!failure)
      failure = setting.deviceFault();
  }
  if (!failure)
    failure = whole ? sets->read(0, hostD)
                    : sets->readLines(0, reference->sampledRows(), hostD);
  if (failure) {
    contestant.failure = *failure;
    return;
  }
  Verdict verdict = reference->check(hostD, /*strict=*/isOurs(index),
                                     whole ? Reference::Extent::All
                                           : Reference::Extent::SampledRows);
  Entry &entry = this->entry(index);
  entry.checked = true;
  entry.maxError = std::max(entry.maxError, verdict.maxError);
  entry.relativeError = std::max(entry.relativeError, verdict.relativeError);
  entry.toleranceUsed = std::max(entry.toleranceUsed, verdict.toleranceUsed);
  entry.wrong = !verdict.wrong.empty();
  contestant.failure = verdict.wrong;
}

void PointRun::checkOurs() {
  for (int i = 0; i < count() && isOurs(i); ++i) {
    checkResult(i, /*first=*/true);
    if (!candidates[i].loaded)
      continue;
    const TileRtKernelInfo &kernel = candidates[i].loaded->kernel();
    Entry &entry = result.ours[i];
    entry.kernel = kernel.name;
    entry.prepare = candidates[i].loaded->preparation();
    entry.schedule = kernel.schedule;
    entry.registers = kernel.registers;
    entry.localBytes = kernel.localBytes;
    entry.sharedBytes = kernel.sharedBytes + kernel.dynamicSharedBytes;
  }
}

/// Times everything a little, to choose whom to time well.
void PointRun::screen() {
  std::vector<int> all(contestants.size());
  std::iota(all.begin(), all.end(), 0);
  for (Contestant &contestant : contestants)
    setting.stopwatch->prepare(contestant, sets->size(), effort.screeningBatch,
                               effort.screeningLaunches);
  setting.stopwatch->prepare(front, sets->size(), effort.screeningBatch,
                             effort.screeningLaunches);
  std::vector<Contestant *> able = pick(all);
  setting.stopwatch->warmUp(able, effort.warmUp / 4);
  setting.stopwatch->runRounds(
      able, effort.screeningRounds, effort.screeningRounds, 0,
      std::min(screeningRest, restOf(setting.options.regime)));
  subtractFront(all);
  for (int i = 0; i < count(); ++i) {
    entry(i).time = summarize(contestants[i].samples);
    entry(i).launches = contestants[i].launches;
    contestants[i].samples.clear();
    contestants[i].hostSamples.clear();
    setting.stopwatch->release(contestants[i]);
  }
}

void PointRun::chooseFinalists() {
  auto fastest = [&](int begin, int end, int most) {
    std::vector<int> able;
    for (int i = begin; i < end; ++i)
      if (contestants[i].failure.empty() && entry(i).time.count > 0)
        able.push_back(i);
    std::sort(able.begin(), able.end(), [&](int a, int b) {
      return entry(a).time.min < entry(b).time.min;
    });
    able.resize(std::min<size_t>(able.size(), most));
    return able;
  };
  int ours = static_cast<int>(result.ours.size());
  finalists = fastest(0, ours, setting.options.finalists);
  for (int index : fastest(ours, count(), effort.cublasFinalists))
    finalists.push_back(index);
  // cuBLASLt's first answer that runs is what its users get.
  for (int i = ours; i < count(); ++i) {
    if (!contestants[i].failure.empty())
      continue;
    if (std::find(finalists.begin(), finalists.end(), i) == finalists.end())
      finalists.push_back(i);
    result.cublasDefault = i - ours;
    break;
  }
}

void PointRun::runFinal() {
  for (int index : finalists)
    if (!isOurs(index))
      checkResult(index, /*first=*/true);
  for (int index : finalists)
    setting.stopwatch->prepare(contestants[index], sets->size(),
                               effort.finalBatch, effort.finalLaunches);
  setting.stopwatch->prepare(front, sets->size(), effort.finalBatch,
                             effort.finalLaunches);
  std::vector<Contestant *> able = pick(finalists);
  if (setting.options.regime == Regime::Hot)
    setting.stopwatch->warmUp(able, effort.warmUp);
  Clock::time_point begin = Clock::now();
  result.rounds = setting.stopwatch->runRounds(able, effort.rounds, leastRounds,
                                               setting.options.seconds);
  result.roundSeconds = secondsSince(begin);
  result.after = setting.nvml->read();
  subtractFront(finalists);
  for (int index : finalists) {
    const Contestant &contestant = contestants[index];
    if (contestant.samples.empty())
      continue;
    entry(index).time = summarize(contestant.samples);
    entry(index).hostMicroseconds = summarize(contestant.hostSamples).median;
    entry(index).launches = contestant.launches;
    entry(index).finalist = true;
  }
}

/// Checks our finalists once more, on the card as the rounds left it: a race
/// may show only then.
void PointRun::recheck() {
  for (int index : finalists)
    if (isOurs(index))
      checkResult(index, /*first=*/false);
}

void PointRun::conclude() {
  for (int i = 0; i < count(); ++i)
    entry(i).failure = contestants[i].failure;
  auto fastest = [](llvm::ArrayRef<Entry> entries) {
    int best = -1;
    for (int i = 0; i < static_cast<int>(entries.size()); ++i)
      if (entries[i].failure.empty() && entries[i].finalist &&
          (best < 0 || entries[i].time.median < entries[best].time.median))
        best = i;
    return best;
  };
  result.best = fastest(result.ours);
  result.cublasBest = fastest(result.cublas);
  if (result.cublasDefault >= 0 &&
      !result.cublas[result.cublasDefault].failure.empty())
    result.cublasDefault = -1;
  for (int i = 0; i < count(); ++i)
    if (entry(i).wrong && result.failure.empty())
      result.failure = std::string(isOurs(i) ? "" : "cuBLASLt ") +
                       entry(i).name + " is wrong: " + entry(i).failure;
  if (result.best < 0 && result.failure.empty())
    result.failure = "no schedule ran: " + result.ours.front().failure;
  if (!result.cublas.empty() && result.cublasBest < 0 && result.failure.empty())
    result.failure = "cuBLASLt did not run: " + result.cublas.front().failure;
}

void PointRun::measure() {
  checkOurs();
  screen();
  chooseFinalists();
  runFinal();
  recheck();
  conclude();
}

PointResult tile::bench::runPoint(Setting &setting, const Point &point,
                                  std::vector<Candidate> candidates,
                                  const Effort &effort) {
  return PointRun(setting, point, std::move(candidates), effort).run();
}

/// Only schedules that say so multiply as tf32; the compiler selects none.
static constexpr const char *tf32Schedules[] = {
    "#tile.warp_specialized<tile = [128, 128, 32], stages = 4, tf32 = true>",
    "#tile.warp_specialized<tile = [128, 192, 32], stages = 4, tf32 = true>",
    "#tile.warp_specialized<tile = [128, 256, 32], stages = 4, tf32 = true>"};

std::vector<Candidate> tile::bench::listCandidates(const Options &options,
                                                   const Point &point) {
  std::vector<Candidate> candidates;
  for (const auto *schedules : {&point.schedules, &options.schedules})
    for (const std::string &schedule : *schedules)
      candidates.emplace_back().schedule = schedule;
  if (candidates.empty() && point.tf32)
    for (const char *schedule : tf32Schedules)
      candidates.emplace_back().schedule = schedule;
  if (candidates.empty())
    candidates.emplace_back().schedule = "default";
  return candidates;
}

void Candidate::compile(const Point &point, const CompileSettings &settings) {
  compiled = compileCandidate(point, schedule, settings);
  failure = compiled.failure;
}

void Candidate::load(Setting &setting, const Point &point) {
  if (!failure.empty() || loaded)
    return;
  Clock::time_point begin = Clock::now();
  Result<std::unique_ptr<LoadedCandidate>> made = LoadedCandidate::create(
      setting.device.get(), setting.stream.get(), point, compiled.artifact);
  loadMilliseconds = secondsSince(begin) * 1e3;
  if (made)
    loaded = std::move(*made);
  else
    failure = made.getReason();
  // The device has its own copy.
  compiled.artifact = std::string();
}
