/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * C API of the Tile runtime: devices, artifacts, kernels, buffers, launches.
 *
 * The runtime loads an artifact file (PTX or cubin, simulator code, and every
 * fact that a launch needs) and runs its kernels on a CUDA device or on the
 * built-in simulator. It links neither CUDA nor LLVM: the CUDA driver is found
 * with dlopen when a CUDA device is opened.
 *
 *   TileRtDevice device;
 *   TileRtModule module;
 *   if (tileRtDeviceOpen("auto", &device) != TILE_RT_SUCCESS ||
 *       tileRtModuleLoadFile(device, "gemm.tile", &module) != TILE_RT_SUCCESS)
 *     fprintf(stderr, "error: %s\n", tileRtGetLastError());
 *   ...
 *   status = tileRtLaunchEntry(module, "gemm", args, 4, NULL, NULL, &info);
 *
 * Conventions:
 *  - Every function that can fail returns a TileRtStatus. When it is not
 *    TILE_RT_SUCCESS, tileRtGetLastError() holds one sentence for the calling
 *    thread, and no output parameter was written unless the function says so.
 *  - Handles are opaque. A handle keeps alive what it was made from, so handles
 *    may be destroyed in any order; destroying NULL does nothing.
 *  - Sizes and offsets are 64-bit. Extents and strides count elements, all
 *    other sizes count bytes.
 *  - Every function may be called from any host thread and binds the CUDA
 *    context itself; the caller's own context binding is left as it was. One
 *    handle must not be destroyed while another thread uses it.
 *  - An artifact contains machine code, which on the simulator runs as code of
 *    this process: load only files that you trust. Its checksum tells damage,
 *    not intent. tileRtModuleLoadFile runs the host code of a file only where
 *    its options say so; who passes bytes to tileRtModuleLoad vouches for them.
 */
#ifndef TILE_RT_TILE_RT_H
#define TILE_RT_TILE_RT_H

#include <stddef.h>
#include <stdint.h>

#if defined(TILE_RT_BUILDING_SHARED)
#define TILE_RT_EXPORT __attribute__((visibility("default")))
#else
#define TILE_RT_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Status -----------------------------------------------------------===*/

/** What a call came to. The sentence is in tileRtGetLastError(). */
typedef enum TileRtStatus {
  /** The call did what it says. */
  TILE_RT_SUCCESS = 0,
  /** An argument breaks a rule that the caller can know beforehand. */
  TILE_RT_INVALID_ARGUMENT = 1,
  /** The device named does not exist, or there is no CUDA driver. */
  TILE_RT_NO_DEVICE = 2,
  /** The artifact is malformed, truncated, or not for this device. */
  TILE_RT_BAD_ARTIFACT = 3,
  /** No entry, kernel or blob of that name. */
  TILE_RT_NOT_FOUND = 4,
  /** The device or the host has too little memory. */
  TILE_RT_OUT_OF_MEMORY = 5,
  /** The kernel failed while running: a simulator report or a device fault. */
  TILE_RT_LAUNCH_FAILED = 6,
  /** The CUDA driver refused a call. */
  TILE_RT_DRIVER_ERROR = 7,
  /** A file could not be read. */
  TILE_RT_IO_ERROR = 8,
  /** The kernel's requirements do not hold for these arguments. */
  TILE_RT_REQUIREMENT = 9
} TileRtStatus;

/** Returns the sentence of the calling thread's last failed call: lower case,
 * no period, never NULL, "" before the first failure. It stays valid until the
 * thread's next failing call. */
TILE_RT_EXPORT const char *tileRtGetLastError(void);

/** Returns the name of a status, for example "invalid argument". */
TILE_RT_EXPORT const char *tileRtStatusName(TileRtStatus status);

/** Returns the runtime's version, for example "0.1.0". */
TILE_RT_EXPORT const char *tileRtGetVersion(void);

/*===-- Devices ----------------------------------------------------------===*/

