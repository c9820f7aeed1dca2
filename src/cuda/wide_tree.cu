#include "cuda/wide_tree.h"

#include <algorithm>

#include "cuda/check.h"
#include "cuda/on_stream.h"
#include "gpu/build_wide.h"

namespace tandem::cuda {
namespace {

std::size_t slot_count(const detail::FullWideLevels& levels) {
  return std::size_t{detail::k_block} * levels.leaf_count();
}

detail::MeshFrame copied(const DeviceArray<detail::MeshFrame>& frame, Stream stream) {
  detail::MeshFrame result;
  frame.copy_to(&result);
  check(cudaStreamSynchronize(stream), "build a tree");
  return result;
}

}  // namespace

BuiltWideTree::BuiltWideTree(const DeviceMesh& mesh, const Place& place)
    : levels_(static_cast<std::uint32_t>(mesh.triangle_count)),
      blocks_(levels_.block_count(), place),
      boxes_(levels_.leaf_count(), place),
      corners_(slot_count(levels_), place),
      ids_(slot_count(levels_), place),
      frame_(1, place),
      support_(detail::SupportMap::k_size, place),
      stream_(place.stream) {
  OnStream on(place);
  detail::WideTreeBuilder builder(on, {mesh.vertices, mesh.triangles, levels_.triangle_count},
                                  {blocks_.data(), boxes_.data(), corners_.data(), ids_.data(),
                                   frame_.data(), support_.data()});
  builder.build();
}

detail::WideTreeView BuiltWideTree::view() const {
  const detail::MeshFrame frame = copied(frame_, stream_);
  detail::WideTreeView view{.blocks = blocks_.data(),
                            .boxes = boxes_.data(),
                            .corners = corners_.data(),
                            .ids = ids_.data(),
                            .leaf_count = levels_.leaf_count(),
                            .level_count = levels_.count};
  frame.put_into(view);
  view.support = detail::SupportMap(support_.data(), detail::power_of_two(frame.exponent));
  std::copy(std::begin(levels_.begin), std::end(levels_.begin), view.level_begin);
  return view;
}

detail::WideTree BuiltWideTree::copy() const {
  detail::WideTree tree;
  tree.blocks.resize(levels_.block_count());
  tree.boxes.resize(levels_.leaf_count());
  tree.corners.resize(slot_count(levels_));
  tree.ids.resize(slot_count(levels_));
  tree.support.resize(detail::SupportMap::k_size);
  tree.level_count = levels_.count;
  std::copy(std::begin(levels_.begin), std::end(levels_.begin), tree.level_begin);
  blocks_.copy_to(tree.blocks.data());
  boxes_.copy_to(tree.boxes.data());
  corners_.copy_to(tree.corners.data());
  ids_.copy_to(tree.ids.data());
  support_.copy_to(tree.support.data());
  copied(frame_, stream_).put_into(tree);
  return tree;
}

std::size_t BuiltWideTree::bytes() const {
  return blocks_.bytes() + boxes_.bytes() + corners_.bytes() + ids_.bytes() + support_.bytes();
}

}  // namespace tandem::cuda
