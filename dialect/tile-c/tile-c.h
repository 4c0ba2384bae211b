/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * C API of the Tile compiler: from MLIR text or a descriptor to an artifact.
 *
 * The library libtile.so holds the whole compiler and shows nothing but the
 * functions below, so that a program may hold another LLVM as well. What it
 * makes, the runtime (tile-rt/tile-rt.h) loads and launches.
 *
 *   TileContext context;
 *   TileModule module;
 *   TileArtifact artifact;
 *   TileGemmDescriptor gemm;
 *   tileGemmDescriptorInit(&gemm);
 *   gemm.a.type = gemm.b.type = gemm.d.type = TILE_F16;
 *   TileCompileOptions options = {.chip = "sm_90a"};
 *   if (tileContextCreate(&context) != TILE_SUCCESS ||
 *       tileModuleCreateGemm(context, &gemm, &module) != TILE_SUCCESS ||
 *       tileCompile(module, &options, &artifact) != TILE_SUCCESS)
 *     fprintf(stderr, "error: %s\n", tileGetLastError());
 *   tileArtifactGetData(artifact, &data, &size);
 *
 * Conventions:
 *  - Every function that can fail returns a TileStatus. When it is not
 *    TILE_SUCCESS, tileGetLastError() holds one sentence for the calling
 *    thread, and no output parameter was written.
 *  - Handles are opaque. A handle keeps alive what it was made from, so handles
 *    may be destroyed in any order; destroying NULL does nothing.
 *  - Every function may be called from any thread. Calls on one context, or on
 *    what was made in it, take turns; several contexts work at the same time. A
 *    handle must not be destroyed while another thread uses it.
 *  - A structure is zero-initialised or filled by its Init function before its
 *    members are set, so that a member that is added later has its default.
 */
#ifndef TILE_C_TILE_C_H
#define TILE_C_TILE_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(TILE_C_BUILDING)
#define TILE_C_EXPORT __attribute__((visibility("default")))
#else
#define TILE_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Status -----------------------------------------------------------===*/

/** What a call came to. The sentence is in tileGetLastError(). */
typedef enum TileStatus {
  /** The call did what it says. */
  TILE_SUCCESS = 0,
  /** An argument breaks a rule that the caller can know beforehand. */
  TILE_INVALID_ARGUMENT = 1,
  /** The text is no valid module. The diagnostics say where. */
  TILE_PARSE_ERROR = 2,
  /** The module cannot be compiled. The diagnostics say why. */
  TILE_COMPILE_ERROR = 3,
  /** No such kernel, diagnostic or artifact. */
  TILE_NOT_FOUND = 4,
  /** A file could not be written. */
  TILE_IO_ERROR = 5
} TileStatus;

/** Returns the sentence of the calling thread's last failed call: lower case,
 * no period, never NULL, "" before the first failure. It stays valid until the
 * thread's next failing call. */
TILE_C_EXPORT const char *tileGetLastError(void);

/** Returns the name of a status, for example "invalid argument". */
TILE_C_EXPORT const char *tileStatusName(TileStatus status);

/** Returns the compiler's version, for example "0.1.0". */
TILE_C_EXPORT const char *tileGetVersion(void);

/** Returns the version of the LLVM inside, for example "22.1.8". */
TILE_C_EXPORT const char *tileGetLLVMVersion(void);

/*===-- Contexts and diagnostics -----------------------------------------===*/

/** Where modules live, and where diagnostics are collected. */
typedef struct TileContextImpl *TileContext;
/** A module: functions that state problems. */
typedef struct TileModuleImpl *TileModule;
/** The result of a compilation. */
typedef struct TileArtifactImpl *TileArtifact;

/** Makes a context. */
TILE_C_EXPORT TileStatus tileContextCreate(TileContext *context);

/** Gives the handle up. */
TILE_C_EXPORT void tileContextDestroy(TileContext context);

/** How grave a diagnostic is. */
typedef enum TileSeverity {
  TILE_NOTE = 0,
  TILE_REMARK = 1,
  TILE_WARNING = 2,
  TILE_ERROR = 3
} TileSeverity;

/** One message of the compiler. Texts are valid until the diagnostics are
 * cleared or the last handle of the context is destroyed. */
