#include <tandem/distance.h>

#include "query/batch_queries.h"

namespace tandem {
namespace {

using detail::ManyModels;
using detail::PosedModels;
using detail::TwoModels;

template <class Queries>
std::vector<DistanceResult> distances(const Queries& queries, const DistanceOptions& options) {
  DistanceOptions each = options;
  each.threads = 1;
  each.progress = {};
  std::vector<DistanceResult> results(queries.size());
  detail::for_each_piece(queries.size(), options.threads, options.progress,
                         [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                             const PosedModels query = queries[i];
                             results[i] = distance(query.a, query.b, query.b_in_a, each);
                           }
                         });
  return results;
}

template <class Queries>
BatchBits all_within(const Queries& queries, double distance, const BatchOptions& options) {
  const QueryOptions each{.engine = options.engine};
  return detail::bits_of_batch(queries, options, [&](const PosedModels& query) {
    return static_cast<bool>(within(query.a, query.b, query.b_in_a, distance, each));
  });
}

}  // namespace

std::vector<DistanceResult> distance_batch(const Model& a, const Model& b,
                                           std::span<const Pose> b_in_a,
                                           const DistanceOptions& options) {
  return distances(TwoModels(a, b, b_in_a), options);
}

std::vector<DistanceResult> distance_batch(std::span<const Model> models,
                                           std::span<const BatchQuery> queries,
                                           const DistanceOptions& options) {
  return distances(ManyModels(models, queries), options);
}

BatchBits within_batch(const Model& a, const Model& b, std::span<const Pose> b_in_a,
                       double distance, const BatchOptions& options) {
  return all_within(TwoModels(a, b, b_in_a), distance, options);
}

BatchBits within_batch(std::span<const Model> models, std::span<const BatchQuery> queries,
                       double distance, const BatchOptions& options) {
  return all_within(ManyModels(models, queries), distance, options);
}

}  // namespace tandem
