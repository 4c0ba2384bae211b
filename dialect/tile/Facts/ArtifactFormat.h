// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of an artifact file, for its writer and the runtime that reads it.
// Plain C++, since the runtime knows neither LLVM nor MLIR.
#ifndef TILE_FACTS_ARTIFACTFORMAT_H
#define TILE_FACTS_ARTIFACTFORMAT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tile {

/// The file: this header, the manifest, zeros to a multiple of `kAlignment`,
/// then the blobs, each on such a multiple. Numbers are 64 bits, little-endian:
///
///   0   TILEART2
///   8   bytes of the manifest
///   16  bytes of the whole file
///   24  64-bit FNV-1a of all bytes but these eight
struct ArtifactFormat {
  static constexpr std::string_view kMagic = "TILEART2";
  static constexpr size_t kHeaderBytes = 32, kAlignment = 16;
  static constexpr size_t kManifestAt = 8, kFileAt = 16, kChecksumAt = 24;
};

/// The two parts of a file, which point into its bytes.
struct ArtifactParts {
  std::string_view manifest, blobs;
};

/// Takes a file apart. Returns the reason when it is none, is cut or longer
/// than it says, or a byte of it was changed; "" otherwise.
std::string splitArtifact(std::string_view file, ArtifactParts &parts);

/// Puts a file together and seals it.
std::string joinArtifact(std::string_view manifest, std::string_view blobs);

/// Writes the length and the checksum of a file whose bytes have changed.
void sealArtifact(std::string &file);

} // namespace tile

#endif // TILE_FACTS_ARTIFACTFORMAT_H