/** A CUDA device or a simulator. */
typedef struct TileRtDeviceImpl *TileRtDevice;
/** An artifact loaded on one device. */
typedef struct TileRtModuleImpl *TileRtModule;
/** A kernel of a module; owned by it. */
typedef struct TileRtKernelImpl *TileRtKernel;
/** An allocation of device memory. */
typedef struct TileRtBufferImpl *TileRtBuffer;
/** A queue of work on a device. NULL means the device's default stream. */
typedef struct TileRtStreamImpl *TileRtStream;
/** A point in a stream, with a time. */
typedef struct TileRtEventImpl *TileRtEvent;

/** The two kinds of device. */
typedef enum TileRtDeviceKind {
  TILE_RT_DEVICE_CUDA = 0,
  TILE_RT_DEVICE_SIM = 1
} TileRtDeviceKind;

/** Facts of a device. */
typedef struct TileRtDeviceInfo {
  /** CUDA or simulator. */
  TileRtDeviceKind kind;
  /** CUDA ordinal; 0 for the simulator. */
  int32_t ordinal;
  /** Product name, for example "NVIDIA H200", or "simulator". */
  char name[128];
  /** Architecture for which to compile, for example "sm_90"; "sim" for the
   * simulator, which runs the code of any target. */
  char chip[32];
  /** Number of multiprocessors; for the simulator, of its host threads. */
  int32_t multiprocessors;
  /** Most shared memory of one block, static and dynamic, in bytes. */
  int64_t sharedMemoryLimit;
  /** Memory of the device in bytes; 0 for the simulator (host memory). */
  int64_t memoryBytes;
  /** CUDA driver version as the driver gives it, 1000 * major + 10 * minor;
   * 0 for the simulator. */
  int32_t driverVersion;
} TileRtDeviceInfo;

/** Opens a device. `spec` is
 *   "cuda", "cuda:N"  the first, or the Nth CUDA device;
 *   "sim"             a new simulator. TILE_SIM_THREADS in the environment sets
 *                     the number of its host threads (default: all cores);
 *   "auto"            "cuda" if a driver and a device exist, else "sim".
 * Errors: INVALID_ARGUMENT for another spec; NO_DEVICE without a driver,
 * without a device, or past the last one; DRIVER_ERROR. */
TILE_RT_EXPORT TileRtStatus tileRtDeviceOpen(const char *spec,
                                             TileRtDevice *device);

/** Gives the handle up. The device itself is closed when no module, buffer,
 * stream or event of it is left. */
TILE_RT_EXPORT void tileRtDeviceClose(TileRtDevice device);

/** Fills `info`. */
TILE_RT_EXPORT TileRtStatus tileRtDeviceGetInfo(TileRtDevice device,
                                                TileRtDeviceInfo *info);

/** Waits for all work on the device. Errors: LAUNCH_FAILED when a kernel that
 * was queued earlier failed. */
TILE_RT_EXPORT TileRtStatus tileRtDeviceSynchronize(TileRtDevice device);

/*===-- Types ------------------------------------------------------------===*/

/** Element types of arguments. */
typedef enum TileRtType {
  TILE_RT_F32 = 0,
  TILE_RT_F64 = 1,
  TILE_RT_F16 = 2,
  TILE_RT_BF16 = 3,
  TILE_RT_I8 = 4,
  TILE_RT_I32 = 5,
  TILE_RT_I64 = 6,
  /** 8-bit floats: sign, exponent and mantissa of 1 + 4 + 3 and 1 + 5 + 2 bits.
   * The first one has no infinity, and one NaN for each sign. */
  TILE_RT_F8E4M3FN = 7,
  TILE_RT_F8E5M2 = 8,
  /** No type; makes every int a value of the enumeration, so that a wrong one
   * can be reported. */
  TILE_RT_TYPE_MAX = 0x7fffffff
} TileRtType;

/** Returns the type's name as the manifest spells it, for example "f32"; NULL
 * for a number that is no type. */
TILE_RT_EXPORT const char *tileRtTypeName(TileRtType type);

/** Returns the bytes of one element; 0 for a number that is no type. */
TILE_RT_EXPORT int64_t tileRtTypeSize(TileRtType type);

