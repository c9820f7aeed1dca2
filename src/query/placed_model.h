// A model where a query has it, and what is inside the solid that it bounds.
#pragma once

#include <tandem/engine.h>
#include <tandem/model.h>
#include <tandem/pose.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "geometry/weighted_point.h"
#include "math/transform.h"
#include "query/model_access.h"
#include "structure/surface.h"

namespace tandem::detail {

/// Throws `tandem::Error` that names the first open edge unless the mesh, which is called `name` in
/// the message, is closed.
void check_closed(const Surface& surface, std::string_view name);

class PlacedModel {
 public:
  /// A stands in its own frame: it has no pose.
  PlacedModel(const Model& model, const Pose* in_a, const Engine& engine)
      : model_(model), in_a_(in_a), engine_(engine) {}

  std::size_t triangle_count() const { return model_.mesh().triangle_count(); }

  /// In A's frame.
  Triangle triangle(std::uint32_t id) const {
    const TriangleF t = model_.mesh().triangle(id);
    return in_a_ == nullptr ? widen(t) : transform_triangle(*in_a_, t);
  }

  /// Made when first asked for, once for the model.
  const Surface& surface() const { return structures_of(model_).get<Surface>(); }

  /// The winding number of the mesh, which is closed, around a point that none of its triangles
  /// with area contains. The point is a corner of the other model, in A's frame.
  int winding_around(const Vec3d& corner) const;
  /// The same for any point; looks at every triangle.
  int winding_around(const WeightedPoint& point) const;

  /// 1 when the solid is behind the triangles of that part that are seen counter-clockwise, -1 when
  /// it is in front of them. Looks at every triangle.
  int outward(std::uint32_t part) const;

 private:
  const Model& model_;
  const Pose* in_a_;
  const Engine& engine_;
};

}  // namespace tandem::detail
