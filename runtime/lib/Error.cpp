// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error sentences of the runtime: formatting and the thread's last error.
#include "Error.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

using namespace tile::rt;

// The one piece of state outside a handle: a C API has no better place for the
// sentence, and errno works the same way.
static std::string &lastError() {
  static thread_local std::string message;
  return message;
}

std::string tile::rt::format(const char *pattern, ...) {
  va_list args;
  va_start(args, pattern);
  va_list again;
  va_copy(again, args);
  int length = std::vsnprintf(nullptr, 0, pattern, args);
  va_end(args);
  std::string text(length > 0 ? length : 0, '\0');
  if (length > 0)
    std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

TileRtStatus tile::rt::fail(TileRtStatus status, std::string message) {
  lastError() = std::move(message);
  return status;
}

const char *tileRtGetLastError(void) { return lastError().c_str(); }

const char *tileRtStatusName(TileRtStatus status) {
  switch (status) {
  case TILE_RT_SUCCESS:
    return "success";
  case TILE_RT_INVALID_ARGUMENT:
    return "invalid argument";
  case TILE_RT_NO_DEVICE:
    return "no device";
  case TILE_RT_BAD_ARTIFACT:
    return "bad artifact";
  case TILE_RT_NOT_FOUND:
    return "not found";
  case TILE_RT_OUT_OF_MEMORY:
    return "out of memory";
  case TILE_RT_LAUNCH_FAILED:
    return "launch failed";
  case TILE_RT_DRIVER_ERROR:
    return "driver error";
  case TILE_RT_IO_ERROR:
    return "i/o error";
  case TILE_RT_REQUIREMENT:
    return "requirement";
  }
  return "unknown status";
}

const char *tileRtGetVersion(void) { return TILE_RT_VERSION; }
