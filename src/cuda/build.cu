// Makes device models: copies of those of the host, and what the device itself builds and refits.
#include <tandem/cuda/rays.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/meshes/joined_meshes.h"
#include "cuda/meshes/mesh_copies.h"
#include "cuda/on_stream.h"
#include "gpu/build.h"
#include "gpu/refit.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

using Data = DeviceModel::Data;

/// Trees of so many triangles, before they are built.
class Trees {
 public:
  Trees(std::size_t triangle_count, const Place& place)
      : trees_(std::make_shared<TreeMemory>(triangle_count, triangle_count, place)),
        corners_(std::make_shared<CornerMemory>(triangle_count, place)) {}

  void build(const detail::DeviceMeshes& meshes, const detail::CurveKeyBits& bits,
             const Place& place, const DeviceBuildOptions& options) const {
    if (meshes.triangle_count == 0) return;
    OnStream on(place);
    detail::TreeBuilder builder(
        on, meshes, bits,
        {trees_->nodes.data(), trees_->triangles.data(), corners_->corners.data()});
    if (options.builder == DeviceBuilder::curve) {
      builder.build_curve();
    } else {
      builder.build_clusters();
    }
  }

  /// The model of one of the meshes.
  DeviceModel model(std::size_t first, std::size_t triangle_count, std::size_t vertex_count,
                    const DeviceBuildOptions& options) const {
    const auto count = static_cast<std::uint32_t>(triangle_count);
    Data data{.tree_memory = trees_,
              .corner_memory = corners_,
              .nodes_in_order = options.builder == DeviceBuilder::curve,
              .vertex_count = vertex_count};
    if (count > 0) {
      data.view = {trees_->nodes.data() + first, trees_->triangles.data() + first, count, count};
      data.corners = corners_->corners.data() + first;
    }
    return DeviceModel(std::make_shared<const Data>(std::move(data)));
  }

 private:
  std::shared_ptr<const TreeMemory> trees_;
  std::shared_ptr<const CornerMemory> corners_;
};

std::vector<DeviceModel> build_all(std::span<const DeviceMesh> meshes, const Place& place,
                                   const DeviceBuildOptions& options) {
  check_sizes(meshes, detail::RayPairView::k_most_triangles);
  std::size_t triangle_count = 0;
  for (const DeviceMesh& mesh : meshes) triangle_count += mesh.triangle_count;
  const Trees trees(triangle_count, place);
  const JoinedMeshes joined(meshes, place);
  trees.build(joined.view(), joined.bits(), place, options);
  std::vector<DeviceModel> models;
  models.reserve(meshes.size());
  std::size_t first = 0;
  for (const DeviceMesh& mesh : meshes) {
    models.push_back(trees.model(first, mesh.triangle_count, mesh.vertex_count, options));
    first += mesh.triangle_count;
  }
  return models;
}

/// Positions for a refit.
void check_positions(const Data& data, std::size_t count) {
  if (data.compared != nullptr) {
    throw Error("a device refits the structure ray-pairs, not " +
                std::string(data.structure.name()));
  }
  if (count == data.vertex_count) return;
  throw Error("the mesh has " + std::to_string(data.vertex_count) + " vertices, but there are " +
              std::to_string(count) + " new positions");
}

}  // namespace

DeviceModel::DeviceModel(const Model& model, const Place& place) {
  require_device();
  const detail::RayPairView host = inside::ray_pairs(model);
  const auto trees = std::make_shared<TreeMemory>(host.node_count, host.triangle_count, place);
  trees->nodes.copy_from(host.nodes);
  trees->triangles.copy_from(host.triangles);
  std::vector<TriangleIndices> in_order(host.triangle_count);
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    in_order[i] = model.mesh().triangles()[host.triangles[i].id];
  }
  const auto corners = std::make_shared<CornerMemory>(host.triangle_count, place);
  corners->corners.copy_from(in_order.data());
  data_ = std::make_shared<const Data>(Data{
      .tree_memory = trees,
      .corner_memory = corners,
      .view = {trees->nodes.data(), trees->triangles.data(), host.node_count, host.triangle_count},
      .corners = corners->corners.data(),
      .vertex_count = model.mesh().vertex_count()});
}

DeviceModel::DeviceModel(const Model& model, Structure structure, const Place& place) {
  if (structure.is_automatic() || structure == "ray-pairs") {
    *this = DeviceModel(model, place);
    return;
  }
  require_device();
  if (structure != "ray-binary" && structure != "ray-wide") {
    throw Error("a device model has the structure ray-pairs, ray-binary or ray-wide, not " +
                std::string(structure.name()));
  }
  data_ = std::make_shared<const Data>(Data{
      .structure = structure,
      .compared = std::make_shared<const ComparedTrees>(model, structure == "ray-wide", place)});
}

DeviceModel::DeviceModel(const Mesh& mesh, const Place& place, const DeviceBuildOptions& options) {
  require_device();
  const MeshCopies copies(std::span(&mesh, 1), place);
  *this = DeviceModel(copies.views()[0], place, options);
}

DeviceModel::DeviceModel(const DeviceMesh& mesh, const Place& place,
                         const DeviceBuildOptions& options) {
  require_device();
  *this = build_all(std::span(&mesh, 1), place, options).front();
}

std::vector<DeviceModel> make_device_models(std::span<const Mesh> meshes, const Place& place,
                                            const DeviceBuildOptions& options) {
  require_device();
  const MeshCopies copies(meshes, place);
  return build_all(copies.views(), place, options);
}

DeviceModel DeviceModel::refit(const Vec3f* positions, std::size_t count,
                               const Place& place) const {
  check_device(*data_);
  check_positions(*data_, count);
  const detail::RayPairView& older = data_->view;
  const auto trees = std::make_shared<TreeMemory>(older.node_count, older.triangle_count, place);
  if (!older.empty()) {
    OnStream on(place);
    detail::refit_tree(on, older, positions, data_->corners, data_->nodes_in_order,
                       trees->nodes.data(), trees->triangles.data());
  }
  return DeviceModel(
      std::make_shared<const Data>(Data{.tree_memory = trees,
                                        .corner_memory = data_->corner_memory,
                                        .view = {trees->nodes.data(), trees->triangles.data(),
                                                 older.node_count, older.triangle_count},
                                        .corners = data_->corners,
                                        .nodes_in_order = data_->nodes_in_order,
                                        .vertex_count = count}));
}

DeviceModel DeviceModel::refit(std::span<const Vec3f> positions, const Place& place) const {
  check_device(*data_);
  check_positions(*data_, positions.size());
  check_finite(positions);
  DeviceArray<Vec3f> on_device(positions.size(), place);
  on_device.copy_from(positions.data());
  return refit(on_device.data(), positions.size(), place);
}

std::size_t DeviceModel::bytes() const {
  if (data_->compared != nullptr) return data_->compared->bytes();
  const detail::RayPairView& view = data_->view;
  return view.node_count * sizeof(detail::RayPairNode) +
         view.triangle_count * (sizeof(detail::RayPairTriangle) + sizeof(TriangleIndices));
}

Structure DeviceModel::structure() const {
  return data_->structure;
}

}  // namespace tandem::cuda
