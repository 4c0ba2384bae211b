// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tilers: what a layout is composed with or divided by.
#ifndef TILE_LAYOUT_TILER_H
#define TILE_LAYOUT_TILER_H

#include "tile/Layout/Layout.h"
#include <vector>

namespace tile {

/// A layout; or a by-mode tiler `<4, 8 : 1, _>`, one tiler a mode, where a
/// number n stands for n : 1 and `_` for "leave this mode alone".
class Tiler {
public:
  /// A layout tiler.
  Tiler(Layout layout) : layout(std::move(layout)) {}
  static Tiler byMode(std::vector<Tiler> modes);
  static Tiler wildcard();
  /// A shape as a tiler: a number n is n : 1, a tuple is by mode.
  static Result<Tiler> fromShape(const IntTuple &shape);

  bool isLayout() const { return kind == Kind::Layout; }
  bool isByMode() const { return kind == Kind::ByMode; }
  bool isWildcard() const { return kind == Kind::Wildcard; }
  const Layout &getLayout() const { return layout; }
  llvm::ArrayRef<Tiler> getModes() const { return modes; }
  unsigned rank() const { return isByMode() ? modes.size() : layout.rank(); }

  Tiler substitute(llvm::ArrayRef<Int> values) const;
  /// The tiler with `function` applied to each leaf of its layouts: mode by
  /// mode those of the shape, then those of the stride.
  Result<Tiler>
  mapLeaves(llvm::function_ref<IntTuple(const IntTuple &leaf, bool isExtent)>
                function) const;
  bool operator==(const Tiler &other) const;
  bool operator!=(const Tiler &other) const { return !(*this == other); }

  /// Prints `(4, 8) : (1, 4)` or `<4, (2, 4) : (1, 8), _>`.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  static Result<Tiler>
  parse(llvm::StringRef text,
        llvm::function_ref<Int(int64_t)> runTime = nullptr);

private:
  enum class Kind : uint8_t { Layout, ByMode, Wildcard };

  Layout layout;
  std::vector<Tiler> modes;
  Kind kind = Kind::Layout;
};

} // namespace tile

#endif // TILE_LAYOUT_TILER_H
