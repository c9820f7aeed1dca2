// The usual way to collide models on a device: waves through wide trees.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "cuda/check.h"
#include "cuda/collision_method.h"
#include "cuda/distance/distances.h"
#include "cuda/on_waves.h"
#include "cuda/wave_models.h"
#include "gpu/waves/search.h"

namespace tandem::cuda {
namespace {

/// Unless the caller sets a limit, queues may take this share of the device's memory.
std::size_t usual_limit() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "tell how much memory a device has");
  return total / 4;
}

class Waves final : public CollisionMethod {
 public:
  Waves(DeviceWaveModels models, detail::WaveWay way, const ColliderOptions& options)
      : models_(std::move(models)),
        shape_(models_.shape()),
        way_(way),
        most_bytes_(options.memory_limit != 0 ? options.memory_limit : usual_limit()),
        search_(models_.view(), shape_, {.most_bytes = most_bytes_}, way) {}

  FoundPairs find(const BatchQuery* queries, std::uint32_t count, const Place& place) override {
    OnWaves on(place, repeated_, steps_);
    search_.run(on, queries, count);
    if (steps_ != nullptr) describe_steps(on, count);
    return {search_.found(), search_.found_count()};
  }
  FoundOfMade find_made(const detail::MadeQueries& made, const MakeQueries& make,
                        const Place& place) override {
    if (made.room > detail::WaveSearch<OnWaves>::k_most_queries) {
      return CollisionMethod::find_made(made, make, place);
    }
    OnWaves on(place, repeated_);
    std::function<void(OnWaves&)> make_on;
    if (make) make_on = [&](OnWaves& at) { make(at.place()); };
    const std::uint32_t count = search_.run_made(on, made, make_on);
    return {count, {search_.found(), search_.found_count()}};
  }
  bool count(const BatchQuery* queries, std::uint32_t count, bool first_only,
             unsigned long long* counts, const Place& place) override {
    OnWaves on(place, repeated_);
    if (!search_.run(on, queries, count, {.per_query = counts, .first_only = first_only})) {
      check(cudaMemsetAsync(counts, 0, count * sizeof(*counts), place.stream), "clear memory");
    }
    return true;
  }
  Distances& distances() override {
    if (!distances_) {
      distances_ = std::make_unique<Distances>(models_.view(), way_, most_bytes_);
    }
    return *distances_;
  }
  void refit(std::size_t model, const Vec3f* positions, std::size_t count,
             const Place& place) override {
    models_.refit(model, positions, count, place);
  }
  void copy_trees(detail::WideTreeView* to, const Place& place) const override {
    models_.copy_trees(to, place);
  }
  std::size_t model_bytes() const override { return models_.bytes(); }
  std::size_t query_bytes() const override {
    return search_.bytes() + (distances_ ? distances_->bytes() : 0);
  }

 private:
  /// Adds levels and items to the steps of the last search. One that had to go on in small steps
  /// has many for each level, and their items are not known.
  void describe_steps(OnWaves& on, std::uint32_t query_count) {
    std::size_t first = steps_->size();
    while (first > 0 && std::string_view((*steps_)[first - 1].phase) != "set up") --first;
    const std::size_t most = static_cast<std::size_t>(shape_.wave_count) + 4;
    const bool all_known = steps_->size() - first <= most;
    const detail::WaveSummary summary = search_.summary(on);
    int level = shape_.wave_count;
    for (std::size_t i = steps_->size(); i-- > first;) {
      CollideStep& step = (*steps_)[i];
      step.level = shape_.wave_count;
      if (!all_known) continue;
      const std::string_view phase = step.phase;
      const int queue = phase == "exact"     ? detail::k_hard_queue
                        : phase == "doubles" ? detail::k_undecided_queue
                        : phase == "leaves"  ? shape_.wave_count
                        : phase == "warps"   ? 0
                                             : --level;
      if (phase == "blocks") step.level = level;
      step.items = summary.entries[queue];
    }
    if (first > 0) (*steps_)[first - 1].items = query_count;
  }

  DeviceWaveModels models_;
  detail::WaveShape shape_;
  detail::WaveWay way_;
  std::size_t most_bytes_;
  detail::WaveSearch<OnWaves> search_;
  RepeatedLaunches repeated_;
  std::unique_ptr<Distances> distances_;
};

}  // namespace

std::unique_ptr<CollisionMethod> make_waves(std::span<const Model> models, detail::WaveWay way,
                                            const ColliderOptions& options, const Place& place) {
  return std::make_unique<Waves>(DeviceWaveModels(models, place), way, options);
}
std::unique_ptr<CollisionMethod> make_waves(std::span<const DeviceMesh> meshes, detail::WaveWay way,
                                            const ColliderOptions& options, const Place& place) {
  return std::make_unique<Waves>(DeviceWaveModels(meshes, options.builder, place), way, options);
}

}  // namespace tandem::cuda
