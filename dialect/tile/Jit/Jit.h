// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a lambda to a launched kernel: stages it, compiles it, keeps and runs
// it.
//
//   auto jit = tile::jit::Jit::open();
//   auto add = jit->compile("add", 256, [](Scope &scope, Tensor<float, 1> a,
//                                          Tensor<float, 1> b) { ... });
//   std::optional<std::string> failure = add->launch(blocks, a, b);
//
// A kernel's parameters are those of the lambda, and the arguments of `launch`
// have the types that belong to them. What goes wrong is a `Result` without a
// value or a sentence: for the text of a kernel, diagnostics with the line of
// C++ that staged the operation.
#ifndef TILE_JIT_JIT_H
#define TILE_JIT_JIT_H

#include "tile/DSL/DSL.h"
#include "tile/Layout/Result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Of tile-rt/tile-rt.h, for who uses the runtime beside this.
typedef struct TileRtDeviceImpl *TileRtDevice;
typedef struct TileRtStreamImpl *TileRtStream;

namespace tile::jit {

/// Nothing, or why something failed.
using Failure = std::optional<std::string>;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// A C++ type as the element type of a kernel, by MLIR's name.
template <typename T>
struct ElementType;
template <>
struct ElementType<float> {
  static constexpr const char *name = "f32";
};
template <>
struct ElementType<double> {
  static constexpr const char *name = "f64";
};
template <>
struct ElementType<int8_t> {
  static constexpr const char *name = "i8";
};
template <>
struct ElementType<int32_t> {
  static constexpr const char *name = "i32";
};
template <>
struct ElementType<int64_t> {
  static constexpr const char *name = "i64";
};

/// Floats of 16 bits: rounded to nearest from f32, and back without a loss.
struct F16 {
  F16() = default;
  explicit F16(float value);
  explicit operator float() const;
  uint16_t bits = 0;
};
struct BF16 {
  BF16() = default;
  explicit BF16(float value);
  explicit operator float() const;
  uint16_t bits = 0;
};
template <>
struct ElementType<F16> {
  static constexpr const char *name = "f16";
};
template <>
struct ElementType<BF16> {
  static constexpr const char *name = "bf16";
};

/// Memory of the device as a kernel's argument: extents and strides in
/// elements, outermost dimension first; the last stride is 1.
template <typename T, int Rank>
struct TensorRef {
  T *data = nullptr;
  std::array<int64_t, Rank> extents = {};
  std::array<int64_t, Rank> strides = {};
};

/// A tensor among the parameters of a kernel, of any extents and pitch, with
/// stride 1 along its last dimension. With `Multiple`, base, pitches and the
/// last extent are multiples of so many elements, which `launch` checks, so
/// that accesses may be as wide.
template <typename T, int Rank = 2, int64_t Multiple = 1>
struct Tensor {
  using Argument = TensorRef<T, Rank>;

  dsl::View view;
  std::array<dsl::Val, Rank> extents;

  operator dsl::View() const { return view; }
  dsl::Val extent(int dimension) const { return extents[dimension]; }
};

/// A number among the parameters of a kernel: float, double, int32_t, or
/// int64_t, which the kernel has as an index.
template <typename T>
struct Scalar : dsl::Val {
  using Argument = T;
};

//===----------------------------------------------------------------------===//
// Without types
//===----------------------------------------------------------------------===//

/// What a kernel takes: a scalar if `rank` is 0.
struct Parameter {
  const char *type;
  int rank = 0;
  int64_t multiple = 1;
};

/// A parameter while the kernel is staged: a scalar's value, or a tensor.
struct StagedParameter {
  dsl::Val value;
  dsl::View view;
  std::vector<dsl::Val> extents;
};

/// An argument of a launch: the address of a scalar, or of a tensor's memory.
struct Argument {
  const void *data = nullptr;
  llvm::ArrayRef<int64_t> extents, strides;
};

/// How many blocks are launched, and where.
struct Launch {
  Launch(int64_t blocks, TileRtStream stream = nullptr)
      : blocks(blocks), stream(stream) {}
  int64_t blocks;
  /// The device's default stream if null.
  TileRtStream stream;
};

/// What the warps of all launches of a kernel did at one place of the source;
/// see `Options::countAccesses` and TileRtAccessCount.
struct AccessCount {
  std::string site;
  bool isStore = false, isShared = false;
  int64_t requests = 0, sectors = 0, wavefronts = 0, leastWavefronts = 0;
  int ways = 0;
};

class CompiledKernel;
struct JitState;
using StageFunction =
    llvm::function_ref<void(dsl::Scope &, llvm::ArrayRef<StagedParameter>)>;

/// A loaded kernel whose parameters are checked when it is launched.
class AnyKernel {
public:
  /// Launches it, asynchronously on a CUDA device; a simulator's report is the
  /// failure of the call.
  Failure launch(Launch launch, llvm::ArrayRef<Argument> arguments) const;

