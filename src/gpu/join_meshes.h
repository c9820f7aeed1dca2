// Puts meshes that are anywhere in the memory of a device behind each other.
#pragma once

#include <tandem/mesh.h>

#include <cstdint>

#include "gpu/device_meshes.h"
#include "gpu/kernel.h"

namespace tandem::detail {

/// A mesh, and where it goes among all.
struct MeshSource {
  const Vec3f* vertices;
  const TriangleIndices* triangles;
  MeshStart start;
};

/// One thread per vertex and triangle, so many as there are of either.
struct JoinMeshes {
  using Shared = NothingShared;

  /// None of which is empty.
  const MeshSource* sources;
  std::uint32_t count;
  MeshStart end;
  Vec3f* vertices;
  TriangleIndices* triangles;
  /// `count` and one more, for the end.
  MeshStart* starts;

  std::uint32_t thread_count() const {
    return end.vertex > end.triangle ? end.vertex : end.triangle;
  }

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i < end.vertex) {
      const MeshSource& source = sources[with(&MeshStart::vertex, i)];
      vertices[i] = source.vertices[i - source.start.vertex];
    }
    if (i < end.triangle) {
      const std::uint32_t mesh = with(&MeshStart::triangle, i);
      const MeshSource& source = sources[mesh];
      triangles[i] = source.triangles[i - source.start.triangle];
      if (i == source.start.triangle) starts[mesh] = source.start;
    }
    if (i == 0) starts[count] = end;
  }

 private:
  /// The mesh that has this vertex or triangle.
  TANDEM_KERNEL std::uint32_t with(std::uint32_t MeshStart::*first, std::uint32_t i) const {
    std::uint32_t mesh = 0;
    for (std::uint32_t behind = count; behind - mesh > 1;) {
      const std::uint32_t middle = mesh + (behind - mesh) / 2;
      (sources[middle].start.*first <= i ? mesh : behind) = middle;
    }
    return mesh;
  }
};

}  // namespace tandem::detail
