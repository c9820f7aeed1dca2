// A file as an assembly: the mesh that its reader makes, divided into the parts that it found.
#include <filesystem>
#include <limits>
#include <utility>

#include "mesh/assembly/pieces.h"
#include "mesh/readers.h"

namespace tandem::detail {

namespace {

/// What the file's own part is called.
std::string name_of_file(const Source& source) {
  std::string name = std::filesystem::path(source.name).stem().string();
  return name.empty() ? "part" : name;
}

/// The parts that have triangles, in the order of the first of them.
struct FoundParts {
  /// For each its number in the list.
  std::vector<std::uint32_t> list_numbers;
  /// For each triangle its part.
  std::vector<std::uint32_t> part_of;
};

FoundParts find_parts(const PartList& list, std::size_t triangle_count) {
  constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();
  FoundParts found;
  found.part_of.resize(triangle_count);
  std::vector<std::uint32_t> number_of(list.names().size(), k_none);
  for (std::size_t i = 0; i < list.runs().size(); ++i) {
    const PartList::Run& run = list.runs()[i];
    const std::size_t end =
        i + 1 < list.runs().size() ? list.runs()[i + 1].first_triangle : triangle_count;
    if (run.first_triangle == end) continue;
    std::uint32_t& number = number_of[run.part];
    if (number == k_none) {
      number = static_cast<std::uint32_t>(found.list_numbers.size());
      found.list_numbers.push_back(run.part);
    }
    for (std::size_t t = run.first_triangle; t < end; ++t) found.part_of[t] = number;
  }
  return found;
}

}  // namespace

Assembly assemble(Source source, MeshFormat format) {
  const Pose pose = std::exchange(source.options.pose, Pose());  // of the parts, not of the meshes
  if (format == MeshFormat::gltf) return read_gltf_assembly(source, pose);

  PartList list;
  Mesh mesh = read_source(source, format, &list);
  const FoundParts found = find_parts(list, mesh.triangle_count());
  const auto part_count = static_cast<std::uint32_t>(found.list_numbers.size());
  Assembly assembly;
  std::vector<Piece> pieces;
  if (part_count == 1) {
    pieces.push_back({std::move(mesh), {}});
  } else {
    pieces = divide(mesh, found.part_of, part_count);
  }
  UniqueNames names;
  for (std::uint32_t i = 0; i < part_count; ++i) {
    const std::string& name = list.names()[found.list_numbers[i]];
    const std::uint64_t first_triangle = add_mesh(std::move(pieces[i]), assembly);
    assembly.parts.push_back({.name = names.add(name.empty() ? name_of_file(source) : name),
                              .mesh = i,
                              .pose = pose,
                              .first_triangle = first_triangle});
  }
  return assembly;
}

}  // namespace tandem::detail
