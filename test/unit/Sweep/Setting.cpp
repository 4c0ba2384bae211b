// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs problems through the runtime's C API.
#include "Setting.h"

#include "Reference.h"

#include <algorithm>
#include <cstdlib>

using namespace tile::sweep;

Setting &Setting::get() {
  static Setting setting;
  return setting;
}

Setting &Setting::get(int multiprocessors) {
  if (!get().isSimulator())
    return get();
  static std::map<int, Setting> settings;
  auto [position, isNew] = settings.try_emplace(multiprocessors);
  if (!isNew)
    return position->second;
  const char *before = std::getenv("TILE_SIM_THREADS");
  std::string saved = before ? before : "";
  setenv("TILE_SIM_THREADS", std::to_string(multiprocessors).c_str(), 1);
  std::string reason = position->second.open("sim", get().isFull());
  EXPECT_EQ(reason, "");
  if (before)
    setenv("TILE_SIM_THREADS", saved.c_str(), 1);
  else
    unsetenv("TILE_SIM_THREADS");
  return position->second;
}

std::string Setting::open(const std::string &spec, bool all) {
  full = all;
  if (tileRtDeviceOpen(spec.c_str(), &device) != TILE_RT_SUCCESS)
    return tileRtGetLastError();
  TileRtDeviceInfo info;
  if (tileRtDeviceGetInfo(device, &info) != TILE_RT_SUCCESS)
    return tileRtGetLastError();
  target.simulator = info.kind == TILE_RT_DEVICE_SIM;
  if (!target.simulator)
    target.chip = info.chip;
  return "";
}

Setting::~Setting() {
  for (auto &[program, module] : modules)
    tileRtModuleUnload(module);
  tileRtDeviceClose(device);
}

TileRtModule Setting::loadArtifact(const std::string &artifact,
                                   std::string &error) {
  TileRtModule module = nullptr;
  if (tileRtModuleLoad(device, artifact.data(), artifact.size(), &module) !=
      TILE_RT_SUCCESS)
    error = tileRtGetLastError();
  return module;
}

TileRtModule Setting::load(const std::string &program, std::string &error,
                           bool hopper, const std::string &chip) {
  TileRtModule &module = modules[program + chip];
  if (module)
    return module;
  Target own = target;
  if (hopper)
    own.chip = "sm_90a";
  if (!chip.empty() && own.simulator)
    own.chip = chip;
  Compiled compiled = compile(program, own);
  error = compiled.error;
  if (error.empty())
    module = loadArtifact(compiled.artifact, error);
  return module;
}

/// Tensor cores and clusters are Hopper's.
static bool needsHopper(const Problem &problem) {
  return problem.isNarrow() || problem.split.parts > 1;
}

static TileRtType typeOf(Element element) {
  switch (element) {
  case Element::F32:
    return TILE_RT_F32;
  case Element::F64:
    return TILE_RT_F64;
  case Element::F16:
    return TILE_RT_F16;
  case Element::BF16:
    return TILE_RT_BF16;
  case Element::F8E4M3FN:
    return TILE_RT_F8E4M3FN;
  case Element::F8E5M2:
    return TILE_RT_F8E5M2;
  case Element::I8:
    return TILE_RT_I8;
  case Element::I32:
    return TILE_RT_I32;
  }
  return TILE_RT_TYPE_MAX;
}

static TileRtArgument tensorOf(const Problem &problem, char name) {
  Geometry geometry = geometryOf(problem, name);
  TileRtArgument argument = {};
  argument.kind = TILE_RT_TENSOR;
  TileRtTensor &tensor = argument.as.tensor;
  tensor.type = typeOf(elementOf(problem, name));
  bool stacked = problem.batch && !operandOf(problem, name).shared;
  tensor.rank = stacked ? 3 : 2;
  for (int i = 0; i < tensor.rank; ++i) {
    tensor.sizes[i] = geometry.extents[3 - tensor.rank + i];
    tensor.strides[i] = geometry.strides[3 - tensor.rank + i];
  }
  return argument;
}

