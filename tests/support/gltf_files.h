// Pieces of glTF files for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/mesh_files.h"

namespace tandem::test {

inline std::string base64(std::string_view bytes) {
  constexpr char k_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const bool present = i + j < bytes.size();
      group = group << 8 | (present ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? k_digits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

/// What goes into a buffer's JSON beside its length, so that these bytes are its data.
inline std::string embedded(std::string_view bytes) {
  return R"(,"uri":"data:application/octet-stream;base64,)" + base64(bytes) + "\"";
}

inline std::string padded(std::string text, char filler) {
  while (text.size() % 4 != 0) text += filler;
  return text;
}

/// A chunk of a GLB; the type is of four characters.
inline std::string chunk(std::string_view type, const std::string& content) {
  return Bytes()
      .add(static_cast<std::uint32_t>(content.size()))
      .add_text(type)
      .add_text(content)
      .text();
}

inline constexpr std::string_view k_binary_chunk{"BIN\0", 4};

/// A GLB of these chunks.
inline std::string glb_of(const std::string& chunks) {
  return Bytes()
      .add_text("glTF")
      .add(2u)
      .add(static_cast<std::uint32_t>(12 + chunks.size()))
      .add_text(chunks)
      .text();
}

inline std::string glb(const std::string& json, const std::string& binary) {
  return glb_of(chunk("JSON", padded(json, ' ')) + chunk(k_binary_chunk, padded(binary, '\0')));
}

/// A glTF of one buffer and one node, from its parts in JSON.
struct GltfText {
  std::string data;
  std::string views;
  std::string accessors;
  std::string primitives;
  std::string nodes = R"([{"mesh":0}])";
  std::string scenes = R"([{"nodes":[0]}])";
  std::string asset = R"({"version":"2.0"})";
  /// More members of the whole, each with a comma in front.
  std::string more;

  /// `buffer` stands in the buffer's JSON beside its length.
  std::string json(const std::string& buffer) const {
    return R"({"asset":)" + asset + R"(,"buffers":[{"byteLength":)" + std::to_string(data.size()) +
           buffer + R"(}],"bufferViews":)" + views + R"(,"accessors":)" + accessors +
           R"(,"meshes":[{"primitives":)" + primitives + R"(}],"nodes":)" + nodes +
           R"(,"scenes":)" + scenes + more + "}";
  }
  std::string text() const { return json(embedded(data)); }
  std::string binary() const { return glb(json(""), data); }
};

/// A mesh of a glTF and its name.
struct NamedMesh {
  std::string name;
  Mesh mesh;
};

/// A GLB of these meshes; `nodes` are those of the scene, as a list in JSON without its brackets.
inline std::string glb_of_meshes(const std::vector<NamedMesh>& meshes, const std::string& nodes,
                                 std::size_t node_count) {
  Bytes bytes;
  std::string views;
  std::string accessors;
  std::string list;
  std::size_t size = 0;
  const auto add_view = [&](std::size_t length) {
    if (!views.empty()) views += ",";
    views += R"({"buffer":0,"byteOffset":)" + std::to_string(size) + R"(,"byteLength":)" +
             std::to_string(length) + "}";
    size += length;
  };
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const Mesh& mesh = meshes[i].mesh;
    for (const Vec3f& v : mesh.vertices()) bytes.add(v.x).add(v.y).add(v.z);
    for (const TriangleIndices& t : mesh.triangles()) bytes.add(t[0]).add(t[1]).add(t[2]);
    add_view(12 * mesh.vertex_count());
    add_view(12 * mesh.triangle_count());
    const std::string comma = i == 0 ? "" : ",";
    accessors += comma + R"({"bufferView":)" + std::to_string(2 * i) +
                 R"(,"componentType":5126,"type":"VEC3","count":)" +
                 std::to_string(mesh.vertex_count()) + R"(},{"bufferView":)" +
                 std::to_string(2 * i + 1) + R"(,"componentType":5125,"type":"SCALAR","count":)" +
                 std::to_string(3 * mesh.triangle_count()) + "}";
    list += comma + R"({"name":")" + meshes[i].name +
            R"(","primitives":[{"attributes":{"POSITION":)" + std::to_string(2 * i) +
            R"(},"indices":)" + std::to_string(2 * i + 1) + "}]}";
  }
  std::string roots;
  for (std::size_t i = 0; i < node_count; ++i) {
    if (i > 0) roots += ",";
    roots += std::to_string(i);
  }
  return glb(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + std::to_string(size) +
                 R"(}],"bufferViews":[)" + views + R"(],"accessors":[)" + accessors +
                 R"(],"meshes":[)" + list + R"(],"nodes":[)" + nodes + R"(],"scenes":[{"nodes":[)" +
                 roots + "]}]}",
             bytes.text());
}

/// Five vertices on a parabola as floats, then the indices 0 1 2 3 4 1 as 16-bit numbers.
inline GltfText parabola() {
  Bytes bytes;
  for (const float x : {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}) bytes.add(x).add(x * x).add(0.0f);
  for (const std::uint16_t index : {0, 1, 2, 3, 4, 1}) bytes.add(index);
  GltfText file;
  file.data = bytes.text();
  file.views = R"([{"buffer":0,"byteLength":60},{"buffer":0,"byteOffset":60,"byteLength":12}])";
  file.accessors = R"([{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},)"
                   R"({"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}])";
  file.primitives = R"([{"attributes":{"POSITION":0},"indices":1}])";
  return file;
}

/// Vertices 1 and 3 of the parabola are replaced, and the last of its indices.
inline GltfText sparse_parabola() {
  GltfText file = parabola();
  Bytes bytes;
  bytes.add_text(file.data);
  bytes.add(std::uint8_t{1}).add(std::uint8_t{3}).add(std::uint16_t{0});  // from byte 72 on
  for (const float x : {7.0f, 8.0f, 9.0f, -7.0f, -8.0f, -9.0f}) bytes.add(x);
  bytes.add(5u).add(std::uint16_t{2}).add(std::uint16_t{0});  // from byte 100 on
  file.data = bytes.text();
  file.views = R"([{"buffer":0,"byteLength":60},{"buffer":0,"byteOffset":60,"byteLength":12},
                   {"buffer":0,"byteOffset":72,"byteLength":4},
                   {"buffer":0,"byteOffset":76,"byteLength":24},
                   {"buffer":0,"byteOffset":100,"byteLength":8}])";
  file.accessors = R"([{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3",
      "sparse":{"count":2,"indices":{"bufferView":2,"componentType":5121},
                "values":{"bufferView":3}}},
    {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR",
      "sparse":{"count":1,"indices":{"bufferView":4,"componentType":5125},
                "values":{"bufferView":4,"byteOffset":4}}}])";
  return file;
}

/// The text with its only occurrence of `from` replaced.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
    throw std::runtime_error("not there once: " + std::string(from));
  }
  return text.replace(at, from.size(), to);
}

/// Skips what a build without simdjson cannot do.
class Gltf : public testing::Test {
 protected:
  void SetUp() override {
    if (reads_gltf()) return;
    EXPECT_EQ(error_of([] { read_text(MeshFormat::gltf, "{}"); }),
              "m: this build reads no glTF; build Tandem with simdjson installed (Debian's "
              "libsimdjson-dev)");
    GTEST_SKIP() << "built without simdjson";
  }
};

}  // namespace tandem::test
