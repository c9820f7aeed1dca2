// Whether a batch names models that are there. tandem::cuda, a library of its own, asks too, so a
// shared tandem exports this.
#pragma once

#include <tandem/batch.h>
#include <tandem/export.h>

#include <cstddef>
#include <span>

namespace tandem::inside {

/// Throws `tandem::Error`, which names the query, for a model that is not there.
TANDEM_API void check_queries(std::size_t model_count, std::span<const BatchQuery> queries);

}  // namespace tandem::inside