  /// The kernel's PTX; empty unless `Options::ptx` or a CUDA device asked for
  /// it.
  std::string getPTX() const;
  /// Of the simulator, with `Options::countAccesses`.
  std::vector<AccessCount> getAccessCounts() const;

private:
  friend class Jit;
  std::shared_ptr<CompiledKernel> kernel;
};

//===----------------------------------------------------------------------===//
// With types
//===----------------------------------------------------------------------===//

namespace detail {
template <typename T, int Rank, int64_t Multiple>
Parameter describe(const Tensor<T, Rank, Multiple> *) {
  return {ElementType<T>::name, Rank, Multiple};
}
template <typename T>
Parameter describe(const Scalar<T> *) {
  // Extents are indices, and so are numbers beside them.
  return {std::is_same_v<T, int64_t> ? "index" : ElementType<T>::name};
}

template <typename T, int Rank, int64_t Multiple>
void assign(Tensor<T, Rank, Multiple> &parameter,
            const StagedParameter &staged) {
  parameter.view = staged.view;
  for (int i = 0; i < Rank; ++i)
    parameter.extents[i] = staged.extents[i];
}
template <typename T>
void assign(Scalar<T> &parameter, const StagedParameter &staged) {
  static_cast<dsl::Val &>(parameter) = staged.value;
}

template <typename T, int Rank>
Argument pass(const TensorRef<T, Rank> &tensor) {
  return {tensor.data, tensor.extents, tensor.strides};
}
template <typename T>
Argument pass(const T &scalar) {
  return {&scalar, {}, {}};
}
} // namespace detail

/// A kernel with the parameters of the lambda that it was made from.
template <typename... Parameters>
class Kernel : public AnyKernel {
public:
  Kernel(AnyKernel kernel) : AnyKernel(std::move(kernel)) {}

  Failure launch(Launch launch,
                 const typename Parameters::Argument &...arguments) const {
    return AnyKernel::launch(launch, {detail::pass(arguments)...});
  }
};

namespace detail {
/// The parameters of a lambda behind its scope.
template <typename Body>
struct Signature : Signature<decltype(&Body::operator())> {};
template <typename Body, typename... Parameters>
struct Signature<void (Body::*)(dsl::Scope &, Parameters...) const> {
  using Kernel = jit::Kernel<Parameters...>;

