// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads cuBLASLt and poses problems to it.
#include "CublasLt.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace tile;
using namespace tile::bench;
using llvm::formatv;
using llvm::StringRef;

/// cudaDataType_t of a type.
static int getCudaType(const ElementTypeInfo &type) {
  switch (type.type) {
  case ElementType::F32:
    return kCudaR32F;
  case ElementType::F64:
    return kCudaR64F;
  case ElementType::F16:
    return kCudaR16F;
  case ElementType::BF16:
    return kCudaR16BF;
  case ElementType::F8E4M3FN:
    return kCudaR8FE4M3;
  case ElementType::F8E5M2:
    return kCudaR8FE5M2;
  case ElementType::I8:
    return kCudaR8I;
  case ElementType::I32:
    return kCudaR32I;
  }
  return -1;
}

/// cublasComputeType_t of a point, and cudaDataType_t of its alpha and beta.
/// CUBLAS_COMPUTE_32F is true float32: TF32 is another compute type.
static std::pair<int, int> getComputeType(const Point &point) {
  if (point.type->isInteger())
    return {kCublasCompute32I, kCudaR32I};
  if (point.type->type == ElementType::F64)
    return {kCublasCompute64F, kCudaR64F};
  return {point.tf32 ? kCublasCompute32FFastTF32 : kCublasCompute32F,
          kCudaR32F};
}

static constexpr const char *fileNames[] = {"libcublasLt.so.13",
                                            "libcublasLt.so.12"};

/// Where Python's packages keep the library, below site-packages.
static constexpr const char *pythonFolders[] = {"nvidia/cu13/lib",
                                                "nvidia/cublas/lib"};

/// Appends the files to try for `path`, a file or a directory.
static void appendCandidates(StringRef path,
                             llvm::SmallVectorImpl<std::string> &files) {
  if (path.empty())
    return;
  if (!llvm::sys::fs::is_directory(path)) {
    files.push_back(path.str());
    return;
  }
  auto append = [&](StringRef folder) {
    for (const char *name : fileNames) {
      llvm::SmallString<256> file(path);
      llvm::sys::path::append(file, folder, name);
      if (llvm::sys::fs::exists(file))
        files.push_back(file.str().str());
    }
  };
  append("");
  for (const char *folder : pythonFolders)
    append(folder);
}

