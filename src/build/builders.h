// The builders: they turn a mesh into the shape of a hierarchy.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <string_view>

#include "math/type_list.h"
#include "tree/tree.h"

namespace tandem::detail {

/// Each set is split where the surface area heuristic costs least, over 16 bins per axis; a set
/// whose centres coincide is halved by id. O(n log n) for usual meshes.
struct SahBuilder {
  static constexpr std::string_view k_name = "sah";
  static constexpr std::string_view k_description =
      "splits where the surface area heuristic costs least";
  static TreeShape build(const Mesh& mesh, const Progress& progress);
};

/// Each set of triangles is halved at the median of its centres along the longest side of its box:
/// the builder of the stackless tandem paper, section 9. Balanced for every input. O(n log n).
struct MedianBuilder {
  static constexpr std::string_view k_name = "median";
  static constexpr std::string_view k_description =
      "halves each set of triangles along the longest side of its box";
  static TreeShape build(const Mesh& mesh, const Progress& progress);
};

/// Each set is split so that its two parts have the least volume as restricted boxes: the builder
/// of the restricted boxtree paper, section 4. O(n log n) for usual meshes.
struct VolumeBuilder {
  static constexpr std::string_view k_name = "volume";
  static constexpr std::string_view k_description =
      "splits so that the parts take the least volume as restricted boxes";
  static TreeShape build(const Mesh& mesh, const Progress& progress);
};

/// The same, but only along the longest side of a box.
struct VolumeLongestBuilder {
  static constexpr std::string_view k_name = "volume-longest";
  static constexpr std::string_view k_description = "the same along the longest side alone";
  static TreeShape build(const Mesh& mesh, const Progress& progress);
};

/// The same, but with the triangles in a random order.
struct VolumeRandomBuilder {
  static constexpr std::string_view k_name = "volume-random";
  static constexpr std::string_view k_description = "the same with the triangles in a random order";
  static TreeShape build(const Mesh& mesh, const Progress& progress);
};

/// The same, but by the volumes of the parts and those of their own best parts.
struct VolumeAheadBuilder {
  static constexpr std::string_view k_name = "volume-ahead";
  static constexpr std::string_view k_description = "the same looking one level ahead";
  static TreeShape build(const Mesh& mesh, const Progress& progress);
};

/// The builders of binary shapes; the first one is the default. The description of one may refer to
/// the one before it.
using BinaryBuilders = TypeList<SahBuilder, MedianBuilder, VolumeBuilder, VolumeLongestBuilder,
                                VolumeRandomBuilder, VolumeAheadBuilder>;

/// Turns a binary shape into an n-ary one with 2 to `arity` (2 to 16) children per node: a node
/// repeatedly replaces its largest inner child by that child's children.
TreeShape collapse(const Mesh& mesh, const TreeShape& binary, int arity);

}  // namespace tandem::detail