typedef struct TileDiagnostic {
  TileSeverity severity;
  /** The name under which the text was parsed, "" where there is no place. */
  const char *file;
  /** From 1 on; 0 where there is no place. */
  int32_t line, column;
  const char *message;
  /** The diagnostic that a note belongs to, which comes before it; -1 for all
   * others. */
  int32_t parent;
} TileDiagnostic;

/** Returns how many diagnostics calls on the context have left since they were
 * cleared, in order; 0 for NULL. */
TILE_C_EXPORT int32_t tileContextGetDiagnosticCount(TileContext context);

/** Fills `diagnostic`. Errors: NOT_FOUND past the last one. */
TILE_C_EXPORT TileStatus tileContextGetDiagnostic(TileContext context,
                                                  int32_t index,
                                                  TileDiagnostic *diagnostic);

/** Forgets the diagnostics so far. */
TILE_C_EXPORT TileStatus tileContextClearDiagnostics(TileContext context);

/*===-- Modules ----------------------------------------------------------===*/

/** Parses `text[0..length)`, which need not end with a NUL. Diagnostics call it
 * `file`; NULL is "<text>". Errors: PARSE_ERROR. */
TILE_C_EXPORT TileStatus tileModuleParse(TileContext context, const char *text,
                                         size_t length, const char *file,
                                         TileModule *module);

/** Gives the handle up. */
TILE_C_EXPORT void tileModuleDestroy(TileModule module);

/** Gives the module as text with its length, which may be NULL. The text ends
 * with a NUL and is valid as long as the module. */
TILE_C_EXPORT TileStatus tileModuleGetText(TileModule module, const char **text,
                                           size_t *length);

/** Element types, with the numbers of TileRtType. */
typedef enum TileType {
  TILE_F32 = 0,
  TILE_F64 = 1,
  TILE_F16 = 2,
  TILE_BF16 = 3,
  TILE_I8 = 4,
  TILE_I32 = 5,
  TILE_F8E4M3FN = 7,
  TILE_F8E5M2 = 8,
  /** No type; makes every int a value of the enumeration, so that a wrong one
   * can be reported. */
  TILE_TYPE_MAX = 0x7fffffff
} TileType;

/** Stands for an extent or a stride that is known at the launch only. */
#define TILE_DYNAMIC INT64_MIN

/** A matrix of a problem. Its extents are the problem's. */
typedef struct TileOperand {
  TileType type;
  /** Elements from a row to the next, and from a column to the next; or
   * TILE_DYNAMIC. Row-major is (TILE_DYNAMIC, 1), column-major the reverse. */
  int64_t rowStride, columnStride;
  /** Elements from one matrix of the batch to the next. */
  int64_t batchStride;
  /** Non-zero where all batches use the same matrix; not for D. */
  int32_t shared;
} TileOperand;

/** Where a scalar comes from. */
typedef enum TileScalarKind {
  /** alpha is 1; beta is 1 with C and 0 without. */
  TILE_SCALAR_DEFAULT = 0,
  /** An argument of the entry. */
  TILE_SCALAR_ARGUMENT = 1,
  /** The number in `value`. */
  TILE_SCALAR_CONSTANT = 2,
  /** No kind; see TILE_TYPE_MAX. */
  TILE_SCALAR_KIND_MAX = 0x7fffffff
} TileScalarKind;

/** A factor of a problem. */
typedef struct TileScalar {
  TileScalarKind kind;
  double value;
} TileScalar;

/** D = alpha * A * B + beta * C: A is m by k, B is k by n, C and D are m by n.
 */
typedef struct TileGemmDescriptor {
  /** The name of the entry. Its arguments are A, B, C if there is one, D, then
   * alpha and beta where they are arguments. */
  const char *name;
  /** Extents, or TILE_DYNAMIC. */
  int64_t m, n, k;
  /** Non-zero: the operands have a batch in front, of extent `batch`. */
  int32_t batched;
  int64_t batch;
  TileOperand a, b, c, d;
  /** Non-zero where there is a C. Its type is D's. */
  int32_t hasC;
  TileScalar alpha, beta;
  /** A schedule such as "#tile.simt<…>"; NULL: the compiler chooses. */
  const char *schedule;
  /** Non-zero: registers of f32 add up partial sums of 128 bytes of a row of A,
   * which makes the errors of long sums of 8-bit floats ten times smaller. */
  int32_t promotedSums;
} TileGemmDescriptor;

