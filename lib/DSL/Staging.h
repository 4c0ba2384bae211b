// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of the embedded language check before they stage anything.
#ifndef TILE_LIB_DSL_STAGING_H
#define TILE_LIB_DSL_STAGING_H

#include "tile/DSL/DSL.h"

#include "llvm/Support/raw_ostream.h"
#include <initializer_list>
#include <optional>

namespace tile::dsl {

inline std::string print(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// A function of the language on values, which must be set. Without one that
/// is, nothing can be staged, and nobody be told.
class Staging {
public:
  /// Stages where the first of the values does.
  Staging(CallSite site, std::initializer_list<Val> values)
      : Staging(find(values), site, values) {}
  Staging(Scope *scope, CallSite site, std::initializer_list<Val> values)
      : scope(scope) {
    if (!scope)
      return;
    call.emplace(*scope, site);
    for (const Val &value : values)
      if (!value)
        fail("expected a value, but got a variable that was never set");
  }

  /// Whether operations may be made.
  explicit operator bool() const { return scope && !failed; }
  Scope &getScope() const { return *scope; }
  mlir::OpBuilder &getBuilder() const { return scope->builder; }

  void fail(const llvm::Twine &sentence) {
    reportMistake(*scope, sentence);
    failed = true;
  }
  /// The type of a vector of one dimension.
  mlir::VectorType expectVector(Val value) {
    auto type = mlir::dyn_cast<mlir::VectorType>(value.getType());
    if (type && type.getRank() == 1)
      return type;
    fail("expected a vector of one dimension, but got " +
         print(value.getType()));
    return mlir::VectorType();
  }
  void expectOneType(Val a, Val b) {
    if (a.getType() != b.getType())
      fail("expected operands of one type, but got " + print(a.getType()) +
           " and " + print(b.getType()));
  }

  template <typename Op, typename... Args>
  Val create(Args &&...args) const {
    return Val(*scope, Op::create(scope->builder, scope->loc,
                                  std::forward<Args>(args)...));
  }
  template <typename Op, typename... Args>
  Val fold(Args &&...args) const {
    return Val(*scope, scope->builder.createOrFold<Op>(
                           scope->loc, std::forward<Args>(args)...));
  }
  /// For `getChecked` and `get`, which report themselves why there is nothing.
  mlir::InFlightDiagnostic emitError() {
    failed = scope->hasFailed = true;
    return mlir::emitError(scope->loc);
  }

private:
  static Scope *find(std::initializer_list<Val> values) {
    for (const Val &value : values)
      if (value)
        return &value.getScope();
    return nullptr;
  }

  Scope *scope = nullptr;
  std::optional<Call> call;
  bool failed = false;
};

} // namespace tile::dsl

#endif // TILE_LIB_DSL_STAGING_H
