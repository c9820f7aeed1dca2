#include "cuda/wave_models.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda/check.h"
#include "cuda/meshes/joined_meshes.h"
#include "cuda/on_stream.h"
#include "gpu/build_wide.h"
#include "gpu/waves/pack.h"
#include "gpu/waves/pack_wide.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

detail::PackedWaveModels pack(std::span<const Model> models) {
  std::vector<detail::WaveSource> sources;
  for (const Model& model : models) sources.push_back({&model.mesh(), &inside::wide(model)});
  return detail::PackedWaveModels(sources, inside::for_each_on_threads);
}

detail::WideLayout layout_of(std::span<const DeviceMesh> meshes) {
  // Keys of the curve have room for so many.
  check_sizes(meshes, std::size_t{1} << 30);
  detail::WideLayout layout;
  for (const DeviceMesh& mesh : meshes) {
    if (mesh.triangle_count > 0) layout.add(static_cast<std::uint32_t>(mesh.triangle_count));
  }
  return layout;
}

template <class T, class Values>
void fill(DeviceArray<T>& array, const Values& from) {
  array.copy_from(from.data());
}

template <class T>
void copy_on_device(T* to, const T* from, std::size_t count, Stream stream) {
  check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream),
        "copy meshes on the device");
}

/// Room for trees while they are built or refitted.
class WideTreeRoom {
 public:
  WideTreeRoom(const detail::WideLayout& layout, const Place& place)
      : parts_(layout.parts.size(), place),
        blocks_(layout.end.first_block, place),
        boxes_(layout.end.first_leaf, place),
        corners_(layout.end.first_slot(), place),
        ids_(layout.end.first_slot(), place),
        frames_(layout.parts.size(), place),
        supports_(detail::SupportMap::k_size * layout.parts.size(), place) {
    fill(parts_, layout.parts);
  }

  detail::DeviceWideTrees trees() const {
    return {blocks_.data(), boxes_.data(),  corners_.data(),
            ids_.data(),    frames_.data(), supports_.data()};
  }
  /// Those of the layout.
  const detail::WidePart* parts() const { return parts_.data(); }
  /// What is known of each mesh. Waits for the stream.
  std::vector<detail::MeshFrame> frames(const Place& place) const {
    std::vector<detail::MeshFrame> result(frames_.bytes() / sizeof(detail::MeshFrame));
    frames_.copy_to(result.data());
    check(cudaStreamSynchronize(place.stream), "build trees");
    return result;
  }

 private:
  DeviceArray<detail::WidePart> parts_;
  DeviceArray<detail::NodeBlock> blocks_;
  DeviceArray<detail::BoxBlock> boxes_;
  DeviceArray<detail::CornerRow> corners_;
  DeviceArray<std::uint32_t> ids_;
  DeviceArray<detail::MeshFrame> frames_;
  DeviceArray<float> supports_;
};

/// What is known of a tree, without its arrays.
detail::WideTreeView tree_of(const detail::WidePart& part, const detail::MeshFrame& frame) {
  detail::WideTreeView tree;
  tree.leaf_count = part.levels.leaf_count();
  tree.level_count = part.levels.count;
  std::copy(std::begin(part.levels.begin), std::end(part.levels.begin), tree.level_begin);
  frame.put_into(tree);
  return tree;
}

/// Packs trees; tells of which meshes corners are not stored exactly, once the stream is there.
std::vector<std::uint32_t> pack_trees(const OnStream& on, const detail::DeviceMeshes& meshes,
                                      const detail::WideLayout& layout, const WideTreeRoom& room,
                                      const detail::PackedWideTrees& to) {
  const detail::WideParts parts{room.parts(), static_cast<std::uint32_t>(layout.parts.size())};
  const auto inexact = on.zeros<std::uint32_t>(parts.count);
  on.launch(detail::PackWideBlocks{parts, layout.end.first_block, room.trees().blocks, to},
            layout.end.first_block);
  on.launch(detail::PackWideLeaves{meshes, parts, layout.end.first_leaf, room.trees(), to,
                                   inexact.data()},
            layout.end.first_leaf);
  std::vector<std::uint32_t> result(parts.count);
  inexact.copy_to(result.data());
  return result;
}

}  // namespace

