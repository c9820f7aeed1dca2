// Mesh: what it refuses, and what it keeps. OutputFile: a file is written completely or not at all.
#include <gtest/gtest.h>
#include <tandem/mesh.h>

#include <limits>

#include "file/output_file.h"
#include "support/mesh_files.h"

namespace tandem {
namespace {

using detail::OutputFile;

using test::error_of;
using test::TemporaryFolder;

constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float k_infinity = std::numeric_limits<float>::infinity();

TEST(Mesh, EmptyMeshIsLegalAndHasEmptyBounds) {
  const Mesh mesh;
  EXPECT_TRUE(mesh.empty());
  EXPECT_EQ(mesh.vertex_count(), 0u);
  const Bounds box = mesh.bounds();
  for (int axis = 0; axis < 3; ++axis) EXPECT_GT(box.lower[axis], box.upper[axis]);
  EXPECT_TRUE(Mesh({}, {}).empty());
  EXPECT_TRUE(Mesh::from_arrays({}, {}).empty());
}

TEST(Mesh, ZeroAreaTrianglesAreLegal) {
  const Mesh mesh({{1, 2, 3}}, {{0, 0, 0}});
  EXPECT_EQ(mesh.triangle_count(), 1u);
  EXPECT_EQ(mesh.bounds().lower, Vec3f(1, 2, 3));
  EXPECT_EQ(mesh.bounds().upper, Vec3f(1, 2, 3));
}

TEST(Mesh, NamesTheVertexThatIsNotFinite) {
  for (const float bad : {k_nan, -k_nan, k_infinity, -k_infinity}) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Vec3f> vertices(20);
      vertices[17][axis] = bad;
      EXPECT_EQ(error_of([&] { Mesh(vertices, {}); }),
                "vertex 17 has a coordinate that is not finite");
    }
  }
}

TEST(Mesh, NamesTheTriangleWhoseIndexIsOutOfRange) {
  std::vector<TriangleIndices> triangles(6, {0, 1, 7});
  triangles[5] = {0, 12, 1};
  EXPECT_EQ(error_of([&] { Mesh(std::vector<Vec3f>(8), triangles); }),
            "triangle 5 uses vertex 12, but there are only 8");
  EXPECT_EQ(error_of([&] {
              Mesh({}, {{0, 0, 0}});
            }),
            "triangle 0 uses vertex 0, but there are only 0");
}

TEST(Mesh, ArraysMustHoldTriples) {
  const std::vector<float> coordinates{0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::vector<std::uint32_t> indices{2, 1, 0};
  const Mesh mesh = Mesh::from_arrays(coordinates, indices);
  EXPECT_EQ(mesh.triangle(0).corner[0], Vec3f(0, 1, 0));
  EXPECT_EQ(mesh.triangle(0).corner[2], Vec3f(0, 0, 0));
  EXPECT_EQ(error_of([&] { Mesh::from_arrays(std::span(coordinates).first(8), indices); }),
            "the number of coordinates, 8, is not a multiple of three");
  EXPECT_EQ(error_of([&] { Mesh::from_arrays(coordinates, std::span(indices).first(2)); }),
            "the number of indices, 2, is not a multiple of three");
}

TEST(Mesh, BoundsLeaveOutUnusedVertices) {
  const Mesh mesh({{9, 9, 9}, {0, -1, 0}, {1, 0, 2}, {0, 1, 0}, {-9, -9, -9}}, {{1, 2, 3}});
  EXPECT_EQ(mesh.bounds().lower, Vec3f(0, -1, 0));
  EXPECT_EQ(mesh.bounds().upper, Vec3f(1, 1, 2));
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  folder.write("a.txt", "old");
  {
    OutputFile file(folder.path() / "a.txt");
    file.write("new ");
    file.write(std::string(1 << 20, 'x'));
    EXPECT_EQ(folder.read("a.txt"), "old");
    file.commit();
    EXPECT_EQ(folder.read("a.txt"), "new " + std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(folder.listing(), "a.txt");
}

TEST(OutputFile, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  folder.write("a.txt", "old");
  {
    OutputFile first(folder.path() / "a.txt");
    OutputFile second(folder.path() / "a.txt");
    OutputFile third(folder.path() / "b.txt");
    first.write("first");
    second.write("second");
    second.commit();
  }
  EXPECT_EQ(folder.read("a.txt"), "second");
  EXPECT_EQ(folder.listing(), "a.txt");
}

TEST(OutputFile, SaysWhyAFileCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "no" / "a.txt").string();
  EXPECT_EQ(error_of([&] { OutputFile file(missing); }),
            "cannot write " + missing + ": No such file or directory");
  EXPECT_EQ(error_of([&] { OutputFile file(folder.path()); }),
            "cannot write " + folder.path().string() + ": Is a directory");
  EXPECT_EQ(error_of([&] { OutputFile file(""); }), "cannot write : No such file or directory");
  EXPECT_EQ(error_of([&] { OutputFile file("no/a\nb"); }),
            "cannot write no/a\\x0ab: No such file or directory");
}

TEST(OutputFile, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string expected = "cannot write /dev/full: No space left on device";
  OutputFile small("/dev/full");
  small.write("x");
  EXPECT_EQ(error_of([&] { small.commit(); }), expected);
  OutputFile large("/dev/full");
  const std::string megabyte(1 << 20, 'x');
  EXPECT_EQ(error_of([&] { large.write(megabyte); }), expected);
}

TEST(OutputFile, KeepsDevicesLinksAndPermissions) {
  const TemporaryFolder folder;
  OutputFile device("/dev/null");
  device.write("x");
  device.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  using std::filesystem::perms;
  const auto target = folder.write("target", "old");
  std::filesystem::permissions(target, perms::owner_read | perms::owner_write);
  std::filesystem::create_symlink("target", folder.path() / "link");
  OutputFile file(folder.path() / "link");
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(folder.read("target"), "new");
  EXPECT_EQ(std::filesystem::status(target).permissions(), perms::owner_read | perms::owner_write);
  EXPECT_EQ(folder.listing(), "link target");
}

}  // namespace
}  // namespace tandem
