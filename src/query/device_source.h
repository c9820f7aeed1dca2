// What tandem::cuda needs: what it copies to devices, and what it checks. It is a library of its
// own, so a shared tandem exports this.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/collide.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/sink.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "build/blocked.h"
#include "tree/node_keys.h"
#include "tree/ray_pairs.h"
#include "tree/stackless_fields.h"
#include "tree/wide/ray_tree.h"
#include "tree/wide/tree.h"
#include "volume/aabb.h"

namespace tandem::inside {

// Each makes the structure unless it is there. Views are valid as long as the model.
TANDEM_API detail::RayPairView ray_pairs(const Model& model);
TANDEM_API detail::KeyedRayTreeView ray_binary(const Model& model);
TANDEM_API detail::WideRayTreeView ray_wide(const Model& model);
TANDEM_API const detail::WideTree& wide(const Model& model);
TANDEM_API detail::PreIndexedView<detail::Aabb> pre_indexed_boxes(const Model& model);

/// No other model has it, but copies of this one.
TANDEM_API std::uint64_t identity(const Model& model);

/// A blocked hierarchy, which is not kept. By the full builder it has the shape of the model's wide
/// tree, which is made unless it is there.
TANDEM_API detail::BlockedTree<detail::BlockedBox> blocked_boxes(const Model& model,
                                                                 cuda::BlockedBuilder builder);
TANDEM_API detail::BlockedTree<detail::BlockedObb> blocked_obbs(const Model& model,
                                                                cuda::BlockedBuilder builder);

/// Calls `work` with all numbers below the count, on all threads of the machine.
TANDEM_API void for_each_on_threads(std::size_t count, FunctionRef<void(std::size_t)> work);

/// Throws `tandem::Error`, which names the query, for a model that is not there.
TANDEM_API void check_queries(std::size_t model_count, std::span<const BatchQuery> queries);

}  // namespace tandem::inside
