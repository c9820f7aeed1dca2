#include "sim/solver/groups.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tandem::sim {

Groups::Groups(std::span<const SolverBody> bodies, std::span<const SolverPair> pairs) {
  // A body's bits are the groups in which it is already. What finds no free group among these many
  // makes a group of its own behind them.
  constexpr std::size_t k_shared_groups = 64;
  std::vector<std::uint64_t> taken(bodies.size(), 0);
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> alone;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = std::pair(pairs[i].a, pairs[i].b);
    const auto group = static_cast<std::size_t>(std::countr_one(taken[a] | taken[b]));
    if (group == k_shared_groups) {
      alone.push_back(i);
      continue;
    }
    if (group == groups.size()) groups.emplace_back();
    groups[group].push_back(i);
    for (const std::uint32_t body : {a, b}) {
      if (bodies[body].moves()) taken[body] |= std::uint64_t{1} << group;
    }
  }
  for (auto& group : groups) {
    std::stable_sort(group.begin(), group.end(), [&](std::uint32_t a, std::uint32_t b) {
      return pairs[a].point_count() > pairs[b].point_count();
    });
    add(group);
  }
  for (const std::uint32_t pair : alone) add({&pair, 1});
}

void Groups::add(std::span<const std::uint32_t> group) {
  pairs_.insert(pairs_.end(), group.begin(), group.end());
  ends_.push_back(pairs_.size());
}

}  // namespace tandem::sim