/** The two kinds of argument. */
typedef enum TileRtArgumentKind {
  TILE_RT_TENSOR = 0,
  TILE_RT_SCALAR = 1,
  /** No kind; see TILE_RT_TYPE_MAX. */
  TILE_RT_ARGUMENT_KIND_MAX = 0x7fffffff
} TileRtArgumentKind;

/*===-- Modules ----------------------------------------------------------===*/

/** Loads the artifact in `data[0..size)`; the bytes are copied. On a CUDA
 * device a cubin for the device's chip is taken first, else the PTX is given to
 * the driver's compiler, whose messages become the error. The same artifact may
 * be loaded on several devices. Everything is loaded and resolved here: a
 * launch makes no call that is illegal during stream capture. Errors:
 * BAD_ARTIFACT, OUT_OF_MEMORY, DRIVER_ERROR. */
TILE_RT_EXPORT TileRtStatus tileRtModuleLoad(TileRtDevice device,
                                             const void *data, size_t size,
                                             TileRtModule *module);

/** How tileRtModuleLoadFile shall load. Zero-initialise it. */
typedef struct TileRtModuleOptions {
  /** Non-zero: the file may be trusted, so that the simulator runs the x86-64
   * code in it. A CUDA device runs its code on the GPU alone and does not look
   * at this. */
  int32_t trustsHostCode;
} TileRtModuleOptions;

/** As tileRtModuleLoad, from a file. `options` may be NULL. Errors also:
 * IO_ERROR; INVALID_ARGUMENT on the simulator without `trustsHostCode`. */
TILE_RT_EXPORT TileRtStatus
tileRtModuleLoadFile(TileRtDevice device, const char *path,
                     const TileRtModuleOptions *options, TileRtModule *module);

/** Unloads the module. Its kernels become invalid. Waits for work in flight. */
TILE_RT_EXPORT void tileRtModuleUnload(TileRtModule module);

/** Returns the manifest, JSON text in UTF-8, NUL-terminated. `length` may be
 * NULL, else it gets the length without the NUL. Valid until the unload. */
TILE_RT_EXPORT const char *tileRtModuleGetManifest(TileRtModule module,
                                                   size_t *length);

/** Gives the bytes of a blob, "ptx", "cubin" or "sim"; valid until the unload.
 * Errors: NOT_FOUND. */
TILE_RT_EXPORT TileRtStatus tileRtModuleGetBlob(TileRtModule module,
                                                const char *name,
                                                const void **data,
                                                size_t *size);

/** Returns the number of entries (host functions that launch kernels). */
TILE_RT_EXPORT int32_t tileRtModuleGetEntryCount(TileRtModule module);

/** Returns the name of entry `index`, or NULL past the last one. */
TILE_RT_EXPORT const char *tileRtModuleGetEntryName(TileRtModule module,
                                                    int32_t index);

/** Returns the number of steps (launches) of an entry, or -1 if there is no
 * such entry. */
TILE_RT_EXPORT int32_t tileRtModuleGetStepCount(TileRtModule module,
                                                const char *entry);

/** Stands for an extent or a stride that is known at the launch only. */
#define TILE_RT_DYNAMIC INT64_MIN

/** Most dimensions of a tensor. */
#define TILE_RT_MAX_RANK 5

/** What an entry declares of one of its arguments. */
typedef struct TileRtArgumentInfo {
  /** Tensor or scalar. */
  TileRtArgumentKind kind;
  /** Element type. */
  TileRtType type;
  /** Number of dimensions; 0 for a scalar. */
  int32_t rank;
  /** Extents and strides in elements, or TILE_RT_DYNAMIC. */
  int64_t sizes[TILE_RT_MAX_RANK];
  int64_t strides[TILE_RT_MAX_RANK];
} TileRtArgumentInfo;

/** Returns the number of arguments of an entry, or -1 if there is no such
 * entry. */
TILE_RT_EXPORT int32_t tileRtModuleGetArgumentCount(TileRtModule module,
                                                    const char *entry);

