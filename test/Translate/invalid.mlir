// RUN: tile-translate --layout-to-text --split-input-file --verify-diagnostics %s

// expected-error @below {{expected a layout, a thread map or a multiply atom among the attributes and results of the module, but got none}}
module {}

// -----

// expected-error @below {{'tile.rows' cannot be drawn: expected a layout of constants, but got (?, 8) : (8, 1)}}
module attributes {tile.rows = #tile.layout<(?, 8) : (8, 1)>} {}

// -----

// expected-error @below {{'tile.large' cannot be drawn: expected at most 65536 cells in a picture, but got 65792}}
module attributes {tile.large = #tile.layout<(256, 257) : (1, 256)>} {}

// -----

// expected-error @below {{'tile.map' cannot be drawn: expected at most 65536 cells in a picture, but got 131072}}
module attributes {
  tile.map = #tile.strip_mined<tile = [512, 256], contiguous = 1, threads = 1024, elements = 4>
} {}

// -----

// expected-error @below {{expected operation name in quotes}}
module {
