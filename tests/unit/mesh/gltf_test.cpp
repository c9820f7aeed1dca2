// glTF and GLB: nodes in depth-first order, their transforms, every kind of numbers, and nothing
// reordered.
#include <gtest/gtest.h>
#include <tandem/mesh_io.h>
#include <unistd.h>

#include <filesystem>

#include "support/gltf_files.h"

namespace tandem {
namespace {

using test::Bytes;
using test::embedded;
using test::error_of;
using test::glb;
using test::Gltf;
using test::GltfText;
using test::parabola;
using test::read_text;
using test::sparse_parabola;
using test::TemporaryFolder;
using test::with;

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

const std::string k_two_levels = R"("scene":0,"scenes":[{"nodes":[2,0]}],
    "nodes":[{"mesh":0},
             {"mesh":1,"scale":[2,2,2]},
             {"translation":[10,0,0.5],"mesh":0,"children":[1,3]},
             {"mesh":1,"matrix":[0,1,0,0, -1,0,0,0, 0,0,1,0, 0,0,7,1]}])";

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
  // Names are percent-encoded; those of folders are names too.
  std::filesystem::create_directory(folder.path() / "sub");
  folder.write("sub/b.bin", buffer);
  folder.write("m.gltf", gltf(R"(,"uri":"sub/../sub/%62%2Ebin")", k_two_levels));
  expect_two_levels(read_mesh(folder.path() / "m.gltf"));
  // The buffer's file is missing.
  std::filesystem::remove(folder.path() / "sub/b.bin");
  const std::string message = error_of([&] { read_mesh(folder.path() / "m.gltf"); });
  EXPECT_TRUE(message.ends_with("b.bin: cannot be read: No such file or directory")) << message;
  EXPECT_NE(message.find("m.gltf: buffer 0: "), message.npos) << message;
  EXPECT_EQ(
      error_of([&] { read_text(MeshFormat::gltf, text); }),
      "m: buffer 0: it is in the file 'b c.bin', but content in memory has no files beside it");
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

TEST_F(Gltf, PartsOfATransform) {
  // Scaled, turned by 90 degrees about z, moved: x goes to y.
  GltfText file = parabola();
  file.nodes = R"([{"mesh":0,"translation":[10,0,0],"scale":[2,-3,1],)"
               R"("rotation":[0,0,0.70710677,0.70710677]}])";
  const Mesh mesh = read_text(MeshFormat::gltf, file.text());
  ASSERT_EQ(mesh.vertex_count(), 5u);
  // (2, 4, 0) is scaled to (4, -12, 0) and turned to (12, 4, 0); a mirrored triangle keeps the
  // order of its corners.
  EXPECT_FLOAT_EQ(mesh.vertices()[2].x, 22);
  EXPECT_FLOAT_EQ(mesh.vertices()[2].y, 4);
  EXPECT_EQ(mesh.vertices()[2].z, 0);
  EXPECT_EQ(mesh.triangles()[0], (TriangleIndices{0, 1, 2}));
}

TEST_F(Gltf, StripsAndFans) {
  using Triangles = std::vector<TriangleIndices>;
  const auto read = [](const std::string& primitive) {
    GltfText file = parabola();
    file.primitives = "[{\"attributes\":{\"POSITION\":0}" + primitive + "}]";
    const Mesh mesh = read_text(MeshFormat::gltf, file.text());
    return Triangles(mesh.triangles().begin(), mesh.triangles().end());
  };
  EXPECT_EQ(read(R"(,"mode":5)"), (Triangles{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
  EXPECT_EQ(read(R"(,"mode":6)"), (Triangles{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}));
  EXPECT_EQ(read(R"(,"mode":5,"indices":1)"),
            (Triangles{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 1, 4}}));
  EXPECT_EQ(read(R"(,"mode":6,"indices":1)"),
            (Triangles{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}, {4, 1, 0}}));
  EXPECT_EQ(read(R"(,"mode":4,"indices":1)"), (Triangles{{0, 1, 2}, {3, 4, 1}}));
  for (const char* other : {"0", "1", "2", "3"}) {
    EXPECT_EQ(read(std::string(",\"mode\":") + other), Triangles{});
  }
}

TEST_F(Gltf, PrimitivesWithTheSamePositionsShareVertices) {
  GltfText file = parabola();
  file.primitives = R"([{"attributes":{"POSITION":0},"indices":1},{"attributes":{}},
                        {"attributes":{"POSITION":0},"indices":1,"mode":1},
                        {"attributes":{"POSITION":0},"indices":1}])";
  file.nodes = R"([{"mesh":0,"children":[1]},{"mesh":0}])";
  const Mesh mesh = read_text(MeshFormat::gltf, file.text());
  EXPECT_EQ(mesh.vertex_count(), 10u);
  ASSERT_EQ(mesh.triangle_count(), 8u);
  EXPECT_EQ(mesh.triangles()[2], (TriangleIndices{0, 1, 2}));
  EXPECT_EQ(mesh.triangles()[6], (TriangleIndices{5, 6, 7}));
}

