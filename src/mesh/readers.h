// One reader per format, and what they share: where the bytes come from, and how to report errors
// in them.
//
// The mesh room holds meshes, their files, the procedural shapes and the facts about a mesh. It
// uses the math, geometry and file rooms.
#pragma once

#include <tandem/assembly.h>
#include <tandem/mesh.h>
#include <tandem/mesh_io.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file/text.h"
#include "mesh/assembly/part_list.h"

namespace tandem::detail {

/// The content of a file, and its name in messages. Every message is "NAME: [place: ]what", one
/// line of printable text.
struct Source {
  std::string_view content;
  std::string_view name;
  /// The folder of other files that the content refers to; null when they are not looked up.
  const std::filesystem::path* folder = nullptr;
  ReadOptions options = {};

  [[noreturn]] void fail(std::string_view what) const;
  [[noreturn]] void fail_at_line(std::size_t line, std::string_view what) const;
  [[noreturn]] void fail_at_byte(std::size_t byte, std::string_view what) const;
};

/// The bytes of a regular file. Throws `tandem::Error` when it is something else, cannot be read or
/// has more bytes than that.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

/// How many vertices and how many triangles a reader may find.
inline std::size_t element_limit(const ReadOptions& options) {
  return options.max_elements == 0 ? Mesh::k_max_elements
                                   : std::min(options.max_elements, Mesh::k_max_elements);
}

[[noreturn]] void fail_too_many(const Source& source, std::string_view what, std::uint64_t limit);

/// Collects what a reader finds.
class MeshBuilder {
 public:
  /// `place` stands in front of messages about vertices, where one source makes several meshes.
  explicit MeshBuilder(const Source& source, std::string place = {})
      : source_(source), limit_(element_limit(source.options)), place_(std::move(place)) {}

  /// Reserves memory for as many elements as a header announces, but never for more than `limit` of
  /// each: the header may be wrong, and the size of the file is a bound that is not.
  void reserve(std::size_t vertex_count, std::size_t triangle_count, std::size_t limit);

  std::size_t vertex_count() const { return vertices_.size(); }
  std::size_t triangle_count() const { return triangles_.size(); }

  void add_vertex(const Vec3f& position) {
    if (vertices_.size() == limit_) fail_too_many(source_, "vertices", limit_);
    vertices_.push_back(position);
  }

  /// Splits a polygon of at least three corners into a fan of triangles around its first corner.
  void add_face(std::span<const std::uint32_t> corners) {
    if (corners.size() - 2 > limit_ - triangles_.size())
      fail_too_many(source_, "triangles", limit_);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      triangles_.push_back({corners[0], corners[i - 1], corners[i]});
    }
  }

  /// The next vertex would have such a coordinate.
  [[noreturn]] void fail_not_finite() const;

  /// The mesh, scaled and moved as the options say.
  Mesh finish();

 private:
  void scale_and_move();

  const Source& source_;
  const std::size_t limit_;
  const std::string place_;
  std::vector<Vec3f> vertices_;
  std::vector<TriangleIndices> triangles_;
};

/// To the bit: it changes no vertex.
inline bool is_identity(const Pose& pose) {
  return pose.is_translation() && pose.translation() == Vec3d(0, 0, 0);
}

inline bool is_finite(const Vec3f& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// The messages that several formats use, for the Source's `fail` functions.
std::string not_finite(std::size_t vertex);
std::string too_few_corners(std::size_t face, std::size_t corner_count);
std::string vertex_out_of_range(std::size_t face, long long vertex, std::size_t vertex_count);
/// Throws when a header announces more than may be read.
void check_promise(const Source& source, std::size_t line, std::size_t count,
                   std::string_view what);

/// Readers of formats that have parts also say which triangles belong to which, unless nobody asks.
Mesh read_obj(const Source& source, PartList* parts);
Mesh read_ply(const Source& source);
Mesh read_stl(const Source& source, PartList* parts);
Mesh read_off(const Source& source);
Mesh read_gltf(const Source& source);
/// The nodes that show meshes are the parts; `pose` is where the whole stands.
Assembly read_gltf_assembly(const Source& source, const Pose& pose);

/// A source of any format as one mesh.
Mesh read_source(const Source& source, MeshFormat format, PartList* parts = nullptr);
/// The same with its parts apart.
Assembly assemble(Source source, MeshFormat format);

}  // namespace tandem::detail
