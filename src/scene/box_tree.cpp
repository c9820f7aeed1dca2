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

void BoxTree::add_pair(std::uint32_t i, std::uint32_t j, std::vector<ObjectPair>& pairs) const {
  if (!boxes_[i].overlaps(boxes_[j])) return;
  pairs.push_back({std::min(order_[i], order_[j]), std::max(order_[i], order_[j])});
}

template <class Divided>
void BoxTree::advance(const Task& task, std::vector<ObjectPair>& pairs,
                      const Divided& divided) const {
  const auto [a, b] = task;
  const Node& x = nodes_[a];
  const Node& y = nodes_[b];
  if (a == b) {
    if (x.count == 0) {
      divided(Task{a + 1, a + 1});
      divided(Task{x.link, x.link});
      divided(Task{a + 1, x.link});
      return;
    }
    for (std::uint32_t i = x.link; i < x.link + x.count; ++i) {
      for (std::uint32_t j = i + 1; j < x.link + x.count; ++j) add_pair(i, j, pairs);
    }
    return;
  }
  if (!x.box.overlaps(y.box)) return;
  if (x.count != 0 && y.count != 0) {
    for (std::uint32_t i = x.link; i < x.link + x.count; ++i) {
      if (!boxes_[i].overlaps(y.box)) continue;
      for (std::uint32_t j = y.link; j < y.link + y.count; ++j) add_pair(i, j, pairs);
    }
    return;
  }
  // The larger one is descended, unless it is a leaf.
  if (y.count != 0 || (x.count == 0 && size_of(x.box) >= size_of(y.box))) {
    divided(Task{a + 1, b});
    divided(Task{x.link, b});
  } else {
    divided(Task{a, b + 1});
    divided(Task{a, y.link});
  }
}

void BoxTree::finish(const Task& task, std::vector<ObjectPair>& pairs) const {
  advance(task, pairs, [&](const Task& smaller) { finish(smaller, pairs); });
}

std::vector<ObjectPair> BoxTree::overlapping_pairs(int threads) const {
  if (nodes_.empty()) return {};
  // Enough tasks for many threads, if there is enough to do; what is found on the way is kept.
  constexpr std::size_t k_enough = 256;
  constexpr std::size_t k_worth = 512;
  std::vector<Task> tasks = {{0, 0}};
  std::vector<ObjectPair> on_the_way;
  while (order_.size() >= k_worth && !tasks.empty() && tasks.size() < k_enough) {
    std::vector<Task> smaller;
    for (const Task& task : tasks) {
      advance(task, on_the_way, [&](const Task& each) { smaller.push_back(each); });
    }
    tasks = std::move(smaller);
  }
  std::vector<std::vector<ObjectPair>> found(tasks.size() + 1);
  parallel_for(tasks.size(), 1, threads,
               [&](std::size_t i, std::size_t) { finish(tasks[i], found[i]); });
  found.back() = std::move(on_the_way);
  return sorted_pairs(std::span(found), threads);
}

void BoxTree::visit(FunctionRef<bool(const WorldBox&)> may_meet,
                    FunctionRef<void(std::uint32_t)> show) const {
  if (nodes_.empty()) return;
  // Halving ends within 32 levels.
  std::uint32_t stack[64];
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
