// Broken files: each gives one sentence that names the file, the place and what is wrong there.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <tandem/mesh_io.h>
#include <tandem/shapes.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "math/random.h"
#include "support/mesh_files.h"

namespace tandem {
namespace {

using test::binary_stl;
using test::Bytes;
using test::error_of;
using test::mutate;
using test::read_text;
using test::TemporaryFolder;

struct BrokenFile {
  std::string content;
  std::string message;
};

void expect_errors(MeshFormat format, const std::vector<BrokenFile>& files) {
  for (const BrokenFile& file : files) {
    EXPECT_EQ(error_of([&] { read_text(format, file.content); }), "m: " + file.message)
        << file.content;
  }
}

TEST(BrokenFiles, MissingUnreadableOrNoFileAtAll) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "a.ply").string();
  EXPECT_EQ(error_of([&] { read_mesh(missing); }),
            missing + ": cannot be read: No such file or directory");
  std::filesystem::create_directory(folder.path() / "d.obj");
  EXPECT_EQ(error_of([&] { read_mesh(folder.path() / "d.obj"); }),
            (folder.path() / "d.obj").string() + ": this is a directory, not a file");
  for (const char* name : {"e.obj", "e.ply", "e.stl", "e.off", "e.gltf", "e.glb"}) {
    const auto path = folder.write(name, "");
    EXPECT_EQ(error_of([&] { read_mesh(path); }), path.string() + ": the file is empty");
  }
  EXPECT_EQ(error_of([] { read_text(MeshFormat::ply, ""); }), "m: the file is empty");
  EXPECT_EQ(error_of([] { read_mesh(std::span<const std::byte>(), MeshFormat::obj, "a\nb"); }),
            "a\\x0ab: the file is empty");
  if (geteuid() == 0) return;  // root can read every file
  const auto secret = folder.write("s.obj", "v 0 0 0");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  EXPECT_EQ(error_of([&] { read_mesh(secret); }),
            secret.string() + ": cannot be read: Permission denied");
}