/** Fills `info` for argument `index` of an entry. Errors: NOT_FOUND (entry),
 * INVALID_ARGUMENT (index). */
TILE_RT_EXPORT TileRtStatus
tileRtModuleGetArgumentInfo(TileRtModule module, const char *entry,
                            int32_t index, TileRtArgumentInfo *info);

/** What a step of an entry computes. Texts are valid until the unload. */
typedef struct TileRtStepInfo {
  /** The problem, for example "gemm". */
  const char *op;
  /** Why its kernels have their schedule; "" when the manifest does not say. */
  const char *reason;
  /** Number of operands and scalars; see tileRtModuleGetOperandInfo. */
  int32_t operandCount;
  /** What becomes of each element of the result, as text; "" where D = alpha A
   * B
   * + beta C. */
  const char *epilogue;
} TileRtStepInfo;

/** Fills `info` for step `step` of an entry. Errors: NOT_FOUND (entry),
 * INVALID_ARGUMENT (step). */
TILE_RT_EXPORT TileRtStatus tileRtModuleGetStepInfo(TileRtModule module,
                                                    const char *entry,
                                                    int32_t step,
                                                    TileRtStepInfo *info);

/** An operand or a scalar of a step. */
typedef struct TileRtOperandInfo {
  /** Its name in the problem: "A" or "alpha"; valid until the unload. */
  const char *name;
  /** Tensor or scalar. */
  TileRtArgumentKind kind;
  /** The entry's argument that it is; -1 for a scalar that is a constant. */
  int32_t argument;
  /** The constant. */
  double value;
  /** Non-zero for a tensor that the step writes; it reads all others. */
  int32_t isWritten;
  /** Of an operand of the epilogue, E0 and so on: the number of its dimensions,
   * and what each is indexed by: 0 the batch, 1 M, 2 N. */
  int32_t indexCount;
  int32_t indices[3];
  /** Of an argument that the step does not take as it is, but as matrices of
   * other extents: how many extents they have, with the batch first if there is
   * one; 0 for an argument as it is. */
  int32_t matrixRank;
  /** Their extents, and their strides in elements, which mean nothing if there
   * is a map. */
  int64_t matrixSizes[3];
  int64_t matrixStrides[3];
  /** How they are the im2col of the argument, as text; "" if they are not. */
  const char *map;
} TileRtOperandInfo;

/** Fills `info` for operand `index` of step `step` of an entry. Errors: as
 * tileRtModuleGetStepInfo. */
TILE_RT_EXPORT TileRtStatus tileRtModuleGetOperandInfo(TileRtModule module,
                                                       const char *entry,
                                                       int32_t step,
                                                       int32_t index,
                                                       TileRtOperandInfo *info);

/** For what an artifact was made, and by what. Texts are valid until the
 * unload, and "" where the manifest does not say. */
typedef struct TileRtTargetInfo {
  /** For example "sm_90a". */
  const char *chip;
  /** Version of PTX, for example "8.0". */
  const char *ptxVersion;
  /** For example "tile 0.1.0, LLVM 22.1.0". */
  const char *producer;
} TileRtTargetInfo;

/** Fills `info`. */
TILE_RT_EXPORT TileRtStatus tileRtModuleGetTarget(TileRtModule module,
                                                  TileRtTargetInfo *info);

/** Returns the number of kernels. */
TILE_RT_EXPORT int32_t tileRtModuleGetKernelCount(TileRtModule module);

/** Returns the name of kernel `index`, or NULL past the last one. */
TILE_RT_EXPORT const char *tileRtModuleGetKernelName(TileRtModule module,
                                                     int32_t index);

/** Gives a kernel by name. It belongs to the module. Errors: NOT_FOUND. */
TILE_RT_EXPORT TileRtStatus tileRtModuleGetKernel(TileRtModule module,
                                                  const char *name,
                                                  TileRtKernel *kernel);

