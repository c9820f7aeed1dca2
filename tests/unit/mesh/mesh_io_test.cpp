// Reading and writing meshes: what each format allows, and what it is read as.
#include <gtest/gtest.h>
#include <tandem/mesh_io.h>
#include <tandem/shapes.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "math/random.h"
#include "support/mesh_files.h"

namespace tandem {
namespace {

using test::binary_stl;
using test::Bytes;
using test::error_of;
using test::read_text;
using test::same_mesh;
using test::TemporaryFolder;

const Mesh k_quad({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});

TEST(MeshFormat, ComesFromTheEnding) {
  EXPECT_EQ(mesh_format("a/b.obj"), MeshFormat::obj);
  EXPECT_EQ(mesh_format("B.PLY"), MeshFormat::ply);
  EXPECT_EQ(mesh_format("x.y.Stl"), MeshFormat::stl);
  EXPECT_EQ(mesh_format("x.off"), MeshFormat::off);
  EXPECT_EQ(mesh_format("x.gltf"), MeshFormat::gltf);
  EXPECT_EQ(mesh_format("x.glb"), MeshFormat::gltf);
  for (const char* name : {"", "obj", ".obj", "x.objx", "x.ply/", "x.\nply"}) {
    EXPECT_NE(error_of([&] { mesh_format(name); }), "") << name;
  }
  EXPECT_EQ(error_of([] { mesh_format("x.fbx"); }),
            "x.fbx: the name does not end in .obj, .ply, .stl, .off, .gltf or .glb");
}

/// Vertices that are hard to write in decimal: all magnitudes, denormals, both zeros.
Mesh nasty_mesh(std::uint64_t seed) {
  detail::Random random(seed);
  std::vector<Vec3f> vertices{{0, -0.0f, FLT_MAX}, {-FLT_MAX, FLT_MIN, FLT_TRUE_MIN}, {0, 0, 0}};
  for (int i = 0; i < 1000; ++i) {
    Vec3f v;
    for (int axis = 0; axis < 3; ++axis) {
      do {
        v[axis] = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
      } while (!std::isfinite(v[axis]));
    }
    vertices.push_back(v);
  }
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i < 2000; ++i) {
    const auto vertex = [&] { return static_cast<std::uint32_t>(random.below(vertices.size())); };
    triangles.push_back({vertex(), vertex(), vertex()});
  }
  return Mesh(vertices, triangles);
}

TEST(MeshFiles, ReadingBackGivesTheSameBits) {
  const TemporaryFolder folder;
  for (const char* name : {"m.ply", "m.obj", "m.PLY"}) {
    const auto path = folder.path() / name;
    for (const Mesh& mesh : {Mesh(), Mesh({{1, 2, 3}}, {}), k_quad, make_rock(9, 1), nasty_mesh(1),
                             nasty_mesh(2), nasty_mesh(3)}) {
      write_mesh(mesh, path);
      EXPECT_TRUE(same_mesh(read_mesh(path), mesh)) << name;
    }
  }
  EXPECT_EQ(folder.listing(), "m.PLY m.obj m.ply");
}

/// The same triangles, each with three vertices of its own.
Mesh unshared(const Mesh& mesh) {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (const Vec3f& corner : mesh.triangle(i).corner) vertices.push_back(corner);
    triangles.push_back({first, first + 1, first + 2});
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

TEST(MeshFiles, StlReadBackHasTheSameTriangles) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "m.Stl";
  for (const Mesh& mesh : {Mesh(), Mesh({{1, 2, 3}}, {}), k_quad, make_rock(9, 1), nasty_mesh(1),
                           nasty_mesh(2), nasty_mesh(3)}) {
    write_mesh(mesh, path);
    EXPECT_TRUE(same_mesh(read_mesh(path), unshared(mesh)));
  }
  EXPECT_EQ(folder.listing(), "m.Stl");
}

TEST(MeshFiles, NormalsOfStl) {
  const TemporaryFolder folder;
  // A triangle that faces -y, one as small as there are, one as large, and one without area.
  const std::vector<Vec3f> normals{{0, -1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 0}};
  const float tiny = FLT_TRUE_MIN;
  const float huge = FLT_MAX;
  const Mesh mesh({{0, 0, 0},
                   {2, 0, 0},
                   {0, 0, 2},
                   {tiny, 0, 0},
                   {0, tiny, 0},
                   {-huge, -huge, 0},
                   {huge, -huge, 0},
                   {-huge, huge, 0}},
                  {{0, 1, 2}, {0, 3, 4}, {5, 6, 7}, {1, 1, 2}});
  write_mesh(mesh, folder.path() / "m.stl");
  const std::string content = folder.read("m.stl");
  ASSERT_EQ(content.size(), 84u + 4 * 50);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    std::array<float, 3> normal{};
    std::memcpy(normal.data(), content.data() + 84 + 50 * i, sizeof normal);
    EXPECT_EQ(Vec3f(normal[0], normal[1], normal[2]), normals[i]) << "triangle " << i;
  }
}