TEST(BrokenFiles, OnlyRegularFilesAreRead) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& name, const std::string& message) {
    const std::string path = (folder.path() / name).string();
    EXPECT_EQ(error_of([&] { read_mesh(path); }), path + ": " + message);
  };
  std::filesystem::create_symlink("/dev/zero", folder.path() / "zero.ply");
  expect("zero.ply", "this is a device, not a file");
  std::filesystem::create_symlink("/dev/null", folder.path() / "null.obj");
  expect("null.obj", "this is a device, not a file");
  // Nobody writes to this pipe: opening it would wait for ever.
  ASSERT_EQ(mkfifo((folder.path() / "pipe.stl").c_str(), 0600), 0);
  expect("pipe.stl", "this is a pipe, not a file");
  const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (folder.path() / "s.off").string();
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(bind(socket_number, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  expect("s.off", "this is a socket, not a file");
  close(socket_number);
  std::filesystem::create_symlink("loop.gltf", folder.path() / "loop.gltf");
  expect("loop.gltf", "cannot be read: Too many levels of symbolic links");
  // A link to a file is one.
  folder.write("m.obj", "v 1 2 3");
  std::filesystem::create_symlink("m.obj", folder.path() / "link.obj");
  EXPECT_EQ(read_mesh(folder.path() / "link.obj").vertex_count(), 1u);
}

TEST(BrokenFiles, LimitsOfSize) {
  const TemporaryFolder folder;
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3 4\n";
  const std::string path = folder.write("m.obj", text).string();
  const std::string too_large = ": there are more bytes than the 41 that are read";
  ASSERT_EQ(text.size(), 42u);
  EXPECT_EQ(read_mesh(path, {.max_bytes = 42}).triangle_count(), 2u);
  EXPECT_EQ(error_of([&] { read_mesh(path, {.max_bytes = 41}); }), path + too_large);
  const auto read = [&](const ReadOptions& options) {
    return read_mesh(std::as_bytes(std::span(text)), MeshFormat::obj, "m", options);
  };
  EXPECT_EQ(read({.max_bytes = 42, .max_elements = 4}).triangle_count(), 2u);
  EXPECT_EQ(error_of([&] { read({.max_bytes = 41}); }), "m" + too_large);
  EXPECT_EQ(error_of([&] { read({.max_elements = 3}); }),
            "m: there are more vertices than the 3 that are read");
  // A sparse file of 9 GiB is refused without being read.
  const std::string huge = folder.write("huge.stl", "x").string();
  std::filesystem::resize_file(huge, std::uint64_t{9} << 30);
  EXPECT_EQ(error_of([&] { read_mesh(huge); }),
            huge + ": there are more bytes than the 8589934592 that are read");
  // The system makes this one up while it is read, and says that it is of size 0.
  std::filesystem::create_symlink("/proc/self/maps", folder.path() / "maps.obj");
  EXPECT_TRUE(error_of([&] {
                read_mesh(folder.path() / "maps.obj", {.max_bytes = 100});
              }).ends_with("there are more bytes than the 100 that are read"));
}

TEST(BrokenFiles, Obj) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_errors(
      MeshFormat::obj,
      {
          {"v 0 0", "line 1: vertex 0 has fewer than three coordinates"},
          {"v 0 0 # 0", "line 1: vertex 0 has fewer than three coordinates"},
          {three + "v 0 1,5 0", "line 4: vertex 3 has the coordinate '1,5', not a number"},
          {three + "v 0 0x1 0", "line 4: vertex 3 has the coordinate '0x1', not a number"},
          {"v +-1 0 0", "line 1: vertex 0 has the coordinate '+-1', not a number"},
          {"v 0 0 nan", "line 1: vertex 0 has a coordinate that is not finite"},
          {"v 0 0 nan(0)", "line 1: vertex 0 has a coordinate that is not finite"},
          {"v -inf 0 0", "line 1: vertex 0 has a coordinate that is not finite"},
          {"v 1e39 0 0",
           "line 1: vertex 0 has the coordinate '1e39', which is too large for a float32"},
          {three + "f 1 2", "line 4: face 0 has 2 corners, but needs at least 3"},
          {three + "f", "line 4: face 0 has 0 corners, but needs at least 3"},
          {three + "f 1 2 3\nf 1", "line 5: face 1 has 1 corner, but needs at least 3"},
          {three + "f 0 1 2", "line 4: a face uses vertex 0, but OBJ counts vertices from 1"},
          {three + "\n\nf 1 2 4\nf 1 2 9", "line 6: a face uses vertex 4, but the file has only 3"},
          {"f 1 2 3\nf 9 1 1\nf 4 5 6\n" + three,
           "line 2: a face uses vertex 9, but the file has only 3"},
          {three + "f 1 2 -4", "line 4: a face counts back 4 vertices, but only 3 came before it"},
          {three + "f 1 2 -9223372036854775808",
           "line 4: a face counts back 9223372036854775808 vertices, but only 3 came before it"},
          {three + "f 1 2 99999999999999999999",
           "line 4: '99999999999999999999' is not a corner of a face"},
          {three + "f 1 2 2147483648",
           "line 4: a face uses vertex 2147483648, but the file has only 3"},
          {three + "f 1 2 3.0", "line 4: '3.0' is not a corner of a face"},
          {three + "f 1 2 /3", "line 4: '/3' is not a corner of a face"},
          {three + "f 1 2 3/x", "line 4: '3/x' is not a corner of a face"},
          {three + std::string("\0\x01\x02 x", 5),
           "line 4: '\\x00\\x01\\x02' is not an OBJ statement"},
          {"Lorem ipsum\ndolor sit", "line 1: 'Lorem' is not an OBJ statement"},
          {"\x1b[31mred 1", "line 1: '\\x1b[31mred' is not an OBJ statement"},
          {"v 0 0 " + std::string(100, 'x'),
           "line 1: vertex 0 has the coordinate '" + std::string(40, 'x') + "...', not a number"},
      });
}

