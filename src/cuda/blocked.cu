// Collides models by blocked hierarchies, as the blocked tandem paper does.
#include <tandem/error.h>

#include <limits>
#include <map>
#include <string>
#include <type_traits>

#include "cuda/collision_method.h"
#include "cuda/device_array.h"
#include "cuda/on_stream.h"
#include "cuda/stopwatch.h"
#include "gpu/blocked/find_pairs.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

using detail::BlockedBox;
using detail::BlockedForest;
using detail::BlockedObb;
using detail::BlockedStep;

/// In the order of `BlockedStep`.
constexpr const char* k_phases[] = {"begin", "boxes", "sums", "collect", "triangles"};

/// Measures each step by itself.
class MeasuredSteps {
 public:
  MeasuredSteps(std::vector<CollideStep>* steps, const Place& place)
      : steps_(steps), place_(place) {}

  template <class Work>
  void run(BlockedStep step, int level, std::uint64_t items, std::uint64_t bytes,
           const Work& work) const {
    if (steps_ == nullptr) return work();
    Stopwatch stopwatch;
    const double seconds = stopwatch.seconds(place_, work);
    steps_->push_back({k_phases[static_cast<int>(step)], level, items, bytes, seconds});
  }

 private:
  std::vector<CollideStep>* steps_;
  Place place_;
};

template <class V>
detail::BlockedTree<V> tree_of(const Model& model, BlockedBuilder builder) {
  if constexpr (std::is_same_v<V, BlockedBox>) {
    return inside::blocked_boxes(model, builder);
  } else {
    return inside::blocked_obbs(model, builder);
  }
}

/// The hierarchies of all models; that of a model which is there twice is made once.
template <class V>
BlockedForest<V> forest_of(std::span<const Model> models, BlockedBuilder builder) {
  std::size_t triangle_count = 0;
  for (const Model& model : models) triangle_count += model.mesh().triangle_count();
  // Nodes and triangles have indices of 32 bits; there are at most two blocks per triangle.
  if (triangle_count >= std::numeric_limits<std::int32_t>::max()) {
    throw Error("blocked hierarchies hold fewer than 2^31 triangles on a device; there are " +
                std::to_string(triangle_count));
  }
  BlockedForest<V> forest;
  std::map<std::uint64_t, std::size_t> known;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto [at, is_new] = known.emplace(inside::identity(models[i]), i);
    if (is_new) {
      forest.add(tree_of<V>(models[i], builder));
    } else {
      forest.add_again(at->second);
    }
  }
  return forest;
}

template <class V, class Flags, class Test>
class Blocked : public CollisionMethod {
 public:
  Blocked(const BlockedForest<V>& forest, const BlockedOptions& options, const Place& place)
      : most_at_once_(options.most_at_once),
        quads_(forest.quads.size(), place),
        triangles_(forest.triangles.size(), place),
        roots_(forest.roots.size(), place) {
    quads_.copy_from(forest.quads.data());
    triangles_.copy_from(forest.triangles.data());
    roots_.copy_from(forest.roots.data());
    quads_.free_in(nullptr);
    triangles_.free_in(nullptr);
    roots_.free_in(nullptr);
    // The forest goes when this returns.
    check(cudaStreamSynchronize(place.stream), "copy to the device");
  }

  FoundPairs find(const BatchQuery* queries, std::uint32_t count, const Place& place) override {
    OnStream on(place);
    detail::BlockedFinder<OnStream, V, Flags, Test, MeasuredSteps> finder(
        on, {quads_.data(), triangles_.data(), roots_.data()}, memory_, most_at_once_,
        MeasuredSteps(steps_, place));
    return finder.find(queries, count);
  }

  std::size_t model_bytes() const override {
    return quads_.bytes() + triangles_.bytes() + roots_.bytes();
  }
  std::size_t query_bytes() const override { return memory_.bytes(); }

 private:
  std::uint32_t most_at_once_;
  DeviceArray<detail::NodeQuad> quads_;
  DeviceArray<detail::BlockedTriangle> triangles_;
  DeviceArray<detail::BlockedRoot> roots_;
  detail::BlockedMemory<OnStream, Flags> memory_;
};

// One choice after the other.

template <class V, class Flags>
std::unique_ptr<CollisionMethod> with_flags(const BlockedForest<V>& forest,
                                            const BlockedOptions& options, const Place& place) {
  if (options.triangle_test == BlockedTriangleTest::separating_axes) {
    return std::make_unique<Blocked<V, Flags, detail::AxesTriangleTest>>(forest, options, place);
  }
  return std::make_unique<Blocked<V, Flags, detail::ExactTriangleTest>>(forest, options, place);
}

template <class V>
std::unique_ptr<CollisionMethod> with_volume(std::span<const Model> models,
                                             const BlockedOptions& options, const Place& place) {
  const BlockedForest<V> forest = forest_of<V>(models, options.builder);
  return options.flags == BlockedFlags::bytes
             ? with_flags<V, detail::ByteFlags>(forest, options, place)
             : with_flags<V, detail::BitFlags>(forest, options, place);
}

}  // namespace

std::unique_ptr<CollisionMethod> make_blocked(std::span<const Model> models, const Place& place,
                                              const BlockedOptions& options) {
  return options.volume == BlockedVolume::obb ? with_volume<BlockedObb>(models, options, place)
                                              : with_volume<BlockedBox>(models, options, place);
}

}  // namespace tandem::cuda
