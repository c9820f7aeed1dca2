#include "cuda/compared_trees.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "query/device_source.h"

namespace tandem::cuda {
namespace {

std::vector<TriangleF> corners_of(const Mesh& mesh) {
  std::vector<TriangleF> corners(mesh.triangle_count());
  for (std::uint32_t i = 0; i < corners.size(); ++i) corners[i] = mesh.triangle(i);
  return corners;
}

float largest_coordinate_of(const Mesh& mesh) {
  const Bounds bounds = mesh.bounds();
  float largest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    largest = std::max({largest, std::fabs(bounds.lower[axis]), std::fabs(bounds.upper[axis])});
  }
  return largest;
}

/// They may outlive the stream that they are made in.
template <class T>
void put(const T* from, DeviceArray<T>& to) {
  to.copy_from(from);
  to.free_in(nullptr);
}

}  // namespace

ComparedTrees::ComparedTrees(const Model& model, bool with_wide, const Place& place)
    : nodes(inside::ray_binary(model).count, place),
      triangles(nodes.bytes() > 0 ? model.mesh().triangle_count() : 0, place),
      displacements(nodes.bytes() > 0 ? inside::ray_binary(model).keys.displacement_count() : 0,
                    place),
      slots(nodes.bytes() > 0 ? inside::ray_binary(model).keys.slot_count() : 0, place),
      binary(inside::ray_binary(model)),
      largest_coordinate(largest_coordinate_of(model.mesh())) {
  put(binary.nodes, nodes);
  put(corners_of(model.mesh()).data(), triangles);
  put(binary.keys.displacements, displacements);
  put(binary.keys.nodes, slots);
  binary.nodes = nodes.data();
  binary.keys.displacements = displacements.data();
  binary.keys.nodes = slots.data();
  if (!with_wide) return;
  wide = inside::ray_wide(model);
  lines.emplace(wide->line_count, place);
  put(wide->lines, *lines);
  wide->lines = lines->data();
}

std::size_t ComparedTrees::bytes() const {
  return nodes.bytes() + triangles.bytes() + displacements.bytes() + slots.bytes() +
         (lines ? lines->bytes() : 0);
}

}  // namespace tandem::cuda
