// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLASLt, found with dlopen: the rival of the benchmark.
#ifndef TILE_LIB_BENCH_CUBLASLT_H
#define TILE_LIB_BENCH_CUBLASLT_H

#include "CublasAbi.h"
#include "Operands.h"

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tile::bench {

/// The loaded library with a handle in the current CUDA context.
class CublasLt {
public:
  /// Finds the library and makes the handle. Looked at in order: `path`, a file
  /// or a directory that holds the library or Python's site-packages; the
  /// environment variable TILE_CUBLASLT, likewise; the loader's own path; the
  /// CUDA toolkit. The reason says what was tried.
  static Result<std::unique_ptr<CublasLt>> load(llvm::StringRef path);

  ~CublasLt();
  CublasLt(const CublasLt &) = delete;
  CublasLt &operator=(const CublasLt &) = delete;

  /// Version, for example "13.1.0".
  std::string version() const;

  /// Nothing when `status` is success, else a sentence.
  std::optional<std::string> check(LtStatus status, const char *call) const;

  LtFunctions functions = {};
  LtHandle handle = nullptr;

private:
  CublasLt() = default;
};

/// One problem posed to cuBLASLt, with the algorithms that its heuristic names,
/// best guess first. The library is column-major: the transposed problem is
/// posed, D^T = B^T * A^T.
class CublasProblem {
public:
  /// Poses the problem and asks for up to `wanted` algorithms that need at most
  /// `workspaceBytes`. The reason says why the library has none: it multiplies
  /// 8-bit operands only where both have K contiguous, for example.
  static Result<std::unique_ptr<CublasProblem>> create(const CublasLt &library,
                                                       const Point &point,
                                                       int wanted,
                                                       size_t workspaceBytes);

  ~CublasProblem();
  CublasProblem(const CublasProblem &) = delete;
  CublasProblem &operator=(const CublasProblem &) = delete;

  /// Number of algorithms.
  int size() const { return static_cast<int>(results.size()); }
  /// An algorithm in words, for example "#3 (id 21, tile 20, stages 8, split
  /// 1)".
  std::string describe(int index) const;
  /// Queues D = alpha * A * B + beta * C with one algorithm on a CUDA stream.
  /// Returns why not.
  std::optional<std::string> run(int index, const OperandSet &set,
                                 void *workspace, void *stream) const;

private:
  CublasProblem(const CublasLt &library) : library(library) {}
  std::optional<std::string> pose(const Point &point);
  std::optional<std::string> describeOperation(const Point &point);
  std::optional<std::string> describeMatrix(LtMatrixLayout &out,
                                            const Placement &place,
                                            const ElementTypeInfo &type);
  std::optional<std::string> ask(int wanted);

  const CublasLt &library;
  LtMatmulDesc operation = nullptr;
  /// Of cuBLASLt's A, B and D, which are our B, A and D.
  LtMatrixLayout left = nullptr, right = nullptr, result = nullptr;
  LtPreference preference = nullptr;
  std::vector<LtHeuristicResult> results;
  size_t workspaceBytes = 0;
  /// In the scale type.
  alignas(8) char alpha[8] = {}, beta[8] = {};
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_CUBLASLT_H
