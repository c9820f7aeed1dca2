// Meshes on their way into trees: all of them behind each other.
#pragma once

#include <tandem/cuda/device_mesh.h>
#include <tandem/error.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "cuda/device_array.h"
#include "cuda/on_stream.h"
#include "gpu/build.h"
#include "gpu/join_meshes.h"

namespace tandem::cuda {

/// Throws where there are more than a device builds trees of at once.
inline void check_sizes(std::span<const DeviceMesh> meshes, std::size_t most_triangles) {
  std::size_t triangle_count = 0;
  std::size_t vertex_count = 0;
  for (const DeviceMesh& mesh : meshes) {
    triangle_count += mesh.triangle_count;
    vertex_count += mesh.vertex_count;
  }
  // The numbers of meshes are part of keys of 64 bits.
  constexpr std::size_t k_most_meshes = std::size_t{1} << 24;
  constexpr std::size_t k_most_vertices = std::numeric_limits<std::uint32_t>::max();
  if (triangle_count <= most_triangles && meshes.size() <= k_most_meshes &&
      vertex_count <= k_most_vertices) {
    return;
  }
  throw Error("a device builds trees of at most " + std::to_string(k_most_meshes) + " meshes, " +
              std::to_string(k_most_vertices) + " vertices and " + std::to_string(most_triangles) +
              " triangles at once; there are " + std::to_string(meshes.size()) + ", " +
              std::to_string(vertex_count) + " and " + std::to_string(triangle_count));
}

/// Meshes as builders take them: those that are not empty, behind each other. One mesh stays where
/// it is; it must be there until the work is done.
class JoinedMeshes {
 public:
  JoinedMeshes(std::span<const DeviceMesh> meshes, const Place& place)
      : JoinedMeshes(sources_of(meshes), place) {
    for (const DeviceMesh& mesh : meshes) {
      if (mesh.triangle_count > 0) bits_.add(static_cast<std::uint32_t>(mesh.triangle_count));
    }
  }

  /// How their keys are made up.
  const detail::CurveKeyBits& bits() const { return bits_; }
  const detail::DeviceMeshes& view() const { return view_; }

 private:
  struct Sources {
    std::vector<detail::MeshSource> all;
    detail::MeshStart end{0, 0};

    /// One needs no room of its own.
    std::size_t room(std::uint32_t detail::MeshStart::*count) const {
      return all.size() > 1 ? end.*count : 0;
    }
  };

  static Sources sources_of(std::span<const DeviceMesh> meshes) {
    Sources sources;
    for (const DeviceMesh& mesh : meshes) {
      if (mesh.triangle_count == 0) continue;
      sources.all.push_back({mesh.vertices, mesh.triangles, sources.end});
      sources.end.vertex += static_cast<std::uint32_t>(mesh.vertex_count);
      sources.end.triangle += static_cast<std::uint32_t>(mesh.triangle_count);
    }
    return sources;
  }

  JoinedMeshes(const Sources& sources, const Place& place)
      : vertices_(sources.room(&detail::MeshStart::vertex), place),
        triangles_(sources.room(&detail::MeshStart::triangle), place),
        starts_(sources.all.size() > 1 ? sources.all.size() + 1 : 0, place) {
    const auto count = static_cast<std::uint32_t>(sources.all.size());
    if (count == 1) {
      view_ = {sources.all[0].vertices, sources.all[0].triangles, sources.end.triangle};
    }
    if (count <= 1) return;
    bits_.mesh = static_cast<int>(std::bit_width(count - 1));
    DeviceArray<detail::MeshSource> on_device(count, place);
    on_device.copy_from(sources.all.data());
    const detail::JoinMeshes join{on_device.data(),  count,         sources.end, vertices_.data(),
                                  triangles_.data(), starts_.data()};
    OnStream(place).launch(join, join.thread_count());
    view_ = {vertices_.data(), triangles_.data(), sources.end.triangle, starts_.data(), count};
  }

  DeviceArray<Vec3f> vertices_;
  DeviceArray<TriangleIndices> triangles_;
  DeviceArray<detail::MeshStart> starts_;
  detail::CurveKeyBits bits_;
  detail::DeviceMeshes view_{};
};

}  // namespace tandem::cuda