/** What the warps of a module's launches did at one place in the source. */
typedef struct TileRtAccessCount {
  /** The place, such as "gemm.mlir:10:3 (A)"; valid until the module is
   * unloaded. */
  const char *site;
  /** Non-zero for stores, and for shared instead of global memory. */
  int32_t isStore, isShared;
  /** Accesses that the lanes of a warp make together. */
  int64_t requests;
  /** Global memory: sectors of 32 bytes that the requests touch, and bytes of
   * them that they use. */
  int64_t sectors, bytes;
  /** Shared memory: wavefronts, the least there can be (one for 32 lanes of up
   * to 4 bytes, two of 8, four of 16), and the most words of one bank that were
   * wanted at a time. */
  int64_t wavefronts, leastWavefronts;
  int32_t ways;
} TileRtAccessCount;

/** Gives what all launches of a module so far accessed, on a simulator and
 * where the code was compiled to count; otherwise nothing. The first `capacity`
 * are written to `counts`, their number to `total`. Not counted are copies by
 * TMA, and what wgmma, ldmatrix and stmatrix read and write. */
TILE_RT_EXPORT TileRtStatus
tileRtModuleGetAccessCounts(TileRtModule module, TileRtAccessCount *counts,
                            int32_t capacity, int32_t *total);

/*===-- Kernels ----------------------------------------------------------===*/

/** Facts of a kernel. */
typedef struct TileRtKernelInfo {
  /** Name in the manifest; valid until the module is unloaded. */
  const char *name;
  /** The schedule as text, "" when the manifest does not say. */
  const char *schedule;
  /** Threads of a block for which the kernel was compiled. */
  int32_t block[3];
  /** Static shared memory of a block in bytes. */
  int64_t sharedBytes;
  /** Registers of a thread; -1 where unknown (simulator). */
  int32_t registers;
  /** Local memory (spills and stack) of a thread in bytes; -1 where unknown. */
  int64_t localBytes;
  /** Dynamic shared memory of a block in bytes. */
  int64_t dynamicSharedBytes;
  /** Blocks of a cluster along x; 1 for a kernel without clusters. */
  int32_t cluster;
  /** Why it has this schedule; "" when the manifest does not say. */
  const char *reason;
  /** Non-zero where f32 operands are multiplied as tf32. */
  int32_t multipliesAsTf32;
  /** Registers of a thread that ptxas reported when the artifact was made, and
   * for which chip; -1 and "" where it was not asked. */
  int32_t assembledRegisters;
  const char *assembledChip;
} TileRtKernelInfo;

/** Fills `info`. */
TILE_RT_EXPORT TileRtStatus tileRtKernelGetInfo(TileRtKernel kernel,
                                                TileRtKernelInfo *info);

/** Launches a kernel as it is. Of its arguments only the pointers to them are
 * checked, none of which may be null.
 * `grid` and `block` have three extents each, `dynamicSharedBytes` comes on top
 * of the static shared memory, `args[i]` points to the bytes of argument i. A
 * kernel of clusters is launched with them.
 * On CUDA the launch is asynchronous and a fault shows at the next
 * synchronisation. On the simulator it is synchronous: its report is the error
 * of this call, and the device stays usable.
 * Errors: INVALID_ARGUMENT for an extent out of range or an argument that is
 * missing, LAUNCH_FAILED, DRIVER_ERROR. */
TILE_RT_EXPORT TileRtStatus tileRtKernelLaunch(
    TileRtKernel kernel, const int64_t grid[3], const int64_t block[3],
    int64_t dynamicSharedBytes, void **args, TileRtStream stream);

/*===-- Buffers ----------------------------------------------------------===*/

/** Allocates device memory, aligned to 256 bytes, not initialised (the
 * simulator's is zero). 0 bytes are allowed. On the simulator pages are
 * committed when first written, so an allocation may be larger than the host's
 * memory. Errors: INVALID_ARGUMENT for a negative size, OUT_OF_MEMORY. */
TILE_RT_EXPORT TileRtStatus tileRtBufferCreate(TileRtDevice device,
                                               int64_t bytes,
                                               TileRtBuffer *buffer);

