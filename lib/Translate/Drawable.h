// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What there is to draw in a module: layouts, each with a name.
#ifndef TILE_LIB_TRANSLATE_DRAWABLE_H
#define TILE_LIB_TRANSLATE_DRAWABLE_H

#include "mlir/IR/BuiltinOps.h"
#include "tile/IR/Tile.h"
#include "tile/Layout/Print.h"

namespace tile {

/// One layout of the input.
struct Drawable {
  /// The name of its attribute, `tile.smem`, with `.A`, `.B`, `.C` behind for
  /// the operands of a multiply atom; `compose.%0` for the type of a result in
  /// a function @compose; empty for an attribute that stands alone.
  std::string name;
  mlir::Location loc;
  ComposedLayout layout;
  /// Set for thread-value layouts: the tile whose elements they share out.
  std::optional<TileExtents> tile;
  /// Set for thread maps.
  ThreadMapAttrInterface map = {};

  /// Whether `--name=wanted` means this one: the name, which may lack `tile.`
  /// in front and the operand of a multiply atom behind.
  bool isCalled(llvm::StringRef wanted) const;
};

/// Appends what an attribute holds; nothing if it holds no layout.
void collectDrawables(mlir::Attribute attribute, llvm::StringRef name,
                      mlir::Location loc,
                      llvm::SmallVectorImpl<Drawable> &drawables);

/// What a module holds: its attributes, and the static layout types of the
/// results of its operations.
llvm::SmallVector<Drawable> collectDrawables(mlir::ModuleOp module);

/// The picture, titled with the name and the layout in the syntax of the IR.
/// `threadValue` takes layouts that are none by their attribute as thread-value
/// layouts as well.
Result<Picture> draw(const Drawable &drawable,
                     const std::optional<ComposedLayout> &memory,
                     const PictureOptions &options, bool threadValue);

} // namespace tile

#endif // TILE_LIB_TRANSLATE_DRAWABLE_H
