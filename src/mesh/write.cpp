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

}  // namespace

void write_mesh(const Mesh& mesh, const std::filesystem::path& path) {
  const std::string ending = detail::lower_case(path.extension().string());
  if (ending != ".ply" && ending != ".obj") {
    throw Error("cannot write " + detail::printable(path.string()) +
                ": the name does not end in .ply or .obj");
  }
  detail::OutputFile file(path);
  if (ending == ".ply") {
    write_ply(mesh, file);
  } else {
    write_obj(mesh, file);
  }
  file.commit();
}

}  // namespace tandem
