#include <fcntl.h>
#include <sys/stat.h>
#include <tandem/error.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "math/transform.h"
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
  const std::size_t limit = element_limit(source.options);
  if (count <= limit) return;
  source.fail_at_line(line, "the header promises " + std::to_string(count) + " " +
                                std::string(what) + ", but at most " + std::to_string(limit) +
                                " are read");
}

void MeshBuilder::reserve(std::size_t vertex_count, std::size_t triangle_count, std::size_t limit) {
  vertices_.reserve(std::min(vertex_count, limit));
  triangles_.reserve(std::min(triangle_count, limit));
}

void MeshBuilder::fail_not_finite() const {
  source_.fail(place_ + not_finite(vertices_.size()));
}

Mesh MeshBuilder::finish() {
  scale_and_move();
  return Mesh(std::move(vertices_), std::move(triangles_));
}

void MeshBuilder::scale_and_move() {
  const double scale = source_.options.scale;
  const Pose& pose = source_.options.pose;
  const bool moves = !is_identity(pose);
  if (scale == 1 && !moves) return;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const Vec3d scaled = scale * Vec3d(vertices_[i]);
    vertices_[i] = Vec3f(moves ? transform_point(pose, scaled) : scaled);
    if (is_finite(vertices_[i])) continue;
    source_.fail(place_ + "vertex " + std::to_string(i) +
                 " leaves the range of float32 where it is scaled and moved");
  }
}

void fail_too_many(const Source& source, std::string_view what, std::uint64_t limit) {
  source.fail("there are more " + std::string(what) + " than the " + std::to_string(limit) +
              " that are read");
}

namespace {

/// What stands under a name that is not a regular file.
std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// A file that is open for reading, closed at the end.
struct Descriptor {
  explicit Descriptor(const fs::path& path)
      // A pipe that has just taken the file's place would wait for a writer without the last flag.
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number;
};

}  // namespace

std::string read_file(const fs::path& path, std::uint64_t max_bytes) {
  const Source source{.content = {}, .name = path.native()};
  const auto fail_with = [&](int error_number) {
    source.fail("cannot be read: " + std::generic_category().message(error_number));
  };
  const auto require_regular = [&](const struct stat& status) {
    if (S_ISREG(status.st_mode)) return;
    source.fail("this is " + std::string(kind_of(status.st_mode)) + ", not a file");
  };

  // Sockets cannot be opened, and opening a device may have effects: look first, then make sure.
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) fail_with(errno);
  require_regular(status);
  const Descriptor file(path);
  if (file.number < 0 || ::fstat(file.number, &status) != 0) fail_with(errno);
  require_regular(status);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) fail_too_many(source, "bytes", max_bytes);

  // One buffer is enough when the size is known and right: the spare byte shows the end of the
  // file. Files that grow, or that the system makes up as they are read, need more.
  std::string content;
  std::size_t used = 0;
  content.resize(static_cast<std::size_t>(size) + 1);
  for (;;) {
    if (used == content.size()) content.resize(used + std::max<std::size_t>(used / 2, 65536));
    const ssize_t count = ::read(file.number, content.data() + used, content.size() - used);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with(errno);
    used += static_cast<std::size_t>(count);
    if (used > max_bytes) fail_too_many(source, "bytes", max_bytes);
  }
  content.resize(used);
  return content;
}

Mesh read_source(const Source& source, MeshFormat format, PartList* parts) {
  switch (format) {
    case MeshFormat::obj:
      return read_obj(source, parts);
    case MeshFormat::ply:
      return read_ply(source);
    case MeshFormat::stl:
      return read_stl(source, parts);
    case MeshFormat::off:
      return read_off(source);
    case MeshFormat::gltf:
      return read_gltf(source);
  }
  source.fail("there is no such mesh format");
}

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

namespace {

/// What can be said before the content is looked at.
void check(const detail::Source& source) {
  if (source.content.empty()) source.fail("the file is empty");
  const std::uint64_t max_bytes = source.options.max_bytes;
  if (source.content.size() > max_bytes) fail_too_many(source, "bytes", max_bytes);
  const double scale = source.options.scale;
  if (scale > 0 && std::isfinite(scale)) return;
  char number[32];
  std::snprintf(number, sizeof number, "%.9g", scale);
  source.fail("it cannot be scaled by " + std::string(number) +
              ", as a scale is positive and finite");
}

/// Calls `read` with a file's content and format.
template <class Read>
auto with_source(const fs::path& path, const ReadOptions& options, Read read) {
  const MeshFormat format = mesh_format(path);
  const std::string content = detail::read_file(path, options.max_bytes);
  const fs::path folder = path.parent_path();
  const detail::Source source{
      .content = content, .name = path.native(), .folder = &folder, .options = options};
  check(source);
  return read(source, format);
}

detail::Source source_of(std::span<const std::byte> content, std::string_view name,
                         const ReadOptions& options) {
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  const detail::Source source{.content = text, .name = name, .options = options};
  check(source);
  return source;
}

}  // namespace

Mesh read_mesh(const fs::path& path, const ReadOptions& options) {
  return with_source(path, options, [](const detail::Source& source, MeshFormat format) {
    return detail::read_source(source, format);
  });
}

Mesh read_mesh(std::span<const std::byte> content, MeshFormat format, std::string_view name,
               const ReadOptions& options) {
  return detail::read_source(source_of(content, name, options), format);
}

Assembly read_assembly(const fs::path& path, const ReadOptions& options) {
  return with_source(path, options, detail::assemble);
}

Assembly read_assembly(std::span<const std::byte> content, MeshFormat format, std::string_view name,
                       const ReadOptions& options) {
  return detail::assemble(source_of(content, name, options), format);
}

}  // namespace tandem
