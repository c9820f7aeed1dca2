// The nodes of a glTF: trees, of which the default scene shows some.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/gltf/document.h"

namespace tandem::detail {

/// A mesh that is shown, by which node, and where.
struct GltfInstance {
  std::uint32_t node;
  std::uint32_t mesh;
  GltfTransform in_world;
};

/// The meshes of the default scene, depth first, each with an index that is in range. Throws
/// `tandem::Error` when the nodes do not form trees; so there are at most as many as nodes.
std::vector<GltfInstance> find_instances(const Source& source, const GltfDocument& document);

}  // namespace tandem::detail