DeviceWaveModels::DeviceWaveModels(std::span<const Model> models, const Place& place)
    : DeviceWaveModels(pack(models), place) {}

DeviceWaveModels::DeviceWaveModels(detail::PackedWaveModels packed, const Place& place)
    : shape_(packed.shape),
      models_(packed.models.size(), place),
      blocks_(packed.blocks.size(), place),
      leaves_(packed.leaves.size(), place),
      triangles_(packed.triangles.size(), place),
      supports_(packed.supports.size(), place),
      own_triangles_(packed.own_triangles.size(), place),
      built_(packed.models.size()),
      in_order_(0, place) {
  packed.point_to(supports_.data(), own_triangles_.data());
  fill(models_, packed.models);
  fill(blocks_, packed.blocks);
  fill(leaves_, packed.leaves);
  fill(triangles_, packed.triangles);
  fill(supports_, packed.supports);
  fill(own_triangles_, packed.own_triangles);
  free_later();
  check(cudaStreamSynchronize(place.stream), "copy models to the device");
}

DeviceWaveModels::DeviceWaveModels(std::span<const DeviceMesh> meshes, ColliderBuilder builder,
                                   const Place& place)
    : DeviceWaveModels(meshes, layout_of(meshes), builder, place) {}

DeviceWaveModels::DeviceWaveModels(std::span<const DeviceMesh> meshes, detail::WideLayout layout,
                                   ColliderBuilder builder, const Place& place)
    : models_(meshes.size(), place),
      blocks_(layout.end.first_block, place),
      leaves_(layout.end.first_leaf, place),
      triangles_(layout.end.first_slot(), place),
      supports_(detail::SupportMap::k_size * layout.parts.size(), place),
      own_triangles_(0, place),
      layout_(std::move(layout)),
      built_(meshes.size()),
      in_order_(layout_.triangle_count, place) {
  free_later();
  std::vector<detail::WaveModel> models(meshes.size());
  if (!layout_.parts.empty()) build(meshes, builder, models, place);
  fill(models_, models);
  check(cudaStreamSynchronize(place.stream), "build models");
}

void DeviceWaveModels::build(std::span<const DeviceMesh> meshes, ColliderBuilder builder,
                             std::span<detail::WaveModel> models, const Place& place) {
  OnStream on(place);
  const JoinedMeshes joined(meshes, place);
  const WideTreeRoom room(layout_, place);
  detail::DeviceMeshes in_order = joined.view();
  in_order.triangles = in_order_.data();
  detail::WideTreeBuilder(on, joined.view(), layout_, room.parts(), room.trees())
      .build(joined.bits(), builder, in_order_.data());
  copy_on_device(supports_.data(), room.trees().supports,
                 detail::SupportMap::k_size * layout_.parts.size(), place.stream);
  const std::vector<std::uint32_t> inexact = pack_trees(
      on, in_order, layout_, room, {blocks_.data(), leaves_.data(), triangles_.data(), 0, 0});
  const std::vector<detail::MeshFrame> frames = room.frames(place);
  std::size_t part = 0;
  std::size_t first_vertex = 0;
  std::size_t first_triangle = 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (meshes[i].triangle_count == 0) continue;
    built_[i].part = part;
    built_[i].first_triangle = first_triangle;
    built_[i].vertex_count = meshes[i].vertex_count;
    models[i] =
        put(i, frames[part], inexact[part] == 0, joined.view().vertices + first_vertex, place);
    shape_.add(tree_of(layout_.parts[part], frames[part]));
    first_triangle += meshes[i].triangle_count;
    first_vertex += meshes[i].vertex_count;
    ++part;
  }
}

