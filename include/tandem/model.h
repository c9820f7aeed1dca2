// Model: a mesh made ready for queries.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace tandem {

namespace detail {
class Hierarchy;
}

/// Told the share of a long task that is done, from 0 to 1, never falling; on the calling thread.
using Progress = std::function<void(double)>;

/// How a hierarchy is made. Queries return the same pairs whichever it is.
enum class Builder {
  /// Halves each set of triangles along the longest side of its box; balanced.
  median,
  /// Splits where the surface area heuristic costs least.
  sah,
  /// Splits so that the two parts take the least volume as restricted boxes: the boxtree paper's.
  volume,
  /// The same along the longest side alone, with the triangles in a random order, or looking one
  /// level ahead.
  volume_longest,
  volume_random,
  volume_ahead,
};

struct BuilderInfo {
  Builder builder;
  std::string_view name;
  std::string_view description;
};
/// All builders, with the names that the program uses.
std::span<const BuilderInfo> builders();

/// What encloses the nodes of a hierarchy.
enum class Volume {
  aabb,
  sphere,
  obb,
  /// Oriented boxes relative to their parents', as RAPID keeps them; for recursive and the stacks.
  obb_relative,
  dop6,
  dop14,
  dop18,
  dop24,
  dop26,
  /// Restricted boxes: each its parent's with one side moved, so that a node is one plane. They exist
  /// only on the way down: for recursive, the stacks, one_level_up and the lists.
  boxtree,
  /// The same with the planes of both children in their parent; binary.
  boxtree_two_planes,
  /// The same with planes of 12 bits.
  boxtree_packed,
};

struct VolumeInfo {
  Volume volume;
  std::string_view name;
  std::string_view description;
  /// The lean layout: the volume and one link. A two-plane boxtree has 4 bytes a triangle beside.
  std::size_t bytes_per_node;
};
/// All volumes, with the names that the program uses.
std::span<const VolumeInfo> volumes();

struct BuildOptions {
  Volume volume = Volume::aabb;
  Builder builder = Builder::sah;
  /// The most children that a node has, from 2 to 16.
  int arity = 2;
  /// The most triangles of a leaf, from 1 to 64; more than 1 only for boxtree_two_planes and
  /// boxtree_packed. 0 is what suits the volume: 8 for boxtree_packed, else 1.
  int leaf_size = 0;
  /// For boxtrees: siblings are cut along the same axis, as in the paper, not each along its best one.
  bool parallel_planes = false;
  /// For boxtree_two_planes and boxtree_packed: a box is cut again as long as that takes off more than
  /// this share of it, from 0 to 1. At 1 each box differs from its parent's in one side, as in the
  /// paper.
  double trim = 0.1;
  Progress progress = nullptr;
};

/// A mesh and its bounding volume hierarchy. Immutable once built: copies share one hierarchy, and
/// any number of threads may query it at once.
class Model {
 public:
  /// Links in the hierarchy have 31 bits.
  static constexpr std::size_t k_max_triangles = std::size_t{1} << 30;

  /// Takes the mesh over and builds its hierarchy: O(n log n) time, at most 62 levels. Throws
  /// `tandem::Error` for more than `k_max_triangles` triangles or options that the volume does not
  /// have.
  explicit Model(Mesh mesh, const BuildOptions& options = {});

  const Mesh& mesh() const { return *mesh_; }
  Volume volume() const;

  /// Bytes of the hierarchy, without the mesh.
  std::size_t hierarchy_bytes() const;

  /// For the library's own use.
  const detail::Hierarchy& hierarchy() const { return *hierarchy_; }

 private:
  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<const detail::Hierarchy> hierarchy_;
};

}  // namespace tandem