/// Three vertices whose numbers stand one after the other, in a view of that stride from byte 4 on.
template <class T>
GltfText three_vertices(int component_type, const std::vector<T>& numbers, std::size_t stride) {
  Bytes bytes;
  bytes.add(0xffffffffu);
  for (std::size_t i = 0; i < 9; ++i) {
    bytes.add(numbers[i]);
    for (std::size_t j = 3 * sizeof(T); i % 3 == 2 && j < stride; ++j) bytes.add('\x7f');
  }
  GltfText file;
  file.data = bytes.text();
  file.views = R"([{"buffer":0,"byteOffset":4,"byteLength":)" + std::to_string(3 * stride) +
               R"(,"byteStride":)" + std::to_string(stride) + "}]";
  file.accessors = R"([{"bufferView":0,"count":3,"type":"VEC3","componentType":)" +
                   std::to_string(component_type) + "}]";
  file.primitives = R"([{"attributes":{"POSITION":0}}])";
  file.more = R"(,"extensionsUsed":["KHR_mesh_quantization"],)"
              R"("extensionsRequired":["KHR_mesh_quantization"])";
  return file;
}

std::string normalized(std::string text) {
  return with(std::move(text), R"("count":3)", R"("count":3,"normalized":true)");
}

void expect_vertices(const std::string& text, const std::vector<Vec3f>& expected) {
  const Mesh mesh = read_text(MeshFormat::gltf, text);
  ASSERT_EQ(mesh.vertex_count(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(mesh.vertices()[i], expected[i]) << "vertex " << i;
  }
}

TEST_F(Gltf, InterleavedAndQuantizedPositions) {
  const auto floats = three_vertices<float>(5126, {0, 1.5f, 2, 3, 4, 5, 6, 7, -8}, 20);
  expect_vertices(floats.text(), {{0, 1.5f, 2}, {3, 4, 5}, {6, 7, -8}});
  expect_vertices(floats.binary(), {{0, 1.5f, 2}, {3, 4, 5}, {6, 7, -8}});

  const auto bytes = three_vertices<std::int8_t>(5120, {0, 1, 2, 3, -4, 5, 127, -127, -128}, 4);
  expect_vertices(bytes.text(), {{0, 1, 2}, {3, -4, 5}, {127, -127, -128}});
  expect_vertices(
      normalized(bytes.text()),
      {{0, 1 / 127.0f, 2 / 127.0f}, {3 / 127.0f, -4 / 127.0f, 5 / 127.0f}, {1, -1, -1}});
  const auto unsigned_bytes = three_vertices<std::uint8_t>(5121, {0, 1, 2, 3, 4, 5, 6, 7, 255}, 8);
  expect_vertices(unsigned_bytes.text(), {{0, 1, 2}, {3, 4, 5}, {6, 7, 255}});
  expect_vertices(normalized(unsigned_bytes.text()), {{0, 1 / 255.0f, 2 / 255.0f},
                                                      {3 / 255.0f, 4 / 255.0f, 5 / 255.0f},
                                                      {6 / 255.0f, 7 / 255.0f, 1}});
  const auto shorts =
      three_vertices<std::int16_t>(5122, {0, 1, 2, 3, 4, 5, 32767, -32767, -32768}, 8);
  expect_vertices(shorts.text(), {{0, 1, 2}, {3, 4, 5}, {32767, -32767, -32768}});
  expect_vertices(
      normalized(shorts.text()),
      {{0, 1 / 32767.0f, 2 / 32767.0f}, {3 / 32767.0f, 4 / 32767.0f, 5 / 32767.0f}, {1, -1, -1}});
  const auto unsigned_shorts =
      three_vertices<std::uint16_t>(5123, {0, 1, 2, 3, 4, 5, 6, 7, 65535}, 12);
  expect_vertices(unsigned_shorts.text(), {{0, 1, 2}, {3, 4, 5}, {6, 7, 65535}});
  expect_vertices(normalized(unsigned_shorts.text()), {{0, 1 / 65535.0f, 2 / 65535.0f},
                                                       {3 / 65535.0f, 4 / 65535.0f, 5 / 65535.0f},
                                                       {6 / 65535.0f, 7 / 65535.0f, 1}});

  // The node that undoes the quantization is applied before anything is rounded.
  GltfText scaled = unsigned_bytes;
  scaled.nodes = R"([{"mesh":0,"scale":[255,255,255],"translation":[0.5,0,0]}])";
  expect_vertices(normalized(scaled.text()), {{0.5f, 1, 2}, {3.5f, 4, 5}, {6.5f, 7, 255}});

  // An extension that the file does not name is not used.
  GltfText silent = bytes;
  silent.more = "";
  EXPECT_EQ(error_of([&] { read_text(MeshFormat::gltf, silent.text()); }),
            "m: accessor 0: positions of integers need the extension 'KHR_mesh_quantization', "
            "which the file does not name");
  EXPECT_EQ(error_of([&] { read_text(MeshFormat::gltf, normalized(floats.text())); }),
            "m: accessor 0: these numbers cannot be normalized");
}

TEST_F(Gltf, EveryTypeOfIndices) {
  for (const int type : {5121, 5123, 5125}) {
    Bytes bytes;
    for (const float x : {0.0f, 1.0f, 2.0f, 3.0f}) bytes.add(x).add(x * x).add(0.0f);
    for (const int index : {3, 1, 2}) {
      if (type == 5121) bytes.add(static_cast<std::uint8_t>(index));
      if (type == 5123) bytes.add(static_cast<std::uint16_t>(index));
      if (type == 5125) bytes.add(static_cast<std::uint32_t>(index));
    }
    GltfText file;
    file.data = bytes.text();
    file.views = R"([{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":)" +
                 std::to_string(bytes.text().size() - 48) + "}]";
    file.accessors = R"([{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
                     R"({"bufferView":1,"count":3,"type":"SCALAR","componentType":)" +
                     std::to_string(type) + "}]";
    file.primitives = R"([{"attributes":{"POSITION":0},"indices":1}])";
    const Mesh mesh = read_text(MeshFormat::gltf, file.binary());
    ASSERT_EQ(mesh.triangle_count(), 1u) << type;
    EXPECT_EQ(mesh.triangles()[0], (TriangleIndices{3, 1, 2})) << type;
  }
}

