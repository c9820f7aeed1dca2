#include <tandem/error.h>
#include <tandem/mesh_io.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <string>

#include "file/output_file.h"
#include "file/text.h"

namespace tandem {

namespace {

/// The four bytes of a value, the lowest first.
template <class T>
void append_little_endian(std::string& bytes, T value) {
  static_assert(sizeof(T) == 4);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 0xff);
}

void write_ply(const Mesh& mesh, detail::OutputFile& file) {
  file.write("ply\nformat binary_little_endian 1.0\nelement vertex " +
             std::to_string(mesh.vertex_count()) +
             "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
             std::to_string(mesh.triangle_count()) +
             "\nproperty list uchar int vertex_indices\nend_header\n");
  std::string item;
  for (const Vec3f& vertex : mesh.vertices()) {
    item.clear();
    for (int axis = 0; axis < 3; ++axis) append_little_endian(item, vertex[axis]);
    file.write(item);
  }
  for (const TriangleIndices& triangle : mesh.triangles()) {
    item = '\3';
    for (const std::uint32_t vertex : triangle) append_little_endian(item, vertex);
    file.write(item);
  }
}

/// The shortest decimal number that reads back as the same value.
template <class T>
void append_shortest(std::string& text, T value) {
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text += ' ';
  text.append(digits.data(), result.ptr);
}

void write_obj(const Mesh& mesh, detail::OutputFile& file) {
  file.write("# " + detail::counted(mesh.vertex_count(), "vertex", "vertices") + ", " +
             detail::counted(mesh.triangle_count(), "triangle", "triangles") + "\n");
  std::string line;
  for (const Vec3f& vertex : mesh.vertices()) {
    line = 'v';
    for (int axis = 0; axis < 3; ++axis) append_shortest(line, vertex[axis]);
    file.write(line += '\n');
  }
  for (const TriangleIndices& triangle : mesh.triangles()) {
    line = 'f';
    for (const std::uint32_t vertex : triangle) append_shortest(line, std::uint64_t{vertex} + 1);
    file.write(line += '\n');
  }
}

/// The unit normal of a triangle by its corners' order, 0 where it has none. No product of float32
/// coordinates leaves the range of double.
Vec3f normal_of(const TriangleF& t) {
  const Vec3d origin(t.corner[0]);
  const Vec3d normal = cross(Vec3d(t.corner[1]) - origin, Vec3d(t.corner[2]) - origin);
  const double size = length(normal);
  return size > 0 ? Vec3f((1 / size) * normal) : Vec3f(0, 0, 0);
}

void write_stl(const Mesh& mesh, detail::OutputFile& file) {
  // Text begins with "solid", so that this must not.
  std::string item = "Binary STL";
  item.resize(80, '\0');
  append_little_endian(item, static_cast<std::uint32_t>(mesh.triangle_count()));
  file.write(item);
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleF triangle = mesh.triangle(i);
    item.clear();
    for (const Vec3f& v :
         {normal_of(triangle), triangle.corner[0], triangle.corner[1], triangle.corner[2]}) {
      for (int axis = 0; axis < 3; ++axis) append_little_endian(item, v[axis]);
    }
    item.append(2, '\0');  // attributes
    file.write(item);
  }
}

}  // namespace

void write_mesh(const Mesh& mesh, const std::filesystem::path& path) {
  const std::string ending = detail::lower_case(path.extension().string());
  if (ending != ".ply" && ending != ".obj" && ending != ".stl") {
    throw Error("cannot write " + detail::printable(path.string()) +
                ": the name does not end in .ply, .obj or .stl");
  }
  detail::OutputFile file(path);
  if (ending == ".ply") {
    write_ply(mesh, file);
  } else if (ending == ".obj") {
    write_obj(mesh, file);
  } else {
    write_stl(mesh, file);
  }
  file.commit();
}

}  // namespace tandem
