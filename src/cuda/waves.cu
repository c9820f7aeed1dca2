// The usual way to collide models on a device: waves through wide trees.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/check.h"
#include "cuda/collision_method.h"
#include "cuda/device_array.h"
#include "cuda/on_waves.h"
#include "gpu/waves/pack.h"
#include "gpu/waves/search.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

/// The arrays of `WaveModels` on a device.
class DeviceWaveModels {
 public:
  DeviceWaveModels(detail::PackedWaveModels packed, const Place& place)
      : models_(packed.models.size(), place),
        blocks_(packed.blocks.size(), place),
        leaves_(packed.leaves.size(), place),
        triangles_(packed.triangles.size(), place),
        supports_(packed.supports.size(), place),
        own_triangles_(packed.own_triangles.size(), place) {
    packed.point_to(supports_.data(), own_triangles_.data());
    fill(models_, packed.models.data());
    fill(blocks_, packed.blocks.data());
    fill(leaves_, packed.leaves.data());
    fill(triangles_, packed.triangles.data());
    fill(supports_, packed.supports.data());
    fill(own_triangles_, packed.own_triangles.data());
    check(cudaStreamSynchronize(place.stream), "copy models to the device");
  }

  detail::WaveModels view() const {
    return {models_.data(), blocks_.data(), leaves_.data(), triangles_.data()};
  }
  std::size_t bytes() const {
    return models_.bytes() + blocks_.bytes() + leaves_.bytes() + triangles_.bytes() +
           supports_.bytes() + own_triangles_.bytes();
  }

 private:
  template <class T>
  static void fill(DeviceArray<T>& array, const T* from) {
    array.copy_from(from);
    array.free_in(nullptr);
  }

  DeviceArray<detail::WaveModel> models_;
  DeviceArray<detail::HalfBlock> blocks_;
  DeviceArray<detail::HalfLeaf> leaves_;
  DeviceArray<detail::WaveTriangle> triangles_;
  DeviceArray<float> supports_;
  DeviceArray<TriangleF> own_triangles_;
};

/// Unless the caller sets a limit, queues may take this share of the device's memory.
std::size_t usual_limit() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "tell how much memory a device has");
  return total / 4;
}

detail::PackedWaveModels pack(std::span<const Model> models) {
  std::vector<detail::WaveSource> sources;
  for (const Model& model : models) sources.push_back({&model.mesh(), &inside::wide(model)});
  return detail::PackedWaveModels(sources, inside::for_each_on_threads);
}

class Waves final : public CollisionMethod {
 public:
  Waves(detail::PackedWaveModels packed, detail::WaveWay way, std::size_t memory_limit,
        const Place& place)
      : shape_(packed.shape),
        models_(std::move(packed), place),
        search_(models_.view(), shape_,
                {.most_bytes = memory_limit != 0 ? memory_limit : usual_limit()}, way) {}

  FoundPairs find(const BatchQuery* queries, std::uint32_t count, const Place& place) override {
    OnWaves on(place, repeated_, steps_);
    search_.run(on, queries, count);
    if (steps_ != nullptr) describe_steps();
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
  std::size_t model_bytes() const override { return models_.bytes(); }
  std::size_t query_bytes() const override { return search_.bytes(); }

 private:
  /// Adds levels and items to the steps of the last search. One that had to go on in small steps
  /// has many for each level, and their items are not known.
  void describe_steps() {
    std::size_t first = steps_->size();
    while (first > 0 && std::string_view((*steps_)[first - 1].phase) != "set up") --first;
    const std::size_t most = static_cast<std::size_t>(shape_.wave_count) + 4;
    const bool all_known = steps_->size() - first <= most;
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
      step.items = search_.summary().entries[queue];
    }
  }

  detail::WaveShape shape_;
  DeviceWaveModels models_;
  detail::WaveSearch<OnWaves> search_;
  RepeatedLaunches repeated_;
};

}  // namespace

std::unique_ptr<CollisionMethod> make_waves(std::span<const Model> models, detail::WaveWay way,
                                            std::size_t memory_limit, const Place& place) {
  return std::make_unique<Waves>(pack(models), way, memory_limit, place);
}

}  // namespace tandem::cuda
