// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One point: compile, check, screen, and time in shuffled rounds.
#include "Check.h"
#include "Parallel.h"
#include "Setting.h"

#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <numeric>

using namespace tile;
using namespace tile::bench;

/// Operand sets hold at least this much together, and several times the L2.
static constexpr int64_t rotationBytes = 300'000'000;
static constexpr int64_t rotationOverL2 = 5;
/// Milliseconds of a batch, and launches in it, at least.
static constexpr double screeningBatch = 2, finalBatch = 5;
static constexpr int screeningLaunches = 2, finalLaunches = 3;
static constexpr int screeningRounds = 3, leastRounds = 3;
/// How many of cuBLASLt's algorithms get to the final rounds beside its
/// default.
static constexpr int cublasFinalists = 3;
/// Milliseconds of work before the first round: the power limit acts after 100.
static constexpr double warmUpTime = 200;

namespace {
/// A point while it is run. Contestants [0, ours.size()) are ours, the others
/// cuBLASLt's.
class PointRun {
public:
  PointRun(Setting &setting, const Point &point) : setting(setting) {
    result.point = point;
  }

  PointResult run() {
    result.before = setting.nvml->read();
    if (std::optional<std::string> failure = prepare())
      result.failure = *failure;
    else
      measure();
    for (Contestant &contestant : contestants)
      setting.stopwatch->release(contestant);
    return std::move(result);
  }

private:
  std::optional<std::string> prepare();
  void compileCandidates();
  void checkOurs();
  std::optional<std::string> poseToCublas();
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
  /// The contestants that can run and are in the list.
  std::vector<Contestant *> pick(llvm::ArrayRef<int> indices);
  void checkResult(int index);

  Setting &setting;
  PointResult result;
  std::vector<std::unique_ptr<LoadedCandidate>> candidates;
  std::unique_ptr<CublasProblem> problem;
  std::optional<OperandSets> sets;
  std::optional<Reference> reference;
  std::vector<Contestant> contestants;
  std::vector<int> finalists;
  /// D as it was last read, kept because memory is slow to come by.
  std::vector<char> hostD;
};
} // namespace

/// Compiles and loads all candidates, several at a time.
void PointRun::compileCandidates() {
  std::vector<std::string> schedules = result.point.schedules;
  const std::vector<std::string> &more = setting.options.schedules;
  schedules.insert(schedules.end(), more.begin(), more.end());
  if (schedules.empty())
    schedules.push_back("default");
  auto begin = std::chrono::steady_clock::now();
  result.ours.resize(schedules.size());
  candidates.resize(schedules.size());
  parallelFor(schedules.size(), setting.options.jobs, [&](int64_t i) {
    Entry &entry = result.ours[i];
    entry.name = schedules[i];
    CompiledCandidate compiled =
        compileCandidate(result.point, schedules[i], setting.compile);
    entry.compileMilliseconds = compiled.milliseconds;
    entry.failure = compiled.failure;
    if (!entry.failure.empty())
      return;
    auto start = std::chrono::steady_clock::now();
    Result<std::unique_ptr<LoadedCandidate>> loaded =
        LoadedCandidate::create(setting.device.get(), setting.stream.get(),
                                result.point, compiled.artifact);
    entry.loadMilliseconds = std::chrono::duration<double, std::milli>(
                                 std::chrono::steady_clock::now() - start)
                                 .count();
    if (loaded)
      candidates[i] = std::move(*loaded);
    else
      entry.failure = loaded.getReason();
  });
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  if (schedules.size() > 1)
    llvm::outs() << result.point.label() << ": " << schedules.size()
                 << " schedules compiled in " << llvm::format("%.1f s", seconds)
                 << '\n';
  for (std::unique_ptr<LoadedCandidate> &candidate : candidates)
    if (candidate && setting.toolchain.empty())
      setting.toolchain = candidate->toolchain();
}

std::optional<std::string> PointRun::poseToCublas() {
  if (!setting.cublas)
    return std::nullopt;
  Result<std::unique_ptr<CublasProblem>> posed = CublasProblem::create(
      *setting.cublas, result.point, setting.options.algorithms,
      tileRtBufferGetSize(setting.workspace.get()));
  if (!posed)
    return posed.getReason();
  problem = std::move(*posed);
  for (int i = 0; i < problem->size(); ++i)
    result.cublas.emplace_back().name = problem->describe(i);
  return std::nullopt;
}

