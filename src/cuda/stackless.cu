// Collides models by stackless walks, the traversals of the stackless tandem paper.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "cuda/collision_method.h"
#include "cuda/device_array.h"
#include "cuda/on_stream.h"
#include "gpu/stackless/find_pairs.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

using detail::WalkForest;

/// The trees of all models; that of a model which is there twice is copied once.
WalkForest forest_of(std::span<const Model> models) {
  WalkForest forest;
  std::map<std::uint64_t, std::size_t> known;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto [at, is_new] = known.emplace(inside::identity(models[i]), i);
    if (is_new) {
      forest.add(inside::pre_indexed_boxes(models[i]), models[i].mesh());
    } else {
      forest.add_again(at->second);
    }
  }
  return forest;
}

template <class Walks>
class Stackless : public CollisionMethod {
 public:
  Stackless(const WalkForest& forest, std::size_t model_count, const StacklessOptions& options,
            const Place& place)
      : limits_{.least_walks = options.least_walks, .first_visits = options.first_visits},
        arity_(forest.arity()),
        nodes_(forest.nodes.size(), place),
        fields_(forest.fields.size(), place),
        mean_sizes_(forest.mean_sizes.size(), place),
        triangles_(forest.triangles.size(), place),
        models_(model_count, place) {
    const std::vector<detail::WalkModel> models =
        forest.models(nodes_.data(), fields_.data(), mean_sizes_.data(), triangles_.data());
    put(forest.nodes.data(), nodes_);
    put(forest.fields.data(), fields_);
    put(forest.mean_sizes.data(), mean_sizes_);
    put(forest.triangles.data(), triangles_);
    put(models.data(), models_);
    // What is copied goes when this returns.
    check(cudaStreamSynchronize(place.stream), "copy to the device");
  }

  FoundPairs find(const BatchQuery* queries, std::uint32_t count, const Place& place) override {
    OnStream on(place);
    detail::WalkFinder<OnStream, Walks> finder(on, models_.data(), arity_, memory_, limits_);
    return finder.find(queries, count);
  }

  std::size_t model_bytes() const override {
    return nodes_.bytes() + fields_.bytes() + mean_sizes_.bytes() + triangles_.bytes() +
           models_.bytes();
  }
  std::size_t query_bytes() const override { return memory_.bytes(); }

 private:
  /// Arrays may outlive the stream that they are made in.
  template <class T>
  static void put(const T* from, DeviceArray<T>& to) {
    to.copy_from(from);
    to.free_in(nullptr);
  }

  detail::WalkLimits limits_;
  int arity_;
  DeviceArray<detail::TreeNode<detail::Aabb>> nodes_;
  DeviceArray<detail::StacklessFields> fields_;
  DeviceArray<double> mean_sizes_;
  DeviceArray<TriangleF> triangles_;
  DeviceArray<detail::WalkModel> models_;
  detail::WalkMemory<OnStream, Walks> memory_;
};

}  // namespace

std::unique_ptr<CollisionMethod> make_stackless(std::span<const Model> models, const Place& place,
                                                const StacklessOptions& options) {
  const WalkForest forest = forest_of(models);
  if (options.order == StacklessOrder::alternating) {
    return std::make_unique<Stackless<detail::AlternatingWalks>>(forest, models.size(), options,
                                                                 place);
  }
  if (options.order == StacklessOrder::scheduled) {
    return std::make_unique<Stackless<detail::ScheduledWalks>>(forest, models.size(), options,
                                                               place);
  }
  return std::make_unique<Stackless<detail::TrailWalks>>(forest, models.size(), options, place);
}

}  // namespace tandem::cuda
