#include <tandem/assembly.h>
#include <tandem/error.h>

#include <optional>
#include <utility>

#include "file/text.h"
#include "mesh/assembly/pieces.h"
#include "mesh/components.h"

namespace tandem {

namespace {

/// The components of one mesh in the new assembly: consecutive meshes.
struct SplitMesh {
  std::uint32_t first_mesh = 0;
  /// For each component, what its parts add to the `first_triangle` of the part that it is of.
  std::vector<std::uint64_t> first_triangles;
};

/// `ids` are those of the mesh's triangles; none where they are 0, 1, 2, ...
SplitMesh add_components(const Mesh& mesh, std::span<const std::uint32_t> ids, Assembly& result) {
  const detail::Components components = detail::find_components(detail::find_positions(mesh));
  SplitMesh split{.first_mesh = static_cast<std::uint32_t>(result.meshes.size()),
                  .first_triangles = {}};
  split.first_triangles.reserve(components.count);
  for (detail::Piece& piece : detail::divide(mesh, components.of_triangle, components.count)) {
    if (!ids.empty()) {
      for (std::uint32_t& id : piece.triangle_ids) id = ids[id];
    }
    split.first_triangles.push_back(detail::add_mesh(std::move(piece), result));
  }
  return split;
}

void add_parts(const AssemblyPart& whole, const SplitMesh& split, Assembly& result) {
  for (std::size_t i = 0; i < split.first_triangles.size(); ++i) {
    result.parts.push_back({.name = whole.name + "/" + std::to_string(i + 1),
                            .mesh = split.first_mesh + static_cast<std::uint32_t>(i),
                            .pose = whole.pose,
                            .first_triangle = whole.first_triangle + split.first_triangles[i]});
  }
}

}  // namespace

Assembly split_components(const Mesh& mesh, std::string_view name) {
  Assembly result;
  add_parts({.name = std::string(name)}, add_components(mesh, {}, result), result);
  return result;
}

Assembly split_components(const Assembly& assembly) {
  Assembly result;
  std::vector<std::optional<SplitMesh>> split(assembly.meshes.size());
  for (const AssemblyPart& part : assembly.parts) {
    if (part.mesh >= split.size()) {
      throw Error("the part " + detail::quoted(part.name) + " shows mesh " +
                  std::to_string(part.mesh) + ", but there are only " +
                  std::to_string(split.size()));
    }
    if (!split[part.mesh]) {
      const bool has_ids = part.mesh < assembly.triangle_ids.size();
      split[part.mesh] =
          add_components(assembly.meshes[part.mesh],
                         has_ids ? std::span<const std::uint32_t>(assembly.triangle_ids[part.mesh])
                                 : std::span<const std::uint32_t>(),
                         result);
    }
    add_parts(part, *split[part.mesh], result);
  }
  return result;
}

}  // namespace tandem