TEST(BrokenFiles, Off) {
  expect_errors(
      MeshFormat::off,
      {
          {"# only a comment", "there is no OFF header"},
          {"ply\n", "line 1: the file starts with 'ply' where OFF was expected"},
          {"XOFF\n1 1 1", "line 1: the file starts with 'XOFF' where OFF was expected"},
          {"4OFF\n1 1 1", "line 1: only three-dimensional OFF files are read, not '4OFF'"},
          {"OFF BINARY\n", "line 1: binary OFF files are not read"},
          {"OFF\n", "the file ends before the number of vertices"},
          {"OFF\n3", "line 2: the number of faces is missing"},
          {"OFF\n3 x 0", "line 2: 'x' is not a number of faces"},
          {"OFF\n-3 1 0", "line 2: '-3' is not a number of vertices"},
          {"OFF\n4000000000 1 0\n",
           "line 2: the header promises 4000000000 vertices, but at most 2147483647 are read"},
          {"OFF\n2000000000 2000000000 0\n0 0 0\n", "the file ends after 1 of 2000000000 vertices"},
          {"OFF\n2 0 0\n0 0 0\n0 0", "line 4: vertex 1 has fewer than three coordinates"},
          {"OFF\n1 2 0\n0 0 0\n3 0 0 0\n", "the file ends after 1 of 2 faces"},
          {"OFF\n1 1 0\n0 0 0\n2 0 0", "line 4: face 0 has 2 corners, but needs at least 3"},
          {"OFF\n1 1 0\n0 0 0\n-3 0 0", "line 4: a face has a negative number of corners"},
          {"OFF\n1 1 0\n0 0 0\n3 0 0", "line 4: the line ends before a corner of a face"},
          {"OFF\n1 1 0\n0 0 0\n3 0 0 1", "line 4: face 0 uses vertex 1, but there are only 1"},
          {"OFF\n1 1 0\n0 0 0\n3 0 0 -1", "line 4: face 0 uses vertex -1, but there are only 1"},
          {"OFF\n1 1 0\n0 0 0\n3 0 0 0.5",
           "line 4: '0.5' is not a whole number, but stands for a corner of a face"},
          {"OFF\n1 0 0\n0 0 0\n3 0 0 0", "line 4: the file goes on after its last face"},
      });
}

TEST(BrokenFiles, Stl) {
  constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();
  const std::string one = binary_stl("solid", {{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}});
  std::string lying = one;
  for (std::size_t i = 80; i < 84; ++i) lying[i] = '\xff';
  expect_errors(
      MeshFormat::stl,
      {
          {"ply",
           "this is neither a text STL, which starts with 'solid', nor a binary one, which "
           "has at least 84 bytes"},
          {one + "x", "byte 80: the header promises 1 triangle in 134 bytes, but the file has 135"},
          {one.substr(0, 133),
           "byte 80: the header promises 1 triangle in 134 bytes, but the file has 133"},
          {lying,
           "byte 80: the header promises 4294967295 triangles in 214748364834 bytes, but "
           "the file has 134"},
          {binary_stl("", {{{{0, 0, 0}, {1, 0, 0}, {0, k_nan, 0}}}}),
           "byte 120: vertex 2 has a coordinate that is not finite"},
          {"solid x\n", "the file ends before 'endsolid'"},
          {"solid x\nfacet\nouter loop\nvertex 0 0 0\n", "the file ends before 'endsolid'"},
          {"solid x\nvertex 0 0 0\n", "line 2: 'vertex' stands where 'facet' was expected"},
          {"solid x\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop",
           "line 6: 'endloop' stands where 'vertex' was expected"},
          {"solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n",
           "line 7: 'vertex' stands where 'endloop' was expected"},
          {"solid\nfacet\nouter loop\nvertex 0 0 inf",
           "line 4: vertex 0 has a coordinate that is not finite"},
          {"solid x\nendsolid x\nmore", "line 3: 'more' stands where 'solid' was expected"},
      });
}

std::string ply(const std::string& lines) {
  return "ply\nformat ascii 1.0\n" + lines;
}

