// Assemblies: the named parts of a file, each a mesh and where it stands.
#pragma once

#include <tandem/export.h>
#include <tandem/mesh.h>
#include <tandem/mesh_io.h>
#include <tandem/pose.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

/// A mesh of an assembly under a name, at a place.
struct AssemblyPart {
  /// No other part of the assembly has it.
  std::string name;
  /// A position in `Assembly::meshes`. Several parts may show one mesh.
  std::uint32_t mesh = 0;
  /// Where the mesh stands in the assembly.
  Pose pose = {};
  /// What is added to `Assembly::triangle_ids` of the mesh to get ids of the file.
  std::uint64_t first_triangle = 0;
};

/// Meshes, each stored once, and the parts that show them. What reading and splitting make has a
/// triangle in each part and a part for each mesh.
struct Assembly {
  std::vector<Mesh> meshes;
  std::vector<AssemblyPart> parts;
  /// For each mesh the ids of its triangles in the file, ascending and counted from the
  /// `first_triangle` of the part. Empty, or missing at the end, where they are 0, 1, 2, ...
  std::vector<std::vector<std::uint32_t>> triangle_ids = {};

  /// The id that `read_mesh` gives to a triangle of a part.
  std::uint64_t file_triangle(std::size_t part, std::size_t triangle) const {
    const AssemblyPart& p = parts[part];
    const bool has_ids = p.mesh < triangle_ids.size() && !triangle_ids[p.mesh].empty();
    return p.first_triangle + (has_ids ? triangle_ids[p.mesh][triangle] : triangle);
  }
};

/// Reads a file as `read_mesh` does, with the same limits and errors, but keeps its parts apart.
/// Together they have the triangles that `read_mesh` gives, each once.
///
/// OBJ: a part for each name of an object (`o`), of a group (`g`) or of a group of an object
/// (OBJECT/GROUP). STL: a part for each solid. glTF: a part for each node that shows a mesh; nodes
/// that show the same mesh share it, as far as their transforms are rigid or scale it alike. PLY
/// and OFF: one part. Parts without triangles are left out, the others come in the order of their
/// first triangles. What has no name is named after the file; names that repeat get " 2", " 3", ...
/// A name of more than 1,000 bytes is an error.
///
/// `ReadOptions::scale` scales meshes and poses' translations, `ReadOptions::pose` is multiplied
/// onto the poses. In a glTF `max_elements` limits what is stored, not what is shown.
TANDEM_API Assembly read_assembly(const std::filesystem::path& path,
                                  const ReadOptions& options = {});

/// Reads an assembly from memory; `name` stands for the file, as for `read_mesh`.
TANDEM_API Assembly read_assembly(std::span<const std::byte> content, MeshFormat format,
                                  std::string_view name, const ReadOptions& options = {});

/// The connected components of a mesh as parts NAME/1, NAME/2, ... Triangles are connected that
/// have a corner at the same position (-0 is 0), whether or not they share the vertex; so soups
/// have components too. Components are in the order of their first triangles and keep the order of
/// their triangles. Vertices come in the order in which the triangles use them.
/// Takes O(n log n) time for n vertices.
TANDEM_API Assembly split_components(const Mesh& mesh, std::string_view name);

/// The same for each part of an assembly. Parts that show one mesh also share its components.
/// Throws `tandem::Error` for a part whose mesh is not there.
TANDEM_API Assembly split_components(const Assembly& assembly);

}  // namespace tandem