void DeviceWaveModels::refit(std::size_t model, const Vec3f* positions, std::size_t count,
                             const Place& place) {
  const Built& built = built_[model];
  if (built.part == k_not_built && count == built.vertex_count) return;
  if (built.part == k_not_built) {
    throw Error("model " + std::to_string(model) +
                " was not built on the device, which refits those that were");
  }
  if (count != built.vertex_count) {
    throw Error("model " + std::to_string(model) + " has " + std::to_string(built.vertex_count) +
                " vertices, but there are " + std::to_string(count) + " new positions");
  }
  const detail::WidePart& part = layout_.parts[built.part];
  const std::uint32_t triangle_count = part.levels.triangle_count;
  detail::WideLayout layout;
  layout.add(triangle_count);
  OnStream on(place);
  const WideTreeRoom room(layout, place);
  const detail::DeviceMeshes mesh{positions, in_order_.data() + built.first_triangle,
                                  triangle_count};
  on.launch(detail::IdsOfSlots{triangles_.data() + part.first_slot(), room.trees().ids,
                               detail::k_block * part.levels.leaf_count()},
            detail::k_block * part.levels.leaf_count());
  detail::WideTreeBuilder(on, mesh, layout, room.parts(), room.trees()).refit();
  copy_on_device(supports_.data() + detail::SupportMap::k_size * built.part, room.trees().supports,
                 detail::SupportMap::k_size, place.stream);
  const std::vector<std::uint32_t> inexact =
      pack_trees(on, mesh, layout, room,
                 {blocks_.data() + part.first_block, leaves_.data() + part.first_leaf,
                  triangles_.data() + part.first_slot(), part.first_block, part.first_leaf});
  const std::vector<detail::MeshFrame> frames = room.frames(place);
  const detail::WaveModel result = put(model, frames[0], inexact[0] == 0, positions, place);
  check(cudaMemcpyAsync(models_.data() + model, &result, sizeof result, cudaMemcpyHostToDevice,
                        place.stream),
        "copy to the device");
  check(cudaStreamSynchronize(place.stream), "refit a model");
}

detail::WaveModel DeviceWaveModels::put(std::size_t model, const detail::MeshFrame& frame,
                                        bool exact, const Vec3f* vertices, const Place& place) {
  Built& built = built_[model];
  const detail::WidePart& part = layout_.parts[built.part];
  detail::WaveModel result;
  result.tree = tree_of(part, frame);
  result.tree.support =
      detail::SupportMap(supports_.data() + detail::SupportMap::k_size * built.part,
                         detail::power_of_two(frame.exponent));
  result.root_block = part.first_block;
  built.own_triangles.reset();
  if (!exact) {
    const std::uint32_t count = part.levels.triangle_count;
    built.own_triangles.emplace(count, place);
    built.own_triangles->free_in(nullptr);
    OnStream(place).launch(
        detail::TrianglesById{{vertices, in_order_.data() + built.first_triangle, count},
                              triangles_.data() + part.first_slot(),
                              built.own_triangles->data()},
        count);
    result.triangles = built.own_triangles->data();
  }
  return result;
}

void DeviceWaveModels::copy_trees(detail::WideTreeView* to, const Place& place) const {
  if (built_.empty()) return;
  check(cudaMemcpy2DAsync(to, sizeof(*to), &models_.data()->tree, sizeof(detail::WaveModel),
                          sizeof(*to), built_.size(), cudaMemcpyDeviceToDevice, place.stream),
        "copy models on the device");
}

void DeviceWaveModels::free_later() {
  models_.free_in(nullptr);
  blocks_.free_in(nullptr);
  leaves_.free_in(nullptr);
  triangles_.free_in(nullptr);
  supports_.free_in(nullptr);
  own_triangles_.free_in(nullptr);
  in_order_.free_in(nullptr);
}

std::size_t DeviceWaveModels::bytes() const {
  std::size_t sum = models_.bytes() + blocks_.bytes() + leaves_.bytes() + triangles_.bytes() +
                    supports_.bytes() + own_triangles_.bytes() + in_order_.bytes();
  for (const Built& built : built_) {
    if (built.own_triangles) sum += built.own_triangles->bytes();
  }
  return sum;
}

}  // namespace tandem::cuda
