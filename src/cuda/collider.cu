// Queries between models on a device: what all methods share.
#include <tandem/cuda/collide.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "cuda/check.h"
#include "cuda/collision_method.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/distance/distances.h"
#include "cuda/download_pairs.h"
#include "cuda/meshes/mesh_copies.h"
#include "cuda/on_stream.h"
#include "gpu/order_pairs.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

/// So many queries are counted at a time.
constexpr std::size_t k_most_counted = std::size_t{1} << 24;
/// So many distances are found at a time.
constexpr std::size_t k_most_distances = std::size_t{1} << 22;
/// So many pairs are brought to the host at a time, or about as many.
constexpr std::uint64_t k_many_pairs = std::uint64_t{1} << 28;

/// Throws unless a distance is at least 0.
void check_distance(const char* what, double distance) {
  if (distance >= 0) return;
  throw Error(std::string(what) + " must be at least 0, and is " +
              (std::isnan(distance) ? "not a number" : "negative"));
}

/// How waves search, if the method is one of theirs.
std::optional<detail::WaveWay> wave_way(CollideMethod method) {
  switch (method) {
    case CollideMethod::best:
      return detail::WaveWay::best;
    case CollideMethod::waves:
      return detail::WaveWay::levels;
    case CollideMethod::warps:
      return detail::WaveWay::warps;
    default:
      return std::nullopt;
  }
}

BatchBits those_not_zero(std::span<const unsigned long long> numbers) {
  BatchBits result(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != 0) result.set(i);
  }
  return result;
}

}  // namespace

std::unique_ptr<CollisionMethod> make_method(std::span<const Model> models,
                                             const ColliderOptions& options, const Place& place) {
  if (const auto way = wave_way(options.method)) {
    return make_waves(models, *way, options, place);
  }
  if (options.method == CollideMethod::blocked) return make_blocked(models, place, options.blocked);
  if (options.method == CollideMethod::stackless) {
    return make_stackless(models, place, options.stackless);
  }
  throw Error("there is no such method to collide models on a device");
}

std::unique_ptr<CollisionMethod> make_method(std::span<const DeviceMesh> meshes,
                                             const ColliderOptions& options, const Place& place) {
  const auto way = wave_way(options.method);
  if (!way) throw Error("a device builds models for the methods best, waves and warps alone");
  return make_waves(meshes, *way, options, place);
}

FoundOfMade CollisionMethod::find_made(const detail::MadeQueries& made, const MakeQueries& make,
                                       const Place& place) {
  if (make) make(place);
  FoundOfMade result;
  result.query_count = OnStream(place).read(std::array{made.count})[0];
  if (result.query_count <= made.room) {
    result.found = find(made.queries, result.query_count, place);
  }
  return result;
}

struct Collider::State {
  Place place;
  int device = current_device();
  std::size_t model_count = 0;
  /// For the ids of triangles.
  int triangle_bits = 0;
  /// Of each model: whether it has no triangles.
  std::vector<bool> is_empty = {};
  std::unique_ptr<CollisionMethod> method;

  /// Calls `use(first, count, found)` for parts of the queries that are small enough: their keys
  /// have at most 64 bits, and their pairs can be counted. How many queries those have is judged by
  /// the ones before.
  template <class Use>
  void for_each_part(std::span<const BatchQuery> queries, const Use& use) {
    check_device(device);
    inside::check_queries(model_count, queries);
    const std::size_t most = std::size_t{1} << std::min(64 - 2 * triangle_bits, 24);
    std::size_t first = 0;
    std::size_t size = std::min(most, std::size_t{1} << 16);
    std::uint64_t pair_count = 0;
    while (first < queries.size()) {
      const auto count = static_cast<std::uint32_t>(std::min(size, queries.size() - first));
      const FoundPairs found = find(queries.subspan(first, count));
      if (found.count > k_most_ordered_pairs) {
        if (count == 1) {
          throw Error("query " + std::to_string(first) + " has " + std::to_string(found.count) +
                      " pairs; a device can return " + std::to_string(k_most_ordered_pairs));
        }
        size = count / 2;
        continue;
      }
      use(first, count, found);
      first += count;
      pair_count += found.count;
      const std::uint64_t each = pair_count / first + 1;
      size = std::min<std::size_t>(most, k_many_pairs / each + 1);
    }
  }

