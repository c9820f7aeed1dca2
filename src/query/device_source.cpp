#include "query/device_source.h"

#include "parallel/parallel_for.h"
#include "query/model_access.h"
#include "structure/rays.h"
#include "structure/stored.h"
#include "structure/wide.h"

namespace tandem::inside {

using detail::structures_of;

detail::RayPairView ray_pairs(const Model& model) {
  return structures_of(model).get<detail::RayPairTree>().view();
}

detail::KeyedRayTreeView ray_binary(const Model& model) {
  return {structures_of(model).get<detail::RayTree>().view(),
          structures_of(model).get<detail::NodeKeys>().view()};
}

detail::WideRayTreeView ray_wide(const Model& model) {
  return structures_of(model).get<detail::WideRayTree>().view();
}

const detail::WideTree& wide(const Model& model) {
  return structures_of(model).get<detail::WideStructure>().tree();
}

detail::PreIndexedView<detail::Aabb> pre_indexed_boxes(const Model& model) {
  return structures_of(model).get<detail::PreIndexedTree<detail::Aabb>>().view();
}

std::uint64_t identity(const Model& model) {
  return structures_of(model).identity();
}

namespace {

template <class V>
detail::BlockedTree<V> blocked_tree(const Model& model, cuda::BlockedBuilder builder) {
  const detail::Structures& structures = structures_of(model);
  return detail::fit_blocked<V>(
      structures.mesh(),
      builder == cuda::BlockedBuilder::plain
          ? detail::plain_blocked_shape(structures.mesh())
          : detail::full_blocked_shape(structures.get<detail::WideStructure>().view()));
}

}  // namespace

detail::BlockedTree<detail::BlockedBox> blocked_boxes(const Model& model,
                                                      cuda::BlockedBuilder builder) {
  return blocked_tree<detail::BlockedBox>(model, builder);
}

detail::BlockedTree<detail::BlockedObb> blocked_obbs(const Model& model,
                                                     cuda::BlockedBuilder builder) {
  return blocked_tree<detail::BlockedObb>(model, builder);
}

void for_each_on_threads(std::size_t count, FunctionRef<void(std::size_t)> work) {
  detail::parallel_for(count, 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) work(i);
  });
}

}  // namespace tandem::inside
