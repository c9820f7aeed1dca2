#include "scene/box_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "parallel/parallel_for.h"
#include "query/sort_pairs.h"

namespace tandem::detail {
namespace {

/// It is built anew when it costs this much more than when it was built.
constexpr double k_worse = 1.5;

WorldBox nothing() {
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  return {{k_infinity, k_infinity, k_infinity}, {-k_infinity, -k_infinity, -k_infinity}};
}

void add(WorldBox& box, const WorldBox& other) {
  for (int k = 0; k < 3; ++k) {
    box.lower[k] = std::min(box.lower[k], other.lower[k]);
    box.upper[k] = std::max(box.upper[k], other.upper[k]);
  }
}

/// The sum of the sides: how likely it is that a box of the same kind is met. (Products of sides
/// would overflow.)
double size_of(const WorldBox& box) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += std::max(0.0, box.upper[k] - box.lower[k]);
  return sum;
}

}  // namespace

void BoxTree::update(std::span<const WorldBox> boxes) {
  if (boxes.size() != order_.size()) {
    build(boxes);
    return;
  }
  fit(boxes);
  if (cost() > k_worse * cost_when_built_) build(boxes);
}

void BoxTree::build(std::span<const WorldBox> boxes) {
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0U);
  boxes_.resize(boxes.size());
  nodes_.clear();
  if (!boxes.empty()) place(boxes, 0, boxes.size());
  fit(boxes);
  cost_when_built_ = cost();
  ++build_count_;
}

std::uint32_t BoxTree::place(std::span<const WorldBox> boxes, std::size_t begin, std::size_t end) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({nothing(), 0, 0});
  if (end - begin <= k_leaf_size) {
    nodes_[node].link = static_cast<std::uint32_t>(begin);
    nodes_[node].count = static_cast<std::uint32_t>(end - begin);
    return node;
  }
  // Half of them along the axis along which their centres vary most.
  Vec3d least = boxes[order_[begin]].lower + boxes[order_[begin]].upper;
  Vec3d most = least;
  for (std::size_t i = begin; i < end; ++i) {
    const Vec3d centre = boxes[order_[i]].lower + boxes[order_[i]].upper;
    for (int k = 0; k < 3; ++k) {
      least[k] = std::min(least[k], centre[k]);
      most[k] = std::max(most[k], centre[k]);
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (most[k] - least[k] > most[axis] - least[axis]) axis = k;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
    const double x = boxes[a].lower[axis] + boxes[a].upper[axis];
    const double y = boxes[b].lower[axis] + boxes[b].upper[axis];
    return x != y ? x < y : a < b;
  });
  place(boxes, begin, middle);
  nodes_[node].link = place(boxes, middle, end);
  return node;
}

void BoxTree::fit(std::span<const WorldBox> boxes) {
  for (std::size_t i = 0; i < order_.size(); ++i) boxes_[i] = boxes[order_[i]];
  // Backwards: all descendants come after their ancestors.
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.count == 0) {
      node.box = nodes_[i + 1].box;
      add(node.box, nodes_[node.link].box);
      continue;
    }
    node.box = nothing();
    for (std::uint32_t k = 0; k < node.count; ++k) add(node.box, boxes_[node.link + k]);
  }
}

double BoxTree::cost() const {
  double sum = 0;
  for (const Node& node : nodes_) sum += size_of(node.box);
  return sum;
}

void BoxTree::add_pair(std::uint32_t i, std::uint32_t j, double reach,
                       std::vector<ObjectPair>& pairs) const {
  if (!boxes_[i].overlaps(boxes_[j], reach)) return;
  pairs.push_back({std::min(order_[i], order_[j]), std::max(order_[i], order_[j])});
}

void BoxTree::add_pairs_of(std::uint32_t leaf, double reach, std::vector<ObjectPair>& pairs) const {
  const Node& own = nodes_[leaf];
  const std::uint32_t own_end = own.link + own.count;
  for (std::uint32_t i = own.link; i < own_end; ++i) {
    for (std::uint32_t j = i + 1; j < own_end; ++j) add_pair(i, j, reach, pairs);
  }
  std::uint32_t stack[k_most_levels];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t index = stack[--size];
    const Node& node = nodes_[index];
    if (node.count == 0) {
      // All below the first child come before the second one.
      if (nodes_[node.link].box.overlaps(own.box, reach)) stack[size++] = node.link;
      if (node.link > leaf && nodes_[index + 1].box.overlaps(own.box, reach))
        stack[size++] = index + 1;
      continue;
    }
    if (index <= leaf) continue;
    for (std::uint32_t i = own.link; i < own_end; ++i) {
      if (!boxes_[i].overlaps(node.box, reach)) continue;
      for (std::uint32_t j = node.link; j < node.link + node.count; ++j)
        add_pair(i, j, reach, pairs);
    }
  }
}

std::vector<ObjectPair> BoxTree::overlapping_pairs(int threads, double reach) const {
  constexpr std::size_t k_grain = 16;
  std::vector<std::vector<ObjectPair>> found((nodes_.size() + k_grain - 1) / k_grain);
  parallel_for(nodes_.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (nodes_[i].count == 0) continue;
      add_pairs_of(static_cast<std::uint32_t>(i), reach, found[begin / k_grain]);
    }
  });
  return sorted_pairs(std::span(found), threads);
}

void BoxTree::visit(FunctionRef<bool(const WorldBox&)> may_meet,
                    FunctionRef<void(std::uint32_t)> show) const {
  if (nodes_.empty()) return;
  std::uint32_t stack[k_most_levels];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t index = stack[--size];
    const Node& node = nodes_[index];
    if (!may_meet(node.box)) continue;
    if (node.count == 0) {
      stack[size++] = node.link;
      stack[size++] = index + 1;
      continue;
    }
    for (std::uint32_t i = node.link; i < node.link + node.count; ++i) {
      if (may_meet(boxes_[i])) show(order_[i]);
    }
  }
}

}  // namespace tandem::detail
