// From a mesh and a shape to a wide tree: coordinates, boxes and slabs.
#pragma once

#include <tandem/mesh.h>

#include "build/wide_shape.h"
#include "tree/wide_tree.h"

namespace tandem::detail {

/// How the coordinates of a mesh are stored: `(x - origin) / 2^exponent`, exactly. An axis on which
/// the mesh is far from zero is measured from the middle, where the differences are exact (Sterbenz:
/// all coordinates are then within a factor of two of it), others from zero.
class WideScale {
 public:
  explicit WideScale(const Mesh& mesh);

  const Vec3d& origin() const { return origin_; }
  int exponent() const { return exponent_; }
  const Vec3d& extent() const { return extent_; }

  Vec3f operator()(const Vec3f& v) const {
    return {static_cast<float>((v.x - origin_.x) * factor_),
            static_cast<float>((v.y - origin_.y) * factor_),
            static_cast<float>((v.z - origin_.z) * factor_)};
  }

 private:
  Vec3d origin_{0, 0, 0};
  Vec3d extent_{0, 0, 0};
  int exponent_ = 0;
  double factor_ = 1;
};

/// How slabs are found: along the mean normal alone, or along that and the direction in which the
/// corners vary least, whichever is thinner.
enum class SlabChoice { mean_normal, thinner_of_two };

WideTree fit_wide(const Mesh& mesh, const WideScale& scale, const WideShape& shape,
                  SlabChoice choice);

}  // namespace tandem::detail