std::optional<std::string> PointRun::prepare() {
  compileCandidates();
  Result<const Noise *> noise = setting.noise(*result.point.type);
  if (!noise)
    return noise.getReason();
  size_t free = 0, total = 0;
  if (auto reason = setting.cuda.check(setting.cuda.MemGetInfo(&free, &total),
                                       "cuMemGetInfo"))
    return reason;
  Result<OperandSets> made = OperandSets::create(
      setting.device.get(), setting.cuda, **noise, result.point,
      std::max(rotationBytes, rotationOverL2 * setting.cuda.l2Bytes),
      static_cast<int64_t>(free / 10 * 9));
  if (!made)
    return made.getReason();
  sets.emplace(std::move(*made));
  result.sets = sets->size();
  reference.emplace(result.point, **noise, (*sets)[0]);
  if (auto reason = poseToCublas())
    return reason;

  contestants.resize(result.ours.size() + result.cublas.size());
  void *workspace = tileRtBufferGetAddress(setting.workspace.get());
  for (int i = 0; i < count(); ++i) {
    if (isOurs(i)) {
      contestants[i].failure = result.ours[i].failure;
      LoadedCandidate *candidate = candidates[i].get();
      contestants[i].launch = [this, candidate](int set) {
        return candidate->launch((*sets)[set]);
      };
      continue;
    }
    int algorithm = i - static_cast<int>(result.ours.size());
    contestants[i].launch = [this, algorithm, workspace](int set) {
      const OperandSet &operands = (*sets)[set];
      return problem->run(algorithm, operands.a, operands.b, operands.d,
                          workspace, setting.cuda.stream);
    };
  }
  return std::nullopt;
}

std::vector<Contestant *> PointRun::pick(llvm::ArrayRef<int> indices) {
  std::vector<Contestant *> picked;
  for (int index : indices)
    if (contestants[index].failure.empty())
      picked.push_back(&contestants[index]);
  return picked;
}

/// Runs a contestant on poisoned output and judges what it wrote. A failure
/// goes to the contestant.
void PointRun::checkResult(int index) {
  Contestant &contestant = contestants[index];
  if (!contestant.failure.empty())
    return;
  auto failure = sets->poison(setting.cuda, 0);
  if (!failure)
    failure = contestant.launch(0);
  if (!failure)
    failure = setting.deviceFault();
  if (!failure)
    failure = sets->read(0, hostD);
  if (failure) {
    contestant.failure = *failure;
    return;
  }
  Verdict verdict = reference->check(hostD);
  Entry &entry = this->entry(index);
  entry.checked = true;
  entry.maxError = std::max(entry.maxError, verdict.maxError);
  entry.relativeError = std::max(entry.relativeError, verdict.relativeError);
  entry.wrong = !verdict.wrong.empty();
  contestant.failure = verdict.wrong;
}

void PointRun::checkOurs() {
  for (int i = 0; i < count() && isOurs(i); ++i) {
    checkResult(i);
    if (!candidates[i])
      continue;
    const TileRtKernelInfo &kernel = candidates[i]->kernel();
    Entry &entry = result.ours[i];
    entry.kernel = kernel.name;
    entry.schedule = kernel.schedule;
    entry.registers = kernel.registers;
    entry.localBytes = kernel.localBytes;
    entry.sharedBytes = kernel.sharedBytes;
  }
}

/// Times everything a little, to choose whom to time well.
void PointRun::screen() {
  std::vector<int> all(contestants.size());
  std::iota(all.begin(), all.end(), 0);
  for (Contestant &contestant : contestants)
    setting.stopwatch->prepare(contestant, sets->size(), screeningBatch,
                               screeningLaunches);
  std::vector<Contestant *> able = pick(all);
  setting.stopwatch->warmUp(able, warmUpTime / 4);
  setting.stopwatch->runRounds(able, screeningRounds, screeningRounds, 0);
  for (int i = 0; i < count(); ++i) {
    entry(i).time = summarize(contestants[i].samples);
    entry(i).launches = contestants[i].launches;
    contestants[i].samples.clear();
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
  for (int index : fastest(ours, count(), cublasFinalists))
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
      checkResult(index);
  for (int index : finalists)
    setting.stopwatch->prepare(contestants[index], sets->size(), finalBatch,
                               finalLaunches);
  std::vector<Contestant *> able = pick(finalists);
  if (setting.options.regime == Regime::Hot)
    setting.stopwatch->warmUp(able, warmUpTime);
  setting.stopwatch->runRounds(able, setting.options.rounds, leastRounds,
                               setting.options.seconds);
  result.after = setting.nvml->read();
  for (int index : finalists) {
    const Contestant &contestant = contestants[index];
    if (contestant.samples.empty())
      continue;
    entry(index).time = summarize(contestant.samples);
    entry(index).launches = contestant.launches;
    entry(index).finalist = true;
  }
}

/// Checks our finalists once more, on the card as the rounds left it: a race
/// may show only then.
void PointRun::recheck() {
  for (int index : finalists)
    if (isOurs(index))
      checkResult(index);
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
  if (setting.cublas && result.cublasBest < 0 && result.failure.empty())
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

PointResult tile::bench::runPoint(Setting &setting, const Point &point) {
  return PointRun(setting, point).run();
}
