// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a kernel may run a gemm problem, and with which arguments.
#include "Error.h"
#include "Gemm.h"
#include "GemmTensorMap.h"

#include <cstring>

using namespace tile::rt;

using Long = long long;

static constexpr const char *dimNames[] = {"row", "column"};

static std::string checkStride(const char *name, const char *which,
                               int64_t extent, int64_t stride,
                               int64_t multiple) {
  // The stride of a dimension with one element takes part in no address.
  if (extent <= 1 || stride % multiple == 0)
    return "";
  return format("%s stride of %s is %lld, not a multiple of %lld", which, name,
                Long(stride), Long(multiple));
}

static std::string checkRequirement(const OperandRequirement &r,
                                    const GemmProblem &problem) {
  const GemmOperand &operand = problem.operands[r.operand.number];
  const char *name = operandName(r.operand.number);
  uint64_t past = reinterpret_cast<uintptr_t>(operand.data) % r.alignment;
  if (past)
    return format("base of %s is %llu byte%s past a %lld-byte boundary", name,
                  static_cast<unsigned long long>(past), past == 1 ? "" : "s",
                  Long(r.alignment));
  if (r.unitStride >= 0) {
    int64_t extent = operand.extents[1 + r.unitStride];
    int64_t stride = operand.strides[1 + r.unitStride];
    if (extent > 1 && stride != 1)
      return format("%s stride of %s is %lld, not 1", dimNames[r.unitStride],
                    name, Long(stride));
    // Of a copy, what is behind a row may be read as well.
    if ((operand.filled ? operand.filled : extent) % r.extentMultiple)
      return format("%s has %lld %ss, not a multiple of %lld", name,
                    Long(extent), dimNames[r.unitStride],
                    Long(r.extentMultiple));
  }
  for (int dim = 0; dim < 2; ++dim) {
    if (dim == r.unitStride)
      continue;
    std::string reason =
        checkStride(name, dimNames[dim], operand.extents[1 + dim],
                    operand.strides[1 + dim], r.strideMultiple);
    if (!reason.empty())
      return reason;
  }
  return checkStride(name, "batch", operand.extents[0], operand.strides[0],
                     r.strideMultiple);
}

/// A size of the problem.
static int64_t sizeOf(int size, const GemmProblem &problem) {
  return size == SizeM   ? problem.m
         : size == SizeN ? problem.n
         : size == SizeK ? problem.k
                         : problem.batch;
}

/// The value of an integer parameter.
static int64_t integerValue(const Parameter &parameter,
                            const GemmProblem &problem) {
  using Source = Parameter::Source;
  const GemmOperand &packed = problem.packed;
  // A stride that no address depends on may be any number, also one that fits
  // no parameter, or by which the address of an access that is masked would not
  // be aligned: kernels get 0.
  auto stride = [](const GemmOperand &of, int dim) { return of.stride(dim); };
  if (parameter.source == Source::Size)
    return sizeOf(parameter.of.number, problem);
  if (!parameter.isOfOperand())
    return 0;
  const GemmOperand &operand = problem.operands[parameter.of.number];
  switch (parameter.source) {
  case Source::Stride:
    return stride(operand, 1 + parameter.dim);
  case Source::BatchStride:
    return stride(operand, 0);
  case Source::Extent:
    return operand.filled && operand.strides[1 + parameter.dim] == 1
               ? operand.filled
               : operand.extents[1 + parameter.dim];
  case Source::PackedStride:
    // The one of the two that is not the unit stride is the pitch.
    return packed.strides[1] == 1 ? packed.strides[2] : packed.strides[1];
  case Source::PackedBatchStride:
    return packed.strides[0];
  default:
    return 0;
  }
}

static std::string parameterName(const Parameter &parameter) {
  using Source = Parameter::Source;
  const char *operand = parameter.of.name.c_str();
  switch (parameter.source) {
  case Source::Size:
    return parameter.of.number == SizeBatch ? "the batch" : parameter.of.name;
  case Source::Stride:
    return format("%s stride of %s", dimNames[parameter.dim], operand);
  case Source::Extent:
    return format("%s extent of %s", dimNames[parameter.dim], operand);
  case Source::PackedStride:
    return "pitch of the copy of X";
  case Source::PackedBatchStride:
    return "batch stride of the copy of X";
  default:
    return format("batch stride of %s", operand);
  }
}