static TileRtArgument scalarOf(const Problem &problem, double value) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_SCALAR;
  if (problem.scalarType() == Element::F32) {
    argument.as.scalar.type = TILE_RT_F32;
    argument.as.scalar.value.f32 = static_cast<float>(value);
  } else {
    argument.as.scalar.type = TILE_RT_F64;
    argument.as.scalar.value.f64 = value;
  }
  return argument;
}

std::vector<TileRtArgument> tile::sweep::argumentsOf(const Problem &problem) {
  std::vector<TileRtArgument> arguments;
  for (char name : std::string(problem.hasC ? "ABCD" : "ABD"))
    arguments.push_back(tensorOf(problem, name));
  arguments.push_back(scalarOf(problem, problem.alpha));
  if (problem.hasC)
    arguments.push_back(scalarOf(problem, problem.beta));
  return arguments;
}

void *&tile::sweep::dataOf(std::vector<TileRtArgument> &arguments, char name) {
  // A, B, C, D, alpha, beta, or without C: A, B, D, alpha.
  size_t position = name - 'A';
  if (name == 'D' && arguments.size() == 4)
    position = 2;
  return arguments[position].as.tensor.data;
}

/// All that a launch of a problem needs, on the device.
struct Setting::Prepared {
  TileRtModule module = nullptr;
  std::vector<TileRtArgument> arguments;
  std::map<char, Buffer> buffers;
  Buffer workspace;
  TileRtLaunchOptions options = {};
  /// D's allocation before the launch.
  std::shared_ptr<Image> d;

  int32_t count() const { return static_cast<int32_t>(arguments.size()); }
};

/// Fills the operands and the workspace.
TileRtStatus Setting::prepare(const Problem &problem, TileRtModule module,
                              Prepared &prepared) {
  prepared.module = module;
  prepared.d = std::make_shared<Image>(problem, 'D');
  prepared.arguments = argumentsOf(problem);
  for (char name : std::string(problem.hasC ? "ABCD" : "ABD")) {
    if (operandOf(problem, name).content == Content::Null)
      continue;
    if (problem.inPlace && name == 'C')
      continue;
    Image image(problem, name);
    if (problem.inPlace && name == 'D')
      prepared.d->copyLogical(Image(problem, 'C'));
    const Image &source = name == 'D' ? *prepared.d : image;
    Buffer buffer(device, source.getBytes());
    if (!buffer)
      return TILE_RT_OUT_OF_MEMORY;
    TileRtStatus status = tileRtBufferWrite(buffer.get(), 0, source.data(),
                                            source.getBytes(), nullptr);
    if (status != TILE_RT_SUCCESS)
      return status;
    void *data =
        buffer.address() + source.getBase() * bytesOf(elementOf(problem, name));
    dataOf(prepared.arguments, name) = data;
    if (problem.inPlace && name == 'D')
      dataOf(prepared.arguments, 'C') = data;
    prepared.buffers.emplace(name, std::move(buffer));
  }
  // Copies of operands may not depend on what the workspace holds.
  TileRtLaunchOptions &options = prepared.options;
  TileRtStatus status = tileRtEntryGetWorkspaceSize(
      module, problem.entry.c_str(), prepared.arguments.data(),
      prepared.count(), &options, &options.workspaceBytes);
  // The launch says why, if there is no such size.
  if (status != TILE_RT_SUCCESS || options.workspaceBytes == 0)
    return TILE_RT_SUCCESS;
  prepared.workspace = Buffer(device, options.workspaceBytes);
  if (!prepared.workspace)
    return TILE_RT_OUT_OF_MEMORY;
  options.workspace = prepared.workspace.address();
  std::vector<uint8_t> junk(options.workspaceBytes, 0xff);
  return tileRtBufferWrite(prepared.workspace.get(), 0, junk.data(),
                           junk.size(), nullptr);
}

