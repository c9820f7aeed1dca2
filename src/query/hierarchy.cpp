#include "query/hierarchy.h"

#include <tandem/error.h>

#include <array>
#include <string>

#include "query/volume_traits.h"
#include "tree/boxtree.h"

namespace tandem {
namespace {

template <class V>
constexpr std::size_t k_node_bytes = sizeof(typename detail::Tree<V>::Node);

constexpr std::array k_volumes = {
    VolumeInfo{Volume::wide, "wide",
               "four boxes side by side, each with a slab, tested in SIMD lanes",
               sizeof(detail::NodeBlock) / detail::k_block},
    VolumeInfo{Volume::aabb, "aabb", "box along the axes", k_node_bytes<detail::Aabb>},
    VolumeInfo{Volume::sphere, "sphere", "sphere", k_node_bytes<detail::Sphere>},
    VolumeInfo{Volume::obb, "obb", "oriented box, axes from the covariance",
               k_node_bytes<detail::Obb>},
    VolumeInfo{Volume::obb_relative, "obb-relative", "oriented box relative to its parent's",
               k_node_bytes<detail::Obb>},
    VolumeInfo{Volume::dop6, "dop6", "intervals along 3 directions", k_node_bytes<detail::Kdop<6>>},
    VolumeInfo{Volume::dop14, "dop14", "intervals along 7 directions",
               k_node_bytes<detail::Kdop<14>>},
    VolumeInfo{Volume::dop18, "dop18", "intervals along 9 directions",
               k_node_bytes<detail::Kdop<18>>},
    VolumeInfo{Volume::dop24, "dop24", "intervals along 12 directions",
               k_node_bytes<detail::Kdop<24>>},
    VolumeInfo{Volume::dop26, "dop26", "intervals along 13 directions",
               k_node_bytes<detail::Kdop<26>>},
    VolumeInfo{Volume::boxtree, "boxtree", "restricted box, one plane a node",
               detail::OnePlaneBoxtree::k_bytes_per_node},
    VolumeInfo{Volume::boxtree_two_planes, "boxtree-two-planes",
               "restricted box, planes in the parent",
               detail::TwoPlaneBoxtree<detail::FloatPlanes>::k_bytes_per_node},
    VolumeInfo{Volume::boxtree_packed, "boxtree-packed", "restricted box, planes of 11 bits",
               detail::TwoPlaneBoxtree<detail::PackedPlanes>::k_bytes_per_node},
};

}  // namespace

std::span<const VolumeInfo> volumes() {
  return k_volumes;
}

namespace detail {

const std::vector<UnitTriangle>& Hierarchy::unit_triangles(const Mesh& mesh) const {
  std::call_once(unit_triangles_once_, [&] {
    unit_triangles_.reserve(mesh.triangle_count());
    for (std::size_t id = 0; id < mesh.triangle_count(); ++id) {
      unit_triangles_.emplace_back(mesh.triangle(id));
    }
  });
  return unit_triangles_;
}

bool is_boxtree(Volume volume) {
  return volume == Volume::boxtree || volume == Volume::boxtree_two_planes ||
         volume == Volume::boxtree_packed;
}

std::unique_ptr<Hierarchy> make_hierarchy(const BuildOptions& options, const Mesh& mesh,
                                          const TreeShape& shape) {
  switch (options.volume) {
    case Volume::wide:
      break;  // not made of a binary shape
    case Volume::aabb:
      return make_volume_hierarchy<Aabb>(mesh, shape);
    case Volume::sphere:
      return make_volume_hierarchy<Sphere>(mesh, shape);
    case Volume::obb:
      return make_volume_hierarchy<Obb>(mesh, shape);
    case Volume::obb_relative:
      return make_relative_obb_hierarchy(mesh, shape);
    case Volume::dop6:
      return make_volume_hierarchy<Kdop<6>>(mesh, shape);
    case Volume::dop14:
      return make_volume_hierarchy<Kdop<14>>(mesh, shape);
    case Volume::dop18:
      return make_volume_hierarchy<Kdop<18>>(mesh, shape);
    case Volume::dop24:
      return make_volume_hierarchy<Kdop<24>>(mesh, shape);
    case Volume::dop26:
      return make_volume_hierarchy<Kdop<26>>(mesh, shape);
    case Volume::boxtree:
      return make_boxtree_hierarchy<OnePlaneBoxtree>(options, mesh, shape);
    case Volume::boxtree_two_planes:
      return make_boxtree_hierarchy<TwoPlaneBoxtree<FloatPlanes>>(options, mesh, shape);
    case Volume::boxtree_packed:
      return make_boxtree_hierarchy<TwoPlaneBoxtree<PackedPlanes>>(options, mesh, shape);
  }
  throw Error("there is no volume with the number " +
              std::to_string(static_cast<int>(options.volume)));
}

}  // namespace detail
}  // namespace tandem
