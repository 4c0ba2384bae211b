// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a convolution as matrices: which element of a tensor each is.
#ifndef TILE_LAYOUT_CONVCOORDINATES_H
#define TILE_LAYOUT_CONVCOORDINATES_H

#include "tile/Layout/Layout.h"

namespace tile {

// A convolution is a matrix product of operands that do not exist
// =================================================================
//
// y[n, p, q, k] is the sum over r, s, c of x[n, h, w, c] * f[k, r, s, c] with
// h = p * stride - pad + r * dilation, and w alike. Read as D = A * B, row m of
// A is an output pixel and its columns are what the filter covers there:
//
//   | operator | A                        | B                 | D      |
//   |----------|--------------------------|-------------------|--------|
//   | fprop    | (q p n) x (c s r), of x  | (c s r) x k, of f | of y   |
//   | dgrad    | (w h n) x (k s r), of dy | (k s r) x c, of f | of dx  |
//   | wgrad    | k x (q p n), of dy       | (q p n) x (c s r), of x | of df |
//
// Each is a map from (row, column) to a coordinate of the tensor, linear in the
// digits of row and column: a layout whose values are coordinates, plus an
// origin, and for dgrad divisors. With 3 by 3 filters, padding 1 and 4 channels
// at a time the activation is
//
//   ((Q, P, N), (4, 3, 3, C/4)) : ((1@2, 1@1, 1@0), (1@3, 1@2, 1@1, 4@3))
//
// from the origin (0, -1, -1, 0): column 4 + 12 + 1 is channel 1 at s = 1 and
// r = 1, so that with row 0 it is x[0, 0, 0, 1]. Columns run over the places
// of the filter before the next block of channels, as CUTLASS's iterators do.

/// One spatial dimension of a convolution.
struct ConvSpatial {
  /// Extents of activation, output and filter.
  Int input, output, filter;
  Int pad = 0, stride = 1, dilation = 1;
};

/// Extents of a convolution: (n, spatial, c) -> (n, spatial, k).
struct ConvProblem {
  Int n, c, k;
  /// Outermost first: (h, w), or (d, h, w).
  llvm::SmallVector<ConvSpatial, 3> spatial;
  /// The filter is mirrored, as in the mathematical convolution.
  bool mirrored = false;
  /// Channels of both sides that belong together; of fprop alone.
  Int groups = 1;
};

/// How the summed dimension is walked.
struct ConvBlocks {
  /// Channels of one block; all channels at once if 0.
  int64_t channels = 0;
  /// The blocks are dealt out to so many slices; this is the first block.
  Int slices = 1, first = 0;
};

/// A map from a matrix to a tensor.
struct CoordinateMap {
  /// The extents of the tensor.
  llvm::SmallVector<Int, 5> shape;
  /// (row, column) -> coordinate, to which `origin` is added and which `divide`
  /// then divides; no `divide`: by one.
  Layout coords;
  llvm::SmallVector<Int, 5> origin, divide;

  /// The divisors as a tuple, or 1.
  IntTuple getDivide() const;
};

/// Activation and filter of fprop; see ConvBlocks for their common dimension.
/// With groups, which need blocks, the walk goes on to the next group behind
/// the last block of one. The tensors have a mode for the group, the activation
/// (n, spatial, group, c) and the filter (group, k, spatial, c). A column of
/// the filter exists only while its own group is walked: with G groups the
/// coordinate along the group is ((G + 1) * walked - own) / G, which is an
/// integer, and the group, where both are the same.
Result<CoordinateMap> getFpropActivation(const ConvProblem &problem,
                                         const ConvBlocks &blocks);
Result<CoordinateMap> getFpropFilter(const ConvProblem &problem,
                                     const ConvBlocks &blocks);
/// Output gradient and filter of dgrad. With strides, most places of the filter
/// meet nothing: see getStridedDgrad….
Result<CoordinateMap> getDgradOutput(const ConvProblem &problem,
                                     const ConvBlocks &blocks);
Result<CoordinateMap> getDgradFilter(const ConvProblem &problem,
                                     const ConvBlocks &blocks);
/// Output gradient and activation of wgrad.
Result<CoordinateMap> getWgradOutput(const ConvProblem &problem);
Result<CoordinateMap> getWgradActivation(const ConvProblem &problem);

/// What the products are: (q p n) x k of y, (w h n) x c of dx, and
/// k x (c s r) of df.
Result<CoordinateMap> getFpropOutput(const ConvProblem &problem);
Result<CoordinateMap> getDgradActivation(const ConvProblem &problem);
Result<CoordinateMap> getWgradFilter(const ConvProblem &problem);

/// What dgrad with strides does for the pixels that meet the filter first at
/// `start`, one number for each spatial dimension (dilation 1): the places of
/// the filter start, start + stride, …, and the pixels first, first + stride,
/// ….
struct DgradStart {
  llvm::SmallVector<Int, 3> start;
  /// The first pixel, the number of pixels, and the number of places.
  llvm::SmallVector<Int, 3> first, pixels, places;
};
DgradStart getDgradStart(const ConvProblem &problem, llvm::ArrayRef<Int> start);
Result<CoordinateMap> getStridedDgradOutput(const ConvProblem &problem,
                                            const ConvBlocks &blocks,
                                            const DgradStart &start);
Result<CoordinateMap> getStridedDgradFilter(const ConvProblem &problem,
                                            const ConvBlocks &blocks,
                                            const DgradStart &start);
/// The activation gradient that those pixels are, for the epilogue.
Result<CoordinateMap> getStridedDgradResult(const ConvProblem &problem,
                                            const DgradStart &start);

/// The window of activation that a depthwise convolution loads for a tile of
/// output pixels: rows are the pixels of the window, then the tiles along the
/// innermost dimension first, then n; columns are channels.
Result<CoordinateMap> getDepthwiseWindow(const ConvProblem &problem,
                                         llvm::ArrayRef<int64_t> outputTile);
/// The filter of a depthwise convolution, (s r) x k of a tensor (r, s, k), and
/// its output, whose rows are the pixels of a tile, then the tiles.
Result<CoordinateMap> getDepthwiseFilter(const ConvProblem &problem);
Result<CoordinateMap> getDepthwiseOutput(const ConvProblem &problem,
                                         llvm::ArrayRef<int64_t> outputTile);

/// The extent of the output that follows from the other numbers; 0 where the
/// filter is larger than the padded input.
Int getConvOutput(const ConvSpatial &spatial);
/// What is wrong with the constants of a problem, if something is: an extent,
/// stride or dilation below one, negative padding, a filter that is larger than
/// the padded input.
std::optional<Reason> checkConvProblem(const ConvProblem &problem);

} // namespace tile

#endif // TILE_LAYOUT_CONVCOORDINATES_H