/// What reading promises of a scale and a pose: computed in double, rounded once.
Mesh placed(const Mesh& mesh, double scale, const Pose* pose) {
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : mesh.vertices()) {
    const Vec3d scaled = scale * Vec3d(v);
    vertices.emplace_back(pose == nullptr ? scaled : transform_point(*pose, scaled));
  }
  return Mesh(std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()});
}

TEST(MeshFiles, ScaleAndPoseOfReading) {
  const TemporaryFolder folder;
  const Mesh rock = make_rock(9, 1);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {10, -20, 0.1});
  for (const char* name : {"m.ply", "m.obj", "m.stl"}) {
    const auto path = folder.path() / name;
    write_mesh(rock, path);
    const Mesh plain = read_mesh(path);
    EXPECT_TRUE(same_mesh(read_mesh(path, {.scale = 1, .pose = {}}), plain)) << name;
    for (const double scale : {0.001, 0.0254, 1.0, 1e30}) {
      EXPECT_TRUE(
          same_mesh(read_mesh(path, {.scale = scale, .pose = pose}), placed(plain, scale, &pose)))
          << name << ", scale " << scale;
      EXPECT_TRUE(same_mesh(read_mesh(path, {.scale = scale}), placed(plain, scale, nullptr)))
          << name << ", scale " << scale;
    }
  }
}

TEST(MeshFiles, BadScales) {
  const auto read = [](const ReadOptions& options) {
    const std::string_view text = "v 1 2 3\nv 1e30 0 0\n";
    read_mesh(std::as_bytes(std::span(text)), MeshFormat::obj, "m", options);
  };
  for (const auto& [scale, text] : std::initializer_list<std::pair<double, std::string>>{
           {0, "0"},
           {-1, "-1"},
           {std::numeric_limits<double>::infinity(), "inf"},
           {std::numeric_limits<double>::quiet_NaN(), "nan"}}) {
    EXPECT_EQ(error_of([&, scale = scale] { read({.scale = scale}); }),
              "m: it cannot be scaled by " + text + ", as a scale is positive and finite");
  }
  EXPECT_EQ(error_of([&] { read({.scale = 1e9}); }),
            "m: vertex 1 leaves the range of float32 where it is scaled and moved");
  EXPECT_EQ(error_of([&] { read({.scale = 1e300}); }),
            "m: vertex 0 leaves the range of float32 where it is scaled and moved");
  EXPECT_EQ(error_of([&] {
              read({.pose = Pose::from_translation({0, 1e50, 0})});
            }),
            "m: vertex 0 leaves the range of float32 where it is scaled and moved");
  EXPECT_EQ(error_of([&] { read({.scale = 1e-300}); }), "");
}

TEST(MeshFiles, WritingSaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "no" / "m.ply").string();
  EXPECT_EQ(error_of([&] { write_mesh(k_quad, missing); }),
            "cannot write " + missing + ": No such file or directory");
  EXPECT_EQ(error_of([&] { write_mesh(k_quad, "m.off"); }),
            "cannot write m.off: the name does not end in .ply, .obj or .stl");
  EXPECT_EQ(folder.listing(), "");
}