Outcome Setting::run(const Problem &problem, TileRtModule module) {
  ++problems;
  Outcome outcome;
  if (!module)
    module = load(programOf(problem), outcome.error, needsHopper(problem),
                  problem.chip);
  if (!module) {
    outcome.status = TILE_RT_BAD_ARTIFACT;
    return outcome;
  }
  auto fail = [&](TileRtStatus status) {
    outcome.status = status;
    outcome.error = tileRtGetLastError();
    return outcome;
  };
  Prepared prepared;
  TileRtStatus status = prepare(problem, module, prepared);
  outcome.d = prepared.d;
  if (status != TILE_RT_SUCCESS)
    return fail(status);
  TileRtLaunchInfo info = {};
  status = tileRtLaunchEntry(module, problem.entry.c_str(),
                             prepared.arguments.data(), prepared.count(),
                             &prepared.options, nullptr, &info);
  outcome.kernel = info.kernel ? info.kernel : "";
  outcome.prepare = info.prepare;
  outcome.blocks = info.grid[0];
  if (status != TILE_RT_SUCCESS)
    return fail(status);
  auto d = prepared.buffers.find('D');
  if (d == prepared.buffers.end())
    return outcome;
  status = tileRtBufferRead(d->second.get(), 0, outcome.d->data(),
                            outcome.d->getBytes(), nullptr);
  return status == TILE_RT_SUCCESS ? outcome : fail(status);
}

testing::AssertionResult Setting::solve(const Problem &problem,
                                        Outcome *outcome, TileRtModule module) {
  Outcome own = run(problem, module);
  if (outcome)
    *outcome = own;
  auto failure = [&] {
    return testing::AssertionFailure()
           << problem.describe()
           << (own.kernel.empty() ? "" : ", kernel " + own.kernel) << ": ";
  };
  if (own.status != TILE_RT_SUCCESS)
    return failure() << tileRtStatusName(own.status) << ": " << own.error;
  Image a(problem, 'A'), b(problem, 'B'), c(problem, 'C');
  bool empty = own.d->getGeometry().empty();
  if (own.kernel.empty() != empty)
    return failure() << (empty ? "a kernel was launched"
                               : "no kernel was launched");
  bool inOrder = isSimulator() || own.kernel.rfind("multistage_", 0) != 0;
  std::string wrong = compare(problem, a, b, c, *own.d, inOrder);
  if (!wrong.empty())
    return failure() << wrong;
  int64_t position = own.d->findForeignWrite(Image(problem, 'D'));
  if (position >= 0)
    return failure() << "something was written outside D, "
                     << position - own.d->getBase()
                     << " elements from its element (0, 0)";
  return testing::AssertionSuccess();
}

testing::AssertionResult Setting::repeat(const Problem &problem, int launches) {
  Outcome first;
  if (testing::AssertionResult result = solve(problem, &first); !result)
    return result;
  auto failure = [&] {
    return testing::AssertionFailure()
           << problem.describe() << ", kernel " << first.kernel << ": ";
  };
  std::string error;
  Prepared prepared;
  TileRtStatus status = prepare(
      problem,
      load(programOf(problem), error, needsHopper(problem), problem.chip),
      prepared);
  std::vector<uint8_t> again(first.d->getBytes());
  for (int i = 0; i < launches && status == TILE_RT_SUCCESS; ++i) {
    TileRtBuffer d = prepared.buffers.at('D').get();
    status = tileRtBufferWrite(d, 0, prepared.d->data(), again.size(), nullptr);
    if (status == TILE_RT_SUCCESS)
      status = tileRtLaunchEntry(prepared.module, problem.entry.c_str(),
                                 prepared.arguments.data(), prepared.count(),
                                 &prepared.options, nullptr, nullptr);
    if (status == TILE_RT_SUCCESS)
      status = tileRtBufferRead(d, 0, again.data(), again.size(), nullptr);
    if (status != TILE_RT_SUCCESS)
      break;
    auto [wrong, right] =
        std::mismatch(again.begin(), again.end(), first.d->data());
    if (wrong != again.end())
      return failure() << "launch " << i + 2 << " of " << launches + 1
                       << " differs from the first, from byte "
                       << wrong - again.begin() << " of D's allocation on";
  }
  if (status != TILE_RT_SUCCESS)
    return failure() << tileRtStatusName(status) << ": "
                     << tileRtGetLastError();
  return testing::AssertionSuccess();
}
