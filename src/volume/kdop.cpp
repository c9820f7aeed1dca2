#include "volume/kdop.h"

#include <limits>

namespace tandem::detail {

DopCones::DopCones(std::span<const int> direction_ids) {
  std::vector<Vec3d> normals;
  for (const double sign : {1.0, -1.0}) {
    for (const int id : direction_ids) {
      const auto& n = k_dop_directions[id];
      normals.emplace_back(sign * n[0], sign * n[1], sign * n[2]);
    }
  }
  // Three directions are neighbours when no other, taken to unit length, lies beyond their plane:
  // they are a face of the hull. Where more than three share a face, its triples overlap; any will
  // do.
  const auto unit = [&](std::size_t i) {
    return (1 / std::sqrt(dot(normals[i], normals[i]))) * normals[i];
  };
  const std::size_t count = normals.size();
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t q = p + 1; q < count; ++q) {
      for (std::size_t r = q + 1; r < count; ++r) {
        const double det = dot(cross(normals[p], normals[q]), normals[r]);
        if (std::fabs(det) < 0.5) continue;  // an integer: the three are coplanar
        const Vec3d up = cross(unit(q) - unit(p), unit(r) - unit(p));
        const double height = dot(up, unit(p));
        bool is_face = true;
        for (std::size_t i = 0; i < count; ++i) {
          const double above = dot(up, unit(i)) - height;
          is_face = is_face && (height > 0 ? above < 1e-9 : above > -1e-9);
        }
        if (!is_face) continue;
        cones_.push_back(
            {{static_cast<int>(p), static_cast<int>(q), static_cast<int>(r)},
             {normals[p], normals[q], normals[r]},
             {(1 / det) * cross(normals[q], normals[r]), (1 / det) * cross(normals[r], normals[p]),
              (1 / det) * cross(normals[p], normals[q])}});
      }
    }
  }
}

DopCorrespondence DopCones::find(const Vec3d& direction) const {
  // The cone in which the least weight is largest: inside it none is negative but for rounding.
  const Cone* best = &cones_.front();
  double best_least = -std::numeric_limits<double>::infinity();
  for (const Cone& cone : cones_) {
    const double least = std::min({dot(cone.inverse[0], direction), dot(cone.inverse[1], direction),
                                   dot(cone.inverse[2], direction)});
    if (least > best_least) {
      best_least = least;
      best = &cone;
    }
    if (least >= 0) break;
  }
  DopCorrespondence result{};
  Vec3d rest = direction;
  for (int l = 0; l < 3; ++l) {
    result.plane[l] = best->plane[l];
    result.weight[l] = std::max(0.0, dot(best->inverse[l], direction));
    rest = rest - result.weight[l] * best->normal[l];
  }
  result.residual = std::fabs(rest.x) + std::fabs(rest.y) + std::fabs(rest.z) + 0x1p-46;
  return result;
}

}  // namespace tandem::detail
