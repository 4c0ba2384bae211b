// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value, or the reason (one sentence) why there is none.
#ifndef TILE_LAYOUT_RESULT_H
#define TILE_LAYOUT_RESULT_H

#include "llvm/ADT/Twine.h"
#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace tile {

/// Why an operation has no result: one sentence in the house diagnostic style
/// (lower case, no period, "expected <requirement>, but got <actual>").
class Reason {
public:
  explicit Reason(const llvm::Twine &text) : text(text.str()) {}
  const std::string &str() const { return text; }

private:
  std::string text;
};

/// Like `FailureOr`, with a reason. A `return Reason("...")` fails, any other
/// return value succeeds. The value may only be read after a successful test.
template <class T>
class [[nodiscard]] Result {
public:
  Result(T result) : value(std::move(result)) {}
  Result(Reason reason) : reason(std::move(reason)) {}

  explicit operator bool() const { return value.has_value(); }
  bool succeeded() const { return value.has_value(); }
  bool failed() const { return !value.has_value(); }

  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

  /// The failed result's reason as a sentence; empty after success.
  std::string getReason() const { return reason ? reason->str() : ""; }
  /// The reason in the form that another function can return.
  Reason takeReason() const { return reason ? *reason : Reason(""); }

private:
  std::optional<T> value;
  std::optional<Reason> reason;
};

} // namespace tile

#endif // TILE_LAYOUT_RESULT_H
