// The triangle tests, by name.
#pragma once

#include <array>

#include "engine/name_info.h"

namespace tandem::detail {

/// The triangle tests. Those of the papers are there to reproduce their results: they compute with
/// rounding and decide touching, coplanar and zero-area cases in their own way (docs/volumes.md).
enum class TriangleTestKind {
  /// Exact, as docs/conventions.md says.
  exact,
  /// Edges against the unit triangle, by a matrix kept for each triangle (collision chip paper).
  unit_triangle,
  /// Separating axes: both normals, the cross products of edges, and in-plane normals.
  separating_axes,
};

/// In the order of the kinds.
inline constexpr std::array<NameInfo, 3> k_triangle_tests = {{
    {"exact", "exact in every case"},
    {"unit-triangle", "the collision chip paper's, in single precision"},
    {"separating-axes", "the blocked tandem paper's, in single precision"},
}};

}  // namespace tandem::detail