/** Frees the memory. On CUDA this waits for work in flight. */
TILE_RT_EXPORT void tileRtBufferDestroy(TileRtBuffer buffer);

/** Returns the device address of the first byte. Only on the simulator may the
 * host read and write through it. */
TILE_RT_EXPORT void *tileRtBufferGetAddress(TileRtBuffer buffer);

/** Returns the size in bytes. */
TILE_RT_EXPORT int64_t tileRtBufferGetSize(TileRtBuffer buffer);

/** Copies `bytes` bytes from `host` to `offset` in the buffer, after the work
 * queued in `stream`; returns when it is done. Errors: INVALID_ARGUMENT when
 * the range leaves the buffer, LAUNCH_FAILED when earlier work failed. */
TILE_RT_EXPORT TileRtStatus tileRtBufferWrite(TileRtBuffer buffer,
                                              int64_t offset, const void *host,
                                              int64_t bytes,
                                              TileRtStream stream);

/** Copies `bytes` bytes from `offset` in the buffer to `host`. As
 * tileRtBufferWrite otherwise. */
TILE_RT_EXPORT TileRtStatus tileRtBufferRead(TileRtBuffer buffer,
                                             int64_t offset, void *host,
                                             int64_t bytes,
                                             TileRtStream stream);

/** Copies `bytes` bytes between two buffers of one device, in the order of
 * `stream`. The ranges must not overlap. Errors: INVALID_ARGUMENT when a range
 * leaves its buffer or the buffers are of two devices. */
TILE_RT_EXPORT TileRtStatus
tileRtBufferCopy(TileRtBuffer target, int64_t targetOffset, TileRtBuffer source,
                 int64_t sourceOffset, int64_t bytes, TileRtStream stream);

/** Sets `bytes` bytes at `offset` to `value`, in the order of `stream`. */
TILE_RT_EXPORT TileRtStatus tileRtBufferFill(TileRtBuffer buffer,
                                             int64_t offset, int64_t bytes,
                                             uint8_t value,
                                             TileRtStream stream);

/*===-- Streams and events -----------------------------------------------===*/

/** Creates a stream. */
TILE_RT_EXPORT TileRtStatus tileRtStreamCreate(TileRtDevice device,
                                               TileRtStream *stream);

/** Makes a handle for a CUDA stream (a CUstream) that the caller owns, of the
 * device's primary context. Errors: INVALID_ARGUMENT on the simulator. */
TILE_RT_EXPORT TileRtStatus tileRtStreamWrap(TileRtDevice device, void *native,
                                             TileRtStream *stream);

/** Destroys the stream; its work still completes. A wrapped CUstream lives on.
 */
TILE_RT_EXPORT void tileRtStreamDestroy(TileRtStream stream);

/** Waits for the stream's work. NULL cannot name a device here: use
 * tileRtDeviceSynchronize for the default stream.
 * Errors: LAUNCH_FAILED when a kernel failed. */
TILE_RT_EXPORT TileRtStatus tileRtStreamSynchronize(TileRtStream stream);

/** Creates an event. */
TILE_RT_EXPORT TileRtStatus tileRtEventCreate(TileRtDevice device,
                                              TileRtEvent *event);

/** Destroys the event. */
TILE_RT_EXPORT void tileRtEventDestroy(TileRtEvent event);

/** Puts the event behind the work queued so far in `stream` (NULL: the default
 * stream of the event's device). */
TILE_RT_EXPORT TileRtStatus tileRtEventRecord(TileRtEvent event,
                                              TileRtStream stream);

/** Waits for `stop` and gives the milliseconds between the two events.
 * Errors: INVALID_ARGUMENT when one was not recorded or they are of two
 * devices, LAUNCH_FAILED when work between them failed. */
TILE_RT_EXPORT TileRtStatus tileRtEventElapsed(TileRtEvent start,
                                               TileRtEvent stop,
                                               double *milliseconds);

/*===-- Entries ----------------------------------------------------------===*/

