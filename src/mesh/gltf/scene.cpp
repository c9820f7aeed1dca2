#include "mesh/gltf/scene.h"

#include <algorithm>
#include <span>
#include <string>

namespace tandem::detail {

namespace {

std::span<const std::uint32_t> children_of(const GltfDocument& document, std::uint32_t node) {
  const GltfRange range = document.nodes[node].children;
  return std::span(document.children).subspan(range.begin, range.end - range.begin);
}

/// Every node has at most one parent, and no node is among its own ancestors.
void check_trees(const Source& source, const GltfDocument& document) {
  const auto node_count = static_cast<std::uint32_t>(document.nodes.size());
  std::vector<std::uint32_t> parent(node_count, k_no_index);
  for (std::uint32_t node = 0; node < node_count; ++node) {
    for (const std::uint32_t child : children_of(document, node)) {
      const std::string place = "node " + std::to_string(node);
      if (child >= node_count) {
        source.fail(place + ": its child " + std::to_string(child) + " is not one of the " +
                    std::to_string(node_count) + " nodes");
      }
      if (parent[child] != k_no_index) {
        source.fail("node " + std::to_string(child) + " is a child of node " +
                    std::to_string(parent[child]) + " and again of " + place);
      }
      parent[child] = node;
    }
  }
  std::vector<bool> is_shown(node_count);
  for (const std::uint32_t root : document.roots) {
    const std::string place = "node " + std::to_string(root);
    if (root >= node_count) {
      source.fail("the scene shows " + place + ", but there are only " +
                  std::to_string(node_count));
    }
    if (parent[root] != k_no_index) {
      source.fail("the scene shows " + place + ", which is a child of node " +
                  std::to_string(parent[root]));
    }
    if (is_shown[root]) source.fail("the scene shows " + place + " twice");
    is_shown[root] = true;
  }

  // Nodes below one without a parent are in its tree, so that the others are in rings.
  std::vector<std::uint32_t> reached;
  for (std::uint32_t node = 0; node < node_count; ++node) {
    if (parent[node] == k_no_index) reached.push_back(node);
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::uint32_t child : children_of(document, reached[i])) reached.push_back(child);
  }
  if (reached.size() < node_count) {
    std::ranges::sort(reached);
    std::uint32_t missing = 0;
    while (missing < reached.size() && reached[missing] == missing) ++missing;
    source.fail("node " + std::to_string(missing) +
                " is its own ancestor, or has such an ancestor");
  }
}

}  // namespace

std::vector<GltfInstance> find_instances(const Source& source, const GltfDocument& document) {
  check_trees(source, document);

  struct Visit {
    std::uint32_t node;
    GltfTransform parent_in_world;
  };
  std::vector<GltfInstance> instances;
  std::vector<Visit> stack;
  const auto push = [&](std::span<const std::uint32_t> nodes, const GltfTransform& in_world) {
    for (std::size_t i = nodes.size(); i-- > 0;) stack.push_back({nodes[i], in_world});
  };
  push(document.roots, {});
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const GltfNode& node = document.nodes[visit.node];
    GltfTransform in_world = visit.parent_in_world;
    if (node.transform != k_no_index) in_world = in_world * document.transforms[node.transform];
    if (node.mesh != k_no_index) {
      if (node.mesh >= document.meshes.size()) {
        source.fail("node " + std::to_string(visit.node) + ": it shows mesh " +
                    std::to_string(node.mesh) + ", but there are only " +
                    std::to_string(document.meshes.size()));
      }
      instances.push_back({visit.node, node.mesh, in_world});
    }
    push(children_of(document, visit.node), in_world);
  }
  return instances;
}

}  // namespace tandem::detail
