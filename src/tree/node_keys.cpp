// Hash and displace (after Belazzougui, Botelho and Dietzfelbinger 2009): the fullest buckets
// choose their displacement first.
#include "tree/node_keys.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tandem::detail {
namespace {

constexpr std::uint32_t k_empty = 0xffffffff;

}  // namespace

NodeKeys::NodeKeys(const RayTreeView& tree) {
  if (tree.empty()) return;
  std::vector<std::uint64_t> keys(tree.node_count());
  keys[0] = View::k_root;
  for (std::uint32_t node = 0; node < tree.node_count(); ++node) {
    if (tree.is_leaf(node)) continue;
    keys[tree.first_child(node)] = 2 * keys[node];
    keys[tree.second_child(node)] = 2 * keys[node] + 1;
  }
  // At most 80 % of the slots are used, and a bucket has about two keys.
  const std::size_t slot_count = std::bit_ceil(keys.size() + keys.size() / 4 + 1);
  slot_mask_ = slot_count - 1;
  const std::size_t bucket_count = std::bit_ceil(keys.size() / 2 + 2);
  bucket_shift_ = 64 - std::countr_zero(bucket_count);
  displacements_.resize(bucket_count);
  nodes_.resize(slot_count);
  while (!place(keys)) ++seed_;
}

/// False when a bucket finds no displacement: two of its keys always meet.
bool NodeKeys::place(const std::vector<std::uint64_t>& keys) {
  // The nodes bucket by bucket, and the buckets with the most of them first.
  std::vector<std::uint64_t> hashes(keys.size());
  std::vector<std::uint32_t> begins(displacements_.size() + 1, 0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    hashes[i] = Random::mix(keys[i] + seed_);
    ++begins[(hashes[i] >> bucket_shift_) + 1];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> members(keys.size());
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (std::uint32_t i = 0; i < keys.size(); ++i) members[next[hashes[i] >> bucket_shift_]++] = i;
  std::vector<std::uint32_t> order(displacements_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto size_of = [&](std::uint32_t bucket) { return begins[bucket + 1] - begins[bucket]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return size_of(a) > size_of(b); });

  std::fill(nodes_.begin(), nodes_.end(), k_empty);
  const View placed_keys = view();
  for (const std::uint32_t bucket : order) {
    constexpr std::uint32_t k_most_tries = 1 << 20;
    std::uint32_t displacement = 0;
    std::uint32_t placed = begins[bucket];
    while (placed < begins[bucket + 1] && displacement < k_most_tries) {
      std::uint32_t& node = nodes_[placed_keys.slot(hashes[members[placed]], displacement)];
      if (node == k_empty) {
        node = members[placed++];
        continue;
      }
      // Taken: clear what this try placed, and try the next displacement.
      while (placed > begins[bucket]) {
        nodes_[placed_keys.slot(hashes[members[--placed]], displacement)] = k_empty;
      }
      ++displacement;
    }
    if (placed < begins[bucket + 1]) return false;
    displacements_[bucket] = displacement;
  }
  return true;
}

}  // namespace tandem::detail