/** A strided view of device memory. */
typedef struct TileRtTensor {
  /** Device address of the element with all indices 0; may be NULL for an
   * operand that the launch does not read (C when beta is 0, A and B when alpha
   * or K is 0, and every operand of an empty problem). */
  void *data;
  /** Element type. */
  TileRtType type;
  /** Number of dimensions, 0 to TILE_RT_MAX_RANK. */
  int32_t rank;
  /** Extents, outermost dimension first. */
  int64_t sizes[TILE_RT_MAX_RANK];
  /** Strides in elements; may be 0 or negative for A, B and C. */
  int64_t strides[TILE_RT_MAX_RANK];
} TileRtTensor;

/** A number. The member of `value` that `type` names is read. */
typedef struct TileRtScalar {
  TileRtType type;
  union {
    float f32;
    double f64;
    int32_t i32;
    int64_t i64;
  } value;
} TileRtScalar;

/** One argument of an entry. The member of `as` that `kind` names is read. */
typedef struct TileRtArgument {
  TileRtArgumentKind kind;
  union {
    TileRtTensor tensor;
    TileRtScalar scalar;
  } as;
} TileRtArgument;

/** When a kernel that waits itself for the results of those in front of it is
 * launched so that it may start before they have ended (CUDA's programmatic
 * dependent launch). The result is the same. */
typedef enum TileRtProgrammaticLaunch {
  /** Where it gains: in a stream, and during a stream capture when all nodes in
   * front are such kernels of this runtime as well. In a graph behind any other
   * node a programmatic edge costs time and gains none. */
  TILE_RT_PROGRAMMATIC_WHERE_IT_GAINS = 0,
  TILE_RT_PROGRAMMATIC_NEVER = 1,
  TILE_RT_PROGRAMMATIC_ALWAYS = 2
} TileRtProgrammaticLaunch;

/** What tileRtLaunchEntry shall do beyond the default. Zero-initialise it. */
typedef struct TileRtLaunchOptions {
  /** Name of the kernel to use, NULL for the one that tileRtLaunchEntry
   * chooses. It applies to every step that lists it; the call fails with
   * NOT_FOUND when no step does, and with REQUIREMENT and the reason when its
   * requirements do not hold. */
  const char *kernel;
  /** Non-zero: make all checks and choose the kernels, but launch nothing. */
  int32_t dryRun;
  /** Number of elements at `info`; 0 means 1. */
  int32_t infoCapacity;
  /** Device memory for copies of operands, on a 256-byte boundary; NULL and 0
   * for none. It must not overlap an operand, and must live and stay untouched
   * until the launch has completed: launches that may run at the same time need
   * one each. See tileRtEntryGetWorkspaceSize. */
  void *workspace;
  /** Its size in bytes. */
  int64_t workspaceBytes;
  /** When kernels that can start before those in front of them have ended are
   * launched so. */
  TileRtProgrammaticLaunch programmaticLaunch;
} TileRtLaunchOptions;

/** What became of one step of an entry. */
typedef struct TileRtLaunchInfo {
  /** The chosen kernel's name, valid until the module is unloaded; NULL when
   * the problem is empty and nothing needed launching, or when the step failed
   * before a kernel was chosen. */
  const char *kernel;
  /** The choices that precede the chosen one in the artifact and why they were
   * passed over, separated by "; ", for example
   * "simt_128x128x8_v4: base of A is 4 bytes past a 16-byte boundary"; "" when
   * the first one was chosen. Cut after 511 bytes; tileRtEntryGetChoices says
   * it of all. */
  char passedOver[512];
  /** Problem: D has `m` rows and `n` columns in each of `batch` matrices. */
  int64_t m, n, k, batch;
  /** The launch's grid and block; 0 without a launch. */
  int64_t grid[3];
  int64_t block[3];
  /** Blocks of a cluster along x; 1 without clusters, 0 without a launch. */
  int64_t cluster;
  /** The copies of operands that are made first and by which kernels, for
   * example "pack_16b_r of A"; "" without any. Cut after 255 bytes. */
  char prepare[256];
  /** Bytes of the workspace that the copies take. */
  int64_t workspaceBytes;
  /** Nanoseconds that the chosen kernel and the copies are expected to take;
   * -1 when they do not say. */
  double expectedNanoseconds;
} TileRtLaunchInfo;

