// Makes device models: copies of those of the host, and what the device itself builds and refits.
#include <tandem/cuda/rays.h>

#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/on_stream.h"
#include "gpu/build.h"
#include "gpu/refit.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

using Data = DeviceModel::Data;

void check_count(std::size_t triangle_count) {
  if (triangle_count <= detail::RayPairView::k_most_triangles) return;
  throw Error("a device builds trees of at most " +
              std::to_string(detail::RayPairView::k_most_triangles) +
              " triangles at once; there are " + std::to_string(triangle_count));
}

/// The numbers of meshes are part of keys of 64 bits.
void check_mesh_count(std::size_t mesh_count) {
  constexpr std::size_t k_most_meshes = std::size_t{1} << 24;
  if (mesh_count <= k_most_meshes) return;
  throw Error("a device builds trees of at most " + std::to_string(k_most_meshes) +
              " meshes at once; there are " + std::to_string(mesh_count));
}

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
  DeviceModel model(std::size_t first, std::size_t triangle_count, std::size_t vertex_count) const {
    const auto count = static_cast<std::uint32_t>(triangle_count);
    Data data{.tree_memory = trees_, .corner_memory = corners_, .vertex_count = vertex_count};
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
  DeviceArray<Vec3f> vertices(mesh.vertex_count(), place);
  DeviceArray<TriangleIndices> triangles(mesh.triangle_count(), place);
  vertices.copy_from(mesh.vertices().data());
  triangles.copy_from(mesh.triangles().data());
  const DeviceMesh on_device{vertices.data(), mesh.vertex_count(), triangles.data(),
                             mesh.triangle_count()};
  *this = DeviceModel(on_device, place, options);
}

DeviceModel::DeviceModel(const DeviceMesh& mesh, const Place& place,
                         const DeviceBuildOptions& options) {
  require_device();
  check_count(mesh.triangle_count);
  const auto count = static_cast<std::uint32_t>(mesh.triangle_count);
  detail::CurveKeyBits bits;
  bits.add(count);
  const Trees trees(count, place);
  trees.build({mesh.vertices, mesh.triangles, count}, bits, place, options);
  *this = trees.model(0, count, mesh.vertex_count);
}

std::vector<DeviceModel> make_device_models(std::span<const Mesh> meshes, const Place& place,
                                            const DeviceBuildOptions& options) {
  require_device();
  // All meshes behind each other, so that they are copied at once. Empty ones have no part in it.
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  std::vector<detail::MeshStart> starts;
  detail::CurveKeyBits bits;
  const auto add_start = [&] {
    starts.push_back({static_cast<std::uint32_t>(triangles.size()),
                      static_cast<std::uint32_t>(vertices.size())});
  };
  std::size_t vertex_count = 0;
  std::size_t triangle_count = 0;
  for (const Mesh& mesh : meshes) {
    vertex_count += mesh.empty() ? 0 : mesh.vertex_count();
    triangle_count += mesh.triangle_count();
  }
  check_count(triangle_count);
  if (vertex_count > std::numeric_limits<std::uint32_t>::max()) {
    throw Error("a device builds trees of fewer than 2^32 vertices at once; there are " +
                std::to_string(vertex_count));
  }
  vertices.reserve(vertex_count);
  triangles.reserve(triangle_count);
  for (const Mesh& mesh : meshes) {
    if (mesh.empty()) continue;
    add_start();
    vertices.insert(vertices.end(), mesh.vertices().begin(), mesh.vertices().end());
    triangles.insert(triangles.end(), mesh.triangles().begin(), mesh.triangles().end());
    bits.add(static_cast<std::uint32_t>(mesh.triangle_count()));
  }
  add_start();
  const auto mesh_count = static_cast<std::uint32_t>(starts.size() - 1);
  check_mesh_count(mesh_count);
  if (mesh_count > 1) bits.mesh = static_cast<int>(std::bit_width(mesh_count - 1));

  const Trees trees(triangle_count, place);
  DeviceArray<Vec3f> device_vertices(vertices.size(), place);
  DeviceArray<TriangleIndices> device_triangles(triangles.size(), place);
  DeviceArray<detail::MeshStart> device_starts(starts.size(), place);
  device_vertices.copy_from(vertices.data());
  device_triangles.copy_from(triangles.data());
  device_starts.copy_from(starts.data());
  trees.build({device_vertices.data(), device_triangles.data(),
               static_cast<std::uint32_t>(triangle_count), device_starts.data(), mesh_count},
              bits, place, options);

  std::vector<DeviceModel> models;
  models.reserve(meshes.size());
  std::size_t first = 0;
  for (const Mesh& mesh : meshes) {
    models.push_back(trees.model(first, mesh.triangle_count(), mesh.vertex_count()));
    first += mesh.triangle_count();
  }
  return models;
}

DeviceModel DeviceModel::refit(const Vec3f* positions, std::size_t count,
                               const Place& place) const {
  check_device(*data_);
  check_positions(*data_, count);
  const detail::RayPairView& older = data_->view;
  const auto trees = std::make_shared<TreeMemory>(older.node_count, older.triangle_count, place);
  if (!older.empty()) {
    OnStream on(place);
    detail::refit_tree(on, older, positions, data_->corners, trees->nodes.data(),
                       trees->triangles.data());
  }
  return DeviceModel(
      std::make_shared<const Data>(Data{.tree_memory = trees,
                                        .corner_memory = data_->corner_memory,
                                        .view = {trees->nodes.data(), trees->triangles.data(),
                                                 older.node_count, older.triangle_count},
                                        .corners = data_->corners,
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