/** Fills `descriptor` with a GEMM "gemm" of dynamic extents without C on
 * row-major matrices of f32 with dynamic pitches. */
TILE_C_EXPORT TileStatus
tileGemmDescriptorInit(TileGemmDescriptor *descriptor);

/** Makes a module with one entry. Errors: INVALID_ARGUMENT for what no
 * descriptor may say, COMPILE_ERROR for a problem that `tile.gemm` refuses,
 * such as types that do not go together. */
TILE_C_EXPORT TileStatus tileModuleCreateGemm(
    TileContext context, const TileGemmDescriptor *descriptor,
    TileModule *module);

/*===-- Compilation ------------------------------------------------------===*/

/** How a module is compiled. Zero-initialise it. */
typedef struct TileCompileOptions {
  /** The chip, "sm_90a", or the product, "h200"; NULL for the default, sm_90a.
   * An artifact is for one chip; compile the module again for the next. */
  const char *chip;
  /** The name that a driver gives the only device that shall run the artifact, as
   * TileRtDeviceInfo has it, with its architecture in `chip`: code for that
   * product alone, sm_90a for "NVIDIA H200" and sm_90. NULL: `chip` as it is. */
  const char *device;
  /** The schedule of every problem that names none; NULL: chosen. */
  const char *schedule;
  /** Path of a table of measured schedules; NULL: none. */
  const char *tuningTable;
  /** Non-zero: also a cubin, by ptxas. */
  int32_t cubin;
  /** Non-zero: no PTX; no code for the simulator. */
  int32_t withoutPTX, withoutSimulator;
  /** Non-zero: the simulator's code counts accesses. */
  int32_t countAccesses;
  /** Non-zero: report each choice of a schedule as a remark. */
  int32_t remarks;
  /** A folder of artifacts that need not be compiled again, for any number of
   * processes; NULL: none. It is made where it is missing. */
  const char *cache;
  /** How many bytes the folder may hold; 0: 1 GiB. */
  int64_t cacheBytes;
  /** Non-zero: what is not in the folder is an error, NOT_FOUND. */
  int32_t cacheOnly;
} TileCompileOptions;

/** Compiles a module, which stays as it is and may be compiled again. `options`
 * may be NULL. Errors: COMPILE_ERROR, NOT_FOUND. */
TILE_C_EXPORT TileStatus tileCompile(TileModule module,
                                     const TileCompileOptions *options,
                                     TileArtifact *artifact);

/*===-- Artifacts --------------------------------------------------------===*/

/** Gives the handle up. */
TILE_C_EXPORT void tileArtifactDestroy(TileArtifact artifact);

/** Gives the bytes of the artifact file, which tileRtModuleLoad takes; valid as
 * long as the artifact. */
TILE_C_EXPORT TileStatus tileArtifactGetData(TileArtifact artifact,
                                             const void **data, size_t *size);

/** Writes the artifact file, aside first and then renamed to `path`. Errors:
 * IO_ERROR. */
TILE_C_EXPORT TileStatus tileArtifactSave(TileArtifact artifact,
                                          const char *path);

/** Returns the number of kernels; 0 for NULL. */
TILE_C_EXPORT int32_t tileArtifactGetKernelCount(TileArtifact artifact);

/** Returns the name of kernel `index`, or NULL past the last one. */
TILE_C_EXPORT const char *tileArtifactGetKernelName(TileArtifact artifact,
                                                    int32_t index);

/** Gives PTX that holds the kernel of that name alone, or all kernels for NULL;
 * it ends with a NUL and is valid as long as the artifact. `length` may be
 * NULL. Errors: NOT_FOUND, also where the artifact has no PTX. */
TILE_C_EXPORT TileStatus tileArtifactGetPTX(TileArtifact artifact,
                                            const char *kernel,
                                            const char **ptx, size_t *length);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_TILE_C_H */
