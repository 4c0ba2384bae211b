/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Prints the structures of the headers as the C compiler lays them out. */
#include "tile-c/tile-c.h"
#include "tile-rt/tile-rt.h"

#include <stdio.h>

#define SIZE(python, type) printf("%s %zu\n", python, sizeof(type))
#define AT(python, type, member)                                               \
  printf("%s.%s %zu\n", python, #member, offsetof(type, member))

int main(void) {
  SIZE("_compiler.COptions", TileCompileOptions);
  AT("_compiler.COptions", TileCompileOptions, chip);
  AT("_compiler.COptions", TileCompileOptions, device);
  AT("_compiler.COptions", TileCompileOptions, schedule);
  AT("_compiler.COptions", TileCompileOptions, tuningTable);
  AT("_compiler.COptions", TileCompileOptions, cubin);
  AT("_compiler.COptions", TileCompileOptions, withoutPTX);
  AT("_compiler.COptions", TileCompileOptions, withoutSimulator);
  AT("_compiler.COptions", TileCompileOptions, countAccesses);
  AT("_compiler.COptions", TileCompileOptions, remarks);
  AT("_compiler.COptions", TileCompileOptions, cache);
  AT("_compiler.COptions", TileCompileOptions, cacheBytes);
  AT("_compiler.COptions", TileCompileOptions, cacheOnly);
  SIZE("_compiler.COperand", TileOperand);
  AT("_compiler.COperand", TileOperand, type);
  AT("_compiler.COperand", TileOperand, rowStride);
  AT("_compiler.COperand", TileOperand, columnStride);
  AT("_compiler.COperand", TileOperand, batchStride);
  AT("_compiler.COperand", TileOperand, shared);
  SIZE("_compiler.CScalar", TileScalar);
  AT("_compiler.CScalar", TileScalar, kind);
  AT("_compiler.CScalar", TileScalar, value);
  SIZE("_compiler.CGemm", TileGemmDescriptor);
  AT("_compiler.CGemm", TileGemmDescriptor, name);
  AT("_compiler.CGemm", TileGemmDescriptor, m);
  AT("_compiler.CGemm", TileGemmDescriptor, batched);
  AT("_compiler.CGemm", TileGemmDescriptor, batch);
  AT("_compiler.CGemm", TileGemmDescriptor, a);
  AT("_compiler.CGemm", TileGemmDescriptor, d);
  AT("_compiler.CGemm", TileGemmDescriptor, hasC);
  AT("_compiler.CGemm", TileGemmDescriptor, alpha);
  AT("_compiler.CGemm", TileGemmDescriptor, beta);
  AT("_compiler.CGemm", TileGemmDescriptor, schedule);
  AT("_compiler.CGemm", TileGemmDescriptor, promotedSums);
  SIZE("_compiler.CDiagnostic", TileDiagnostic);
  AT("_compiler.CDiagnostic", TileDiagnostic, severity);
  AT("_compiler.CDiagnostic", TileDiagnostic, file);
  AT("_compiler.CDiagnostic", TileDiagnostic, line);
  AT("_compiler.CDiagnostic", TileDiagnostic, column);
  AT("_compiler.CDiagnostic", TileDiagnostic, message);
  AT("_compiler.CDiagnostic", TileDiagnostic, parent);
  SIZE("_runtime.CTensor", TileRtTensor);
  AT("_runtime.CTensor", TileRtTensor, data);
  AT("_runtime.CTensor", TileRtTensor, type);
  AT("_runtime.CTensor", TileRtTensor, rank);
  AT("_runtime.CTensor", TileRtTensor, sizes);
  AT("_runtime.CTensor", TileRtTensor, strides);
  SIZE("_runtime.CScalar", TileRtScalar);
  AT("_runtime.CScalar", TileRtScalar, type);
  AT("_runtime.CScalar", TileRtScalar, value);
  SIZE("_runtime.CArgument", TileRtArgument);
  AT("_runtime.CArgument", TileRtArgument, kind);
  SIZE("_runtime.CLaunchOptions", TileRtLaunchOptions);
  AT("_runtime.CLaunchOptions", TileRtLaunchOptions, kernel);
  AT("_runtime.CLaunchOptions", TileRtLaunchOptions, dryRun);
  AT("_runtime.CLaunchOptions", TileRtLaunchOptions, infoCapacity);
  AT("_runtime.CLaunchOptions", TileRtLaunchOptions, workspace);
  AT("_runtime.CLaunchOptions", TileRtLaunchOptions, workspaceBytes);
  AT("_runtime.CLaunchOptions", TileRtLaunchOptions, programmaticLaunch);
  SIZE("_runtime.CDeviceInfo", TileRtDeviceInfo);
  AT("_runtime.CDeviceInfo", TileRtDeviceInfo, kind);
  AT("_runtime.CDeviceInfo", TileRtDeviceInfo, ordinal);
  AT("_runtime.CDeviceInfo", TileRtDeviceInfo, name);
  AT("_runtime.CDeviceInfo", TileRtDeviceInfo, chip);
  SIZE("_runtime.CArgumentInfo", TileRtArgumentInfo);
  AT("_runtime.CArgumentInfo", TileRtArgumentInfo, kind);
  AT("_runtime.CArgumentInfo", TileRtArgumentInfo, type);
  AT("_runtime.CArgumentInfo", TileRtArgumentInfo, rank);
  AT("_runtime.CArgumentInfo", TileRtArgumentInfo, sizes);
  AT("_runtime.CArgumentInfo", TileRtArgumentInfo, strides);
  SIZE("_runtime.CStepInfo", TileRtStepInfo);
  AT("_runtime.CStepInfo", TileRtStepInfo, operandCount);
  SIZE("_runtime.COperandInfo", TileRtOperandInfo);
  AT("_runtime.COperandInfo", TileRtOperandInfo, argument);
  AT("_runtime.COperandInfo", TileRtOperandInfo, isWritten);
  return 0;
}