TEST_F(Gltf, SparseAccessors) {
  const std::string text = sparse_parabola().text();
  expect_vertices(text, {{0, 0, 0}, {7, 8, 9}, {2, 4, 0}, {-7, -8, -9}, {4, 16, 0}});
  const Mesh mesh = read_text(MeshFormat::gltf, text);
  ASSERT_EQ(mesh.triangle_count(), 2u);
  EXPECT_EQ(mesh.triangles()[1], (TriangleIndices{3, 4, 2}));

  // Without a view the elements that are not replaced are zero.
  expect_vertices(with(text, R"("bufferView":0,)", ""),
                  {{0, 0, 0}, {7, 8, 9}, {0, 0, 0}, {-7, -8, -9}, {0, 0, 0}});

  for (const auto& [from, to, message] : std::vector<std::array<const char*, 3>>{
           {R"("sparse":{"count":2,)", R"("sparse":{"count":6,)",
            "accessor 0: it replaces 6 of its 5 elements"},
           {R"("sparse":{"count":2,)", R"("sparse":{"count":0,)",
            "accessor 0: it replaces 0 of its 5 elements"},
           {R"("sparse":{"count":2,)", R"("sparse":{"count":3,)",
            "accessor 0: it ends at byte 36 of a buffer view that has only 24"},
           {R"({"bufferView":2,"componentType":5121})", R"({"componentType":5121})",
            "accessor 0: 'bufferView' is missing"},
           {R"({"bufferView":2,"componentType":5121})", R"({"bufferView":2,"componentType":5120})",
            "accessor 0: the component type 5120 cannot be used for indices"},
           {R"({"bufferView":2,"componentType":5121})",
            R"({"bufferView":2,"componentType":5121,"byteOffset":1})",
            "accessor 0: the elements that it replaces are not in ascending order below 5"},
           {R"({"bufferView":2,"componentType":5121})", R"({"bufferView":9,"componentType":5121})",
            "buffer view 9 is used, but there are only 5"},
           {R"("values":{"bufferView":3})", R"("values":{"bufferView":3,"byteOffset":2})",
            "accessor 0: it ends at byte 26 of a buffer view that has only 24"},
           {R"("values":{"bufferView":3})", R"("values":[])",
            "accessor 0: 'values' is not an object"}}) {
    const std::string broken = with(text, from, to);
    EXPECT_EQ(error_of([&] { read_text(MeshFormat::gltf, broken); }), std::string("m: ") + message);
  }
}