TEST(BrokenFiles, PlyHeaders) {
  const std::string vertex = "element vertex 1\nproperty float x\nproperty float y\n";
  expect_errors(
      MeshFormat::ply,
      {
          {"plx\n", "this is not a PLY file: it does not start with 'ply'"},
          {"ply\n", "the file ends before 'end_header'"},
          {"ply\nend_header\n", "the header does not say the format"},
          {"ply\nformat pdf 1.0\n", "line 2: 'pdf' is not a format of PLY"},
          {"ply\nformat ascii 9.9\n", "line 2: the version is '9.9', but there is only '1.0'"},
          {"ply\nformat ascii\n", "line 2: the version is '', but there is only '1.0'"},
          {ply("format binary_little_endian 1.0\n"), "line 3: the format is given twice"},
          {ply("elephant 3\n"), "line 3: 'elephant' is not a line of a PLY header"},
          {ply("element\n"), "line 3: an element has no name"},
          {ply("element vertex\n"), "line 3: the line ends before the number of elements"},
          {ply("element vertex -1\n"), "line 3: the number of elements is negative"},
          {ply("element vertex 1.5\n"),
           "line 3: '1.5' is not a whole number, but stands for the number of elements"},
          {ply("element face 0\nelement face 0\n"), "line 4: 'face' is declared twice"},
          {ply("property float x\n"), "line 3: a property stands before the first element"},
          {ply("element vertex 1\nproperty quad x\n"), "line 4: 'quad' is not a type of PLY"},
          {ply("element vertex 1\nproperty float\n"), "line 4: a property has no name"},
          {ply("element face 1\nproperty list float int vertex_indices\n"),
           "line 4: a list's length is no integer type"},
          {ply("end_header\n"), "the header declares no vertices"},
          {ply("end_header 1\n"),
           "line 3: something other than the end of the line follows 'end_header'"},
          {ply(vertex + "end_header\n0 0\n"), "line 3: the vertices have no x, y and z"},
          {ply(vertex + "property list uchar float z\nend_header\n0 0\n"),
           "line 3: the vertices have no x, y and z"},
          {ply(vertex + "property float z\nelement face 1\nproperty int vertex_indices\n"
                        "end_header\n0 0 0\n"),
           "line 7: the faces have no list of integers vertex_indices"},
          {ply(vertex + "property float z\nelement face 1\n"
                        "property list uchar float vertex_indices\nend_header\n0 0 0\n"),
           "line 7: the faces have no list of integers vertex_indices"},
          {ply(vertex + "property float z\nelement tristrips 1\n"
                        "property list int int vertex_indices\nend_header\n0 0 0\n"),
           "line 7: triangle strips are not read; store faces instead"},
          {ply("element vertex 4294967296\nproperty float x\nproperty float y\nproperty float z\n"
               "end_header\n"),
           "line 3: the header promises 4294967296 vertices, but at most 2147483647 are read"},
      });
}

TEST(BrokenFiles, PlyBodies) {
  const std::string properties = "property float x\nproperty float y\nproperty float z\n";
  const std::string faces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string start = ply("element vertex 1\n" + properties + faces);
  const std::string face = start + "0 0 0\n";
  expect_errors(
      MeshFormat::ply,
      {
          {ply("element vertex 2000000000\n" + properties + faces + "0 0 0\n"),
           "the file ends after 1 of 2000000000 items of the element 'vertex'"},
          {start + "0 0\n", "line 10: vertex 0 has fewer than three coordinates"},
          {start + "0 0 0 0\n", "line 10: the line has more values than the header says"},
          {start + "0 0 1e99\n",
           "line 10: vertex 0 has the coordinate '1e99', which is too large for a float32"},
          {face, "the file ends after 0 of 1 items of the element 'face'"},
          {face + "2 0 0\n", "line 11: face 0 has 2 corners, but needs at least 3"},
          {face + "0\n", "line 11: face 0 has 0 corners, but needs at least 3"},
          {face + "-3 0 0 0\n", "line 11: a list has a negative length"},
          {face + "3 0 0\n", "line 11: the line ends before a corner of a face"},
          {face + "3 0 0 0 0\n", "line 11: the line has more values than the header says"},
          {face + "3 0 0 1\n", "line 11: face 0 uses vertex 1, but there are only 1"},
          {face + "3 0 0 -1\n", "line 11: face 0 uses vertex -1, but there are only 1"},
          {face + "3 0 0 0\n\n9\n", "line 13: the file goes on after its last element"},
      });

  // The same in binary, where places are bytes.
  const std::string binary_start =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\n" + properties + faces;
  const auto at = [&](std::size_t offset) {
    return "byte " + std::to_string(binary_start.size() + offset) + ": ";
  };
  const std::string vertex = binary_start + Bytes().add(0.f).add(0.f).add(0.f).text();
  const auto indices = [](char count, int a, int b, int c) {
    return Bytes().add(count).add(a).add(b).add(c).text();
  };
  constexpr float k_infinity = std::numeric_limits<float>::infinity();
  expect_errors(
      MeshFormat::ply,
      {
          {binary_start, "the file ends after 0 of 1 items of the element 'vertex'"},
          {binary_start.substr(0, binary_start.size() - 1), "the file ends with its header"},
          {binary_start.substr(0, binary_start.size() - 1) + "\r\n",
           "line 9: something other than the end of the line follows 'end_header'"},
          {vertex.substr(0, vertex.size() - 1), at(11) + "the file ends in the middle of its data"},
          {binary_start + Bytes().add(0.f).add(0.f).add(k_infinity).text(),
           at(0) + "vertex 0 has a coordinate that is not finite"},
          {vertex + indices(2, 0, 0, 0), at(12) + "face 0 has 2 corners, but needs at least 3"},
          {vertex + indices(3, 0, 9, 0), at(12) + "face 0 uses vertex 9, but there are only 1"},
          {vertex + indices(4, 0, 0, 0), at(25) + "the file ends in the middle of its data"},
          {vertex + indices(3, 0, 0, 0) + "\n.",
           at(25) + "the file goes on after its last element"},
      });
}

