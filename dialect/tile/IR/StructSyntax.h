// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes `<name = value, …>`, with messages that name the fields.
#ifndef TILE_IR_STRUCTSYNTAX_H
#define TILE_IR_STRUCTSYNTAX_H

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>

namespace tile {

/// A field of a struct: integers, or words that stand for them.
struct StructField {
  llvm::StringRef name;
  bool required = false;
  /// The words of a field that has words for values, from 0 on.
  llvm::SmallVector<llvm::StringRef, 3> words;
  /// Whether it is a list, `[a, b]`.
  bool isList = false;
  /// The values: one, or as many as the list has to have.
  llvm::SmallVector<int64_t, 3> values;
  std::function<void(llvm::ArrayRef<int64_t>)> set;

  /// The field for a member of a struct that outlives it.
  template <typename T>
  static StructField get(llvm::StringRef name, T &member, bool required,
                         llvm::ArrayRef<llvm::StringRef> words) {
    StructField field;
    field.name = name;
    field.required = required;
    field.words.assign(words.begin(), words.end());
    field.values = {static_cast<int64_t>(member)};
    field.set = [&member](llvm::ArrayRef<int64_t> values) {
      member = static_cast<T>(values.front());
    };
    return field;
  }
  static StructField get(llvm::StringRef name,
                         llvm::SmallVector<int64_t, 3> &member, bool required,
                         llvm::ArrayRef<llvm::StringRef>) {
    StructField field;
    field.name = name;
    field.required = required;
    field.isList = true;
    field.values = member;
    field.set = [&member](llvm::ArrayRef<int64_t> values) {
      member.assign(values.begin(), values.end());
    };
    return field;
  }
};

/// A name that a field had, and what says the same now.
using RenamedField = std::pair<llvm::StringRef, llvm::StringRef>;

/// Parses `<name = value, …>` in any order and sets the fields. Every mistake
/// is one error at its place: an unknown name with the nearest one, an old name
/// with the new one, a word with the words that there are.
mlir::ParseResult parseStruct(mlir::AsmParser &parser,
                              llvm::ArrayRef<StructField> fields,
                              llvm::ArrayRef<RenamedField> renamed);

/// Prints the required fields, and those whose value is not that of `defaults`.
void printStruct(mlir::AsmPrinter &printer, llvm::ArrayRef<StructField> fields,
                 llvm::ArrayRef<StructField> defaults);

} // namespace tile

#endif // TILE_IR_STRUCTSYNTAX_H