  FoundPairs find(std::span<const BatchQuery> queries) {
    DeviceArray<BatchQuery> on_device(queries.size(), place);
    on_device.copy_from(queries.data());
    return method->find(on_device.data(), static_cast<std::uint32_t>(queries.size()), place);
  }

  /// Into the memory of the device, where the queries are.
  void count(const BatchQuery* queries, std::uint32_t count, bool first_only,
             unsigned long long* counts, const Place& at) {
    if (method->count(queries, count, first_only, counts, at)) return;
    const FoundPairs found = method->find(queries, count, at);
    check(cudaMemsetAsync(counts, 0, count * sizeof(*counts), at.stream), "clear memory");
    for (std::uint64_t first = 0; first < found.count; first += k_many_pairs) {
      const auto some = static_cast<std::uint32_t>(std::min(k_many_pairs, found.count - first));
      OnStream(at).launch(detail::CountFoundPairs{found.pairs + first, some, counts}, some);
    }
  }

  /// A number for each query, which `find(queries, count, numbers)` puts into the memory of the
  /// device, where these queries are.
  template <class Find>
  std::vector<unsigned long long> numbers_of(std::span<const BatchQuery> queries,
                                             const Find& find) const {
    check_device(device);
    inside::check_queries(model_count, queries);
    std::vector<unsigned long long> result(queries.size());
    for (std::size_t first = 0; first < queries.size(); first += k_most_counted) {
      const std::size_t size = std::min(k_most_counted, queries.size() - first);
      DeviceArray<BatchQuery> on_device(size, place);
      DeviceArray<unsigned long long> numbers(size, place);
      on_device.copy_from(queries.data() + first);
      find(on_device.data(), static_cast<std::uint32_t>(size), numbers.data());
      numbers.copy_to(result.data() + first);
      check(cudaStreamSynchronize(place.stream), "collide models");
    }
    return result;
  }
  std::vector<unsigned long long> count(std::span<const BatchQuery> queries, bool first_only) {
    return numbers_of(queries,
                      [&](const BatchQuery* some, std::uint32_t size, unsigned long long* to) {
                        count(some, size, first_only, to, place);
                      });
  }

  void distance(std::span<const BatchQuery> queries, double limit,
                std::vector<DistanceResult>& results) {
    DeviceArray<BatchQuery> on_device(queries.size(), place);
    on_device.copy_from(queries.data());
    const std::vector<DistanceResult> found = method->distances().find(
        on_device.data(), static_cast<std::uint32_t>(queries.size()), limit, place);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const bool nothing = is_empty[queries[i].a] || is_empty[queries[i].b];
      results.push_back(nothing ? DistanceResult{} : found[i]);
    }
  }

  void within(const BatchQuery* queries, std::uint32_t count, double distance,
              unsigned long long* any, const Place& at) {
    if (distance == 0) {
      method->distances();  // for methods that have none
      method->count(queries, count, true, any, at);
    } else {
      method->distances().run(queries, count, {.any = any, .within = distance}, at);
    }
  }
};

Collider::Collider(std::span<const Model> models, const ColliderOptions& options,
                   const Place& place) {
  require_device();
  std::size_t most_triangles = 0;
  std::vector<bool> is_empty;
  for (const Model& model : models) {
    most_triangles = std::max(most_triangles, model.mesh().triangle_count());
    is_empty.push_back(model.mesh().empty());
  }
  state_ = std::make_unique<State>(State{.place = place,
                                         .model_count = models.size(),
                                         .triangle_bits = bits_for(most_triangles),
                                         .is_empty = std::move(is_empty),
                                         .method = make_method(models, options, place)});
}

Collider::Collider(std::span<const Mesh> meshes, const ColliderOptions& options,
                   const Place& place) {
  require_device();
  const MeshCopies copies(meshes, place);
  *this = Collider(copies.views(), options, place);
}

Collider::Collider(std::span<const DeviceMesh> meshes, const ColliderOptions& options,
                   const Place& place) {
  require_device();
  std::size_t most_triangles = 0;
  std::vector<bool> is_empty;
  for (const DeviceMesh& mesh : meshes) {
    most_triangles = std::max(most_triangles, mesh.triangle_count);
    is_empty.push_back(mesh.triangle_count == 0);
  }
  state_ = std::make_unique<State>(State{.place = place,
                                         .model_count = meshes.size(),
                                         .triangle_bits = bits_for(most_triangles),
                                         .is_empty = std::move(is_empty),
                                         .method = make_method(meshes, options, place)});
}