  static std::vector<Parameter> describe() {
    return {detail::describe(static_cast<Parameters *>(nullptr))...};
  }
  static void call(const Body &body, dsl::Scope &scope,
                   llvm::ArrayRef<StagedParameter> staged) {
    call(body, scope, staged, std::index_sequence_for<Parameters...>());
  }
  template <size_t... Is>
  static void call(const Body &body, dsl::Scope &scope,
                   llvm::ArrayRef<StagedParameter> staged,
                   std::index_sequence<Is...>) {
    std::tuple<Parameters...> parameters;
    (assign(std::get<Is>(parameters), staged[Is]), ...);
    body(scope, std::get<Is>(parameters)...);
  }
};
} // namespace detail

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// Memory of a device with the extents of a tensor; see `Jit::makeArray`.
class Memory {
public:
  void *getAddress() const;
  Failure write(const void *data, int64_t bytes) const;
  Failure read(void *data, int64_t bytes) const;

private:
  friend class Jit;
  std::shared_ptr<void> buffer;
};

/// A tensor in memory of its own, row by row.
template <typename T, int Rank = 2>
class Array {
public:
  /// Elements that the memory has, those between rows included.
  int64_t size() const { return count; }
  /// All of them, `size()` of each.
  Failure write(llvm::ArrayRef<T> elements) const {
    if (static_cast<int64_t>(elements.size()) != count)
      return "expected " + std::to_string(count) + " elements, but got " +
             std::to_string(elements.size());
    return memory.write(elements.data(), count * sizeof(T));
  }
  Result<std::vector<T>> read() const {
    std::vector<T> elements(count);
    if (Failure failure = memory.read(elements.data(), count * sizeof(T)))
      return Reason(*failure);
    return elements;
  }
  operator TensorRef<T, Rank>() const { return ref; }
  const TensorRef<T, Rank> &getRef() const { return ref; }

private:
  friend class Jit;
  Memory memory;
  TensorRef<T, Rank> ref;
  int64_t count = 0;
};

/// How kernels are compiled.
struct Options {
  /// The chip to compile for; empty: the device's, and the default one of the
  /// simulator.
  std::string chip;
  /// Make PTX also where the simulator runs the kernel.
  bool ptx = false;
  /// Let the simulator count sectors and bank conflicts.
  bool countAccesses = false;
  /// A folder of artifacts, also of other processes; empty: none.
  std::string cacheDirectory;
};

/// A device, and the kernels that were compiled for it. Copies are the same
/// one; threads use one each.
class Jit {
public:
  /// Opens "cuda", "cuda:N", "sim", or "auto": the first CUDA device, or the
  /// simulator where there is none.
  static Result<Jit> open(const char *device = "auto", Options options = {});

  /// Compiles a kernel of `threads` threads a block. It is staged on each call,
  /// and compiled when no kernel was with the same operations.
  template <typename Body>
  Result<typename detail::Signature<Body>::Kernel>
  compile(llvm::StringRef name, int64_t threads, const Body &body,
          dsl::CallSite site = dsl::CallSite::here()) const {
    using Signature = detail::Signature<Body>;
    Result<AnyKernel> kernel = compileAny(
        name, threads, Signature::describe(),
        [&](dsl::Scope &scope, llvm::ArrayRef<StagedParameter> staged) {
          Signature::call(body, scope, staged);
        },
        site);
    if (!kernel)
      return kernel.takeReason();
    return typename Signature::Kernel(std::move(*kernel));
  }

  /// The same for parameters that are known at run time only.
  Result<AnyKernel>
  compileAny(llvm::StringRef name, int64_t threads,
             llvm::ArrayRef<Parameter> parameters, StageFunction body,
             dsl::CallSite site = dsl::CallSite::here()) const;

  /// A tensor of zeros; rows are `pitch` elements apart, if it is not 0.
  template <typename T, int Rank>
  Result<Array<T, Rank>> makeArray(const int64_t (&extents)[Rank],
                                   int64_t pitch = 0) const {
    Array<T, Rank> array;
    int64_t stride = 1;
    for (int i = Rank - 1; i >= 0; --i) {
      array.ref.extents[i] = extents[i];
      array.ref.strides[i] = stride;
      stride *= i == Rank - 1 && pitch > 0 ? pitch : extents[i];
    }
    array.count = stride;
    Result<Memory> memory = allocate(stride * sizeof(T));
    if (!memory)
      return memory.takeReason();
    array.memory = std::move(*memory);
    array.ref.data = static_cast<T *>(array.memory.getAddress());
    return array;
  }
  Result<Memory> allocate(int64_t bytes) const;

  /// Waits for all work on the device.
  Failure synchronize() const;
  /// Kernels that were compiled.
  int64_t getNumKernels() const;
  /// "simulator", or the product's name.
  std::string getDeviceName() const;
  TileRtDevice getDevice() const;

private:
  std::shared_ptr<JitState> state;
};

} // namespace tile::jit

#endif // TILE_JIT_JIT_H
