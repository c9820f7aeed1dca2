#include "cuda/distance/distances.h"

#include <tandem/triangle.h>

#include <cmath>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/distance/on_distances.h"
#include "gpu/distance/search.h"
#include "query/device_source.h"

namespace tandem::cuda {

struct Distances::State {
  detail::DistanceSearch<OnDistances> search;
  RepeatedLaunches repeated = {};
};

Distances::Distances(const detail::WaveModels& models, detail::WaveWay way, std::size_t most_bytes)
    : state_(
          new State{detail::DistanceSearch<OnDistances>(models, {.most_bytes = most_bytes}, way)}) {
}
Distances::~Distances() = default;

void Distances::run(const BatchQuery* queries, std::uint32_t count,
                    const detail::DistanceQuestion& question, const Place& place) {
  OnDistances on(place, state_->repeated);
  state_->search.run(on, queries, count, question);
}

std::vector<DistanceResult> Distances::find(const BatchQuery* queries, std::uint32_t count,
                                            double limit, const Place& place) {
  DeviceArray<DeviceDistance> found(count, place);
  run(queries, count, {.results = found.data(), .limit = limit}, place);
  std::vector<DeviceDistance> on_host(count);
  found.copy_to(on_host.data());
  check(cudaStreamSynchronize(place.stream), "find distances");
  std::vector<DistanceResult> results(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    DistanceResult& result = results[i];
    const DeviceDistance& from = on_host[i];
    result.lower_bound = limit;
    if (!std::isfinite(from.distance)) continue;
    result.distance = result.lower_bound = from.distance;
    result.pair = from.pair;
    result.on_a = from.on_a;
    result.on_b = from.on_b;
    result.normal = from.normal;
  }
  share_points(queries, results, place);
  return results;
}

/// What triangles share that touch: the host computes it.
void Distances::share_points(const BatchQuery* queries, std::vector<DistanceResult>& results,
                             const Place& place) const {
  std::vector<std::uint32_t> touching;
  for (std::uint32_t i = 0; i < results.size(); ++i) {
    if (results[i].distance == 0) touching.push_back(i);
  }
  if (touching.empty()) return;
  DeviceArray<std::uint32_t> which(touching.size(), place);
  DeviceArray<Triangle> placed(2 * touching.size(), place);
  which.copy_from(touching.data());
  OnDistances on(place, state_->repeated);
  state_->search.place_touching(on, queries, which.data(),
                                static_cast<std::uint32_t>(touching.size()), placed.data());
  std::vector<Triangle> triangles(2 * touching.size());
  placed.copy_to(triangles.data());
  check(cudaStreamSynchronize(place.stream), "find distances");
  inside::for_each_on_threads(touching.size(), [&](std::size_t i) {
    const TriangleDistance at = tandem::distance(triangles[2 * i], triangles[2 * i + 1]);
    results[touching[i]].on_a = at.on_a;
    results[touching[i]].on_b = at.on_b;
  });
}

std::size_t Distances::bytes() const {
  return state_->search.bytes();
}

}  // namespace tandem::cuda
