// Pieces of a mesh as meshes of an assembly, and names that do not repeat.
#pragma once

#include <tandem/assembly.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tandem::detail {

/// Some of the triangles of a mesh, with their ids there.
struct Piece {
  Mesh mesh;
  std::vector<std::uint32_t> triangle_ids;
};

/// Divides a mesh: `piece_of` says for each triangle to which of `piece_count` pieces it goes. Each
/// keeps the order of its triangles and has the vertices that they use, in the order in which they
/// use them.
std::vector<Piece> divide(const Mesh& mesh, std::span<const std::uint32_t> piece_of,
                          std::uint32_t piece_count);

/// Adds the piece's mesh to the assembly. Returns the `first_triangle` that a part needs to which
/// the ids are those of the file.
std::uint64_t add_mesh(Piece piece, Assembly& assembly);

/// Makes names unique: one that was given before gets " 2", " 3", ..., the first that is free.
class UniqueNames {
 public:
  std::string add(const std::string& name) {
    const auto [known, is_new] = next_number_.try_emplace(name, 2);
    if (is_new) return name;
    for (;;) {
      std::string numbered = name + " " + std::to_string(known->second++);
      if (next_number_.try_emplace(numbered, 2).second) return numbered;
    }
  }

 private:
  /// For each name that was given: the number to try when it comes again. It never falls, so that
  /// all names together take as many attempts as there are names.
  std::map<std::string, std::uint64_t> next_number_;
};

}  // namespace tandem::detail