/** Runs an entry: checks every step's operands, chooses a kernel for each, and
 * launches them in order.
 *
 * Of the kernels whose requirements hold, those that state a cost come first,
 * the cheapest one for these extents and this device; else the first one of the
 * artifact is taken. A choice may copy operands into the workspace first, in a
 * layout that its kernel needs: it is passed over where the workspace is too
 * small. Nothing is ever allocated on the device.
 *
 * A gemm step computes D = alpha * A * B + beta * C for each matrix of the
 * batch. D has rank 2, or rank 3 with the batch outermost; A, B and C may have
 * rank 2, and are then shared by all batches. When beta is 0, C is not read;
 * when alpha or K is 0, A and B are not read: pointer, alignment and overlap of
 * an operand that is not read are not looked at, its shape is. K = 0 gives
 * D = beta * C; an empty M, N or batch succeeds without a launch.
 * D may be exactly C (same address and strides); any other overlap of D with an
 * operand that is read is an error, and so are two elements of D at one
 * address. Views whose address ranges interleave are told apart exactly where a
 * bounded search decides, and count as overlapping where it does not.
 *
 * `args[0..count)` are the entry's arguments, `options` and `info` may be NULL.
 * `info[i]` describes step i, as far as things got: it is written on failure
 * too, and zero for a step that was not looked at. Asynchrony is that of
 * tileRtKernelLaunch. All steps are checked before the first one is launched.
 * Errors: NOT_FOUND (entry), INVALID_ARGUMENT (the arguments), REQUIREMENT (no
 * kernel fits), LAUNCH_FAILED, DRIVER_ERROR. */
TILE_RT_EXPORT TileRtStatus tileRtLaunchEntry(
    TileRtModule module, const char *entry, const TileRtArgument *args,
    int32_t count, const TileRtLaunchOptions *options, TileRtStream stream,
    TileRtLaunchInfo *info);

/** Gives the bytes of workspace that tileRtLaunchEntry uses for these arguments
 * when it may have any; steps use it one after the other. A launch with less is
 * right too, if a kernel that needs none fits. `options` may be NULL; only its
 * `kernel` is looked at. Errors: as tileRtLaunchEntry. */
TILE_RT_EXPORT TileRtStatus tileRtEntryGetWorkspaceSize(
    TileRtModule module, const char *entry, const TileRtArgument *args,
    int32_t count, const TileRtLaunchOptions *options, int64_t *bytes);

/** One way to run a step of an entry. */
typedef struct TileRtChoice {
  /** The kernel's name, valid until the module is unloaded. */
  const char *kernel;
  /** The copies that are made first, as in TileRtLaunchInfo. */
  char prepare[256];
  /** Why it cannot run; "" when it can. Cut after 255 bytes. */
  char reason[256];
  /** Bytes of the workspace that it takes. */
  int64_t workspaceBytes;
  /** Expected nanoseconds; -1 when it does not say. */
  double expectedNanoseconds;
  /** Non-zero for the one that tileRtLaunchEntry takes. */
  int32_t chosen;
} TileRtChoice;

/** Tells for step `step` of an entry and these arguments which choices there
 * are, in the artifact's order, which one a launch with `options` takes, and
 * why others cannot run. The first `capacity` are written to `choices`, their
 * number to `total`; an empty problem has none. That no choice fits is no error
 * here. Errors: NOT_FOUND (entry), INVALID_ARGUMENT. */
TILE_RT_EXPORT TileRtStatus tileRtEntryGetChoices(
    TileRtModule module, const char *entry, const TileRtArgument *args,
    int32_t count, const TileRtLaunchOptions *options, int32_t step,
    TileRtChoice *choices, int32_t capacity, int32_t *total);

#ifdef __cplusplus
}
#endif

#endif /* TILE_RT_TILE_RT_H */
