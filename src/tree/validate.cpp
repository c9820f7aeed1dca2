#include "tree/validate.h"

namespace tandem::detail {

std::string validate_shape(const TreeShape& shape, std::size_t triangle_count) {
  if (shape.empty()) return triangle_count == 0 ? "" : "the tree is empty, its mesh is not";
  if (escape_index(shape, 0) != shape.size()) return "the root does not span the tree";
  std::vector<bool> seen(triangle_count, false);
  std::size_t leaf_count = 0;
  // The ends of the subtrees that the scan is in, innermost last: as many as the level.
  std::vector<std::uint32_t> ends;
  for (std::uint32_t node = 0; node < shape.size(); ++node) {
    while (!ends.empty() && ends.back() == node) ends.pop_back();
    const std::string where = "node " + std::to_string(node);
    const std::uint32_t end = escape_index(shape, node);
    if (!ends.empty() && end > ends.back()) return where + " reaches beyond its parent";
    if (ends.size() > static_cast<std::size_t>(k_max_depth)) return where + " is too deep";
    if (!shape[node].is_leaf()) {
      if (end <= node + 1) return where + " has no child";
      ends.push_back(end);
      continue;
    }
    const std::uint32_t triangle = shape[node].triangle();
    if (triangle >= triangle_count) return where + " has a triangle that the mesh has not";
    if (seen[triangle]) return where + " has a triangle that another leaf has";
    seen[triangle] = true;
    ++leaf_count;
  }
  return leaf_count == triangle_count ? "" : "a triangle is in no leaf";
}

}  // namespace tandem::detail