Collider::~Collider() = default;
Collider::Collider(Collider&& other) noexcept = default;
Collider& Collider::operator=(Collider&& other) noexcept = default;

BatchResult Collider::collide(std::span<const BatchQuery> queries) {
  BatchResult result;
  result.offsets.resize(queries.size() + 1);
  state_->for_each_part(
      queries, [&](std::size_t first, std::uint32_t count, const FoundPairs& found) {
        download_pairs(found, count, state_->triangle_bits, state_->place, first, result);
      });
  return result;
}

std::vector<std::uint64_t> Collider::count(std::span<const BatchQuery> queries) {
  const std::vector<unsigned long long> counts = state_->count(queries, false);
  return {counts.begin(), counts.end()};
}

BatchBits Collider::intersects(std::span<const BatchQuery> queries) {
  return those_not_zero(state_->count(queries, true));
}

std::vector<DistanceResult> Collider::distance(std::span<const BatchQuery> queries, double limit) {
  check_device(state_->device);
  check_distance("the limit of a distance", limit);
  inside::check_queries(state_->model_count, queries);
  std::vector<DistanceResult> results;
  results.reserve(queries.size());
  for (std::size_t first = 0; first < queries.size(); first += k_most_distances) {
    state_->distance(queries.subspan(first, std::min(k_most_distances, queries.size() - first)),
                     limit, results);
  }
  return results;
}

BatchBits Collider::within(std::span<const BatchQuery> queries, double distance) {
  check_device(state_->device);
  check_distance("the distance of a query", distance);
  return those_not_zero(state_->numbers_of(
      queries, [&](const BatchQuery* some, std::uint32_t size, unsigned long long* to) {
        state_->within(some, size, distance, to, state_->place);
      }));
}

void Collider::distance(const BatchQuery* queries, std::uint32_t count, DeviceDistance* results,
                        double limit, const Place& place) {
  check_device(state_->device);
  check_distance("the limit of a distance", limit);
  state_->method->distances().run(queries, count, {.results = results, .limit = limit}, place);
}

void Collider::within(const BatchQuery* queries, std::uint32_t count, double distance,
                      std::uint64_t* any, const Place& place) {
  check_device(state_->device);
  check_distance("the distance of a query", distance);
  state_->within(queries, count, distance, reinterpret_cast<unsigned long long*>(any), place);
}

FoundPairs Collider::find(const BatchQuery* queries, std::uint32_t count, const Place& place) {
  check_device(state_->device);
  return state_->method->find(queries, count, place);
}

void Collider::refit(std::size_t model, const Vec3f* positions, std::size_t count,
                     const Place& place) {
  check_device(state_->device);
  check_model(model, state_->model_count);
  state_->method->refit(model, positions, count, place);
}

void Collider::refit(std::size_t model, std::span<const Vec3f> positions) {
  check_finite(positions);
  DeviceArray<Vec3f> on_device(positions.size(), state_->place);
  on_device.copy_from(positions.data());
  refit(model, on_device.data(), positions.size(), state_->place);
}

void Collider::count(const BatchQuery* queries, std::uint32_t count, std::uint64_t* counts,
                     const Place& place) {
  check_device(state_->device);
  state_->count(queries, count, false, reinterpret_cast<unsigned long long*>(counts), place);
}

void Collider::intersects(const BatchQuery* queries, std::uint32_t count, std::uint64_t* any,
                          const Place& place) {
  check_device(state_->device);
  state_->count(queries, count, true, reinterpret_cast<unsigned long long*>(any), place);
}

std::vector<CollideStep> Collider::measure(std::span<const BatchQuery> queries) {
  std::vector<CollideStep> steps;
  struct Measuring {
    CollisionMethod& method;
    ~Measuring() { method.measure(nullptr); }
  };
  state_->method->measure(&steps);
  const Measuring measuring{*state_->method};
  state_->for_each_part(queries, [](std::size_t, std::uint32_t, const FoundPairs&) {});
  return steps;
}

std::size_t Collider::model_bytes() const {
  return state_->method->model_bytes();
}

std::size_t Collider::query_bytes() const {
  return state_->method->query_bytes();
}

}  // namespace tandem::cuda