TEST_F(Gltf, ChainsOfManyNodes) {
  std::string nodes = "[";
  for (int i = 1; i < 20000; ++i) {
    nodes += R"({"translation":[1,0,0],"children":[)" + std::to_string(i) + "]},";
  }
  GltfText file = parabola();
  file.nodes = nodes + R"({"mesh":0}])";
  EXPECT_EQ(read_text(MeshFormat::gltf, file.text()).vertices()[0].x, 19999);
}

TEST_F(Gltf, InstancesUpToTheLimit) {
  GltfText file = parabola();
  file.nodes = R"([{"mesh":0},{"mesh":0,"translation":[1,0,0]},{"mesh":0}])";
  file.scenes = R"([{"nodes":[1,0,2]}])";
  const std::string text = file.text();
  const auto read = [&](std::size_t max_elements) {
    return read_mesh(std::as_bytes(std::span(text)), MeshFormat::gltf, "m",
                     {.max_elements = max_elements});
  };
  EXPECT_EQ(read(15).triangle_count(), 6u);
  EXPECT_EQ(error_of([&] { read(14); }), "m: there are more vertices than the 14 that are read");
}

TEST_F(Gltf, FewBytesDoNotBecomeManyTriangles) {
  // A mesh of 10,000 triangles that many nodes show.
  const auto file_of = [](int node_count) {
    GltfText file = parabola();
    std::string roots = "[";
    file.nodes = "[";
    for (int i = 0; i < node_count; ++i) {
      if (i > 0) file.nodes += ',';
      if (i > 0) roots += ',';
      file.nodes += R"({"mesh":0})";
      roots += std::to_string(i);
    }
    file.nodes += "]";
    file.scenes = R"([{"nodes":)" + roots + "]}]";
    file.data += std::string(30000, '\0');
    file.views =
        R"([{"buffer":0,"byteLength":60},{"buffer":0,"byteOffset":72,"byteLength":30000}])";
    file.accessors = R"([{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},)"
                     R"({"bufferView":1,"componentType":5121,"count":30000,"type":"SCALAR"}])";
    return file.binary();
  };
  EXPECT_EQ(read_text(MeshFormat::gltf, file_of(100)).triangle_count(), 1000000u);
  const std::string text = file_of(400);
  EXPECT_EQ(error_of([&] { read_text(MeshFormat::gltf, text); }),
            "m: there are more triangles than the " + std::to_string(1000000 + 64 * text.size()) +
                " that are read");
  // Who asks for them gets them.
  EXPECT_EQ(
      read_mesh(std::as_bytes(std::span(text)), MeshFormat::gltf, "m", {.max_elements = 4000000})
          .triangle_count(),
      4000000u);
  EXPECT_EQ(error_of([&] {
              const std::string large = file_of(300000);
              read_mesh(std::as_bytes(std::span(large)), MeshFormat::gltf, "m",
                        {.max_elements = Mesh::k_max_elements});
            }),
            "m: there are more triangles than the 2147483647 that are read");
}

TEST_F(Gltf, WhatTheTrianglesDoNotUseIsNotLookedAt) {
  GltfText file = parabola();
  file.views = with(file.views, "]", R"(,{"buffer":7,"byteLength":1}])");
  file.accessors = with(file.accessors, "\"}]", R"("},{"componentType":1,"count":1,"type":"x"}])");
  file.primitives = R"([{"attributes":{"POSITION":0,"NORMAL":2},"indices":1,"material":9}])";
  file.more = R"(,"materials":1,"extensionsUsed":["X_unknown"],)"
              R"("extensionsRequired":["KHR_texture_basisu","KHR_materials_unlit"])";
  EXPECT_EQ(read_text(MeshFormat::gltf, file.text()).triangle_count(), 2u);
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
