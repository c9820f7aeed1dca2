#include "tree/boxtree.h"

#include <algorithm>
#include <array>

namespace tandem::detail {
namespace {

/// The children of a node, and the cuts that make their boxes out of its own.
struct Family {
  static constexpr std::size_t k_max_arity = 16;

  std::array<std::uint32_t, k_max_arity> child;
  std::array<Cut, k_max_arity> cut;
  std::size_t count = 0;

  Family(const TreeView<Aabb>& source, const BoxtreeOptions& options, std::uint32_t node,
         const RestrictedBox<>& box) {
    const std::uint32_t end = source.escape_index(node);
    for (std::uint32_t i = source.first_child(node); i != end; i = source.escape_index(i)) {
      child[count++] = i;
    }
    if (!options.parallel_planes) {
      for (std::size_t i = 0; i < count; ++i) cut[i] = best_cut(box, source.volume(child[i])).cut;
      return;
    }
    double most = -1;
    for (int axis = 0; axis < 3; ++axis) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        sum += best_cut_along(axis, box, source.volume(child[i])).share;
      }
      if (sum <= most) continue;
      most = sum;
      for (std::size_t i = 0; i < count; ++i) {
        cut[i] = best_cut_along(axis, box, source.volume(child[i])).cut;
      }
    }
  }
};

}  // namespace

OnePlaneBoxtree::OnePlaneBoxtree(const TreeView<Aabb>& source, const BoxtreeOptions& options)
    : root_box_(source.volume(0)), sibling_bound_(source.sibling_bound()), arity_(source.arity()) {
  nodes_.reserve(source.node_count());
  nodes_.push_back({0, 0, View::k_last});
  place(source, options, 0, 0, RestrictedBox<>(root_box_));
}

void OnePlaneBoxtree::place(const TreeView<Aabb>& source, const BoxtreeOptions& options,
                            std::uint32_t from, View::Node node, const RestrictedBox<>& box) {
  if (source.is_leaf(from)) {
    nodes_[node].link = source.triangle(from);
    nodes_[node].bits |= View::k_leaf;
    return;
  }
  const Family family(source, options, from, box);
  const auto first = static_cast<View::Node>(nodes_.size());
  nodes_[node].link = first;
  for (std::size_t i = 0; i < family.count; ++i) {
    const Cut& cut = family.cut[i];
    const int bits = cut.axis | (cut.side == 1 ? View::k_upper : 0);
    nodes_.push_back({static_cast<float>(cut.inward), 0, static_cast<std::uint8_t>(bits)});
  }
  nodes_.back().bits |= View::k_last;
  for (std::size_t i = 0; i < family.count; ++i) {
    RestrictedBox<> below = box;
    below.move(family.cut[i]);
    place(source, options, family.child[i], first + static_cast<View::Node>(i), below);
  }
}

void FloatPlanes::write(std::uint32_t* words, int which, const RestrictedBox<>&,
                        const StoredCut& stored) {
  words[which] = std::bit_cast<std::uint32_t>(static_cast<float>(stored.cut.inward));
  const int bits =
      stored.cut.axis | stored.cut.side << 2 | (stored.trimmed ? 8 : 0) | (stored.leaf ? 16 : 0);
  words[2] |= static_cast<std::uint32_t>(bits) << (8 * which);
}

std::uint32_t PackedPlanes::steps(const RestrictedBox<>& box, const Cut& cut) {
  const double length = box.length(cut.axis);
  const double by = cut.inward - box.inward[cut.side][cut.axis];
  if (!(length > 0)) return 0;
  std::uint32_t steps = std::min(k_steps, static_cast<std::uint32_t>(by / length * (k_steps + 1)));
  // Outward, whatever the division rounded to.
  while (steps > 0 && inward(box, cut.axis, cut.side, steps) > cut.inward) --steps;
  return steps;
}

void PackedPlanes::write(std::uint32_t* words, int which, const RestrictedBox<>& box,
                         const StoredCut& stored) {
  const std::uint32_t bits = steps(box, stored.cut) |
                             static_cast<std::uint32_t>(stored.cut.axis) << 11 |
                             static_cast<std::uint32_t>(stored.cut.side) << 13 |
                             (stored.trimmed ? 1U : 0U) << 14 | (stored.leaf ? 1U : 0U) << 15;
  words[0] |= bits << (16 * which);
}

template <class Planes>
TwoPlaneBoxtree<Planes>::TwoPlaneBoxtree(const TreeView<Aabb>& source,
                                         const BoxtreeOptions& options)
    : root_box_(source.volume(0)),
      root_is_leaf_(fits_leaf(source, options, 0)),
      sibling_bound_(source.sibling_bound()) {
  place(source, options, 0, RestrictedBox<>(root_box_));
  words_.shrink_to_fit();
}

template <class Planes>
bool TwoPlaneBoxtree<Planes>::fits_leaf(const TreeView<Aabb>& source, const BoxtreeOptions& options,
                                        std::uint32_t node) {
  // A binary tree of n leaves has 2n - 1 nodes.
  const std::uint32_t triangle_count = (source.escape_index(node) - node + 1) / 2;
  return triangle_count <= static_cast<std::uint32_t>(options.leaf_size);
}

template <class Planes>
void TwoPlaneBoxtree<Planes>::place(const TreeView<Aabb>& source, const BoxtreeOptions& options,
                                    std::uint32_t from, const RestrictedBox<>& box) {
  if (fits_leaf(source, options, from)) {
    for (std::uint32_t node = from; node != source.escape_index(from); ++node) {
      if (source.is_leaf(node)) words_.push_back(source.triangle(node));
    }
    words_.back() |= View::k_last;
    return;
  }
  const Family family(source, options, from, box);
  const std::size_t pair = words_.size();
  words_.resize(pair + View::k_pair_words);
  for (int child = 0; child < 2; ++child) {
    if (child == 1)
      words_[pair + View::k_pair_words - 1] = static_cast<std::uint32_t>(words_.size());
    const std::uint32_t node = family.child[child];
    const bool leaf = fits_leaf(source, options, node);
    RestrictedBox<> below = box;
    // Writes a cut where it belongs and makes it; tells whether the box is to be trimmed further.
    const auto put = [&](std::size_t at, int which, const Cut& cut, bool may_be_last) {
      RestrictedBox<> after = below;
      after.move(Planes::rounded(below, cut));
      const bool trimmed = may_be_last && best_cut(after, source.volume(node)).share > options.trim;
      Planes::write(&words_[at], which, below, {cut, trimmed, leaf});
      below = after;
      return trimmed;
    };
    bool trimmed = put(pair, child, family.cut[child], true);
    for (int trims = 0; trimmed && trims < k_max_trims; ++trims) {
      const std::size_t at = words_.size();
      words_.resize(at + View::k_trim_words);
      put(at, 0, best_cut(below, source.volume(node)).cut, false);
      trimmed = put(at, 1, best_cut(below, source.volume(node)).cut, trims + 1 < k_max_trims);
    }
    place(source, options, node, below);
  }
}

template class TwoPlaneBoxtree<FloatPlanes>;
template class TwoPlaneBoxtree<PackedPlanes>;

}  // namespace tandem::detail
