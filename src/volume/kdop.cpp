#include "volume/kdop.h"

#include <limits>

#include "math/cofactors.h"

namespace tandem::detail {

DopCones::DopCones(std::span<const int> direction_ids) {
  std::vector<Vec3d> normals;
  for (const double sign : {1.0, -1.0}) {
    for (const int id : direction_ids) {
      normals.push_back(sign * Vec3d(dop_direction(id)));
    }
  }
  // Three directions are neighbours when they are a face of the convex hull of all directions,
  // scaled to unit length: no other lies beyond their plane. Where more than three share a face,
  // its triples overlap, and any of them will do.
  const auto unit = [&](std::size_t i) { return (1 / length(normals[i])) * normals[i]; };
  const std::size_t count = normals.size();
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t q = p + 1; q < count; ++q) {
      for (std::size_t r = q + 1; r < count; ++r) {
        const Cofactors cofactors(normals[p], normals[q], normals[r]);
        const double det = cofactors.determinant(normals[p]);
        if (std::fabs(det) < 0.5) continue;  // it is an integer, so 0: the three are coplanar
        const Vec3d up = cross(unit(q) - unit(p), unit(r) - unit(p));
        const double height = dot(up, unit(p));
        bool is_face = true;
        for (std::size_t i = 0; i < count; ++i) {
          const double above = dot(up, unit(i)) - height;
          is_face = is_face && (height > 0 ? above < 1e-9 : above > -1e-9);
        }
        if (!is_face) continue;
        cones_.push_back({{static_cast<int>(p), static_cast<int>(q), static_cast<int>(r)},
                          {normals[p], normals[q], normals[r]},
                          {(1 / det) * cofactors.row[0], (1 / det) * cofactors.row[1],
                           (1 / det) * cofactors.row[2]}});
      }
    }
  }
}

DopCorrespondence DopCones::find(const Vec3d& direction) const {
  // The cone in which the smallest weight is largest: the direction is inside it, and no weight is
  // negative except by rounding.
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
