#include <tandem/error.h>
#include <tandem/mesh_io.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "mesh/readers.h"

namespace tandem {

namespace fs = std::filesystem;

namespace detail {

void Source::fail(std::string_view what) const {
  throw Error(printable(name) + ": " + std::string(what));
}

void Source::fail_at_line(std::size_t line, std::string_view what) const {
  fail("line " + std::to_string(line) + ": " + std::string(what));
}

void Source::fail_at_byte(std::size_t byte, std::string_view what) const {
  fail("byte " + std::to_string(byte) + ": " + std::string(what));
}

std::string not_finite(std::size_t vertex) {
  return "vertex " + std::to_string(vertex) + " has a coordinate that is not finite";
}

std::string too_few_corners(std::size_t face, std::size_t corner_count) {
  return "face " + std::to_string(face) + " has " + counted(corner_count, "corner", "corners") +
         ", but needs at least 3";
}

std::string vertex_out_of_range(std::size_t face, long long vertex, std::size_t vertex_count) {
  return "face " + std::to_string(face) + " uses vertex " + std::to_string(vertex) +
         ", but there are only " + std::to_string(vertex_count);
}

void check_promise(const Source& source, std::size_t line, std::size_t count,
                   std::string_view what) {
  if (count <= Mesh::k_max_elements) return;
  source.fail_at_line(line, "the header promises " + std::to_string(count) + " " +
                                std::string(what) + ", but a mesh holds at most " +
                                std::to_string(Mesh::k_max_elements));
}

void MeshBuilder::reserve(std::size_t vertex_count, std::size_t triangle_count, std::size_t limit) {
  vertices_.reserve(std::min(vertex_count, limit));
  triangles_.reserve(std::min(triangle_count, limit));
}

void MeshBuilder::fail_full(std::string_view what) const {
  source_.fail("there are more " + std::string(what) + " than the " +
               std::to_string(Mesh::k_max_elements) + " that a mesh holds");
}

std::string read_file(const fs::path& path) {
  const Source source{.content = {}, .name = path.native()};
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) source.fail("this is a directory, not a file");
  const auto fail_with = [&](int error_number) {
    source.fail("cannot be read: " + std::generic_category().message(error_number));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) fail_with(errno);

  // One read is enough when the size is known and right: the spare byte shows the end of the file
  // without a second read. Pipes and files that grow need more.
  std::error_code unknown_size;
  const std::uintmax_t size = fs::file_size(path, unknown_size);
  std::string content;
  std::size_t used = 0;
  content.resize(unknown_size ? 0 : static_cast<std::size_t>(size) + 1);
  for (;;) {
    if (used == content.size()) content.resize(used + std::max<std::size_t>(used / 2, 65536));
    const std::size_t count =
        std::fread(content.data() + used, 1, content.size() - used, file.get());
    used += count;
    if (std::ferror(file.get())) fail_with(errno);
    if (count == 0) break;
  }
  content.resize(used);
  return content;
}

namespace {

Mesh read_source(const Source& source, MeshFormat format) {
  if (source.content.empty()) source.fail("the file is empty");
  switch (format) {
    case MeshFormat::obj:
      return read_obj(source);
    case MeshFormat::ply:
      return read_ply(source);
    case MeshFormat::stl:
      return read_stl(source);
    case MeshFormat::off:
      return read_off(source);
    case MeshFormat::gltf:
      return read_gltf(source);
  }
  source.fail("the format is none that there is");
}

}  // namespace

}  // namespace detail

MeshFormat mesh_format(const fs::path& path) {
  const std::string ending = detail::lower_case(path.extension().string());
  if (ending == ".obj") return MeshFormat::obj;
  if (ending == ".ply") return MeshFormat::ply;
  if (ending == ".stl") return MeshFormat::stl;
  if (ending == ".off") return MeshFormat::off;
  if (ending == ".gltf" || ending == ".glb") return MeshFormat::gltf;
  throw Error(detail::printable(path.string()) +
              ": the name does not end in .obj, .ply, .stl, .off, .gltf or .glb");
}

Mesh read_mesh(const fs::path& path) {
  const MeshFormat format = mesh_format(path);
  const std::string content = detail::read_file(path);
  const fs::path folder = path.parent_path();
  return detail::read_source({.content = content, .name = path.native(), .folder = &folder},
                             format);
}

Mesh read_mesh(std::span<const std::byte> content, MeshFormat format, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  return detail::read_source({.content = text, .name = name}, format);
}

}  // namespace tandem
