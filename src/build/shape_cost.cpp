#include "build/shape_cost.h"

#include "build/fit.h"
#include "build/wide/clusters.h"

namespace tandem::detail {

double shape_cost(const TreeView<Aabb>& boxes) {
  if (boxes.empty()) return 0;
  double sum = 0;
  for (std::uint32_t node = 0; node < boxes.count; ++node) {
    if (!boxes.is_leaf(node)) sum += half_area(boxes.volume(node));
  }
  const double whole = half_area(boxes.volume(0));
  return whole > 0 ? sum / whole : 0;
}

double shape_cost(const Mesh& mesh, const TreeShape& shape) {
  if (shape.empty()) return 0;
  return shape_cost(fit_by_merging<Aabb>(mesh, shape).view());
}

}  // namespace tandem::detail
