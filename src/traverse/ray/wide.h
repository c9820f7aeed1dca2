// Rays through the wide ray tree: one ray at a time, eight boxes or triangles at once.
#pragma once

#include <tandem/ray.h>

#include <string_view>

#include "traverse/ray/batch.h"
#include "traverse/ray/query.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// Traces a ray that float arithmetic cannot handle; counts only where there are statistics.
struct DoubleTracer {
  Flow (*trace)(const void* context, RayQuery& query, RayStatistics* statistics);
  const void* context;
};

/// Traces one ray after another through a tree that is not empty, with the best instruction set of
/// this machine or the one that `UseInstructionSet` asks for. Adds to the statistics when the batch
/// asks for them.
Flow trace_wide(const WideRayTreeView& tree, const RayBatch& batch, const DoubleTracer& in_double,
                RayStatistics& statistics);

struct Lanes {
  static constexpr std::string_view k_name = "lanes";
  static constexpr std::string_view k_description =
      "eight boxes or triangles at a time, closest first";
};

}  // namespace tandem::detail