/// Whether a kernel's tensor map describes an operand that is an im2col.
static bool readsTensor(const KernelFacts &kernel, int operand) {
  const TensorMapSpec *map = kernel.findTensorMap(operand);
  return map && !map->extents.empty();
}

std::string tile::rt::whyNot(const KernelFacts &kernel,
                             const GemmProblem &problem,
                             const DeviceLimits &limits) {
  if (kernel.sharedBytes + kernel.dynamicSharedBytes > limits.sharedMemory)
    return format("needs %lld bytes of shared memory, a block of this device "
                  "has %lld",
                  Long(kernel.sharedBytes + kernel.dynamicSharedBytes),
                  Long(limits.sharedMemory));
  if (kernel.cluster[0] > 1 && !limits.noClusters.empty())
    return "needs clusters, " + limits.noClusters;
  if (!kernel.tensorMaps.empty() && !limits.noTensorMaps.empty())
    return "needs tensor maps, " + limits.noTensorMaps;
  // A pack kernel writes the im2col of X; of the others, those that read a
  // tensor itself describe it in their tensor map.
  for (int i = 0; i < NumOperands; ++i)
    if (problem.operands[i].used && problem.operands[i].tensor &&
        !readsTensor(kernel, i))
      return format("%s is the im2col of a tensor, which has to be written "
                    "first",
                    operandName(i));
  for (const OperandRequirement &requirement : kernel.requirements) {
    if (!problem.operands[requirement.operand.number].used)
      continue;
    std::string reason = checkRequirement(requirement, problem);
    if (!reason.empty())
      return reason;
  }
  for (const TensorMapSpec &spec : kernel.tensorMaps) {
    if (spec.optional)
      continue;
    std::string reason = whyNoTensorMap(spec, problem);
    if (!reason.empty())
      return reason;
  }
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter &parameter = kernel.parameters[i];
    int64_t value = integerValue(parameter, problem);
    if (kernel.parameterTypes[i] == ParameterType::I32 &&
        value != static_cast<int32_t>(value))
      return format("%s is %lld, which does not fit 32 bits",
                    parameterName(parameter).c_str(), Long(value));
  }
  return "";
}

template <typename T>
static void store(uint64_t &slot, T value) {
  static_assert(sizeof(T) <= sizeof(uint64_t), "one slot an argument");
  std::memcpy(&slot, &value, sizeof(T));
}

std::string tile::rt::packArguments(const KernelFacts &kernel,
                                    const GemmProblem &problem,
                                    const Device &device,
                                    PackedArguments &packed) {
  packed.storage.assign(kernel.parameters.size(), 0);
  packed.maps.assign(kernel.tensorMaps.size(), {});
  packed.pointers.clear();
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter &parameter = kernel.parameters[i];
    uint64_t &slot = packed.storage[i];
    double scalar =
        parameter.of.number == ScalarAlpha ? problem.alpha : problem.beta;
    packed.pointers.push_back(&slot);
    switch (kernel.parameterTypes[i]) {
    case ParameterType::Pointer:
      store(slot, parameter.source == Parameter::Source::Packed
                      ? problem.packed.data
                      : problem.operands[parameter.of.number].data);
      break;
    case ParameterType::I32:
      if (parameter.source == Parameter::Source::TensorMapLegal) {
        const TensorMapSpec *spec = kernel.findTensorMap(parameter.of.number);
        store(slot, int32_t(whyNoTensorMap(*spec, problem).empty()));
        break;
      }
      store(slot, static_cast<int32_t>(integerValue(parameter, problem)));
      break;
    case ParameterType::I64:
      store(slot, integerValue(parameter, problem));
      break;
    case ParameterType::F32:
      store(slot, static_cast<float>(scalar));
      break;
    case ParameterType::F64:
      store(slot, scalar);
      break;
    case ParameterType::Other:
      break; // No parameter has it.
    case ParameterType::TensorMap: {
      const TensorMapSpec *spec = kernel.findTensorMap(parameter.of.number);
      void *map = &packed.maps[spec - kernel.tensorMaps.data()];
      std::string reason =
          device.encodeTensorMap(map, describeTensorMap(*spec, problem));
      if (!reason.empty())
        return reason;
      packed.pointers.back() = map;
      break;
    }
    }
  }
  return "";
}
