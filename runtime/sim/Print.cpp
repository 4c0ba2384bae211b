// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel prints.
#include "Print.h"

#include "HostMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

using namespace tile::rt;

/// The text of one conversion, whose flags, width and precision are `flags`.
static std::string convert(const std::string &flags, char conversion,
                           const void *argument) {
  char text[512];
  int length;
  if (std::strchr("eEfFgG", conversion)) {
    double number;
    std::memcpy(&number, argument, sizeof number);
    length =
        std::snprintf(text, sizeof text, (flags + conversion).c_str(), number);
  } else {
    long long number;
    std::memcpy(&number, argument, sizeof number);
    length = std::snprintf(text, sizeof text,
                           (flags + "ll" + conversion).c_str(), number);
  }
  if (length < 0)
    return "";
  return std::string(text, std::min<size_t>(length, sizeof text - 1));
}

/// Whether all of a text can be read.
static bool isReadableText(const char *text) {
  for (const char *at = text;; ++at) {
    if ((at == text || reinterpret_cast<uintptr_t>(at) % 8 == 0) &&
        !isReadable(at))
      return false;
    if (!*at)
      return true;
  }
}

int32_t tile::rt::print(const char *format, const void *arguments) {
  if (!isReadableText(format))
    return -1;
  const char *next = static_cast<const char *>(arguments);
  int32_t count = 0;
  std::string text;
  for (const char *at = format; *at; ++at) {
    if (*at != '%') {
      text += *at;
      continue;
    }
    if (at[1] == '%') {
      text += *at++;
      continue;
    }
    const char *end = at + 1;
    while (*end && std::strchr("-+ #0123456789.", *end))
      ++end;
    std::string flags(at, end);
    while (*end == 'l')
      ++end;
    // What is no conversion stays as it is.
    if (!*end || !std::strchr("diuxXeEfFgG", *end)) {
      text += *at;
      continue;
    }
    if (!isReadable(next) || !isReadable(next + 7))
      return -1;
    text += convert(flags, *end, next);
    next += 8;
    ++count;
    at = end;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return count;
}