/// Opens the first library of the list; null when none opens.
static void *openLibrary(StringRef path, std::string &tried) {
  llvm::SmallVector<std::string> files;
  appendCandidates(path, files);
  if (!path.empty() && files.empty())
    tried += (path + ": holds no libcublasLt.so.13 or .12; ").str();
  // A path that is given counts alone.
  if (path.empty()) {
    if (const char *variable = std::getenv("TILE_CUBLASLT"))
      appendCandidates(variable, files);
    for (const char *name : fileNames)
      files.push_back(name);
    appendCandidates("/usr/local/cuda/lib64", files);
  }
  for (const std::string &file : files) {
    if (void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    const char *error = dlerror();
    tried += std::string(error ? error : file) + "; ";
  }
  return nullptr;
}

Result<std::unique_ptr<CublasLt>> CublasLt::load(StringRef path) {
  std::string tried;
  // Never closed: it keeps threads and device state.
  void *library = openLibrary(path, tried);
  if (!library)
    return Reason("cuBLASLt was not found (" + StringRef(tried).rtrim("; ") +
                  "); name it with --cublaslt=PATH, or run without it with "
                  "--no-cublas");
  std::unique_ptr<CublasLt> lt(new CublasLt());
#define TILE_BENCH_RESOLVE(name, result, parameters)                           \
  lt->functions.name = reinterpret_cast<result(*) parameters>(                 \
      dlsym(library, "cublasLt" #name));                                       \
  if (!lt->functions.name)                                                     \
    return Reason("the cuBLASLt library has no function cublasLt" #name);
  TILE_BENCH_CUBLASLT_FUNCTIONS(TILE_BENCH_RESOLVE)
#undef TILE_BENCH_RESOLVE
  if (auto reason =
          lt->check(lt->functions.Create(&lt->handle), "cublasLtCreate"))
    return Reason(*reason);
  return lt;
}

CublasLt::~CublasLt() {
  if (handle)
    functions.Destroy(handle);
}

std::string CublasLt::version() const {
  // 130100 since version 12 or so, 11.x wrote 11 * 10000 as well.
  size_t number = functions.GetVersion();
  return formatv("{0}.{1}.{2}", number / 10000, number / 100 % 100,
                 number % 100);
}

std::optional<std::string> CublasLt::check(LtStatus status,
                                           const char *call) const {
  if (status == 0)
    return std::nullopt;
  const char *name = functions.GetStatusName(status);
  const char *text = functions.GetStatusString(status);
  return formatv("{0} failed: {1} ({2}, status {3})", call,
                 text ? text : "unknown error", name ? name : "unnamed", status)
      .str();
}

CublasProblem::~CublasProblem() {
  const LtFunctions &lt = library.functions;
  if (preference)
    lt.MatmulPreferenceDestroy(preference);
  for (LtMatrixLayout layout : {left, right, result})
    if (layout)
      lt.MatrixLayoutDestroy(layout);
  if (operation)
    lt.MatmulDescDestroy(operation);
}

std::optional<std::string>
CublasProblem::describeOperation(const Point &point) {
  const LtFunctions &lt = library.functions;
  auto [compute, scale] = getComputeType(point);
  if (auto reason =
          library.check(lt.MatmulDescCreate(&operation, compute, scale),
                        "cublasLtMatmulDescCreate"))
    return reason;
  auto set = [&](int attribute, auto value, const char *name) {
    return library.check(
        lt.MatmulDescSetAttribute(operation, attribute, &value, sizeof(value)),
        name);
  };
  // A row-major matrix is, read by columns, its transpose: exactly what the
  // transposed problem wants. A column-major one has to be transposed.
  int32_t opLeft = point.transposeB ? kCublasOpT : kCublasOpN;
  int32_t opRight = point.transposeA ? kCublasOpT : kCublasOpN;
  if (auto reason =
          set(kLtDescTransA, opLeft, "cublasLtMatmulDescSetAttribute(TRANSA)"))
    return reason;
  if (auto reason =
          set(kLtDescTransB, opRight, "cublasLtMatmulDescSetAttribute(TRANSB)"))
    return reason;
  if (point.type->bytes != 1 || point.type->isInteger())
    return std::nullopt;
  // As ours does, and as its users have it: no promotion of partial sums where
  // the point does not ask for it.
  return set(kLtDescFastAccumulation, int8_t(!point.promotedSums),
             "cublasLtMatmulDescSetAttribute(FAST_ACCUM)");
}

std::optional<std::string>
CublasProblem::describeMatrix(LtMatrixLayout &out, const Placement &place,
                              const ElementTypeInfo &type) {
  const LtFunctions &lt = library.functions;
  if (auto reason = library.check(
          lt.MatrixLayoutCreate(&out, getCudaType(type), place.lineLength(),
                                place.lines(), place.pitch()),
          "cublasLtMatrixLayoutCreate"))
    return reason;
  if (place.batch == 1)
    return std::nullopt;
  int32_t count = static_cast<int32_t>(place.batch);
  if (auto reason =
          library.check(lt.MatrixLayoutSetAttribute(out, kLtLayoutBatchCount,
                                                    &count, sizeof(count)),
                        "cublasLtMatrixLayoutSetAttribute(BATCH_COUNT)"))
    return reason;
  return library.check(
      lt.MatrixLayoutSetAttribute(out, kLtLayoutBatchStride, &place.batchStride,
                                  sizeof(place.batchStride)),
      "cublasLtMatrixLayoutSetAttribute(STRIDED_BATCH_OFFSET)");
}

std::optional<std::string> CublasProblem::pose(const Point &point) {
  // The heuristic would only say "not supported".
  if (point.type->bytes == 1 && (point.transposeA || !point.transposeB))
    return "cuBLASLt multiplies 8-bit operands only with K contiguous in both";
  const ElementTypeInfo &scalar =
      point.type->isInteger() ? *point.typeD : point.scalarType();
  scalar.encode(point.alpha, alpha);
  scalar.encode(point.beta, beta);
  if (auto reason = describeOperation(point))
    return reason;
  if (auto reason = describeMatrix(left, point.b(), *point.typeB))
    return reason;
  if (auto reason = describeMatrix(right, point.a(), *point.type))
    return reason;
  return describeMatrix(result, point.d(), *point.typeD);
}

std::optional<std::string> CublasProblem::ask(int wanted) {
  const LtFunctions &lt = library.functions;
  if (auto reason = library.check(lt.MatmulPreferenceCreate(&preference),
                                  "cublasLtMatmulPreferenceCreate"))
    return reason;
  if (auto reason = library.check(
          lt.MatmulPreferenceSetAttribute(preference, kLtPreferenceMaxWorkspace,
                                          &workspaceBytes,
                                          sizeof(workspaceBytes)),
          "cublasLtMatmulPreferenceSetAttribute(MAX_WORKSPACE_BYTES)"))
    return reason;
  std::vector<LtHeuristicResult> found(wanted);
  int count = 0;
  if (auto reason =
          library.check(lt.MatmulAlgoGetHeuristic(
                            library.handle, operation, left, right, result,
                            result, preference, wanted, found.data(), &count),
                        "cublasLtMatmulAlgoGetHeuristic"))
    return reason;
  for (int i = 0; i < count; ++i)
    if (found[i].state == 0)
      results.push_back(found[i]);
  if (results.empty())
    return "cuBLASLt has no algorithm for this problem";
  return std::nullopt;
}

Result<std::unique_ptr<CublasProblem>>
CublasProblem::create(const CublasLt &library, const Point &point, int wanted,
                      size_t workspaceBytes) {
  std::unique_ptr<CublasProblem> problem(new CublasProblem(library));
  problem->workspaceBytes = workspaceBytes;
  if (auto reason = problem->pose(point))
    return Reason(*reason);
  if (auto reason = problem->ask(wanted))
    return Reason(*reason);
  return problem;
}

std::string CublasProblem::describe(int index) const {
  auto read = [&](int attribute) {
    int32_t value = -1;
    size_t written = 0;
    if (library.functions.MatmulAlgoConfigGetAttribute(
            &results[index].algo, attribute, &value, sizeof(value), &written))
      value = -1;
    return value;
  };
  uint16_t cluster = 0;
  size_t written = 0;
  library.functions.MatmulAlgoConfigGetAttribute(&results[index].algo,
                                                 kLtAlgoCluster, &cluster,
                                                 sizeof(cluster), &written);
  return formatv("#{0} (id {1}, tile {2}, stages {3}, split {4}, swizzle {5}, "
                 "cluster {6})",
                 index, read(kLtAlgoId), read(kLtAlgoTile), read(kLtAlgoStages),
                 read(kLtAlgoSplitK), read(kLtAlgoSwizzle), cluster);
}

std::optional<std::string> CublasProblem::run(int index, const OperandSet &set,
                                              void *workspace,
                                              void *stream) const {
  // Where there is no C, D stands for it and is not read.
  const void *c = set.c ? set.c : set.d;
  return library.check(
      library.functions.Matmul(library.handle, operation, alpha, set.b, left,
                               set.a, right, beta, c, result, set.d, result,
                               &results[index].algo, workspace, workspaceBytes,
                               stream),
      "cublasLtMatmul");
}
