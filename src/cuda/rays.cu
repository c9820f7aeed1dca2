#include <tandem/cuda/rays.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/on_stream.h"
#include "gpu/build_curve.h"
#include "query/device_source.h"

namespace tandem::cuda {

namespace {

constexpr const char* k_pairs = "ray-pairs";
constexpr const char* k_binary = "ray-binary";
constexpr const char* k_wide = "ray-wide";

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

}  // namespace

BinaryOnDevice::BinaryOnDevice(const Model& model, const Place& place)
    : nodes(inside::ray_binary(model).count, place),
      triangles(model.mesh().triangle_count(), place),
      displacements(inside::ray_binary(model).keys.displacement_count(), place),
      slots(inside::ray_binary(model).keys.slot_count(), place),
      view(inside::ray_binary(model)),
      largest_coordinate(largest_coordinate_of(model.mesh())) {
  if (view.empty()) return;
  nodes.copy_from(view.nodes);
  triangles.copy_from(corners_of(model.mesh()).data());
  displacements.copy_from(view.keys.displacements);
  slots.copy_from(view.keys.nodes);
  view.nodes = nodes.data();
  view.keys.displacements = displacements.data();
  view.keys.nodes = slots.data();
}

WideOnDevice::WideOnDevice(const Model& model, const Place& place)
    : lines(inside::ray_wide(model).line_count, place),
      binary(model, place),
      view(inside::ray_wide(model)) {
  lines.copy_from(view.lines);
  view.lines = lines.data();
}

DeviceModel::DeviceModel(const Model& model, const Place& place)
    : DeviceModel(model, k_pairs, place) {}

DeviceModel::DeviceModel(const Model& model, Structure structure, const Place& place) {
  require_device();
  const bool pairs = structure.is_automatic() || structure == k_pairs;
  if (!pairs && structure != k_binary && structure != k_wide) {
    throw Error("a device model has the structure ray-pairs, ray-binary or ray-wide, not " +
                std::string(structure.name()));
  }
  const detail::RayPairView host = pairs ? inside::ray_pairs(model) : detail::RayPairView{};
  const auto data = std::make_shared<Data>(pairs ? k_pairs : structure, host.node_count,
                                           host.triangle_count, place);
  data->nodes.copy_from(host.nodes);
  data->triangles.copy_from(host.triangles);
  if (structure == k_binary) data->binary.emplace(model, place);
  if (structure == k_wide) data->wide.emplace(model, place);
  data->keep();
  data_ = data;
}

DeviceModel::DeviceModel(const Mesh& mesh, const Place& place) {
  require_device();
  const std::size_t count = mesh.triangle_count();
  if (count > detail::RayPairView::k_most_triangles) {
    throw Error("a device model has at most " +
                std::to_string(detail::RayPairView::k_most_triangles) +
                " triangles; this mesh has " + std::to_string(count));
  }
  const auto data = std::make_shared<Data>(k_pairs, count, count, place);
  if (count > 0) {
    DeviceArray<Vec3f> vertices(mesh.vertex_count(), place);
    DeviceArray<TriangleIndices> triangles(count, place);
    vertices.copy_from(mesh.vertices().data());
    triangles.copy_from(mesh.triangles().data());
    OnStream on(place);
    detail::build_curve_tree(on,
                             {vertices.data(), triangles.data(), static_cast<std::uint32_t>(count)},
                             data->nodes.data(), data->triangles.data());
  }
  data->keep();
  data_ = data;
}

std::size_t DeviceModel::bytes() const {
  return data_->nodes.bytes() + data_->triangles.bytes() +
         (data_->binary ? data_->binary->bytes() : 0) +
         (data_->wide ? data_->wide->lines.bytes() + data_->wide->binary.bytes() : 0);
}

Structure DeviceModel::structure() const {
  return data_->structure;
}

}  // namespace tandem::cuda
