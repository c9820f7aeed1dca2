// Checks every invariant of a hierarchy. Debug builds run it on each model; tests on each layout.
#pragma once

#include <tandem/mesh.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tree/stackless_fields.h"
#include "tree/tree.h"

namespace tandem::detail {

/// The first broken invariant of a shape over so many triangles, or "" when there is none:
/// subtrees nest, inner nodes have at least one child, each triangle is in exactly one leaf, no
/// leaf is deeper than the bound.
std::string validate_shape(const TreeShape& shape, std::size_t triangle_count);

/// The first broken invariant of the fields of a shape, seen from pre-indexed node `node` of
/// `tree`.
template <class FieldedTree, class ToPre>
std::string validate_fields(const FieldedTree& tree, const TreeShape& shape, ToPre to_pre) {
  const std::vector<StacklessFields> expected = stackless_fields(shape);
  const auto end = static_cast<std::uint32_t>(shape.size());
  const auto pre = [&](std::uint32_t node) { return node == end ? end : to_pre(node); };
  if (tree.node_count() != end) return "the layout has another number of nodes than its shape";
  for (std::uint32_t node = 0; node < end; ++node) {
    const StacklessFields& fields = expected[pre(node)];
    const std::string where = " of node " + std::to_string(node) + " is wrong";
    if (pre(tree.escape_index(node)) != fields.escape_index) return "the escape index" + where;
    if (node != 0 && pre(tree.parent(node)) != fields.parent) return "the parent" + where;
    if (tree.level(node) != fields.level) return "the level" + where;
    if (tree.right_child_level(node) != fields.right_child_level) {
      return "the right-child level" + where;
    }
    const Link link = shape[pre(node)];
    if (tree.is_leaf(node) != link.is_leaf()) return "the kind" + where;
    if (link.is_leaf()) {
      if (tree.triangle(node) != link.triangle()) return "the triangle" + where;
    } else if (pre(tree.first_child(node)) != pre(node) + 1) {
      return "the first child" + where;
    }
    // The way up along right children ends at a left child.
    std::uint32_t up = node;
    for (int i = 0; i < fields.right_child_level; ++i) up = tree.parent(up);
    if (tree.up_along_right(node, fields.right_child_level) != up || !tree.is_left_child(up)) {
      return "the way up" + where;
    }
  }
  return "";
}

/// The first broken invariant, or "": those of the shape, and each volume encloses every triangle
/// below it.
template <BoundingVolume V>
std::string validate(const Mesh& mesh, const Tree<V>& tree) {
  const TreeView<V> nodes = tree.view();
  const TreeShape shape = shape_of(nodes);
  std::string problem = validate_shape(shape, mesh.triangle_count());
  if (!problem.empty()) return problem;
  const std::vector<StacklessFields> fields = stackless_fields(shape);
  for (std::uint32_t leaf = 0; leaf < shape.size(); ++leaf) {
    if (!shape[leaf].is_leaf()) continue;
    const TriangleF triangle = mesh.triangle(shape[leaf].triangle());
    for (std::uint32_t node = leaf;; node = fields[node].parent) {
      for (const Vec3f& corner : triangle.corner) {
        if (!nodes.volume(node).encloses(corner)) {
          return "the volume of node " + std::to_string(node) + " does not enclose triangle " +
                 std::to_string(shape[leaf].triangle());
        }
      }
      if (node == 0) break;
    }
  }
  return "";
}

}  // namespace tandem::detail
