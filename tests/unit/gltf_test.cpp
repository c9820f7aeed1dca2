// glTF and GLB: nodes in depth-first order, their transforms, and nothing reordered.
#include <gtest/gtest.h>
#include <tandem/mesh_io.h>
#include <tandem/shapes.h>

#include <cstdio>

#include "math/random.h"
#include "support/mesh_files.h"

namespace tandem {
namespace {

using test::Bytes;
using test::error_of;
using test::read_text;
using test::TemporaryFolder;

std::string base64(std::string_view bytes) {
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

/// Four vertices of a unit square, then the corners 0 1 2, 2 1 3 and 3 2 1 of triangles as 16-bit
/// numbers.
std::string square_buffer() {
  Bytes bytes;
  for (const Vec3f& v : {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0), Vec3f(1, 1, 0)}) {
    bytes.add(v.x).add(v.y).add(v.z);
  }
  for (const std::uint16_t corner : {0, 1, 2, 2, 1, 3, 3, 2, 1}) bytes.add(corner);
  bytes.add(std::uint16_t{0});
  return bytes.text();
}

/// Mesh 0 has two triangle primitives; mesh 1 has points, lines and one triangle without indices.
/// `buffer` is what goes into the buffer's JSON beside its length, `scenes` the nodes and scenes.
std::string gltf(const std::string& buffer, const std::string& scenes) {
  return R"({"asset":{"version":"2.0"},
    "buffers":[{"byteLength":68)" +
         buffer + R"(}],
    "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},
                   {"buffer":0,"byteOffset":48,"byteLength":18}],
    "accessors":[
      {"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
      {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"},
      {"bufferView":1,"byteOffset":12,"componentType":5123,"count":3,"type":"SCALAR"},
      {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
    "meshes":[
      {"primitives":[{"attributes":{"POSITION":0},"indices":1},
                     {"attributes":{"POSITION":0},"indices":2}]},
      {"primitives":[{"attributes":{"POSITION":0},"mode":0},
                     {"attributes":{"POSITION":0},"indices":1,"mode":1},
                     {"attributes":{"POSITION":3}}]}],)" +
         scenes + "}";
}

std::string embedded(const std::string& buffer) {
  return R"(,"uri":"data:application/octet-stream;base64,)" + base64(buffer) + "\"";
}

const std::string k_two_levels = R"("scene":0,"scenes":[{"nodes":[2,0]}],
    "nodes":[{"mesh":0},
             {"mesh":1,"scale":[2,2,2]},
             {"translation":[10,0,0.5],"mesh":0,"children":[1,3]},
             {"mesh":1,"matrix":[0,1,0,0, -1,0,0,0, 0,0,1,0, 0,0,7,1]}])";

std::string glb(const std::string& json, const std::string& binary) {
  const auto padded = [](std::string text, char filler) {
    while (text.size() % 4 != 0) text += filler;
    return text;
  };
  const std::string first = padded(json, ' ');
  const std::string second = padded(binary, '\0');
  Bytes bytes;
  bytes.add_text("glTF").add(2u);
  bytes.add(static_cast<std::uint32_t>(12 + 8 + first.size() + 8 + second.size()));
  bytes.add(static_cast<std::uint32_t>(first.size())).add_text("JSON").add_text(first);
  bytes.add(static_cast<std::uint32_t>(second.size()));
  bytes.add_text(std::string_view("BIN\0", 4)).add_text(second);
  return bytes.text();
}

void expect_two_levels(const Mesh& mesh) {
  // Node 2 with mesh 0, its children 1 and 3 with mesh 1, then node 0 with mesh 0.
  const std::vector<TriangleF> expected{
      {{{10, 0, 0.5f}, {11, 0, 0.5f}, {10, 1, 0.5f}}},
      {{{10, 1, 0.5f}, {11, 0, 0.5f}, {11, 1, 0.5f}}},
      {{{11, 1, 0.5f}, {10, 1, 0.5f}, {11, 0, 0.5f}}},
      {{{10, 0, 0.5f}, {12, 0, 0.5f}, {10, 2, 0.5f}}},
      {{{10, 0, 7.5f}, {10, 1, 7.5f}, {9, 0, 7.5f}}},
      {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
      {{{0, 1, 0}, {1, 0, 0}, {1, 1, 0}}},
      {{{1, 1, 0}, {0, 1, 0}, {1, 0, 0}}},
  };
  ASSERT_EQ(mesh.triangle_count(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (int corner = 0; corner < 3; ++corner) {
      EXPECT_EQ(mesh.triangle(i).corner[corner], expected[i].corner[corner])
          << "triangle " << i << ", corner " << corner;
    }
  }
}

class Gltf : public testing::Test {
 protected:
  void SetUp() override {
    if (reads_gltf()) return;
    EXPECT_EQ(error_of([] { read_text(MeshFormat::gltf, "{}"); }),
              "m: this build reads no glTF; build Tandem with Assimp installed (Debian's "
              "libassimp-dev)");
    GTEST_SKIP() << "built without Assimp";
  }
};

TEST_F(Gltf, NodesDepthFirstWithTheirTransforms) {
  const std::string buffer = square_buffer();
  expect_two_levels(read_text(MeshFormat::gltf, gltf(embedded(buffer), k_two_levels)));
  expect_two_levels(read_text(MeshFormat::gltf, glb(gltf("", k_two_levels), buffer)));
}

TEST_F(Gltf, FilesAndTheBuffersBesideThem) {
  const TemporaryFolder folder;
  const std::string buffer = square_buffer();
  folder.write("b c.bin", buffer);
  folder.write("m.glb", glb(gltf("", k_two_levels), buffer));
  expect_two_levels(read_mesh(folder.path() / "m.glb"));
  const std::string text = gltf(R"(,"uri":"b c.bin")", k_two_levels);
  folder.write("m.gltf", text);
  expect_two_levels(read_mesh(folder.path() / "m.gltf"));
  // Content in memory has no other files beside it.
  EXPECT_NE(error_of([&] { read_text(MeshFormat::gltf, text); }), "");
  // The buffer's file is missing.
  std::filesystem::remove(folder.path() / "b c.bin");
  const std::string message = error_of([&] { read_mesh(folder.path() / "m.gltf"); });
  EXPECT_NE(message.find("m.gltf: this is not a glTF that can be read: "), message.npos) << message;
}

TEST_F(Gltf, TheDefaultSceneIsRead) {
  const std::string nodes =
      R"("nodes":[{"mesh":0},{"mesh":1}],"scenes":[{"nodes":[0]},{"nodes":[1]}])";
  const std::string buffer = embedded(square_buffer());
  EXPECT_EQ(read_text(MeshFormat::gltf, gltf(buffer, nodes + R"(,"scene":0)")).triangle_count(),
            3u);
  EXPECT_EQ(read_text(MeshFormat::gltf, gltf(buffer, nodes + R"(,"scene":1)")).triangle_count(),
            1u);
  EXPECT_EQ(read_text(MeshFormat::gltf, gltf(buffer, nodes)).triangle_count(), 3u);
  EXPECT_TRUE(read_text(MeshFormat::gltf, gltf(buffer, R"("nodes":[{}],"scenes":[{"nodes":[0]}])"))
                  .empty());
}

TEST_F(Gltf, ALongChainOfNodesIsRoundedOnce) {
  // 30 nodes that each move by 0.1: in double the sum is 3 to 15 digits, in float it is not.
  std::string nodes = R"("scenes":[{"nodes":[0]}],"scene":0,"nodes":[)";
  for (int i = 0; i < 30; ++i) {
    nodes += R"({"translation":[0,0.1,0],"children":[)" + std::to_string(i + 1) + "]},";
  }
  const Mesh mesh =
      read_text(MeshFormat::gltf, gltf(embedded(square_buffer()), nodes + R"({"mesh":1}])"));
  ASSERT_EQ(mesh.triangle_count(), 1u);
  EXPECT_EQ(mesh.triangle(0).corner[0].y, static_cast<float>(30 * static_cast<double>(0.1f)));
}

TEST_F(Gltf, BrokenFilesAreOneSentence) {
  const std::string good = gltf(embedded(square_buffer()), k_two_levels);
  const std::string binary = glb(gltf("", k_two_levels), square_buffer());
  EXPECT_EQ(error_of([] { read_text(MeshFormat::gltf, "solid x\nendsolid x\n"); }),
            "m: this is neither glTF, which is JSON, nor GLB, which starts with 'glTF'");
  EXPECT_EQ(error_of([] { read_text(MeshFormat::gltf, "{\"asset\":{}}"); }),
            "m: this is not a glTF that can be read: it is damaged, or of a version that is not "
            "known");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (const std::string& broken :
       {std::string("{"), std::string("{}"), std::string("{\"asset\":{\"version\":\"2.0\"}}"),
        std::string("{\"a\n\":1,,}"), std::string("glTF"), good.substr(0, good.size() / 2),
        binary.substr(0, 11), binary.substr(0, 20), binary.substr(0, binary.size() / 2)}) {
    const std::string message = error_of([&] { read_text(MeshFormat::gltf, broken); });
    EXPECT_TRUE(message.starts_with("m: this is not a glTF that can be read: ")) << broken;
    for (const char c : message) EXPECT_GE(c, 0x20) << message;
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Gltf, EveryTruncationIsAMeshOrAnError) {
  for (const std::string& whole : {gltf(embedded(square_buffer()), k_two_levels),
                                   glb(gltf("", k_two_levels), square_buffer())}) {
    for (std::size_t size = 0; size < whole.size(); size += 3) {
      SCOPED_TRACE("cut to " + std::to_string(size) + " bytes");
      EXPECT_NO_THROW(error_of([&] { read_text(MeshFormat::gltf, whole.substr(0, size)); }));
    }
  }
}

}  // namespace
}  // namespace tandem