TEST(MeshFiles, WrittenFilesLookLikeThis) {
  const TemporaryFolder folder;
  write_mesh(Mesh({{0.1f, -0.0f, 1e-45f}, {1, 2, 1e30f}, {3, 4, 5}}, {{2, 1, 0}}),
             folder.path() / "m.obj");
  EXPECT_EQ(folder.read("m.obj"),
            "# 3 vertices, 1 triangle\nv 0.1 -0 1e-45\nv 1 2 1e+30\nv 3 4 5\nf 3 2 1\n");
  write_mesh(Mesh({{1, 2, 3}}, {{0, 0, 0}}), folder.path() / "m.ply");
  Bytes expected;
  expected.add_text(
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float "
      "y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n");
  expected.add(1.0f).add(2.0f).add(3.0f).add('\3').add(0).add(0).add(0);
  EXPECT_EQ(folder.read("m.ply"), expected.text());
}

float first_x(const std::string& text) {
  return read_text(MeshFormat::obj, "v " + text + " 0 0").vertices()[0].x;
}

TEST(Obj, DecimalsBecomeTheNearestFloat) {
  EXPECT_EQ(first_x("16777217"), 16777216.0f);  // a tie goes to even
  EXPECT_EQ(first_x("16777217.0000000000000000000000000001"), 16777218.0f);
  EXPECT_EQ(first_x("0.1"), 0.1f);
  EXPECT_EQ(first_x("+.5"), 0.5f);
  EXPECT_EQ(first_x("5."), 5.0f);
  EXPECT_EQ(first_x("1E+2"), 100.0f);
  // Converted to double first, it would be rounded twice, the second time down.
  EXPECT_EQ(first_x("1.00000005960464477540"), 1.0f + FLT_EPSILON);
  EXPECT_EQ(first_x("1.00000005960464477539"), 1.0f);
  EXPECT_EQ(first_x("3.4028235e38"), FLT_MAX);
  EXPECT_EQ(first_x("1e-45"), FLT_TRUE_MIN);
  for (const char* tiny : {"1e-46", "1e-400", "0.0e999", "1e-99999999999999999999"}) {
    EXPECT_EQ(first_x(tiny), 0.0f) << tiny;
    EXPECT_FALSE(std::signbit(first_x(tiny))) << tiny;
  }
  EXPECT_TRUE(std::signbit(first_x("-1e-46")));
  EXPECT_EQ(first_x("0." + std::string(500, '0') + "1e501"), 1.0f);
  EXPECT_EQ(first_x("1" + std::string(500, '0') + "e-500"), 1.0f);
  for (const char* huge : {"1e39", "-1e39", "3.5e38", "1e400", "1e99999999999999999999"}) {
    EXPECT_EQ(error_of([&] { first_x(huge); }), "m: line 1: vertex 0 has the coordinate '" +
                                                    std::string(huge) +
                                                    "', which is too large for a float32");
  }
}