/// Files of every hand-written reader, to be broken.
std::vector<std::pair<MeshFormat, std::string>> good_files() {
  const TemporaryFolder folder;
  const Mesh mesh = make_icosphere(1);
  write_mesh(mesh, folder.path() / "m.obj");
  write_mesh(mesh, folder.path() / "m.ply");
  std::string off = "OFF\n12 20 0\n";
  std::string text_ply =
      "ply\nformat ascii 1.0\nelement vertex 12\nproperty float x\nproperty float y\n"
      "property float z\nelement face 20\nproperty list uchar int vertex_indices\nend_header\n";
  std::string body;
  for (const Vec3f& v : mesh.vertices()) {
    body += std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
  }
  std::string stl = "solid x\n";
  std::vector<TriangleF> triangles;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleIndices& t = mesh.triangles()[i];
    body += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) +
            "\n";
    triangles.push_back(mesh.triangle(i));
    stl += "facet normal 0 0 0\nouter loop\n";
    for (const Vec3f& v : triangles.back().corner) {
      stl += "vertex " + std::to_string(v.x) + " " + std::to_string(v.y) + " 0\n";
    }
    stl += "endloop\nendfacet\n";
  }
  return {
      {MeshFormat::obj, folder.read("m.obj")}, {MeshFormat::ply, folder.read("m.ply")},
      {MeshFormat::ply, text_ply + body},      {MeshFormat::off, off + body},
      {MeshFormat::stl, stl + "endsolid x\n"}, {MeshFormat::stl, binary_stl("solid", triangles)}};
}

/// Reads; anything but a mesh or one clean sentence is a failure.
void expect_mesh_or_error(MeshFormat format, const std::string& content) {
  try {
    read_text(format, content);
  } catch (const Error& error) {
    const std::string_view message = error.what();
    EXPECT_TRUE(message.starts_with("m: ")) << message;
    EXPECT_LT(message.size(), 300u) << message;
    for (const char c : message) EXPECT_GE(c, 0x20) << message;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "threw something else: " << error.what();
  }
}

TEST(BrokenFiles, EveryTruncationIsAMeshOrAnError) {
  for (const auto& [format, content] : good_files()) {
    for (std::size_t size = 0; size < content.size(); ++size) {
      SCOPED_TRACE("format " + std::to_string(static_cast<int>(format)) + " cut to " +
                   std::to_string(size) + " bytes");
      expect_mesh_or_error(format, content.substr(0, size));
    }
  }
}

TEST(BrokenFiles, EveryMutationIsAMeshOrAnError) {
  const auto files = good_files();
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    detail::Random random(seed);
    auto [format, content] = files[random.below(files.size())];
    mutate(content, "0123456789 -.eE/\n#", 20, random);
    expect_mesh_or_error(format, content);
    expect_mesh_or_error(files[random.below(files.size())].first, content);
  }
}

}  // namespace
}  // namespace tandem
