// The builders of wide trees. Up to `threads` threads share the work (`parallel_for`); the tree is
// the same for any number of them.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <string_view>

#include "math/type_list.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// For fast queries: sets are bisected near the middle along the axis of least cost, and each child
/// gets the thinner of two slabs. O(n log n).
struct WideBest {
  static constexpr std::string_view k_name = "best";
  static constexpr std::string_view k_description =
      "bisects along the axis of least cost; fastest queries";
  static WideTree build(const Mesh& mesh, int threads = 1, const Progress& progress = nullptr);
};

/// For fast builds: triangles are sorted along a space-filling curve, slabs are perpendicular to
/// mean normals. O(n).
struct WideFast {
  static constexpr std::string_view k_name = "fast";
  static constexpr std::string_view k_description =
      "sorts along a space-filling curve; fastest builds";
  static WideTree build(const Mesh& mesh, int threads = 1, const Progress& progress = nullptr);
};

/// The first is the default.
using WideBuilders = TypeList<WideBest, WideFast>;

}  // namespace tandem::detail