TEST(Obj, EveryKindOfCorner) {
  for (const char* faces : {"f 1 2 3\nf 1 3 4\n", "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",
                            "f 1//1 2//2 3//3\nf 1//1 3//3 4//4", "f 1/1/1 2/-2/3 3//\nf 1 3 4/"}) {
    const Mesh mesh =
        read_text(MeshFormat::obj, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n" + std::string(faces));
    EXPECT_TRUE(same_mesh(mesh, k_quad)) << faces;
  }
}

TEST(Obj, NegativeAndForwardIndices) {
  const Mesh mesh = read_text(MeshFormat::obj,
                              "f 1 2 3\n"
                              "v 0 0 0\nv 1 0 0\nv 1 1 0\n"
                              "f -3 -1 4\n"
                              "v 0 1 0\n");
  EXPECT_TRUE(same_mesh(mesh, k_quad));
}

TEST(Obj, PolygonsAreFannedFromTheirFirstCorner) {
  const Mesh mesh = read_text(MeshFormat::obj,
                              "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\n"
                              "f 2 3 4 5 1\nf 1 2 3\n");
  const std::vector<TriangleIndices> expected{{1, 2, 3}, {1, 3, 4}, {1, 4, 0}, {0, 1, 2}};
  EXPECT_TRUE(std::ranges::equal(mesh.triangles(), expected));
}

TEST(Obj, OtherStatementsCommentsAndLineEnds) {
  const std::string lines[] = {
      "\xEF\xBB\xBF# a comment \\",
      "mtllib C:\\x\\y.mtl",
      "o thing",
      "  v\t0 0 0 1.0",
      "v 1 0 0 0.5 0.5 0.5 # coloured",
      "vt 0 0",
      "vn 0 0 1",
      "",
      "v 1 1 0#close",
      "g a b",
      "v 0 \\",
      " 1 0",
      "usemtl x",
      "s off",
      "xyzzy 1",
      "l 1 2",
      "p 1",
      "f 1 2 3\\",
      " 4",
  };
  for (const char* line_end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (const std::string& line : lines) text += line + line_end;
    EXPECT_TRUE(same_mesh(read_text(MeshFormat::obj, text), k_quad));
  }
  EXPECT_EQ(error_of([] { read_text(MeshFormat::obj, "v 0 0 \\\r\n0\r\n\r\nf 1 1 9\r\n"); }),
            "m: line 4: a face uses vertex 9, but the file has only 1");
}

TEST(Obj, VerticesWithoutFacesAreAnEmptyMesh) {
  EXPECT_EQ(read_text(MeshFormat::obj, "v 0 0 0\nv 1 1 1").vertex_count(), 2u);
  EXPECT_TRUE(read_text(MeshFormat::obj, "# nothing\n").empty());
  EXPECT_TRUE(read_text(MeshFormat::obj, "o nothing\n").empty());
}

TEST(Off, HeadersCommentsAndColours) {
  const std::string body = "0 0 0\n1 0 0 255 0 0\n\n1 1 0 # corner\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n";
  for (const char* header :
       {"OFF\n4 1 4\n", "OFF 4 1 4\n", "OFF4 1 4\n", "# hello\nOFF\n# counts\n4 1\n",
        "COFF\n4 1 0\n", "NOFF\r\n4 1 0\r\n", "STCNOFF 4 1 0\n", "STOFF\n\n4 1 0\n"}) {
    EXPECT_TRUE(same_mesh(read_text(MeshFormat::off, header + body), k_quad)) << header;
  }
  EXPECT_EQ(read_text(MeshFormat::off, "OFF\n1 0 0\n1 2 3").vertex_count(), 1u);
  EXPECT_TRUE(read_text(MeshFormat::off, "OFF\n0 0 0").empty());
}

TEST(Stl, TextFilesKeepThreeVerticesATriangle) {
  const std::string facet =
      "  facet normal nan 0 0\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 1 1 0\n"
      " endloop\nendfacet\n";
  const Mesh mesh = read_text(MeshFormat::stl, "solid a b c\n" + facet + facet +
                                                   "endsolid a\nSOLID\n" + facet + "ENDSOLID");
  EXPECT_EQ(mesh.triangle_count(), 3u);
  EXPECT_EQ(mesh.vertex_count(), 9u);
  EXPECT_EQ(mesh.triangles()[2], (TriangleIndices{6, 7, 8}));
  EXPECT_EQ(mesh.vertices()[8], Vec3f(1, 1, 0));
  EXPECT_TRUE(read_text(MeshFormat::stl, "solid\nendsolid\n").empty());
}

TEST(Stl, BinaryFilesMayStartWithSolid) {
  const std::vector<TriangleF> triangles{k_quad.triangle(0), k_quad.triangle(1)};
  for (const char* header : {"", "solid", "solid made by a program that should know better"}) {
    const Mesh mesh = read_text(MeshFormat::stl, binary_stl(header, triangles));
    ASSERT_EQ(mesh.triangle_count(), 2u) << header;
    EXPECT_EQ(mesh.vertex_count(), 6u);
    EXPECT_EQ(mesh.triangle(1).corner[2], Vec3f(0, 1, 0));
    EXPECT_TRUE(read_text(MeshFormat::stl, binary_stl(header, {})).empty());
  }
}

/// k_quad with everything that readers have to skip. Elements and properties are in an unusual
/// order, and x, y and z have different types.
std::string exotic_header(const std::string& format) {
  return "ply\nformat " + format +
         " 1.0\ncomment made by hand\nobj_info\nelement camera 1\nproperty double fov\n"
         "property list ushort float64 matrix\n"
         "element nothing 4000000000\n"
         "element face 1\nproperty uint8 flag\nproperty list uint32 int16 vertex_index\n"
         "property list int8 double texcoord\n"
         "element vertex 4\nproperty double z\nproperty list uchar short tags\nproperty int8 x\n"
         "property uchar red\nproperty uint y\nend_header\n";
}

TEST(Ply, TextWithExoticProperties) {
  const Mesh mesh = read_text(MeshFormat::ply, exotic_header("ascii") +
                                                   "45.5 2 1 2\n"
                                                   "1 4 0 1 2 3 0\n"
                                                   "0 0 0 255 0\n"
                                                   "0 2 7 8 1 255 0\n\n"
                                                   "0.0 0 +1 255 1\n"
                                                   "-0e5 1 5 0 0 1\n\n");
  EXPECT_EQ(mesh.triangles()[1], (TriangleIndices{0, 2, 3}));
  EXPECT_EQ(mesh.vertices()[2], Vec3f(1, 1, 0));
  EXPECT_EQ(mesh.vertices()[3], Vec3f(0, 1, 0));
}

TEST(Ply, BinaryOfBothOrdersWithExoticProperties) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    Bytes bytes(order);
    bytes.add_text(
        exotic_header(order == std::endian::big ? "binary_big_endian" : "binary_little_endian"));
    bytes.add(45.5).add(std::uint16_t{2}).add(1.0).add(2.0);
    bytes.add(std::uint8_t{1}).add(std::uint32_t{4});
    for (const std::int16_t corner : {0, 1, 2, 3}) bytes.add(corner);
    bytes.add(std::int8_t{1}).add(0.5);
    for (const Vec3f& v : k_quad.vertices()) {
      bytes.add(static_cast<double>(v.z) + 0.1).add(std::uint8_t{1}).add(std::int16_t{-1});
      bytes.add(static_cast<std::int8_t>(-v.x)).add(std::uint8_t{9});
      bytes.add(static_cast<std::uint32_t>(v.y) + 16777217u);
    }
    const Mesh mesh = read_text(MeshFormat::ply, bytes.text() + " \r\n\n");
    EXPECT_EQ(mesh.triangle_count(), 2u);
    EXPECT_EQ(mesh.vertices()[2], Vec3f(-1, 16777218.0f, 0.1f));
    EXPECT_EQ(mesh.vertices()[0], Vec3f(0, 16777216.0f, 0.1f));
  }
}

TEST(Ply, LineEndsOfABinaryHeader) {
  // The first byte of the body looks like a line end: x is 10.
  const std::string header[] = {"ply",
                                "format binary_little_endian 1.0",
                                "element vertex 1",
                                "property int x",
                                "property int y",
                                "property int z",
                                "end_header"};
  for (const char* line_end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (const std::string& line : header) text += line + line_end;
    const Mesh mesh =
        read_text(MeshFormat::ply, text + Bytes().add('\n').add('\0').add('\0').add('\0').text() +
                                       Bytes().add(2).add(3).text());
    EXPECT_EQ(mesh.vertices()[0], Vec3f(10, 2, 3));
  }
}

TEST(Ply, RealMeshesFromAFile) {
  const std::filesystem::path cow = std::filesystem::path(TANDEM_SHARED_DATA) / "meshes/cow.ply";
  if (!std::filesystem::exists(cow)) GTEST_SKIP() << "no " << cow;
  const Mesh mesh = read_mesh(cow);
  EXPECT_EQ(mesh.vertex_count(), 2761u);
  EXPECT_EQ(mesh.triangle_count(), 5520u);
}

}  // namespace
}  // namespace tandem
