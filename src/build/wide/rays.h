// Builds the wide ray tree.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <string_view>

#include "math/type_list.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// How a wide ray tree is built.
struct RayBest {
  static constexpr std::string_view k_name = "best";
  static constexpr std::string_view k_description = "improved by reinsertion; fastest queries";
};
struct RayFast {
  static constexpr std::string_view k_name = "fast";
  static constexpr std::string_view k_description = "not improved; fastest builds";
};

/// The first is the default.
using RayBuilders = TypeList<RayBest, RayFast>;

/// A binary tree of clusters of triangles, improved by reinsertion unless the builder is "fast",
/// and collapsed. With up to so many threads, 0 for all cores; the tree does not depend on it.
/// O(n log n) for usual meshes.
WideRayTree build_wide_rays(const Mesh& mesh, std::string_view builder, int threads,
                            const Progress& progress = nullptr);

}  // namespace tandem::detail
