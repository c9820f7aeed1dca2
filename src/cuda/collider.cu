// Queries between models on a device: what all methods share.
#include <tandem/cuda/collide.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "cuda/check.h"
#include "cuda/collision_method.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/download_pairs.h"
#include "cuda/on_stream.h"
#include "gpu/order_pairs.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

/// So many queries are counted at a time.
constexpr std::size_t k_most_counted = std::size_t{1} << 24;

}  // namespace

std::unique_ptr<CollisionMethod> make_method(std::span<const Model> models,
                                             const ColliderOptions& options, const Place& place) {
  switch (options.method) {
    case CollideMethod::waves:
      return make_waves(models, options.memory_limit, place);
    case CollideMethod::blocked:
      return make_blocked(models, place, options.blocked);
    case CollideMethod::stackless:
      return make_stackless(models, place, options.stackless);
  }
  throw Error("there is no such method to collide models on a device");
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
  std::unique_ptr<CollisionMethod> method;

  /// Calls `use(first, count, found)` for parts of the queries that are small enough: their keys
  /// have at most 64 bits, and their pairs can be counted.
  template <class Use>
  void for_each_part(std::span<const BatchQuery> queries, const Use& use) {
    check_device(device);
    inside::check_queries(model_count, queries);
    const std::size_t most = std::size_t{1} << std::min(64 - 2 * triangle_bits, 24);
    std::size_t first = 0;
    std::size_t size = most;
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
      size = most;
    }
  }

  FoundPairs find(std::span<const BatchQuery> queries) {
    DeviceArray<BatchQuery> on_device(queries.size(), place);
    on_device.copy_from(queries.data());
    return method->find(on_device.data(), static_cast<std::uint32_t>(queries.size()), place);
  }

  /// The counts of all queries, where the method needs no pairs for that.
  std::optional<std::vector<std::uint64_t>> count_alone(std::span<const BatchQuery> queries,
                                                        bool first_only) {
    check_device(device);
    inside::check_queries(model_count, queries);
    std::vector<std::uint64_t> result(queries.size());
    for (std::size_t first = 0; first < queries.size(); first += k_most_counted) {
      const std::size_t size = std::min(k_most_counted, queries.size() - first);
      DeviceArray<BatchQuery> on_device(size, place);
      DeviceArray<unsigned long long> counts(size, place);
      on_device.copy_from(queries.data() + first);
      if (!method->count(on_device.data(), static_cast<std::uint32_t>(size), first_only,
                         counts.data(), place)) {
        return std::nullopt;
      }
      std::vector<unsigned long long> on_host(size);
      counts.copy_to(on_host.data());
      wait();
      std::copy(on_host.begin(), on_host.end(),
                result.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return result;
  }

  void wait() const { check(cudaStreamSynchronize(place.stream), "collide models"); }
};

Collider::Collider(std::span<const Model> models, const ColliderOptions& options,
                   const Place& place) {
  require_device();
  std::size_t most_triangles = 0;
  for (const Model& model : models) {
    most_triangles = std::max(most_triangles, model.mesh().triangle_count());
  }
  state_ = std::make_unique<State>(State{.place = place,
                                         .model_count = models.size(),
                                         .triangle_bits = bits_for(most_triangles),
                                         .method = make_method(models, options, place)});
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
  if (auto counts = state_->count_alone(queries, false)) return *std::move(counts);
  std::vector<std::uint64_t> result(queries.size());
  state_->for_each_part(queries, [&](std::size_t first, std::uint32_t count,
                                     const FoundPairs& found) {
    OnStream on(state_->place);
    const auto counts = on.zeros<std::uint32_t>(count);
    const auto pair_count = static_cast<std::uint32_t>(found.count);
    if (pair_count > 0) {
      on.launch(detail::CountFoundPairs{found.pairs, pair_count, counts.data()}, pair_count);
    }
    std::vector<std::uint32_t> on_host(count);
    counts.copy_to(on_host.data());
    state_->wait();
    std::copy(on_host.begin(), on_host.end(), result.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return result;
}

BatchBits Collider::intersects(std::span<const BatchQuery> queries) {
  const auto alone = state_->count_alone(queries, true);
  const std::vector<std::uint64_t> counts = alone ? *alone : count(queries);
  BatchBits result(queries.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) result.set(i);
  }
  return result;
}

FoundPairs Collider::find(const BatchQuery* queries, std::uint32_t count, const Place& place) {
  check_device(state_->device);
  return state_->method->find(queries, count, place);
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
