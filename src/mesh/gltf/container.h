// The two forms of a glTF file: JSON alone, or GLB, which has JSON and binary data in chunks.
#pragma once

#include <optional>
#include <string_view>

#include "mesh/byte_reader.h"
#include "mesh/readers.h"

namespace tandem::detail {

struct GltfContainer {
  std::string_view json;
  /// The data of the first buffer, when it is a GLB that has some.
  std::optional<std::string_view> binary;
};

/// GLB: a header of three numbers, then chunks of a length, a type and that many bytes.
inline GltfContainer open_glb(const Source& source) {
  constexpr std::uint32_t k_json = 0x4e4f534a;
  constexpr std::uint32_t k_binary = 0x004e4942;
  constexpr std::size_t k_magic_size = 4;

  ByteReader reader(source, k_magic_size, std::endian::little);
  const auto version = reader.read<std::uint32_t>();
  if (version != 2) {
    source.fail("this is GLB of version " + std::to_string(version) + ", but only 2 is read");
  }
  const auto length = reader.read<std::uint32_t>();
  if (length != source.content.size()) {
    source.fail("the header says that the file has " + std::to_string(length) +
                " bytes, but it has " + std::to_string(source.content.size()));
  }
  std::optional<std::string_view> json;
  std::optional<std::string_view> binary;
  for (int chunk = 0; reader.bytes_left() > 0; ++chunk) {
    const std::size_t begin = reader.position();
    const auto size = reader.read<std::uint32_t>();
    const auto type = reader.read<std::uint32_t>();
    if (size > reader.bytes_left()) {
      source.fail_at_byte(begin, "a chunk has " + std::to_string(size) + " bytes, but only " +
                                     std::to_string(reader.bytes_left()) + " are left");
    }
    if (size % 4 != 0) {
      source.fail_at_byte(
          begin, "the length of a chunk, " + std::to_string(size) + ", is not a multiple of four");
    }
    const std::string_view data = source.content.substr(reader.position(), size);
    reader.skip(size);
    // Chunks of other types belong to extensions.
    if ((chunk == 0) != (type == k_json)) {
      source.fail_at_byte(begin, "the first chunk, and no other, has to be JSON");
    }
    if (type == k_binary && chunk != 1) {
      source.fail_at_byte(begin, "binary data is not in the second chunk");
    }
    if (type == k_json) json = data;
    if (type == k_binary) binary = data;
  }
  if (!json) source.fail("the file ends before its first chunk");
  return {*json, binary};
}

inline GltfContainer open_gltf(const Source& source) {
  if (source.content.starts_with("glTF")) return open_glb(source);
  const std::size_t begin = source.content.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || source.content[begin] != '{') {
    source.fail("this is neither glTF, which is JSON, nor GLB, which starts with 'glTF'");
  }
  return {source.content, std::nullopt};
}

}  // namespace tandem::detail
